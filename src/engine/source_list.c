/*
 * Chunks of the lists of orders by source. Called through source_list.h and by pending work.
 */
#include "engine/source_list.h"

#include <string.h>

void source_list_grow(fast_engine_t *e, source_record_t *source)
{
    record_pool_t *pool = &e->header->chunks;
    uint32_t index = pool->free_head;
    if (index)
        pool->free_head = e->chunks[index].next;
    else
        index = ++pool->top;
    OC_ASSERT(index <= pool->capacity);
    pool->used++;
    list_chunk_t *chunk = &e->chunks[index];
    touch(e, chunk);
    memset(chunk, 0, sizeof *chunk);
    chunk->prev = source->list_tail;
    if (source->list_tail) {
        touch(e, &e->chunks[source->list_tail]);
        e->chunks[source->list_tail].next = index;
    } else {
        source->list_head = index;
    }
    source->list_tail = index;
}

void source_list_shrink(fast_engine_t *e, source_record_t *source, uint32_t index)
{
    list_chunk_t *chunk = &e->chunks[index];
    OC_ASSERT(chunk->live == 0);
    if (e->header->list_chunk == index) {
        e->header->list_chunk = chunk->next ? chunk->next : chunk->prev;
        e->header->list_slot = chunk->next ? 0 : LIST_CHUNK_SLOTS;
    }
    if (chunk->prev) {
        touch(e, &e->chunks[chunk->prev]);
        e->chunks[chunk->prev].next = chunk->next;
    } else {
        source->list_head = chunk->next;
    }
    if (chunk->next) {
        touch(e, &e->chunks[chunk->next]);
        e->chunks[chunk->next].prev = chunk->prev;
    } else {
        source->list_tail = chunk->prev;
    }
    record_pool_t *pool = &e->header->chunks;
    memset(chunk, 0, sizeof *chunk);
    chunk->next = pool->free_head;
    pool->free_head = index;
    pool->used--;
}

uint32_t source_list_next(fast_engine_t *e, const source_record_t *source)
{
    engine_header_t *h = e->header;
    if (h->list_chunk == 0) {
        h->list_chunk = source->list_head;
        h->list_slot = 0;
    }
    if (h->list_chunk == 0)
        return 0;
    uint32_t live = (uint32_t)e->chunks[h->list_chunk].live >> h->list_slot;
    if (live == 0) {
        if (e->chunks[h->list_chunk].next == 0)
            return 0; /* stay: the tail may still grow */
        h->list_chunk = e->chunks[h->list_chunk].next;
        h->list_slot = 0;
        live = e->chunks[h->list_chunk].live;
        OC_ASSERT(live != 0);
    }
    h->list_slot += (uint32_t)__builtin_ctz(live);
    return e->chunks[h->list_chunk].order[h->list_slot];
}
