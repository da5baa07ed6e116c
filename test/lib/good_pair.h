/*
 * Two well-behaved clients that trade with each other in a thread of their own, whatever else the
 * test does meanwhile. They count what a participant would complain of.
 */
#ifndef LIB_GOOD_PAIR_H
#define LIB_GOOD_PAIR_H

#include "outcry/client.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <threads.h>

enum { GOOD_PAIR_SOURCE = 7, GOOD_PAIR_INSTRUMENT = 1, GOOD_PAIR_TIMES = 65536 };

typedef struct good_trader {
    oc_client_t *client;
    uint64_t sent;
    uint64_t answered;
    uint64_t lots;          /* traded */
    uint64_t last_output;   /* outbound sequence */
    uint64_t last_answered; /* sequence of the command */
    uint64_t wrong;         /* outputs or answers that were lost or came twice */
    uint64_t gaps;
    int64_t worst_ns; /* from a command to its answer */
    int64_t sent_ns[GOOD_PAIR_TIMES];
} good_trader_t;

typedef struct good_pair {
    good_trader_t traders[2]; /* the thread's until good_pair_stop() */
    thrd_t thread;
    bool running;
    bool settled; /* everything was answered at the end */
    atomic_bool stop;
    atomic_uint_fast64_t answers; /* of both so far */
} good_pair_t;

/* Connects both as `principal` (`secret`: NULL, or the answer to a challenge) and starts to trade.
 * Returns why not, or NULL. */
const char *good_pair_start(good_pair_t *self, const char *ingress, const char *principal,
                            const char *secret);

/* Ends the trade when the answers are there, at the latest after ten seconds. */
void good_pair_stop(good_pair_t *self);

#endif
