/*
 * The table of `outcry cluster`, and what its commands say to a wrong command line. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/cluster.h"
#include "cli/subcommand.h"
#include "lib/capture.h"

#include <string.h>

static capture_t said;

#define RUN(...)                                                                                   \
    capture_main(cluster_main, (const char *const[]){"cluster", __VA_ARGS__, NULL}, &said)

static void table(void **state)
{
    (void)state;
    static const char *const names[] = {"up",      "status", "members",  "snapshot",
                                        "suspend", "resume", "shutdown", "abort",
                                        "prune",   "seed",   "diff"};
    const char *const nothing[] = {"cluster", NULL};
    assert_int_equal(RUN("--help"), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!strstr(said.out, names[i]))
            fail_msg("%s is not listed", names[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(RUN(names[i], "--help"), 0);
        assert_non_null(strstr(said.out, "usage: outcry cluster"));
        assert_int_equal(RUN(names[i], "--no-such-option"), EXIT_STATUS_USAGE);
    }
    assert_int_equal(capture_main(cluster_main, nothing, &said), EXIT_STATUS_USAGE);
    assert_int_equal(RUN("snapshto"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said.err, "did you mean 'snapshot'?"));
    assert_int_equal(RUN("zzzzzzzzzz"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said.err, "see outcry cluster --help"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table)};
    return cmocka_run_group_tests_name("cluster", tests, NULL, NULL);
}
