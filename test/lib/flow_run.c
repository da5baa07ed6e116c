/*
 * Reads whole recordings for tests. Invariants checked at every record: numbers rise by one,
 * progress stays within 0 and 1, a failure stays a failure with the same words.
 */
#include "lib/flow_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

static void run_note(flow_run_t *run, const flow_record_t *record)
{
    OC_ASSERT(record->record == run->records);
    OC_ASSERT((unsigned)record->kind < FLOW_KIND_COUNT);
    if (run->records < FLOW_RUN_KEPT) {
        run->kept[run->records] = *record;
    }
    run->records++;
    run->kinds[record->kind]++;
    run->iocs += record->kind == FLOW_NEW && record->time_in_force == OC_TIF_IOC;
    run->not_last += !record->last_in_event;
}

static flow_run_t run_reader(oc_err_t open_err, flow_reader_t *reader)
{
    flow_run_t run = {.open_err = open_err, .status = FLOW_FAILED};
    OC_ASSERT((open_err == OC_ERR_OK) == (reader != NULL));
    if (open_err != OC_ERR_OK) {
        snprintf(run.context, sizeof run.context, "%s", oc_err_context());
        return run;
    }
    run.format = flow_reader_format(reader);
    OC_ASSERT(run.format != FLOW_FORMAT_AUTO);
    flow_record_t record;
    while ((run.status = flow_reader_next(reader, &record)) == FLOW_RECORD) {
        run_note(&run, &record);
        const double progress = flow_reader_progress(reader);
        OC_ASSERT(progress >= 0.0 && progress <= 1.0);
    }
    if (run.status == FLOW_FAILED) {
        snprintf(run.context, sizeof run.context, "%s", oc_err_context());
    }
    (void)error_set(OC_ERR_READ, "something else");
    OC_ASSERT(flow_reader_next(reader, &record) == run.status);
    OC_ASSERT(run.status == FLOW_END || strcmp(run.context, oc_err_context()) == 0);
    flow_reader_close(reader);
    return run;
}

flow_run_t flow_run_memory(const void *bytes, size_t size, flow_format_t format)
{
    void *copy = malloc(size == 0 ? 1 : size);
    OC_ASSERT(copy != NULL);
    memcpy(copy, bytes, size);
    flow_reader_t *reader = NULL;
    const oc_err_t err = flow_reader_open_memory(&reader, "memory", copy, size, format);
    const flow_run_t run = run_reader(err, reader);
    free(copy);
    return run;
}

flow_run_t flow_run_file(const char *path, flow_format_t format)
{
    flow_reader_t *reader = NULL;
    const oc_err_t err = flow_reader_open(&reader, path, format);
    return run_reader(err, reader);
}

void flow_run_prefixes(const void *bytes, size_t size, flow_format_t format,
                       bool (*may_end)(size_t size))
{
    for (size_t length = 0; length < size; length++) {
        const flow_run_t run = flow_run_memory(bytes, length, format);
        OC_ASSERT((run.status == FLOW_END) == may_end(length));
        OC_ASSERT(run.status == FLOW_END || strstr(run.context, "memory: ") != NULL);
    }
}

size_t flow_run_flips(const void *bytes, size_t size, flow_format_t format)
{
    size_t unnoticed = 0;
    uint8_t *damaged = malloc(size);
    OC_ASSERT(damaged != NULL);
    memcpy(damaged, bytes, size);
    for (size_t bit = 0; bit < size * 8; bit++) {
        damaged[bit / 8] ^= (uint8_t)(1U << bit % 8);
        unnoticed += flow_run_memory(damaged, size, format).status == FLOW_END;
        damaged[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    free(damaged);
    return unnoticed;
}
