/*
 * Paged state: blocks of pages that hold all that is replicated, made so that a snapshot of it need
 * not stop anything.
 *
 * A capture must be able to say, in constant time, "the state as it is now". Therefore every store
 * into an arena is announced first: oc_arena_touch() compares the page's stamp with the arena's
 * epoch, one load and one compare; the first touch of a page in an epoch takes the slow path, where
 * a running capture keeps the page's old content. Beginning a capture is epoch + 1.
 *
 * What lies in an arena must mean the same in another process: indices and no pointers, and no byte
 * that was never written. It is zeroed and faulted in when it is made, then sealed. Stamps lie
 * beside the pages, not in them. Tests let oc_arena_check() find a store that was not announced.
 *
 *     oc_arena_init()    oc_arena_alloc() per table    oc_arena_seal()
 *     oc_arena_touch(&arena, &record); record.field = ...
 *
 * Threads: the owner alone calls all of this. Another thread may look at stamps and pages only as a
 * capture does.
 */
#ifndef OUTCRY_ARENA_H
#define OUTCRY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcry/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OC_ARENA_PAGE_SHIFT 12
#define OC_ARENA_PAGE_SIZE  ((size_t)1 << OC_ARENA_PAGE_SHIFT)
#define OC_ARENA_NAME_MAX   32

typedef struct oc_arena oc_arena_t;

/* Told of the first touch of a page in an epoch: before the page is stamped and before it changes.
 * `stamp` is the epoch of its last touch before, 0: never touched. Set by a capture. */
typedef void (*oc_arena_watcher_t)(void *context, oc_arena_t *arena, size_t page, uint32_t stamp);

struct oc_arena {
    uint8_t *base;    /* page aligned (2 MiB, so that huge pages can back it) */
    uint32_t *stamps; /* by page: the epoch of its last touch, 0: never, so it is all zero. Stored
                         atomically (release) by the owner, loaded so by a capture's thread */
    uint32_t epoch;   /* from 1; a page stamped with it has been announced */
    bool sealed;      /* nothing is allocated any more */
    size_t size;      /* bytes, a multiple of the page size */
    size_t used;      /* bytes given out */
    oc_arena_watcher_t watcher; /* NULL: no capture runs */
    void *watcher_context;
    char name[OC_ARENA_NAME_MAX]; /* in images and messages */
    uint64_t layout;     /* digest of name, version and the sizes of all allocations: pages of one
                        arena mean something in another only if their layouts are equal */
    uint8_t *shadow;     /* verification: the arena as it was after the last oc_arena_verify(); or
                        NULL */
    uint32_t touch_skip; /* fault countdown: at 1 the next slow touch does nothing; 0: off */
};

/*
 * Maps and zeroes an arena of at least `size` bytes; every page is faulted in. `name` (at most
 * OC_ARENA_NAME_MAX - 1 characters) and `version` say what lies in it: change the version with
 * every change of a record. With `verify` a shadow copy is kept for oc_arena_verify(). False when
 * memory runs out, and for a size of 0; nothing is held then. Undo: oc_arena_fini().
 */
OC_EXPORT bool oc_arena_init(oc_arena_t *arena, const char *name, uint32_t version, size_t size,
                             bool verify);
OC_EXPORT void oc_arena_fini(oc_arena_t *arena);

/* The bytes that oc_arena_alloc() takes for `size`: whole pages. */
OC_EXPORT size_t oc_arena_section_size(size_t size);

/* Gives out `size` zeroed bytes, page aligned. Asserts that they are there and the arena is not
 * sealed. */
OC_EXPORT void *oc_arena_alloc(oc_arena_t *arena, size_t size);
OC_EXPORT void oc_arena_seal(oc_arena_t *arena);

/* First touch of a page in an epoch. Called by oc_arena_touch() only. With a shadow it asserts that
 * nothing was stored to the page since the last oc_arena_verify(): a touch comes before the
 * store. */
OC_EXPORT void oc_arena_touch_slow(oc_arena_t *arena, size_t page);

/* Announces a store to the page of `address`. A record that never straddles pages needs one call.
 */
static inline __attribute__((always_inline)) void oc_arena_touch(oc_arena_t *arena,
                                                                 const void *address)
{
    const size_t page = (size_t)((const uint8_t *)address - arena->base) >> OC_ARENA_PAGE_SHIFT;
    if (__builtin_expect(arena->stamps[page] != arena->epoch, 0))
        oc_arena_touch_slow(arena, page);
}

/* Announces stores to all pages of `size` bytes; nothing for size 0. */
static inline void oc_arena_touch_range(oc_arena_t *arena, const void *address, size_t size)
{
    const uint8_t *at = (const uint8_t *)address;
    if (size == 0)
        return;
    for (size_t page = (size_t)(at - arena->base) >> OC_ARENA_PAGE_SHIFT;
         page <= (size_t)(at + size - 1 - arena->base) >> OC_ARENA_PAGE_SHIFT; page++)
        oc_arena_touch(arena, arena->base + (page << OC_ARENA_PAGE_SHIFT));
}

/* Begins an epoch: every page must be announced anew. */
OC_EXPORT void oc_arena_advance_epoch(oc_arena_t *arena);

/*
 * Takes the bytes as they lie there now, put in place by a restore together with the stamps (1 for
 * each page that an image holds, 0 and all zero bytes for the others), as the state: later touches
 * are told apart from it by their epoch. No capture may run.
 */
OC_EXPORT void oc_arena_restored(oc_arena_t *arena);

/*
 * Verification: compares every page with the shadow. Returns true when each page that differs has
 * been announced in this epoch, and takes the arena as the new shadow; otherwise *offset is where
 * the first unannounced difference is.
 */
OC_EXPORT bool oc_arena_verify(oc_arena_t *arena, size_t *offset);

/* The same; an unannounced difference is reported with its offset and ends the process. */
OC_EXPORT void oc_arena_check(oc_arena_t *arena);

#ifdef __cplusplus
}
#endif

#endif
