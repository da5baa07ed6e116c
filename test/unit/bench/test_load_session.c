/*
 * Unit tests of a load client's account: what answers a command, what comes twice, what is missed,
 * and which names its orders get. Run by ctest.
 */
#include "bench/load_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/temp_file.h"

enum { COMMANDS = 3, FIRST_SEQUENCE = 41, SOURCE = 6 };

typedef struct fixture {
    oc_command_t commands[COMMANDS];
    load_flow_t flow;
    load_recorder_t recorder;
    load_session_t session;
    uint64_t outbound; /* last one given out */
} fixture_t;

static fixture_t f;

static void log_on(uint64_t sequence, uint64_t outbound)
{
    oc_response_t response;
    memset(&response, 0, sizeof response);
    response.type = OC_RESPONSE_LOGON;
    response.u.logon.source.value = SOURCE;
    response.u.logon.sequence = sequence;
    response.u.logon.outbound_sequence = outbound;
    load_session_response(&f.session, &response, 0);
}

static int setup(void **state)
{
    (void)state;
    memset(&f, 0, sizeof f);
    for (uint64_t i = 0; i < COMMANDS; i++) {
        f.commands[i].type = OC_COMMAND_NEW;
        f.commands[i].u.order.client_order_id.value = i + 1;
    }
    f.flow = (load_flow_t){.commands = f.commands, .count = COMMANDS};
    if (load_recorder_init(&f.recorder, 2, 1000) != OC_ERR_OK ||
        load_session_init(&f.session, &f.flow, &f.recorder, 16) != OC_ERR_OK)
        return -1;
    f.outbound = 9;
    log_on(FIRST_SEQUENCE - 1, 9);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    load_session_fini(&f.session);
    load_recorder_fini(&f.recorder);
    return 0;
}

static void output(uint64_t outbound, const oc_event_t *event, uint64_t now_ns)
{
    oc_response_t response;
    memset(&response, 0, sizeof response);
    response.type = OC_RESPONSE_OUTPUT;
    response.u.output.event = *event;
    response.u.output.outbound_sequence = outbound;
    load_session_response(&f.session, &response, now_ns);
}

static void event(oc_event_type_t type, oc_command_type_t command, uint64_t sequence,
                  oc_reason_t reason)
{
    oc_event_t e;
    memset(&e, 0, sizeof e);
    e.type = (uint8_t)type;
    e.command = (uint8_t)command;
    e.reason = (uint8_t)reason;
    e.sequence = sequence;
    output(++f.outbound, &e, 500);
}

static void send_up_to(uint64_t sequence)
{
    for (uint64_t s = f.session.last_sequence + 1; s <= sequence; s++)
        load_session_sent(&f.session, s, 100, 100);
}

static void test_answers(void **state)
{
    (void)state;
    send_up_to(FIRST_SEQUENCE + 5);
    event(OC_EVENT_ACCEPTED, 0, FIRST_SEQUENCE, OC_REASON_NONE);
    event(OC_EVENT_REJECTED, OC_COMMAND_NEW, FIRST_SEQUENCE + 1, OC_REASON_ORDERS_FULL);
    event(OC_EVENT_MODIFIED, 0, FIRST_SEQUENCE + 2, OC_REASON_NONE);
    event(OC_EVENT_CONFIRMED, OC_COMMAND_MASS_CANCEL, FIRST_SEQUENCE + 3, OC_REASON_NONE);
    event(OC_EVENT_CANCELLED, OC_COMMAND_CANCEL, FIRST_SEQUENCE + 4, OC_REASON_REQUESTED);
    assert_int_equal(f.session.counts.answered, 5);
    assert_int_equal(f.session.counts.rejected, 1);
    assert_int_equal(f.session.counts.doubled, 0);
    assert_int_equal(load_session_waiting(&f.session), 1);
}

/* Two of the names of a trade's events share their place with the sequence. */
static void test_no_answers(void **state)
{
    (void)state;
    send_up_to(FIRST_SEQUENCE + 1);
    event(OC_EVENT_TRADE, 0, FIRST_SEQUENCE, OC_REASON_NONE);
    event(OC_EVENT_FILL, 0, FIRST_SEQUENCE + 1, OC_REASON_NONE);
    event(OC_EVENT_CANCELLED, OC_COMMAND_MASS_CANCEL, 0, OC_REASON_MASS_CANCEL);
    event(OC_EVENT_COMPLETED, OC_COMMAND_MASS_CANCEL, 0, OC_REASON_NONE);
    event(OC_EVENT_REJECTED, OC_COMMAND_NEW, FIRST_SEQUENCE, OC_REASON_SEQUENCE_GAP);
    event(OC_EVENT_REJECTED, OC_COMMAND_NEW, FIRST_SEQUENCE, OC_REASON_DUPLICATE_SEQUENCE);
    assert_int_equal(f.session.counts.answered, 0);
    assert_int_equal(f.session.counts.doubled, 0);
    assert_int_equal(f.session.counts.fills, 2);
    assert_int_equal(f.session.counts.sequences, 2);
}

static void test_doubled_answers(void **state)
{
    (void)state;
    send_up_to(FIRST_SEQUENCE + 1);
    for (int i = 0; i < 2; i++)
        event(OC_EVENT_ACCEPTED, 0, FIRST_SEQUENCE, OC_REASON_NONE);
    assert_int_equal(f.session.counts.doubled, 1);
    /* What is left of an immediate order is cancelled behind its answer: nothing is doubled. */
    event(OC_EVENT_CANCELLED, OC_COMMAND_NEW, FIRST_SEQUENCE, OC_REASON_UNFILLED);
    assert_int_equal(f.session.counts.doubled, 1);
    for (int i = 0; i < 2; i++)
        event(OC_EVENT_CANCELLED, OC_COMMAND_CANCEL, FIRST_SEQUENCE + 1, OC_REASON_REQUESTED);
    assert_int_equal(f.session.counts.doubled, 2);
    event(OC_EVENT_REJECTED, OC_COMMAND_NEW, FIRST_SEQUENCE, OC_REASON_ORDERS_FULL);
    assert_int_equal(f.session.counts.doubled, 3);
    /* Never sent. */
    event(OC_EVENT_ACCEPTED, 0, FIRST_SEQUENCE + 7, OC_REASON_NONE);
    assert_int_equal(f.session.counts.doubled, 4);
    assert_int_equal(f.session.counts.answered, 2);
}

static void test_outbound_sequence(void **state)
{
    (void)state;
    oc_event_t fill;
    memset(&fill, 0, sizeof fill);
    fill.type = OC_EVENT_FILL;
    output(9, &fill, 0); /* of an earlier life */
    assert_int_equal(f.session.counts.fills, 0);
    output(10, &fill, 0);
    output(10, &fill, 0);
    assert_int_equal(f.session.counts.doubled, 1);
    output(13, &fill, 0);
    assert_int_equal(f.session.counts.missed, 2);
    assert_int_equal(f.session.counts.fills, 2);
    oc_response_t gap;
    memset(&gap, 0, sizeof gap);
    gap.type = OC_RESPONSE_GAP;
    gap.u.gap.last = 20;
    load_session_response(&f.session, &gap, 0);
    assert_int_equal(f.session.counts.missed, 9);
    output(21, &fill, 0);
    assert_int_equal(f.session.counts.missed, 9);
    /* A later logon changes nothing. */
    log_on(999, 999);
    output(22, &fill, 0);
    assert_int_equal(f.session.counts.fills, 4);
}

static void test_latency(void **state)
{
    (void)state;
    f.recorder.line.start_ns = 10000;
    load_session_sent(&f.session, FIRST_SEQUENCE, 10100, 10100);
    load_session_sent(&f.session, FIRST_SEQUENCE + 1, 10100, 30000);
    oc_event_t accepted;
    memset(&accepted, 0, sizeof accepted);
    accepted.type = OC_EVENT_ACCEPTED;
    accepted.sequence = FIRST_SEQUENCE;
    output(10, &accepted, 10900);
    accepted.sequence++;
    output(11, &accepted, 31100);
    assert_int_equal(histogram_max(f.recorder.line.intervals[0]), 800);
    assert_int_equal(histogram_count(f.recorder.line.intervals[0]), 1);
    /* From the intended time; an answer behind the end goes to the last interval. */
    assert_int_equal(histogram_max(f.recorder.line.intervals[1]), 21000);
    assert_int_equal(f.session.counts.late, 1);
    assert_int_equal(histogram_count(f.recorder.service), 2);
    assert_int_equal(histogram_min(f.recorder.service), 800);
    assert_int_equal(histogram_max(f.recorder.service), 1100);
}

/* By the intended time: late or not, answered later or not. */
static void test_warmup(void **state)
{
    (void)state;
    f.recorder.line.start_ns = 10000;
    f.recorder.warmup_ns = 500;
    load_session_sent(&f.session, FIRST_SEQUENCE, 10499, 30000);
    load_session_sent(&f.session, FIRST_SEQUENCE + 1, 10500, 30000);
    load_session_sent(&f.session, FIRST_SEQUENCE + 2, 10499, 30000);
    oc_event_t accepted;
    memset(&accepted, 0, sizeof accepted);
    accepted.type = OC_EVENT_ACCEPTED;
    for (uint64_t i = 0; i < 2; i++) {
        accepted.sequence = FIRST_SEQUENCE + i;
        output(10 + i, &accepted, 31000);
    }
    assert_int_equal(f.session.counts.sent, 3);
    assert_int_equal(f.session.counts.answered, 2);
    assert_int_equal(f.session.counts.late, 3);
    assert_int_equal(f.session.counts.warm_sent, 2);
    assert_int_equal(f.session.counts.warm_answered, 1);
    assert_int_equal(f.session.counts.warm_late, 2);
    assert_int_equal(histogram_count(f.recorder.service), 1);
    assert_int_equal(histogram_count(f.recorder.line.intervals[1]), 1);
    assert_int_equal(histogram_max(f.recorder.line.intervals[1]), 20500);
    assert_int_equal(load_session_waiting(&f.session), 1);
}

static void test_out_of_order(void **state)
{
    (void)state;
    const uint64_t order[] = {0, 2, 1, 4, 3, 5};
    send_up_to(FIRST_SEQUENCE + 5);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        event(OC_EVENT_ACCEPTED, 0, FIRST_SEQUENCE + order[i], OC_REASON_NONE);
    assert_int_equal(f.session.counts.answered, 6);
    assert_int_equal(f.session.counts.out_of_order, 2);
    assert_int_equal(f.session.counts.doubled, 0);
    event(OC_EVENT_ACCEPTED, 0, FIRST_SEQUENCE, OC_REASON_NONE); /* again, which is another thing */
    assert_int_equal(f.session.counts.out_of_order, 2);
    assert_int_equal(f.session.counts.doubled, 1);
}

/* No name comes twice, neither in the turns of one run nor in a run that begins where it ended. */
static void test_names_are_new(void **state)
{
    (void)state;
    uint64_t names[4 * COMMANDS];
    for (size_t i = 0; i < 4 * COMMANDS; i++) {
        if (i == 2 * COMMANDS + 1) {
            const uint64_t last = f.session.last_sequence;
            load_session_fini(&f.session);
            assert_int_equal(load_session_init(&f.session, &f.flow, &f.recorder, 16), OC_ERR_OK);
            log_on(last, 9);
        }
        oc_command_t command;
        load_session_next(&f.session, &command);
        names[i] = command.u.order.client_order_id.value;
        for (size_t k = 0; k < i; k++)
            assert_true(names[k] != names[i]);
        load_session_sent(&f.session, f.session.last_sequence + 1, 0, 0);
    }
}

static void test_log(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    response_log_t log;
    assert_int_equal(response_log_create(&log, file.path), OC_ERR_OK);
    f.recorder.log = &log;
    f.session.logged_on = false;
    log_on(FIRST_SEQUENCE - 1, 9);
    log_on(FIRST_SEQUENCE - 1, 9); /* a later one is no beginning */
    send_up_to(FIRST_SEQUENCE);
    event(OC_EVENT_ACCEPTED, 0, FIRST_SEQUENCE, OC_REASON_NONE);
    event(OC_EVENT_FILL, 0, 1, OC_REASON_NONE);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    assert_int_equal(response_log_open(&log, file.path), OC_ERR_OK);
    response_record_t read;
    bool more;
    assert_int_equal(response_log_next(&log, &read, &more), OC_ERR_OK);
    assert_int_equal(read.kind, RESPONSE_BEGINNING);
    assert_int_equal(read.output.event.source.value, SOURCE);
    assert_int_equal(read.output.outbound_sequence, 9);
    assert_int_equal(response_log_next(&log, &read, &more), OC_ERR_OK);
    assert_int_equal(read.output.event.type, OC_EVENT_ACCEPTED);
    assert_int_equal(response_log_next(&log, &read, &more), OC_ERR_OK);
    assert_int_equal(read.output.outbound_sequence, 11);
    assert_int_equal(response_log_next(&log, &read, &more), OC_ERR_OK);
    assert_false(more);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    temp_file_remove(&file);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_answers),
        WITH_FIXTURE(test_no_answers),
        WITH_FIXTURE(test_doubled_answers),
        WITH_FIXTURE(test_outbound_sequence),
        WITH_FIXTURE(test_latency),
        WITH_FIXTURE(test_warmup),
        WITH_FIXTURE(test_out_of_order),
        WITH_FIXTURE(test_names_are_new),
        WITH_FIXTURE(test_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
