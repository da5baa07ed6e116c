/*
 * Reading segments in large blocks. Called by recovery and by the look behind the log's end.
 *
 * Invariants: memory holds the positions begin to end of one segment; a range that is asked for is
 * inside, whole, at an address as aligned as its position. The reading thread has the file and the
 * other buffer from the request to its answer, and nobody else then. It must not judge what it
 * reads, or write.
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
    while (ahead->state != JOURNAL_AHEAD_STOP) {
        if (ahead->state == JOURNAL_AHEAD_ASKED) {
            ahead->err = self->journal->storage->read(ahead->file, ahead->offset, ahead->bytes,
                                                      ahead->length, &ahead->got);
            ahead->state = JOURNAL_AHEAD_DONE;
            (void)pthread_cond_signal(&ahead->changed);
        }
        (void)pthread_cond_wait(&ahead->changed, &ahead->mutex);
    }
    (void)pthread_mutex_unlock(&ahead->mutex);
    return NULL;
}

/* Asks for the block behind what is in memory, if the segment goes on there. */
static void ask_ahead(journal_window_t *self)
{
    journal_ahead_t *ahead = &self->ahead;
    const uint64_t rest = self->file_base + self->journal->segment_bytes - self->end;
    if (rest == 0)
        return;
    if (!ahead->running)
        ahead->running = pthread_create(&ahead->thread, NULL, read_ahead_main, self) == 0;
    if (!ahead->running)
        return;
    (void)pthread_mutex_lock(&ahead->mutex);
    OC_ASSERT(ahead->state == JOURNAL_AHEAD_NONE);
    ahead->file = self->file;
    ahead->offset = self->end - self->file_base;
    ahead->length = rest < JOURNAL_WINDOW_BYTES ? (uint32_t)rest : JOURNAL_WINDOW_BYTES;
    ahead->bytes = self->buffers[1 - self->current] + HEAD_BYTES;
    ahead->state = JOURNAL_AHEAD_ASKED;
    (void)pthread_cond_signal(&ahead->changed);
    (void)pthread_mutex_unlock(&ahead->mutex);
}

/* Waits for the answer, if something was asked; false if not. The file is free again then. */
static bool await_ahead(journal_window_t *self)
{
    journal_ahead_t *ahead = &self->ahead;
    (void)pthread_mutex_lock(&ahead->mutex);
    while (ahead->state == JOURNAL_AHEAD_ASKED)
        (void)pthread_cond_wait(&ahead->changed, &ahead->mutex);
    const bool done = ahead->state == JOURNAL_AHEAD_DONE;
    ahead->state = JOURNAL_AHEAD_NONE;
    (void)pthread_mutex_unlock(&ahead->mutex);
    return done;
}

/* Goes on to the block that was read ahead, if that gives the range. */
static bool take_ahead(journal_window_t *self, uint64_t position, uint32_t length)
{
    const journal_ahead_t *ahead = &self->ahead;
    const bool follows = self->end > 0 && position >= self->begin && position <= self->end;
    if (!await_ahead(self) || !follows || ahead->err != OC_ERR_OK || ahead->got < ahead->length ||
        position + length > self->end + ahead->length)
        return false;
    const uint32_t left = (uint32_t)(self->end - position);
    uint8_t *bytes = ahead->bytes - left;
    if (left > 0)
        memcpy(bytes, self->bytes + (position - self->begin), left);
    self->current = 1 - self->current;
    self->bytes = bytes;
    self->begin = position;
    self->end += ahead->length;
    self->read_bytes += ahead->got;
    return true;
}

/* ---- The window ---- */

oc_err_t journal_window_init(journal_window_t *self, const journal_t *journal)
{
    memset(self, 0, sizeof *self);
    self->journal = journal;
    self->file_base = JOURNAL_NO_SEGMENT;
    for (int i = 0; i < 2; i++)
        self->buffers[i] = aligned_alloc(STORAGE_BLOCK, HEAD_BYTES + BLOCK_BYTES);
    if (!self->buffers[0] || !self->buffers[1]) {
        free(self->buffers[0]);
        free(self->buffers[1]);
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory to read %s", journal->dir);
    }
    OC_ASSERT(pthread_mutex_init(&self->ahead.mutex, NULL) == 0);
    OC_ASSERT(pthread_cond_init(&self->ahead.changed, NULL) == 0);
    return OC_ERR_OK;
}

void journal_window_fini(journal_window_t *self)
{
    journal_ahead_t *ahead = &self->ahead;
    (void)await_ahead(self);
    if (ahead->running) {
        (void)pthread_mutex_lock(&ahead->mutex);
        ahead->state = JOURNAL_AHEAD_STOP;
        (void)pthread_cond_signal(&ahead->changed);
        (void)pthread_mutex_unlock(&ahead->mutex);
        (void)pthread_join(ahead->thread, NULL);
    }
    (void)pthread_cond_destroy(&ahead->changed);
    (void)pthread_mutex_destroy(&ahead->mutex);
    self->journal->storage->close(self->file);
    free(self->buffers[0]);
    free(self->buffers[1]);
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

/* Reads now. */
static oc_err_t read_block(journal_window_t *self, uint64_t position, uint32_t length)
{
    const journal_t *journal = self->journal;
    const uint64_t base = journal_segment_base(journal, position);
    const uint64_t segment_end = base + journal->segment_bytes;
    const uint64_t begin = journal_block_down(position);
    uint64_t end = journal_block_up(position + length);
    if (end < begin + JOURNAL_WINDOW_BYTES)
        end = begin + JOURNAL_WINDOW_BYTES;
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
        const oc_err_t err = read_block(self, position, length);
        if (err != OC_ERR_OK)
            return err;
    }
    if (in_order)
        ask_ahead(self);
    return OC_ERR_OK;
}
