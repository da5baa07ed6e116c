/*
 * A binary heap by (deadline, id), with a hash table from ids to places in it. Called by the
 * replica when the service schedules and cancels, and by the node to see what is due.
 *
 * Invariants: heap[0..count) are the nodes in use, none earlier than its parent; a node in use
 * knows its place and hangs in the bucket of its id. Full is an answer, nothing grows.
 */
#include "host/timer_queue.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdlib.h>

#define CAPACITY_MAX (UINT32_C(1) << 20)

struct timer_node {
    timer_entry_t timer;
    uint32_t place; /* in the heap */
    uint32_t next;  /* node + 1 in the same bucket, 0: none */
};

static uint32_t buckets_for(uint32_t capacity)
{
    uint32_t buckets = 16;
    while (buckets < capacity)
        buckets *= 2;
    return buckets;
}

oc_err_t timer_queue_init(timer_queue_t *queue, uint32_t capacity)
{
    OC_ASSERT(capacity > 0);
    OC_ASSERT(capacity <= CAPACITY_MAX);
    const uint32_t buckets = buckets_for(capacity);
    *queue = (timer_queue_t){.capacity = capacity, .bucket_mask = buckets - 1};
    queue->nodes = calloc(capacity, sizeof *queue->nodes);
    queue->heap = calloc(capacity, sizeof *queue->heap);
    queue->buckets = calloc(buckets, sizeof *queue->buckets);
    if (!queue->nodes || !queue->heap || !queue->buckets) {
        timer_queue_fini(queue);
        return error_set(OC_ERR_NO_MEMORY, "no memory for %u timers; lower max_timers", capacity);
    }
    for (uint32_t i = 0; i < capacity; i++)
        queue->heap[i] = i;
    return OC_ERR_OK;
}

void timer_queue_fini(timer_queue_t *queue)
{
    free(queue->nodes);
    free(queue->heap);
    free(queue->buckets);
    *queue = (timer_queue_t){0};
}

static bool earlier(const timer_entry_t *a, const timer_entry_t *b)
{
    if (a->deadline_ns != b->deadline_ns)
        return a->deadline_ns < b->deadline_ns;
    return a->id.value < b->id.value;
}

static bool earlier_in_heap(const timer_queue_t *queue, uint32_t a, uint32_t b)
{
    return earlier(&queue->nodes[queue->heap[a]].timer, &queue->nodes[queue->heap[b]].timer);
}

static void put(timer_queue_t *queue, uint32_t place, uint32_t node)
{
    queue->heap[place] = node;
    queue->nodes[node].place = place;
}

static void swap(timer_queue_t *queue, uint32_t a, uint32_t b)
{
    const uint32_t node = queue->heap[a];
    put(queue, a, queue->heap[b]);
    put(queue, b, node);
}

static void move_up(timer_queue_t *queue, uint32_t place)
{
    while (place > 0 && earlier_in_heap(queue, place, (place - 1) / 2)) {
        swap(queue, place, (place - 1) / 2);
        place = (place - 1) / 2;
    }
}

static void move_down(timer_queue_t *queue, uint32_t place)
{
    for (;;) {
        uint32_t first = place;
        for (uint32_t child = 2 * place + 1; child <= 2 * place + 2; child++)
            if (child < queue->count && earlier_in_heap(queue, child, first))
                first = child;
        if (first == place)
            return;
        swap(queue, place, first);
        place = first;
    }
}

/* Ids are chosen by the service, not by clients: any mixing will do. */
static uint32_t *bucket_of(const timer_queue_t *queue, oc_timer_id_t id)
{
    const uint64_t mixed = (uint64_t)id.value * UINT64_C(0x9e3779b97f4a7c15);
    return &queue->buckets[(uint32_t)(mixed >> 32) & queue->bucket_mask];
}

/* The link that holds the node of this id, or the 0 at the end of its bucket. */
static uint32_t *link_of(const timer_queue_t *queue, oc_timer_id_t id)
{
    uint32_t *link = bucket_of(queue, id);
    while (*link != 0 && queue->nodes[*link - 1].timer.id.value != id.value)
        link = &queue->nodes[*link - 1].next;
    return link;
}

bool timer_queue_schedule(timer_queue_t *queue, oc_timer_id_t id, int64_t deadline_ns)
{
    uint32_t *link = link_of(queue, id);
    if (*link == 0) {
        if (queue->count == queue->capacity)
            return false;
        const uint32_t node = queue->heap[queue->count];
        queue->nodes[node] = (timer_node_t){.timer.id = id, .place = queue->count};
        queue->count++;
        *link = node + 1;
    }
    const uint32_t node = *link - 1;
    queue->nodes[node].timer.deadline_ns = deadline_ns;
    move_up(queue, queue->nodes[node].place);
    move_down(queue, queue->nodes[node].place);
    return true;
}

bool timer_queue_cancel(timer_queue_t *queue, oc_timer_id_t id)
{
    uint32_t *link = link_of(queue, id);
    if (*link == 0)
        return false;
    const uint32_t node = *link - 1;
    *link = queue->nodes[node].next;
    const uint32_t place = queue->nodes[node].place;
    OC_ASSERT(queue->heap[place] == node);
    queue->count--;
    swap(queue, place, queue->count);
    if (place < queue->count) {
        move_up(queue, place);
        move_down(queue, place);
    }
    return true;
}

bool timer_queue_first(const timer_queue_t *queue, timer_entry_t *timer)
{
    if (queue->count == 0)
        return false;
    *timer = queue->nodes[queue->heap[0]].timer;
    return true;
}

static int compare_timers(const void *a, const void *b)
{
    return earlier(a, b) ? -1 : earlier(b, a);
}

void timer_queue_list(const timer_queue_t *queue, timer_entry_t *timers)
{
    for (uint32_t i = 0; i < queue->count; i++)
        timers[i] = queue->nodes[queue->heap[i]].timer;
    qsort(timers, queue->count, sizeof *timers, compare_timers);
}
