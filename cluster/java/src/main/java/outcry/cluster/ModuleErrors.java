package outcry.cluster;

import java.util.ArrayDeque;
import java.util.Queue;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;

import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.AeronException;

/**
 * What archive and consensus module complain of, each in one line on standard output that the
 * starting process keeps in module.log: {@code module: warning: ...} or {@code module: error: ...}.
 * After an error that ends an agent the process is of no use, and ends as well.
 *
 * Used by the agents' threads.
 */
final class ModuleErrors implements ErrorHandler
{
    /** Stack traces, to find a bug. */
    static final String DEBUG_PROPERTY = "outcry.debug";
    private static final long REPEAT_MS = 1000;
    private static final int WARNINGS_KEPT = 2;

    private final Runnable onFatal;
    private boolean failed;
    private boolean closing;
    private final Queue<String> warnings = new ArrayDeque<>();
    private String lastLine = "";
    private long lastMs;

    ModuleErrors(final Runnable onFatal)
    {
        this.onFatal = onFatal;
    }

    /** One printable line of the innermost cause. */
    static String oneLine(final Throwable throwable)
    {
        Throwable cause = throwable;
        while (cause.getCause() != null)
        {
            cause = cause.getCause();
        }
        final String name = cause.getClass().getSimpleName();
        final String message = cause.getMessage();
        if (message == null || message.isBlank())
        {
            return name;
        }
        // Aeron puts the category in front, which the line says in its own way.
        final String text = cause instanceof AeronException ?
            message.replaceFirst("^(FATAL|ERROR|WARN) - ", "") : name + ": " + message;
        return text.replaceAll("\\p{Cntrl}+", " ").trim();
    }

    static void print(final String kind, final Throwable throwable)
    {
        System.out.println("module: " + kind + ": " + oneLine(throwable));
        if (Boolean.getBoolean(DEBUG_PROPERTY))
        {
            throwable.printStackTrace(System.out);
        }
        System.out.flush();
    }

    @Override
    public void onError(final Throwable throwable)
    {
        if (throwable instanceof ClusterTerminationException &&
            ((ClusterTerminationException)throwable).isExpected())
        {
            return;
        }
        final boolean fatal = isFatal(throwable);
        synchronized (this)
        {
            if (closing && throwable instanceof AgentTerminationException)
            {
                return; // one that still waited for its service, for example
            }
            failed |= fatal;
            if (throwable instanceof ClusterTerminationException)
            {
                // It says nothing itself; the warnings before it do.
                System.out.println("module: error: ended by itself: " +
                    String.join("; ", warnings));
                System.out.flush();
            }
            else
            {
                printUnlessRepeated(isWarning(throwable) ? "warning" : "error", throwable);
            }
        }
        if (fatal)
        {
            onFatal.run();
        }
    }

    /** From now on it is no error that an agent ends. */
    synchronized void closing()
    {
        closing = true;
    }

    synchronized boolean failed()
    {
        return failed;
    }

    /** A condition that lasts is met thousands of times a second. */
    private void printUnlessRepeated(final String kind, final Throwable throwable)
    {
        final String line = kind + oneLine(throwable);
        final long nowMs = System.nanoTime() / 1_000_000;
        if (line.equals(lastLine) && nowMs - lastMs < REPEAT_MS)
        {
            return;
        }
        lastLine = line;
        lastMs = nowMs;
        if (isWarning(throwable))
        {
            if (warnings.size() == WARNINGS_KEPT)
            {
                warnings.remove();
            }
            warnings.add(oneLine(throwable));
        }
        print(kind, throwable);
    }

    private static boolean isWarning(final Throwable throwable)
    {
        return throwable instanceof AeronException &&
            ((AeronException)throwable).category() == AeronException.Category.WARN;
    }

    private static boolean isFatal(final Throwable throwable)
    {
        return throwable instanceof AgentTerminationException || throwable instanceof Error ||
            (throwable instanceof AeronException &&
            ((AeronException)throwable).category() == AeronException.Category.FATAL);
    }
}
