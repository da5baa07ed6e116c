/*
 * Pages from arena to arena. Used by tests of what images do, without files.
 */
#include "lib/arena_pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

size_t arena_pages_of(const oc_service_t *service, oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX])
{
    const size_t count = service->arenas(service->context, arenas, OC_SERVICE_ARENAS_MAX);
    assert_true(count > 0);
    return count;
}

static uint8_t *page_at(const oc_arena_t *arena, size_t page)
{
    assert_true(page < arena->size >> OC_ARENA_PAGE_SHIFT);
    return arena->base + (page << OC_ARENA_PAGE_SHIFT);
}

void arena_pages_clear(oc_arena_t *arena)
{
    for (size_t page = 0; page < arena->size >> OC_ARENA_PAGE_SHIFT; page++) {
        if (arena->stamps[page] == 0)
            continue;
        memset(page_at(arena, page), 0, OC_ARENA_PAGE_SIZE);
        arena->stamps[page] = 0;
    }
}

void arena_pages_put(oc_arena_t *arena, size_t page, const void *bytes)
{
    memcpy(page_at(arena, page), bytes, OC_ARENA_PAGE_SIZE);
    arena->stamps[page] = 1;
}

void arena_pages_copy_one(const oc_arena_t *from, oc_arena_t *to)
{
    assert_string_equal(from->name, to->name);
    assert_true(from->layout == to->layout);
    assert_int_equal(from->size, to->size);
    arena_pages_clear(to);
    for (size_t page = 0; page < from->size >> OC_ARENA_PAGE_SHIFT; page++)
        if (from->stamps[page] != 0)
            arena_pages_put(to, page, page_at(from, page));
    oc_arena_restored(to);
}

void arena_pages_copy(const oc_service_t *from, const oc_service_t *to)
{
    oc_arena_t *sources[OC_SERVICE_ARENAS_MAX];
    oc_arena_t *targets[OC_SERVICE_ARENAS_MAX];
    const size_t count = arena_pages_of(from, sources);
    assert_int_equal(arena_pages_of(to, targets), count);
    for (size_t i = 0; i < count; i++)
        arena_pages_copy_one(sources[i], targets[i]);
}
