/*
 * Generator of the benchmark flow. Called by the benches, the demo and the tests.
 *
 * Invariants: every draw of random numbers happens in the order in which the stream was first
 * published (some of them are thrown away), because the hashes of the full workloads are pinned;
 * a cancel always names a live order. It must not use the engine: its own book is what the engine
 * is checked against.
 */
#include "bench/workload.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/prng.h"

#include <stdlib.h>
#include <string.h>

enum {
    PRICE_LOWEST = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF,
    PRICE_HIGHEST = WORKLOAD_PRICE_MIDDLE + WORKLOAD_PRICE_HALF,
    LEVELS_PER_INSTRUMENT = PRICE_HIGHEST - PRICE_LOWEST + 1,
    PASSIVE_QUANTITY_MAX = 100,
    AGGRESSIVE_QUANTITY_MAX = 300,
    RECENT_IDS = 4096,
    RECENT_TRIES = 8,
};

/* An order of the generator's book, found by its id; 0 is no order. */
typedef struct slot {
    uint32_t next;
    uint32_t previous;
    uint32_t quantity;
    uint32_t price;
    uint32_t live_index;
    uint16_t instrument;
    uint8_t side;
    bool live;
} slot_t;

typedef struct level {
    uint32_t head;
    uint32_t tail;
} level_t;

typedef struct generator {
    uint64_t random;
    uint32_t instruments;
    uint32_t next_id;
    uint32_t live_count;
    slot_t *slots;
    level_t *levels;
    uint32_t *live; /* ids of the live orders, in no order */
    uint32_t *best; /* two per instrument: no order rests at a better price */
    workload_oracle_t *oracle;
} generator_t;

/* floor(count * u * u), u uniform in [0, 1): small numbers come often. */
static uint32_t random_squared(uint64_t *state, uint32_t count)
{
    const uint64_t u = prng_next(state) >> 32;
    return (uint32_t)((((u * u) >> 32) * count) >> 32);
}

/* The published stream drew an account number here; its draw keeps the later ones in place. */
static void random_discard(uint64_t *state)
{
    (void)prng_next(state);
}

uint64_t workload_trade_mix(uint64_t hash, const workload_trade_t *trade)
{
    const uint64_t ids = (uint64_t)trade->taker << 32 | trade->maker;
    const uint64_t terms = (uint64_t)trade->price << 32 | trade->quantity;
    hash = (hash ^ ids) * UINT64_C(0x9E3779B97F4A7C15);
    return (hash ^ (hash >> 29) ^ terms) * UINT64_C(0xBF58476D1CE4E5B9);
}

/* FNV-1a over the eight bytes of a word. */
static uint64_t fnv_word(uint64_t hash, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) {
        hash ^= (word >> (8 * i)) & 0xff;
        hash *= UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t workload_book_mix(uint64_t hash, uint32_t id, uint64_t quantity)
{
    return fnv_word(fnv_word(hash, id), quantity);
}

static level_t *level_at(const generator_t *g, uint32_t instrument, uint32_t price)
{
    OC_ASSERT(price >= PRICE_LOWEST);
    OC_ASSERT(price <= PRICE_HIGHEST);
    return &g->levels[(size_t)instrument * LEVELS_PER_INSTRUMENT + (price - PRICE_LOWEST)];
}

static void book_add(generator_t *g, const workload_op_t *op)
{
    slot_t *slot = &g->slots[op->id];
    level_t *level = level_at(g, op->instrument, op->price);
    slot->quantity = op->quantity;
    slot->price = op->price;
    slot->instrument = op->instrument;
    slot->side = op->side;
    slot->live = true;
    slot->next = 0;
    slot->previous = level->tail;
    if (level->tail)
        g->slots[level->tail].next = op->id;
    else
        level->head = op->id;
    level->tail = op->id;

    slot->live_index = g->live_count;
    g->live[g->live_count++] = op->id;
    if (g->live_count > g->oracle->live_max)
        g->oracle->live_max = g->live_count;

    uint32_t *best = &g->best[2u * op->instrument + op->side];
    if (op->side == OC_SIDE_BUY ? op->price > *best : op->price < *best)
        *best = op->price;
}

static void book_remove(generator_t *g, uint32_t id)
{
    slot_t *slot = &g->slots[id];
    OC_ASSERT(slot->live);
    level_t *level = level_at(g, slot->instrument, slot->price);
    if (slot->previous)
        g->slots[slot->previous].next = slot->next;
    else
        level->head = slot->next;
    if (slot->next)
        g->slots[slot->next].previous = slot->previous;
    else
        level->tail = slot->previous;

    slot->live = false;
    const uint32_t last = g->live[--g->live_count];
    g->live[slot->live_index] = last;
    g->slots[last].live_index = slot->live_index;
}

/* Price of a passive order `offset` ticks from the middle. */
static uint32_t passive_price(uint8_t side, uint32_t offset)
{
    return side == OC_SIDE_BUY ? WORKLOAD_PRICE_MIDDLE - offset : WORKLOAD_PRICE_MIDDLE + offset;
}

/* The populating adds are spread evenly over sides, prices and instruments. */
static void make_populating_add(generator_t *g, workload_op_t *op)
{
    op->action = WORKLOAD_ADD;
    op->id = g->next_id++;
    op->side = op->id & 1 ? OC_SIDE_BUY : OC_SIDE_SELL;
    op->instrument = (uint16_t)((op->id - 1) / 2 % g->instruments);
    op->price = passive_price(op->side, 1 + prng_below(&g->random, WORKLOAD_PRICE_HALF));
    op->quantity = 1 + prng_below(&g->random, PASSIVE_QUANTITY_MAX);
    random_discard(&g->random);
    book_add(g, op);
    g->oracle->adds++;
}

static void choose_side_and_instrument(generator_t *g, workload_op_t *op)
{
    op->id = g->next_id++;
    op->side = (uint8_t)(prng_next(&g->random) >> 63);
    op->instrument = g->instruments == 1 ? 0 : (uint16_t)random_squared(&g->random, g->instruments);
}

static void make_add(generator_t *g, workload_op_t *op)
{
    op->action = WORKLOAD_ADD;
    choose_side_and_instrument(g, op);
    op->price = passive_price(op->side, 1 + random_squared(&g->random, WORKLOAD_PRICE_HALF));
    op->quantity = 1 + prng_below(&g->random, PASSIVE_QUANTITY_MAX);
    random_discard(&g->random);
    book_add(g, op);
    g->oracle->adds++;
}

/* One of the ids issued last that is still live; 0 when some tries find none. */
static uint32_t recent_live_id(generator_t *g)
{
    const uint32_t newest = g->next_id - 1;
    const uint32_t span = newest < RECENT_IDS ? newest : RECENT_IDS;
    for (unsigned i = 0; i < RECENT_TRIES; i++) {
        const uint32_t id = newest - prng_below(&g->random, span);
        if (g->slots[id].live)
            return id;
    }
    return 0;
}

static void make_cancel(generator_t *g, workload_op_t *op)
{
    uint32_t id = 0;
    if (prng_next(&g->random) >> 63)
        id = recent_live_id(g);
    if (id == 0)
        id = g->live[prng_below(&g->random, g->live_count)];
    const slot_t *slot = &g->slots[id];
    op->action = WORKLOAD_CANCEL;
    op->id = id;
    op->side = slot->side;
    op->instrument = slot->instrument;
    op->price = slot->price;
    book_remove(g, id);
    g->oracle->cancels++;
}

/* First order of the best level on the side that `op` trades against; 0 when that side is empty. */
static uint32_t best_maker(generator_t *g, const workload_op_t *op)
{
    uint32_t *best = &g->best[2u * op->instrument + !op->side];
    for (;;) {
        const uint32_t head = level_at(g, op->instrument, *best)->head;
        if (head || *best == op->price)
            return head;
        *best += op->side == OC_SIDE_BUY ? 1u : UINT32_MAX;
    }
}

static void match(generator_t *g, const workload_op_t *op)
{
    workload_oracle_t *oracle = g->oracle;
    uint32_t left = op->quantity;
    while (left) {
        const uint32_t maker = best_maker(g, op);
        if (maker == 0) {
            oracle->unfilled++;
            return;
        }
        slot_t *slot = &g->slots[maker];
        const uint32_t traded = slot->quantity < left ? slot->quantity : left;
        const workload_trade_t trade = {op->id, maker, slot->price, traded};
        oracle->trades++;
        oracle->traded_quantity += traded;
        oracle->trade_hash = workload_trade_mix(oracle->trade_hash, &trade);
        left -= traded;
        slot->quantity -= traded;
        if (slot->quantity == 0)
            book_remove(g, maker);
    }
}

static void make_aggressive(generator_t *g, workload_op_t *op)
{
    op->action = WORKLOAD_AGGRESSIVE;
    choose_side_and_instrument(g, op);
    op->price = op->side == OC_SIDE_BUY ? PRICE_HIGHEST : PRICE_LOWEST;
    op->quantity = 1 + prng_below(&g->random, AGGRESSIVE_QUANTITY_MAX);
    random_discard(&g->random);
    g->oracle->aggressive++;
    match(g, op);
}

static oc_err_t make_mixed(generator_t *g, workload_op_t *op)
{
    const uint32_t draw = prng_below(&g->random, 10);
    if (draw < 6) {
        make_add(g, op);
    } else if (draw < 9) {
        if (g->live_count == 0)
            return error_set(OC_ERR_INVALID_CONFIG,
                             "workload: no order is left to cancel at id %u; start with more "
                             "resting orders",
                             g->next_id);
        make_cancel(g, op);
    } else {
        make_aggressive(g, op);
    }
    return OC_ERR_OK;
}

static void hash_final_book(generator_t *g)
{
    workload_oracle_t *oracle = g->oracle;
    oracle->book_hash = WORKLOAD_HASH_START;
    const size_t levels = (size_t)g->instruments * LEVELS_PER_INSTRUMENT;
    for (size_t i = 0; i < levels; i++) {
        for (uint32_t id = g->levels[i].head; id; id = g->slots[id].next) {
            oracle->resting++;
            oracle->resting_quantity += g->slots[id].quantity;
            oracle->book_hash = workload_book_mix(oracle->book_hash, id, g->slots[id].quantity);
        }
    }
}

static void generator_fini(generator_t *g)
{
    free(g->slots);
    free(g->levels);
    free(g->live);
    free(g->best);
}

static oc_err_t generator_init(generator_t *g, workload_t *out)
{
    const size_t ids = (size_t)out->resting_count + out->mixed_count + 1;
    memset(g, 0, sizeof *g);
    g->random = UINT64_C(0x5EED0000) + (uint64_t)out->kind;
    g->instruments = out->instruments;
    g->next_id = 1;
    g->oracle = &out->oracle;
    g->slots = calloc(ids, sizeof *g->slots);
    g->levels = calloc((size_t)g->instruments * LEVELS_PER_INSTRUMENT, sizeof *g->levels);
    g->live = malloc(ids * sizeof *g->live);
    g->best = malloc((size_t)g->instruments * 2 * sizeof *g->best);
    if (!g->slots || !g->levels || !g->live || !g->best) {
        generator_fini(g);
        return error_set(OC_ERR_NO_MEMORY, "workload: no memory for a book of %zu orders", ids);
    }
    for (uint32_t i = 0; i < g->instruments; i++) {
        g->best[2 * i + OC_SIDE_BUY] = PRICE_LOWEST;
        g->best[2 * i + OC_SIDE_SELL] = PRICE_HIGHEST;
    }
    return OC_ERR_OK;
}

static oc_err_t generate(generator_t *g, workload_t *out)
{
    workload_op_t *op = out->ops;
    for (uint32_t i = 0; i < out->resting_count; i++)
        make_populating_add(g, op++);
    for (uint32_t i = 0; i < out->mixed_count; i++) {
        const oc_err_t err = make_mixed(g, op++);
        if (err != OC_ERR_OK)
            return err;
    }
    hash_final_book(g);
    return OC_ERR_OK;
}

oc_err_t workload_init(workload_t *self, workload_kind_t kind, uint32_t resting, uint32_t mixed)
{
    memset(self, 0, sizeof *self);
    self->kind = kind;
    self->instruments = kind == WORKLOAD_W2 ? 100 : 1;
    self->resting_count = resting;
    self->mixed_count = mixed;
    self->oracle.trade_hash = WORKLOAD_HASH_START;
    const size_t count = (size_t)resting + mixed;
    self->ops = calloc(count ? count : 1, sizeof *self->ops);
    if (!self->ops)
        return error_set(OC_ERR_NO_MEMORY, "workload: no memory for %zu operations", count);

    generator_t g;
    oc_err_t err = generator_init(&g, self);
    if (err != OC_ERR_OK)
        goto fail;
    err = generate(&g, self);
    generator_fini(&g);
    if (err != OC_ERR_OK)
        goto fail;
    return OC_ERR_OK;

fail:
    workload_fini(self);
    return err;
}

void workload_fini(workload_t *self)
{
    free(self->ops);
    self->ops = NULL;
}

uint64_t workload_stream_hash(const workload_t *self)
{
    uint64_t hash = WORKLOAD_HASH_START;
    const size_t count = (size_t)self->resting_count + self->mixed_count;
    for (size_t i = 0; i < count; i++) {
        const workload_op_t *op = &self->ops[i];
        hash = fnv_word(hash, (uint64_t)op->action | (uint64_t)op->side << 8 |
                                  (uint64_t)op->instrument << 16 | (uint64_t)op->price << 32);
        hash = fnv_word(hash, op->quantity | (uint64_t)op->id << 32);
    }
    return hash;
}

void workload_command(const workload_t *self, uint32_t index, oc_command_t *command)
{
    OC_ASSERT(index < self->resting_count + self->mixed_count);
    const workload_op_t *op = &self->ops[index];
    memset(command, 0, sizeof *command);
    command->source.value = 1;
    command->sequence = (uint64_t)index + 1;
    command->instrument.value = op->instrument + 1u;
    command->u.order.client_order_id = workload_scramble(op->id);
    if (op->action == WORKLOAD_CANCEL) {
        command->type = OC_COMMAND_CANCEL;
        return;
    }
    command->type = OC_COMMAND_NEW;
    command->side = op->side;
    command->order_type = OC_ORDER_LIMIT;
    command->u.order.price_ticks = op->price;
    command->u.order.quantity_lots = op->quantity;
    /* Good till cancelled and immediate-or-cancel come to the same while all of them fill; only in
     * a shortened stream that ran dry must the rest not stay. */
    if (op->action == WORKLOAD_AGGRESSIVE && self->oracle.unfilled)
        command->time_in_force = OC_TIF_IOC;
}

oc_client_order_id_t workload_scramble(uint32_t id)
{
    return (oc_client_order_id_t){prng_mix(id)};
}

/* Inverse of x ^= x >> shift. */
static uint64_t unshift(uint64_t value, unsigned shift)
{
    uint64_t x = value;
    for (unsigned done = shift; done < 64; done += shift)
        x = value ^ (x >> shift);
    return x;
}

/* Inverse of an odd number modulo 2^64: each Newton step doubles the correct bits. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (unsigned i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

uint32_t workload_unscramble(oc_client_order_id_t client_order_id)
{
    uint64_t z = unshift(client_order_id.value, 31);
    z = unshift(z * inverse(UINT64_C(0x94D049BB133111EB)), 27);
    z = unshift(z * inverse(UINT64_C(0xBF58476D1CE4E5B9)), 30);
    return (uint32_t)z;
}
