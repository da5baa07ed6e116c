import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import io.aeron.security.CredentialsSupplier;

/**
 * A participant on the official client of Aeron Cluster, unmodified: logs on as the administrator,
 * adds an instrument, trades with itself, cancels, then does so again after the venue was killed and
 * started anew. Messages are encoded by hand, as schema/order-entry.xml and schema/events.xml say.
 *
 * Prints `key: value` lines; `waiting: restart` is the moment to kill the venue. Exits with 1 and
 * `failed: why` when anything is not as it should be.
 */
public final class JavaClient implements EgressListener, CredentialsSupplier
{
    private static final int ORDER_ENTRY = 510;
    private static final int EVENTS = 511;
    private static final int HEADER = 8;
    private static final long TIMEOUT_MS = 30_000;

    private static final int SOURCE = 1;
    private static final int BUY = 0;
    private static final int SELL = 1;

    private final String ingress;
    private final String principal;
    private final byte[] secret;
    private final String aeronDirectory;
    private final UnsafeBuffer buffer = new UnsafeBuffer(
        ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN));

    private AeronCluster cluster;
    private final List<String> events = new ArrayList<>();
    private long sequence;          // last one that the venue took
    private long outboundSequence;  // last output seen
    private long repeated;
    private long requestId;
    private boolean loggedOn;
    private long term;
    private long newLeaders;
    private long challenges;
    private long connects;

    private JavaClient(final String ingress, final String principal, final byte[] secret,
        final String aeronDirectory)
    {
        this.ingress = ingress;
        this.principal = principal;
        this.secret = secret;
        this.aeronDirectory = aeronDirectory;
    }

    // ---- Credentials

    @Override
    public byte[] encodedCredentials()
    {
        return principal.getBytes(US_ASCII);
    }

    @Override
    public byte[] onChallenge(final byte[] encodedChallenge)
    {
        challenges++;
        try
        {
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(encodedChallenge);
        }
        catch (final java.security.GeneralSecurityException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    // ---- What the venue says

    @Override
    public void onMessage(final long clusterSessionId, final long timestamp,
        final DirectBuffer message, final int offset, final int length, final Header header)
    {
        int at = offset;
        while (at + HEADER <= offset + length)
        {
            final int blockLength = message.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xffff;
            final int template = message.getShort(at + 2, ByteOrder.LITTLE_ENDIAN) & 0xffff;
            final int schema = message.getShort(at + 4, ByteOrder.LITTLE_ENDIAN) & 0xffff;
            require(schema == EVENTS, "schema " + schema);
            take(message, at + HEADER, template);
            at += HEADER + blockLength;
        }
        require(at == offset + length, "a message of " + length + " bytes does not end with one");
    }

    @Override
    public void onNewLeader(final long clusterSessionId, final long leadershipTermId,
        final int leaderMemberId, final String ingressEndpoints)
    {
        newLeaders++;
    }

    @Override
    public void onSessionEvent(final long correlationId, final long clusterSessionId,
        final long leadershipTermId, final int leaderMemberId, final EventCode code,
        final String detail)
    {
        if (code != EventCode.OK)
        {
            System.out.println("session_event: " + code + " " + detail);
        }
    }

    private static long number(final DirectBuffer message, final int at)
    {
        return message.getLong(at, ByteOrder.LITTLE_ENDIAN);
    }

    private void take(final DirectBuffer message, final int at, final int template)
    {
        switch (template)
        {
            case 101:
                require(message.getByte(at + 32) == 0, "logon: reason " + message.getByte(at + 32));
                sequence = number(message, at + 8);
                loggedOn = true;
                break;
            case 102:
                require(false, "outputs are gone");
                break;
            case 106:
                require(false, "a message was rejected: problem " + message.getByte(at + 14));
                break;
            default:
                require(template <= 11, "template " + template);
                takeOutput(message, at, template);
                break;
        }
    }

    private void takeOutput(final DirectBuffer message, final int at, final int template)
    {
        final long outbound = number(message, at);
        if (outbound <= outboundSequence)
        {
            repeated++;
            return;
        }
        require(outbound == outboundSequence + 1 || outboundSequence == 0,
            "output " + outbound + " after " + outboundSequence);
        outboundSequence = outbound;
        term = message.getInt(at + 24, ByteOrder.LITTLE_ENDIAN);
        events.add(describe(message, at, template));
    }

    private static String describe(final DirectBuffer message, final int at, final int template)
    {
        switch (template)
        {
            case 1:
                return "accepted " + number(message, at + 40) + " open " + number(message, at + 80);
            case 2:
                return "rejected reason " + message.getByte(at + 80);
            case 3:
                return "trade " + number(message, at + 40) + " " + number(message, at + 88) + "@" +
                    number(message, at + 80) + " open " + number(message, at + 64);
            case 4:
                return "fill " + number(message, at + 40) + " " + number(message, at + 88) + "@" +
                    number(message, at + 80) + " open " + number(message, at + 64);
            case 5:
                return "cancelled " + number(message, at + 40) + " gave up " +
                    number(message, at + 88);
            case 10:
                return "confirmed command " + message.getByte(at + 56);
            default:
                return "event " + template;
        }
    }

    // ---- What it says

    private int begin(final int blockLength, final int template)
    {
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        buffer.putShort(0, (short)blockLength, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)template, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(4, (short)ORDER_ENTRY, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(6, (short)1, ByteOrder.LITTLE_ENDIAN);
        return HEADER;
    }

    /** True when it left; false when the session is gone. */
    private boolean send(final int length)
    {
        final long deadline = System.currentTimeMillis() + TIMEOUT_MS;
        while (!cluster.isClosed())
        {
            if (cluster.offer(buffer, 0, length) > 0)
            {
                return true;
            }
            poll();
            require(System.currentTimeMillis() < deadline, "nothing can be sent");
        }
        return false;
    }

    private boolean logOn()
    {
        final int at = begin(20, 101);
        loggedOn = false;
        buffer.putLong(at, ++requestId, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, outboundSequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 16, SOURCE, ByteOrder.LITTLE_ENDIAN);
        return send(HEADER + 20) && awaitFor(() -> loggedOn, 5_000);
    }

    private void addInstrument(final int instrument)
    {
        final int at = begin(37, 6);
        buffer.putLong(at, ++sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, 1, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 16, 1000, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 24, 100, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 32, instrument, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(at + 36, (byte)2);
        require(send(HEADER + 37), "the session ended");
    }

    private void newOrder(final long id, final int instrument, final int side, final long lots)
    {
        final int at = begin(43, 1);
        buffer.putLong(at, ++sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, id, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 16, 100, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 24, lots, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 32, instrument, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(at + 40, (byte)side);
        require(send(HEADER + 43), "the session ended");
    }

    private void cancel(final long id, final int instrument)
    {
        final int at = begin(24, 2);
        buffer.putLong(at, ++sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, id, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 16, instrument, ByteOrder.LITTLE_ENDIAN);
        require(send(HEADER + 24), "the session ended");
    }

    // ---- The session

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(what);
        }
    }

    private void poll()
    {
        if (cluster.pollEgress() <= 0)
        {
            Thread.onSpinWait();
        }
    }

    private boolean awaitFor(final BooleanSupplier condition, final long timeoutMs)
    {
        final long deadline = System.currentTimeMillis() + timeoutMs;
        while (!condition.getAsBoolean())
        {
            if (cluster.isClosed() || System.currentTimeMillis() >= deadline)
            {
                return false;
            }
            poll();
        }
        return true;
    }

    private void awaitEvent(final String event)
    {
        require(awaitFor(() -> events.contains(event), TIMEOUT_MS),
            "no '" + event + "' among " + events);
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
                .ingressEndpoints("0=" + ingress)
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0|term-length=64k")
                .egressListener(this)
                .credentialsSupplier(this)
                .messageTimeoutNs(5_000_000_000L));
            return true;
        }
        catch (final RuntimeException ex)
        {
            System.out.println("connect_failed: " + ex.getMessage());
            return false;
        }
    }

    /** Adds up to one fill, one rest cancelled. */
    private void trade(final int round, final int instrument)
    {
        final long buy = round * 10L + 1;
        final long sell = round * 10L + 2;
        newOrder(buy, instrument, BUY, 10);
        awaitEvent("accepted " + buy + " open 10");
        newOrder(sell, instrument, SELL, 4);
        awaitEvent("trade " + sell + " 4@100 open 0");
        awaitEvent("fill " + buy + " 4@100 open 6");
        cancel(buy, instrument);
        awaitEvent("cancelled " + buy + " gave up 6");
        System.out.println("traded: " + round);
    }

    /** Comes back to a venue that was killed, by its NewLeaderEvent or by a new session. */
    private void comeBack(final long leadersBefore)
    {
        final long deadline = System.currentTimeMillis() + 2 * TIMEOUT_MS;
        boolean ready = awaitFor(() -> newLeaders > leadersBefore, TIMEOUT_MS) && logOn();
        if (ready)
        {
            System.out.println("came_back_by: new_leader");
            return;
        }
        while (!ready)
        {
            require(System.currentTimeMillis() < deadline, "the venue does not come back");
            ready = connect() && logOn();
        }
        System.out.println("came_back_by: connect");
    }

    private void run()
    {
        require(connect(), "no connection");
        System.out.println("connected: " + ingress);
        require(logOn(), "no answer to the logon");
        System.out.println("logged_on: " + SOURCE);
        addInstrument(77);
        awaitEvent("confirmed command 6");
        trade(1, 77);
        newOrder(19, 77, BUY, 5); // rests through the restart
        awaitEvent("accepted 19 open 5");

        final long firstTerm = term;
        final long leadersBefore = newLeaders;
        System.out.println("term: " + firstTerm);
        System.out.println("waiting: restart");
        comeBack(leadersBefore);
        cancel(19, 77);
        awaitEvent("cancelled 19 gave up 5");
        trade(2, 77);
        require(term > firstTerm, "the term is " + term + " after " + firstTerm);
        System.out.println("term: " + term);
        System.out.println("events: " + events.size());
        System.out.println("outputs: " + outboundSequence);
        System.out.println("repeated: " + repeated);
        System.out.println("challenges: " + challenges);
        System.out.println("connects: " + connects);
        System.out.println("new_leaders: " + newLeaders);
        cluster.close();
    }

    public static void main(final String[] args)
    {
        if (args.length < 2 || args.length > 3)
        {
            System.err.println("usage: JavaClient HOST:PORT PRINCIPAL [SECRET]");
            System.exit(2);
        }
        final byte[] secret = args.length == 3 ? args[2].getBytes(US_ASCII) : new byte[0];
        int status = 0;
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)))
        {
            new JavaClient(args[0], args[1], secret, driver.aeronDirectoryName()).run();
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
