package outcry.cluster;

import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.ShutdownSignalBarrier;
import org.agrona.concurrent.YieldingIdleStrategy;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.cluster.ConsensusModule;
import io.aeron.security.AuthenticatorSupplier;

/**
 * A member's archive and consensus module: the official ones, in a process that the member's C
 * program starts (src/cluster/module_process.h), on its media driver, for its service.
 *
 * Usage: Module FILE, see {@link ModuleProperties}. Lines on standard output:
 * {@code module: ready};
 * {@code module: terminated} when the cluster was shut down or a signal asked for the end;
 * {@code module: warning: ...}, {@code module: error: ...}, and {@code module: fatal: ...}, which is
 * why it ends. Exit status 0 after an orderly end, 1 after a failure, 2 when the properties are no
 * good, 3 when another module has the directory.
 *
 * Standard input is a pipe that the parent holds and never writes: its end means that the parent
 * is dead, and nothing is worth being closed then.
 */
public final class Module
{
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;
    private static final int LOCKED = 3;

    /** A driver takes a dead client's counters away after 10 s, unless told otherwise. */
    private static final long PREDECESSOR_MS = 20_000;
    private static final long RETRY_MS = 250;
    /** What has failed may hang when it is closed. */
    private static final long FAILED_END_MS = 3_000;
    private static final long LOG_BYTES_MAX = 16L << 20;
    private static final int STDERR_BYTES_MAX = 64 * 1024;
    private static final int STDERR_BYTES_PER_SECOND = 64;
    private static final List<String> PREDECESSOR = List.of(
        "active Mark file detected", "existing consensus module detected",
        "found existing archive");

    /** Referred to, so that the collector does not close its channel. */
    private static FileLock lock;

    private final ModuleProperties properties;
    private final ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
    private final ModuleErrors errors;
    private final Supplier<IdleStrategy> idle;
    private final AuthenticatorSupplier authenticator;

    private Module(final ModuleProperties properties)
        throws ModuleProperties.BadProperties, SecretFile.BadFile
    {
        this.properties = properties;
        properties.toSystem();
        final String log = properties.text("log.file", "");
        errors = new ModuleErrors(barrier::signal, () -> Runtime.getRuntime().halt(FAILED),
            log.isEmpty() ? null : Path.of(log), LOG_BYTES_MAX);
        Thread.setDefaultUncaughtExceptionHandler((thread, ex) -> errors.fatal(ex));
        idle = idle();
        authenticator = authenticator();
    }

    // ---- What the contexts are made of

    /** Parks up to a millisecond unless told otherwise: these two agents may share few cores. */
    private Supplier<IdleStrategy> idle() throws ModuleProperties.BadProperties
    {
        switch (properties.choice("idle", List.of("backoff", "yield", "spin")))
        {
            case "yield":
                return YieldingIdleStrategy::new;
            case "spin":
                return BusySpinIdleStrategy::new;
            default:
                return () -> new BackoffIdleStrategy(10, 20, 1_000, 1_000_000);
        }
    }

    private AuthenticatorSupplier authenticator()
        throws ModuleProperties.BadProperties, SecretFile.BadFile
    {
        if ("none".equals(properties.choice("authentication", List.of("none", "secrets"))))
        {
            return TrustingAuthenticator::new;
        }
        final SecretFile secrets = SecretFile.load(Path.of(properties.text("secrets.file")));
        return () -> new SecretsAuthenticator(secrets);
    }

    private AgentThread.Agent launchArchive()
    {
        final Archive.Context context = new Archive.Context()
            .errorHandler(errors)
            .threadFactory(errors::watched);
        if (System.getProperty("aeron.archive.threading.mode") == null)
        {
            context.threadingMode(ArchiveThreadingMode.INVOKER);
        }
        if (System.getProperty("aeron.archive.idle.strategy") == null)
        {
            context.idleStrategySupplier(idle);
        }
        final Archive archive = Archive.launch(context);
        return new AgentThread.Agent(archive, archive.invoker());
    }

    private AgentThread.Agent launchModule()
    {
        final ConsensusModule.Context context = new ConsensusModule.Context()
            .errorHandler(errors)
            .shutdownSignalBarrier(barrier)
            .terminationHook(Module::leaveItToTheThread)
            .useAgentInvoker(true);
        if (System.getProperty("aeron.cluster.authenticator.supplier") == null)
        {
            context.authenticatorSupplier(authenticator);
        }
        if (System.getProperty("aeron.cluster.idle.strategy") == null)
        {
            context.idleStrategySupplier(idle);
        }
        final ConsensusModule module = ConsensusModule.launch(context);
        return new AgentThread.Agent(module, module.conductorAgentInvoker());
    }

    /** The hook comes before the reason: an end that began now would not know it. */
    private static void leaveItToTheThread()
    {
    }

    // ---- Its life

    private static boolean isPredecessor(final Throwable throwable)
    {
        return PREDECESSOR.stream().anyMatch(ModuleErrors.oneLine(throwable)::contains);
    }

    /** What a predecessor leaves is taken for alive for some seconds; our lock says it is dead. */
    private static <T> T afterPredecessor(final Supplier<T> launch)
    {
        final long deadline = System.nanoTime() + PREDECESSOR_MS * 1_000_000;
        boolean told = false;
        while (true)
        {
            try
            {
                return launch.get();
            }
            catch (final RuntimeException ex)
            {
                if (!isPredecessor(ex) || System.nanoTime() - deadline >= 0 ||
                    Thread.currentThread().isInterrupted())
                {
                    throw ex;
                }
                if (!told)
                {
                    ModuleErrors.print("warning: waiting for a dead predecessor", ex);
                    told = true;
                }
            }
            LockSupport.parkNanos(RETRY_MS * 1_000_000);
        }
    }

    private int run() throws InterruptedException
    {
        final AgentThread archive = start("archive-conductor", this::launchArchive);
        archive.awaitLaunch();
        AgentThread module = null;
        if (!errors.failed())
        {
            module = start("consensus-module", this::launchModule);
            System.out.println("module: ready");
            System.out.flush();
            barrier.await();
        }
        if (errors.failed())
        {
            haltAfter(FAILED_END_MS);
        }
        errors.closing();
        // The module records into the archive: it ends first.
        if (module != null)
        {
            module.end();
        }
        archive.end();
        if (errors.failed())
        {
            return FAILED;
        }
        System.out.println("module: terminated");
        return 0;
    }

    private AgentThread start(final String name, final Supplier<AgentThread.Agent> launch)
    {
        return new AgentThread(name, () -> afterPredecessor(launch), idle.get(), errors);
    }

    private static void haltAfter(final long ms)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                Thread.sleep(ms);
            }
            catch (final InterruptedException ex)
            {
                // then at once
            }
            Runtime.getRuntime().halt(FAILED);
        }, "end-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void haltWithParent()
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                while (System.in.read() >= 0)
                {
                    Thread.onSpinWait();
                }
            }
            catch (final IOException ex)
            {
                // as good as the end
            }
            Runtime.getRuntime().halt(FAILED);
        }, "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** False when another process has it. Else it is held until this one ends, however it does. */
    private static boolean lock(final String file) throws IOException
    {
        lock = FileChannel.open(
            Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE).tryLock();
        return lock != null;
    }

    private static int lockAndRun(final String file) throws Exception
    {
        final ModuleProperties properties = new ModuleProperties(file);
        final String lockFile = properties.text("lock.file");
        if (!lock(lockFile))
        {
            System.out.println("module: error: another module runs here: it holds " + lockFile);
            return LOCKED;
        }
        return new Module(properties).run();
    }

    public static void main(final String[] args)
    {
        if (args.length != 1)
        {
            System.out.println("module: error: usage: Module FILE.properties");
            System.exit(BAD_USAGE);
        }
        haltWithParent();
        System.setErr(new PrintStream(new LimitedOutput(new FileOutputStream(FileDescriptor.err),
            STDERR_BYTES_MAX, STDERR_BYTES_PER_SECOND, () -> System.nanoTime() / 1_000_000)));
        int status;
        try
        {
            status = lockAndRun(args[0]);
        }
        catch (final ModuleProperties.BadProperties | SecretFile.BadFile ex)
        {
            System.out.println("module: error: " + ex.getMessage());
            status = BAD_USAGE;
        }
        catch (final Throwable ex)
        {
            ModuleErrors.print("error", ex);
            status = FAILED;
        }
        System.out.flush();
        // Not exit(): after a signal, that would be the signal's status on a newer Agrona.
        Runtime.getRuntime().halt(status);
    }
}
