/*
 * Reading segments in large blocks. Called by recovery and by the look behind the log's end.
 *
 * Invariants: memory holds the positions begin to end of one segment; a range that is asked for is
 * inside, whole, at an address as aligned as its position. The reading thread has the file and the
 * buffers of the blocks that are asked for and not done, and nobody else then. It must not judge
 * what it reads, or write.
 */
#include "journal/journal_window.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In front of a block that is read ahead: what is left of the one before, at most a frame. */
#define HEAD_BYTES (JOURNAL_PAYLOAD_MAX + (uint32_t)STORAGE_BLOCK)
/* A block, or the largest frame wherever in its first 4 KiB it begins. */
#define BLOCK_BYTES (JOURNAL_PAYLOAD_MAX + 2 * (uint32_t)STORAGE_BLOCK)

_Static_assert(BLOCK_BYTES >= JOURNAL_WINDOW_BYTES, "a load fits");
_Static_assert(HEAD_BYTES % STORAGE_BLOCK == 0, "blocks are aligned");
_Static_assert(HEAD_BYTES >= JOURNAL_PAYLOAD_MAX + sizeof(journal_frame_t), "a frame fits");

/* ---- Reading ahead ---- */

static void *read_ahead_main(void *context)
{
    journal_window_t *self = context;
    journal_ahead_t *ahead = &self->ahead;
    (void)pthread_mutex_lock(&ahead->mutex);
    while (!ahead->stop) {
        if (ahead->done == ahead->asked) {
            (void)pthread_cond_wait(&ahead->changed, &ahead->mutex);
            continue;
        }
        journal_block_t *block = &ahead->blocks[ahead->done % JOURNAL_WINDOW_AHEAD];
        storage_file_t *file = ahead->file; /* the window stores it again with each request */
        (void)pthread_mutex_unlock(&ahead->mutex);
        block->err = self->journal->storage->read(file, block->offset, block->bytes, block->length,
                                                  &block->got);
        (void)pthread_mutex_lock(&ahead->mutex);
        ahead->done++;
        (void)pthread_cond_signal(&ahead->changed);
    }
    (void)pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

/* Where the blocks that are asked for end, as a position. */
static uint64_t ahead_end(const journal_window_t *self)
{
    const journal_ahead_t *ahead = &self->ahead;
    if (ahead->asked == ahead->taken)
        return self->end;
    const journal_block_t *last = &ahead->blocks[(ahead->asked - 1) % JOURNAL_WINDOW_AHEAD];
    return self->file_base + last->offset + last->length;
}

/* Asks for the blocks behind what is in memory, as far as there are buffers and the segment goes
 * on. The buffers are used in turn, so the one that is current is not among the asked ones. */
static void ask_ahead(journal_window_t *self)
{
    journal_ahead_t *ahead = &self->ahead;
    const uint64_t segment_end = self->file_base + self->journal->segment_bytes;
    uint64_t at = ahead_end(self);
    if (at == segment_end)
        return;
    if (!ahead->running)
        ahead->running = pthread_create(&ahead->thread, NULL, read_ahead_main, self) == 0;
    if (!ahead->running)
        return;
    (void)pthread_mutex_lock(&ahead->mutex);
    ahead->file = self->file;
    for (; at < segment_end && ahead->asked - ahead->taken < JOURNAL_WINDOW_AHEAD; ahead->asked++) {
        const uint64_t rest = segment_end - at;
        const uint64_t buffer = self->current + 1 + (ahead->asked - ahead->taken);
        journal_block_t *block = &ahead->blocks[ahead->asked % JOURNAL_WINDOW_AHEAD];
        block->offset = at - self->file_base;
        block->length = rest < JOURNAL_WINDOW_BYTES ? (uint32_t)rest : JOURNAL_WINDOW_BYTES;
        block->bytes = self->buffers[buffer % (JOURNAL_WINDOW_AHEAD + 1)] + HEAD_BYTES;
        at += block->length;
    }
    (void)pthread_cond_signal(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->mutex);
}

/* Waits until so many blocks are read. The thread and this one are never both asleep: this one
 * waits only for what is asked for, that one only while nothing is. */
static void await_ahead(journal_ahead_t *ahead, uint64_t count)
{
    OC_ASSERT(count <= ahead->asked);
    (void)pthread_mutex_lock(&ahead->mutex);
    while (ahead->done < count)
        (void)pthread_cond_wait(&ahead->changed, &ahead->mutex);
    (void)pthread_mutex_unlock(&ahead->mutex);
}

/* Gives up what was asked for. The file is free then. */
static void drop_ahead(journal_window_t *self)
{
    await_ahead(&self->ahead, self->ahead.asked);
    self->ahead.taken = self->ahead.asked;
}

/* Goes on to the block that was read ahead, if that gives the range. */
static bool take_ahead(journal_window_t *self, uint64_t position, uint32_t length)
{
    journal_ahead_t *ahead = &self->ahead;
    const bool follows = self->end > 0 && position >= self->begin && position <= self->end;
    if (!follows || ahead->taken == ahead->asked)
        return false;
    const journal_block_t *block = &ahead->blocks[ahead->taken % JOURNAL_WINDOW_AHEAD];
    await_ahead(ahead, ahead->taken + 1);
    if (block->err != OC_ERR_OK || block->got < block->length ||
        position + length > self->end + block->length)
        return false;
    const uint32_t left = (uint32_t)(self->end - position);
    uint8_t *bytes = block->bytes - left;
    if (left > 0)
        memcpy(bytes, self->bytes + (position - self->begin), left);
    ahead->taken++;
    self->current = (self->current + 1) % (JOURNAL_WINDOW_AHEAD + 1);
    self->bytes = bytes;
    self->begin = position;
    self->end += block->length;
    self->read_bytes += block->got;
    return true;
}

/* ---- The window ---- */

static void free_buffers(journal_window_t *self)
{
    for (uint32_t i = 0; i <= JOURNAL_WINDOW_AHEAD; i++)
        free(self->buffers[i]);
}

oc_err_t journal_window_init(journal_window_t *self, const journal_t *journal)
{
    memset(self, 0, sizeof *self);
    self->journal = journal;
    self->file_base = JOURNAL_NO_SEGMENT;
    bool all = true;
    for (uint32_t i = 0; i <= JOURNAL_WINDOW_AHEAD; i++) {
        self->buffers[i] = aligned_alloc(STORAGE_BLOCK, HEAD_BYTES + BLOCK_BYTES);
        all = all && self->buffers[i];
    }
    if (!all) {
        free_buffers(self);
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory to read %s", journal->dir);
    }
    OC_ASSERT(pthread_mutex_init(&self->ahead.mutex, NULL) == 0);
    OC_ASSERT(pthread_cond_init(&self->ahead.changed, NULL) == 0);
    return OC_ERR_OK;
}

void journal_window_fini(journal_window_t *self)
{
    journal_ahead_t *ahead = &self->ahead;
    drop_ahead(self);
    if (ahead->running) {
        (void)pthread_mutex_lock(&ahead->mutex);
        ahead->stop = true;
        (void)pthread_cond_signal(&ahead->changed);
        (void)pthread_mutex_unlock(&ahead->mutex);
        (void)pthread_join(ahead->thread, NULL);
    }
    (void)pthread_cond_destroy(&ahead->changed);
    (void)pthread_mutex_destroy(&ahead->mutex);
    self->journal->storage->close(self->file);
    free_buffers(self);
    memset(self, 0, sizeof *self);
}

static oc_err_t select_file(journal_window_t *self, uint64_t base)
{
    const journal_t *journal = self->journal;
    if (self->file_base == base)
        return OC_ERR_OK;
    journal->storage->close(self->file);
    self->file = NULL;
    self->file_base = JOURNAL_NO_SEGMENT;
    char path[JOURNAL_PATH_SIZE];
    journal_path(journal, base, ".journal", path);
    const oc_err_t err = journal->storage->open(journal->storage, path, STORAGE_READ, &self->file);
    if (err == OC_ERR_OK)
        self->file_base = base;
    return err;
}

/* Reads now: the blocks of the range, and `least` bytes if the segment has them. */
static oc_err_t read_block(journal_window_t *self, uint64_t position, uint32_t length,
                           uint32_t least)
{
    const journal_t *journal = self->journal;
    const uint64_t base = journal_segment_base(journal, position);
    const uint64_t segment_end = base + journal->segment_bytes;
    const uint64_t begin = journal_block_down(position);
    uint64_t end = journal_block_up(position + length);
    if (end < begin + least)
        end = begin + least;
    if (end > segment_end)
        end = segment_end;
    OC_ASSERT(end - begin <= BLOCK_BYTES);
    self->begin = 0;
    self->end = 0;
    oc_err_t err = select_file(self, base);
    if (err != OC_ERR_OK)
        return err;
    self->bytes = self->buffers[self->current] + HEAD_BYTES;
    size_t got = 0;
    err =
        journal->storage->read(self->file, begin - base, self->bytes, (size_t)(end - begin), &got);
    if (err != OC_ERR_OK)
        return err;
    self->read_bytes += got;
    if (got < end - begin) {
        char path[JOURNAL_PATH_SIZE];
        journal_path(journal, base, ".journal", path);
        return error_set(OC_ERR_DAMAGED, "journal: %s ends at offset %" PRIu64 ", it is cut off",
                         path, begin - base + got);
    }
    self->begin = begin;
    self->end = end;
    return OC_ERR_OK;
}

oc_err_t journal_window_load(journal_window_t *self, uint64_t position, uint32_t length)
{
    OC_ASSERT(length <= JOURNAL_PAYLOAD_MAX + sizeof(journal_frame_t));
    OC_ASSERT(position + length <=
              journal_segment_base(self->journal, position) + self->journal->segment_bytes);
    const bool in_order = self->end > 0 && position >= self->begin && position <= self->end;
    /* What could not be read ahead is read again here, for the error's sake. */
    if (!take_ahead(self, position, length)) {
        drop_ahead(self);
        const oc_err_t err = read_block(self, position, length, JOURNAL_WINDOW_BYTES);
        if (err != OC_ERR_OK)
            return err;
    }
    if (in_order)
        ask_ahead(self);
    return OC_ERR_OK;
}

oc_err_t journal_window_peek(journal_window_t *self, uint64_t position, const uint8_t **bytes)
{
    OC_ASSERT(position % STORAGE_BLOCK == 0);
    drop_ahead(self);
    const oc_err_t err = read_block(self, position, STORAGE_BLOCK, STORAGE_BLOCK);
    *bytes = self->bytes;
    return err;
}
