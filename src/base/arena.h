/*
 * The state arena: one position-independent block of pages that holds everything replicated.
 *
 * A capture must be able to say, in constant time, "the state as it is now". Therefore every store
 * into the arena is announced first: arena_touch() compares the page's stamp with the arena's
 * epoch, one load and one compare; the first touch of a page in an epoch takes the slow path.
 * Beginning a capture is epoch + 1.
 *
 * Inside the arena there are indices and no pointers, and no byte that was never written: it is
 * zeroed and faulted in when it is made, then sealed. Stamps live beside the pages, not in them.
 *
 * Threads: the owner alone touches, allocates and seals.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/assert.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARENA_PAGE_SHIFT 12
#define ARENA_PAGE_SIZE  ((size_t)1 << ARENA_PAGE_SHIFT)

typedef struct arena {
    uint8_t *base;    /* page aligned (2 MiB, so that huge pages can back it) */
    uint32_t *stamps; /* by page: the epoch of its last touch */
    uint32_t epoch;   /* from 1; a page stamped with it has been announced */
    bool sealed;      /* nothing is allocated any more */
    size_t size;      /* bytes, a multiple of the page size */
    size_t used;      /* bytes given out */
    uint8_t *shadow;  /* verification: the arena as it was after the last arena_verify(); or NULL */
    uint32_t touch_skip; /* fault countdown: at 1 the next slow touch does nothing; 0: off */
} arena_t;

/*
 * Maps and zeroes an arena of at least `size` bytes; every page is faulted in. With `verify` a
 * shadow copy is kept for arena_verify(). False when memory runs out; nothing is held then. Undo:
 * arena_fini().
 */
bool arena_init(arena_t *arena, size_t size, bool verify);
void arena_fini(arena_t *arena);

/* The bytes that arena_alloc() takes for `size`: whole pages. */
size_t arena_section_size(size_t size);

/* Gives out `size` zeroed bytes, page aligned. Asserts that they are there and the arena is not
 * sealed. */
void *arena_alloc(arena_t *arena, size_t size);
void arena_seal(arena_t *arena);

/* First touch of a page in an epoch. Called by arena_touch() only. With a shadow it asserts that
 * nothing was stored to the page since the last arena_verify(): a touch comes before the store. */
void arena_touch_slow(arena_t *arena, size_t page);

/* Announces a store to the page of `address`. A record never straddles pages, so one call covers
 * it. */
ALWAYS_INLINE void arena_touch(arena_t *arena, const void *address)
{
    const size_t page = (size_t)((const uint8_t *)address - arena->base) >> ARENA_PAGE_SHIFT;
    if (UNLIKELY(arena->stamps[page] != arena->epoch))
        arena_touch_slow(arena, page);
}

/* Begins an epoch: every page must be announced anew. */
void arena_advance_epoch(arena_t *arena);

/*
 * Verification: compares every page with the shadow. Returns true when each page that differs has
 * been announced in this epoch, and takes the arena as the new shadow; otherwise *offset is where
 * the first unannounced difference is.
 */
bool arena_verify(arena_t *arena, size_t *offset);

/* The same; an unannounced difference is reported with its offset and ends the process. */
void arena_check(arena_t *arena);

#endif
