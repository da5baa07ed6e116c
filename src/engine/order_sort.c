/*
 * Radix sort, lowest digit first. Called when a state has been loaded.
 *
 * Digits that are equal in all keys are passed over: ids that were given out one after the other
 * need three passes for ten million entries.
 */
#include "engine/order_sort.h"

#include "base/assert.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGIT_VALUES = 1 << DIGIT_BITS };

/* The bits in which any two keys differ. */
static uint64_t differing_bits(const sort_entry_t *entries, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < count; i++)
        bits |= entries[i].key ^ entries[0].key;
    return bits;
}

/* One pass: from `entries` to `spare`, by the digit at `shift`. */
static void sort_digit(const sort_entry_t *entries, sort_entry_t *spare, size_t count,
                       uint32_t shift)
{
    size_t place[DIGIT_VALUES];
    memset(place, 0, sizeof place);
    for (size_t i = 0; i < count; i++)
        place[entries[i].key >> shift & (DIGIT_VALUES - 1)]++;
    size_t before = 0;
    for (size_t digit = 0; digit < DIGIT_VALUES; digit++) {
        const size_t here = place[digit];
        place[digit] = before;
        before += here;
    }
    OC_ASSERT(before == count);
    for (size_t i = 0; i < count; i++)
        spare[place[entries[i].key >> shift & (DIGIT_VALUES - 1)]++] = entries[i];
}

sort_entry_t *order_sort(sort_entry_t *entries, sort_entry_t *spare, size_t count)
{
    const uint64_t bits = differing_bits(entries, count);
    for (uint32_t shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!(bits >> shift & (DIGIT_VALUES - 1)))
            continue;
        sort_digit(entries, spare, count, shift);
        sort_entry_t *sorted = spare;
        spare = entries;
        entries = sorted;
    }
    return entries;
}

const sort_entry_t *order_sort_duplicate(const sort_entry_t *sorted, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        OC_ASSERT(sorted[i - 1].key <= sorted[i].key);
        if (sorted[i - 1].key == sorted[i].key)
            return &sorted[i];
    }
    return NULL;
}
