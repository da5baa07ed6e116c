/*
 * Sessions by id in sorted arrays. Called by the replica for each entry that opens or closes one,
 * and for each message.
 *
 * Ids mostly ascend, so that adding is appending; a removal moves the ids behind it, 12 bytes each.
 *
 * Invariants: ids ascend strictly; slots and free slots together are each of the slots made so far
 * once; next_id is above all ids. Every store is announced to the arena before it, and no padding
 * is ever written: equal ledgers made by equal calls are equal bytes.
 */
#include "host/session_ledger.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

_Static_assert(sizeof(gateway_open_t) == 304, "no padding");
_Static_assert(sizeof(ledger_session_t) == 16 + sizeof(gateway_open_t), "no padding");
_Static_assert(sizeof(session_ledger_state_t) == 24, "no padding");

size_t session_ledger_arena_bytes(uint32_t room)
{
    const size_t slots = room;
    return oc_arena_section_size(sizeof(session_ledger_state_t)) +
           oc_arena_section_size(slots * sizeof(uint64_t)) +
           2 * oc_arena_section_size(slots * sizeof(uint32_t)) +
           oc_arena_section_size(slots * sizeof(ledger_session_t));
}

void session_ledger_init(session_ledger_t *ledger, oc_arena_t *arena, uint32_t room,
                         uint32_t capacity)
{
    OC_ASSERT(capacity > 0);
    OC_ASSERT(capacity <= room);
    OC_ASSERT(room <= SESSION_LEDGER_ROOM_MAX);
    const size_t slots = room;
    *ledger = (session_ledger_t){.arena = arena, .room = room, .capacity = capacity};
    ledger->state = oc_arena_alloc(arena, sizeof *ledger->state);
    ledger->ids = oc_arena_alloc(arena, slots * sizeof *ledger->ids);
    ledger->slots = oc_arena_alloc(arena, slots * sizeof *ledger->slots);
    ledger->free_slots = oc_arena_alloc(arena, slots * sizeof *ledger->free_slots);
    ledger->sessions = oc_arena_alloc(arena, slots * sizeof *ledger->sessions);
    oc_arena_touch(arena, ledger->state);
    ledger->state->next_id = 1;
}

/* ---- Held against itself after a restore ---- */

static oc_err_t damaged(const char *what)
{
    return error_set(OC_ERR_DAMAGED, "the image's list of sessions is wrong: %s", what);
}

static bool counts_are_possible(const session_ledger_t *ledger)
{
    const session_ledger_state_t *state = ledger->state;
    return state->made <= ledger->room && state->count <= state->made &&
           state->closing <= state->count && state->next_id > 0;
}

oc_err_t session_ledger_restored(const session_ledger_t *ledger)
{
    const session_ledger_state_t *state = ledger->state;
    uint32_t closing = 0;
    if (!counts_are_possible(ledger))
        return damaged("its counts");
    for (uint32_t i = 0; i < state->count; i++) {
        if (ledger->slots[i] >= state->made)
            return damaged("a slot");
        const ledger_session_t *session = &ledger->sessions[ledger->slots[i]];
        if (session->id.value != ledger->ids[i] || ledger->ids[i] >= state->next_id ||
            (i > 0 && ledger->ids[i] <= ledger->ids[i - 1]))
            return damaged("the order of the sessions");
        if (session->open.channel_length >= sizeof session->open.response_channel)
            return damaged("a channel");
        closing += session->closing ? 1 : 0;
    }
    for (uint32_t i = 0; i < state->made - state->count; i++)
        if (ledger->free_slots[i] >= state->made)
            return damaged("a free slot");
    if (closing != state->closing)
        return damaged("how many are being closed");
    if (state->count > ledger->capacity)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "the image has %" PRIu32 " sessions open: raise max_sessions = %" PRIu32,
                         state->count, ledger->capacity);
    return OC_ERR_OK;
}

/* ---- Looking ---- */

/* The place of the first id that is not below `id`. */
static uint32_t lower_bound(const session_ledger_t *ledger, uint64_t id)
{
    uint32_t low = 0;
    uint32_t high = ledger->state->count;
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
    return place < ledger->state->count && ledger->ids[place] == id;
}

const ledger_session_t *session_ledger_find(const session_ledger_t *ledger, oc_session_id_t id)
{
    const uint32_t place = lower_bound(ledger, id.value);
    return is_at(ledger, place, id.value) ? &ledger->sessions[ledger->slots[place]] : NULL;
}

const ledger_session_t *session_ledger_at(const session_ledger_t *ledger, uint32_t n)
{
    OC_ASSERT(n < ledger->state->count);
    return &ledger->sessions[ledger->slots[n]];
}

/* ---- Changing; each store announced before it ---- */

/* Moves the ids from place `from` on so that they begin at place `to`, with their slots. */
static void move_behind(session_ledger_t *ledger, uint32_t to, uint32_t from)
{
    const size_t behind = ledger->state->count - from;
    oc_arena_touch_range(ledger->arena, &ledger->ids[to], behind * sizeof *ledger->ids);
    memmove(&ledger->ids[to], &ledger->ids[from], behind * sizeof *ledger->ids);
    oc_arena_touch_range(ledger->arena, &ledger->slots[to], behind * sizeof *ledger->slots);
    memmove(&ledger->slots[to], &ledger->slots[from], behind * sizeof *ledger->slots);
}

static void put_at(session_ledger_t *ledger, uint32_t place, uint64_t id, uint32_t slot)
{
    oc_arena_touch(ledger->arena, &ledger->ids[place]);
    ledger->ids[place] = id;
    oc_arena_touch(ledger->arena, &ledger->slots[place]);
    ledger->slots[place] = slot;
}

/* One that was given back, or the next that was never used. The state's page is announced. */
static uint32_t take_slot(session_ledger_t *ledger)
{
    session_ledger_state_t *state = ledger->state;
    if (state->made > state->count)
        return ledger->free_slots[state->made - state->count - 1];
    OC_ASSERT(state->made < ledger->room);
    return state->made++;
}

bool session_ledger_add(session_ledger_t *ledger, oc_session_id_t id, const gateway_open_t *open)
{
    session_ledger_state_t *state = ledger->state;
    const uint32_t place = lower_bound(ledger, id.value);
    OC_ASSERT(!is_at(ledger, place, id.value));
    if (state->count >= ledger->capacity)
        return false;
    oc_arena_touch(ledger->arena, state);
    const uint32_t slot = take_slot(ledger);
    ledger_session_t *session = &ledger->sessions[slot];
    move_behind(ledger, place + 1, place);
    put_at(ledger, place, id.value, slot);
    state->count++;
    oc_arena_touch_range(ledger->arena, session, sizeof *session);
    memset(session, 0, sizeof *session);
    session->id = id;
    session->open = *open;
    if (id.value >= state->next_id)
        state->next_id = id.value + 1;
    return true;
}

void session_ledger_remove(session_ledger_t *ledger, oc_session_id_t id)
{
    session_ledger_state_t *state = ledger->state;
    const uint32_t place = lower_bound(ledger, id.value);
    OC_ASSERT(is_at(ledger, place, id.value));
    const uint32_t slot = ledger->slots[place];
    ledger_session_t *session = &ledger->sessions[slot];
    oc_arena_touch(ledger->arena, state);
    if (session->closing)
        state->closing--;
    oc_arena_touch_range(ledger->arena, session, sizeof *session);
    memset(session, 0, sizeof *session);
    move_behind(ledger, place, place + 1);
    state->count--;
    /* What lies behind the last one is zero: equal lists are equal bytes. */
    put_at(ledger, state->count, 0, 0);
    uint32_t *free_slot = &ledger->free_slots[state->made - state->count - 1];
    oc_arena_touch(ledger->arena, free_slot);
    *free_slot = slot;
}

void session_ledger_mark_closing(session_ledger_t *ledger, oc_session_id_t id)
{
    const uint32_t place = lower_bound(ledger, id.value);
    OC_ASSERT(is_at(ledger, place, id.value));
    ledger_session_t *session = &ledger->sessions[ledger->slots[place]];
    if (session->closing)
        return;
    oc_arena_touch(ledger->arena, ledger->state);
    ledger->state->closing++;
    oc_arena_touch_range(ledger->arena, session, sizeof *session);
    session->closing = true;
}
