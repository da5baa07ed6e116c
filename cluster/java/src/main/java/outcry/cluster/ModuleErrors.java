package outcry.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;

import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.RegistrationException;

/**
 * What archive and consensus module complain of, each in one line on standard output that the
 * starting process keeps in module.log: {@code module: warning: ...}, {@code module: error: ...},
 * or {@code module: fatal: ...}, after which the process is of no use and ends.
 *
 * Strangers can bring about complaints in any number: of each kind a few are told, then one now and
 * then with the count of those in between, and the file is begun anew when it is full.
 *
 * Used by the agents' threads.
 */
final class ModuleErrors implements ErrorHandler
{
    /** Stack traces, to find a bug. */
    static final String DEBUG_PROPERTY = "outcry.debug";
    static final int BURST = 5; // of a kind; then one in each:
    static final long REFILL_MS = 10_000;
    static final int KINDS_MAX = 64;
    private static final int LINE_MAX = 1_000;
    private static final int RECENT_KEPT = 2;
    /** In the middle of what a driver written in C says. */
    private static final String C_PLACE = "\\[\\w+, \\w+\\.c:\\d+\\]";

    /** The archive's end of a recording: nothing of the log comes to the member's disk any more. */
    private static final Set<String> RECORDING = Set.of(
        "io.aeron.archive.RecordingSession", "io.aeron.archive.RecordingWriter");
    /** Where the module opens the member's own ports; without them it only seems to take part. */
    private static final Set<String> INGRESS_PORT = Set.of("connectIngress");
    /** An election, which begins again when the driver still closes what had the port before. */
    private static final Set<String> LOG_PORTS = Set.of(
        "addCatchupLogDestination", "addLiveLogDestination");

    /** Complaints that one place in the code makes. */
    private static final class Kind
    {
        private int left = BURST;
        private long sinceMs;
        private long passedOver;
    }

    private final Runnable onFatal;
    private final Runnable onExhausted;
    private final Path log;
    private final long logBytesMax;
    private final Map<String, Kind> kinds = new HashMap<>();
    private final Queue<String> recent = new ArrayDeque<>();
    private boolean failed;
    private boolean expected;
    private boolean closing;

    /**
     * @param onFatal     once or more: the process is to end.
     * @param onExhausted there is no memory for an end in order.
     * @param log         the file behind standard output; null: none that is to be begun anew.
     * @param logBytesMax when that is.
     */
    ModuleErrors(final Runnable onFatal, final Runnable onExhausted, final Path log,
        final long logBytesMax)
    {
        this.onFatal = onFatal;
        this.onExhausted = onExhausted;
        this.log = log;
        this.logBytesMax = logBytesMax;
    }

    private static Throwable innermost(final Throwable throwable)
    {
        Throwable cause = throwable;
        while (cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        return cause;
    }

    /** One printable line of the innermost cause. */
    static String oneLine(final Throwable throwable)
    {
        final Throwable cause = innermost(throwable);
        final String name = cause.getClass().getSimpleName();
        final String message = cause.getMessage();
        if (message == null || message.isBlank())
        {
            return name;
        }
        // Aeron puts the category in front, which the line says in its own way.
        final String text = cause instanceof AeronException ?
            message.replaceFirst("^(FATAL|ERROR|WARN) - ", "") : name + ": " + message;
        final String line = text.replaceAll("\\s*" + C_PLACE + "\\s*", ": ")
            .replaceAll("\\p{Cntrl}+", " ").trim();
        return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + "...";
    }

    static void print(final String kind, final Throwable throwable)
    {
        print(kind, oneLine(throwable), throwable);
    }

    private static void print(final String kind, final String text, final Throwable throwable)
    {
        System.out.println("module: " + kind + ": " + text);
        if (Boolean.getBoolean(DEBUG_PROPERTY))
        {
            throwable.printStackTrace(System.out);
        }
        System.out.flush();
    }

    // ---- Which they are

    private static boolean isWarning(final Throwable throwable)
    {
        return throwable instanceof AeronException &&
            ((AeronException)throwable).category() == AeronException.Category.WARN;
    }

    /**
     * A message may name a length of up to 2 GiB, and Aeron's decoders allocate it before they look
     * whether the message is that long. When that is refused and there is room, nothing has
     * happened; of an agent's state nothing has changed.
     */
    static boolean isOversized(final Throwable throwable)
    {
        final String message = throwable.getMessage();
        if (!(throwable instanceof OutOfMemoryError) || message == null)
        {
            return false;
        }
        if (message.contains("array size"))
        {
            return true;
        }
        if (!message.startsWith("Java heap space"))
        {
            return false;
        }
        System.gc(); // what was refused to another thread may have been held by this one
        final Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory() <= runtime.maxMemory() / 2;
    }

    private static boolean comesFrom(final Throwable throwable, final Set<String> classes,
        final Set<String> methods)
    {
        for (Throwable cause = throwable; cause != null; cause = cause.getCause())
        {
            if (Arrays.stream(cause.getStackTrace()).anyMatch((frame) ->
                classes.contains(frame.getClassName()) || methods.contains(frame.getMethodName())))
            {
                return true;
            }
        }
        return false;
    }

    static boolean isFatal(final Throwable throwable)
    {
        if (throwable instanceof Error)
        {
            return !isOversized(throwable);
        }
        return throwable instanceof AgentTerminationException ||
            (throwable instanceof AeronException &&
            ((AeronException)throwable).category() == AeronException.Category.FATAL) ||
            comesFrom(throwable, RECORDING, Set.of()) ||
            (throwable instanceof RegistrationException &&
            (comesFrom(throwable, Set.of(), INGRESS_PORT) ||
            (!isWarning(throwable) && comesFrom(throwable, Set.of(), LOG_PORTS))));
    }

    // ---- What becomes of them

    @Override
    public void onError(final Throwable throwable)
    {
        if (throwable instanceof ClusterTerminationException &&
            ((ClusterTerminationException)throwable).isExpected())
        {
            expected();
        }
        else if (isFatal(throwable))
        {
            fatal(throwable);
        }
        else
        {
            complain(throwable, System.nanoTime() / 1_000_000);
        }
    }

    /** It ends the process, unless that is about to end anyway: what ends then may complain. */
    void fatal(final Throwable throwable)
    {
        if (throwable instanceof OutOfMemoryError)
        {
            exhausted(throwable);
            return;
        }
        synchronized (this)
        {
            if (closing || failed)
            {
                return; // the first is the cause, and the others follow from it
            }
            failed = true;
            // A termination says nothing itself; what was said before it does.
            print("fatal", throwable instanceof ClusterTerminationException ?
                "ended by itself: " + String.join("; ", recent) : oneLine(throwable), throwable);
        }
        onFatal.run();
    }

    private void exhausted(final Throwable throwable)
    {
        try
        {
            System.out.println("module: fatal: OutOfMemoryError: " + throwable.getMessage());
            System.out.flush();
        }
        finally
        {
            onExhausted.run();
        }
    }

    /** An agent has ended. If nobody asked for that, so must the process. */
    void ended(final String name)
    {
        synchronized (this)
        {
            if (!closing && !failed && !expected)
            {
                failed = true;
                System.out.println("module: fatal: the " + name + " has ended: " +
                    String.join("; ", recent));
                System.out.flush();
            }
        }
        onFatal.run();
    }

    /** For threads of Aeron's own. */
    Thread watched(final Runnable runnable)
    {
        final Thread thread = new Thread(() ->
        {
            runnable.run();
            ended("agent " + Thread.currentThread().getName());
        });
        thread.setUncaughtExceptionHandler((ignored, throwable) -> fatal(throwable));
        return thread;
    }

    /** From now on it is no error that an agent ends. */
    synchronized void closing()
    {
        closing = true;
    }

    private synchronized void expected()
    {
        expected = true;
    }

    synchronized boolean failed()
    {
        return failed;
    }

    // ---- The file

    private Kind kind(final Throwable throwable)
    {
        final StackTraceElement[] trace = throwable.getStackTrace();
        final String name = innermost(throwable).getClass().getName() +
            (trace.length > 0 ? trace[0].toString() : "");
        final boolean known = kinds.containsKey(name) || kinds.size() < KINDS_MAX;
        return kinds.computeIfAbsent(known ? name : "other", (key) -> new Kind());
    }

    /** False: it is one of very many. */
    private static boolean takes(final Kind kind, final long nowMs)
    {
        if (kind.left == 0 && nowMs - kind.sinceMs >= REFILL_MS)
        {
            kind.left = 1;
        }
        if (kind.left == 0)
        {
            kind.passedOver++;
            return false;
        }
        kind.left--;
        kind.sinceMs = nowMs;
        return true;
    }

    synchronized void complain(final Throwable throwable, final long nowMs)
    {
        final Kind kind = kind(throwable);
        if (!takes(kind, nowMs))
        {
            return;
        }
        final String line = oneLine(throwable);
        if (recent.size() == RECENT_KEPT)
        {
            recent.remove();
        }
        recent.add(line);
        beginAnewIfFull();
        print(isWarning(throwable) ? "warning" : "error", kind.passedOver == 0 ? line :
            line + " (and " + kind.passedOver + " more like it)", throwable);
        kind.passedOver = 0;
    }

    /** Others, the JVM among them, write to the file as well, at its end: so it is emptied. */
    private void beginAnewIfFull()
    {
        try
        {
            if (log == null || Files.size(log) < logBytesMax)
            {
                return;
            }
            try
            {
                Files.copy(log, Path.of(log + ".old"), StandardCopyOption.REPLACE_EXISTING);
            }
            finally
            {
                FileChannel.open(log, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING).close();
            }
        }
        catch (final IOException ex)
        {
            // Its device may be full, which is what the line then says.
        }
    }
}
