package outcry.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.YieldingIdleStrategy;

import io.aeron.ErrorCode;
import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.client.ClusterEvent;
import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.RegistrationException;

/**
 * Which complaints end the process, how many are told, and that no agent ends unnoticed.
 *
 * Usage: ModuleErrorsTest EMPTY-DIRECTORY. Prints {@code result: ok}, or fails with what is wrong.
 */
final class ModuleErrorsTest
{
    private static final PrintStream OUT = System.out;
    private static final long WAIT_MS = 60_000;
    private static final ByteArrayOutputStream SAID = new ByteArrayOutputStream();
    private static volatile int ends;
    private static volatile int exhausted;

    private ModuleErrorsTest()
    {
    }

    private static void check(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new IllegalStateException(what + "; it said: " + said());
        }
    }

    private static String said()
    {
        return SAID.toString(UTF_8);
    }

    private static void await(final BooleanSupplier condition, final String what)
        throws InterruptedException
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            check((System.nanoTime() - start) / 1_000_000 < WAIT_MS, what);
            Thread.sleep(1);
        }
    }

    private static ModuleErrors errors()
    {
        return errors(null, 0);
    }

    private static ModuleErrors errors(final Path log, final long logBytesMax)
    {
        SAID.reset();
        ends = 0;
        exhausted = 0;
        return new ModuleErrors(() -> ends++, () -> exhausted++, log, logBytesMax);
    }

    private static <T extends Throwable> T thrownIn(final T throwable, final String className,
        final String method)
    {
        throwable.setStackTrace(new StackTraceElement[]{
            new StackTraceElement("io.aeron.Inner", "inner", "Inner.java", 1),
            new StackTraceElement(className, method, "Outer.java", 2)});
        return throwable;
    }

    private static RegistrationException refusal()
    {
        return new RegistrationException(1, 11, null, "address in use");
    }

    private static void whichAreFatal()
    {
        check(ModuleErrors.isFatal(new InternalError("a fault in mapped memory")), "an Error");
        check(ModuleErrors.isFatal(new AgentTerminationException()), "an agent's end");
        check(ModuleErrors.isFatal(new ClusterException("x", AeronException.Category.FATAL)), "it");
        check(!ModuleErrors.isFatal(new ClusterException("x")), "an error");
        check(!ModuleErrors.isFatal(new IllegalStateException("x")), "an exception");
        check(ModuleErrors.isFatal(thrownIn(new ArchiveException("java.io.IOException - full"),
            "io.aeron.archive.RecordingWriter", "onBlock")), "the end of a recording");
        check(ModuleErrors.isFatal(new ClusterException(thrownIn(new IOException("full"),
            "io.aeron.archive.RecordingSession", "init"))), "the cause of one");
        check(ModuleErrors.isFatal(thrownIn(refusal(), "io.aeron.cluster.ConsensusModuleAgent",
            "connectIngress")), "no ingress");
        check(!ModuleErrors.isFatal(thrownIn(refusal(), "io.aeron.cluster.ClusterSession",
            "connect")), "a client's channel");
        final String election = "io.aeron.cluster.Election";
        check(ModuleErrors.isFatal(thrownIn(refusal(), election, "addLiveLogDestination")),
            "no port for the log");
        check(!ModuleErrors.isFatal(thrownIn(new RegistrationException(1, 10,
            ErrorCode.RESOURCE_TEMPORARILY_UNAVAILABLE, "please retry"), election,
            "addLiveLogDestination")), "a port that the driver still closes");
    }

    private static OutOfMemoryError refused(final int length)
    {
        try
        {
            check(new byte[length].length == 0, "there is no memory for that");
            throw new IllegalStateException();
        }
        catch (final OutOfMemoryError ex)
        {
            return ex;
        }
    }

    private static void lengthsOfStrangers()
    {
        check(!ModuleErrors.isFatal(refused(Integer.MAX_VALUE)), "more than any array");
        check(!ModuleErrors.isFatal(refused(Integer.MAX_VALUE - 8)), "more than there is");
        check(ModuleErrors.isFatal(new OutOfMemoryError("Metaspace")), "no room for classes");
        check(ModuleErrors.isFatal(new OutOfMemoryError()), "who knows");
        final byte[] held = new byte[(int)(Runtime.getRuntime().maxMemory() / 8 * 5)];
        check(ModuleErrors.isFatal(refused(Integer.MAX_VALUE - 8)), "memory is used up");
        check(held.length > 0, "held until here");
        final ModuleErrors errors = errors();
        errors.onError(new OutOfMemoryError("Metaspace"));
        check(exhausted == 1 && said().equals("module: fatal: OutOfMemoryError: Metaspace\n"), "it");
    }

    private static void whatIsSaid()
    {
        ModuleErrors errors = errors();
        errors.onError(new ClusterEvent("the first"));
        errors.onError(new ClusterException("the second"));
        check(ends == 0 && !errors.failed(), "those end nothing");
        errors.onError(new ClusterTerminationException(false));
        check(errors.failed() && ends == 1, "that does");
        check(said().endsWith("module: fatal: ended by itself: the first; the second\n"), "why");
        errors.onError(new InternalError("later"));
        check(!said().contains("later"), "the first is the cause");

        errors = errors();
        errors.onError(new ClusterTerminationException(true));
        errors.ended("consensus-module");
        check(!errors.failed() && ends == 1 && said().isEmpty(), "an end in order");

        errors = errors();
        errors.onError(new ClusterException("one\ntwo [aeron_bind, aeron_socket.c:93] three"));
        check(said().equals("module: error: one two: three\n"), "one line");
    }

    private static void agentsThatEnd() throws InterruptedException
    {
        final ModuleErrors silent = errors();
        silent.ended("archive-conductor");
        check(silent.failed() && ends == 1, "nobody asked for that");
        check(said().startsWith("module: fatal: the archive-conductor has ended"), "it is told");

        final ModuleErrors closing = errors();
        closing.closing();
        closing.ended("archive-conductor");
        check(!closing.failed() && said().isEmpty(), "it was asked for");

        final ModuleErrors watching = errors();
        watching.watched(() -> { throw new InternalError("a fault"); }).start();
        await(watching::failed, "a thread of Aeron's own");
        final ModuleErrors returning = errors();
        returning.watched(() -> { }).start();
        await(returning::failed, "one that ends silently");
    }

    /** Does what it is told, once each. */
    private static final class Scripted implements Agent
    {
        private final Error error;
        private volatile int works;

        private Scripted(final Error error)
        {
            this.error = error;
        }

        @Override
        public int doWork()
        {
            if (works++ == 0)
            {
                throw error;
            }
            return 0;
        }

        @Override
        public String roleName()
        {
            return "scripted";
        }
    }

    private static AgentThread start(final ModuleErrors errors, final Scripted agent)
    {
        final AgentInvoker invoker = new AgentInvoker(errors, null, agent);
        return new AgentThread("scripted", () ->
        {
            invoker.start();
            return new AgentThread.Agent(invoker, invoker);
        }, YieldingIdleStrategy.INSTANCE, errors);
    }

    private static void agentsThatThrow() throws InterruptedException
    {
        final Scripted alive = new Scripted(refused(Integer.MAX_VALUE));
        final ModuleErrors errors = errors();
        final AgentThread goesOn = start(errors, alive);
        await(() -> alive.works > 10, "it goes on");
        errors.closing();
        goesOn.end();
        check(!errors.failed(), "and ends when it is asked to");

        final Scripted dead = new Scripted(new InternalError("a fault"));
        final ModuleErrors failing = errors();
        final AgentThread ended = start(failing, dead);
        await(failing::failed, "an Error");
        await(() -> ends > 0, "it ends the process");
        ended.end();
        check(dead.works == 1, "it has not gone on");

        final ModuleErrors launching = errors();
        final AgentThread none = new AgentThread("none",
            () -> { throw new IllegalStateException("no port"); },
            YieldingIdleStrategy.INSTANCE, launching);
        none.awaitLaunch();
        none.end();
        check(launching.failed() && said().contains("no port"), "a launch that fails");
    }

    private static int linesWith(final String text)
    {
        return (int)said().lines().filter((line) -> line.contains(text)).count();
    }

    private static void manyOfAKind()
    {
        final ModuleErrors errors = errors();
        for (int i = 0; i < 1_000; i++)
        {
            errors.complain(thrownIn(new ClusterException("channel " + i), "A", "a"), i);
        }
        check(linesWith("channel") == ModuleErrors.BURST, "a few");
        errors.complain(new IllegalStateException("another"), 1_000);
        check(linesWith("another") == 1, "of another kind");
        errors.complain(thrownIn(new ClusterException("channel x"), "A", "a"),
            1_000 + ModuleErrors.REFILL_MS);
        check(linesWith("channel x (and 995 more like it)") == 1, "one now and then");
        for (int i = 0; i < 1_000; i++)
        {
            final ClusterException kind = new ClusterException("kind " + i);
            kind.setStackTrace(new StackTraceElement[]{ new StackTraceElement("K" + i, "k", "", 1)});
            errors.complain(kind, 20_000);
        }
        check(linesWith("kind") < ModuleErrors.KINDS_MAX + ModuleErrors.BURST, "kinds are bounded");
    }

    private static void theFileIsBegunAnew(final Path directory) throws IOException
    {
        final Path log = directory.resolve("module.log");
        Files.writeString(log, "x".repeat(100));
        final ModuleErrors errors = errors(log, 100);
        errors.complain(new IllegalStateException("now"), 0);
        check(Files.size(log) == 0, "it is empty");
        check(Files.size(directory.resolve("module.log.old")) == 100, "and was kept");
        Files.delete(log);
        errors.complain(new IllegalStateException("then"), 0);
        check(linesWith("then") == 1, "said without a file as well");
    }

    private static void standardError() throws IOException
    {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        final long[] nowMs = {0};
        final LimitedOutput limited = new LimitedOutput(taken, 310, 10, () -> nowMs[0]);
        for (int i = 0; i < 100; i++)
        {
            limited.write(new byte[100], 0, 100);
        }
        check(taken.size() == 300, "three of them");
        limited.write(new byte[10], 0, 10);
        limited.write(1);
        check(taken.size() == 300, "and nothing that would fit, but for what came before it");
        nowMs[0] = 1_000;
        limited.write(new byte[10], 0, 10);
        check(taken.size() == 310, "of 20, which are a sixteenth");
        limited.write(new byte[11], 0, 11);
        limited.write(new byte[10], 0, 10);
        nowMs[0] = 1_999;
        limited.write(1);
        check(taken.size() == 310, "10 are too few again, and less than a second is none");
        nowMs[0] = 2_500;
        limited.write(1);
        check(taken.size() == 311, "a whole one is");
    }

    public static void main(final String[] args) throws Exception
    {
        System.setOut(new PrintStream(SAID, true, UTF_8));
        whichAreFatal();
        lengthsOfStrangers();
        whatIsSaid();
        agentsThatEnd();
        agentsThatThrow();
        manyOfAKind();
        theFileIsBegunAnew(Path.of(args[0]));
        standardError();
        OUT.println("result: ok");
    }
}
