/*
 * Round trips through Aeron itself: a sender and a reflector, in one process or two, and runs
 * between them. One pair may be used for many runs, which then share driver and connection.
 *
 * Threads: the one that opened the pair; the reflector of one process has its own.
 */
#ifndef BENCH_BENCH_ECHO_H
#define BENCH_BENCH_ECHO_H

#include "bench/echo_loop.h"
#include "bench/reflector.h"

#define ECHO_BARE_ROUNDS 5

typedef struct echo_pair_options {
    wire_options_t wire;  /* apart: the reflector is another process */
    int reflector_cpu;    /* REFLECTOR_CPU_ANY: none in particular */
    bool yield;           /* both ends give their processor away when they have nothing to do */
    uint64_t patience_ns; /* until both ends have found each other */
    /* Sees every echo before it is accounted; NULL: nobody does. */
    void (*watch)(void *context, wire_message_t *echo, uint64_t now_ns);
    void *watch_context;
} echo_pair_options_t;

typedef struct echo_pair {
    echo_pair_options_t options;
    wire_t wire;
    wire_in_t in;
    wire_out_t out;
    reflector_t reflector; /* its thread runs unless the other end is apart */
    echo_link_t link;
    uint32_t sender; /* of the next run */
    bool greeted;
} echo_pair_t;

/* On success both ends have heard of each other. OC_ERR_TIMEOUT: nobody answers;
 * OC_ERR_INTERRUPTED; else those of the wire. The caller: echo_pair_close(). */
OC_MUST_CHECK oc_err_t echo_pair_open(echo_pair_t *self, const echo_pair_options_t *options);

/* Says goodbye to a reflector that is apart. The error of the reflector's thread. */
oc_err_t echo_pair_close(echo_pair_t *self);

/* One run; its sender is chosen here. */
OC_MUST_CHECK oc_err_t echo_pair_run(echo_pair_t *self, const echo_load_t *load,
                                     echo_account_t *account, echo_result_t *result);

/* One message under way at a time, in turns without and with all that a run does for its figures:
 * what the bench itself adds. Medians of ECHO_BARE_ROUNDS rounds. */
typedef struct echo_bare {
    uint64_t round_trips; /* of each round */
    double bare_p50_ns;
    double bare_p99_ns;
    double ours_p50_ns;
    double ours_p99_ns;
    double overhead_pct; /* of the p50 */
} echo_bare_t;

OC_MUST_CHECK oc_err_t echo_pair_bare(echo_pair_t *self, uint32_t bytes, uint64_t round_trips,
                                      echo_bare_t *result);

/* How many processors this process may use. */
unsigned echo_processors(void);

/* Whether two ends and a driver have a processor each, so that they may spin. */
bool echo_may_spin(bool own_driver, bool dedicated);

#endif
