/*
 * The command line of `outcry cluster up`, and what it does with a directory before anything is
 * started. Clusters that run are test/system/test_cluster_ops.sh.
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
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static capture_t said;

#define RUN(...)                                                                                   \
    capture_main(cluster_up_main, (const char *const[]){"up", __VA_ARGS__, NULL}, &said)

static void command_line(void **state)
{
    (void)state;
    assert_int_equal(RUN("--help"), 0);
    assert_non_null(strstr(said.out, "usage: outcry cluster up"));
    assert_int_equal(RUN("--dir", "x"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said.err, "--local is missing"));
    assert_int_equal(RUN("--local"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said.err, "--dir is missing"));
    assert_int_equal(RUN("--local", "--dir", "x", "--members", "10"), EXIT_STATUS_USAGE);
    assert_int_equal(RUN("--local", "--dir", "x", "--program", "counter"), EXIT_STATUS_USAGE);
    assert_non_null(strstr(said.err, "./counter"));
}

static void failures(void **state)
{
    (void)state;
    temp_dir_t dir;
    char base[300];
    temp_dir_make(&dir);
    (void)snprintf(base, sizeof base, "%s/no/such", dir.path);
    assert_int_equal(RUN("--local", "--dir", base), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/no/such: No such file"));
    (void)snprintf(base, sizeof base, "%s/base", dir.path);
    assert_int_equal(RUN("--local", "--dir", base, "--config", "/no/such"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/no/such: No such file"));
    /* Members that end at once: a majority is gone, which is said, and nothing is removed. */
    assert_int_equal(RUN("--local", "--dir", base, "--program", "/bin/false"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "ended with status 1"));
    assert_non_null(strstr(said.out, "ended: status 1\n"));
    assert_non_null(strstr(said.out, "kept: "));
    assert_int_equal(access(base, F_OK), 0);
    assert_int_equal(RUN("--local", "--dir", base, "--members", "5"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "a cluster of 3 members, not of 5"));
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_line),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests_name("cluster_up", tests, NULL, NULL);
}
