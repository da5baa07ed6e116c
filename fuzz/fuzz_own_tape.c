/*
 * Fuzzes the reader of the project's own tape: the bytes as they are, and once more with every
 * checksum made right, because behind a checksum nothing would ever be reached. Must not crash,
 * hang or read past its input.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "input/flow_reader.h"
#include "input/tape_own_format.h"

/* A small compressed input can hold endless records; so many are enough to find anything. */
#define RECORDS_MAX 20000

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
    free(copy);
    return 0;
}
