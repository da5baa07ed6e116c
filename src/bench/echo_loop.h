/*
 * The sending loop of an echo: messages at the times of a schedule, echoes into an account.
 *
 * Open loop (with arrivals): message i is intended at a time that nothing moves; a message that the
 * transport does not take yet keeps its time until it does. Closed loop (without): as fast as a
 * window of messages under way lets, and the figures are then no latency at a rate.
 *
 * The clock is looked at before each send, and between two looks at most a few echoes are taken, so
 * that on a processor of its own the loop is less than a microsecond late.
 *
 * How messages go and come is a table of functions: a wire, or a fake in tests.
 *
 * Threads: one.
 */
#ifndef BENCH_ECHO_LOOP_H
#define BENCH_ECHO_LOOP_H

#include "bench/arrival.h"
#include "bench/echo_account.h"
#include "bench/wire.h"

typedef struct echo_link {
    void *context; /* borrowed */
    wire_sent_t (*send)(void *context, const wire_message_t *message, uint32_t bytes);
    /* Takes up to `limit` messages into the account; returns how many, -1: it is broken. */
    int (*poll)(void *context, echo_account_t *account, size_t limit);
    /* What must be done now and then; an error ends the run. */
    oc_err_t (*step)(void *context);
} echo_link_t;

typedef struct echo_load {
    arrival_t
        *arrivals;   /* borrowed; NULL: closed loop; what is too small for the header is raised */
    uint64_t window; /* closed loop: messages under way, at least 1 */
    uint64_t duration_ns;
    uint64_t warmup_ns;     /* of these, the first ones */
    uint64_t messages_max;  /* then sending ends; 0: no limit */
    uint64_t catch_up_ns;   /* how long after its end an open loop may send what it owes */
    uint64_t grace_ns;      /* how long echoes may fail to come at the end */
    uint32_t sender;        /* of this run, unlike others' */
    uint32_t bytes;         /* closed loop: of each message; an open one has its arrivals' */
    bool yield;             /* with nothing to do the processor is given away; else it spins */
    bool (*stop)(void);     /* true: sending ends early; NULL: it does not */
    void (*midway)(void *); /* called once, when half of the time behind the warm-up is over */
    void *midway_context;
} echo_load_t;

typedef enum echo_limit {
    ECHO_KEPT,            /* the rate was kept */
    ECHO_SENDER_LIMIT,    /* it was not, and the transport would have taken more */
    ECHO_TRANSPORT_LIMIT, /* it was not, for the transport took no more */
} echo_limit_t;

typedef struct echo_result {
    echo_counts_t counts;
    uint64_t intended; /* before the end */
    uint64_t unsent;   /* of these, never sent */
    uint64_t
        schedule_ns;    /* its length; shorter if it was stopped, or the last message came first */
    uint64_t behind_ns; /* how long the next message was due at its end, or how late the last was */
    uint64_t lost;      /* sent and not come */
    uint64_t sending_ns; /* from the start to the last send */
    uint64_t blocked_ns; /* when a message was due that the transport did not take */
    uint64_t cpu_ns;     /* of this thread */
    bool closed_loop;
    bool stopped; /* early */
} echo_result_t;

/* Sends for the duration, then waits for what has not come. Error: that of the link's step, or
 * OC_ERR_CLOSED of its functions; the account then has what was seen. */
OC_MUST_CHECK oc_err_t echo_loop_run(const echo_load_t *load, const echo_link_t *link,
                                     echo_account_t *account, echo_result_t *result);

/* Whether the run had the rate that was intended: arrival_kept(), and nothing is unsent. */
echo_limit_t echo_result_limit(const echo_result_t *result);

/* The first words of a report: what kind of figures follow. Static. */
const char *echo_result_mode(const echo_result_t *result);

/* A run that lost or doubled messages or did not keep its rate has failed. */
bool echo_result_failed(const echo_result_t *result);

#endif
