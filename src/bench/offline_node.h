/*
 * An exchange and its journal in one process, driven as the node drives them, but by calls instead
 * of a transport: for logs that a bench or a test needs. What the exchange sends goes nowhere.
 *
 * Deterministic: the clock of the log is a count.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_OFFLINE_NODE_H
#define BENCH_OFFLINE_NODE_H

#include "journal/journal.h"
#include "service/exchange.h"

typedef struct offline_node offline_node_t;

/*
 * Makes a log with its first entry, the configuration, in a directory that holds none. Both
 * configurations are copied but for what they borrow. Errors: those of the journal and the
 * exchange; OC_ERR_INVALID_ARGUMENT if there is a log. The caller owns *node:
 * offline_node_destroy().
 */
OC_MUST_CHECK oc_err_t offline_node_create(offline_node_t **node, const journal_config_t *journal,
                                           const exchange_config_t *exchange);

/* Ends the log in order, and frees; NULL is allowed. Returns what kept the end from being clean. */
oc_err_t offline_node_destroy(offline_node_t *self);

/* Appends the entry of a new session whose client is `principal`, and applies it. */
OC_MUST_CHECK oc_err_t offline_node_open(offline_node_t *self, const char *principal,
                                         oc_session_id_t *session);

/* Appends a message of a session (at most journal_payload_max() less 8 bytes) and applies it. */
OC_MUST_CHECK oc_err_t offline_node_message(offline_node_t *self, oc_session_id_t session,
                                            const void *bytes, size_t length);

/* The same for one request, which must be one that can be encoded. */
OC_MUST_CHECK oc_err_t offline_node_request(offline_node_t *self, oc_session_id_t session,
                                            const oc_request_t *request);

/*
 * The market that bench flows need: logs the administrator on, has him add instrument 1 with prices
 * low..high (quantities up to max_lots) and source 2 for the principal "trader", and logs that one
 * on. Only once.
 */
OC_MUST_CHECK oc_err_t offline_node_market(offline_node_t *self, int64_t price_low_ticks,
                                           int64_t price_high_ticks, int64_t max_lots,
                                           oc_session_id_t *trader);

/* For a tap and for views; borrowed until offline_node_destroy(). */
exchange_t *offline_node_exchange(offline_node_t *self);

uint64_t offline_node_state_hash(offline_node_t *self);

/* Entries so far, and the position behind the last one. */
uint64_t offline_node_entries(const offline_node_t *self);
uint64_t offline_node_position(const offline_node_t *self);

#endif
