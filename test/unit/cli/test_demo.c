/*
 * The command line of `outcry demo`. What it does is shown by test/system/test_demo.sh, since it
 * starts the program itself. Run by ctest.
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

static void test_help(void **state)
{
    (void)state;
    assert_int_equal(DEMO("--help"), 0);
    assert_non_null(strstr(captured.out, "usage: outcry demo"));
    assert_non_null(strstr(captured.out, "--seconds N"));
    assert_non_null(strstr(captured.out, "--cluster"));
}

static void test_wrong_use(void **state)
{
    (void)state;
    assert_int_equal(DEMO("--seconds", "1"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(captured.err, "seconds"));
    assert_int_equal(DEMO("--rate", "0"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(captured.err, "rate"));
    assert_int_equal(DEMO("now"), EXIT_STATUS_USAGE);
    assert_string_equal(captured.out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_wrong_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
