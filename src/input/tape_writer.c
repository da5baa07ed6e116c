/*
 * Writes the project's own tape (docs/formats/tape.md).
 *
 * Called by replay when it records. Invariants: the end record is written only when
 * everything before it was, so that a tape that lost something can be told from a whole one; after
 * a failure nothing more is written. Must not change a command: the bytes given are the bytes
 * stored. This is a recording, not a journal: nothing is promised until close has returned.
 */
#include "input/tape_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "input/tape_own_format.h"

struct tape_writer {
    FILE *file;
    char *path; /* for messages */
    uint64_t count;
    oc_err_t failure;
};

static oc_err_t writer_fail(tape_writer_t *writer)
{
    const int reason = errno;
    writer->failure = OC_ERR_WRITE;
    return error_set(OC_ERR_WRITE,
                     "%s: cannot write the tape after %llu commands: %s; it is not "
                     "complete",
                     writer->path, (unsigned long long)writer->count, strerror(reason));
}

static oc_err_t writer_put(tape_writer_t *writer, const void *bytes, size_t size)
{
    errno = 0;
    return fwrite(bytes, 1, size, writer->file) == size ? OC_ERR_OK : writer_fail(writer);
}

oc_err_t tape_writer_append(tape_writer_t *writer, const oc_command_t *command)
{
    if (writer->failure != OC_ERR_OK) {
        return error_set(writer->failure, "%s: an earlier write failed, the tape is not complete",
                         writer->path);
    }
    tape_own_record_t record = {.tag = TAPE_OWN_COMMAND, .u.command = *command};
    record.crc = tape_own_record_crc(&record, writer->count);
    const oc_err_t err = writer_put(writer, &record, sizeof record);
    writer->count += err == OC_ERR_OK;
    return err;
}

static oc_err_t writer_put_header(tape_writer_t *writer, const oc_engine_config_t *config)
{
    tape_own_header_t header = {
        .version = TAPE_OWN_VERSION,
        .header_length = sizeof header,
        .kind = (uint32_t)config->kind,
        .max_orders = config->max_orders,
        .max_levels = config->max_levels,
        .max_instruments = config->max_instruments,
        .max_sources = config->max_sources,
        .max_sessions = config->max_sessions,
        .max_pending = config->max_pending,
        .step_bound = config->step_bound,
        .modify_priority = (uint32_t)config->modify_priority,
        .event_capacity = config->event_capacity,
        .hash_key = {config->hash_key[0], config->hash_key[1]},
        .verify_touch = config->verify_touch,
    };
    memcpy(header.magic, TAPE_OWN_MAGIC, TAPE_OWN_MAGIC_SIZE);
    header.crc = tape_own_header_crc(&header);
    return writer_put(writer, &header, sizeof header);
}

static oc_err_t writer_put_end(tape_writer_t *writer)
{
    tape_own_record_t record = {.tag = TAPE_OWN_END, .u.end.count = writer->count};
    record.crc = tape_own_record_crc(&record, writer->count);
    return writer_put(writer, &record, sizeof record);
}

static void writer_free(tape_writer_t *writer)
{
    if (writer != NULL) {
        free(writer->path);
        free(writer);
    }
}

oc_err_t tape_writer_open(tape_writer_t **writer, const char *path,
                          const oc_engine_config_t *config)
{
    OC_ASSERT(config != NULL);
    *writer = NULL;
    tape_writer_t *created = calloc(1, sizeof *created);
    if (created == NULL || (created->path = malloc(strlen(path) + 1)) == NULL) {
        writer_free(created);
        return error_set(OC_ERR_NO_MEMORY, "%s: no memory to write it", path);
    }
    memcpy(created->path, path, strlen(path) + 1);
    created->file = fopen(path, "wb");
    if (created->file == NULL) {
        const int reason = errno;
        writer_free(created);
        return error_set(OC_ERR_OPEN, "%s: cannot create it: %s", path, strerror(reason));
    }
    const oc_err_t err = writer_put_header(created, config);
    if (err != OC_ERR_OK) {
        (void)fclose(created->file);
        writer_free(created);
        return err;
    }
    *writer = created;
    return OC_ERR_OK;
}

oc_err_t tape_writer_close(tape_writer_t *writer)
{
    if (writer == NULL) {
        return OC_ERR_OK;
    }
    oc_err_t err = writer->failure;
    if (err != OC_ERR_OK) {
        (void)error_set(err, "%s: an earlier write failed, the tape is not complete", writer->path);
    } else {
        err = writer_put_end(writer);
    }
    errno = 0;
    if (fclose(writer->file) != 0 && err == OC_ERR_OK) {
        err = writer_fail(writer);
    }
    writer_free(writer);
    return err;
}
