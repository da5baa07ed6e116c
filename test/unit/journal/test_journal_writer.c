/*
 * The writer: batches, sync modes, failures that are final. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/journal_fixture.h"

static uint64_t syncs(journal_fixture_t *log)
{
    journal_stats_t stats;
    journal_stats(log->journal, &stats);
    return stats.syncs;
}

static void test_one_sync_for_a_batch(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    const uint64_t before = syncs(log);
    while (journal_fixture_append(log)) {
    }
    assert_int_equal(journal_writer_work(log->journal, 1), log->config.groups);
    assert_int_equal(syncs(log), before + 1);
    assert_int_equal(journal_writer_work(log->journal, 1), 0);
    journal_fixture_destroy(log);
}

static void test_weaker_modes(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.sync = JOURNAL_SYNC_NONE;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_true(journal_fixture_append(log));
    journal_fixture_write(log);
    assert_int_equal(syncs(log), 0);
    assert_true(log->acknowledged >= log->ends[0]);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    log->config.sync = JOURNAL_SYNC_PERIODIC;
    log->config.sync_period_ms = 10;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    log->journal->writer.synced_at_ns = 0;
    const uint64_t before = syncs(log);
    assert_true(journal_fixture_append(log));
    log->now_ns = 9999999;
    journal_fixture_write(log);
    assert_int_equal(syncs(log), before);
    (void)journal_writer_work(log->journal, 10000000);
    assert_int_equal(syncs(log), before + 1);
    (void)journal_writer_work(log->journal, 50000000);
    assert_int_equal(syncs(log), before + 1);
    journal_fixture_kill(log);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    journal_fixture_destroy(log);
}

/* Entries over three segments and more, without the device being waited for. */
static void fill_unsynced(journal_fixture_t *log, journal_sync_t sync)
{
    log->config.sync = sync;
    log->config.sync_period_ms = 60000;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    log->journal->writer.synced_at_ns = log->now_ns;
    while (journal_durable(log->journal).value < 3500000) {
        (void)journal_fixture_append(log);
        journal_fixture_write(log);
        while (journal_preparer_work(log->journal, UINT64_MAX) > 0) {
        }
    }
}

/* Fails if an entry was lost: journal_fixture_open() holds it against what was acknowledged. */
static void cut_power_and_open(journal_fixture_t *log)
{
    storage_fake_power_cut(log->device);
    (void)journal_fixture_close(log);
    storage_fake_restart(log->device);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
}

/* A process of a weaker mode was killed; the next one makes all of what is there durable, also what
 * lies in segments before the last. */
static void test_start_syncs_what_was_only_written(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        journal_fixture_t *log = journal_fixture_create(seed);
        fill_unsynced(log, seed % 2 ? JOURNAL_SYNC_NONE : JOURNAL_SYNC_PERIODIC);
        journal_fixture_kill(log);
        log->config.sync = seed % 4 < 2 ? JOURNAL_SYNC_ALWAYS : JOURNAL_SYNC_NONE;
        assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
        journal_fixture_kill(log);
        log->config.sync = JOURNAL_SYNC_ALWAYS;
        assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
        assert_true(journal_fixture_append(log));
        journal_fixture_write(log);
        cut_power_and_open(log);
        journal_fixture_destroy(log);
    }
}

static void test_close_syncs_what_was_only_written(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        journal_fixture_t *log = journal_fixture_create(seed);
        fill_unsynced(log, seed % 2 ? JOURNAL_SYNC_NONE : JOURNAL_SYNC_PERIODIC);
        assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
        cut_power_and_open(log);
        assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
        journal_fixture_destroy(log);
    }
}

static void fail_with(storage_fake_fault_t fault, oc_err_t expected)
{
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_prepare(log);
    const uint64_t durable = journal_durable(log->journal).value;
    storage_fake_fault(log->device, fault, 1);
    assert_true(journal_fixture_append(log));
    journal_fixture_write(log);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FAILED);
    assert_int_equal(journal_failure(log->journal), expected);
    assert_int_equal(journal_durable(log->journal).value, durable);
    /* Never tried again. */
    const uint64_t operations = storage_fake_operations(log->device);
    assert_int_equal(journal_writer_work(log->journal, 1), 0);
    assert_int_equal(journal_preparer_work(log->journal, UINT64_MAX), 0);
    assert_int_equal(storage_fake_operations(log->device), operations);
    assert_int_equal(journal_fixture_close(log), expected);
    journal_fixture_destroy(log);
}

static void test_failures_are_final(void **state)
{
    (void)state;
    fail_with(STORAGE_FAKE_WRITE_ERROR, OC_ERR_WRITE);
    fail_with(STORAGE_FAKE_SHORT_WRITE, OC_ERR_WRITE);
    fail_with(STORAGE_FAKE_SYNC_ERROR, OC_ERR_SYNC);
    fail_with(STORAGE_FAKE_NO_SPACE, OC_ERR_NO_SPACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_sync_for_a_batch),
        cmocka_unit_test(test_weaker_modes),
        cmocka_unit_test(test_start_syncs_what_was_only_written),
        cmocka_unit_test(test_close_syncs_what_was_only_written),
        cmocka_unit_test(test_failures_are_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
