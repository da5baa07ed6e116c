/*
 * What lies behind the end of the log: whether anything there proves that the log once went on, and
 * the zeroing of what does not. Called by recovery and by journal_start().
 *
 * Invariants: only a GROUP frame with this log's checksum, at its own position, is believed;
 * whatever else is not zero is the rest of a write that was never acknowledged. The cut keeps every
 * byte below the end: a block that holds both is rewritten with the same bytes in front, so that
 * any mix of its old and new sectors gives the same entries.
 *
 * Prepared segments are zeros, many of them, and reading them all would be most of a short start.
 * So the look is close, at every block, only in the segment where the next group would go, and
 * there at most for TAIL_CLOSE_BYTES; further on it takes one block in each TAIL_STRIDE_BYTES and
 * the first one of each segment, and becomes close everywhere if one of them is not zero. Why that
 * finds what is there:
 *   - If nothing is damaged, only what one sync was for is behind the end: groups of one segment,
 *     not more than all buffers hold (journal_writer.c). The close part sees all of that, in
 *     whatever order its sectors came to the device.
 *   - If something is, the group that was hit ends in the close part, and so do those that were
 *     synced with it and prove nothing about it. The GROUP frame behind these, which proves the
 *     loss, is in the close part too, or the first in a later segment: its block is looked at, and
 *     a frame is not zero. Only if that frame is damaged as well is it left to the other blocks.
 *     Those may be zeros even where nothing is damaged, since payloads may; then a loss that took
 *     two places at once is not noticed.
 *   - In the weaker modes a power cut may lose any block since the last sync. A log whose last
 *     group says that it is of such a mode is looked at closely everywhere, and so it is for tools.
 */
#include "journal/journal_window.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define TAIL_STRIDE_BYTES (UINT64_C(1024) * 1024)
/* The most that a round of the writer may write, whatever the configuration of the time was, and
 * the block of the GROUP frame behind it. */
#define TAIL_CLOSE_BYTES ((uint64_t)JOURNAL_GROUPS_MAX * JOURNAL_GROUP_BYTES_MAX + STORAGE_BLOCK)

bool journal_group_valid(const journal_t *self, const uint8_t *bytes, uint64_t position,
                         journal_group_t *group)
{
    const journal_frame_t *frame = (const journal_frame_t *)(const void *)bytes;
    if (frame->length != sizeof(journal_frame_t) + sizeof(journal_group_t) ||
        frame->type != JOURNAL_OWN_GROUP || frame->position != position || frame->reserved != 0 ||
        frame->crc != journal_frame_crc(frame, self->salt))
        return false;
    memcpy(group, frame + 1, sizeof *group);
    return group->durable_before <= position;
}

/* Lengths are multiples of 32: positions are, and blocks end there. */
static bool is_zero(const uint8_t *bytes, uint32_t length)
{
    for (uint32_t at = 0; at < length; at += JOURNAL_FRAME_ALIGN) {
        uint64_t words[JOURNAL_FRAME_ALIGN / 8];
        memcpy(words, bytes + at, sizeof words);
        if (words[0] | words[1] | words[2] | words[3])
            return false;
    }
    return true;
}

static void look_at_block(const journal_t *self, const uint8_t *bytes, uint64_t position,
                          journal_tail_t *tail)
{
    journal_group_t group;
    if (!journal_group_valid(self, bytes, position, &group) ||
        group.durable_before <= tail->durable)
        return;
    const journal_frame_t *frame = (const journal_frame_t *)(const void *)bytes;
    tail->durable = group.durable_before;
    tail->unsynced = (frame->flags & JOURNAL_GROUP_UNSYNCED) != 0;
}

/* At every block. */
static oc_err_t look_closely(journal_window_t *window, uint64_t from, uint64_t to,
                             journal_tail_t *tail)
{
    const journal_t *self = window->journal;
    for (uint64_t position = from; position < to;) {
        if (position == journal_segment_base(self, position))
            position += STORAGE_BLOCK;
        const uint32_t length = (uint32_t)(journal_block_down(position) + STORAGE_BLOCK - position);
        const uint8_t *bytes = NULL;
        const oc_err_t err = journal_window_at(window, position, length, &bytes);
        if (err != OC_ERR_OK)
            return err;
        if (!is_zero(bytes, length)) {
            tail->written_end = position + length;
            if (length == STORAGE_BLOCK)
                look_at_block(self, bytes, position, tail);
        }
        position += length;
    }
    return OC_ERR_OK;
}

/* At one block in each stretch; *empty tells that all of them are zero. */
static oc_err_t look_around(journal_window_t *window, uint64_t from, uint64_t to, bool *empty)
{
    *empty = true;
    for (uint64_t position = from; position < to && *empty;) {
        const uint64_t base = journal_segment_base(window->journal, position);
        const uint64_t segment_end = base + window->journal->segment_bytes;
        if (position == base)
            position += STORAGE_BLOCK;
        const uint8_t *bytes = NULL;
        const oc_err_t err = journal_window_peek(window, position, &bytes);
        if (err != OC_ERR_OK)
            return err;
        *empty = is_zero(bytes, STORAGE_BLOCK);
        position += TAIL_STRIDE_BYTES;
        if (position > segment_end)
            position = segment_end;
    }
    return OC_ERR_OK;
}

/* Where the close look ends: not behind the segment of the next group. */
static uint64_t close_part(const journal_t *self, uint64_t next_start)
{
    const uint64_t segment_end = journal_segment_base(self, next_start) + self->segment_bytes;
    const uint64_t close = next_start + TAIL_CLOSE_BYTES;
    return close < segment_end ? close : segment_end;
}

oc_err_t journal_tail_look(journal_window_t *window, uint64_t end, uint64_t next_start,
                           bool everywhere, journal_tail_t *tail)
{
    const uint64_t ready_end = atomic_load(&window->journal->ready_end);
    OC_ASSERT(end % JOURNAL_FRAME_ALIGN == 0);
    OC_ASSERT(next_start >= end);
    *tail = (journal_tail_t){.written_end = end};
    const uint64_t close = close_part(window->journal, next_start);
    const uint64_t close_end = everywhere || close > ready_end ? ready_end : close;
    oc_err_t err = look_closely(window, end, close_end, tail);
    bool empty = true;
    if (err == OC_ERR_OK)
        err = look_around(window, close_end, ready_end, &empty);
    if (err == OC_ERR_OK && !empty)
        err = look_closely(window, close_end, ready_end, tail);
    return err;
}

/* The block that holds the end: entries in front, zeros from there on. */
static oc_err_t zero_half_block(journal_t *self, storage_file_t *file, uint64_t offset)
{
    const uint64_t block = journal_block_down(offset);
    uint8_t *bytes = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    if (!bytes)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory to cut %s", self->dir);
    size_t got = 0;
    oc_err_t err = self->storage->read(file, block, bytes, STORAGE_BLOCK, &got);
    if (err == OC_ERR_OK && got < STORAGE_BLOCK)
        err = error_set(OC_ERR_DAMAGED, "journal: a segment in %s is cut off", self->dir);
    if (err == OC_ERR_OK) {
        memset(bytes + (offset - block), 0, (size_t)(block + STORAGE_BLOCK - offset));
        err = self->storage->write(file, block, bytes, STORAGE_BLOCK);
    }
    free(bytes);
    return err;
}

static oc_err_t zero_range(journal_t *self, storage_file_t *file, uint64_t from, uint64_t to,
                           const uint8_t *zeros)
{
    OC_ASSERT(from >= STORAGE_BLOCK);
    OC_ASSERT(to % STORAGE_BLOCK == 0);
    oc_err_t err = OC_ERR_OK;
    if (from % STORAGE_BLOCK != 0) {
        err = zero_half_block(self, file, from);
        from = journal_block_up(from);
    }
    while (err == OC_ERR_OK && from < to) {
        const size_t length =
            (size_t)(to - from < JOURNAL_PREPARE_BYTES ? to - from : JOURNAL_PREPARE_BYTES);
        err = self->storage->write(file, from, zeros, length);
        from += length;
    }
    return err;
}

oc_err_t journal_tail_zero(journal_t *self, uint64_t base, uint64_t from, uint64_t to,
                           const uint8_t *zeros)
{
    const uint64_t end = base + self->segment_bytes;
    if (from < base + STORAGE_BLOCK)
        from = base + STORAGE_BLOCK;
    if (to > end)
        to = end;
    char path[JOURNAL_PATH_SIZE];
    journal_path(self, base, ".journal", path);
    storage_file_t *file = NULL;
    oc_err_t err = self->storage->open(self->storage, path, STORAGE_WRITE, &file);
    if (err != OC_ERR_OK)
        return err;
    if (from < to)
        err = zero_range(self, file, from - base, to - base, zeros);
    if (err == OC_ERR_OK)
        err = self->storage->sync(file);
    self->storage->close(file);
    return err;
}

oc_err_t journal_tail_cut(journal_t *self)
{
    const journal_found_t *found = &self->found;
    OC_ASSERT(found->done);
    OC_ASSERT(found->written_end >= found->end);
    OC_ASSERT(found->sync_from <= found->end);
    const uint64_t ready_end = atomic_load(&self->ready_end);
    uint64_t base = journal_segment_base(self, found->sync_from);
    if (base < journal_first(self).value)
        base = journal_first(self).value;
    oc_err_t err = OC_ERR_OK;
    for (; err == OC_ERR_OK && base < ready_end && base < found->written_end;
         base += self->segment_bytes)
        err = journal_tail_zero(self, base, found->end, found->written_end, self->preparer.chunk);
    return err;
}
