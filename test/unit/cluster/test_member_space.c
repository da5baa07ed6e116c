/*
 * When a member's device is said to be full, and in which words. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/member_space.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static temp_dir_t dir;
static member_config_t config;
static char words[300];

static int setup(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    member_config_init(&config);
    (void)snprintf(config.node.dir, sizeof config.node.dir, "%s", dir.path);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static void there_is_room(void **state)
{
    (void)state;
    config.low_space_bytes = 0;
    assert_false(member_space_full(&config, words, sizeof words));
    (void)snprintf(config.node.aeron_dir, sizeof config.node.aeron_dir, "%s", dir.path);
    assert_false(member_space_full(&config, words, sizeof words));
    (void)snprintf(config.node.dir, sizeof config.node.dir, "%s/none", dir.path);
    assert_false(member_space_full(&config, words, sizeof words));
}

static void expect(const char *part)
{
    assert_true(member_space_full(&config, words, sizeof words));
    if (!strstr(words, part))
        fail_msg("'%s' does not say '%s'", words, part);
}

static void less_than_is_wanted(void **state)
{
    (void)state;
    char path[400];
    config.low_space_bytes = UINT64_C(1) << 50;
    (void)snprintf(path, sizeof path, "the device of %s/ is full: ", dir.path);
    expect(path);
    expect(
        "bytes are free, and 281474976710656 are wanted (a quarter of [cluster] low_space_bytes)");
    (void)snprintf(path, sizeof path, "%s/archive", dir.path);
    assert_int_equal(mkdir(path, 0700), 0);
    expect("/archive is full: ");
}

/* A file system without a byte, as some are that are none. */
static void nothing_is_left(void **state)
{
    (void)state;
    config.low_space_bytes = 0;
    (void)snprintf(config.node.aeron_dir, sizeof config.node.aeron_dir, "/proc");
    expect("the device of /proc is full: 0 bytes are free, and 1048576 are wanted (the driver's "
           "directory)");
    (void)snprintf(config.node.dir, sizeof config.node.dir, "/proc");
    expect("is full: 0 bytes are free, and 1048576 are wanted");
    assert_null(strstr(words, "driver"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(there_is_room),
        TEST(less_than_is_wanted),
        TEST(nothing_is_left),
    };
    return cmocka_run_group_tests_name("member_space", tests, NULL, NULL);
}
