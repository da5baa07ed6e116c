/*
 * Captures under load. Called by `outcry bench capture`.
 *
 * Invariants: between the two readings of the clock is nothing but one operation; the engine's
 * thread never waits for the sweeper while it has operations left; the sweeper is inside a capture
 * only between capture_begin() and its word that it is outside.
 */
#define _GNU_SOURCE /* processor sets */
#include "bench/bench_capture.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/histogram.h"
#include "bench/bench_book.h"
#include "bench/bench_engine.h"
#include "engine/engine_records.h"
#include "snapshot/capture.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROOM_PAGES_MAX = 65536, /* more than any cache holds */
    LOOK_PAGES = 1024,
    CLEAN_RUNS = 5,
};

/* What the sweeper's thread and the engine's share. */
typedef struct sweeper {
    capture_t *capture;
    int cpu;
    uint8_t *room;
    size_t room_pages;
    pthread_t thread;
    _Atomic uint32_t begun;   /* captures that the sweeper is to take */
    _Atomic uint32_t outside; /* captures that it is done with */
    _Atomic bool stop;
    uint64_t end_ns; /* of the last one */
    bool lost;
    oc_err_t err;  /* of the thread's start, */
    char why[200]; /* and its context, which is that thread's own */
} sweeper_t;

/* What each round measures. */
typedef struct rounds {
    double pause_ns[BENCH_CAPTURE_ROUNDS_MAX];
    double sweep_ms[BENCH_CAPTURE_ROUNDS_MAX];
    double pages[BENCH_CAPTURE_ROUNDS_MAX];
    double pages_owner[BENCH_CAPTURE_ROUNDS_MAX];
    double pages_lost[BENCH_CAPTURE_ROUNDS_MAX];
    double pool_highest[BENCH_CAPTURE_ROUNDS_MAX];
    double operations[BENCH_CAPTURE_ROUNDS_MAX];
    double during[3][BENCH_CAPTURE_ROUNDS_MAX]; /* p50, p99, p99.9 in ticks */
    double quiet[3][BENCH_CAPTURE_ROUNDS_MAX];
} rounds_t;

typedef struct bench {
    const bench_capture_options_t *options;
    bench_capture_result_t *result;
    workload_t workload;
    oc_engine_t *engine;
    bench_engine_tally_t tally;
    sweeper_t sweeper;
    histogram_t *ticks;
    uint32_t next; /* operation of the workload */
    uint32_t round;
    uint32_t during_count; /* rounds with operations while pages were copied */
    double ns_per_tick;
    rounds_t rounds;
} bench_t;

/* ---- The sweeper ---- */

/* Takes a whole capture; false if it was given up. */
static bool take(sweeper_t *self)
{
    for (size_t at = 0;;) {
        capture_page_t which;
        uint8_t *to = self->room + at * OC_ARENA_PAGE_SIZE;
        switch (capture_next(self->capture, to, &which, LOOK_PAGES)) {
        case CAPTURE_PAGE:
            at = at + 1 < self->room_pages ? at + 1 : 0;
            break;
        case CAPTURE_PAUSE:
            break;
        case CAPTURE_END:
            return true;
        case CAPTURE_LOST:
            return false;
        }
    }
}

static void *sweeper_main(void *context)
{
    sweeper_t *self = context;
    const struct timespec moment = {.tv_nsec = 20000};
    self->err = bench_host_pin(self->cpu);
    if (self->err != OC_ERR_OK)
        (void)snprintf(self->why, sizeof self->why, "%s", oc_err_context());
    uint32_t done = 0;
    /* Acquire and release: the counts hand over the results, and the stop the end of the rounds. */
    while (!atomic_load_explicit(&self->stop, memory_order_acquire)) {
        if (atomic_load_explicit(&self->begun, memory_order_acquire) == done) {
            (void)nanosleep(&moment, NULL);
            continue;
        }
        self->lost = !take(self);
        self->end_ns = clock_wall_ns();
        atomic_store_explicit(&self->outside, ++done, memory_order_release);
    }
    return NULL;
}

/* Room is faulted in; the thread waits for the first capture. */
static oc_err_t sweeper_start(sweeper_t *self, oc_arena_t *arena, uint32_t pool_percent)
{
    const size_t pages = arena->size >> OC_ARENA_PAGE_SHIFT;
    const size_t pool = pages * pool_percent / 100 + 1;
    self->room_pages = pages < ROOM_PAGES_MAX ? pages : ROOM_PAGES_MAX;
    self->room = malloc(self->room_pages * OC_ARENA_PAGE_SIZE);
    if (!self->room)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for %zu pages", self->room_pages);
    memset(self->room, 1, self->room_pages * OC_ARENA_PAGE_SIZE);
    const oc_err_t err = capture_create(&self->capture, &arena, 1, pool);
    if (err != OC_ERR_OK)
        return err;
    if (pthread_create(&self->thread, NULL, sweeper_main, self) != 0) {
        capture_destroy(self->capture);
        self->capture = NULL;
        return error_set(OC_ERR_NO_MEMORY, "bench: no thread for the sweeper");
    }
    return OC_ERR_OK;
}

static void sweeper_stop(sweeper_t *self)
{
    if (self->capture) {
        /* Release: pairs with the thread's load. */
        atomic_store_explicit(&self->stop, true, memory_order_release);
        (void)pthread_join(self->thread, NULL);
        capture_destroy(self->capture);
    }
    free(self->room);
}

static bool is_outside(const bench_t *bench)
{
    /* Acquire: the results of the round. */
    return atomic_load_explicit(&bench->sweeper.outside, memory_order_acquire) == bench->round + 1;
}

/* ---- The engine's thread ---- */

static oc_err_t apply_next(bench_t *bench, bool timed)
{
    oc_command_t command;
    workload_command(&bench->workload, bench->next++, &command);
    const uint64_t begin = cycle_clock_ticks();
    const oc_err_t err = oc_engine_apply(bench->engine, &command);
    const uint64_t end = cycle_clock_ticks();
    if (timed)
        histogram_record(bench->ticks, end - begin);
    return err;
}

/* Of this round's share: what the engine's thread uses up while the sweeper has no processor must
 * not be missing in the rounds after it. */
static uint32_t operations_left(const bench_t *bench)
{
    const bench_capture_options_t *options = bench->options;
    const uint32_t shares = (bench->round + 1) * (options->quiet + options->orders);
    return bench->workload.resting_count + shares - bench->next;
}

/* Row `row` of the columns. */
static void note_percentiles(const bench_t *bench, double columns[3][BENCH_CAPTURE_ROUNDS_MAX],
                             uint32_t row, bench_capture_times_t *times)
{
    columns[0][row] = (double)histogram_percentile(bench->ticks, 50.0);
    columns[1][row] = (double)histogram_percentile(bench->ticks, 99.0);
    columns[2][row] = (double)histogram_percentile(bench->ticks, 99.9);
    const double worst = (double)histogram_max(bench->ticks);
    if (worst > times->worst_ns)
        times->worst_ns = worst; /* ticks, until the end */
}

static oc_err_t run_quiet(bench_t *bench)
{
    histogram_reset(bench->ticks);
    for (uint32_t left = bench->options->quiet; left > 0; left--) {
        const oc_err_t err = apply_next(bench, true);
        if (err != OC_ERR_OK)
            return err;
    }
    note_percentiles(bench, bench->rounds.quiet, bench->round, &bench->result->quiet);
    return OC_ERR_OK;
}

static void note_capture(bench_t *bench, uint64_t begin_ns)
{
    rounds_t *rounds = &bench->rounds;
    const uint32_t round = bench->round;
    capture_stats_t stats;
    capture_stats(bench->sweeper.capture, &stats);
    rounds->sweep_ms[round] = (double)(bench->sweeper.end_ns - begin_ns) / 1e6;
    rounds->pages[round] = (double)stats.pages_given;
    rounds->pages_owner[round] = (double)stats.pages_owner;
    rounds->pages_lost[round] = (double)stats.pages_lost;
    rounds->pool_highest[round] = (double)stats.pool_highest;
    rounds->operations[round] = (double)histogram_count(bench->ticks);
    bench->result->abandoned += bench->sweeper.lost;
}

static oc_err_t run_capture(bench_t *bench)
{
    histogram_reset(bench->ticks);
    const uint64_t begin = cycle_clock_ticks();
    const bool begun = capture_begin(bench->sweeper.capture, NULL);
    bench->rounds.pause_ns[bench->round] = (double)(cycle_clock_ticks() - begin);
    OC_ASSERT(begun);
    const uint64_t begin_ns = clock_wall_ns();
    /* Release: the capture that was begun. */
    atomic_store_explicit(&bench->sweeper.begun, bench->round + 1, memory_order_release);
    while (!is_outside(bench) && operations_left(bench) > 0) {
        const oc_err_t err = apply_next(bench, true);
        if (err != OC_ERR_OK)
            return err;
    }
    if (!is_outside(bench))
        bench->result->starved++;
    while (!is_outside(bench))
        (void)sched_yield();
    /* A round in which none fell into the capture has no times, and must not count as one of 0. */
    if (histogram_count(bench->ticks) > 0)
        note_percentiles(bench, bench->rounds.during, bench->during_count++,
                         &bench->result->during);
    note_capture(bench, begin_ns);
    capture_end(bench->sweeper.capture);
    const sweeper_t *sweeper = &bench->sweeper;
    return sweeper->err == OC_ERR_OK ? OC_ERR_OK : error_set(sweeper->err, "%s", sweeper->why);
}

/* What skipping costs, with every page clean. The sweeper's thread sleeps. */
static double measure_clean(bench_t *bench)
{
    sweeper_t *sweeper = &bench->sweeper;
    double ns[CLEAN_RUNS];
    for (int i = 0; i < CLEAN_RUNS; i++) {
        const bool begun = capture_begin(sweeper->capture, capture_epochs(sweeper->capture));
        OC_ASSERT(begun);
        if (i == 0) { /* what was touched since the last round */
            (void)take(sweeper);
            capture_end(sweeper->capture);
            const bool again = capture_begin(sweeper->capture, capture_epochs(sweeper->capture));
            OC_ASSERT(again);
        }
        const uint64_t start = clock_wall_ns();
        (void)take(sweeper);
        ns[i] = (double)(clock_wall_ns() - start) / (double)bench->result->arena_pages;
        capture_end(sweeper->capture);
    }
    return timed_run_median(ns, CLEAN_RUNS);
}

static oc_err_t run_rounds(bench_t *bench)
{
    cycle_clock_t clock;
    cycle_clock_start(&clock);
    oc_err_t err = OC_ERR_OK;
    for (; bench->round < bench->options->rounds; bench->round++) {
        err = run_quiet(bench);
        if (err == OC_ERR_OK)
            err = run_capture(bench);
        if (err != OC_ERR_OK)
            return err;
    }
    bench->ns_per_tick = cycle_clock_ns_per_tick(&clock);
    bench->result->empty = bench->round - bench->during_count;
    if (bench->during_count == 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "bench: in none of %" PRIu32 " rounds was there an operation while pages "
                         "were copied: raise --orders",
                         bench->round);
    return OC_ERR_OK;
}

/* ---- Before and after ---- */

/* The processors of both threads: those wanted, or the first and the last that may be used. */
static void choose_cpus(const bench_capture_options_t *options, bench_capture_result_t *result)
{
    int first = 0;
    int last = 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
            if (CPU_ISSET((size_t)cpu, &set))
                first = cpu;
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET((size_t)cpu, &set))
                last = cpu;
    }
    result->cpu = options->cpu;
    result->sweeper_cpu = options->sweeper_cpu;
    if (result->cpu == BENCH_HOST_CPU_ANY)
        result->cpu = result->sweeper_cpu == first ? last : first;
    if (result->sweeper_cpu == BENCH_HOST_CPU_ANY)
        result->sweeper_cpu = result->cpu == last ? first : last;
}

/* The book, with enough operations behind it: a sweep takes about as long as half an operation for
 * each order. */
static oc_err_t build(bench_t *bench)
{
    const bench_capture_options_t *options = bench->options;
    const uint64_t mixed = (uint64_t)options->rounds * (options->quiet + (uint64_t)options->orders);
    if (mixed > UINT32_MAX - options->orders)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "bench: %" PRIu32 " rounds of that many orders are too many operations",
                         options->rounds);
    oc_err_t err = workload_init(&bench->workload, WORKLOAD_W1, options->orders, (uint32_t)mixed);
    if (err != OC_ERR_OK)
        return err;
    const bench_options_t how = {.engine = OC_ENGINE_FAST, .repeats = 1};
    err = bench_book_engine(&bench->engine, &bench->workload, &how, bench_engine_tally_sink,
                            &bench->tally);
    while (err == OC_ERR_OK && bench->next < options->orders)
        err = apply_next(bench, false);
    return err;
}

static void sum_up_times(double columns[3][BENCH_CAPTURE_ROUNDS_MAX], uint32_t rounds, double unit,
                         bench_capture_times_t *times)
{
    times->p50_ns = timed_run_median(columns[0], rounds) * unit;
    times->p99_ns = timed_run_median(columns[1], rounds) * unit;
    times->p999_ns = timed_run_median(columns[2], rounds) * unit;
    times->worst_ns *= unit;
}

static void sum_up(bench_t *bench)
{
    rounds_t *rounds = &bench->rounds;
    bench_capture_result_t *result = bench->result;
    const uint32_t count = bench->options->rounds;
    result->pause_ns = timed_run_median(rounds->pause_ns, count) * bench->ns_per_tick;
    result->pause_worst_ns = rounds->pause_ns[count - 1] * bench->ns_per_tick; /* it is sorted */
    result->sweep_ms = timed_run_median(rounds->sweep_ms, count);
    result->pages = timed_run_median(rounds->pages, count);
    result->pages_owner = timed_run_median(rounds->pages_owner, count);
    result->pages_lost = timed_run_median(rounds->pages_lost, count);
    result->pool_highest = timed_run_median(rounds->pool_highest, count);
    result->operations = timed_run_median(rounds->operations, count);
    sum_up_times(rounds->during, bench->during_count, bench->ns_per_tick, &result->during);
    sum_up_times(rounds->quiet, count, bench->ns_per_tick, &result->quiet);
}

oc_err_t bench_capture(const bench_capture_options_t *options, bench_capture_result_t *result)
{
    OC_ASSERT(options->rounds >= 1);
    OC_ASSERT(options->rounds <= BENCH_CAPTURE_ROUNDS_MAX);
    memset(result, 0, sizeof *result);
    choose_cpus(options, result);
    bench_t bench;
    memset(&bench, 0, sizeof bench);
    bench.options = options;
    bench.result = result;
    bench.sweeper.cpu = result->sweeper_cpu;
    oc_err_t err = bench_host_pin(result->cpu);
    if (err != OC_ERR_OK)
        return err;
    bench.ticks = histogram_create();
    if (!bench.ticks)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for a histogram");
    err = build(&bench);
    if (err == OC_ERR_OK) {
        oc_arena_t *arena = engine_arena(bench.engine);
        result->arena_pages = arena->size >> OC_ARENA_PAGE_SHIFT;
        err = sweeper_start(&bench.sweeper, arena, options->pool_percent);
    }
    if (err == OC_ERR_OK)
        err = run_rounds(&bench);
    if (err == OC_ERR_OK) {
        sum_up(&bench);
        result->clean_ns = measure_clean(&bench);
    }
    sweeper_stop(&bench.sweeper);
    oc_engine_destroy(bench.engine);
    workload_fini(&bench.workload);
    histogram_destroy(bench.ticks);
    return err;
}
