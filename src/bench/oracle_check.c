/*
 * The check of an engine against a workload's oracle. Called by the book bench, the demo and the
 * integration tests.
 *
 * Invariant: trades are hashed in the order of the events, the book in the order of the oracle. It
 * must not look at the oracle before the end, nor into the engine but through its public walk.
 */
#include "bench/oracle_check.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void oracle_check_init(oracle_check_t *self)
{
    memset(self, 0, sizeof *self);
    self->trade_hash = WORKLOAD_HASH_START;
}

void oracle_check_sink(void *context, const oc_event_t *events, size_t count)
{
    oracle_check_t *self = context;
    for (size_t i = 0; i < count; i++) {
        const oc_event_t *event = &events[i];
        if (event->type == OC_EVENT_TRADE) {
            self->taker = workload_unscramble(event->client_order_id);
        } else if (event->type == OC_EVENT_FILL) {
            const workload_trade_t trade = {
                self->taker,
                workload_unscramble(event->client_order_id),
                (uint32_t)event->price_ticks,
                (uint32_t)event->quantity_lots,
            };
            self->trades++;
            self->traded_quantity += (uint64_t)event->quantity_lots;
            self->trade_hash = workload_trade_mix(self->trade_hash, &trade);
        } else if (event->type == OC_EVENT_REJECTED) {
            self->rejected++;
        }
    }
}

static void hash_order(oracle_check_t *self, uint32_t id, int64_t open_lots)
{
    self->resting++;
    self->resting_quantity += (uint64_t)open_lots;
    self->book_hash = workload_book_mix(self->book_hash, id, (uint64_t)open_lots);
}

/* One side of a book, in the order of the engine's walk. */
typedef struct side_walk {
    oracle_check_t *check;
    oc_order_view_t *bids; /* gathered; NULL: hash at once */
    size_t count;
    size_t capacity;
} side_walk_t;

static bool visit(void *context, const oc_order_view_t *view)
{
    side_walk_t *walk = context;
    if (!walk->bids) {
        hash_order(walk->check, workload_unscramble(view->client_order_id), view->open_lots);
        return true;
    }
    if (walk->count == walk->capacity)
        return false;
    walk->bids[walk->count++] = *view;
    return true;
}

/* Bids come best first, which is prices descending; the oracle has them ascending, but first come
 * first inside a level as well. So whole levels are taken from the end. */
static void hash_bids_ascending(oracle_check_t *self, const side_walk_t *walk)
{
    size_t end = walk->count;
    while (end > 0) {
        size_t begin = end - 1;
        while (begin > 0 && walk->bids[begin - 1].price_ticks == walk->bids[end - 1].price_ticks)
            begin--;
        for (size_t i = begin; i < end; i++)
            hash_order(self, workload_unscramble(walk->bids[i].client_order_id),
                       walk->bids[i].open_lots);
        end = begin;
    }
}

static oc_err_t hash_book(oracle_check_t *self, const oc_engine_t *engine, uint32_t instruments)
{
    oc_engine_counts_t counts;
    oc_engine_counts(engine, &counts);
    const size_t capacity = (size_t)counts.orders + 1;
    oc_order_view_t *bids = malloc(capacity * sizeof *bids);
    if (!bids)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory to read a book of %zu orders",
                         capacity);
    self->book_hash = WORKLOAD_HASH_START;
    for (uint32_t i = 1; i <= instruments; i++) {
        const oc_instrument_id_t id = {i};
        side_walk_t walk = {self, bids, 0, capacity};
        oc_engine_visit_orders(engine, id, OC_SIDE_BUY, visit, &walk);
        hash_bids_ascending(self, &walk);
        walk.bids = NULL;
        oc_engine_visit_orders(engine, id, OC_SIDE_SELL, visit, &walk);
    }
    free(bids);
    return OC_ERR_OK;
}

oc_err_t oracle_check_finish(oracle_check_t *self, const oc_engine_t *engine,
                             const workload_t *workload, bool *ok)
{
    const workload_oracle_t *oracle = &workload->oracle;
    *ok = false;
    const oc_err_t err = hash_book(self, engine, workload->instruments);
    if (err != OC_ERR_OK)
        return err;
    *ok = self->rejected == 0 && self->trades == oracle->trades &&
          self->traded_quantity == oracle->traded_quantity &&
          self->trade_hash == oracle->trade_hash && self->resting == oracle->resting &&
          self->resting_quantity == oracle->resting_quantity &&
          self->book_hash == oracle->book_hash;
    return OC_ERR_OK;
}
