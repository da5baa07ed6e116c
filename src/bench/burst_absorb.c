/*
 * Absorption of bursts. Called by their receiver for each message.
 *
 * Invariant: the ring has every moment of the last window, and `inside` the messages of all of
 * them. A window has at most a million moments of a nanosecond, so the ring cannot be full; with
 * fewer messages than that in all bursts it need not be so long. Its pages are there before the
 * first message, for the warm-up's bursts do not reach all of them.
 */
#include "bench/burst_absorb.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/huge_memory.h"

#include <stdlib.h>
#include <string.h>

oc_err_t burst_absorb_init(burst_absorb_t *self, size_t bursts, uint64_t messages)
{
    OC_ASSERT(bursts > 0 && messages > 0);
    size_t moments = 2;
    memset(self, 0, sizeof *self);
    const uint64_t most = messages < BURST_WINDOW_NS / bursts ? messages * bursts : BURST_WINDOW_NS;
    while (moments <= most)
        moments *= 2;
    self->count = bursts;
    self->mask = moments - 1;
    self->rows = calloc(bursts, sizeof *self->rows);
    self->ring = huge_memory_map(moments * sizeof *self->ring);
    if (self->rows != NULL && self->ring != NULL)
        return OC_ERR_OK;
    burst_absorb_fini(self);
    return error_set(OC_ERR_NO_MEMORY, "the account of %zu bursts: no memory", bursts);
}

void burst_absorb_fini(burst_absorb_t *self)
{
    free(self->rows);
    huge_memory_unmap(self->ring, (self->mask + 1) * sizeof *self->ring);
    self->rows = NULL;
    self->ring = NULL;
}

static void add_moment(burst_absorb_t *self, uint64_t now_ns)
{
    burst_moment_t *newest = &self->ring[(self->tail - 1) & self->mask];
    while (self->head != self->tail &&
           now_ns - self->ring[self->head & self->mask].ns >= BURST_WINDOW_NS) {
        self->inside -= self->ring[self->head & self->mask].count;
        self->head++;
    }
    if (self->head != self->tail && newest->ns == now_ns) {
        newest->count++;
    } else {
        OC_ASSERT(self->tail - self->head <= self->mask);
        OC_ASSERT(self->head == self->tail || newest->ns < now_ns);
        self->ring[self->tail++ & self->mask] = (burst_moment_t){now_ns, 1};
    }
    self->inside++;
}

void burst_absorb_take(burst_absorb_t *self, size_t burst, uint64_t now_ns)
{
    OC_ASSERT(burst < self->count);
    burst_row_t *row = &self->rows[burst];
    add_moment(self, now_ns);
    if (row->received++ == 0)
        row->first_ns = now_ns;
    row->last_ns = now_ns;
    if (self->inside > row->peak)
        row->peak = self->inside;
}
