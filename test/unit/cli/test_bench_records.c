/*
 * Unit tests of `outcry bench records` in this process: what it refuses, and its lines. Run by
 * ctest.
 */
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

static capture_t captured;

#define BENCH(...)                                                                                 \
    capture_main(bench_records_main, (const char *const[]){"records", __VA_ARGS__, NULL}, &captured)

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(BENCH("--orders", "0"), 2);
    assert_int_equal(BENCH("--threads", "65"), 2);
    assert_int_equal(BENCH("--threads", "0"), 2);
    assert_int_equal(BENCH("--record-bytes", "511"), 2);
    assert_int_equal(BENCH("--repeats", "0"), 2);
    assert_int_equal(BENCH("--table", "perhaps"), 2);
    assert_int_equal(BENCH("stray"), 2);
    assert_int_equal(BENCH("--help"), 0);
    assert_non_null(strstr(captured.out, "--window-bytes"));
}

/* The line behind `heading`; NULL if there is none. */
static const char *line_after(const char *text, const char *heading)
{
    const char *at = strstr(text, heading);
    at = at ? strchr(at, '\n') : NULL;
    return at ? at + 1 : NULL;
}

static void test_lines(void **state)
{
    (void)state;
    assert_int_equal(
        BENCH("--orders", "3000", "--threads", "3", "--repeats", "1", "--import", "on"), 0);
    const char *heading = "orders bytes bytes_per_order take_ms threads records crc32c import_ms\n";
    assert_non_null(strstr(captured.out, heading));
    const char *line = line_after(captured.out, "orders bytes");
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        unsigned orders = 0;
        unsigned long long bytes = 0;
        double each = 0;
        double take = 0;
        unsigned with = 0;
        assert_non_null(line);
        assert_int_equal(sscanf(line, "%u %llu %lf %lf %u", &orders, &bytes, &each, &take, &with),
                         5);
        assert_int_equal(orders, 3000);
        assert_int_equal(with, threads);
        assert_true(each > 64 && each < 66);
        assert_true(take > 0);
        line = line_after(line, "3000 ");
    }
    assert_non_null(strstr(captured.out, "steal_pct: "));
    /* One thread alone has one line. */
    assert_int_equal(BENCH("--orders", "3000", "--threads", "1", "--repeats", "1"), 0);
    line = line_after(captured.out, "orders bytes");
    assert_null(strstr(line_after(line, "3000 "), "3000 "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
