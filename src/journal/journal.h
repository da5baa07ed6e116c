/*
 * The doorway of the journal: an ordered log of entries on one machine, made durable in groups.
 *
 * A position is a byte offset in the log since its beginning; segment files hold segment_bytes of
 * it each, so a position names its file and offset. Entries are claimed, filled and committed by
 * one thread (the owner); a writer thread makes groups of them durable, each on fresh blocks, with
 * at most one sync in flight (with JOURNAL_SYNC_NONE the owner writes them himself, into the page
 * cache). journal_durable() tells how far. The format is docs/formats/journal.md.
 *
 *     journal_open()      locks the directory, finds the segments
 *     journal_recover()   reads what is there, in order, and judges it
 *     journal_start()     cuts a torn tail, raises the term, starts the writer
 *     journal_claim() journal_commit() journal_flush() ... journal_close()
 *
 * Threads: the owner calls everything; journal_durable() and journal_condition() may be called by
 * any thread.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/storage.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Byte offset in the log. */
typedef struct log_position {
    uint64_t value;
} log_position_t;

/* The weaker promises are named in every report. */
typedef enum journal_sync {
    JOURNAL_SYNC_ALWAYS,   /* durable means written and synced to the device */
    JOURNAL_SYNC_PERIODIC, /* durable means written; synced every sync_period_ms */
    JOURNAL_SYNC_NONE,     /* durable means written; the system syncs when it likes, the journal at
                              start and close */
} journal_sync_t;

typedef struct journal_config {
    const char *dir;          /* borrowed for the call of journal_open() */
    const storage_t *storage; /* borrowed for the journal's life */
    journal_sync_t sync;
    uint32_t sync_period_ms;  /* 1..60000, for JOURNAL_SYNC_PERIODIC */
    uint32_t segment_bytes;   /* power of two, 1 MiB..1 GiB; of new directories, an existing one
                                keeps its own */
    uint32_t group_bytes;     /* power of two, 64 KiB..16 MiB, at most half a segment: most that is
                                written at once */
    uint32_t groups;          /* buffers of that size, 2..16 */
    uint32_t ready_segments;  /* prepared ahead, 1..1024; the reserve for when space runs out */
    uint64_t low_space_bytes; /* free space on the device below which space is low; also low when
                                 a segment cannot be prepared */
    uint32_t writer_spin_us;  /* how long the writer looks for work before it sleeps, 0..1000000 */
    int writer_cpu;           /* processor of the writer thread; -1: any */
    bool read_only;           /* for tools: the directory must be there, nothing is changed, no lock
                                 is taken, one that another process holds is no error
                                 (journal_in_use()) */
    bool thorough;            /* for tools: recovery looks at each block behind the end, also where
                                 nothing can be if the disk keeps what it has synced */
    bool own_entries;         /* for tools: recovery gives the journal's own entries out as well */
    uint32_t term_above; /* journal_start() begins a term above it, also if the log has none: for a
                            log that goes on where another one ended */
} journal_config_t;

/* Defaults: always, 100 ms, segments of 64 MiB, groups of 1 MiB, 4 of them, 2 segments ready, 256
 * MiB low, 0 us spin, any processor, storage_device(). */
void journal_config_init(journal_config_t *config);

/* OC_ERR_INVALID_CONFIG: oc_err_context() names the value and its range. */
OC_MUST_CHECK oc_err_t journal_config_check(const journal_config_t *config);

/* Types of entries below this are the journal's own. */
#define JOURNAL_TYPE_USER UINT8_C(16)
/* Largest payload of an entry; also never more than a quarter of group_bytes. */
#define JOURNAL_PAYLOAD_MAX UINT32_C(1048576)

typedef struct journal journal_t;

/*
 * Locks the directory (made if absent), and finds its segments.
 *
 * Errors: OC_ERR_INVALID_CONFIG, OC_ERR_LOCKED (another process has it), OC_ERR_DAMAGED (a segment
 * is missing between others, or is of another log), OC_ERR_OPEN, OC_ERR_READ, OC_ERR_NO_MEMORY. The
 * caller owns *journal: journal_close().
 */
OC_MUST_CHECK oc_err_t journal_open(journal_t **journal, const journal_config_t *config);

/* Whether another process held the directory when it was opened; only with read_only. */
bool journal_in_use(const journal_t *self);

/* Position of the oldest segment still there; 0 when there is none. */
log_position_t journal_first(const journal_t *self);

/* Names the log for ever: drawn when it began; 0 while there is no segment. */
uint64_t journal_log_id(const journal_t *self);

/* A place in the log that a state can be bound to: behind an entry. */
typedef struct journal_place {
    log_position_t position;
    log_position_t group; /* start of the group that the frame before it lies in */
} journal_place_t;

/* Owner, once started: the place behind everything committed. */
void journal_place(const journal_t *self, journal_place_t *place);

/*
 * Any thread, beside a journal that runs: reads the running checksum at a place back from the
 * device, with handles of its own. Unless `config` syncs always, what was written up to there, from
 * position `synced` on (known to be synced), is synced first. OC_ERR_DAMAGED: the log on the device
 * does not go up to there.
 */
OC_MUST_CHECK oc_err_t journal_checksum_at(const journal_config_t *config, uint64_t log_id,
                                           const journal_place_t *place, log_position_t synced,
                                           uint32_t *checksum);

typedef struct journal_entry {
    log_position_t start;    /* of its frame */
    log_position_t position; /* behind its frame: durable once journal_durable() is not below */
    int64_t timestamp_ns;
    uint32_t term;
    uint32_t length;     /* of the payload */
    const void *payload; /* 8-byte aligned; borrowed until the next entry */
    uint8_t type;        /* JOURNAL_TYPE_USER or above, or with own_entries any */
    uint8_t flags;       /* of the journal's own entries; 0 */
} journal_entry_t;

/* Takes an entry. Another value than OC_ERR_OK ends the reading and is returned from it. */
typedef oc_err_t (*journal_reader_t)(void *context, const journal_entry_t *entry);

typedef enum journal_verdict_kind {
    JOURNAL_NEW,    /* there was none */
    JOURNAL_CLEAN,  /* ends with a closing mark: everything up to there is proven */
    JOURNAL_INTACT, /* ends with a whole group, without a mark */
    JOURNAL_TORN,   /* ends inside a group that was never acknowledged; cut by journal_start() */
    JOURNAL_DAMAGED /* damage below what is proven durable */
} journal_verdict_kind_t;

typedef struct journal_verdict {
    journal_verdict_kind_t kind;
    bool closed;            /* CLEAN by an orderly end, not only idle */
    log_position_t first;   /* of the oldest segment still there */
    log_position_t end;     /* behind the last good entry */
    log_position_t proven;  /* highest position proven durable by what is written behind it, in
                               the sense of the sync mode it was written with */
    uint64_t entries;       /* given to the reader */
    uint64_t bytes;         /* read */
    uint64_t cut_bytes;     /* TORN: written bytes behind `end` that go */
    uint32_t term;          /* of the last entry; 0 when new */
    uint32_t checksum;      /* running checksum of the log up to `end` */
    uint32_t from_checksum; /* the same up to `from`, for an image to be held against */
    char line[512];         /* the verdict in one line, for people */
} journal_verdict_t;

/*
 * Reads every entry that starts at or behind `from` (a position that an image was taken at, or 0)
 * and judges the log. Changes nothing. *verdict is filled in also on OC_ERR_DAMAGED, whose context
 * names file, offset and what is lost. OC_ERR_DAMAGED too if `from` is below the oldest segment or
 * no boundary of the log.
 */
OC_MUST_CHECK oc_err_t journal_recover(journal_t *self, log_position_t from,
                                       journal_reader_t reader, void *context,
                                       journal_verdict_t *verdict);

/* As journal_recover() from a place of this log, whose running checksum there must be `checksum`:
 * otherwise, or if there is no such place, OC_ERR_DAMAGED before any entry is given out. */
OC_MUST_CHECK oc_err_t journal_recover_at(journal_t *self, log_position_t from, uint32_t checksum,
                                          journal_reader_t reader, void *context,
                                          journal_verdict_t *verdict);

/*
 * Makes the journal ready to append after a recovery that was not DAMAGED: cuts, zeroes and syncs a
 * torn tail, syncs what an earlier run in a weaker mode only wrote, begins a new term, prepares
 * segments, starts the threads.
 */
OC_MUST_CHECK oc_err_t journal_start(journal_t *self);

/* The term of what is appended now; from 1, higher with every start. */
uint32_t journal_term(const journal_t *self);

/*
 * Takes room for an entry of `length` bytes of payload (at most journal_payload_max()) in the group
 * being filled. Returns the payload, 8-byte aligned, or NULL when all buffers wait for the device:
 * try again. Nothing else may be claimed before journal_commit().
 */
void *journal_claim(journal_t *self, uint8_t type, uint32_t length, int64_t timestamp_ns);
uint32_t journal_payload_max(const journal_t *self);

/* Appends the claimed entry; returns the position behind it. */
log_position_t journal_commit(journal_t *self);

/* Hands what is committed to the writer if that is idle. Call once per duty cycle; cheap. */
void journal_flush(journal_t *self);

/* Everything before it is durable (in the sense of the sync mode). One acquire load: what was
 * written before it is ordered before what the caller does next. */
log_position_t journal_durable(const journal_t *self);

typedef enum journal_condition {
    JOURNAL_FINE,
    JOURNAL_LOW_SPACE, /* still writes, into segments prepared before */
    JOURNAL_FULL,      /* claims return NULL until there is space again */
    JOURNAL_FAILED,    /* a write or sync failed: nothing behind journal_durable() counts */
} journal_condition_t;

journal_condition_t journal_condition(const journal_t *self);

/* JOURNAL_FAILED: the error and its context, copied into this thread's. */
OC_MUST_CHECK oc_err_t journal_failure(const journal_t *self);

typedef struct journal_stats {
    uint64_t groups; /* written */
    uint64_t syncs;
    uint64_t entries;
    uint64_t bytes_written;  /* whole blocks */
    uint64_t sync_ns_total;  /* write and sync, of groups */
    uint64_t segments_ready; /* prepared and unused */
    uint64_t claims_refused;
} journal_stats_t;

void journal_stats(const journal_t *self, journal_stats_t *stats);

/* Time of the writes and syncs of late (a moving mean), in ns; 0: none yet. Any thread. */
uint64_t journal_sync_ns(const journal_t *self);

/* Any thread: lets the journal's own thread remove whole segments below `keep` (exclusive), oldest
 * first; a lower value than before changes nothing. */
void journal_release(journal_t *self, log_position_t keep);

/*
 * What could be removed: whole segments below `keep` (exclusive), oldest first. With `dry_run`
 * nothing is; the visitor sees each file name. Only an owner of the lock may call it.
 */
OC_MUST_CHECK oc_err_t journal_purge(journal_t *self, log_position_t keep, bool dry_run,
                                     storage_visitor_t visitor, void *context);

typedef struct journal_cut {
    log_position_t end;     /* of what is kept, behind an entry */
    log_position_t lost_to; /* up to there something was written */
    uint64_t entries;       /* kept, from the oldest segment on */
    uint64_t files;         /* made to save what is cut: <segment>[.<n>].cut */
} journal_cut_t;

/*
 * For operators, on a journal that was opened and not started: gives up what begins at position
 * `at` or behind it, damaged or not. The blocks that are zeroed are first copied to files beside
 * the segments ("<segment>.cut", and "<segment>.<n>.cut" for later cuts of the same segment: their
 * bytes from the block of the cut on); with `dry_run` nothing is changed, and *cut says what would
 * be.
 *
 * Errors: OC_ERR_INVALID_ARGUMENT (the readable log has no boundary there), those of the device.
 */
OC_MUST_CHECK oc_err_t journal_cut(journal_t *self, log_position_t at, bool dry_run,
                                   journal_cut_t *cut);

/* For tools that stand in for the owner, after the recovery: the end that journal_close() writes is
 * told as orderly only if the one that was found was, so that a crash is not hidden from the next
 * start. */
void journal_end_as_found(journal_t *self);

/*
 * Ends: writes what is committed and a closing mark (unless the journal failed or was never
 * started), stops the threads, unlocks, frees. NULL is allowed. Returns the error that kept the end
 * from being clean.
 */
oc_err_t journal_close(journal_t *self);

#endif
