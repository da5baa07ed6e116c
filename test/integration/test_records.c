/*
 * The record stream end to end, on real engines: equal states give equal bytes whatever engine,
 * number of threads and window; what is imported is the state that was exported; no change of a
 * stream goes unseen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/records_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATION = 1000, COMMANDS = 3000 };

static void export_world(const records_world_t *world, size_t record_bytes, unsigned threads,
                         size_t window_bytes, records_stream_t *stream)
{
    const records_export_config_t config = {
        .record_bytes = record_bytes, .threads = threads, .window_bytes = window_bytes};
    records_fixture_export(world, &config, stream);
}

/* The stream of an engine with the made-up service around it. */
static void export_engine(const oc_engine_t *engine, size_t record_bytes, unsigned threads,
                          records_stream_t *stream)
{
    records_world_t world;
    records_world_make(&world, engine, CONFIGURATION);
    export_world(&world, record_bytes, threads, 0, stream);
    records_world_free(&world);
}

static void assert_audit(const oc_engine_t *engine)
{
    char why[256] = "";
    if (!oc_engine_audit(engine, why, sizeof why))
        fail_msg("%s", why);
}

/* Imports, compares, exports again. */
static void assert_round_trip(const records_stream_t *stream, oc_engine_t *into,
                              const oc_engine_t *from, size_t record_bytes)
{
    records_received_t received;
    records_stream_t again = {0};
    const oc_err_t err = records_fixture_import(stream, into, &received);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_int_equal(oc_engine_state_hash(into), oc_engine_state_hash(from));
    assert_int_equal(oc_engine_output_hash(into), oc_engine_output_hash(from));
    assert_audit(into);
    export_world(&received.world, record_bytes, 2, 0, &again);
    records_stream_assert_equal(stream, &again);
    records_stream_free(&again);
    records_world_free(&received.world);
}

static void fast_and_reference_agree(void **state)
{
    (void)state;
    static const oc_engine_kind_t kinds[] = {OC_ENGINE_FAST, OC_ENGINE_REFERENCE};
    static const size_t sizes[] = {512, 1376, RECORDS_SIZE_DEFAULT};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        oc_engine_t *engines[2];
        records_stream_t fast = {0};
        records_stream_t reference = {0};
        const size_t size = sizes[seed % 3];
        records_fixture_engines(engines, kinds, 2, seed, COMMANDS);
        export_engine(engines[0], size, 2, &fast);
        export_engine(engines[1], size, 3, &reference);
        records_stream_assert_equal(&fast, &reference);
        for (int kind = 0; kind < 2; kind++) {
            oc_engine_t *into = records_fixture_large((oc_engine_kind_t)kind);
            assert_round_trip(&fast, into, engines[0], size);
            oc_engine_destroy(into);
        }
        records_stream_free(&fast);
        records_stream_free(&reference);
        oc_engine_destroy(engines[0]);
        oc_engine_destroy(engines[1]);
    }
}

static void threads_and_windows_change_nothing(void **state)
{
    (void)state;
    enum { ORDERS = 60000 };
    static const unsigned threads[] = {1, 2, 3, 7};
    static const size_t windows[] = {0, 1, 70000, 1000000, 8 << 20};
    static const size_t sizes[] = {512, 1408, RECORDS_SIZE_DEFAULT};
    oc_engine_t *engine = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    records_world_t world;
    records_world_make(&world, engine, CONFIGURATION);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        records_stream_t first = {0};
        records_stream_t other = {0};
        export_world(&world, sizes[s], 1, 0, &first);
        for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
            for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
                export_world(&world, sizes[s], threads[t], windows[w], &other);
                records_stream_assert_equal(&first, &other);
            }
        records_stream_free(&first);
        records_stream_free(&other);
    }
    records_world_free(&world);
    oc_engine_destroy(engine);
}

/* Streams long enough for several full records of each size. */
static void record_sizes(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        uint32_t orders;
    } cases[] = {{512, 3000}, {1376, 3000}, {1408, 3000}, {65504, 60000}, {16 << 20, 600000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        oc_engine_t *engine = records_fixture_book(OC_ENGINE_FAST, cases[i].orders);
        oc_engine_t *into = records_fixture_empty(OC_ENGINE_FAST, cases[i].orders);
        records_stream_t stream = {0};
        export_engine(engine, cases[i].bytes, 2, &stream);
        size_t full = 0;
        for (size_t at = 0; at < stream.count; at++) {
            size_t length;
            (void)records_stream_record(&stream, at, &length);
            assert_true(length <= cases[i].bytes);
            full += length + 64 > cases[i].bytes;
        }
        assert_true(full >= 2);
        assert_round_trip(&stream, into, engine, cases[i].bytes);
        records_stream_free(&stream);
        oc_engine_destroy(into);
        oc_engine_destroy(engine);
    }
}

static void goes_on_alike(void **state)
{
    (void)state;
    static const oc_engine_kind_t kinds[] = {OC_ENGINE_FAST};
    oc_engine_t *engine;
    records_stream_t stream = {0};
    records_stream_t left = {0};
    records_stream_t right = {0};
    records_fixture_engines(&engine, kinds, 1, 5, COMMANDS);
    export_engine(engine, RECORDS_SIZE_DEFAULT, 2, &stream);
    oc_engine_t *into = records_fixture_large(OC_ENGINE_FAST);
    records_received_t received;
    assert_int_equal(records_fixture_import(&stream, into, &received), OC_ERR_OK);
    for (int64_t i = 0; i < 500; i++) {
        const oc_command_t command = {.type = OC_COMMAND_TIME, .time_ns = i};
        assert_int_equal(oc_engine_apply(engine, &command), OC_ERR_OK);
        assert_int_equal(oc_engine_apply(into, &command), OC_ERR_OK);
        assert_int_equal(oc_engine_state_hash(into), oc_engine_state_hash(engine));
    }
    export_engine(engine, RECORDS_SIZE_DEFAULT, 1, &left);
    export_engine(into, RECORDS_SIZE_DEFAULT, 1, &right);
    records_stream_assert_equal(&left, &right);
    records_stream_free(&left);
    records_stream_free(&right);
    records_stream_free(&stream);
    records_world_free(&received.world);
    oc_engine_destroy(into);
    oc_engine_destroy(engine);
}

/* ---- Changed streams -------------------------------------------------------------------------*/

/* What becomes of a stream with record `at` left out, or given as `changed` in its place. */
typedef struct mutation {
    const records_stream_t *stream;
    oc_engine_t *into;
    uint64_t hash; /* of the engine that was exported */
    uint64_t output;
    size_t refused;
    size_t equal;
} mutation_t;

/* Takes records in the order of `order`; record `at` has the bytes `changed`, if any. */
static void try_records(mutation_t *self, const size_t *order, size_t count, size_t at,
                        const uint8_t *changed, size_t changed_length)
{
    records_receiver_t receiver;
    records_received_t received;
    records_import_t *import = NULL;
    records_receive(&received, self->into, &receiver);
    assert_int_equal(records_import_create(&import, self->into, &receiver), OC_ERR_OK);
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; err == OC_ERR_OK && i < count; i++) {
        size_t length;
        const uint8_t *bytes = records_stream_record(self->stream, order[i], &length);
        if (changed && order[i] == at)
            err = records_import_take(import, changed, changed_length);
        else
            err = records_import_take(import, bytes, length);
    }
    if (err == OC_ERR_OK)
        err = records_import_end(import);
    records_import_destroy(import);
    records_world_free(&received.world);
    if (err != OC_ERR_OK) {
        assert_non_null(strstr(oc_err_context(), "record"));
        self->refused++;
        return;
    }
    /* Nothing in it that is not as it was. */
    assert_int_equal(oc_engine_state_hash(self->into), self->hash);
    assert_int_equal(oc_engine_output_hash(self->into), self->output);
    self->equal++;
}

static void start_mutations(mutation_t *self, records_stream_t *stream, uint64_t seed)
{
    static const oc_engine_kind_t kinds[] = {OC_ENGINE_FAST};
    oc_engine_t *engine;
    records_fixture_engines(&engine, kinds, 1, seed, 800);
    export_engine(engine, 512, 1, stream);
    *self = (mutation_t){.stream = stream,
                         .into = records_fixture_large(OC_ENGINE_REFERENCE),
                         .hash = oc_engine_state_hash(engine),
                         .output = oc_engine_output_hash(engine)};
    oc_engine_destroy(engine);
}

static void end_mutations(mutation_t *self, records_stream_t *stream)
{
    oc_engine_destroy(self->into);
    records_stream_free(stream);
}

static void missing_doubled_swapped_cut(void **state)
{
    (void)state;
    records_stream_t stream = {0};
    mutation_t mutation;
    start_mutations(&mutation, &stream, 3);
    size_t *order = calloc(stream.count + 2, sizeof *order);
    assert_non_null(order);
    size_t tried = 0;
    for (size_t at = 0; at < stream.count; at++) {
        size_t count = 0;
        for (size_t i = 0; i < stream.count; i++)
            if (i != at)
                order[count++] = i;
        try_records(&mutation, order, count, 0, NULL, 0);
        count = 0;
        for (size_t i = 0; i < stream.count; i++) {
            order[count++] = i;
            if (i == at)
                order[count++] = i;
        }
        try_records(&mutation, order, count, 0, NULL, 0);
        tried += 2;
        for (size_t i = 0; i < stream.count; i++)
            order[i] = i;
        if (at + 1 < stream.count) {
            order[at] = at + 1;
            order[at + 1] = at;
            try_records(&mutation, order, stream.count, 0, NULL, 0);
            order[at] = at;
            order[at + 1] = at + 1;
            tried++;
        }
        size_t length;
        const uint8_t *bytes = records_stream_record(&stream, at, &length);
        for (size_t cut = 0; cut < length; cut += cut < 64 ? 1 : 29) {
            uint8_t *part = malloc(cut + 1); /* so that a sanitizer sees a step too far */
            assert_non_null(part);
            memcpy(part, bytes, cut);
            try_records(&mutation, order, stream.count, at, part, cut);
            free(part);
            tried++;
        }
        try_records(&mutation, order, at, 0, NULL, 0); /* the stream ends in front of it */
        tried++;
    }
    assert_int_equal(mutation.refused, tried);
    assert_int_equal(mutation.equal, 0);
    free(order);
    end_mutations(&mutation, &stream);
}

static void flipped_bits(void **state)
{
    (void)state;
    records_stream_t stream = {0};
    mutation_t mutation;
    start_mutations(&mutation, &stream, 4);
    size_t *order = calloc(stream.count, sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < stream.count; i++)
        order[i] = i;
    try_records(&mutation, order, stream.count, 0, NULL, 0);
    assert_int_equal(mutation.equal, 1);
    size_t tried = 1;
    for (size_t at = 0; at < stream.count; at++) {
        size_t length;
        const uint8_t *bytes = records_stream_record(&stream, at, &length);
        uint8_t *changed = malloc(length);
        assert_non_null(changed);
        for (size_t byte = 0; byte < length; byte++) {
            memcpy(changed, bytes, length);
            changed[byte] ^= (uint8_t)(1u << (byte + at) % 8);
            try_records(&mutation, order, stream.count, at, changed, length);
            memcpy(changed, bytes, length);
            changed[byte] = (uint8_t)~changed[byte];
            try_records(&mutation, order, stream.count, at, changed, length);
            tried += 2;
        }
        free(changed);
    }
    assert_int_equal(mutation.refused + mutation.equal, tried);
    assert_true(mutation.refused > tried * 9 / 10);
    free(order);
    end_mutations(&mutation, &stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_and_reference_agree),
        cmocka_unit_test(threads_and_windows_change_nothing),
        cmocka_unit_test(record_sizes),
        cmocka_unit_test(goes_on_alike),
        cmocka_unit_test(missing_doubled_swapped_cut),
        cmocka_unit_test(flipped_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
