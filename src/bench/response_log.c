/*
 * The log of outputs of a load. Written by the load generator, read by proofs.
 *
 * Invariants: records have one size, and the header names it; a file that ends inside a record is
 * an error for its reader. Little-endian, as the structs of the public headers are.
 */
#define _GNU_SOURCE
#include "bench/response_log.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* Writes are rare and large: a load that fills a page each millisecond is not to stop for them. */
enum { BUFFER_BYTES = 1 << 20, VERSION = 2 };

typedef struct log_header {
    char magic[8];
    uint32_t version;
    uint32_t record_bytes;
    uint8_t reserved[16];
} log_header_t;

_Static_assert(sizeof(log_header_t) == 32, "as documented");
_Static_assert(sizeof(response_record_t) == 120, "as documented");
_Static_assert(offsetof(response_record_t, output) == 8, "as documented");

static const log_header_t expected = {
    .magic = {'O', 'C', 'O', 'U', 'T', 'P', 'U', 'T'},
    .version = VERSION,
    .record_bytes = sizeof(response_record_t),
};

static oc_err_t failed(const response_log_t *self, oc_err_t err)
{
    return error_set(err, "%s: %s", self->path, errno ? strerror(errno) : "it failed");
}

static oc_err_t open_file(response_log_t *self, const char *path, const char *mode, oc_err_t err)
{
    self->path = path;
    self->file = fopen(path, mode);
    if (!self->file)
        return failed(self, err);
    /* Without a large buffer it only is slower. */
    (void)setvbuf(self->file, NULL, _IOFBF, BUFFER_BYTES);
    return OC_ERR_OK;
}

oc_err_t response_log_create(response_log_t *self, const char *path)
{
    const oc_err_t err = open_file(self, path, "we", OC_ERR_WRITE);
    if (err == OC_ERR_OK)
        (void)fwrite(&expected, sizeof expected, 1, self->file);
    return err;
}

static void append(response_log_t *self, const response_record_t *record)
{
    (void)fwrite(record, sizeof *record, 1, self->file);
}

void response_log_begin(response_log_t *self, oc_source_id_t source, uint64_t last)
{
    response_record_t record;
    memset(&record, 0, sizeof record);
    record.kind = RESPONSE_BEGINNING;
    record.output.event.source = source;
    record.output.outbound_sequence = last;
    append(self, &record);
}

void response_log_append(response_log_t *self, const oc_output_t *output)
{
    const response_record_t record = {.kind = RESPONSE_OUTPUT, .output = *output};
    append(self, &record);
}

oc_err_t response_log_open(response_log_t *self, const char *path)
{
    const oc_err_t err = open_file(self, path, "re", OC_ERR_OPEN);
    if (err != OC_ERR_OK)
        return err;
    log_header_t header;
    if (fread(&header, sizeof header, 1, self->file) == 1 &&
        memcmp(&header, &expected, sizeof header) == 0)
        return OC_ERR_OK;
    (void)fclose(self->file);
    self->file = NULL;
    return error_set(OC_ERR_FORMAT, "%s: not a log of outputs of version %d", path, VERSION);
}

oc_err_t response_log_next(response_log_t *self, response_record_t *record, bool *more)
{
    errno = 0;
    const size_t bytes = fread(record, 1, sizeof *record, self->file);
    *more = bytes == sizeof *record;
    if (*more && record->kind != RESPONSE_BEGINNING && record->kind != RESPONSE_OUTPUT)
        return error_set(OC_ERR_FORMAT, "%s: a record of the unknown kind %" PRIu32, self->path,
                         record->kind);
    if (*more || (bytes == 0 && feof(self->file)))
        return OC_ERR_OK;
    if (ferror(self->file))
        return failed(self, OC_ERR_READ);
    return error_set(OC_ERR_TRUNCATED, "%s: ends inside a record", self->path);
}

oc_err_t response_log_close(response_log_t *self)
{
    FILE *file = self->file;
    self->file = NULL;
    if (!file)
        return OC_ERR_OK;
    const bool bad = ferror(file) != 0;
    errno = 0;
    if (fclose(file) != 0 || bad)
        return failed(self, OC_ERR_WRITE);
    return OC_ERR_OK;
}
