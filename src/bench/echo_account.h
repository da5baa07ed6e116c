/*
 * The account of a run of echoes: what was sent and when it was meant to be, what came back, and
 * the latency of that.
 *
 * Latency counts from the intended time of a message, service time from its send; both times travel
 * in the message, so nothing is looked up. How late sends were is a histogram of its own, and what
 * of that was not because the transport took no more is another: the sender's own doing.
 *
 * What was intended in the warm-up is in no histogram, and in counts of its own.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_ECHO_ACCOUNT_H
#define BENCH_ECHO_ACCOUNT_H

#include "base/histogram.h"
#include "bench/time_line.h"
#include "bench/wire.h"
#include "outcry/error.h"

#include <stdbool.h>

#define ECHO_LATE_NS UINT64_C(10000)

typedef struct echo_counts {
    uint64_t sent;
    uint64_t received;     /* each once */
    uint64_t doubled;      /* and what came again */
    uint64_t out_of_order; /* behind one that was sent later */
    uint64_t strangers;    /* of other senders, or no messages of ours */
    uint64_t late;         /* sent more than ECHO_LATE_NS after the intended time */
    uint64_t held;         /* of these, because the transport took no more */

    /* Of these, what was intended in the warm-up. */
    uint64_t warm_sent;
    uint64_t warm_received;
    uint64_t warm_late;
    uint64_t warm_held;
} echo_counts_t;

typedef struct echo_account {
    time_line_t line;       /* latency by time of the echo */
    histogram_t *latency;   /* owned; all of it, after echo_account_end() */
    histogram_t *service;   /* owned; from the send to the echo, ns */
    histogram_t *send_late; /* owned; from the intended time to the send, ns */
    histogram_t *own_late;  /* owned; the same but for what was held up */
    uint64_t *seen;         /* owned; a bit for each of the last sequences */
    uint64_t warm_end_ns;
    uint64_t next;   /* above the highest sequence that came */
    uint32_t sender; /* whose run it is */
    echo_counts_t counts;
} echo_account_t;

/* `count` intervals of the time line, as time_line_init() has them. OC_ERR_NO_MEMORY. On success
 * the caller owns it: echo_account_fini(). */
OC_MUST_CHECK oc_err_t echo_account_init(echo_account_t *self, size_t count, uint64_t interval_ns);
void echo_account_fini(echo_account_t *self); /* a zeroed struct is allowed */

/* Forgets everything; a run of `sender` starts at `start_ns`. */
void echo_account_begin(echo_account_t *self, uint64_t start_ns, uint64_t warmup_ns,
                        uint32_t sender);

/* The next message was sent. `held`: it is late because the transport took no more. */
void echo_account_sent(echo_account_t *self, uint64_t intended_ns, uint64_t sent_ns, bool held);

/* This message came at `now_ns`. */
void echo_account_echo(echo_account_t *self, const wire_message_t *message, uint64_t now_ns);

/* Makes `latency` of the intervals. */
void echo_account_end(echo_account_t *self);

/* Sent and not come. */
static inline uint64_t echo_account_waiting(const echo_account_t *self)
{
    return self->counts.sent - self->counts.received;
}

#endif
