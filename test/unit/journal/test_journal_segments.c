/*
 * Segments as files: what is found, refused, tidied up and purged. Run by ctest.
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
}

static void test_other_names_are_left_alone(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    const char *const names[] = {"log/readme", "log/0000000000100000.journal.old",
                                 "log/0000000000100000", "log/000000000010000g.journal",
                                 "log/0000000000000000.cut"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        storage_fake_put(log->device, names[i], "x", 1);
    storage_fake_put(log->device, "log/0000000000100000.preparing", "x", 1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    uint64_t size = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(storage_fake_bytes(log->device, names[i], &size));
    assert_null(storage_fake_bytes(log->device, "log/0000000000100000.preparing", &size));
    journal_fixture_destroy(log);
}

static void refuse(journal_fixture_t *log, uint64_t offset, const char *what)
{
    storage_fake_flip(log->device, journal_fixture_path(0), offset, 0x10);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), what) || !strstr(oc_err_context(), "0000000000000000.journal"))
        fail_msg("'%s'", oc_err_context());
    storage_fake_flip(log->device, journal_fixture_path(0), offset, 0x10);
}

static void test_headers(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    refuse(log, 0, "offset 0");
    refuse(log, 37, "offset 0");
    /* A good checksum over a wrong content. */
    uint64_t size = 0;
    uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    journal_segment_header_t header;
    memcpy(&header, bytes, sizeof header);
    header.version = 9;
    header.crc = crc32c(0, &header, offsetof(journal_segment_header_t, crc));
    memcpy(bytes, &header, sizeof header);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "format version 9"));
    storage_fake_put(log->device, journal_fixture_path(0), "short", 5);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "cut off"));
    journal_fixture_destroy(log);
}

static bool count_names(void *context, const char *name)
{
    assert_non_null(strstr(name, ".journal"));
    ++*(uint32_t *)context;
    return true;
}

static void test_purge(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(5);
    fill_to(log, 4500000);
    const log_position_t keep = {3 << 20};
    uint32_t names = 0;
    uint64_t size = 0;
    assert_int_equal(journal_purge(log->journal, keep, true, count_names, &names), OC_ERR_OK);
    assert_int_equal(names, 2);
    assert_int_equal(journal_first(log->journal).value, 0);
    names = 0;
    assert_int_equal(journal_purge(log->journal, keep, false, count_names, &names), OC_ERR_OK);
    assert_int_equal(names, 2);
    assert_int_equal(journal_first(log->journal).value, 2 << 20);
    assert_null(storage_fake_bytes(log->device, journal_fixture_path(1 << 20), &size));
    assert_non_null(storage_fake_bytes(log->device, journal_fixture_path(2 << 20), &size));
    /* Never what is not yet durable, nor the segment that is being filled. */
    assert_int_equal(journal_purge(log->journal, (log_position_t){UINT64_MAX}, false, NULL, NULL),
                     OC_ERR_OK);
    assert_int_equal(journal_first(log->journal).value, 4 << 20);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    journal_verdict_t verdict;
    assert_int_equal(journal_open(&log->journal, &log->config), OC_ERR_OK);
    assert_int_equal(journal_recover(log->journal, (log_position_t){0}, NULL, NULL, &verdict),
                     OC_ERR_DAMAGED);
    assert_int_equal(
        journal_recover(log->journal, journal_first(log->journal), NULL, NULL, &verdict),
        OC_ERR_OK);
    assert_int_equal(verdict.kind, JOURNAL_CLEAN);
    assert_int_equal(journal_start_stepped(log->journal), OC_ERR_OK);
    assert_int_equal(journal_term(log->journal), 2);
    journal_fixture_destroy(log);
}

/* The power goes at any step of a purge: what is left has no hole. */
static void test_purge_without_power(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth <= 6; nth++) {
        journal_fixture_t *log = journal_fixture_create(nth);
        fill_to(log, 4500000);
        storage_fake_fault(log->device, STORAGE_FAKE_POWER_CUT, nth);
        assert_int_not_equal(
            journal_purge(log->journal, (log_position_t){UINT64_MAX}, false, NULL, NULL),
            OC_ERR_OK);
        (void)journal_fixture_close(log);
        storage_fake_restart(log->device);
        assert_int_equal(journal_open(&log->journal, &log->config), OC_ERR_OK);
        journal_fixture_destroy(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_names_are_left_alone),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_purge),
        cmocka_unit_test(test_purge_without_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
