/*
 * Fuzzes one reader of order flow, from memory, compressed or not; built once for each format, as
 * READER_FORMAT. Must not crash, hang or read past its input, whatever the bytes.
 */
#include "base/assert.h"
#include "input/flow_reader.h"

/* A small compressed input can hold endless records; so many are enough to find anything. */
#define RECORDS_MAX 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    flow_reader_t *reader = NULL;
    flow_record_t record;
    flow_status_t status = FLOW_RECORD;
    if (flow_reader_open_memory(&reader, "fuzz", data, size, READER_FORMAT) != OC_ERR_OK) {
        OC_ASSERT(reader == NULL);
        return 0;
    }
    for (uint64_t i = 0; i < RECORDS_MAX && status == FLOW_RECORD; i++) {
        status = flow_reader_next(reader, &record);
        OC_ASSERT(record.record == i);
        OC_ASSERT(record.quantity >= 0);
    }
    OC_ASSERT(status == FLOW_RECORD || flow_reader_next(reader, &record) == status);
    flow_reader_close(reader);
    return 0;
}
