/*
 * The receiving end of bursts: takes them off a subscription as fast as they come, and accounts for
 * every message of one run, the first that says hello.
 *
 * Threads: one; `stop` and `seen` may be used by another one meanwhile.
 */
#ifndef BENCH_BURST_RECEIVER_H
#define BENCH_BURST_RECEIVER_H

#include "base/histogram.h"
#include "bench/burst_absorb.h"
#include "bench/burst_flow.h"
#include "bench/sequence_account.h"

#include <stdatomic.h>

/* Of one sender. */
typedef struct burst_stream {
    sequence_account_t account;
    bool goodbye;
    uint64_t sent; /* as it said in its goodbye */
} burst_stream_t;

typedef struct burst_receiver {
    bool begun; /* a hello came; the next two are from it */
    burst_sender_id_t id;
    burst_hello_t hello;
    bool same_clock;
    burst_stream_t streams[BURST_SENDERS_MAX];
    unsigned goodbyes;
    burst_absorb_t absorb;
    histogram_t *latency; /* owned: from the intended time, behind the warm-up, with same_clock */
    histogram_t *service; /* owned: the same from the send */
    uint64_t strangers;   /* messages that are not of this run */
    oc_err_t err;         /* what ended it */
    char why[256];        /* its context */
    atomic_bool stop;
    _Atomic uint64_t seen; /* messages of any kind */
} burst_receiver_t;

/* OC_ERR_NO_MEMORY. On success the caller owns it: burst_receiver_fini(). */
OC_MUST_CHECK oc_err_t burst_receiver_init(burst_receiver_t *self);
void burst_receiver_fini(burst_receiver_t *self); /* a zeroed struct is allowed */

/* A message came at `now_ns`, CLOCK_MONOTONIC. */
void burst_receiver_take(burst_receiver_t *self, const wire_message_t *message, uint64_t now_ns);

/* Every sender of the run has said goodbye. */
bool burst_receiver_done(const burst_receiver_t *self);

/* Receives until it is done, has lost its senders, or is stopped; `err` is what else ended it. The
 * client of `wire` is stepped. */
void burst_receiver_run(burst_receiver_t *self, wire_t *wire, wire_in_t *in);

/* Sums over the senders. Lost: what a sender said that it sent, or without a goodbye what is below
 * the last that came, and did not come. */
typedef struct burst_tally {
    uint64_t received;
    uint64_t lost;
    uint64_t doubled;
    uint64_t out_of_order;
    uint64_t silent; /* senders without a goodbye */
} burst_tally_t;

void burst_receiver_tally(const burst_receiver_t *self, burst_tally_t *tally);

#endif
