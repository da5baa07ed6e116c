/*
 * The machine under a bench: pinning, and the lines that say under what conditions it ran. A figure
 * without them is not worth quoting.
 */
#ifndef BENCH_BENCH_HOST_H
#define BENCH_BENCH_HOST_H

#include "outcry/error.h"

#include <stdint.h>
#include <stdio.h>

#define BENCH_HOST_CPU_ANY (-1)

/* Ties this thread to one processor. Error: OC_ERR_INVALID_CONFIG, with the reason as context. */
OC_MUST_CHECK oc_err_t bench_host_pin(int cpu);

/* Whether bench_host_pin() can do that; this thread stays where it is. The same errors. */
OC_MUST_CHECK oc_err_t bench_host_pin_check(int cpu);

/* Prints build, compiler, processor model, load average and pinned processor as `key: value`. */
void bench_host_print(FILE *out, int cpu);

/* Time of all processors together since the machine started, in ticks of the kernel. */
typedef struct bench_host_time {
    uint64_t total;
    uint64_t stolen; /* wanted, but given to another guest by the hypervisor */
} bench_host_time_t;

/* The time now; all zero where it cannot be read. */
void bench_host_time(bench_host_time_t *now);

/* Per cent of the time from `begin` to `end` that was stolen; 0 if no time has passed. */
double bench_host_steal_pct(const bench_host_time_t *begin, const bench_host_time_t *end);

#endif
