/*
 * Handing events over. Called when the buffer is full and by the doorway at the end of each call.
 *
 * Invariant: the output hash, if it is kept, covers exactly the events handed over, so at the end
 * of every call it covers all. The sink must not call the engine.
 */
#include "engine/event_buffer.h"

#include "engine/state_hash.h"

static void hash_events(fast_engine_t *e, size_t count)
{
    hash_output_t hash = e->header->output;
    for (size_t i = 0; i < count; i++)
        hash_output_add(&hash, &e->events[i]);
    touch(e, e->header);
    e->header->output = hash;
}

void event_buffer_flush(fast_engine_t *e)
{
    const size_t count = (size_t)(e->event_next - e->events);
    if (count == 0)
        return;
    OC_ASSERT(e->event_next <= e->event_end);
    if (e->config.hash_outputs)
        hash_events(e, count);
    e->event_next = e->events;
    if (e->sink)
        e->sink(e->sink_context, e->events, count);
}

void emit_confirmed(fast_engine_t *e, const oc_command_t *c)
{
    *event_buffer_next(e) = (oc_event_t){
        .type = OC_EVENT_CONFIRMED,
        .command = c->type,
        .instrument = c->instrument,
        .source = c->source,
        .entry = e->header->entry,
        .sequence = c->sequence,
    };
}
