/*
 * The doorway to recorded order flow: opens, finds out the format, and hands on to its reader.
 *
 * Called by replay, the bench and the tests. Invariants: a format is decided by content, never by
 * the file's name; a failure is kept and told again, so that no caller reads past damage; every
 * record is counted, also those that mean nothing to a book. Must not know what a book is.
 */
#include "input/flow_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "input/input_internal.h"

/* Enough for every magic number and for a line of CSV. */
#define SNIFF_SIZE 256

/* Formats with a magic number first, then those that are recognised by their looks. */
static const flow_format_ops_t *const formats[] = {
    &tape_reader_ops, &tape_own_reader_ops, &dbn_reader_ops, &lobster_reader_ops, &itch_reader_ops,
};
#define FORMAT_COUNT (sizeof formats / sizeof formats[0])

flow_status_t flow_reader_next(flow_reader_t *reader, flow_record_t *record)
{
    *record = (flow_record_t){
        .last_in_event = true, .record = reader->record, .sequence = reader->record};
    if (UNLIKELY(reader->failure != OC_ERR_OK)) {
        (void)error_set(reader->failure, "%s", reader->failure_text);
        return FLOW_FAILED;
    }
    const flow_status_t status = reader->ops->next(reader, record);
    OC_ASSERT((status == FLOW_FAILED) == (reader->failure != OC_ERR_OK));
    reader->record += status == FLOW_RECORD;
    return status;
}

/* Keeps what the context line says now. */
static bool flow_keep_failure(flow_reader_t *reader, oc_err_t err)
{
    OC_ASSERT(err != OC_ERR_OK);
    reader->failure = err;
    snprintf(reader->failure_text, sizeof reader->failure_text, "%s", oc_err_context());
    return false;
}

bool flow_fail(flow_reader_t *reader, oc_err_t err, uint64_t offset, const char *format, ...)
{
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *name = byte_source_name(reader->source);
    if (reader->ops != NULL && reader->ops->format == FLOW_FORMAT_LOBSTER) {
        err = error_set(err, "%s: line %llu, offset %llu: %s", name,
                        (unsigned long long)reader->record + 1, (unsigned long long)offset, what);
    } else {
        err = error_set(err, "%s: offset %llu: %s", name, (unsigned long long)offset, what);
    }
    return flow_keep_failure(reader, err);
}

bool flow_peek(flow_reader_t *reader, size_t wanted, byte_view_t *view)
{
    const oc_err_t err = byte_source_peek(reader->source, wanted, view);
    return LIKELY(err == OC_ERR_OK) ? true : flow_keep_failure(reader, err);
}

bool flow_need(flow_reader_t *reader, size_t wanted, byte_view_t *view, const char *what)
{
    if (!flow_peek(reader, wanted, view)) {
        return false;
    }
    if (UNLIKELY(view->size < wanted)) {
        return flow_fail(reader, OC_ERR_TRUNCATED, flow_offset(reader),
                         "%s is %zu bytes long, but the file ends after %zu of them", what, wanted,
                         view->size);
    }
    return true;
}

/* Writes "tape (...), own (...), ...". */
static void flow_list_formats(char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < FORMAT_COUNT && used < size; i++) {
        const int count =
            snprintf(out + used, size - used, "%s%s", i == 0 ? "" : ", ", formats[i]->title);
        used += count < 0 ? 0 : (size_t)count;
    }
}

static bool flow_reader_sniff(flow_reader_t *reader)
{
    byte_view_t view;
    if (!flow_peek(reader, SNIFF_SIZE, &view)) {
        return false;
    }
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i]->sniff(view.bytes, view.size)) {
            reader->ops = formats[i];
            return true;
        }
    }
    char known[256];
    flow_list_formats(known, sizeof known);
    return flow_fail(reader, OC_ERR_FORMAT, 0, "%s; known are: %s",
                     view.size == 0 ? "the file is empty" : "the format is not recognised", known);
}

/* `what_to_open` is FLOW_FORMAT_AUTO or the format of one of the table's rows. */
static bool flow_reader_start(flow_reader_t *reader, flow_format_t what_to_open)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i]->format == what_to_open) {
            reader->ops = formats[i];
        }
    }
    if (reader->ops == NULL) {
        OC_ASSERT(what_to_open == FLOW_FORMAT_AUTO);
        if (!flow_reader_sniff(reader)) {
            return false;
        }
    }
    return reader->ops->open(reader);
}

/* Takes the source, also when it fails. */
static oc_err_t flow_reader_create(flow_reader_t **reader, byte_source_t *source,
                                   flow_format_t format)
{
    flow_reader_t *created = calloc(1, sizeof *created);
    if (created == NULL) {
        const oc_err_t err =
            error_set(OC_ERR_NO_MEMORY, "%s: no memory to read it", byte_source_name(source));
        byte_source_close(source);
        return err;
    }
    created->source = source;
    if (!flow_reader_start(created, format)) {
        const oc_err_t err = created->failure;
        flow_reader_close(created);
        return err;
    }
    *reader = created;
    return OC_ERR_OK;
}

oc_err_t flow_reader_open(flow_reader_t **reader, const char *path, flow_format_t format)
{
    *reader = NULL;
    byte_source_t *source = NULL;
    const oc_err_t err = byte_source_open(&source, path);
    return err != OC_ERR_OK ? err : flow_reader_create(reader, source, format);
}

oc_err_t flow_reader_open_memory(flow_reader_t **reader, const char *name, const void *bytes,
                                 size_t size, flow_format_t format)
{
    *reader = NULL;
    byte_source_t *source = NULL;
    const oc_err_t err = byte_source_open_memory(&source, name, bytes, size);
    return err != OC_ERR_OK ? err : flow_reader_create(reader, source, format);
}

flow_format_t flow_reader_format(const flow_reader_t *reader)
{
    return reader->ops->format;
}

const oc_engine_config_t *flow_reader_config(const flow_reader_t *reader)
{
    return reader->ops->format == FLOW_FORMAT_OWN ? &reader->u.own.config : NULL;
}

double flow_reader_progress(const flow_reader_t *reader)
{
    const uint64_t size = byte_source_raw_size(reader->source);
    const uint64_t done = byte_source_raw_offset(reader->source);
    if (size == 0) {
        return 0.0;
    }
    return done >= size ? 1.0 : (double)done / (double)size;
}

void flow_reader_close(flow_reader_t *reader)
{
    if (reader == NULL) {
        return;
    }
    byte_source_close(reader->source);
    free(reader);
}

const char *flow_format_name(flow_format_t format)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i]->format == format) {
            return formats[i]->name;
        }
    }
    return "auto";
}
