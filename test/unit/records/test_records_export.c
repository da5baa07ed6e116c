/*
 * The export: which records there are and in what order, that each is as full as it can be, what
 * its configuration must be, and that a sink's error ends it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/records_fixture.h"
#include "records/record_decoder.h"

#include <string.h>

static void open_at(const records_stream_t *stream, size_t at, record_frame_t *frame)
{
    size_t length;
    const uint8_t *bytes = records_stream_record(stream, at, &length);
    assert_int_equal(record_open(frame, bytes, length), OC_ERR_OK);
    assert_int_equal(frame->ordinal, at);
}

static void export_with(const oc_engine_t *engine, size_t configuration, size_t record_bytes,
                        records_stream_t *stream)
{
    const records_export_config_t config = {.record_bytes = record_bytes, .threads = 2};
    records_world_t world;
    records_world_make(&world, engine, configuration);
    records_fixture_export(&world, &config, stream);
    records_world_free(&world);
}

static void order_and_fullness(void **state)
{
    (void)state;
    oc_engine_t *engine = records_fixture_book(OC_ENGINE_FAST, 100);
    records_stream_t stream = {0};
    export_with(engine, 1000, 512, &stream);
    record_kind_t last = RECORD_NONE;
    size_t of_kind[RECORD_END + 1] = {0};
    uint64_t entries[RECORD_END + 1] = {0};
    record_frame_t frame;
    for (size_t at = 0; at < stream.count; at++) {
        open_at(&stream, at, &frame);
        assert_true(frame.kind >= last);
        if (frame.kind == last && frame.entries) { /* the one before was full */
            record_frame_t before;
            open_at(&stream, at - 1, &before);
            assert_int_equal(before.count, record_list_capacity(frame.kind, 512));
        }
        last = frame.kind;
        of_kind[frame.kind]++;
        entries[frame.kind] += frame.count;
    }
    assert_int_equal(last, RECORD_END);
    assert_int_equal(of_kind[RECORD_BEGIN], 1);
    assert_int_equal(of_kind[RECORD_CONFIGURATION], 3);
    assert_int_equal(of_kind[RECORD_INSTRUMENTS], 1);
    assert_int_equal(of_kind[RECORD_SOURCE_HWM], 1);
    assert_int_equal(of_kind[RECORD_SESSIONS], 4);
    assert_int_equal(of_kind[RECORD_MARK], 1);
    assert_int_equal(of_kind[RECORD_ORDERS], 15);
    assert_int_equal(of_kind[RECORD_TRIGGERS], 0);
    assert_int_equal(of_kind[RECORD_PENDING], 0);
    assert_int_equal(of_kind[RECORD_END], 1);
    record_end_t end;
    record_decode_end(&frame, &end);
    assert_int_equal(end.counts.instruments, entries[RECORD_INSTRUMENTS]);
    assert_int_equal(end.counts.sources, entries[RECORD_SOURCE_HWM]);
    assert_int_equal(end.counts.sessions, entries[RECORD_SESSIONS]);
    assert_int_equal(end.counts.marks, entries[RECORD_MARK]);
    assert_int_equal(end.counts.orders, entries[RECORD_ORDERS]);
    assert_int_equal(end.counts.orders, 100);
    assert_int_equal(end.engine_hash, oc_engine_state_hash(engine));
    records_stream_free(&stream);
    oc_engine_destroy(engine);
}

static void an_empty_engine(void **state)
{
    (void)state;
    oc_engine_t *engine = records_fixture_empty(OC_ENGINE_REFERENCE, 10);
    records_export_t *export = NULL;
    records_stream_t stream = {0};
    const records_export_config_t config = {.record_bytes = 512, .threads = 1};
    const records_state_t nothing = {.engine = engine};
    assert_int_equal(records_export_create(&export, &config), OC_ERR_OK);
    for (int i = 0; i < 3; i++) { /* again and again */
        stream.count = 0;
        stream.length = 0;
        assert_int_equal(records_export(export, &nothing, records_stream_take, &stream), OC_ERR_OK);
        assert_int_equal(stream.count, 3); /* Begin, Configuration, End */
    }
    records_export_destroy(export);
    records_export_destroy(NULL);
    records_stream_free(&stream);
    oc_engine_destroy(engine);
}

static void bad_configurations(void **state)
{
    (void)state;
    static const records_export_config_t bad[] = {
        {.record_bytes = 511, .threads = 1},
        {.record_bytes = RECORDS_SIZE_MAX + 1, .threads = 1},
        {.record_bytes = 512, .threads = 0},
        {.record_bytes = 512, .threads = 65},
    };
    static const char *const texts[] = {"511", "16777217", "0 threads", "65 threads"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        records_export_t *export = NULL;
        assert_int_equal(records_export_create(&export, &bad[i]), OC_ERR_INVALID_CONFIG);
        assert_null(export);
        assert_non_null(strstr(oc_err_context(), texts[i]));
    }
    static const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        const records_export_config_t config = {
            .record_bytes = 512, .threads = 1, .window_bytes = huge[i]};
        records_export_t *export = NULL;
        assert_int_equal(records_export_create(&export, &config), OC_ERR_NO_MEMORY);
        assert_null(export);
        assert_non_null(strstr(oc_err_context(), "no memory for a window"));
    }
}

static void a_sink_that_fails(void **state)
{
    (void)state;
    oc_engine_t *engine = records_fixture_book(OC_ENGINE_FAST, 100);
    records_stream_t whole = {0};
    records_world_t world;
    records_export_t *export = NULL;
    const records_export_config_t config = {.record_bytes = 512, .threads = 2};
    export_with(engine, 1000, 512, &whole);
    records_world_make(&world, engine, 1000);
    assert_int_equal(records_export_create(&export, &config), OC_ERR_OK);
    for (size_t at = 1; at <= whole.count; at++) {
        records_stream_t stream = {.fail_at = at};
        assert_int_equal(records_export(export, &world.state, records_stream_take, &stream),
                         OC_ERR_NO_SPACE);
        assert_int_equal(stream.count, at - 1);
        records_stream_free(&stream);
    }
    /* The next one is as if nothing had been. */
    records_stream_t stream = {0};
    assert_int_equal(records_export(export, &world.state, records_stream_take, &stream), OC_ERR_OK);
    records_stream_assert_equal(&whole, &stream);
    records_stream_free(&stream);
    records_stream_free(&whole);
    records_export_destroy(export);
    records_world_free(&world);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_and_fullness),
        cmocka_unit_test(an_empty_engine),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(a_sink_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
