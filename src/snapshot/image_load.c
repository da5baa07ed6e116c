/*
 * Reading images: into arenas and streams, or only to check every byte.
 *
 * Called by recovery and by `outcry snapshot`. Invariants: a page is taken from the file that owns
 * it, read once, and checked where it then lies; a page that is not zero has a stamp that is not 0,
 * also after an error, so that the next load finds what it must clear. It must not keep a second
 * copy of the state, nor change an arena before all tables were read and fit.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_internal.h"
#include "snapshot/image_reads.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 64
/* While one thread waits for the device the other checks what came. */
#define THREADS_PER_PROCESSOR 2

/* ---- Threads ---- */

typedef struct crew {
    image_chain_t *chain;
    image_reads_t reads;
    /* By section: where its pages go; all NULL: nowhere, they are only checked. */
    uint8_t *places[IMAGE_SECTIONS_MAX];
    bool all; /* every page of every file, not only what counts */

    /* Relaxed, both: nothing is handed over by them. What the threads read is by pthread_join(). */
    _Atomic size_t next;
    _Atomic bool failed;
    pthread_mutex_t mutex; /* of what follows: the failure of the lowest read */
    size_t failed_read;
    oc_err_t err;
    char line[1024];
} crew_t;

typedef struct crew_member {
    crew_t *crew;
    uint8_t *buffer; /* for the longest read that does not go straight */
    pthread_t thread;
} crew_member_t;

static void crew_fail(crew_t *self, size_t number, oc_err_t err)
{
    pthread_mutex_lock(&self->mutex);
    if (self->err == OC_ERR_OK || number < self->failed_read) {
        self->err = err;
        self->failed_read = number;
        (void)snprintf(self->line, sizeof self->line, "%s", oc_err_context());
    }
    pthread_mutex_unlock(&self->mutex);
    atomic_store_explicit(&self->failed, true, memory_order_relaxed);
}

/* Reads the pages and checks those that are wanted; what is not yet in its place is put there. */
static oc_err_t do_read(const crew_t *self, const image_read_t *read, uint8_t *buffer)
{
    image_file_t *file = &self->chain->files[read->file];
    const image_entry_t *entries = file->table + read->first;
    uint8_t *place = self->places[read->section];
    const bool straight = place && read->straight;
    uint8_t *bytes = straight ? place + ((size_t)entries->page << OC_ARENA_PAGE_SHIFT) : buffer;
    oc_err_t err = image_file_read(file, image_page_offset(read->first), bytes,
                                   (size_t)read->count << OC_ARENA_PAGE_SHIFT);
    for (size_t i = 0; err == OC_ERR_OK && i < read->count; i++) {
        const uint8_t *page = bytes + (i << OC_ARENA_PAGE_SHIFT);
        if (!self->all &&
            !image_reads_wants(self->chain, read->file, read->section, read->first + i))
            continue;
        err = image_file_check_page(file, read->first + i, read->section, page);
        if (err == OC_ERR_OK && place && !straight)
            memcpy(place + ((size_t)entries[i].page << OC_ARENA_PAGE_SHIFT), page,
                   OC_ARENA_PAGE_SIZE);
    }
    return err;
}

static void *work(void *context)
{
    const crew_member_t *member = context;
    crew_t *self = member->crew;
    while (!atomic_load_explicit(&self->failed, memory_order_relaxed)) {
        const size_t number = atomic_fetch_add_explicit(&self->next, 1, memory_order_relaxed);
        if (number >= self->reads.count)
            break;
        const oc_err_t err = do_read(self, &self->reads.reads[number], member->buffer);
        if (err != OC_ERR_OK)
            crew_fail(self, number, err);
    }
    return NULL;
}

static unsigned processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

static size_t thread_count(const crew_t *self, unsigned threads)
{
    size_t count = threads ? threads : (size_t)THREADS_PER_PROCESSOR * processors();
    if (count > THREADS_MAX)
        count = THREADS_MAX;
    if (count > self->reads.count)
        count = self->reads.count;
    return count ? count : 1;
}

/* The calling thread is one of them; a thread that cannot be had is done without. */
static oc_err_t crew_run(crew_t *self, unsigned threads)
{
    crew_member_t members[THREADS_MAX];
    const size_t count = thread_count(self, threads);
    const size_t buffer_bytes = (size_t)self->reads.longest << OC_ARENA_PAGE_SHIFT;
    uint8_t *buffers = aligned_alloc(STORAGE_BLOCK, count * buffer_bytes + STORAGE_BLOCK);
    if (!buffers)
        return error_set(OC_ERR_NO_MEMORY, "no memory to read %s with %zu threads",
                         self->chain->files[0].path, count);
    for (size_t i = 0; i < count; i++)
        members[i] = (crew_member_t){.crew = self, .buffer = buffers + i * buffer_bytes};
    size_t running = 1;
    sigset_t all;
    sigset_t before;
    sigfillset(&all); /* signals are for the program's other threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (running < count &&
           pthread_create(&members[running].thread, NULL, work, &members[running]) == 0)
        running++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)work(&members[0]);
    for (size_t i = 1; i < running; i++)
        (void)pthread_join(members[i].thread, NULL);
    free(buffers);
    return self->err == OC_ERR_OK ? OC_ERR_OK : error_set(self->err, "%s", self->line);
}

static oc_err_t crew_init(crew_t *self, image_chain_t *chain, bool all)
{
    *self = (crew_t){.chain = chain, .all = all};
    const oc_err_t err = image_reads_init(&self->reads, chain, all);
    if (err != OC_ERR_OK) {
        image_reads_fini(&self->reads);
        return err;
    }
    const int refused = pthread_mutex_init(&self->mutex, NULL);
    OC_ASSERT(refused == 0);
    return OC_ERR_OK;
}

static void crew_fini(crew_t *self)
{
    pthread_mutex_destroy(&self->mutex);
    image_reads_fini(&self->reads);
}

/* ---- Targets ---- */

#define WAY_OUT                                                                                    \
    "take the state out with the build and configuration that made it (outcry snapshot export), "  \
    "and put it into a new directory with these (outcry snapshot import)"

static oc_err_t check_target(const image_info_t *info, uint32_t number,
                             const image_target_t *target)
{
    const image_section_t *section = &info->sections[number];
    const oc_arena_t *arena = target->arena;
    OC_ASSERT(!arena != !target->stream);
    if ((section->kind == IMAGE_PAGES) != (arena != NULL))
        return error_set(
            OC_ERR_INVALID_CONFIG,
            "image %016" PRIx64 " has %s of '%s' where this program has %s%s%s: " WAY_OUT,
            info->sequence, section->kind == IMAGE_PAGES ? "pages" : "a stream", section->name,
            arena ? "the arena '" : "a stream", arena ? arena->name : "", arena ? "'" : "");
    if (!arena || (!strcmp(section->name, arena->name) && section->layout == arena->layout &&
                   section->size == arena->size))
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG,
                     "image %016" PRIx64 " holds the arena '%s' with layout %016" PRIx64
                     " and %" PRIu64
                     " bytes, but this program and configuration lay out '%s' with layout "
                     "%016" PRIx64 " and %zu bytes: " WAY_OUT,
                     info->sequence, section->name, section->layout, section->size, arena->name,
                     arena->layout, arena->size);
}

static oc_err_t check_targets(const image_info_t *info, const image_target_t *targets, size_t count)
{
    if (info->section_count != count)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "image %016" PRIx64 " has %" PRIu32 " sections, but this program and "
                         "configuration have %zu: " WAY_OUT,
                         info->sequence, info->section_count, count);
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < count; i++)
        err = check_target(info, i, &targets[i]);
    return err;
}

/* Clears what the image does not hold, and stamps what it does, before anything is changed. */
static void prepare_arena(oc_arena_t *arena, const uint8_t *owners)
{
    OC_ASSERT(arena->sealed);
    OC_ASSERT(!arena->watcher);
    const size_t pages = arena->size >> OC_ARENA_PAGE_SHIFT;
    for (size_t page = 0; page < pages; page++) {
        const bool held = owners[page] != IMAGE_CHAIN_NO_FILE;
        if (!held && arena->stamps[page] != 0)
            memset(arena->base + (page << OC_ARENA_PAGE_SHIFT), 0, OC_ARENA_PAGE_SIZE);
        arena->stamps[page] = held;
    }
}

/* Room for whole pages; the bytes behind the stream's end are the padding of its last page. */
static oc_err_t make_streams(crew_t *crew, const image_target_t *targets)
{
    for (uint32_t i = 0; i < crew->chain->section_count; i++) {
        if (targets[i].arena)
            continue;
        const size_t pages = crew->chain->section_pages[i];
        crew->places[i] = aligned_alloc(STORAGE_BLOCK, (pages ? pages : 1) << OC_ARENA_PAGE_SHIFT);
        if (!crew->places[i])
            return error_set(OC_ERR_NO_MEMORY, "no memory for a stream of %zu pages in %s", pages,
                             crew->chain->files[0].path);
    }
    return OC_ERR_OK;
}

static void drop_streams(crew_t *crew, const image_target_t *targets)
{
    for (uint32_t i = 0; i < crew->chain->section_count; i++)
        if (!targets[i].arena)
            free(crew->places[i]);
}

static void prepare_arenas(crew_t *crew, const image_target_t *targets)
{
    for (uint32_t i = 0; i < crew->chain->section_count; i++)
        if (targets[i].arena) {
            crew->places[i] = targets[i].arena->base;
            prepare_arena(targets[i].arena, crew->chain->section_owners[i]);
        }
}

static void give_out(const crew_t *crew, const image_target_t *targets)
{
    for (uint32_t i = 0; i < crew->chain->section_count; i++) {
        if (targets[i].arena) {
            oc_arena_restored(targets[i].arena);
        } else {
            *targets[i].stream = crew->places[i];
            *targets[i].stream_length = crew->chain->files[0].header.identity.sections[i].size;
        }
    }
}

oc_err_t image_load(const image_store_t *store, const image_info_t *info,
                    const image_target_t *targets, size_t count, unsigned threads)
{
    image_chain_t *chain = NULL;
    crew_t crew;
    oc_err_t err = check_targets(info, targets, count);
    if (err != OC_ERR_OK)
        return err;
    err = image_chain_open(&chain, store, info, true);
    if (err != OC_ERR_OK)
        return err;
    err = crew_init(&crew, chain, false);
    if (err != OC_ERR_OK)
        goto close_chain;
    err = make_streams(&crew, targets);
    if (err == OC_ERR_OK) {
        prepare_arenas(&crew, targets);
        err = crew_run(&crew, threads);
    }
    if (err == OC_ERR_OK)
        give_out(&crew, targets);
    else
        drop_streams(&crew, targets);
    crew_fini(&crew);
close_chain:
    image_chain_close(chain);
    return err;
}

/* ---- Checking, and the configuration ---- */

static bool is_same(const image_manifest_t *left, const image_manifest_t *right)
{
    return !memcmp(&left->identity, &right->identity, sizeof left->identity) &&
           left->bytes == right->bytes && left->header_crc == right->header_crc;
}

/* The file against itself, and against what the store knows of it. */
static oc_err_t verify_manifest(const image_store_t *store, uint64_t sequence)
{
    const image_manifest_t *known = image_store_manifest(store, sequence);
    image_manifest_t manifest;
    OC_ASSERT(known != NULL);
    char *path = image_path(image_store_images(store), sequence, IMAGE_MANIFEST_ENDING);
    if (!path)
        return error_set(OC_ERR_NO_MEMORY, "no memory for the name of a manifest");
    oc_err_t err = image_manifest_read(image_store_storage(store), path, &manifest);
    if (err == OC_ERR_OK && !is_same(&manifest, known))
        err = error_set(OC_ERR_DAMAGED,
                        "image: %s: damaged at offset 0: it is not what it was before", path);
    free(path);
    return err;
}

static oc_err_t verify_manifests(const image_store_t *store, const image_chain_t *chain)
{
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < chain->length; i++)
        err = verify_manifest(store, chain->files[i].header.identity.sequence);
    return err;
}

oc_err_t image_verify(const image_store_t *store, const image_info_t *info, unsigned threads)
{
    image_chain_t *chain = NULL;
    crew_t crew;
    /* Not merged: what a file says that its sections are large costs no memory. */
    oc_err_t err = image_chain_open(&chain, store, info, false);
    if (err != OC_ERR_OK)
        return err;
    err = verify_manifests(store, chain);
    if (err == OC_ERR_OK)
        err = crew_init(&crew, chain, true);
    if (err == OC_ERR_OK) {
        err = crew_run(&crew, threads);
        crew_fini(&crew);
    }
    image_chain_close(chain);
    return err;
}

oc_err_t image_configuration(const image_store_t *store, const image_info_t *info, void *bytes,
                             size_t size, size_t *length)
{
    image_file_t file;
    oc_err_t err = image_file_open(&file, store, info->sequence);
    if (err != OC_ERR_OK)
        return err;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    err = block ? image_file_read_configuration(&file, block)
                : error_set(OC_ERR_NO_MEMORY, "no memory for a block of %s", file.path);
    if (err == OC_ERR_OK && file.header.configuration_length > size)
        err = error_set(OC_ERR_TOO_LONG, "the configuration in %s has %" PRIu32 " bytes, not %zu",
                        file.path, file.header.configuration_length, size);
    if (err == OC_ERR_OK) {
        *length = file.header.configuration_length;
        if (*length > 0)
            memcpy(bytes, block, *length);
    }
    free(block);
    image_file_close(&file);
    return err;
}
