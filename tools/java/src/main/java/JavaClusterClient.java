import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import org.agrona.DirectBuffer;

import io.aeron.driver.MediaDriver;

/**
 * A participant on the official client of Aeron Cluster that trades with itself at a rate while the
 * cluster's members come and go. What was not answered when a leader was lost is sent again, under
 * its number of the source; in the end every order must have been answered, once.
 *
 * Prints {@code acknowledged: N} every second and {@code key: value} lines at the end. Exits with 1
 * and {@code failed: why} when an order was lost or doubled, or nothing goes on.
 */
public final class JavaClusterClient
{
    private static final int INSTRUMENT = 78;
    private static final int WINDOW = 64;
    private static final long SILENT_MS = 3_000; // then it is asked what was taken
    private static final long GONE_MS = 120_000;
    private static final int ACCEPTED = 1;
    private static final int REJECTED = 2;
    private static final int TRADE = 3;
    private static final int CONFIRMED = 10;

    /** An order that is sent and not yet answered; buys and sells of one lot in turn. */
    private static final class Order
    {
        private final long id;
        private final int side;
        private long sequence;

        private Order(final long id, final int side)
        {
            this.id = id;
            this.side = side;
        }
    }

    private final VenueSession session;
    private final long count;
    private final long intervalNs;
    private final long firstId = System.currentTimeMillis() << 20;
    private final Deque<Order> unanswered = new ArrayDeque<>();
    private final Map<Long, Integer> answers = new HashMap<>();
    private long made;
    private long trades;
    private long doubled;
    private long resent;
    private long recoveries;
    private long leadersSeen;
    private long gapMaxNs;
    private long lastAnswerNs;
    private long lastProgressMs;
    private long lastAnswers;
    private boolean instrumentThere;

    private JavaClusterClient(final String[] args, final String aeronDirectory)
    {
        count = Long.parseLong(args[2]);
        intervalNs = 1_000_000_000L / Long.parseLong(args[3]);
        session = new VenueSession(args[0], args[1], args.length > 4 ? args[4] : "",
            aeronDirectory, this::onOutput);
    }

    private void onOutput(final DirectBuffer message, final int at, final int template)
    {
        if (template == CONFIRMED || (template == REJECTED && !instrumentThere))
        {
            instrumentThere = true; // added, or there already
            return;
        }
        VenueSession.require(template != REJECTED,
            "an order was rejected: " + VenueSession.describe(message, at, template));
        if (template == ACCEPTED)
        {
            answered(VenueSession.number(message, at + 40));
        }
        else if (template == TRADE)
        {
            trades++;
        }
    }

    /** The venue answers in the order in which it was asked. */
    private void answered(final long id)
    {
        if (answers.merge(id, 1, Integer::sum) > 1)
        {
            doubled++;
            return;
        }
        final Order order = unanswered.poll();
        VenueSession.require(order != null && order.id == id,
            "order " + id + " is answered, " + (order == null ? "none" : order.id) + " was next");
        final long nowNs = System.nanoTime();
        if (lastAnswerNs != 0)
        {
            gapMaxNs = Math.max(gapMaxNs, nowNs - lastAnswerNs);
        }
        lastAnswerNs = nowNs;
    }

    private boolean send(final Order order)
    {
        final boolean sent = session.newOrder(order.id, INSTRUMENT, order.side, 1);
        order.sequence = session.sequence;
        return sent;
    }

    /** A session, whose logon brings the answers that were missed, and again what was not taken. */
    private void recover()
    {
        final long deadline = System.currentTimeMillis() + GONE_MS;
        recoveries++;
        while (!tryRecover())
        {
            VenueSession.require(System.currentTimeMillis() < deadline, "no leader comes back");
        }
        lastProgressMs = System.currentTimeMillis();
    }

    private boolean tryRecover()
    {
        if (session.isClosed() && !session.connect())
        {
            return false;
        }
        leadersSeen = session.newLeaders;
        if (!session.logOn())
        {
            session.close();
            return false;
        }
        final long taken = session.sequence;
        for (final Order order : unanswered.toArray(new Order[0]))
        {
            if (order.sequence > taken)
            {
                VenueSession.require(order.sequence == session.sequence + 1,
                    "the venue took " + taken + ", " + order.sequence + " is next to be sent");
                resent++;
                if (!send(order))
                {
                    return false;
                }
            }
        }
        return leadersSeen == session.newLeaders;
    }

    private boolean isSilent()
    {
        final long nowMs = System.currentTimeMillis();
        if (answers.size() != lastAnswers || (unanswered.isEmpty() && made < count))
        {
            lastAnswers = answers.size();
            lastProgressMs = nowMs;
        }
        return nowMs - lastProgressMs > SILENT_MS;
    }

    private void makeOrder()
    {
        final Order order = new Order(firstId + made,
            made % 2 == 0 ? VenueSession.BUY : VenueSession.SELL);
        made++;
        order.sequence = session.sequence + 1;
        unanswered.add(order);
        send(order);
    }

    private void run()
    {
        VenueSession.require(session.connect() && session.logOn(), "no connection");
        System.out.println("connected: " + session.leader());
        session.addInstrument(INSTRUMENT);
        VenueSession.require(session.awaitFor(() -> instrumentThere, VenueSession.TIMEOUT_MS),
            "no instrument");
        final long startNs = System.nanoTime();
        long toldNs = startNs;
        leadersSeen = session.newLeaders;
        while (answers.size() < count || trades < count / 2)
        {
            final long nowNs = System.nanoTime();
            if (session.isClosed() || session.newLeaders != leadersSeen || isSilent())
            {
                recover();
            }
            else if (made < count && unanswered.size() < WINDOW &&
                nowNs - startNs >= made * intervalNs)
            {
                makeOrder();
            }
            session.poll();
            if (nowNs - toldNs >= 1_000_000_000L)
            {
                System.out.println("acknowledged: " + answers.size());
                toldNs = nowNs;
            }
        }
        session.close();
        report();
    }

    private void report()
    {
        System.out.println("acknowledged: " + answers.size());
        System.out.println("trades: " + trades);
        System.out.println("lost: " + (made - answers.size()));
        System.out.println("doubled: " + doubled);
        System.out.println("resent: " + resent);
        System.out.println("recoveries: " + recoveries);
        System.out.println("new_leaders: " + session.newLeaders);
        System.out.println("connects: " + session.connects);
        System.out.println("repeated: " + session.repeated);
        System.out.println("gap_max_ms: " + gapMaxNs / 1_000_000);
        VenueSession.require(made == answers.size() && doubled == 0, "lost or doubled");
        VenueSession.require(trades == count / 2, "a trade is missing, or one is too many");
    }

    public static void main(final String[] args)
    {
        if (args.length < 4 || args.length > 5)
        {
            System.err.println(
                "usage: JavaClusterClient 0=HOST:PORT,... PRINCIPAL ORDERS RATE [SECRET]");
            System.exit(2);
        }
        int status = 0;
        try (MediaDriver driver = VenueSession.launchDriver())
        {
            new JavaClusterClient(args, driver.aeronDirectoryName()).run();
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
