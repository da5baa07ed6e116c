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

#include "base/storage.h"
#include "cli/cluster.h"
#include "cli/subcommand.h"
#include "cluster/module_lock.h"
#include "lib/capture.h"
#include "lib/member_folder.h"

#include <stdio.h>

#define SEGMENT ((int64_t)MEMBER_FOLDER_SEGMENT_BYTES)
#define PRUNE(...)                                                                                 \
    capture_main(cluster_prune_main, (const char *const[]){"prune", __VA_ARGS__, NULL}, &captured)

static capture_t captured;

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
    capture_assert_out(&captured, "new_start_position: 262144\n");
    capture_assert_out(&captured, "would_remove: 0-0.rec ");
    capture_assert_out(&captured, "would_remove: 0-131072.rec ");
    capture_assert_out(&captured, "files: 2\n");
    assert_true(member_folder_has(&member, 0, 0));
    assert_int_equal(PRUNE("--dir", member.dir, "--dry-run", "--keep-from", "131072"), 0);
    capture_assert_out(&captured, "keep_from: 131072\n");
    capture_assert_out(&captured, "new_start_position: 131072\n");
    member_folder_fini(&member);
}

static void a_stopped_member_is_pruned(void **state)
{
    (void)state;
    member_folder_t member;
    make(&member);
    assert_int_equal(PRUNE("--dir", member.dir), 0);
    capture_assert_out(&captured, "removed: 0-131072.rec ");
    assert_false(member_folder_has(&member, 0, 0));
    assert_false(member_folder_has(&member, 0, SEGMENT));
    assert_true(member_folder_has(&member, 0, 2 * SEGMENT));
    assert_int_equal(PRUNE("--dir", member.dir), 0);
    capture_assert_out(&captured, "nothing: the log is needed from position 262");
    capture_assert_out(&captured, " on, and its first file ends at position 393216\n");
    capture_assert_out(&captured, "files: 0\n");
    member_folder_fini(&member);
}

static void a_young_log_has_nothing_to_remove(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    assert_int_equal(PRUNE("--dir", member.dir), 0);
    capture_assert_out(&captured, "oldest_image: none\noldest_snapshot: none\n");
    capture_assert_out(&captured, "nothing: the log ends at position ");
    capture_assert_out(&captured, ", in its only file, which ends at position 131072\n");
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
    capture_assert_err(&captured, "the member runs");
    assert_true(member_folder_has(&member, 0, 0));
    assert_int_equal(PRUNE("--dir", member.dir, "--dry-run"), 0);
    module_lock_give(lock);
    member_folder_fini(&member);
}

/* What may go is found out under the locks: nothing is known of a member that comes up just now. */
static void a_member_without_its_module_is_left_alone(void **state)
{
    (void)state;
    member_folder_t member;
    char path[320];
    storage_file_t *lock;
    const storage_t *storage = storage_device();
    member_folder_init(&member);
    (void)snprintf(path, sizeof path, "%s/lock", member.dir);
    assert_int_equal(storage->lock(storage, path, &lock), OC_ERR_OK);
    assert_int_equal(PRUNE("--dir", member.dir), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "the member runs, but its module does not");
    storage->close(lock);
    assert_int_equal(PRUNE("--dir", member.dir), 0);
    member_folder_fini(&member);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    (void)member_folder_grow(&member, SEGMENT + 100);
    assert_int_equal(PRUNE("--dir", member.dir), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "there is no official snapshot");
    assert_int_equal(PRUNE("--dry-run"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--dir DIR is needed");
    assert_int_equal(PRUNE("--keep-snapshots", "0"), EXIT_STATUS_USAGE);
    assert_int_equal(PRUNE("--help"), 0);
    capture_assert_out(&captured, "usage: outcry cluster prune");
    member_folder_fini(&member);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dry_run_changes_nothing),
        cmocka_unit_test(a_stopped_member_is_pruned),
        cmocka_unit_test(a_young_log_has_nothing_to_remove),
        cmocka_unit_test(a_running_member_is_left_alone),
        cmocka_unit_test(a_member_without_its_module_is_left_alone),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
