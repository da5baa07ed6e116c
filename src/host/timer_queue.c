/*
 * A binary heap by (deadline, id), with a hash table from ids to places in it. Called by the
 * replica when the service schedules and cancels, and by the node to see what is due.
 *
 * Invariants: heap[0..count) are the nodes in use, none earlier than its parent; heap[count..made)
 * are those that were; a node in use knows its place and hangs in the bucket of its id. Full is an
 * answer, nothing grows. Every store is announced to the arena before it.
 *
 * The hash has no key: ids are chosen by the service, not by clients, and an image must mean the
 * same to the next process.
 */
#include "host/timer_queue.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdlib.h>

struct timer_node {
    timer_entry_t timer;
    uint32_t place; /* in the heap */
    uint32_t next;  /* node + 1 in the same bucket, 0: none */
};

_Static_assert(sizeof(timer_node_t) == 24, "no padding");

static uint32_t buckets_for(uint32_t capacity)
{
    uint32_t buckets = 16;
    while (buckets < capacity)
        buckets *= 2;
    return buckets;
}

size_t timer_queue_arena_bytes(uint32_t capacity)
{
    const size_t count = capacity;
    return oc_arena_section_size(sizeof(timer_queue_state_t)) +
           oc_arena_section_size(count * sizeof(timer_node_t)) +
           oc_arena_section_size(count * sizeof(uint32_t)) +
           oc_arena_section_size((size_t)buckets_for(capacity) * sizeof(uint32_t));
}

void timer_queue_init(timer_queue_t *queue, oc_arena_t *arena, uint32_t capacity)
{
    OC_ASSERT(capacity > 0);
    OC_ASSERT(capacity <= TIMER_QUEUE_CAPACITY_MAX);
    const size_t buckets = buckets_for(capacity);
    const size_t count = capacity;
    *queue = (timer_queue_t){
        .arena = arena, .capacity = capacity, .bucket_mask = buckets_for(capacity) - 1};
    queue->state = oc_arena_alloc(arena, sizeof *queue->state);
    queue->nodes = oc_arena_alloc(arena, count * sizeof *queue->nodes);
    queue->heap = oc_arena_alloc(arena, count * sizeof *queue->heap);
    queue->buckets = oc_arena_alloc(arena, buckets * sizeof *queue->buckets);
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

static uint32_t bucket_index(const timer_queue_t *queue, oc_timer_id_t id)
{
    const uint64_t mixed = (uint64_t)id.value * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) & queue->bucket_mask;
}

/* ---- Held against itself after a restore ---- */

static oc_err_t damaged(const char *what)
{
    return error_set(OC_ERR_DAMAGED, "the image's timers are wrong: %s", what);
}

/* Walks each chain; a node is in one chain at most, or the count of links shows it. */
static bool buckets_are_possible(const timer_queue_t *queue)
{
    uint32_t links = 0;
    for (uint32_t bucket = 0; bucket <= queue->bucket_mask; bucket++)
        for (uint32_t link = queue->buckets[bucket]; link != 0;
             link = queue->nodes[link - 1].next) {
            if (link > queue->state->made || ++links > queue->state->count)
                return false;
            const timer_node_t *node = &queue->nodes[link - 1];
            if (bucket_index(queue, node->timer.id) != bucket ||
                node->place >= queue->state->count || queue->heap[node->place] != link - 1)
                return false;
        }
    return links == queue->state->count;
}

oc_err_t timer_queue_restored(const timer_queue_t *queue)
{
    const timer_queue_state_t *state = queue->state;
    if (state->made > queue->capacity || state->count > state->made)
        return damaged("their counts");
    for (uint32_t i = 0; i < state->made; i++)
        if (queue->heap[i] >= state->made)
            return damaged("a place in the order of deadlines");
    for (uint32_t i = 1; i < state->count; i++)
        if (earlier_in_heap(queue, i, (i - 1) / 2))
            return damaged("the order of deadlines");
    if (!buckets_are_possible(queue))
        return damaged("the table of ids");
    return OC_ERR_OK;
}

/* ---- Changing; each store announced before it ---- */

static void store(timer_queue_t *queue, uint32_t *at, uint32_t value)
{
    oc_arena_touch(queue->arena, at);
    *at = value;
}

/* A node may lie on two pages. */
static void store_node(timer_queue_t *queue, uint32_t node, timer_node_t value)
{
    oc_arena_touch_range(queue->arena, &queue->nodes[node], sizeof value);
    queue->nodes[node] = value;
}

static void put(timer_queue_t *queue, uint32_t place, uint32_t node)
{
    store(queue, &queue->heap[place], node);
    store(queue, &queue->nodes[node].place, place);
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
            if (child < queue->state->count && earlier_in_heap(queue, child, first))
                first = child;
        if (first == place)
            return;
        swap(queue, place, first);
        place = first;
    }
}

/* The link that holds the node of this id, or the 0 at the end of its bucket. */
static uint32_t *link_of(const timer_queue_t *queue, oc_timer_id_t id)
{
    uint32_t *link = &queue->buckets[bucket_index(queue, id)];
    while (*link != 0 && queue->nodes[*link - 1].timer.id.value != id.value)
        link = &queue->nodes[*link - 1].next;
    return link;
}

/* A node that is not in use, put behind those in the heap. */
static uint32_t take_node(timer_queue_t *queue)
{
    timer_queue_state_t *state = queue->state;
    oc_arena_touch(queue->arena, state);
    if (state->count == state->made) {
        OC_ASSERT(state->made < queue->capacity);
        store(queue, &queue->heap[state->made], state->made);
        state->made++;
    }
    return queue->heap[state->count++];
}

bool timer_queue_schedule(timer_queue_t *queue, oc_timer_id_t id, int64_t deadline_ns)
{
    uint32_t *link = link_of(queue, id);
    if (*link == 0) {
        const uint32_t place = queue->state->count;
        if (place == queue->capacity)
            return false;
        const uint32_t node = take_node(queue);
        store_node(queue, node, (timer_node_t){.timer.id = id, .place = place});
        store(queue, link, node + 1);
    }
    const uint32_t node = *link - 1;
    timer_node_t changed = queue->nodes[node];
    changed.timer.deadline_ns = deadline_ns;
    store_node(queue, node, changed);
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
    const uint32_t place = queue->nodes[node].place;
    OC_ASSERT(queue->heap[place] == node);
    store(queue, link, queue->nodes[node].next);
    oc_arena_touch(queue->arena, queue->state);
    queue->state->count--;
    swap(queue, place, queue->state->count);
    if (place < queue->state->count) {
        move_up(queue, place);
        move_down(queue, place);
    }
    return true;
}

bool timer_queue_first(const timer_queue_t *queue, timer_entry_t *timer)
{
    if (queue->state->count == 0)
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
    for (uint32_t i = 0; i < queue->state->count; i++)
        timers[i] = queue->nodes[queue->heap[i]].timer;
    qsort(timers, queue->state->count, sizeof *timers, compare_timers);
}
