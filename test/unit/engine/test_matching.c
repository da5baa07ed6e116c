/*
 * Matching: price-time order, limits at the extremes, look-before-trade, and sweeps whose work does
 * not grow with the book.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/matching.h"
#include "engine/price_levels.h"
#include "lib/twin.h"

enum { SPARSE_LEVELS = 10000, DEEP_QUEUE = 100000 };

static void open_twin(twin_t *twin)
{
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(twin, &config);
    for (uint32_t id = 1; id <= 3; id++)
        twin_take(twin, fixture_add_source(id));
    twin_take(twin, fast_fixture_add_instrument(1));
}

static oc_command_t with_tif(oc_command_t command, oc_time_in_force_t tif)
{
    command.time_in_force = (uint8_t)tif;
    return command;
}

static oc_command_t market(uint32_t source, uint64_t id, oc_side_t side, int64_t lots)
{
    oc_command_t command = fixture_new(source, id, side, lots, 0);
    command.order_type = OC_ORDER_MARKET;
    return command;
}

/* Client ids of the resting orders that the last command traded with, in order. */
static void assert_filled(const uint64_t *ids, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < twin_events(); i++) {
        if (twin_event(i)->type != OC_EVENT_FILL)
            continue;
        assert_true(at < count);
        assert_int_equal(twin_event(i)->client_order_id.value, ids[at++]);
    }
    assert_int_equal(at, count);
}

static void test_better_price_first_then_first_come(void **state)
{
    (void)state;
    static const int64_t prices[6] = {12, 10, 11, 10, 12, 10};
    twin_t twin;
    open_twin(&twin);
    for (int side = OC_SIDE_BUY; side <= OC_SIDE_SELL; side++) {
        for (uint64_t id = 0; id < 6; id++) {
            const int64_t price = side == OC_SIDE_SELL ? prices[id] : -prices[id];
            twin_take(&twin, fixture_new(1, id, (oc_side_t)side, 2, price));
        }
        const oc_side_t other = side == OC_SIDE_BUY ? OC_SIDE_SELL : OC_SIDE_BUY;
        twin_take(&twin, with_tif(fixture_new(2, 1, other, 7, side == OC_SIDE_SELL ? 11 : -11),
                                  OC_TIF_IOC));
        assert_filled((const uint64_t[]){1, 3, 5, 2}, 4);
        twin_take(&twin, with_tif(fixture_new(2, 1, other, 7, side == OC_SIDE_SELL ? 11 : -11),
                                  OC_TIF_IOC)); /* not through its limit */
        assert_filled((const uint64_t[]){2}, 1);
        assert_int_equal(twin_event(twin_events() - 1)->reason, OC_REASON_UNFILLED);
        assert_int_equal(twin_event(twin_events() - 1)->quantity_lots, 6);
        twin_take(&twin, market(2, 1, other, 99));
        assert_filled((const uint64_t[]){0, 4}, 2);
        assert_int_equal(twin_counts(&twin).levels, 0);
    }
    twin_destroy(&twin);
}

static void test_a_partly_filled_head_keeps_its_place(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_SELL, 9, 5));
    twin_take(&twin, fixture_new(1, 2, OC_SIDE_SELL, 9, 5));
    for (int i = 0; i < 9; i++) {
        twin_take(&twin, fixture_new(2, 1, OC_SIDE_BUY, 1, 5));
        assert_filled((const uint64_t[]){1}, 1);
    }
    twin_take(&twin, fixture_new(2, 1, OC_SIDE_BUY, 1, 5));
    assert_filled((const uint64_t[]){2}, 1);
    twin_destroy(&twin);
}

static void test_one_level_event_for_each_level_traded_at(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint64_t id = 0; id < 6; id++)
        twin_take(&twin, fixture_new(1, id, OC_SIDE_SELL, 1, 5 + (int64_t)id / 2));
    twin_take(&twin, fixture_new(2, 1, OC_SIDE_BUY, 8, 6));
    size_t levels = 0;
    for (size_t i = 0; i < twin_events(); i++)
        levels += twin_event(i)->type == OC_EVENT_LEVEL;
    assert_int_equal(levels, 3); /* two emptied ones, and the one it rests in */
    const oc_event_t *last = twin_event(twin_events() - 1);
    assert_int_equal(last->side, OC_SIDE_BUY);
    assert_int_equal(last->quantity_lots, 4);
    twin_destroy(&twin);
}

static void test_prices_at_the_ends_of_64_bits(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (int round = 0; round < 2; round++) {
        const int64_t low = round ? INT64_MAX : INT64_MIN;
        for (int side = OC_SIDE_BUY; side <= OC_SIDE_SELL; side++) {
            const oc_side_t other = side == OC_SIDE_BUY ? OC_SIDE_SELL : OC_SIDE_BUY;
            twin_take(&twin, fixture_new(1, 1, (oc_side_t)side, 3, low));
            fixture_assert_audit(twin.fast);
            twin_take(&twin, market(2, 1, other, 1));
            assert_filled((const uint64_t[]){1}, 1);
            twin_take(&twin, fixture_new(2, 1, other, 1, low));
            assert_filled((const uint64_t[]){1}, 1);
            oc_command_t post = fixture_new(2, 1, other, 1, low);
            post.flags = OC_FLAG_POST_ONLY;
            twin_reject(&twin, post, OC_REASON_WOULD_CROSS);
            twin_take(&twin, with_tif(market(2, 1, other, 1), OC_TIF_FOK));
            assert_int_equal(twin_counts(&twin).orders, 0);
        }
    }
    twin_destroy(&twin);
}

static void test_fok_looks_no_further_than_its_limit(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint64_t id = 0; id < 4; id++)
        twin_take(&twin, fixture_new(1, id, OC_SIDE_SELL, 5, 10 + (int64_t)id * 100));
    static const struct {
        int64_t lots;
        int64_t price;
        bool fills;
    } cases[] = {{21, 9999, false}, {20, 309, false}, {16, 309, false}, {6, 109, false},
                 {5, 9, false},     {11, 210, true},  {5, 310, true},   {5, 310, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        twin_take(&twin, with_tif(fixture_new(2, 1, OC_SIDE_BUY, cases[i].lots, cases[i].price),
                                  OC_TIF_FOK));
        const oc_event_t *last = twin_event(twin_events() - 1);
        if (cases[i].fills) {
            assert_int_equal(last->type, OC_EVENT_LEVEL);
        } else {
            assert_int_equal(twin_events(), 2);
            assert_int_equal(last->reason, OC_REASON_UNFILLED);
            assert_int_equal(last->quantity_lots, cases[i].lots);
        }
    }
    twin_take(&twin, with_tif(market(2, 1, OC_SIDE_BUY, 5), OC_TIF_FOK));
    assert_int_equal(twin_event(1)->reason, OC_REASON_UNFILLED); /* 4 lots are there */
    twin_take(&twin, with_tif(market(2, 1, OC_SIDE_BUY, 4), OC_TIF_FOK));
    assert_int_equal(twin_counts(&twin).orders, 0);
    twin_destroy(&twin);
}

static oc_engine_t *large_engine(uint32_t orders, uint32_t levels)
{
    oc_engine_config_t config = fast_fixture_config();
    config.verify_touch = false;
    config.max_orders = orders;
    config.max_levels = levels;
    oc_engine_t *engine = fixture_create(&config, NULL);
    for (uint32_t id = 1; id <= 3; id++)
        fixture_apply(engine, fixture_add_source(id));
    fixture_apply(engine, fast_fixture_add_instrument(1));
    return engine;
}

static int64_t sparse_price(uint64_t *seed)
{
    return (int64_t)fixture_below(seed, UINT64_C(1) << 58);
}

/* Inner nodes above a leaf: what a search for a neighbour has to pass. */
static uint32_t tree_depth(const fast_engine_t *e, uint32_t root)
{
    uint32_t depth = 0;
    for (; !e->nodes[root].leaf; root = e->nodes[root].child[0])
        depth++;
    return depth;
}

/*
 * The best of ten thousand levels, each in a block of its own far from the next, comes and goes.
 * The pages announced stay as few as with ten levels, and no walk passes more than the kept blocks.
 */
static void test_best_levels_over_sparse_prices(void **state)
{
    (void)state;
    uint32_t most[2] = {0, 0};
    for (int large = 0; large <= 1; large++) {
        oc_engine_t *engine = large_engine(SPARSE_LEVELS + 100, SPARSE_LEVELS + 100);
        const fast_engine_t *e = fast_fixture_inside(engine);
        uint64_t seed = 8;
        const uint64_t levels = large ? SPARSE_LEVELS : 10;
        for (uint64_t id = 0; id < levels; id++)
            fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 1, sparse_price(&seed)));
        for (uint64_t i = 0; i < 9; i++) {
            const oc_command_t take = market(2, 1, OC_SIDE_BUY, 1);
            const uint32_t pages = fast_fixture_pages(engine, take);
            most[large] = pages > most[large] ? pages : most[large];
        }
        oc_engine_counts_t counts;
        oc_engine_counts(engine, &counts);
        assert_int_equal(counts.levels, levels - 9);
        assert_true(tree_depth(e, e->instruments[1].root[OC_SIDE_SELL]) <= 4);
        assert_true(e->header->blocks.used <= counts.levels + e->kept_limit);
        fixture_assert_audit(engine);
        oc_engine_destroy(engine);
    }
    assert_true(most[0] <= 30);
    assert_true(most[1] <= 30);
}

static void test_a_sweep_of_ten_thousand_levels(void **state)
{
    (void)state;
    static fixture_recorder_t recorder;
    oc_engine_t *engine = large_engine(SPARSE_LEVELS + 10, SPARSE_LEVELS + 10);
    fast_engine_t *e = fast_fixture_inside(engine);
    uint64_t seed = 80;
    for (uint64_t id = 0; id < SPARSE_LEVELS; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_SELL, 1, sparse_price(&seed)));
    recorder.count = 0;
    e->sink = fixture_record;
    e->sink_context = &recorder;
    fixture_apply(engine, market(2, 1, OC_SIDE_BUY, SPARSE_LEVELS + 1));
    assert_int_equal(recorder.count, 1 + 3 * SPARSE_LEVELS + 1);
    int64_t last = INT64_MIN;
    for (size_t i = 1; i + 1 < recorder.count; i += 3) {
        assert_int_equal(recorder.events[i].type, OC_EVENT_TRADE);
        assert_true(recorder.events[i].price_ticks > last);
        last = recorder.events[i].price_ticks;
    }
    assert_int_equal(e->header->levels.used, 0);
    assert_int_equal(e->header->blocks.used, e->kept_limit);
    fixture_assert_audit(engine);
    oc_engine_destroy(engine);
}

/* Inside a level of a hundred thousand orders a cancel costs what it costs in one of three. */
static void test_a_cancel_inside_a_deep_level(void **state)
{
    (void)state;
    oc_engine_t *engine = large_engine(DEEP_QUEUE + 1000, 100);
    for (uint64_t id = 0; id < 3; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 1, 7));
    for (uint64_t id = 0; id < DEEP_QUEUE; id++)
        fixture_apply(engine, fixture_new(2, id, OC_SIDE_BUY, 1, 9));
    const uint32_t ordinary = fast_fixture_pages(engine, fixture_cancel(1, 1));
    uint32_t most = 0;
    for (uint64_t id = 1; id < DEEP_QUEUE; id += DEEP_QUEUE / 50) {
        const uint32_t pages = fast_fixture_pages(engine, fixture_cancel(2, id));
        most = pages > most ? pages : most;
    }
    assert_true(most <= ordinary + 2); /* the two neighbours may lie in pages of their own */
    assert_true(most <= 9);
    fixture_assert_audit(engine);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_better_price_first_then_first_come),
        cmocka_unit_test(test_a_partly_filled_head_keeps_its_place),
        cmocka_unit_test(test_one_level_event_for_each_level_traded_at),
        cmocka_unit_test(test_prices_at_the_ends_of_64_bits),
        cmocka_unit_test(test_fok_looks_no_further_than_its_limit),
        cmocka_unit_test(test_best_levels_over_sparse_prices),
        cmocka_unit_test(test_a_sweep_of_ten_thousand_levels),
        cmocka_unit_test(test_a_cancel_inside_a_deep_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
