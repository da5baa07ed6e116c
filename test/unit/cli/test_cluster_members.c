/*
 * `outcry cluster members`: asked of the module, or as the configuration lists them. Run by ctest.
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

#include <string.h>

static capture_t said;

static int run(const char *dir, const char *timeout)
{
    const char *const words[] = {"members", "--dir", dir, "--timeout", timeout, NULL};
    return capture_main(cluster_members_main, words, &said);
}

static void asked_and_configured(void **state)
{
    (void)state;
    module_stage_t stage;
    module_stage_begin(&stage, 3, 1);
    assert_int_equal(run(stage.dir, "1"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.out, "member: 2 role=unknown endpoints=127.0.0.1:9002,"));
    assert_non_null(strstr(said.err, "m1 does not run: start it (outcry member --dir "));
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    assert_int_equal(run(stage.dir, "20"), 0);
    assert_non_null(strstr(said.out, "member: 0 role=leader endpoints=a:1,a:2,a:3,a:4,a:5\n"));
    assert_non_null(strstr(said.out, "member: 1 role=follower endpoints=b:1,"));
    assert_non_null(strstr(said.out, "member: 2 role=unknown endpoints=c:1,"));
    assert_non_null(strstr(said.out, "leader: 0\nasked: 1\n"));
    module_stage_set(&stage, MODULE_COUNTER_ELECTION_STATE, MODULE_ELECTION_CLOSED - 1);
    assert_int_equal(run(stage.dir, "20"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.out, "member: 0 role=unknown"));
    assert_non_null(strstr(said.err, "no member leads, as far as member 1 in "));
    module_stage_set(&stage, MODULE_COUNTER_ELECTION_STATE, MODULE_ELECTION_CLOSED);
    stage.deaf = true;
    assert_int_equal(run(stage.dir, "1"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.out, "member: 0 role=unknown"));
    assert_non_null(strstr(said.err, "no answer in time"));
    module_stage_end(&stage);
}

/* Which alone has figures of the others. */
static void asked_of_the_leader(void **state)
{
    (void)state;
    module_stage_t stage;
    module_stage_begin(&stage, 3, 0);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    assert_int_equal(run(stage.dir, "20"), 0);
    assert_non_null(strstr(said.out, "member: 0 role=leader term=3 log_position=4000 "
                                     "endpoints=a:1,a:2,a:3,a:4,a:5\n"));
    assert_non_null(strstr(said.out, "member: 2 role=follower term=3 log_position=4002 "
                                     "last_append_ms=2.0 endpoints=c:1,"));
    assert_non_null(strstr(said.out, "leader: 0\nasked: 0\n"));
    module_stage_end(&stage);
}

static void command_line(void **state)
{
    (void)state;
    const char *const help[] = {"members", "--help", NULL};
    const char *const none[] = {"members", NULL};
    assert_int_equal(capture_main(cluster_members_main, help, &said), 0);
    assert_non_null(strstr(said.out, "usage: outcry cluster members"));
    assert_int_equal(capture_main(cluster_members_main, none, &said), EXIT_STATUS_USAGE);
    assert_int_equal(run("/dev/null", "1"), EXIT_STATUS_FAILED);
    assert_non_null(strstr(said.err, "/dev/null: no directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_and_configured),
        cmocka_unit_test(asked_of_the_leader),
        cmocka_unit_test(command_line),
    };
    return cmocka_run_group_tests_name("cluster_members", tests, NULL, NULL);
}
