/*
 * The state arena's cold half: mapping, sealing, verification.
 *
 * Called by whoever owns replicated state, at start; arena_touch_slow() from every first write to a
 * page in an epoch. Must not allocate after arena_init().
 */
#define _GNU_SOURCE /* mmap flags, madvise */
#include "base/arena.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE_SIZE ((size_t)2 << 20)

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Anonymous memory aligned for huge pages; the slack before and behind is given back. */
static void *map_aligned(size_t size)
{
    const size_t padded = size + HUGE_PAGE_SIZE;
    uint8_t *raw = mmap(NULL, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    const size_t head = round_up((uintptr_t)raw, HUGE_PAGE_SIZE) - (uintptr_t)raw;
    uint8_t *aligned = raw + head;
    if (head)
        munmap(raw, head);
    munmap(aligned + size, padded - head - size);
    madvise(aligned, size, MADV_HUGEPAGE); /* advice only: small pages work too */
    /* Faulted in now, not in the middle of trading. The system gives zeros: a byte of each page is
     * enough, which is half the work of writing them all again. */
    for (size_t at = 0; at < size; at += ARENA_PAGE_SIZE)
        ((volatile uint8_t *)aligned)[at] = 0;
    return aligned;
}

size_t arena_section_size(size_t size)
{
    return round_up(size, ARENA_PAGE_SIZE);
}

bool arena_init(arena_t *arena, size_t size, bool verify)
{
    memset(arena, 0, sizeof *arena);
    arena->size = round_up(size, ARENA_PAGE_SIZE);
    arena->epoch = 1;
    const size_t pages = arena->size >> ARENA_PAGE_SHIFT;
    arena->base = map_aligned(arena->size);
    if (!arena->base)
        goto fail_base;
    arena->stamps = map_aligned(round_up(pages * sizeof *arena->stamps, ARENA_PAGE_SIZE));
    if (!arena->stamps)
        goto fail_stamps;
    if (verify) {
        arena->shadow = map_aligned(arena->size);
        if (!arena->shadow)
            goto fail_shadow;
    }
    return true;

fail_shadow:
    munmap(arena->stamps, round_up(pages * sizeof *arena->stamps, ARENA_PAGE_SIZE));
fail_stamps:
    munmap(arena->base, arena->size);
fail_base:
    memset(arena, 0, sizeof *arena);
    return false;
}

void arena_fini(arena_t *arena)
{
    if (!arena->base)
        return;
    const size_t pages = arena->size >> ARENA_PAGE_SHIFT;
    if (arena->shadow)
        munmap(arena->shadow, arena->size);
    munmap(arena->stamps, round_up(pages * sizeof *arena->stamps, ARENA_PAGE_SIZE));
    munmap(arena->base, arena->size);
    memset(arena, 0, sizeof *arena);
}

void *arena_alloc(arena_t *arena, size_t size)
{
    OC_ASSERT(!arena->sealed);
    const size_t section = arena_section_size(size);
    OC_ASSERT(section <= arena->size - arena->used);
    void *address = arena->base + arena->used;
    arena->used += section;
    return address;
}

void arena_seal(arena_t *arena)
{
    OC_ASSERT(!arena->sealed);
    arena->sealed = true;
}

void arena_touch_slow(arena_t *arena, size_t page)
{
    OC_ASSERT(page < arena->size >> ARENA_PAGE_SHIFT);
    if (arena->touch_skip && --arena->touch_skip == 0)
        return;
    if (arena->shadow) { /* a capture would copy the page now: it must still be unchanged */
        const size_t at = page << ARENA_PAGE_SHIFT;
        OC_ASSERT(memcmp(arena->base + at, arena->shadow + at, ARENA_PAGE_SIZE) == 0);
    }
    arena->stamps[page] = arena->epoch;
}

void arena_advance_epoch(arena_t *arena)
{
    OC_ASSERT(arena->epoch < UINT32_MAX);
    arena->epoch++;
}

bool arena_verify(arena_t *arena, size_t *offset)
{
    OC_ASSERT(arena->shadow != NULL);
    const size_t pages = arena->size >> ARENA_PAGE_SHIFT;
    for (size_t page = 0; page < pages; page++) {
        const size_t at = page << ARENA_PAGE_SHIFT;
        if (memcmp(arena->base + at, arena->shadow + at, ARENA_PAGE_SIZE) == 0)
            continue;
        if (arena->stamps[page] != arena->epoch) {
            size_t i = 0;
            while (arena->base[at + i] == arena->shadow[at + i])
                i++;
            *offset = at + i;
            return false;
        }
        memcpy(arena->shadow + at, arena->base + at, ARENA_PAGE_SIZE);
    }
    return true;
}

void arena_check(arena_t *arena)
{
    size_t offset = 0;
    const bool every_write_was_announced = arena_verify(arena, &offset);
    if (!every_write_was_announced)
        fprintf(stderr, "arena: a write at offset %zu was not announced\n", offset);
    OC_ASSERT(every_write_was_announced);
}
