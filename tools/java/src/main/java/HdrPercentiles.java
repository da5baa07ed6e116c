import java.io.File;
import java.io.FileNotFoundException;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * What the official HdrHistogram reads in a .hlog: all intervals added up, as `key: value` lines in
 * the units of the file.
 *
 * With a ratio as second argument it prints the percentile distribution instead, as in a .hgrm
 * file: values divided by the ratio, five ticks per half distance.
 */
public final class HdrPercentiles
{
    private static final int TICKS_PER_HALF_DISTANCE = 5;

    private HdrPercentiles()
    {
    }

    private static Histogram sumOf(final File file) throws FileNotFoundException
    {
        Histogram sum = null;
        try (HistogramLogReader reader = new HistogramLogReader(file))
        {
            while (reader.hasNext())
            {
                final EncodableHistogram next = reader.nextIntervalHistogram();
                if (next == null)
                {
                    continue;
                }
                if (!(next instanceof Histogram))
                {
                    throw new IllegalArgumentException("no histogram of integers: " + next);
                }
                final Histogram interval = (Histogram)next;
                if (sum == null)
                {
                    sum = new Histogram(interval.getNumberOfSignificantValueDigits());
                    sum.setAutoResize(true);
                }
                sum.add(interval);
            }
        }
        if (sum == null)
        {
            throw new IllegalArgumentException("no interval in " + file);
        }
        return sum;
    }

    public static void main(final String[] args) throws FileNotFoundException
    {
        if (args.length != 1 && args.length != 2)
        {
            System.err.println("usage: HdrPercentiles FILE.hlog [RATIO]");
            System.exit(2);
        }
        final Histogram sum = sumOf(new File(args[0]));
        if (args.length == 2)
        {
            sum.outputPercentileDistribution(System.out, TICKS_PER_HALF_DISTANCE,
                Double.parseDouble(args[1]));
            return;
        }
        System.out.println("count: " + sum.getTotalCount());
        System.out.println("min: " + sum.getMinValue());
        System.out.println("mean: " + sum.getMean());
        for (final String percentile : new String[] {"50", "90", "99", "99.9", "99.99"})
        {
            final long value = sum.getValueAtPercentile(Double.parseDouble(percentile));
            System.out.println("p" + percentile + ": " + value);
        }
        System.out.println("max: " + sum.getMaxValue());
    }
}
