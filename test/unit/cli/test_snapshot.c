/*
 * `outcry snapshot`: its command line, and directories without an image. Images of a node are
 * test/system/test_snapshot.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/module_stage.h"
#include "lib/temp_dir.h"

static capture_t captured;

#define SNAPSHOT(...)                                                                              \
    capture_main(snapshot_main, (const char *const[]){"snapshot", __VA_ARGS__, NULL}, &captured)

static void assert_err(const char *part)
{
    if (!strstr(captured.err, part))
        fail_msg("'%s' is not in '%s'", part, captured.err);
}

static void test_help(void **state)
{
    (void)state;
    assert_int_equal(SNAPSHOT("--help"), 0);
    assert_non_null(strstr(captured.out, "usage: outcry snapshot take|list|verify|export|"));
    assert_int_equal(SNAPSHOT("take", "--help"), 0);
}

static void test_usage(void **state)
{
    (void)state;
    const char *const alone[] = {"snapshot", NULL};
    assert_int_equal(capture_main(snapshot_main, alone, &captured), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("tkae", "dir"), EXIT_STATUS_USAGE);
    assert_err("'tkae' is not one of take, list");
    assert_int_equal(SNAPSHOT("take"), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("list", "a", "b"), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("list", "a", "--full"), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("verify", "a", "--image", "0"), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("export", "a", "--threads", "65"), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("list", "a", "--threads", "2"), EXIT_STATUS_USAGE);
    assert_int_equal(SNAPSHOT("diff", "a"), EXIT_STATUS_USAGE);
    assert_err("--with");
}

/* A member's directory has no journal, and is no empty one of a node. */
static void test_take_of_a_stopped_member(void **state)
{
    (void)state;
    module_stage_t stage;
    module_stage_begin(&stage, 1, 0);
    assert_int_equal(SNAPSHOT("take", stage.dir), EXIT_STATUS_FAILED);
    assert_err("is the directory of a member of a cluster that does not run");
    assert_err("start it (outcry member --dir ");
    module_stage_end(&stage);
}

static void test_no_image(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    assert_int_equal(SNAPSHOT("list", dir.path), EXIT_STATUS_FAILED);
    assert_err("has neither images nor a log");
    assert_int_equal(SNAPSHOT("verify", dir.path), EXIT_STATUS_FAILED);
    assert_err("has no image");
    assert_int_equal(SNAPSHOT("verify", dir.path, "--image", "3"), EXIT_STATUS_FAILED);
    assert_err("has no image 3");
    assert_int_equal(SNAPSHOT("export", dir.path, "--threads", "64"), EXIT_STATUS_FAILED);
    assert_err("has no image");
    assert_int_equal(SNAPSHOT("diff", dir.path, dir.path), EXIT_STATUS_FAILED);
    assert_int_equal(SNAPSHOT("take", dir.path), EXIT_STATUS_FAILED);
    assert_err("there is no log");
    assert_int_equal(SNAPSHOT("import", dir.path, "--input", "/nowhere/file"), EXIT_STATUS_FAILED);
    assert_err("/nowhere/file");
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_take_of_a_stopped_member),
        cmocka_unit_test(test_no_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
