/*
 * The demo of a cluster that cannot be: it fails, and leaves nothing. The one that goes well is
 * test/system/test_demo_cluster.sh. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/demo_cluster.h"
#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMBER_STATUS = 9 };

static capture_t captured;

static void test_members_end(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    assert_int_equal(setenv("TMPDIR", dir.path, 1), 0);
    const char *const argv[] = {"demo", "--cluster", "--seconds", "2", NULL};
    assert_int_equal(capture_main(demo_main, argv, &captured), EXIT_STATUS_FAILED);
    assert_non_null(strstr(captured.out, "A cluster of three members"));
    assert_non_null(strstr(captured.err, "ended with status 9"));
    assert_int_equal(rmdir(dir.path), 0); /* it is empty */
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

static void test_no_directory(void **state)
{
    (void)state;
    demo_scene_t scene = {.rate = 1, .seconds = 2};
    assert_int_equal(setenv("TMPDIR", "/proc/none", 1), 0);
    assert_int_equal(demo_cluster(&scene), EXIT_STATUS_FAILED);
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* This program is what the demo starts as its members. */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "member") == 0)
        return MEMBER_STATUS;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_end),
        cmocka_unit_test(test_no_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
