/*
 * The account of a numbered stream. Called by the receiver of bursts for each message.
 *
 * Invariant: bits of numbers from `next` on are clear, as far as the window reaches. A message in
 * order costs one bit; a gap costs its length, a window at most.
 */
#include "bench/sequence_account.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/huge_memory.h"

#define BYTES ((size_t)(SEQUENCE_WINDOW / 8))

oc_err_t sequence_account_init(sequence_account_t *self)
{
    *self = (sequence_account_t){0};
    self->came = huge_memory_map(BYTES);
    if (self->came == NULL)
        return error_set(OC_ERR_NO_MEMORY, "the account of a stream: %zu bytes", BYTES);
    return OC_ERR_OK;
}

void sequence_account_fini(sequence_account_t *self)
{
    huge_memory_unmap(self->came, BYTES);
    self->came = NULL;
}

static uint64_t *word_of(const sequence_account_t *self, uint64_t number)
{
    return &self->came[number % SEQUENCE_WINDOW / 64];
}

static uint64_t bit_of(uint64_t number)
{
    return UINT64_C(1) << number % 64;
}

/* The window moves so that it ends behind `number`; what it had there before is forgotten. */
static void move_behind(sequence_account_t *self, uint64_t number)
{
    const uint64_t end = number + 1;
    uint64_t at = end - self->next > SEQUENCE_WINDOW ? end - SEQUENCE_WINDOW : self->next;
    for (; at < end; at++)
        *word_of(self, at) &= ~bit_of(at);
    self->next = end;
}

bool sequence_account_take(sequence_account_t *self, uint64_t number)
{
    OC_ASSERT(self->came != NULL && number < UINT64_MAX);
    if (number >= self->next) {
        move_behind(self, number);
    } else if (self->next - number > SEQUENCE_WINDOW ||
               (*word_of(self, number) & bit_of(number)) != 0) {
        self->doubled++;
        return false;
    } else {
        self->out_of_order++;
    }
    *word_of(self, number) |= bit_of(number);
    self->received++;
    return true;
}
