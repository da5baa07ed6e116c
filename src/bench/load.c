/*
 * The loop of a load. Called by `outcry load`, `outcry bench node` and the demo.
 *
 * Invariants: a command keeps its intended time until it is sent, however late; the schedule goes
 * on while a venue is away, and what could not be sent by the end is counted, not forgotten. It
 * must not block: everything happens in the polls of the links.
 */
#define _GNU_SOURCE
#include "bench/load.h"

#include "base/assert.h"
#include "base/cycle_clock.h"

#include <sched.h>
#include <string.h>
#include <time.h>

enum {
    POLL_LIMIT = 64,
    SEND_LIMIT = 256, /* sends between two polls */
};

#define CATCH_UP_NS UINT64_C(1000000000)

typedef struct load_loop {
    const load_config_t *config;
    arrival_t *arrivals; /* NULL: closed loop */
    uint64_t start_ns;
    uint64_t end_ns;      /* of sending */
    uint64_t sent;        /* by all clients */
    uint64_t intended_ns; /* of the last of them, */
    uint64_t sent_ns;     /* and when it was */
    uint64_t answered;    /* seen so far */
    uint64_t answer_ns;   /* when it last grew */
    uint64_t behind_ns;   /* at the end of the schedule */
    bool closed;
} load_loop_t;

/* False when the client takes no more for now. */
static bool send_one(load_loop_t *self, load_client_t *client, uint64_t intended_ns,
                     uint64_t now_ns)
{
    oc_command_t command;
    uint64_t sequence;
    if (!client->session.logged_on)
        return false;
    load_session_next(&client->session, &command);
    if (client->link.send(client->link.context, &command, &sequence) != OC_ERR_OK)
        return false;
    load_session_sent(&client->session, sequence, intended_ns, now_ns);
    self->sent++;
    self->intended_ns = intended_ns;
    self->sent_ns = now_ns;
    return true;
}

static load_client_t *client_in_turn(const load_loop_t *self)
{
    return &self->config->clients[self->sent % self->config->client_count];
}

static bool given_up(const load_loop_t *self)
{
    return self->config->give_up && self->config->give_up();
}

/* Nothing is left to send. */
static bool is_exhausted(const load_loop_t *self)
{
    const uint64_t most = self->config->commands_max;
    return (most && self->sent >= most) ||
           (self->arrivals && arrival_next_ns(self->arrivals) == UINT64_MAX);
}

/* An open loop has until the catch-up time to send what was intended before the end. */
static bool sending(const load_loop_t *self, uint64_t now_ns)
{
    if (is_exhausted(self))
        return false;
    if ((self->config->stop && self->config->stop()) || given_up(self))
        return false;
    if (!self->arrivals)
        return now_ns < self->end_ns;
    return arrival_next_ns(self->arrivals) < self->end_ns && now_ns < self->end_ns + CATCH_UP_NS;
}

static unsigned send_due(load_loop_t *self)
{
    unsigned count = 0;
    uint64_t now_ns = clock_wall_ns();
    while (count < SEND_LIMIT && sending(self, now_ns) &&
           arrival_next_ns(self->arrivals) <= now_ns) {
        if (!send_one(self, client_in_turn(self), arrival_next_ns(self->arrivals), now_ns))
            break;
        arrival_advance(self->arrivals);
        now_ns = clock_wall_ns();
        count++;
    }
    return count;
}

static unsigned send_window(load_loop_t *self)
{
    unsigned count = 0;
    uint64_t now_ns = clock_wall_ns();
    while (count < SEND_LIMIT && sending(self, now_ns)) {
        load_client_t *client = client_in_turn(self);
        if (load_session_waiting(&client->session) >= self->config->window ||
            !send_one(self, client, now_ns, now_ns))
            break;
        now_ns = clock_wall_ns();
        count++;
    }
    return count;
}

/* Flushes and polls every client; returns how much was received. */
static size_t exchange(load_loop_t *self)
{
    size_t received = 0;
    uint64_t answered = 0;
    for (size_t i = 0; i < self->config->client_count; i++) {
        load_client_t *client = &self->config->clients[i];
        /* A closed client shows in its state just below. */
        (void)client->link.flush(client->link.context);
        received += client->link.poll(client->link.context, POLL_LIMIT);
        answered += client->session.counts.answered;
        self->closed |= client->link.state(client->link.context) == OC_CLIENT_CLOSED;
    }
    if (answered != self->answered) {
        self->answered = answered;
        self->answer_ns = clock_wall_ns();
    }
    return received;
}

/* Nothing to do just now: the venue may be on this very processor. */
static void idle(const load_loop_t *self)
{
    const struct timespec pause = {.tv_nsec = (long)self->config->pause_ns};
    if (self->config->pause_ns)
        (void)nanosleep(&pause, NULL);
    else
        (void)sched_yield();
}

static void run_schedule(load_loop_t *self)
{
    for (;;) {
        const uint64_t now_ns = clock_wall_ns();
        if (!sending(self, now_ns) || self->closed)
            break;
        if (self->arrivals && now_ns >= self->end_ns && self->behind_ns == 0)
            self->behind_ns = self->end_ns - arrival_next_ns(self->arrivals);
        const unsigned sent = self->arrivals ? send_due(self) : send_window(self);
        if (exchange(self) == 0 && sent == 0)
            idle(self);
    }
}

/* A venue that restarts counts as going on once it answers again, so the grace begins anew. */
static void await_answers(load_loop_t *self)
{
    const uint64_t begin_ns = clock_wall_ns();
    while (self->answered < self->sent && !self->closed && !given_up(self)) {
        if (exchange(self) == 0)
            idle(self);
        const uint64_t since_ns = self->answer_ns > begin_ns ? self->answer_ns : begin_ns;
        if (clock_wall_ns() - since_ns > self->config->grace_ns)
            break;
    }
    /* What comes behind the last answer: fills, and whatever comes twice. */
    const uint64_t quiet_ns = clock_wall_ns();
    while (!self->closed && clock_wall_ns() - quiet_ns < UINT64_C(20000000))
        if (exchange(self) == 0)
            idle(self);
}

static void add_counts(load_counts_t *sum, const load_counts_t *one)
{
    sum->sent += one->sent;
    sum->answered += one->answered;
    sum->rejected += one->rejected;
    sum->doubled += one->doubled;
    sum->missed += one->missed;
    sum->fills += one->fills;
    sum->sequences += one->sequences;
    sum->messages += one->messages;
    sum->late += one->late;
    sum->out_of_order += one->out_of_order;
    sum->warm_sent += one->warm_sent;
    sum->warm_answered += one->warm_answered;
    sum->warm_late += one->warm_late;
}

/* Takes long (arrival_count_before()). */
static uint64_t intended(const load_loop_t *self)
{
    const uint64_t most = self->config->commands_max;
    if (!self->arrivals || is_exhausted(self))
        return self->sent;
    const uint64_t due = arrival_count_before(self->arrivals, self->end_ns);
    return most && due > most ? most : due;
}

/* The schedule is over when its time is, or with the last command before that. */
static void put_schedule(const load_loop_t *self, load_result_t *result)
{
    result->schedule_ns = self->config->duration_ns;
    result->behind_ns = self->behind_ns;
    if (!self->arrivals || self->behind_ns != 0 || !is_exhausted(self))
        return;
    result->schedule_ns = self->intended_ns - self->start_ns;
    result->behind_ns = self->sent_ns - self->intended_ns;
}

void load_run(const load_config_t *config, load_recorder_t *recorder, load_result_t *result)
{
    OC_ASSERT(config->client_count > 0);
    OC_ASSERT(config->pause_ns < UINT64_C(1000000000));
    OC_ASSERT(config->arrivals || config->window > 0);
    memset(result, 0, sizeof *result);
    const uint64_t cpu_ns = clock_cpu_ns();
    load_loop_t loop = {
        .config = config, .arrivals = config->arrivals, .start_ns = clock_wall_ns()};
    loop.end_ns = loop.start_ns + config->duration_ns;
    loop.answer_ns = loop.start_ns;
    recorder->line.start_ns = loop.start_ns;
    if (config->arrivals)
        arrival_start(config->arrivals, loop.start_ns);
    run_schedule(&loop);
    put_schedule(&loop, result);
    result->sending_ns = clock_wall_ns() - loop.start_ns;
    if (config->stop && config->stop() && result->sending_ns < config->duration_ns)
        loop.end_ns = loop.start_ns + result->sending_ns;
    await_answers(&loop);
    result->cpu_ns = clock_cpu_ns() - cpu_ns;
    result->unsent = intended(&loop) - loop.sent;
    for (size_t i = 0; i < config->client_count; i++)
        add_counts(&result->counts, &config->clients[i].session.counts);
    result->lost = result->counts.sent - result->counts.answered;
    result->answered_ns = loop.answer_ns - loop.start_ns;
    result->closed = loop.closed;
}

uint64_t load_result_faults(const load_result_t *result)
{
    return result->lost + result->counts.missed + result->counts.doubled;
}

bool load_result_kept(const load_result_t *result)
{
    return result->unsent == 0 && arrival_kept(result->schedule_ns, result->behind_ns);
}
