/*
 * The index (source, client order id) -> order: 64-byte lines of ten slots with 16-bit
 * fingerprints.
 *
 * A key's home line follows from its keyed hash. A full line counts in `overflow` the entries that
 * had to go on, and a search goes on only while that count is not zero; removing an entry counts
 * down along its path. So there are no tombstones, nothing moves, and probing has almost no branch
 * that depends on data.
 *
 * Invariant: overflow of a line = number of entries whose home lies at or before it and whose slot
 * lies behind it, along their probe path.
 */
#ifndef ENGINE_ORDER_INDEX_H
#define ENGINE_ORDER_INDEX_H

#include "engine/fast_state.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Keyed: a client that chooses its ids must not be able to fill one line on purpose. */
static inline uint32_t order_index_hash(const fast_engine_t *e, uint32_t source, uint64_t client_id)
{
    return (uint32_t)(id_map_hash(e->hash_key, client_id, source) >> 16);
}

static inline uint32_t order_index_home(const fast_engine_t *e, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash * e->index_lines >> 32);
}

static inline void order_index_prefetch(const fast_engine_t *e, uint32_t hash)
{
    __builtin_prefetch(&e->index[order_index_home(e, hash)]);
}

_Static_assert(offsetof(order_index_line_t, order) == 24,
               "the second load of order_index_match() ends where the orders begin");

/* Bit per used slot of the line with this fingerprint. */
static inline uint32_t order_index_match(const order_index_line_t *line, uint16_t fingerprint)
{
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi16((short)fingerprint);
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)&line->fingerprint[0]);
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)&line->fingerprint[4]);
    const __m128i equal =
        _mm_packs_epi16(_mm_cmpeq_epi16(low, wanted), _mm_cmpeq_epi16(high, wanted));
    const uint32_t mask = (uint32_t)_mm_movemask_epi8(equal); /* bits 0-7: slots 0-7; 8-15: 4-11 */
    return ((mask & 0xff) | (mask >> 4 & 0x300)) & line->used;
#else
    uint32_t mask = 0;
    for (uint32_t i = 0; i < INDEX_LINE_SLOTS; i++)
        mask |= (uint32_t)(line->fingerprint[i] == fingerprint) << i;
    return mask & line->used;
#endif
}

static inline uint32_t order_index_next_line(const fast_engine_t *e, uint32_t line)
{
    return line + 1 == e->index_lines ? 0 : line + 1;
}

/* The order of a key, 0 if there is none. */
static inline uint32_t order_index_find(const fast_engine_t *e, uint32_t hash, uint32_t source,
                                        uint64_t client_id)
{
    const uint32_t home = order_index_home(e, hash);
    uint32_t at = home;
    do {
        const order_index_line_t *line = &e->index[at];
        for (uint32_t m = order_index_match(line, (uint16_t)hash); m; m &= m - 1) {
            const uint32_t order = line->order[__builtin_ctz(m)];
            const order_record_t *o = &e->orders[order];
            if (LIKELY(o->client_order_id == client_id && o->source == source))
                return order;
        }
        if (LIKELY(line->overflow == 0))
            return 0;
        at = order_index_next_line(e, at);
    } while (at != home); /* in a small index every line may have overflowed once */
    return 0;
}

/* A likely order for the hash, from its home line alone and unchecked: good for prefetching only.
 */
static inline uint32_t order_index_guess(const fast_engine_t *e, uint32_t hash)
{
    const order_index_line_t *line = &e->index[order_index_home(e, hash)];
    const uint32_t m = order_index_match(line, (uint16_t)hash);
    const uint32_t last = 1u << (INDEX_LINE_SLOTS - 1);
    const uint32_t none = (uint32_t)(m == 0); /* no branch: new orders and cancels come mixed */
    return line->order[__builtin_ctz(m | last)] & (none - 1);
}

/* Adds a key that is not there. There is always a free slot: the index has more slots than orders.
 */
static inline void order_index_insert(fast_engine_t *e, uint32_t hash, uint32_t order)
{
    for (uint32_t at = order_index_home(e, hash);; at = order_index_next_line(e, at)) {
        order_index_line_t *line = &e->index[at];
        touch(e, line);
        const uint32_t free_slots = ~(uint32_t)line->used & ((1u << INDEX_LINE_SLOTS) - 1);
        if (LIKELY(free_slots)) {
            const uint32_t slot = (uint32_t)__builtin_ctz(free_slots);
            line->fingerprint[slot] = (uint16_t)hash;
            line->order[slot] = order;
            line->used = (uint16_t)(line->used | 1u << slot);
            return;
        }
        OC_ASSERT(line->overflow < UINT16_MAX);
        line->overflow++;
    }
}

/* Removes a key that is there. */
static inline void order_index_remove(fast_engine_t *e, uint32_t hash, uint32_t order)
{
    for (uint32_t at = order_index_home(e, hash);; at = order_index_next_line(e, at)) {
        order_index_line_t *line = &e->index[at];
        touch(e, line);
        for (uint32_t m = order_index_match(line, (uint16_t)hash); m; m &= m - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctz(m);
            if (line->order[slot] == order) {
                line->used = (uint16_t)(line->used & ~(1u << slot));
                line->fingerprint[slot] = 0;
                line->order[slot] = 0;
                return;
            }
        }
        OC_ASSERT(line->overflow != 0);
        line->overflow--;
    }
}

#endif
