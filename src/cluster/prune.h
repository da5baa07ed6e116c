/*
 * Removing the beginning of a member's log: segments that no start of this member needs any more.
 *
 * Kept is always what each of these needs: every image that is there; the newest official snapshots
 * of the module; what the operator asks for (a backup that reads the log). Nothing goes when the
 * module has no snapshot, since it then replays the log from its beginning, and nothing when the
 * service could not start from what is left: a manifest needs an image that is whole. The log's
 * last file stays whatever is there: a young log has no other one.
 *
 * Threads: one at a time.
 */
#ifndef CLUSTER_PRUNE_H
#define CLUSTER_PRUNE_H

#include "cluster/recording.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRUNE_NO_NEED INT64_MAX

typedef struct prune_options {
    const char *dir;         /* of the member; borrowed for the call */
    int64_t keep_from;       /* the log from there on is kept; PRUNE_NO_NEED: not asked for */
    uint32_t keep_snapshots; /* newest ones, from 1 */
} prune_options_t;

/* A file, or all files of a recording. */
typedef struct prune_item {
    int64_t recording;
    int64_t base;   /* of the segment; -1: all of the recording */
    uint64_t bytes; /* that the device holds of it */
} prune_item_t;

typedef struct prune_plan {
    recording_descriptor_t recording; /* of the log */
    int64_t image_need;               /* the oldest image's position; PRUNE_NO_NEED: no image */
    int64_t snapshot_need;            /* the oldest kept snapshot's */
    int64_t backup_need;
    int64_t log_end;
    int64_t below; /* where the log is to begin: a segment's; its start if nothing goes */
    prune_item_t *segments;
    size_t segment_count;
    prune_item_t *stale; /* recordings of snapshots that the module uses no more */
    size_t stale_count;
} prune_plan_t;

/*
 * Looks, changes nothing. OC_ERR_REFUSED: files could go, none may, and why; OC_ERR_OPEN,
 * OC_ERR_READ, OC_ERR_FORMAT, OC_ERR_DAMAGED: what is there cannot be understood or used;
 * OC_ERR_NO_MEMORY. The caller: prune_plan_fini(), also after an error.
 */
OC_MUST_CHECK oc_err_t prune_plan_make(prune_plan_t *self, const prune_options_t *options);
void prune_plan_fini(prune_plan_t *self);

/* From where on the log is needed, by what needs most of it; PRUNE_NO_NEED: nothing does. */
int64_t prune_need(const prune_plan_t *plan);

/* Where the first file that stays ends. */
int64_t prune_file_end(const prune_plan_t *plan);

/* All bytes of the items. */
uint64_t prune_bytes(const prune_item_t *items, size_t count);

/*
 * Does it without an archive, which must not run: the catalog first, so that a crash leaves files
 * that nobody needs and the next prune removes, never a catalog that names files which are gone.
 * `with_stale`: the stale recordings too. The caller holds the member's locks since before the plan
 * was made. OC_ERR_OPEN, OC_ERR_WRITE, OC_ERR_SYNC, OC_ERR_FORMAT.
 */
OC_MUST_CHECK oc_err_t prune_files(const prune_plan_t *plan, const char *dir, bool with_stale);

/* Has the running archive do it, over the driver in `aeron_dir`, which the member's module
 * uses. *segments: how many went. Stale recordings stay. OC_ERR_NOT_CONNECTED, OC_ERR_TIMEOUT,
 * OC_ERR_TRANSPORT; OC_ERR_REFUSED when the archive refuses, above all while a replay reads what
 * is to go. */
OC_MUST_CHECK oc_err_t prune_ask(const prune_plan_t *plan, const char *aeron_dir,
                                 int64_t *segments);

#endif
