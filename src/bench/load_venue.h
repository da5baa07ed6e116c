/*
 * Clients of a load at a real venue: first an administrator sees to it that instruments, sources
 * and the principal's right to them exist, then each client connects with a source of its own.
 *
 * Threads: one; with several clients the media driver they share has a thread.
 */
#ifndef BENCH_LOAD_VENUE_H
#define BENCH_LOAD_VENUE_H

#include "bench/load.h"

typedef struct load_identity {
    const char *principal; /* borrowed */
    const void *secret;    /* borrowed; NULL: none */
    size_t secret_length;
} load_identity_t;

typedef struct load_venue_config {
    const char *ingress; /* borrowed */
    const char
        *aeron_dir; /* of a running media driver, borrowed; NULL: the clients have their own */
    load_identity_t admin;
    oc_source_id_t admin_source;
    load_identity_t trader;
    oc_source_id_t first_source;     /* of the first client; the others' follow */
    size_t clients;                  /* 1..LOAD_CLIENTS_MAX */
    uint32_t unanswered_max;         /* of each; power of two */
    uint32_t message_commands;       /* at most in one message; 0: as many as fit */
    uint32_t instrument_step;        /* client i trades instruments of the flow + i times this */
    const oc_command_t *instruments; /* borrowed; INSTRUMENT_ADD of those of the first client */
    size_t instrument_count;
} load_venue_config_t;

#define LOAD_CLIENTS_MAX 64

/*
 * Adds what is missing; what exists already is left as it is. Errors: those of oc_client_connect();
 * OC_ERR_REFUSED (the venue rejected a command: which, and why), OC_ERR_TIMEOUT.
 */
OC_MUST_CHECK oc_err_t load_venue_prepare(const load_venue_config_t *config);

typedef struct load_venue load_venue_t;

/*
 * Connects every client. `flow` and `recorder` are borrowed for the venue's life. Errors: those of
 * oc_client_connect(). The caller owns *venue: load_venue_close().
 */
OC_MUST_CHECK oc_err_t load_venue_connect(load_venue_t **venue, const load_venue_config_t *config,
                                          const load_flow_t *flow, load_recorder_t *recorder);

/* The clients, connected; borrowed. */
load_client_t *load_venue_clients(load_venue_t *self);

/* Times that clients connected again, commands sent again, and outputs that the client library
 * itself left out as repeated, of all clients. */
typedef struct load_venue_counts {
    uint64_t reconnects;
    uint64_t resent;
    uint64_t repeats;
} load_venue_counts_t;

void load_venue_counts(const load_venue_t *self, load_venue_counts_t *counts);

/* Why the first closed client was closed; "" if none. Borrowed until load_venue_close(). */
const char *load_venue_reason(const load_venue_t *self);

/* Closes the clients, frees all. NULL is allowed. */
void load_venue_close(load_venue_t *self);

#endif
