package outcry.cluster;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * The file that the C side of a member writes (src/cluster/module_process.c), in the words of
 * Aeron's own system properties: what it names {@code aeron.*} and what the command line set with
 * -D stays as it is, what they leave open is made of its {@code outcry.*}. So there is no setting
 * of Aeron that cannot be reached, and none that is set in two places.
 */
final class ModuleProperties
{
    private static final Set<String> KNOWN = Set.of(
        "outcry.dir", "outcry.aeron.dir", "outcry.cluster.id", "outcry.member.id",
        "outcry.members", "outcry.sync.level", "outcry.segment.bytes",
        "outcry.session.timeout.ms", "outcry.heartbeat.timeout.ms", "outcry.election.timeout.ms",
        "outcry.canvass.timeout.ms", "outcry.authentication", "outcry.secrets.file",
        "outcry.log.channel", "outcry.ingress.channel", "outcry.idle", "outcry.lock.file",
        "outcry.log.file", "outcry.max.sessions", "outcry.low.space.bytes");
    private static final int SESSIONS_MAX = 65_536; // REPLICA_SESSIONS_MAX of src/host/replica.h
    private static final int ARCHIVE_ENDPOINT = 5; // of a member's: after its id and four others

    private final Properties properties = new Properties();
    private final String file;

    /** The file cannot be used; the message says why. */
    static final class BadProperties extends Exception
    {
        private static final long serialVersionUID = 1;

        BadProperties(final String message)
        {
            super(message);
        }
    }

    ModuleProperties(final String file) throws BadProperties
    {
        this.file = file;
        try (Reader reader = Files.newBufferedReader(Path.of(file)))
        {
            properties.load(reader);
        }
        catch (final NoSuchFileException ex)
        {
            throw new BadProperties(file + ": no such file");
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new BadProperties(file + ": " + ex.getMessage());
        }
        for (final String key : properties.stringPropertyNames())
        {
            if (!KNOWN.contains(key) && !key.startsWith("aeron."))
            {
                throw new BadProperties(file + ": unknown key " + key);
            }
        }
    }

    String text(final String key) throws BadProperties
    {
        final String value = properties.getProperty("outcry." + key, "");
        if (value.isEmpty())
        {
            throw new BadProperties(file + ": outcry." + key + " is missing");
        }
        return value;
    }

    String text(final String key, final String otherwise)
    {
        final String value = properties.getProperty("outcry." + key, "");
        return value.isEmpty() ? otherwise : value;
    }

    long number(final String key, final long low, final long high) throws BadProperties
    {
        final String value = text(key);
        try
        {
            final long number = Long.parseLong(value);
            if (number >= low && number <= high)
            {
                return number;
            }
        }
        catch (final NumberFormatException ex)
        {
            // told below
        }
        throw new BadProperties(
            file + ": outcry." + key + " = " + value + " is no number of " + low + ".." + high);
    }

    String choice(final String key, final List<String> choices) throws BadProperties
    {
        final String value = text(key, choices.get(0));
        if (!choices.contains(value))
        {
            throw new BadProperties(file + ": outcry." + key + " = " + value + " is none of " +
                String.join(", ", choices));
        }
        return value;
    }

    /** Sets the system properties that Aeron's contexts are made from. */
    void toSystem() throws BadProperties
    {
        for (final String key : properties.stringPropertyNames())
        {
            if (key.startsWith("aeron."))
            {
                unlessSet(key, properties.getProperty(key));
            }
        }
        final String directory = text("dir");
        final String sync = Long.toString(number("sync.level", 0, 2));
        final String archive = archiveEndpoint();
        // Of this host, at any port: what others' archives send comes here.
        final String replication =
            "aeron:udp?endpoint=" + archive.substring(0, archive.lastIndexOf(':')) + ":0";
        unlessSet("aeron.dir", text("aeron.dir"));

        unlessSet("aeron.archive.dir", directory + "/archive");
        unlessSet("aeron.archive.dir.delete.on.start", "false");
        unlessSet("aeron.archive.control.channel", "aeron:udp?endpoint=" + archive);
        unlessSet("aeron.archive.local.control.channel", "aeron:ipc?term-length=64k");
        unlessSet("aeron.archive.local.control.stream.id", "10");
        unlessSet("aeron.archive.replication.channel", replication);
        unlessSet("aeron.archive.recording.events.enabled", "false");
        unlessSet("aeron.archive.file.sync.level", sync);
        unlessSet("aeron.archive.catalog.file.sync.level", sync);
        unlessSet("aeron.archive.segment.file.length",
            Long.toString(number("segment.bytes", 64 * 1024, 1 << 30)));

        // Well below the member's own limit, at which clients' new orders are refused: here recordings
        // are, and a module that cannot record ends.
        unlessSet("aeron.archive.low.storage.space.threshold",
            Long.toString(number("low.space.bytes", 0, Long.MAX_VALUE) / 4));

        unlessSet("aeron.cluster.dir", directory + "/cluster");
        unlessSet("aeron.cluster.id", Long.toString(number("cluster.id", 0, Integer.MAX_VALUE)));
        unlessSet("aeron.cluster.member.id", Long.toString(memberId()));
        unlessSet("aeron.cluster.members", text("members"));
        unlessSet("aeron.cluster.control.channel", "aeron:ipc?term-length=128k");
        unlessSet("aeron.cluster.ingress.channel",
            text("ingress.channel", "aeron:udp?term-length=1m|alias=ingress"));
        unlessSet("aeron.cluster.log.channel",
            text("log.channel", "aeron:udp?term-length=64m|alias=log"));
        unlessSet("aeron.cluster.replication.channel", replication);
        unlessSet("aeron.cluster.service.count", "1");
        unlessSet("aeron.cluster.clock", "io.aeron.cluster.NanosecondClusterClock");
        // The default is a wheel that turns every 8 ms; a busy service asks for less.
        unlessSet("aeron.cluster.timer.service.supplier",
            "io.aeron.cluster.PriorityHeapTimerServiceSupplier");
        unlessSet("aeron.cluster.file.sync.level", sync);
        // Those that ask to be let in count as well, and each member is a client of the others. What
        // the module lets in must find room in every member's state.
        unlessSet("aeron.cluster.max.sessions", Long.toString(Math.min(SESSIONS_MAX,
            number("max.sessions", 1, SESSIONS_MAX) + text("members").split("\\|").length)));
        timeout("aeron.cluster.session.timeout", "session.timeout.ms");
        timeout("aeron.cluster.leader.heartbeat.timeout", "heartbeat.timeout.ms");
        timeout("aeron.cluster.election.timeout", "election.timeout.ms");
        timeout("aeron.cluster.startup.canvass.timeout", "canvass.timeout.ms");
    }

    private static void unlessSet(final String key, final String value)
    {
        if (System.getProperty(key) == null)
        {
            System.setProperty(key, value);
        }
    }

    private void timeout(final String aeron, final String key) throws BadProperties
    {
        unlessSet(aeron, number(key, 1, Integer.MAX_VALUE) + "ms");
    }

    private long memberId() throws BadProperties
    {
        return number("member.id", 0, Integer.MAX_VALUE);
    }

    private String archiveEndpoint() throws BadProperties
    {
        final long id = memberId();
        for (final String member : text("members").split("\\|"))
        {
            final String[] parts = member.split(",");
            if (parts[0].equals(Long.toString(id)))
            {
                if (parts.length > ARCHIVE_ENDPOINT && parts[ARCHIVE_ENDPOINT].contains(":"))
                {
                    return parts[ARCHIVE_ENDPOINT];
                }
                throw new BadProperties(file + ": outcry.members: member " + id +
                    " has no five endpoints HOST:PORT");
            }
        }
        throw new BadProperties(file + ": outcry.members: no member " + id);
    }
}
