package outcry.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.aeron.security.Authenticator;
import io.aeron.security.SessionProxy;

/**
 * Everybody proves that he knows a shared secret, as authenticator_secrets_create() of
 * src/gateway/authenticator.h: the credentials are the principal's name, the challenge is 32 random
 * bytes, the answer their HMAC-SHA-256 under the principal's secret. That of a member's name with a
 * key in it (src/cluster/member_key.h) is bound to the name: the HMAC-SHA-256 of the name under the
 * secret of {@code @member}.
 *
 * An unknown name is challenged like a known one, with the same work, so that the final verdict is
 * all that shows; answers are compared in constant time.
 */
final class SecretsAuthenticator implements Authenticator
{
    private static final int CHALLENGE_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String MEMBER = "@member";
    private static final int KEY_LETTERS = 22;
    private static final byte[] NOBODY = new byte[SecretFile.SECRET_MIN];

    private final SecretFile secrets;
    private final SecureRandom random = new SecureRandom();
    private final PendingSessions pending = new PendingSessions();

    SecretsAuthenticator(final SecretFile secrets)
    {
        this.secrets = secrets;
    }

    static byte[] answer(final byte[] secret, final byte[] challenge)
    {
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal(challenge);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(ALGORITHM + " is not to be had", ex);
        }
    }

    private byte[] secretOf(final String name)
    {
        final boolean keyed = name.startsWith(MEMBER + ".") &&
            name.length() == MEMBER.length() + 1 + KEY_LETTERS;
        final byte[] secret = secrets.of(keyed ? MEMBER : name);
        return keyed && secret != null ? answer(secret, name.getBytes(US_ASCII)) : secret;
    }

    @Override
    public void onConnectRequest(final long sessionId, final byte[] credentials, final long nowMs)
    {
        pending.add(sessionId, credentials, nowMs);
    }

    @Override
    public void onConnectedSession(final SessionProxy session, final long nowMs)
    {
        final PendingSessions.Session known = pending.get(session.sessionId());
        if (known == null || !SecretFile.isName(known.name))
        {
            pending.remove(session.sessionId());
            session.reject();
            return;
        }
        if (known.challenge == null)
        {
            known.challenge = new byte[CHALLENGE_BYTES];
            random.nextBytes(known.challenge);
        }
        session.challenge(known.challenge); // asked again when it could not be sent
    }

    @Override
    public void onChallengeResponse(final long sessionId, final byte[] credentials,
        final long nowMs)
    {
        final PendingSessions.Session known = pending.get(sessionId);
        if (known == null || known.challenge == null || known.answered)
        {
            return; // one answer counts
        }
        final byte[] secret = secretOf(new String(known.name, US_ASCII));
        final byte[] expected = answer(secret != null ? secret : NOBODY, known.challenge);
        known.right = MessageDigest.isEqual(expected, credentials) & secret != null;
        known.answered = true;
        Arrays.fill(expected, (byte)0);
    }

    @Override
    public void onChallengedSession(final SessionProxy session, final long nowMs)
    {
        final PendingSessions.Session known = pending.get(session.sessionId());
        if (known == null || (known.answered && !known.right))
        {
            session.reject();
        }
        else if (!known.answered || !session.authenticate(known.name))
        {
            return; // its answer is waited for, or ours could not be sent
        }
        pending.remove(session.sessionId());
    }
}
