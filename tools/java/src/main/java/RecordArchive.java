import java.io.File;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.ExclusivePublication;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * Records known messages with the official archive, unmodified, for tests of what reads its files:
 * {@code RecordArchive ARCHIVE_DIR AERON_DIR COUNT end|purge|extend|kill|again}.
 *
 * The nth message is that of archive_sample() in test/lib/archive_maker.c. Terms and segments are
 * small. Prints {@code recording: ID}, {@code start: POSITION}, {@code position: POSITION}; with
 * purge, half of the segments are purged; with extend, the recording is stopped and extended, as a
 * cluster does with its log, for the second half of the messages; with kill, {@code waiting: kill}
 * is the moment to do so; with again, a second archive goes on with the first one's recording 0, and
 * says where with {@code again: POSITION}.
 */
public final class RecordArchive
{
    private static final int TERM = 64 * 1024;
    private static final int SEGMENT = 2 * TERM;
    private static final int STREAM = 100;
    private static final String CHANNEL = "aeron:ipc?term-length=" + TERM;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(8192));
    private final AeronArchive archive;
    private final Aeron aeron;
    private ExclusivePublication publication;
    private long recording;

    private RecordArchive(final AeronArchive archive)
    {
        this.archive = archive;
        aeron = archive.context().aeron();
    }

    private int fill(final long n)
    {
        final int length = (int)(n % 7 == 3 ? 1500 + n * 97 % 5000 : n * 31 % 300);
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(i, (byte)(n * 131 + i * 7 + (i >> 8)));
        }
        return length;
    }

    private static void pause(final long deadlineNs, final String what)
    {
        if (System.nanoTime() - deadlineNs > 0)
        {
            throw new IllegalStateException("timeout: " + what);
        }
        Thread.yield();
    }

    private int awaitCounter()
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (true)
        {
            final int id = RecordingPos.findCounterIdBySession(
                aeron.countersReader(), publication.sessionId(), archive.archiveId());
            if (id != Aeron.NULL_VALUE)
            {
                return id;
            }
            pause(deadlineNs, "the recording does not begin");
        }
    }

    private void offer(final long from, final long to)
    {
        final int counter = awaitCounter();
        recording = RecordingPos.getRecordingId(aeron.countersReader(), counter);
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        for (long n = from; n < to; n++)
        {
            final int length = fill(n);
            while (publication.offer(buffer, 0, length) < 0)
            {
                pause(deadlineNs, "the publication does not take a message");
            }
        }
        while (aeron.countersReader().getCounterValue(counter) < publication.position())
        {
            pause(deadlineNs, "the archive does not record");
        }
    }

    private void stop()
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        archive.stopRecording(publication);
        while (archive.getStopPosition(recording) == AeronArchive.NULL_POSITION)
        {
            pause(deadlineNs, "the recording does not stop");
        }
    }

    private void extend()
    {
        final long position = publication.position();
        final int initialTermId = publication.initialTermId();
        publication.close();
        final ChannelUri uri = ChannelUri.parse(CHANNEL);
        uri.initialPosition(position, initialTermId, TERM);
        publication = aeron.addExclusivePublication(uri.toString(), STREAM);
        archive.extendRecording(
            recording, "aeron:ipc?session-id=" + publication.sessionId(), STREAM, SourceLocation.LOCAL);
    }

    private void goOn()
    {
        final int[] initialTermId = new int[1];
        archive.listRecording(recording,
            (controlSessionId, correlationId, recordingId, startTimestamp, stopTimestamp, startPosition, stopPosition,
            initial, segmentFileLength, termBufferLength, mtuLength, sessionId, streamId, strippedChannel,
            originalChannel, sourceIdentity) -> initialTermId[0] = initial);
        final long position = archive.getStopPosition(recording);
        System.out.println("again: " + position);
        final ChannelUri uri = ChannelUri.parse(CHANNEL);
        uri.initialPosition(position, initialTermId[0], TERM);
        publication = aeron.addExclusivePublication(uri.toString(), STREAM);
        archive.extendRecording(
            recording, "aeron:ipc?session-id=" + publication.sessionId(), STREAM, SourceLocation.LOCAL);
    }

    private void run(final long count, final String mode) throws InterruptedException
    {
        if ("again".equals(mode))
        {
            goOn();
        }
        else
        {
            publication = archive.addRecordedExclusivePublication(CHANNEL, STREAM);
        }
        final boolean extended = "extend".equals(mode);
        offer(0, extended ? count / 2 : count);
        if (extended)
        {
            stop();
            extend();
            offer(count / 2, count);
        }
        final long position = publication.position();
        if (!"kill".equals(mode))
        {
            stop();
        }
        if ("purge".equals(mode))
        {
            archive.purgeSegments(recording, AeronArchive.segmentFileBasePosition(0, position / 2, TERM, SEGMENT));
        }
        System.out.println("recording: " + recording);
        System.out.println("start: " + archive.getStartPosition(recording));
        System.out.println("position: " + position);
        if ("kill".equals(mode))
        {
            System.out.println("waiting: kill");
            Thread.sleep(60_000);
        }
    }

    public static void main(final String[] args) throws Exception
    {
        final String control = "aeron:ipc?term-length=64k";
        final MediaDriver.Context driver = new MediaDriver.Context()
            .aeronDirectoryName(args[1])
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED);
        final Archive.Context context = new Archive.Context()
            .aeronDirectoryName(args[1])
            .archiveDir(new File(args[0]))
            .controlChannelEnabled(false)
            .archiveClientContext(new AeronArchive.Context().controlResponseChannel(control))
            .localControlChannel(control)
            .recordingEventsEnabled(false)
            .replicationChannel("aeron:udp?endpoint=localhost:0")
            .segmentFileLength(SEGMENT)
            .threadingMode(ArchiveThreadingMode.SHARED);
        try (ArchivingMediaDriver media = ArchivingMediaDriver.launch(driver, context);
            AeronArchive archive = AeronArchive.connect(new AeronArchive.Context()
                .aeronDirectoryName(media.mediaDriver().aeronDirectoryName())
                .controlRequestChannel(control)
                .controlRequestStreamId(context.localControlStreamId())
                .controlResponseChannel(control)))
        {
            new RecordArchive(archive).run(Long.parseLong(args[2]), args[3]);
        }
    }
}
