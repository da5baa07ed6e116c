/*
 * A run of bursts. Called by `outcry bench burst` and `outcry bench trace`, once for each row of a
 * matrix.
 *
 * Invariants: the counters are read while publications and subscription are open, before the first
 * message and behind the last; no thread is left on any way out, and nothing of Aeron's. The
 * receiver's client belongs to its thread while that runs.
 */
#define _GNU_SOURCE
#include "bench/bench_burst.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/bench_host.h"
#include "bench/burst_receiver.h"
#include "bench/burst_sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAD_NS    UINT64_C(200000000) /* from the hello to the first burst */
#define CONNECT_NS UINT64_C(30000000000)
#define STEP_NS    UINT64_C(1000000)
/* In which a driver tells the senders that their receiver has left: it looks after its images
 * every 100 ms, and sends their status every 200 ms. Else they would believe in it for seconds. */
#define FAREWELL_NS UINT64_C(600000000)

typedef struct burst_run {
    const burst_options_t *options;
    wire_t wire;         /* of the senders; of the receiver if it is alone */
    wire_t receive_wire; /* of a receiver beside senders */
    wire_in_t in;
    burst_receiver_t receiver;
    pthread_t thread;
    bool receiving; /* the thread runs */
    atomic_bool received;
    oc_err_t pin_err;
    char pin_why[256];
    burst_sender_t senders[BURST_SENDERS_MAX];
    counter_table_t *table;
    loss_source_t source;
    loss_reading_t before;
} burst_run_t;

static bool sends(const burst_options_t *options)
{
    return options->role != BURST_RECEIVER;
}

static bool receives(const burst_options_t *options)
{
    return options->role != BURST_SENDER;
}

/* ---- The receiver's thread ------------------------------------------------------------------- */

static wire_t *receive_wire(burst_run_t *self)
{
    return self->options->role == BURST_BOTH ? &self->receive_wire : &self->wire;
}

static void *receive_main(void *context)
{
    burst_run_t *self = context;
    if (self->options->receiver_cpu != BENCH_HOST_CPU_ANY)
        self->pin_err = bench_host_pin(self->options->receiver_cpu);
    if (self->pin_err != OC_ERR_OK)
        (void)snprintf(self->pin_why, sizeof self->pin_why, "%s", oc_err_context());
    else
        burst_receiver_run(&self->receiver, receive_wire(self), &self->in);
    /* Release: whoever sees it sees what came of it. */
    atomic_store_explicit(&self->received, true, memory_order_release);
    return NULL;
}

static oc_err_t open_receiver(burst_run_t *self)
{
    oc_err_t err = OC_ERR_OK;
    if (self->options->role == BURST_BOTH)
        err = wire_join(&self->receive_wire, &self->wire);
    if (err == OC_ERR_OK)
        err = burst_receiver_init(&self->receiver);
    if (err == OC_ERR_OK)
        err = wire_in_open(&self->in, receive_wire(self), self->wire.plan.channel,
                           self->wire.plan.stream);
    if (err == OC_ERR_OK && self->options->ready)
        self->options->ready(self->in.channel);
    return err;
}

static oc_err_t start_receiver(burst_run_t *self)
{
    const int failed = pthread_create(&self->thread, NULL, receive_main, self);
    if (failed != 0)
        return error_set(OC_ERR_NO_MEMORY, "no thread for the receiver: %s", strerror(failed));
    self->receiving = true;
    return OC_ERR_OK;
}

static void join_receiver(burst_run_t *self)
{
    if (!self->receiving)
        return;
    atomic_store_explicit(&self->receiver.stop, true, memory_order_relaxed);
    (void)pthread_join(self->thread, NULL);
    self->receiving = false;
}

static bool has_received(const burst_run_t *self)
{
    return atomic_load_explicit(&self->received, memory_order_acquire);
}

/* What ended its thread, if that was an error. */
static oc_err_t receiver_error(const burst_run_t *self)
{
    if (self->pin_err != OC_ERR_OK)
        return error_set(self->pin_err, "%s", self->pin_why);
    if (self->receiver.err != OC_ERR_OK)
        return error_set(self->receiver.err, "%s", self->receiver.why);
    return OC_ERR_OK;
}

/* ---- The senders ----------------------------------------------------------------------------- */

/* Steps the client of this thread, and gives the processor away for a moment. */
static oc_err_t pause_run(burst_run_t *self)
{
    if (has_received(self)) {
        const oc_err_t err = receiver_error(self);
        if (err != OC_ERR_OK)
            return err;
    }
    if (self->options->role != BURST_RECEIVER || !self->receiving) {
        (void)embedded_do_work(self->wire.embedded);
        if (embedded_closed(self->wire.embedded))
            return error_set(OC_ERR_CLOSED, "the driver in %s took its client for dead",
                             embedded_dir(self->wire.embedded));
    }
    return process_sleep(STEP_NS);
}

static void name_senders(burst_run_t *self)
{
    const burst_options_t *options = self->options;
    const uint64_t random = clock_wall_ns() ^ (uint64_t)getpid() << 17;
    for (unsigned i = 0; i < options->senders; i++) {
        burst_sender_t *sender = &self->senders[i];
        sender->arrivals = *options->arrivals;
        sender->id = (burst_sender_id_t){(uint16_t)(random ^ random >> 16 ^ random >> 32),
                                         (uint8_t)options->senders, (uint8_t)i};
        sender->hello = (burst_hello_t){.bursts = options->bursts,
                                        .size = options->size,
                                        .warmup = options->warmup,
                                        .machine = burst_machine()};
        sender->stuck_ns = options->grace_ns;
        sender->cpu = options->sender_cpu == BENCH_HOST_CPU_ANY ? BENCH_HOST_CPU_ANY
                                                                : options->sender_cpu + (int)i;
    }
}

static oc_err_t open_senders(burst_run_t *self)
{
    const burst_options_t *options = self->options;
    const char *channel = receives(options) ? self->in.channel : self->wire.plan.channel;
    const uint64_t start_ns = clock_wall_ns();
    oc_err_t err = OC_ERR_OK;
    name_senders(self);
    for (unsigned i = 0; i < options->senders && err == OC_ERR_OK; i++)
        err = wire_out_open(&self->senders[i].out, &self->wire, channel, self->wire.plan.stream);
    for (unsigned i = 0; i < options->senders && err == OC_ERR_OK;) {
        if (wire_out_connected(&self->senders[i].out)) {
            i++;
            continue;
        }
        if (clock_wall_ns() - start_ns > CONNECT_NS)
            return error_set(OC_ERR_TIMEOUT,
                             "nobody receives on %s, stream %d; start the receiver first", channel,
                             (int)self->wire.plan.stream);
        err = pause_run(self);
    }
    return err;
}

static oc_err_t start_senders(burst_run_t *self)
{
    const uint64_t start_ns = clock_wall_ns() + LEAD_NS;
    oc_err_t err = OC_ERR_OK;
    for (unsigned i = 0; i < self->options->senders && err == OC_ERR_OK; i++) {
        self->senders[i].start_ns = start_ns;
        err = burst_sender_start(&self->senders[i]);
    }
    return err;
}

static void join_senders(burst_run_t *self, bool stop)
{
    for (unsigned i = 0; i < BURST_SENDERS_MAX; i++)
        if (stop)
            atomic_store_explicit(&self->senders[i].stop, true, memory_order_relaxed);
    for (unsigned i = 0; i < BURST_SENDERS_MAX; i++)
        burst_sender_join(&self->senders[i]);
}

static bool have_ended(const burst_run_t *self)
{
    for (unsigned i = 0; i < self->options->senders; i++)
        if (!atomic_load_explicit(&self->senders[i].ended, memory_order_acquire))
            return false;
    return true;
}

static bool all_away(const burst_run_t *self)
{
    for (unsigned i = 0; i < self->options->senders; i++)
        if (wire_out_connected(&self->senders[i].out))
            return false;
    return true;
}

/* Lets the senders send what is planned. */
static oc_err_t await_senders(burst_run_t *self)
{
    oc_err_t err = OC_ERR_OK;
    while (!have_ended(self) && err == OC_ERR_OK)
        err = pause_run(self);
    join_senders(self, err != OC_ERR_OK);
    for (unsigned i = 0; i < self->options->senders && err == OC_ERR_OK; i++)
        if (self->senders[i].err != OC_ERR_OK)
            err = error_set(self->senders[i].err, "%s", self->senders[i].why);
    return err;
}

/* What was sent may still be on its way, or be sent again: until the receiver has all of it, or has
 * left, or as long as patience lasts without a message. */
static oc_err_t await_receiver(burst_run_t *self)
{
    uint64_t seen = 0;
    uint64_t since_ns = clock_wall_ns();
    const bool here = receives(self->options);
    while (here ? !has_received(self) : !all_away(self)) {
        const uint64_t now = atomic_load_explicit(&self->receiver.seen, memory_order_relaxed);
        const oc_err_t err = pause_run(self);
        if (err != OC_ERR_OK)
            return err;
        if (now != seen)
            since_ns = clock_wall_ns();
        seen = now;
        if (clock_wall_ns() - since_ns > self->options->grace_ns)
            break;
    }
    return OC_ERR_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* The process whose sockets and network are the driver's: 0 is this one. */
static pid_t driver_process(const wire_t *wire)
{
    aeron_cnc_t *file;
    aeron_cnc_constants_t constants;
    pid_t pid = 0;
    if (wire->own_driver || aeron_cnc_init(&file, embedded_dir(wire->embedded), 0) < 0)
        return 0;
    if (aeron_cnc_constants(file, &constants) == 0)
        pid = (pid_t)constants.pid;
    aeron_cnc_close(file);
    return pid;
}

static oc_err_t open_run(burst_run_t *self)
{
    const burst_options_t *options = self->options;
    wire_options_t wire = options->wire;
    wire.one_way = true;
    wire.apart = options->role != BURST_BOTH;
    wire.publications = sends(options) ? options->senders : 1;
    oc_err_t err = wire_open(&self->wire, &wire);
    if (err == OC_ERR_OK)
        err = counter_table_of(&self->table, self->wire.embedded);
    if (err != OC_ERR_OK)
        return err;
    self->source = (loss_source_t){self->table, driver_process(&self->wire), options->qdisc_show};
    if (receives(options))
        err = open_receiver(self);
    if (err == OC_ERR_OK && options->role == BURST_RECEIVER)
        err = loss_read(&self->source, &self->before);
    if (err == OC_ERR_OK && receives(options))
        err = start_receiver(self);
    if (err == OC_ERR_OK && sends(options))
        err = open_senders(self);
    if (err == OC_ERR_OK && sends(options))
        err = loss_read(&self->source, &self->before);
    return err;
}

static oc_err_t await_run(burst_run_t *self)
{
    oc_err_t err = OC_ERR_OK;
    if (sends(self->options)) {
        err = start_senders(self);
        if (err == OC_ERR_OK)
            err = await_senders(self);
        return err == OC_ERR_OK ? await_receiver(self) : err;
    }
    bool told = false;
    while (!has_received(self) && err == OC_ERR_OK) {
        err = process_sleep(STEP_NS);
        if (told || atomic_load_explicit(&self->receiver.seen, memory_order_relaxed) == 0)
            continue;
        told = true;
        if (self->options->begun)
            self->options->begun();
    }
    return err;
}

static void close_run(burst_run_t *self)
{
    join_senders(self, true);
    join_receiver(self);
    for (unsigned i = 0; i < BURST_SENDERS_MAX; i++)
        wire_out_close(&self->senders[i].out);
    if (self->in.subscription != NULL) {
        const uint64_t start_ns = clock_wall_ns();
        wire_in_close(&self->in);
        while (self->options->role == BURST_RECEIVER && clock_wall_ns() - start_ns < FAREWELL_NS &&
               pause_run(self) == OC_ERR_OK)
            continue;
    }
    burst_receiver_fini(&self->receiver);
    counter_table_close(self->table);
    wire_close(&self->receive_wire);
    wire_close(&self->wire);
}

/* ---- What came of it ------------------------------------------------------------------------- */

static void take_senders(const burst_run_t *self, burst_result_t *result)
{
    result->hello = self->senders[0].hello;
    result->senders = self->options->senders;
    for (unsigned i = 0; i < result->senders; i++) {
        const burst_sender_t *sender = &self->senders[i];
        result->planned += burst_sender_planned(sender);
        result->sent += sender->sent;
        result->late += self->options->paced ? sender->late : 0;
        result->overlapped += sender->overlapped;
        result->back_pressured += sender->back_pressured;
        result->raised += sender->raised;
        if (sender->start_late_ns > result->start_late_ns)
            result->start_late_ns = sender->start_late_ns;
    }
    result->facts.unsent = result->planned - result->sent;
    result->facts.back_pressured = result->back_pressured;
}

/* Takes rows and histograms over. */
static void take_receiver(burst_run_t *self, burst_result_t *result)
{
    burst_receiver_t *receiver = &self->receiver;
    burst_facts_t *facts = &result->facts;
    burst_tally_t tally;
    burst_receiver_tally(receiver, &tally);
    result->received = tally.received;
    result->strangers = receiver->strangers;
    facts->lost = tally.lost;
    facts->doubled = tally.doubled;
    facts->out_of_order = tally.out_of_order;
    facts->no_goodbye = !receiver->begun || tally.silent > 0;
    if (receiver->begun && !sends(self->options)) {
        result->hello = receiver->hello;
        result->senders = receiver->id.senders;
        result->planned =
            (uint64_t)receiver->id.senders * result->hello.bursts * result->hello.size;
    }
    result->rows = receiver->absorb.rows;
    result->row_count = receiver->absorb.count;
    result->latency = receiver->latency;
    result->service = receiver->service;
    receiver->absorb.rows = NULL;
    receiver->latency = NULL;
    receiver->service = NULL;
    facts->latency_known = histogram_count(result->latency) > 0;
    facts->p99_ns = histogram_percentile(result->latency, 99.0);
}

static void take_result(burst_run_t *self, burst_result_t *result, const loss_reading_t *after)
{
    const burst_options_t *options = self->options;
    burst_facts_t *facts = &result->facts;
    result->role = options->role;
    result->plan = self->wire.plan;
    wire_facts(&self->wire, &result->wire);
    facts->sends = sends(options);
    facts->receives = receives(options);
    facts->ipc = self->wire.plan.media == WIRE_IPC;
    facts->p99_limit_ns = options->p99_limit_ns;
    loss_difference(&self->before, after, &facts->loss);
    if (facts->sends)
        take_senders(self, result);
    if (facts->receives)
        take_receiver(self, result);
    burst_judge(&result->verdict, facts);
}

oc_err_t bench_burst(const burst_options_t *options, burst_result_t *result)
{
    loss_reading_t after;
    memset(result, 0, sizeof *result);
    burst_run_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "bursts: %zu bytes", sizeof *self);
    self->options = options;
    oc_err_t err = open_run(self);
    if (err == OC_ERR_OK)
        err = await_run(self);
    if (err == OC_ERR_OK)
        err = loss_read(&self->source, &after);
    if (err == OC_ERR_OK) {
        join_receiver(self);
        err = receiver_error(self);
    }
    if (err == OC_ERR_OK)
        take_result(self, result, &after);
    close_run(self);
    free(self);
    return err;
}

void burst_result_fini(burst_result_t *result)
{
    free(result->rows);
    histogram_destroy(result->latency);
    histogram_destroy(result->service);
    memset(result, 0, sizeof *result);
}

uint64_t burst_result_absorb_ns_max(const burst_result_t *result)
{
    uint64_t most = 0;
    for (size_t i = result->hello.warmup; i < result->row_count; i++)
        if (burst_row_absorb_ns(&result->rows[i]) > most)
            most = burst_row_absorb_ns(&result->rows[i]);
    return most;
}

uint64_t burst_result_peak_max(const burst_result_t *result)
{
    uint64_t most = 0;
    for (size_t i = result->hello.warmup; i < result->row_count; i++)
        if (result->rows[i].peak > most)
            most = result->rows[i].peak;
    return most;
}
