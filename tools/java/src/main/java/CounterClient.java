import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.Header;

/**
 * Adds numbers to examples/counter.c on the official client of Aeron Cluster, one after the other,
 * while the cluster's members come and go. What was not answered is asked for by adding 0: the
 * total says whether it was taken. No number is lost, none is added twice.
 *
 * Prints {@code added: N} every second and {@code key: value} lines at the end. Exits with 1 and
 * {@code failed: why} when the total is another than it must be, or nothing goes on.
 */
public final class CounterClient implements EgressListener
{
    private static final long ANSWER_MS = 15_000;
    private static final long GONE_MS = 120_000;
    private static final int LENGTH = 8;

    private final String endpoints;
    private final String aeronDirectory;
    private final UnsafeBuffer buffer = new UnsafeBuffer(
        ByteBuffer.allocateDirect(LENGTH).order(LITTLE_ENDIAN));
    private AeronCluster cluster;
    private long answers;
    private long total;
    private long newLeaders;
    private long connects;
    private long doubts;
    private long keptAliveMs;

    private CounterClient(final String endpoints, final String aeronDirectory)
    {
        this.endpoints = endpoints;
        this.aeronDirectory = aeronDirectory;
    }

    @Override
    public void onMessage(final long clusterSessionId, final long timestamp,
        final DirectBuffer message, final int offset, final int length, final Header header)
    {
        VenueSession.require(length == LENGTH, "an answer of " + length + " bytes");
        total = message.getLong(offset, LITTLE_ENDIAN);
        answers++;
    }

    @Override
    public void onNewLeader(final long clusterSessionId, final long leadershipTermId,
        final int leaderMemberId, final String ingressEndpoints)
    {
        newLeaders++;
    }

    private boolean connect()
    {
        CloseHelper.quietClose(cluster);
        connects++;
        try
        {
            cluster = AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(aeronDirectory)
                .ingressChannel("aeron:udp?term-length=64k")
                .ingressEndpoints(endpoints)
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0|term-length=64k")
                .egressListener(this)
                .messageTimeoutNs(5_000_000_000L));
            return true;
        }
        catch (final RuntimeException ex)
        {
            System.out.println("connect_failed: " + ex.getMessage());
            return false;
        }
    }

    private void poll()
    {
        final long nowMs = System.currentTimeMillis();
        if (nowMs - keptAliveMs >= 1_000)
        {
            cluster.sendKeepAlive();
            keptAliveMs = nowMs;
        }
        if (cluster.pollEgress() <= 0)
        {
            Thread.onSpinWait();
        }
    }

    /** True once answered; false: the session or its leader is gone, or nobody answers. */
    private boolean ask(final long number)
    {
        final long before = answers;
        final long leadersBefore = newLeaders;
        final long deadline = System.currentTimeMillis() + ANSWER_MS;
        boolean sent = false;
        buffer.putLong(0, number, LITTLE_ENDIAN);
        while (answers == before)
        {
            if (cluster.isClosed() || newLeaders != leadersBefore ||
                System.currentTimeMillis() >= deadline)
            {
                return false;
            }
            sent = sent || cluster.offer(buffer, 0, LENGTH) > 0;
            poll();
        }
        return true;
    }

    /** The total as the cluster has it, whoever leads it by now, in a session of its own: an answer
     * of the one before cannot be taken for it. */
    private long askTotal()
    {
        final long deadline = System.currentTimeMillis() + GONE_MS;
        while (!connect() || !ask(0))
        {
            VenueSession.require(System.currentTimeMillis() < deadline, "no leader comes back");
        }
        return total;
    }

    private void add(final long number, final long expected)
    {
        while (!ask(number))
        {
            doubts++;
            if (askTotal() == expected)
            {
                return; // taken, and the answer was lost
            }
            VenueSession.require(total == expected - number,
                "the total is " + total + ", neither with nor without " + number);
        }
        VenueSession.require(total == expected, "the total is " + total + ", not " + expected);
    }

    private void run(final long first, final long count) throws InterruptedException
    {
        long toldMs = System.currentTimeMillis();
        long expected = askTotal();
        VenueSession.require(expected == first, "it begins with " + expected);
        for (long n = 1; n <= count; n++)
        {
            expected += n;
            add(n, expected);
            if (System.currentTimeMillis() - toldMs >= 1_000)
            {
                toldMs = System.currentTimeMillis();
                System.out.println("added: " + n);
            }
            Thread.sleep(10);
        }
        CloseHelper.close(cluster);
        System.out.println("total: " + total);
        System.out.println("new_leaders: " + newLeaders);
        System.out.println("connects: " + connects);
        System.out.println("doubts: " + doubts);
    }

    public static void main(final String[] args) throws InterruptedException
    {
        if (args.length != 3)
        {
            System.err.println("usage: CounterClient 0=HOST:PORT,... TOTAL NUMBERS");
            System.exit(2);
        }
        int status = 0;
        try (MediaDriver driver = VenueSession.launchDriver())
        {
            new CounterClient(args[0], driver.aeronDirectoryName())
                .run(Long.parseLong(args[1]), Long.parseLong(args[2]));
            System.out.println("result: ok");
        }
        catch (final RuntimeException ex)
        {
            System.out.println("failed: " + ex.getMessage());
            status = 1;
        }
        System.exit(status);
    }
}
