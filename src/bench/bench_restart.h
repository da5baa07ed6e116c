/*
 * `outcry bench restart`: from the start of a killed node's process to its serving again, from an
 * image and the tail of its log, and from the log alone; beside the same start with an empty book.
 */
#ifndef BENCH_BENCH_RESTART_H
#define BENCH_BENCH_RESTART_H

#include "outcry/error.h"

#include <stdint.h>

#define BENCH_RESTART_ROUNDS_MAX 31

typedef struct bench_restart_options {
    const char *dir;     /* borrowed; a folder is made in it, and removed again */
    const char *program; /* borrowed; NULL: this very program */
    uint32_t orders;     /* resting */
    uint32_t tail;       /* commands behind the image */
    uint32_t rounds;     /* 1..BENCH_RESTART_ROUNDS_MAX; medians are told */
    int node_cpu;        /* processor of the node's core; -1: any */
} bench_restart_options_t;

typedef struct bench_restart_result {
    double empty_ms; /* the same tables, nothing in the log */
    double image_ms; /* image and tail */
    double log_ms;   /* the log from its beginning; measured once */
    uint64_t image_bytes;
} bench_restart_result_t;

/* Errors: those of the device, of a node that does not start, of its clients. */
OC_MUST_CHECK oc_err_t bench_restart(const bench_restart_options_t *options,
                                     bench_restart_result_t *result);

#endif
