/*
 * Segments as files: names, headers, the list of what is there, purging. Called at open, start and
 * by the owner.
 *
 * Invariants: the segments of a log lie side by side, from the oldest to the last prepared one, so
 * two positions tell which are there; a file under a segment's name is complete, its header and
 * its name durable. It must not touch what is inside behind the header.
 */
#include "journal/journal_internal.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_DIGITS 16
#define SEGMENT     ".journal"
#define PREPARING   ".preparing"
#define LOOKS_AGAIN 3
#define BASE_MAX    ((uint64_t)INT64_MAX) /* sums of positions and lengths stay in range */

/* Bases found in the directory. */
typedef struct base_list {
    uint64_t *bases;
    size_t count;
    size_t capacity;
    bool no_memory;
    bool has_lock;
    const char *ending;
} base_list_t;

void journal_path(const journal_t *self, uint64_t base, const char *ending,
                  char path[JOURNAL_PATH_SIZE])
{
    const int length =
        snprintf(path, JOURNAL_PATH_SIZE, "%s/%016" PRIx64 "%s", self->dir, base, ending);
    OC_ASSERT(length > 0);
    OC_ASSERT(length < JOURNAL_PATH_SIZE);
}

/* Whether the name is 16 lower-case hexadecimal digits and the ending. */
static bool parse_name(const char *name, const char *ending, uint64_t *base)
{
    if (strspn(name, "0123456789abcdef") != NAME_DIGITS || strcmp(name + NAME_DIGITS, ending) != 0)
        return false;
    *base = strtoull(name, NULL, 16);
    return true;
}

static bool add_name(void *context, const char *name)
{
    base_list_t *list = context;
    uint64_t base;
    list->has_lock |= strcmp(name, "lock") == 0;
    if (!parse_name(name, list->ending, &base))
        return true;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? list->capacity * 2 : 64;
        uint64_t *grown = realloc(list->bases, capacity * sizeof *grown);
        if (!grown) {
            list->no_memory = true;
            return false;
        }
        list->bases = grown;
        list->capacity = capacity;
    }
    list->bases[list->count++] = base;
    return true;
}

static int compare_bases(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The caller frees list->bases, also after an error. */
static oc_err_t list_bases(const journal_t *self, const char *ending, base_list_t *list)
{
    memset(list, 0, sizeof *list);
    list->ending = ending;
    const oc_err_t err = self->storage->list(self->storage, self->dir, add_name, list);
    if (err != OC_ERR_OK)
        return err;
    if (list->no_memory)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory for the names in %s", self->dir);
    if (list->count > 1)
        qsort(list->bases, list->count, sizeof *list->bases, compare_bases);
    return OC_ERR_OK;
}

void journal_segment_header(const journal_t *self, uint64_t base, journal_segment_header_t *header)
{
    OC_ASSERT(base % self->segment_bytes == 0);
    memset(header, 0, sizeof *header);
    memcpy(header->magic, JOURNAL_MAGIC, JOURNAL_MAGIC_SIZE);
    header->version = JOURNAL_VERSION;
    header->segment_bytes = self->segment_bytes;
    header->log_id = self->log_id;
    header->base = base;
    header->crc = crc32c(0, header, offsetof(journal_segment_header_t, crc));
}

static oc_err_t read_header(journal_t *self, const char *path, uint8_t *block, uint64_t *size)
{
    storage_file_t *file = NULL;
    size_t got = 0;
    oc_err_t err = self->storage->open(self->storage, path, STORAGE_READ, &file);
    if (err != OC_ERR_OK)
        return err;
    err = self->storage->size(file, size);
    if (err == OC_ERR_OK)
        err = self->storage->read(file, 0, block, STORAGE_BLOCK, &got);
    self->storage->close(file);
    if (err == OC_ERR_OK && got < STORAGE_BLOCK)
        err = error_set(OC_ERR_DAMAGED, "journal: %s has no header: it is cut off", path);
    return err;
}

/* The first segment tells what log this is; the others must agree. */
static oc_err_t check_segment(journal_t *self, uint64_t base, bool is_first, uint8_t *block)
{
    char path[JOURNAL_PATH_SIZE];
    journal_path(self, base, SEGMENT, path);
    uint64_t size = 0;
    const oc_err_t err = read_header(self, path, block, &size);
    if (err != OC_ERR_OK)
        return err;
    journal_segment_header_t header;
    memcpy(&header, block, sizeof header);
    if (memcmp(header.magic, JOURNAL_MAGIC, JOURNAL_MAGIC_SIZE) != 0 ||
        header.crc != crc32c(0, &header, offsetof(journal_segment_header_t, crc)))
        return error_set(OC_ERR_DAMAGED, "journal: %s: damaged at offset 0: not a segment's header",
                         path);
    if (header.version != JOURNAL_VERSION)
        return error_set(OC_ERR_DAMAGED,
                         "journal: %s is of format version %" PRIu32 ", this build reads %" PRIu32,
                         path, header.version, JOURNAL_VERSION);
    const uint32_t bytes = header.segment_bytes;
    if (is_first) {
        self->log_id = header.log_id;
        self->salt = journal_salt(header.log_id);
        self->segment_bytes = bytes;
    }
    if (header.log_id != self->log_id || bytes != self->segment_bytes || header.base != base)
        return error_set(OC_ERR_DAMAGED, "journal: %s belongs to another log or another place",
                         path);
    if ((bytes & (bytes - 1)) || bytes < STORAGE_BLOCK * 2 || base % bytes != 0 || base > BASE_MAX)
        return error_set(OC_ERR_DAMAGED, "journal: %s has an impossible size in its header", path);
    if (size != bytes)
        return error_set(OC_ERR_DAMAGED, "journal: %s has %" PRIu64 " bytes, it must have %" PRIu32,
                         path, size, bytes);
    return OC_ERR_OK;
}

static oc_err_t check_segments(journal_t *self, const base_list_t *list)
{
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    if (!block)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory to read %s", self->dir);
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; err == OC_ERR_OK && i < list->count; i++) {
        err = check_segment(self, list->bases[i], i == 0, block);
        if (err == OC_ERR_OK && i > 0 &&
            list->bases[i] != list->bases[i - 1] + self->segment_bytes) {
            char path[JOURNAL_PATH_SIZE];
            journal_path(self, list->bases[i - 1] + self->segment_bytes, SEGMENT, path);
            err =
                error_set(OC_ERR_DAMAGED, "journal: %s is missing, and later ones are there", path);
        }
    }
    free(block);
    return err;
}

static oc_err_t list_and_check(journal_t *self, base_list_t *list)
{
    const oc_err_t err = list_bases(self, SEGMENT, list);
    return err == OC_ERR_OK ? check_segments(self, list) : err;
}

oc_err_t journal_segments_find(journal_t *self)
{
    OC_ASSERT(!self->started);
    base_list_t list;
    oc_err_t err = list_and_check(self, &list);
    /* Beside a journal that runs, what was listed may be gone when it is opened. */
    for (int i = 0; self->config.read_only && err == OC_ERR_OPEN && i < LOOKS_AGAIN; i++) {
        free(list.bases);
        err = list_and_check(self, &list);
    }
    if (err == OC_ERR_OK && list.count > 0) {
        atomic_store(&self->first, list.bases[0]);
        atomic_store(&self->ready_end, list.bases[list.count - 1] + self->segment_bytes);
    }
    free(list.bases);
    return err;
}

oc_err_t journal_segments_find_one(journal_t *self, uint64_t position)
{
    base_list_t list;
    oc_err_t err = list_bases(self, SEGMENT, &list);
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    size_t n = 0;
    if (err == OC_ERR_OK && !block)
        err = error_set(OC_ERR_NO_MEMORY, "journal: no memory to read %s", self->dir);
    if (err != OC_ERR_OK)
        goto done;
    while (n < list.count && list.bases[n] <= position)
        n++;
    if (n > 0)
        err = check_segment(self, list.bases[n - 1], true, block);
    if (err == OC_ERR_OK && (n == 0 || position - list.bases[n - 1] >= self->segment_bytes))
        err = error_set(OC_ERR_DAMAGED, "journal %s: no segment holds position %" PRIu64,
                        self->shown, position);
    if (err == OC_ERR_OK) {
        atomic_store(&self->first, list.bases[n - 1]);
        atomic_store(&self->ready_end, list.bases[n - 1] + self->segment_bytes);
    }
done:
    free(block);
    free(list.bases);
    return err;
}

oc_err_t journal_segments_sync(journal_t *self, uint64_t from, uint64_t to)
{
    base_list_t list;
    oc_err_t err = list_bases(self, SEGMENT, &list);
    for (size_t n = 0; err == OC_ERR_OK && n < list.count; n++) {
        char path[JOURNAL_PATH_SIZE];
        storage_file_t *file = NULL;
        if (list.bases[n] + self->segment_bytes <= from || list.bases[n] >= to)
            continue;
        journal_path(self, list.bases[n], SEGMENT, path);
        err = self->storage->open(self->storage, path, STORAGE_WRITE, &file);
        if (err == OC_ERR_OK)
            err = self->storage->sync(file);
        self->storage->close(file);
    }
    free(list.bases);
    return err;
}

oc_err_t journal_segments_tidy(journal_t *self)
{
    OC_ASSERT(!self->config.read_only);
    base_list_t list;
    oc_err_t err = list_bases(self, PREPARING, &list);
    for (size_t i = 0; err == OC_ERR_OK && i < list.count; i++) {
        char path[JOURNAL_PATH_SIZE];
        journal_path(self, list.bases[i], PREPARING, path);
        err = self->storage->remove(self->storage, path);
    }
    free(list.bases);
    return err == OC_ERR_OK ? self->storage->sync_dir(self->storage, self->dir) : err;
}

oc_err_t journal_segments_drop_first(journal_t *self, bool *removed)
{
    const uint64_t base = atomic_load_explicit(&self->first, memory_order_relaxed);
    char path[JOURNAL_PATH_SIZE];
    journal_path(self, base, SEGMENT, path);
    const oc_err_t err = self->storage->remove(self->storage, path);
    *removed = err == OC_ERR_OK;
    if (err != OC_ERR_OK)
        return err;
    atomic_store_explicit(&self->first, base + self->segment_bytes, memory_order_relaxed);
    return self->storage->sync_dir(self->storage, self->dir);
}

/* Oldest first, and durably one by one: what a power cut leaves has no hole. */
oc_err_t journal_purge(journal_t *self, log_position_t keep, bool dry_run,
                       storage_visitor_t visitor, void *context)
{
    OC_ASSERT(!self->config.read_only);
    OC_ASSERT(self->found.done);
    const uint64_t end = self->started ? journal_durable(self).value : self->found.end;
    const uint64_t limit = keep.value < end ? keep.value : end;
    for (uint64_t base = journal_first(self).value; base + self->segment_bytes < limit;
         base += self->segment_bytes) {
        char path[JOURNAL_PATH_SIZE];
        journal_path(self, base, SEGMENT, path);
        if (visitor && !visitor(context, strrchr(path, '/') + 1))
            return OC_ERR_OK;
        if (dry_run)
            continue;
        bool removed;
        const oc_err_t err = journal_segments_drop_first(self, &removed);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}
