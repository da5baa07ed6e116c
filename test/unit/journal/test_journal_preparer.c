/*
 * The preparer: segments ahead, pace, a full device. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/error.h"
#include "lib/journal_fixture.h"

#include <string.h>
#include <time.h>

static uint64_t ready(journal_fixture_t *log)
{
    journal_stats_t stats;
    journal_stats(log->journal, &stats);
    return stats.segments_ready;
}

static void test_prepares_ahead(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.ready_segments = 3;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(ready(log), 0);
    journal_fixture_prepare(log);
    assert_int_equal(ready(log), 3);
    uint64_t size = 0;
    const uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(3 << 20), &size);
    assert_non_null(bytes);
    assert_int_equal(size, 1 << 20);
    assert_memory_equal(bytes, JOURNAL_MAGIC, JOURNAL_MAGIC_SIZE);
    for (uint64_t at = STORAGE_BLOCK; at < size; at++)
        assert_int_equal(bytes[at], 0);
    assert_null(storage_fake_bytes(log->device, journal_fixture_path(4 << 20), &size));
    journal_fixture_destroy(log);
}

/* With a segment in reserve and a busy writer it waits between its writes. */
static void test_pace(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.ready_segments = 2;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    log->config.ready_segments = 1;
    while (ready(log) == 0)
        assert_int_equal(journal_preparer_work(log->journal, 1000), 1);
    assert_int_equal(journal_preparer_work(log->journal, 1000), 1);
    assert_true(journal_fixture_append(log));
    journal_fixture_write(log);
    assert_int_equal(journal_preparer_work(log->journal, 1000), 1);
    assert_int_equal(journal_preparer_work(log->journal, 1000), 0);
    assert_int_equal(journal_preparer_work(log->journal, 1000 + 999999), 0);
    assert_int_equal(journal_preparer_work(log->journal, 1000 + 1000000), 1);
    journal_fixture_destroy(log);
}

static void test_full_device_is_waited_out(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.low_space_bytes = 0;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    storage_fake_fault(log->device, STORAGE_FAKE_NO_SPACE, 3);
    for (int i = 0; i < 3; i++)
        (void)journal_preparer_work(log->journal, 5);
    assert_int_equal(journal_condition(log->journal), JOURNAL_LOW_SPACE);
    assert_null(log->journal->preparer.file);
    assert_int_equal(journal_preparer_work(log->journal, 99999999), 0);
    journal_fixture_prepare(log);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FINE);
    assert_int_equal(ready(log), 1);
    journal_fixture_destroy(log);
}

static void test_other_failures_are_final(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    storage_fake_fault(log->device, STORAGE_FAKE_SYNC_ERROR, 1);
    journal_fixture_prepare(log);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FAILED);
    assert_int_equal(journal_failure(log->journal), OC_ERR_SYNC);
    journal_fixture_destroy(log);
}

static bool remove_fails;
static oc_err_t (*real_remove)(const storage_t *self, const char *path);

static oc_err_t remove_or_fail(const storage_t *self, const char *path)
{
    if (remove_fails)
        return error_set(OC_ERR_WRITE, "cannot remove %s: a planted fault", path);
    return real_remove(self, path);
}

/* What could not be thrown away on a full device does not stand in the way later. */
static void test_left_over(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.low_space_bytes = 0;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    const storage_t *fake = storage_fake_table(log->device);
    storage_t table = *fake;
    real_remove = fake->remove;
    table.remove = remove_or_fail;
    log->journal->storage = &table;
    storage_fake_fault(log->device, STORAGE_FAKE_NO_SPACE, 3);
    remove_fails = true;
    for (int i = 0; i < 3; i++)
        (void)journal_preparer_work(log->journal, 5);
    assert_int_equal(journal_condition(log->journal), JOURNAL_LOW_SPACE);
    uint64_t size = 0;
    assert_non_null(storage_fake_bytes(log->device, "log/0000000000100000.preparing", &size));
    remove_fails = false;
    journal_fixture_prepare(log);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FINE);
    assert_int_equal(ready(log), 1);
    log->journal->storage = fake;
    journal_fixture_destroy(log);
}

enum { RACES = 8 };

typedef struct race {
    const storage_t *fake;
    journal_t *journal;
    _Atomic int done;
    uint64_t idle_since_ns; /* 0: it was at work */
    uint64_t shortest_ns;   /* from the end of its work to the next */
} race_t;

static race_t race;

/* The last thing that the preparer does before it goes to sleep: the owner goes on to another
 * segment right then, and it is not asleep yet for anyone to wake it. */
static oc_err_t go_on_meanwhile(const storage_t *self, const char *dir, uint64_t *bytes)
{
    journal_stats_t stats;
    journal_stats(race.journal, &stats);
    const uint64_t now_ns = clock_wall_ns();
    if (race.idle_since_ns > 0) {
        if (now_ns - race.idle_since_ns < race.shortest_ns)
            race.shortest_ns = now_ns - race.idle_since_ns;
        atomic_fetch_add(&race.done, 1);
    }
    race.idle_since_ns = 0;
    if (stats.segments_ready > 0 && atomic_load(&race.done) < RACES) {
        race.idle_since_ns = now_ns;
        atomic_store(&race.journal->fill_base, atomic_load(&race.journal->ready_end) - (1 << 20));
        journal_waker_wake(&race.journal->preparer.waker);
    }
    return race.fake->free_bytes(self, dir, bytes);
}

static void test_looks_again_before_it_sleeps(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    race = (race_t){.fake = storage_fake_table(log->device), .shortest_ns = UINT64_MAX};
    storage_t table = *race.fake;
    table.free_bytes = go_on_meanwhile;
    log->config.storage = &table;
    log->config.low_space_bytes = 0;
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    race.journal = log->journal;
    assert_int_equal(journal_start(log->journal), OC_ERR_OK);
    const struct timespec pause = {.tv_nsec = 1000000};
    while (atomic_load(&race.done) < RACES)
        (void)nanosleep(&pause, NULL);
    /* It sleeps for 100 ms if it does; the shortest of some, for the sake of busy machines. */
    assert_true(race.shortest_ns < 50000000);
    journal_fixture_destroy(log);
}

/* ---- Releasing old segments ---- */

/* A log of three segments and more. */
static journal_fixture_t *long_log(uint64_t seed)
{
    journal_fixture_t *log = journal_fixture_create(seed);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    while (log->acknowledged < 7 << 19) {
        if (!journal_fixture_append(log))
            journal_fixture_prepare(log);
        journal_fixture_write(log);
    }
    journal_fixture_prepare(log);
    return log;
}

static bool has_segment(journal_fixture_t *log, uint64_t number)
{
    uint64_t size;
    return storage_fake_bytes(log->device, journal_fixture_path(number << 20), &size) != NULL;
}

static void test_release(void **state)
{
    (void)state;
    journal_fixture_t *log = long_log(4);
    journal_release(log->journal, (log_position_t){1 << 20});
    journal_fixture_prepare(log);
    assert_int_equal(journal_first(log->journal).value, 0);
    journal_release(log->journal, (log_position_t){(2 << 20) + 1});
    journal_release(log->journal, (log_position_t){5});
    journal_fixture_prepare(log);
    assert_int_equal(journal_first(log->journal).value, 2 << 20);
    assert_false(has_segment(log, 1));
    assert_true(has_segment(log, 2));
    /* What is only promised is not there yet. */
    journal_release(log->journal, (log_position_t){UINT64_MAX});
    journal_fixture_prepare(log);
    assert_int_equal(journal_first(log->journal).value, 3 << 20);
    assert_true(has_segment(log, 3));
    assert_true(journal_fixture_append(log));
    journal_fixture_write(log);
    journal_fixture_destroy(log);
}

/* Whatever fails, and wherever the power goes: no hole, and the log starts from what is left. */
static void release_with(storage_fake_fault_t fault, uint64_t nth, bool *over)
{
    journal_verdict_t verdict;
    journal_fixture_t *log = long_log(nth);
    const uint64_t keep = 3 << 20;
    journal_release(log->journal, (log_position_t){keep + 1});
    storage_fake_fault(log->device, fault, nth);
    journal_fixture_prepare(log);
    journal_fixture_prepare(log);
    *over = storage_fake_fault_pending(log->device);
    storage_fake_fault(log->device, STORAGE_FAKE_NO_FAULT, 1);
    assert_true(storage_fake_is_off(log->device) ||
                journal_condition(log->journal) == JOURNAL_FINE);
    /* Behind a removal that may not last there is none. */
    if (*over || fault == STORAGE_FAKE_SYNC_ERROR)
        assert_int_equal(journal_first(log->journal).value, *over ? keep : nth << 20);
    storage_fake_power_cut(log->device);
    (void)journal_fixture_close(log);
    storage_fake_restart(log->device);
    assert_int_equal(journal_open(&log->journal, &log->config), OC_ERR_OK);
    assert_true(journal_first(log->journal).value <= keep);
    assert_int_equal(
        journal_recover(log->journal, journal_first(log->journal), NULL, NULL, &verdict),
        OC_ERR_OK);
    assert_true(verdict.end.value >= log->acknowledged);
    assert_int_equal(journal_start_stepped(log->journal), OC_ERR_OK);
    journal_fixture_destroy(log);
}

static void test_release_survives(void **state)
{
    (void)state;
    static const storage_fake_fault_t faults[] = {STORAGE_FAKE_SYNC_ERROR, STORAGE_FAKE_POWER_CUT,
                                                  STORAGE_FAKE_KILL};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        bool over = false;
        uint64_t nth = 1;
        for (; !over; nth++)
            release_with(faults[i], nth, &over);
        assert_true(nth > 3);
    }
}

static void test_release_tries_again(void **state)
{
    (void)state;
    journal_fixture_t *log = long_log(4);
    const storage_t *fake = storage_fake_table(log->device);
    storage_t table = *fake;
    real_remove = fake->remove;
    table.remove = remove_or_fail;
    log->journal->storage = &table;
    remove_fails = true;
    journal_release(log->journal, (log_position_t){3 << 20});
    (void)journal_preparer_work(log->journal, log->now_ns);
    assert_int_equal(journal_preparer_work(log->journal, log->now_ns + 999999999), 0);
    assert_int_equal(journal_first(log->journal).value, 0);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FINE);
    remove_fails = false;
    journal_fixture_prepare(log);
    assert_int_equal(journal_first(log->journal).value, 2 << 20);
    log->journal->storage = fake;
    journal_fixture_destroy(log);
}

/* What is removed makes room for what is to come. */
static void test_release_on_a_full_device(void **state)
{
    (void)state;
    journal_fixture_t *log = long_log(4);
    log->journal->config.low_space_bytes = 0;
    storage_fake_set_capacity(log->device, 5 << 20);
    for (int i = 0; i < 100000 && journal_condition(log->journal) != JOURNAL_FULL; i++) {
        if (!journal_fixture_append(log))
            journal_fixture_prepare(log);
        journal_fixture_write(log);
    }
    assert_int_equal(journal_condition(log->journal), JOURNAL_FULL);
    journal_release(log->journal, (log_position_t){3 << 20});
    journal_fixture_prepare(log);
    assert_int_equal(journal_first(log->journal).value, 2 << 20);
    assert_true(journal_fixture_append(log));
    journal_fixture_destroy(log);
}

static void test_start_without_space(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    storage_fake_set_capacity(log->device, 1 << 19);
    assert_int_equal(journal_fixture_start(log), OC_ERR_NO_SPACE);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    storage_fake_set_capacity(log->device, 8 << 20);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prepares_ahead),
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_full_device_is_waited_out),
        cmocka_unit_test(test_other_failures_are_final),
        cmocka_unit_test(test_left_over),
        cmocka_unit_test(test_looks_again_before_it_sleeps),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_release_survives),
        cmocka_unit_test(test_release_tries_again),
        cmocka_unit_test(test_release_on_a_full_device),
        cmocka_unit_test(test_start_without_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
