/*
 * Unit tests of `outcry bench journal` in this process: what it refuses, and its keys. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static capture_t captured;

#define BENCH(...)                                                                                 \
    capture_main(bench_main, (const char *const[]){"bench", "journal", __VA_ARGS__, NULL},         \
                 &captured)

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--seconds", "1"), 2);
    assert_string_equal(captured.err, "outcry: bench: journal needs --dir DIR\n");
    assert_int_equal(BENCH("--dir", "x", "--round-mib", "5"), 2);
    assert_int_equal(BENCH("--dir", "x", "--sync", "periodic"), 2);
    assert_int_equal(BENCH("--dir", "x", "--entry-bytes", "7"), 2);
    assert_int_equal(BENCH("--dir", "/proc/none", "--round-mib", "4"), 1);
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "--entry-bytes"));
}

static void test_keys(void **state)
{
    (void)state;
    char folder[64];
    (void)snprintf(folder, sizeof folder, "bench_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(BENCH("--dir", folder, "--round-mib", "4", "--seconds", "1"), 0);
    const char *const keys[] = {
        "sync: always",       "entry_bytes: 256",  "entries_per_s: ",
        "journal_mb_per_s: ", "raw_mb_per_s: ",    "ratio: ",
        "group_bytes_avg: ",  "raw_sync_p50_us: ", "recovery_entries_per_s: ",
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strstr(captured.out, keys[i]))
            fail_msg("'%s' is not in '%s'", keys[i], captured.out);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
