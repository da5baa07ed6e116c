/*
 * Sending back. Called by the benches of the transport.
 *
 * Invariants: a message that the way back does not take yet is not consumed: it is looked at again,
 * so nothing is lost here unless nobody listens. The answer has the header and the size of the
 * question, so that all times in it are the sender's.
 */
#define _GNU_SOURCE
#include "bench/reflector.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/bench_host.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { POLL_LIMIT = 16 };

#define STEP_NS UINT64_C(1000000)

/* How long the last answer may take to leave before the publication is closed. */
#define LINGER_NS INT64_C(50000000)

static aeron_controlled_fragment_handler_action_t on_fragment(void *context, const uint8_t *buffer,
                                                              size_t length, aeron_header_t *header)
{
    reflector_t *self = context;
    wire_message_t message;
    (void)header;
    if (!wire_message_decode(&message, buffer, length)) {
        self->counts.strangers++;
        return AERON_ACTION_CONTINUE;
    }
    switch (wire_send(&self->out, &message, (uint32_t)length)) {
    case WIRE_SENT:
        self->counts.reflected++;
        break;
    case WIRE_BUSY:
        return AERON_ACTION_ABORT;
    case WIRE_AWAY:
    case WIRE_DEAD:
        /* A hello may come before the way back is open; it is said again. */
        self->counts.dropped += message.kind == WIRE_DATA;
        break;
    }
    self->goodbye |= message.kind == WIRE_GOODBYE;
    return AERON_ACTION_COMMIT;
}

/* Acquire: what was stored before the stall was asked for, its end set back, is older than the end
 * that is stored here. The end releases the beginning: who sees the one sees the other. */
static void stall_if_asked(reflector_t *self)
{
    const uint64_t stall_ns = atomic_load_explicit(&self->stall_ns, memory_order_acquire);
    if (LIKELY(stall_ns == 0))
        return;
    atomic_store_explicit(&self->stall_ns, 0, memory_order_relaxed);
    const uint64_t begin_ns = clock_wall_ns();
    const uint64_t until_ns = begin_ns + stall_ns;
    uint64_t now_ns = begin_ns;
    while (now_ns < until_ns) {
        const uint64_t left_ns = until_ns - now_ns;
        (void)nanosleep(&(struct timespec){.tv_sec = (time_t)(left_ns / 1000000000),
                                           .tv_nsec = (long)(left_ns % 1000000000)},
                        NULL);
        now_ns = clock_wall_ns();
    }
    atomic_store_explicit(&self->stall_begin_ns, begin_ns, memory_order_relaxed);
    atomic_store_explicit(&self->stall_end_ns, now_ns, memory_order_release);
}

static void idle(const reflector_t *self)
{
    if (self->yield)
        (void)sched_yield();
    else
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        ;
#endif
}

static oc_err_t step(reflector_t *self)
{
    (void)embedded_do_work(self->wire.embedded);
    if (embedded_closed(self->wire.embedded))
        return error_set(OC_ERR_CLOSED, "the reflector's driver in %s has ended",
                         embedded_dir(self->wire.embedded));
    return OC_ERR_OK;
}

/* One turn; the clock is looked at when there is nothing else to do, or often enough. */
static oc_err_t turn(reflector_t *self, unsigned *turns, uint64_t *step_ns)
{
    stall_if_asked(self);
    const int taken =
        aeron_subscription_controlled_poll(self->in.subscription, on_fragment, self, POLL_LIMIT);
    if (taken < 0)
        return error_set(OC_ERR_TRANSPORT, "the reflector: %s", embedded_error_line());
    if (taken == 0)
        idle(self);
    if (++*turns % 16 != 0)
        return OC_ERR_OK;
    const uint64_t now_ns = clock_wall_ns();
    if (now_ns < *step_ns)
        return OC_ERR_OK;
    *step_ns = now_ns + STEP_NS;
    return step(self);
}

/* ---- A thread -------------------------------------------------------------------------------- */

static void *thread_main(void *context)
{
    reflector_t *self = context;
    unsigned turns = 0;
    uint64_t step_ns = 0;
    oc_err_t err = self->cpu == REFLECTOR_CPU_ANY ? OC_ERR_OK : bench_host_pin(self->cpu);
    /* Relaxed: nothing else is handed over with it. */
    while (err == OC_ERR_OK && !atomic_load_explicit(&self->stop, memory_order_relaxed))
        err = turn(self, &turns, &step_ns);
    self->err = err;
    if (err != OC_ERR_OK)
        (void)snprintf(self->why, sizeof self->why, "%s", oc_err_context());
    return NULL;
}

oc_err_t reflector_join(reflector_t *self, const wire_t *other)
{
    memset(self, 0, sizeof *self);
    self->cpu = REFLECTOR_CPU_ANY;
    oc_err_t err = wire_join(&self->wire, other);
    if (err != OC_ERR_OK)
        return err;
    const wire_plan_t *plan = &self->wire.plan;
    err = wire_in_open(&self->in, &self->wire, plan->channel, plan->stream);
    if (err != OC_ERR_OK)
        wire_close(&self->wire);
    return err;
}

oc_err_t reflector_start(reflector_t *self, const char *back_channel)
{
    const oc_err_t err =
        wire_out_open(&self->out, &self->wire, back_channel, self->wire.plan.back_stream);
    if (err != OC_ERR_OK)
        return err;
    if (pthread_create(&self->thread, NULL, thread_main, self) != 0)
        return error_set(OC_ERR_NO_MEMORY, "the reflector: no thread");
    self->running = true;
    return OC_ERR_OK;
}

oc_err_t reflector_end(reflector_t *self)
{
    if (self->running) {
        atomic_store_explicit(&self->stop, true, memory_order_relaxed);
        (void)pthread_join(self->thread, NULL);
    }
    self->running = false;
    wire_out_close(&self->out);
    wire_in_close(&self->in);
    wire_close(&self->wire);
    return self->err == OC_ERR_OK ? OC_ERR_OK : error_set(self->err, "%s", self->why);
}

void reflector_stall(reflector_t *self, uint64_t stall_ns)
{
    atomic_store_explicit(&self->stall_end_ns, 0, memory_order_relaxed);
    /* Release: who sees it sees that the end is set back. */
    atomic_store_explicit(&self->stall_ns, stall_ns, memory_order_release);
}

/* ---- A process ------------------------------------------------------------------------------- */

static oc_err_t serve(reflector_t *self)
{
    unsigned turns = 0;
    uint64_t step_ns = 0;
    oc_err_t err = self->cpu == REFLECTOR_CPU_ANY ? OC_ERR_OK : bench_host_pin(self->cpu);
    while (err == OC_ERR_OK && !process_end_requested() && !self->goodbye)
        err = turn(self, &turns, &step_ns);
    if (err == OC_ERR_OK)
        (void)nanosleep(&(struct timespec){.tv_nsec = LINGER_NS}, NULL);
    return err;
}

oc_err_t reflector_serve(reflector_t *self, const wire_options_t *options,
                         void (*ready)(const wire_t *wire))
{
    oc_err_t err = wire_open(&self->wire, options);
    if (err != OC_ERR_OK)
        return err;
    const wire_plan_t *plan = &self->wire.plan;
    err = wire_in_open(&self->in, &self->wire, plan->channel, plan->stream);
    if (err == OC_ERR_OK)
        err = wire_out_open(&self->out, &self->wire, plan->back, plan->back_stream);
    if (err == OC_ERR_OK) {
        ready(&self->wire);
        err = serve(self);
    }
    wire_out_close(&self->out);
    wire_in_close(&self->in);
    wire_close(&self->wire);
    return err;
}
