/*
 * The form of a state that is put in item by item. Called by both engines' loads, before they use
 * an item.
 *
 * Invariant: once anything was refused everything is refused, until the next begin. Nothing that
 * commands could have led to is refused (so bands and largest quantity bind neither resting orders
 * nor the mark price: they may have been changed behind them), and what is taken leads to no index
 * out of range, no overflow and no endless walk.
 */
#include "engine/load_check.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define REST_FLAGS (OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT)

/* No engine counts that far; adding one to a counter never overflows. */
#define COUNTER_MAX ((uint64_t)INT64_MAX)

/* What cannot be about them; NULL if nothing is wrong. */
static const char *wrong_totals(const engine_totals_t *t)
{
    if (t->entry > COUNTER_MAX || t->last_order_id > COUNTER_MAX ||
        t->last_trade_id > COUNTER_MAX || t->last_priority > COUNTER_MAX || t->time_ns < 0)
        return "a counter is out of range";
    if (t->entry == 0 && (t->last_order_id || t->last_trade_id || t->last_priority))
        return "ids were given out before the first command";
    if (t->step_bound < 1 || t->step_bound > OC_STEP_BOUND_MAX)
        return "the step bound is out of range";
    if (t->modify_priority > OC_PRIORITY_LOSE)
        return "the rule for a modify's priority is not known";
    if (t->restrictions & ~OC_RESTRICT_ALL)
        return "a restriction is not known";
    if (t->output.weight & 1)
        return "the weight of the output hash is odd";
    return NULL;
}

void load_check_begin(load_check_t *check, const oc_engine_config_t *config,
                      const engine_totals_t *totals)
{
    memset(check, 0, sizeof *check);
    check->config = config;
    check->totals = *totals;
    check->most_lots = INT64_MAX / (int64_t)config->max_orders;
    check->phase = wrong_totals(totals) ? LOAD_FAILED : LOAD_INSTRUMENTS;
}

oc_err_t load_check_fail(load_check_t *check, oc_err_t err)
{
    OC_ASSERT(err != OC_ERR_OK);
    check->phase = LOAD_FAILED;
    return err;
}

/* What is refused, and why. */
static oc_err_t damaged(load_check_t *check, const char *what, uint64_t id, const char *why)
{
    return load_check_fail(
        check,
        error_set(OC_ERR_DAMAGED, "engine: state to load: %s %" PRIu64 ": %s", what, id, why));
}

static oc_err_t too_small(load_check_t *check, const char *table, uint32_t size)
{
    return load_check_fail(check,
                           error_set(OC_ERR_INVALID_CONFIG,
                                     "engine: %s is %" PRIu32
                                     ", the state to load needs at least %" PRIu64 ": raise it",
                                     table, size, (uint64_t)size + 1));
}

/* Moves on to a phase, from this or an earlier one. */
static oc_err_t enter(load_check_t *check, load_phase_t phase)
{
    const char *why = wrong_totals(&check->totals);
    if (check->phase == LOAD_FAILED && why)
        return damaged(check, "totals of entry", check->totals.entry, why);
    if (check->phase == LOAD_FAILED)
        return error_set(OC_ERR_DAMAGED, "engine: the load has failed before: begin it anew");
    if (check->phase == LOAD_NONE || check->phase > phase)
        return damaged(check, "item of kind", phase, "it comes out of order");
    if (check->phase != phase)
        check->last_id = 0;
    check->phase = phase;
    return OC_ERR_OK;
}

oc_err_t load_check_instrument(load_check_t *check, const oc_instrument_view_t *instrument)
{
    const uint32_t id = instrument->id.value;
    const oc_err_t err = enter(check, LOAD_INSTRUMENTS);
    if (err != OC_ERR_OK)
        return err;
    if (id <= check->last_id)
        return damaged(check, "instrument", id, "ids do not ascend from 1");
    if ((uint32_t)instrument->state > OC_STATE_HALTED)
        return damaged(check, "instrument", id, "its state is not known");
    if (instrument->price_low_ticks > instrument->price_high_ticks ||
        instrument->max_quantity_lots <= 0)
        return damaged(check, "instrument", id, "bands or largest quantity make no sense");
    if (!instrument->has_mark_price && instrument->mark_price_ticks)
        return damaged(check, "instrument", id, "a mark price, and none");
    if (instrument->max_quantity_lots > check->most_lots)
        return load_check_fail(
            check, error_set(OC_ERR_INVALID_CONFIG,
                             "engine: max_orders is %" PRIu32 ", but instrument %" PRIu32
                             " with up to %" PRId64 " lots an order allows %" PRId64 ": lower it",
                             check->config->max_orders, id, instrument->max_quantity_lots,
                             INT64_MAX / instrument->max_quantity_lots));
    if (check->instruments == check->config->max_instruments)
        return too_small(check, "max_instruments", check->config->max_instruments);
    check->last_id = id;
    check->instruments++;
    return OC_ERR_OK;
}

oc_err_t load_check_source(load_check_t *check, const oc_source_view_t *source)
{
    const uint32_t id = source->id.value;
    const oc_err_t err = enter(check, LOAD_SOURCES);
    if (err != OC_ERR_OK)
        return err;
    if (id <= check->last_id)
        return damaged(check, "source", id, "ids do not ascend from 1");
    if (source->roles & ~OC_ROLES_ALL)
        return damaged(check, "source", id, "a role is not known");
    if (source->sequence == UINT64_MAX)
        return damaged(check, "source", id, "no sequence can follow its last one");
    if ((uint32_t)source->last_status >= OC_REASON_COUNT)
        return damaged(check, "source", id, "its last status is not known");
    if ((source->session.value == 0) != (source->session_first.value == 0) ||
        source->session_first.value > check->totals.last_order_id + 1)
        return damaged(check, "source", id, "its session makes no sense");
    if (check->sources == check->config->max_sources)
        return too_small(check, "max_sources", check->config->max_sources);
    if (source->session.value && check->sessions == check->config->max_sessions)
        return too_small(check, "max_sessions", check->config->max_sessions);
    check->last_id = id;
    check->sources++;
    check->sessions += source->session.value != 0;
    return OC_ERR_OK;
}

oc_err_t load_check_orders(load_check_t *check)
{
    return enter(check, LOAD_ORDERS);
}

oc_err_t load_check_book(load_check_t *check, const engine_order_t *order,
                         oc_instrument_state_t state)
{
    if (order->instrument <= check->instrument)
        return damaged(check, "order", order->order_id, "its instrument comes out of order");
    check->instrument = order->instrument;
    check->priority = 0; /* no order of it was taken yet */
    check->has_bid = false;
    check->may_cross = state != OC_STATE_CONTINUOUS;
    return OC_ERR_OK;
}

/* What the order says by itself; NULL if nothing is wrong. */
static const char *wrong_fields(const load_check_t *check, const engine_order_t *o)
{
    const uint32_t side = o->terms & 1;
    const uint32_t terms =
        hash_order_terms(side, terms_time_in_force(o->terms), terms_flags(o->terms));
    if (terms != o->terms || terms_time_in_force(terms) > OC_TIF_DAY ||
        (terms_flags(terms) & ~REST_FLAGS))
        return "its terms are not known";
    if (o->order_id == 0 || o->order_id > check->totals.last_order_id)
        return "its id was never given out";
    if (o->priority == 0 || o->priority > check->totals.last_priority)
        return "its priority was never given out";
    if (o->open_lots <= 0 || o->executed_lots < 0 || o->executed_lots > INT64_MAX - o->open_lots)
        return "its quantities make no sense";
    if (o->executed_lots && check->totals.last_trade_id == 0)
        return "it was executed, and there was no trade";
    if (o->reserved)
        return "reserved bytes are not zero";
    return NULL;
}

/* Whether the price is better, equal (0) or worse (1) than that of the order before. */
static int compare_price(const load_check_t *check, uint32_t side, int64_t price_ticks)
{
    if (price_ticks == check->price_ticks)
        return 0;
    return (price_ticks < check->price_ticks) == (side == OC_SIDE_BUY) ? 1 : -1;
}

/* The order opens a level: best of its side or worse than the one before. */
static oc_err_t open_level(load_check_t *check, const engine_order_t *order, bool first_of_side)
{
    const uint32_t side = order->terms & 1;
    if (first_of_side && side == OC_SIDE_BUY) {
        check->has_bid = true;
        check->best_bid_ticks = order->price_ticks;
    } else if (first_of_side && check->has_bid && !check->may_cross &&
               check->best_bid_ticks >= order->price_ticks) {
        return damaged(check, "order", order->order_id, "the book is crossed");
    }
    if (check->levels == check->config->max_levels)
        return too_small(check, "max_levels", check->config->max_levels);
    check->levels++;
    return OC_ERR_OK;
}

oc_err_t load_check_order(load_check_t *check, const engine_order_t *order)
{
    OC_ASSERT(check->phase == LOAD_ORDERS && order->instrument == check->instrument);
    const char *why = wrong_fields(check, order);
    const uint32_t side = order->terms & 1;
    const bool first_of_side = check->priority == 0 || side != check->side;
    const int worse = first_of_side ? 1 : compare_price(check, side, order->price_ticks);
    if (!why && first_of_side && check->priority && side == OC_SIDE_BUY)
        why = "buys come before sells";
    if (!why && (worse < 0 || (worse == 0 && order->priority <= check->priority)))
        why = "it is not in price-time order";
    if (why)
        return damaged(check, "order", order->order_id, why);
    if (order->open_lots > check->most_lots)
        return load_check_fail(check,
                               error_set(OC_ERR_INVALID_CONFIG,
                                         "engine: max_orders is %" PRIu32 ", but order %" PRIu64
                                         " of %" PRId64 " lots allows %" PRId64 ": lower it",
                                         check->config->max_orders, order->order_id,
                                         order->open_lots, INT64_MAX / order->open_lots));
    if (check->orders == check->config->max_orders)
        return too_small(check, "max_orders", check->config->max_orders);
    check->orders++;
    if (worse) {
        const oc_err_t err = open_level(check, order, first_of_side);
        if (err != OC_ERR_OK)
            return err;
    }
    check->side = side;
    check->priority = order->priority;
    check->price_ticks = order->price_ticks;
    return OC_ERR_OK;
}

/* What the item is about; NULL if nothing is wrong. */
static const char *wrong_target(const hash_pending_t *p)
{
    const bool mass_cancel = p->command == OC_COMMAND_MASS_CANCEL;
    const bool by_instrument =
        mass_cancel ? p->scope == OC_SCOPE_INSTRUMENT : p->command == OC_COMMAND_INSTRUMENT_STATE;
    if (!mass_cancel && !by_instrument && p->command != OC_COMMAND_SESSION_DOWN)
        return "no such command leaves work behind";
    if (mass_cancel &&
        (p->scope < OC_SCOPE_SOURCE || p->scope > OC_SCOPE_INSTRUMENT || p->sides > OC_SIDES_SELL))
        return "scope or sides are not known";
    if (!mass_cancel && (p->scope || p->sides || p->asker))
        return "a scope, sides or who asked, of work that has none";
    if (by_instrument ? p->source != 0 || p->instrument == 0 : p->source == 0)
        return "it is neither of a source nor of an instrument";
    if (p->command == OC_COMMAND_SESSION_DOWN && p->instrument)
        return "an instrument, of work that has none";
    const bool of_session = mass_cancel && p->scope == OC_SCOPE_SESSION;
    if (of_session ? p->first == 0 || p->first > p->limit + 1 : p->first != 0)
        return "the first order id makes no sense";
    return NULL;
}

/* How far the item is. */
static const char *wrong_progress(const load_check_t *check, const hash_pending_t *p)
{
    const engine_totals_t *t = &check->totals;
    if (p->limit > t->last_order_id || p->ended > t->last_order_id)
        return "an order id that was never given out";
    if (p->ordinal && (p->looked_at || p->ended))
        return "only the first item can have begun";
    if (p->ended && !p->looked_at)
        return "it ended orders, and looked at none";
    if (p->source) { /* in order-id order */
        const bool possible = !p->price_ticks && p->side == 2 && p->looked_at <= p->limit;
        return possible ? NULL : "its place makes no sense";
    }
    const bool begun = p->side != 2;
    if (p->side > 2 || begun != (p->looked_at != 0) || (!begun && p->price_ticks) ||
        (begun && p->sides != OC_SIDES_BOTH && p->sides - 1u != p->side))
        return "its place makes no sense";
    if (p->looked_at > t->last_priority && p->looked_at != UINT64_MAX)
        return "a priority that was never given out";
    return NULL;
}

oc_err_t load_check_pending(load_check_t *check, const hash_pending_t *item)
{
    const oc_err_t err = enter(check, LOAD_PENDING);
    if (err != OC_ERR_OK)
        return err;
    const char *why =
        item->ordinal == check->pending ? wrong_target(item) : "it comes out of order";
    if (!why)
        why = wrong_progress(check, item);
    if (why)
        return damaged(check, "pending work", item->ordinal, why);
    const bool mass_cancel = item->command == OC_COMMAND_MASS_CANCEL;
    if (mass_cancel && check->mass_cancels == check->config->max_pending)
        return too_small(check, "max_pending", check->config->max_pending);
    check->mass_cancels += mass_cancel;
    check->pending++;
    return OC_ERR_OK;
}

oc_err_t load_check_end(load_check_t *check)
{
    const oc_err_t err = enter(check, LOAD_PENDING);
    if (err == OC_ERR_OK)
        check->phase = LOAD_NONE;
    return err;
}
