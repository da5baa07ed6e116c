/*
 * Recovery: verdicts, starting positions, readers that stop. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/journal_fixture.h"

#include <string.h>

static void fill(journal_fixture_t *log, int entries)
{
    log->length_max = 100;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (int i = 0; i < entries; i++) {
        assert_true(journal_fixture_append(log));
        if (i % 3 == 0)
            journal_fixture_write(log);
    }
    journal_fixture_write(log);
}

static void test_verdicts(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_NEW);
    assert_int_equal(log->verdict.term, 0);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    fill(log, 10);
    journal_fixture_kill(log);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_INTACT);
    assert_int_equal(log->verdict.entries, 10);
    assert_true(log->verdict.proven.value < log->verdict.end.value);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    /* Part of a group that nobody waited for. */
    fill(log, 0);
    assert_true(journal_fixture_append(log));
    assert_true(journal_fixture_append(log));
    storage_fake_fault(log->device, STORAGE_FAKE_KILL, 2);
    journal_flush(log->journal);
    (void)journal_writer_work(log->journal, 1);
    (void)journal_fixture_close(log);
    storage_fake_restart(log->device);
    log->committed = 11;
    storage_fake_flip(log->device, journal_fixture_path(0), log->ends[10] + 5, 1);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_TORN);
    assert_int_equal(log->verdict.entries, 11);
    assert_int_equal(log->verdict.end.value, log->ends[10]);
    assert_true(log->verdict.cut_bytes > 0);
    assert_non_null(strstr(log->verdict.line, "torn: 11 entries"));
    assert_int_equal(journal_start_stepped(log->journal), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
    assert_true(log->verdict.closed);
    assert_int_equal(log->verdict.entries, 11);
    journal_fixture_destroy(log);
}

static oc_err_t stop_at_third(void *context, const journal_entry_t *entry)
{
    (void)entry;
    return ++*(int *)context == 3 ? OC_ERR_CLOSED : OC_ERR_OK;
}

static void test_reader_stops(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    fill(log, 10);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    int seen = 0;
    journal_verdict_t verdict;
    assert_int_equal(
        journal_recover(log->journal, (log_position_t){0}, stop_at_third, &seen, &verdict),
        OC_ERR_CLOSED);
    assert_int_equal(seen, 3);
    journal_fixture_destroy(log);
}

typedef struct seen {
    uint64_t first;
    uint32_t count;
} seen_t;

static oc_err_t see(void *context, const journal_entry_t *entry)
{
    seen_t *seen = context;
    if (seen->count++ == 0)
        seen->first = entry->start.value;
    return OC_ERR_OK;
}

/* From every boundary, over several segments; the checksum there is that of the log up to there. */
static void test_from(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(9);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    while (journal_durable(log->journal).value < 2200000) {
        (void)journal_fixture_append(log);
        if (log->committed % 5 == 0)
            journal_fixture_write(log);
        journal_fixture_prepare(log);
    }
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    journal_verdict_t verdict;
    for (uint32_t i = 0; i < log->committed; i += 29) {
        const uint64_t from = log->ends[i];
        seen_t seen = {0};
        assert_int_equal(
            journal_recover(log->journal, (log_position_t){from}, see, &seen, &verdict), OC_ERR_OK);
        assert_int_equal(seen.count, log->committed - i - 1);
        assert_true(seen.count == 0 || seen.first >= from);
        assert_int_equal(verdict.checksum, log->verdict.checksum);
        const uint32_t checksum = verdict.from_checksum;
        assert_int_equal(journal_recover_up_to(log->journal, (log_position_t){from}, &verdict),
                         OC_ERR_OK);
        assert_int_equal(verdict.end.value, from);
        assert_int_equal(verdict.checksum, checksum);
    }
    const uint64_t wrong[] = {log->ends[3] + 32, log->verdict.end.value + 4096, 1, UINT64_MAX / 4};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(
            journal_recover(log->journal, (log_position_t){wrong[i]}, NULL, NULL, &verdict),
            OC_ERR_DAMAGED);
        assert_int_equal(verdict.kind, JOURNAL_DAMAGED);
        assert_string_equal(verdict.line, oc_err_context());
    }
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_reader_stops),
        cmocka_unit_test(test_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
