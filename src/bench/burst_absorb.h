/*
 * How a receiver absorbs bursts: for each one the time from its first message to its last, and the
 * most messages in any sliding millisecond, exactly.
 *
 * A window is [t, t + 1 ms): two messages exactly 1 ms apart are in no common one, as in
 * calc/trace_window.h. It does not end with a burst: what came of the one before less than a
 * millisecond ago is in it.
 */
#ifndef BENCH_BURST_ABSORB_H
#define BENCH_BURST_ABSORB_H

#include "outcry/error.h"

#include <stddef.h>
#include <stdint.h>

#define BURST_WINDOW_NS UINT64_C(1000000)

typedef struct burst_row {
    uint64_t received; /* different messages */
    uint64_t first_ns; /* when; of an empty burst 0 */
    uint64_t last_ns;
    uint64_t peak; /* most messages in a window that ends inside of this burst */
} burst_row_t;

static inline uint64_t burst_row_absorb_ns(const burst_row_t *row)
{
    return row->last_ns - row->first_ns;
}

/* Messages that came at one time. */
typedef struct burst_moment {
    uint64_t ns;
    uint64_t count;
} burst_moment_t;

typedef struct burst_absorb {
    burst_row_t *rows; /* owned, one for each burst */
    size_t count;
    burst_moment_t *ring; /* owned: the moments of the last window */
    size_t mask;
    size_t head; /* of the oldest moment; both count on */
    size_t tail; /* behind the newest */
    uint64_t inside;
} burst_absorb_t;

/* For `bursts` of at most `messages` each. OC_ERR_NO_MEMORY. On success the caller owns it:
 * burst_absorb_fini(). */
OC_MUST_CHECK oc_err_t burst_absorb_init(burst_absorb_t *self, size_t bursts, uint64_t messages);
void burst_absorb_fini(burst_absorb_t *self); /* a zeroed struct is allowed */

/* A message of a burst (below `count`) came; times never go back. */
void burst_absorb_take(burst_absorb_t *self, size_t burst, uint64_t now_ns);

#endif
