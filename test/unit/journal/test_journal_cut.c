/*
 * Cutting by hand: what is kept, lost and saved. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/journal_fixture.h"

#include <string.h>

static void fill_to(journal_fixture_t *log, uint64_t end)
{
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    while (journal_durable(log->journal).value < end) {
        (void)journal_fixture_append(log);
        journal_fixture_write(log);
        journal_fixture_prepare(log);
    }
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
}

/* Given up behind entry `last`. */
static void expect_only(journal_fixture_t *log, uint32_t last)
{
    log->committed = last + 1;
    log->acknowledged = 0;
}

static void test_cut_damage(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(4);
    fill_to(log, 2500000);
    storage_fake_flip(log->device, journal_fixture_path(0), journal_block_up(log->ends[100]) + 84,
                      1);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    const log_position_t at = log->verdict.end;
    journal_cut_t cut;
    assert_int_equal(journal_cut(log->journal, at, true, &cut), OC_ERR_OK);
    assert_int_equal(cut.end.value, at.value);
    assert_true(cut.lost_to.value > 2500000);
    assert_int_equal(cut.files, 0);
    uint64_t size = 0;
    assert_null(storage_fake_bytes(log->device, "log/0000000000000000.cut", &size));
    assert_int_equal(journal_cut(log->journal, at, false, &cut), OC_ERR_OK);
    assert_int_equal(cut.files, 3);
    assert_non_null(storage_fake_bytes(log->device, "log/0000000000000000.cut", &size));
    assert_int_equal(size, (1 << 20) - journal_block_down(at.value));
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    expect_only(log, log->read - 1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(journal_term(log->journal), 2);
    assert_true(journal_fixture_append(log));
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
    journal_fixture_destroy(log);
}

/* What is saved and copied back is the log as it was. */
static void test_saved_bytes(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(4);
    fill_to(log, 300000);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    const uint32_t checksum = log->verdict.checksum;
    journal_cut_t cut;
    assert_int_equal(journal_cut(log->journal, (log_position_t){log->ends[20]}, false, &cut),
                     OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    uint64_t saved = 0;
    uint64_t size = 0;
    const uint8_t *from = storage_fake_bytes(log->device, "log/0000000000000000.cut", &saved);
    uint8_t *to = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    memcpy(to + journal_block_down(log->ends[20]), from, saved);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.checksum, checksum);
    assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
    journal_fixture_destroy(log);
}

/* Each cut of a segment saves to a name of its own. */
static void test_cut_again(void **state)
{
    (void)state;
    static const char *const names[] = {"log/0000000000000000.cut", "log/0000000000000000.1.cut",
                                        "log/0000000000000000.2.cut"};
    journal_fixture_t *log = journal_fixture_create(4);
    fill_to(log, 300000);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t last = 20 - i * 5;
        uint64_t size = 0;
        journal_cut_t cut;
        assert_null(storage_fake_bytes(log->device, names[i], &size));
        assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
        assert_int_equal(journal_cut(log->journal, (log_position_t){log->ends[last]}, false, &cut),
                         OC_ERR_OK);
        assert_non_null(storage_fake_bytes(log->device, names[i], &size));
        assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
        expect_only(log, last);
    }
    journal_fixture_destroy(log);
}

static void test_refusals(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(4);
    fill_to(log, 300000);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    const uint64_t operations = storage_fake_operations(log->device);
    journal_cut_t cut;
    assert_int_equal(journal_cut(log->journal, (log_position_t){log->ends[20] + 32}, false, &cut),
                     OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), "no boundary"));
    assert_int_equal(journal_cut(log->journal, (log_position_t){UINT64_C(1) << 40}, false, &cut),
                     OC_ERR_INVALID_ARGUMENT);
    /* Nothing behind it: nothing to do. */
    assert_int_equal(journal_cut(log->journal, log->verdict.end, false, &cut), OC_ERR_OK);
    assert_int_equal(cut.files, 0);
    assert_int_equal(storage_fake_operations(log->device), operations);
    journal_fixture_destroy(log);
}

/* The next segment is gone: the PAD that points there goes too. */
static void test_after_a_pad(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(3);
    fill_to(log, 1500000);
    const storage_t *storage = storage_fake_table(log->device);
    assert_int_equal(storage->remove(storage, journal_fixture_path(1 << 20)), OC_ERR_OK);
    if (storage->remove(storage, journal_fixture_path(2 << 20)) != OC_ERR_OK)
        fail();
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    journal_cut_t cut;
    assert_int_equal(journal_cut(log->journal, log->verdict.end, false, &cut), OC_ERR_OK);
    assert_int_equal(cut.lost_to.value, 1 << 20);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    expect_only(log, log->read - 1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_damage),  cmocka_unit_test(test_saved_bytes),
        cmocka_unit_test(test_cut_again),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_after_a_pad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
