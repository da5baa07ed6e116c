/*
 * Probes on a schedule. Called by the benches of snapshots and of clusters.
 *
 * Invariants: a probe keeps its intended time however late it is sent, and none that was due before
 * the end of a run is left out; every probe that was sent is in the account, answered or not. It
 * must not block: waiting is polling.
 */
#define _GNU_SOURCE
#include "bench/probe_stream.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_LIMIT = 64, SEND_LIMIT = 64 };

#define CATCH_UP_NS UINT64_C(30000000000)

static void take_response(void *context, const oc_response_t *response)
{
    probe_stream_t *self = context;
    if (response->type != OC_RESPONSE_OUTPUT)
        return;
    const oc_event_t *event = &response->u.output.event;
    if (event->type != OC_EVENT_ACCEPTED) {
        /* Its end follows: cancelled, for nothing was there to fill it. */
        self->wrong += event->type != OC_EVENT_CANCELLED;
        return;
    }
    const uint64_t at = event->sequence - self->first_sequence;
    if (self->count == 0 || at >= self->count || self->probes[at].latency_ns != UINT64_MAX) {
        self->wrong++;
        return;
    }
    const uint64_t now_ns = clock_wall_ns();
    const uint64_t intended_ns = self->probes[at].intended_ns;
    self->probes[at].latency_ns = now_ns > intended_ns ? now_ns - intended_ns : 0;
    self->answered++;
}

oc_err_t probe_stream_init(probe_stream_t *self, const probe_stream_config_t *config)
{
    OC_ASSERT(config->rate_per_s > 0);
    OC_ASSERT(config->capacity > 0);
    memset(self, 0, sizeof *self);
    self->probes = malloc(config->capacity * sizeof *self->probes);
    if (!self->probes)
        return error_set(OC_ERR_NO_MEMORY, "no memory for %zu probes", config->capacity);
    /* Touched now, not while the clock runs. */
    memset(self->probes, 0xff, config->capacity * sizeof *self->probes);
    self->capacity = config->capacity;
    arrival_init_steady(&self->arrivals, config->rate_per_s, 1);
    self->command = (oc_command_t){
        .type = OC_COMMAND_NEW,
        .side = OC_SIDE_BUY,
        .order_type = OC_ORDER_LIMIT,
        .time_in_force = OC_TIF_IOC,
        .instrument = config->instrument,
        .u.order = {.price_ticks = config->price_ticks, .quantity_lots = 1},
    };
    oc_client_config_t client;
    oc_client_config_init(&client);
    client.ingress = config->ingress;
    client.principal = config->principal;
    client.source = config->source;
    client.unanswered_max = 65536;
    const oc_err_t err = oc_client_connect(&self->client, &client, take_response, self);
    if (err != OC_ERR_OK)
        probe_stream_fini(self);
    else
        probe_stream_restart(self);
    return err;
}

void probe_stream_restart(probe_stream_t *self)
{
    OC_ASSERT(self->answered == self->count);
    self->count = 0;
    self->answered = 0;
    arrival_start(&self->arrivals, clock_wall_ns());
}

void probe_stream_fini(probe_stream_t *self)
{
    oc_client_close(self->client);
    free(self->probes);
    memset(self, 0, sizeof *self);
}

/* False when the client takes none for now. */
static bool send_probe(probe_stream_t *self)
{
    uint64_t sequence;
    self->command.u.order.client_order_id.value = UINT64_C(0x7000000000000000) + self->count;
    self->probes[self->count] =
        (probe_t){.intended_ns = arrival_next_ns(&self->arrivals), .latency_ns = UINT64_MAX};
    if (oc_client_send(self->client, &self->command, &sequence) != OC_ERR_OK)
        return false;
    if (self->count == 0)
        self->first_sequence = sequence;
    OC_ASSERT(sequence == self->first_sequence + self->count);
    self->count++;
    arrival_advance(&self->arrivals);
    return true;
}

/* Sends what is due before `before_ns`; how many, at most SEND_LIMIT. */
static unsigned send_due(probe_stream_t *self, uint64_t before_ns)
{
    unsigned sent = 0;
    while (sent < SEND_LIMIT && self->count < self->capacity &&
           arrival_next_ns(&self->arrivals) < before_ns && send_probe(self))
        sent++;
    return sent;
}

static oc_err_t closed(const probe_stream_t *self)
{
    return error_set(OC_ERR_CLOSED, "the venue closed the probes' session: %s",
                     oc_client_reason(self->client));
}

/* One turn: what is due goes out, what has come is taken. */
static oc_err_t turn(probe_stream_t *self, uint64_t before_ns)
{
    const unsigned sent = send_due(self, before_ns);
    if (oc_client_flush(self->client) != OC_ERR_OK ||
        oc_client_state(self->client) == OC_CLIENT_CLOSED)
        return closed(self);
    if (oc_client_poll(self->client, POLL_LIMIT) == 0 && sent == 0)
        (void)sched_yield();
    if (self->count == self->capacity)
        return error_set(OC_ERR_TOO_LONG, "%zu probes were not enough", self->capacity);
    return process_check_interrupted(OC_ERR_OK);
}

/* The end of a run may be noticed late, when this thread was off its processor: the probes that
 * were due meanwhile are those that the stall hit, and must not be left out. */
static oc_err_t catch_up(probe_stream_t *self)
{
    const uint64_t now_ns = clock_wall_ns();
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && arrival_next_ns(&self->arrivals) < now_ns) {
        if (clock_wall_ns() - now_ns > CATCH_UP_NS)
            return error_set(OC_ERR_TIMEOUT, "the venue takes no probes: %zu were not answered",
                             self->count - self->answered);
        err = turn(self, now_ns);
    }
    return err;
}

oc_err_t probe_stream_run(probe_stream_t *self, uint64_t until_ns, bool (*until)(void *context),
                          void *context)
{
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && clock_wall_ns() < until_ns && !(until && until(context)))
        err = turn(self, clock_wall_ns());
    return err == OC_ERR_OK ? catch_up(self) : err;
}

oc_err_t probe_stream_drain(probe_stream_t *self, uint64_t timeout_ns)
{
    const uint64_t begin_ns = clock_wall_ns();
    while (self->answered < self->count) {
        if (process_end_requested())
            return process_check_interrupted(OC_ERR_OK);
        if (oc_client_state(self->client) == OC_CLIENT_CLOSED)
            return closed(self);
        if (clock_wall_ns() - begin_ns > timeout_ns)
            return error_set(OC_ERR_TIMEOUT, "%zu of %zu probes were not answered",
                             self->count - self->answered, self->count);
        if (oc_client_poll(self->client, POLL_LIMIT) == 0)
            (void)sched_yield();
    }
    return OC_ERR_OK;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The window of the probes from place `first` on. */
static void judge(const probe_stream_t *self, size_t first, size_t count, probe_window_t *window)
{
    *window = (probe_window_t){.count = count};
    if (count == 0)
        return;
    uint64_t *latencies = malloc(count * sizeof *latencies);
    OC_ASSERT(latencies != NULL);
    for (size_t i = 0; i < count; i++)
        latencies[i] = self->probes[first + i].latency_ns;
    qsort(latencies, count, sizeof *latencies, compare);
    /* Nearest ranks. */
    window->p50_ns = latencies[(count * 50 + 99) / 100 - 1];
    window->p99_ns = latencies[(count * 99 + 99) / 100 - 1];
    window->p999_ns = latencies[(count * 999 + 999) / 1000 - 1];
    window->worst_ns = latencies[count - 1];
    free(latencies);
}

/* The first probe due at `at_ns` or behind it. */
static size_t lower_bound(const probe_stream_t *self, uint64_t at_ns)
{
    size_t low = 0;
    size_t high = self->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->probes[middle].intended_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void probe_stream_between(const probe_stream_t *self, uint64_t from_ns, uint64_t to_ns,
                          probe_window_t *window)
{
    const size_t first = lower_bound(self, from_ns);
    const size_t end = lower_bound(self, to_ns);
    judge(self, first, end > first ? end - first : 0, window);
}

void probe_stream_before(const probe_stream_t *self, uint64_t from_ns, uint64_t before_ns,
                         size_t count, probe_window_t *window)
{
    const size_t first = lower_bound(self, from_ns);
    const size_t end = lower_bound(self, before_ns);
    const size_t there = end > first ? end - first : 0;
    const size_t taken = count < there ? count : there;
    judge(self, end - taken, taken, window);
}
