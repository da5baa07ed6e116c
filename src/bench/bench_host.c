/*
 * Conditions of a measurement. Called by `outcry bench`; changes nothing but this thread's
 * processor affinity.
 */
#define _GNU_SOURCE
#include "bench/bench_host.h"

#include "base/error.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BUILD_SANITIZED " sanitized"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BUILD_SANITIZED " sanitized"
#endif
#endif
#ifndef BUILD_SANITIZED
#define BUILD_SANITIZED ""
#endif

#if defined(__OPTIMIZE__)
#define BUILD_KIND "optimised"
#else
#define BUILD_KIND "not optimised: do not quote these figures"
#endif

#if defined(__AVX2__)
#define BUILD_TARGET " avx2"
#else
#define BUILD_TARGET " baseline"
#endif

#if defined(__clang__)
#define BUILD_COMPILER __VERSION__
#else
#define BUILD_COMPILER "gcc " __VERSION__
#endif

oc_err_t bench_host_pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu < 0 || cpu >= CPU_SETSIZE)
        return error_set(OC_ERR_INVALID_CONFIG, "cpu %d is out of range, allowed are 0 to %d", cpu,
                         CPU_SETSIZE - 1);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "cannot run on cpu %d: %s; see `nproc` and `taskset -p`", cpu,
                         strerror(errno));
    return OC_ERR_OK;
}

/* Only trying tells: processors that this thread may use at once are not all that it may ask for
 * (isolcpus, taskset). */
oc_err_t bench_host_pin_check(int cpu)
{
    cpu_set_t before;
    if (sched_getaffinity(0, sizeof before, &before))
        return error_set(OC_ERR_INVALID_CONFIG, "cpu %d: which ones this process has: %s", cpu,
                         strerror(errno));
    const oc_err_t err = bench_host_pin(cpu);
    if (err == OC_ERR_OK && sched_setaffinity(0, sizeof before, &before))
        return error_set(OC_ERR_INVALID_CONFIG, "cpu %d: back from there: %s", cpu,
                         strerror(errno));
    return err;
}

static void print_model(FILE *out)
{
    char line[256];
    const char *model = "unknown\n";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strstr(line, ": ");
        if (value && !strncmp(line, "model name", 10)) {
            model = value + 2;
            break;
        }
    }
    fprintf(out, "cpu_model: %.*s\n", (int)strcspn(model, "\n"), model);
    if (file)
        fclose(file);
}

void bench_host_print(FILE *out, int cpu)
{
    double load[3] = {0, 0, 0};
    const int loads = getloadavg(load, 3);
    fprintf(out, "build: %s\n", BUILD_KIND BUILD_TARGET BUILD_SANITIZED);
    fprintf(out, "compiler: %s\n", BUILD_COMPILER);
    print_model(out);
    fprintf(out, "load_average: %.2f\n", loads > 0 ? load[0] : 0.0);
    if (cpu == BENCH_HOST_CPU_ANY)
        fprintf(out, "pinned_cpu: none\n");
    else
        fprintf(out, "pinned_cpu: %d\n", cpu);
}

void bench_host_time(bench_host_time_t *now)
{
    enum { FIELDS = 8, STEAL = 7 }; /* proc(5): user to steal; guest time is part of user time */
    uint64_t ticks[FIELDS] = {0};
    memset(now, 0, sizeof *now);
    FILE *file = fopen("/proc/stat", "r");
    if (!file)
        return;
    char line[256] = "";
    const char *at = fgets(line, sizeof line, file);
    fclose(file);
    if (!at || strncmp(line, "cpu ", 4) != 0)
        return;
    char *next = line + 4;
    for (int i = 0; i < FIELDS; i++) {
        ticks[i] = strtoull(next, &next, 10);
        now->total += ticks[i];
    }
    now->stolen = ticks[STEAL];
}

double bench_host_steal_pct(const bench_host_time_t *begin, const bench_host_time_t *end)
{
    if (end->total <= begin->total || end->stolen < begin->stolen)
        return 0.0;
    return 100.0 * (double)(end->stolen - begin->stolen) / (double)(end->total - begin->total);
}
