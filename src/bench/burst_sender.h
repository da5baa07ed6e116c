/*
 * One sender of bursts: an exclusive publication, a schedule, and a thread that keeps to it.
 *
 * It says hello, sends every message at its intended time or as soon after it as the publication
 * takes it, and says goodbye. The schedule goes on whatever the receiver does.
 *
 * Threads: the sender's own from burst_sender_start() to burst_sender_join().
 */
#ifndef BENCH_BURST_SENDER_H
#define BENCH_BURST_SENDER_H

#include "bench/arrival.h"
#include "bench/burst_flow.h"

#include <pthread.h>
#include <stdatomic.h>

#define BURST_LATE_NS UINT64_C(10000) /* sent so much behind the intended time is late */

typedef struct burst_sender {
    /* Set by the caller. */
    wire_out_t out; /* the caller closes it */
    arrival_t arrivals;
    burst_sender_id_t id;
    burst_hello_t hello;
    uint64_t start_ns; /* of the schedule; the same for all senders */
    uint64_t stuck_ns; /* refused for so long it gives up */
    int cpu;           /* BENCH_HOST_CPU_ANY: any */

    /* After its end. */
    uint64_t sent;
    uint64_t late;           /* more than BURST_LATE_NS; behind the warm-up */
    uint64_t back_pressured; /* refused more than once in a row */
    uint64_t raised;         /* messages that were too short for the header */
    uint64_t start_late_ns; /* the longest from the start of a burst to its first send; as `late` */
    uint64_t overlapped;    /* bursts that were due before the one before was sent */
    bool gone;              /* nobody received any more, or it gave up */
    oc_err_t err;           /* of its processor */
    char why[256];

    pthread_t thread;
    bool running;
    atomic_bool stop;
    atomic_bool ended;
} burst_sender_t;

/* OC_ERR_NO_MEMORY: no thread. Undo: burst_sender_join(). */
OC_MUST_CHECK oc_err_t burst_sender_start(burst_sender_t *self);

/* Waits for its end; nothing if it was not started. */
void burst_sender_join(burst_sender_t *self);

/* What the thread does. */
void burst_sender_run(burst_sender_t *self);

static inline uint64_t burst_sender_planned(const burst_sender_t *self)
{
    return (uint64_t)self->hello.bursts * self->hello.size;
}

#endif
