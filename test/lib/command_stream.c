/*
 * The generator of random command streams. Deterministic: the same seed gives the same stream, as
 * long as the engine asked behaves the same.
 */
#include "lib/command_stream.h"

#include <string.h>

#define PRICE_MIDDLE 10000

uint64_t stream_random(command_stream_t *stream)
{
    uint64_t z = (stream->rng += UINT64_C(0x9E3779B97F4A7C15)); /* splitmix64 */
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint32_t stream_below(command_stream_t *stream, uint32_t n)
{
    return (uint32_t)((stream_random(stream) >> 32) * n >> 32);
}

static bool one_in(command_stream_t *stream, uint32_t n)
{
    return stream_below(stream, n) == 0;
}

void command_stream_init(command_stream_t *stream, uint64_t seed, oc_engine_config_t *config)
{
    memset(stream, 0, sizeof *stream);
    stream->rng = seed;
    oc_engine_config_init(config);
    const bool tiny = one_in(stream, 3);
    stream->sources = 1 + stream_below(stream, 8);
    stream->instruments = 1 + stream_below(stream, 5);
    stream->client_ids = tiny ? 8u << stream_below(stream, 4) : 64u << stream_below(stream, 6);
    stream->calm = 1u << stream_below(stream, 11);
    stream->price_width = 2u << stream_below(stream, 7);
    stream->price_spread = one_in(stream, 3) ? 64 + stream_below(stream, 1000) : 1;
    stream->next_session = 1;
    stream->deep = !tiny && one_in(stream, 2);
    if (stream->deep) {
        stream->sources = 1 + stream_below(stream, 4);
        stream->instruments = 1 + stream_below(stream, 2);
        stream->client_ids = 1024;
        stream->calm = 128u << stream_below(stream, 3);
    }
    config->max_orders = tiny ? 1 + stream_below(stream, 40) : 4096;
    config->max_levels = tiny ? 1 + stream_below(stream, 12) : 2048;
    config->max_instruments = tiny ? stream->instruments : stream->instruments + 8;
    config->max_sources = tiny ? stream->sources : stream->sources + 8;
    config->max_sessions = 1 + stream_below(stream, 6);
    config->max_pending = 1 + stream_below(stream, 4);
    config->step_bound = one_in(stream, 2) ? 1 : 1u << stream_below(stream, 7);
    if (stream->deep)
        config->step_bound = 1 + stream_below(stream, 2);
    config->modify_priority = (oc_modify_priority_t)stream_below(stream, 2);
    config->hash_key[0] = stream_random(stream);
    config->hash_key[1] = stream_random(stream);
    config->event_capacity = 64;
}

/* A price for a side: mostly on its own half, so that books grow, sometimes through the other. */
static int64_t some_price(command_stream_t *stream, uint32_t side)
{
    if (one_in(stream, 200))
        return (int64_t)stream_random(stream);
    if (one_in(stream, 200))
        return one_in(stream, 2) ? INT64_MAX : INT64_MIN;
    int64_t off = 1 + (int64_t)stream_below(stream, stream->price_width);
    if ((side == OC_SIDE_BUY) != one_in(stream, stream->deep ? 40 : 5))
        off = -off;
    return PRICE_MIDDLE + off * (int64_t)stream->price_spread;
}

static int64_t some_quantity(command_stream_t *stream)
{
    switch (stream_below(stream, 256)) {
    case 0:
        return (int64_t)stream_random(stream);
    case 1:
        return -(int64_t)stream_below(stream, 3);
    case 2:
        return INT64_MAX;
    case 3:
        return 1000 + stream_below(stream, 100000);
    default:
        return 1 + stream_below(stream, 30);
    }
}

static uint64_t some_sequence(command_stream_t *stream, const oc_engine_t *engine, uint32_t source)
{
    oc_source_view_t view;
    if (!oc_engine_source(engine, (oc_source_id_t){source}, &view))
        return stream_below(stream, 3);
    switch (stream_below(stream, 48)) {
    case 0:
        return view.sequence + 2 + stream_below(stream, 4);
    case 1:
        return view.sequence;
    case 2:
        return 1 + stream_below(stream, 8);
    case 3:
    case 4:
        return 0;
    default:
        return view.sequence + 1;
    }
}

static void make_new(command_stream_t *stream, oc_command_t *c)
{
    c->type = OC_COMMAND_NEW;
    c->side = (uint8_t)stream_below(stream, 2);
    c->order_type = one_in(stream, 10) ? OC_ORDER_MARKET : OC_ORDER_LIMIT;
    c->time_in_force = one_in(stream, 3) ? (uint8_t)stream_below(stream, 4) : OC_TIF_GTC;
    c->flags = one_in(stream, 4) ? stream_below(stream, 4) : 0;
    if (stream->deep && one_in(stream, 2)) { /* something for pending work to end */
        c->order_type = OC_ORDER_LIMIT;
        c->time_in_force = one_in(stream, 2) ? OC_TIF_DAY : OC_TIF_GTC;
        c->flags = OC_FLAG_CANCEL_ON_DISCONNECT;
    }
    c->u.order.client_order_id.value = stream_below(stream, stream->client_ids);
    c->u.order.price_ticks = some_price(stream, c->side);
    c->u.order.quantity_lots = some_quantity(stream);
    if (one_in(stream, 100))
        c->side = (uint8_t)stream_random(stream);
    if (one_in(stream, 100))
        c->order_type = (uint8_t)stream_random(stream);
    if (one_in(stream, 100))
        c->time_in_force = (uint8_t)stream_random(stream);
    if (one_in(stream, 100))
        c->flags = (uint32_t)stream_random(stream);
}

/* A walk over one side of a book that remembers the last order of one source. */
typedef struct live_search {
    oc_source_id_t source;
    uint32_t left; /* orders still to look at */
    oc_order_view_t *view;
    bool found;
} live_search_t;

static bool remember_order(void *context, const oc_order_view_t *view)
{
    live_search_t *search = context;
    if (view->source.value == search->source.value) {
        *search->view = *view;
        search->found = true;
    }
    return search->left-- > 1;
}

/* An id of the source's, one of a live order if that is found soon; the order's view, if so. */
static uint64_t some_live_id(command_stream_t *stream, const oc_engine_t *engine,
                             oc_source_id_t source, oc_order_view_t *view)
{
    for (int i = 0; i < 8; i++) {
        const oc_client_order_id_t id = {stream_below(stream, stream->client_ids)};
        if (oc_engine_order(engine, source, id, view))
            return id.value;
    }
    live_search_t search = {source, 1 + stream_below(stream, 40), view, false};
    const oc_instrument_id_t instrument = {1 + stream_below(stream, stream->instruments)};
    oc_engine_visit_orders(engine, instrument, (oc_side_t)stream_below(stream, 2), remember_order,
                           &search);
    if (search.found)
        return view->client_order_id.value;
    view->side = OC_SIDE_BUY;
    view->price_ticks = PRICE_MIDDLE;
    view->instrument.value = 0;
    return stream_below(stream, stream->client_ids);
}

static void make_cancel_or_modify(command_stream_t *stream, const oc_engine_t *engine,
                                  oc_command_t *c, bool modify)
{
    oc_order_view_t view;
    c->type = modify ? OC_COMMAND_MODIFY : OC_COMMAND_CANCEL;
    if (!modify && one_in(stream, 6))
        c->u.order.owner.value = stream_below(stream, stream->sources + 2);
    const oc_source_id_t owner = c->u.order.owner.value ? c->u.order.owner : c->source;
    c->u.order.client_order_id.value = some_live_id(stream, engine, owner, &view);
    if (!one_in(stream, 20))
        c->instrument = view.instrument;
    if (one_in(stream, 2))
        c->instrument.value = 0;
    if (modify) {
        c->flags = one_in(stream, 2) ? OC_FLAG_OPEN_QUANTITY : 0;
        c->u.order.price_ticks =
            one_in(stream, 2) ? view.price_ticks : some_price(stream, view.side);
        c->u.order.quantity_lots = some_quantity(stream);
    }
    if (one_in(stream, 100))
        c->flags = (uint32_t)stream_random(stream);
}

static uint64_t some_session(command_stream_t *stream, const oc_engine_t *engine)
{
    oc_source_view_t view;
    const oc_source_id_t source = {1 + stream_below(stream, stream->sources)};
    if (!one_in(stream, 8) && oc_engine_source(engine, source, &view))
        return view.session.value;
    return stream_below(stream, (uint32_t)stream->next_session + 2);
}

static void make_mass_cancel(command_stream_t *stream, const oc_engine_t *engine, oc_command_t *c)
{
    c->type = OC_COMMAND_MASS_CANCEL;
    c->u.mass_cancel.scope = (uint8_t)(1 + stream_below(stream, 3));
    c->u.mass_cancel.sides = (uint8_t)stream_below(stream, 3);
    c->u.mass_cancel.owner.value =
        one_in(stream, 2) ? stream_below(stream, stream->sources + 2) : 0;
    c->u.mass_cancel.session.value = one_in(stream, 2) ? some_session(stream, engine) : 0;
    if (one_in(stream, 2))
        c->instrument.value = 0;
    if (one_in(stream, 30))
        c->u.mass_cancel.scope = (uint8_t)stream_random(stream);
    if (one_in(stream, 30))
        c->u.mass_cancel.sides = (uint8_t)stream_random(stream);
}

static void make_instrument(command_stream_t *stream, oc_command_t *c, uint8_t type)
{
    c->type = type;
    c->u.instrument.price_low_ticks = one_in(stream, 6) ? some_price(stream, 0) : INT64_MIN;
    c->u.instrument.price_high_ticks = one_in(stream, 6) ? some_price(stream, 1) : INT64_MAX;
    c->u.instrument.max_quantity_lots = one_in(stream, 8) ? some_quantity(stream) : 50000;
    c->u.instrument.state =
        !one_in(stream, 3) ? OC_STATE_CONTINUOUS : (uint8_t)stream_below(stream, 5);
}

static void make_session(command_stream_t *stream, const oc_engine_t *engine, oc_command_t *c,
                         bool up)
{
    c->type = up ? OC_COMMAND_SESSION_UP : OC_COMMAND_SESSION_DOWN;
    if (!one_in(stream, 10))
        c->source.value = 0;
    c->u.session.source.value = stream_below(stream, stream->sources + 2);
    c->u.session.id.value =
        up && !one_in(stream, 8) ? stream->next_session++ : some_session(stream, engine);
}

static void make_configure(command_stream_t *stream, oc_command_t *c)
{
    c->type = OC_COMMAND_CONFIGURE;
    c->u.configure.rules_version = OC_RULES_VERSION;
    c->u.configure.step_bound =
        one_in(stream, 4) ? stream_below(stream, 70000) : 1 + stream_below(stream, 64);
    c->u.configure.modify_priority = (uint8_t)stream_below(stream, one_in(stream, 4) ? 4 : 2);
}

/* From time to time reduce-only, for one reason or both, and not for long. */
static void make_restriction(command_stream_t *stream, oc_command_t *c)
{
    c->type = OC_COMMAND_RESTRICTION;
    c->u.restriction.set = 1 + stream_below(stream, OC_RESTRICT_ALL);
    c->u.restriction.clear = stream_below(stream, OC_RESTRICT_ALL + 1);
    if (!one_in(stream, 4))
        c->u.restriction.clear &= ~c->u.restriction.set;
    if (one_in(stream, 8))
        c->u.restriction.set = (uint32_t)stream_random(stream);
    if (one_in(stream, 8))
        c->u.restriction.clear = (uint32_t)stream_random(stream);
    if (stream->restricted == 0)
        stream->restricted = 2 + stream_below(stream, 80);
}

/* The host lifts what may have been set; it need not have been. */
static void make_lift(oc_command_t *c)
{
    c->type = OC_COMMAND_RESTRICTION;
    c->source.value = 0;
    c->u.restriction.clear = OC_RESTRICT_ALL;
}

static void make_noise(command_stream_t *stream, oc_command_t *c)
{
    uint64_t words[sizeof *c / sizeof(uint64_t)];
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        words[i] = one_in(stream, 3) ? 0 : stream_random(stream);
    memcpy(c, words, sizeof *c);
    c->type = (uint8_t)stream_below(stream, OC_COMMAND_LAST + 4);
    if (c->type == OC_COMMAND_CONFIGURE) /* another rules version would end the stream */
        c->u.configure.rules_version = OC_RULES_VERSION;
    c->source.value = stream_below(stream, stream->sources + 2);
    c->instrument.value = stream_below(stream, stream->instruments + 2);
    c->time_ns = stream->time_ns;
}

/* The opening: most sources and all instruments are there before the orders come. */
static bool make_setup(command_stream_t *stream, oc_command_t *c)
{
    const uint64_t step = stream->setup++;
    if (step < stream->instruments) {
        c->type = OC_COMMAND_INSTRUMENT_ADD;
        c->instrument.value = (uint32_t)(stream->instruments - step); /* not in ascending order */
        c->u.instrument.price_low_ticks = INT64_MIN;
        c->u.instrument.price_high_ticks = INT64_MAX;
        c->u.instrument.max_quantity_lots = 50000;
        c->u.instrument.state = OC_STATE_CONTINUOUS;
        return true;
    }
    if (step < stream->instruments + stream->sources) {
        c->type = OC_COMMAND_SOURCE_ADD;
        c->u.source.id.value = (uint32_t)(step - stream->instruments + 1);
        c->u.source.roles =
            one_in(stream, 3) ? stream_below(stream, 16) | OC_ROLE_TRADE : OC_ROLES_ALL;
        return true;
    }
    return false;
}

/* Orders: what most commands are about. */
static void make_order(command_stream_t *stream, const oc_engine_t *engine, oc_command_t *c)
{
    const uint32_t draw = stream_below(stream, 16);
    if (draw < (stream->deep ? 13 : 10))
        make_new(stream, c);
    else
        make_cancel_or_modify(stream, engine, c, draw < (stream->deep ? 15 : 13));
}

/* Work that is queued while other work waits, is renewed, or has its orders changed under it. */
static void make_meddling(command_stream_t *stream, const oc_engine_t *engine, oc_command_t *c)
{
    const uint32_t draw = stream_below(stream, 16);
    if (draw < 3) {
        make_mass_cancel(stream, engine, c);
    } else if (draw < 9) {
        c->source.value = 0;
        make_session(stream, engine, c, draw < 6);
    } else if (draw < 12) {
        c->source.value = 0;
        make_instrument(stream, c, OC_COMMAND_INSTRUMENT_STATE);
        if (draw < 10)
            c->u.instrument.state = OC_STATE_CLOSED;
    } else {
        make_cancel_or_modify(stream, engine, c, draw < 15);
    }
}

static void make_source(command_stream_t *stream, oc_command_t *c, uint8_t type)
{
    c->type = type;
    c->u.source.id.value = stream_below(stream, stream->sources + 3);
    c->u.source.roles = stream_below(stream, one_in(stream, 8) ? 64 : 16) | OC_ROLE_TRADE;
}

static void make_command(command_stream_t *stream, const oc_engine_t *engine, oc_command_t *c)
{
    if (stream->restricted && --stream->restricted == 0) {
        make_lift(c);
        return;
    }
    if (stream->burst && --stream->burst == 0)
        stream->reopen = stream->instruments;
    if (stream->reopen) {
        c->source.value = 0;
        c->instrument.value = stream->reopen--;
        c->type = OC_COMMAND_INSTRUMENT_STATE;
        c->u.instrument.state = OC_STATE_CONTINUOUS;
        return;
    }
    if (stream->burst && one_in(stream, 2)) {
        make_meddling(stream, engine, c);
        return;
    }
    if (!one_in(stream, stream->burst ? 2 : stream->calm) || one_in(stream, 3)) {
        make_order(stream, engine, c);
        return;
    }
    if (one_in(stream, stream->deep ? 2 : 8)) /* so that pending work piles up now and then */
        stream->burst = 60;
    const uint32_t draw = stream_below(stream, 64);
    if (draw < 16)
        make_mass_cancel(stream, engine, c);
    else if (draw < 20)
        *c = (oc_command_t){.type = OC_COMMAND_MARK_PRICE,
                            .source = c->source,
                            .instrument = c->instrument,
                            .u.mark.price_ticks = some_price(stream, 0)};
    else if (draw < 32)
        make_instrument(stream, c, OC_COMMAND_INSTRUMENT_STATE);
    else if (draw < 35)
        make_instrument(stream, c, OC_COMMAND_INSTRUMENT_BANDS);
    else if (draw < 37) {
        make_instrument(stream, c, OC_COMMAND_INSTRUMENT_ADD);
        if (one_in(stream, 2)) /* one more than there is room for, sooner or later */
            c->instrument.value = 1 + stream_below(stream, stream->instruments + 12);
    } else if (draw < 44)
        make_session(stream, engine, c, true);
    else if (draw < 50)
        make_session(stream, engine, c, false);
    else if (draw < 52)
        make_configure(stream, c);
    else if (draw < 54)
        *c = (oc_command_t){.type = OC_COMMAND_TIME};
    else if (draw < 55)
        make_restriction(stream, c);
    else if (draw < 60)
        make_noise(stream, c);
    else
        make_source(stream, c, draw < 63 ? OC_COMMAND_SOURCE_ADD : OC_COMMAND_SOURCE_RETIRE);
}

/* A source that exists, mostly. */
static uint32_t some_source(command_stream_t *stream, const oc_engine_t *engine)
{
    oc_source_view_t view;
    uint32_t id = 0;
    for (int i = 0; i < 6; i++) {
        id = stream_below(stream, stream->sources + 2);
        if (id && oc_engine_source(engine, (oc_source_id_t){id}, &view) && (view.roles & 1))
            break;
    }
    return id;
}

void command_stream_next(command_stream_t *stream, const oc_engine_t *engine, oc_command_t *command)
{
    memset(command, 0, sizeof *command);
    stream->time_ns += (int64_t)stream_below(stream, 1000) - 100;
    if (make_setup(stream, command))
        return;
    command->source.value = some_source(stream, engine);
    command->instrument.value = one_in(stream, 100) ? stream_below(stream, stream->instruments + 2)
                                                    : 1 + stream_below(stream, stream->instruments);
    make_command(stream, engine, command);
    command->time_ns = stream->time_ns;
    command->sequence = some_sequence(stream, engine, command->source.value);
    if (command->source.value && one_in(stream, 40))
        command->source.value = 0; /* the host itself */
}
