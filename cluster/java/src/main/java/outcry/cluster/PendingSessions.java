package outcry.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sessions between their request and the verdict. One that is given up by its client or by the
 * module is never heard of again, so that the oldest go when time has passed or there are too many.
 *
 * It is always the oldest that goes: who answers at once, as members do, has had his verdict long
 * before a flood of strangers comes round to him.
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

    /** The oldest first. */
    private final Map<Long, Session> sessions = new LinkedHashMap<>()
    {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Long, Session> eldest)
        {
            return size() > SESSIONS_MAX;
        }
    };
    private long sweptMs = Long.MIN_VALUE;

    void add(final long id, final byte[] name, final long nowMs)
    {
        if (sweptMs == Long.MIN_VALUE || nowMs - sweptMs > KEPT_MS / 4)
        {
            sessions.values().removeIf((session) -> nowMs - session.sinceMs > KEPT_MS);
            sweptMs = nowMs;
        }
        sessions.put(id, new Session(name, nowMs));
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
