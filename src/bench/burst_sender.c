/*
 * A sender of bursts. Called by bench_burst.c.
 *
 * Invariants: intended times come from the schedule alone; the time of the send is taken anew for
 * each attempt, right before it. Far from the next message it sleeps, close to it it spins: a
 * burst's start costs no wake-up.
 */
#define _GNU_SOURCE
#include "bench/burst_sender.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "bench/bench_host.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define AWAKE_NS     UINT64_C(300000)
#define SLEEP_NS_MAX UINT64_C(20000000)
#define YIELD_NS     UINT64_C(20000)
#define TRIES        64 /* in a row, before the processor is given away */

/* Relaxed: nothing but the flag itself matters. */
static bool stopped(const burst_sender_t *self)
{
    return atomic_load_explicit(&self->stop, memory_order_relaxed);
}

static bool wait_until(const burst_sender_t *self, uint64_t intended_ns)
{
    for (;;) {
        const uint64_t now_ns = clock_wall_ns();
        if (now_ns >= intended_ns)
            return true;
        if (stopped(self))
            return false;
        const uint64_t left_ns = intended_ns - now_ns;
        if (left_ns > AWAKE_NS) {
            const uint64_t sleep_ns = left_ns - AWAKE_NS;
            const struct timespec pause = {
                .tv_nsec = (long)(sleep_ns < SLEEP_NS_MAX ? sleep_ns : SLEEP_NS_MAX)};
            (void)nanosleep(&pause, NULL);
        } else if (left_ns > YIELD_NS) {
            (void)sched_yield();
        }
    }
}

/* Until it is taken. False: there is no use in going on. */
static bool send(burst_sender_t *self, wire_message_t *message, uint32_t bytes)
{
    uint64_t first_ns = 0;
    for (uint64_t tries = 1;; tries++) {
        message->sent_ns = message->kind == WIRE_HELLO ? message->sent_ns : clock_wall_ns();
        const wire_sent_t result = wire_send(&self->out, message, bytes);
        if (result == WIRE_SENT)
            return true;
        if (result != WIRE_BUSY) {
            self->gone = true;
            return false;
        }
        if (tries == 1)
            first_ns = clock_wall_ns();
        else if (tries == 2)
            self->back_pressured++;
        if (tries % TRIES != 0)
            continue;
        self->gone = clock_wall_ns() - first_ns > self->stuck_ns;
        if (self->gone || stopped(self))
            return false;
        (void)sched_yield();
    }
}

static void note_time(burst_sender_t *self, const wire_message_t *message, uint32_t place)
{
    const uint64_t late_ns = message->sent_ns - message->intended_ns;
    self->late += late_ns > BURST_LATE_NS;
    if (place == 0 && late_ns > self->start_late_ns)
        self->start_late_ns = late_ns;
}

static void send_all(burst_sender_t *self)
{
    const uint64_t planned = burst_sender_planned(self);
    const uint32_t sender = burst_sender_pack(self->id);
    uint64_t last_ns = 0;
    uint32_t burst = 0;
    uint32_t place = 0;
    while (self->sent < planned) {
        uint32_t bytes = arrival_next_bytes(&self->arrivals);
        wire_message_t message = {
            .sequence = burst_sequence(burst, place),
            .intended_ns = arrival_next_ns(&self->arrivals),
            .sender = sender,
            .kind = WIRE_DATA,
        };
        if (bytes < WIRE_MESSAGE_MIN) {
            bytes = WIRE_MESSAGE_MIN;
            self->raised++;
        }
        if (!wait_until(self, message.intended_ns) || !send(self, &message, bytes))
            return;
        if (burst >= self->hello.warmup)
            note_time(self, &message, place);
        self->overlapped += place == 0 && last_ns > message.intended_ns;
        last_ns = message.sent_ns;
        self->sent++;
        if (++place == self->hello.size) {
            place = 0;
            burst++;
        }
        arrival_advance(&self->arrivals);
    }
}

void burst_sender_run(burst_sender_t *self)
{
    wire_message_t message;
    if (self->cpu != BENCH_HOST_CPU_ANY) {
        self->err = bench_host_pin(self->cpu);
        (void)snprintf(self->why, sizeof self->why, "%s", self->err ? oc_err_context() : "");
        if (self->err != OC_ERR_OK)
            return;
    }
    arrival_start(&self->arrivals, self->start_ns);
    burst_hello_encode(&self->hello, self->id, &message);
    if (!send(self, &message, WIRE_MESSAGE_MIN))
        return;
    send_all(self);
    message = (wire_message_t){
        .sequence = self->sent, .sender = burst_sender_pack(self->id), .kind = WIRE_GOODBYE};
    if (!self->gone)
        (void)send(self, &message, WIRE_MESSAGE_MIN);
}

static void *thread_main(void *context)
{
    burst_sender_t *self = context;
    burst_sender_run(self);
    /* Release: whoever sees it sees the figures, too. */
    atomic_store_explicit(&self->ended, true, memory_order_release);
    return NULL;
}

oc_err_t burst_sender_start(burst_sender_t *self)
{
    const int failed = pthread_create(&self->thread, NULL, thread_main, self);
    if (failed != 0)
        return error_set(OC_ERR_NO_MEMORY, "no thread for a sender: %s", strerror(failed));
    self->running = true;
    return OC_ERR_OK;
}

void burst_sender_join(burst_sender_t *self)
{
    if (self->running)
        (void)pthread_join(self->thread, NULL);
    self->running = false;
}
