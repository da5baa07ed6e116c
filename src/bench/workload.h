/*
 * The project's own benchmark flow: two deterministic streams of orders and what a correct engine
 * must make of them. No floating point, no library randomness, no clock: the same bytes anywhere.
 *
 *   W1  one instrument, 1,000,000 resting orders over 1000 price levels, then 5,000,000 mixed
 *       operations: 60 % adds, 30 % cancels, 10 % aggressive orders.
 *   W2  the same over 100 instruments, 10,000 resting orders each at the start.
 *
 * Passive buys are priced 50000 - off, passive sells 50000 + off, off in 1..500. The mixed part's
 * adds crowd near the touch and, in W2, on hot instruments. Half of the cancels hit a uniformly
 * random live order (cold in the cache), half one of the last 4096 (hot). An aggressive order is a
 * limit order 500 ticks through the middle and fills at once, in about three trades.
 *
 * The generator keeps a small book of its own to aim the cancels; from it comes the oracle. An
 * engine that does not reproduce the oracle is not doing price-time matching, and its time must not
 * be compared.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "outcry/engine.h"

typedef enum workload_kind { WORKLOAD_W1 = 1, WORKLOAD_W2 = 2 } workload_kind_t;

typedef enum workload_action {
    WORKLOAD_ADD = 0,
    WORKLOAD_CANCEL = 1,
    WORKLOAD_AGGRESSIVE = 2,
} workload_action_t;

#define WORKLOAD_PRICE_MIDDLE UINT32_C(50000) /* never quoted */
#define WORKLOAD_PRICE_HALF   UINT32_C(500)   /* ticks quoted on each side of it */

#define WORKLOAD_RESTING_DEFAULT    UINT32_C(1000000)
#define WORKLOAD_OPERATIONS_DEFAULT UINT32_C(5000000)

/* For the reference engine, which would take hours for the above. */
#define WORKLOAD_RESTING_SHORT    UINT32_C(10000)
#define WORKLOAD_OPERATIONS_SHORT UINT32_C(50000)

typedef struct workload_op {
    uint8_t action;      /* workload_action_t */
    uint8_t side;        /* oc_side_t; cancel: the order's own */
    uint16_t instrument; /* from 0 */
    uint32_t price;      /* ticks; cancel: the order's */
    uint32_t quantity;   /* lots; cancel: 0 */
    uint32_t id;         /* 1, 2, 3... per add or aggressive order; cancel: the target */
} workload_op_t;

_Static_assert(sizeof(workload_op_t) == 16, "four operations in a cache line");

typedef struct workload_oracle {
    uint64_t trades;
    uint64_t traded_quantity;
    uint64_t trade_hash; /* workload_trade_mix() over every trade, in order */
    uint64_t resting;
    uint64_t resting_quantity;
    uint64_t book_hash; /* workload_book_mix() over the final book: instruments and prices
                           ascending, first come first inside a level */
    uint64_t adds;
    uint64_t cancels;
    uint64_t aggressive;
    uint64_t unfilled; /* aggressive orders that found too little; 0 in the full workloads */
    uint32_t live_max; /* most orders resting at any time */
} workload_oracle_t;

typedef struct workload {
    workload_kind_t kind;
    uint32_t instruments;
    uint32_t resting_count; /* the first so many of ops build the book */
    uint32_t mixed_count;   /* the others follow */
    workload_op_t *ops;     /* owned */
    workload_oracle_t oracle;
} workload_t;

/*
 * Fills *self with a stream of `resting` adds and `mixed` operations; the defaults above give the
 * workload that figures are quoted for. On success the caller owns it: workload_fini().
 *
 * Errors: OC_ERR_NO_MEMORY; OC_ERR_INVALID_CONFIG when so few orders rest that a cancel finds none.
 */
OC_MUST_CHECK oc_err_t workload_init(workload_t *self, workload_kind_t kind, uint32_t resting,
                                     uint32_t mixed);

/* Frees the operations; a zeroed struct is allowed. */
void workload_fini(workload_t *self);

/* Fingerprint of the stream itself. */
uint64_t workload_stream_hash(const workload_t *self);

/*
 * Writes the command that operation `index` stands for: source 1, sequence index + 1, instrument
 * + 1. Client order ids are scrambled, because clients do not number densely.
 */
void workload_command(const workload_t *self, uint32_t index, oc_command_t *command);

/* Client order id of an operation's id, and back. */
oc_client_order_id_t workload_scramble(uint32_t id);
uint32_t workload_unscramble(oc_client_order_id_t client_order_id);

/* Start values and steps of the oracle's two hashes. */
#define WORKLOAD_HASH_START UINT64_C(1469598103934665603)

typedef struct workload_trade {
    uint32_t taker;
    uint32_t maker;
    uint32_t price;
    uint32_t quantity;
} workload_trade_t;

uint64_t workload_trade_mix(uint64_t hash, const workload_trade_t *trade);
uint64_t workload_book_mix(uint64_t hash, uint32_t id, uint64_t quantity);

#endif
