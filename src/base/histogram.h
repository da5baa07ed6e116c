/*
 * Histogram of 64-bit values with a constant relative error: log-linear buckets in the layout of
 * HdrHistogram with three significant digits, so that its files can be written from it
 * (bench/hdr_file.h).
 *
 * Recording is a count of leading zeros, a shift and an increment: no allocation, no branch on the
 * value. One thread at a time.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

typedef struct histogram histogram_t;

/* An empty histogram (about 450 KiB), or NULL when memory runs out. The caller owns it. */
histogram_t *histogram_create(void);

/* Frees it; NULL is allowed. */
void histogram_destroy(histogram_t *self);

/* Forgets everything recorded. */
void histogram_reset(histogram_t *self);

/* Counts `value` once, or `count` times. */
void histogram_record(histogram_t *self, uint64_t value);
void histogram_record_many(histogram_t *self, uint64_t value, uint64_t count);

/* Adds all that `other` (borrowed for the call) has recorded. */
void histogram_add(histogram_t *self, const histogram_t *other);

/* How many values were recorded. */
uint64_t histogram_count(const histogram_t *self);

/* Smallest and largest value recorded, exact; 0 when empty. */
uint64_t histogram_min(const histogram_t *self);
uint64_t histogram_max(const histogram_t *self);

/* Mean of the values recorded, from their exact sum (modulo 2^64); 0 when empty. */
double histogram_mean(const histogram_t *self);

/*
 * The value that `percent` (0 to 100, clamped) of those recorded do not exceed: the highest value
 * of its bucket, so at most 0.1 % too high, and never above histogram_max(). 0 when empty.
 */
uint64_t histogram_percentile(const histogram_t *self, double percent);

/* How many recorded values lie in the bucket of `value`, and the bucket's lowest and highest value.
 */
uint64_t histogram_count_at(const histogram_t *self, uint64_t value);
uint64_t histogram_bucket_low(uint64_t value);
uint64_t histogram_bucket_high(uint64_t value);

/*
 * The buckets by number, ascending with the values, as in the counts array of HdrHistogram: the one
 * that holds `value`, the lowest value of one, and how many recorded values lie in it. Behind that
 * of histogram_max() all are empty.
 */
size_t histogram_slot_of(uint64_t value);
uint64_t histogram_slot_low(size_t slot);
uint64_t histogram_slot_count(const histogram_t *self, size_t slot);

#endif
