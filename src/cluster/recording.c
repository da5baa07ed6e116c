/*
 * Reading recordings of an archive. Called by the container for its private replay, by the images'
 * durability, and by the offline tools.
 *
 * Segments are read in blocks, not mapped: an archive that truncates a recording shortens the file,
 * and a mapped page behind the end of a file is a signal that nobody can answer.
 *
 * Invariants: bytes are believed only up to the limit that the caller gave when they were read
 * (`believed`), because an archive may have been in the middle of writing what lies behind; a frame
 * is used only if it names its own position (term and offset), so that no stale or shifted bytes
 * pass for one; every frame lies within its term, every term within one segment.
 * It must not write, and must not ask the archive.
 *
 * What of a frame's header can be known, for Aeron's checksum leaves it out. Its place and version.
 * That it is padding: nothing but the header is written of that. That it is a part of a message:
 * only the last one may be shorter than the MTU, which a recording keeps, and the first one comes
 * first. Its length, to 32 bytes: the checksum is of all bytes up to the next frame; those behind
 * the length are zero, so it was not made shorter unless by zeros, and nobody knows whether it was
 * made longer by some.
 */
#define _GNU_SOURCE
#include "cluster/recording.h"

#include "base/assert.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "cluster/archive_catalog.h"
#include "cluster/recording_internal.h"
#include "cluster/recording_segments.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What all of it says that has no other reason. */
#define NOT_RECORDED "it is not what was recorded" RECORDING_WAY_OUT
#define CHANGED      ": " NOT_RECORDED

/* ---- The catalog ---- */

oc_err_t recording_list(const char *archive_dir, recording_visitor_t visitor, void *context)
{
    archive_catalog_t catalog;
    const oc_err_t err = archive_catalog_load(&catalog, archive_dir);
    if (err != OC_ERR_OK)
        return err;
    recording_descriptor_t descriptor;
    size_t offset = 0;
    while (archive_catalog_next(&catalog, &offset, &descriptor))
        if (!visitor(context, &descriptor))
            break;
    archive_catalog_fini(&catalog);
    return OC_ERR_OK;
}

oc_err_t recording_find(const char *archive_dir, int64_t id, recording_descriptor_t *descriptor)
{
    archive_catalog_t catalog;
    const oc_err_t err = archive_catalog_load(&catalog, archive_dir);
    if (err != OC_ERR_OK)
        return err;
    const bool found = archive_catalog_find(&catalog, id, descriptor);
    archive_catalog_fini(&catalog);
    return found ? OC_ERR_OK
                 : error_set(OC_ERR_OPEN, "recording %" PRId64 " is not in the catalog of %s", id,
                             archive_dir);
}

/* ---- Bytes ---- */

oc_err_t recording_reader_damaged(const recording_reader_t *self, int64_t position,
                                  const char *what)
{
    char path[PATH_MAX] = "";
    const int64_t base = recording_segment_base(&self->recording, position);
    (void)recording_segment_path(self->archive_dir, self->recording.id, base, path, sizeof path);
    return error_set(OC_ERR_DAMAGED, "%s: offset %" PRId64 " (position %" PRId64 "): %s", path,
                     position - base, position, what);
}

oc_err_t recording_open_segment(recording_reader_t *self, int64_t base, bool *there)
{
    *there = true;
    if (self->fd >= 0 && self->segment == base)
        return OC_ERR_OK;
    if (self->fd >= 0)
        (void)close(self->fd);
    self->segment = base;
    char path[PATH_MAX];
    if (!recording_segment_path(self->archive_dir, self->recording.id, base, path, sizeof path)) {
        self->fd = -1;
        return error_set(OC_ERR_OPEN, "the path is too long: %s", self->archive_dir);
    }
    self->fd = open(path, O_RDONLY | O_CLOEXEC);
    *there = self->fd >= 0;
    if (*there) {
        (void)posix_fadvise(self->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
        return OC_ERR_OK;
    }
    return errno == ENOENT ? OC_ERR_OK : error_set(OC_ERR_READ, "%s: %s", path, strerror(errno));
}

oc_err_t recording_load(recording_reader_t *self, int64_t position, int64_t limit)
{
    bool there;
    self->block_start = position;
    self->believed = position;
    const oc_err_t err =
        recording_open_segment(self, recording_segment_base(&self->recording, position), &there);
    if (err != OC_ERR_OK || !there)
        return err;
    const int64_t rest = self->segment + self->recording.segment_bytes - position;
    const size_t wanted = rest < BLOCK_BYTES ? (size_t)rest : BLOCK_BYTES;
    size_t got = 0;
    while (got < wanted) {
        const ssize_t n = pread(self->fd, self->block + got, wanted - got,
                                (off_t)(position - self->segment) + (off_t)got);
        if (n < 0 && errno != EINTR)
            return error_set(OC_ERR_READ, "segment %" PRId64 " of recording %" PRId64 " in %s: %s",
                             self->segment, self->recording.id, self->archive_dir, strerror(errno));
        if (n == 0)
            break;
        if (n > 0)
            got += (size_t)n;
    }
    self->believed = position + (int64_t)got;
    if (self->believed > limit)
        self->believed = limit;
    return OC_ERR_OK;
}

/* NULL if the header is one that Aeron can have written at `position`, else what is wrong. */
static const char *frame_problem(const recording_reader_t *self, int64_t position,
                                 const frame_header_t *header)
{
    const int64_t term_bytes = self->recording.term_bytes;
    const int64_t offset = position & (term_bytes - 1);
    const uint32_t term =
        (uint32_t)self->recording.initial_term_id + (uint32_t)(position / term_bytes);
    if (header->length < RECORDING_FRAME_HEADER)
        return "the length of a frame cannot be" CHANGED;
    if (header->term_offset != offset || (uint32_t)header->term_id != term)
        return "a frame that belongs elsewhere" CHANGED;
    if (recording_frame_space(header) > term_bytes - offset)
        return "a frame goes beyond its term" CHANGED;
    if ((header->type != TYPE_DATA && header->type != TYPE_PADDING) || header->version != 0)
        return "a frame of an unknown type" CHANGED;
    if (header->type == TYPE_DATA &&
        (header->length > FRAME_BYTES_MAX || header->length > self->recording.mtu_bytes))
        return "a frame is too long" CHANGED;
    return NULL;
}

/*
 * The slow half of find_frame(): a block is read, the header is looked at. header->length is 0 when
 * nothing is written at `position`.
 */
oc_err_t recording_load_frame(recording_reader_t *self, int64_t position, int64_t limit,
                              frame_header_t *header)
{
    *header = (frame_header_t){0};
    oc_err_t err = recording_load(self, position, limit);
    if (err != OC_ERR_OK || !recording_has(self, position, RECORDING_FRAME_HEADER))
        return err;
    recording_take_header(self, position, header);
    if (header->length == 0)
        return OC_ERR_OK;
    const char *problem = frame_problem(self, position, header);
    if (problem)
        return recording_reader_damaged(self, position, problem);
    /* Of padding only the header need be there. */
    if (header->type == TYPE_DATA && position + recording_frame_space(header) <= limit &&
        !recording_has(self, position, header->length))
        return recording_reader_damaged(self, position,
                                        "the file ends within a frame" RECORDING_WAY_OUT);
    return OC_ERR_OK;
}

/* The header of the frame at `position`, all of whose bytes are in the block if it ends at or
 * before `limit`; header->length is 0 when nothing is written there. */
static inline oc_err_t find_frame(recording_reader_t *self, int64_t position, int64_t limit,
                                  frame_header_t *header)
{
    if (LIKELY(recording_has(self, position, RECORDING_FRAME_HEADER))) {
        recording_take_header(self, position, header);
        const int64_t bytes = header->type == TYPE_DATA ? header->length : RECORDING_FRAME_HEADER;
        if (LIKELY(header->length != 0 && recording_has(self, position, bytes) &&
                   !frame_problem(self, position, header)))
            return OC_ERR_OK;
    }
    return recording_load_frame(self, position, limit, header);
}

/* ---- The end ---- */

static oc_err_t check_end(recording_reader_t *self, int64_t position)
{
    bool again;
    if (self->recording.stop_position > position)
        return recording_reader_damaged(
            self, position, "nothing is written here, before the stop position" RECORDING_WAY_OUT);
    return recording_check_zeros(self, position, &again);
}

/* The position behind which nothing is to be read: the caller's limit, or where the recording was
 * stopped. Who wants to go beyond that looks into the catalog again, for it may go on by now. */
static oc_err_t clamp(recording_reader_t *self, int64_t limit, int64_t *clamped)
{
    *clamped = limit;
    if (self->recording.stop_position < 0 || limit <= self->recording.stop_position)
        return OC_ERR_OK;
    if (self->position >= self->recording.stop_position) {
        recording_descriptor_t now;
        const oc_err_t err = recording_find(self->archive_dir, self->recording.id, &now);
        if (err != OC_ERR_OK)
            return err;
        self->recording.stop_position = now.stop_position;
    }
    const int64_t stop = self->recording.stop_position;
    if (stop >= 0 && stop < limit)
        *clamped = stop;
    return OC_ERR_OK;
}

/* ---- Checksums ---- */

bool recording_checksum_matches(const recording_reader_t *self, int64_t position,
                                const frame_header_t *header)
{
    const size_t offset = (size_t)(position - self->block_start) + RECORDING_FRAME_HEADER;
    const size_t length = (size_t)recording_frame_space(header) - RECORDING_FRAME_HEADER;
    OC_ASSERT(offset + length <= BLOCK_BYTES);
    return (uint32_t)header->session_id == crc32c(0, self->block + offset, length);
}

/* Whether the first frames of data have right checksums, if there are any. */
static oc_err_t look_for_checksums(recording_reader_t *self, bool *any, bool *right)
{
    int64_t position = self->recording.start_position;
    oc_err_t err = OC_ERR_OK;
    *any = false;
    *right = false;
    for (unsigned n = 0; err == OC_ERR_OK && n < CHECKED_LOOKS && !*right; n++) {
        frame_header_t header;
        err = find_frame(self, position, INT64_MAX, &header);
        if (err != OC_ERR_OK || header.length == 0)
            break;
        *any = *any || header.type == TYPE_DATA;
        *right = header.type == TYPE_DATA && recording_checksum_matches(self, position, &header);
        position += recording_frame_space(&header);
    }
    return err;
}

/* ---- What a frame says of itself ---- */

/* An archive writes of padding the header alone, so that anything behind it was data once. */
static oc_err_t check_padding(recording_reader_t *self, int64_t position, int64_t end)
{
    bool there;
    int64_t data = -1;
    const int64_t base = recording_segment_base(&self->recording, position);
    oc_err_t err = recording_open_segment(self, base, &there);
    if (err == OC_ERR_OK && there)
        err = recording_segment_find_data(self->fd, position - base + RECORDING_FRAME_HEADER,
                                          end - base, &data);
    if (err != OC_ERR_OK || data < 0)
        return err;
    return recording_reader_damaged(self, position,
                                    "a frame that says it is padding has data in it" CHANGED);
}

/* Whether the bytes behind a frame of data, up to the next one, are zero. */
static bool ends_with_zeros(const recording_reader_t *self, int64_t position,
                            const frame_header_t *header)
{
    const uint8_t *frame = self->block + (position - self->block_start);
    const int64_t space = recording_frame_space(header);
    if (!recording_has(self, position, space))
        return true; /* a file that was cut */
    for (int64_t i = header->length; i < space; i++)
        if (frame[i] != 0)
            return false;
    return true;
}

static oc_err_t check_data(const recording_reader_t *self, int64_t position,
                           const frame_header_t *header)
{
    const char *what = NULL;
    if (self->checked && !recording_checksum_matches(self, position, header))
        what = "the checksum of a frame is wrong" CHANGED;
    else if (!ends_with_zeros(self, position, header))
        what = "a frame has data behind its length" CHANGED;
    return what ? recording_reader_damaged(self, position, what) : OC_ERR_OK;
}

/* ---- Messages ---- */

static oc_err_t append(recording_reader_t *self, int64_t position, const frame_header_t *header)
{
    const size_t length = (size_t)header->length - RECORDING_FRAME_HEADER;
    const size_t need = self->message_length + length;
    if (need > MESSAGE_BYTES_MAX)
        return recording_reader_damaged(self, position, "a message of more than 16 MiB" CHANGED);
    if (need > self->message_room || !self->message) {
        const size_t room = need < BLOCK_BYTES ? BLOCK_BYTES : need * 2;
        uint8_t *grown = realloc(self->message, room);
        if (!grown)
            return error_set(OC_ERR_NO_MEMORY, "a message of %zu bytes", need);
        self->message = grown;
        self->message_room = room;
    }
    memcpy(self->message + self->message_length,
           self->block + (position - self->block_start) + RECORDING_FRAME_HEADER, length);
    self->message_length = need;
    return OC_ERR_OK;
}

static void deliver(recording_reader_t *self, const frame_header_t *header, const uint8_t *bytes,
                    size_t length, recording_message_t *message)
{
    *message = (recording_message_t){.bytes = bytes,
                                     .length = length,
                                     .start = message->start,
                                     .position = message->position,
                                     .session_id = header->session_id,
                                     .term_id = header->term_id,
                                     .abandoned = message->abandoned};
    self->position = message->position;
}

/* A frame that is a part of a message. message->start is -1 while none is being put together. */
static oc_err_t take_part(recording_reader_t *self, int64_t position, const frame_header_t *header,
                          recording_message_t *message, bool *found)
{
    if (header->flags & FRAME_BEGIN) {
        message->abandoned = message->abandoned || message->start >= 0;
        message->start = position;
        self->message_length = 0;
    } else if (message->start < 0) {
        return recording_reader_damaged(
            self, position,
            position == self->opened
                ? "no message begins here, only a part of one without its beginning: ask for a "
                  "position where one ends; if one did, " NOT_RECORDED
                : "a part of a message without its beginning" CHANGED);
    }
    if (!(header->flags & FRAME_END) && header->length != self->recording.mtu_bytes)
        return recording_reader_damaged(self, position,
                                        "a part of a message is short, and not its end" CHANGED);
    const oc_err_t err = append(self, position, header);
    if (err != OC_ERR_OK || !(header->flags & FRAME_END))
        return err;
    message->position = position + recording_frame_space(header);
    deliver(self, header, self->message, self->message_length, message);
    *found = true;
    return OC_ERR_OK;
}

static void take_whole(recording_reader_t *self, int64_t position, const frame_header_t *header,
                       recording_message_t *message, bool *found)
{
    message->abandoned = message->abandoned || message->start >= 0;
    message->start = position;
    message->position = position + recording_frame_space(header);
    deliver(self, header, self->block + (position - self->block_start) + RECORDING_FRAME_HEADER,
            (size_t)header->length - RECORDING_FRAME_HEADER, message);
    *found = true;
}

/* A message that has begun does not go on behind it. */
static oc_err_t take_padding(recording_reader_t *self, int64_t position, int64_t end,
                             recording_message_t *message)
{
    message->abandoned = message->abandoned || message->start >= 0;
    message->start = -1;
    if (!message->abandoned)
        self->position = end;
    return check_padding(self, position, end);
}

oc_err_t recording_reader_next(recording_reader_t *self, int64_t limit,
                               recording_message_t *message, bool *found)
{
    *found = false;
    *message = (recording_message_t){.start = -1};
    oc_err_t err = clamp(self, limit, &limit);
    int64_t position = self->position;
    while (err == OC_ERR_OK && !*found && position + RECORDING_FRAME_HEADER <= limit) {
        frame_header_t header;
        err = find_frame(self, position, limit, &header);
        if (err != OC_ERR_OK)
            break;
        if (header.length == 0)
            return check_end(self, position);
        const int64_t end = position + recording_frame_space(&header);
        if (end > limit)
            break;
        if (header.type == TYPE_PADDING)
            err = take_padding(self, position, end, message);
        else
            err = check_data(self, position, &header);
        if (err == OC_ERR_OK && header.type == TYPE_DATA) {
            if (LIKELY((header.flags & FRAME_WHOLE) == FRAME_WHOLE))
                take_whole(self, position, &header, message, found);
            else
                err = take_part(self, position, &header, message, found);
        }
        position = end;
    }
    return err;
}

int64_t recording_reader_position(const recording_reader_t *self)
{
    return self->position;
}

/* ---- Opening ---- */

/* Walks frames from `from` until one begins at or behind `to`, or nothing is written; *end is where
 * that is, *last where the frame before begins (-1: there is none). */
oc_err_t recording_walk(recording_reader_t *self, int64_t from, int64_t to, int64_t *end,
                        int64_t *last)
{
    *end = from;
    *last = -1;
    while (*end < to) {
        frame_header_t header;
        const oc_err_t err = find_frame(self, *end, INT64_MAX, &header);
        if (err != OC_ERR_OK)
            return err;
        if (header.length == 0)
            return OC_ERR_OK;
        *last = *end;
        *end += recording_frame_space(&header);
    }
    return OC_ERR_OK;
}

/* Frames never cross terms, so those of one term tell whether one begins at `position`. */
oc_err_t recording_check_boundary(recording_reader_t *self, int64_t position)
{
    const int64_t start = self->recording.start_position;
    const int64_t stop = self->recording.stop_position;
    if (position < start)
        return error_set(OC_ERR_DAMAGED,
                         "recording %" PRId64 " in %s begins at position %" PRId64 ": %" PRId64
                         " is not in it any more",
                         self->recording.id, self->archive_dir, start, position);
    if ((stop >= 0 && position > stop) || position > RECORDING_POSITION_MAX)
        return error_set(OC_ERR_DAMAGED,
                         "recording %" PRId64 " in %s ends at position %" PRId64
                         ", before %" PRId64,
                         self->recording.id, self->archive_dir, stop, position);
    int64_t from = position - (position & ((int64_t)self->recording.term_bytes - 1));
    if (from < start)
        from = start;
    int64_t end = from;
    int64_t last;
    const oc_err_t err = recording_walk(self, from, position, &end, &last);
    if (err != OC_ERR_OK || end == position)
        return err;
    return recording_reader_damaged(self, position,
                                    end < position
                                        ? "the recording does not reach it" RECORDING_WAY_OUT
                                        : "no frame begins here" CHANGED);
}

oc_err_t recording_create(recording_reader_t **reader, const char *archive_dir,
                          const recording_descriptor_t *recording)
{
    recording_reader_t *self = calloc(1, sizeof *self);
    if (!self)
        goto no_memory;
    self->fd = -1;
    self->recording = *recording;
    self->archive_dir = strdup(archive_dir);
    self->block = aligned_alloc(PAGE_BYTES, BLOCK_BYTES);
    if (!self->archive_dir || !self->block)
        goto no_memory;
    *reader = self;
    return OC_ERR_OK;
no_memory:
    recording_reader_close(self);
    return error_set(OC_ERR_NO_MEMORY, "a reader of recordings");
}

oc_err_t recording_reader_open(recording_reader_t **reader, const char *archive_dir, int64_t id,
                               int64_t position)
{
    recording_descriptor_t recording;
    *reader = NULL;
    oc_err_t err = recording_find(archive_dir, id, &recording);
    recording_reader_t *self = NULL;
    if (err == OC_ERR_OK)
        err = recording_create(&self, archive_dir, &recording);
    if (err == OC_ERR_OK)
        err = recording_check_boundary(self, position);
    if (err != OC_ERR_OK) {
        recording_reader_close(self);
        return err;
    }
    bool any;
    if (look_for_checksums(self, &any, &self->checked) != OC_ERR_OK)
        self->checked = false; /* who reads there is told */
    self->position = position;
    self->opened = position;
    self->believed = self->block_start; /* no limit stood behind the walk */
    *reader = self;
    return OC_ERR_OK;
}

bool recording_reader_checked(const recording_reader_t *self)
{
    return self->checked;
}

oc_err_t recording_may_be_checked(const char *archive_dir, int64_t id, bool *may)
{
    recording_descriptor_t recording;
    recording_reader_t *self;
    bool any;
    bool right;
    oc_err_t err = recording_find(archive_dir, id, &recording);
    if (err == OC_ERR_OK)
        err = recording_create(&self, archive_dir, &recording);
    if (err != OC_ERR_OK)
        return err;
    err = look_for_checksums(self, &any, &right);
    recording_reader_close(self);
    *may = right || !any;
    return right ? OC_ERR_OK : err;
}

void recording_reader_close(recording_reader_t *self)
{
    if (!self)
        return;
    if (self->fd >= 0)
        (void)close(self->fd);
    free(self->archive_dir);
    free(self->block);
    free(self->message);
    free(self);
}
