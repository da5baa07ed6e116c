/*
 * The exchange as a service: what a host drives (outcry/service.h) on one side, the engine
 * (outcry/engine.h) on the other.
 *
 * It decodes messages into requests, knows which session speaks for which source and which
 * principal may, numbers each source's outputs, keeps the newest of them for resending, and sends
 * them to the source's session. Everything it knows is replicated state in its arena; equal logs
 * give equal state hashes with either engine.
 *
 * With the fast engine its state lies in two arenas, of which a host makes images; state_hash()
 * first applies what was held back, so it comes before a capture. With either engine it can be
 * written as records, and read from them under other table sizes, if everything fits. Step bound
 * and modify priority then are the state's. The rings of kept outputs begin empty: who has seen
 * less than the last output is told of a gap. What is kept is therefore not hashed, only how many
 * outputs there were.
 *
 * With engine.hash_outputs a hash over every event runs along, in the arena and in the records. It
 * is no part of the log's configuration: who compares it, the members of a cluster, must all have
 * had it on from the first entry.
 *
 * Threads: the host's core alone; restored() and capture() start threads for their own time.
 */
#ifndef SERVICE_EXCHANGE_H
#define SERVICE_EXCHANGE_H

#include "outcry/engine.h"
#include "outcry/order_entry.h"
#include "outcry/service.h"

typedef struct exchange_config {
    oc_engine_config_t engine;   /* only what decides outcomes is part of the log's configuration */
    uint32_t kept_outputs;       /* per source, power of two, 64..16384 */
    oc_source_id_t admin_source; /* exists from the start with every role, bound to the */
    oc_principal_t admin_principal; /* principal who may do everything */
    uint32_t restore_threads; /* check a restored state, at most 64; 0: one for each processor */
    uint32_t record_threads;  /* write the state as records; likewise */
} exchange_config_t;

/* Defaults: those of the engine but 256 sources and sessions, and no hash over outputs, which only
 * members of a cluster compare; 4,096 kept; source 1, "admin". */
void exchange_config_init(exchange_config_t *config);
OC_MUST_CHECK oc_err_t exchange_config_check(const exchange_config_t *config);

/* Sees every output, also those of sources without a session; for proofs and tests. While the host
 * is not active it may see them at a later call than the message's. */
typedef void (*exchange_tap_t)(void *context, oc_source_id_t source, const oc_output_t *output);

typedef struct exchange exchange_t;

/* OC_ERR_INVALID_CONFIG, OC_ERR_NO_MEMORY. The caller owns *exchange: exchange_destroy(). */
OC_MUST_CHECK oc_err_t exchange_create(exchange_t **exchange, const exchange_config_t *config);
void exchange_destroy(exchange_t *self);

/* The table for a host; borrowed, valid until exchange_destroy(). */
const oc_service_t *exchange_service(exchange_t *self);

void exchange_set_tap(exchange_t *self, exchange_tap_t tap, void *context);

/* For views only, until the next entry. */
const oc_engine_t *exchange_engine(exchange_t *self);

/*
 * For tests, between entries: works out anew all that is kept of sessions and seats (links, id map,
 * rings, hash sum), and audits the engine. True if all agrees, otherwise `why` says what does not.
 */
bool exchange_audit(exchange_t *self, char *why, size_t why_size);

/* For who looks into a state that may be damaged, and applies nothing to it: from here on
 * restored() takes one whose items do not sum to the hash that it carries, too. */
void exchange_allow_wrong_sums(exchange_t *self);

/* Whether they do, between entries. OC_ERR_DAMAGED says which do not. */
OC_MUST_CHECK oc_err_t exchange_check_sums(exchange_t *self);

/* Whether such an entry is an exchange's, of whatever version; otherwise log and images are of
 * another service. */
bool exchange_config_is(const void *bytes, size_t length);

/*
 * Takes what decides over outcomes from the configuration entry of a log (its first entry, as
 * exchange_service()->configuration() gave it), so that a log can be applied by who does not have
 * the configuration file; `kind` of engine and the like stay as they are in *config.
 */
OC_MUST_CHECK oc_err_t exchange_config_parse(exchange_config_t *config, const void *bytes,
                                             size_t length);

#endif
