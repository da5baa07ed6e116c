/*
 * New, cancel and modify: every reject in its place in the order of checks, and what a change of
 * terms does to place and quantity. Both engines run each case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/twin.h"

static void open_twin(twin_t *twin, const oc_engine_config_t *config)
{
    twin_create(twin, config);
    for (uint32_t id = 1; id <= 3; id++)
        twin_take(twin, fixture_add_source(id));
    for (uint32_t id = 1; id <= 2; id++)
        twin_take(twin, fixture_add_instrument(id));
}

static void open_default(twin_t *twin)
{
    const oc_engine_config_t config = fast_fixture_config();
    open_twin(twin, &config);
}

static void restrict_to(const twin_t *twin, uint32_t restrictions)
{
    oc_command_t command = fixture_command(OC_COMMAND_RESTRICTION, 0, 0);
    command.u.restriction.set = restrictions;
    command.u.restriction.clear = OC_RESTRICT_ALL & ~restrictions;
    twin_take(twin, command);
}

static oc_engine_counts_t assert_counts(const twin_t *twin, uint32_t orders, uint32_t levels)
{
    const oc_engine_counts_t counts = twin_counts(twin);
    assert_int_equal(counts.orders, orders);
    assert_int_equal(counts.levels, levels);
    return counts;
}

/*
 * A NEW with everything wrong; the causes are put right one by one, in the order of rule 5, and
 * each time the next one is the reason given.
 */
static void test_new_is_checked_in_order(void **state)
{
    (void)state;
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.max_orders = 2;
    config.max_levels = 2;
    open_twin(&twin, &config);
    twin_take(&twin, twin_state(2, OC_STATE_HALTED));
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_SELL, 5, 10));
    twin_take(&twin, fixture_new(1, 2, OC_SIDE_BUY, 5, 5));
    oc_command_t c = fixture_new(1, 1, (oc_side_t)2, -1, FIXTURE_PRICE_MAX + 1);
    c.order_type = 2;
    c.time_in_force = 4;
    c.flags = OC_FLAG_POST_ONLY;
    c.instrument.value = 3;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_INSTRUMENT);
    c.instrument.value = 2;
    twin_reject(&twin, c, OC_REASON_INVALID_SIDE);
    c.side = OC_SIDE_BUY;
    twin_reject(&twin, c, OC_REASON_INVALID_ORDER_TYPE);
    c.order_type = OC_ORDER_MARKET;
    twin_reject(&twin, c, OC_REASON_INVALID_TIME_IN_FORCE);
    c.time_in_force = OC_TIF_GTC;
    twin_reject(&twin, c, OC_REASON_INVALID_FLAGS); /* post-only, and a market order */
    c.order_type = OC_ORDER_LIMIT;
    c.time_in_force = OC_TIF_IOC;
    twin_reject(&twin, c, OC_REASON_INVALID_FLAGS);
    c.time_in_force = OC_TIF_FOK;
    twin_reject(&twin, c, OC_REASON_INVALID_FLAGS);
    c.time_in_force = OC_TIF_GTC;
    restrict_to(&twin, OC_RESTRICT_ALL);
    twin_reject(&twin, c, OC_REASON_INSTRUMENT_STATE);
    c.instrument.value = 1;
    twin_reject(&twin, c, OC_REASON_STORAGE_LOW);
    restrict_to(&twin, OC_RESTRICT_RECOVERY);
    twin_reject(&twin, c, OC_REASON_NOT_RESUMED);
    restrict_to(&twin, 0);
    twin_reject(&twin, c, OC_REASON_INVALID_QUANTITY);
    c.u.order.quantity_lots = 0;
    twin_reject(&twin, c, OC_REASON_INVALID_QUANTITY);
    c.u.order.quantity_lots = 1001;
    twin_reject(&twin, c, OC_REASON_QUANTITY_TOO_LARGE);
    c.u.order.quantity_lots = 1000;
    twin_reject(&twin, c, OC_REASON_PRICE_OUT_OF_BAND);
    c.u.order.price_ticks = 0;
    twin_reject(&twin, c, OC_REASON_PRICE_OUT_OF_BAND);
    c.u.order.price_ticks = 10;
    twin_reject(&twin, c, OC_REASON_DUPLICATE_ORDER);
    c.u.order.client_order_id.value = 3;
    twin_reject(&twin, c, OC_REASON_WOULD_CROSS);
    c.u.order.price_ticks = 9;
    twin_reject(&twin, c, OC_REASON_ORDERS_FULL);
    twin_take(&twin, fixture_cancel(1, 2));
    twin_take(&twin, fixture_new(1, 4, OC_SIDE_BUY, 1, 4));
    twin_reject(&twin, c, OC_REASON_ORDERS_FULL);
    twin_take(&twin, fixture_cancel(1, 4));
    twin_take(&twin, c);
    assert_counts(&twin, 2, 2);
    twin_destroy(&twin);
}

static void test_levels_full_spares_orders_of_levels_that_are_there(void **state)
{
    (void)state;
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.max_levels = 2;
    open_twin(&twin, &config);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_SELL, 5, 10));
    twin_take(&twin, fixture_new(1, 2, OC_SIDE_BUY, 5, 5));
    twin_reject(&twin, fixture_new(1, 3, OC_SIDE_BUY, 5, 4), OC_REASON_LEVELS_FULL);
    /* before and regardless of what it might trade: it would trade in full */
    twin_reject(&twin, fixture_new(1, 3, OC_SIDE_BUY, 5, 10), OC_REASON_LEVELS_FULL);
    twin_take(&twin, fixture_new(1, 3, OC_SIDE_BUY, 5, 5));
    oc_command_t ioc = fixture_new(2, 1, OC_SIDE_BUY, 2, 10);
    ioc.time_in_force = OC_TIF_IOC;
    twin_take(&twin, ioc); /* may not rest: needs no room */
    twin_reject(&twin, fixture_modify(1, 3, 5, 6), OC_REASON_LEVELS_FULL);
    twin_take(&twin, fixture_modify(1, 3, 6, 5)); /* its own level will do */
    twin_take(&twin, fixture_cancel(1, 1));
    twin_take(&twin, fixture_modify(1, 3, 5, 6));
    assert_counts(&twin, 2, 2);
    twin_destroy(&twin);
}

/* With every level taken, an order alone in its level cannot move: room is looked for before it
 * leaves. */
static void test_a_lone_order_needs_room_to_move(void **state)
{
    (void)state;
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.max_levels = 1;
    config.max_orders = 1;
    open_twin(&twin, &config);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 5, 5));
    twin_reject(&twin, fixture_modify(1, 1, 5, 6), OC_REASON_LEVELS_FULL);
    twin_take(&twin, fixture_modify(1, 1, 9, 5)); /* orders are full, which does not matter */
    assert_counts(&twin, 1, 1);
    twin_destroy(&twin);
}

static void test_states_that_take_no_orders(void **state)
{
    (void)state;
    twin_t twin;
    open_default(&twin);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 5, 5));
    for (uint32_t s = OC_STATE_CLOSED; s <= OC_STATE_HALTED; s++) {
        twin_take(&twin, twin_state(1, (oc_instrument_state_t)s));
        twin_settle(&twin);
        const bool open = s == OC_STATE_PRE_OPEN || s == OC_STATE_CONTINUOUS;
        for (uint32_t tif = OC_TIF_GTC; tif <= OC_TIF_FOK; tif++) {
            for (uint32_t type = OC_ORDER_LIMIT; type <= OC_ORDER_MARKET; type++) {
                oc_command_t c = fixture_new(2, s * 8 + tif * 2 + type, OC_SIDE_SELL, 1, 9);
                c.time_in_force = (uint8_t)tif;
                c.order_type = (uint8_t)type;
                const bool rests = type == OC_ORDER_LIMIT && tif <= OC_TIF_DAY;
                const bool taken = s == OC_STATE_CONTINUOUS || (open && rests);
                twin_reject(&twin, c, taken ? OC_REASON_NONE : OC_REASON_INSTRUMENT_STATE);
            }
        }
        twin_reject(&twin, fixture_modify(1, 1, 5 + s, 5),
                    open ? OC_REASON_NONE : OC_REASON_INSTRUMENT_STATE);
    }
    twin_take(&twin, fixture_cancel(1, 1)); /* halted: cancels go on */
    twin_destroy(&twin);
}

static void test_cancel_finds_by_owner_id_and_instrument(void **state)
{
    (void)state;
    twin_t twin;
    open_default(&twin);
    twin_take(&twin, fixture_new(1, 7, OC_SIDE_BUY, 5, 5));
    oc_command_t c = fixture_cancel(2, 7);
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c = fixture_cancel(1, 7);
    c.instrument.value = 2;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c.instrument.value = 99;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c = fixture_cancel(0, 7); /* the host has no orders */
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c.u.order.owner.value = 9;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c.u.order.owner.value = 1;
    c.instrument.value = 0;
    c.sequence = 0;
    twin_take(&twin, c);
    assert_int_equal(twin_events(), 3);
    assert_int_equal(twin_event(0)->type, OC_EVENT_CONFIRMED);
    assert_int_equal(twin_event(1)->type, OC_EVENT_CANCELLED);
    assert_int_equal(twin_event(1)->source.value, 1);
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    twin_destroy(&twin);
}

static void test_cancelling_for_others_needs_the_role(void **state)
{
    (void)state;
    twin_t twin;
    open_default(&twin);
    oc_command_t add = fixture_add_source(7);
    add.u.source.roles = OC_ROLE_TRADE;
    twin_take(&twin, add);
    twin_take(&twin, fixture_new(1, 7, OC_SIDE_BUY, 5, 5));
    twin_take(&twin, fixture_new(7, 7, OC_SIDE_BUY, 5, 5));
    oc_command_t c = fixture_cancel(7, 7);
    c.u.order.owner.value = 1;
    twin_reject(&twin, c, OC_REASON_WRONG_OWNER);
    c.u.order.owner.value = 7; /* itself, by name */
    c.sequence = 1;
    twin_take(&twin, c);
    assert_int_equal(twin_event(0)->type, OC_EVENT_CANCELLED);
    assert_int_equal(twin_event(0)->sequence, 1);
    c = fixture_cancel(2, 7); /* every role */
    c.u.order.owner.value = 1;
    c.sequence = 1;
    twin_take(&twin, c);
    assert_int_equal(twin_event(0)->sequence, 1);
    assert_int_equal(twin_event(1)->sequence, 0); /* not the owner's own command */
    assert_counts(&twin, 0, 0);
    twin_destroy(&twin);
}

static void test_modify_is_checked_in_order(void **state)
{
    (void)state;
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.step_bound = 1;
    config.max_levels = 3;
    open_twin(&twin, &config);
    oc_command_t day = fixture_new(1, 1, OC_SIDE_BUY, 5, 5);
    day.flags = OC_FLAG_POST_ONLY;
    twin_take(&twin, day);
    twin_take(&twin, fixture_new(1, 2, OC_SIDE_SELL, 5, 10));
    for (uint64_t id = 3; id <= 8; id++)
        twin_take(&twin, fixture_new(2, id, OC_SIDE_SELL, 5, 10));
    oc_command_t c = fixture_modify(1, 99, -1, FIXTURE_PRICE_MAX + 1);
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c.u.order.client_order_id.value = 8;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER); /* of another source */
    c.source.value = 2;
    c.instrument.value = 2;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_ORDER);
    c.instrument.value = 1;
    twin_take(&twin, twin_state(1, OC_STATE_HALTED));
    twin_take(&twin, twin_mass_cancel(2));
    twin_reject(&twin, c, OC_REASON_PENDING_CANCEL);
    c.source.value = 1;
    c.u.order.client_order_id.value = 1;
    twin_reject(&twin, c, OC_REASON_INSTRUMENT_STATE);
    twin_settle(&twin);
    twin_take(&twin, twin_state(1, OC_STATE_CONTINUOUS));
    twin_reject(&twin, c, OC_REASON_INVALID_QUANTITY);
    c.u.order.quantity_lots = 1001;
    twin_reject(&twin, c, OC_REASON_QUANTITY_TOO_LARGE);
    c.u.order.quantity_lots = 6;
    restrict_to(&twin, OC_RESTRICT_RECOVERY);
    twin_reject(&twin, c, OC_REASON_PRICE_OUT_OF_BAND);
    c.u.order.price_ticks = 10;
    twin_reject(&twin, c, OC_REASON_NOT_RESUMED);
    restrict_to(&twin, 0);
    twin_take(&twin, fixture_new(2, 1, OC_SIDE_SELL, 5, 11));
    twin_reject(&twin, c, OC_REASON_WOULD_CROSS);
    c.u.order.price_ticks = 9;
    twin_reject(&twin, c, OC_REASON_LEVELS_FULL);
    c.u.order.price_ticks = 5;
    twin_take(&twin, c);
    twin_destroy(&twin);
}

static uint64_t priority_of(const twin_t *twin, uint32_t source, uint64_t id)
{
    oc_order_view_t view;
    assert_true(
        oc_engine_order(twin->fast, (oc_source_id_t){source}, (oc_client_order_id_t){id}, &view));
    return view.priority;
}

/* Price, then quantity, and whether the place in the queue is kept. */
static void test_a_modify_keeps_or_loses_its_place(void **state)
{
    (void)state;
    static const struct {
        int64_t lots;
        int64_t price;
        bool keeps;
    } cases[] = {{5, 5, true},  {4, 5, true},  {1, 5, true},
                 {6, 5, false}, {5, 6, false}, {1, 4, false}};
    for (uint32_t lose = 0; lose <= 1; lose++) {
        twin_t twin;
        oc_engine_config_t config = fast_fixture_config();
        config.modify_priority = (oc_modify_priority_t)lose;
        open_twin(&twin, &config);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 5, 5));
            twin_take(&twin, fixture_new(2, 1, OC_SIDE_BUY, 5, 5));
            const uint64_t before = priority_of(&twin, 1, 1);
            twin_take(&twin, fixture_modify(1, 1, cases[i].lots, cases[i].price));
            const uint64_t after = priority_of(&twin, 1, 1);
            if (cases[i].keeps && !lose)
                assert_int_equal(after, before);
            else
                assert_true(after > priority_of(&twin, 2, 1));
            twin_take(&twin, fixture_cancel(1, 1));
            twin_take(&twin, fixture_cancel(2, 1));
        }
        twin_destroy(&twin);
    }
}

static void test_total_and_open_quantities(void **state)
{
    (void)state;
    twin_t twin;
    open_default(&twin);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 10, 5));
    twin_take(&twin, fixture_new(2, 1, OC_SIDE_SELL, 4, 5)); /* 4 done, 6 open */
    twin_take(&twin, fixture_modify(1, 1, 7, 5));            /* a total of 7: 3 open */
    assert_int_equal(twin_event(0)->quantity_lots, 7);
    assert_int_equal(twin_event(0)->open_lots, 3);
    oc_command_t c = fixture_modify(1, 1, 7, 5);
    c.flags = OC_FLAG_OPEN_QUANTITY;
    twin_take(&twin, c); /* 7 open: a total of 11 */
    assert_int_equal(twin_event(0)->quantity_lots, 11);
    assert_int_equal(twin_event(0)->open_lots, 7);
    twin_take(&twin, fixture_modify(1, 1, 4, 5)); /* a total of what is done: nothing left */
    assert_int_equal(twin_event(0)->type, OC_EVENT_CANCELLED);
    assert_int_equal(twin_event(0)->reason, OC_REASON_NOTHING_LEFT);
    assert_int_equal(twin_event(0)->quantity_lots, 7);
    assert_counts(&twin, 0, 0);
    twin_destroy(&twin);
}

/* The lots executed grow with every modify, up to the end of 63 bits and no further. */
static void test_executed_plus_open_stays_in_63_bits(void **state)
{
    (void)state;
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.max_orders = 3;
    open_twin(&twin, &config);
    oc_command_t add = fixture_add_instrument(3);
    const int64_t most = INT64_MAX / 3;
    add.u.instrument.max_quantity_lots = most + 1;
    twin_reject(&twin, add, OC_REASON_INVALID_FIELD);
    add.u.instrument.max_quantity_lots = most;
    twin_take(&twin, add);
    oc_command_t maker = fixture_new(1, 1, OC_SIDE_BUY, most, 5);
    maker.instrument.value = 3;
    twin_take(&twin, maker);
    oc_command_t more = fixture_modify(1, 1, most, 5);
    more.flags = OC_FLAG_OPEN_QUANTITY;
    more.instrument.value = 3;
    for (int i = 0; i < 2; i++) {
        oc_command_t taker = fixture_new(2, 1, OC_SIDE_SELL, most - 1, 5);
        taker.instrument.value = 3;
        twin_take(&twin, taker);
        twin_take(&twin, more);
    }
    oc_command_t taker = fixture_new(2, 1, OC_SIDE_SELL, most - 1, 5);
    taker.instrument.value = 3;
    twin_take(&twin, taker);
    twin_reject(&twin, more, OC_REASON_QUANTITY_TOO_LARGE);
    const int64_t executed = 3 * (most - 1);
    more.u.order.quantity_lots = INT64_MAX - executed + 1;
    twin_reject(&twin, more, OC_REASON_QUANTITY_TOO_LARGE);
    more.u.order.quantity_lots--;
    twin_take(&twin, more);
    assert_true(twin_event(0)->quantity_lots == INT64_MAX);
    twin_destroy(&twin);
}

/* A modified order that trades in full leaves like a filled one; one that trades in part rests. */
static void test_a_modify_may_trade(void **state)
{
    (void)state;
    twin_t twin;
    open_default(&twin);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 5, 5));
    twin_take(&twin, fixture_new(2, 1, OC_SIDE_SELL, 3, 7));
    twin_take(&twin, fixture_modify(1, 1, 5, 8));
    assert_int_equal(twin_event(0)->type, OC_EVENT_MODIFIED);
    assert_int_equal(twin_event(1)->type, OC_EVENT_LEVEL); /* of the level left */
    assert_int_equal(twin_event(2)->type, OC_EVENT_TRADE);
    assert_int_equal(twin_event(2)->price_ticks, 7);
    assert_int_equal(twin_event(3)->type, OC_EVENT_FILL);
    assert_counts(&twin, 1, 1);
    twin_take(&twin, fixture_new(2, 2, OC_SIDE_SELL, 9, 9));
    twin_take(&twin, fixture_modify(1, 1, 9, 9)); /* 3 done, 6 to come */
    assert_counts(&twin, 1, 1);
    oc_order_view_t view;
    assert_false(oc_engine_order(twin.fast, (oc_source_id_t){1}, (oc_client_order_id_t){1}, &view));
    twin_take(&twin, fixture_cancel(2, 2));
    assert_int_equal(twin_event(0)->quantity_lots, 3);
    twin_destroy(&twin);
}

static void test_orders_full_and_usable_again(void **state)
{
    (void)state;
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.max_orders = 30;
    config.max_levels = 30;
    open_twin(&twin, &config);
    for (int round = 0; round < 3; round++) {
        for (uint64_t id = 0; id < 30; id++)
            twin_take(&twin, fixture_new(1, id, id % 2 ? OC_SIDE_BUY : OC_SIDE_SELL, 1,
                                         id % 2 ? 1 + (int64_t)id / 4 : 10 + (int64_t)id / 3));
        twin_reject(&twin, fixture_new(2, 0, OC_SIDE_BUY, 1, 1), OC_REASON_ORDERS_FULL);
        for (uint64_t id = 0; id < 30; id++) { /* others out, same or other way round */
            twin_take(&twin, fixture_cancel(1, round % 2 ? 29 - id : id));
            twin_take(&twin, fixture_new(2, id, OC_SIDE_BUY, 1, 1));
            twin_reject(&twin, fixture_new(2, 99, OC_SIDE_BUY, 1, 1), OC_REASON_ORDERS_FULL);
        }
        twin_take(&twin, twin_mass_cancel(2));
        twin_settle(&twin);
        assert_counts(&twin, 0, 0);
    }
    twin_destroy(&twin);
}

/* Every level alone in a block of its own, at the limit, filled and emptied from either end. */
/* What a reduce-only venue takes: fewer or as many at the same price, or the end of the order. */
static void test_a_modify_may_only_reduce_while_restricted(void **state)
{
    (void)state;
    static const struct {
        int64_t lots;
        int64_t price;
        uint32_t flags;
        bool taken;
    } cases[] = {
        {10, 9, 0, true},                      /* open 7, as it is */
        {11, 9, 0, false},                     /* 8 */
        {4, 9, 0, true},                       /* 1 */
        {10, 8, 0, false},                     /* elsewhere */
        {4, 10, 0, false},                     /* fewer, elsewhere */
        {3, 9, 0, true},                       /* nothing left */
        {2, 12, 0, true},                      /* and less than that, whatever the price */
        {7, 9, OC_FLAG_OPEN_QUANTITY, true},   /* as it is */
        {8, 9, OC_FLAG_OPEN_QUANTITY, false},  /* one more */
        {1, 9, OC_FLAG_OPEN_QUANTITY, true},   /* */
        {1, 10, OC_FLAG_OPEN_QUANTITY, false}, /* it would trade */
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        twin_t twin;
        oc_engine_config_t config = fast_fixture_config();
        config.modify_priority = i % 2 ? OC_PRIORITY_LOSE : OC_PRIORITY_KEEP;
        open_twin(&twin, &config);
        twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 10, 9));
        twin_take(&twin, fixture_new(2, 2, OC_SIDE_BUY, 5, 9));
        twin_take(&twin, fixture_new(2, 3, OC_SIDE_SELL, 3, 9)); /* open 7, executed 3 */
        twin_take(&twin, fixture_new(2, 4, OC_SIDE_SELL, 5, 10));
        oc_command_t c = fixture_modify(1, 1, cases[i / 2].lots, cases[i / 2].price);
        c.flags = cases[i / 2].flags;
        restrict_to(&twin, i % 3 ? OC_RESTRICT_STORAGE : OC_RESTRICT_RECOVERY);
        const oc_reason_t told = i % 3 ? OC_REASON_STORAGE_LOW : OC_REASON_NOT_RESUMED;
        twin_reject(&twin, c, cases[i / 2].taken ? OC_REASON_NONE : told);
        for (size_t k = 0; k < twin_events(); k++)
            assert_int_not_equal(twin_event(k)->type, OC_EVENT_TRADE);
        twin_take(&twin, fixture_cancel(2, 2));
        twin_take(&twin, twin_mass_cancel(1));
        twin_destroy(&twin);
    }
}

static void test_levels_full_and_usable_again(void **state)
{
    (void)state;
    enum { LEVELS = 40 };
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.max_levels = LEVELS;
    open_twin(&twin, &config);
    twin_take(&twin, fast_fixture_add_instrument(3));
    for (int round = 0; round < 4; round++) {
        for (uint64_t id = 0; id < LEVELS; id++) {
            const int64_t far = ((int64_t)1 + round) << (id % 50 + 7);
            oc_command_t c =
                fixture_new(1, id, id % 2 ? OC_SIDE_BUY : OC_SIDE_SELL, 1, id % 2 ? -far : far);
            c.instrument.value = 3;
            twin_take(&twin, c);
        }
        assert_counts(&twin, LEVELS, LEVELS);
        oc_command_t more = fixture_new(2, 1, OC_SIDE_BUY, 1, -3);
        more.instrument.value = 3;
        twin_reject(&twin, more, OC_REASON_LEVELS_FULL);
        oc_command_t cancel = fixture_cancel(1, round % 2 ? LEVELS / 2 : 0);
        cancel.instrument.value = 0;
        twin_take(&twin, cancel);
        twin_take(&twin, more);
        fixture_assert_audit(twin.fast);
        twin_take(&twin, twin_mass_cancel(1));
        twin_take(&twin, twin_mass_cancel(2));
        twin_settle(&twin);
        assert_counts(&twin, 0, 0);
    }
    twin_destroy(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_is_checked_in_order),
        cmocka_unit_test(test_levels_full_spares_orders_of_levels_that_are_there),
        cmocka_unit_test(test_a_lone_order_needs_room_to_move),
        cmocka_unit_test(test_states_that_take_no_orders),
        cmocka_unit_test(test_cancel_finds_by_owner_id_and_instrument),
        cmocka_unit_test(test_cancelling_for_others_needs_the_role),
        cmocka_unit_test(test_modify_is_checked_in_order),
        cmocka_unit_test(test_a_modify_keeps_or_loses_its_place),
        cmocka_unit_test(test_total_and_open_quantities),
        cmocka_unit_test(test_executed_plus_open_stays_in_63_bits),
        cmocka_unit_test(test_a_modify_may_trade),
        cmocka_unit_test(test_a_modify_may_only_reduce_while_restricted),
        cmocka_unit_test(test_levels_full_and_usable_again),
        cmocka_unit_test(test_orders_full_and_usable_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
