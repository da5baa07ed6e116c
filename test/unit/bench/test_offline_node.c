/*
 * Unit tests of the node without a transport: its log holds what was done, and leads another
 * exchange to the same state. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/offline_node.h"
#include "host/node.h"
#include "lib/temp_dir.h"

#include <string.h>

static void small_configs(const char *dir, journal_config_t *journal, exchange_config_t *exchange)
{
    journal_config_init(journal);
    journal->dir = dir;
    journal->segment_bytes = 1 << 20;
    journal->group_bytes = 64 << 10;
    journal->low_space_bytes = 0;
    exchange_config_init(exchange);
    exchange->engine.max_orders = 1000;
    exchange->engine.max_levels = 1000;
    exchange->engine.max_sources = 8;
    exchange->engine.max_sessions = 8;
}

static void test_same_state(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    journal_config_t journal;
    exchange_config_t config;
    small_configs(dir.path, &journal, &config);
    offline_node_t *node;
    assert_int_equal(offline_node_create(&node, &journal, &config), OC_ERR_OK);
    assert_int_equal(offline_node_entries(node), 1);
    oc_session_id_t trader;
    assert_int_equal(offline_node_market(node, 1, 100, 50, &trader), OC_ERR_OK);
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    request.u.command.type = OC_COMMAND_NEW;
    request.u.command.order_type = OC_ORDER_LIMIT;
    request.u.command.instrument.value = 1;
    request.u.command.u.order.quantity_lots = 5;
    request.u.command.u.order.price_ticks = 10;
    for (uint64_t i = 1; i <= 3; i++) {
        request.u.command.sequence = i;
        request.u.command.u.order.client_order_id.value = i;
        assert_int_equal(offline_node_request(node, trader, &request), OC_ERR_OK);
    }
    oc_engine_counts_t counts;
    oc_engine_counts(exchange_engine(offline_node_exchange(node)), &counts);
    assert_int_equal(counts.orders, 3);
    const uint64_t hash = offline_node_state_hash(node);
    const uint64_t entries = offline_node_entries(node);
    const uint64_t position = offline_node_position(node);
    assert_int_equal(offline_node_destroy(node), OC_ERR_OK);

    exchange_t *other;
    node_report_t report;
    assert_int_equal(exchange_create(&other, &config), OC_ERR_OK);
    assert_int_equal(node_replay(dir.path, exchange_service(other), NODE_REPLAY_LOG, &report),
                     OC_ERR_OK);
    assert_int_equal(report.entries, entries);
    assert_int_equal(report.position, position);
    assert_int_equal(report.state_hash, hash);
    assert_int_equal(report.sessions, 2);
    assert_int_equal(report.verdict.kind, JOURNAL_CLEAN);
    exchange_destroy(other);

    /* There is a log now. */
    assert_int_equal(offline_node_create(&node, &journal, &config), OC_ERR_INVALID_ARGUMENT);
    assert_null(node);
    temp_dir_remove(&dir);
}

static void test_refusals(void **state)
{
    (void)state;
    journal_config_t journal;
    exchange_config_t config;
    offline_node_t *node;
    small_configs("/proc/none", &journal, &config);
    assert_int_equal(offline_node_create(&node, &journal, &config), OC_ERR_OPEN);
    config.kept_outputs = 1;
    assert_int_equal(offline_node_create(&node, &journal, &config), OC_ERR_INVALID_CONFIG);
    assert_int_equal(offline_node_destroy(NULL), OC_ERR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_state),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
