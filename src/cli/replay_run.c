/*
 * A replay's data path: record, commands, engine, events, counts and reports. Called by `outcry
 * replay`, the tests of recorded flow and the fuzz target of the own tape; `outcry bench tape`
 * takes its configuration from here.
 *
 * Invariants: every command that is applied is recorded; counting and reporting are not timed.
 */
#define _GNU_SOURCE
#include "cli/replay_run.h"

#include "base/assert.h"
#include "base/error.h"
#include "bench/bench_engine.h"
#include "cli/subcommand.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    EVENTS_INITIAL = 4096,
    LEVELS_MIN = 65536,
    INSTRUMENTS_OF_MANY = 65536, /* ITCH numbers its instruments with 16 bits */
};

/* The engine's sink. Copying is all it does, because it runs inside the measured time. */
static void event_list_sink(void *context, const oc_event_t *events, size_t count)
{
    event_list_t *self = context;
    if (self->count + count > self->capacity) {
        size_t capacity = self->capacity ? self->capacity : EVENTS_INITIAL;
        while (capacity < self->count + count)
            capacity *= 2;
        oc_event_t *grown = realloc(self->events, capacity * sizeof *grown);
        if (!grown) {
            self->no_memory = true;
            return;
        }
        self->events = grown;
        self->capacity = capacity;
    }
    memcpy(self->events + self->count, events, count * sizeof *events);
    self->count += count;
}

/*
 * What is timed per command: the call, its checks, matching, hashes and events, the copy of the
 * events into the list, and one reading of the clock (some 10 ns). Nothing is subtracted.
 */
static oc_err_t apply(void *context, const oc_command_t *command)
{
    replay_run_t *self = context;
    if (self->tape) {
        const oc_err_t err = tape_writer_append(self->tape, command);
        if (err != OC_ERR_OK)
            return subcommand_error(err, "option --record");
    }
    const uint64_t start = cycle_clock_ticks();
    const oc_err_t err = oc_engine_apply(self->engine, command);
    const uint64_t end = cycle_clock_ticks();
    if (err != OC_ERR_OK)
        return err;
    histogram_record(self->ticks, end - start);
    if (self->events.no_memory)
        return error_set(OC_ERR_NO_MEMORY, "replay: no memory for the events of command %llu",
                         (unsigned long long)self->summary.commands + 1);

    self->summary.commands++;
    OC_ASSERT(self->events_seen <= self->events.count);
    const oc_event_t *events = self->events.events + self->events_seen;
    const size_t count = self->events.count - self->events_seen;
    self->events_seen = self->events.count;
    replay_summary_events(&self->summary, events, count);
    if (self->reports)
        report_writer_events(self->reports, events, count);
    return OC_ERR_OK;
}

oc_err_t replay_run_init(replay_run_t *self, const oc_engine_config_t *engine,
                         const flow_resolver_config_t *flow)
{
    memset(self, 0, sizeof *self);
    self->ticks = histogram_create();
    self->events.events = malloc(EVENTS_INITIAL * sizeof *self->events.events);
    self->events.capacity = EVENTS_INITIAL;
    oc_err_t err;
    if (!self->ticks || !self->events.events) {
        err = error_set(OC_ERR_NO_MEMORY, "replay: no memory to begin");
        goto fail;
    }
    err = oc_engine_create(&self->engine, engine, event_list_sink, &self->events);
    if (err != OC_ERR_OK)
        goto fail;
    flow_resolver_init(&self->resolver, flow, self->engine, apply, self);
    cycle_clock_start(&self->clock);
    return OC_ERR_OK;

fail:
    replay_run_fini(self);
    return err;
}

void replay_run_output(replay_run_t *self, report_writer_t *reports, tape_writer_t *tape)
{
    OC_ASSERT(self->summary.commands == 0);
    self->reports = reports;
    self->tape = tape;
}

oc_err_t replay_run_record(replay_run_t *self, const flow_record_t *record)
{
    self->events.count = 0;
    self->events_seen = 0;
    if (self->reports)
        report_writer_begin(self->reports, record->sequence);
    const oc_err_t err = flow_resolver_record(&self->resolver, record);
    if (err != OC_ERR_OK)
        return err;
    return self->reports ? report_writer_end(self->reports) : OC_ERR_OK;
}

void replay_run_summarise(replay_run_t *self)
{
    replay_summary_t *summary = &self->summary;
    oc_engine_counts_t counts;
    oc_engine_counts(self->engine, &counts);
    summary->resting_orders = counts.orders;
    summary->levels = counts.levels;
    summary->executions_off_head = self->resolver.executions_off_head;
    summary->skipped = self->resolver.skipped;
    summary->state_hash = oc_engine_state_hash(self->engine);
    summary->bytes_per_resting_order = bench_engine_bytes_per_order(self->engine);

    const double ns = cycle_clock_ns_per_tick(&self->clock);
    summary->ns_per_command = histogram_mean(self->ticks) * ns;
    summary->ns_p50 = (double)histogram_percentile(self->ticks, 50.0) * ns;
    summary->ns_p99 = (double)histogram_percentile(self->ticks, 99.0) * ns;
    summary->ns_p999 = (double)histogram_percentile(self->ticks, 99.9) * ns;
    summary->ns_max = (double)histogram_max(self->ticks) * ns;

    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        summary->peak_memory_bytes = (uint64_t)usage.ru_maxrss * 1024;
}

void replay_run_fini(replay_run_t *self)
{
    oc_engine_destroy(self->engine);
    histogram_destroy(self->ticks);
    free(self->events.events);
    memset(self, 0, sizeof *self);
}

void replay_run_config(oc_engine_config_t *config, const flow_reader_t *reader, uint32_t max_orders)
{
    const oc_engine_config_t *recorded = flow_reader_config(reader);
    if (recorded) {
        *config = *recorded;
        config->verify_touch = false;
        return;
    }
    const flow_format_t format = flow_reader_format(reader);
    oc_engine_config_init(config);
    config->max_orders = max_orders;
    config->max_levels = max_orders / 4 > LEVELS_MIN ? max_orders / 4 : LEVELS_MIN;
    if (format == FLOW_FORMAT_DBN || format == FLOW_FORMAT_ITCH)
        config->max_instruments = INSTRUMENTS_OF_MANY;
}

int64_t replay_run_max_quantity(const oc_engine_config_t *config)
{
    OC_ASSERT(config->max_orders > 0);
    return INT64_MAX / (int64_t)config->max_orders;
}
