/*
 * `outcry cluster seed` between made directories. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/cluster.h"
#include "cli/subcommand.h"
#include "cluster/module_lock.h"
#include "lib/capture.h"
#include "lib/member_folder.h"

#include <stdio.h>
#include <unistd.h>

#define SEED(...)                                                                                  \
    capture_main(cluster_seed_main, (const char *const[]){"seed", __VA_ARGS__, NULL}, &captured)

static capture_t captured;

static void a_wiped_member_is_seeded(void **state)
{
    (void)state;
    member_folder_t member;
    char to[320];
    char line[64];
    member_folder_init(&member);
    (void)snprintf(to, sizeof to, "%s/wiped", member.temp.path);
    const int64_t end = member_folder_grow(&member, 9000);
    assert_int_equal(SEED("--from", member.dir, "--to", to), 0);
    capture_assert_out(&captured, "snapshot_position: -1\n");
    capture_assert_out(&captured, "log_start: 0\n");
    (void)snprintf(line, sizeof line, "log_end: %lld\n", (long long)end);
    capture_assert_out(&captured, line);
    assert_int_equal(SEED("--from", member.dir, "--to", to), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "only a wiped member is seeded");
    member_folder_fini(&member);
}

/* A source that runs must be one whose archive can be asked. */
static void a_running_source_must_answer(void **state)
{
    (void)state;
    member_folder_t member;
    char to[320];
    int lock;
    member_folder_init(&member);
    (void)snprintf(to, sizeof to, "%s/wiped", member.temp.path);
    assert_int_equal(module_lock_take(member.dir, &lock), OC_ERR_OK);
    assert_int_equal(SEED("--from", member.dir, "--to", to), EXIT_STATUS_FAILED);
    assert_int_not_equal(access(to, F_OK), 0);
    module_lock_give(lock);
    member_folder_fini(&member);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    assert_int_equal(SEED("--from", "nowhere"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--from DIR and --to DIR are needed");
    assert_int_equal(SEED("--from", "nowhere", "--to", "nothing"), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "nowhere");
    assert_int_equal(SEED("--from", "nowhere", "--to", "nothing", "--id", "1"), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "--id");
    assert_int_equal(SEED("--help"), 0);
    capture_assert_out(&captured, "usage: outcry cluster seed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wiped_member_is_seeded),
        cmocka_unit_test(a_running_source_must_answer),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
