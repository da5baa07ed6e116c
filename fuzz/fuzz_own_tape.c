/*
 * Fuzzes the own tape, reader and replay: the bytes as they are, and once more with every checksum
 * made right, because behind a checksum nothing would ever be reached; then a replay of that with
 * either engine, which must agree. Must not crash, hang or read past its input.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "cli/replay_run.h"
#include "input/tape_own_format.h"

/* A small compressed input can hold endless records; so many are enough to find anything. */
#define RECORDS_MAX 20000

/* A tape with larger tables is not replayed: it would only cost memory. */
#define TABLE_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const uint8_t *data, size_t size)
{
    flow_reader_t *reader = NULL;
    flow_record_t record;
    flow_status_t status = FLOW_RECORD;
    if (flow_reader_open_memory(&reader, "fuzz", data, size, FLOW_FORMAT_OWN) != OC_ERR_OK) {
        OC_ASSERT(reader == NULL);
        return;
    }
    for (uint64_t i = 0; i < RECORDS_MAX && status == FLOW_RECORD; i++) {
        status = flow_reader_next(reader, &record);
        OC_ASSERT(record.record == i);
        OC_ASSERT(status != FLOW_RECORD || record.kind == FLOW_COMMAND);
    }
    OC_ASSERT(status == FLOW_RECORD || flow_reader_next(reader, &record) == status);
    flow_reader_close(reader);
}

/* Makes the header good but for its configuration, and each whole record's checksum right. */
static void mend(uint8_t *bytes, size_t size)
{
    tape_own_header_t header;
    if (size < sizeof header) {
        return;
    }
    memcpy(&header, bytes, sizeof header);
    memcpy(header.magic, TAPE_OWN_MAGIC, TAPE_OWN_MAGIC_SIZE);
    header.version = TAPE_OWN_VERSION;
    header.header_length = sizeof header;
    header.crc = tape_own_header_crc(&header);
    memcpy(bytes, &header, sizeof header);
    uint64_t ordinal = 0;
    for (size_t at = sizeof header; size - at >= sizeof(tape_own_record_t); ordinal++) {
        tape_own_record_t record;
        memcpy(&record, bytes + at, sizeof record);
        record.crc = tape_own_record_crc(&record, ordinal);
        memcpy(bytes + at, &record, sizeof record);
        at += sizeof record;
    }
}

static bool is_small(const oc_engine_config_t *config)
{
    const uint32_t limits[] = {
        config->max_orders,   config->max_levels,  config->max_instruments, config->max_sources,
        config->max_sessions, config->max_pending, config->event_capacity,
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i] > TABLE_MAX) {
            return false;
        }
    }
    return true;
}

/* Replays what the reader gives, as `outcry replay` does; the state hash, whatever it came to. */
static uint64_t replay_records(flow_reader_t *reader, const oc_engine_config_t *config)
{
    const flow_resolver_config_t flow = {
        .instrument = 1,
        .tick_size = 1,
        .max_quantity_lots = replay_run_max_quantity(config),
    };
    replay_run_t run;
    oc_err_t err = replay_run_init(&run, config, &flow);
    OC_ASSERT(err == OC_ERR_OK);
    flow_record_t record;
    for (uint64_t i = 0; i < RECORDS_MAX && err == OC_ERR_OK; i++) {
        if (flow_reader_next(reader, &record) != FLOW_RECORD) {
            break;
        }
        err = replay_run_record(&run, &record);
        OC_ASSERT(err == OC_ERR_OK || err == OC_ERR_RULES_VERSION);
    }
    const uint64_t hash = oc_engine_state_hash(run.engine);
    replay_run_fini(&run);
    return hash;
}

static void replay_all(const uint8_t *data, size_t size)
{
    uint64_t hashes[2] = {0, 0};
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        flow_reader_t *reader = NULL;
        if (flow_reader_open_memory(&reader, "fuzz", data, size, FLOW_FORMAT_OWN) != OC_ERR_OK) {
            return;
        }
        oc_engine_config_t config;
        replay_run_config(&config, reader, 1);
        config.kind = (oc_engine_kind_t)kind;
        if (is_small(&config)) {
            hashes[kind] = replay_records(reader, &config);
        }
        flow_reader_close(reader);
    }
    OC_ASSERT(hashes[OC_ENGINE_FAST] == hashes[OC_ENGINE_REFERENCE]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(data, size);
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    if (copy == NULL) {
        return 0;
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    mend(copy, size);
    read_all(copy, size);
    replay_all(copy, size);
    free(copy);
    return 0;
}
