/*
 * The scheduled timers: part of the replicated state, changed only while entries are applied. They
 * lie in an arena, so that snapshots have them without asking.
 *
 * The earliest is found at once; equal deadlines are ordered by id, so that which timer comes next
 * does not depend on how the queue came to be what it is.
 */
#ifndef HOST_TIMER_QUEUE_H
#define HOST_TIMER_QUEUE_H

#include "outcry/arena.h"
#include "outcry/error.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stdint.h>

/* Most timers that an arena can be laid out for. */
#define TIMER_QUEUE_CAPACITY_MAX (UINT32_C(1) << 20)

typedef struct timer_entry {
    int64_t deadline_ns;
    oc_timer_id_t id;
} timer_entry_t;

typedef struct timer_node timer_node_t;

/* What counts of them; in the arena too. Read by anybody, written by the queue alone. */
typedef struct timer_queue_state {
    uint32_t count;
    uint32_t made; /* nodes that were ever in use */
} timer_queue_state_t;

typedef struct timer_queue {
    oc_arena_t *arena;
    timer_queue_state_t *state;
    timer_node_t *nodes;
    uint32_t *heap;    /* nodes, the earliest first; those from `count` to `made` are free */
    uint32_t *buckets; /* node + 1 by hash of the id, 0: none */
    uint32_t bucket_mask;
    uint32_t capacity;
} timer_queue_t;

/* The bytes of an arena that a queue for `capacity` timers takes. */
size_t timer_queue_arena_bytes(uint32_t capacity);

/* Takes its memory out of `arena` (borrowed for its life, not sealed). 1 <= capacity <=
 * TIMER_QUEUE_CAPACITY_MAX. */
void timer_queue_init(timer_queue_t *queue, oc_arena_t *arena, uint32_t capacity);

/* After the arena was restored: OC_ERR_DAMAGED when what it holds is no queue. */
OC_MUST_CHECK oc_err_t timer_queue_restored(const timer_queue_t *queue);

/* Replaces the timer of this id. False: all are in use. */
bool timer_queue_schedule(timer_queue_t *queue, oc_timer_id_t id, int64_t deadline_ns);

/* False: there is none of this id. */
bool timer_queue_cancel(timer_queue_t *queue, oc_timer_id_t id);

/* The earliest; false: there is none. */
bool timer_queue_first(const timer_queue_t *queue, timer_entry_t *timer);

/* Copies all timers, in the order in which they are due, to `timers` (room for count). */
void timer_queue_list(const timer_queue_t *queue, timer_entry_t *timers);

#endif
