package outcry.cluster;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

/**
 * Starts a module on a driver of its own, so that the JVM can write down which classes that loads
 * (-XX:DumpLoadedClassList): cluster/java/share-classes makes an archive of them, from which a
 * member's JVM starts in half the time. Has no other use.
 *
 * Usage: ClassListing EMPTY-DIRECTORY, with the standard input kept open; it ends by itself.
 */
final class ClassListing
{
    private static final long RUN_MS = 1_000;

    private ClassListing()
    {
    }

    private static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("no free port", ex);
        }
    }

    private static Path properties(final Path directory) throws IOException
    {
        final String endpoints = IntStream.range(0, 5)
            .mapToObj((i) -> "127.0.0.1:" + freePort())
            .collect(Collectors.joining(","));
        return Files.writeString(directory.resolve("module.properties"), String.join("\n",
            "outcry.dir=" + directory,
            "outcry.aeron.dir=" + directory.resolve("driver"),
            "outcry.lock.file=" + directory.resolve("module.lock"),
            "outcry.cluster.id=0",
            "outcry.member.id=0",
            "outcry.members=0," + endpoints,
            "outcry.sync.level=0",
            "outcry.segment.bytes=65536",
            "outcry.low.space.bytes=0",
            "outcry.max.sessions=16",
            "outcry.log.channel=aeron:udp?term-length=64k",
            "outcry.session.timeout.ms=10000",
            "outcry.heartbeat.timeout.ms=10000",
            "outcry.election.timeout.ms=1000",
            "outcry.canvass.timeout.ms=60000"));
    }

    /** The module comes last; then it waits for its service. */
    private static void endOnceItRuns()
    {
        try
        {
            while (Thread.getAllStackTraces().values().stream().flatMap(Arrays::stream)
                .noneMatch((frame) -> frame.getMethodName().equals("recoverFromSnapshotAndLog")))
            {
                Thread.sleep(20);
            }
            Thread.sleep(RUN_MS);
        }
        catch (final InterruptedException ex)
        {
            // then it ends at once
        }
        Runtime.getRuntime().halt(0);
    }

    public static void main(final String[] args) throws IOException
    {
        final Path directory = Path.of(args[0]).toAbsolutePath();
        MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory.resolve("driver").toString())
            .threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(64 * 1024)
            .ipcTermBufferLength(64 * 1024)
            .dirDeleteOnStart(true));
        final Thread end = new Thread(ClassListing::endOnceItRuns);
        end.setDaemon(true);
        end.start();
        Module.main(new String[]{ properties(directory).toString() });
    }
}
