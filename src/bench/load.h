/*
 * A load on a venue: clients that send a flow of commands on a schedule, and the account of what
 * came back.
 *
 * Open loop (with a schedule): command i is intended at a time that no answer moves; its latency
 * counts from there. Closed loop (without): as fast as a window of unanswered commands lets;
 * latency counts from the send, and says little about a venue under load.
 *
 * How a client talks is a table of functions: oc_client_t (bench/load_venue.h), or a fake in tests.
 *
 * Threads: one, for all clients.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include "bench/arrival.h"
#include "bench/load_session.h"
#include "outcry/client.h"

/* As the functions of oc_client_t; `context` is borrowed for the load's life. */
typedef struct load_link {
    void *context;
    oc_err_t (*send)(void *context, const oc_command_t *command, uint64_t *sequence);
    oc_err_t (*flush)(void *context);
    size_t (*poll)(void *context, size_t limit);
    oc_client_state_t (*state)(const void *context);
} load_link_t;

typedef struct load_client {
    load_link_t link;
    load_session_t session; /* whose load_session_response() the link's handler calls */
} load_client_t;

typedef struct load_config {
    load_client_t *clients; /* borrowed for the run */
    size_t client_count;    /* at least 1; commands go to them in turn */
    arrival_t *arrivals;    /* of all clients together, borrowed and started; NULL: closed loop */
    uint64_t window;        /* closed loop: unanswered commands of each client, at least 1 */
    uint64_t duration_ns;   /* of sending */
    uint64_t commands_max;  /* then sending ends; 0: no limit */
    uint64_t grace_ns;      /* how long answers may fail to come at the end */
    uint64_t pause_ns;     /* slept when there is nothing to do; 0: the processor is yielded only */
    bool (*stop)(void);    /* true: sending ends early; NULL: it does not */
    bool (*give_up)(void); /* the same, and answers are not waited for */
} load_config_t;

typedef struct load_result {
    load_counts_t counts; /* of all clients */
    uint64_t lost;        /* sent and never answered */
    uint64_t unsent;      /* intended before the end, and not sent within a second behind it */
    uint64_t schedule_ns; /* its length; shorter if the last command came first */
    uint64_t behind_ns; /* how long the next command was due at its end, or how late the last was */
    uint64_t sending_ns;  /* from the start to the end of sending */
    uint64_t answered_ns; /* from the start to the last answer */
    uint64_t cpu_ns;      /* of this thread */
    bool closed;          /* a client was closed for good: the run ended early */
} load_result_t;

/*
 * Sends for the duration, then waits for what is not answered. `recorder` (borrowed) is the one
 * that the sessions have; its start is set here.
 */
void load_run(const load_config_t *config, load_recorder_t *recorder, load_result_t *result);

/* What the venue owes its clients after all: commands lost, outputs missed, outputs or answers
 * doubled. No venue that keeps its promises has any; a run with some has failed. */
uint64_t load_result_faults(const load_result_t *result);

/* Whether an open loop had the rate that was intended: arrival_kept(), and nothing is unsent. */
bool load_result_kept(const load_result_t *result);

#endif
