/*
 * What goes out: the engine's events become numbered outputs of their sources, are kept, shown to
 * the tap, and packed for the sessions.
 *
 * Called by the engine (as its event sink) and by the request files, within one log entry.
 *
 * Invariants:
 *  - an output is numbered and kept whatever the host's role is; role and sessions decide only
 *    whether it is encoded;
 *  - what one session is sent stays in order: it has at most one packet, which is handed on before
 *    the session gets another;
 *  - no packet is left at the end of an entry.
 * Must not change anything but the seat and its ring.
 */
#include "base/assert.h"
#include "service/exchange_internal.h"

#include <string.h>

static void packet_send(exchange_t *self, packet_t *packet)
{
    if (packet->length == 0)
        return;
    OC_ASSERT(packet->length <= self->packet_max);
    oc_host_send(self->host, (oc_session_id_t){packet->session}, packet->bytes, packet->length);
    packet->length = 0;
}

/* The session's packet, or one made free for it. */
static packet_t *packet_find(exchange_t *self, uint64_t session)
{
    uint32_t unused = EXCHANGE_PACKETS;
    for (uint32_t i = 0; i < EXCHANGE_PACKETS; i++) {
        const packet_t *packet = &self->packets[i];
        if (packet->length == 0) {
            unused = i;
        } else if (packet->session == session) {
            self->packet_last = i;
            return &self->packets[i];
        }
    }
    if (unused == EXCHANGE_PACKETS) {
        unused = self->packet_next;
        self->packet_next = (unused + 1) % EXCHANGE_PACKETS;
        packet_send(self, &self->packets[unused]);
    }
    self->packet_last = unused;
    self->packets[unused].session = session;
    return &self->packets[unused];
}

static inline packet_t *packet_of(exchange_t *self, uint64_t session)
{
    packet_t *packet = &self->packets[self->packet_last];
    if (LIKELY(packet->length != 0) && LIKELY(packet->session == session))
        return packet;
    return packet_find(self, session);
}

/* Takes in the `size` bytes encoded behind what is packed. */
static inline void packet_grow(exchange_t *self, packet_t *packet, size_t size)
{
    OC_ASSERT(size <= EVENTS_BYTES_MAX);
    if (UNLIKELY(packet->length + size > self->packet_max)) {
        const size_t sent = packet->length;
        packet_send(self, packet);
        memmove(packet->bytes, packet->bytes + sent, size);
    }
    packet->length += size;
}

static void pack_output(exchange_t *self, uint32_t session, const oc_output_t *output)
{
    packet_t *packet = packet_of(self, self->sessions[session].id);
    packet_grow(self, packet, events_encode_output(output, packet->bytes + packet->length));
}

void outbox_respond(exchange_t *self, oc_session_id_t session, const oc_response_t *response)
{
    if (!self->sending)
        return;
    packet_t *packet = packet_of(self, session.value);
    const size_t size = events_encode(response, packet->bytes + packet->length, EVENTS_BYTES_MAX);
    OC_ASSERT(size != 0);
    packet_grow(self, packet, size);
}

void outbox_flush(exchange_t *self)
{
    if (!self->sending)
        return;
    for (uint32_t i = 0; i < EXCHANGE_PACKETS; i++)
        packet_send(self, &self->packets[i]);
}

static inline kept_output_t *kept_slot(const exchange_t *self, uint32_t seat, uint64_t sequence)
{
    const uint64_t size = self->config.kept_outputs;
    return &self->kept[(uint64_t)seat * size + (sequence & (size - 1))];
}

/* An event of a source that is gone (what it asked for ended after it was retired) has no receiver.
 */
static inline void add_output(exchange_t *self, const oc_event_t *event, uint32_t index)
{
    const uint32_t at = seat_find(self, event->source);
    if (UNLIKELY(!at))
        return;
    seat_record_t *seat = &self->seats[at];
    const uint64_t sequence = seat_number_output(self, seat);
    oc_output_t *output = &kept_slot(self, at, sequence)->output;
    exchange_touch(self, output);
    output->event = *event;
    output->outbound_sequence = sequence;
    output->position = self->entry.position;
    output->time_ns = self->header->time_ns;
    output->term = self->entry.term;
    output->index = index;
    if (UNLIKELY(self->tap != NULL))
        self->tap(self->tap_context, event->source, output);
    if (self->sending && seat->session)
        pack_output(self, seat->session, output);
}

/* Events of another command follow, which may be of another log entry. */
static inline void enter_command(exchange_t *self, uint64_t number)
{
    const uint64_t at = number - self->batch_first;
    OC_ASSERT(at < EXCHANGE_BATCH);
    const oc_log_entry_t *entry = &self->batch_at[at];
    self->event_command = number;
    if (entry->position == self->entry.position)
        return;
    self->entry = *entry;
    self->event_index = 0;
    if (entry->time_ns > self->header->time_ns) {
        exchange_touch(self, self->header);
        self->header->time_ns = entry->time_ns;
    }
}

void outbox_take_events(void *context, const oc_event_t *events, size_t count)
{
    exchange_t *self = context;
    for (size_t i = 0; i < count; i++) {
        const oc_event_t *event = &events[i];
        if (event->entry != self->event_command)
            enter_command(self, event->entry);
        const uint32_t index = self->event_index++;
        if (event->type == OC_EVENT_LEVEL || event->type == OC_EVENT_INSTRUMENT_STATE)
            continue;
        if (LIKELY(event->source.value))
            add_output(self, event, index);
        else if (event->type == OC_EVENT_REJECTED)
            self->host_reason = (oc_reason_t)event->reason;
    }
}

const oc_output_t *outbox_kept(const exchange_t *self, uint32_t seat, uint64_t sequence)
{
    return &kept_slot(self, seat, sequence)->output;
}

uint64_t outbox_first_kept(const exchange_t *self, const seat_record_t *seat)
{
    const uint64_t last = seat->outbound_sequence;
    const uint64_t kept = self->config.kept_outputs;
    const uint64_t first = last > kept ? last - kept + 1 : 1;
    return first > seat->kept_from ? first : seat->kept_from;
}

void outbox_resend(exchange_t *self, uint32_t at, uint64_t seen, uint64_t request_id)
{
    const seat_record_t *seat = &self->seats[at];
    const uint64_t last = seat->outbound_sequence;
    const uint64_t first = outbox_first_kept(self, seat);
    uint64_t next = seen + 1;
    OC_ASSERT(seat->session != 0);
    OC_ASSERT(seen <= last);
    if (!self->sending)
        return;
    if (next < first) {
        const oc_session_id_t session = {self->sessions[seat->session].id};
        oc_response_t gap = {.type = OC_RESPONSE_GAP, .request_id = request_id};
        gap.u.gap.source = (oc_source_id_t){seat->source};
        gap.u.gap.first = next;
        gap.u.gap.last = first - 1;
        outbox_respond(self, session, &gap);
        next = first;
    }
    for (; next <= last; next++) {
        const oc_output_t *output = &kept_slot(self, at, next)->output;
        OC_ASSERT(output->outbound_sequence == next);
        pack_output(self, seat->session, output);
    }
}
