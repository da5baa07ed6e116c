/*
 * The tables of sessions and seats. Called by the exchange's other files, in sequence.
 *
 * Invariants:
 *  - a session's seat and a seat's session name each other, or neither;
 *  - there is a seat for every source that the engine knows, so the engine's limit is the table's;
 *  - the header's sum is that of the items of all live records;
 *  - every store is announced first.
 * Must not call the engine or the host.
 */
#include "base/assert.h"
#include "service/exchange_internal.h"

#include <string.h>

bool principal_valid(const oc_principal_t *principal)
{
    size_t length = 0;
    while (length < OC_PRINCIPAL_SIZE && principal->name[length] != 0)
        length++;
    for (size_t i = length; i < OC_PRINCIPAL_SIZE; i++) {
        if (principal->name[i] != 0)
            return false;
    }
    return length > 0 && length < OC_PRINCIPAL_SIZE;
}

bool principal_equal(const oc_principal_t *a, const oc_principal_t *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

oc_principal_t principal_of(const void *bytes, size_t length)
{
    oc_principal_t principal = {{0}};
    if (length >= OC_PRINCIPAL_SIZE) /* not cut: it would be another's name */
        return principal;
    if (length)
        memcpy(principal.name, bytes, length);
    return principal_valid(&principal) ? principal : (oc_principal_t){{0}};
}

/* Multiplies and folds, as the engine's hash does; not linear, so that items cannot make up for
 * each other in the sum. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide_t;
    const wide_t product = (wide_t)(a ^ UINT64_C(0xa0761d6478bd642f)) * b;
    return ((uint64_t)product ^ (uint64_t)(product >> 64)) + b;
}

static uint64_t fold_principal(const oc_principal_t *principal, uint64_t hash)
{
    uint64_t words[OC_PRINCIPAL_SIZE / 8];
    memcpy(words, principal, sizeof words);
    for (size_t i = 0; i < OC_PRINCIPAL_SIZE / 8; i++)
        hash = fold(words[i], hash);
    return hash;
}

static uint64_t session_item(const exchange_t *self, const session_record_t *session)
{
    const uint32_t source = session->seat ? self->seats[session->seat].source : 0;
    uint64_t hash = fold(session->id, UINT64_C(0xe7037ed1a0b428db));
    hash = fold(source, hash);
    return fold_principal(&session->principal, hash);
}

/* A seat's item has two parts: this one changes with every output... */
static inline uint64_t seat_progress(const seat_record_t *seat)
{
    return fold(seat->outbound_sequence, seat->source ^ UINT64_C(0x1d8e4e27c47d124f));
}

/* ...and the whole seldom otherwise. */
static uint64_t seat_item(const seat_record_t *seat)
{
    const uint64_t who = fold(seat->source, UINT64_C(0x8ebc6af09c88c6e3));
    return fold_principal(&seat->principal, who) + seat_progress(seat);
}

/* A record's item leaves the sum before a change and comes back after it. */
static void session_item_out(exchange_t *self, const session_record_t *session)
{
    exchange_touch(self, self->header);
    self->header->item_sum -= session_item(self, session);
}

static void session_item_in(exchange_t *self, const session_record_t *session)
{
    exchange_touch(self, self->header);
    self->header->item_sum += session_item(self, session);
}

static void seat_item_out(exchange_t *self, const seat_record_t *seat)
{
    exchange_touch(self, self->header);
    self->header->item_sum -= seat_item(seat);
}

static void seat_item_in(exchange_t *self, const seat_record_t *seat)
{
    exchange_touch(self, self->header);
    self->header->item_sum += seat_item(seat);
}

uint32_t session_find(const exchange_t *self, oc_session_id_t id)
{
    return id_map_find(&self->ids, id.value, EXCHANGE_ID_SESSION);
}

uint32_t seat_find(exchange_t *self, oc_source_id_t source)
{
    const seat_record_t *hint = &self->seats[self->seat_hint];
    if (LIKELY(hint->source == source.value) && LIKELY(hint->live))
        return self->seat_hint;
    const uint32_t found = id_map_find(&self->ids, source.value, EXCHANGE_ID_SEAT);
    if (found)
        self->seat_hint = found;
    return found;
}

bool session_add(exchange_t *self, oc_session_id_t id, const oc_principal_t *principal)
{
    exchange_header_t *header = self->header;
    uint32_t index = header->session_free;
    OC_ASSERT(session_find(self, id) == 0);
    if (index == 0 && header->session_top == self->config.engine.max_sessions)
        return false;
    exchange_touch(self, header);
    if (index)
        header->session_free = self->sessions[index].free_link;
    else
        index = ++header->session_top;
    session_record_t *session = &self->sessions[index];
    exchange_touch(self, session);
    *session = (session_record_t){.id = id.value, .live = 1, .principal = *principal};
    id_map_insert(&self->ids, id.value, EXCHANGE_ID_SESSION, index);
    session_item_in(self, session);
    return true;
}

void session_remove(exchange_t *self, uint32_t index)
{
    exchange_header_t *header = self->header;
    session_record_t *session = &self->sessions[index];
    OC_ASSERT(session->live);
    OC_ASSERT(session->seat == 0);
    session_item_out(self, session);
    id_map_remove(&self->ids, session->id, EXCHANGE_ID_SESSION);
    exchange_touch(self, header);
    exchange_touch(self, session);
    *session = (session_record_t){.free_link = header->session_free};
    header->session_free = index;
}

void seat_add(exchange_t *self, oc_source_id_t source)
{
    exchange_header_t *header = self->header;
    OC_ASSERT(seat_find(self, source) == 0);
    exchange_touch(self, header);
    uint32_t index = header->seat_free;
    if (index)
        header->seat_free = self->seats[index].free_link;
    else
        index = ++header->seat_top;
    OC_ASSERT(index <= self->config.engine.max_sources);
    seat_record_t *seat = &self->seats[index];
    exchange_touch(self, seat);
    *seat = (seat_record_t){.source = source.value, .live = 1, .kept_from = 1};
    id_map_insert(&self->ids, source.value, EXCHANGE_ID_SEAT, index);
    seat_item_in(self, seat);
}

void seat_remove(exchange_t *self, uint32_t index)
{
    exchange_header_t *header = self->header;
    seat_record_t *seat = &self->seats[index];
    OC_ASSERT(seat->live);
    OC_ASSERT(seat->session == 0);
    seat_item_out(self, seat);
    id_map_remove(&self->ids, seat->source, EXCHANGE_ID_SEAT);
    exchange_touch(self, header);
    exchange_touch(self, seat);
    *seat = (seat_record_t){.free_link = header->seat_free};
    header->seat_free = index;
}

void seat_bind(exchange_t *self, uint32_t seat, const oc_principal_t *principal)
{
    OC_ASSERT(self->seats[seat].live);
    OC_ASSERT(principal_valid(principal));
    exchange_touch(self, &self->seats[seat]);
    seat_item_out(self, &self->seats[seat]);
    self->seats[seat].principal = *principal;
    seat_item_in(self, &self->seats[seat]);
}

void seat_restore(exchange_t *self, uint32_t index, uint64_t outbound_sequence,
                  const oc_principal_t *principal)
{
    seat_record_t *seat = &self->seats[index];
    OC_ASSERT(seat->live);
    OC_ASSERT(outbound_sequence < UINT64_MAX);
    exchange_touch(self, seat);
    seat_item_out(self, seat);
    seat->outbound_sequence = outbound_sequence;
    seat->kept_from = outbound_sequence + 1;
    seat->principal = *principal;
    seat_item_in(self, seat);
}

uint64_t seat_number_output(exchange_t *self, seat_record_t *seat)
{
    exchange_touch(self, self->header);
    exchange_touch(self, seat);
    const uint64_t before = seat_progress(seat);
    seat->outbound_sequence++;
    self->header->item_sum += seat_progress(seat) - before;
    return seat->outbound_sequence;
}

void seat_take(exchange_t *self, uint32_t seat, uint32_t session)
{
    OC_ASSERT(self->seats[seat].session == 0);
    OC_ASSERT(self->sessions[session].seat == 0);
    exchange_touch(self, &self->seats[seat]);
    exchange_touch(self, &self->sessions[session]);
    session_item_out(self, &self->sessions[session]);
    self->seats[seat].session = session;
    self->sessions[session].seat = seat;
    session_item_in(self, &self->sessions[session]);
}

void seat_leave(exchange_t *self, uint32_t seat)
{
    const uint32_t session = self->seats[seat].session;
    OC_ASSERT(session != 0);
    OC_ASSERT(self->sessions[session].seat == seat);
    exchange_touch(self, &self->seats[seat]);
    exchange_touch(self, &self->sessions[session]);
    session_item_out(self, &self->sessions[session]);
    self->seats[seat].session = 0;
    self->sessions[session].seat = 0;
    session_item_in(self, &self->sessions[session]);
}

uint64_t seats_hash(const exchange_t *self)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= self->header->session_top; i++) {
        if (self->sessions[i].live)
            sum += session_item(self, &self->sessions[i]);
    }
    for (uint32_t i = 1; i <= self->header->seat_top; i++) {
        if (self->seats[i].live)
            sum += seat_item(&self->seats[i]);
    }
    return sum;
}
