/*
 * The state hash of the reference engine, and its answers to questions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include <string.h>

/* The state hash after a list of commands on a prepared engine. */
static uint64_t hash_after(const oc_command_t *commands, size_t count)
{
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    for (size_t i = 0; i < count; i++)
        fixture_apply(engine, commands[i]);
    fixture_assert_audit(engine);
    const uint64_t hash = oc_engine_state_hash(engine);
    assert_true(hash == oc_engine_state_hash(engine));
    oc_engine_destroy(engine);
    return hash;
}

#define HASH_AFTER(...)                                                                            \
    hash_after((const oc_command_t[]){__VA_ARGS__},                                                \
               sizeof((const oc_command_t[]){__VA_ARGS__}) / sizeof(oc_command_t))

static void test_hash_forgets_the_way(void **state)
{
    (void)state;
    const oc_command_t first = fixture_new(1, 1, OC_SIDE_BUY, 5, 10);
    const oc_command_t second = fixture_new(2, 1, OC_SIDE_BUY, 5, 10);
    oc_command_t of_another = fixture_cancel(0, 1);
    of_another.u.order.owner.value = 1;
    oc_command_t mass_cancel = fixture_command(OC_COMMAND_MASS_CANCEL, 1, 0);
    mass_cancel.u.mass_cancel.scope = OC_SCOPE_SOURCE;

    const uint64_t cancelled = HASH_AFTER(first, second, fixture_cancel(1, 1));
    assert_true(cancelled == HASH_AFTER(first, second, of_another));
    assert_true(cancelled == HASH_AFTER(first, second, mass_cancel));

    /* An order made smaller is as one that was small from the start. */
    const uint64_t lowered =
        HASH_AFTER(fixture_new(1, 1, OC_SIDE_BUY, 9, 10), fixture_modify(1, 1, 4, 10));
    assert_true(lowered == HASH_AFTER(fixture_new(1, 1, OC_SIDE_BUY, 4, 10), fixture_time(0)));
}

static void test_hash_forgets_the_order_of_setup(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *up = fixture_create(&config, NULL);
    oc_engine_t *down = fixture_create(&config, NULL);
    for (uint32_t id = 1; id <= 4; id++) {
        fixture_apply(up, fixture_add_source(id));
        fixture_apply(up, fixture_add_instrument(id));
        fixture_apply(down, fixture_add_source(5 - id));
        fixture_apply(down, fixture_add_instrument(5 - id));
    }
    assert_true(oc_engine_state_hash(up) == oc_engine_state_hash(down));
    assert_true(oc_engine_output_hash(up) != oc_engine_output_hash(down));
    fixture_assert_audit(down);
    oc_engine_destroy(up);
    oc_engine_destroy(down);
}

static void test_hash_sees_every_difference(void **state)
{
    (void)state;
    const oc_command_t base = fixture_new(1, 1, OC_SIDE_BUY, 5, 10);
    oc_command_t day = base;
    day.time_in_force = OC_TIF_DAY;
    oc_command_t post = base;
    post.flags = OC_FLAG_POST_ONLY;
    oc_command_t disconnect = base;
    disconnect.flags = OC_FLAG_CANCEL_ON_DISCONNECT;
    oc_command_t elsewhere = base;
    elsewhere.instrument.value = 2;
    oc_command_t counted = base;
    counted.sequence = 1;
    oc_command_t later = base;
    later.time_ns = 7;
    const uint64_t hashes[] = {
        HASH_AFTER(base),
        HASH_AFTER(day),
        HASH_AFTER(post),
        HASH_AFTER(disconnect),
        HASH_AFTER(elsewhere),
        HASH_AFTER(counted),
        HASH_AFTER(later),
        HASH_AFTER(fixture_new(2, 1, OC_SIDE_BUY, 5, 10)),
        HASH_AFTER(fixture_new(1, 2, OC_SIDE_BUY, 5, 10)),
        HASH_AFTER(fixture_new(1, 1, OC_SIDE_SELL, 5, 10)),
        HASH_AFTER(fixture_new(1, 1, OC_SIDE_BUY, 6, 10)),
        HASH_AFTER(fixture_new(1, 1, OC_SIDE_BUY, 5, 11)),
        HASH_AFTER(base, fixture_time(0)),
        HASH_AFTER(fixture_time(0)),
    };
    const size_t count = sizeof hashes / sizeof hashes[0];
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            assert_true(hashes[i] != hashes[k]);
}

static void test_hash_sees_a_swap_in_the_queue(void **state)
{
    (void)state;
    const oc_command_t first = fixture_new(1, 1, OC_SIDE_BUY, 5, 10);
    const oc_command_t second = fixture_new(1, 2, OC_SIDE_BUY, 5, 10);
    const oc_command_t away = fixture_modify(1, 1, 5, 11);
    const oc_command_t back = fixture_modify(1, 1, 5, 10);
    /* The same orders at the same price, each behind the other once. */
    const uint64_t swapped = HASH_AFTER(first, second, away, back);
    assert_true(swapped != HASH_AFTER(first, second, fixture_modify(1, 2, 5, 11),
                                      fixture_modify(1, 2, 5, 10)));
    assert_true(swapped != HASH_AFTER(first, second, fixture_time(0), fixture_time(0)));
}

static bool stop_at_second(void *context, const oc_order_view_t *view)
{
    unsigned *calls = context;
    assert_int_equal(view->client_order_id.value, ++*calls);
    assert_int_equal(view->next_to_trade, *calls == 1);
    return *calls < 2;
}

static void test_views(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    const oc_instrument_id_t one = {1};
    oc_level_view_t level;
    oc_engine_memory_t memory;
    unsigned calls = 0;
    assert_int_equal(oc_engine_next_instrument(engine, (oc_instrument_id_t){0}).value, 0);
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 3; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 1, 10 - (int64_t)id));
    assert_int_equal(oc_engine_depth(engine, one, OC_SIDE_BUY, &level, 1), 1);
    assert_int_equal(level.price_ticks, 9);
    assert_int_equal(oc_engine_depth(engine, one, OC_SIDE_BUY, &level, 0), 0);
    assert_int_equal(oc_engine_depth(engine, (oc_instrument_id_t){9}, OC_SIDE_BUY, &level, 1), 0);
    oc_engine_visit_orders(engine, one, OC_SIDE_BUY, stop_at_second, &calls);
    assert_int_equal(calls, 2);
    oc_engine_visit_orders(engine, (oc_instrument_id_t){9}, OC_SIDE_BUY, stop_at_second, &calls);
    assert_int_equal(calls, 2);
    assert_int_equal(oc_engine_next_instrument(engine, (oc_instrument_id_t){0}).value, 1);
    assert_int_equal(oc_engine_next_instrument(engine, one).value, 2);
    assert_int_equal(oc_engine_next_instrument(engine, (oc_instrument_id_t){2}).value, 0);
    memset(&memory, 0xff, sizeof memory);
    oc_engine_memory(engine, &memory);
    assert_int_equal(memory.arena_bytes + memory.order_bytes + memory.index_bytes +
                         memory.level_bytes + memory.source_list_bytes,
                     0);
    oc_engine_destroy(engine);
}

static void test_orders_of_a_source(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    for (uint64_t id = 9; id >= 4; id--) /* the latest has the lowest client order id */
        fixture_apply(engine, fixture_new(id % 3 ? 1 : 2, id, OC_SIDE_BUY, 5, 10));
    oc_order_view_t orders[4];
    memset(orders, 0, sizeof orders);
    const oc_source_id_t source = {1};
    oc_client_order_id_t name = {0};
    assert_int_equal(oc_engine_source_orders(engine, source, (oc_order_id_t){0}, name, orders, 3),
                     3);
    assert_int_equal(orders[0].client_order_id.value, 8);
    assert_int_equal(orders[0].order_id.value, 2);
    assert_int_equal(orders[1].client_order_id.value, 7);
    assert_int_equal(orders[2].client_order_id.value, 5);
    assert_int_equal(orders[3].order_id.value, 0); /* not written */
    assert_int_equal(oc_engine_source_orders(engine, source, orders[2].order_id, name, orders, 4),
                     1);
    assert_int_equal(orders[0].client_order_id.value, 4);
    name = orders[0].client_order_id; /* right or wrong, it changes nothing */
    assert_int_equal(oc_engine_source_orders(engine, source, orders[0].order_id, name, orders, 4),
                     0);
    assert_int_equal(
        oc_engine_source_orders(engine, (oc_source_id_t){9}, (oc_order_id_t){0}, name, orders, 4),
        0);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_forgets_the_way),
        cmocka_unit_test(test_hash_forgets_the_order_of_setup),
        cmocka_unit_test(test_hash_sees_every_difference),
        cmocka_unit_test(test_hash_sees_a_swap_in_the_queue),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_orders_of_a_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
