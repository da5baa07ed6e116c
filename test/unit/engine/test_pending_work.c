/*
 * Work done in steps: mass cancels, cancels on disconnect, expiry; their walks while the book moves
 * under them, renewal, and a queue that is full or goes round. Both engines run each case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/pending_work.h"
#include "lib/twin.h"

static void open_twin(twin_t *twin, uint32_t step_bound)
{
    oc_engine_config_t config = fast_fixture_config();
    config.step_bound = step_bound;
    twin_create(twin, &config);
    for (uint32_t id = 1; id <= 3; id++)
        twin_take(twin, fixture_add_source(id));
    for (uint32_t id = 1; id <= 2; id++)
        twin_take(twin, fixture_add_instrument(id));
}

static oc_command_t flagged(oc_command_t command)
{
    command.flags |= OC_FLAG_CANCEL_ON_DISCONNECT;
    return command;
}

static oc_command_t day(oc_command_t command)
{
    command.time_in_force = OC_TIF_DAY;
    return command;
}

static oc_command_t of_instrument(oc_command_t command, uint32_t instrument)
{
    command.instrument.value = instrument;
    return command;
}

static oc_command_t by_instrument(uint32_t source, uint32_t instrument)
{
    oc_command_t command = fixture_command(OC_COMMAND_MASS_CANCEL, source, instrument);
    command.u.mass_cancel.scope = OC_SCOPE_INSTRUMENT;
    return command;
}

static size_t count_events(oc_event_type_t type)
{
    size_t count = 0;
    for (size_t i = 0; i < twin_events(); i++)
        count += twin_event(i)->type == type;
    return count;
}

/* The first event of that type in the last command's; NULL if none. */
static const oc_event_t *first_event(oc_event_type_t type)
{
    for (size_t i = 0; i < twin_events(); i++) {
        if (twin_event(i)->type == type)
            return twin_event(i);
    }
    return NULL;
}

static void test_each_command_spends_its_budget_once(void **state)
{
    (void)state;
    for (uint32_t bound = 1; bound <= 12; bound++) {
        twin_t twin;
        open_twin(&twin, bound);
        for (uint64_t id = 1; id <= 10; id++)
            twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 1, 1 + (int64_t)id));
        size_t ended = 0;
        twin_take(&twin, twin_mass_cancel(1));
        for (;;) {
            const size_t now = count_events(OC_EVENT_CANCELLED);
            const size_t want = 10 - ended < bound ? 10 - ended : bound;
            assert_int_equal(now, want);
            ended += now;
            const oc_event_t *completed = first_event(OC_EVENT_COMPLETED);
            assert_int_equal(completed != NULL, now < bound); /* finding the end is a step */
            if (completed) {
                assert_int_equal(completed->quantity_lots, 10);
                assert_int_equal(completed->source.value, 1);
                break;
            }
            twin_take(&twin, fixture_time(0));
        }
        assert_int_equal(twin_counts(&twin).pending, 0);
        twin_destroy(&twin);
    }
}

/* Two items: what the first leaves of a budget goes to the second; orders that came later stay. */
static void test_work_is_done_first_come_first_served(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin, 3);
    for (uint64_t id = 1; id <= 4; id++) {
        twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 1, 2));
        twin_take(&twin, fixture_new(2, id, OC_SIDE_BUY, 1, 3));
    }
    twin_take(&twin, twin_mass_cancel(1));
    twin_take(&twin, twin_mass_cancel(2));
    twin_take(&twin, fixture_new(1, 9, OC_SIDE_BUY, 1, 2));
    twin_take(&twin, fixture_new(2, 9, OC_SIDE_BUY, 1, 3));
    twin_settle(&twin);
    assert_int_equal(twin_counts(&twin).orders, 2);
    twin_destroy(&twin);
}

static void test_filters_and_scopes(void **state)
{
    (void)state;
    for (uint32_t scope = OC_SCOPE_SOURCE; scope <= OC_SCOPE_INSTRUMENT; scope++) {
        for (uint32_t sides = OC_SIDES_BOTH; sides <= OC_SIDES_SELL; sides++) {
            for (uint32_t instrument = 0; instrument <= 2; instrument++) {
                twin_t twin;
                open_twin(&twin, 2);
                twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 1, 2)); /* before the session */
                twin_take(&twin, twin_session_up(50, 1));
                for (uint64_t id = 2; id <= 13; id++) {
                    const oc_side_t side = id % 2 ? OC_SIDE_BUY : OC_SIDE_SELL;
                    twin_take(&twin, of_instrument(fixture_new(1 + id / 2 % 2, id, side, 1,
                                                               id % 2 ? 3 : 9 + (int64_t)id % 5),
                                                   1 + id / 4 % 2));
                }
                oc_command_t c = fixture_command(OC_COMMAND_MASS_CANCEL, 2, instrument);
                c.u.mass_cancel.scope = (uint8_t)scope;
                c.u.mass_cancel.sides = (uint8_t)sides;
                c.u.mass_cancel.owner.value = 1;
                c.u.mass_cancel.session.value = 50;
                const bool lacks = scope == OC_SCOPE_INSTRUMENT && instrument == 0;
                twin_reject(&twin, c, lacks ? OC_REASON_UNKNOWN_INSTRUMENT : OC_REASON_NONE);
                twin_settle(&twin);
                twin_destroy(&twin);
            }
        }
    }
}

static void test_mass_cancel_is_checked_in_order(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin, 1);
    oc_command_t weak = fixture_add_source(7);
    weak.u.source.roles = OC_ROLE_TRADE;
    twin_take(&twin, weak);
    oc_command_t c = fixture_command(OC_COMMAND_MASS_CANCEL, 7, 9);
    twin_reject(&twin, c, OC_REASON_INVALID_FIELD);
    c.u.mass_cancel.scope = 4;
    twin_reject(&twin, c, OC_REASON_INVALID_FIELD);
    c.u.mass_cancel.scope = OC_SCOPE_INSTRUMENT;
    c.u.mass_cancel.sides = 3;
    twin_reject(&twin, c, OC_REASON_INVALID_FIELD);
    c.u.mass_cancel.sides = 0;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_INSTRUMENT);
    c.instrument.value = 0;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_INSTRUMENT);
    c.instrument.value = 1;
    twin_reject(&twin, c, OC_REASON_NOT_ALLOWED);
    c.u.mass_cancel.scope = OC_SCOPE_SOURCE;
    c.u.mass_cancel.owner.value = 99;
    twin_reject(&twin, c, OC_REASON_WRONG_OWNER);
    c.source.value = 1;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_SOURCE);
    c.source.value = 0;
    c.u.mass_cancel.owner.value = 0;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_SOURCE); /* the host has no orders */
    c.u.mass_cancel.scope = OC_SCOPE_SESSION;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_SESSION);
    c.source.value = 7;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_SESSION); /* has none */
    c.u.mass_cancel.session.value = 5;
    twin_reject(&twin, c, OC_REASON_UNKNOWN_SESSION);
    twin_take(&twin, twin_session_up(5, 1));
    twin_reject(&twin, c, OC_REASON_WRONG_OWNER);
    c.source.value = 0;
    twin_take(&twin, c);
    twin_settle(&twin);
    twin_destroy(&twin);
}

static void test_the_queue_full_and_usable_again(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin, 1);
    for (int round = 0; round < 40; round++) { /* the queue goes round several times */
        for (uint64_t id = 1; id <= 4; id++)
            twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 1, 2));
        for (int i = 0; i < 3; i++) /* max_pending */
            twin_take(&twin, twin_mass_cancel(1));
        twin_reject(&twin, by_instrument(0, 1), OC_REASON_PENDING_FULL);
        twin_take(&twin, twin_state(2, OC_STATE_CLOSED)); /* other work has room of its own */
        twin_settle(&twin);
        assert_int_equal(twin_counts(&twin).orders, 0);
    }
    twin_destroy(&twin);
}

/* While an item waits, its source cannot be retired, and what it will end cannot be modified. */
static void test_what_waits_is_protected(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin, 1);
    for (uint64_t id = 1; id <= 9; id++)
        twin_take(&twin,
                  fixture_new(1, id, id % 2 ? OC_SIDE_BUY : OC_SIDE_SELL, 1, id % 2 ? 2 : 9));
    oc_command_t c = twin_mass_cancel(1);
    c.u.mass_cancel.sides = OC_SIDES_SELL;
    twin_take(&twin, c);
    twin_reject(&twin, fixture_modify(1, 8, 2, 9), OC_REASON_PENDING_CANCEL);
    twin_take(&twin, fixture_modify(1, 9, 2, 2)); /* the other side is not meant */
    twin_take(&twin, fixture_new(1, 10, OC_SIDE_SELL, 1, 9));
    twin_take(&twin, fixture_modify(1, 10, 2, 9)); /* came later */
    oc_command_t retire = fixture_command(OC_COMMAND_SOURCE_RETIRE, 0, 0);
    retire.u.source.id.value = 2;
    twin_settle(&twin);
    twin_take(&twin, twin_mass_cancel(1));
    twin_take(&twin, twin_mass_cancel(2));
    twin_reject(&twin, retire, OC_REASON_SOURCE_BUSY);
    twin_settle(&twin);
    twin_take(&twin, retire);
    twin_destroy(&twin);
}

static void test_disconnect_ends_flagged_orders_and_is_renewed(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin, 1);
    for (int round = 0; round < 3; round++) {
        twin_take(&twin, twin_session_up(50, 1));
        for (uint64_t id = 1; id <= 8; id++) {
            const oc_command_t c = fixture_new(1, id, OC_SIDE_BUY, 1, 1 + (int64_t)id);
            twin_take(&twin, id % 3 ? flagged(c) : c);
        }
        twin_take(&twin, twin_session_down(50));
        assert_int_equal(twin_counts(&twin).pending, 1);
        twin_take(&twin, twin_session_up(51, 1));
        twin_take(&twin, flagged(fixture_new(1, 20, OC_SIDE_BUY, 1, 4)));
        twin_take(&twin, twin_session_down(51)); /* goes on, with the new order too */
        assert_int_equal(twin_counts(&twin).pending, 1);
        twin_reject(&twin, fixture_modify(1, 20, 2, 4), OC_REASON_PENDING_CANCEL);
        twin_settle(&twin);
        const oc_event_t *completed = first_event(OC_EVENT_COMPLETED);
        assert_int_equal(completed->quantity_lots, 7);
        assert_int_equal(completed->command, OC_COMMAND_SESSION_DOWN);
        assert_int_equal(twin_counts(&twin).orders, 2);
        twin_take(&twin, fixture_cancel(1, 3));
        twin_take(&twin, fixture_cancel(1, 6));
    }
    twin_destroy(&twin);
}

/* Items far behind the front lie in other pages than it, and their renewal is announced too. */
static void test_renewal_far_behind_the_front(void **state)
{
    (void)state;
    enum { SOURCES = 100, ORDERS = 3 };
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.step_bound = 1;
    config.max_orders = SOURCES * ORDERS + 2;
    config.max_sources = config.max_sessions = SOURCES;
    twin_create(&twin, &config);
    twin_take(&twin, fixture_add_instrument(1));
    for (uint32_t source = 1; source <= SOURCES; source++) {
        twin_take(&twin, fixture_add_source(source));
        twin_take(&twin, twin_session_up(source, source));
        for (uint64_t id = 0; id < ORDERS; id++)
            twin_take(&twin, flagged(day(fixture_new(source, id, OC_SIDE_BUY, 1, 5))));
    }
    for (uint32_t source = 1; source <= SOURCES; source++)
        twin_take(&twin, twin_session_down(source));
    twin_take(&twin, twin_state(1, OC_STATE_CLOSED));
    const fast_engine_t *e = fast_fixture_inside(twin.fast);
    const uint32_t page = OC_ARENA_PAGE_SIZE / sizeof(pending_item_t);
    assert_true(e->header->pending_head + 4 < page);
    assert_true(e->instruments[1].expiry_slot > page);
    twin_take(&twin, twin_state(1, OC_STATE_CONTINUOUS));
    twin_take(&twin, fixture_new(SOURCES, 9, OC_SIDE_BUY, 1, 5));
    twin_take(&twin, twin_state(1, OC_STATE_CLOSED));
    twin_take(&twin, twin_session_up(500, SOURCES));
    twin_take(&twin, twin_state(1, OC_STATE_CONTINUOUS));
    twin_take(&twin, flagged(fixture_new(SOURCES, 10, OC_SIDE_BUY, 1, 5)));
    twin_take(&twin, twin_session_down(500));
    twin_settle(&twin);
    assert_int_equal(twin_counts(&twin).orders, 1);
    twin_destroy(&twin);
}

/* Closing again starts the walk anew, from every place it may be at; the count is kept. */
static void test_expiry_is_started_anew(void **state)
{
    (void)state;
    for (int before = 0; before < 9; before++) {
        twin_t twin;
        open_twin(&twin, 1);
        for (uint64_t id = 1; id <= 6; id++) {
            const oc_command_t c = fixture_new(1, id, OC_SIDE_BUY, 1, 1 + (int64_t)id / 2);
            twin_take(&twin, id % 3 ? day(c) : c);
        }
        twin_take(&twin, twin_state(1, OC_STATE_CLOSED));
        for (int i = 0; i < before; i++)
            twin_take(&twin, fixture_time(0));
        twin_take(&twin, twin_state(1, OC_STATE_PRE_OPEN));
        twin_take(&twin, day(fixture_new(1, 7, OC_SIDE_BUY, 1, 9)));
        bool waiting = twin_counts(&twin).pending != 0;
        twin_take(&twin, twin_state(1, OC_STATE_CLOSED));
        waiting &= first_event(OC_EVENT_COMPLETED) == NULL; /* not even ended by this command */
        assert_int_equal(twin_counts(&twin).pending, 1);
        twin_settle(&twin);
        assert_int_equal(first_event(OC_EVENT_COMPLETED)->quantity_lots, waiting ? 5 : 1);
        assert_int_equal(twin_counts(&twin).orders, 2);
        twin_destroy(&twin);
    }
}

/*
 * The place of a walk over the book, at every step of it: the order it would look at next, its
 * neighbours, its level and the levels around are taken away, traded away, made anew.
 */
static void disturb(const twin_t *twin, int what, uint64_t id)
{
    switch (what) {
    case 0: /* the next order, or one behind it */
        (void)twin_reason(twin, fixture_cancel(1, id));
        return;
    case 1: { /* the best levels, sometimes all, by a trade */
        oc_command_t taker = fixture_new(2, 100 + id, OC_SIDE_SELL, (int64_t)id, 1);
        taker.time_in_force = OC_TIF_IOC;
        (void)twin_reason(twin, taker);
        return;
    }
    case 2: /* newcomers in every level, old and new ones */
        for (int64_t price = 1; price <= 8; price++)
            (void)twin_reason(
                twin, fixture_new(2, 200 + id * 10 + (uint64_t)price, OC_SIDE_BUY, 1, price));
        return;
    case 3: /* a level emptied and made anew */
        for (uint64_t order = 1; order <= 12; order++)
            (void)twin_reason(twin, fixture_cancel(1, order));
        (void)twin_reason(twin, fixture_new(1, 300 + id, OC_SIDE_BUY, 1, 1 + (int64_t)id % 6));
        return;
    default: /* those that the walk passes over move */
        (void)twin_reason(twin, fixture_modify(3, 400, 1, 1 + (int64_t)id % 8));
    }
}

static void test_a_walk_over_a_book_that_moves(void **state)
{
    (void)state;
    for (int what = 0; what <= 4; what++) {
        for (int step = 0; step < 14; step++) {
            for (uint64_t id = 1; id <= 12; id += 2) {
                twin_t twin;
                open_twin(&twin, 1);
                for (uint64_t order = 1; order <= 12; order++)
                    twin_take(&twin, day(fixture_new(1, order, OC_SIDE_BUY, 1,
                                                     6 - (int64_t)(order - 1) / 3)));
                twin_take(&twin, fixture_new(3, 400, OC_SIDE_BUY, 1, 5));
                const bool expiry = step % 2 == 0;
                twin_take(&twin, expiry ? twin_state(1, OC_STATE_CLOSED) : by_instrument(0, 1));
                if (expiry)
                    twin_take(&twin, twin_state(1, OC_STATE_CONTINUOUS));
                for (int i = 0; i < step; i++)
                    twin_take(&twin, fixture_time(0));
                disturb(&twin, what, id);
                twin_settle(&twin);
                twin_destroy(&twin);
            }
        }
    }
}

/* A walk by source whose list loses, at every step, each of its orders in turn. */
static void test_a_walk_over_a_list_that_moves(void **state)
{
    (void)state;
    enum { ORDERS = 30 };
    for (int step = 0; step < ORDERS; step += 3) {
        for (uint64_t first = 1; first <= ORDERS; first += 4) {
            twin_t twin;
            open_twin(&twin, 1);
            for (uint64_t id = 1; id <= ORDERS; id++)
                twin_take(&twin, id % 2 ? flagged(fixture_new(1, id, OC_SIDE_BUY, 1, 3))
                                        : fixture_new(1, id, OC_SIDE_BUY, 1, 3));
            twin_take(&twin, twin_session_up(50, 1));
            twin_take(&twin, twin_session_down(50));
            for (int i = 0; i < step; i++)
                twin_take(&twin, fixture_time(0));
            for (uint64_t id = first; id < first + 14; id++)
                (void)twin_reason(&twin, fixture_cancel(1, id));
            for (uint64_t id = 100; id < 103; id++)
                twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 1, 3));
            twin_settle(&twin);
            twin_destroy(&twin);
        }
    }
}

/* Everything that can wait does: every source disconnects while every instrument closes. */
static void test_the_physical_queue_holds_all_that_may_wait(void **state)
{
    (void)state;
    enum { SOURCES = 8, INSTRUMENTS = 4 };
    twin_t twin;
    oc_engine_config_t config = fast_fixture_config();
    config.step_bound = 1;
    config.max_sessions = SOURCES;
    twin_create(&twin, &config);
    for (uint32_t id = 1; id <= SOURCES; id++)
        twin_take(&twin, fixture_add_source(id));
    for (uint32_t id = 1; id <= INSTRUMENTS; id++)
        twin_take(&twin, fixture_add_instrument(id));
    uint32_t most = 0;
    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t i = 0; i < 160; i++) {
            const oc_command_t c =
                fixture_new(1 + i % SOURCES, i, OC_SIDE_BUY, 1, 1 + (int64_t)i % 5);
            twin_take(&twin, flagged(day(of_instrument(c, 1 + i % INSTRUMENTS))));
        }
        for (uint32_t id = 1; id <= SOURCES; id++)
            twin_take(&twin, twin_session_up(round * 100 + id, id));
        for (uint32_t i = 0; i < config.max_pending; i++)
            twin_take(&twin, by_instrument(0, 1 + i));
        for (uint32_t id = 1; id <= SOURCES; id++)
            twin_take(&twin, twin_session_down(round * 100 + id));
        for (uint32_t id = 1; id <= INSTRUMENTS; id++)
            twin_take(&twin, twin_state(id, OC_STATE_CLOSED));
        const uint32_t pending = twin_counts(&twin).pending;
        most = pending > most ? pending : most;
        for (uint32_t i = 0; i < round; i++) /* a head that wanders */
            twin_take(&twin, fixture_time(0));
        twin_settle(&twin);
        for (uint32_t id = 1; id <= INSTRUMENTS; id++)
            twin_take(&twin, twin_state(id, OC_STATE_CONTINUOUS));
        assert_int_equal(twin_counts(&twin).orders, 0);
    }
    assert_int_equal(most, config.max_pending + SOURCES + INSTRUMENTS);
    assert_int_equal(pending_capacity(&config), most);
    twin_destroy(&twin);
}

/* By source it costs what it cancels: pages announced and steps, whatever else the book holds. */
static void test_a_mass_cancel_by_source_leaves_the_book_alone(void **state)
{
    (void)state;
    uint32_t pages[2];
    for (int large = 0; large <= 1; large++) {
        oc_engine_config_t config = fast_fixture_config();
        config.verify_touch = false;
        config.max_orders = 60000;
        config.max_levels = 5000;
        config.step_bound = 6;
        oc_engine_t *engine = fixture_create(&config, NULL);
        for (uint32_t id = 1; id <= 2; id++)
            fixture_apply(engine, fixture_add_source(id));
        fixture_apply(engine, fast_fixture_add_instrument(1));
        for (uint64_t id = 0; id < 5; id++)
            fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 1, (int64_t)id * 500));
        for (uint64_t id = 0; large && id < 50000; id++)
            fixture_apply(engine, fixture_new(2, id, OC_SIDE_BUY, 1, (int64_t)id % 4000));
        pages[large] = fast_fixture_pages(engine, twin_mass_cancel(1));
        oc_engine_counts_t counts;
        oc_engine_counts(engine, &counts);
        assert_int_equal(counts.pending, 0); /* five orders and the end: six steps */
        assert_int_equal(counts.orders, large ? 50000 : 0);
        fixture_assert_audit(engine);
        oc_engine_destroy(engine);
    }
    assert_true(pages[1] <= pages[0] + 5 * 4);
    assert_true(pages[1] <= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_command_spends_its_budget_once),
        cmocka_unit_test(test_work_is_done_first_come_first_served),
        cmocka_unit_test(test_filters_and_scopes),
        cmocka_unit_test(test_mass_cancel_is_checked_in_order),
        cmocka_unit_test(test_the_queue_full_and_usable_again),
        cmocka_unit_test(test_what_waits_is_protected),
        cmocka_unit_test(test_disconnect_ends_flagged_orders_and_is_renewed),
        cmocka_unit_test(test_renewal_far_behind_the_front),
        cmocka_unit_test(test_expiry_is_started_anew),
        cmocka_unit_test(test_a_walk_over_a_book_that_moves),
        cmocka_unit_test(test_a_walk_over_a_list_that_moves),
        cmocka_unit_test(test_the_physical_queue_holds_all_that_may_wait),
        cmocka_unit_test(test_a_mass_cancel_by_source_leaves_the_book_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
