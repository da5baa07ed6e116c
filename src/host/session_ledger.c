/*
 * Sessions by id in sorted arrays. Called by the replica for each entry that opens or closes one,
 * and for each message.
 *
 * Ids mostly ascend, so that adding is appending; a removal moves the ids behind it, 12 bytes each.
 *
 * Invariants: ids ascend strictly; slots and free slots together are each slot once; next_id is
 * above all ids.
 */
#include "host/session_ledger.h"

#include "base/assert.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MAX (UINT32_C(1) << 20)

oc_err_t session_ledger_init(session_ledger_t *ledger, uint32_t capacity)
{
    OC_ASSERT(capacity > 0);
    OC_ASSERT(capacity <= CAPACITY_MAX);
    *ledger = (session_ledger_t){.capacity = capacity, .next_id = 1};
    ledger->ids = calloc(capacity, sizeof *ledger->ids);
    ledger->slots = calloc(capacity, sizeof *ledger->slots);
    ledger->sessions = calloc(capacity, sizeof *ledger->sessions);
    ledger->free_slots = calloc(capacity, sizeof *ledger->free_slots);
    if (!ledger->ids || !ledger->slots || !ledger->sessions || !ledger->free_slots) {
        session_ledger_fini(ledger);
        return error_set(OC_ERR_NO_MEMORY, "no memory for %u sessions; lower max_sessions",
                         capacity);
    }
    for (uint32_t i = 0; i < capacity; i++)
        ledger->free_slots[i] = capacity - 1 - i;
    return OC_ERR_OK;
}

void session_ledger_fini(session_ledger_t *ledger)
{
    free(ledger->ids);
    free(ledger->slots);
    free(ledger->sessions);
    free(ledger->free_slots);
    *ledger = (session_ledger_t){0};
}

/* The place of the first id that is not below `id`. */
static uint32_t lower_bound(const session_ledger_t *ledger, uint64_t id)
{
    uint32_t low = 0;
    uint32_t high = ledger->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ledger->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const session_ledger_t *ledger, uint32_t place, uint64_t id)
{
    return place < ledger->count && ledger->ids[place] == id;
}

ledger_session_t *session_ledger_find(const session_ledger_t *ledger, oc_session_id_t id)
{
    const uint32_t place = lower_bound(ledger, id.value);
    return is_at(ledger, place, id.value) ? &ledger->sessions[ledger->slots[place]] : NULL;
}

const ledger_session_t *session_ledger_at(const session_ledger_t *ledger, uint32_t n)
{
    OC_ASSERT(n < ledger->count);
    return &ledger->sessions[ledger->slots[n]];
}

bool session_ledger_add(session_ledger_t *ledger, oc_session_id_t id, const gateway_open_t *open)
{
    const uint32_t place = lower_bound(ledger, id.value);
    OC_ASSERT(!is_at(ledger, place, id.value));
    if (ledger->count == ledger->capacity)
        return false;
    const uint32_t slot = ledger->free_slots[ledger->capacity - ledger->count - 1];
    const uint32_t behind = ledger->count - place;
    memmove(&ledger->ids[place + 1], &ledger->ids[place], behind * sizeof *ledger->ids);
    memmove(&ledger->slots[place + 1], &ledger->slots[place], behind * sizeof *ledger->slots);
    ledger->ids[place] = id.value;
    ledger->slots[place] = slot;
    ledger->count++;
    ledger->sessions[slot] = (ledger_session_t){.id = id, .open = *open};
    if (id.value >= ledger->next_id)
        ledger->next_id = id.value + 1;
    return true;
}

void session_ledger_remove(session_ledger_t *ledger, oc_session_id_t id)
{
    const uint32_t place = lower_bound(ledger, id.value);
    OC_ASSERT(is_at(ledger, place, id.value));
    const uint32_t slot = ledger->slots[place];
    const uint32_t behind = ledger->count - place - 1;
    if (ledger->sessions[slot].closing)
        ledger->closing--;
    memset(&ledger->sessions[slot], 0, sizeof ledger->sessions[slot]);
    memmove(&ledger->ids[place], &ledger->ids[place + 1], behind * sizeof *ledger->ids);
    memmove(&ledger->slots[place], &ledger->slots[place + 1], behind * sizeof *ledger->slots);
    ledger->count--;
    ledger->free_slots[ledger->capacity - ledger->count - 1] = slot;
}

void session_ledger_mark_closing(session_ledger_t *ledger, oc_session_id_t id)
{
    ledger_session_t *session = session_ledger_find(ledger, id);
    OC_ASSERT(session != NULL);
    if (!session->closing) {
        session->closing = true;
        ledger->closing++;
    }
}
