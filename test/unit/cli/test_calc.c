/*
 * Unit tests of `outcry calc`: its kinds are found, and what is none is told. Run by ctest.
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

#define CALC(...)                                                                                  \
    capture_main(calc_main, (const char *const[]){"calc", __VA_ARGS__, NULL}, &captured)

static void test_help(void **state)
{
    (void)state;
    static const char *const kinds[] = {"burst", "buffers", "budget", "frames"};
    assert_int_equal(CALC("--help"), 0);
    capture_assert_out(&captured, "usage: outcry calc KIND");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        capture_assert_out(&captured, kinds[i]);
        assert_int_equal(CALC(kinds[i], "--help"), 0);
        capture_assert_out(&captured, "usage: outcry calc ");
        capture_assert_out(&captured, "--trace FILE");
        assert_string_equal(captured.err, "");
        assert_int_equal(CALC("-h"), 0);
    }
}

static void test_unknown(void **state)
{
    (void)state;
    const char *const alone[] = {"calc", NULL};
    assert_int_equal(capture_main(calc_main, alone, &captured), 2);
    assert_string_equal(captured.err,
                        "outcry: calc: calc needs a kind: burst, buffers, budget or frames\n");
    assert_int_equal(CALC("brust"), 2);
    assert_string_equal(captured.err, "outcry: calc: there is no 'brust'; did you mean 'burst'?\n");
    assert_int_equal(CALC("--json"), 2);
    capture_assert_err(&captured, "there is no '--json'");
    assert_string_equal(captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
