/*
 * The receiver of bursts. Called by bench_burst.c, on a thread of its own.
 *
 * Invariants: memory is taken when a run says hello, which is long before its first burst; nothing
 * is allocated while one is received. Latency is told only by a clock that both ends share.
 */
#define _GNU_SOURCE
#include "bench/burst_receiver.h"

#include "base/cycle_clock.h"
#include "base/error.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define FRAGMENTS 128
#define STEP_NS   UINT64_C(1000000) /* of the client */

oc_err_t burst_receiver_init(burst_receiver_t *self)
{
    memset(self, 0, sizeof *self);
    self->latency = histogram_create();
    self->service = histogram_create();
    if (self->latency != NULL && self->service != NULL)
        return OC_ERR_OK;
    burst_receiver_fini(self);
    return error_set(OC_ERR_NO_MEMORY, "bursts: no memory for histograms");
}

void burst_receiver_fini(burst_receiver_t *self)
{
    for (int i = 0; i < BURST_SENDERS_MAX; i++)
        sequence_account_fini(&self->streams[i].account);
    burst_absorb_fini(&self->absorb);
    histogram_destroy(self->latency);
    histogram_destroy(self->service);
    self->latency = NULL;
    self->service = NULL;
}

static void keep_error(burst_receiver_t *self, oc_err_t err)
{
    self->err = err;
    (void)snprintf(self->why, sizeof self->why, "%s", oc_err_context());
}

static void begin(burst_receiver_t *self, burst_sender_id_t id, const burst_hello_t *hello)
{
    const uint64_t machine = burst_machine();
    self->id = id;
    self->hello = *hello;
    self->same_clock = machine != 0 && machine == hello->machine;
    oc_err_t err =
        burst_absorb_init(&self->absorb, hello->bursts, (uint64_t)hello->size * id.senders);
    for (int i = 0; i < id.senders && err == OC_ERR_OK; i++)
        err = sequence_account_init(&self->streams[i].account);
    if (err == OC_ERR_OK)
        self->begun = true;
    else
        keep_error(self, err);
}

static bool is_same(const burst_hello_t *one, const burst_hello_t *other)
{
    return one->bursts == other->bursts && one->size == other->size &&
           one->warmup == other->warmup && one->machine == other->machine;
}

static bool take_hello(burst_receiver_t *self, burst_sender_id_t id, const wire_message_t *message)
{
    burst_hello_t hello;
    if (!burst_hello_decode(&hello, message))
        return false;
    if (!self->begun && self->err == OC_ERR_OK)
        begin(self, id, &hello);
    return self->begun && id.run == self->id.run && is_same(&hello, &self->hello);
}

static bool take_data(burst_receiver_t *self, burst_sender_id_t id, const wire_message_t *message,
                      uint64_t now_ns)
{
    const uint32_t burst = (uint32_t)(message->sequence >> 32);
    const uint32_t place = (uint32_t)message->sequence;
    if (burst >= self->hello.bursts || place >= self->hello.size)
        return false;
    sequence_account_t *account = &self->streams[id.index].account;
    if (!sequence_account_take(account, (uint64_t)burst * self->hello.size + place))
        return true; /* again: it is in no other figure */
    burst_absorb_take(&self->absorb, burst, now_ns);
    if (self->same_clock && burst >= self->hello.warmup) {
        histogram_record(self->latency,
                         now_ns > message->intended_ns ? now_ns - message->intended_ns : 0);
        histogram_record(self->service, now_ns > message->sent_ns ? now_ns - message->sent_ns : 0);
    }
    return true;
}

static bool take_goodbye(burst_receiver_t *self, burst_sender_id_t id,
                         const wire_message_t *message)
{
    burst_stream_t *stream = &self->streams[id.index];
    if (message->sequence > (uint64_t)self->hello.bursts * self->hello.size)
        return false;
    self->goodbyes += !stream->goodbye;
    stream->goodbye = true;
    stream->sent = message->sequence;
    return true;
}

void burst_receiver_take(burst_receiver_t *self, const wire_message_t *message, uint64_t now_ns)
{
    const burst_sender_id_t id = burst_sender_unpack(message->sender);
    const bool of_run = self->begun && id.run == self->id.run && id.senders == self->id.senders &&
                        id.index < id.senders;
    bool known = false;
    if (message->kind == WIRE_HELLO)
        known = take_hello(self, id, message);
    else if (of_run && message->kind == WIRE_DATA)
        known = take_data(self, id, message, now_ns);
    else if (of_run && message->kind == WIRE_GOODBYE)
        known = take_goodbye(self, id, message);
    self->strangers += !known;
}

bool burst_receiver_done(const burst_receiver_t *self)
{
    return self->begun && self->goodbyes == self->id.senders;
}

static void on_fragment(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    burst_receiver_t *self = context;
    wire_message_t message;
    (void)header;
    if (wire_message_decode(&message, bytes, length))
        burst_receiver_take(self, &message, clock_wall_ns());
    else
        self->strangers++;
}

void burst_receiver_run(burst_receiver_t *self, wire_t *wire, wire_in_t *in)
{
    uint64_t stepped_ns = 0;
    /* Relaxed: nothing but the flag itself matters, and how many were seen is only looked at. */
    while (!atomic_load_explicit(&self->stop, memory_order_relaxed) && self->err == OC_ERR_OK &&
           !burst_receiver_done(self)) {
        const int taken = wire_poll(in, on_fragment, self, FRAGMENTS);
        const uint64_t now_ns = clock_wall_ns();
        if (taken < 0)
            keep_error(self,
                       error_set(OC_ERR_TRANSPORT, "the subscription: %s", embedded_error_line()));
        if (taken > 0)
            atomic_fetch_add_explicit(&self->seen, (uint64_t)taken, memory_order_relaxed);
        if (now_ns - stepped_ns >= STEP_NS) {
            stepped_ns = now_ns;
            (void)embedded_do_work(wire->embedded);
            if (embedded_closed(wire->embedded))
                keep_error(self, error_set(OC_ERR_CLOSED, "the driver took its client for dead"));
            if (self->begun && taken == 0 && !wire_in_connected(in))
                break;
        }
        if (taken == 0)
            (void)sched_yield();
    }
}

void burst_receiver_tally(const burst_receiver_t *self, burst_tally_t *tally)
{
    memset(tally, 0, sizeof *tally);
    for (int i = 0; i < self->id.senders; i++) {
        const burst_stream_t *stream = &self->streams[i];
        const uint64_t sent = stream->goodbye ? stream->sent : stream->account.next;
        tally->received += stream->account.received;
        tally->lost += sent > stream->account.received ? sent - stream->account.received : 0;
        tally->doubled += stream->account.doubled;
        tally->out_of_order += stream->account.out_of_order;
        tally->silent += !stream->goodbye;
    }
}
