/*
 * The machine under a bench: pinning, and the lines that say under what conditions it ran. A figure
 * without them is not worth quoting.
 */
#ifndef BENCH_BENCH_HOST_H
#define BENCH_BENCH_HOST_H

#include "outcry/error.h"

#include <stdio.h>

#define BENCH_HOST_CPU_ANY (-1)

/* Ties this thread to one processor. Error: OC_ERR_INVALID_CONFIG, with the reason as context. */
OC_MUST_CHECK oc_err_t bench_host_pin(int cpu);

/* Prints build, compiler, processor model, load average and pinned processor as `key: value`. */
void bench_host_print(FILE *out, int cpu);

#endif
