import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.driver.MediaDriver;

/**
 * The official ClusterBackup, unmodified, from a cluster into a directory: DIR/archive and
 * DIR/cluster are as a member's then. Ends once it has the log up to a position.
 *
 * Usage: JavaClusterBackup DIR CONSENSUS-ENDPOINTS POSITION BEGINNING|LATEST_SNAPSHOT [SOURCE]
 * with endpoints HOST:PORT,... of the members, SOURCE ANY (the default), LEADER or FOLLOWER.
 *
 * Prints {@code backup: STATE, position N} at each change of the state, {@code caught_up: N} when
 * it is done. Exits with 1 and {@code failed: why} when it does not get there.
 */
public final class JavaClusterBackup
{
    private static final long TIMEOUT_MS = 120_000;

    private JavaClusterBackup()
    {
    }

    private static void onError(final Throwable throwable)
    {
        System.out.println("backup_error: " + throwable.getMessage());
    }

    /** The members answer to this one by its number: the system's choice of a 0 will not do. */
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

    private static Archive launchArchive(final Path directory, final String aeronDirectory)
    {
        return Archive.launch(new Archive.Context()
            .aeronDirectoryName(aeronDirectory)
            .archiveDir(directory.resolve("archive").toFile())
            .controlChannel("aeron:udp?endpoint=127.0.0.1:0")
            .localControlChannel("aeron:ipc?term-length=64k")
            .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
            .recordingEventsEnabled(false)
            .threadingMode(ArchiveThreadingMode.SHARED)
            .errorHandler(JavaClusterBackup::onError));
    }

    /** The log's source is asked by its own archive's endpoint, which the cluster tells. */
    private static ClusterBackup launchBackup(final String[] args, final String aeronDirectory,
        final Archive archive)
    {
        final String control = archive.context().localControlChannel();
        final int stream = archive.context().localControlStreamId();
        return ClusterBackup.launch(new ClusterBackup.Context()
            .aeronDirectoryName(aeronDirectory)
            .clusterDir(Path.of(args[0], "cluster").toFile())
            .clusterConsensusEndpoints(args[1])
            .consensusChannel("aeron:udp?endpoint=127.0.0.1:" + freePort())
            .catchupEndpoint("127.0.0.1:0")
            .catchupChannel("aeron:udp")
            .initialReplayStart(ClusterBackup.Configuration.ReplayStart.valueOf(args[3]))
            .sourceType(ClusterBackup.SourceType.valueOf(args.length > 4 ? args[4] : "ANY"))
            .archiveContext(new AeronArchive.Context()
                .controlRequestChannel(control)
                .controlRequestStreamId(stream)
                .controlResponseChannel(control))
            .clusterArchiveContext(new AeronArchive.Context()
                .controlRequestChannel("aeron:udp")
                .controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0"))
            .clusterBackupCoolDownIntervalNs(500_000_000L)
            .deleteDirOnStart(false)
            .errorHandler(JavaClusterBackup::onError));
    }

    private static void await(final ClusterBackup backup, final long position)
        throws InterruptedException
    {
        final long deadline = System.currentTimeMillis() + TIMEOUT_MS;
        ClusterBackup.State told = null;
        while (true)
        {
            final ClusterBackup.State state =
                ClusterBackup.State.get(backup.context().stateCounter());
            final long reached = backup.context().liveLogPositionCounter().get();
            if (state != told)
            {
                System.out.println("backup: " + state + ", position " + reached);
                told = state;
            }
            // Only then is its recording.log written.
            if (state == ClusterBackup.State.BACKING_UP && reached >= position)
            {
                System.out.println("caught_up: " + reached);
                return;
            }
            if (System.currentTimeMillis() >= deadline)
            {
                throw new IllegalStateException(
                    "at position " + reached + " in state " + state + ", not at " + position);
            }
            Thread.sleep(20);
        }
    }

    public static void main(final String[] args) throws InterruptedException
    {
        if (args.length < 4 || args.length > 5)
        {
            System.err.println("usage: JavaClusterBackup DIR HOST:PORT,... POSITION " +
                "BEGINNING|LATEST_SNAPSHOT [ANY|LEADER|FOLLOWER]");
            System.exit(2);
        }
        int status = 0;
        try (MediaDriver driver = VenueSession.launchDriver();
            Archive archive = launchArchive(Path.of(args[0]), driver.aeronDirectoryName());
            ClusterBackup backup = launchBackup(args, driver.aeronDirectoryName(), archive))
        {
            await(backup, Long.parseLong(args[2]));
        }
        catch (final RuntimeException ex)
        {
            System.out.println("failed: " + ex.getMessage());
            status = 1;
        }
        System.exit(status);
    }
}
