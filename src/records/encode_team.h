/*
 * Threads that do parts of one job together: the caller and helpers that are parked between jobs.
 *
 * Threads: one owner calls all of this; the helpers run only `work`.
 */
#ifndef RECORDS_ENCODE_TEAM_H
#define RECORDS_ENCODE_TEAM_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct encode_team encode_team_t;

/* Part `part` of a job; false: it failed. Several parts run at the same time. */
typedef bool (*encode_work_t)(void *context, uint32_t part);

/* `threads` includes the caller, 1..RECORDS_THREADS_MAX. OC_ERR_NO_MEMORY: no memory, or no thread.
 * The caller owns *self: encode_team_destroy(). */
OC_MUST_CHECK oc_err_t encode_team_create(encode_team_t **self, unsigned threads);
void encode_team_destroy(encode_team_t *self); /* NULL is allowed */

/*
 * Does parts 0..parts - 1 and returns when all have ended, and everything that was stored in them
 * can be read. False: a part failed; some of the others may not have been begun.
 */
OC_MUST_CHECK bool encode_team_run(encode_team_t *self, encode_work_t work, void *context,
                                   uint32_t parts);

#endif
