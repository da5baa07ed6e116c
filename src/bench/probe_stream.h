/*
 * A stream of probes: orders that match nothing and rest nowhere, sent on an open-loop schedule by
 * one client, each with its own latency from the intended time. So a stall can be looked at by the
 * probes that were due while it lasted.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_PROBE_STREAM_H
#define BENCH_PROBE_STREAM_H

#include "bench/arrival.h"
#include "outcry/client.h"

#include <stdbool.h>

typedef struct probe {
    uint64_t intended_ns; /* clock_wall_ns() */
    uint64_t latency_ns;  /* UINT64_MAX: not answered (yet) */
} probe_t;

typedef struct probe_stream_config {
    const char *ingress;   /* borrowed for the call, as the principal */
    const char *principal; /* who may speak for the source */
    oc_source_id_t source;
    oc_instrument_id_t instrument;
    int64_t price_ticks; /* of a buy that finds no sell */
    uint64_t rate_per_s;
    size_t capacity; /* probes between two restarts */
} probe_stream_config_t;

typedef struct probe_stream {
    oc_client_t *client; /* owned */
    probe_t *probes;     /* owned */
    size_t capacity;
    size_t count;    /* sent since the last restart */
    size_t answered; /* of them */
    uint64_t first_sequence;
    uint64_t wrong; /* answers that are none: doubled, or a fill */
    arrival_t arrivals;
    oc_command_t command;
} probe_stream_t;

/* Connects. Errors: those of oc_client_connect(), OC_ERR_NO_MEMORY. Undo: probe_stream_fini(). */
OC_MUST_CHECK oc_err_t probe_stream_init(probe_stream_t *self, const probe_stream_config_t *config);
void probe_stream_fini(probe_stream_t *self); /* a zeroed struct is allowed */

/* Forgets the probes so far, which are all answered, and begins the schedule anew, now. For after
 * a drain, in which nothing is sent. */
void probe_stream_restart(probe_stream_t *self);

/* Goes on with the schedule until `until_ns`, or until `until` (NULL: nothing) is true; what was
 * due before that was noticed is sent all the same. It is one schedule over all calls: a pause
 * between two of them delays the probes that were due in it, and counts in their latency.
 * OC_ERR_CLOSED: the venue closed the session; OC_ERR_TOO_LONG: the capacity is used up;
 * OC_ERR_TIMEOUT: at the end the venue took no more probes. */
OC_MUST_CHECK oc_err_t probe_stream_run(probe_stream_t *self, uint64_t until_ns,
                                        bool (*until)(void *context), void *context);

/* Waits for the answers to what was sent, at most `timeout_ns`. OC_ERR_TIMEOUT. */
OC_MUST_CHECK oc_err_t probe_stream_drain(probe_stream_t *self, uint64_t timeout_ns);

typedef struct probe_window {
    size_t count;
    uint64_t p50_ns;
    uint64_t p99_ns;
    uint64_t p999_ns;
    uint64_t worst_ns;
} probe_window_t;

/* The probes due from `from_ns` on and before `to_ns`. A probe without an answer counts as the
 * worst there can be. */
void probe_stream_between(const probe_stream_t *self, uint64_t from_ns, uint64_t to_ns,
                          probe_window_t *window);

/* The last `count` probes due from `from_ns` on and before `before_ns`; all, if they are fewer. */
void probe_stream_before(const probe_stream_t *self, uint64_t from_ns, uint64_t before_ns,
                         size_t count, probe_window_t *window);

#endif
