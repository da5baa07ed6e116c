/*
 * Unit tests of `outcry bench restore` in this process: what it refuses, and its keys. Run by
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
#include "lib/temp_dir.h"

#include <string.h>
#include <unistd.h>

static capture_t captured;

#define BENCH(...)                                                                                 \
    capture_main(bench_main, (const char *const[]){"bench", "restore", __VA_ARGS__, NULL},         \
                 &captured)

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--orders", "1000"), 2);
    assert_string_equal(captured.err, "outcry: bench: restore needs --dir DIR\n");
    assert_int_equal(BENCH("--dir", "x", "--orders", "0"), 2);
    assert_int_equal(BENCH("--dir", "x", "--repeats", "100"), 2);
    assert_int_equal(BENCH("--dir", "x", "--threads", "65"), 2);
    assert_int_equal(BENCH("--dir", "/proc/none", "--orders", "100"), 1);
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "--threads"));
}

static void test_keys(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    assert_int_equal(BENCH("--dir", dir.path, "--orders", "1000", "--repeats", "1"), 0);
    const char *const keys[] = {
        "orders: 1000\n",    "repeats: 1\n",        "threads: ",      "image_bytes: ",
        "bytes_per_order: ", "write_ms: ",          "raw_cold_ms: ",  "load_cold_ms: ",
        "cold_ratio: ",      "raw_warm_ms: ",       "load_warm_ms: ", "verify_hash_ms: ",
        "restore_warm_ms: ", "state_hash: equal\n", "steal_pct: ",
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strstr(captured.out, keys[i]))
            fail_msg("'%s' is not in '%s'", keys[i], captured.out);
    assert_int_equal(rmdir(dir.path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
