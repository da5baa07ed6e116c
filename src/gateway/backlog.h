/*
 * Messages that wait to be sent: a queue per session, all of them in chunks of one pool that is
 * allocated at start.
 *
 * A message carries the log position it depends on. It is stored as it goes out, header first, in
 * one piece where it fits into the rest of a chunk, otherwise across chunks.
 *
 * Threads: one.
 */
#ifndef GATEWAY_BACKLOG_H
#define GATEWAY_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BACKLOG_CHUNK_BYTES  4096
#define BACKLOG_RECORD_BYTES 16 /* in front of each message; what follows is padded to it */

typedef struct backlog_pool {
    uint8_t *chunks;
    uint32_t *next; /* by chunk, from 1: the one after it in its queue, or the next free one */
    uint32_t free;  /* 0: none */
    uint32_t chunk_count;
    size_t bytes;     /* that wait, of all queues, records included */
    uint8_t *scratch; /* where a message that crosses chunks is put together */
    size_t message_bytes_max;
} backlog_pool_t;

typedef struct backlog {
    uint32_t head; /* chunk, from 1; 0: empty */
    uint32_t tail;
    uint32_t head_offset;
    uint32_t tail_offset;
    size_t bytes;
    uint64_t position; /* of the first message */
} backlog_t;

/* Memory for `bytes` of waiting messages, each at most `message_bytes_max`. False: no memory. */
bool backlog_pool_init(backlog_pool_t *pool, size_t bytes, size_t message_bytes_max);
void backlog_pool_fini(backlog_pool_t *pool);

/* What a message of this length takes. */
static inline size_t backlog_record_size(size_t length)
{
    const size_t mask = BACKLOG_RECORD_BYTES - 1;
    return BACKLOG_RECORD_BYTES + ((length + mask) & ~mask);
}

static inline bool backlog_empty(const backlog_t *queue)
{
    return queue->head == 0;
}

/* Two parts of one message. */
typedef struct backlog_message {
    const void *head;
    size_t head_length;
    const void *body;
    size_t body_length;
} backlog_message_t;

/* Appends a copy. False when the pool is used up: nothing has changed. */
bool backlog_push(backlog_pool_t *pool, backlog_t *queue, uint64_t position,
                  const backlog_message_t *message);

/* The first message of a queue that is not empty; valid until the pool is used again. */
const void *backlog_front(backlog_pool_t *pool, const backlog_t *queue, size_t *length);

/* Takes the first message away. */
void backlog_pop(backlog_pool_t *pool, backlog_t *queue);

void backlog_clear(backlog_pool_t *pool, backlog_t *queue);

#endif
