/*
 * Arenas under a capture that is stepped by hand in one thread: fill, begin, step, and compare what
 * comes out with the arenas as they were.
 *
 * Where one side must act in the middle of the other, a page of memory is made inaccessible: the
 * fault that the other one's copy runs into lets it act, at that very word, and goes on.
 */
#ifndef TEST_LIB_CAPTURE_RIG_H
#define TEST_LIB_CAPTURE_RIG_H

#include "snapshot/capture.h"

enum { CAPTURE_RIG_PAGES_MAX = 24, CAPTURE_RIG_ARENAS_MAX = 3 };

typedef struct capture_rig {
    oc_arena_t arenas[CAPTURE_RIG_ARENAS_MAX]; /* with epochs 1, 6, 11 */
    size_t count;
    size_t pages; /* of each arena */
    capture_t *capture;
    uint8_t *room;                          /* two pages; where the sweeper writes in them, */
    uint8_t *to;                            /* the test chooses */
    uint8_t *want[CAPTURE_RIG_ARENAS_MAX];  /* the arenas when the capture began */
    uint8_t *image[CAPTURE_RIG_ARENAS_MAX]; /* complete captures, one over the other */
    uint8_t *given[CAPTURE_RIG_ARENAS_MAX]; /* pages of the running one */
    bool is_given[CAPTURE_RIG_ARENAS_MAX][CAPTURE_RIG_PAGES_MAX];
    bool is_due[CAPTURE_RIG_ARENAS_MAX][CAPTURE_RIG_PAGES_MAX];
    capture_page_t last; /* given out */
    size_t given_count;
    int sprung; /* traps that acted since the last was set */
} capture_rig_t;

/* Sealed arenas of `pages` pages each. Undo: capture_rig_fini(). */
void capture_rig_init(capture_rig_t *rig, size_t arenas, size_t pages, size_t pool);
void capture_rig_fini(capture_rig_t *rig);

uint8_t *capture_rig_page(capture_rig_t *rig, size_t page); /* of the first arena */

/* Fills a page with one byte, so that a torn copy shows; all pages, with different ones. */
void capture_rig_fill(capture_rig_t *rig, size_t arena, size_t page, int byte);
void capture_rig_fill_all(capture_rig_t *rig, int byte);

void capture_rig_begin(capture_rig_t *rig, const uint32_t *base);

/* One step of the sweeper; asserts that pages come in order. */
capture_step_t capture_rig_step(capture_rig_t *rig, size_t limit);

/* Asserts that the pages given out are those that are due, as they were, and lays them over the
 * image. */
void capture_rig_check(capture_rig_t *rig);

/* Steps until the capture is swept, checks, and ends it. */
void capture_rig_finish(capture_rig_t *rig);

capture_stats_t capture_rig_stats(const capture_rig_t *rig);

typedef void (*capture_rig_act_t)(capture_rig_t *rig);

/* The next access to this page of memory lets `act` run first. One trap at a time. */
void capture_rig_trap(capture_rig_t *rig, uint8_t *memory, capture_rig_act_t act);

/* The same for the sweeper's next copy, when so many bytes of it are written. */
void capture_rig_trap_copy(capture_rig_t *rig, size_t bytes, capture_rig_act_t act);

/* Takes the trap away if it has not sprung. */
void capture_rig_untrap(void);

#endif
