/*
 * The test of the transport's benches by a stall on purpose. Called by `outcry bench selftest`.
 *
 * Invariants: what is expected comes from the schedule and from the stall's two times, never from
 * the figures; the plain list is kept before anything can spoil a message. The least latency that
 * counts is the lower end of a bucket, so that the figures' rounding moves no message over it.
 */
#define _GNU_SOURCE
#include "bench/bench_selftest.h"

#include "aeron/endpoint.h"
#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/histogram.h"
#include "base/process_signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_PART = 5,
    CLOSED_MESSAGES = 200,
    OVERLOAD_MS = 50,
    TRIES = 5,
    RECORDINGS = 1000000,
};

#define MS_NS       UINT64_C(1000000)
#define GRACE_NS    UINT64_C(3000000000)
#define CLOSED_NS   UINT64_C(10000000000)
#define CATCH_UP_NS UINT64_C(30000000000)

typedef struct plain {
    uint64_t intended_ns;
    uint64_t latency_ns;
} plain_t;

typedef struct selftest {
    const selftest_options_t *options;
    selftest_result_t *result;
    echo_pair_t *pair;
    echo_account_t account;
    arrival_t arrivals;
    plain_t *list; /* owned */
    uint64_t room;
    uint64_t count; /* in the list; more than room: it was cut */
} selftest_t;

const char *selftest_judge(const selftest_stall_t *stall)
{
    if (stall->expected == 0)
        return "nothing was measured: the stall held no message up";
    if (stall->lost > 0)
        return "messages were lost";
    if (stall->seen * 100 < (stall->expected + stall->otherwise) * 99)
        return "fewer messages waited in the figures than in fact: coordinated omission";
    if (stall->seen * 100 > (stall->expected + stall->otherwise) * 101)
        return "more messages waited in the figures than in fact";
    if (stall->seen_ns * 100 < stall->injected_ns * 95)
        return "the longest latency in the figures is shorter than the stall";
    if (stall->seen_ns * 1000 > stall->plain_ns * 1002)
        return "the longest latency in the figures is longer than that of any message";
    /* Where a busy machine makes everything wait, counts say little; the sum of all waiting says
     * more. */
    if (stall->seen_mean_ns < 0.99 * stall->plain_mean_ns)
        return "the mean of the figures is below that of the messages: coordinated omission";
    if (stall->seen_mean_ns > 1.01 * stall->plain_mean_ns)
        return "the mean of the figures is above that of the messages";
    return NULL;
}

/* ---- The stall ------------------------------------------------------------------------------- */

static void on_echo(void *context, wire_message_t *echo, uint64_t now_ns)
{
    selftest_t *self = context;
    if (self->count < self->room)
        self->list[self->count] = (plain_t){echo->intended_ns, now_ns - echo->intended_ns};
    self->count++;
    if (self->options->spoil)
        self->options->spoil(echo);
}

static void begin_stall(void *context)
{
    selftest_t *self = context;
    reflector_stall(&self->pair->reflector, self->options->stall_ns);
}

static uint64_t count_seen(const histogram_t *latency, uint64_t least_ns)
{
    uint64_t seen = 0;
    const size_t last = histogram_slot_of(histogram_max(latency));
    for (size_t slot = histogram_slot_of(least_ns); slot <= last; slot++)
        seen += histogram_slot_count(latency, slot);
    return seen;
}

static void compare(selftest_t *self, uint64_t begin_ns, uint64_t end_ns)
{
    selftest_stall_t *stall = &self->result->stall;
    stall->injected_ns = end_ns - begin_ns;
    stall->least_ns = histogram_bucket_low(stall->injected_ns / LEAST_PART);
    const uint64_t last_ns = end_ns - stall->least_ns;
    stall->expected = arrival_count_before(&self->arrivals, last_ns + 1) -
                      arrival_count_before(&self->arrivals, begin_ns);
    const uint64_t count = self->count < self->room ? self->count : self->room;
    for (uint64_t i = 0; i < count; i++) {
        const plain_t *message = &self->list[i];
        stall->plain_mean_ns += (double)message->latency_ns / (double)count;
        if (message->latency_ns > stall->plain_ns)
            stall->plain_ns = message->latency_ns;
        stall->otherwise += message->latency_ns >= stall->least_ns &&
                            (message->intended_ns < begin_ns || message->intended_ns > last_ns);
    }
    stall->seen_ns = histogram_max(self->account.latency);
    stall->seen_mean_ns = histogram_mean(self->account.latency);
    stall->seen = count_seen(self->account.latency, stall->least_ns);
}

/* Where the machine was busy the stall may come late. Acquire: its begin was stored before. */
static oc_err_t await_stall(const selftest_t *self, uint64_t *end_ns)
{
    const uint64_t start_ns = clock_wall_ns();
    for (;;) {
        *end_ns = atomic_load_explicit(&self->pair->reflector.stall_end_ns, memory_order_acquire);
        const oc_err_t err = process_check_interrupted(OC_ERR_OK);
        if (*end_ns != 0 || err != OC_ERR_OK)
            return err;
        if (clock_wall_ns() - start_ns > CATCH_UP_NS)
            return error_set(OC_ERR_TIMEOUT, "the reflector does not come to its stall");
        endpoint_pause(start_ns);
    }
}

/* One try; *inside is false when the stall was not over before the schedule. */
static oc_err_t try_stall(selftest_t *self, echo_result_t *echo, bool *inside)
{
    uint64_t end_ns;
    const selftest_options_t *options = self->options;
    const echo_load_t load = {
        .arrivals = &self->arrivals,
        .duration_ns = options->run_ns,
        .catch_up_ns = CATCH_UP_NS,
        .grace_ns = GRACE_NS,
        .yield = self->pair->options.yield,
        .stop = process_end_requested,
        .midway = begin_stall,
        .midway_context = self,
    };
    self->count = 0;
    self->pair->options.watch = on_echo;
    self->pair->options.watch_context = self;
    oc_err_t err =
        process_check_interrupted(echo_pair_run(self->pair, &load, &self->account, echo));
    self->pair->options.watch = NULL;
    if (err == OC_ERR_OK)
        err = await_stall(self, &end_ns);
    if (err != OC_ERR_OK)
        return err;
    *inside = end_ns < self->account.line.start_ns + options->run_ns;
    if (*inside)
        compare(self,
                atomic_load_explicit(&self->pair->reflector.stall_begin_ns, memory_order_relaxed),
                end_ns);
    return OC_ERR_OK;
}

static oc_err_t run_stall(selftest_t *self)
{
    echo_result_t echo;
    bool inside = false;
    const arrival_shape_t shape = {.kind = ARRIVAL_STEADY, .burst = 1};
    const arrival_terms_t terms = {.rate_per_s = self->options->rate_per_s,
                                   .bytes = self->options->bytes};
    arrival_init(&self->arrivals, &shape, &terms);
    for (int i = 0; i < TRIES && !inside; i++) {
        const oc_err_t err = try_stall(self, &echo, &inside);
        if (err != OC_ERR_OK)
            return err;
    }
    if (!inside)
        return error_set(OC_ERR_TIMEOUT,
                         "no stall was over before its run: this machine is too busy, give more "
                         "time (--seconds)");
    self->result->stall.lost = echo.lost;
    self->result->held = echo.counts.held;
    self->result->stall_fault = selftest_judge(&self->result->stall);
    return OC_ERR_OK;
}

/* ---- The other two --------------------------------------------------------------------------- */

static oc_err_t run_closed(selftest_t *self)
{
    echo_result_t echo;
    const echo_load_t load = {
        .window = 1,
        .duration_ns = CLOSED_NS,
        .messages_max = CLOSED_MESSAGES,
        .grace_ns = GRACE_NS,
        .bytes = self->options->bytes,
        .yield = self->pair->options.yield,
        .stop = process_end_requested,
    };
    const oc_err_t err =
        process_check_interrupted(echo_pair_run(self->pair, &load, &self->account, &echo));
    if (err != OC_ERR_OK)
        return err;
    self->result->closed_mode = echo_result_mode(&echo);
    if (!strstr(self->result->closed_mode, "closed loop"))
        self->result->closed_fault = "a closed loop is not called one";
    else if (!strstr(self->result->closed_mode, "not latency at a rate"))
        self->result->closed_fault = "its figures are not said to be no latency at a rate";
    return OC_ERR_OK;
}

/* A message each nanosecond is more than any machine sends. */
static oc_err_t run_overload(selftest_t *self)
{
    echo_result_t echo;
    const echo_load_t load = {
        .arrivals = &self->arrivals,
        .duration_ns = OVERLOAD_MS * MS_NS,
        .catch_up_ns = OVERLOAD_MS * MS_NS,
        .grace_ns = GRACE_NS,
        .yield = self->pair->options.yield,
        .stop = process_end_requested,
    };
    arrival_init_steady(&self->arrivals, ARRIVAL_RATE_MAX, 1);
    const oc_err_t err =
        process_check_interrupted(echo_pair_run(self->pair, &load, &self->account, &echo));
    if (err != OC_ERR_OK)
        return err;
    self->result->overload_intended_per_s = (double)ARRIVAL_RATE_MAX;
    self->result->overload_sent_per_s =
        (double)echo.counts.sent * 1e9 / (double)(echo.sending_ns ? echo.sending_ns : 1);
    if (echo_result_limit(&echo) == ECHO_KEPT)
        self->result->overload_fault = "a rate that was not kept does not fail the run";
    return OC_ERR_OK;
}

/* What a sample costs whoever records it: the least of some tries, as the machine may be busy. The
 * values are spread over a millisecond, in no order. */
static void time_recording(selftest_t *self)
{
    uint64_t least_ns = UINT64_MAX;
    for (int try = 0; try < TRIES; try++) {
        const uint64_t start_ns = clock_wall_ns();
        for (uint32_t i = 0; i < RECORDINGS; i++)
            histogram_record(self->account.latency, 1000 + (i * 2654435761U >> 12));
        const uint64_t took_ns = clock_wall_ns() - start_ns;
        if (took_ns < least_ns)
            least_ns = took_ns;
    }
    self->result->recording_ns = (double)least_ns / RECORDINGS;
}

static oc_err_t run_all(selftest_t *self)
{
    oc_err_t err = run_stall(self);
    if (err == OC_ERR_OK)
        err = run_closed(self);
    if (err == OC_ERR_OK)
        err = run_overload(self);
    if (err == OC_ERR_OK)
        time_recording(self);
    return err;
}

oc_err_t bench_selftest(echo_pair_t *pair, const selftest_options_t *options,
                        selftest_result_t *result)
{
    OC_ASSERT(options->run_ns >= 4 * options->stall_ns);
    OC_ASSERT(options->stall_ns > 0 && !pair->options.wire.apart);
    memset(result, 0, sizeof *result);
    selftest_t self = {
        .options = options,
        .result = result,
        .pair = pair,
        .room = (uint64_t)((double)options->rate_per_s * (double)options->run_ns / 1e9) + 1,
    };
    oc_err_t err = echo_account_init(&self.account, 1, UINT64_MAX);
    if (err != OC_ERR_OK)
        return err;
    self.list = calloc(self.room, sizeof *self.list);
    if (!self.list) {
        err = error_set(OC_ERR_NO_MEMORY, "selftest: %" PRIu64 " messages", self.room);
        goto fini_account;
    }
    err = run_all(&self);
    free(self.list);
fini_account:
    echo_account_fini(&self.account);
    return err;
}
