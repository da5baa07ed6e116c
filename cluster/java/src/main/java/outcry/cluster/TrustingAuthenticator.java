package outcry.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aeron.security.Authenticator;
import io.aeron.security.SessionProxy;

/**
 * Everybody is who he says, as authenticator_none() of src/gateway/authenticator.h: the credentials
 * are the principal's name, "anonymous" if empty; what is no name is refused.
 */
final class TrustingAuthenticator implements Authenticator
{
    private static final byte[] ANONYMOUS = "anonymous".getBytes(US_ASCII);

    private final PendingSessions pending = new PendingSessions();

    @Override
    public void onConnectRequest(final long sessionId, final byte[] credentials, final long nowMs)
    {
        pending.add(sessionId, credentials.length == 0 ? ANONYMOUS : credentials, nowMs);
    }

    @Override
    public void onChallengeResponse(final long sessionId, final byte[] credentials,
        final long nowMs)
    {
        pending.remove(sessionId); // nobody was challenged
    }

    @Override
    public void onConnectedSession(final SessionProxy session, final long nowMs)
    {
        final PendingSessions.Session known = pending.get(session.sessionId());
        if (known == null || !SecretFile.isName(known.name))
        {
            session.reject();
        }
        else if (!session.authenticate(known.name))
        {
            return; // the answer could not be sent: asked again
        }
        pending.remove(session.sessionId());
    }

    @Override
    public void onChallengedSession(final SessionProxy session, final long nowMs)
    {
        pending.remove(session.sessionId());
        session.reject();
    }
}
