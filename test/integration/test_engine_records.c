/*
 * States taken out of one engine and put into another, item by item or page by page, under random
 * streams of commands: the copy holds the same items, hashes the same, and goes on as the original
 * does. And a state that was changed on the way is refused, or is a possible one; it never breaks
 * an engine.
 *
 * OUTCRY_SEED repeats one stream.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast_state.h"
#include "lib/command_stream.h"
#include "lib/engine_items.h"

#include <stdlib.h>
#include <string.h>

enum { ORIGINAL, REFERENCE, ENGINES };
enum { FIRST_SEED = 1, LAST_SEED = 60, COMMANDS = 10000, GO_ON = 1200, EVENTS_MAX = 65536 };

typedef struct event_list {
    oc_event_t events[EVENTS_MAX];
    size_t count;
} event_list_t;

/* The original pair, and a copy that follows it. */
typedef struct rig {
    command_stream_t stream;
    oc_engine_config_t config;
    oc_engine_t *engines[ENGINES];
    oc_engine_t *copy;
    bool copy_is_larger;
    event_list_t events;
    event_list_t copy_events;
} rig_t;

static rig_t rig;
static rig_t changed_rig;

static void keep(void *context, const oc_event_t *events, size_t count)
{
    event_list_t *list = context;
    assert_true(list->count + count <= EVENTS_MAX);
    memcpy(&list->events[list->count], events, count * sizeof *events);
    list->count += count;
}

static oc_engine_t *create(const oc_engine_config_t *config, oc_engine_kind_t kind, bool verify,
                           event_list_t *events)
{
    oc_engine_t *engine = NULL;
    oc_engine_config_t own = *config;
    own.kind = kind;
    own.verify_touch = verify && kind == OC_ENGINE_FAST;
    assert_int_equal(oc_engine_create(&engine, &own, events ? keep : NULL, events), OC_ERR_OK);
    return engine;
}

static void rig_open(rig_t *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    command_stream_init(&r->stream, seed, &r->config);
    r->engines[ORIGINAL] = create(&r->config, OC_ENGINE_FAST, false, &r->events);
    r->engines[REFERENCE] = create(&r->config, OC_ENGINE_REFERENCE, false, NULL);
}

static void rig_close(rig_t *r)
{
    oc_engine_destroy(r->engines[ORIGINAL]);
    oc_engine_destroy(r->engines[REFERENCE]);
    oc_engine_destroy(r->copy);
}

static void rig_step(rig_t *r)
{
    oc_command_t command;
    r->events.count = r->copy_events.count = 0;
    command_stream_next(&r->stream, r->engines[ORIGINAL], &command);
    for (int i = 0; i < ENGINES; i++)
        assert_int_equal(oc_engine_apply(r->engines[i], &command), OC_ERR_OK);
    if (r->copy)
        assert_int_equal(oc_engine_apply(r->copy, &command), OC_ERR_OK);
}

static void assert_audit(const oc_engine_t *engine)
{
    char why[256] = "";
    if (!oc_engine_audit(engine, why, sizeof why))
        fail_msg("%s", why);
}

/* An answer that larger tables would not have given. */
static bool names_a_limit(const event_list_t *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const oc_event_t *event = &list->events[i];
        if (event->type != OC_EVENT_REJECTED)
            continue;
        if ((event->reason >= OC_REASON_ORDERS_FULL && event->reason <= OC_REASON_PENDING_FULL) ||
            event->reason == OC_REASON_INVALID_FIELD)
            return true;
    }
    return false;
}

/* The copy follows the original, event by event; a larger one up to the first limit that was met.
 */
static void assert_goes_on(rig_t *r, int commands)
{
    for (int i = 0; i < commands; i++) {
        rig_step(r);
        if (r->copy_is_larger && names_a_limit(&r->events))
            break;
        assert_int_equal(r->copy_events.count, r->events.count);
        assert_memory_equal(r->copy_events.events, r->events.events,
                            r->events.count * sizeof r->events.events[0]);
        assert_true(oc_engine_state_hash(r->copy) == oc_engine_state_hash(r->engines[ORIGINAL]));
        assert_true(oc_engine_output_hash(r->copy) == oc_engine_output_hash(r->engines[ORIGINAL]));
    }
    assert_audit(r->copy);
    oc_engine_destroy(r->copy);
    r->copy = NULL;
}

/* Tables of other sizes, and another key. */
static oc_engine_config_t other_tables(const rig_t *r, uint64_t draw)
{
    oc_engine_config_t config = r->config;
    config.hash_key[0] ^= draw;
    config.hash_key[1] ^= draw << 7;
    if (r->copy_is_larger) {
        config.max_levels += 1 + (uint32_t)draw % 700;
        config.max_instruments += (uint32_t)draw % 5;
        config.max_sources += (uint32_t)(draw >> 8) % 90;
        config.max_sessions += (uint32_t)(draw >> 16) % 9;
        config.max_pending += (uint32_t)(draw >> 24) % 9;
    }
    return config;
}

/* Has the copy done something before: what it held must go. */
static void use_before(oc_engine_t *engine, const rig_t *r, uint64_t draw)
{
    command_stream_t stream = r->stream;
    oc_command_t command;
    stream.setup = 0;
    for (uint64_t i = 0; i < draw % 400; i++) {
        command_stream_next(&stream, engine, &command);
        assert_int_equal(oc_engine_apply(engine, &command), OC_ERR_OK);
    }
}

static void copy_state(rig_t *r)
{
    engine_items_t items[ENGINES];
    engine_items_t loaded;
    const uint64_t draw = stream_random(&r->stream);
    for (int i = 0; i < ENGINES; i++)
        engine_items_take(&items[i], r->engines[i]);
    engine_items_assert_equal(&items[0], &items[1]);
    r->copy_is_larger = draw % 3 == 0;
    const oc_engine_config_t config = other_tables(r, draw);
    const oc_engine_kind_t kind = draw % 5 == 1 ? OC_ENGINE_REFERENCE : OC_ENGINE_FAST;
    r->copy = create(&config, kind, draw % 7 == 0 && config.max_orders < 100, &r->copy_events);
    use_before(r->copy, r, draw >> 40);
    const oc_err_t err = engine_items_load(&items[0], r->copy, 1 + (draw >> 32) % 100);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_audit(r->copy);
    assert_true(oc_engine_state_hash(r->copy) == oc_engine_state_hash(r->engines[ORIGINAL]));
    assert_true(oc_engine_output_hash(r->copy) == oc_engine_output_hash(r->engines[ORIGINAL]));
    engine_items_take(&loaded, r->copy);
    engine_items_assert_equal(&items[0], &loaded);
    for (int i = 0; i < ENGINES; i++)
        engine_items_free(&items[i]);
    engine_items_free(&loaded);
}

static uint64_t seed_from(uint64_t first)
{
    const char *seed = getenv("OUTCRY_SEED");
    return seed ? strtoull(seed, NULL, 0) : first;
}

/* What the copies were taken in the middle of, so that streams that leave nothing half done are
 * noticed. */
typedef struct coverage {
    int copies;
    int pending;      /* with work waiting */
    int in_list;      /* the front item inside a source's orders */
    int in_book;      /* inside a level of a book */
    int behind_level; /* having left a level */
} coverage_t;

/* Whether to copy now, counted if so: rarely, but nearly always in the middle of something. */
static bool is_time(rig_t *r, coverage_t *coverage)
{
    oc_engine_counts_t counts;
    oc_engine_counts(r->engines[ORIGINAL], &counts);
    if (counts.pending == 0) {
        const bool now = stream_below(&r->stream, 1500) == 0;
        coverage->copies += now;
        return now;
    }
    hash_pending_t *items = calloc(counts.pending, sizeof *items);
    assert_non_null(items);
    engine_pending_items(r->engines[ORIGINAL], items);
    const hash_pending_t front = items[0];
    free(items);
    const uint32_t rare = front.looked_at == UINT64_MAX ? 1 : front.looked_at ? 6 : 40;
    if (stream_below(&r->stream, rare) != 0)
        return false;
    coverage->copies++;
    coverage->pending++;
    coverage->in_list += front.source && front.looked_at;
    coverage->in_book += !front.source && front.looked_at && front.looked_at != UINT64_MAX;
    coverage->behind_level += front.looked_at == UINT64_MAX;
    return true;
}

static void test_copies_go_on_as_the_original(void **state)
{
    (void)state;
    coverage_t c = {0, 0, 0, 0, 0};
    for (uint64_t seed = seed_from(FIRST_SEED); seed <= seed_from(LAST_SEED); seed++) {
        rig_open(&rig, seed);
        for (int done = 0; done < COMMANDS; done++) {
            rig_step(&rig);
            if (!is_time(&rig, &c))
                continue;
            copy_state(&rig);
            assert_goes_on(&rig, GO_ON);
        }
        rig_close(&rig);
    }
    print_message(
        "%d copies, %d of them with work waiting: %d inside a list, %d inside a level, %d "
        "behind one\n",
        c.copies, c.pending, c.in_list, c.in_book, c.behind_level);
    if (!getenv("OUTCRY_SEED"))
        assert_true(c.copies > 400 && c.in_list > 40 && c.in_book > 40 && c.behind_level > 0);
}

/* ---- A state whose arena was copied ---- */

/* The arena of one engine put in place of another's, as a restore does it. */
static void copy_arena(oc_engine_t *to, oc_engine_t *from)
{
    oc_arena_t *a = engine_arena(from);
    oc_arena_t *b = engine_arena(to);
    assert_true(a->layout == b->layout && a->size == b->size);
    for (size_t page = 0; page < a->size >> OC_ARENA_PAGE_SHIFT; page++) {
        const size_t at = page << OC_ARENA_PAGE_SHIFT;
        b->stamps[page] = a->stamps[page] != 0;
        memcpy(b->base + at, a->base + at, OC_ARENA_PAGE_SIZE);
    }
    oc_arena_restored(b);
}

static uint64_t sum_of_parts(const oc_engine_t *engine, unsigned parts)
{
    uint64_t sum = 0;
    for (unsigned part = 0; part < parts; part++)
        sum += engine_hash_part(engine, part, parts);
    return sum;
}

/* Flips a bit of what an order is, in each of some orders; each must be found. */
static void assert_flips_are_found(command_stream_t *s, oc_engine_t *engine)
{
    fast_engine_t *e = (fast_engine_t *)engine;
    /* Links are not what an order is; the level says its price, the source its owner. */
    const size_t logical = offsetof(order_record_t, level) + sizeof(uint32_t);
    for (int i = 0; i < 50 && e->header->orders.used; i++) {
        uint32_t index = 1 + stream_below(s, e->header->orders.top);
        if (e->orders[index].terms == 0)
            continue;
        const bool terms = stream_below(s, 8) == 0;
        const size_t byte = terms ? offsetof(order_record_t, terms) + stream_below(s, 4)
                                  : stream_below(s, (uint32_t)logical);
        uint8_t *at = (uint8_t *)&e->orders[index] + byte;
        const uint8_t bit = (uint8_t)(1u << stream_below(s, 8));
        *at ^= bit;
        assert_int_equal(engine_hash_check(engine, sum_of_parts(engine, 3)), OC_ERR_DAMAGED);
        *at ^= bit;
    }
    assert_int_equal(engine_hash_check(engine, sum_of_parts(engine, 3)), OC_ERR_OK);
}

static void test_a_restored_arena_goes_on(void **state)
{
    (void)state;
    int copies = 0;
    for (uint64_t seed = seed_from(200); seed <= seed_from(215); seed++) {
        rig_open(&rig, seed);
        for (int done = 0; done < COMMANDS / 2; done++) {
            rig_step(&rig);
            if (stream_below(&rig.stream, 800) != 0)
                continue;
            const oc_engine_config_t config = other_tables(&rig, stream_random(&rig.stream));
            rig.copy = create(&config, OC_ENGINE_FAST, config.max_orders < 100, &rig.copy_events);
            use_before(rig.copy, &rig, stream_random(&rig.stream));
            copy_arena(rig.copy, rig.engines[ORIGINAL]);
            assert_int_equal(engine_restored(rig.copy), OC_ERR_OK);
            const unsigned parts = 1 + stream_below(&rig.stream, 9);
            assert_int_equal(engine_hash_check(rig.copy, sum_of_parts(rig.copy, parts)), OC_ERR_OK);
            assert_flips_are_found(&rig.stream, rig.copy);
            assert_audit(rig.copy);
            copies++;
            assert_goes_on(&rig, GO_ON);
        }
        rig_close(&rig);
    }
    assert_true(getenv("OUTCRY_SEED") || copies > 60);
}

/* ---- A state that was changed on its way ---- */

static void change_bytes(command_stream_t *s, void *item, size_t size)
{
    uint8_t *bytes = item;
    const uint32_t at = stream_below(s, (uint32_t)size);
    switch (stream_below(s, 4)) {
    case 0:
        bytes[at] = (uint8_t)stream_random(s);
        break;
    case 1:
        bytes[at] = (uint8_t)(bytes[at] + 1);
        break;
    default:
        bytes[at] = (uint8_t)(bytes[at] ^ 1u << stream_below(s, 8));
    }
}

/* One order takes a field of another one: ids and names that are there twice. */
static void mix_orders(command_stream_t *s, engine_order_t *a, const engine_order_t *b)
{
    switch (stream_below(s, 6)) {
    case 0:
        a->order_id = b->order_id;
        break;
    case 1:
        a->priority = b->priority;
        break;
    case 2:
        a->client_order_id = b->client_order_id;
        a->source = b->source;
        break;
    case 3:
        a->price_ticks = b->price_ticks;
        break;
    case 4:
        a->instrument = b->instrument;
        break;
    default:
        *a = *b;
    }
}

static void change_orders(command_stream_t *s, engine_items_t *items)
{
    if (items->order_count == 0)
        return;
    const uint32_t at = stream_below(s, (uint32_t)items->order_count);
    const uint32_t other = stream_below(s, (uint32_t)items->order_count);
    const engine_order_t copy = items->orders[at];
    switch (stream_below(s, 4)) {
    case 0:
        items->orders[at] = items->orders[other];
        items->orders[other] = copy;
        break;
    case 1:
        mix_orders(s, &items->orders[at], &items->orders[other]);
        break;
    case 2:
        memmove(&items->orders[at], &items->orders[at + 1],
                (items->order_count - at) * sizeof *items->orders);
        items->order_count--;
        break;
    default:
        change_bytes(s, &items->orders[at], sizeof items->orders[at]);
    }
}

/* Fields by their own types: a bool or an enumeration with another value is not C any more. */
static void change_instrument(command_stream_t *s, oc_instrument_view_t *i)
{
    switch (stream_below(s, 7)) {
    case 0:
        change_bytes(s, &i->id, sizeof i->id);
        break;
    case 1:
        i->state = (oc_instrument_state_t)stream_below(s, 6);
        break;
    case 2:
        change_bytes(s, &i->price_low_ticks, sizeof i->price_low_ticks);
        break;
    case 3:
        change_bytes(s, &i->price_high_ticks, sizeof i->price_high_ticks);
        break;
    case 4:
        change_bytes(s, &i->max_quantity_lots, sizeof i->max_quantity_lots);
        break;
    case 5:
        change_bytes(s, &i->mark_price_ticks, sizeof i->mark_price_ticks);
        break;
    default:
        i->has_mark_price = !i->has_mark_price;
    }
}

static void change_source(command_stream_t *s, oc_source_view_t *source)
{
    switch (stream_below(s, 6)) {
    case 0:
        change_bytes(s, &source->id, sizeof source->id);
        break;
    case 1:
        change_bytes(s, &source->roles, sizeof source->roles);
        break;
    case 2:
        change_bytes(s, &source->sequence, sizeof source->sequence);
        break;
    case 3:
        source->last_status = (oc_reason_t)stream_below(s, 60);
        break;
    case 4:
        source->session.value = stream_below(s, (uint32_t)changed_rig.stream.next_session + 1);
        break;
    default:
        change_bytes(s, &source->session_first, sizeof source->session_first);
    }
}

/* One item of pending work more, or one that lacks or is changed. */
static void change_pending(command_stream_t *s, engine_items_t *items)
{
    if (items->pending_count == 0)
        return;
    const uint32_t at = stream_below(s, (uint32_t)items->pending_count);
    switch (stream_below(s, 6)) {
    case 0:
        items->pending[items->pending_count] = items->pending[at];
        items->pending[items->pending_count].ordinal = items->pending_count;
        items->pending_count++;
        break;
    case 1:
        memmove(&items->pending[at], &items->pending[at + 1],
                (items->pending_count - at) * sizeof *items->pending);
        items->pending_count--;
        break;
    default:
        change_bytes(s, &items->pending[at], sizeof items->pending[at]);
    }
}

static void change_items(command_stream_t *s, engine_items_t *items)
{
    const uint32_t draw = stream_below(s, 16);
    if (draw < 8)
        change_orders(s, items);
    else if (draw < 11)
        change_pending(s, items);
    else if (draw < 13 && items->source_count)
        change_source(s, &items->sources[stream_below(s, (uint32_t)items->source_count)]);
    else if (draw < 15 && items->instrument_count)
        change_instrument(s,
                          &items->instruments[stream_below(s, (uint32_t)items->instrument_count)]);
    else
        change_bytes(s, &items->totals, sizeof items->totals);
}

/* Both took a changed state: it must be a possible one, and both make the same of it. */
static void assert_possible(oc_engine_t *const engines[ENGINES], command_stream_t stream)
{
    oc_command_t command;
    for (int i = 0; i < ENGINES; i++)
        assert_audit(engines[i]);
    for (int step = 0; step < 60; step++) {
        assert_true(oc_engine_state_hash(engines[0]) == oc_engine_state_hash(engines[1]));
        command_stream_next(&stream, engines[ORIGINAL], &command);
        for (int i = 0; i < ENGINES; i++)
            assert_int_equal(oc_engine_apply(engines[i], &command), OC_ERR_OK);
    }
    for (int i = 0; i < ENGINES; i++)
        assert_audit(engines[i]);
}

static void test_changed_states_are_refused_or_possible(void **state)
{
    (void)state;
    int refused = 0;
    int taken = 0;
    for (uint64_t seed = seed_from(100); seed <= seed_from(112); seed++) {
        rig_t *r = &changed_rig;
        rig_open(r, seed);
        oc_engine_t *targets[ENGINES] = {create(&r->config, OC_ENGINE_FAST, false, NULL),
                                         create(&r->config, OC_ENGINE_REFERENCE, false, NULL)};
        for (int round = 0; round < 60; round++) {
            for (uint32_t i = stream_below(&r->stream, 60); i > 0; i--)
                rig_step(r);
            engine_items_t good;
            engine_items_t bad;
            engine_items_take(&good, r->engines[ORIGINAL]);
            engine_items_copy(&bad, &good);
            for (uint32_t i = 1 + stream_below(&r->stream, 2); i > 0; i--)
                change_items(&r->stream, &bad);
            const oc_err_t err = engine_items_load(&bad, targets[0], 50);
            assert_int_equal(engine_items_load(&bad, targets[1], 50), err);
            refused += err != OC_ERR_OK;
            taken += err == OC_ERR_OK;
            if (err == OC_ERR_OK)
                assert_possible(targets, r->stream);
            else /* and stays refused until a new beginning */
                assert_int_not_equal(engine_load_end(targets[0]), OC_ERR_OK);
            assert_int_equal(engine_items_load(&good, targets[0], 50), OC_ERR_OK);
            assert_true(oc_engine_state_hash(targets[0]) ==
                        oc_engine_state_hash(r->engines[ORIGINAL]));
            engine_items_free(&good);
            engine_items_free(&bad);
        }
        oc_engine_destroy(targets[0]);
        oc_engine_destroy(targets[1]);
        rig_close(r);
    }
    print_message("%d changed states were refused, %d were possible\n", refused, taken);
    assert_true(getenv("OUTCRY_SEED") || (refused > 200 && taken > 50));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_go_on_as_the_original),
        cmocka_unit_test(test_a_restored_arena_goes_on),
        cmocka_unit_test(test_changed_states_are_refused_or_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
