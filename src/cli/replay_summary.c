/*
 * Counts and figures of a replay. Called by replay and the conformance tests.
 *
 * The order of the lines and their keys are an interface: scripts read them.
 */
#include "cli/replay_summary.h"

#include "base/assert.h"

#include <inttypes.h>

void replay_summary_events(replay_summary_t *self, const oc_event_t *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const oc_event_t *event = &events[i];
        if (event->type == OC_EVENT_TRADE) {
            self->trades++;
            self->traded_quantity += (uint64_t)event->quantity_lots;
        } else if (event->type == OC_EVENT_REJECTED) {
            OC_ASSERT(event->reason < OC_REASON_COUNT);
            self->rejected++;
            self->rejected_by[event->reason]++;
        }
    }
}

void replay_summary_print(const replay_summary_t *self, FILE *out)
{
    OC_ASSERT(self->rejected <= self->commands);
    fprintf(out, "commands: %" PRIu64 "\n", self->commands);
    fprintf(out, "accepted: %" PRIu64 "\n", self->commands - self->rejected);
    fprintf(out, "rejected: %" PRIu64 "\n", self->rejected);
    for (int i = 0; i < OC_REASON_COUNT; i++)
        if (self->rejected_by[i])
            fprintf(out, "rejected_%s: %" PRIu64 "\n", oc_reason_name((oc_reason_t)i),
                    self->rejected_by[i]);
    fprintf(out, "trades: %" PRIu64 "\n", self->trades);
    fprintf(out, "traded_quantity: %" PRIu64 "\n", self->traded_quantity);
    fprintf(out, "resting_orders: %" PRIu32 "\n", self->resting_orders);
    fprintf(out, "levels: %" PRIu32 "\n", self->levels);
    fprintf(out, "executions_off_head: %" PRIu64 "\n", self->executions_off_head);
    fprintf(out, "skipped: %" PRIu64 "\n", self->skipped);
    fprintf(out, "state_hash: %016" PRIx64 "\n", self->state_hash);
    fprintf(out, "ns_per_command: %.1f\n", self->ns_per_command);
    fprintf(out, "ns_p50: %.0f\n", self->ns_p50);
    fprintf(out, "ns_p99: %.0f\n", self->ns_p99);
    fprintf(out, "ns_p999: %.0f\n", self->ns_p999);
    fprintf(out, "ns_max: %.0f\n", self->ns_max);
    fprintf(out, "bytes_per_resting_order: %.1f\n", self->bytes_per_resting_order);
    fprintf(out, "peak_memory_bytes: %" PRIu64 "\n", self->peak_memory_bytes);
}
