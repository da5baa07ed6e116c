package outcry.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;

/**
 * Shared secrets in a file, as src/aeron/secret_file.h defines it: lines {@code name = secret}, a
 * name of 1 to 31 letters, digits or . _ - @, a secret of 16 to 256 characters; spaces around them
 * do not count; a line that begins with # is a comment. The file must be its owner's alone.
 *
 * Messages name the line, and never any part of a secret.
 */
final class SecretFile
{
    static final int SECRET_MIN = 16;
    static final int SECRET_MAX = 256;
    private static final int NAME_MAX = 31;
    private static final int LINE_MAX = 1022;
    private static final String BLANKS = " \t\r\n";

    private final Map<String, byte[]> secrets = new HashMap<>();

    /** The file cannot be used; the message says which, where and why. */
    static final class BadFile extends Exception
    {
        private static final long serialVersionUID = 1;

        BadFile(final String message)
        {
            super(message);
        }
    }

    /** Whether the bytes are a principal's name. */
    static boolean isName(final byte[] text)
    {
        if (text.length == 0 || text.length > NAME_MAX)
        {
            return false;
        }
        for (final byte c : text)
        {
            final boolean good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' || c == '@';
            if (!good)
            {
                return false;
            }
        }
        return true;
    }

    static SecretFile load(final Path path) throws BadFile
    {
        final SecretFile file = new SecretFile();
        // Opened first, then looked at, as the C reader does.
        try (InputStream stream = Files.newInputStream(path))
        {
            checkAccess(path);
            file.parse(path, new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1));
        }
        catch (final NoSuchFileException ex)
        {
            throw new BadFile(path + ": no such file");
        }
        catch (final IOException ex)
        {
            throw new BadFile(path + ": " + ex.getMessage());
        }
        return file;
    }

    /** The secret of a principal; null: it has none. */
    byte[] of(final String name)
    {
        return secrets.get(name);
    }

    private static void checkAccess(final Path path) throws IOException, BadFile
    {
        final PosixFileAttributes attributes =
            Files.readAttributes(path, PosixFileAttributes.class);
        if (!attributes.isRegularFile())
        {
            throw new BadFile(path + ": is not a file");
        }
        for (final PosixFilePermission permission : attributes.permissions())
        {
            if (!permission.name().startsWith("OWNER_"))
            {
                throw new BadFile(path + ": others than its owner can use it: chmod 600 " + path);
            }
        }
    }

    private void parse(final Path path, final String text) throws BadFile
    {
        final String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++)
        {
            final String where = path + ", line " + (i + 1) + ": ";
            if (lines[i].length() > LINE_MAX)
            {
                throw new BadFile(where + "longer than " + LINE_MAX + " bytes");
            }
            parseLine(where, trim(lines[i]));
        }
        if (secrets.isEmpty())
        {
            throw new BadFile(path + ": no line `name = secret` in it: nobody could log on");
        }
    }

    private void parseLine(final String where, final String line) throws BadFile
    {
        if (line.isEmpty() || line.charAt(0) == '#')
        {
            return;
        }
        final int equals = line.indexOf('=');
        if (equals < 0)
        {
            throw new BadFile(where + "expected `name = secret`");
        }
        final String name = trim(line.substring(0, equals));
        final String secret = trim(line.substring(equals + 1));
        if (!isName(name.getBytes(StandardCharsets.ISO_8859_1)))
        {
            throw new BadFile(
                where + "a name has 1 to " + NAME_MAX + " letters, digits or . _ - @");
        }
        if (secret.length() < SECRET_MIN || secret.length() > SECRET_MAX)
        {
            throw new BadFile(where + "the secret of " + name + " has " + secret.length() +
                " characters, it must have " + SECRET_MIN + " to " + SECRET_MAX);
        }
        if (secrets.putIfAbsent(name, secret.getBytes(StandardCharsets.ISO_8859_1)) != null)
        {
            throw new BadFile(where + name + " has a secret already");
        }
    }

    private static String trim(final String text)
    {
        int from = 0;
        int to = text.length();
        while (from < to && BLANKS.indexOf(text.charAt(from)) >= 0)
        {
            from++;
        }
        while (to > from && BLANKS.indexOf(text.charAt(to - 1)) >= 0)
        {
            to--;
        }
        return text.substring(from, to);
    }
}
