/*
 * `outcry cluster prune` on a made directory of a stopped member: what it says, what it does, and
 * that it does nothing beside a member that runs. Run by ctest.
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
#include <string.h>

#define SEGMENT ((int64_t)MEMBER_FOLDER_SEGMENT_BYTES)
#define PRUNE(...)                                                                                 \
    capture_main(cluster_prune_main, (const char *const[]){"prune", __VA_ARGS__, NULL}, &captured)

static capture_t captured;

static void assert_out(const char *part)
{
    if (!strstr(captured.out, part))
        fail_msg("'%s' is not in '%s' ('%s')", part, captured.out, captured.err);
}

static void assert_err(const char *part)
{
    if (!strstr(captured.err, part))
        fail_msg("'%s' is not in '%s'", part, captured.err);
}

static void make(member_folder_t *member)
{
    member_folder_init(member);
    const int64_t position = member_folder_grow(member, 2 * SEGMENT + 100);
    (void)member_folder_image(member, position, 0, MEMBER_FOLDER_LOG_ID);
    (void)member_folder_snapshot(member, position, false);
    (void)member_folder_grow(member, 3 * SEGMENT + 100);
}

static void a_dry_run_changes_nothing(void **state)
{
    (void)state;
    member_folder_t member;
    make(&member);
    assert_int_equal(PRUNE("--dir", member.dir, "--dry-run"), 0);
    assert_out("new_start_position: 262144\n");
    assert_out("would_remove: 0-0.rec ");
    assert_out("would_remove: 0-131072.rec ");
    assert_out("files: 2\n");
    assert_true(member_folder_has(&member, 0, 0));
    assert_int_equal(PRUNE("--dir", member.dir, "--dry-run", "--keep-from", "131072"), 0);
    assert_out("keep_from: 131072\n");
    assert_out("new_start_position: 131072\n");
    member_folder_fini(&member);
}

static void a_stopped_member_is_pruned(void **state)
{
    (void)state;
    member_folder_t member;
    make(&member);
    assert_int_equal(PRUNE("--dir", member.dir), 0);
    assert_out("removed: 0-131072.rec ");
    assert_false(member_folder_has(&member, 0, 0));
    assert_false(member_folder_has(&member, 0, SEGMENT));
    assert_true(member_folder_has(&member, 0, 2 * SEGMENT));
    assert_int_equal(PRUNE("--dir", member.dir), 0);
    assert_out("files: 0\n");
    member_folder_fini(&member);
}

/* Somebody holds the lock, and there is no configuration that says where its archive is. */
static void a_running_member_is_left_alone(void **state)
{
    (void)state;
    member_folder_t member;
    int lock;
    make(&member);
    assert_int_equal(module_lock_take(member.dir, &lock), OC_ERR_OK);
    assert_int_equal(PRUNE("--dir", member.dir), EXIT_STATUS_FAILED);
    assert_int_equal(PRUNE("--dir", member.dir, "--snapshots"), EXIT_STATUS_FAILED);
    assert_err("the member runs");
    assert_true(member_folder_has(&member, 0, 0));
    assert_int_equal(PRUNE("--dir", member.dir, "--dry-run"), 0);
    module_lock_give(lock);
    member_folder_fini(&member);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    assert_int_equal(PRUNE("--dir", member.dir), EXIT_STATUS_FAILED);
    assert_err("there is no official snapshot");
    assert_int_equal(PRUNE("--dry-run"), EXIT_STATUS_USAGE);
    assert_err("--dir DIR is needed");
    assert_int_equal(PRUNE("--keep-snapshots", "0"), EXIT_STATUS_USAGE);
    assert_int_equal(PRUNE("--help"), 0);
    assert_out("usage: outcry cluster prune");
    member_folder_fini(&member);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dry_run_changes_nothing),
        cmocka_unit_test(a_stopped_member_is_pruned),
        cmocka_unit_test(a_running_member_is_left_alone),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
