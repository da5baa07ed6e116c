/*
 * The import: what it tells of a stream that it refuses, what it takes of a newer version, and
 * errors of others. That no change of a stream goes unseen is test_records of the integration
 * tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "lib/records_fixture.h"
#include "records/record_decoder.h"
#include "records/records_internal.h"

#include <records/triggers.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 60, ROOM = 1024 };

static records_stream_t stream; /* of a book of ORDERS orders, records of 512 bytes */

static int make_stream(void **state)
{
    (void)state;
    const records_export_config_t config = {.record_bytes = 512, .threads = 1};
    oc_engine_t *engine = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    records_world_t world;
    records_world_make(&world, engine, 700);
    records_fixture_export(&world, &config, &stream);
    records_world_free(&world);
    oc_engine_destroy(engine);
    return 0;
}

static int free_stream(void **state)
{
    (void)state;
    records_stream_free(&stream);
    return 0;
}

/* An import of its own for each test. */
typedef struct rig {
    oc_engine_t *engine;
    records_received_t received;
    records_import_t *import;
} rig_t;

static void open_rig(rig_t *rig)
{
    records_receiver_t receiver;
    rig->engine = records_fixture_empty(OC_ENGINE_FAST, ORDERS);
    records_receive(&rig->received, rig->engine, &receiver);
    assert_int_equal(records_import_create(&rig->import, rig->engine, &receiver), OC_ERR_OK);
}

static void close_rig(rig_t *rig)
{
    records_import_destroy(rig->import);
    records_world_free(&rig->received.world);
    oc_engine_destroy(rig->engine);
}

static oc_err_t take_record(rig_t *rig, size_t at)
{
    size_t length;
    const uint8_t *bytes = records_stream_record(&stream, at, &length);
    return records_import_take(rig->import, bytes, length);
}

static void take_records(rig_t *rig, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(take_record(rig, i), OC_ERR_OK);
}

/* First record of a kind. */
static size_t find(record_kind_t kind)
{
    for (size_t i = 0; i < stream.count; i++) {
        size_t length;
        const uint8_t *bytes = records_stream_record(&stream, i, &length);
        if (bytes[2] == kind)
            return i;
    }
    fail_msg("no %s", record_kind_name(kind));
    return 0;
}

static void assert_told(const char *place, const char *what, const char *way_out)
{
    assert_non_null(strstr(oc_err_context(), place));
    assert_non_null(strstr(oc_err_context(), what));
    assert_non_null(strstr(oc_err_context(), way_out));
}

static void what_was_written(void **state)
{
    (void)state;
    rig_t rig;
    open_rig(&rig);
    take_records(&rig, stream.count - 1);
    assert_false(records_import_ended(rig.import));
    assert_int_equal(take_record(&rig, stream.count - 1), OC_ERR_OK);
    assert_true(records_import_ended(rig.import));
    assert_int_equal(records_import_end(rig.import), OC_ERR_OK);
    const records_state_t *got = &rig.received.world.state;
    assert_int_equal(got->place.position, 123456789);
    assert_int_equal(got->place.term, 7);
    assert_int_equal(got->service_time_ns, 987654399);
    assert_int_equal(got->configuration_length, 700);
    assert_int_equal(got->source_count, 3);
    assert_int_equal(got->session_count, 40);
    assert_string_equal(got->sources[0].principal.name, "trader-1");
    close_rig(&rig);
}

static void told_with_place(void **state)
{
    (void)state;
    rig_t rig;
    const size_t orders = find(RECORD_ORDERS);
    char place[64];
    (void)snprintf(place, sizeof place, "record %zu (Orders)", orders);
    open_rig(&rig);
    take_records(&rig, orders);
    assert_int_equal(take_record(&rig, orders + 1), OC_ERR_DAMAGED);
    assert_told(place, "missing, doubled or out of order", "export the state again");
    /* It takes nothing any more. */
    assert_int_equal(take_record(&rig, orders), OC_ERR_DAMAGED);
    assert_told("was refused at record", "", "");
    assert_int_equal(records_import_end(rig.import), OC_ERR_DAMAGED);
    close_rig(&rig);

    open_rig(&rig);
    take_records(&rig, orders);
    assert_int_equal(records_import_end(rig.import), OC_ERR_TRUNCATED);
    assert_told("record ", "without an End", "export the state again");
    close_rig(&rig);

    open_rig(&rig);
    assert_int_equal(take_record(&rig, 1), OC_ERR_DAMAGED);
    assert_told("record 0 (Configuration)", "its ordinal is 1", "export");
    close_rig(&rig);

    open_rig(&rig);
    take_records(&rig, stream.count);
    assert_int_equal(take_record(&rig, stream.count - 1), OC_ERR_DAMAGED);
    assert_told("(End)", "behind the End", "export");
    close_rig(&rig);
}

/* Takes record `at` with its ordinal set to what comes next. */
static oc_err_t take_as_next(rig_t *rig, size_t at, uint64_t ordinal)
{
    size_t length;
    const uint8_t *bytes = records_stream_record(&stream, at, &length);
    uint8_t *changed = malloc(length);
    assert_non_null(changed);
    memcpy(changed, bytes, length);
    memcpy(changed + 8, &ordinal, sizeof ordinal);
    const oc_err_t err = records_import_take(rig->import, changed, length);
    free(changed);
    return err;
}

/* Wrong orders that the ordinals alone would not show. */
static void grammar(void **state)
{
    (void)state;
    static const struct {
        record_kind_t behind;
        record_kind_t comes;
        const char *text;
    } cases[] = {
        {RECORD_INSTRUMENTS, RECORD_INSTRUMENTS, "instrument 1 behind 2"},
        {RECORD_SOURCE_HWM, RECORD_SOURCE_HWM, "source 1 behind 3"},
        {RECORD_SESSIONS, RECORD_SESSIONS, "behind"},
        {RECORD_MARK, RECORD_MARK, "mark price of instrument 2"},
        {RECORD_MARK, RECORD_INSTRUMENTS, "cannot come behind Mark"},
        {RECORD_MARK, RECORD_BEGIN, "cannot come behind Mark"},
        {RECORD_BEGIN, RECORD_END, "configuration is not whole"},
        {RECORD_CONFIGURATION, RECORD_INSTRUMENTS, "configuration is not whole"},
        {RECORD_CONFIGURATION, RECORD_CONFIGURATION, "486 is next"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_t rig;
        const size_t count = find(cases[i].behind) + 1;
        open_rig(&rig);
        take_records(&rig, count);
        assert_int_equal(take_as_next(&rig, find(cases[i].comes), count), OC_ERR_DAMAGED);
        assert_told("record ", cases[i].text, "export");
        close_rig(&rig);
    }
}

static void triggers_are_unknown(void **state)
{
    (void)state;
    char bytes[ROOM] = {0};
    struct records_messageHeader header = {0};
    struct records_triggers m;
    struct records_triggers_entries e;
    rig_t rig;
    const size_t orders = find(RECORD_ORDERS);
    open_rig(&rig);
    take_records(&rig, orders);
    (void)records_triggers_wrap_and_apply_header(&m, bytes, 0, ROOM, &header);
    (void)records_triggers_set_recordOrdinal(&m, orders);
    assert_non_null(
        records_triggers_entries_wrap_for_encode(&e, m.buffer, 1, &m.position, 1, ROOM));
    assert_non_null(records_triggers_entries_next(&e));
    assert_int_equal(
        records_import_take(rig.import, bytes, 8 + records_triggers_encoded_length(&m)),
        OC_ERR_FORMAT);
    assert_told("(Triggers)", "1 armed orders, which are unknown", "a build that knows it");
    close_rig(&rig);
}

static void tables_too_small(void **state)
{
    (void)state;
    oc_engine_t *engine = NULL;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.max_orders = 20;
    assert_int_equal(oc_engine_create(&engine, &config, NULL, NULL), OC_ERR_OK);
    records_received_t received;
    assert_int_equal(records_fixture_import(&stream, engine, &received), OC_ERR_INVALID_CONFIG);
    assert_told("(Orders)", "orders", "change the configuration");
    records_world_free(&received.world);
    oc_engine_destroy(engine);
}

/* Writes the whole stream as a newer version would: longer blocks and entries. */
static void newer_versions(void **state)
{
    (void)state;
    enum { MORE = 8 };
    records_stream_t newer = {0};
    uint32_t checksum = 0;
    for (size_t at = 0; at < stream.count; at++) {
        size_t length;
        static uint64_t words[ROOM];
        uint8_t *to = (uint8_t *)words;
        const uint8_t *from = records_stream_record(&stream, at, &length);
        const record_kind_t kind = (record_kind_t)from[2];
        uint16_t block;
        memcpy(&block, from, sizeof block);
        memset(to, 0xEE, sizeof words);
        const uint16_t longer = (uint16_t)(block + MORE);
        memcpy(to, from, 8 + (size_t)block);
        memcpy(to, &longer, sizeof longer);
        to[6] = 2;
        uint8_t *end = to + 8 + longer;
        if (kind >= RECORD_INSTRUMENTS && kind <= RECORD_PENDING) {
            uint16_t entry;
            uint32_t count;
            memcpy(&entry, from + 8 + block, sizeof entry);
            memcpy(&count, from + 12 + block, sizeof count);
            memcpy(end, from + 8 + block, 8);
            const uint16_t longer_entry = (uint16_t)(entry + MORE);
            memcpy(end, &longer_entry, sizeof longer_entry);
            end += 8;
            for (uint32_t i = 0; i < count; i++, end += longer_entry)
                memcpy(end, from + 16 + block + i * (size_t)entry, entry);
        } else {
            memcpy(end, from + 8 + block, length - 8 - block);
            end += length - 8 - block;
        }
        if (kind == RECORD_BEGIN) /* it says so: recordBytes */
            to[8 + 112 + 1] = 16;
        if (kind == RECORD_END)
            memcpy(to + 8 + block - 4, &checksum, sizeof checksum);
        length = (size_t)(end - to);
        record_frame_t frame;
        assert_int_equal(record_open(&frame, to, length), OC_ERR_OK);
        checksum = crc32c(checksum, to, record_checked_bytes(&frame));
        assert_int_equal(records_stream_take(&newer, to, length), OC_ERR_OK);
    }
    oc_engine_t *engine = records_fixture_empty(OC_ENGINE_FAST, ORDERS);
    records_received_t received;
    const oc_err_t err = records_fixture_import(&newer, engine, &received);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    /* Written again it is the old one. */
    const records_export_config_t config = {.record_bytes = 512, .threads = 1};
    records_stream_t again = {0};
    records_fixture_export(&received.world, &config, &again);
    records_stream_assert_equal(&stream, &again);
    records_stream_free(&again);
    records_stream_free(&newer);
    records_world_free(&received.world);
    oc_engine_destroy(engine);
}

static oc_err_t refusing_begin(void *context, const records_place_t *place,
                               const void *configuration, size_t length, int64_t service_time_ns)
{
    (void)context;
    (void)place;
    (void)configuration;
    (void)length;
    (void)service_time_ns;
    return OC_ERR_REFUSED;
}

static uint64_t another_hash(void *context)
{
    (void)context;
    return 1;
}

static void what_the_service_says(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        oc_engine_t *engine = records_fixture_empty(OC_ENGINE_FAST, ORDERS);
        records_received_t received;
        records_receiver_t receiver;
        records_import_t *import = NULL;
        records_receive(&received, engine, &receiver);
        if (which == 0)
            receiver.begin = refusing_begin;
        else
            receiver.state_hash = another_hash;
        assert_int_equal(records_import_create(&import, engine, &receiver), OC_ERR_OK);
        oc_err_t err = OC_ERR_OK;
        size_t at = 0;
        for (; err == OC_ERR_OK && at < stream.count; at++) {
            size_t length;
            const uint8_t *bytes = records_stream_record(&stream, at, &length);
            err = records_import_take(import, bytes, length);
        }
        if (which == 0) {
            assert_int_equal(err, OC_ERR_REFUSED);
            assert_int_equal(at, 3); /* behind the last of the configuration's records */
        } else {
            assert_int_equal(err, OC_ERR_OK);
            assert_int_equal(records_import_end(import), OC_ERR_DAMAGED);
            assert_told("(End)", "state hash of the service is 0000000000000001", "export");
        }
        records_import_destroy(import);
        records_world_free(&received.world);
        oc_engine_destroy(engine);
    }
}

/* A service that believes whatever hash the stream has. */
static uint64_t believed_hash(void *context)
{
    const records_received_t *received = context;
    return received->world.state.place.state_hash;
}

/* Imports with byte `at` of record `which` changed; believes its hash. */
static oc_err_t import_changed(size_t which, size_t at)
{
    oc_engine_t *engine = records_fixture_empty(OC_ENGINE_FAST, ORDERS);
    records_received_t received;
    records_receiver_t receiver;
    records_import_t *import = NULL;
    records_receive(&received, engine, &receiver);
    receiver.state_hash = believed_hash;
    assert_int_equal(records_import_create(&import, engine, &receiver), OC_ERR_OK);
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; err == OC_ERR_OK && i < stream.count; i++) {
        uint8_t changed[ROOM];
        size_t length;
        const uint8_t *bytes = records_stream_record(&stream, i, &length);
        memcpy(changed, bytes, length);
        changed[at] ^= i == which;
        err = records_import_take(import, changed, length);
    }
    if (err == OC_ERR_OK)
        err = records_import_end(import);
    records_import_destroy(import);
    records_world_free(&received.world);
    oc_engine_destroy(engine);
    return err;
}

/* Each of the checks at the End finds what the others leave. */
static void checks_of_the_end(void **state)
{
    (void)state;
    enum {
        BLOCK = 8,
        CLIENT_ORDER_ID = 24 + 7,
        COUNTS = BLOCK + 8,
        ENGINE = BLOCK + 64,
        SERVICE = BLOCK + 72,
        CHECKSUM = BLOCK + 80,
        OUTPUT_SUM = BLOCK + 88
    };
    const size_t end = stream.count - 1;
    assert_int_equal(import_changed(find(RECORD_ORDERS), CLIENT_ORDER_ID), OC_ERR_DAMAGED);
    assert_told("(End)", "state hash of the engine", "export");
    assert_int_equal(import_changed(0, OUTPUT_SUM), OC_ERR_DAMAGED);
    assert_told("(End)", "the checksum of what came", "export");
    static const char *const whats[] = {"instruments", "sources", "sessions",      "mark prices",
                                        "orders",      "armed",   "pieces of work"};
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(import_changed(end, COUNTS + i * 8), OC_ERR_DAMAGED);
        assert_told("(End)", whats[i], "export");
    }
    assert_int_equal(import_changed(end, ENGINE), OC_ERR_DAMAGED);
    assert_told("(End)", "state hash of the engine", "export");
    assert_int_equal(import_changed(end, SERVICE), OC_ERR_DAMAGED);
    assert_told("(End)", "service in the Begin", "export");
    assert_int_equal(import_changed(end, CHECKSUM), OC_ERR_DAMAGED);
    assert_told("(End)", "the checksum of what came", "export");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written),
        cmocka_unit_test(told_with_place),
        cmocka_unit_test(grammar),
        cmocka_unit_test(triggers_are_unknown),
        cmocka_unit_test(tables_too_small),
        cmocka_unit_test(newer_versions),
        cmocka_unit_test(what_the_service_says),
        cmocka_unit_test(checks_of_the_end),
    };
    return cmocka_run_group_tests(tests, make_stream, free_stream);
}
