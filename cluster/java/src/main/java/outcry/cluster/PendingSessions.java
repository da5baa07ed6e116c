package outcry.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * Sessions between their request and the verdict. One that is given up by its client or by the
 * module is never heard of again, so that the oldest go when time has passed or there are too many.
 */
final class PendingSessions
{
    /** Longer than any session timeout that leaves a challenge unanswered in earnest. */
    static final long KEPT_MS = 120_000;
    static final int SESSIONS_MAX = 10_000;

    static final class Session
    {
        final byte[] name;
        final long sinceMs;
        byte[] challenge; // null: none was sent
        boolean answered;
        boolean right;

        Session(final byte[] name, final long sinceMs)
        {
            this.name = name;
            this.sinceMs = sinceMs;
        }
    }

    private final Map<Long, Session> sessions = new HashMap<>();
    private long sweptMs = Long.MIN_VALUE;

    void add(final long id, final byte[] name, final long nowMs)
    {
        if (sweptMs == Long.MIN_VALUE || nowMs - sweptMs > KEPT_MS / 4 ||
            sessions.size() >= SESSIONS_MAX)
        {
            sessions.values().removeIf((session) -> nowMs - session.sinceMs > KEPT_MS);
            sweptMs = nowMs;
        }
        // Whoever finds no room is not known later, and thereby refused.
        if (sessions.size() < SESSIONS_MAX)
        {
            sessions.put(id, new Session(name, nowMs));
        }
    }

    /** Null: not known. */
    Session get(final long id)
    {
        return sessions.get(id);
    }

    void remove(final long id)
    {
        sessions.remove(id);
    }

    int count()
    {
        return sessions.size();
    }
}
