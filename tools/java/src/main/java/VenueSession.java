import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * A participant's session with a venue on the official client of Aeron Cluster, unmodified: logs on
 * with a challenge or without, sends commands, and gives the outputs out in order and once each.
 * Messages are encoded by hand, as schema/order-entry.xml and schema/events.xml say.
 *
 * An {@link IllegalStateException} says what is not as it should be.
 */
final class VenueSession implements EgressListener, CredentialsSupplier
{
    static final int SOURCE = 1;
    static final int BUY = 0;
    static final int SELL = 1;
    static final long TIMEOUT_MS = 30_000;
    private static final long KEEPALIVE_MS = 1_000;

    private static final int ORDER_ENTRY = 510;
    private static final int EVENTS = 511;
    private static final int HEADER = 8;

    /** Takes the venue's outputs; the message is valid during the call. */
    interface Listener
    {
        void onOutput(DirectBuffer message, int at, int template);
    }

    private final String endpoints;
    private final String principal;
    private final byte[] secret;
    private final String aeronDirectory;
    private final Listener listener;
    private final UnsafeBuffer buffer = new UnsafeBuffer(
        ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN));

    private AeronCluster cluster;
    private long requestId;
    private long keptAliveMs;
    private boolean loggedOn;
    long sequence;          // last command that was sent, or after a logon that the venue took
    long outboundSequence;  // last output seen
    long repeated;
    long term;
    long newLeaders;
    long challenges;
    long connects;

    /** ENDPOINTS is the official client's list: 0=HOST:PORT,1=HOST:PORT. */
    VenueSession(final String endpoints, final String principal, final String secret,
        final String aeronDirectory, final Listener listener)
    {
        this.endpoints = endpoints;
        this.principal = principal;
        this.secret = secret.getBytes(US_ASCII);
        this.aeronDirectory = aeronDirectory;
        this.listener = listener;
    }

    /** A small media driver of the program's own. */
    static MediaDriver launchDriver()
    {
        return MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1024)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
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

    static long number(final DirectBuffer message, final int at)
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
        listener.onOutput(message, at, template);
    }

    /** An output in words. */
    static String describe(final DirectBuffer message, final int at, final int template)
    {
        switch (template)
        {
            case 1:
                return "accepted " + number(message, at + 40) + " open " +
                    number(message, at + 80);
            case 2:
                return "rejected reason " + message.getByte(at + 80);
            case 3:
                return "trade " + number(message, at + 40) + " " +
                    number(message, at + 88) + "@" + number(message, at + 80) +
                    " open " + number(message, at + 64);
            case 4:
                return "fill " + number(message, at + 40) + " " +
                    number(message, at + 88) + "@" + number(message, at + 80) +
                    " open " + number(message, at + 64);
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

    /** The commands are false when the session is gone: then log on and see what was taken. */
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

    boolean logOn()
    {
        final int at = begin(20, 101);
        loggedOn = false;
        buffer.putLong(at, ++requestId, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, outboundSequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 16, SOURCE, ByteOrder.LITTLE_ENDIAN);
        return send(HEADER + 20) && awaitFor(() -> loggedOn, 5_000);
    }

    boolean addInstrument(final int instrument)
    {
        final int at = begin(37, 6);
        buffer.putLong(at, ++sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, 1, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 16, 1000, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 24, 100, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 32, instrument, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(at + 36, (byte)2);
        return send(HEADER + 37);
    }

    boolean newOrder(final long id, final int instrument, final int side, final long lots)
    {
        final int at = begin(43, 1);
        buffer.putLong(at, ++sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, id, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 16, 100, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 24, lots, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 32, instrument, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(at + 40, (byte)side);
        return send(HEADER + 43);
    }

    boolean cancel(final long id, final int instrument)
    {
        final int at = begin(24, 2);
        buffer.putLong(at, ++sequence, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(at + 8, id, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(at + 16, instrument, ByteOrder.LITTLE_ENDIAN);
        return send(HEADER + 24);
    }

    // ---- The session

    static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(what);
        }
    }

    void poll()
    {
        final long nowMs = System.currentTimeMillis();
        if (nowMs - keptAliveMs >= KEEPALIVE_MS)
        {
            cluster.sendKeepAlive();
            keptAliveMs = nowMs;
        }
        if (cluster.pollEgress() <= 0)
        {
            Thread.onSpinWait();
        }
    }

    boolean awaitFor(final BooleanSupplier condition, final long timeoutMs)
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

    boolean connect()
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

    boolean isClosed()
    {
        return cluster == null || cluster.isClosed();
    }

    /** The member that the client takes for the leader. */
    int leader()
    {
        return cluster.leaderMemberId();
    }

    void close()
    {
        CloseHelper.quietClose(cluster);
    }
}
