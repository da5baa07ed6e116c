package outcry.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.IdleStrategy;

/**
 * Archive or consensus module on a thread of ours, which nothing ends unnoticed: Aeron's own runner
 * ends its thread at any {@link Error}, and one message of a stranger is enough for that, see
 * {@link ModuleErrors#isOversized}.
 *
 * An agent is launched, stepped and closed by its own thread alone.
 */
final class AgentThread
{
    /** Interrupted when it has not ended by then; what started this process waits a little longer. */
    private static final long END_MS = 3_000;

    /** What a launch gives. */
    static final class Agent
    {
        private final AutoCloseable component;
        private final AgentInvoker invoker;

        /** Without an invoker it has threads of its own: {@link ModuleErrors#watched}. */
        Agent(final AutoCloseable component, final AgentInvoker invoker)
        {
            this.component = component;
            this.invoker = invoker;
        }
    }

    private final String name;
    private final Supplier<Agent> launch;
    private final IdleStrategy idle;
    private final ModuleErrors errors;
    private final Thread thread;
    private final CountDownLatch launched = new CountDownLatch(1);
    private final CountDownLatch ending = new CountDownLatch(1);

    AgentThread(final String name, final Supplier<Agent> launch, final IdleStrategy idle,
        final ModuleErrors errors)
    {
        this.name = name;
        this.launch = launch;
        this.idle = idle;
        this.errors = errors;
        thread = new Thread(this::run, name);
        thread.start();
    }

    private boolean isEnding()
    {
        return ending.getCount() == 0;
    }

    /** True if an agent goes on after it. */
    private boolean passesOver(final Throwable throwable)
    {
        if (ModuleErrors.isOversized(throwable))
        {
            return true; // the handler has told of it
        }
        errors.fatal(throwable);
        return false;
    }

    private void step(final AgentInvoker invoker)
    {
        boolean goesOn = true;
        while (goesOn && invoker.isRunning() && !isEnding())
        {
            try
            {
                idle.idle(invoker.invoke());
            }
            catch (final Throwable ex)
            {
                goesOn = passesOver(ex);
            }
        }
    }

    private void run()
    {
        try
        {
            final Agent agent = launch.get();
            launched.countDown();
            if (agent.invoker != null)
            {
                step(agent.invoker);
            }
            else
            {
                ending.await();
            }
            errors.ended(name);
            agent.component.close();
        }
        catch (final Throwable ex)
        {
            errors.fatal(ex);
        }
        launched.countDown();
    }

    /** Returns when it was launched, or when that has failed. */
    void awaitLaunch() throws InterruptedException
    {
        launched.await();
    }

    /** Waits for its end. One that still waits for its service does not listen otherwise. */
    void end() throws InterruptedException
    {
        ending.countDown();
        if (launched.getCount() > 0)
        {
            thread.interrupt();
        }
        thread.join(END_MS);
        if (thread.isAlive())
        {
            thread.interrupt();
            thread.join();
        }
    }
}
