/*
 * Comparing members: each says, through the log, what its state's hash was at a position; whoever
 * differs from what most members say has diverged.
 *
 * Everything here follows from the log and from what this member computed itself; nothing is
 * replicated state: after a restart it begins anew, and votes on positions that this member has not
 * computed in this life decide nothing.
 *
 * Threads: the core's alone.
 */
#ifndef CLUSTER_DIVERGENCE_H
#define CLUSTER_DIVERGENCE_H

#include "codec/member_codec.h"

#include <stdbool.h>
#include <stdint.h>

#define DIVERGENCE_MEMBERS_MAX   16
#define DIVERGENCE_POSITIONS_MAX 64 /* remembered; older ones are forgotten undecided */

typedef struct divergence_hashes {
    uint64_t state;
    uint64_t output;
} divergence_hashes_t;

typedef struct divergence_point {
    uint64_t position; /* 0: free */
    divergence_hashes_t own;
    divergence_hashes_t votes[DIVERGENCE_MEMBERS_MAX]; /* by place in the list of members */
    uint32_t voted;                                    /* bits, likewise */
    uint32_t told;                                     /* bits: it was said of them */
    bool decided;                                      /* there is a majority: */
    divergence_hashes_t majority;
    bool split_told;
} divergence_point_t;

typedef struct divergence {
    int32_t members[DIVERGENCE_MEMBERS_MAX]; /* ids of all */
    uint32_t count;
    uint32_t self;                                       /* place of this one */
    divergence_point_t points[DIVERGENCE_POSITIONS_MAX]; /* a ring */
    uint32_t next;                                       /* the oldest of them, to be used next */
    uint64_t last_position;                              /* of the newest */
    uint64_t agreed_position; /* the highest at which a majority, this member with it, agrees */
    uint64_t decided;         /* positions at which there was a majority */
} divergence_t;

typedef enum divergence_verdict {
    DIVERGENCE_NONE,  /* nothing to be said yet, or all is well */
    DIVERGENCE_SELF,  /* most members say something else than this one */
    DIVERGENCE_OTHER, /* another member is the one that differs */
    DIVERGENCE_SPLIT, /* all have voted, and there is no majority: nobody knows who is right */
} divergence_verdict_t;

typedef struct divergence_report {
    divergence_verdict_t verdict;
    uint64_t position;
    int32_t member;            /* OTHER: which one; otherwise this one */
    divergence_hashes_t own;   /* what this one computed */
    divergence_hashes_t other; /* SELF: what most say; OTHER: what `member` said */
    uint64_t agreed_position;  /* the last at which all was well; 0: none known */
} divergence_report_t;

/* `member` is one of the 1..DIVERGENCE_MEMBERS_MAX `members`, which are copied. */
void divergence_init(divergence_t *self, int32_t member, const int32_t *members, uint32_t count);

/* This member's own hashes at a position above 0; positions ascend. */
void divergence_own(divergence_t *self, uint64_t position, const divergence_hashes_t *own);

/*
 * A vote from the log; of a member that is not in the list, about a position that is not
 * remembered, or of a second one for a position, nothing comes. Fills in *report with one verdict;
 * each is given once. When several are due, SELF comes first, the others with later votes.
 */
void divergence_vote(divergence_t *self, const member_message_t *check,
                     divergence_report_t *report);

#endif
