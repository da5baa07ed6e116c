/*
 * The loop of an echo. Called by the benches of the transport.
 *
 * Invariants: a message keeps its intended time until it is sent, however late; what could not be
 * sent is counted, not forgotten. Whatever waits takes echoes meanwhile: the other end would wait
 * for this one otherwise. From the moment that the transport refuses a message until one is on time
 * again, a send is held up if at least half of its lateness is what was refused since: a sender
 * that is too slow stays the one to blame, however often the transport refuses for a moment.
 *
 * While echoes may be under way it must do nothing that takes long: they would wait for it.
 */
#define _GNU_SOURCE
#include "bench/echo_loop.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <sched.h>
#include <string.h>

enum {
    POLL_LIMIT = 2,   /* echoes between two looks at the clock: about 0.3 us */
    DRAIN_LIMIT = 64, /* when nothing is to be sent */
};

#define STEP_NS  UINT64_C(1000000)
#define QUIET_NS UINT64_C(20000000)

typedef struct echo_loop {
    const echo_load_t *load;
    const echo_link_t *link;
    echo_account_t *account;
    echo_result_t *result;
    arrival_t *arrivals;
    uint64_t start_ns;
    uint64_t end_ns; /* of the schedule */
    uint64_t midway_ns;
    uint64_t step_ns;      /* when it is next */
    uint64_t refused_ns;   /* since when a message is refused; 0: none is */
    uint64_t held_ns;      /* refused in all since one was on time */
    uint64_t intended_ns;  /* of the last send, */
    uint64_t sent_ns;      /* and when it was */
    uint64_t count_end_ns; /* up to here messages are counted as intended; 0: those sent are all */
    oc_err_t err;
} echo_loop_t;

/* ---- Duties ---------------------------------------------------------------------------------- */

static void fail(echo_loop_t *self, const char *what)
{
    if (self->err == OC_ERR_OK)
        self->err = error_set(OC_ERR_CLOSED, "the %s was closed: its driver has ended", what);
}

/* Now and then; returns the time after it. */
static uint64_t step(echo_loop_t *self, uint64_t now_ns)
{
    if (LIKELY(now_ns < self->step_ns))
        return now_ns;
    self->step_ns = now_ns + STEP_NS;
    if (self->err == OC_ERR_OK)
        self->err = self->link->step(self->link->context);
    if (self->midway_ns && now_ns >= self->midway_ns) {
        self->midway_ns = 0;
        self->load->midway(self->load->midway_context);
    }
    if (self->load->stop && self->load->stop())
        self->result->stopped = true;
    return clock_wall_ns();
}

static int take_echoes(echo_loop_t *self, size_t limit)
{
    const int taken = self->link->poll(self->link->context, self->account, limit);
    if (UNLIKELY(taken < 0))
        fail(self, "subscription");
    return taken;
}

static void idle(const echo_loop_t *self)
{
    if (self->load->yield)
        (void)sched_yield();
    else
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        ;
#endif
}

/* ---- Sending --------------------------------------------------------------------------------- */

/* Nothing is left to send. */
static bool is_exhausted(const echo_loop_t *self)
{
    const uint64_t most = self->load->messages_max;
    return (most && self->account->counts.sent >= most) ||
           (self->arrivals && arrival_next_ns(self->arrivals) == UINT64_MAX);
}

static bool enough(const echo_loop_t *self)
{
    return self->result->stopped || self->err != OC_ERR_OK || is_exhausted(self);
}

/* False: not now. */
static bool send_one(echo_loop_t *self, uint64_t intended_ns, uint64_t now_ns, uint32_t bytes)
{
    const wire_message_t message = {.sequence = self->account->counts.sent,
                                    .intended_ns = intended_ns,
                                    .sent_ns = now_ns,
                                    .sender = self->load->sender,
                                    .kind = WIRE_DATA};
    const wire_sent_t sent = self->link->send(self->link->context, &message, bytes);
    if (UNLIKELY(sent != WIRE_SENT)) {
        if (sent == WIRE_DEAD)
            fail(self, "publication");
        if (self->refused_ns == 0)
            self->refused_ns = now_ns;
        return false;
    }
    if (UNLIKELY(self->refused_ns != 0)) {
        self->result->blocked_ns += now_ns - self->refused_ns;
        self->held_ns += now_ns - self->refused_ns;
        self->refused_ns = 0;
    } else if (now_ns - intended_ns <= ECHO_LATE_NS) {
        self->held_ns = 0;
    }
    const bool held = self->held_ns != 0 && self->held_ns * 2 >= now_ns - intended_ns;
    echo_account_sent(self->account, intended_ns, now_ns, held);
    self->intended_ns = intended_ns;
    self->sent_ns = now_ns;
    return true;
}

/* At the end of the schedule, which is `end_ns` unless the last message was earlier. */
static void end_schedule(echo_loop_t *self, uint64_t end_ns)
{
    echo_result_t *result = self->result;
    const uint64_t due_ns = arrival_next_ns(self->arrivals);
    if (is_exhausted(self)) {
        result->schedule_ns = self->intended_ns - self->start_ns;
        result->behind_ns = self->sent_ns - self->intended_ns;
    } else {
        self->count_end_ns = end_ns;
        result->schedule_ns = end_ns - self->start_ns;
        result->behind_ns = end_ns > due_ns ? end_ns - due_ns : 0;
    }
}

/* Takes long (arrival_count_before()). */
static uint64_t count_intended(const echo_loop_t *self)
{
    const uint64_t most = self->load->messages_max;
    if (self->count_end_ns == 0)
        return self->account->counts.sent;
    const uint64_t due = arrival_count_before(self->arrivals, self->count_end_ns);
    return most && due > most ? most : due;
}

static void run_open(echo_loop_t *self)
{
    bool over = false;
    const uint64_t last_ns = self->end_ns + self->load->catch_up_ns;
    while (!enough(self)) {
        const uint64_t now_ns = step(self, clock_wall_ns());
        const uint64_t due_ns = arrival_next_ns(self->arrivals);
        bool sent = false;
        if (UNLIKELY(now_ns >= self->end_ns)) {
            if (!over)
                end_schedule(self, self->end_ns);
            over = true;
            if (due_ns >= self->end_ns || now_ns >= last_ns)
                break;
        }
        if (due_ns <= now_ns && due_ns < self->end_ns) {
            const uint32_t bytes = arrival_next_bytes(self->arrivals);
            sent =
                send_one(self, due_ns, now_ns, bytes < WIRE_MESSAGE_MIN ? WIRE_MESSAGE_MIN : bytes);
            if (sent)
                arrival_advance(self->arrivals);
        }
        if (take_echoes(self, POLL_LIMIT) == 0 && !sent)
            idle(self);
    }
    if (!over) {
        const uint64_t now_ns = clock_wall_ns();
        end_schedule(self, self->result->stopped && now_ns < self->end_ns ? now_ns : self->end_ns);
    }
}

static void run_closed(echo_loop_t *self)
{
    while (!enough(self)) {
        const uint64_t now_ns = step(self, clock_wall_ns());
        if (now_ns >= self->end_ns)
            break;
        const bool sent = echo_account_waiting(self->account) < self->load->window &&
                          send_one(self, now_ns, now_ns, self->load->bytes);
        if (take_echoes(self, POLL_LIMIT) == 0 && !sent)
            idle(self);
    }
}

/* ---- The end --------------------------------------------------------------------------------- */

static void await_echoes(echo_loop_t *self)
{
    uint64_t received = self->account->counts.received;
    uint64_t news_ns = clock_wall_ns();
    uint64_t quiet_ns = 0;
    while (self->err == OC_ERR_OK) {
        const uint64_t now_ns = step(self, clock_wall_ns());
        const uint64_t waiting = echo_account_waiting(self->account);
        if (self->account->counts.received != received)
            news_ns = now_ns;
        received = self->account->counts.received;
        /* Behind the last one comes what comes twice. */
        if (waiting == 0 && quiet_ns == 0)
            quiet_ns = now_ns;
        if ((waiting == 0 && now_ns - quiet_ns > QUIET_NS) ||
            (waiting > 0 && now_ns - news_ns > self->load->grace_ns))
            break;
        if (take_echoes(self, DRAIN_LIMIT) == 0)
            idle(self);
    }
}

oc_err_t echo_loop_run(const echo_load_t *load, const echo_link_t *link, echo_account_t *account,
                       echo_result_t *result)
{
    OC_ASSERT(load->arrivals || load->window > 0);
    OC_ASSERT(load->warmup_ns < load->duration_ns);
    memset(result, 0, sizeof *result);
    result->closed_loop = load->arrivals == NULL;
    const uint64_t cpu_ns = clock_cpu_ns();
    echo_loop_t loop = {.load = load,
                        .link = link,
                        .account = account,
                        .result = result,
                        .arrivals = load->arrivals,
                        .start_ns = clock_wall_ns()};
    loop.end_ns = loop.start_ns + load->duration_ns;
    if (load->midway)
        loop.midway_ns = loop.end_ns - (load->duration_ns - load->warmup_ns) / 2;
    echo_account_begin(account, loop.start_ns, load->warmup_ns, load->sender);
    if (load->arrivals) {
        arrival_start(load->arrivals, loop.start_ns);
        run_open(&loop);
    } else {
        run_closed(&loop);
    }
    result->sending_ns = clock_wall_ns() - loop.start_ns;
    if (loop.refused_ns != 0)
        result->blocked_ns += loop.start_ns + result->sending_ns - loop.refused_ns;
    await_echoes(&loop);
    result->cpu_ns = clock_cpu_ns() - cpu_ns;
    echo_account_end(account);
    result->counts = account->counts;
    result->intended = count_intended(&loop);
    result->unsent =
        result->intended > account->counts.sent ? result->intended - account->counts.sent : 0;
    result->lost = echo_account_waiting(account);
    return loop.err;
}

/* ---- What it was worth ----------------------------------------------------------------------- */

echo_limit_t echo_result_limit(const echo_result_t *result)
{
    if (result->unsent == 0 && arrival_kept(result->schedule_ns, result->behind_ns))
        return ECHO_KEPT;
    const bool refused = result->blocked_ns * 2 > result->sending_ns ||
                         result->counts.held * 2 > result->counts.late;
    return refused ? ECHO_TRANSPORT_LIMIT : ECHO_SENDER_LIMIT;
}

const char *echo_result_mode(const echo_result_t *result)
{
    return result->closed_loop ? "closed loop: not latency at a rate" : "open loop";
}

bool echo_result_failed(const echo_result_t *result)
{
    return result->lost > 0 || result->counts.doubled > 0 || echo_result_limit(result) != ECHO_KEPT;
}
