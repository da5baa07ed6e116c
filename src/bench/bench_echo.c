/*
 * A sender, its reflector and runs between them. Called by `outcry bench` echo, knee and selftest.
 *
 * Invariants: each run has a sender's number of its own, so that what is left of the one before
 * counts for nothing; a run begins when a greeting has gone both ways.
 */
#define _GNU_SOURCE
#include "bench/bench_echo.h"

#include "aeron/endpoint.h"
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/timed_run.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELLO_NS   UINT64_C(50000000)
#define GOODBYE_NS UINT64_C(2000000000)
#define GRACE_NS   UINT64_C(5000000000)
#define STEP_TURNS 1024

/* ---- The link -------------------------------------------------------------------------------- */

typedef struct taking {
    echo_pair_t *pair;
    echo_account_t *account;
} taking_t;

static void on_echo(void *context, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    const taking_t *taking = context;
    wire_message_t message;
    (void)header;
    if (!wire_message_decode(&message, buffer, length)) {
        taking->account->counts.strangers++;
        return;
    }
    if (message.kind != WIRE_DATA)
        return;
    const echo_pair_options_t *options = &taking->pair->options;
    const uint64_t now_ns = clock_wall_ns();
    if (options->watch)
        options->watch(options->watch_context, &message, now_ns);
    echo_account_echo(taking->account, &message, now_ns);
}

static wire_sent_t link_send(void *context, const wire_message_t *message, uint32_t bytes)
{
    return wire_send(&((echo_pair_t *)context)->out, message, bytes);
}

static int link_poll(void *context, echo_account_t *account, size_t limit)
{
    taking_t taking = {context, account};
    return wire_poll(&taking.pair->in, on_echo, &taking, limit);
}

static oc_err_t link_step(void *context)
{
    echo_pair_t *self = context;
    (void)embedded_do_work(self->wire.embedded);
    if (embedded_closed(self->wire.embedded))
        return error_set(OC_ERR_CLOSED, "the driver in %s has ended",
                         embedded_dir(self->wire.embedded));
    return OC_ERR_OK;
}

/* ---- Finding each other ---------------------------------------------------------------------- */

typedef struct greeting {
    const echo_pair_t *pair;
    uint16_t kind;
    bool heard;
} greeting_t;

static void on_greeting(void *context, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    greeting_t *greeting = context;
    wire_message_t message;
    (void)header;
    greeting->heard |= wire_message_decode(&message, buffer, length) &&
                       message.kind == greeting->kind && message.sender == greeting->pair->sender;
}

/* Says it again and again until it comes back. A signal ends a hello; a goodbye is what follows it:
 * whoever serves elsewhere would serve for ever. */
static oc_err_t greet(echo_pair_t *self, wire_kind_t kind, uint64_t patience_ns)
{
    const uint64_t start_ns = clock_wall_ns();
    greeting_t greeting = {.pair = self, .kind = (uint16_t)kind};
    uint64_t hello_ns = 0;
    while (!greeting.heard) {
        const uint64_t now_ns = clock_wall_ns();
        oc_err_t err = link_step(self);
        if (kind != WIRE_GOODBYE)
            err = process_check_interrupted(err);
        if (err != OC_ERR_OK)
            return err;
        if (now_ns - start_ns > patience_ns)
            return error_set(OC_ERR_TIMEOUT, "no reflector answers on %s within %.0f s",
                             self->wire.plan.channel, (double)patience_ns / 1e9);
        const wire_message_t message = {.sender = self->sender, .kind = (uint16_t)kind};
        if (now_ns >= hello_ns && wire_send(&self->out, &message, WIRE_MESSAGE_MIN) == WIRE_SENT)
            hello_ns = now_ns + HELLO_NS;
        if (wire_poll(&self->in, on_greeting, &greeting, 1) < 0)
            return error_set(OC_ERR_TRANSPORT, "the echo: %s", embedded_error_line());
        endpoint_pause(start_ns);
    }
    return OC_ERR_OK;
}

/* ---- A pair ---------------------------------------------------------------------------------- */

static oc_err_t open_ends(echo_pair_t *self)
{
    const wire_plan_t *plan = &self->wire.plan;
    const char *there = plan->channel;
    oc_err_t err = wire_in_open(&self->in, &self->wire, plan->back, plan->back_stream);
    if (err == OC_ERR_OK && !self->options.wire.apart) {
        err = reflector_join(&self->reflector, &self->wire);
        there = self->reflector.in.channel;
        self->reflector.cpu = self->options.reflector_cpu;
        self->reflector.yield = self->options.yield;
    }
    if (err == OC_ERR_OK)
        err = wire_out_open(&self->out, &self->wire, there, plan->stream);
    if (err == OC_ERR_OK && !self->options.wire.apart)
        err = reflector_start(&self->reflector, self->in.channel);
    return err;
}

oc_err_t echo_pair_open(echo_pair_t *self, const echo_pair_options_t *options)
{
    memset(self, 0, sizeof *self);
    self->options = *options;
    self->options.wire.publications = options->wire.apart ? 1 : 2;
    /* Different from those of processes that have a reflector in common. */
    self->sender = (uint32_t)getpid() << 12 ^ (uint32_t)(clock_real_ns() >> 20);
    self->link = (echo_link_t){self, link_send, link_poll, link_step};
    oc_err_t err = wire_open(&self->wire, &self->options.wire);
    if (err == OC_ERR_OK)
        err = open_ends(self);
    if (err == OC_ERR_OK)
        err = greet(self, WIRE_HELLO, options->patience_ns);
    self->greeted = err == OC_ERR_OK;
    if (err != OC_ERR_OK) {
        char why[512];
        (void)strncpy(why, oc_err_context(), sizeof why - 1);
        why[sizeof why - 1] = '\0';
        /* A reflector that could not run says more than the silence that comes of it. */
        const oc_err_t cause = echo_pair_close(self);
        err = cause != OC_ERR_OK && err == OC_ERR_TIMEOUT ? cause : error_set(err, "%s", why);
    }
    return err;
}

oc_err_t echo_pair_close(echo_pair_t *self)
{
    if (self->greeted && self->options.wire.apart)
        (void)greet(self, WIRE_GOODBYE, GOODBYE_NS);
    self->greeted = false;
    const oc_err_t err = reflector_end(&self->reflector);
    wire_out_close(&self->out);
    wire_in_close(&self->in);
    wire_close(&self->wire);
    return err;
}

oc_err_t echo_pair_run(echo_pair_t *self, const echo_load_t *load, echo_account_t *account,
                       echo_result_t *result)
{
    echo_load_t own = *load;
    own.sender = ++self->sender;
    return echo_loop_run(&own, &self->link, account, result);
}

/* ---- Bare ------------------------------------------------------------------------------------ */

static void on_bare(void *context, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    (void)buffer;
    (void)length;
    (void)header;
    ++*(uint64_t *)context;
}

/* One message there and back. */
static oc_err_t ping(echo_pair_t *self, const wire_message_t *message, uint32_t bytes,
                     unsigned *turns)
{
    const uint64_t start_ns = clock_wall_ns();
    uint64_t pongs = 0;
    bool sent = false;
    while (pongs == 0) {
        if (!sent)
            sent = wire_send(&self->out, message, bytes) == WIRE_SENT;
        else if (wire_poll(&self->in, on_bare, &pongs, 1) == 0 && self->options.yield)
            (void)sched_yield();
        if (++*turns % STEP_TURNS != 0)
            continue;
        const oc_err_t err = process_check_interrupted(link_step(self));
        if (err != OC_ERR_OK)
            return err;
        if (clock_wall_ns() - start_ns > GRACE_NS)
            return error_set(OC_ERR_TIMEOUT, "a bare ping is not answered");
    }
    return OC_ERR_OK;
}

static oc_err_t bare_round(echo_pair_t *self, uint32_t bytes, double *times, uint64_t count)
{
    const wire_message_t message = {.sender = ++self->sender};
    unsigned turns = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin_ns = clock_wall_ns();
        const oc_err_t err = ping(self, &message, bytes, &turns);
        if (err != OC_ERR_OK)
            return err;
        times[i] = (double)(clock_wall_ns() - begin_ns);
    }
    return OC_ERR_OK;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

typedef struct bare_figures {
    double bare_p50[ECHO_BARE_ROUNDS];
    double bare_p99[ECHO_BARE_ROUNDS];
    double ours_p50[ECHO_BARE_ROUNDS];
    double ours_p99[ECHO_BARE_ROUNDS];
} bare_figures_t;

static oc_err_t ours_round(echo_pair_t *self, uint32_t bytes, uint64_t count,
                           echo_account_t *account)
{
    const echo_load_t load = {
        .window = 1,
        .duration_ns = UINT64_C(3600000000000),
        .messages_max = count,
        .grace_ns = GRACE_NS,
        .bytes = bytes,
        .yield = self->options.yield,
        .stop = process_end_requested,
    };
    echo_result_t result;
    oc_err_t err = echo_pair_run(self, &load, account, &result);
    if (err == OC_ERR_OK)
        err = process_check_interrupted(OC_ERR_OK);
    if (err == OC_ERR_OK && result.lost > 0)
        err = error_set(OC_ERR_TIMEOUT, "a ping is not answered");
    return err;
}

static oc_err_t both_rounds(echo_pair_t *self, uint32_t bytes, double *times, uint64_t count,
                            echo_account_t *account, bare_figures_t *figures)
{
    for (int round = 0; round < ECHO_BARE_ROUNDS; round++) {
        oc_err_t err = bare_round(self, bytes, times, count);
        if (err == OC_ERR_OK)
            err = ours_round(self, bytes, count, account);
        if (err != OC_ERR_OK)
            return err;
        qsort(times, count, sizeof *times, compare);
        figures->bare_p50[round] = times[(count - 1) / 2];
        figures->bare_p99[round] = times[(count - 1) * 99 / 100];
        figures->ours_p50[round] = (double)histogram_percentile(account->latency, 50.0);
        figures->ours_p99[round] = (double)histogram_percentile(account->latency, 99.0);
    }
    return OC_ERR_OK;
}

oc_err_t echo_pair_bare(echo_pair_t *self, uint32_t bytes, uint64_t round_trips,
                        echo_bare_t *result)
{
    echo_account_t account;
    bare_figures_t figures;
    OC_ASSERT(round_trips > 0);
    memset(result, 0, sizeof *result);
    double *times = calloc(round_trips, sizeof *times);
    if (!times)
        return error_set(OC_ERR_NO_MEMORY, "the bare ping-pong: %" PRIu64 " times", round_trips);
    oc_err_t err = echo_account_init(&account, 1, UINT64_MAX);
    if (err != OC_ERR_OK)
        goto free_times;
    err = both_rounds(self, bytes, times, round_trips, &account, &figures);
    if (err == OC_ERR_OK) {
        result->round_trips = round_trips;
        result->bare_p50_ns = timed_run_median(figures.bare_p50, ECHO_BARE_ROUNDS);
        result->bare_p99_ns = timed_run_median(figures.bare_p99, ECHO_BARE_ROUNDS);
        result->ours_p50_ns = timed_run_median(figures.ours_p50, ECHO_BARE_ROUNDS);
        result->ours_p99_ns = timed_run_median(figures.ours_p99, ECHO_BARE_ROUNDS);
        result->overhead_pct = 100.0 * (result->ours_p50_ns / result->bare_p50_ns - 1.0);
    }
    echo_account_fini(&account);
free_times:
    free(times);
    return err;
}

/* ---- Processors ------------------------------------------------------------------------------ */

unsigned echo_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

bool echo_may_spin(bool own_driver, bool dedicated)
{
    const unsigned threads = !own_driver ? 3 : dedicated ? 5 : 3;
    return echo_processors() > threads;
}
