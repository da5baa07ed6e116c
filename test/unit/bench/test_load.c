/*
 * Unit tests of the load's loop against venues of memory that answer, that keep commands waiting,
 * that lose answers, that give them twice, and that close. Run by ctest.
 */
#include "bench/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cycle_clock.h"

#define MS UINT64_C(1000000)

enum { QUEUE = 4096, CLIENTS = 2 };

typedef struct venue {
    load_session_t *session;
    uint64_t queue[QUEUE]; /* sequences to answer */
    uint64_t head;
    uint64_t tail;
    uint64_t sequence;
    uint64_t outbound;
    uint64_t waiting_max;  /* seen */
    uint64_t lose;         /* this sequence is never answered */
    uint64_t repeat;       /* this one's answer comes twice */
    uint64_t skip;         /* before this one's answer an output is missed */
    uint64_t closes_at;    /* after so many commands */
    uint64_t full_from_ns; /* takes nothing between these times */
    uint64_t full_to_ns;
    uint64_t unflushed;
    uint64_t slow_ns;     /* each send takes so long */
    uint64_t poll_cpu_ns; /* of this thread, at the last poll; 0: there was none */
    uint64_t gap_cpu_ns;  /* the most between two */
} venue_t;

static venue_t venues[CLIENTS];
static load_client_t clients[CLIENTS];
static oc_command_t command;
static load_flow_t flow;
static load_recorder_t recorder;
static arrival_t arrivals;

static oc_err_t venue_send(void *context, const oc_command_t *sent, uint64_t *sequence)
{
    venue_t *self = context;
    const uint64_t now_ns = clock_wall_ns();
    assert_int_equal(sent->type, OC_COMMAND_NEW);
    if (now_ns >= self->full_from_ns && now_ns < self->full_to_ns)
        return OC_ERR_BACK_PRESSURE;
    while (clock_wall_ns() - now_ns < self->slow_ns)
        continue;
    *sequence = ++self->sequence;
    self->queue[self->tail++ % QUEUE] = self->sequence;
    self->unflushed++;
    if (self->tail - self->head > self->waiting_max)
        self->waiting_max = self->tail - self->head;
    return OC_ERR_OK;
}

static oc_err_t venue_flush(void *context)
{
    venue_t *self = context;
    self->unflushed = 0;
    return OC_ERR_OK;
}

static void answer(venue_t *self, uint64_t sequence)
{
    oc_response_t response;
    memset(&response, 0, sizeof response);
    response.type = OC_RESPONSE_OUTPUT;
    self->outbound += sequence == self->skip;
    response.u.output.outbound_sequence = ++self->outbound;
    response.u.output.event.type = OC_EVENT_ACCEPTED;
    response.u.output.event.sequence = sequence;
    load_session_response(self->session, &response, clock_wall_ns());
    if (sequence == self->repeat)
        load_session_response(self->session, &response, clock_wall_ns());
}

static size_t venue_poll(void *context, size_t limit)
{
    venue_t *self = context;
    size_t count = 0;
    const uint64_t cpu_ns = clock_cpu_ns();
    assert_int_equal(self->unflushed, 0);
    if (self->poll_cpu_ns && cpu_ns - self->poll_cpu_ns > self->gap_cpu_ns)
        self->gap_cpu_ns = cpu_ns - self->poll_cpu_ns;
    self->poll_cpu_ns = cpu_ns;
    for (; count < limit && self->head < self->tail; count++) {
        const uint64_t sequence = self->queue[self->head++ % QUEUE];
        if (sequence != self->lose)
            answer(self, sequence);
    }
    return count;
}

static oc_client_state_t venue_state(const void *context)
{
    const venue_t *self = context;
    return self->closes_at && self->sequence >= self->closes_at ? OC_CLIENT_CLOSED
                                                                : OC_CLIENT_READY;
}

static int setup(void **state)
{
    (void)state;
    memset(venues, 0, sizeof venues);
    memset(clients, 0, sizeof clients);
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_NEW;
    flow = (load_flow_t){.commands = &command, .count = 1};
    if (load_recorder_init(&recorder, 1, MS) != OC_ERR_OK)
        return -1;
    for (size_t i = 0; i < CLIENTS; i++) {
        if (load_session_init(&clients[i].session, &flow, &recorder, QUEUE) != OC_ERR_OK)
            return -1;
        venues[i].session = &clients[i].session;
        clients[i].session.logged_on = true;
        clients[i].link =
            (load_link_t){&venues[i], venue_send, venue_flush, venue_poll, venue_state};
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < CLIENTS; i++)
        load_session_fini(&clients[i].session);
    load_recorder_fini(&recorder);
    return 0;
}

/* Open loop, 10,000 a second for 50 ms. */
static load_config_t open_loop(void)
{
    arrival_init_steady(&arrivals, 10000, 1);
    return (load_config_t){.clients = clients,
                           .client_count = 1,
                           .arrivals = &arrivals,
                           .duration_ns = 50 * MS,
                           .grace_ns = 30 * MS};
}

static void test_open_loop(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    config.client_count = CLIENTS;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.counts.answered, 500);
    assert_int_equal(result.lost, 0);
    assert_int_equal(result.unsent, 0);
    assert_int_equal(result.counts.doubled, 0);
    assert_int_equal(histogram_count(recorder.line.intervals[0]), 500);
    assert_true(result.sending_ns >= 49 * MS);
    assert_false(result.closed);
    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(clients[i].session.counts.sent, 250);
}

/* The orders that a full venue holds up are sent late, and their waiting is latency. */
static void test_held_up(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    venues[0].full_from_ns = clock_wall_ns() + 10 * MS;
    venues[0].full_to_ns = venues[0].full_from_ns + 20 * MS;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.lost, 0);
    assert_int_equal(result.unsent, 0);
    assert_true(result.counts.late >= 150);
    assert_true(histogram_max(recorder.line.intervals[0]) >= 19 * MS);
    assert_true(histogram_percentile(recorder.line.intervals[0], 85.0) >= 5 * MS);
    /* The waiting is not in the time from the send on. */
    assert_int_equal(histogram_count(recorder.service), 500);
    assert_true(histogram_mean(recorder.service) <= histogram_mean(recorder.line.intervals[0]));
}

/* What is intended in the first 20 ms is sent and answered, and not in a histogram. */
static void test_warmup(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    load_result_t result;
    recorder.warmup_ns = 20 * MS;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.counts.answered, 500);
    assert_int_equal(result.counts.warm_sent, 200);
    assert_int_equal(result.counts.warm_answered, 200);
    assert_true(result.counts.warm_late <= result.counts.late);
    assert_int_equal(histogram_count(recorder.line.intervals[0]), 300);
    assert_int_equal(histogram_count(recorder.service), 300);
}

/* Sending ends with the trace, however long it might be; a schedule can be used again. */
static void test_trace_ends(void **state)
{
    (void)state;
    trace_message_t messages[] = {{0, 1}, {0, 1}, {5 * MS, 1}, {5 * MS, 1}, {9 * MS, 1}};
    const trace_play_t trace = {.trace = {messages, 5}};
    const arrival_shape_t shape = {.kind = ARRIVAL_TRACE};
    const arrival_terms_t terms = {.trace = &trace};
    load_config_t config = open_loop();
    arrival_init(&arrivals, &shape, &terms);
    config.duration_ns = 3600 * 1000 * MS;
    for (uint64_t turn = 1; turn <= 2; turn++) {
        load_result_t result;
        load_run(&config, &recorder, &result);
        assert_int_equal(result.counts.sent, 5 * turn); /* the session counts on */
        assert_int_equal(result.lost, 0);
        assert_true(result.sending_ns >= 9 * MS);
    }
}

static void test_full_to_the_end(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    venues[0].full_from_ns = clock_wall_ns() + 25 * MS;
    venues[0].full_to_ns = UINT64_MAX;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent + result.unsent, 500);
    assert_true(result.unsent >= 200);
    assert_int_equal(result.lost, 0);
    assert_int_equal(result.schedule_ns, 50 * MS);
    assert_true(result.behind_ns >= 20 * MS && result.behind_ns <= 50 * MS);
    assert_false(load_result_kept(&result));
}

/* Answers under way would wait for it. In time of this thread, which no other spoils. */
static void test_nothing_is_counted_meanwhile(void **state)
{
    (void)state;
    const arrival_shape_t shape = {.kind = ARRIVAL_POISSON};
    const arrival_terms_t terms = {.rate_per_s = 100000000, .seed = 7};
    load_config_t config = open_loop();
    load_result_t result;
    arrival_init(&arrivals, &shape, &terms);
    venues[0].full_to_ns = UINT64_MAX;
    load_run(&config, &recorder, &result);
    const uint64_t begin_ns = clock_cpu_ns();
    assert_int_equal(result.unsent,
                     arrival_count_before(&arrivals, recorder.line.start_ns + config.duration_ns));
    assert_true(venues[0].gap_cpu_ns < (clock_cpu_ns() - begin_ns) / 2);
}

/* All was sent, long behind its time. */
static void test_kept_to_the_last_command(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    load_result_t result;
    config.duration_ns = 100000 * MS;
    config.commands_max = 50;
    venues[0].slow_ns = MS;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 50);
    assert_int_equal(result.unsent, 0);
    assert_int_equal(result.schedule_ns, 4900000);
    assert_true(result.behind_ns >= 44 * MS);
    assert_false(load_result_kept(&result));
}

/* A rate is kept if little of a schedule, or of a short one little time, is missing at its end. */
static void test_kept(void **state)
{
    (void)state;
    load_result_t result = {.schedule_ns = 50 * MS, .behind_ns = 20 * MS};
    assert_true(load_result_kept(&result));
    result.behind_ns++;
    assert_false(load_result_kept(&result));
    result.schedule_ns = 5000 * MS;
    assert_true(load_result_kept(&result));
    result.behind_ns = 101 * MS;
    assert_false(load_result_kept(&result));
    result = (load_result_t){.schedule_ns = 5000 * MS, .unsent = 1};
    assert_false(load_result_kept(&result));
}

/* A second run on the same sessions counts and records nothing of the first. */
static void test_forgotten(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.answered, 500);
    load_session_forget(&clients[0].session);
    load_recorder_reset(&recorder);
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.counts.answered, 500);
    assert_int_equal(result.counts.doubled + result.counts.missed, 0);
    assert_int_equal(histogram_count(recorder.line.intervals[0]), 500);
    assert_int_equal(histogram_count(recorder.service), 500);
}

static void test_lost_and_doubled(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    venues[0].lose = 77;
    venues[0].repeat = 99;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.lost, 1);
    assert_int_equal(result.counts.missed, 0);
    assert_int_equal(result.counts.doubled, 1);
    assert_int_equal(load_result_faults(&result), 2);
}

/* An output that never came is no lost command, but a fault all the same. */
static void test_missed(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    venues[0].skip = 55;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.counts.answered, 500);
    assert_int_equal(result.lost, 0);
    assert_int_equal(result.counts.missed, 1);
    assert_int_equal(load_result_faults(&result), 1);
}

static void test_closed_loop(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    config.arrivals = NULL;
    config.window = 7;
    config.client_count = CLIENTS;
    config.commands_max = 5000;
    config.duration_ns = 20000 * MS;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 5000);
    assert_int_equal(result.counts.answered, 5000);
    assert_int_equal(result.unsent, 0);
    assert_int_equal(result.counts.late, 0);
    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(venues[i].waiting_max, 7);
}

static void test_commands_max(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    config.commands_max = 123;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 123);
    assert_int_equal(result.unsent, 0);
}

static uint64_t stop_ns;

static bool stop(void)
{
    return clock_wall_ns() >= stop_ns;
}

/* What was sent by then is answered; what was intended later is not missing. */
static void test_stopped(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    config.duration_ns = 3600 * 1000 * MS;
    config.pause_ns = MS / 20;
    config.stop = stop;
    stop_ns = clock_wall_ns() + 20 * MS;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_true(result.counts.sent > 0);
    assert_true(result.counts.sent + result.unsent < 36000000);
    assert_int_equal(result.counts.answered, result.counts.sent);
    assert_int_equal(result.lost, 0);
    assert_true(result.sending_ns >= 19 * MS);
}

/* Who gives up does not wait for answers either. */
static void test_given_up(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    config.duration_ns = 3600 * 1000 * MS;
    config.grace_ns = 3600 * 1000 * MS;
    config.give_up = stop;
    venues[0].lose = 1;
    stop_ns = clock_wall_ns() + 20 * MS;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_true(result.counts.sent > 0);
    assert_true(result.lost >= 1);
}

/* Nothing is lost by sleeping. */
static void test_paused(void **state)
{
    (void)state;
    load_config_t config = open_loop();
    config.pause_ns = MS / 10;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_int_equal(result.counts.sent, 500);
    assert_int_equal(result.counts.answered, 500);
    assert_int_equal(result.unsent, 0);
}

static void test_closes(void **state)
{
    (void)state;
    const load_config_t config = open_loop();
    venues[0].closes_at = 100;
    load_result_t result;
    load_run(&config, &recorder, &result);
    assert_true(result.closed);
    assert_true(result.counts.sent >= 100);
    assert_int_equal(result.counts.sent + result.unsent, 500);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_open_loop),
        WITH_FIXTURE(test_held_up),
        WITH_FIXTURE(test_full_to_the_end),
        WITH_FIXTURE(test_forgotten),
        cmocka_unit_test(test_kept),
        WITH_FIXTURE(test_lost_and_doubled),
        WITH_FIXTURE(test_missed),
        WITH_FIXTURE(test_closed_loop),
        WITH_FIXTURE(test_commands_max),
        WITH_FIXTURE(test_closes),
        WITH_FIXTURE(test_stopped),
        WITH_FIXTURE(test_paused),
        WITH_FIXTURE(test_given_up),
        WITH_FIXTURE(test_warmup),
        WITH_FIXTURE(test_trace_ends),
        WITH_FIXTURE(test_nothing_is_counted_meanwhile),
        WITH_FIXTURE(test_kept_to_the_last_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
