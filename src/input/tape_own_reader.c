/*
 * Reads the project's own tape (docs/formats/tape.md): commands and the configuration they ran
 * under.
 *
 * Called through tape_own_reader_ops by flow_reader. Invariants: a command is handed on only when
 * its checksum, which covers its place, is right; the file ends with an end record that counts the
 * commands; the configuration handed on is one that an engine can be created with. Must not repair
 * or skip anything: a tape is whole or it is refused.
 */
#include "base/assert.h"
#include "input/input_internal.h"
#include "input/tape_own_format.h"

static flow_status_t own_end(flow_reader_t *reader)
{
    byte_view_t view;
    if (!flow_peek(reader, 1, &view)) {
        return FLOW_FAILED;
    }
    if (view.size > 0) {
        flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader), "bytes follow the end record");
        return FLOW_FAILED;
    }
    return FLOW_END;
}

static bool own_check_end(flow_reader_t *reader, const tape_own_record_t *record)
{
    static const uint8_t zero[sizeof record->u.end.zero];
    if (record->u.end.count != reader->record) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                         "the end record counts %llu commands, there are %llu before it",
                         (unsigned long long)record->u.end.count,
                         (unsigned long long)reader->record);
    }
    if (memcmp(record->u.end.zero, zero, sizeof zero) != 0) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                         "reserved bytes of the end record are not zero");
    }
    return true;
}

static bool own_read(flow_reader_t *reader, tape_own_record_t *record)
{
    byte_view_t view;
    if (!flow_peek(reader, sizeof *record, &view)) {
        return false;
    }
    if (UNLIKELY(view.size < sizeof *record)) {
        return flow_fail(reader, OC_ERR_TRUNCATED, flow_offset(reader),
                         "the file ends after %llu commands without an end record: the recording "
                         "was cut short",
                         (unsigned long long)reader->record);
    }
    memcpy(record, view.bytes, sizeof *record);
    const uint32_t crc = tape_own_record_crc(record, reader->record);
    if (UNLIKELY(record->crc != crc)) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                         "record %llu is damaged or stands in another's place: CRC-32C 0x%08x "
                         "expected, found 0x%08x",
                         (unsigned long long)reader->record, crc, record->crc);
    }
    if (UNLIKELY(record->tag != TAPE_OWN_COMMAND && record->tag != TAPE_OWN_END)) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                         "record %llu has tag %u, 1 or 2 expected",
                         (unsigned long long)reader->record, record->tag);
    }
    return record->tag == TAPE_OWN_COMMAND || own_check_end(reader, record);
}

static flow_status_t own_next(flow_reader_t *reader, flow_record_t *record)
{
    tape_own_record_t read;
    if (reader->u.own.ended) {
        return own_end(reader);
    }
    if (!own_read(reader, &read)) {
        return FLOW_FAILED;
    }
    byte_source_advance(reader->source, sizeof read);
    if (read.tag == TAPE_OWN_END) {
        reader->u.own.ended = true;
        return own_end(reader);
    }
    record->kind = FLOW_COMMAND;
    record->command = read.u.command;
    record->time_ns = read.u.command.time_ns;
    record->instrument = read.u.command.instrument.value;
    return FLOW_RECORD;
}

static bool own_check_header(flow_reader_t *reader, const tape_own_header_t *header)
{
    if (memcmp(header->magic, TAPE_OWN_MAGIC, TAPE_OWN_MAGIC_SIZE) != 0) {
        return flow_fail(reader, OC_ERR_FORMAT, 0, "the first bytes are not those of an own tape");
    }
    if (header->version != TAPE_OWN_VERSION) {
        return flow_fail(reader, OC_ERR_FORMAT, offsetof(tape_own_header_t, version),
                         "own tape version %u is not known, only %u is", header->version,
                         TAPE_OWN_VERSION);
    }
    if (header->header_length != sizeof *header) {
        return flow_fail(reader, OC_ERR_FORMAT, offsetof(tape_own_header_t, header_length),
                         "the header of version 1 is %zu bytes long, this one says %u",
                         sizeof *header, header->header_length);
    }
    const uint32_t crc = tape_own_header_crc(header);
    if (header->crc != crc) {
        return flow_fail(reader, OC_ERR_FORMAT, offsetof(tape_own_header_t, crc),
                         "the header is damaged: CRC-32C 0x%08x expected, found 0x%08x", crc,
                         header->crc);
    }
    if (header->verify_touch > 1) {
        return flow_fail(reader, OC_ERR_FORMAT, offsetof(tape_own_header_t, verify_touch),
                         "verify touch must be 0 or 1, this header says %u", header->verify_touch);
    }
    return true;
}

static oc_engine_config_t own_config(const tape_own_header_t *header)
{
    return (oc_engine_config_t){
        .kind = (oc_engine_kind_t)header->kind,
        .max_orders = header->max_orders,
        .max_levels = header->max_levels,
        .max_instruments = header->max_instruments,
        .max_sources = header->max_sources,
        .max_sessions = header->max_sessions,
        .max_pending = header->max_pending,
        .step_bound = header->step_bound,
        .modify_priority = (oc_modify_priority_t)header->modify_priority,
        .hash_key = {header->hash_key[0], header->hash_key[1]},
        .event_capacity = header->event_capacity,
        .hash_outputs = true,
        .verify_touch = header->verify_touch != 0,
    };
}

static bool own_open(flow_reader_t *reader)
{
    tape_own_header_t header;
    byte_view_t view;
    if (!flow_need(reader, sizeof header, &view, "the header of an own tape")) {
        return false;
    }
    memcpy(&header, view.bytes, sizeof header);
    if (!own_check_header(reader, &header)) {
        return false;
    }
    const oc_engine_config_t config = own_config(&header);
    if (oc_engine_config_check(&config) != OC_ERR_OK) {
        return flow_fail(reader, OC_ERR_FORMAT, offsetof(tape_own_header_t, kind), "%s",
                         oc_err_context());
    }
    byte_source_advance(reader->source, sizeof header);
    reader->u.own.config = config;
    return true;
}

static bool own_sniff(const uint8_t *bytes, size_t size)
{
    return size >= TAPE_OWN_MAGIC_SIZE && memcmp(bytes, TAPE_OWN_MAGIC, TAPE_OWN_MAGIC_SIZE) == 0;
}

const flow_format_ops_t tape_own_reader_ops = {
    .format = FLOW_FORMAT_OWN,
    .name = "own",
    .title = "own (recorded commands)",
    .sniff = own_sniff,
    .open = own_open,
    .next = own_next,
};
