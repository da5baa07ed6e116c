import java.util.ArrayList;
import java.util.List;

import io.aeron.driver.MediaDriver;

/**
 * A participant on the official client of Aeron Cluster, unmodified: logs on as the administrator,
 * adds an instrument, trades with itself, cancels, then does so again after the venue was killed
 * and started anew.
 *
 * Prints `key: value` lines; `waiting: restart` is the moment to kill the venue. Exits with 1 and
 * `failed: why` when anything is not as it should be.
 */
public final class JavaClient
{
    private final String ingress;
    private final VenueSession session;
    private final List<String> events = new ArrayList<>();

    private JavaClient(final String ingress, final String principal, final String secret,
        final String aeronDirectory)
    {
        this.ingress = ingress;
        session = new VenueSession("0=" + ingress, principal, secret, aeronDirectory,
            (message, at, template) -> events.add(VenueSession.describe(message, at, template)));
    }

    private static void sent(final boolean sent)
    {
        VenueSession.require(sent, "the session ended");
    }

    private void awaitEvent(final String event)
    {
        VenueSession.require(
            session.awaitFor(() -> events.contains(event), VenueSession.TIMEOUT_MS),
            "no '" + event + "' among " + events);
    }

    /** Adds up to one fill, one rest cancelled. */
    private void trade(final int round, final int instrument)
    {
        final long buy = round * 10L + 1;
        final long sell = round * 10L + 2;
        sent(session.newOrder(buy, instrument, VenueSession.BUY, 10));
        awaitEvent("accepted " + buy + " open 10");
        sent(session.newOrder(sell, instrument, VenueSession.SELL, 4));
        awaitEvent("trade " + sell + " 4@100 open 0");
        awaitEvent("fill " + buy + " 4@100 open 6");
        sent(session.cancel(buy, instrument));
        awaitEvent("cancelled " + buy + " gave up 6");
        System.out.println("traded: " + round);
    }

    /** Comes back to a venue that was killed, by its NewLeaderEvent or by a new session. */
    private void comeBack(final long leadersBefore)
    {
        final long deadline = System.currentTimeMillis() + 2 * VenueSession.TIMEOUT_MS;
        boolean ready = session.awaitFor(() -> session.newLeaders > leadersBefore,
            VenueSession.TIMEOUT_MS) && session.logOn();
        if (ready)
        {
            System.out.println("came_back_by: new_leader");
            return;
        }
        while (!ready)
        {
            VenueSession.require(System.currentTimeMillis() < deadline,
                "the venue does not come back");
            ready = session.connect() && session.logOn();
        }
        System.out.println("came_back_by: connect");
    }

    private void run()
    {
        VenueSession.require(session.connect(), "no connection");
        System.out.println("connected: " + ingress);
        VenueSession.require(session.logOn(), "no answer to the logon");
        System.out.println("logged_on: " + VenueSession.SOURCE);
        sent(session.addInstrument(77));
        awaitEvent("confirmed command 6");
        trade(1, 77);
        sent(session.newOrder(19, 77, VenueSession.BUY, 5)); // rests through the restart
        awaitEvent("accepted 19 open 5");

        final long firstTerm = session.term;
        final long leadersBefore = session.newLeaders;
        System.out.println("term: " + firstTerm);
        System.out.println("waiting: restart");
        comeBack(leadersBefore);
        sent(session.cancel(19, 77));
        awaitEvent("cancelled 19 gave up 5");
        trade(2, 77);
        VenueSession.require(session.term > firstTerm,
            "the term is " + session.term + " after " + firstTerm);
        System.out.println("term: " + session.term);
        System.out.println("events: " + events.size());
        System.out.println("outputs: " + session.outboundSequence);
        System.out.println("repeated: " + session.repeated);
        System.out.println("challenges: " + session.challenges);
        System.out.println("connects: " + session.connects);
        System.out.println("new_leaders: " + session.newLeaders);
        session.close();
    }

    public static void main(final String[] args)
    {
        if (args.length < 2 || args.length > 3)
        {
            System.err.println("usage: JavaClient HOST:PORT PRINCIPAL [SECRET]");
            System.exit(2);
        }
        final String secret = args.length == 3 ? args[2] : "";
        int status = 0;
        try (MediaDriver driver = VenueSession.launchDriver())
        {
            new JavaClient(args[0], args[1], secret, driver.aeronDirectoryName()).run();
            System.out.println("result: ok");
        }
        catch (final RuntimeException ex)
        {
            System.out.println("failed: " + ex.getMessage());
            status = 1;
        }
        System.exit(status);
    }
}
