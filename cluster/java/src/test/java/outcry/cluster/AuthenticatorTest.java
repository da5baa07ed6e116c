package outcry.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;

import io.aeron.security.Authenticator;
import io.aeron.security.SessionProxy;

/**
 * The authenticators and the reader of secrets against what their C twins are tested with
 * (test/unit/aeron/test_challenge.c, test_secret_file.c, test/unit/gateway/test_authenticator.c).
 *
 * Usage: AuthenticatorTest EMPTY-DIRECTORY. Prints {@code result: ok}, or fails with what is wrong.
 */
final class AuthenticatorTest
{
    private static final String SECRET = "a secret of sixteen and more";
    private static int checks;

    private AuthenticatorTest()
    {
    }

    /** What the module would do with a session. */
    private static final class Session implements SessionProxy
    {
        private final long id;
        private byte[] challenge;
        private String principal;
        private boolean rejected;
        private boolean reachable = true;

        private Session(final long id)
        {
            this.id = id;
        }

        @Override
        public long sessionId()
        {
            return id;
        }

        @Override
        public boolean challenge(final byte[] encodedChallenge)
        {
            challenge = reachable ? encodedChallenge.clone() : null;
            return reachable;
        }

        @Override
        public boolean authenticate(final byte[] encodedPrincipal)
        {
            principal = reachable ? new String(encodedPrincipal, US_ASCII) : null;
            return reachable;
        }

        @Override
        public void reject()
        {
            rejected = true;
        }
    }

    private static void check(final boolean condition, final String what)
    {
        checks++;
        if (!condition)
        {
            throw new IllegalStateException(what);
        }
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(US_ASCII);
    }

    private static Session connect(final Authenticator authenticator, final long id,
        final String name)
    {
        final Session session = new Session(id);
        authenticator.onConnectRequest(id, bytes(name), 1_000);
        authenticator.onConnectedSession(session, 1_000);
        return session;
    }

    // ---- The answer, as RFC 4231 and the C test have it

    private static void answer(final String secret, final String challenge, final String expected)
    {
        final byte[] answer = SecretsAuthenticator.answer(bytes(secret), bytes(challenge));
        check(HexFormat.of().formatHex(answer).equals(expected), "the answer to " + challenge);
    }

    private static void answers()
    {
        answer("Jefe", "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        answer("\u000b".repeat(20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    }

    // ---- Everybody is believed

    private static void trusting()
    {
        final Authenticator authenticator = new TrustingAuthenticator();
        check("trader".equals(connect(authenticator, 1, "trader").principal), "a name");
        check("anonymous".equals(connect(authenticator, 2, "").principal), "no name");
        check("@member".equals(connect(authenticator, 3, "@member").principal), "a member");
        check("x".repeat(31).equals(connect(authenticator, 4, "x".repeat(31)).principal), "31");
        check(connect(authenticator, 5, "x".repeat(32)).rejected, "a name of 32 signs");
        check(connect(authenticator, 6, "a b").rejected, "a blank in a name");
        check(connect(authenticator, 7, "a\0").rejected, "a NUL in a name");

        final Session unknown = new Session(8);
        authenticator.onConnectedSession(unknown, 1_000);
        check(unknown.rejected, "a session that never asked");
        final Session challenged = new Session(9);
        authenticator.onChallengedSession(challenged, 1_000);
        check(challenged.rejected, "nobody is challenged");
    }

    // ---- Everybody proves it

    private static Session respond(final Authenticator authenticator, final Session session,
        final byte[] response)
    {
        authenticator.onChallengeResponse(session.id, response, 1_001);
        authenticator.onChallengedSession(session, 1_001);
        return session;
    }

    private static byte[] rightAnswer(final Session session)
    {
        return SecretsAuthenticator.answer(bytes(SECRET), session.challenge);
    }

    private static void secrets(final SecretFile file)
    {
        final Authenticator authenticator = new SecretsAuthenticator(file);
        final Session right = connect(authenticator, 1, "trader");
        check(right.challenge.length == 32 && right.principal == null, "the challenge");
        authenticator.onChallengedSession(right, 1_000);
        check(!right.rejected && right.principal == null, "waits for the answer");
        check("trader".equals(respond(authenticator, right, rightAnswer(right)).principal),
            "the right answer");

        final Session other = connect(authenticator, 2, "trader");
        check(!Arrays.equals(right.challenge, other.challenge), "no challenge twice");
        check(respond(authenticator, other, rightAnswer(right)).rejected, "an old answer");

        final Session brief = connect(authenticator, 3, "trader");
        check(respond(authenticator, brief, Arrays.copyOf(rightAnswer(brief), 31)).rejected,
            "an answer that is too short");
        final Session empty = connect(authenticator, 4, "trader");
        check(respond(authenticator, empty, new byte[0]).rejected, "an empty answer");
        final Session another = connect(authenticator, 5, "@member");
        check(respond(authenticator, another, rightAnswer(another)).rejected,
            "the secret of another");

        // A name without a secret is challenged as well, and never right.
        final Session nobody = connect(authenticator, 6, "nobody");
        check(nobody.challenge != null && !nobody.rejected, "an unknown name is challenged");
        check(respond(authenticator, nobody,
            SecretsAuthenticator.answer(new byte[16], nobody.challenge)).rejected,
            "an unknown name");
        check(connect(authenticator, 7, "").rejected, "no name");

        // A wrong answer is the last one.
        final Session second = connect(authenticator, 8, "trader");
        authenticator.onChallengeResponse(8, new byte[32], 1_001);
        check(respond(authenticator, second, rightAnswer(second)).rejected, "a second answer");
    }

    /** The members' secret proves one key, and no other. */
    private static void keys(final SecretFile file)
    {
        final String name = "@member." + "k".repeat(22);
        final byte[] secret = bytes("m".repeat(16));
        final byte[] bound = SecretsAuthenticator.answer(secret, bytes(name));
        final Authenticator authenticator = new SecretsAuthenticator(file);
        final Session right = connect(authenticator, 1, name);
        check(name.equals(respond(authenticator, right,
            SecretsAuthenticator.answer(bound, right.challenge)).principal), "a member's key");
        final Session other = connect(authenticator, 2, "@member." + "l".repeat(22));
        check(respond(authenticator, other,
            SecretsAuthenticator.answer(bound, other.challenge)).rejected, "another key");
        final Session plain = connect(authenticator, 3, name);
        check(respond(authenticator, plain,
            SecretsAuthenticator.answer(secret, plain.challenge)).rejected, "the bare secret");
        final Session brief = connect(authenticator, 4, "@member." + "k".repeat(21));
        check(respond(authenticator, brief,
            SecretsAuthenticator.answer(bound, brief.challenge)).rejected, "no name of a key");
    }

    /** What cannot be sent at once is sent later, with the same challenge. */
    private static void backPressure(final SecretFile file)
    {
        final Authenticator authenticator = new SecretsAuthenticator(file);
        final Session session = new Session(1);
        session.reachable = false;
        authenticator.onConnectRequest(1, bytes("trader"), 1_000);
        authenticator.onConnectedSession(session, 1_000);
        check(session.challenge == null && !session.rejected, "not yet challenged");
        session.reachable = true;
        authenticator.onConnectedSession(session, 1_001);
        final byte[] response = rightAnswer(session);
        session.reachable = false;
        check(respond(authenticator, session, response).principal == null, "not yet told");
        session.reachable = true;
        authenticator.onChallengedSession(session, 1_002);
        check("trader".equals(session.principal), "told later");
    }

    /** Requests that are given up must keep nobody out who answers, a member least of all. */
    private static void aFloodKeepsNobodyOut(final SecretFile file)
    {
        final Authenticator authenticator = new SecretsAuthenticator(file);
        for (int i = 0; i < 2 * PendingSessions.SESSIONS_MAX; i++)
        {
            authenticator.onConnectRequest(1_000 + i, bytes("@member"), 1_000);
        }
        final Session session = new Session(1);
        authenticator.onConnectRequest(1, bytes("trader"), 1_000);
        authenticator.onConnectedSession(session, 1_000);
        check(!session.rejected && session.challenge != null, "challenged like any other");
        for (int i = 0; i < PendingSessions.SESSIONS_MAX / 2; i++)
        {
            authenticator.onConnectRequest(100_000 + i, bytes("@member"), 1_000);
        }
        respond(authenticator, session, rightAnswer(session));
        check("trader".equals(session.principal), "let in");
    }

    private static void pendingIsBounded()
    {
        final PendingSessions pending = new PendingSessions();
        for (int i = 0; i < 2 * PendingSessions.SESSIONS_MAX; i++)
        {
            pending.add(i, bytes("x"), 1_000);
        }
        check(pending.count() == PendingSessions.SESSIONS_MAX, "too many sessions");
        check(pending.get(2 * PendingSessions.SESSIONS_MAX - 1) != null, "the newest is known");
        check(pending.get(PendingSessions.SESSIONS_MAX - 1) == null, "the oldest is not");
        pending.add(-1, bytes("x"), 1_001 + PendingSessions.KEPT_MS);
        check(pending.count() == 1 && pending.get(-1) != null, "old ones go");
    }

    // ---- The file

    private static SecretFile load(final Path directory, final String text) throws Exception
    {
        final Path path = directory.resolve("secrets");
        Files.writeString(path, text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        return SecretFile.load(path);
    }

    private static void bad(final Path directory, final String text, final String message)
        throws Exception
    {
        try
        {
            load(directory, text);
        }
        catch (final SecretFile.BadFile ex)
        {
            check(ex.getMessage().contains(message), message + " is not in: " + ex.getMessage());
            check(!ex.getMessage().contains("sesame"), "a secret in a message");
            return;
        }
        check(false, "loaded, but " + message);
    }

    private static void file(final Path directory) throws Exception
    {
        final String line = "trader = " + SECRET + "\n";
        final SecretFile good = load(directory,
            "# names\n\n \t" + line + "@member\t=\t  " + "m".repeat(16) + " \r\n  # end");
        check(Arrays.equals(good.of("trader"), bytes(SECRET)), "a secret with blanks in it");
        check(Arrays.equals(good.of("@member"), bytes("m".repeat(16))), "one of 16 signs");
        check(good.of("nobody") == null, "an unknown name");
        check(load(directory, "x=" + "=".repeat(256)).of("x").length == 256, "256 signs");

        bad(directory, line + "open sesame\n", "line 2: expected `name = secret`");
        bad(directory, "a b = sesame, please open\n", "line 1: a name has 1 to 31");
        bad(directory, "x".repeat(32) + " = sesame, please open\n", "line 1: a name has 1 to 31");
        bad(directory, " = sesame, please open\n", "line 1: a name has 1 to 31");
        bad(directory, "x = sesame\n", "the secret of x has 6 characters");
        bad(directory, "x = sesame" + "e".repeat(251), "has 257 characters");
        bad(directory, line + line, "line 2: trader has a secret already");
        bad(directory, "# nothing\n", "nobody could log on");
        bad(directory, "#" + "x".repeat(1022) + "\n", "line 1: longer than 1022 bytes");

        final Path path = directory.resolve("secrets");
        Files.writeString(path, line);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
        unreadable(path, "chmod 600");
        unreadable(directory, "is not a file");
        unreadable(directory.resolve("none"), "no such file");
        secrets(load(directory, line + "@member = " + "m".repeat(16)));
        keys(load(directory, line + "@member = " + "m".repeat(16)));
        backPressure(load(directory, line));
        aFloodKeepsNobodyOut(load(directory, line));
    }

    private static void unreadable(final Path path, final String message)
    {
        try
        {
            SecretFile.load(path);
        }
        catch (final SecretFile.BadFile ex)
        {
            check(ex.getMessage().contains(message), message + " is not in: " + ex.getMessage());
            return;
        }
        check(false, "loaded, but " + message);
    }

    public static void main(final String[] args) throws Exception
    {
        answers();
        trusting();
        pendingIsBounded();
        file(Path.of(args[0]));
        System.out.println("checks: " + checks);
        System.out.println("result: ok");
    }
}
