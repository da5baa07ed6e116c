/*
 * From an image to a replica that is where the image was taken. Called by recovery, and by the
 * tools that look into images.
 *
 * Invariants: what is loaded counts only when service, host and state hash agree to it; after a
 * failure nothing of it is left that could be taken for a state, since either another image or the
 * pages of the start follow. It must not look at the log: whether image and log belong together is
 * recovery's business.
 */
#define _GNU_SOURCE
#include "host/replica_image.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT_SIZE 512

static const char node_way_out[] =
    "start it as it was, or carry its state over: outcry snapshot export "
    "with the build and configuration that made it, and snapshot import "
    "into a new directory";

void replica_image_name(const image_info_t *info, char name[REPLICA_IMAGE_NAME_SIZE])
{
    (void)snprintf(name, REPLICA_IMAGE_NAME_SIZE, "image %" PRIu64 " (position %" PRIu64 ")",
                   info->sequence, info->place.position);
}

/* ---- What the start has left ---- */

static oc_err_t keep_page(replica_image_t *self, size_t arena, size_t page, size_t *capacity)
{
    if (self->page_count == *capacity) {
        *capacity = *capacity > 0 ? *capacity * 2 : 64;
        replica_page_t *grown = realloc(self->pages, *capacity * sizeof *grown);
        if (!grown)
            return error_set(OC_ERR_NO_MEMORY, "no memory for the pages of the start");
        self->pages = grown;
    }
    replica_page_t *kept = &self->pages[self->page_count];
    *kept = (replica_page_t){.arena = (uint32_t)arena, .page = (uint32_t)page};
    kept->bytes = malloc(OC_ARENA_PAGE_SIZE);
    if (!kept->bytes)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the pages of the start");
    self->page_count++;
    memcpy(kept->bytes, self->arenas[arena]->base + (page << OC_ARENA_PAGE_SHIFT),
           OC_ARENA_PAGE_SIZE);
    return OC_ERR_OK;
}

oc_err_t replica_image_init(replica_image_t *self, replica_t *replica)
{
    OC_ASSERT(replica->entries == 0);
    *self = (replica_image_t){.replica = replica, .way_out = node_way_out};
    self->arena_count = replica_arenas(replica, self->arenas);
    self->streamed = replica_is_streamed(replica);
    size_t capacity = 0;
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; i < self->arena_count; i++)
        for (size_t page = 0; page < self->arenas[i]->size >> OC_ARENA_PAGE_SHIFT; page++)
            if (err == OC_ERR_OK && self->arenas[i]->stamps[page] != 0)
                err = keep_page(self, i, page, &capacity);
    if (err != OC_ERR_OK)
        replica_image_fini(self);
    return err;
}

void replica_image_fini(replica_image_t *self)
{
    for (size_t i = 0; i < self->page_count; i++)
        free(self->pages[i].bytes);
    free(self->pages);
    self->pages = NULL;
    self->page_count = 0;
}

static void clear_arena(oc_arena_t *arena)
{
    for (size_t page = 0; page < arena->size >> OC_ARENA_PAGE_SHIFT; page++) {
        if (arena->stamps[page] == 0)
            continue;
        memset(arena->base + (page << OC_ARENA_PAGE_SHIFT), 0, OC_ARENA_PAGE_SIZE);
        arena->stamps[page] = 0;
    }
}

oc_err_t replica_image_reset(replica_image_t *self)
{
    replica_t *replica = self->replica;
    OC_ASSERT(!self->spoiled);
    if (!self->changed)
        return OC_ERR_OK;
    for (size_t i = 0; i < self->arena_count; i++)
        clear_arena(self->arenas[i]);
    for (size_t i = 0; i < self->page_count; i++) {
        const replica_page_t *kept = &self->pages[i];
        oc_arena_t *arena = self->arenas[kept->arena];
        memcpy(arena->base + ((size_t)kept->page << OC_ARENA_PAGE_SHIFT), kept->bytes,
               OC_ARENA_PAGE_SIZE);
        arena->stamps[kept->page] = 1;
    }
    for (size_t i = 0; i < self->arena_count; i++)
        oc_arena_restored(self->arenas[i]);
    replica->entries = 0;
    replica->entry = (oc_log_entry_t){0};
    self->changed = false;
    return self->told ? replica->service->restored(replica->service->context) : OC_ERR_OK;
}

/* ---- Loading ---- */

/* The bytes of a stream, as a service asks for them. */
typedef struct stream {
    const uint8_t *bytes;
    size_t left;
} stream_t;

static oc_err_t give_bytes(void *context, void *bytes, size_t length)
{
    stream_t *stream = context;
    if (length > stream->left)
        return error_set(OC_ERR_DAMAGED, "the service asks for more than its state has");
    if (length > 0)
        memcpy(bytes, stream->bytes, length);
    stream->bytes += length;
    stream->left -= length;
    return OC_ERR_OK;
}

static oc_err_t restore_stream(replica_image_t *self, const uint8_t *bytes, size_t length)
{
    const oc_service_t *service = self->replica->service;
    stream_t stream = {bytes, length};
    self->spoiled = true; /* until it has come out right */
    const oc_err_t err = service->restore(service->context, give_bytes, &stream);
    if (err == OC_ERR_OK && stream.left > 0)
        return error_set(OC_ERR_DAMAGED, "the service leaves %zu bytes of its state", stream.left);
    return err;
}

oc_err_t replica_image_error(const image_info_t *info, oc_err_t err)
{
    char name[REPLICA_IMAGE_NAME_SIZE];
    char why[CONTEXT_SIZE];
    replica_image_name(info, name);
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    return error_set(err, "%s: %s", name, why);
}

static oc_err_t check_configuration(const replica_image_t *self, const image_store_t *store,
                                    const image_info_t *info)
{
    uint8_t bytes[IMAGE_CONFIGURATION_MAX];
    log_record_t record = {.type = LOG_CONFIGURATION, .bytes = bytes};
    log_record_t own;
    size_t length;
    oc_err_t err = image_configuration(store, info, bytes, sizeof bytes, &length);
    if (err != OC_ERR_OK)
        return err;
    replica_configuration(self->replica, &own);
    record.max_timers = own.max_timers; /* part of the layout, which is compared later */
    record.length = (uint32_t)length;
    err = replica_check_configuration(self->replica, &record, "the image");
    if (err != OC_ERR_OK) {
        char why[CONTEXT_SIZE];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        err = replica_image_error(info, error_set(err, "%.250s; %s", why, self->way_out));
    }
    return err;
}

static oc_err_t load_sections(replica_image_t *self, const image_store_t *store,
                              const image_info_t *info, unsigned threads, uint8_t **stream,
                              size_t *length)
{
    image_target_t targets[REPLICA_ARENAS_MAX + 1] = {0};
    size_t count = 0;
    for (; count < self->arena_count; count++)
        targets[count].arena = self->arenas[count];
    if (self->streamed)
        targets[count++] = (image_target_t){.stream = stream, .stream_length = length};
    self->changed = true;
    return image_load(store, info, targets, count, threads);
}

/* A host arena of another size is one of another max_timers, which the layout does not say in
 * words. */
static oc_err_t check_timers(const replica_image_t *self, const image_info_t *info)
{
    const uint32_t own = self->replica->timers.capacity;
    const uint32_t timers = replica_image_max_timers(info, own);
    if (timers == 0 || timers == own)
        return OC_ERR_OK; /* of another build, if at all: loading says so */
    return replica_image_error(info, error_set(OC_ERR_INVALID_CONFIG,
                                               "it was made with max_timers = %" PRIu32
                                               ", this is max_timers = %" PRIu32 "; %s",
                                               timers, own, self->way_out));
}

/* What is in memory becomes the replica's state, if it can be one. */
static oc_err_t take_over(replica_image_t *self, const image_info_t *info, const uint8_t *stream,
                          size_t length)
{
    replica_t *replica = self->replica;
    const oc_service_t *service = replica->service;
    const image_place_t *place = &info->place;
    const oc_log_entry_t last = {
        .position = place->position, .term = place->term, .time_ns = place->time_ns};
    if (place->entries == 0)
        return error_set(OC_ERR_DAMAGED, "it says that it is of no entry");
    oc_err_t err = replica_restored(replica, &last, place->entries);
    if (err == OC_ERR_OK && self->streamed) {
        err = restore_stream(self, stream, length);
    } else if (err == OC_ERR_OK && service->restored) {
        self->told = true;
        err = service->restored(service->context);
    }
    if (err != OC_ERR_OK)
        return err;
    const uint64_t hash = replica_state_hash(replica);
    if (hash != place->state_hash && !self->any_hash)
        return error_set(OC_ERR_DAMAGED,
                         "the restored state has the hash %016" PRIx64 ", it was %016" PRIx64
                         " when the image was made: the image is bad, or the service does not "
                         "restore all that its hash covers",
                         hash, place->state_hash);
    self->spoiled = false;
    return OC_ERR_OK;
}

/* Of a state that the service was given and nothing can follow: the start ends here. */
static oc_err_t say_way_past(const image_info_t *info, oc_err_t err)
{
    char why[CONTEXT_SIZE];
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    return error_set(err,
                     "%.260s; to start without it, move " IMAGE_DIR "/%016" PRIx64
                     ".* and what is newer away: an older image, or the whole log, gives the same "
                     "state",
                     why, info->sequence);
}

oc_err_t replica_image_load(replica_image_t *self, const image_store_t *store,
                            const image_info_t *info, unsigned threads)
{
    replica_t *replica = self->replica;
    uint8_t *stream = NULL;
    size_t length = 0;
    OC_ASSERT(!replica->outlet);
    OC_ASSERT(!self->spoiled);
    oc_err_t err = check_configuration(self, store, info);
    if (err == OC_ERR_OK)
        err = check_timers(self, info);
    if (err != OC_ERR_OK)
        return err;
    err = load_sections(self, store, info, threads, &stream, &length);
    if (err == OC_ERR_OK)
        err = take_over(self, info, stream, length);
    if (err != OC_ERR_OK && self->spoiled)
        err = say_way_past(info, err);
    free(stream);
    if (err != OC_ERR_OK) {
        replica->entries = 0;
        replica->entry = (oc_log_entry_t){0};
    }
    return err;
}

/* ---- For tools ---- */

/* Whole pages are the arena's size: some numbers of timers have the same, and only the layout tells
 * them apart. */
uint32_t replica_image_max_timers(const image_info_t *info, uint32_t likely)
{
    const image_section_t *host = &info->sections[0];
    uint64_t size = 0;
    uint64_t layout = 0;
    if (replica_layout(likely, &size, &layout) && size == host->size && layout == host->layout)
        return likely;
    uint32_t low = 1;
    uint32_t high = TIMER_QUEUE_CAPACITY_MAX;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (replica_arena_bytes(middle) < host->size)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low <= TIMER_QUEUE_CAPACITY_MAX && replica_arena_bytes(low) == host->size; low++)
        if (replica_layout(low, &size, &layout) && layout == host->layout)
            return low;
    return 0;
}
