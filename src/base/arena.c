/*
 * The state arena's cold half: mapping, sealing, verification.
 *
 * Called by whoever owns replicated state, at start; oc_arena_touch_slow() from every first write
 * to a page in an epoch. Must not allocate after oc_arena_init().
 */
#include "outcry/arena.h"

#include "base/assert.h"
#include "base/huge_memory.h"

#include <stdio.h>
#include <string.h>

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

size_t oc_arena_section_size(size_t size)
{
    return round_up(size, OC_ARENA_PAGE_SIZE);
}

/* Folds a number into the layout's digest. */
static uint64_t fold_layout(uint64_t layout, uint64_t value)
{
    __extension__ typedef unsigned __int128 wide_t;
    const wide_t product =
        (wide_t)(value ^ UINT64_C(0xa0761d6478bd642f)) * (layout ^ UINT64_C(0xe7037ed1a0b428db));
    return ((uint64_t)product ^ (uint64_t)(product >> 64)) + layout;
}

/* What oc_arena_init() was told lies in it. */
static void set_identity(oc_arena_t *arena, const char *name, uint32_t version)
{
    const size_t length = strlen(name);
    OC_ASSERT(length > 0);
    OC_ASSERT(length < OC_ARENA_NAME_MAX);
    memcpy(arena->name, name, length);
    uint64_t layout = fold_layout(OC_ARENA_PAGE_SIZE, version);
    for (size_t i = 0; i < length; i++)
        layout = fold_layout(layout, (uint8_t)name[i]);
    arena->layout = layout;
}

bool oc_arena_init(oc_arena_t *arena, const char *name, uint32_t version, size_t size, bool verify)
{
    memset(arena, 0, sizeof *arena);
    /* Sums with sizes that no machine has must not wrap around. */
    if (size == 0 || size > SIZE_MAX / 4)
        return false;
    set_identity(arena, name, version);
    arena->size = round_up(size, OC_ARENA_PAGE_SIZE);
    arena->epoch = 1;
    const size_t pages = arena->size >> OC_ARENA_PAGE_SHIFT;
    arena->base = huge_memory_map(arena->size);
    if (!arena->base)
        goto fail_base;
    arena->stamps = huge_memory_map(round_up(pages * sizeof *arena->stamps, OC_ARENA_PAGE_SIZE));
    if (!arena->stamps)
        goto fail_stamps;
    if (verify) {
        arena->shadow = huge_memory_map(arena->size);
        if (!arena->shadow)
            goto fail_shadow;
    }
    return true;

fail_shadow:
    huge_memory_unmap(arena->stamps, round_up(pages * sizeof *arena->stamps, OC_ARENA_PAGE_SIZE));
fail_stamps:
    huge_memory_unmap(arena->base, arena->size);
fail_base:
    memset(arena, 0, sizeof *arena);
    return false;
}

void oc_arena_fini(oc_arena_t *arena)
{
    if (!arena->base)
        return;
    const size_t pages = arena->size >> OC_ARENA_PAGE_SHIFT;
    huge_memory_unmap(arena->shadow, arena->size);
    huge_memory_unmap(arena->stamps, round_up(pages * sizeof *arena->stamps, OC_ARENA_PAGE_SIZE));
    huge_memory_unmap(arena->base, arena->size);
    memset(arena, 0, sizeof *arena);
}

void *oc_arena_alloc(oc_arena_t *arena, size_t size)
{
    OC_ASSERT(!arena->sealed);
    const size_t section = oc_arena_section_size(size);
    OC_ASSERT(section <= arena->size - arena->used);
    void *address = arena->base + arena->used;
    arena->used += section;
    arena->layout = fold_layout(arena->layout, size);
    return address;
}

void oc_arena_seal(oc_arena_t *arena)
{
    OC_ASSERT(!arena->sealed);
    arena->sealed = true;
}

void oc_arena_touch_slow(oc_arena_t *arena, size_t page)
{
    OC_ASSERT(page < arena->size >> OC_ARENA_PAGE_SHIFT);
    if (arena->touch_skip && --arena->touch_skip == 0)
        return;
    if (arena->shadow) { /* a capture would copy the page now: it must still be unchanged */
        const size_t at = page << OC_ARENA_PAGE_SHIFT;
        OC_ASSERT(memcmp(arena->base + at, arena->shadow + at, OC_ARENA_PAGE_SIZE) == 0);
    }
    if (arena->watcher)
        arena->watcher(arena->watcher_context, arena, page, arena->stamps[page]);
    /* Release: a capture's thread that sees the stamp also sees what the watcher published. */
    __atomic_store_n(&arena->stamps[page], arena->epoch, __ATOMIC_RELEASE);
}

void oc_arena_advance_epoch(oc_arena_t *arena)
{
    OC_ASSERT(arena->epoch < UINT32_MAX);
    arena->epoch++;
}

void oc_arena_restored(oc_arena_t *arena)
{
    OC_ASSERT(arena->sealed);
    OC_ASSERT(!arena->watcher);
    /* A page with a stamp from before, which happens to be that of a later epoch, would not be
     * announced in it. */
    for (size_t page = 0; page < arena->size >> OC_ARENA_PAGE_SHIFT; page++)
        OC_ASSERT(arena->stamps[page] <= 1);
    arena->epoch = 2;
    if (arena->shadow)
        memcpy(arena->shadow, arena->base, arena->size);
}

bool oc_arena_verify(oc_arena_t *arena, size_t *offset)
{
    OC_ASSERT(arena->shadow != NULL);
    const size_t pages = arena->size >> OC_ARENA_PAGE_SHIFT;
    for (size_t page = 0; page < pages; page++) {
        const size_t at = page << OC_ARENA_PAGE_SHIFT;
        if (memcmp(arena->base + at, arena->shadow + at, OC_ARENA_PAGE_SIZE) == 0)
            continue;
        if (arena->stamps[page] != arena->epoch) {
            size_t i = 0;
            while (arena->base[at + i] == arena->shadow[at + i])
                i++;
            *offset = at + i;
            return false;
        }
        memcpy(arena->shadow + at, arena->base + at, OC_ARENA_PAGE_SIZE);
    }
    return true;
}

void oc_arena_check(oc_arena_t *arena)
{
    size_t offset = 0;
    const bool every_write_was_announced = oc_arena_verify(arena, &offset);
    if (!every_write_was_announced)
        fprintf(stderr, "arena: a write at offset %zu was not announced\n", offset);
    OC_ASSERT(every_write_was_announced);
}
