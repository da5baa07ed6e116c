/*
 * Differential test of the two engines at length: OUTCRY_MILLIONS (100) million random commands
 * over seeds from 1000 on, spread over as many processes as there are processors, four at most.
 * Prints the rate, and for a seed that fails how to repeat it: OUTCRY_SEED and OUTCRY_COMMANDS run
 * one stream.
 */
#define _GNU_SOURCE /* fork, clock_gettime */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/differential.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_SEED = 1000, COMMANDS_PER_SEED = 20000, PROCESSES_MAX = 4 };
#define MILLION UINT64_C(1000000)

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Runs every `stride`-th seed; returns 0 when all agree. */
static int run_share(uint64_t first, uint64_t stride, uint64_t commands)
{
    const double start = now_seconds();
    uint64_t done = 0;
    for (uint64_t seed = FIRST_SEED + first; done < commands; seed += stride) {
        if (!differential_run(seed, COMMANDS_PER_SEED))
            return 1;
        done += COMMANDS_PER_SEED;
        if (done % MILLION == 0) {
            printf("process %llu: %llu million commands, seed %llu, %.0f a second\n",
                   (unsigned long long)first, (unsigned long long)(done / MILLION),
                   (unsigned long long)seed, (double)done / (now_seconds() - start));
            fflush(stdout);
        }
    }
    return 0;
}

static uint64_t process_count(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        return 1;
    return processors > PROCESSES_MAX ? PROCESSES_MAX : (uint64_t)processors;
}

static void random_streams_agree_at_length(void **state)
{
    (void)state;
    const char *seed = getenv("OUTCRY_SEED");
    const char *one_stream = getenv("OUTCRY_COMMANDS");
    if (seed) {
        assert_true(differential_run(strtoull(seed, NULL, 0), one_stream
                                                                  ? strtoull(one_stream, NULL, 0)
                                                                  : COMMANDS_PER_SEED));
        return;
    }
    const char *millions = getenv("OUTCRY_MILLIONS");
    const uint64_t commands = (millions ? strtoull(millions, NULL, 0) : 100) * MILLION;
    const uint64_t processes = process_count();
    const double start = now_seconds();
    pid_t children[PROCESSES_MAX];
    fflush(NULL);
    for (uint64_t i = 0; i < processes; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(run_share(i, processes, (commands + processes - 1) / processes));
    }
    int failed = 0;
    for (uint64_t i = 0; i < processes; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    print_message("%llu million commands in %.0f s\n", (unsigned long long)(commands / MILLION),
                  now_seconds() - start);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_streams_agree_at_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
