/*
 * The scheduled timers: part of the replicated state, changed only while entries are applied.
 *
 * The earliest is found at once; equal deadlines are ordered by id, so that which timer comes next
 * does not depend on how the queue came to be what it is.
 */
#ifndef HOST_TIMER_QUEUE_H
#define HOST_TIMER_QUEUE_H

#include "outcry/error.h"
#include "outcry/service.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct timer_entry {
    int64_t deadline_ns;
    oc_timer_id_t id;
} timer_entry_t;

typedef struct timer_node timer_node_t;

typedef struct timer_queue {
    timer_node_t *nodes;
    uint32_t *heap;    /* nodes, the earliest first; those behind `count` are free */
    uint32_t *buckets; /* node + 1 by hash of the id, 0: none */
    uint32_t bucket_mask;
    uint32_t count;
    uint32_t capacity;
} timer_queue_t;

/* Takes the memory for `capacity` timers (1..2^20). OC_ERR_NO_MEMORY. Undo: timer_queue_fini(). */
OC_MUST_CHECK oc_err_t timer_queue_init(timer_queue_t *queue, uint32_t capacity);
void timer_queue_fini(timer_queue_t *queue); /* also of a zeroed one */

/* Replaces the timer of this id. False: all are in use. */
bool timer_queue_schedule(timer_queue_t *queue, oc_timer_id_t id, int64_t deadline_ns);

/* False: there is none of this id. */
bool timer_queue_cancel(timer_queue_t *queue, oc_timer_id_t id);

/* The earliest; false: there is none. */
bool timer_queue_first(const timer_queue_t *queue, timer_entry_t *timer);

/* Copies all timers, in the order in which they are due, to `timers` (room for count). */
void timer_queue_list(const timer_queue_t *queue, timer_entry_t *timers);

#endif
