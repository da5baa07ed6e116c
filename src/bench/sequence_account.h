/*
 * Which messages of a numbered stream came: each once, twice, late, or never.
 *
 * Numbers begin at 0. Of the last SEQUENCE_WINDOW of them it is kept which came, so that a message
 * behind a later one is told from one that comes twice; what is older than that counts as doubled
 * when it comes, whatever it was.
 */
#ifndef BENCH_SEQUENCE_ACCOUNT_H
#define BENCH_SEQUENCE_ACCOUNT_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

#define SEQUENCE_WINDOW UINT64_C(1048576)

typedef struct sequence_account {
    uint64_t next;         /* above all that came */
    uint64_t received;     /* different ones */
    uint64_t doubled;      /* came again */
    uint64_t out_of_order; /* came behind a later one, for the first time */
    uint64_t *came;        /* owned: a bit for each number, modulo the window */
} sequence_account_t;

/* OC_ERR_NO_MEMORY. On success the caller owns it: sequence_account_fini(). */
OC_MUST_CHECK oc_err_t sequence_account_init(sequence_account_t *self);
void sequence_account_fini(sequence_account_t *self); /* a zeroed struct is allowed */

/* True: it came for the first time. */
bool sequence_account_take(sequence_account_t *self, uint64_t number);

#endif
