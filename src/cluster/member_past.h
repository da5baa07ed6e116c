/*
 * What can be known of a member's states without it: its images, the state that it kept when it
 * diverged, and its recording of the log. A directory is only read; the member may run, be stopped,
 * or be a copy of either. Used by `outcry cluster diff`.
 *
 * Threads: one.
 */
#ifndef CLUSTER_MEMBER_PAST_H
#define CLUSTER_MEMBER_PAST_H

#include "cluster/log_applier.h"
#include "host/replica.h"
#include "snapshot/image.h"

#include <stdbool.h>
#include <stdint.h>

#define MEMBER_PAST_PATH_MAX 4200

typedef struct member_past {
    char dir[MEMBER_PAST_PATH_MAX];
    char archive_dir[MEMBER_PAST_PATH_MAX];
    image_store_t *images;
    image_store_t *diverged; /* of the state that it had when it diverged; NULL: it did not */
    bool marked;             /* it says that it diverged, whether that state is there or not */
    int64_t recording;       /* of the log; -1: there is none */
    uint64_t log_start;      /* where it begins, */
    uint64_t log_end;        /* and up to where it may be read */
} member_past_t;

/*
 * Looks a directory through. Of a running member the log counts as far as it is applied: what is
 * behind that may still change. Errors: OC_ERR_OPEN (there is no such directory, or nothing of a
 * member in it), those of the recording and of image_store_open(). The caller: member_past_close().
 */
OC_MUST_CHECK oc_err_t member_past_open(member_past_t *self, const char *dir);
void member_past_close(member_past_t *self); /* also after an error, or of a zeroed struct */

/* Where a state begins. */
typedef struct member_past_base {
    const image_store_t *store; /* NULL: at the beginning of the log */
    const image_info_t *image;  /* borrowed from the store */
    bool diverged;              /* it is the state that the member had when it diverged */
} member_past_base_t;

/* A diverged state that nothing is applied to: it is looked into whatever its hash is. */
bool member_past_is_kept(const member_past_base_t *base, uint64_t position);

/* The position of the state that it kept when it diverged; false: it did not. */
bool member_past_diverged(const member_past_t *self, uint64_t *position);

/* The highest position that both can be brought to, as far as can be seen; false: there is none. It
 * may be behind the last entry's end, if it is the end of a log. */
bool member_past_common(const member_past_t *a, const member_past_t *b, uint64_t *position);

/* From where a state at `position` can be reached: the image at or before it that is nearest, that
 * of the diverged state before any other. False: it cannot be. */
bool member_past_base(const member_past_t *self, uint64_t position, member_past_base_t *base);

/*
 * Brings a started replica that has applied nothing to `position`; with `exact` false, as far
 * towards it as the log has entries. *applier says where it is then; `cluster_id` counts only
 * where the log's beginning is read. `threads`: see image_load(). Errors: those of
 * replica_image_load(), of the recording and of private_replay_run(); OC_ERR_DAMAGED when exact and
 * no entry ends there.
 */
typedef struct member_past_target {
    uint64_t position;
    bool exact;
    int64_t cluster_id;
    unsigned threads;
} member_past_target_t;

OC_MUST_CHECK oc_err_t member_past_bring(const member_past_t *self, const member_past_base_t *base,
                                         const member_past_target_t *target, replica_t *replica,
                                         log_applier_t *applier);

#endif
