/*
 * The trader of tests of proofs: orders that meet now and then, and what was to be told of them.
 */
#ifndef LIB_PROOF_TRADER_H
#define LIB_PROOF_TRADER_H

#include "outcry/order_entry.h"

#include <stddef.h>
#include <stdint.h>

enum { PROOF_TRADER_SOURCE = 2, PROOF_TRADER_OUTPUTS = 2000 };

typedef struct proof_trader {
    oc_output_t outputs[PROOF_TRADER_OUTPUTS]; /* that were due, in order */
    size_t count;
    uint64_t answers; /* of them: to orders and cancels */
    uint64_t fills;
} proof_trader_t;

/* Order number `i`, of either side, in instrument 1, which trades from 1 to 100 ticks, at most 50
 * lots at once. */
oc_request_t proof_trader_order(uint64_t i);

/* An exchange_tap_t whose context is the trader: keeps what goes to its source. */
void proof_trader_see(void *context, oc_source_id_t source, const oc_output_t *output);

#endif
