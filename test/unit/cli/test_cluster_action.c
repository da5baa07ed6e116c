/*
 * `outcry cluster snapshot` and its like against a staged module: done on the leader, refused with
 * a reason, waited for no longer than told. Run by ctest.
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
#include "lib/module_stage.h"

#include <stdio.h>
#include <string.h>

static capture_t said;

static int run(const char *action, const char *dir, const char *timeout)
{
    const char *const words[] = {action, "--dir", dir, "--timeout", timeout, NULL};
    return capture_main(cluster_action_main, words, &said);
}

static void said_in_error(const char *word)
{
    if (!strstr(said.err, word))
        fail_msg("'%s' is not in: %s", word, said.err);
}

static void done_on_the_leader(void **state)
{
    (void)state;
    module_stage_t stage;
    char other[320];
    module_stage_begin(&stage, 3, 1);
    module_stage_neighbour(&stage, 0);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    assert_int_equal(run("snapshot", stage.dir, "20"), 0);
    assert_non_null(strstr(said.out, "snapshot: member 1: done in "));
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_SNAPSHOTS), 1);
    assert_int_equal(run("suspend", stage.dir, "20"), 0);
    assert_int_equal(run("suspend", stage.dir, "20"), EXIT_STATUS_FAILED);
    said_in_error("the consensus module is suspended, not active: that is done already");
    assert_int_equal(run("resume", stage.dir, "20"), 0);
    assert_int_equal(run("resume", stage.dir, "20"), EXIT_STATUS_FAILED);
    said_in_error("is active, not suspended: that is done already");
    (void)snprintf(other, sizeof other, "%s/m0", stage.base.path);
    assert_int_equal(run("snapshot", other, "20"), 0);
    said_in_error("member 1 leads: done there");
    assert_non_null(strstr(said.out, "snapshot: member 1: done in "));
    assert_int_equal(run("shutdown", stage.dir, "20"), 0);
    assert_non_null(strstr(said.out, "shutdown: member 1: done in "));
    assert_int_equal(run("abort", stage.dir, "20"), EXIT_STATUS_FAILED);
    said_in_error("no consensus module runs");
    module_stage_end(&stage);
}

/* The module has replayed the suspend from its log, at a restart or before it led: its toggle has
 * not been there. */
static void resumed_at_another_leader(void **state)
{
    (void)state;
    static const char *const others[] = {"snapshot", "shutdown", "abort"};
    module_stage_t stage;
    module_stage_begin(&stage, 3, 1);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    module_stage_set(&stage, MODULE_COUNTER_STATE, MODULE_STATE_SUSPENDED);
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_TOGGLE), MODULE_TOGGLE_NEUTRAL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(run(others[i], stage.dir, "20"), EXIT_STATUS_FAILED);
        said_in_error("is suspended, not active: outcry cluster resume first");
    }
    assert_int_equal(run("resume", stage.dir, "20"), 0);
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_STATE), MODULE_STATE_ACTIVE);
    /* Another tool has asked for what a suspended module never does. */
    module_stage_set(&stage, MODULE_COUNTER_STATE, MODULE_STATE_SUSPENDED);
    module_stage_set(&stage, MODULE_COUNTER_TOGGLE, MODULE_TOGGLE_SNAPSHOT);
    assert_int_equal(run("resume", stage.dir, "20"), 0);
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_TOGGLE), MODULE_TOGGLE_NEUTRAL);
    module_stage_end(&stage);
}

static void refused(void **state)
{
    (void)state;
    module_stage_t stage;
    module_stage_begin(&stage, 3, 1);
    assert_int_equal(run("snapshot", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("m1 does not run: start it (outcry member --dir ");
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    module_stage_set(&stage, MODULE_COUNTER_ROLE, MODULE_ROLE_FOLLOWER);
    assert_int_equal(run("snapshot", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("follows, and member 0 leads");
    module_stage_neighbour(&stage, 0); /* which is seen not to */
    assert_int_equal(run("snapshot", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("no member leads: member 0 in ");
    said_in_error("try again after the election");
    module_stage_set(&stage, MODULE_COUNTER_ROLE, MODULE_ROLE_LEADER);
    stage.no_snapshot = true;
    assert_int_equal(run("snapshot", stage.dir, "20"), EXIT_STATUS_FAILED);
    said_in_error("the service gave none");
    stage.deaf = true;
    module_stage_set(&stage, MODULE_COUNTER_TOGGLE, MODULE_TOGGLE_INACTIVE);
    assert_int_equal(run("snapshot", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("the leadership went to another member just now; try again after the election");
    module_stage_set(&stage, MODULE_COUNTER_TOGGLE, MODULE_TOGGLE_NEUTRAL);
    assert_int_equal(run("snapshot", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("not done after 1 s: the module is active, its toggle at snapshot");
    assert_int_equal(run("abort", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("the control toggle is at snapshot");
    module_stage_end(&stage);
}

static void wrong_cluster(void **state)
{
    (void)state;
    module_stage_t stage;
    module_stage_begin(&stage, 3, 1);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 5);
    assert_int_equal(run("snapshot", stage.dir, "1"), EXIT_STATUS_FAILED);
    said_in_error("is cluster_id in [cluster] right?");
    module_stage_end(&stage);
}

static void command_line(void **state)
{
    (void)state;
    const char *const help[] = {"suspend", "--help", NULL};
    const char *const none[] = {"suspend", NULL};
    assert_int_equal(capture_main(cluster_action_main, help, &said), 0);
    assert_non_null(strstr(said.out, "usage: outcry cluster snapshot|suspend"));
    assert_int_equal(capture_main(cluster_action_main, none, &said), EXIT_STATUS_USAGE);
    said_in_error("cluster suspend: --dir is missing");
    assert_int_equal(run("snapshot", "/nowhere", "0"), EXIT_STATUS_USAGE);
    assert_int_equal(run("snapshot", "/no/such/dir", "1"), EXIT_STATUS_FAILED);
    said_in_error("/no/such/dir: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(done_on_the_leader),
        cmocka_unit_test(resumed_at_another_leader),
        cmocka_unit_test(refused),
        cmocka_unit_test(wrong_cluster),
        cmocka_unit_test(command_line),
    };
    return cmocka_run_group_tests_name("cluster_action", tests, NULL, NULL);
}
