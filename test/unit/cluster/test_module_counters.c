/*
 * What a module shows on its driver: found by its cluster's id, its toggle changed by
 * compare-and-swap only, and missed when it is gone. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/module_counters.h"
#include "lib/module_stage.h"

#include <string.h>
#include <time.h>

static void found_and_read(void **state)
{
    (void)state;
    module_stage_t stage;
    counter_table_t *table;
    module_counters_t counters;
    module_stage_begin(&stage, 1, 0);
    module_stage_driver(&stage);
    assert_int_equal(counter_table_open(&table, stage.aeron_dir), OC_ERR_OK);
    assert_int_equal(module_counters_find(&counters, table, 7), OC_ERR_NOT_CONNECTED);
    assert_non_null(strstr(oc_err_context(), "no consensus module runs"));
    assert_false(module_counters_alive(&counters));
    module_stage_counters(&stage, 7);
    assert_int_equal(module_counters_find(&counters, table, 8), OC_ERR_NOT_CONNECTED);
    assert_non_null(strstr(oc_err_context(), "clusterId=7"));
    assert_int_equal(module_counters_find(&counters, table, 7), OC_ERR_OK);
    assert_true(module_counters_alive(&counters));
    for (int i = 0; i < MODULE_COUNTERS; i++) {
        module_stage_set(&stage, (module_counter_t)i, 100 + i);
        assert_int_equal(module_counters_value(&counters, (module_counter_t)i), 100 + i);
    }
    /* Read-only: it cannot be changed through this table. */
    assert_false(module_counters_toggle(&counters, MODULE_TOGGLE_NEUTRAL, MODULE_TOGGLE_ABORT));
    int64_t position;
    assert_false(module_counters_recorded(table, 0, &position));
    counter_table_close(table);
    module_stage_end(&stage);
}

static void toggled_once(void **state)
{
    (void)state;
    module_stage_t stage;
    counter_table_t *table;
    module_counters_t counters;
    module_stage_begin(&stage, 1, 0);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    assert_int_equal(counter_table_of(&table, stage.embedded), OC_ERR_OK);
    assert_int_equal(module_counters_find(&counters, table, 0), OC_ERR_OK);
    assert_true(module_counters_toggle(&counters, MODULE_TOGGLE_NEUTRAL, MODULE_TOGGLE_SNAPSHOT));
    assert_false(module_counters_toggle(&counters, MODULE_TOGGLE_NEUTRAL, MODULE_TOGGLE_SNAPSHOT));
    assert_int_equal(module_stage_get(&stage, MODULE_COUNTER_TOGGLE), MODULE_TOGGLE_SNAPSHOT);
    for (int i = 0; i < MODULE_COUNTERS; i++)
        assert_int_equal(aeron_counter_close(stage.counters[i], NULL, NULL), 0);
    for (int i = 0; i < 2000 && module_counters_alive(&counters); i++) {
        (void)embedded_do_work(stage.embedded);
        const struct timespec pause = {.tv_nsec = 1000000};
        (void)nanosleep(&pause, NULL);
    }
    assert_false(module_counters_alive(&counters));
    counter_table_close(table);
    module_stage_end(&stage);
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(module_state_name(MODULE_STATE_TERMINATING), "terminating");
    assert_string_equal(module_state_name(MODULE_STATE_CLOSED), "closed");
    assert_string_equal(module_state_name(7), "unknown");
    assert_string_equal(module_role_name(MODULE_ROLE_LEADER), "leader");
    assert_string_equal(module_role_name(-1), "unknown");
    assert_string_equal(module_toggle_name(MODULE_TOGGLE_STANDBY_SNAPSHOT), "standby-snapshot");
    assert_string_equal(module_toggle_name(MODULE_TOGGLE_NEUTRAL), "neutral");
    assert_string_equal(module_election_name(MODULE_ELECTION_CLOSED), "closed");
    assert_string_equal(module_election_name(13), "follower-catchup");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_and_read),
        cmocka_unit_test(toggled_once),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests_name("module_counters", tests, NULL, NULL);
}
