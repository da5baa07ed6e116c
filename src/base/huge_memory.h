/*
 * Large tables of memory: aligned for huge pages, zero, and faulted in when they are made, so that
 * nothing of that happens in the middle of trading.
 *
 * Threads: any; making a large one takes up to HUGE_MEMORY_THREADS for as long as it lasts.
 */
#ifndef BASE_HUGE_MEMORY_H
#define BASE_HUGE_MEMORY_H

#include <stddef.h>

#define HUGE_MEMORY_THREADS 4

/* NULL: there is none. `size` is not 0 and at most SIZE_MAX / 2. The caller: huge_memory_unmap()
 * with the same size. */
void *huge_memory_map(size_t size);
void huge_memory_unmap(void *memory, size_t size); /* NULL is allowed */

#endif
