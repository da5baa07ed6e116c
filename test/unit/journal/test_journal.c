/*
 * The owner's side of the journal: positions, groups, segment ends, marks, terms. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/journal_fixture.h"

#include <string.h>

static uint32_t types[256];

static oc_err_t count_types(void *context, const journal_entry_t *entry)
{
    (void)context;
    types[entry->type]++;
    return OC_ERR_OK;
}

/* Counts all frames by type. */
static void look(journal_fixture_t *log, journal_verdict_t *verdict)
{
    memset(types, 0, sizeof types);
    log->config.own_entries = true;
    assert_int_equal(journal_open(&log->journal, &log->config), OC_ERR_OK);
    assert_int_equal(journal_recover(log->journal, (log_position_t){0}, count_types, NULL, verdict),
                     OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    log->config.own_entries = false;
}

static void test_positions(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_NEW);
    assert_int_equal(journal_term(log->journal), 1);
    /* Segment header, GROUP and TERM frame; the next group on the next block. */
    assert_int_equal(journal_durable(log->journal).value, 4096 + 64 + 64);
    assert_non_null(journal_claim(log->journal, 20, 1, 0));
    assert_int_equal(journal_commit(log->journal).value, 8192 + 64 + 64);
    assert_non_null(journal_claim(log->journal, 20, 0, 0));
    assert_int_equal(journal_commit(log->journal).value, 8192 + 64 + 64 + 32);
    assert_int_equal(journal_durable(log->journal).value, 4096 + 64 + 64);
    journal_flush(log->journal);
    assert_int_equal(journal_writer_work(log->journal, 1), 1);
    assert_int_equal(journal_durable(log->journal).value, 8192 + 64 + 64 + 32);
    assert_int_equal(journal_payload_max(log->journal), 16384);
    journal_fixture_destroy(log);
}

static void test_flush_waits_for_the_writer(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->length_max = 100;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_true(journal_fixture_append(log));
    journal_flush(log->journal);
    assert_true(journal_fixture_append(log));
    journal_flush(log->journal);
    assert_int_equal(atomic_load(&log->journal->handed), 2);
    assert_int_equal(journal_writer_work(log->journal, 1), 1);
    journal_flush(log->journal);
    assert_int_equal(atomic_load(&log->journal->handed), 3);
    /* Full buffers are handed on without a flush, until all wait. */
    while (journal_fixture_append(log)) {
    }
    journal_stats_t stats;
    journal_stats(log->journal, &stats);
    assert_int_equal(stats.claims_refused, 1);
    assert_int_equal(atomic_load(&log->journal->handed), 2 + log->config.groups);
    assert_int_equal(journal_writer_work(log->journal, 1), log->config.groups);
    assert_true(journal_fixture_append(log));
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    journal_fixture_destroy(log);
}

static void test_segment_end(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(7);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    while (journal_durable(log->journal).value < 3500000) {
        (void)journal_fixture_append(log);
        journal_fixture_prepare(log);
        journal_fixture_write(log);
    }
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    journal_verdict_t verdict;
    look(log, &verdict);
    assert_int_equal(types[JOURNAL_OWN_PAD], 3);
    assert_int_equal(types[JOURNAL_OWN_TERM], 1);
    assert_int_equal(types[JOURNAL_OWN_MARK], 1);
    assert_int_equal(verdict.kind, JOURNAL_CLEAN);
    journal_fixture_destroy(log);
}

static void test_idle_mark(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_true(journal_fixture_append(log));
    const uint64_t at = 1000000000;
    for (int i = 0; i < 6; i++) {
        journal_flush_at(log->journal, at + (uint64_t)i * JOURNAL_IDLE_MARK_NS);
        (void)journal_writer_work(log->journal, at);
    }
    journal_fixture_kill(log);
    journal_verdict_t verdict;
    look(log, &verdict);
    assert_int_equal(types[JOURNAL_OWN_MARK], 1);
    assert_int_equal(verdict.kind, JOURNAL_CLEAN);
    assert_false(verdict.closed);
    assert_non_null(strstr(verdict.line, "idle"));
    journal_fixture_destroy(log);
}

/* A tool that opened and closed it does not make a crash an orderly end, nor the other way. */
static void test_end_as_found(void **state)
{
    (void)state;
    for (int orderly = 0; orderly < 2; orderly++) {
        journal_fixture_t *log = journal_fixture_create(1);
        assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
        assert_true(journal_fixture_append(log));
        journal_fixture_write(log);
        if (orderly)
            assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
        else
            journal_fixture_kill(log);
        for (int tool = 0; tool < 2; tool++) {
            assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
            assert_int_equal(log->verdict.closed, orderly);
            journal_end_as_found(log->journal);
            assert_int_equal(journal_start_stepped(log->journal), OC_ERR_OK);
            assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
        }
        assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
        assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
        assert_int_equal(log->verdict.closed, orderly);
        journal_fixture_destroy(log);
    }
}

static void test_terms_rise(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    for (uint32_t life = 1; life <= 5; life++) {
        assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
        assert_int_equal(journal_term(log->journal), life);
        assert_true(journal_fixture_append(log));
        if (life % 2)
            assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
        else
            journal_fixture_kill(log);
    }
    journal_fixture_destroy(log);
}

static void test_full(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(2);
    log->config.low_space_bytes = 1 << 20;
    storage_fake_set_capacity(log->device, 4 << 20);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_prepare(log);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FINE);
    storage_fake_set_capacity(log->device, 3 << 20);
    journal_condition_t seen = JOURNAL_FINE;
    for (int i = 0; i < 5000 && seen != JOURNAL_FULL; i++) {
        (void)journal_fixture_append(log);
        journal_fixture_write(log);
        journal_fixture_prepare(log);
        const journal_condition_t now = journal_condition(log->journal);
        assert_true(now >= seen);
        seen = now;
    }
    assert_int_equal(seen, JOURNAL_FULL);
    /* What is committed is written all the same; the mark finds no place. */
    journal_fixture_write(log);
    storage_fake_set_capacity(log->device, 64 << 20);
    journal_fixture_prepare(log);
    assert_int_equal(journal_condition(log->journal), JOURNAL_FINE);
    assert_true(journal_fixture_append(log));
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
    journal_fixture_destroy(log);
}

static void test_open_refuses(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    journal_t *second = NULL;
    assert_int_equal(journal_open(&second, &log->config), OC_ERR_LOCKED);
    assert_null(second);
    assert_int_equal(journal_start_stepped(log->journal), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    /* An existing directory keeps the size of its segments. */
    log->config.segment_bytes = 4 << 20;
    log->config.group_bytes = 1 << 20;
    assert_int_equal(journal_fixture_open(log), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "group_bytes is 1048576"));
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),    cmocka_unit_test(test_flush_waits_for_the_writer),
        cmocka_unit_test(test_segment_end),  cmocka_unit_test(test_idle_mark),
        cmocka_unit_test(test_end_as_found), cmocka_unit_test(test_terms_rise),
        cmocka_unit_test(test_full),         cmocka_unit_test(test_open_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
