/*
 * Holds what lies in the exchange's arena against itself and against the engine.
 *
 * Called when a state was put in from outside, and by tests at any time. Images have checksums, and
 * the state hash covers sessions and seats; what is looked at here is the rest (links, free lists,
 * id map, rings), because the exchange relies on it without looking.
 *
 * Invariant: believes nothing that it has not checked, so that no bytes in the arena make it read
 * outside of a table or run for ever. Changes nothing.
 */
#include "base/assert.h"
#include "base/error.h"
#include "service/exchange_internal.h"
#include "service/restored_engine.h"

#include <inttypes.h>
#include <stdio.h>

static oc_err_t wrong(const char *what, uint64_t which)
{
    return error_set(OC_ERR_DAMAGED,
                     "exchange state: %s (%" PRIu64 "); the state is damaged: use an older image, "
                     "or the log from its beginning",
                     what, which);
}

/* Empty, or a name. */
static bool principal_possible(const oc_principal_t *principal)
{
    const oc_principal_t empty = {{0}};
    return principal_equal(principal, &empty) || principal_valid(principal);
}

static oc_err_t check_header(const exchange_t *self)
{
    const exchange_header_t *header = self->header;
    if (header->session_top > self->config.engine.max_sessions)
        return wrong("more sessions than there can be", header->session_top);
    if (header->seat_top > self->config.engine.max_sources)
        return wrong("more seats than there can be", header->seat_top);
    return OC_ERR_OK;
}

/* *live: how many there are. */
static oc_err_t check_sessions(const exchange_t *self, uint32_t *live)
{
    const exchange_header_t *header = self->header;
    *live = 0;
    for (uint32_t i = 1; i <= header->session_top; i++) {
        const session_record_t *session = &self->sessions[i];
        if (session->live > 1)
            return wrong("a session neither there nor free", i);
        if (!session->live)
            continue;
        ++*live;
        if (session->id == 0 || !principal_possible(&session->principal))
            return wrong("a session without id or with an impossible principal", session->id);
        if (session->seat > header->seat_top)
            return wrong("a session that speaks for no seat", session->id);
        if (session->seat &&
            (!self->seats[session->seat].live || self->seats[session->seat].session != i))
            return wrong("a session whose seat has another", session->id);
    }
    uint32_t unused = header->session_top - *live;
    for (uint32_t at = header->session_free; at; at = self->sessions[at].free_link) {
        if (at > header->session_top || self->sessions[at].live || unused-- == 0)
            return wrong("the list of free sessions", at);
    }
    return unused == 0 ? OC_ERR_OK : wrong("sessions that are in no list", unused);
}

/* The ring holds the outputs that it should. */
static oc_err_t check_ring(const exchange_t *self, uint32_t index)
{
    const seat_record_t *seat = &self->seats[index];
    if (seat->kept_from == 0 || seat->kept_from - 1 > seat->outbound_sequence)
        return wrong("outputs kept from beyond the last one", seat->source);
    for (uint64_t n = outbox_first_kept(self, seat); n <= seat->outbound_sequence; n++) {
        const oc_output_t *output = outbox_kept(self, index, n);
        if (output->outbound_sequence != n || output->event.source.value != seat->source)
            return wrong("a kept output is another one's, of source", seat->source);
    }
    return OC_ERR_OK;
}

static oc_err_t check_seat(const exchange_t *self, uint32_t index)
{
    const seat_record_t *seat = &self->seats[index];
    const exchange_header_t *header = self->header;
    if (seat->source == 0 || !principal_possible(&seat->principal))
        return wrong("a seat without source or with an impossible principal", seat->source);
    if (seat->session > header->session_top)
        return wrong("a seat taken by no session", seat->source);
    if (seat->session &&
        (!self->sessions[seat->session].live || self->sessions[seat->session].seat != index))
        return wrong("a seat whose session has another", seat->source);
    return check_ring(self, index);
}

static oc_err_t check_seats(const exchange_t *self, uint32_t *live)
{
    const exchange_header_t *header = self->header;
    *live = 0;
    for (uint32_t i = 1; i <= header->seat_top; i++) {
        const seat_record_t *seat = &self->seats[i];
        if (seat->live > 1)
            return wrong("a seat neither there nor free", i);
        if (!seat->live)
            continue;
        ++*live;
        const oc_err_t err = check_seat(self, i);
        if (err != OC_ERR_OK)
            return err;
    }
    uint32_t unused = header->seat_top - *live;
    for (uint32_t at = header->seat_free; at; at = self->seats[at].free_link) {
        if (at > header->seat_top || self->seats[at].live || unused-- == 0)
            return wrong("the list of free seats", at);
    }
    return unused == 0 ? OC_ERR_OK : wrong("seats that are in no list", unused);
}

/* Every live record is found, and nothing else is. First the number: a map that is full of what
 * does not belong there could be searched for ever. */
static oc_err_t check_ids(const exchange_t *self, uint32_t live)
{
    const exchange_header_t *header = self->header;
    uint32_t used = 0;
    for (uint64_t i = 0; i <= self->ids.mask; i++)
        used += self->ids.slots[i].value != 0;
    if (used != live)
        return wrong("the id map has another number of entries", used);
    for (uint32_t i = 1; i <= header->session_top; i++) {
        const session_record_t *session = &self->sessions[i];
        if (session->live && session_find(self, (oc_session_id_t){session->id}) != i)
            return wrong("a session is not found by its id", session->id);
    }
    for (uint32_t i = 1; i <= header->seat_top; i++) {
        const seat_record_t *seat = &self->seats[i];
        if (seat->live && id_map_find(&self->ids, seat->source, EXCHANGE_ID_SEAT) != i)
            return wrong("a seat is not found by its source", seat->source);
    }
    return OC_ERR_OK;
}

/* There is a seat for every source, and both know the same session. */
static oc_err_t check_engine(const exchange_t *self, uint32_t seats)
{
    const exchange_header_t *header = self->header;
    oc_engine_counts_t counts;
    oc_engine_counts(self->engine, &counts);
    if (counts.sources != seats)
        return wrong("the engine has another number of sources than there are seats",
                     counts.sources);
    if (header->time_ns > counts.time_ns)
        return wrong("the engine's time is behind the exchange's", (uint64_t)counts.time_ns);
    for (uint32_t i = 1; i <= header->seat_top; i++) {
        const seat_record_t *seat = &self->seats[i];
        oc_source_view_t view;
        if (!seat->live)
            continue;
        if (!oc_engine_source(self->engine, (oc_source_id_t){seat->source}, &view))
            return wrong("a seat whose source the engine does not know", seat->source);
        if (view.session.value != (seat->session ? self->sessions[seat->session].id : 0))
            return wrong("the engine has another session for a source", seat->source);
    }
    return OC_ERR_OK;
}

static oc_err_t check_sum(const exchange_t *self)
{
    if (seats_hash(self) == self->header->item_sum)
        return OC_ERR_OK;
    return wrong("the sum of the hash items is not that of sessions and seats",
                 self->header->item_sum);
}

oc_err_t exchange_check(const exchange_t *self)
{
    uint32_t sessions = 0;
    uint32_t seats = 0;
    OC_ASSERT(self->batch_count == 0);
    oc_err_t err = check_header(self);
    if (err == OC_ERR_OK)
        err = check_sessions(self, &sessions);
    if (err == OC_ERR_OK)
        err = check_seats(self, &seats);
    if (err == OC_ERR_OK)
        err = check_ids(self, sessions + seats);
    if (err == OC_ERR_OK)
        err = check_engine(self, seats);
    if (err == OC_ERR_OK && !self->wrong_sums_allowed)
        err = check_sum(self);
    return err;
}

void exchange_allow_wrong_sums(exchange_t *self)
{
    self->wrong_sums_allowed = true;
}

oc_err_t exchange_check_sums(exchange_t *self)
{
    const unsigned threads = exchange_thread_count(self->config.restore_threads);
    oc_err_t err = OC_ERR_OK;
    exchange_settle(self);
    if (engine_arena(self->engine))
        err = restored_engine_check(self->engine, threads);
    return err == OC_ERR_OK ? check_sum(self) : err;
}

bool exchange_audit(exchange_t *self, char *why, size_t why_size)
{
    exchange_settle(self);
    if (exchange_check(self) == OC_ERR_OK)
        return oc_engine_audit(self->engine, why, why_size);
    (void)snprintf(why, why_size, "%s", oc_err_context());
    return false;
}
