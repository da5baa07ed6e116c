/*
 * Numbers sorted together with what they belong to, in time proportional to their count: for lists
 * of millions of orders that must be built in order-id order.
 */
#ifndef ENGINE_ORDER_SORT_H
#define ENGINE_ORDER_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct sort_entry {
    uint64_t key;
    uint32_t value;
    uint32_t reserved;
} sort_entry_t;

/* Sorts `entries` by key, ascending; equal keys keep their order. `spare` has room for as many.
 * Returns where they are then: `entries` or `spare`. */
sort_entry_t *order_sort(sort_entry_t *entries, sort_entry_t *spare, size_t count);

/* The first entry whose key is that of the one before; NULL if all differ. `sorted` is sorted. */
const sort_entry_t *order_sort_duplicate(const sort_entry_t *sorted, size_t count);

#endif
