/*
 * The preparer: makes segments ahead of the writer, so that a group only overwrites blocks that are
 * allocated and zero, and removes old ones that were released. Its own thread, or stepped by a
 * test.
 *
 * Invariants: a segment gets its name when it is complete and synced, and counts (ready_end) when
 * the name is durable; zeros are really written, since a block that is only reserved costs the
 * first sync a change of the file's map. A full device is waited out, every other failure to make
 * one is final; old segments that cannot be removed are only told. It must not touch the content of
 * a segment that counts.
 */
#define _GNU_SOURCE
#include "journal/journal_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"

#include <stdio.h>
#include <string.h>

/* With a segment in reserve there is no hurry: small writes, with pauses while groups are written,
 * leave the writer's syncs nearly as fast as they are alone. */
#define CHUNK_BYTES      JOURNAL_PREPARE_BYTES
#define CHUNK_CALM_BYTES (UINT32_C(128) * 1024)
#define CHUNK_CALM_NS    UINT64_C(1000000)
#define LOOK_NS          UINT64_C(100000000)
#define RELEASE_AGAIN_NS UINT64_C(1000000000)

static void segment_paths(const journal_t *self, char preparing[JOURNAL_PATH_SIZE],
                          char ready[JOURNAL_PATH_SIZE])
{
    const uint64_t base = atomic_load_explicit(&self->ready_end, memory_order_relaxed);
    journal_path(self, base, ".preparing", preparing);
    journal_path(self, base, ".journal", ready);
}

/* Segments behind the one being filled. */
static uint64_t ready_segments(const journal_t *self)
{
    const uint64_t end = atomic_load_explicit(&self->ready_end, memory_order_relaxed);
    /* Sequentially consistent: the second look before a sleep (journal_waker.h). */
    const uint64_t base = atomic_load(&self->fill_base);
    return end > base ? (end - base) / self->segment_bytes - 1 : 0;
}

void journal_preparer_drop(journal_t *self)
{
    journal_preparer_t *preparer = &self->preparer;
    if (!preparer->file)
        return;
    char preparing[JOURNAL_PATH_SIZE];
    char ready[JOURNAL_PATH_SIZE];
    segment_paths(self, preparing, ready);
    self->storage->close(preparer->file);
    preparer->file = NULL;
    /* If that fails, the next one that is begun removes it, or the next start. */
    preparer->left_over = self->storage->remove(self->storage, preparing) != OC_ERR_OK;
}

static oc_err_t begin(journal_t *self)
{
    OC_ASSERT(!self->preparer.file);
    char preparing[JOURNAL_PATH_SIZE];
    char ready[JOURNAL_PATH_SIZE];
    segment_paths(self, preparing, ready);
    self->preparer.offset = 0;
    /* Whether it is there is not known; if it is and stays, the name is taken. */
    if (self->preparer.left_over)
        (void)self->storage->remove(self->storage, preparing);
    self->preparer.left_over = false;
    return self->storage->open(self->storage, preparing, STORAGE_CREATE, &self->preparer.file);
}

static oc_err_t write_header(journal_t *self)
{
    journal_preparer_t *preparer = &self->preparer;
    journal_segment_header_t header;
    journal_segment_header(self, atomic_load_explicit(&self->ready_end, memory_order_relaxed),
                           &header);
    memcpy(preparer->chunk, &header, sizeof header);
    const oc_err_t err = self->storage->write(preparer->file, 0, preparer->chunk, STORAGE_BLOCK);
    memset(preparer->chunk, 0, sizeof header);
    preparer->offset = STORAGE_BLOCK;
    return err;
}

static oc_err_t write_zeros(journal_t *self, uint64_t limit)
{
    journal_preparer_t *preparer = &self->preparer;
    const uint64_t rest = self->segment_bytes - preparer->offset;
    const size_t length = (size_t)(rest < limit ? rest : limit);
    const oc_err_t err =
        self->storage->write(preparer->file, preparer->offset, preparer->chunk, length);
    preparer->offset += length;
    return err;
}

static oc_err_t finish(journal_t *self)
{
    journal_preparer_t *preparer = &self->preparer;
    char preparing[JOURNAL_PATH_SIZE];
    char ready[JOURNAL_PATH_SIZE];
    segment_paths(self, preparing, ready);
    oc_err_t err = self->storage->sync(preparer->file);
    if (err != OC_ERR_OK)
        return err;
    self->storage->close(preparer->file);
    preparer->file = NULL;
    err = self->storage->rename(self->storage, preparing, ready);
    if (err == OC_ERR_OK)
        err = self->storage->sync_dir(self->storage, self->dir);
    if (err != OC_ERR_OK)
        return err;
    /* Release: whoever sees the new end finds the file. */
    atomic_fetch_add_explicit(&self->ready_end, self->segment_bytes, memory_order_release);
    return OC_ERR_OK;
}

static oc_err_t step(journal_t *self, uint64_t chunk_bytes)
{
    journal_preparer_t *preparer = &self->preparer;
    if (!preparer->file)
        return begin(self);
    if (preparer->offset == 0)
        return write_header(self);
    if (preparer->offset < self->segment_bytes)
        return write_zeros(self, chunk_bytes);
    return finish(self);
}

oc_err_t journal_preparer_make(journal_t *self)
{
    const uint64_t before = atomic_load(&self->ready_end);
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && atomic_load(&self->ready_end) == before)
        err = step(self, CHUNK_BYTES);
    if (err != OC_ERR_OK)
        journal_preparer_drop(self);
    return err;
}

/* ---- Segments that nobody needs any more ---- */

/*
 * Making a segment goes first, unless there is no space for one. Never what is not durable: the log
 * must not end before it begins.
 */
static bool is_release_due(const journal_t *self, uint64_t ready, uint64_t now_ns)
{
    const journal_preparer_t *preparer = &self->preparer;
    const bool low = atomic_load_explicit(&self->space_low, memory_order_relaxed);
    if (preparer->file || (ready == 0 && !low))
        return false;
    /* Sequentially consistent: the second look before a sleep (journal_waker.h). */
    const uint64_t keep = atomic_load(&self->keep);
    const uint64_t durable = journal_durable(self).value;
    return !preparer->release_over && now_ns >= preparer->release_not_before_ns &&
           journal_first(self).value + self->segment_bytes < (keep < durable ? keep : durable);
}

/*
 * A removal that failed is tried again. If it is not known to be durable, nothing follows it in
 * this run: of two removals a power cut might keep only the second, and the log would have a hole.
 */
static unsigned release_segment(journal_t *self, uint64_t now_ns)
{
    journal_preparer_t *preparer = &self->preparer;
    bool removed;
    const oc_err_t err = journal_segments_drop_first(self, &removed);
    if (err == OC_ERR_OK) {
        preparer->release_told = false;
        return 1;
    }
    if (removed || !preparer->release_told)
        (void)fprintf(stderr, "outcry: journal: an old segment cannot be removed, %s: %s\n",
                      removed ? "the others stay until the next start" : "it is tried again",
                      oc_err_context());
    preparer->release_told = true;
    preparer->release_over = removed;
    preparer->release_not_before_ns = now_ns + RELEASE_AGAIN_NS;
    return 0;
}

/* ---- Rounds ---- */

/* Whether to begin a segment; keeps the condition of the space up to date. */
static bool may_begin(journal_t *self, bool wanted, oc_err_t *err)
{
    uint64_t free_bytes = 0;
    *err = self->storage->free_bytes(self->storage, self->dir, &free_bytes);
    if (*err != OC_ERR_OK)
        return false;
    const uint64_t need =
        self->config.low_space_bytes + (wanted ? (uint64_t)self->segment_bytes : 0);
    const bool low = free_bytes < need;
    /* Relaxed: a condition to look at, it orders nothing. */
    atomic_store_explicit(&self->space_low, low, memory_order_relaxed);
    return wanted && !low;
}

/* Whether the pace, or the time until the next look at a full device, lets the round go by. */
static bool must_wait(const journal_t *self, bool wanted, bool urgent, uint64_t now_ns)
{
    if (now_ns >= self->preparer.not_before_ns)
        return false;
    if (self->preparer.file)
        return !urgent;
    return !wanted || atomic_load_explicit(&self->space_low, memory_order_relaxed);
}

unsigned journal_preparer_work(journal_t *self, uint64_t now_ns)
{
    journal_preparer_t *preparer = &self->preparer;
    OC_ASSERT(self->started);
    const uint64_t ready = ready_segments(self);
    const bool wanted = ready < self->config.ready_segments;
    if (journal_has_failed(self))
        return 0;
    if (is_release_due(self, ready, now_ns))
        return release_segment(self, now_ns);
    if (must_wait(self, wanted, ready == 0, now_ns))
        return 0;
    oc_err_t err = OC_ERR_OK;
    if (!preparer->file && !may_begin(self, wanted, &err)) {
        preparer->not_before_ns = now_ns + LOOK_NS;
        if (err != OC_ERR_OK)
            journal_fail(self, err);
        return 0;
    }
    err = step(self, ready == 0 ? CHUNK_BYTES : CHUNK_CALM_BYTES);
    /* Relaxed: only whether the writer is busy. */
    const uint64_t groups = atomic_load_explicit(&self->handed, memory_order_relaxed);
    const bool calm = ready > 0 && preparer->file && groups != preparer->groups_seen;
    preparer->groups_seen = groups;
    preparer->not_before_ns = calm ? now_ns + CHUNK_CALM_NS : 0;
    if (err == OC_ERR_NO_SPACE) {
        journal_preparer_drop(self);
        atomic_store_explicit(&self->space_low, true, memory_order_relaxed);
        preparer->not_before_ns = now_ns + LOOK_NS;
    } else if (err != OC_ERR_OK) {
        journal_fail(self, err);
    }
    return 1;
}

/* Whether a round now would do something, or stop. */
static bool has_work(const journal_t *self, uint64_t now_ns)
{
    const uint64_t ready = ready_segments(self);
    const bool wanted = ready < self->config.ready_segments;
    if (atomic_load(&self->stop))
        return true;
    if (journal_has_failed(self))
        return false;
    return is_release_due(self, ready, now_ns) ||
           (wanted && !must_wait(self, wanted, ready == 0, now_ns));
}

void *journal_preparer_main(void *context)
{
    journal_t *self = context;
    journal_preparer_t *preparer = &self->preparer;
    /* Acquire: pairs with the store in journal_close(); only the end depends on it. */
    while (!atomic_load_explicit(&self->stop, memory_order_acquire)) {
        const uint64_t now_ns = clock_wall_ns();
        if (journal_preparer_work(self, now_ns) > 0)
            continue;
        journal_waker_prepare(&preparer->waker);
        const uint64_t until_ns = preparer->not_before_ns;
        if (has_work(self, now_ns))
            journal_waker_cancel(&preparer->waker);
        else
            journal_waker_sleep(&preparer->waker, until_ns > now_ns ? until_ns - now_ns : LOOK_NS);
    }
    return NULL;
}
