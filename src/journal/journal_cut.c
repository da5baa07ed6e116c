/*
 * Cutting the log by hand: what an operator does about damage that recovery refuses. Called by
 * tools, under the lock.
 *
 * Invariants: every block that is zeroed was copied and synced before, so a cut can be undone by
 * copying it back; what is kept ends behind an entry, and is a log that recovery accepts. It must
 * not be called for a journal that appends.
 */
#include "journal/journal_internal.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies [from, to) of a segment, offsets of blocks, to the beginning of a new file. */
static oc_err_t copy_blocks(journal_t *self, storage_file_t *source, storage_file_t *target,
                            uint64_t from, uint64_t to)
{
    uint8_t *bytes = aligned_alloc(STORAGE_BLOCK, JOURNAL_PREPARE_BYTES);
    if (!bytes)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory to save what is cut");
    oc_err_t err = OC_ERR_OK;
    for (uint64_t at = from; err == OC_ERR_OK && at < to;) {
        const size_t length =
            (size_t)(to - at < JOURNAL_PREPARE_BYTES ? to - at : JOURNAL_PREPARE_BYTES);
        size_t got = 0;
        err = self->storage->read(source, at, bytes, length, &got);
        if (err == OC_ERR_OK && got < length)
            err = error_set(OC_ERR_READ, "journal: a segment in %s is cut off", self->dir);
        if (err == OC_ERR_OK)
            err = self->storage->write(target, at - from, bytes, length);
        at += length;
    }
    free(bytes);
    return err == OC_ERR_OK ? self->storage->sync(target) : err;
}

typedef struct name_search {
    const char *name;
    bool found;
} name_search_t;

static bool compare_name(void *context, const char *name)
{
    name_search_t *search = context;
    search->found = strcmp(name, search->name) == 0;
    return !search->found;
}

/* A name that no earlier cut has used: what that one saved is kept. */
static oc_err_t free_name(const journal_t *self, uint64_t base, char path[JOURNAL_PATH_SIZE])
{
    char ending[32] = ".cut";
    for (unsigned number = 1;; number++) {
        journal_path(self, base, ending, path);
        name_search_t search = {.name = strrchr(path, '/') + 1};
        const oc_err_t err = self->storage->list(self->storage, self->dir, compare_name, &search);
        if (err != OC_ERR_OK || !search.found)
            return err;
        (void)snprintf(ending, sizeof ending, ".%u.cut", number);
    }
}

static oc_err_t save_segment(journal_t *self, uint64_t base, uint64_t from, uint64_t to)
{
    char path[JOURNAL_PATH_SIZE];
    storage_file_t *source = NULL;
    storage_file_t *target = NULL;
    journal_path(self, base, ".journal", path);
    oc_err_t err = self->storage->open(self->storage, path, STORAGE_READ, &source);
    if (err != OC_ERR_OK)
        return err;
    err = free_name(self, base, path);
    if (err == OC_ERR_OK)
        err = self->storage->open(self->storage, path, STORAGE_CREATE, &target);
    if (err == OC_ERR_OK)
        err = copy_blocks(self, source, target, from - base, to - base);
    self->storage->close(target);
    self->storage->close(source);
    return err == OC_ERR_OK ? self->storage->sync_dir(self->storage, self->dir) : err;
}

/* The part of a segment that is cut, in whole blocks; false if there is none. */
static bool cut_range(const journal_t *self, uint64_t base, const journal_cut_t *cut,
                      uint64_t range[2])
{
    const uint64_t begin = base + STORAGE_BLOCK;
    const uint64_t end = base + self->segment_bytes;
    range[0] = cut->end.value > begin ? journal_block_down(cut->end.value) : begin;
    range[1] = cut->lost_to.value < end ? cut->lost_to.value : end;
    return range[0] < range[1];
}

static oc_err_t cut_segments(journal_t *self, journal_cut_t *cut, const uint8_t *zeros)
{
    const uint64_t ready_end = atomic_load(&self->ready_end);
    uint64_t range[2];
    oc_err_t err = OC_ERR_OK;
    /* All is saved before anything is zeroed. */
    for (uint64_t base = journal_first(self).value; err == OC_ERR_OK && base < ready_end;
         base += self->segment_bytes) {
        if (!cut_range(self, base, cut, range))
            continue;
        err = save_segment(self, base, range[0], range[1]);
        cut->files++;
    }
    /* From the back: while it is not done, what is left still proves that something is missing. */
    for (uint64_t base = ready_end; err == OC_ERR_OK && base > journal_first(self).value;) {
        base -= self->segment_bytes;
        if (cut_range(self, base, cut, range))
            err = journal_tail_zero(self, base, cut->end.value, range[1], zeros);
    }
    return err;
}

oc_err_t journal_cut(journal_t *self, log_position_t at, bool dry_run, journal_cut_t *cut)
{
    OC_ASSERT(!self->started);
    OC_ASSERT(dry_run || !self->config.read_only);
    memset(cut, 0, sizeof *cut);
    journal_verdict_t verdict;
    oc_err_t err = journal_recover_up_to(self, at, &verdict);
    if (err != OC_ERR_OK)
        return err;
    const journal_found_t *found = &self->found;
    if (found->end != at.value && found->next_start != at.value)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "journal: position %" PRIu64 " is no boundary of what can be read of %s; "
                         "the last one before it is %" PRIu64,
                         at.value, self->dir, found->end);
    /* A PAD promises a next segment: it must not be the last entry. */
    const bool alone = found->pad && found->next_start >= atomic_load(&self->ready_end);
    cut->end.value = alone ? found->end - JOURNAL_FRAME_ALIGN : found->end;
    cut->lost_to.value = alone ? journal_block_up(found->end) : found->written_end;
    cut->entries = verdict.entries;
    if (dry_run || cut->lost_to.value <= cut->end.value)
        return OC_ERR_OK;
    uint8_t *zeros = aligned_alloc(STORAGE_BLOCK, JOURNAL_PREPARE_BYTES);
    if (!zeros)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory to cut %s", self->dir);
    memset(zeros, 0, JOURNAL_PREPARE_BYTES);
    err = cut_segments(self, cut, zeros);
    free(zeros);
    self->found.done = false;
    return err;
}
