/*
 * Recovery: one pass over the log, and the judgement of how it ends. Called by the owner between
 * journal_open() and journal_start(), and by tools.
 *
 * Invariants: an entry is given out only if its own checksum is right, it stands at its position,
 * and the running checksum that its group carries is that of everything before it. The first place
 * where that fails is the end; whether an end is legal is decided by what is written behind it:
 * a group there that calls a higher position durable proves a loss. It must not change anything.
 *
 * A group that was cut by an earlier start ends before its own length; only a group of a higher
 * term may follow it.
 */
#include "journal/journal_window.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct scan {
    journal_t *journal;
    journal_window_t window;
    uint64_t from;
    uint64_t limit; /* what begins there or behind is not looked at */
    journal_reader_t reader;
    void *context;
    uint64_t base;           /* of the segment that the pass begins with */
    uint64_t end;            /* behind the last good frame */
    uint64_t next_start;     /* where a group is expected */
    uint64_t durable_before; /* highest so far */
    uint64_t group_after;    /* where the log ended before the last group */
    uint64_t term_start;     /* of the first group of the last term, as far as it is known */
    uint64_t entries;
    uint32_t term;
    uint32_t checksum;
    uint32_t from_checksum;
    bool any;       /* a group was found */
    bool cut_short; /* the last group ends before its length */
    bool pad;       /* the last frame is a PAD */
    bool marked;    /* the last frame is a MARK */
    bool closed;    /* and an orderly one */
    bool unsynced;  /* the last group is of a mode that does not sync each */
    bool from_found;
    bool bound; /* to `from`: its checksum must be `expected`, before anything is given out */
    uint32_t expected;
} scan_t;

/* The frame at `position` if it is good and ends at or before `limit`, else NULL. */
static oc_err_t frame_at(scan_t *scan, uint64_t position, uint64_t limit,
                         const journal_frame_t **frame)
{
    *frame = NULL;
    const uint8_t *bytes = NULL;
    oc_err_t err = journal_window_at(&scan->window, position, sizeof(journal_frame_t), &bytes);
    if (err != OC_ERR_OK)
        return err;
    const uint32_t length = ((const journal_frame_t *)(const void *)bytes)->length;
    if (length < sizeof(journal_frame_t) || length > limit - position ||
        length > sizeof(journal_frame_t) + JOURNAL_PAYLOAD_MAX)
        return OC_ERR_OK;
    err = journal_window_at(&scan->window, position, length, &bytes);
    if (err != OC_ERR_OK)
        return err;
    const journal_frame_t *found = (const journal_frame_t *)(const void *)bytes;
    if (found->position == position && found->reserved == 0 &&
        found->crc == journal_frame_crc(found, scan->journal->salt))
        *frame = found;
    return OC_ERR_OK;
}

/* Notes a good frame: end, running checksum, and whether it touches the position asked for. */
static void pass_frame(scan_t *scan, const journal_frame_t *frame)
{
    const uint64_t start = frame->position;
    if (start == scan->from) {
        scan->from_found = true;
        scan->from_checksum = scan->checksum;
    }
    scan->checksum = journal_chain(scan->checksum, frame);
    scan->end = start + journal_frame_bytes(frame->length - (uint32_t)sizeof *frame);
    if (scan->end == scan->from) {
        scan->from_found = true;
        scan->from_checksum = scan->checksum;
    }
    scan->pad = frame->type == JOURNAL_OWN_PAD;
    if (scan->pad)
        return;
    scan->marked = frame->type == JOURNAL_OWN_MARK && scan->durable_before == scan->group_after;
    scan->closed = scan->marked && (frame->flags & JOURNAL_MARK_ORDERLY);
}

/* The log is there, but it is not the one that somebody remembers. */
static oc_err_t refuse_place(const scan_t *scan)
{
    const char *dir = scan->journal->shown;
    if (!scan->from_found)
        return error_set(OC_ERR_DAMAGED,
                         "journal %s: position %" PRIu64
                         " is no boundary of an entry: the log is not the one it was taken of",
                         dir, scan->from);
    return error_set(OC_ERR_DAMAGED,
                     "journal %s: at position %" PRIu64 " the log's checksum is %08" PRIx32
                     ", not %08" PRIx32 ": the log is not the one it was taken of",
                     dir, scan->from, scan->from_checksum, scan->expected);
}

static bool is_bound_place(const scan_t *scan)
{
    return !scan->bound || (scan->from_found && scan->from_checksum == scan->expected);
}

static oc_err_t give_frame(scan_t *scan, const journal_frame_t *frame)
{
    const bool given = frame->type >= JOURNAL_TYPE_USER || scan->journal->config.own_entries;
    if (!given || frame->position < scan->from)
        return OC_ERR_OK;
    if (!is_bound_place(scan))
        return refuse_place(scan);
    scan->entries++;
    if (!scan->reader)
        return OC_ERR_OK;
    const journal_entry_t entry = {
        .start = {frame->position},
        .position = {scan->end},
        .timestamp_ns = frame->timestamp_ns,
        .term = frame->term,
        .length = frame->length - (uint32_t)sizeof *frame,
        .payload = frame + 1,
        .type = frame->type,
        .flags = frame->flags,
    };
    return scan->reader(scan->context, &entry);
}

/* Whether the GROUP frame goes on from where the scan is. */
static bool group_follows(const scan_t *scan, const journal_frame_t *frame,
                          const journal_group_t *group)
{
    const journal_t *journal = scan->journal;
    const uint64_t base = journal_segment_base(journal, frame->position);
    const uint64_t room = base + journal->segment_bytes - frame->position;
    /* Where the pass begins in the middle of the log, the first group tells the checksum. */
    const bool chained = group->checksum == scan->checksum || (!scan->any && scan->base > 0);
    const bool later = scan->cut_short ? frame->term > scan->term : frame->term >= scan->term;
    return chained && later && frame->term > 0 && group->durable_before >= scan->durable_before &&
           group->group_bytes > JOURNAL_GROUP_FRAME_BYTES && group->group_bytes <= room &&
           group->group_bytes % JOURNAL_FRAME_ALIGN == 0;
}

static bool entry_allowed(const scan_t *scan, const journal_frame_t *frame, uint64_t group_end)
{
    if (frame->term != scan->term || frame->type == JOURNAL_OWN_GROUP || frame->type == 0)
        return false;
    if (frame->type == JOURNAL_OWN_PAD)
        return frame->length == sizeof *frame && frame->position + JOURNAL_FRAME_ALIGN == group_end;
    if (frame->type == JOURNAL_OWN_TERM)
        return frame->length == sizeof *frame + sizeof(journal_term_note_t);
    return frame->type == JOURNAL_OWN_MARK || frame->type >= JOURNAL_TYPE_USER;
}

static oc_err_t scan_entries(scan_t *scan, uint64_t group_end)
{
    while (scan->end < group_end) {
        if (scan->end >= scan->limit) {
            scan->cut_short = true;
            return OC_ERR_OK;
        }
        const journal_frame_t *frame = NULL;
        oc_err_t err = frame_at(scan, scan->end, group_end, &frame);
        if (err != OC_ERR_OK)
            return err;
        if (!frame || !entry_allowed(scan, frame, group_end)) {
            scan->cut_short = true;
            return OC_ERR_OK;
        }
        pass_frame(scan, frame);
        err = give_frame(scan, frame);
        if (err != OC_ERR_OK)
            return err;
    }
    return OC_ERR_OK;
}

/* *more tells whether there was a group. */
static oc_err_t scan_group(scan_t *scan, bool *more)
{
    const journal_t *journal = scan->journal;
    *more = false;
    if (scan->next_start >= atomic_load(&journal->ready_end) || scan->next_start >= scan->limit)
        return OC_ERR_OK;
    const uint8_t *bytes = NULL;
    oc_err_t err =
        journal_window_at(&scan->window, scan->next_start, JOURNAL_GROUP_FRAME_BYTES, &bytes);
    if (err != OC_ERR_OK)
        return err;
    const journal_frame_t *frame = (const journal_frame_t *)(const void *)bytes;
    journal_group_t group;
    if (!journal_group_valid(journal, bytes, scan->next_start, &group) ||
        !group_follows(scan, frame, &group))
        return OC_ERR_OK;
    *more = true;
    /* A term whose beginning lies before the pass may go back to the beginning of the log. */
    if (!scan->any)
        scan->term_start = journal_first(journal).value;
    else if (frame->term > scan->term)
        scan->term_start = frame->position;
    scan->checksum = group.checksum;
    scan->term = frame->term;
    scan->durable_before = group.durable_before;
    scan->group_after = scan->end;
    scan->any = true;
    scan->unsynced = (frame->flags & JOURNAL_GROUP_UNSYNCED) != 0;
    scan->cut_short = false;
    if (scan->from == scan->base) {
        scan->from_checksum = scan->from_found ? scan->from_checksum : scan->checksum;
        scan->from_found = true;
    }
    const uint64_t group_end = frame->position + group.group_bytes;
    pass_frame(scan, frame);
    err = give_frame(scan, frame);
    if (err == OC_ERR_OK)
        err = scan_entries(scan, group_end);
    scan->next_start = journal_next_start(journal, scan->end, scan->pad);
    return err;
}

/* File and offset of a position, for people. */
static void describe(const journal_t *self, uint64_t position, char *out, size_t size)
{
    const uint64_t base = journal_segment_base(self, position);
    (void)snprintf(out, size, "%s/%016" PRIx64 ".journal offset %" PRIu64, self->shown, base,
                   position - base);
}

static void write_line(const scan_t *scan, const journal_tail_t *tail, journal_verdict_t *verdict)
{
    const char *dir = scan->journal->shown;
    const size_t size = sizeof verdict->line;
    char place[192];
    describe(scan->journal, scan->cut_short ? scan->end : scan->next_start, place, sizeof place);
    char upto[128];
    char behind[48] = "";
    if (scan->from > 0)
        (void)snprintf(behind, sizeof behind, " behind position %" PRIu64 ",", scan->from);
    (void)snprintf(upto, sizeof upto,
                   "%" PRIu64 " entries%s up to position %" PRIu64 ", term %" PRIu32,
                   verdict->entries, behind, verdict->end.value, verdict->term);
    switch (verdict->kind) {
    case JOURNAL_NEW:
        (void)snprintf(verdict->line, size, "journal %s: new: nothing was written yet", dir);
        break;
    case JOURNAL_CLEAN:
        (void)snprintf(verdict->line, size, "journal %s: clean: %s, all proven; %s", dir, upto,
                       verdict->closed ? "it was closed" : "it ended while idle");
        break;
    case JOURNAL_INTACT:
        (void)snprintf(verdict->line, size,
                       "journal %s: intact: %s, proven up to %" PRIu64
                       "; it ended without a closing mark",
                       dir, upto, verdict->proven.value);
        break;
    case JOURNAL_TORN:
        (void)snprintf(verdict->line, size,
                       "journal %s: torn: %s, proven up to %" PRIu64 "; %" PRIu64
                       " bytes of a write that was never acknowledged are to be cut",
                       dir, upto, verdict->proven.value, verdict->cut_bytes);
        break;
    case JOURNAL_DAMAGED:
        (void)snprintf(verdict->line, size,
                       "journal: damaged at %s: lost is what was %s from position %" PRIu64
                       " to %" PRIu64 "; restore the file, or give up with outcry log cut",
                       place, tail->unsynced ? "written" : "durable", verdict->end.value,
                       tail->durable);
        break;
    }
}

static void judge(const scan_t *scan, const journal_tail_t *tail, journal_verdict_t *verdict)
{
    const journal_t *journal = scan->journal;
    const bool nothing_behind = tail->written_end == scan->end;
    /* Behind a PAD the next segment was there before the PAD was written. */
    const bool missing = scan->pad && scan->next_start >= atomic_load(&journal->ready_end);
    const bool limited = scan->limit != UINT64_MAX; /* what is behind is to go anyway */
    if (!limited && (tail->durable > scan->end || missing))
        verdict->kind = JOURNAL_DAMAGED;
    else if (scan->cut_short || !nothing_behind)
        verdict->kind = JOURNAL_TORN;
    else if (!scan->any)
        verdict->kind = JOURNAL_NEW;
    else
        verdict->kind = scan->marked ? JOURNAL_CLEAN : JOURNAL_INTACT;
    OC_ASSERT(scan->durable_before <= scan->end);
    verdict->closed = verdict->kind == JOURNAL_CLEAN && scan->closed;
    verdict->first.value = journal_first(journal).value;
    verdict->end.value = scan->end;
    verdict->proven.value = scan->durable_before;
    verdict->entries = scan->entries;
    verdict->bytes = scan->window.read_bytes;
    verdict->cut_bytes = verdict->kind == JOURNAL_TORN ? tail->written_end - scan->end : 0;
    verdict->term = scan->term;
    verdict->checksum = scan->checksum;
    verdict->from_checksum = scan->from_checksum;
    write_line(scan, tail, verdict);
}

/* The segment whose frames end at or behind `from`: there the pass begins. */
static oc_err_t choose_base(scan_t *scan)
{
    const journal_t *journal = scan->journal;
    const uint64_t from = scan->from;
    if (from < journal_first(journal).value)
        return error_set(OC_ERR_DAMAGED,
                         "journal: %s begins at position %" PRIu64 ", entries from %" PRIu64
                         " are asked for",
                         journal->dir, journal_first(journal).value, from);
    scan->base =
        from > journal_first(journal).value ? journal_segment_base(journal, from - 1) : from;
    if (scan->base > journal_first(journal).value && scan->base >= atomic_load(&journal->ready_end))
        return error_set(OC_ERR_DAMAGED,
                         "journal: %s ends at position %" PRIu64 ", entries from %" PRIu64
                         " are asked for",
                         journal->dir, atomic_load(&journal->ready_end), from);
    scan->end = scan->base;
    scan->next_start = scan->base + STORAGE_BLOCK;
    if (from == 0)
        scan->from_found = true;
    return OC_ERR_OK;
}

/* A position that the log does not know is no less a damage than a hole in it. */
static oc_err_t check_from(const scan_t *scan, journal_verdict_t *verdict)
{
    if (scan->from_found && is_bound_place(scan))
        return OC_ERR_OK;
    verdict->kind = JOURNAL_DAMAGED;
    if (scan->from_found) {
        const oc_err_t err = refuse_place(scan);
        (void)snprintf(verdict->line, sizeof verdict->line, "%s", oc_err_context());
        return err;
    }
    (void)snprintf(verdict->line, sizeof verdict->line,
                   "journal %s: position %" PRIu64 " is %s: the log is not the one it was taken of",
                   scan->journal->shown, scan->from,
                   scan->from > scan->end ? "behind the end" : "no boundary of an entry");
    return OC_ERR_DAMAGED;
}

/*
 * What a start has to sync. It synced all that was there before it began its term, in whatever
 * mode, so nothing older than the last term is open; and if that one syncs each group, what it
 * proves is synced. In the weaker modes proven is only what was written.
 */
static uint64_t sync_from(const scan_t *scan)
{
    return scan->unsynced ? scan->term_start : scan->durable_before;
}

static void keep(journal_t *self, const scan_t *scan, const journal_tail_t *tail,
                 const journal_verdict_t *verdict)
{
    self->found = (journal_found_t){
        .done = true,
        .kind = verdict->kind,
        .end = scan->end,
        .proven = scan->durable_before,
        .sync_from = sync_from(scan),
        .next_start = scan->next_start,
        .written_end = tail->written_end,
        .term = scan->term,
        .checksum = scan->checksum,
        .pad = scan->pad,
        .closed = verdict->closed,
    };
}

/* What lies behind the end, where all of it must be known or is not sure to be contiguous. */
static oc_err_t look_behind(scan_t *scan, journal_tail_t *tail)
{
    const bool everywhere =
        scan->journal->config.thorough || !scan->any || scan->unsynced || scan->limit != UINT64_MAX;
    return journal_tail_look(&scan->window, scan->end, scan->next_start, everywhere, tail);
}

static oc_err_t recover(scan_t *scan, journal_verdict_t *verdict)
{
    journal_t *self = scan->journal;
    OC_ASSERT(!self->started);
    memset(verdict, 0, sizeof *verdict);
    self->found.done = false;
    journal_tail_t tail = {0};
    oc_err_t err = choose_base(scan);
    if (err != OC_ERR_OK) {
        verdict->kind = JOURNAL_DAMAGED;
        (void)snprintf(verdict->line, sizeof verdict->line, "%s", oc_err_context());
        return err;
    }
    err = journal_window_init(&scan->window, self);
    if (err != OC_ERR_OK)
        return err;
    bool more = true;
    while (err == OC_ERR_OK && more)
        err = scan_group(scan, &more);
    if (err == OC_ERR_OK)
        err = look_behind(scan, &tail);
    if (err == OC_ERR_OK) {
        judge(scan, &tail, verdict);
        err = verdict->kind == JOURNAL_DAMAGED ? OC_ERR_DAMAGED : check_from(scan, verdict);
        if (err == OC_ERR_OK)
            keep(self, scan, &tail, verdict);
        else
            (void)error_set(err, "%s", verdict->line);
    }
    if (err == OC_ERR_DAMAGED && !verdict->line[0]) {
        verdict->kind = JOURNAL_DAMAGED;
        (void)snprintf(verdict->line, sizeof verdict->line, "%s", oc_err_context());
    }
    journal_window_fini(&scan->window);
    return err;
}

oc_err_t journal_recover(journal_t *self, log_position_t from, journal_reader_t reader,
                         void *context, journal_verdict_t *verdict)
{
    scan_t scan = {
        .journal = self,
        .from = from.value,
        .limit = UINT64_MAX,
        .reader = reader,
        .context = context,
    };
    return recover(&scan, verdict);
}

oc_err_t journal_recover_at(journal_t *self, log_position_t from, uint32_t checksum,
                            journal_reader_t reader, void *context, journal_verdict_t *verdict)
{
    scan_t scan = {
        .journal = self,
        .from = from.value,
        .limit = UINT64_MAX,
        .reader = reader,
        .context = context,
        .bound = true,
        .expected = checksum,
    };
    return recover(&scan, verdict);
}

oc_err_t journal_recover_place(journal_t *self, const journal_place_t *place, uint32_t *checksum)
{
    const uint64_t group = place->group.value;
    const uint64_t position = place->position.value;
    scan_t scan = {
        .journal = self,
        .from = position,
        .limit = position,
        .base = group,
        .end = group,
        .next_start = group,
    };
    const bool possible = position > group && group % STORAGE_BLOCK == 0 &&
                          group % self->segment_bytes != 0 &&
                          journal_segment_base(self, position) == journal_segment_base(self, group);
    oc_err_t err = journal_window_init(&scan.window, self);
    if (err != OC_ERR_OK)
        return err;
    bool found = false;
    if (possible)
        err = scan_group(&scan, &found);
    journal_window_fini(&scan.window);
    if (err == OC_ERR_OK && !scan.from_found)
        err = error_set(OC_ERR_DAMAGED,
                        "journal %s: what is on the device does not go up to position %" PRIu64
                        ", in the group at %" PRIu64,
                        self->shown, position, group);
    *checksum = scan.from_checksum;
    return err;
}

oc_err_t journal_recover_up_to(journal_t *self, log_position_t limit, journal_verdict_t *verdict)
{
    scan_t scan = {.journal = self, .from = journal_first(self).value, .limit = limit.value};
    return recover(&scan, verdict);
}
