/*
 * A capture: the pages of some arenas as they were at one moment, taken by a sweeper while the
 * owner goes on changing them. The owner never waits.
 *
 * Beginning is epoch + 1. From then on every page is given out once, as it was: the sweeper copies
 * pages one after the other; the owner, before it changes a page that the sweeper has not got yet,
 * copies it into a pool. Whoever has a whole copy first publishes it, by compare-and-swap on the
 * page's word; the other's copy is thrown away. When the pool is used up the capture is abandoned.
 *
 * With base epochs only pages touched since are given out: what an incremental image needs.
 *
 * Threads: the owner of the arenas begins, ends, and touches pages; one sweeper, another thread or
 * the same one, calls capture_next(). capture_state() may be called by any.
 */
#ifndef SNAPSHOT_CAPTURE_H
#define SNAPSHOT_CAPTURE_H

#include "outcry/arena.h"
#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_ARENAS_MAX 8

typedef struct capture capture_t;

typedef enum capture_state {
    CAPTURE_IDLE,
    CAPTURE_RUNNING,
    CAPTURE_SWEPT,     /* every page was given out; waits for capture_end() */
    CAPTURE_ABANDONED, /* the pool was used up, or the sweeper gave up; waits for capture_end() */
} capture_state_t;

/*
 * Takes memory, faulted in: a word for each page, and the pool. `arenas` are borrowed for the
 * capture's life, the array for the call. OC_ERR_NO_MEMORY. The caller owns *capture:
 * capture_destroy().
 */
OC_MUST_CHECK oc_err_t capture_create(capture_t **capture, oc_arena_t *const *arenas, size_t count,
                                      size_t pool_pages);
void capture_destroy(capture_t *self); /* NULL is allowed; ends a capture that runs */

/*
 * Owner, between changes: begins, in constant time. `base_epochs` (by arena, copied) are those of
 * an earlier capture, or NULL for every page that was ever touched. False if one is not idle.
 * Asserts that nothing else watches the arenas.
 */
bool capture_begin(capture_t *self, const uint32_t *base_epochs);

/* The epochs, by arena, that the running or last capture closed: pages stamped with at most these
 * are as it gave them out. The base of a later one. Owner; sweeper while it runs. */
const uint32_t *capture_epochs(const capture_t *self);

/* Owner: once the state is SWEPT or ABANDONED, makes it IDLE. Nothing in other states. The sweeper
 * must not be inside capture_next(). */
void capture_end(capture_t *self);

capture_state_t capture_state(const capture_t *self);

typedef enum capture_step {
    CAPTURE_PAGE,  /* one page was given out */
    CAPTURE_PAUSE, /* `limit` pages were looked at and none had to be given out */
    CAPTURE_END,   /* all pages are given out: the state is SWEPT */
    CAPTURE_LOST,  /* abandoned, or ended meanwhile: what was given out is of no use */
} capture_step_t;

typedef struct capture_page {
    uint32_t arena; /* index */
    uint32_t page;
} capture_page_t;

/* Sweeper: writes the next page to `bytes` (OC_ARENA_PAGE_SIZE, whose content means something only
 * after CAPTURE_PAGE). Pages come in ascending order of arena and page. */
capture_step_t capture_next(capture_t *self, void *bytes, capture_page_t *which, size_t limit);

/* Sweeper: gives up (the state becomes ABANDONED). */
void capture_abandon(capture_t *self);

typedef struct capture_stats {
    uint64_t begun;
    uint64_t abandoned;    /* pool used up, or given up */
    uint64_t pages_given;  /* of the running or last one */
    uint64_t pages_owner;  /* copied by the owner */
    uint64_t pages_lost;   /* copies of the sweeper thrown away */
    uint64_t pool_pages;   /* size of the pool */
    uint64_t pool_highest; /* most in use at once, of the running or last one */
    uint64_t pool_used;    /* in use now */
} capture_stats_t;

void capture_stats(const capture_t *self, capture_stats_t *stats); /* any thread */

#endif
