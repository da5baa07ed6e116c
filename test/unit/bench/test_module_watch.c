/*
 * A module looked at and asked from outside: a staged one.
 */
#define _GNU_SOURCE
#include "bench/module_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/module_stage.h"

#include <stdio.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)

static module_stage_t stage;

static void test_not_there(void **state)
{
    (void)state;
    module_watch_t watch;
    assert_int_equal(module_watch_open(&watch, "/dev/shm/outcry-no-driver"), OC_ERR_NOT_CONNECTED);
    assert_int_equal(module_watch_wait(&watch, "/dev/shm/outcry-no-driver", 0, SECOND_NS / 20),
                     OC_ERR_TIMEOUT);
    module_watch_close(&watch);

    module_stage_begin(&stage, 3, 0);
    module_stage_driver(&stage);
    assert_int_equal(module_watch_open(&watch, stage.aeron_dir), OC_ERR_NOT_CONNECTED);
    module_stage_end(&stage);
}

static void test_states(void **state)
{
    (void)state;
    module_watch_t watch;
    module_stage_begin(&stage, 3, 0);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_set(&stage, MODULE_COUNTER_COMMIT_POSITION, 4096);
    module_stage_set(&stage, MODULE_COUNTER_TERM, 7);
    assert_int_equal(module_watch_wait(&watch, stage.aeron_dir, 4096, 10 * SECOND_NS), OC_ERR_OK);
    assert_true(module_watch_joined(&watch));
    assert_true(module_watch_leads(&watch));
    assert_int_equal(module_watch_term(&watch), 7);
    assert_int_equal(module_watch_position(&watch), 4096);
    module_stage_set(&stage, MODULE_COUNTER_ROLE, MODULE_ROLE_FOLLOWER);
    assert_true(module_watch_joined(&watch));
    assert_false(module_watch_leads(&watch));
    module_stage_set(&stage, MODULE_COUNTER_ROLE, MODULE_ROLE_LEADER);
    module_stage_set(&stage, MODULE_COUNTER_ELECTION_STATE, 3);
    assert_false(module_watch_joined(&watch));
    assert_false(module_watch_leads(&watch));
    module_stage_set(&stage, MODULE_COUNTER_ELECTION_STATE, MODULE_ELECTION_CLOSED);
    module_watch_close(&watch);
    /* It is not as far as it is wanted to be. */
    assert_int_equal(module_watch_wait(&watch, stage.aeron_dir, 4097, SECOND_NS / 20),
                     OC_ERR_TIMEOUT);
    module_stage_end(&stage);
}

static void test_snapshot(void **state)
{
    (void)state;
    module_snapshot_t snapshot;
    module_stage_begin(&stage, 3, 0);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    assert_int_equal(module_snapshot_start(&snapshot, stage.aeron_dir), OC_ERR_OK);
    assert_int_equal(module_snapshot_finish(&snapshot), OC_ERR_OK);
    assert_true(module_snapshot_done(&snapshot));
    assert_true(snapshot.recorded_ns >= snapshot.trigger_ns);
    assert_true(snapshot.trigger_ns > 0);
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_SNAPSHOTS), 1);

    const char dirs[1][MODULE_WATCH_DIR] = {{0}};
    char here[1][MODULE_WATCH_DIR];
    (void)snprintf(here[0], sizeof here[0], "%s", stage.aeron_dir);
    assert_int_equal(module_snapshot_everywhere((const char(*)[MODULE_WATCH_DIR])here, 1, 0),
                     OC_ERR_OK);
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_SNAPSHOTS), 2);
    assert_int_not_equal(module_snapshot_everywhere(dirs, 1, 0), OC_ERR_OK);

    stage.no_snapshot = true;
    assert_int_equal(module_snapshot_start(&snapshot, stage.aeron_dir), OC_ERR_OK);
    assert_int_equal(module_snapshot_finish(&snapshot), OC_ERR_REFUSED);
    assert_non_null(strstr(oc_err_context(), "gave no snapshot"));

    module_stage_set(&stage, MODULE_COUNTER_TOGGLE, MODULE_TOGGLE_INACTIVE);
    assert_int_equal(module_snapshot_start(&snapshot, stage.aeron_dir), OC_ERR_OK);
    assert_int_equal(module_snapshot_finish(&snapshot), OC_ERR_REFUSED);
    assert_non_null(strstr(oc_err_context(), "not free"));
    module_stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_there),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
