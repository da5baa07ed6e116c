/*
 * The loop of an echo against links of memory: that echo at once, that take nothing for a while or
 * at all, that lose, double and break. No time is checked that a busy machine could spoil.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/error.h"
#include "bench/echo_loop.h"

#include <sched.h>
#include <string.h>

#define MS UINT64_C(1000000)

enum { QUEUE = 1 << 16 };

typedef struct link {
    wire_message_t queue[QUEUE];
    uint64_t head;
    uint64_t tail;
    uint64_t waiting_max; /* seen */
    uint64_t bytes;
    uint64_t sends;   /* asked for */
    uint64_t lose;    /* the echo of every so-manieth; 0: none */
    uint64_t twice;   /* this sequence comes twice; UINT64_MAX: none */
    uint64_t full_at; /* takes nothing for a while from this sequence on */
    uint64_t full_ns; /* so long */
    uint64_t full_from_ns;
    uint64_t refused_ns[2]; /* when it was full at the second asking, and at the last */
    uint64_t refusals;
    uint64_t dead_at;     /* the publication, at so many sends; 0: never */
    uint64_t slow_ns;     /* each send takes so long */
    uint64_t refuse;      /* every so-manieth is refused once; 0: none */
    uint64_t refused;     /* this one was */
    uint64_t poll_cpu_ns; /* of this thread, at the last poll; 0: there was none */
    uint64_t gap_cpu_ns;  /* the most between two */
    uint64_t steps;
    bool broken; /* the subscription */
    bool ended;  /* the driver */
} link_t;

static link_t memory;
static echo_account_t account;
static arrival_t arrivals;
static echo_result_t result;

static uint64_t yields;

/* Instead of the system's. */
int sched_yield(void)
{
    yields++;
    return 0;
}

static wire_sent_t link_send(void *context, const wire_message_t *message, uint32_t bytes)
{
    link_t *self = context;
    const uint64_t now_ns = clock_wall_ns();
    self->sends++;
    if (message->sequence == self->full_at && self->full_from_ns == 0)
        self->full_from_ns = now_ns;
    if (self->dead_at && self->sends >= self->dead_at)
        return WIRE_DEAD;
    if (self->full_from_ns && now_ns - self->full_from_ns < self->full_ns) {
        self->refused_ns[self->refusals++ > 1] = now_ns;
        return self->sends % 2 ? WIRE_BUSY : WIRE_AWAY;
    }
    if (self->refuse && message->sequence % self->refuse == self->refuse - 1 &&
        message->sequence != self->refused) {
        self->refused = message->sequence;
        return WIRE_BUSY;
    }
    while (clock_wall_ns() - now_ns < self->slow_ns)
        continue;
    assert_true(message->sent_ns >= message->intended_ns && message->sent_ns <= now_ns);
    self->bytes += bytes;
    if (self->lose && message->sequence % self->lose == self->lose - 1)
        return WIRE_SENT;
    for (int i = 0; i <= (message->sequence == self->twice ? 1 : 0); i++) {
        assert_true(self->tail - self->head < QUEUE);
        self->queue[self->tail++ % QUEUE] = *message;
    }
    if (self->tail - self->head > self->waiting_max)
        self->waiting_max = self->tail - self->head;
    return WIRE_SENT;
}

static int link_poll(void *context, echo_account_t *into, size_t limit)
{
    link_t *self = context;
    int taken = 0;
    if (self->broken)
        return -1;
    const uint64_t cpu_ns = clock_cpu_ns();
    if (self->poll_cpu_ns && cpu_ns - self->poll_cpu_ns > self->gap_cpu_ns)
        self->gap_cpu_ns = cpu_ns - self->poll_cpu_ns;
    self->poll_cpu_ns = cpu_ns;
    for (; (size_t)taken < limit && self->head < self->tail; taken++)
        echo_account_echo(into, &self->queue[self->head++ % QUEUE], clock_wall_ns());
    return taken;
}

static oc_err_t link_step(void *context)
{
    link_t *self = context;
    self->steps++;
    return self->ended ? error_set(OC_ERR_CLOSED, "the driver has ended") : OC_ERR_OK;
}

static const echo_link_t functions = {&memory, link_send, link_poll, link_step};

static int make(void **state)
{
    (void)state;
    memset(&memory, 0, sizeof memory);
    memory.twice = UINT64_MAX;
    memory.full_at = UINT64_MAX;
    yields = 0;
    return echo_account_init(&account, 1, UINT64_MAX) == OC_ERR_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    echo_account_fini(&account);
    return 0;
}

/* Open loop, of 100 ms unless it is changed. */
static echo_load_t open_loop(uint64_t rate_per_s, uint64_t burst)
{
    arrival_init_steady(&arrivals, rate_per_s, burst);
    return (echo_load_t){.arrivals = &arrivals,
                         .duration_ns = 100 * MS,
                         .catch_up_ns = 10000 * MS,
                         .grace_ns = 50 * MS,
                         .sender = 3,
                         .yield = true};
}

static void all_that_is_intended_is_sent_and_comes_back(void **state)
{
    (void)state;
    echo_load_t load = open_loop(20000, 10);
    load.warmup_ns = 50 * MS;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.intended, 2000);
    assert_int_equal(result.counts.sent, 2000);
    assert_int_equal(result.counts.received, 2000);
    assert_int_equal(result.counts.warm_sent, 1000);
    assert_int_equal(histogram_count(account.latency), 1000);
    assert_int_equal(histogram_count(account.send_late), 1000);
    assert_int_equal(result.unsent + result.lost + result.counts.doubled, 0);
    assert_string_equal(echo_result_mode(&result), "open loop");
    assert_true(memory.steps > 0);
    assert_true(result.sending_ns >= 99 * MS);
    /* Too small for the header: raised. */
    assert_int_equal(memory.bytes, 2000 * WIRE_MESSAGE_MIN);
}

static void a_transport_that_is_full_costs_latency_and_nothing_else(void **state)
{
    (void)state;
    const echo_load_t load = open_loop(10000, 1);
    memory.full_at = 200;
    memory.full_ns = 50 * MS;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.counts.sent, 1000);
    assert_int_equal(result.counts.received, 1000);
    /* Some 500 are intended meanwhile, and wait from 50 ms down to nothing. */
    assert_true(histogram_max(account.latency) >= 50 * MS);
    assert_true(histogram_max(account.send_late) >= 49 * MS);
    assert_true(histogram_percentile(account.latency, 80) >= 29 * MS);
    assert_true(memory.refusals > 2);
    assert_true(result.blocked_ns >= memory.refused_ns[1] - memory.refused_ns[0]);
    assert_true(result.counts.held >= 490);
    assert_true(histogram_count(account.own_late) <= 501);
}

static void a_transport_that_takes_nothing_is_the_limit(void **state)
{
    (void)state;
    echo_load_t load = open_loop(10000, 1);
    load.catch_up_ns = 10 * MS;
    memory.full_at = 0;
    memory.full_ns = UINT64_MAX;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.intended, 1000);
    assert_int_equal(result.behind_ns, 100 * MS);
    assert_int_equal(result.unsent, 1000);
    assert_int_equal(result.lost, 0);
    assert_true(result.blocked_ns * 2 > result.sending_ns);
    assert_int_equal(echo_result_limit(&result), ECHO_TRANSPORT_LIMIT);
    assert_true(echo_result_failed(&result));
}

static void a_sender_that_is_too_slow_is_the_limit(void **state)
{
    (void)state;
    echo_load_t load = open_loop(1000000, 1);
    load.catch_up_ns = 10 * MS;
    memory.slow_ns = 100000;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.intended, 100000);
    assert_true(result.unsent > 90000);
    assert_true(result.behind_ns > 90 * MS);
    assert_int_equal(echo_result_limit(&result), ECHO_SENDER_LIMIT);
    assert_true(echo_result_failed(&result));
    assert_int_equal(histogram_count(account.own_late), result.counts.sent);
}

/* The log's turn in every term is such a refusal. */
static void a_slow_sender_is_the_limit_though_the_transport_refuses_now_and_then(void **state)
{
    (void)state;
    echo_load_t load = open_loop(1000000, 1);
    load.catch_up_ns = 10 * MS;
    memory.slow_ns = 100000;
    memory.refuse = 50;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_true(result.unsent > 90000);
    assert_true(memory.refused > 0);
    assert_int_equal(echo_result_limit(&result), ECHO_SENDER_LIMIT);
    assert_true(histogram_percentile(account.own_late, 99.0) > 50 * MS);
}

/* Echoes under way would wait for it. In time of this thread, which no other spoils. */
static void nothing_is_counted_while_echoes_may_come(void **state)
{
    (void)state;
    const arrival_shape_t shape = {.kind = ARRIVAL_POISSON};
    const arrival_terms_t terms = {.rate_per_s = 50000000, .seed = 7, .bytes = 32};
    echo_load_t load = open_loop(1, 1);
    load.catch_up_ns = 5 * MS;
    memory.full_at = 0;
    memory.full_ns = UINT64_MAX;
    arrival_init(&arrivals, &shape, &terms);
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    const uint64_t begin_ns = clock_cpu_ns();
    assert_int_equal(result.intended,
                     arrival_count_before(&arrivals, account.line.start_ns + load.duration_ns));
    assert_true(memory.gap_cpu_ns < (clock_cpu_ns() - begin_ns) / 2);
    assert_true(result.behind_ns > 99 * MS);
}

static void a_sender_that_is_held_up_gives_its_processor_away(void **state)
{
    (void)state;
    echo_load_t load = open_loop(10000, 1);
    load.catch_up_ns = 0;
    memory.full_at = 0;
    memory.full_ns = UINT64_MAX;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_true(yields >= memory.sends);
    assert_true(memory.sends > 0);
}

static void what_is_lost_and_doubled_is_counted(void **state)
{
    (void)state;
    const echo_load_t load = open_loop(10000, 1);
    memory.lose = 100;
    memory.twice = 500;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.counts.sent, 1000);
    assert_int_equal(result.lost, 10);
    assert_int_equal(result.counts.doubled, 1);
    assert_true(echo_result_failed(&result));
}

static void a_closed_loop_says_so(void **state)
{
    (void)state;
    const echo_load_t load = {.window = 3,
                              .duration_ns = 10000 * MS,
                              .messages_max = 1000,
                              .grace_ns = 50 * MS,
                              .bytes = 64};
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.counts.sent, 1000);
    assert_int_equal(result.counts.received, 1000);
    assert_int_equal(result.intended, 1000);
    assert_int_equal(memory.bytes, 64000);
    assert_true(memory.waiting_max <= 3);
    assert_string_equal(echo_result_mode(&result), "closed loop: not latency at a rate");
    assert_false(echo_result_failed(&result));
}

static void a_schedule_may_end_early(void **state)
{
    (void)state;
    echo_load_t load = open_loop(10000, 1);
    load.duration_ns = 100000 * MS;
    load.messages_max = 50;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.intended, 50);
    assert_int_equal(result.counts.received, 50);
    assert_int_equal(result.schedule_ns, 4900000);
    assert_false(echo_result_failed(&result));
}

/* All was sent, long behind its time. */
static void a_schedule_that_ends_early_must_be_kept_too(void **state)
{
    (void)state;
    echo_load_t load = open_loop(10000, 1);
    load.duration_ns = 100000 * MS;
    load.messages_max = 50;
    memory.slow_ns = MS;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.counts.sent, 50);
    assert_int_equal(result.unsent, 0);
    assert_true(result.behind_ns >= 44 * MS);
    assert_int_equal(echo_result_limit(&result), ECHO_SENDER_LIMIT);
}

static void so_must_a_trace_be(void **state)
{
    (void)state;
    trace_message_t messages[50];
    for (size_t i = 0; i < 50; i++)
        messages[i] = (trace_message_t){i * 100000, 32};
    const trace_play_t trace = {.trace = {messages, 50}};
    const arrival_shape_t shape = {.kind = ARRIVAL_TRACE};
    const arrival_terms_t terms = {.trace = &trace};
    echo_load_t load = open_loop(1, 1);
    load.duration_ns = 100000 * MS;
    memory.slow_ns = MS;
    arrival_init(&arrivals, &shape, &terms);
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(result.counts.sent, 50);
    assert_int_equal(result.intended, 50);
    assert_int_equal(result.schedule_ns, 4900000);
    assert_int_equal(echo_result_limit(&result), ECHO_SENDER_LIMIT);
}

static bool at_once(void)
{
    return true;
}

static void who_stops_early_has_left_nothing_unsent(void **state)
{
    (void)state;
    echo_load_t load = open_loop(1000, 1);
    load.duration_ns = 100000 * MS;
    load.stop = at_once;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_true(result.stopped);
    assert_true(result.intended < 100000);
    assert_int_equal(result.lost, 0);
}

static void count_call(void *context)
{
    ++*(int *)context;
}

static void half_of_the_time_is_told_once(void **state)
{
    (void)state;
    int calls = 0;
    echo_load_t load = open_loop(1000, 1);
    load.midway = count_call;
    load.midway_context = &calls;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_OK);
    assert_int_equal(calls, 1);
}

static void a_link_that_breaks_ends_the_run(void **state)
{
    (void)state;
    echo_load_t load = open_loop(1000, 1);
    load.duration_ns = 100000 * MS;
    memory.dead_at = 5;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "publication"));
    assert_int_equal(result.counts.sent, 4);

    memory.dead_at = 0;
    memory.broken = true;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "subscription"));

    memory.broken = false;
    memory.ended = true;
    assert_int_equal(echo_loop_run(&load, &functions, &account, &result), OC_ERR_CLOSED);
    assert_non_null(strstr(oc_err_context(), "the driver has ended"));
}

static void a_little_behind_is_still_the_rate(void **state)
{
    (void)state;
    echo_result_t some = {
        .intended = 1000, .schedule_ns = 1500 * MS, .behind_ns = 30 * MS, .sending_ns = 100};
    assert_int_equal(echo_result_limit(&some), ECHO_KEPT);
    some.schedule_ns = 10 * MS;
    some.behind_ns = 20 * MS;
    assert_int_equal(echo_result_limit(&some), ECHO_KEPT);
    some.behind_ns = 20 * MS + 1;
    assert_int_equal(echo_result_limit(&some), ECHO_SENDER_LIMIT);
    some.blocked_ns = 51;
    assert_int_equal(echo_result_limit(&some), ECHO_TRANSPORT_LIMIT);
    some = (echo_result_t){.intended = 1000, .unsent = 1, .sending_ns = 100};
    assert_int_equal(echo_result_limit(&some), ECHO_SENDER_LIMIT);
    some.counts.late = 9;
    some.counts.held = 5;
    assert_int_equal(echo_result_limit(&some), ECHO_TRANSPORT_LIMIT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, end)
    const struct CMUnitTest tests[] = {
        TEST(all_that_is_intended_is_sent_and_comes_back),
        TEST(a_transport_that_is_full_costs_latency_and_nothing_else),
        TEST(a_transport_that_takes_nothing_is_the_limit),
        TEST(a_sender_that_is_too_slow_is_the_limit),
        TEST(a_slow_sender_is_the_limit_though_the_transport_refuses_now_and_then),
        TEST(nothing_is_counted_while_echoes_may_come),
        TEST(a_sender_that_is_held_up_gives_its_processor_away),
        TEST(what_is_lost_and_doubled_is_counted),
        TEST(a_closed_loop_says_so),
        TEST(a_schedule_may_end_early),
        TEST(a_schedule_that_ends_early_must_be_kept_too),
        TEST(so_must_a_trace_be),
        TEST(who_stops_early_has_left_nothing_unsent),
        TEST(half_of_the_time_is_told_once),
        TEST(a_link_that_breaks_ends_the_run),
        TEST(a_little_behind_is_still_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
