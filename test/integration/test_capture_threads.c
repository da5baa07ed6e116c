/*
 * A capture with threads: the owner stores without a pause, the sweeper takes one capture after the
 * other. Each must be the state as it was when it began, which the sweeper knows because the stores
 * follow from a number: it makes the same ones again, up to that point, in memory of its own. Run
 * by ctest, also under the thread sanitizer.
 */
#define _GNU_SOURCE /* clock_gettime, sched_yield */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "snapshot/capture.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGE OC_ARENA_PAGE_SIZE

enum { ARENAS = 2, CAPTURES_MIN = 20, SECONDS_MAX = 2, SPINS = 2000 };

/* What one test is made of. */
typedef struct setup {
    size_t pages[ARENAS];
    size_t pool;
    uint64_t captures;       /* or fewer, when time is up */
    uint64_t stores_between; /* at least, from one begin to the next */
    uint64_t hot_pages;      /* seven of eight stores go to so many; 0: anywhere */
    bool incremental;        /* only changed pages, laid over what was before */
} setup_t;

/* Whose everything below it is, but the arenas and the capture themselves. */
typedef enum turn { TURN_OWNER, TURN_SWEEPER, TURN_STOP } turn_t;

typedef struct run {
    const setup_t *setup;
    oc_arena_t arenas[ARENAS];
    capture_t *capture;
    uint64_t stores; /* made by the owner, and only its */
    _Atomic int turn;
    uint64_t stores_at_begin;
    bool has_base;
    uint32_t base[ARENAS];
    uint8_t *truth[ARENAS]; /* the stores made again */
    uint64_t stores_in_truth;
    uint8_t *image[ARENAS]; /* what captures gave out */
    uint64_t complete;
    uint64_t lost;
    uint64_t given;
    uint64_t by_owner; /* of them, or for nothing, copied by the owner */
    uint64_t thrown;   /* copies of the sweeper thrown away */
    uint64_t wrong;    /* captures that are not the state as it was */
} run_t;

typedef struct place {
    size_t arena;
    size_t at;
    uint64_t value;
} place_t;

/* Where the nth store goes: 8 bytes, aligned. */
static place_t place_of(const setup_t *setup, uint64_t n)
{
    const uint64_t mixed = prng_mix(n + 1);
    place_t place;
    place.arena = (size_t)(mixed >> 63);
    uint64_t words = setup->pages[place.arena] * PAGE / sizeof place.value;
    if (setup->hot_pages && (mixed >> 56 & 7))
        words = setup->hot_pages * PAGE / sizeof place.value;
    place.at = (size_t)((mixed >> 8 & UINT32_MAX) * words >> 32) * sizeof place.value;
    place.value = mixed;
    return place;
}

static void store_next(run_t *run)
{
    const place_t place = place_of(run->setup, run->stores++);
    uint8_t *at = run->arenas[place.arena].base + place.at;
    oc_arena_touch(&run->arenas[place.arena], at);
    memcpy(at, &place.value, sizeof place.value);
}

/* ---- The sweeper ---- */

static void replay(run_t *run)
{
    while (run->stores_in_truth < run->stores_at_begin) {
        const place_t place = place_of(run->setup, run->stores_in_truth++);
        memcpy(run->truth[place.arena] + place.at, &place.value, sizeof place.value);
    }
}

/* The image takes the capture's pages; false if it was given up. What a lost one left in the image
 * is due in the next one again. */
static bool take_capture(run_t *run)
{
    static uint8_t room[PAGE];
    for (;;) {
        capture_page_t which;
        switch (capture_next(run->capture, room, &which, 64)) {
        case CAPTURE_PAGE:
            memcpy(run->image[which.arena] + which.page * PAGE, room, PAGE);
            run->given++;
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

static void sweep(run_t *run)
{
    const bool taken = take_capture(run);
    capture_stats_t stats;
    capture_stats(run->capture, &stats);
    run->by_owner += stats.pages_owner;
    run->thrown += stats.pages_lost;
    if (!taken) {
        run->lost++;
        return;
    }
    replay(run);
    bool same = true;
    for (size_t i = 0; i < ARENAS; i++)
        same &= memcmp(run->image[i], run->truth[i], run->setup->pages[i] * PAGE) == 0;
    run->wrong += !same;
    run->complete++;
    memcpy(run->base, capture_epochs(run->capture), sizeof run->base);
    run->has_base = run->setup->incremental;
}

static void *sweeper_main(void *context)
{
    run_t *run = context;
    int turn;
    int idle = 0;
    /* Acquire and release: the turn hands over what belongs to it. */
    while ((turn = atomic_load_explicit(&run->turn, memory_order_acquire)) != TURN_STOP) {
        if (turn == TURN_SWEEPER) {
            sweep(run);
            atomic_store_explicit(&run->turn, TURN_OWNER, memory_order_release);
            idle = 0;
        } else if (++idle >
                   SPINS) { /* at once where there are two processors, but not only there */
            (void)sched_yield();
        }
    }
    return NULL;
}

/* ---- The owner ---- */

static time_t seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Stores at full speed until there were enough captures. */
static void own(run_t *run)
{
    const time_t end = seconds_now() + SECONDS_MAX;
    uint64_t due = 0;
    for (;;) {
        for (int i = 0; i < 8; i++)
            store_next(run);
        /* Acquire, as above. */
        if (run->stores < due ||
            atomic_load_explicit(&run->turn, memory_order_acquire) != TURN_OWNER)
            continue;
        capture_end(run->capture);
        const uint64_t captures = run->complete + run->lost;
        if (captures >= run->setup->captures || (captures >= CAPTURES_MIN && seconds_now() >= end))
            break;
        run->stores_at_begin = run->stores;
        due = run->stores + run->setup->stores_between;
        assert_true(capture_begin(run->capture, run->has_base ? run->base : NULL));
        atomic_store_explicit(&run->turn, TURN_SWEEPER, memory_order_release);
    }
    atomic_store_explicit(&run->turn, TURN_STOP, memory_order_release);
}

static void run_setup(const setup_t *setup, run_t *run)
{
    memset(run, 0, sizeof *run);
    run->setup = setup;
    oc_arena_t *list[ARENAS];
    for (size_t i = 0; i < ARENAS; i++) {
        assert_true(oc_arena_init(&run->arenas[i], "threads", 1, setup->pages[i] * PAGE, false));
        run->truth[i] = calloc(setup->pages[i], PAGE);
        run->image[i] = calloc(setup->pages[i], PAGE);
        assert_non_null(run->truth[i]);
        assert_non_null(run->image[i]);
        list[i] = &run->arenas[i];
    }
    assert_int_equal(capture_create(&run->capture, list, ARENAS, setup->pool), OC_ERR_OK);
    pthread_t sweeper;
    assert_int_equal(pthread_create(&sweeper, NULL, sweeper_main, run), 0);
    own(run);
    assert_int_equal(pthread_join(sweeper, NULL), 0);
    capture_stats_t stats;
    capture_stats(run->capture, &stats);
    print_message("%" PRIu64 " complete, %" PRIu64 " lost; pages: %" PRIu64 " given, %" PRIu64
                  " copied by the owner, %" PRIu64 " copies thrown away\n",
                  run->complete, run->lost, run->given, run->by_owner, run->thrown);
    assert_int_equal(stats.begun, run->complete + run->lost);
    assert_int_equal(stats.abandoned, run->lost);
    assert_int_equal(stats.pool_used, 0);
    capture_destroy(run->capture);
    for (size_t i = 0; i < ARENAS; i++) {
        oc_arena_fini(&run->arenas[i]);
        free(run->truth[i]);
        free(run->image[i]);
    }
    assert_int_equal(run->wrong, 0);
}

/* ---- Tests ---- */

static void test_full_captures(void **state)
{
    (void)state;
    run_t run;
    const setup_t setup = {
        .pages = {700, 300}, .pool = 1000, .captures = 200, .stores_between = 1000};
    run_setup(&setup, &run);
    assert_int_equal(run.lost, 0);
}

/* So few pages that owner and sweeper meet on them all the time. */
static void test_few_pages(void **state)
{
    (void)state;
    run_t run;
    const setup_t setup = {.pages = {3, 2}, .pool = 5, .captures = 4000, .stores_between = 8};
    run_setup(&setup, &run);
    assert_int_equal(run.lost, 0);
}

static void test_incremental_captures(void **state)
{
    (void)state;
    run_t run;
    const setup_t setup = {.pages = {900, 500},
                           .pool = 1400,
                           .captures = 200,
                           .stores_between = 300,
                           .hot_pages = 12,
                           .incremental = true};
    run_setup(&setup, &run);
    assert_int_equal(run.lost, 0);
}

/* Some are given up; those that are not must be right, and the owner goes on. */
static void test_a_small_pool(void **state)
{
    (void)state;
    run_t run;
    const setup_t setup = {.pages = {600, 600},
                           .pool = 500,
                           .captures = 200,
                           .stores_between = 1000,
                           .hot_pages = 20,
                           .incremental = true};
    run_setup(&setup, &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_captures),
        cmocka_unit_test(test_few_pages),
        cmocka_unit_test(test_incremental_captures),
        cmocka_unit_test(test_a_small_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
