/*
 * Unit tests of `outcry bench` in this process: what it refuses, and the keys of small runs. Run by
 * ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/temp_file.h"

#include <string.h>

static capture_t captured;

#define BENCH(...)                                                                                 \
    capture_main(bench_main, (const char *const[]){"bench", __VA_ARGS__, NULL}, &captured)

static void assert_out(const char *part)
{
    if (!strstr(captured.out, part))
        fail_msg("'%s' is not in '%s'", part, captured.out);
}

static void test_usage(void **state)
{
    (void)state;
    const char *const alone[] = {"bench", NULL};
    assert_int_equal(capture_main(bench_main, alone, &captured), 2);
    assert_string_equal(captured.err, "outcry: bench needs a name, such as book or node; see "
                                      "outcry bench --help\n");
    assert_int_equal(BENCH("boook"), 2);
    assert_int_equal(BENCH("book", "--modify-priority", "lose"), 2);
    assert_int_equal(BENCH("sparse", "--workload", "W1"), 2);
    assert_int_equal(BENCH("book", "extra"), 2);
    assert_int_equal(BENCH("tape"), 2);
    assert_int_equal(BENCH("book", "--cpu", "1023"), 2);
    assert_string_equal(captured.out, "");
}

static void test_help(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--help"), 0);
    assert_out("--repeats");
    assert_int_equal(BENCH("tape", "--help"), 0);
    assert_out("--repeats");
}

static void test_book(void **state)
{
    (void)state;
    assert_int_equal(BENCH("book", "--workload", "W1", "--mode", "single", "--resting", "3000",
                           "--operations", "3000", "--repeats", "2"),
                     0);
    const char *const keys[] = {
        "build: ",          "compiler: ",        "cpu_model: ",           "load_average: ",
        "pinned_cpu: none", "engine: fast",      "mode: single",          "workload: W1",
        "fill_ns_per_op: ", "mixed_ns_per_op: ", "fill_wall_ns_per_op: ", "mixed_wall_ns_per_op: ",
        "p99_ns: ",         "p999_ns: ",         "bytes_per_order: ",     "trade_hash: ",
        "book_hash: ",      "oracle: ok",        "steal_pct: ",
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_out(keys[i]);
    assert_null(strstr(captured.out, "workload: W2"));
}

static void test_tape(void **state)
{
    (void)state;
    static const char day[] = "34200.1,1,11,100,5000000,1\n34200.2,1,12,50,5000000,1\n";
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, day, sizeof day - 1);
    assert_int_equal(BENCH("tape", file.path, "--repeats", "1"), 0);
    assert_out("messages: 4\n");
    assert_out("messages_per_s: ");
    assert_out("modify_priority: lose\n");
    assert_out("oracle: ok\n");
    temp_file_write(&file, "no flow", 7);
    assert_int_equal(BENCH("tape", file.path), 1);
    assert_memory_equal(captured.err, "outcry: ", 8);
    temp_file_remove(&file);
}

/* Sizes that the reference engine gets through. */
static void test_reference_sizes(void **state)
{
    (void)state;
    assert_int_equal(BENCH("book", "--workload", "W1", "--engine", "reference", "--repeats", "1"),
                     0);
    assert_out("resting: 10000\noperations: 50000\n");
    assert_out("oracle: ok\n");
    assert_int_equal(BENCH("sparse", "--engine", "reference", "--repeats", "1"), 0);
    assert_out("levels: 100\noperations: 20000\n");
    assert_out("oracle: ok\n");
    assert_int_equal(BENCH("deep", "--engine", "reference", "--repeats", "1"), 0);
    assert_out("orders: 10000\n");
    assert_out("sweep_levels: 100\n");
    assert_out("oracle: ok\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_book),
        cmocka_unit_test(test_tape),
        cmocka_unit_test(test_reference_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
