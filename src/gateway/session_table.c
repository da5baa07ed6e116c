/*
 * The table of sessions. Called by the gateway for each message and each step of a session's life.
 *
 * Invariants: a session is found by its id exactly as long as its state is not FREE; the counts by
 * state add up to the capacity; an index is in the active list at most once. Must not allocate
 * after session_table_init().
 */
#define _GNU_SOURCE

#include "gateway/session_table.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool session_table_init(session_table_t *table, uint32_t capacity)
{
    OC_ASSERT(capacity > 0);
    memset(table, 0, sizeof *table);
    uint64_t key[2] = {0};
    /* Ids are the host's, not the clients', so an unkeyed map would be merely slower. */
    if (getrandom(key, sizeof key, GRND_NONBLOCK) != (ssize_t)sizeof key)
        key[0] = UINT64_C(0x9e3779b97f4a7c15);
    table->sessions = calloc(capacity, sizeof *table->sessions);
    table->free = calloc(capacity, sizeof *table->free);
    table->active = calloc(capacity, sizeof *table->active);
    if (table->sessions == NULL || table->free == NULL || table->active == NULL ||
        !oc_arena_init(&table->arena, "sessions", 1, id_map_size(capacity), false)) {
        free(table->sessions);
        free(table->free);
        free(table->active);
        return false;
    }
    id_map_init(&table->by_id, &table->arena, capacity, key);
    oc_arena_seal(&table->arena);
    table->capacity = capacity;
    for (uint32_t i = 0; i < capacity; i++)
        table->free[i] = capacity - 1 - i;
    table->free_count = capacity;
    table->by_state[SESSION_FREE] = capacity;
    return true;
}

void session_table_fini(session_table_t *table)
{
    free(table->sessions);
    free(table->free);
    free(table->active);
    oc_arena_fini(&table->arena);
    memset(table, 0, sizeof *table);
}

session_t *session_table_find(const session_table_t *table, oc_session_id_t id)
{
    const uint32_t found = id_map_find(&table->by_id, id.value, 0);
    return found == 0 ? NULL : &table->sessions[found - 1];
}

static uint32_t index_of(const session_table_t *table, const session_t *session)
{
    OC_ASSERT(session >= table->sessions);
    const uint32_t index = (uint32_t)(session - table->sessions);
    OC_ASSERT(index < table->capacity);
    return index;
}

session_t *session_table_add(session_table_t *table, oc_session_id_t id, session_state_t state)
{
    if (table->free_count == 0)
        return NULL;
    const uint32_t index = table->free[--table->free_count];
    session_t *session = &table->sessions[index];
    OC_ASSERT(session->state == SESSION_FREE);
    memset(session, 0, sizeof *session);
    session->id = id;
    id_map_insert(&table->by_id, id.value, 0, index + 1);
    session_table_set_state(table, session, state);
    session_table_activate(table, session);
    return session;
}

void session_table_remove(session_table_t *table, session_t *session)
{
    OC_ASSERT(session->state != SESSION_FREE);
    OC_ASSERT(session->publication == NULL);
    OC_ASSERT(backlog_empty(&session->backlog));
    session_table_deactivate(table, session);
    session_table_set_state(table, session, SESSION_FREE);
    id_map_remove(&table->by_id, session->id.value, 0);
    table->free[table->free_count++] = index_of(table, session);
}

void session_table_set_state(session_table_t *table, session_t *session, session_state_t state)
{
    OC_ASSERT(table->by_state[session->state] > 0);
    table->by_state[session->state]--;
    table->by_state[state]++;
    session->state = state;
}

void session_table_activate(session_table_t *table, session_t *session)
{
    if (session->active_at != 0)
        return;
    OC_ASSERT(table->active_count < table->capacity);
    table->active[table->active_count++] = index_of(table, session);
    session->active_at = table->active_count;
}

void session_table_deactivate(session_table_t *table, session_t *session)
{
    if (session->active_at == 0)
        return;
    const uint32_t last = table->active[--table->active_count];
    table->active[session->active_at - 1] = last;
    table->sessions[last].active_at = session->active_at;
    session->active_at = 0;
}
