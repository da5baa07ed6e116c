/*
 * Writer of .hgrm and .hlog files. Called by the load generator and the benches.
 *
 * Invariants: the text of a .hgrm equals what the Java library prints for the same buckets, to the
 * byte; a histogram in a .hlog is its V2 encoding (big-endian header, ZigZag LEB128 counts with
 * runs of zeroes), deflated, in base64. It must not change the histogram it writes.
 */
#define _GNU_SOURCE
#include "bench/hdr_file.h"

#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum {
    DIGITS = 3,
    TICKS = 5, /* per half of the distance that is left to 100 % */
    SLOT_BITS = 10,
    SUB_BUCKETS = 2 << SLOT_BITS,
    HEADER_BYTES = 40,    /* of the V2 encoding */
    COUNT_BYTES = 9,      /* most that one count takes */
    ENVELOPE_BYTES = 8,   /* in front of the deflated encoding */
    BASE64_LINE_MAX = 64, /* groups of three bytes encoded at a time */
    MAX_RATIO = 1000000,  /* of the maximum in a log line */
};

#define V2_COOKIE         UINT32_C(0x1c849313)
#define V2_DEFLATE_COOKIE UINT32_C(0x1c849314)

/* What both kinds of file cannot tell. */
static oc_err_t check_range(const char *path, const histogram_t *histogram)
{
    if (histogram_max(histogram) <= INT64_MAX)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT, "%s: a value of %llu is above 2^63 - 1", path,
                     (unsigned long long)histogram_max(histogram));
}

static oc_err_t write_failed(const char *path)
{
    return error_set(OC_ERR_WRITE, "%s: %s", path, errno ? strerror(errno) : "a write failed");
}

/* ---- .hgrm ---------------------------------------------------------------------------------- */

/*
 * The number as Java formats it: the shortest decimal that names it, rounded half up to `decimals`,
 * where C would round the number itself. `value` is at least 0 and at most 19 digits long.
 */
static void write_fixed(FILE *file, int width, int decimals, double value)
{
    char text[40];
    int precision = 0;
    do /* d.ddde+dd */
        (void)snprintf(text, sizeof text, "%.*e", precision, value);
    while (strtod(text, NULL) != value && ++precision < 17);
    const int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);

    /* Digits of the result, from 10^19 down to 10^-decimals, and one more to round by. */
    enum { HIGHEST = 19 };
    char digits[64];
    memset(digits, '0', sizeof digits);
    for (int i = 0; i <= precision; i++) {
        const int place = HIGHEST - exponent + i;
        if (place >= 0 && place < (int)sizeof digits)
            digits[place] = text[i ? i + 1 : 0];
    }
    const int end = HIGHEST + 1 + decimals;
    bool carry = digits[end] >= '5';
    for (int i = end - 1; i >= 0 && carry; i--) {
        carry = digits[i] == '9';
        digits[i] = (char)(carry ? '0' : digits[i] + 1);
    }
    int begin = 0;
    while (begin < HIGHEST && digits[begin] == '0')
        begin++;
    fprintf(file, "%*.*s.%.*s", width - decimals - 1, HIGHEST + 1 - begin, digits + begin, decimals,
            digits + HIGHEST + 1);
}

static uint64_t slot_high(size_t slot)
{
    return histogram_bucket_high(histogram_slot_low(slot));
}

static uint64_t slot_middle(size_t slot)
{
    const uint64_t low = histogram_slot_low(slot);
    return low + ((slot_high(slot) - low + 1) >> 1);
}

/* The level that follows: the distance to 100 % is cut into ticks that double in number each time
 * it has halved. */
static double next_level(double level)
{
    uint64_t ticks = 2 * TICKS;
    for (double left = 100.0 / (100.0 - level); left >= 2.0; left /= 2.0)
        ticks *= 2;
    return level + 100.0 / (double)ticks;
}

static void write_level(FILE *file, double value, double level, uint64_t seen)
{
    write_fixed(file, 12, 3, value);
    fputc(' ', file);
    write_fixed(file, 14, 12, level / 100.0);
    fprintf(file, " %10llu", (unsigned long long)seen);
    if (level < 100.0) {
        fputc(' ', file);
        write_fixed(file, 14, 2, 1.0 / (1.0 - level / 100.0));
    }
    fputc('\n', file);
}

void hdr_levels(const histogram_t *histogram, hdr_level_sink_t sink, void *context)
{
    const uint64_t total = histogram_count(histogram);
    const size_t last = histogram_slot_of(histogram_max(histogram));
    uint64_t seen = 0;
    double level = 0.0;
    if (total == 0)
        return;
    for (size_t slot = 0; slot <= last; slot++) {
        const uint64_t count = histogram_slot_count(histogram, slot);
        seen += count;
        while (count > 0 && 100.0 * (double)seen / (double)total >= level) {
            sink(context, slot_high(slot), level, seen);
            level = next_level(level);
            if (seen == total)
                break;
        }
    }
    sink(context, slot_high(last), 100.0, total);
}

typedef struct level_writer {
    FILE *file;
    double ratio;
} level_writer_t;

static void write_one_level(void *context, uint64_t value, double level, uint64_t seen)
{
    const level_writer_t *writer = context;
    write_level(writer->file, (double)value / writer->ratio, level, seen);
}

static void moments(const histogram_t *histogram, double *mean, double *deviation)
{
    const uint64_t total = histogram_count(histogram);
    const size_t last = histogram_slot_of(histogram_max(histogram));
    double sum = 0.0;
    for (size_t slot = 0; slot <= last; slot++)
        sum += (double)slot_middle(slot) * (double)histogram_slot_count(histogram, slot);
    *mean = total ? sum / (double)total : 0.0;
    double squares = 0.0;
    for (size_t slot = 0; slot <= last; slot++) {
        const double distance = (double)slot_middle(slot) - *mean;
        squares += distance * distance * (double)histogram_slot_count(histogram, slot);
    }
    *deviation = total ? sqrt(squares / (double)total) : 0.0;
}

static void write_distribution(FILE *file, const histogram_t *histogram, double ratio)
{
    double mean;
    double deviation;
    moments(histogram, &mean, &deviation);
    const size_t last = histogram_slot_of(histogram_max(histogram));
    const size_t buckets = last >> SLOT_BITS ? last >> SLOT_BITS : 1;
    const uint64_t max = histogram_count(histogram) ? slot_high(last) : 0;
    fprintf(file, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
            "1/(1-Percentile)");
    level_writer_t writer = {file, ratio};
    hdr_levels(histogram, write_one_level, &writer);
    fputs("#[Mean    = ", file);
    write_fixed(file, 12, DIGITS, mean / ratio);
    fputs(", StdDeviation   = ", file);
    write_fixed(file, 12, DIGITS, deviation / ratio);
    fputs("]\n#[Max     = ", file);
    write_fixed(file, 12, DIGITS, (double)max / ratio);
    fprintf(file, ", Total count    = %12llu]\n", (unsigned long long)histogram_count(histogram));
    fprintf(file, "#[Buckets = %12zu, SubBuckets     = %12d]\n", buckets, SUB_BUCKETS);
}

oc_err_t hgrm_write(const char *path, const histogram_t *histogram, double ratio)
{
    OC_ASSERT(ratio > 0);
    const oc_err_t err = check_range(path, histogram);
    if (err != OC_ERR_OK)
        return err;
    FILE *file = fopen(path, "we");
    if (!file)
        return write_failed(path);
    errno = 0;
    write_distribution(file, histogram, ratio);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return write_failed(path);
    return OC_ERR_OK;
}

/* ---- .hlog ---------------------------------------------------------------------------------- */

static uint8_t *put_big_endian(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
    return at + bytes;
}

/* Seven bits a byte, low ones first; the ninth byte takes eight. */
static uint8_t *put_zigzag(uint8_t *at, int64_t value)
{
    uint64_t left = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    for (unsigned i = 0; i < COUNT_BYTES - 1; i++) {
        if (left < 0x80) {
            *at++ = (uint8_t)left;
            return at;
        }
        *at++ = (uint8_t)(left | 0x80);
        left >>= 7;
    }
    *at++ = (uint8_t)left;
    return at;
}

static uint8_t *put_counts(uint8_t *at, const histogram_t *histogram, size_t slots)
{
    for (size_t slot = 0; slot < slots;) {
        const uint64_t count = histogram_slot_count(histogram, slot++);
        int64_t zeroes = count == 0;
        for (; zeroes && slot < slots && histogram_slot_count(histogram, slot) == 0; slot++)
            zeroes++;
        at = put_zigzag(at, zeroes > 1 ? -zeroes : (int64_t)count);
    }
    return at;
}

/* The V2 encoding; `bytes` has room for it. Returns its length. */
static size_t encode(uint8_t *bytes, const histogram_t *histogram, size_t slots)
{
    const double ratio = 1.0;
    uint64_t ratio_bits;
    memcpy(&ratio_bits, &ratio, sizeof ratio_bits);
    const uint64_t high = slot_high(slots - 1);
    const uint8_t *end = put_counts(bytes + HEADER_BYTES, histogram, slots);
    uint8_t *at = put_big_endian(bytes, V2_COOKIE, 4);
    at = put_big_endian(at, (uint64_t)(end - (bytes + HEADER_BYTES)), 4);
    at = put_big_endian(at, 0, 4); /* normalising offset: none */
    at = put_big_endian(at, DIGITS, 4);
    at = put_big_endian(at, 1, 8);                   /* lowest value told apart from 0 */
    at = put_big_endian(at, high > 2 ? high : 2, 8); /* highest value; 2 is the least allowed */
    at = put_big_endian(at, ratio_bits, 8);
    OC_ASSERT(at == bytes + HEADER_BYTES);
    return (size_t)(end - bytes);
}

static void write_base64(FILE *file, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[BASE64_LINE_MAX * 4];
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        const unsigned second = i + 1 < size ? bytes[i + 1] : 0;
        const unsigned third = i + 2 < size ? bytes[i + 2] : 0;
        const unsigned group = (unsigned)bytes[i] << 16 | second << 8 | third;
        text[length++] = digits[group >> 18];
        text[length++] = digits[group >> 12 & 63];
        text[length++] = i + 1 < size ? digits[group >> 6 & 63] : '=';
        text[length++] = i + 2 < size ? digits[group & 63] : '=';
        if (length == sizeof text) {
            (void)fwrite(text, 1, length, file);
            length = 0;
        }
    }
    (void)fwrite(text, 1, length, file);
}

oc_err_t hlog_open(hlog_writer_t *self, const char *path, double start_s)
{
    char date[64];
    struct tm parts;
    const time_t seconds = (time_t)start_s;
    if (!gmtime_r(&seconds, &parts) || !strftime(date, sizeof date, "%FT%TZ", &parts))
        date[0] = '\0';
    self->path = path;
    self->file = fopen(path, "we");
    if (!self->file)
        return write_failed(path);
    fputs("#[Histogram log format version 1.3]\n", self->file);
    fprintf(self->file, "#[BaseTime: %.3f (seconds since epoch)]\n", start_s);
    fprintf(self->file, "#[StartTime: %.3f (seconds since epoch), %s]\n", start_s, date);
    fputs("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
          "\"Interval_Compressed_Histogram\"\n",
          self->file);
    return OC_ERR_OK;
}

oc_err_t hlog_interval(hlog_writer_t *self, const histogram_t *histogram, double begin_s,
                       double length_s)
{
    const oc_err_t err = check_range(self->path, histogram);
    if (err != OC_ERR_OK)
        return err;
    const size_t slots = histogram_slot_of(histogram_max(histogram)) + 1;
    const size_t plain_max = HEADER_BYTES + slots * COUNT_BYTES;
    uLongf packed_size = compressBound((uLong)plain_max);
    uint8_t *plain = malloc(plain_max);
    uint8_t *packed = malloc(ENVELOPE_BYTES + packed_size);
    if (!plain || !packed)
        goto no_memory;
    const size_t plain_size = encode(plain, histogram, slots);
    OC_ASSERT(plain_size <= plain_max);
    if (compress(packed + ENVELOPE_BYTES, &packed_size, plain, (uLong)plain_size) != Z_OK)
        goto no_memory;
    (void)put_big_endian(put_big_endian(packed, V2_DEFLATE_COOKIE, 4), packed_size, 4);
    const double max = histogram_count(histogram) ? (double)slot_high(slots - 1) : 0.0;
    fprintf(self->file, "%.3f,%.3f,%.3f,", begin_s, length_s, max / MAX_RATIO);
    write_base64(self->file, packed, ENVELOPE_BYTES + packed_size);
    fputc('\n', self->file);
    free(packed);
    free(plain);
    return OC_ERR_OK;

no_memory:
    free(packed);
    free(plain);
    return error_set(OC_ERR_NO_MEMORY, "%s: no memory for an interval of %zu buckets", self->path,
                     slots);
}

oc_err_t hlog_close(hlog_writer_t *self)
{
    FILE *file = self->file;
    self->file = NULL;
    if (!file)
        return OC_ERR_OK;
    errno = 0;
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return write_failed(self->path);
    return OC_ERR_OK;
}

oc_err_t hlog_write(const char *path, double start_s, histogram_t *const *intervals, size_t count,
                    double length_s)
{
    hlog_writer_t writer;
    oc_err_t err = hlog_open(&writer, path, start_s);
    if (err != OC_ERR_OK)
        return err;
    for (size_t i = 0; err == OC_ERR_OK && i < count; i++)
        err = hlog_interval(&writer, intervals[i], (double)i * length_s, length_s);
    const oc_err_t closed = hlog_close(&writer);
    return err != OC_ERR_OK ? err : closed;
}
