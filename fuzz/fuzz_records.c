/*
 * Fuzzes the import of a record stream. The input is a series of records, each behind its length
 * (16 bits, little-endian). Tried as it is, and once more with ordinals, counts and checksum made
 * right, because behind a wrong ordinal nothing would ever be reached.
 *
 * Must not crash, hang or read past a record; a stream that is taken leaves an engine whose audit
 * holds and whose own stream is taken again, with the same state hash.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/crc32c.h"
#include "records/record_decoder.h"
#include "records/records.h"

enum { LENGTH_BYTES = 2, ORDINAL_AT = 8, SOURCES_MAX = 64, SESSIONS_MAX = 64, RECORDS_MAX = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the service was told. */
typedef struct told {
    oc_engine_t *engine;
    records_state_t state;
    uint8_t configuration[RECORD_CONFIGURATION_MAX];
    records_source_t sources[SOURCES_MAX];
    records_session_t sessions[SESSIONS_MAX];
    uint64_t hash; /* the stream's: there is no service to disagree */
} told_t;

static oc_err_t take_begin(void *context, const records_place_t *place, const void *configuration,
                           size_t length, int64_t service_time_ns)
{
    told_t *told = context;
    OC_ASSERT(length <= sizeof told->configuration);
    memcpy(told->configuration, configuration, length);
    told->state.configuration = told->configuration;
    told->state.configuration_length = length;
    told->state.place = *place;
    told->state.service_time_ns = service_time_ns;
    told->hash = place->state_hash;
    return OC_ERR_OK;
}

static oc_err_t take_source(void *context, const records_source_t *source)
{
    told_t *told = context;
    if (told->state.source_count == SOURCES_MAX)
        return OC_ERR_INVALID_CONFIG;
    told->sources[told->state.source_count++] = *source;
    return OC_ERR_OK;
}

static oc_err_t take_session(void *context, const records_session_t *session)
{
    told_t *told = context;
    if (told->state.session_count == SESSIONS_MAX)
        return OC_ERR_INVALID_CONFIG;
    told->sessions[told->state.session_count++] = *session;
    return OC_ERR_OK;
}

static uint64_t told_hash(void *context)
{
    const told_t *told = context;
    return told->hash;
}

static oc_engine_t *new_engine(oc_engine_kind_t kind)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = kind;
    config.max_orders = 400;
    config.max_levels = 300;
    config.max_instruments = 16;
    config.max_sources = 32;
    config.max_sessions = 32;
    config.max_pending = 16;
    oc_engine_t *engine = NULL;
    OC_ASSERT(oc_engine_create(&engine, &config, NULL, NULL) == OC_ERR_OK);
    return engine;
}

static records_import_t *new_import(told_t *told, oc_engine_t *engine)
{
    const records_receiver_t receiver = {.context = told,
                                         .begin = take_begin,
                                         .source = take_source,
                                         .session = take_session,
                                         .state_hash = told_hash};
    records_import_t *import = NULL;
    memset(told, 0, sizeof *told);
    told->engine = engine;
    OC_ASSERT(records_import_create(&import, engine, &receiver) == OC_ERR_OK);
    return import;
}

static oc_err_t take_exported(void *context, const void *bytes, size_t length)
{
    return records_import_take(context, bytes, length);
}

/* The engine's own stream goes into one of the other kind. */
static void check_taken(told_t *told, oc_engine_t *into)
{
    static told_t again;
    const records_export_config_t config = {
        .record_bytes = 512, .threads = 1, .window_bytes = 4096};
    char why[256];
    records_export_t *export = NULL;
    records_import_t *import = new_import(&again, into);
    OC_ASSERT(oc_engine_audit(told->engine, why, sizeof why));
    told->state.engine = told->engine;
    told->state.sources = told->sources;
    told->state.sessions = told->sessions;
    OC_ASSERT(records_export_create(&export, &config) == OC_ERR_OK);
    OC_ASSERT(records_export(export, &told->state, take_exported, import) == OC_ERR_OK);
    OC_ASSERT(records_import_end(import) == OC_ERR_OK);
    OC_ASSERT(oc_engine_state_hash(into) == oc_engine_state_hash(told->engine));
    records_import_destroy(import);
    records_export_destroy(export);
}

/* The stream so far, for an End that fits it. */
typedef struct repair {
    record_counts_t counts;
    uint64_t ordinal;
    uint32_t checksum;
} repair_t;

static void repair_record(repair_t *repair, uint8_t *bytes, size_t length)
{
    record_frame_t record;
    if (length >= ORDINAL_AT + sizeof repair->ordinal)
        memcpy(bytes + ORDINAL_AT, &repair->ordinal, sizeof repair->ordinal);
    repair->ordinal++;
    if (record_open(&record, bytes, length) != OC_ERR_OK)
        return;
    uint64_t *const of_kind[] = {
        [RECORD_INSTRUMENTS] = &repair->counts.instruments,
        [RECORD_SOURCE_HWM] = &repair->counts.sources,
        [RECORD_SESSIONS] = &repair->counts.sessions,
        [RECORD_MARK] = &repair->counts.marks,
        [RECORD_ORDERS] = &repair->counts.orders,
        [RECORD_PENDING] = &repair->counts.pending,
        [RECORD_END] = NULL,
    };
    if (of_kind[record.kind])
        *of_kind[record.kind] += record.count;
    if (record.kind == RECORD_END && record.frame.block_length == 84) {
        /* Counts, then two hashes, then the checksum: the engine's hash stays as it came. */
        memcpy(bytes + ORDINAL_AT + 8, &repair->counts, sizeof repair->counts);
        memcpy(bytes + ORDINAL_AT + 80, &repair->checksum, sizeof repair->checksum);
    }
    repair->checksum = crc32c(repair->checksum, bytes, record_checked_bytes(&record));
}

static oc_err_t take_input(records_import_t *import, const uint8_t *data, size_t size,
                           bool repaired)
{
    repair_t repair = {0};
    for (int i = 0; i < RECORDS_MAX && size >= LENGTH_BYTES; i++) {
        size_t length = (size_t)data[0] | (size_t)data[1] << 8;
        data += LENGTH_BYTES;
        size -= LENGTH_BYTES;
        length = length < size ? length : size;
        uint8_t *bytes = malloc(length + 1); /* of its own, so that a step too far is seen */
        OC_ASSERT(bytes != NULL);
        memcpy(bytes, data, length);
        if (repaired)
            repair_record(&repair, bytes, length);
        const oc_err_t err = records_import_take(import, bytes, length);
        free(bytes);
        if (err != OC_ERR_OK)
            return err;
        data += length;
        size -= length;
    }
    return records_import_end(import);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static oc_engine_t *engines[2];
    static told_t told;
    if (!engines[0]) {
        engines[0] = new_engine(OC_ENGINE_FAST);
        engines[1] = new_engine(OC_ENGINE_REFERENCE);
    }
    for (int round = 0; round < 4; round++) {
        oc_engine_t *engine = engines[round & 1];
        records_import_t *import = new_import(&told, engine);
        const oc_err_t err = take_input(import, data, size, round >= 2);
        records_import_destroy(import);
        if (err == OC_ERR_OK)
            check_taken(&told, engines[~round & 1]);
        else
            OC_ASSERT(oc_err_context()[0] != '\0');
    }
    return 0;
}
