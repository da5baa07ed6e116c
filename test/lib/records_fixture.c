/*
 * States and streams for the tests of the record stream.
 *
 * The hash of the made-up service covers all that the service is told, so that a lost or changed
 * word shows even where the engine does not hold it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/records_fixture.h"

#include "base/crc32c.h"
#include "base/prng.h"
#include "lib/command_stream.h"
#include "lib/reference_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Streams ---------------------------------------------------------------------------------*/

static void *grown(void *items, size_t *room, size_t needed, size_t each)
{
    if (needed <= *room)
        return items;
    *room = needed * 2;
    void *bigger = realloc(items, *room * each);
    assert_non_null(bigger);
    return bigger;
}

oc_err_t records_stream_take(void *stream, const void *bytes, size_t length)
{
    records_stream_t *self = stream;
    assert_int_equal((uintptr_t)bytes % 8, 0);
    if (self->fail_at == self->count + 1)
        return OC_ERR_NO_SPACE;
    self->bytes = grown(self->bytes, &self->room, self->length + length, 1);
    self->ends = grown(self->ends, &self->ends_room, self->count + 1, sizeof *self->ends);
    memcpy(self->bytes + self->length, bytes, length);
    self->length += length;
    self->ends[self->count++] = self->length;
    return OC_ERR_OK;
}

void records_stream_free(records_stream_t *stream)
{
    free(stream->bytes);
    free(stream->ends);
    *stream = (records_stream_t){0};
}

const uint8_t *records_stream_record(const records_stream_t *stream, size_t at, size_t *length)
{
    assert_true(at < stream->count);
    const size_t begin = at > 0 ? stream->ends[at - 1] : 0;
    *length = stream->ends[at] - begin;
    return stream->bytes + begin;
}

void records_stream_copy(records_stream_t *to, const records_stream_t *from)
{
    *to = (records_stream_t){0};
    for (size_t i = 0; i < from->count; i++) {
        size_t length;
        const uint8_t *bytes = records_stream_record(from, i, &length);
        uint64_t *aligned = malloc(length + 8);
        assert_non_null(aligned);
        memcpy(aligned, bytes, length);
        assert_int_equal(records_stream_take(to, aligned, length), OC_ERR_OK);
        free(aligned);
    }
}

void records_stream_assert_equal(const records_stream_t *a, const records_stream_t *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->length, b->length);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->ends[i], b->ends[i]);
        size_t length;
        const uint8_t *left = records_stream_record(a, i, &length);
        if (memcmp(left, records_stream_record(b, i, &length), length) != 0)
            fail_msg("record %zu differs", i);
    }
}

/* ---- Worlds ----------------------------------------------------------------------------------*/

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t length)
{
    return prng_mix(hash + crc32c(0, bytes, length) + (uint64_t)length * 0x10001);
}

static uint64_t service_hash(const records_state_t *state)
{
    uint64_t hash = mix_bytes(oc_engine_state_hash(state->engine), state->configuration,
                              state->configuration_length);
    hash = mix_bytes(hash, &state->place.position, sizeof state->place.position);
    hash = mix_bytes(hash, &state->place.entries, sizeof state->place.entries);
    hash = mix_bytes(hash, &state->place.time_ns, sizeof state->place.time_ns);
    hash = mix_bytes(hash, &state->place.term, sizeof state->place.term);
    hash = mix_bytes(hash, &state->service_time_ns, sizeof state->service_time_ns);
    for (size_t i = 0; i < state->source_count; i++) {
        const records_source_t *source = &state->sources[i];
        hash = mix_bytes(hash, &source->view.id, sizeof source->view.id);
        hash = mix_bytes(hash, &source->outbound_sequence, sizeof source->outbound_sequence);
        hash = mix_bytes(hash, &source->principal, sizeof source->principal);
    }
    for (size_t i = 0; i < state->session_count; i++) {
        const records_session_t *session = &state->sessions[i];
        hash = mix_bytes(hash, &session->id, sizeof session->id);
        hash = mix_bytes(hash, &session->source, sizeof session->source);
        hash = mix_bytes(hash, &session->principal, sizeof session->principal);
    }
    return hash;
}

static void make_sources(records_world_t *world, const oc_engine_t *engine, uint32_t count)
{
    oc_source_id_t *ids = calloc((size_t)count + 1, sizeof *ids);
    world->sources = calloc((size_t)count + 1, sizeof *world->sources);
    assert_non_null(ids);
    assert_non_null(world->sources);
    engine_source_ids(engine, ids);
    for (uint32_t i = 0; i < count; i++) {
        records_source_t *source = &world->sources[i];
        assert_true(oc_engine_source(engine, ids[i], &source->view));
        source->outbound_sequence = prng_mix(ids[i].value) >> 8;
        if (i % 3 != 2)
            (void)snprintf(source->principal.name, OC_PRINCIPAL_SIZE, "trader-%u", ids[i].value);
    }
    free(ids);
}

static void make_sessions(records_world_t *world, size_t count)
{
    world->sessions = calloc(count + 1, sizeof *world->sessions);
    assert_non_null(world->sessions);
    for (size_t i = 0; i < count; i++) {
        world->sessions[i].id.value = 1 + i * 3;
        world->sessions[i].source.value = (uint32_t)(i % 4);
        (void)snprintf(world->sessions[i].principal.name, OC_PRINCIPAL_SIZE,
                       "a-principal-of-31-letters-%05zu", i % 90000);
    }
}

void records_world_make(records_world_t *world, const oc_engine_t *engine,
                        size_t configuration_length)
{
    enum { SESSIONS = 40 };
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    *world = (records_world_t){0};
    assert_true(configuration_length <= sizeof world->configuration);
    for (size_t i = 0; i < configuration_length; i++)
        world->configuration[i] = (uint8_t)(i * 7 + 3);
    make_sources(world, engine, counts.sources);
    make_sessions(world, SESSIONS);
    world->state = (records_state_t){
        .engine = engine,
        .place = {.position = 123456789, .entries = 4242, .time_ns = 987654321, .term = 7},
        .configuration = world->configuration,
        .configuration_length = configuration_length,
        .service_time_ns = 987654399,
        .sources = world->sources,
        .source_count = counts.sources,
        .sessions = world->sessions,
        .session_count = SESSIONS,
    };
    world->state.place.state_hash = service_hash(&world->state);
}

void records_world_free(records_world_t *world)
{
    free(world->sources);
    free(world->sessions);
    *world = (records_world_t){0};
}

/* ---- Engines ---------------------------------------------------------------------------------*/

void records_fixture_engines(oc_engine_t **engines, const oc_engine_kind_t *kinds, size_t count,
                             uint64_t seed, uint32_t commands)
{
    oc_engine_config_t config;
    command_stream_t stream;
    command_stream_init(&stream, seed, &config);
    for (size_t i = 0; i < count; i++) {
        config.kind = kinds[i];
        assert_int_equal(oc_engine_create(&engines[i], &config, NULL, NULL), OC_ERR_OK);
    }
    for (uint32_t at = 0; at < commands; at++) {
        oc_command_t command;
        command_stream_next(&stream, engines[0], &command);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(oc_engine_apply(engines[i], &command), OC_ERR_OK);
    }
}

oc_engine_t *records_fixture_empty(oc_engine_kind_t kind, uint32_t orders)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = kind;
    config.max_orders = orders + 10;
    config.max_levels = 5000;
    config.max_instruments = 16;
    config.max_sources = 16;
    config.max_sessions = 16;
    oc_engine_t *engine = NULL;
    assert_int_equal(oc_engine_create(&engine, &config, NULL, NULL), OC_ERR_OK);
    return engine;
}

oc_engine_t *records_fixture_large(oc_engine_kind_t kind)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = kind;
    config.max_orders = 70000;
    config.max_levels = 40000;
    config.max_instruments = 300;
    config.max_sources = 700;
    config.max_sessions = 700;
    config.max_pending = 200;
    config.hash_key[0] = 12345; /* no matter */
    oc_engine_t *engine = NULL;
    assert_int_equal(oc_engine_create(&engine, &config, NULL, NULL), OC_ERR_OK);
    return engine;
}

oc_engine_t *records_fixture_book(oc_engine_kind_t kind, uint32_t orders)
{
    enum { LEVELS = 500, MIDDLE = 10000 };
    oc_engine_t *engine = records_fixture_empty(kind, orders);
    uint64_t seed = 99;
    for (uint32_t source = 1; source <= 3; source++)
        fixture_apply(engine, fixture_add_source(source));
    for (uint32_t id = 1; id <= 2; id++) {
        oc_command_t add = fixture_command(OC_COMMAND_INSTRUMENT_ADD, 0, id);
        add.u.instrument.price_low_ticks = 1;
        add.u.instrument.price_high_ticks = 20000;
        add.u.instrument.max_quantity_lots = 100000;
        add.u.instrument.state = OC_STATE_CONTINUOUS;
        fixture_apply(engine, add);
    }
    oc_command_t mark = fixture_command(OC_COMMAND_MARK_PRICE, 0, 2);
    mark.u.mark.price_ticks = MIDDLE;
    fixture_apply(engine, mark);
    for (uint32_t i = 0; i < orders; i++) {
        const uint32_t side = prng_below(&seed, 2);
        const int64_t off = 1 + (int64_t)prng_below(&seed, LEVELS);
        oc_command_t order = fixture_new(1 + i % 3, prng_mix(i), (oc_side_t)side,
                                         1 + (int64_t)prng_below(&seed, 1000),
                                         side == OC_SIDE_BUY ? MIDDLE - off : MIDDLE + off);
        order.instrument.value = 1 + (i % 5 == 0);
        order.flags = i % 7 == 0 ? OC_FLAG_CANCEL_ON_DISCONNECT : 0;
        order.time_in_force = i % 11 == 0 ? OC_TIF_DAY : OC_TIF_GTC;
        fixture_apply(engine, order);
    }
    return engine;
}

/* ---- Out and in ------------------------------------------------------------------------------*/

void records_fixture_export(const records_world_t *world, const records_export_config_t *config,
                            records_stream_t *stream)
{
    records_export_t *export = NULL;
    stream->length = 0;
    stream->count = 0;
    assert_int_equal(records_export_create(&export, config), OC_ERR_OK);
    assert_int_equal(records_export(export, &world->state, records_stream_take, stream), OC_ERR_OK);
    records_export_destroy(export);
}

static oc_err_t take_begin(void *context, const records_place_t *place, const void *configuration,
                           size_t length, int64_t service_time_ns)
{
    records_received_t *self = context;
    assert_true(length <= sizeof self->world.configuration);
    memcpy(self->world.configuration, configuration, length);
    self->world.state.configuration = self->world.configuration;
    self->world.state.configuration_length = length;
    self->world.state.place = *place;
    self->world.state.service_time_ns = service_time_ns;
    return OC_ERR_OK;
}

static oc_err_t take_source(void *context, const records_source_t *source)
{
    records_received_t *self = context;
    records_state_t *state = &self->world.state;
    self->world.sources =
        grown(self->world.sources, &self->sources_room, state->source_count + 1, sizeof *source);
    self->world.sources[state->source_count++] = *source;
    state->sources = self->world.sources;
    return OC_ERR_OK;
}

static oc_err_t take_session(void *context, const records_session_t *session)
{
    records_received_t *self = context;
    records_state_t *state = &self->world.state;
    self->world.sessions = grown(self->world.sessions, &self->sessions_room,
                                 state->session_count + 1, sizeof *session);
    self->world.sessions[state->session_count++] = *session;
    state->sessions = self->world.sessions;
    return OC_ERR_OK;
}

static uint64_t hash_now(void *context)
{
    records_received_t *self = context;
    return service_hash(&self->world.state);
}

void records_receive(records_received_t *received, oc_engine_t *engine,
                     records_receiver_t *receiver)
{
    *received = (records_received_t){.engine = engine};
    received->world.state.engine = engine;
    *receiver = (records_receiver_t){.context = received,
                                     .begin = take_begin,
                                     .source = take_source,
                                     .session = take_session,
                                     .state_hash = hash_now};
}

oc_err_t records_fixture_import(const records_stream_t *stream, oc_engine_t *engine,
                                records_received_t *received)
{
    records_receiver_t receiver;
    records_import_t *import = NULL;
    records_receive(received, engine, &receiver);
    assert_int_equal(records_import_create(&import, engine, &receiver), OC_ERR_OK);
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; err == OC_ERR_OK && i < stream->count; i++) {
        size_t length;
        const uint8_t *bytes = records_stream_record(stream, i, &length);
        err = records_import_take(import, bytes, length);
    }
    if (err == OC_ERR_OK)
        err = records_import_end(import);
    records_import_destroy(import);
    return err;
}
