/*
 * Unit tests of `outcry demo` in this process, small. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

#include <string.h>

static capture_t captured;

#define DEMO(...)                                                                                  \
    capture_main(demo_main, (const char *const[]){"demo", __VA_ARGS__, NULL}, &captured)

static void assert_out(const char *part)
{
    if (!strstr(captured.out, part))
        fail_msg("'%s' is not in '%s'", part, captured.out);
}

static void test_small(void **state)
{
    (void)state;
    const char *const engines[] = {"fast", "reference"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(DEMO("--resting", "3000", "--operations", "3000", "--engine", engines[i]),
                         0);
        assert_out("orders came to rest");
        assert_out("lots changed hands");
        assert_out("commands a second");
        assert_out("  sell ");
        assert_out("  buy ");
        assert_out("oracle: ok");
        assert_out("the same to the bit");
        assert_non_null(strstr(captured.err, "second run 100 %\n"));
    }
}

static void test_reference_size(void **state)
{
    (void)state;
    assert_int_equal(DEMO("--engine", "reference", "--no-progress"), 0);
    assert_out("10000 orders to begin with, then 50000 operations; all of it twice");
}

static void test_no_progress(void **state)
{
    (void)state;
    assert_int_equal(DEMO("--resting", "100", "--operations", "0", "--no-progress"), 0);
    assert_string_equal(captured.err, "");
    assert_int_equal(DEMO("--resting", "100", "--operations", "0", "--progress"), 0);
    assert_non_null(strstr(captured.err, "first run ["));
}

/* One order: a book with an empty side, and nothing that trades. */
static void test_one_order(void **state)
{
    (void)state;
    assert_int_equal(DEMO("--resting", "1", "--operations", "0"), 0);
    assert_out("0 trades");
    assert_out("lots in      1 order ");
}

static void test_usage(void **state)
{
    (void)state;
    assert_int_equal(DEMO("--resting", "0"), 2);
    assert_int_equal(DEMO("file"), 2);
    assert_string_equal(captured.out, "");
    assert_int_equal(DEMO("--help"), 0);
    assert_out("--operations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),       cmocka_unit_test(test_reference_size),
        cmocka_unit_test(test_no_progress), cmocka_unit_test(test_one_order),
        cmocka_unit_test(test_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
