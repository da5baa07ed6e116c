/*
 * The preparer: segments ahead, pace, a full device. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/journal_fixture.h"

#include <string.h>

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
        cmocka_unit_test(test_start_without_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
