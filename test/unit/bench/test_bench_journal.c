/*
 * `outcry bench journal`'s measurement, small. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run(journal_sync_t sync, uint32_t entry_bytes)
{
    char folder[64];
    (void)snprintf(folder, sizeof folder, "bench_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
    const bench_journal_options_t options = {
        .dir = folder,
        .seconds = 0,
        .entry_bytes = entry_bytes,
        .round_bytes = 4 << 20,
        .sync = sync,
    };
    bench_journal_result_t result;
    assert_int_equal(bench_journal(&options, &result), OC_ERR_OK);
    assert_int_equal(result.rounds, 3);
    assert_true(result.entries_per_s > 0);
    assert_true(result.journal_mb_per_s > 0);
    assert_true(result.raw_mb_per_s > 0);
    assert_true(result.ratio > 0);
    assert_true(result.group_bytes_avg >= 4096);
    assert_true(result.raw_sync_p50_us > 0);
    assert_true(result.recovery_entries_per_s > 0);
    /* Nothing is left behind. */
    assert_int_equal(rmdir(folder), 0);
}

static void test_modes(void **state)
{
    (void)state;
    run(JOURNAL_SYNC_ALWAYS, 64);
    run(JOURNAL_SYNC_NONE, 2000);
}

static void test_no_such_folder(void **state)
{
    (void)state;
    const bench_journal_options_t options = {.dir = "/proc/none", .round_bytes = 4 << 20};
    bench_journal_result_t result;
    assert_int_equal(bench_journal(&options, &result), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/proc/none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_no_such_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
