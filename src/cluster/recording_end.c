/*
 * Where a recording ends. Called by whoever needs the end before it reads, and by the reader where
 * it meets nothing.
 *
 * What is the end. Zeros are, if nothing but zeros is behind them. An archive writes blocks of
 * frames one behind the other into a file of zeros, each with one write, and truncates by making
 * zeros again: so a kill leaves a beginning of what was written, page by page, and never zeros with
 * something behind. A machine that stops may leave that, of what was not synced: with a sync level
 * of 1 or 2 only of the last block (1 MiB), of which nobody was told, with 0 of anything. No byte
 * tells this from a log that was damaged, where what is cut off was promised to a client. So both
 * are refused, and the message says how to end the log there; a member of several is seeded, since
 * it may have been one of those that made an entry safe. Behind a stop position frames may stand
 * that follow it at once: of a write that the device had no room for, or of a truncation that was
 * killed. They were never promised. Zeros there with something behind are a hole as well: an
 * archive that starts takes a hole for the end, and says so in the catalog.
 *
 * It must not write, and must not ask the archive.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "cluster/recording_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Zeros ---- */

static oc_err_t report_hole(const recording_reader_t *self, int64_t position, int64_t more)
{
    char what[400];
    const int64_t base = recording_segment_base(&self->recording, position);
    const bool here = more < base + self->recording.segment_bytes;
    (void)snprintf(what, sizeof what,
                   "nothing is written here, before %s at position %" PRId64
                   ": what was between is lost. Put the file back from a copy, or seed the member "
                   "(outcry cluster seed). If a machine's stop left it so, or the rest does not "
                   "matter, end it here: %struncate -s %" PRId64 ", then -s %" PRId32,
                   here ? "more" : "a later segment", more, here ? "" : "remove what is behind, ",
                   position - base, self->recording.segment_bytes);
    return recording_reader_damaged(self, position, what);
}

/* Where anything is written behind `position` in the same segment, or a later segment begins; -1:
 * there is neither. */
static oc_err_t find_more(recording_reader_t *self, int64_t position, bool later, int64_t *more)
{
    bool there;
    int64_t *bases;
    size_t count;
    *more = -1;
    oc_err_t err =
        recording_open_segment(self, recording_segment_base(&self->recording, position), &there);
    if (err == OC_ERR_OK && there)
        err = recording_segment_find_data(self->fd, position - self->segment,
                                          self->recording.segment_bytes, more);
    if (err == OC_ERR_OK && *more >= 0)
        *more += self->segment;
    if (err != OC_ERR_OK || *more >= 0 || !later)
        return err;
    err = recording_segments_list(self->archive_dir, self->recording.id, &bases, &count);
    if (err != OC_ERR_OK)
        return err;
    if (count > 0 && bases[count - 1] > position)
        *more = bases[count - 1];
    free(bases);
    return OC_ERR_OK;
}

oc_err_t recording_check_zeros(recording_reader_t *self, int64_t position, bool *again)
{
    int64_t more;
    frame_header_t header;
    *again = false;
    oc_err_t err = find_more(self, position, true, &more);
    if (err != OC_ERR_OK || more < 0)
        return err;
    err = recording_load_frame(self, position, INT64_MAX, &header);
    self->believed = self->block_start; /* no limit stood behind this look */
    *again = err == OC_ERR_OK && header.length != 0;
    return err != OC_ERR_OK || *again ? err : report_hole(self, position, more);
}

/* ---- Where it ends ---- */

/* A frame of which a kill left pages that were never written, as the archive tells it: one with a
 * right checksum is whole, whatever zeros it has. */
static oc_err_t is_torn(recording_reader_t *self, int64_t start, int64_t end, bool *torn)
{
    frame_header_t header;
    *torn = false;
    const int64_t base = recording_segment_base(&self->recording, start);
    int64_t page = base + (start - base) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
    if (page >= end)
        return OC_ERR_OK;
    const oc_err_t err = recording_load(self, start, end);
    if (err != OC_ERR_OK || !recording_has(self, start, RECORDING_FRAME_HEADER))
        return err;
    recording_take_header(self, start, &header);
    if (header.type != TYPE_DATA) /* padding has nothing in it */
        return OC_ERR_OK;
    if (recording_has(self, start, end - start) && recording_checksum_matches(self, start, &header))
        return OC_ERR_OK;
    for (; page < end && !*torn; page += PAGE_BYTES) {
        const int64_t stop = page + PAGE_BYTES < end ? page + PAGE_BYTES : end;
        *torn = stop <= self->believed;
        for (int64_t at = page; at < stop && *torn; at++)
            *torn = self->block[at - start] == 0;
    }
    return OC_ERR_OK;
}

/* Zeros at the stop position with something behind them in the same segment: see the top. */
static oc_err_t check_behind_stop(recording_reader_t *self)
{
    frame_header_t header = {0};
    int64_t more;
    const int64_t stop = self->recording.stop_position;
    oc_err_t err = recording_load(self, stop, INT64_MAX);
    if (err == OC_ERR_OK && recording_has(self, stop, RECORDING_FRAME_HEADER))
        recording_take_header(self, stop, &header);
    if (err != OC_ERR_OK || header.length != 0)
        return err;
    err = find_more(self, stop, false, &more);
    return err != OC_ERR_OK || more < 0 ? err : report_hole(self, stop, more);
}

/* Of a recording that was stopped: its segments are there, and in the last one frames up to where
 * the catalog says that it ends. */
static oc_err_t find_stop(recording_reader_t *self, int64_t from, int64_t *end)
{
    int64_t last;
    const int64_t stop = self->recording.stop_position;
    *end = stop;
    if (stop == self->recording.start_position)
        return check_behind_stop(self);
    const int64_t base = recording_segment_base(&self->recording, stop - 1);
    if (base > from || from >= stop)
        from = base > self->recording.start_position ? base : self->recording.start_position;
    oc_err_t err = recording_segments_check(self->archive_dir, &self->recording, stop);
    if (err == OC_ERR_OK)
        err = recording_walk(self, from, stop, end, &last);
    if (err == OC_ERR_OK && *end < stop)
        return recording_reader_damaged(
            self, *end, "nothing is written here, before the stop position" RECORDING_WAY_OUT);
    if (err == OC_ERR_OK && *end > stop)
        return recording_reader_damaged(self, last,
                                        "a frame goes beyond the stop position" RECORDING_WAY_OUT);
    return err == OC_ERR_OK ? check_behind_stop(self) : err;
}

static oc_err_t find_end(recording_reader_t *self, int64_t from, int64_t *end)
{
    int64_t *bases;
    size_t count;
    if (self->recording.stop_position >= 0)
        return find_stop(self, from, end);
    oc_err_t err = recording_segments_list(self->archive_dir, self->recording.id, &bases, &count);
    if (err != OC_ERR_OK)
        return err;
    int64_t last = -1;
    if (count > 0 && bases[count - 1] > from)
        from = bases[count - 1];
    free(bases);
    for (bool again = true; err == OC_ERR_OK && again; from = *end) {
        err = recording_walk(self, from, INT64_MAX, end, &last);
        if (err == OC_ERR_OK)
            err = recording_check_zeros(self, *end, &again);
    }
    if (err == OC_ERR_OK)
        err = recording_segments_check(self->archive_dir, &self->recording, *end);
    bool torn = false;
    if (err == OC_ERR_OK && last >= 0)
        err = is_torn(self, last, *end, &torn);
    if (torn)
        *end = last;
    return err;
}

static oc_err_t find_end_of(const char *archive_dir, const recording_descriptor_t *recording,
                            int64_t from, int64_t *end)
{
    recording_reader_t *self;
    oc_err_t err = recording_create(&self, archive_dir, recording);
    if (err != OC_ERR_OK)
        return err;
    if (from < recording->start_position)
        from = recording->start_position;
    if (from > RECORDING_POSITION_MAX)
        from = RECORDING_POSITION_MAX;
    err = find_end(self, from, end);
    recording_reader_close(self);
    return err;
}

/* An archive that runs says in the catalog that a recording goes on before it writes, and that it
 * begins later before it removes anything. */
static bool has_changed(const char *archive_dir, recording_descriptor_t *recording)
{
    recording_descriptor_t now;
    const recording_descriptor_t was = *recording;
    char what[1024];
    (void)snprintf(what, sizeof what, "%s", oc_err_context());
    if (recording_find(archive_dir, was.id, &now) != OC_ERR_OK) {
        (void)error_set(OC_ERR_DAMAGED, "%s", what); /* what was found first says more */
        return false;
    }
    *recording = now;
    return now.start_position != was.start_position || now.stop_position != was.stop_position;
}

oc_err_t recording_end(const char *archive_dir, int64_t id, int64_t from, int64_t *end)
{
    recording_descriptor_t recording;
    oc_err_t err = recording_find(archive_dir, id, &recording);
    if (err != OC_ERR_OK)
        return err;
    do
        err = find_end_of(archive_dir, &recording, from, end);
    while (err == OC_ERR_DAMAGED && has_changed(archive_dir, &recording));
    return err;
}
