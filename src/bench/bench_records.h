/*
 * `outcry bench records`: the record stream of a book of W1, by one thread and by several.
 */
#ifndef BENCH_BENCH_RECORDS_H
#define BENCH_BENCH_RECORDS_H

#include "outcry/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_RECORDS_REPEATS_MAX 99
#define BENCH_RECORDS_THREADS_MAX 64

typedef struct bench_records_options {
    uint32_t orders;
    uint32_t record_bytes;
    uint64_t window_bytes; /* 0: the whole stream */
    unsigned repeats;      /* 1..BENCH_RECORDS_REPEATS_MAX; medians are told */
    bool import;           /* read the stream into a second engine as well */
} bench_records_options_t;

typedef struct bench_records_result {
    uint64_t bytes;   /* of the stream */
    uint64_t records; /* of it */
    double take_ms;   /* from nothing to the last record in the sink */
    double import_ms; /* 0: not asked for */
    uint32_t crc;     /* of all bytes */
} bench_records_result_t;

typedef struct bench_records bench_records_t;

/* An engine with the options' orders resting. OC_ERR_NO_MEMORY. The caller owns *self:
 * bench_records_destroy(). */
OC_MUST_CHECK oc_err_t bench_records_create(bench_records_t **self,
                                            const bench_records_options_t *options);
void bench_records_destroy(bench_records_t *self); /* NULL is allowed */

/* Exports with `threads` threads, into memory that is faulted in, to a sink that only counts; the
 * bytes are looked at in a pass of their own. Errors: OC_ERR_NO_MEMORY; those of an import. */
OC_MUST_CHECK oc_err_t bench_records_run(bench_records_t *self, unsigned threads,
                                         bench_records_result_t *result);

#endif
