/*
 * What the fast engine shows, against what the reference shows; and that depth reads levels alone.
 */
#define _GNU_SOURCE /* mprotect */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast_internal.h"
#include "lib/expect_abort.h"
#include "lib/twin.h"

#include <string.h>
#include <sys/mman.h>

static void open_twin(twin_t *twin)
{
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(twin, &config);
    fixture_prepare(twin->fast);
    fixture_prepare(twin->reference);
}

static void assert_same_order(const twin_t *twin, uint32_t source, uint64_t id)
{
    oc_order_view_t a;
    oc_order_view_t b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    const bool has_a =
        oc_engine_order(twin->fast, (oc_source_id_t){source}, (oc_client_order_id_t){id}, &a);
    const bool has_b =
        oc_engine_order(twin->reference, (oc_source_id_t){source}, (oc_client_order_id_t){id}, &b);
    assert_int_equal(has_a, has_b);
    assert_int_equal(a.order_id.value, b.order_id.value);
    assert_int_equal(a.instrument.value, b.instrument.value);
    assert_int_equal(a.priority, b.priority);
    assert_int_equal(a.price_ticks, b.price_ticks);
    assert_int_equal(a.open_lots, b.open_lots);
    assert_int_equal(a.executed_lots, b.executed_lots);
    assert_int_equal(a.side, b.side);
    assert_int_equal(a.time_in_force, b.time_in_force);
    assert_int_equal(a.flags, b.flags);
    assert_int_equal(a.next_to_trade, b.next_to_trade);
}

static void assert_same_depth(const twin_t *twin, uint32_t instrument, oc_side_t side)
{
    for (size_t capacity = 0; capacity <= 24; capacity += 6) {
        oc_level_view_t a[24];
        oc_level_view_t b[24];
        const size_t n =
            oc_engine_depth(twin->fast, (oc_instrument_id_t){instrument}, side, a, capacity);
        assert_int_equal(n, oc_engine_depth(twin->reference, (oc_instrument_id_t){instrument}, side,
                                            b, capacity));
        assert_true(n <= capacity);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(a[i].price_ticks, b[i].price_ticks);
            assert_int_equal(a[i].open_lots, b[i].open_lots);
            assert_int_equal(a[i].order_count, b[i].order_count);
        }
    }
}

/* How far a source's orders have been listed: the last order of the page before. */
typedef struct cursor {
    oc_order_id_t order_id;
    oc_client_order_id_t name;
} cursor_t;

/* A page of both engines; the cursor moves to its last order, or back to the start. */
static void assert_same_page(const twin_t *twin, uint32_t source, cursor_t *cursor, size_t capacity)
{
    enum { MOST = 40 };
    oc_order_view_t pages[2][MOST];
    const oc_source_id_t id = {source};
    assert_true(capacity <= MOST);
    const size_t n =
        oc_engine_source_orders(twin->fast, id, cursor->order_id, cursor->name, pages[0], capacity);
    assert_int_equal(oc_engine_source_orders(twin->reference, id, cursor->order_id, cursor->name,
                                             pages[1], capacity),
                     n);
    uint64_t last = cursor->order_id.value;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(pages[0][i].order_id.value, pages[1][i].order_id.value);
        assert_true(pages[0][i].order_id.value > last);
        assert_int_equal(pages[0][i].source.value, source);
        last = pages[0][i].order_id.value;
    }
    *cursor = n ? (cursor_t){pages[0][n - 1].order_id, pages[0][n - 1].client_order_id}
                : (cursor_t){{0}, {0}};
}

static void test_views_are_those_of_the_reference(void **state)
{
    (void)state;
    twin_t twin;
    uint64_t seed = 77;
    cursor_t cursors[3] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
    open_twin(&twin);
    for (int i = 0; i < 3000; i++) {
        twin_apply(&twin, fixture_random_command(&seed));
        assert_same_order(&twin, 1 + (uint32_t)i % 3, fixture_below(&seed, 60));
        if (fixture_below(&seed, 4) == 0) /* meanwhile the order before may go, its name return */
            assert_same_page(&twin, 1 + (uint32_t)i % 3, &cursors[i % 3], fixture_below(&seed, 9));
        for (uint32_t instrument = 0; i % 10 == 0 && instrument <= 3; instrument++) {
            assert_same_depth(&twin, instrument, OC_SIDE_BUY);
            assert_same_depth(&twin, instrument, OC_SIDE_SELL);
        }
    }
    assert_same_order(&twin, 0, 1);
    assert_same_order(&twin, 99, 1);
    twin_destroy(&twin);
}

/* Ends the walk at the order it was told to. */
typedef struct visit {
    uint64_t ids[8];
    int count;
    int stop_after;
} visit_t;

static bool visit(void *context, const oc_order_view_t *view)
{
    visit_t *v = context;
    v->ids[v->count++] = view->client_order_id.value;
    return v->count != v->stop_after;
}

static void test_a_visit_goes_in_price_time_order_and_stops_when_told(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    const int64_t prices[5] = {7, 9, 7, 8, 9};
    for (uint64_t id = 0; id < 5; id++)
        twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 3, prices[id]));
    const uint64_t want[5] = {1, 4, 3, 0, 2};
    for (int stop = 1; stop <= 5; stop++) {
        visit_t v = {.stop_after = stop};
        oc_engine_visit_orders(twin.fast, (oc_instrument_id_t){1}, OC_SIDE_BUY, visit, &v);
        assert_int_equal(v.count, stop);
        assert_memory_equal(v.ids, want, (size_t)stop * sizeof want[0]);
    }
    visit_t v = {.stop_after = 1};
    oc_engine_visit_orders(twin.fast, (oc_instrument_id_t){1}, OC_SIDE_SELL, visit, &v);
    oc_engine_visit_orders(twin.fast, (oc_instrument_id_t){9}, OC_SIDE_BUY, visit, &v);
    oc_engine_visit_orders(twin.fast, (oc_instrument_id_t){0}, OC_SIDE_BUY, visit, &v);
    assert_int_equal(v.count, 0);
    twin_destroy(&twin);
}

static void test_orders_of_a_source_are_listed_in_order_of_id(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint64_t id = 0; id < 40; id++) /* more than a chunk; source 2 gets every other order */
        twin_take(&twin,
                  fixture_new(1 + (uint32_t)id % 2, id, OC_SIDE_BUY, 3, 1 + (int64_t)id % 9));
    for (uint64_t id = 0; id < 30; id += 4)
        twin_take(&twin, fixture_cancel(1, id));            /* leaves holes */
    twin_take(&twin, fixture_new(1, 4, OC_SIDE_BUY, 3, 1)); /* order 5 is gone, its name is back */
    for (size_t capacity = 0; capacity <= 21; capacity++) {
        for (uint64_t after = 0; after <= 43; after++) {
            for (uint64_t name = 0; name <= 41; name++) {
                cursor_t cursor = {{after}, {name}};
                assert_same_page(&twin, 1, &cursor, capacity);
            }
        }
    }
    oc_order_view_t orders[21];
    const oc_client_order_id_t name = {1};
    assert_int_equal(oc_engine_source_orders(twin.fast, (oc_source_id_t){1}, (oc_order_id_t){0},
                                             name, orders, 21),
                     13);
    for (uint32_t source = 0; source <= 9; source += 3) /* no source, or none of its orders */
        assert_int_equal(oc_engine_source_orders(twin.fast, (oc_source_id_t){source},
                                                 (oc_order_id_t){0}, name, orders, 21),
                         0);
    twin_destroy(&twin);
}

static void test_instruments_are_listed_in_order_of_id(void **state)
{
    (void)state;
    static const uint32_t ids[] = {500, 3, UINT32_MAX, 40};
    const oc_engine_config_t config = fast_fixture_config();
    twin_t twin;
    twin_create(&twin, &config);
    assert_int_equal(oc_engine_next_instrument(twin.fast, (oc_instrument_id_t){0}).value, 0);
    for (size_t i = 0; i < 4; i++)
        twin_take(&twin, fixture_add_instrument(ids[i]));
    static const uint32_t want[][2] = {{0, 3},
                                       {2, 3},
                                       {3, 40},
                                       {39, 40},
                                       {40, 500},
                                       {41, 500},
                                       {499, 500},
                                       {500, UINT32_MAX},
                                       {UINT32_MAX - 1, UINT32_MAX},
                                       {UINT32_MAX, 0}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const oc_instrument_id_t after = {want[i][0]};
        assert_int_equal(oc_engine_next_instrument(twin.fast, after).value, want[i][1]);
        assert_int_equal(oc_engine_next_instrument(twin.reference, after).value, want[i][1]);
    }
    oc_instrument_view_t view;
    assert_false(oc_engine_instrument(twin.fast, (oc_instrument_id_t){4}, &view));
    assert_false(oc_engine_instrument(twin.fast, (oc_instrument_id_t){0}, &view));
    assert_true(oc_engine_instrument(twin.fast, (oc_instrument_id_t){40}, &view));
    assert_int_equal(view.price_high_ticks, FIXTURE_PRICE_MAX);
    assert_false(view.has_mark_price);
    oc_command_t mark = fixture_command(OC_COMMAND_MARK_PRICE, 0, 40);
    mark.u.mark.price_ticks = 6;
    twin_take(&twin, mark);
    assert_true(oc_engine_instrument(twin.fast, (oc_instrument_id_t){40}, &view));
    assert_true(view.has_mark_price);
    assert_int_equal(view.mark_price_ticks, 6);
    twin_destroy(&twin);
}

static void test_a_source_shows_its_progress(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    oc_command_t command = fixture_new(2, 1, OC_SIDE_BUY, 3, 7);
    command.sequence = 1;
    twin_take(&twin, command);
    command.sequence = 2;
    twin_reject(&twin, command, OC_REASON_DUPLICATE_ORDER);
    twin_take(&twin, twin_session_up(77, 2));
    oc_source_view_t view;
    assert_true(oc_engine_source(twin.fast, (oc_source_id_t){2}, &view));
    assert_int_equal(view.roles, OC_ROLES_ALL);
    assert_int_equal(view.sequence, 2);
    assert_int_equal(view.last_status, OC_REASON_DUPLICATE_ORDER);
    assert_int_equal(view.session.value, 77);
    assert_int_equal(view.session_first.value, 2);
    assert_int_equal(view.orders, 1);
    assert_false(oc_engine_source(twin.fast, (oc_source_id_t){0}, &view));
    assert_false(oc_engine_source(twin.fast, (oc_source_id_t){9}, &view));
    twin_destroy(&twin);
}

/* A large, deep book. The records of its first `locked` orders, and some more, cannot be read. */
static oc_engine_t *engine_with_locked_orders(size_t locked)
{
    oc_engine_config_t config = fast_fixture_config();
    config.verify_touch = false;
    config.max_orders = 20000;
    config.max_levels = 200;
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_apply(engine, fixture_add_source(1));
    fixture_apply(engine, fast_fixture_add_instrument(1));
    for (uint64_t id = 0; id < 20000; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 2, (int64_t)(id % 100)));
    const fast_engine_t *e = fast_fixture_inside(engine);
    const size_t size = oc_arena_section_size((1 + locked) * sizeof(order_record_t));
    assert_int_equal(mprotect(e->orders, size, PROT_NONE), 0);
    return engine;
}

static void read_depth(void *context)
{
    oc_level_view_t levels[100];
    OC_ASSERT(oc_engine_depth(context, (oc_instrument_id_t){1}, OC_SIDE_SELL, levels, 100) == 100);
    for (int i = 0; i < 100; i++) {
        OC_ASSERT(levels[i].price_ticks == i);
        OC_ASSERT(levels[i].order_count == 200);
        OC_ASSERT(levels[i].open_lots == 400);
    }
}

/* Fill-or-kill looks at as much as it can without finding enough. */
static void look_before_trading(void *context)
{
    oc_command_t command = fixture_new(1, 99999, OC_SIDE_BUY, 39999, 98);
    command.time_in_force = OC_TIF_FOK;
    OC_ASSERT(oc_engine_apply(context, &command) == OC_ERR_OK);
}

static void read_an_order(void *context)
{
    oc_order_view_t view;
    (void)oc_engine_order(context, (oc_source_id_t){1}, (oc_client_order_id_t){5}, &view);
}

static void test_depth_and_fok_never_read_orders(void **state)
{
    (void)state;
    oc_engine_t *engine = engine_with_locked_orders(20000);
    assert_int_equal(child_status(read_depth, engine), 0);
    assert_int_equal(child_status(look_before_trading, engine), 0);
    assert_int_not_equal(child_status(read_an_order, engine), 0); /* the lock is real */
    oc_engine_destroy(engine);
}

/* The orders 15001 to 15256, named with what is given. */
static void read_a_page(oc_engine_t *engine, uint64_t name)
{
    oc_order_view_t orders[256];
    OC_ASSERT(oc_engine_source_orders(engine, (oc_source_id_t){1}, (oc_order_id_t){15000},
                                      (oc_client_order_id_t){name}, orders, 256) == 256);
    for (uint64_t i = 0; i < 256; i++)
        OC_ASSERT(orders[i].order_id.value == 15001 + i);
}

static void read_a_page_by_name(void *context)
{
    read_a_page(context, 14999); /* the first order has name 0 and id 1 */
}

static void read_a_page_by_id_alone(void *context)
{
    read_a_page(context, 15000);
}

static void test_a_page_by_name_reads_nothing_before_it(void **state)
{
    (void)state;
    oc_engine_t *engine = engine_with_locked_orders(14000);
    assert_int_equal(child_status(read_a_page_by_name, engine), 0);
    assert_int_not_equal(child_status(read_a_page_by_id_alone, engine), 0); /* the lock is real */
    oc_engine_destroy(engine);
}

static void test_memory_follows_use(void **state)
{
    (void)state;
    const oc_engine_config_t config = fast_fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    const fast_engine_t *e = fast_fixture_inside(engine);
    oc_engine_memory_t memory;
    oc_engine_memory(engine, &memory);
    assert_int_equal(memory.arena_bytes, e->arena.size);
    assert_int_equal(memory.order_bytes, 0);
    assert_int_equal(memory.level_bytes, 0);
    assert_int_equal(memory.source_list_bytes, 0);
    assert_int_equal(memory.index_bytes, e->index_lines * sizeof(order_index_line_t));
    fixture_prepare(engine);
    for (uint64_t id = 0; id < 14; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 2, 3));
    oc_engine_memory(engine, &memory);
    assert_int_equal(memory.order_bytes, 14 * 64);
    assert_int_equal(memory.level_bytes, 32 + 32 + 256 + 256);
    assert_int_equal(memory.source_list_bytes, 2 * 64);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views_are_those_of_the_reference),
        cmocka_unit_test(test_a_visit_goes_in_price_time_order_and_stops_when_told),
        cmocka_unit_test(test_orders_of_a_source_are_listed_in_order_of_id),
        cmocka_unit_test(test_instruments_are_listed_in_order_of_id),
        cmocka_unit_test(test_a_source_shows_its_progress),
        cmocka_unit_test(test_depth_and_fok_never_read_orders),
        cmocka_unit_test(test_a_page_by_name_reads_nothing_before_it),
        cmocka_unit_test(test_memory_follows_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
