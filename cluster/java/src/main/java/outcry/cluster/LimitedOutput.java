package outcry.cluster;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;

/**
 * A stream that takes so many bytes at once; then nothing until so many seconds have passed that a
 * sixteenth of that may be written again; what is more is lost. For standard error: once Aeron's
 * own logs of errors are full, of a few hundred strangers' bad channels, it writes a stack trace
 * there for each further one. Without the pauses it would be short lines that pass all the time,
 * torn from their traces.
 */
final class LimitedOutput extends FilterOutputStream
{
    private static final int REOPENS_AT = 16;

    private final int bytesMax;
    private final int bytesPerSecond;
    private final LongSupplier clockMs;
    private long left;
    private long sinceMs;
    private boolean shut; // since something did not fit

    LimitedOutput(final OutputStream out, final int bytesMax, final int bytesPerSecond,
        final LongSupplier clockMs)
    {
        super(out);
        this.bytesMax = bytesMax;
        this.bytesPerSecond = bytesPerSecond;
        this.clockMs = clockMs;
        left = bytesMax;
        sinceMs = clockMs.getAsLong();
    }

    private boolean takes(final int length)
    {
        final long seconds = (clockMs.getAsLong() - sinceMs) / 1_000;
        left = Math.min(bytesMax, left + seconds * bytesPerSecond);
        sinceMs += seconds * 1_000;
        shut = (shut && left < bytesMax / REOPENS_AT) || length > left;
        if (shut)
        {
            return false;
        }
        left -= length;
        return true;
    }

    @Override
    public synchronized void write(final int value) throws IOException
    {
        if (takes(1))
        {
            out.write(value);
        }
    }

    @Override
    public synchronized void write(final byte[] bytes, final int offset, final int length)
        throws IOException
    {
        if (takes(length))
        {
            out.write(bytes, offset, length);
        }
    }
}
