/*
 * Unit tests of `outcry bench recovery` in this process: what it refuses, and its keys. Run by
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
    capture_main(bench_main, (const char *const[]){"bench", "recovery", __VA_ARGS__, NULL},        \
                 &captured)

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--commands", "1000"), 2);
    assert_string_equal(captured.err, "outcry: bench: recovery needs --dir DIR\n");
    assert_int_equal(BENCH("--dir", "x", "--commands", "99"), 2);
    assert_int_equal(BENCH("--dir", "x", "--per-message", "257"), 2);
    assert_int_equal(BENCH("--dir", "x", "--repeats", "0"), 2);
    assert_int_equal(BENCH("--dir", "x", "--cpu", "1023"), 2);
    assert_int_equal(BENCH("--dir", "/proc/none", "--commands", "100"), 1);
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "--per-message"));
}

static void test_keys(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    assert_int_equal(BENCH("--dir", dir.path, "--commands", "1000", "--repeats", "1"), 0);
    const char *const keys[] = {
        "commands: 1000\n", "per_message: 1\n",
        "repeats: 1\n",     "entries: 1008\n",
        "journal_bytes: ",  "read_bytes: ",
        "write_s: ",        "recovery_s: ",
        "recovery_cpu_s: ", "recovery_commands_per_s: ",
        "read_only_s: ",    "state_hash: equal\n",
        "steal_pct: ",
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
