/*
 * `outcry bench restore`: how fast an image of a big book becomes an engine again, out of the page
 * cache and from the device, next to what reading the bare file takes.
 */
#ifndef BENCH_BENCH_RESTORE_H
#define BENCH_BENCH_RESTORE_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

#define BENCH_RESTORE_REPEATS_MAX 99
#define BENCH_RESTORE_THREADS_MAX 64

typedef struct bench_restore_options {
    const char *dir;  /* borrowed; a folder is made in it, and removed again */
    uint32_t orders;  /* that rest, of W1: 1..2^27 */
    uint32_t repeats; /* 1..BENCH_RESTORE_REPEATS_MAX */
    uint32_t threads; /* that read, check and hash; 0: two for each processor */
} bench_restore_options_t;

/* Times are medians of the repeats, by the wall clock. Each load is into a fresh engine. */
typedef struct bench_restore_result {
    uint32_t threads;
    uint64_t image_bytes;
    double write_ms;       /* the image, once, synced */
    double raw_cold_ms;    /* reading the file around the page cache, by as many threads */
    bool raw_direct;       /* the file system has reads around the page cache */
    double load_cold_ms;   /* image_load() when the page cache holds nothing of it */
    double cold_ratio;     /* median of the repeats' ratios */
    double raw_warm_ms;    /* reading the file out of the page cache */
    double load_warm_ms;   /* image_load() when it holds all of it */
    double verify_hash_ms; /* the hash of all items, as recovery checks it, behind a load */
    bool equal;            /* every state hash is that of the engine the image is of */
} bench_restore_result_t;

/* Errors: those of the device, the images, the engine and the workload. An other hash is none. */
OC_MUST_CHECK oc_err_t bench_restore(const bench_restore_options_t *options,
                                     bench_restore_result_t *result);

#endif
