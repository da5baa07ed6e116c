/*
 * The queues of waiting messages. Called by the gateway when something is to be sent and when it
 * can be.
 *
 * Invariants: a queue that holds nothing holds no chunk; offsets in a chunk are multiples of
 * BACKLOG_RECORD_BYTES, so that a record is never cut in two; pool->bytes is the sum over the
 * queues. Must not allocate after backlog_pool_init().
 */
#include "gateway/backlog.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

typedef struct backlog_record {
    uint64_t position;
    uint32_t length; /* of the message that follows */
    uint32_t reserved;
} backlog_record_t;

_Static_assert(sizeof(backlog_record_t) == BACKLOG_RECORD_BYTES, "the unit of offsets");
_Static_assert(BACKLOG_CHUNK_BYTES % BACKLOG_RECORD_BYTES == 0, "records are not cut");

bool backlog_pool_init(backlog_pool_t *pool, size_t bytes, size_t message_bytes_max)
{
    memset(pool, 0, sizeof *pool);
    const size_t count = (bytes + BACKLOG_CHUNK_BYTES - 1) / BACKLOG_CHUNK_BYTES;
    OC_ASSERT(count > 0);
    OC_ASSERT(count < UINT32_MAX);
    pool->chunks = calloc(count, BACKLOG_CHUNK_BYTES);
    pool->next = calloc(count + 1, sizeof *pool->next);
    pool->scratch = malloc(message_bytes_max);
    if (pool->chunks == NULL || pool->next == NULL || pool->scratch == NULL) {
        backlog_pool_fini(pool);
        return false;
    }
    pool->chunk_count = (uint32_t)count;
    pool->message_bytes_max = message_bytes_max;
    for (uint32_t chunk = 1; chunk < pool->chunk_count; chunk++)
        pool->next[chunk] = chunk + 1;
    pool->free = 1;
    return true;
}

void backlog_pool_fini(backlog_pool_t *pool)
{
    free(pool->chunks);
    free(pool->next);
    free(pool->scratch);
    memset(pool, 0, sizeof *pool);
}

static uint8_t *chunk_at(const backlog_pool_t *pool, uint32_t chunk, uint32_t offset)
{
    return pool->chunks + (size_t)(chunk - 1) * BACKLOG_CHUNK_BYTES + offset;
}

static bool has_free(const backlog_pool_t *pool, size_t count)
{
    uint32_t chunk = pool->free;
    for (; count > 0 && chunk != 0; count--)
        chunk = pool->next[chunk];
    return count == 0;
}

/* Gives the queue another chunk at its end; one is free. */
static void grow(backlog_pool_t *pool, backlog_t *queue)
{
    const uint32_t chunk = pool->free;
    OC_ASSERT(chunk != 0);
    pool->free = pool->next[chunk];
    pool->next[chunk] = 0;
    if (queue->head == 0) {
        queue->head = chunk;
        queue->head_offset = 0;
    } else {
        pool->next[queue->tail] = chunk;
    }
    queue->tail = chunk;
    queue->tail_offset = 0;
}

static void append(backlog_pool_t *pool, backlog_t *queue, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    while (length > 0) {
        if (queue->tail_offset == BACKLOG_CHUNK_BYTES)
            grow(pool, queue);
        const size_t room = BACKLOG_CHUNK_BYTES - queue->tail_offset;
        const size_t part = length < room ? length : room;
        memcpy(chunk_at(pool, queue->tail, queue->tail_offset), from, part);
        queue->tail_offset += (uint32_t)part;
        from += part;
        length -= part;
    }
}

static void append_parts(backlog_pool_t *pool, backlog_t *queue, const backlog_record_t *record,
                         const backlog_message_t *message)
{
    append(pool, queue, record, sizeof *record);
    append(pool, queue, message->head, message->head_length);
    append(pool, queue, message->body, message->body_length);
    queue->tail_offset =
        (queue->tail_offset + BACKLOG_RECORD_BYTES - 1) & ~(uint32_t)(BACKLOG_RECORD_BYTES - 1);
}

/* The usual case: the message fits into the rest of the last chunk. */
static void append_whole(const backlog_pool_t *pool, backlog_t *queue,
                         const backlog_record_t *record, const backlog_message_t *message)
{
    uint8_t *to = chunk_at(pool, queue->tail, queue->tail_offset);
    memcpy(to, record, sizeof *record);
    memcpy(to + sizeof *record, message->head, message->head_length);
    if (message->body_length > 0)
        memcpy(to + sizeof *record + message->head_length, message->body, message->body_length);
    queue->tail_offset += (uint32_t)backlog_record_size(record->length);
}

bool backlog_push(backlog_pool_t *pool, backlog_t *queue, uint64_t position,
                  const backlog_message_t *message)
{
    const size_t length = message->head_length + message->body_length;
    OC_ASSERT(length <= pool->message_bytes_max);
    const size_t size = backlog_record_size(length);
    const size_t room = queue->head == 0 ? 0 : BACKLOG_CHUNK_BYTES - queue->tail_offset;
    if (size > room &&
        !has_free(pool, (size - room + BACKLOG_CHUNK_BYTES - 1) / BACKLOG_CHUNK_BYTES))
        return false;
    if (queue->head == 0) {
        grow(pool, queue);
        queue->position = position;
    }
    const backlog_record_t record = {.position = position, .length = (uint32_t)length};
    /* The padding keeps what its chunk held before: it is never sent. */
    if (size <= BACKLOG_CHUNK_BYTES - queue->tail_offset)
        append_whole(pool, queue, &record, message);
    else
        append_parts(pool, queue, &record, message);
    queue->bytes += size;
    pool->bytes += size;
    return true;
}

/* The record at the head, which may be the first of the next chunk. */
static const backlog_record_t *front_record(const backlog_pool_t *pool, const backlog_t *queue,
                                            uint32_t *chunk, uint32_t *offset)
{
    OC_ASSERT(queue->head != 0);
    *chunk = queue->head;
    *offset = queue->head_offset;
    if (*offset == BACKLOG_CHUNK_BYTES) {
        *chunk = pool->next[*chunk];
        *offset = 0;
    }
    OC_ASSERT(*chunk != 0);
    return (const backlog_record_t *)(const void *)chunk_at(pool, *chunk, *offset);
}

const void *backlog_front(backlog_pool_t *pool, const backlog_t *queue, size_t *length)
{
    uint32_t chunk = 0;
    uint32_t offset = 0;
    const backlog_record_t *record = front_record(pool, queue, &chunk, &offset);
    *length = record->length;
    offset += BACKLOG_RECORD_BYTES;
    if (offset + *length <= BACKLOG_CHUNK_BYTES)
        return chunk_at(pool, chunk, offset);
    size_t done = 0;
    while (done < *length) {
        if (offset == BACKLOG_CHUNK_BYTES) {
            chunk = pool->next[chunk];
            offset = 0;
        }
        const size_t room = BACKLOG_CHUNK_BYTES - offset;
        const size_t part = *length - done < room ? *length - done : room;
        memcpy(pool->scratch + done, chunk_at(pool, chunk, offset), part);
        done += part;
        offset += (uint32_t)part;
    }
    return pool->scratch;
}

static void release_head(backlog_pool_t *pool, backlog_t *queue)
{
    const uint32_t chunk = queue->head;
    queue->head = pool->next[chunk];
    queue->head_offset = 0;
    pool->next[chunk] = pool->free;
    pool->free = chunk;
}

void backlog_pop(backlog_pool_t *pool, backlog_t *queue)
{
    uint32_t chunk = 0;
    uint32_t offset = 0;
    const size_t size = backlog_record_size(front_record(pool, queue, &chunk, &offset)->length);
    OC_ASSERT(queue->bytes >= size);
    queue->bytes -= size;
    pool->bytes -= size;
    size_t left = size;
    if (size < BACKLOG_CHUNK_BYTES - queue->head_offset) { /* the usual case */
        queue->head_offset += (uint32_t)size;
        left = 0;
    }
    while (left > 0) {
        if (queue->head_offset == BACKLOG_CHUNK_BYTES)
            release_head(pool, queue);
        const size_t room = BACKLOG_CHUNK_BYTES - queue->head_offset;
        const size_t part = left < room ? left : room;
        queue->head_offset += (uint32_t)part;
        left -= part;
    }
    if (queue->bytes == 0)
        backlog_clear(pool, queue);
    else
        queue->position = front_record(pool, queue, &chunk, &offset)->position;
}

void backlog_clear(backlog_pool_t *pool, backlog_t *queue)
{
    OC_ASSERT(pool->bytes >= queue->bytes);
    pool->bytes -= queue->bytes;
    while (queue->head != 0)
        release_head(pool, queue);
    memset(queue, 0, sizeof *queue);
}
