/*
 * Records in a stream of bytes: a file, a pipe, or a host's storage. Called as a sink by an export,
 * and by whoever imports from bytes.
 *
 * Each frame has its own checksum, over its length too, so that damage is told with its place
 * before anything of the record is looked at.
 *
 * Must not believe a length before it is checked against the largest record there can be.
 */
#include "records/records.h"

#include "base/crc32c.h"
#include "base/error.h"
#include "records/records_internal.h"

#include <stdlib.h>
#include <string.h>

static oc_err_t write_header(record_framer_t *framer)
{
    record_file_header_t header = {.version = RECORD_FILE_VERSION};
    memcpy(header.magic, RECORD_FILE_MAGIC, sizeof header.magic);
    header.crc = crc32c(0, &header, offsetof(record_file_header_t, crc));
    return framer->write(framer->context, &header, sizeof header);
}

static uint32_t frame_crc(uint32_t length, const void *bytes)
{
    return crc32c(crc32c(0, &length, sizeof length), bytes, length);
}

oc_err_t record_framer_take(void *framer, const void *bytes, size_t length)
{
    record_framer_t *self = framer;
    oc_err_t err = OC_ERR_OK;
    if (length > RECORDS_SIZE_MAX)
        return error_set(OC_ERR_TOO_LONG, "record stream: a record of %zu bytes, %d at most",
                         length, RECORDS_SIZE_MAX);
    if (!self->begun)
        err = write_header(self);
    if (err != OC_ERR_OK)
        return err;
    self->begun = true;
    const record_file_frame_t frame = {.length = (uint32_t)length,
                                       .crc = frame_crc((uint32_t)length, bytes)};
    err = self->write(self->context, &frame, sizeof frame);
    return err == OC_ERR_OK ? self->write(self->context, bytes, length) : err;
}

/* ---- Reading ---------------------------------------------------------------------------------*/

typedef struct frame_reader {
    oc_err_t (*read)(void *context, void *bytes, size_t length);
    void *context;
    uint8_t *bytes; /* of one record */
    size_t room;
    uint64_t offset; /* in the stream of bytes */
} frame_reader_t;

static oc_err_t read_bytes(frame_reader_t *self, void *bytes, size_t length)
{
    const oc_err_t err = self->read(self->context, bytes, length);
    if (err == OC_ERR_OK)
        self->offset += length;
    return err;
}

static oc_err_t read_header(frame_reader_t *self)
{
    record_file_header_t header;
    const oc_err_t err = read_bytes(self, &header, sizeof header);
    if (err != OC_ERR_OK)
        return err;
    if (memcmp(header.magic, RECORD_FILE_MAGIC, sizeof header.magic) != 0)
        return error_set(OC_ERR_FORMAT,
                         "record stream: it does not begin with '%s': that is no file of records",
                         RECORD_FILE_MAGIC);
    if (header.crc != crc32c(0, &header, offsetof(record_file_header_t, crc)))
        return error_set(OC_ERR_DAMAGED, "record stream: the file's header has a wrong checksum; "
                                         "export the state again, or take another copy");
    if (header.version != RECORD_FILE_VERSION)
        return error_set(
            OC_ERR_FORMAT,
            "record stream: a file of version %u, this build knows %u: use a newer one",
            header.version, RECORD_FILE_VERSION);
    return OC_ERR_OK;
}

static oc_err_t make_room(frame_reader_t *self, size_t length)
{
    if (length <= self->room)
        return OC_ERR_OK;
    uint8_t *bytes = realloc(self->bytes, length);
    if (!bytes)
        return error_set(OC_ERR_NO_MEMORY, "record stream: no memory for a record of %zu bytes",
                         length);
    self->bytes = bytes;
    self->room = length;
    return OC_ERR_OK;
}

static oc_err_t read_frame(frame_reader_t *self, size_t *length)
{
    const uint64_t at = self->offset;
    record_file_frame_t frame;
    oc_err_t err = read_bytes(self, &frame, sizeof frame);
    if (err != OC_ERR_OK)
        return err;
    if (frame.length == 0 || frame.length > RECORDS_SIZE_MAX)
        return error_set(OC_ERR_DAMAGED,
                         "record stream: at byte %llu of the file: a record of %u bytes, 1 to %d "
                         "can be; export the state again, or take another copy",
                         (unsigned long long)at, frame.length, RECORDS_SIZE_MAX);
    err = make_room(self, frame.length);
    if (err == OC_ERR_OK)
        err = read_bytes(self, self->bytes, frame.length);
    if (err != OC_ERR_OK)
        return err;
    if (frame_crc(frame.length, self->bytes) != frame.crc)
        return error_set(OC_ERR_DAMAGED,
                         "record stream: at byte %llu of the file: the record of %u bytes has a "
                         "wrong checksum; export the state again, or take another copy",
                         (unsigned long long)at, frame.length);
    *length = frame.length;
    return OC_ERR_OK;
}

oc_err_t records_import_framed(records_import_t *self,
                               oc_err_t (*read)(void *context, void *bytes, size_t length),
                               void *context)
{
    frame_reader_t reader = {.read = read, .context = context};
    oc_err_t err = read_header(&reader);
    while (err == OC_ERR_OK && !records_import_ended(self)) {
        size_t length = 0;
        err = read_frame(&reader, &length);
        if (err == OC_ERR_OK)
            err = records_import_take(self, reader.bytes, length);
    }
    free(reader.bytes);
    return err == OC_ERR_OK ? records_import_end(self) : err;
}
