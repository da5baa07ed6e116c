/*
 * What the files of the snapshot agent share. Nobody outside of this folder includes it.
 *
 *     snapshot.c      the owner's side, and the sweeper's thread
 *     snapshot_job.c  the sweeper's work: from a begun capture to a committed image; folding
 *
 * Who owns a job is told by `phase`: IDLE, the owner's; BEGUN, the sweeper's; DONE, the owner's
 * again, to take the result. Each change is a release, each look an acquire.
 */
#ifndef SNAPSHOT_SNAPSHOT_INTERNAL_H
#define SNAPSHOT_SNAPSHOT_INTERNAL_H

#include "snapshot/capture.h"
#include "snapshot/snapshot.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SNAPSHOT_IDLE = 0, SNAPSHOT_BEGUN = 1, SNAPSHOT_DONE = 2 };

/* What the sweeper does next with a job. */
typedef enum job_stage {
    JOB_COUNT,    /* how many pages there may be */
    JOB_OPEN,     /* begin the data file */
    JOB_SWEEP,    /* pages of the arenas */
    JOB_STREAM,   /* pages of the stream */
    JOB_REST,     /* the table */
    JOB_DURABLE,  /* the log is not yet durable up to the position */
    JOB_CHECKSUM, /* of the log, read back */
    JOB_FINISH,   /* header and sync */
    JOB_COMMIT,
    JOB_DONE, /* old images have gone */
} job_stage_t;

typedef struct snapshot_job {
    /* From the owner. */
    image_place_t place;
    uint8_t configuration[IMAGE_CONFIGURATION_MAX];
    size_t configuration_length;
    uint8_t *stream;
    size_t stream_length;
    bool incremental;
    uint32_t epochs[CAPTURE_ARENAS_MAX]; /* that the capture closed */
    uint64_t begin_ns;

    /* The sweeper's. */
    job_stage_t stage;
    image_info_t info;
    size_t stream_given;    /* bytes */
    uint32_t counted_arena; /* where to go on counting */
    size_t counted_page;
    uint64_t pages_most;   /* that the file may have */
    uint64_t pages_given;  /* to the file */
    uint64_t pages_looked; /* given when the free space was looked at last */
    bool gave_up;          /* abandoned: the pool was used up */
    /* The result. */
    uint64_t sweep_ns;
    uint64_t commit_ns;
    uint64_t pages_owner;
    oc_err_t err;
    char line[512];
} snapshot_job_t;

struct snapshot {
    snapshot_config_t config;
    oc_arena_t *arenas[CAPTURE_ARENAS_MAX];
    capture_t *capture;
    image_store_t *store;   /* the sweeper's */
    image_writer_t *writer; /* the sweeper's */
    image_fold_t *fold;     /* the sweeper's; NULL: none runs */
    bool fold_due;          /* the sweeper's */
    uint64_t look_next_ns;  /* the sweeper's: when to look for files of the chain again, */
    uint64_t looked_at;     /* and for those of which image; not listed: the newest */
    bool retaining;         /* the sweeper's: what is not kept is being removed */
    pthread_t thread;
    bool running; /* the thread */
    _Atomic bool stop;

    _Atomic int phase;
    snapshot_job_t job;
    /* The sweeper gave the last page out, or stopped asking for them: the owner may end the
     * capture while the job goes on. */
    _Atomic bool swept;
    bool ended; /* the owner has; its own */

    /* Of the newest complete image; changed by the sweeper while a job is its own. */
    bool complete; /* there is one, and these are its epochs */
    /* Its chain is too long to be gone on with. Relaxed: a fold may change it while the owner
     * looks, and either value is fine then. */
    _Atomic bool full_next;
    uint32_t complete_epochs[CAPTURE_ARENAS_MAX];
    uint64_t complete_sequence; /* the sweeper's: folding changes it at any time */

    snapshot_status_t status; /* the owner's */
    _Atomic uint64_t folds;   /* counters and places for the owner, relaxed: they order nothing */
    _Atomic uint64_t oldest;
    _Atomic uint64_t newest;
};

/* Some work of the sweeper, bounded; returns how much, 0: nothing is to do now. *wait_ns: how long
 * the pace asks to wait before the next call. */
unsigned snapshot_job_work(snapshot_t *self, uint64_t now_ns, uint64_t *wait_ns);

/* Gives up a job that runs, and a fold: their files are gone. By the sweeper's thread, or once it
 * has ended. */
void snapshot_job_drop(snapshot_t *self);

/* The next image goes on from this one: says when to fold and when to make a full one. Before the
 * thread starts, and by the sweeper. */
void snapshot_job_go_on_from(snapshot_t *self, const image_info_t *info);

/* Tells the owner which positions the images are of. */
void snapshot_job_note_images(snapshot_t *self);

#endif
