/*
 * A member's directory by hand: a recording of a log, the list of recordings, and images of a
 * replica that applies it, made as a running member makes them. Fails the test on trouble.
 */
#ifndef LIB_MEMBER_MAKER_H
#define LIB_MEMBER_MAKER_H

#include "cluster/log_applier.h"
#include "lib/archive_maker.h"
#include "lib/log_maker.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct member_maker {
    char dir[300];
    archive_maker_t archive;
    made_recording_t recording;
    log_maker_t log;
    uint32_t applied; /* entries of the log */
    replica_t replica;
    log_applier_t applier;
    uint64_t image_sequence; /* of the newest image; 0: none */
} member_maker_t;

enum { MEMBER_MAKER_TIMERS = 64 };

/* `dir` is made. `service` was never started; borrowed until the end, and stopped then. */
void member_maker_init(member_maker_t *self, const char *dir, const oc_service_t *service);
void member_maker_fini(member_maker_t *self);

/* Applies what is new in self->log. */
void member_maker_apply(member_maker_t *self);

/* An image of the state as it is now, in the directory or, `diverged`, as one that diverged keeps
 * it; returns its position. */
uint64_t member_maker_image(member_maker_t *self, bool diverged);

#endif
