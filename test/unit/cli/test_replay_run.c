/*
 * Unit tests of a replay's data path without files: counts, recording, growth.
 * Run by ctest.
 */
#include "cli/replay_run.h"
#include "lib/temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void begin(replay_run_t *run, tape_writer_t *tape, oc_engine_config_t *config)
{
    oc_engine_config_init(config);
    config->max_orders = 64;
    config->max_levels = 64;
    const flow_resolver_config_t flow = {
        .instrument = 1, .tick_size = 1, .max_quantity_lots = 1000};
    const oc_err_t err = replay_run_init(run, config, &flow);
    assert_int_equal(err, OC_ERR_OK);
    replay_run_output(run, NULL, tape);
}

static void add(replay_run_t *run, uint64_t id, oc_side_t side, int64_t price, int64_t quantity)
{
    const flow_record_t record = {
        .kind = FLOW_NEW, .order_id = id, .side = side, .price_raw = price, .quantity = quantity};
    const oc_err_t err = replay_run_record(run, &record);
    assert_int_equal(err, OC_ERR_OK);
}

/* Two sells and a buy that takes one and a half of them, a duplicate, an order that is too large.
 */
static void little_market(replay_run_t *run)
{
    add(run, 1, OC_SIDE_SELL, 100, 10);
    add(run, 2, OC_SIDE_SELL, 100, 10);
    add(run, 3, OC_SIDE_BUY, 100, 15);
    add(run, 2, OC_SIDE_SELL, 100, 10);
    add(run, 4, OC_SIDE_BUY, 90, 1001);
    add(run, 5, OC_SIDE_BUY, -7, 3);
}

static void test_counts(void **state)
{
    (void)state;
    replay_run_t run;
    oc_engine_config_t config;
    begin(&run, NULL, &config);
    little_market(&run);
    const flow_record_t skip_record = {.kind = FLOW_SKIP};
    const oc_err_t err = replay_run_record(&run, &skip_record);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(run.events.count, 0);
    replay_run_summarise(&run);
    const replay_summary_t *s = &run.summary;
    assert_int_equal(s->commands, 8); /* six orders, the source, the instrument */
    assert_int_equal(s->rejected, 2);
    assert_int_equal(s->rejected_by[OC_REASON_DUPLICATE_ORDER], 1);
    assert_int_equal(s->rejected_by[OC_REASON_QUANTITY_TOO_LARGE], 1);
    assert_int_equal(s->trades, 2);
    assert_int_equal(s->traded_quantity, 15);
    assert_int_equal(s->resting_orders, 2);
    assert_int_equal(s->levels, 2);
    assert_int_equal(s->skipped, 1);
    assert_true(s->state_hash == oc_engine_state_hash(run.engine));
    assert_true(s->ns_per_command > 0.0);
    assert_true(s->ns_p50 <= s->ns_p99);
    assert_true(s->ns_p99 <= s->ns_p999);
    assert_true(s->ns_p999 <= s->ns_max);
    assert_true(s->bytes_per_resting_order > 0.0);
    assert_true(s->peak_memory_bytes > 100000);
    replay_run_fini(&run);
}

/* A recording, replayed command by command, leads to the same state. */
static void test_recording(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    replay_run_t run;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 64;
    config.max_levels = 64;
    tape_writer_t *tape;
    oc_err_t err = tape_writer_open(&tape, file.path, &config);
    assert_int_equal(err, OC_ERR_OK);
    begin(&run, tape, &config);
    little_market(&run);
    replay_run_summarise(&run);
    const replay_summary_t first = run.summary;
    replay_run_fini(&run);
    err = tape_writer_close(tape);
    assert_int_equal(err, OC_ERR_OK);

    flow_reader_t *reader;
    err = flow_reader_open(&reader, file.path, FLOW_FORMAT_AUTO);
    assert_int_equal(err, OC_ERR_OK);
    oc_engine_config_t recorded;
    replay_run_config(&recorded, reader, 1000000);
    assert_int_equal(recorded.max_orders, 64);
    begin(&run, NULL, &recorded);
    flow_record_t record;
    while (flow_reader_next(reader, &record) == FLOW_RECORD) {
        err = replay_run_record(&run, &record);
        assert_int_equal(err, OC_ERR_OK);
    }
    replay_run_summarise(&run);
    assert_true(run.summary.state_hash == first.state_hash);
    assert_int_equal(run.summary.commands, first.commands);
    assert_int_equal(run.summary.rejected, first.rejected);
    replay_run_fini(&run);
    flow_reader_close(reader);
    temp_file_remove(&file);
}

/* One command with more events than the list starts with. */
static void test_event_list_grows(void **state)
{
    (void)state;
    enum { ORDERS = 5000 };
    replay_run_t run;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 2 * ORDERS;
    const flow_resolver_config_t flow = {
        .instrument = 1, .tick_size = 1, .max_quantity_lots = replay_run_max_quantity(&config)};
    oc_err_t err = replay_run_init(&run, &config, &flow);
    assert_int_equal(err, OC_ERR_OK);
    for (uint64_t id = 1; id <= ORDERS; id++)
        add(&run, id, OC_SIDE_SELL, 100, 1);
    add(&run, ORDERS + 1, OC_SIDE_BUY, 100, ORDERS);
    assert_true(run.events.count > 2 * ORDERS);
    assert_int_equal(run.summary.trades, ORDERS);
    replay_run_fini(&run);
}

static void test_bad_configuration(void **state)
{
    (void)state;
    replay_run_t run;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 0;
    const flow_resolver_config_t flow = {.instrument = 1, .tick_size = 1};
    const oc_err_t err = replay_run_init(&run, &config, &flow);
    assert_int_equal(err, OC_ERR_INVALID_CONFIG);
    assert_null(run.engine);
    replay_run_fini(&run);
}

static void test_config_by_format(void **state)
{
    (void)state;
    static const char csv[] = "34200.1,1,11,100,5000000,1\n";
    flow_reader_t *reader;
    const oc_err_t err =
        flow_reader_open_memory(&reader, "csv", csv, sizeof csv - 1, FLOW_FORMAT_LOBSTER);
    assert_int_equal(err, OC_ERR_OK);
    oc_engine_config_t config;
    replay_run_config(&config, reader, 1000);
    assert_int_equal(config.max_orders, 1000);
    assert_int_equal(config.max_levels, 65536);
    assert_false(config.verify_touch);
    assert_int_equal(replay_run_max_quantity(&config), INT64_MAX / 1000);
    replay_run_config(&config, reader, 1 << 20);
    assert_int_equal(config.max_levels, 1 << 18);
    flow_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_recording),
        cmocka_unit_test(test_event_list_grows), cmocka_unit_test(test_bad_configuration),
        cmocka_unit_test(test_config_by_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
