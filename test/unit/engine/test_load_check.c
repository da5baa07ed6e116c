/*
 * What a state to be loaded must look like: one thing wrong at a time is refused, and named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/load_check.h"
#include "lib/reference_fixture.h"

#include <string.h>

typedef struct good {
    oc_engine_config_t config;
    engine_totals_t totals;
    oc_instrument_view_t instrument;
    oc_source_view_t source;
    engine_order_t order;
    hash_pending_t pending;
    load_check_t check;
} good_t;

static void set_up(good_t *g)
{
    memset(g, 0, sizeof *g);
    g->config = fixture_config();
    g->config.max_orders = 3;
    g->config.max_levels = 2;
    g->config.max_instruments = 2;
    g->config.max_sources = 2;
    g->config.max_sessions = 1;
    g->config.max_pending = 1;
    g->totals = (engine_totals_t){.entry = 90,
                                  .time_ns = 5,
                                  .last_order_id = 50,
                                  .last_priority = 60,
                                  .step_bound = 4,
                                  .output.weight = 8};
    g->instrument = (oc_instrument_view_t){.id = {7},
                                           .state = OC_STATE_CONTINUOUS,
                                           .price_high_ticks = 100,
                                           .max_quantity_lots = 1000};
    g->source = (oc_source_view_t){
        .id = {3}, .roles = OC_ROLE_TRADE, .session = {12}, .session_first = {51}};
    g->order = (engine_order_t){.order_id = 40,
                                .priority = 30,
                                .price_ticks = 20,
                                .open_lots = 10,
                                .source = 3,
                                .instrument = 7};
    g->pending = (hash_pending_t){.limit = 45,
                                  .asker = 3,
                                  .source = 3,
                                  .command = OC_COMMAND_MASS_CANCEL,
                                  .scope = OC_SCOPE_SOURCE,
                                  .side = 2};
}

/* Everything up to and with an order. */
static void begin(good_t *g)
{
    load_check_begin(&g->check, &g->config, &g->totals);
    assert_int_equal(load_check_instrument(&g->check, &g->instrument), OC_ERR_OK);
    assert_int_equal(load_check_source(&g->check, &g->source), OC_ERR_OK);
    assert_int_equal(load_check_orders(&g->check), OC_ERR_OK);
    assert_int_equal(load_check_book(&g->check, &g->order, g->instrument.state), OC_ERR_OK);
    assert_int_equal(load_check_order(&g->check, &g->order), OC_ERR_OK);
}

/* It was refused with that error and word, and so is everything after it. */
static void assert_refused(good_t *g, oc_err_t err, oc_err_t expected, const char *word)
{
    assert_int_equal(err, expected);
    if (!strstr(oc_err_context(), word))
        fail_msg("\"%s\" does not name %s", oc_err_context(), word);
    assert_int_equal(load_check_end(&g->check), OC_ERR_DAMAGED);
}

static void assert_takes(oc_err_t err)
{
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void test_a_good_state_is_taken(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    begin(&g);
    assert_takes(load_check_pending(&g.check, &g.pending));
    assert_takes(load_check_end(&g.check));
    assert_int_not_equal(load_check_end(&g.check), OC_ERR_OK); /* it has ended */
    load_check_begin(&g.check, &g.config, &g.totals);          /* an empty one is a state, too */
    assert_takes(load_check_end(&g.check));
}

static void test_totals(void **state)
{
    (void)state;
    good_t g;
    for (int i = 0; i < 9; i++) {
        set_up(&g);
        switch (i) {
        case 0:
            g.totals.entry = UINT64_MAX;
            break;
        case 1:
            g.totals.time_ns = -1;
            break;
        case 2:
            g.totals.last_order_id = UINT64_MAX;
            break;
        case 3:
            g.totals.last_priority = (uint64_t)INT64_MAX + 1;
            break;
        case 4:
            g.totals.step_bound = 0;
            break;
        case 5:
            g.totals.step_bound = OC_STEP_BOUND_MAX + 1;
            break;
        case 6:
            g.totals.modify_priority = 2;
            break;
        case 7:
            g.totals.restrictions = 4;
            break;
        default:
            g.totals.output.weight = 7;
        }
        load_check_begin(&g.check, &g.config, &g.totals);
        assert_refused(&g, load_check_instrument(&g.check, &g.instrument), OC_ERR_DAMAGED,
                       "totals");
    }
}

static void test_instruments(void **state)
{
    (void)state;
    good_t g;
    for (int i = 0; i < 6; i++) {
        set_up(&g);
        switch (i) {
        case 0:
            g.instrument.id.value = 0;
            break;
        case 1:
            g.instrument.price_low_ticks = 101;
            break;
        case 2:
            g.instrument.max_quantity_lots = 0;
            break;
        case 3:
            g.instrument.mark_price_ticks = 1;
            break;
        case 4:
            g.instrument.state = (oc_instrument_state_t)(OC_STATE_HALTED + 1);
            break;
        default:
            g.instrument.max_quantity_lots = INT64_MAX / 3 + 1;
        }
        load_check_begin(&g.check, &g.config, &g.totals);
        assert_refused(&g, load_check_instrument(&g.check, &g.instrument),
                       i < 5 ? OC_ERR_DAMAGED : OC_ERR_INVALID_CONFIG,
                       i < 5 ? "instrument" : "max_orders is 3");
    }
    set_up(&g);
    load_check_begin(&g.check, &g.config, &g.totals);
    assert_takes(load_check_instrument(&g.check, &g.instrument));
    g.instrument.id.value = 8;
    assert_takes(load_check_instrument(&g.check, &g.instrument));
    g.instrument.id.value = 9;
    assert_refused(&g, load_check_instrument(&g.check, &g.instrument), OC_ERR_INVALID_CONFIG,
                   "max_instruments is 2, the state to load needs at least 3");
}

static void test_sources(void **state)
{
    (void)state;
    good_t g;
    for (int i = 0; i < 6; i++) {
        set_up(&g);
        switch (i) {
        case 0:
            g.source.id.value = 0;
            break;
        case 1:
            g.source.roles = 16;
            break;
        case 2:
            g.source.last_status = OC_REASON_COUNT;
            break;
        case 3:
            g.source.session.value = 0;
            break;
        case 4:
            g.source.session_first.value = 0;
            break;
        default:
            g.source.session_first.value = 52;
        }
        load_check_begin(&g.check, &g.config, &g.totals);
        assert_refused(&g, load_check_source(&g.check, &g.source), OC_ERR_DAMAGED, "source");
    }
    set_up(&g);
    load_check_begin(&g.check, &g.config, &g.totals);
    assert_takes(load_check_source(&g.check, &g.source));
    g.source.id.value = 4;
    assert_refused(&g, load_check_source(&g.check, &g.source), OC_ERR_INVALID_CONFIG,
                   "max_sessions is 1");
    load_check_begin(&g.check, &g.config, &g.totals);
    g.source.session.value = g.source.session_first.value = 0;
    for (uint32_t id = 1; id <= 2; id++) {
        g.source.id.value = id;
        assert_takes(load_check_source(&g.check, &g.source));
    }
    g.source.id.value = 3;
    assert_refused(&g, load_check_source(&g.check, &g.source), OC_ERR_INVALID_CONFIG,
                   "max_sources is 2");
    load_check_begin(&g.check, &g.config, &g.totals);
    assert_takes(load_check_source(&g.check, &g.source));
    assert_refused(&g, load_check_instrument(&g.check, &g.instrument), OC_ERR_DAMAGED,
                   "out of order");
}

static void test_fields_of_orders(void **state)
{
    (void)state;
    good_t g;
    for (int i = 0; i < 13; i++) {
        set_up(&g);
        begin(&g);
        engine_order_t next = g.order;
        next.priority++; /* behind the one before, and taken as it is */
        switch (i) {
        case 0:
            next.order_id = 0;
            break;
        case 1:
            next.order_id = 51;
            break;
        case 2:
            next.priority = 61;
            break;
        case 3:
            next.priority = g.order.priority;
            break;
        case 4:
            next.open_lots = 0;
            break;
        case 5:
            next.executed_lots = -1;
            break;
        case 6:
            next.executed_lots = INT64_MAX - 9;
            break;
        case 7:
            next.terms = hash_order_terms(0, OC_TIF_IOC, 0);
            break;
        case 8:
            next.terms = hash_order_terms(0, 0, OC_FLAG_OPEN_QUANTITY);
            break;
        case 9:
            next.terms = 16;
            break;
        case 10:
            next.terms = UINT32_C(0x80000000);
            break;
        case 11:
            next.price_ticks = 21;
            break;
        default:
            next.reserved = 1;
        }
        assert_refused(&g, load_check_order(&g.check, &next), OC_ERR_DAMAGED, "order");
    }
    set_up(&g);
    begin(&g);
    g.order.priority++;
    g.order.open_lots = INT64_MAX / 3;
    assert_takes(load_check_order(&g.check, &g.order));
    g.order.priority++;
    g.order.open_lots++;
    assert_refused(&g, load_check_order(&g.check, &g.order), OC_ERR_INVALID_CONFIG, "max_orders");
}

static void test_order_of_orders(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    begin(&g);
    engine_order_t sell = g.order;
    sell.terms = hash_order_terms(OC_SIDE_SELL, OC_TIF_DAY, OC_FLAG_POST_ONLY);
    assert_refused(&g, load_check_order(&g.check, &sell), OC_ERR_DAMAGED, "crossed");
    begin(&g);
    sell.price_ticks = 21;
    assert_takes(load_check_order(&g.check, &sell));
    assert_refused(&g, load_check_order(&g.check, &g.order), OC_ERR_DAMAGED, "buys");
    begin(&g);
    assert_takes(load_check_order(&g.check, &sell));
    sell.price_ticks = 20;
    assert_refused(&g, load_check_order(&g.check, &sell), OC_ERR_DAMAGED, "price-time");
    g.instrument.state = OC_STATE_PRE_OPEN; /* may be crossed */
    begin(&g);
    assert_takes(load_check_order(&g.check, &sell));
    sell.instrument = 6;
    assert_refused(&g, load_check_book(&g.check, &sell, OC_STATE_CONTINUOUS), OC_ERR_DAMAGED,
                   "instrument");
}

static void test_tables_of_orders(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    begin(&g);
    g.order.price_ticks = 19;
    assert_takes(load_check_order(&g.check, &g.order));
    g.order.price_ticks = 18;
    assert_refused(&g, load_check_order(&g.check, &g.order), OC_ERR_INVALID_CONFIG,
                   "max_levels is 2, the state to load needs at least 3");
    set_up(&g);
    begin(&g);
    for (int i = 0; i < 2; i++) {
        g.order.priority++;
        assert_takes(load_check_order(&g.check, &g.order));
    }
    g.order.priority++;
    assert_refused(&g, load_check_order(&g.check, &g.order), OC_ERR_INVALID_CONFIG,
                   "max_orders is 3, the state to load needs at least 4");
}

/* One thing is wrong with a mass cancel by source. */
static void spoil_mass_cancel(hash_pending_t *p, int what)
{
    switch (what) {
    case 0:
        p->ordinal = 1;
        break;
    case 1:
        p->limit = 51;
        break;
    case 2:
        p->first = 1;
        break;
    case 3:
        p->ended = 51;
        break;
    case 4:
        p->looked_at = 46;
        break;
    case 5:
        p->price_ticks = 1;
        break;
    case 6:
        p->source = 0;
        break;
    case 7:
        p->command = OC_COMMAND_NEW;
        break;
    case 8:
        p->scope = 0;
        break;
    case 9:
        p->scope = OC_SCOPE_INSTRUMENT;
        break;
    case 10:
        p->sides = 3;
        break;
    case 11:
        p->side = 1;
        break;
    default:
        p->scope = OC_SCOPE_SESSION; /* without a first order */
    }
}

/* One thing is wrong with the expiry of an instrument's orders. */
static void spoil_expiry(hash_pending_t *p, int what)
{
    switch (what) {
    case 0:
        p->source = 3;
        break;
    case 1:
        p->asker = 1;
        break;
    case 2:
        p->scope = 1;
        break;
    case 3:
        p->looked_at = 0;
        break;
    case 4:
        p->looked_at = 61;
        break;
    case 5:
        p->side = 3;
        break;
    case 6:
        p->side = 2;
        break;
    default:
        p->sides = OC_SIDES_SELL;
    }
}

static void test_pending_work(void **state)
{
    (void)state;
    good_t g;
    for (int i = 0; i < 13; i++) {
        set_up(&g);
        begin(&g);
        spoil_mass_cancel(&g.pending, i);
        assert_refused(&g, load_check_pending(&g.check, &g.pending), OC_ERR_DAMAGED,
                       "pending work");
    }
    for (int i = -1; i < 8; i++) {
        set_up(&g);
        begin(&g);
        g.pending = (hash_pending_t){.limit = 45,
                                     .ended = 2,
                                     .looked_at = 60,
                                     .price_ticks = -7,
                                     .instrument = 7,
                                     .command = OC_COMMAND_INSTRUMENT_STATE};
        if (i < 0) {
            assert_takes(load_check_pending(&g.check, &g.pending));
            continue;
        }
        spoil_expiry(&g.pending, i);
        assert_refused(&g, load_check_pending(&g.check, &g.pending), OC_ERR_DAMAGED,
                       "pending work");
    }
}

static void test_only_the_first_item_has_begun(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    begin(&g);
    g.pending.looked_at = 40;
    assert_takes(load_check_pending(&g.check, &g.pending));
    hash_pending_t down = {
        .ordinal = 1, .limit = 45, .source = 3, .command = OC_COMMAND_SESSION_DOWN, .side = 2};
    assert_takes(load_check_pending(&g.check, &down));
    down.ordinal = 2;
    down.looked_at = 1;
    assert_refused(&g, load_check_pending(&g.check, &down), OC_ERR_DAMAGED, "begun");
    begin(&g);
    assert_takes(load_check_pending(&g.check, &g.pending));
    g.pending.looked_at = 0;
    g.pending.ordinal = 1;
    assert_refused(&g, load_check_pending(&g.check, &g.pending), OC_ERR_INVALID_CONFIG,
                   "max_pending is 1");
}

/* What no commands can have led to, though each number is in range. */
static void test_contradictions(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    g.totals.entry = 0;
    load_check_begin(&g.check, &g.config, &g.totals);
    assert_refused(&g, load_check_instrument(&g.check, &g.instrument), OC_ERR_DAMAGED,
                   "before the first command");
    set_up(&g);
    g.source.sequence = UINT64_MAX;
    load_check_begin(&g.check, &g.config, &g.totals);
    assert_refused(&g, load_check_source(&g.check, &g.source), OC_ERR_DAMAGED, "no sequence");
    set_up(&g);
    begin(&g);
    g.pending.asker = 0; /* the host's own: possible */
    assert_takes(load_check_pending(&g.check, &g.pending));
    set_up(&g);
    begin(&g);
    g.pending.ended = 1;
    assert_refused(&g, load_check_pending(&g.check, &g.pending), OC_ERR_DAMAGED, "looked at none");
}

static void test_executed_without_a_trade(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    g.totals.last_trade_id = 1;
    g.order.executed_lots = 5;
    begin(&g);
    g.totals.last_trade_id = 0;
    load_check_begin(&g.check, &g.config, &g.totals);
    assert_takes(load_check_instrument(&g.check, &g.instrument));
    assert_takes(load_check_source(&g.check, &g.source));
    assert_takes(load_check_orders(&g.check));
    assert_takes(load_check_book(&g.check, &g.order, g.instrument.state));
    assert_refused(&g, load_check_order(&g.check, &g.order), OC_ERR_DAMAGED, "no trade");
}

/* Bands move, and what rests stays (rule 9): such a state is one that commands lead to. */
static void test_outside_of_the_bands(void **state)
{
    (void)state;
    good_t g;
    set_up(&g);
    g.instrument.has_mark_price = true;
    g.instrument.mark_price_ticks = 5000;
    g.instrument.max_quantity_lots = 1;
    g.order.price_ticks = 5000;
    begin(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_good_state_is_taken),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_executed_without_a_trade),
        cmocka_unit_test(test_outside_of_the_bands),
        cmocka_unit_test(test_instruments),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_fields_of_orders),
        cmocka_unit_test(test_order_of_orders),
        cmocka_unit_test(test_tables_of_orders),
        cmocka_unit_test(test_pending_work),
        cmocka_unit_test(test_only_the_first_item_has_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
