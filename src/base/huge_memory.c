/*
 * Memory that is there before it is needed. Called by the arena, a capture's pool and the window of
 * a record stream, when they are made.
 *
 * Invariant: every page was written to by the time the caller has it. Zeros come from the system,
 * whose making of them is all of the work: a byte written to each page is enough, and several
 * threads take as many parts of the time.
 */
#define _GNU_SOURCE /* mmap flags, madvise, processor sets */
#include "base/huge_memory.h"

#include "base/assert.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#define HUGE_PAGE  ((size_t)2 << 20)
#define SMALL_PAGE ((size_t)4096)
#define SHARE_MIN  ((size_t)32 << 20) /* less is not worth a thread */

typedef struct share {
    volatile uint8_t *from;
    size_t size;
    pthread_t thread;
    bool runs;
} share_t;

static void *fault_in(void *context)
{
    const share_t *self = context;
    for (size_t at = 0; at < self->size; at += SMALL_PAGE)
        self->from[at] = 0;
    return NULL;
}

static size_t processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int count = CPU_COUNT(&set);
    return count < HUGE_MEMORY_THREADS ? (size_t)count : HUGE_MEMORY_THREADS;
}

/* The calling thread has the last share, and those for which there is no thread. */
static void fault_in_all(uint8_t *memory, size_t size)
{
    share_t shares[HUGE_MEMORY_THREADS];
    const size_t worth = size / SHARE_MIN + 1;
    const size_t threads = processors();
    const size_t count = worth < threads ? worth : threads;
    const size_t each = size / count / HUGE_PAGE * HUGE_PAGE;
    for (size_t i = 0; i < count; i++) {
        shares[i].from = memory + i * each;
        shares[i].size = i + 1 < count ? each : size - i * each;
        shares[i].runs =
            i + 1 < count && pthread_create(&shares[i].thread, NULL, fault_in, &shares[i]) == 0;
        if (!shares[i].runs)
            (void)fault_in(&shares[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (shares[i].runs)
            (void)pthread_join(shares[i].thread, NULL);
}

void *huge_memory_map(size_t size)
{
    OC_ASSERT(size > 0);
    OC_ASSERT(size <= SIZE_MAX / 2);
    const size_t whole = (size + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
    const size_t padded = whole + HUGE_PAGE;
    uint8_t *raw = mmap(NULL, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    const size_t head = (size_t)(-(uintptr_t)raw) & (HUGE_PAGE - 1);
    if (head > 0)
        munmap(raw, head);
    munmap(raw + head + whole, padded - head - whole);
    (void)madvise(raw + head, whole, MADV_HUGEPAGE); /* advice only: small pages work too */
    fault_in_all(raw + head, whole);
    return raw + head;
}

void huge_memory_unmap(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}
