/*
 * The doorway of snapshots: images of a running service, made beside it.
 *
 *     owner                                    sweeper (a thread, or the owner's steps)
 *     snapshot_begin()  epoch + 1     ----->   pages -> image file, paced
 *     goes on; touches copy pages              waits until the log is durable up to the position
 *     snapshot_do_work()              <-----   manifest committed; old images go; chains are folded
 *
 * An image counts only when the log on the device goes up to its position: the log's running
 * checksum there is read back from the device and becomes part of the image.
 *
 * Threads: the owner calls everything but what is marked; the sweeper is started by
 * snapshot_create() unless it is stepped.
 */
#ifndef SNAPSHOT_SNAPSHOT_H
#define SNAPSHOT_SNAPSHOT_H

#include "snapshot/image.h"

typedef struct snapshot snapshot_t;

/* The log, as snapshots see it. Called by the sweeper's thread. */
typedef struct snapshot_log {
    void *context;
    /* Everything before it is durable. */
    uint64_t (*durable)(void *context);
    /* The running checksum at place->position, read from the device; in a mode that does not sync
     * each write, what is before it is synced first. */
    oc_err_t (*checksum)(void *context, const image_place_t *place, uint32_t *checksum);
    uint64_t (*sync_ns)(void *context); /* time of its syncs of late; 0: none */
} snapshot_log_t;

typedef struct snapshot_config {
    const char *dir;          /* of the log; borrowed for the call */
    const storage_t *storage; /* borrowed, as all that follows */
    oc_arena_t *const *arenas;
    size_t arena_count;
    bool stream; /* the last section is a stream, given to each snapshot_begin() */
    snapshot_log_t log;
    size_t pool_pages;        /* copied by the owner at most, 1 or more */
    uint32_t keep;            /* images, 1..64 */
    uint32_t chain_max;       /* incremental images on a full one; with more it is folded, 0..62 */
    uint32_t block_bytes;     /* see image_writer_config_t */
    uint64_t bytes_per_s_max; /* see image_writer_config_t */
    uint64_t reserve_bytes;   /* free space that the log needs: no image or fold takes from it what
                                 it may need to be finished; 0: the space is not looked at */
    bool stepped;             /* no thread: snapshot_do_work() is the sweeper too */
    int cpu;                  /* processor of the thread; -1: any */
    /* Told when something was done or failed, one line for people; NULL: to stderr. By the
     * sweeper's thread. */
    void (*tell)(void *context, const char *line);
    void *tell_context;
} snapshot_config_t;

/*
 * Takes all memory and starts the sweeper. `complete`: the sequence of the image that the arenas
 * were restored from in this process (what changed since carries later stamps), 0: none; the next
 * image is incremental to it. Newer images than that, and with 0 all that are there, could not be
 * used: they count no more, and go once there is a new one. Errors: OC_ERR_INVALID_CONFIG (a number
 * out of its range, a processor that there is not), OC_ERR_NO_MEMORY, and those of
 * image_store_open(): OC_ERR_OPEN, OC_ERR_READ, OC_ERR_SYNC, and what else the device answers to
 * the making of the directory. The caller owns *snapshot: snapshot_destroy().
 */
OC_MUST_CHECK oc_err_t snapshot_create(snapshot_t **snapshot, const snapshot_config_t *config,
                                       uint64_t complete);

/* Gives up what runs (nothing of it is left), stops the thread, frees. NULL is allowed. */
void snapshot_destroy(snapshot_t *self);

/* What an image is made of beside the arenas. Borrowed for the call. */
typedef struct snapshot_request {
    image_place_t place; /* log_checksum is found out later; log.checksum() sees what is there */
    const void *configuration;
    size_t configuration_length; /* at most IMAGE_CONFIGURATION_MAX */
    uint8_t *stream;             /* malloc'ed, taken, also by a refused call; NULL: none */
    size_t stream_length;
    bool full; /* not incremental, whatever there is */
} snapshot_request_t;

typedef enum snapshot_answer {
    SNAPSHOT_STARTED,
    SNAPSHOT_BUSY, /* one is running */
} snapshot_answer_t;

/* Between entries: begins, in constant time. A fold that runs is put off. */
snapshot_answer_t snapshot_begin(snapshot_t *self, const snapshot_request_t *request);

/* Once per duty cycle: lets go of a finished capture; stepped: sweeps on. Returns how much was
 * done. A step is at most one of: a block of pages or of the table, the sync of the data file, the
 * commit (a block and three syncs), the removal of a file; or, at the beginning of a fold, the
 * opening of the whole chain with its tables, which is bounded by the size of the state only. */
int snapshot_do_work(snapshot_t *self);

typedef struct snapshot_status {
    bool running;
    uint64_t begun;     /* so many snapshots were begun, */
    uint64_t completed; /* became images, */
    uint64_t abandoned; /* were abandoned because the pool was used up, */
    uint64_t failed;    /* failed otherwise */
    uint64_t refused;   /* requests while one ran */
    uint64_t folds;
    /* Of the last one that ended: */
    uint64_t sequence; /* of its image; 0: it became none */
    uint64_t position;
    uint64_t begin_ns;    /* clock_wall_ns() when it began, */
    uint64_t pause_ns;    /* how long snapshot_begin() took, */
    uint64_t sweep_ns;    /* until every page was given out, */
    uint64_t commit_ns;   /* until the image was committed */
    uint64_t pages;       /* written */
    uint64_t pages_owner; /* of them copied by the owner */
    uint64_t bytes;       /* of the data file */
    oc_err_t err;         /* why it became no image; OC_ERR_OK */
    char line[512];       /* about it, for people */
    uint64_t oldest;      /* position that the log is needed from; UINT64_MAX: no image */
    uint64_t newest;      /* position of the newest image; 0: none */
} snapshot_status_t;

/* Owner; constant time. */
void snapshot_status(const snapshot_t *self, snapshot_status_t *status);

#endif
