/*
 * One 64-bit mix per logical item of the state, and the running hash over the events. Shared by
 * both implementations, so that equal states hash equal; each of them decides by itself when to
 * call it.
 *
 * The mixer multiplies and folds the 128-bit product: cheap, and unlike a CRC not linear, so that
 * the order-independent sum of items stays sensitive to swaps between them.
 */
#ifndef ENGINE_STATE_HASH_H
#define ENGINE_STATE_HASH_H

#include "outcry/model.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Multiplies and folds. The second operand is added back, because a first one of 0, which a client
 * could choose, must not hide it: so nobody may be able to choose the second one. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide_t;
    const wide_t product = (wide_t)a * b;
    return ((uint64_t)product ^ (uint64_t)(product >> 64)) + b;
}

#define HASH_K0 UINT64_C(0xa0761d6478bd642f)
#define HASH_K1 UINT64_C(0xe7037ed1a0b428db)
#define HASH_K2 UINT64_C(0x8ebc6af09c88c6e3)
#define HASH_K3 UINT64_C(0x589965cc75374cc3)
#define HASH_K4 UINT64_C(0x1d8e4e27c47d124f)

/* An order's terms that a client can see, besides its place: bit 0 side, 1-3 time in force, from 8
 * on the flags. Bits 4-7 and those of flags not yet given are free for what later orders can be. */
static inline uint32_t hash_order_terms(uint32_t side, uint32_t time_in_force, uint32_t flags)
{
    return side | time_in_force << 1 | flags << 8;
}

static inline uint32_t terms_time_in_force(uint32_t terms)
{
    return terms >> 1 & 7;
}

static inline uint32_t terms_flags(uint32_t terms)
{
    return terms >> 8;
}

typedef struct hash_order {
    uint64_t client_order_id;
    uint64_t order_id;
    uint64_t priority;
    int64_t price_ticks;
    int64_t open_lots;
    int64_t executed_lots;
    uint32_t source;
    uint32_t instrument;
    uint32_t terms; /* hash_order_terms() */
} hash_order_t;

static inline uint64_t hash_order(const hash_order_t *o)
{
    const uint64_t owner = ((uint64_t)o->source << 32 | o->instrument) ^ HASH_K3;
    const uint64_t ids = hash_fold(o->client_order_id ^ HASH_K0, o->order_id ^ HASH_K1);
    const uint64_t place =
        hash_fold((uint64_t)o->price_ticks ^ HASH_K2, (o->priority + o->terms * HASH_K4) ^ HASH_K1);
    return hash_fold(ids + owner + (uint64_t)o->executed_lots * HASH_K4,
                     place + (uint64_t)o->open_lots * HASH_K0);
}

typedef struct hash_source {
    uint32_t id;
    uint32_t roles;
    uint64_t sequence;
    uint64_t session;
    uint64_t session_first;
    uint32_t last_status;
} hash_source_t;

/* The part that changes with every command of the source... */
static inline uint64_t hash_source_progress(uint32_t id, uint64_t sequence, uint32_t last_status)
{
    return hash_fold((sequence << 8 | last_status) ^ HASH_K2, id ^ HASH_K4);
}

/* ...and the one that rarely does. */
static inline uint64_t hash_source_identity(const hash_source_t *s)
{
    const uint64_t who = hash_fold(((uint64_t)s->id << 32 | s->roles) ^ HASH_K4, HASH_K0);
    const uint64_t session = hash_fold(s->session ^ HASH_K1, s->session_first ^ HASH_K3);
    return hash_fold(who, session);
}

static inline uint64_t hash_source(const hash_source_t *s)
{
    return hash_source_identity(s) + hash_source_progress(s->id, s->sequence, s->last_status);
}

typedef struct hash_instrument {
    uint32_t id;
    uint32_t state;
    int64_t price_low_ticks;
    int64_t price_high_ticks;
    int64_t max_quantity_lots;
    int64_t mark_price_ticks;
    uint32_t has_mark_price;
} hash_instrument_t;

static inline uint64_t hash_instrument(const hash_instrument_t *i)
{
    uint64_t h = hash_fold(((uint64_t)i->id << 32 | i->state) ^ HASH_K0, HASH_K3);
    h = hash_fold((uint64_t)i->price_low_ticks ^ HASH_K4, h);
    h = hash_fold((uint64_t)i->price_high_ticks ^ HASH_K1, h);
    h = hash_fold((uint64_t)i->max_quantity_lots ^ HASH_K3, h);
    h = hash_fold((uint64_t)i->mark_price_ticks ^ HASH_K2, h);
    return hash_fold(i->has_mark_price ^ HASH_K0, h);
}

/* One item of pending work: what was asked, how far it is. */
typedef struct hash_pending {
    uint64_t ordinal;    /* 0 for the front of the queue, 1 for the next... */
    uint64_t limit;      /* highest order id it may end */
    uint64_t first;      /* lowest order id it may end */
    uint64_t ended;      /* orders ended so far */
    uint64_t looked_at;  /* by source: id of the last order looked at; by instrument: its priority,
                            UINT64_MAX when the rest of its level is to be left */
    int64_t price_ticks; /* by instrument: price of the last order looked at; 0 before the first */
    uint32_t asker;      /* source id, 0: the host */
    uint32_t source;     /* work by source: its id, else 0 */
    uint32_t instrument; /* by instrument, or the filter; else 0 */
    uint8_t command;     /* oc_command_type_t that queued it */
    uint8_t scope;       /* oc_mass_cancel_scope_t, for MASS_CANCEL */
    uint8_t sides;       /* oc_side_filter_t */
    uint8_t side;        /* by instrument: side of the last order looked at; 2 before the first */
} hash_pending_t;

static inline uint64_t hash_pending(const hash_pending_t *p)
{
    uint64_t h = hash_fold(p->ordinal ^ HASH_K0, HASH_K1);
    h = hash_fold(p->limit ^ HASH_K2, h);
    h = hash_fold(p->first ^ HASH_K3, h);
    h = hash_fold(p->ended ^ HASH_K4, h);
    h = hash_fold(p->looked_at ^ HASH_K0, h);
    h = hash_fold((uint64_t)p->price_ticks ^ HASH_K1, h);
    h = hash_fold(((uint64_t)p->asker << 32 | p->source) ^ HASH_K2, h);
    h = hash_fold(p->instrument ^ HASH_K3, h);
    const uint32_t kind =
        (uint32_t)p->command << 24 | (uint32_t)p->scope << 16 | (uint32_t)p->sides << 8 | p->side;
    return hash_fold(kind ^ HASH_K4, h);
}

typedef struct hash_counters {
    uint64_t entry;
    int64_t time_ns;
    uint64_t last_order_id;
    uint64_t last_trade_id;
    uint64_t last_priority;
    uint32_t step_bound;
    uint32_t modify_priority;
    uint32_t restrictions;
} hash_counters_t;

/* Nothing while there are none: most states hash as they did before restrictions were known. */
static inline uint64_t hash_restrictions(uint32_t restrictions)
{
    return restrictions ? hash_fold(restrictions ^ HASH_K2, HASH_K4) : 0;
}

static inline uint64_t hash_counters(const hash_counters_t *c)
{
    const uint64_t when = hash_fold(c->entry ^ HASH_K0, (uint64_t)c->time_ns ^ HASH_K4);
    const uint64_t ids = hash_fold(c->last_order_id ^ HASH_K1, c->last_trade_id ^ HASH_K2);
    const uint64_t rules = hash_fold(
        c->last_priority ^ HASH_K3, ((uint64_t)c->step_bound << 32 | c->modify_priority) ^ HASH_K0);
    return hash_fold(when + ids, rules) + hash_restrictions(c->restrictions);
}

/*
 * The running hash over the events. Each word of an event is keyed and its halves multiplied; the
 * sum of these products is weighted with the event's place in the stream. So nothing waits for the
 * event before, and still an exchange of two events shows.
 */
typedef struct hash_output {
    uint64_t sum;
    uint64_t weight; /* twice the number of events */
} hash_output_t;

/* The sum over an event's keyed words. */
static inline uint64_t hash_event(const oc_event_t *event)
{
    static const uint64_t keys[10] __attribute__((aligned(16))) = {
        UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9), UINT64_C(0x94d049bb133111eb),
        UINT64_C(0xd6e8feb86659fd93), UINT64_C(0xa0761d6478bd642f), UINT64_C(0xe7037ed1a0b428db),
        UINT64_C(0x8ebc6af09c88c6e3), UINT64_C(0x589965cc75374cc3), UINT64_C(0x1d8e4e27c47d124f),
        UINT64_C(0xeb44accab455d165),
    };
    _Static_assert(sizeof keys == sizeof *event, "every byte of the event counts");
#if defined(__SSE2__)
    __m128i lanes = _mm_setzero_si128();
    for (int i = 0; i < 5; i++) {
        const __m128i words = _mm_loadu_si128((const __m128i *)(const void *)event + i);
        const __m128i keyed =
            _mm_xor_si128(words, _mm_load_si128((const __m128i *)(const void *)keys + i));
        const __m128i product = _mm_mul_epu32(keyed, _mm_srli_epi64(keyed, 32));
        lanes = _mm_add_epi64(lanes, _mm_add_epi64(product, keyed)); /* 0 must not hide a half */
    }
    const __m128i sum = _mm_add_epi64(lanes, _mm_unpackhi_epi64(lanes, lanes));
    uint64_t value;
    _mm_storel_epi64((__m128i *)(void *)&value, sum);
    return value;
#else
    uint64_t words[10];
    uint64_t sum = 0;
    memcpy(words, event, sizeof words);
    for (int i = 0; i < 10; i++) {
        const uint64_t keyed = words[i] ^ keys[i];
        sum += (keyed & UINT32_MAX) * (keyed >> 32) + keyed;
    }
    return sum;
#endif
}

static inline void hash_output_add(hash_output_t *hash, const oc_event_t *event)
{
    hash->sum += hash_event(event) * (hash->weight + 1);
    hash->weight += 2;
}

static inline uint64_t hash_output_value(const hash_output_t *hash)
{
    return hash_fold(hash->sum ^ HASH_K0, hash->weight ^ HASH_K1);
}

#endif
