/*
 * The journal's insides, shared by its files. The parts of the struct belong to threads:
 *
 *     owner     claims, commits, hands groups over (journal.c)
 *     writer    seals groups, writes and syncs them (journal_writer.c)
 *     preparer  makes segments ahead (journal_preparer.c)
 *
 * What passes between them are a few cursors, each with one writer, on lines of their own.
 */
#ifndef JOURNAL_JOURNAL_INTERNAL_H
#define JOURNAL_JOURNAL_INTERNAL_H

#include "journal/journal.h"
#include "journal/journal_frame.h"
#include "journal/journal_waker.h"

#include <pthread.h>
#include <stdatomic.h>

#define JOURNAL_GROUPS_MAX      16
#define JOURNAL_LINE            128 /* two cache lines: neighbours are fetched in pairs */
#define JOURNAL_GROUP_BYTES_MAX (UINT32_C(16) << 20)
#define JOURNAL_DIR_MAX         3800
#define JOURNAL_PATH_SIZE       4096
#define JOURNAL_NO_SEGMENT      UINT64_MAX
/* Written at once where zeros are written. */
#define JOURNAL_PREPARE_BYTES (UINT32_C(1024) * 1024)

/* A buffer of the ring between owner and writer, and what it holds when it is handed over. */
typedef struct journal_slot {
    uint8_t *bytes;
    uint64_t start;
    uint32_t used; /* bytes of frames */
    uint32_t entries;
} journal_slot_t;

/* The group being filled. Closed: bytes is NULL, and used and limit are 0. */
typedef struct journal_fill {
    uint8_t *bytes;
    uint64_t start;
    uint32_t used;
    uint32_t limit; /* end of the buffer, or of the segment but for a PAD */
    uint32_t entries;
    uint32_t claimed; /* bytes of the frame that is claimed and not committed; 0: none */
} journal_fill_t;

typedef struct journal_owner {
    journal_fill_t fill;
    uint64_t next_start;    /* where the next group begins */
    journal_place_t handed; /* behind the last entry that was handed over */
    uint32_t term;
    bool unmarked;          /* a group other than a mark was handed over behind the last mark */
    uint64_t idle_since_ns; /* 0: not idle */
} journal_owner_t;

typedef struct journal_writer {
    pthread_t thread;
    bool running;
    bool by_owner; /* stepped by the owner at each hand-over: the mode none */
    journal_waker_t waker;
    storage_file_t *file;
    uint64_t file_base; /* JOURNAL_NO_SEGMENT: none is open */
    uint32_t checksum;  /* running, of all groups sealed */
    bool unsynced;
    uint64_t unsynced_base; /* of the first segment that is not synced, if one is */
    uint64_t synced_at_ns;
} journal_writer_t;

typedef struct journal_preparer {
    pthread_t thread;
    bool running;
    journal_waker_t waker;
    uint8_t *chunk;       /* zeros */
    storage_file_t *file; /* of the segment being made, or NULL */
    uint64_t offset;
    bool left_over;                 /* its name is there without it: it could not be removed */
    uint64_t groups_seen;           /* handed over by the last round */
    uint64_t not_before_ns;         /* pace, or the next look at the free space */
    uint64_t release_not_before_ns; /* the next try after a failure */
    bool release_told;              /* that failure */
    bool release_over; /* what was removed is not known to be durable: nothing more goes */
} journal_preparer_t;

/* What the last recovery found. */
typedef struct journal_found {
    bool done;
    journal_verdict_kind_t kind;
    uint64_t end, proven;
    uint64_t sync_from; /* what was written before it is known to be synced */
    uint64_t next_start;
    uint64_t written_end; /* behind the last block that is not zero; at least `end` */
    uint32_t term;
    uint32_t checksum;
    bool pad;    /* the last frame is a PAD */
    bool closed; /* an orderly end */
} journal_found_t;

struct journal {
    /* Constant once started. */
    const storage_t *storage;
    journal_config_t config;
    char dir[JOURNAL_DIR_MAX + 1];
    char shown[129]; /* the same in verdicts: its end, if it is long */
    storage_file_t *lock;
    bool in_use;
    bool started;
    bool ends_as_found; /* the closing mark is an orderly one only if the one found was */
    uint64_t log_id;
    uint32_t salt;
    uint32_t segment_bytes;
    uint8_t *memory; /* of all buffers and the preparer's chunk */
    journal_slot_t slots[JOURNAL_GROUPS_MAX];
    journal_found_t found;
    /* Of the oldest segment: by the owner before the start, then by the preparer. Relaxed: who
     * reads it opens files by name, and finds them or not. */
    _Atomic uint64_t first;
    _Alignas(JOURNAL_LINE) journal_owner_t owner;
    _Alignas(JOURNAL_LINE) journal_writer_t writer;
    _Alignas(JOURNAL_LINE) journal_preparer_t preparer;

    /* Groups handed over, by the owner: a release of the slot's content, and sequentially
     * consistent for the waker. */
    _Alignas(JOURNAL_LINE) _Atomic uint64_t handed;
    _Atomic uint64_t fill_base; /* segment being filled, for the preparer; by the owner */
    _Atomic bool wants_segment; /* the last claim was refused for lack of one; by the owner */
    /* Groups finished, by the writer: gives the slot back. */
    _Alignas(JOURNAL_LINE) _Atomic uint64_t finished;
    _Atomic uint64_t durable; /* release: after the sync that made it true */
    /* Positions below it lie in segments that are ready; by the preparer, after its rename is
     * durable. */
    _Alignas(JOURNAL_LINE) _Atomic uint64_t ready_end;
    _Atomic bool space_low;
    _Atomic uint64_t keep; /* whole segments below it may go; by any thread, ascending */
    _Alignas(JOURNAL_LINE) _Atomic bool stop;
    /* 0 none, 1 being told, 2 told: failure and failure_context are set. */
    _Atomic int failed;
    oc_err_t failure;
    char failure_context[512];

    /* Counters, each by one thread, relaxed: they order nothing. */
    _Alignas(JOURNAL_LINE) struct {
        _Atomic uint64_t groups, syncs, entries, bytes_written, sync_ns_total, claims_refused;
        _Atomic uint64_t sync_ns_mean;
    } stats;
};

/* ---- journal_segments.c: names, headers, the list ---- */

/* "<dir>/<base in hex>.journal", or with another ending. */
void journal_path(const journal_t *self, uint64_t base, const char *ending,
                  char path[JOURNAL_PATH_SIZE]);
/* Finds the segments, checks their headers, and sets log_id, salt, segment_bytes, first and
 * ready_end. */
oc_err_t journal_segments_find(journal_t *self);
void journal_segment_header(const journal_t *self, uint64_t base, journal_segment_header_t *header);
/* Makes a fresh journal know the one segment that holds `position`. OC_ERR_DAMAGED: none does. */
oc_err_t journal_segments_find_one(journal_t *self, uint64_t position);
/* Syncs the segments that hold positions from `from` to `to`, as far as they are there. */
oc_err_t journal_segments_sync(journal_t *self, uint64_t from, uint64_t to);
/* Removes the oldest segment, durably. *removed: its name is gone, also if an error follows. */
oc_err_t journal_segments_drop_first(journal_t *self, bool *removed);
/* Removes what a preparation left unfinished, and makes the names durable: a process that was
 * killed may have renamed a segment and not come to that. */
oc_err_t journal_segments_tidy(journal_t *self);

static inline uint64_t journal_segment_base(const journal_t *self, uint64_t position)
{
    return position & ~((uint64_t)self->segment_bytes - 1);
}

/* Where a group may start behind a frame that ends at `end`. */
static inline uint64_t journal_next_start(const journal_t *self, uint64_t end, bool pad)
{
    const uint64_t last = journal_segment_base(self, end - 1);
    const uint64_t next = journal_block_up(end);
    const uint64_t segment_end = last + self->segment_bytes;
    return pad || next == segment_end ? segment_end + STORAGE_BLOCK : next;
}

/* ---- journal_recovery.c ---- */

/* The running checksum at a place of a journal that knows the segment it lies in; reads its group
 * and nothing else. OC_ERR_DAMAGED: there is no such place. */
oc_err_t journal_recover_place(journal_t *self, const journal_place_t *place, uint32_t *checksum);

/* As journal_recover() from the oldest segment, without a reader, and as if nothing began at
 * `limit` or behind it: what would be left after a cut there. */
oc_err_t journal_recover_up_to(journal_t *self, log_position_t limit, journal_verdict_t *verdict);

/* ---- journal_tail.c: what lies behind the end ---- */

/* Looks behind `end` for the end of what was ever written, and for groups that prove that the log
 * once went on. */
typedef struct journal_tail {
    uint64_t written_end; /* behind the last block that is not zero; at least `end` */
    uint64_t durable;     /* highest position that a group behind `end` calls durable; 0: none */
    bool unsynced;        /* it says so of what was only written */
} journal_tail_t;

/* Whether the bytes (JOURNAL_GROUP_FRAME_BYTES) are a GROUP frame of this log and place. */
bool journal_group_valid(const journal_t *self, const uint8_t *bytes, uint64_t position,
                         journal_group_t *group);

struct journal_window;
/* `next_start`: where a group would go on. `everywhere`: at each block; otherwise as much as is
 * needed (journal_tail.c). */
oc_err_t journal_tail_look(struct journal_window *window, uint64_t end, uint64_t next_start,
                           bool everywhere, journal_tail_t *tail);

/* Zeroes positions in the segment at `base`, from any multiple of 32 to a block; `zeros` are
 * JOURNAL_PREPARE_BYTES. Syncs. Also with nothing to zero. */
oc_err_t journal_tail_zero(journal_t *self, uint64_t base, uint64_t from, uint64_t to,
                           const uint8_t *zeros);

/* Zeroes from found.end to found.written_end, and syncs every segment from found.sync_from on that
 * was written to. Needs the preparer's chunk. */
oc_err_t journal_tail_cut(journal_t *self);

/* ---- journal_writer.c, journal_preparer.c: agents ---- */

/* One round: returns how much was done, 0 for nothing. A failure is told by journal_fail(). */
unsigned journal_writer_work(journal_t *self, uint64_t now_ns);
unsigned journal_preparer_work(journal_t *self, uint64_t now_ns);
/* Their threads, which repeat that until `stop`. */
void *journal_writer_main(void *journal);
void *journal_preparer_main(void *journal);
/* Prepares one segment here and now, without looking at the free space. */
oc_err_t journal_preparer_make(journal_t *self);
/* Throws away what is half made. */
void journal_preparer_drop(journal_t *self);

/* Notes the first failure, with this thread's context, and stops everything. */
void journal_fail(journal_t *self, oc_err_t err);
static inline bool journal_has_failed(const journal_t *self)
{
    return atomic_load_explicit(&self->failed, memory_order_acquire) != 0;
}

/* A journal that has not looked at its directory yet: memory alone, free() is its end. */
oc_err_t journal_make(journal_t **journal, const journal_config_t *config);

/* ---- journal.c: for tests, the same without threads or clock ---- */

/* As journal_start(), but the caller does the work of the agents. */
OC_MUST_CHECK oc_err_t journal_start_stepped(journal_t *self);
void journal_flush_at(journal_t *self, uint64_t now_ns);

#define JOURNAL_IDLE_MARK_NS UINT64_C(50000000)

#endif
