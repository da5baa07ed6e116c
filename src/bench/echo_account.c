/*
 * Counting of messages that come back. Called by the loop of an echo and by its link.
 *
 * Invariants: a sequence counts as received once; whether it came before is known for the last
 * SEEN_BITS sequences. An echo older than that is out of order and nothing else, so that it stays
 * lost. Must not allocate once it runs.
 */
#include "bench/echo_account.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define SEEN_BITS  (UINT64_C(1) << 22)
#define SEEN_WORDS (SEEN_BITS / 64)

oc_err_t echo_account_init(echo_account_t *self, size_t count, uint64_t interval_ns)
{
    memset(self, 0, sizeof *self);
    const oc_err_t err = time_line_init(&self->line, count, interval_ns);
    if (err != OC_ERR_OK)
        return err;
    self->latency = histogram_create();
    self->service = histogram_create();
    self->send_late = histogram_create();
    self->own_late = histogram_create();
    self->seen = calloc(SEEN_WORDS, sizeof *self->seen);
    if (self->latency && self->service && self->send_late && self->own_late && self->seen)
        return OC_ERR_OK;
    echo_account_fini(self);
    return error_set(OC_ERR_NO_MEMORY, "echo: no memory for its histograms");
}

void echo_account_fini(echo_account_t *self)
{
    time_line_fini(&self->line);
    histogram_destroy(self->latency);
    histogram_destroy(self->service);
    histogram_destroy(self->send_late);
    histogram_destroy(self->own_late);
    free(self->seen);
    memset(self, 0, sizeof *self);
}

void echo_account_begin(echo_account_t *self, uint64_t start_ns, uint64_t warmup_ns,
                        uint32_t sender)
{
    time_line_reset(&self->line);
    histogram_reset(self->latency);
    histogram_reset(self->service);
    histogram_reset(self->send_late);
    histogram_reset(self->own_late);
    memset(self->seen, 0, SEEN_WORDS * sizeof *self->seen);
    memset(&self->counts, 0, sizeof self->counts);
    self->next = 0;
    self->line.start_ns = start_ns;
    self->warm_end_ns = start_ns + warmup_ns;
    self->sender = sender;
}

static uint64_t since(uint64_t then_ns, uint64_t now_ns)
{
    return now_ns > then_ns ? now_ns - then_ns : 0;
}

void echo_account_sent(echo_account_t *self, uint64_t intended_ns, uint64_t sent_ns, bool held)
{
    const uint64_t late_ns = since(intended_ns, sent_ns);
    const bool late = late_ns > ECHO_LATE_NS;
    self->counts.sent++;
    self->counts.late += late;
    self->counts.held += late && held;
    if (intended_ns < self->warm_end_ns) {
        self->counts.warm_sent++;
        self->counts.warm_late += late;
        self->counts.warm_held += late && held;
        return;
    }
    histogram_record(self->send_late, late_ns);
    if (!held)
        histogram_record(self->own_late, late_ns);
}

/* Forgets, for each sequence from `next` up to this one, the one that had its bit before. */
static void advance(echo_account_t *self, uint64_t sequence)
{
    if (sequence - self->next >= SEEN_BITS)
        memset(self->seen, 0, SEEN_WORDS * sizeof *self->seen);
    else
        for (uint64_t i = self->next; i <= sequence; i++)
            self->seen[i % SEEN_BITS / 64] &= ~(UINT64_C(1) << i % 64);
    self->next = sequence + 1;
}

/* Whether the sequence comes for the first time, as far as that is known. */
static bool take_sequence(echo_account_t *self, uint64_t sequence)
{
    if (sequence >= self->next) {
        advance(self, sequence);
    } else {
        const bool known = self->next - sequence <= SEEN_BITS;
        const uint64_t word = self->seen[sequence % SEEN_BITS / 64];
        if (known && (word >> sequence % 64 & 1)) {
            self->counts.doubled++;
            return false;
        }
        self->counts.out_of_order++;
        if (!known)
            return false;
    }
    self->seen[sequence % SEEN_BITS / 64] |= UINT64_C(1) << sequence % 64;
    return true;
}

void echo_account_echo(echo_account_t *self, const wire_message_t *message, uint64_t now_ns)
{
    if (message->sender != self->sender || message->kind != WIRE_DATA ||
        message->sequence >= self->counts.sent) {
        self->counts.strangers++;
        return;
    }
    if (!take_sequence(self, message->sequence))
        return;
    self->counts.received++;
    if (message->intended_ns < self->warm_end_ns) {
        self->counts.warm_received++;
        return;
    }
    time_line_record(&self->line, now_ns, since(message->intended_ns, now_ns));
    histogram_record(self->service, since(message->sent_ns, now_ns));
}

void echo_account_end(echo_account_t *self)
{
    histogram_reset(self->latency);
    time_line_sum(&self->line, self->latency);
}
