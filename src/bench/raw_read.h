/*
 * What reading a file takes when nothing is done with it: the floor under whatever loads one,
 * measured in the same run as what is held against it.
 */
#ifndef BENCH_RAW_READ_H
#define BENCH_RAW_READ_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

#define RAW_READ_THREADS_MAX 64

typedef struct raw_reading {
    double ms; /* by the wall clock */
    uint64_t bytes;
    bool direct; /* around the page cache: it was asked for, and the file system allows it */
} raw_reading_t;

/*
 * Reads all of `path` (borrowed), in pieces of a MiB, by `threads` threads
 * (1..RAW_READ_THREADS_MAX), each into the same memory of its own again and again. With `direct`
 * around the page cache, if the file system allows that; *reading tells. OC_ERR_OPEN, OC_ERR_READ
 * (also when fewer bytes came than the file has), OC_ERR_NO_MEMORY.
 */
OC_MUST_CHECK oc_err_t raw_read(const char *path, unsigned threads, bool direct,
                                raw_reading_t *reading);

/* Drops a file, which was synced, out of the page cache. OC_ERR_OPEN. */
OC_MUST_CHECK oc_err_t raw_read_forget(const char *path);

#endif
