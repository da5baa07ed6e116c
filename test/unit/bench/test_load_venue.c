/*
 * Load clients at a real node: what is set up and found set up, several clients, refusals, and a
 * node that is killed and comes back in the middle. Run by ctest; needs the program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "bench/load_venue.h"
#include "lib/node_child.h"

#define MS UINT64_C(1000000)

static node_child_t node;
static workload_t workload;
static oc_command_t instrument;
static load_recorder_t recorder;

static int group_setup(void **state)
{
    (void)state;
    memset(&instrument, 0, sizeof instrument);
    instrument.type = OC_COMMAND_INSTRUMENT_ADD;
    instrument.instrument.value = 1;
    instrument.u.instrument.price_high_ticks = 100000;
    instrument.u.instrument.max_quantity_lots = 1000;
    instrument.u.instrument.state = OC_STATE_CONTINUOUS;
    return workload_init(&workload, WORKLOAD_W1, 200, 3000) == OC_ERR_OK ? 0 : -1;
}

static int group_teardown(void **state)
{
    (void)state;
    workload_fini(&workload);
    return 0;
}

static int setup(void **state)
{
    (void)state;
    node_child_start(&node, "[journal]\nsync = none\nsegment_bytes = 4194304\n");
    return load_recorder_init(&recorder, 1, MS) == OC_ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    load_recorder_fini(&recorder);
    node_child_end(&node);
    return 0;
}

static load_venue_config_t venue_config(size_t clients)
{
    return (load_venue_config_t){.ingress = node.ingress,
                                 .admin = {.principal = "admin"},
                                 .admin_source = {1},
                                 .trader = {.principal = "trader"},
                                 .first_source = {50},
                                 .clients = clients,
                                 .unanswered_max = 4096,
                                 .instrument_step = 1,
                                 .instruments = &instrument,
                                 .instrument_count = 1};
}

/* Sends the whole flow, one turn and a half, as fast as it goes. */
static void run_once(size_t clients, load_result_t *result)
{
    const load_venue_config_t config = venue_config(clients);
    const load_flow_t flow = {.workload = &workload, .count = 3200};
    load_venue_t *venue;
    assert_int_equal(load_venue_prepare(&config), OC_ERR_OK);
    assert_int_equal(load_venue_connect(&venue, &config, &flow, &recorder), OC_ERR_OK);
    const load_config_t load = {.clients = load_venue_clients(venue),
                                .client_count = clients,
                                .window = 500,
                                .duration_ns = 30000 * MS,
                                .commands_max = clients * 4800,
                                .grace_ns = 10000 * MS};
    load_run(&load, &recorder, result);
    assert_string_equal(load_venue_reason(venue), "");
    load_venue_close(venue);
}

/* The workload fits its book exactly: no command may be rejected, the second time neither. */
static void test_twice(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 2; turn++) {
        load_result_t result;
        run_once(1, &result);
        assert_int_equal(result.counts.sent, 4800);
        assert_int_equal(result.counts.answered, 4800);
        assert_int_equal(result.counts.rejected, 0);
        assert_int_equal(result.counts.doubled, 0);
        assert_int_equal(result.lost, 0);
        assert_true(result.counts.fills > 0);
    }
}

static void test_several_clients(void **state)
{
    (void)state;
    load_result_t result;
    run_once(3, &result);
    assert_int_equal(result.counts.answered, 3 * 4800);
    assert_int_equal(result.counts.rejected, 0);
    assert_int_equal(result.counts.doubled, 0);
    assert_int_equal(result.lost, 0);
}

static void test_refused(void **state)
{
    (void)state;
    load_venue_config_t config = venue_config(1);
    config.admin.principal = "somebody";
    assert_int_equal(load_venue_prepare(&config), OC_ERR_REFUSED);
    config = venue_config(1);
    instrument.u.instrument.max_quantity_lots = 0;
    assert_int_equal(load_venue_prepare(&config), OC_ERR_REFUSED);
    assert_non_null(strstr(oc_err_context(), "instrument_add"));
    instrument.u.instrument.max_quantity_lots = 1000;
    const load_flow_t flow = {.workload = &workload, .count = 3200};
    load_venue_t *venue;
    /* The source was not added. */
    assert_int_equal(load_venue_connect(&venue, &config, &flow, &recorder), OC_ERR_REFUSED);
}

/* Kills the node behind the loop's back, at a command that is sent. */
static oc_err_t (*real_send)(void *context, const oc_command_t *command, uint64_t *sequence);
static unsigned sends;

static oc_err_t killing_send(void *context, const oc_command_t *command, uint64_t *sequence)
{
    if (++sends == 1500) {
        node_child_kill(&node);
        node_child_restart(&node);
    }
    return real_send(context, command, sequence);
}

static void test_node_killed(void **state)
{
    (void)state;
    const load_venue_config_t config = venue_config(1);
    const load_flow_t flow = {.workload = &workload, .count = 3200};
    load_venue_t *venue;
    sends = 0;
    assert_int_equal(load_venue_prepare(&config), OC_ERR_OK);
    assert_int_equal(load_venue_connect(&venue, &config, &flow, &recorder), OC_ERR_OK);
    arrival_t arrivals;
    arrival_init_steady(&arrivals, 5000, 1);
    load_client_t *clients = load_venue_clients(venue);
    real_send = clients[0].link.send;
    clients[0].link.send = killing_send;
    const load_config_t load = {.clients = clients,
                                .client_count = 1,
                                .arrivals = &arrivals,
                                .duration_ns = 600 * MS,
                                .grace_ns = 20000 * MS};
    load_result_t result;
    load_run(&load, &recorder, &result);
    load_venue_counts_t counts;
    load_venue_counts(venue, &counts);
    load_venue_close(venue);
    assert_true(sends >= 1500);
    assert_int_equal(counts.reconnects, 1);
    assert_int_equal(result.lost, 0);
    assert_int_equal(result.counts.doubled, 0);
    assert_int_equal(result.counts.answered, result.counts.sent);
    assert_true(result.counts.sent >= 1500);
    assert_int_equal(result.counts.sent + result.unsent, 3000);
}

#define WITH_NODE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_NODE(test_twice),
        WITH_NODE(test_several_clients),
        WITH_NODE(test_refused),
        WITH_NODE(test_node_killed),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
