/*
 * Unit tests of the resolver: each kind of record, on the reference engine, with the commands it
 * sends written down. Run by ctest.
 */
#include "cli/flow_resolver.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COMMANDS_MAX = 512 };

typedef struct fixture {
    oc_engine_t *engine;
    flow_resolver_t resolver;
    flow_resolver_config_t config;
    oc_command_t commands[COMMANDS_MAX]; /* since the last clear() */
    size_t count;
    uint64_t rejected;
    uint64_t traded;
    uint64_t record;
    oc_err_t fail_with; /* what apply returns instead of applying */
} fixture_t;

static void sink(void *context, const oc_event_t *events, size_t count)
{
    fixture_t *f = context;
    for (size_t i = 0; i < count; i++) {
        f->rejected += events[i].type == OC_EVENT_REJECTED;
        if (events[i].type == OC_EVENT_TRADE)
            f->traded += (uint64_t)events[i].quantity_lots;
    }
}

static oc_err_t apply(void *context, const oc_command_t *command)
{
    fixture_t *f = context;
    if (f->fail_with != OC_ERR_OK)
        return f->fail_with;
    assert_true(f->count < COMMANDS_MAX);
    f->commands[f->count++] = *command;
    return oc_engine_apply(f->engine, command);
}

static int setup(void **state)
{
    fixture_t *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->config = (flow_resolver_config_t){
        .instrument = 1, .tick_size = 1, .max_quantity_lots = INT64_MAX / 1024};
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = OC_ENGINE_REFERENCE;
    config.max_orders = 1024;
    config.step_bound = 3;
    const oc_err_t err = oc_engine_create(&f->engine, &config, sink, f);
    assert_int_equal(err, OC_ERR_OK);
    flow_resolver_init(&f->resolver, &f->config, f->engine, apply, f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_t *f = *state;
    oc_engine_destroy(f->engine);
    free(f);
    return 0;
}

/* Starts anew with the configuration as the test has changed it; the engine must be unused. */
static void reconfigure(fixture_t *f)
{
    flow_resolver_init(&f->resolver, &f->config, f->engine, apply, f);
}

static void clear(fixture_t *f)
{
    f->count = 0;
}

static void send_record(fixture_t *f, flow_record_t record)
{
    record.record = f->record++;
    const oc_err_t err = flow_resolver_record(&f->resolver, &record);
    assert_int_equal(err, OC_ERR_OK);
}

static void send_new(fixture_t *f, uint64_t id, oc_side_t side, int64_t price, int64_t quantity)
{
    send_record(f, (flow_record_t){.kind = FLOW_NEW,
                                   .side = side,
                                   .order_id = id,
                                   .price_raw = price,
                                   .quantity = quantity});
}

static void send_size(fixture_t *f, flow_kind_t kind, uint64_t id, int64_t quantity)
{
    send_record(f, (flow_record_t){.kind = kind, .order_id = id, .quantity = quantity});
}

static bool order(const fixture_t *f, uint64_t id, oc_order_view_t *view)
{
    return oc_engine_order(f->engine, (oc_source_id_t){1}, (oc_client_order_id_t){id}, view);
}

static int64_t open_of(const fixture_t *f, uint64_t id)
{
    oc_order_view_t view;
    return order(f, id, &view) ? view.open_lots : 0;
}

static void test_first_sight_adds_source_and_instrument(void **state)
{
    fixture_t *f = *state;
    send_record(f, (flow_record_t){.kind = FLOW_NEW,
                                   .order_id = 5,
                                   .side = OC_SIDE_SELL,
                                   .time_in_force = OC_TIF_GTC,
                                   .price_raw = -20,
                                   .quantity = 3,
                                   .time_ns = 77});
    assert_int_equal(f->count, 3);
    assert_int_equal(f->commands[0].type, OC_COMMAND_SOURCE_ADD);
    assert_int_equal(f->commands[0].source.value, 0);
    assert_int_equal(f->commands[0].u.source.roles, OC_ROLES_ALL);
    assert_int_equal(f->commands[1].type, OC_COMMAND_INSTRUMENT_ADD);
    assert_int_equal(f->commands[1].instrument.value, 1);
    assert_true(f->commands[1].u.instrument.price_low_ticks == INT64_MIN);
    assert_true(f->commands[1].u.instrument.price_high_ticks == INT64_MAX);
    assert_int_equal(f->commands[1].u.instrument.state, OC_STATE_CONTINUOUS);
    const oc_command_t *c = &f->commands[2];
    assert_int_equal(c->type, OC_COMMAND_NEW);
    assert_int_equal(c->source.value, 1);
    assert_int_equal(c->sequence, 1);
    assert_int_equal(c->time_ns, 77);
    assert_int_equal(c->side, OC_SIDE_SELL);
    assert_int_equal(c->order_type, OC_ORDER_LIMIT);
    assert_int_equal(c->u.order.client_order_id.value, 5);
    assert_int_equal(c->u.order.price_ticks, -20);
    assert_int_equal(c->u.order.quantity_lots, 3);
    send_new(f, 6, OC_SIDE_BUY, -30, 1);
    assert_int_equal(f->count, 4);
    assert_int_equal(f->commands[3].sequence, 2);
    assert_int_equal(f->rejected, 0);
}

static void test_instruments_of_the_file(void **state)
{
    fixture_t *f = *state;
    send_record(
        f, (flow_record_t){
               .kind = FLOW_NEW, .instrument = 30, .order_id = 1, .price_raw = 5, .quantity = 1});
    send_record(
        f, (flow_record_t){
               .kind = FLOW_NEW, .instrument = 20, .order_id = 2, .price_raw = 5, .quantity = 1});
    send_record(
        f, (flow_record_t){
               .kind = FLOW_NEW, .instrument = 30, .order_id = 3, .price_raw = 5, .quantity = 1});
    assert_int_equal(f->count, 6);
    assert_int_equal(oc_engine_next_instrument(f->engine, (oc_instrument_id_t){0}).value, 20);
    assert_int_equal(oc_engine_next_instrument(f->engine, (oc_instrument_id_t){20}).value, 30);
    /* An order is looked for in the record's instrument only. */
    send_record(
        f, (flow_record_t){.kind = FLOW_REDUCE, .instrument = 20, .order_id = 1, .quantity = 1});
    assert_int_equal(f->resolver.skipped, 1);
}

static void test_only_one_instrument(void **state)
{
    fixture_t *f = *state;
    f->config.instrument = 20;
    f->config.only = true;
    reconfigure(f);
    send_record(
        f, (flow_record_t){
               .kind = FLOW_NEW, .instrument = 30, .order_id = 1, .price_raw = 5, .quantity = 1});
    assert_int_equal(f->count, 0);
    assert_int_equal(f->resolver.skipped, 1);
    send_record(
        f, (flow_record_t){
               .kind = FLOW_NEW, .instrument = 20, .order_id = 1, .price_raw = 5, .quantity = 1});
    assert_int_equal(f->resolver.skipped, 1);
    assert_int_equal(open_of(f, 1), 1);
    /* A file without instruments takes the number as its own. */
    send_new(f, 2, OC_SIDE_BUY, 5, 1);
    assert_int_equal(open_of(f, 2), 1);
}

static void test_tick_size(void **state)
{
    fixture_t *f = *state;
    f->config.tick_size = 25;
    reconfigure(f);
    send_new(f, 1, OC_SIDE_BUY, 100, 1);
    send_new(f, 2, OC_SIDE_BUY, -50, 1);
    send_new(f, 3, OC_SIDE_BUY, 110, 1);
    oc_order_view_t view;
    assert_true(order(f, 1, &view));
    assert_int_equal(view.price_ticks, 4);
    assert_true(order(f, 2, &view));
    assert_int_equal(view.price_ticks, -2);
    assert_false(order(f, 3, &view));
    assert_int_equal(f->resolver.skipped, 1);
    send_record(
        f, (flow_record_t){.kind = FLOW_MODIFY, .order_id = 1, .price_raw = 99, .quantity = 1});
    send_record(f, (flow_record_t){.kind = FLOW_REPLACE,
                                   .order_id = 1,
                                   .new_order_id = 9,
                                   .price_raw = 99,
                                   .quantity = 1});
    assert_int_equal(f->resolver.skipped, 3);
    assert_int_equal(open_of(f, 1), 1);
}

static void test_cancel_and_modify(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_BUY, 100, 10);
    clear(f);
    send_record(
        f, (flow_record_t){.kind = FLOW_MODIFY, .order_id = 1, .price_raw = 101, .quantity = 7});
    assert_int_equal(f->commands[0].type, OC_COMMAND_MODIFY);
    assert_int_equal(f->commands[0].flags, OC_FLAG_OPEN_QUANTITY);
    assert_int_equal(open_of(f, 1), 7);
    send_size(f, FLOW_CANCEL, 1, 0);
    assert_int_equal(f->commands[1].type, OC_COMMAND_CANCEL);
    assert_int_equal(open_of(f, 1), 0);
    /* Unknown ids are the engine's to reject. */
    send_size(f, FLOW_CANCEL, 1, 0);
    send_record(
        f, (flow_record_t){.kind = FLOW_MODIFY, .order_id = 1, .price_raw = 101, .quantity = 7});
    assert_int_equal(f->count, 4);
    assert_int_equal(f->rejected, 2);
    assert_int_equal(f->resolver.skipped, 0);
}

static void test_unknown_orders_skipped_on_demand(void **state)
{
    fixture_t *f = *state;
    f->config.skip_unknown = true;
    reconfigure(f);
    send_size(f, FLOW_CANCEL, 1, 0);
    send_record(f,
                (flow_record_t){.kind = FLOW_MODIFY, .order_id = 1, .price_raw = 1, .quantity = 7});
    assert_int_equal(f->count, 0);
    assert_int_equal(f->resolver.skipped, 2);
    send_new(f, 1, OC_SIDE_BUY, 100, 10);
    send_size(f, FLOW_CANCEL, 1, 0);
    assert_int_equal(open_of(f, 1), 0);
    assert_int_equal(f->rejected, 0);
}

static void test_reduce(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_BUY, 100, 10);
    send_new(f, 2, OC_SIDE_BUY, 100, 10);
    clear(f);
    send_size(f, FLOW_REDUCE, 1, 4);
    assert_int_equal(f->commands[0].type, OC_COMMAND_MODIFY);
    assert_int_equal(open_of(f, 1), 6);
    oc_order_view_t view;
    assert_true(order(f, 1, &view));
    assert_true(view.next_to_trade); /* keeps its place */
    send_size(f, FLOW_REDUCE, 1, 6);
    assert_int_equal(f->commands[1].type, OC_COMMAND_CANCEL);
    assert_int_equal(open_of(f, 1), 0);
    send_size(f, FLOW_REDUCE, 2, 11);
    assert_int_equal(f->commands[2].type, OC_COMMAND_CANCEL);
    send_size(f, FLOW_REDUCE, 2, 1);
    assert_int_equal(f->count, 3);
    assert_int_equal(f->resolver.skipped, 1);
    assert_int_equal(f->rejected, 0);
}

static void test_reduce_by_nothing(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_BUY, 100, 10);
    clear(f);
    send_size(f, FLOW_REDUCE, 1, 0);
    send_size(f, FLOW_REDUCE, 1, -3);
    send_size(f, FLOW_EXECUTE, 1, 0);
    assert_int_equal(f->count, 0);
    assert_int_equal(f->resolver.skipped, 3);
}

static void test_execute_at_the_head(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_SELL, 100, 10);
    send_new(f, 2, OC_SIDE_SELL, 100, 10);
    clear(f);
    send_size(f, FLOW_EXECUTE, 1, 4);
    assert_int_equal(f->count, 1);
    const oc_command_t *c = &f->commands[0];
    assert_int_equal(c->type, OC_COMMAND_NEW);
    assert_int_equal(c->side, OC_SIDE_BUY);
    assert_int_equal(c->time_in_force, OC_TIF_IOC);
    assert_int_equal(c->u.order.price_ticks, 100);
    assert_int_equal(c->u.order.quantity_lots, 4);
    assert_true(c->u.order.client_order_id.value == (UINT64_C(1) << 63) + 2);
    assert_int_equal(f->traded, 4);
    assert_int_equal(open_of(f, 1), 6);
    assert_int_equal(open_of(f, 2), 10);
    assert_int_equal(f->resolver.executions_off_head, 0);
}

static void test_execute_off_the_head(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_SELL, 100, 10);
    send_new(f, 2, OC_SIDE_SELL, 100, 10);
    send_new(f, 3, OC_SIDE_SELL, 101, 10);
    send_size(f, FLOW_EXECUTE, 2, 4); /* second in its level */
    send_size(f, FLOW_EXECUTE, 3, 4); /* first, but not of the best level */
    send_size(f, FLOW_EXECUTE, 2, 6);
    assert_int_equal(f->resolver.executions_off_head, 3);
    assert_int_equal(f->traded, 0);
    assert_int_equal(open_of(f, 1), 10);
    assert_int_equal(open_of(f, 2), 0);
    assert_int_equal(open_of(f, 3), 6);
    send_size(f, FLOW_EXECUTE, 99, 1);
    assert_int_equal(f->resolver.executions_off_head, 3);
    assert_int_equal(f->resolver.skipped, 1);
}

static void test_replace(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_SELL, 100, 10);
    clear(f);
    send_record(f, (flow_record_t){.kind = FLOW_REPLACE,
                                   .order_id = 1,
                                   .new_order_id = 2,
                                   .price_raw = 105,
                                   .quantity = 8});
    assert_int_equal(f->count, 2);
    assert_int_equal(f->commands[0].type, OC_COMMAND_CANCEL);
    assert_int_equal(f->commands[1].type, OC_COMMAND_NEW);
    oc_order_view_t view;
    assert_false(order(f, 1, &view));
    assert_true(order(f, 2, &view));
    assert_int_equal(view.side, OC_SIDE_SELL);
    assert_int_equal(view.price_ticks, 105);
    assert_int_equal(view.open_lots, 8);
    send_record(f, (flow_record_t){.kind = FLOW_REPLACE,
                                   .order_id = 1,
                                   .new_order_id = 3,
                                   .price_raw = 105,
                                   .quantity = 8});
    assert_int_equal(f->count, 2);
    assert_int_equal(f->resolver.skipped, 1);
}

/* More orders than one step of pending work ends: time entries drive it on. */
static void test_clear(void **state)
{
    fixture_t *f = *state;
    for (uint64_t id = 1; id <= 20; id++)
        send_new(f, id, id % 2 ? OC_SIDE_BUY : OC_SIDE_SELL, id % 2 ? 100 : 200, 1);
    clear(f);
    send_record(f, (flow_record_t){.kind = FLOW_CLEAR});
    assert_int_equal(f->commands[0].type, OC_COMMAND_MASS_CANCEL);
    assert_int_equal(f->commands[0].source.value, 0);
    assert_int_equal(f->commands[0].u.mass_cancel.scope, OC_SCOPE_INSTRUMENT);
    assert_true(f->count > 1);
    for (size_t i = 1; i < f->count; i++)
        assert_int_equal(f->commands[i].type, OC_COMMAND_TIME);
    oc_engine_counts_t counts;
    oc_engine_counts(f->engine, &counts);
    assert_int_equal(counts.orders, 0);
    assert_int_equal(counts.pending, 0);
    /* Sequence numbers are source 1's alone: none is missing after the host's commands. */
    send_new(f, 50, OC_SIDE_BUY, 100, 1);
    assert_int_equal(f->rejected, 0);
}

static void test_clear_comes_first(void **state)
{
    fixture_t *f = *state;
    send_record(f, (flow_record_t){.kind = FLOW_CLEAR});
    assert_int_equal(f->count, 3); /* source, instrument, mass cancel: it has nothing to do */
    assert_int_equal(f->rejected, 0);
}

static void test_mirror(void **state)
{
    fixture_t *f = *state;
    f->config.mirror = true;
    reconfigure(f);
    send_new(f, 1, OC_SIDE_SELL, 100, 10);
    send_new(f, 2, OC_SIDE_BUY, 105, 10); /* crosses, and rests */
    assert_int_equal(f->commands[1].u.instrument.state, OC_STATE_PRE_OPEN);
    assert_int_equal(open_of(f, 1), 10);
    assert_int_equal(open_of(f, 2), 10);
    send_record(f, (flow_record_t){.kind = FLOW_NEW,
                                   .time_in_force = OC_TIF_IOC,
                                   .order_id = 3,
                                   .price_raw = 1,
                                   .quantity = 1});
    send_record(f, (flow_record_t){.kind = FLOW_NEW,
                                   .time_in_force = OC_TIF_FOK,
                                   .order_id = 3,
                                   .price_raw = 1,
                                   .quantity = 1});
    assert_int_equal(f->resolver.skipped, 2);
    send_size(f, FLOW_EXECUTE, 1, 4);
    assert_int_equal(open_of(f, 1), 6);
    assert_int_equal(f->traded, 0);
    assert_int_equal(f->resolver.executions_off_head, 0);
    assert_int_equal(f->rejected, 0);
}

static void test_commands_pass_through(void **state)
{
    fixture_t *f = *state;
    flow_record_t record = {.kind = FLOW_COMMAND, .instrument = 9};
    record.command.type = OC_COMMAND_SOURCE_ADD;
    record.command.u.source.id.value = 44;
    record.command.u.source.roles = OC_ROLE_TRADE;
    send_record(f, record);
    assert_int_equal(f->count, 1);
    assert_memory_equal(&f->commands[0], &record.command, sizeof record.command);
}

static void test_skip(void **state)
{
    fixture_t *f = *state;
    send_record(f, (flow_record_t){.kind = FLOW_SKIP});
    assert_int_equal(f->count, 0);
    assert_int_equal(f->resolver.skipped, 1);
}

static void test_errors_come_back(void **state)
{
    fixture_t *f = *state;
    const flow_kind_t kinds[] = {FLOW_NEW, FLOW_CANCEL, FLOW_MODIFY, FLOW_CLEAR, FLOW_COMMAND};
    f->fail_with = OC_ERR_WRITE;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const flow_record_t record = {
            .kind = kinds[i], .order_id = 1, .price_raw = 1, .quantity = 1};
        const oc_err_t err = flow_resolver_record(&f->resolver, &record);
        assert_int_equal(err, OC_ERR_WRITE);
    }
}

static void test_error_in_the_middle_of_a_replace(void **state)
{
    fixture_t *f = *state;
    send_new(f, 1, OC_SIDE_SELL, 100, 10);
    f->fail_with = OC_ERR_WRITE;
    const flow_record_t record = {
        .kind = FLOW_REPLACE, .order_id = 1, .new_order_id = 2, .price_raw = 1, .quantity = 1};
    const oc_err_t err = flow_resolver_record(&f->resolver, &record);
    assert_int_equal(err, OC_ERR_WRITE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_first_sight_adds_source_and_instrument),
        TEST(test_instruments_of_the_file),
        TEST(test_only_one_instrument),
        TEST(test_tick_size),
        TEST(test_cancel_and_modify),
        TEST(test_unknown_orders_skipped_on_demand),
        TEST(test_reduce),
        TEST(test_reduce_by_nothing),
        TEST(test_execute_at_the_head),
        TEST(test_execute_off_the_head),
        TEST(test_replace),
        TEST(test_clear),
        TEST(test_clear_comes_first),
        TEST(test_mirror),
        TEST(test_commands_pass_through),
        TEST(test_skip),
        TEST(test_errors_come_back),
        TEST(test_error_in_the_middle_of_a_replace),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
