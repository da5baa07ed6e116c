/*
 * From the terms of a load to its runs. Called by `outcry load` and `outcry bench order`.
 *
 * Invariants: what can be wrong with a file is found before a venue is asked for anything; a run
 * begins with counts and histograms that are empty, whatever filled the book before. This thread is
 * tied to its processor only while it sends: what the clients' driver and a venue begin would come
 * to the same one. It prints nothing.
 */
#define _GNU_SOURCE
#include "cli/load_setup.h"

#include "aeron/counter_table.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/bench_host.h"
#include "cli/replay_run.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNANSWERED_MAX = 4096,
    /* What more of them cause may be more than a venue keeps (kept_outputs) when it crashes. */
    UNANSWERED_OPEN = 1024,
    INSTRUMENTS_MAX = 65536,
    BURST_GAP_US = 100,
    MIXED_MAX = WORKLOAD_OPERATIONS_DEFAULT, /* then the flow begins again */
    MIXED_CLOSED = 1000000,                  /* in closed loop, where the number is not known */
};

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)
#define PAUSE_NS  UINT64_C(100000)
#define FILL_NS   (1200 * SECOND_NS)

#define NOT_GIVEN LOAD_TERMS_NOT_GIVEN

/* ---- The schedule --------------------------------------------------------------------------- */

static oc_err_t make_plan(load_setup_t *self)
{
    const load_terms_t *terms = self->terms;
    const uint64_t gap_us = terms->burst_gap_us == NOT_GIVEN ? BURST_GAP_US : terms->burst_gap_us;
    const arrival_plan_options_t options = {
        .rate_per_s = terms->rate,
        .seed = terms->seed,
        .burst_gap_ns = gap_us * 1000,
        .window_ns = terms->window_ms == NOT_GIVEN ? 0 : terms->window_ms * MS_NS,
        .by_bytes = terms->window_by == 1,
    };
    self->duration_ns = terms->seconds == NOT_GIVEN ? 0 : terms->seconds * SECOND_NS;
    if (!terms->open)
        return OC_ERR_OK;
    const oc_err_t err = arrival_plan_init(&self->plan, &terms->shape, &options);
    if (err != OC_ERR_OK)
        return err;
    if (terms->seconds == NOT_GIVEN)
        self->duration_ns = arrival_plan_length_ns(&self->plan);
    if (terms->warmup * SECOND_NS < self->duration_ns)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "--warmup is as long as the trace, %.3f s: nothing would be measured",
                     (double)self->duration_ns / 1e9);
}

/* ---- The flow ------------------------------------------------------------------------------- */

/* About how many orders each client will send. */
static uint64_t orders_expected(const load_setup_t *self)
{
    if (!self->terms->open)
        return MIXED_CLOSED;
    const trace_t *trace = &self->plan.play.trace;
    const double all =
        trace->count ? (double)trace->count
                     : arrival_rate_per_s(&self->plan.arrivals) * (double)self->duration_ns / 1e9;
    return all < MIXED_MAX ? (uint64_t)all / self->terms->clients + 1 : MIXED_MAX;
}

static oc_err_t make_workload(load_setup_t *self)
{
    const load_terms_t *terms = self->terms;
    uint64_t mixed = orders_expected(self);
    if (terms->commands && mixed > terms->commands)
        mixed = terms->commands;
    mixed = mixed < MIXED_MAX ? mixed : MIXED_MAX;
    const oc_err_t err =
        workload_init(&self->workload, WORKLOAD_W1, (uint32_t)terms->resting, (uint32_t)mixed);
    if (err != OC_ERR_OK)
        return err;
    self->flow = (load_flow_t){.workload = &self->workload, .count = terms->resting + mixed};
    oc_command_t *instrument = self->instruments;
    memset(instrument, 0, sizeof *instrument);
    instrument->type = OC_COMMAND_INSTRUMENT_ADD;
    instrument->u.instrument.price_low_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF;
    instrument->u.instrument.price_high_ticks = WORKLOAD_PRICE_MIDDLE + WORKLOAD_PRICE_HALF;
    instrument->u.instrument.max_quantity_lots = 1000;
    instrument->u.instrument.state = OC_STATE_CONTINUOUS;
    self->instrument_count = 1;
    return OC_ERR_OK;
}

static oc_err_t make_file_flow(load_setup_t *self)
{
    const prepared_flow_options_t how = {
        .path = self->terms->file,
        .format = (flow_format_t)self->terms->format,
        .engine = OC_ENGINE_FAST,
        .modify_priority = OC_PRIORITY_KEEP,
        .max_orders = REPLAY_RUN_MAX_ORDERS_DEFAULT,
    };
    oc_err_t err = prepared_flow_read(&self->prepared, &how);
    if (err != OC_ERR_OK)
        return err;
    load_flow_compiled_t compiled;
    err = load_flow_compile(self->prepared.commands, self->prepared.count, self->instruments,
                            INSTRUMENTS_MAX, &compiled);
    if (err != OC_ERR_OK)
        return err;
    if (compiled.count == 0)
        return error_set(OC_ERR_FORMAT, "%s: no orders in it", self->terms->file);
    self->instrument_count = compiled.instrument_count;
    self->left_out = compiled.left_out;
    self->flow = (load_flow_t){.commands = self->prepared.commands, .count = compiled.count};
    return OC_ERR_OK;
}

static oc_err_t make_recorder(load_setup_t *self)
{
    /* Intervals of a second, or longer ones that they are not too many; one more for what is
     * answered late. */
    const uint64_t all = (self->duration_ns + SECOND_NS - 1) / SECOND_NS;
    const uint64_t seconds = (all + TIME_LINE_MAX - 2) / (TIME_LINE_MAX - 1);
    const uint64_t count = (all + seconds - 1) / seconds + 1;
    const oc_err_t err = load_recorder_init(&self->recorder, (size_t)count, seconds * SECOND_NS);
    self->recorder.warmup_ns = self->terms->warmup * SECOND_NS;
    return err;
}

void load_setup_fini(load_setup_t *self)
{
    arrival_plan_fini(&self->plan);
    workload_fini(&self->workload);
    prepared_flow_fini(&self->prepared);
    free(self->instruments);
    self->instruments = NULL;
    load_recorder_fini(&self->recorder);
    memset(&self->trader_secret, 0, sizeof self->trader_secret);
    memset(&self->admin_secret, 0, sizeof self->admin_secret);
}

/* A driver that is not there, or dead, would be waited for without a word. */
static oc_err_t check_driver(const char *aeron_dir)
{
    counter_table_t *table;
    const oc_err_t err = counter_table_open(&table, aeron_dir);
    if (err == OC_ERR_OK)
        counter_table_close(table);
    return err;
}

oc_err_t load_setup_init(load_setup_t *self, const load_terms_t *terms)
{
    memset(self, 0, sizeof *self);
    self->terms = terms;
    self->instruments = malloc(INSTRUMENTS_MAX * sizeof *self->instruments);
    if (!self->instruments)
        return error_set(OC_ERR_NO_MEMORY, "load: no memory for instruments");
    oc_err_t err = terms->aeron_dir ? check_driver(terms->aeron_dir) : OC_ERR_OK;
    if (err == OC_ERR_OK)
        err = make_plan(self);
    if (err == OC_ERR_OK)
        err = terms->file ? make_file_flow(self) : make_workload(self);
    if (err == OC_ERR_OK)
        err = make_recorder(self);
    if (err == OC_ERR_OK && terms->secret_file)
        err = secret_file_find(terms->secret_file, terms->principal, &self->trader_secret);
    if (err == OC_ERR_OK && terms->secret_file && !terms->no_setup)
        err = secret_file_find(terms->secret_file, terms->admin, &self->admin_secret);
    if (err == OC_ERR_OK && terms->log) {
        err = response_log_create(&self->log, terms->log);
        self->recorder.log = &self->log;
    }
    return err;
}

uint64_t load_setup_resting(const load_setup_t *self)
{
    return self->terms->clients * self->workload.oracle.live_max;
}

/* ---- A run ---------------------------------------------------------------------------------- */

static void venue_config(load_setup_t *self, const char *ingress, load_venue_config_t *config)
{
    const load_terms_t *terms = self->terms;
    *config = (load_venue_config_t){
        .ingress = ingress,
        .aeron_dir = terms->aeron_dir,
        .admin = {.principal = terms->admin},
        .admin_source = {(uint32_t)terms->admin_source},
        .trader = {.principal = terms->principal},
        .first_source = {(uint32_t)terms->source},
        .clients = (size_t)terms->clients,
        .unanswered_max = terms->open ? UNANSWERED_OPEN : UNANSWERED_MAX,
        .instrument_step = terms->shared ? 0 : 1,
        .instruments = self->instruments,
        .instrument_count = self->instrument_count,
    };
    if (self->trader_secret.length) {
        config->trader.secret = self->trader_secret.bytes;
        config->trader.secret_length = self->trader_secret.length;
    }
    if (self->admin_secret.length) {
        config->admin.secret = self->admin_secret.bytes;
        config->admin.secret_length = self->admin_secret.length;
    }
}

/* The book of an earlier repeat stays as it was left: this one trades instruments of its own. */
static void choose_instruments(load_setup_t *self, uint32_t repeat)
{
    const load_terms_t *terms = self->terms;
    if (terms->file)
        return;
    const uint64_t first = terms->instrument + repeat * (terms->shared ? 1 : terms->clients);
    self->instruments[0].instrument.value = (uint32_t)first;
    self->flow.instrument_offset = (uint32_t)first - 1;
}

static load_config_t loop_config(const load_setup_t *self, load_venue_t *venue)
{
    return (load_config_t){
        .clients = load_venue_clients(venue),
        .client_count = (size_t)self->terms->clients,
        .grace_ns = self->terms->grace * SECOND_NS,
        .pause_ns = self->terms->idle == 0 ? 0 : PAUSE_NS,
        .stop = self->terms->tidy ? NULL : process_end_requested,
        .give_up = self->terms->tidy ? process_end_requested : NULL,
    };
}

/* Sends the resting orders as fast as they are taken; the flow goes on behind them. */
static oc_err_t fill_book(load_setup_t *self, load_venue_t *venue)
{
    load_result_t result;
    load_config_t config = loop_config(self, venue);
    config.window = UNANSWERED_OPEN;
    config.duration_ns = FILL_NS;
    config.commands_max = self->terms->resting * self->terms->clients;
    load_run(&config, &self->recorder, &result);
    const oc_err_t err = process_check_interrupted(OC_ERR_OK);
    if (err != OC_ERR_OK)
        return err;
    if (result.closed)
        return error_set(OC_ERR_CLOSED, "filling the book: the venue ended the session: %s",
                         load_venue_reason(venue));
    if (load_result_faults(&result) || result.counts.rejected ||
        result.counts.answered != config.commands_max)
        return error_set(OC_ERR_CLOSED,
                         "filling the book: of %" PRIu64 " orders %" PRIu64
                         " were answered, %" PRIu64 " rejected",
                         config.commands_max, result.counts.answered, result.counts.rejected);
    for (size_t i = 0; i < config.client_count; i++)
        load_session_forget(&config.clients[i].session);
    return OC_ERR_OK;
}

static oc_err_t measure(load_setup_t *self, load_venue_t *venue, load_outcome_t *outcome)
{
    const load_result_t *result = &outcome->result;
    const load_terms_t *terms = self->terms;
    load_config_t config = loop_config(self, venue);
    config.arrivals = terms->open ? &self->plan.arrivals : NULL;
    config.window = terms->window;
    config.duration_ns = self->duration_ns;
    config.commands_max = terms->commands;
    load_recorder_reset(&self->recorder);
    self->start_s = (double)clock_real_ns() / 1e9;
    load_run(&config, &self->recorder, &outcome->result);
    load_venue_counts(venue, &outcome->links);
    if (outcome->result.closed)
        (void)snprintf(outcome->reason, sizeof outcome->reason, "%s", load_venue_reason(venue));
    if (terms->warmup == 0 || result->closed || result->unsent > 0 ||
        load_result_faults(result) > 0 || result->counts.sent > result->counts.warm_sent)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "nothing was sent behind the warm-up of %" PRIu64
                     " s: nothing was measured; give a shorter --warmup",
                     terms->warmup);
}

/* On the processor that was asked for. */
static oc_err_t run_pinned(load_setup_t *self, load_venue_t *venue, load_outcome_t *outcome)
{
    cpu_set_t before;
    const bool pinned = self->terms->cpu != NOT_GIVEN;
    oc_err_t err = OC_ERR_OK;
    if (pinned && sched_getaffinity(0, sizeof before, &before))
        err = error_set(OC_ERR_INVALID_CONFIG, "which processors this process has is not known");
    if (pinned && err == OC_ERR_OK)
        err = bench_host_pin((int)self->terms->cpu);
    if (err != OC_ERR_OK)
        return err;
    if (self->terms->fill && !self->terms->file)
        err = fill_book(self, venue);
    if (err == OC_ERR_OK)
        err = measure(self, venue, outcome);
    if (pinned)
        (void)sched_setaffinity(0, sizeof before, &before);
    return err;
}

oc_err_t load_setup_run(load_setup_t *self, const char *ingress, uint32_t repeat,
                        load_outcome_t *outcome)
{
    load_venue_config_t config;
    load_venue_t *venue;
    memset(outcome, 0, sizeof *outcome);
    choose_instruments(self, repeat);
    venue_config(self, ingress, &config);
    oc_err_t err = self->terms->no_setup ? OC_ERR_OK : load_venue_prepare(&config);
    if (err == OC_ERR_OK)
        err = load_venue_connect(&venue, &config, &self->flow, &self->recorder);
    if (err != OC_ERR_OK)
        return err;
    err = run_pinned(self, venue, outcome);
    load_venue_close(venue);
    return self->terms->tidy ? process_check_interrupted(err) : err;
}
