/*
 * What the device itself takes for a durable write: the floor under every answer at sync=always,
 * measured in the same run as what is held against it.
 */
#ifndef BENCH_RAW_SYNC_H
#define BENCH_RAW_SYNC_H

#include "base/histogram.h"
#include "outcry/error.h"

#include <stdint.h>

#define RAW_SYNC_PREFIX "raw-sync-" /* of its file's name */

/*
 * Writes and syncs one block (STORAGE_BLOCK) after the other, `samples` times, on space that was
 * zeroed and synced before, in a file of its own in `dir` (borrowed), which is removed again.
 * Records nanoseconds of each write and sync. Errors: those of the device.
 */
OC_MUST_CHECK oc_err_t raw_sync(const char *dir, uint32_t samples, histogram_t *latency);

/* The same, and only the median, in microseconds. Errors: also OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t raw_sync_p50_us(const char *dir, uint32_t samples, double *p50_us);

#endif
