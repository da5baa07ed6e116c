/*
 * One client's side of a load. Called by the load's loop and by its client's handler.
 *
 * Invariants: a command is answered at most once here, whatever comes; sent - answered commands
 * wait or are lost. A client order id is a mix of a number that grows with the source's sequence,
 * so that no run of a load gives the same id to two orders. It must not send: the loop does.
 */
#include "bench/load_session.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/prng.h"

#include <stdlib.h>
#include <string.h>

#define LATE_NS UINT64_C(10000)

oc_err_t load_recorder_init(load_recorder_t *self, size_t count, uint64_t interval_ns)
{
    memset(self, 0, sizeof *self);
    const oc_err_t err = time_line_init(&self->line, count, interval_ns);
    if (err != OC_ERR_OK)
        return err;
    self->service = histogram_create();
    if (self->service)
        return OC_ERR_OK;
    load_recorder_fini(self);
    return error_set(OC_ERR_NO_MEMORY, "load: no memory for its histograms");
}

void load_recorder_fini(load_recorder_t *self)
{
    time_line_fini(&self->line);
    histogram_destroy(self->service);
    self->service = NULL;
}

void load_recorder_reset(load_recorder_t *self)
{
    time_line_reset(&self->line);
    histogram_reset(self->service);
}

static uint64_t since(uint64_t then_ns, uint64_t now_ns)
{
    return now_ns > then_ns ? now_ns - then_ns : 0;
}

static void record(load_recorder_t *self, const load_slot_t *slot, uint64_t now_ns)
{
    time_line_record(&self->line, now_ns, since(slot->intended_ns, now_ns));
    histogram_record(self->service, since(slot->sent_ns, now_ns));
}

static bool warm(const load_recorder_t *self, uint64_t intended_ns)
{
    return since(self->line.start_ns, intended_ns) < self->warmup_ns;
}

oc_err_t load_session_init(load_session_t *self, const load_flow_t *flow, load_recorder_t *recorder,
                           uint32_t unanswered_max)
{
    OC_ASSERT(unanswered_max > 0 && (unanswered_max & (unanswered_max - 1)) == 0);
    memset(self, 0, sizeof *self);
    self->flow = flow;
    self->recorder = recorder;
    self->mask = unanswered_max - 1;
    self->slots = calloc(unanswered_max, sizeof *self->slots);
    if (!self->slots)
        return error_set(OC_ERR_NO_MEMORY, "load: no memory for %u commands", unanswered_max);
    return OC_ERR_OK;
}

void load_session_fini(load_session_t *self)
{
    free(self->slots);
    self->slots = NULL;
}

void load_session_forget(load_session_t *self)
{
    OC_ASSERT(load_session_waiting(self) == 0);
    memset(&self->counts, 0, sizeof self->counts);
}

void load_session_next(const load_session_t *self, oc_command_t *command)
{
    load_flow_command(self->flow, self->index, command);
    if (command->instrument.value)
        command->instrument.value += self->instrument_offset;
    if (load_flow_names_order(command->type))
        command->u.order.client_order_id.value =
            prng_mix(self->id_base + command->u.order.client_order_id.value);
}

void load_session_sent(load_session_t *self, uint64_t sequence, uint64_t intended_ns,
                       uint64_t now_ns)
{
    OC_ASSERT(sequence > self->last_sequence);
    OC_ASSERT(now_ns >= intended_ns);
    const bool late = now_ns - intended_ns > LATE_NS;
    self->slots[sequence & self->mask] = (load_slot_t){sequence, intended_ns, now_ns};
    self->last_sequence = sequence;
    self->counts.sent++;
    self->counts.late += late;
    if (warm(self->recorder, intended_ns)) {
        self->counts.warm_sent++;
        self->counts.warm_late += late;
    }
    if (++self->index == self->flow->count) {
        /* Each number of the turn that ends is at most its command's sequence. */
        self->index = 0;
        self->id_base = sequence;
    }
}

/* True when it is the first answer to a command that waits. */
static bool take_answer(load_session_t *self, uint64_t sequence, uint64_t now_ns)
{
    load_slot_t *slot = &self->slots[sequence & self->mask];
    if (sequence == 0 || slot->sequence != sequence)
        return false;
    slot->sequence = 0;
    self->counts.answered++;
    self->counts.out_of_order += sequence < self->answered_sequence;
    if (sequence > self->answered_sequence)
        self->answered_sequence = sequence;
    if (warm(self->recorder, slot->intended_ns))
        self->counts.warm_answered++;
    else
        record(self->recorder, slot, now_ns);
    return true;
}

static void take_rejected(load_session_t *self, const oc_event_t *event, uint64_t now_ns)
{
    if (event->reason == OC_REASON_SEQUENCE_GAP || event->reason == OC_REASON_DUPLICATE_SEQUENCE) {
        self->counts.sequences++;
        return;
    }
    if (take_answer(self, event->sequence, now_ns))
        self->counts.rejected++;
    else
        self->counts.doubled++;
}

static void take_event(load_session_t *self, const oc_event_t *event, uint64_t now_ns)
{
    switch (event->type) {
    case OC_EVENT_ACCEPTED:
    case OC_EVENT_MODIFIED:
    case OC_EVENT_CONFIRMED:
        if (!take_answer(self, event->sequence, now_ns))
            self->counts.doubled++;
        break;
    case OC_EVENT_REJECTED:
        take_rejected(self, event, now_ns);
        break;
    case OC_EVENT_CANCELLED:
    case OC_EVENT_EXPIRED:
        /* What is left of a new or modified order may be cancelled behind its answer. */
        if (event->sequence && !take_answer(self, event->sequence, now_ns) &&
            event->command == OC_COMMAND_CANCEL)
            self->counts.doubled++;
        break;
    case OC_EVENT_TRADE:
    case OC_EVENT_FILL:
        self->counts.fills++;
        break;
    default:
        break;
    }
}

static void take_output(load_session_t *self, const oc_output_t *output, uint64_t now_ns)
{
    const uint64_t sequence = output->outbound_sequence;
    if (sequence <= self->outbound_old)
        return;
    if (self->recorder->log)
        response_log_append(self->recorder->log, output);
    if (sequence <= self->outbound_sequence) {
        self->counts.doubled++;
        return;
    }
    self->counts.missed += sequence - self->outbound_sequence - 1;
    self->outbound_sequence = sequence;
    take_event(self, &output->event, now_ns);
}

static void take_first_logon(load_session_t *self, const oc_response_t *response)
{
    self->logged_on = true;
    self->id_base = response->u.logon.sequence;
    self->last_sequence = response->u.logon.sequence;
    self->outbound_old = response->u.logon.outbound_sequence;
    self->outbound_sequence = self->outbound_old;
    if (self->recorder->log)
        response_log_begin(self->recorder->log, response->u.logon.source, self->outbound_old);
}

void load_session_response(load_session_t *self, const oc_response_t *response, uint64_t now_ns)
{
    switch (response->type) {
    case OC_RESPONSE_OUTPUT:
        take_output(self, &response->u.output, now_ns);
        break;
    case OC_RESPONSE_LOGON:
        if (!self->logged_on && response->u.logon.reason == OC_REASON_NONE)
            take_first_logon(self, response);
        break;
    case OC_RESPONSE_GAP:
        if (response->u.gap.last > self->outbound_sequence) {
            self->counts.missed += response->u.gap.last - self->outbound_sequence;
            self->outbound_sequence = response->u.gap.last;
        }
        break;
    case OC_RESPONSE_MESSAGE_REJECTED:
        self->counts.messages++;
        break;
    default:
        break;
    }
}
