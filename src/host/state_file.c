/*
 * The host's part of an exported state, as bytes. Called by export and import.
 *
 * Invariants: what is written depends on the state alone, so that an import that is exported again
 * gives the same bytes; what is read is checked before anything is made of it. It must not look at
 * the service's bytes, which follow.
 */
#include "host/state_file.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are written as they are");

static oc_err_t collect_timers(const timer_queue_t *queue, state_file_timer_t **timers)
{
    const uint32_t count = queue->state->count;
    *timers = NULL;
    if (count == 0)
        return OC_ERR_OK;
    timer_entry_t *entries = malloc(count * sizeof *entries);
    *timers = malloc(count * sizeof **timers);
    if (!entries || !*timers) {
        free(entries);
        free(*timers);
        *timers = NULL;
        return error_set(OC_ERR_NO_MEMORY, "no memory for %" PRIu32 " timers", count);
    }
    timer_queue_list(queue, entries);
    for (uint32_t i = 0; i < count; i++)
        (*timers)[i] = (state_file_timer_t){entries[i].deadline_ns, entries[i].id.value};
    free(entries);
    return OC_ERR_OK;
}

oc_err_t state_file_write(state_file_header_t *header, const timer_queue_t *timers,
                          oc_capture_sink_t sink, void *context)
{
    state_file_timer_t *list;
    oc_err_t err = collect_timers(timers, &list);
    if (err != OC_ERR_OK)
        return err;
    const size_t bytes = timers->state->count * sizeof *list;
    memcpy(header->magic, STATE_FILE_MAGIC, STATE_FILE_MAGIC_SIZE);
    header->version = STATE_FILE_VERSION;
    header->timer_count = timers->state->count;
    header->max_timers = timers->capacity;
    header->timers_crc = list ? crc32c(0, list, bytes) : 0;
    header->crc = crc32c(0, header, offsetof(state_file_header_t, crc));
    err = sink(context, header, sizeof *header);
    if (err == OC_ERR_OK && list)
        err = sink(context, list, bytes);
    free(list);
    return err;
}

static oc_err_t check_header(const state_file_header_t *header)
{
    if (memcmp(header->magic, STATE_FILE_MAGIC, STATE_FILE_MAGIC_SIZE) != 0)
        return error_set(OC_ERR_DAMAGED, "the file is no exported state");
    if (header->version != STATE_FILE_VERSION)
        return error_set(OC_ERR_DAMAGED,
                         "the file is of format version %" PRIu32 ", this build reads %" PRIu32,
                         header->version, STATE_FILE_VERSION);
    if (header->crc != crc32c(0, header, offsetof(state_file_header_t, crc)))
        return error_set(OC_ERR_DAMAGED, "the file is damaged at offset 0: the host's part");
    if (header->entries == 0 || header->next_session == 0 || header->term >= UINT32_MAX - 1 ||
        header->max_timers == 0 || header->max_timers > TIMER_QUEUE_CAPACITY_MAX ||
        header->timer_count > header->max_timers)
        return error_set(OC_ERR_DAMAGED, "the file's numbers cannot be right");
    return OC_ERR_OK;
}

oc_err_t state_file_read(state_file_header_t *header, state_file_timer_t **timers,
                         oc_restore_source_t source, void *context)
{
    *timers = NULL;
    oc_err_t err = source(context, header, sizeof *header);
    if (err == OC_ERR_OK)
        err = check_header(header);
    if (err != OC_ERR_OK || header->timer_count == 0)
        return err;
    const size_t bytes = header->timer_count * sizeof **timers;
    *timers = malloc(bytes);
    if (!*timers)
        return error_set(OC_ERR_NO_MEMORY, "no memory for %" PRIu32 " timers", header->timer_count);
    err = source(context, *timers, bytes);
    if (err == OC_ERR_OK && crc32c(0, *timers, bytes) != header->timers_crc)
        err = error_set(OC_ERR_DAMAGED, "the file is damaged at offset %zu: the timers",
                        sizeof *header);
    if (err != OC_ERR_OK) {
        free(*timers);
        *timers = NULL;
    }
    return err;
}
