/*
 * The doorway of the host `node`: one machine, one process. It puts what clients do in sequence
 * (journal), applies it (service), and lets the answers out when they are durable (gateway).
 *
 * A duty cycle of the core: poll ingress -> claim and commit entries -> apply each to the service
 * at once -> flush the journal -> send what has become durable. The service runs ahead of the
 * device; its outputs wait.
 *
 * Threads: the core is the caller of node_do_work(); the journal has threads of its own; snapshots
 * have one, or are stepped by the core (sweeper = core); the driver has one, or is stepped too.
 */
#ifndef HOST_NODE_H
#define HOST_NODE_H

#include "gateway/gateway.h"
#include "host/node_config.h"
#include "journal/journal.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct node node_t;

/*
 * Locks the directory, recovers, starts the embedded driver, listens. `service` is borrowed for the
 * node's life. The verdict of the recovery and how long it took are told by node_report().
 *
 * Errors: those of the journal, of the gateway, of the service; OC_ERR_INVALID_CONFIG when the log
 * was made under another configuration (both are named). The caller owns *node: node_destroy().
 */
OC_MUST_CHECK oc_err_t node_create(node_t **node, const node_config_t *config,
                                   const oc_service_t *service);

/* One duty cycle; *work is how much was done, 0 is idle. An error ends the node. */
OC_MUST_CHECK oc_err_t node_do_work(node_t *self, int *work);

/* True while something is to come soon although the last cycle did nothing: who waits between
 * cycles should not sleep. */
bool node_waits(const node_t *self);

/* HOST:PORT that clients connect to; the port is the real one if the configuration says 0.
 * Borrowed, valid until node_destroy(). */
const char *node_ingress(const node_t *self);

/* True once the service or node_stop() asked for the end and everything is sent that can be. */
bool node_stopped(const node_t *self);

/* Asks for an orderly end: no more ingress, what is sequenced becomes durable and is answered. */
void node_stop(node_t *self);

typedef struct node_report {
    journal_verdict_t verdict;
    uint64_t recovery_ns; /* from the start to being ready to trade */
    uint64_t replayed;    /* entries applied again: behind the image, or all */
    uint64_t entries;     /* applied since the beginning of the log */
    uint64_t position;    /* applied so far */
    uint64_t state_hash;  /* of the service; 0 if it has none */
    uint32_t term;
    uint32_t sessions;
    uint64_t image_sequence; /* of the image that it started from; 0: none, only the log */
    uint64_t image_position;
    uint64_t images;           /* made since the start; zero in a replay, as what follows */
    uint64_t images_abandoned; /* so much changed that the pool was used up */
    uint64_t images_failed;
    gateway_counters_t gateway; /* since the start */
} node_report_t;

void node_report(const node_t *self, node_report_t *report);

/* Orderly if stopped; frees all. NULL is allowed. Returns what kept the end from being clean. */
oc_err_t node_destroy(node_t *self);

typedef enum node_replay_from {
    NODE_REPLAY_LOG,  /* the whole log, from its beginning */
    NODE_REPLAY_IMAGE /* as a start does: the newest image, and the log behind it */
} node_replay_from_t;

/*
 * Applies the log of a directory to a service, without a transport, and without changing anything:
 * for recovery proofs. Takes no lock.
 */
OC_MUST_CHECK oc_err_t node_replay(const char *dir, const oc_service_t *service,
                                   node_replay_from_t from, node_report_t *report);

/*
 * The configuration that the log of a directory was made under, as the service gave it (at most
 * LOG_CONFIGURATION_MAX bytes), from its first entry or, if that is gone, from the newest image:
 * *length is 0 if there is no entry yet. Takes no lock. Errors: those
 * of the journal.
 */
OC_MUST_CHECK oc_err_t node_log_configuration(const char *dir, void *bytes, size_t size,
                                              size_t *length);

#endif
