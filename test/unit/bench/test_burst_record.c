/*
 * Unit tests of bursts in run files: rows without the warm-up, counters that are known and not,
 * marks, what one end alone can tell, and rows of a matrix. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/burst_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"

enum { BURSTS = 3, WARMUP = 1, SIZE = 100, SENDERS = 2 };

static const burst_record_t record = {"onoff:100:20:50", 50000};
static burst_row_t rows[BURSTS] = {
    {200, 1000, 901000, 190}, {200, 5000, 1005000, 180}, {199, 9000, 3009000, 90}};
static burst_result_t result;

static int setup(void **state)
{
    (void)state;
    result = (burst_result_t){
        .role = BURST_BOTH,
        .plan = {.message_bytes = 170, .mtu = 1408},
        .hello = {.bursts = BURSTS, .size = SIZE, .warmup = WARMUP},
        .senders = SENDERS,
        .planned = 600,
        .sent = 600,
        .received = 599,
        .rows = rows,
        .row_count = BURSTS,
        .latency = histogram_create(),
        .service = histogram_create(),
        .facts = {.sends = true,
                  .receives = true,
                  .latency_known = true,
                  .p99_ns = 700000,
                  .p99_limit_ns = 1000000,
                  .lost = 1},
    };
    result.facts.loss.known[LOSS_NAKS_SENT] = true;
    result.facts.loss.values[LOSS_NAKS_SENT] = 4;
    result.facts.loss.known[LOSS_NAKS_RECEIVED] = true;
    result.facts.loss.values[LOSS_NAKS_RECEIVED] = 3;
    result.facts.loss.known[LOSS_UDP_SOCKET_DROPS] = true;
    for (uint64_t i = 0; i < 399; i++) {
        histogram_record(result.latency, 1000 * i);
        histogram_record(result.service, 500 * i);
    }
    burst_judge(&result.verdict, &result.facts);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    histogram_destroy(result.latency);
    histogram_destroy(result.service);
    return 0;
}

static run_file_t *begin(void)
{
    run_file_t *run = run_file_create("burst", RUN_LOOP_OPEN, "1.2.3");
    assert_non_null(run);
    return run;
}

static json_t *recorded(void)
{
    run_file_t *run = begin();
    burst_record_run(&record, run, &result);
    return run_maker_end(run);
}

static void test_a_run(void **state)
{
    (void)state;
    json_t *root = recorded();
    json_t *burst = json_object_get(root, "burst");
    json_t *bursts = json_object_get(burst, "bursts");
    assert_int_equal(json_array_size(bursts), BURSTS - WARMUP);
    json_t *last = json_array_get(bursts, 1);
    assert_true(run_maker_number(last, "n") == 3 && run_maker_number(last, "messages") == 199);
    assert_true(run_maker_number(last, "missing") == 1 &&
                run_maker_number(last, "absorb_ns") == 3e6);
    assert_true(run_maker_number(burst, "rate") == 100000 &&
                run_maker_number(burst, "message_bytes") == 170);
    assert_string_equal(run_maker_text(burst, "arrivals"), "2 senders, each onoff:100:20:50");
    assert_string_equal(run_maker_text(burst, "verdict"), "fail");
    json_t *reasons = json_object_get(burst, "reasons");
    assert_string_equal(json_string_value(json_array_get(reasons, 0)), "naks_sent 4");
    json_t *unjudged = json_object_get(burst, "not_judged");
    assert_true(json_array_size(unjudged) > 0);
    json_t *counters = json_object_get(burst, "counters");
    assert_true(run_maker_number(counters, "naks") == 4);
    assert_true(json_is_null(json_object_get(counters, "qdisc_drops")));
    json_t *series = json_array_get(json_object_get(root, "series"), 0);
    assert_true(run_maker_number(series, "count") == 399 &&
                run_maker_number(series, "max") == 398000);
    json_t *marks = json_object_get(root, "marks");
    assert_int_equal(json_array_size(marks), 1);
    assert_string_equal(run_maker_text(json_array_get(marks, 0), "name"), "lost");
    json_decref(root);
}

/* A receiver by itself does not know how it is sent, nor by which clock. */
static void test_a_receiver_alone(void **state)
{
    (void)state;
    result.facts.sends = false;
    result.facts.latency_known = false;
    json_t *root = recorded();
    json_t *burst = json_object_get(root, "burst");
    assert_string_equal(run_maker_text(burst, "arrivals"), "2 senders, each bursts of 100");
    assert_true(run_maker_number(burst, "rate") == 0 &&
                run_maker_number(burst, "message_bytes") == 0);
    assert_int_equal(json_array_size(json_object_get(root, "series")), 0);
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(root, "figures"), i, figure)
    {
        assert_string_not_equal(run_maker_text(figure, "name"), "sent");
    }
    json_decref(root);
}

static void test_a_sender_alone(void **state)
{
    (void)state;
    result.facts.receives = false;
    result.facts.latency_known = false;
    result.facts.lost = 0;
    result.row_count = 0;
    result.rows = NULL;
    json_t *root = recorded();
    json_t *burst = json_object_get(root, "burst");
    assert_int_equal(json_array_size(json_object_get(burst, "bursts")), 0);
    assert_true(run_maker_number(json_object_get(burst, "counters"), "naks") == 3);
    assert_int_equal(json_array_size(json_object_get(root, "marks")), 0);
    json_decref(root);
}

/* The namespace's errors count only where the sockets' own drops are not shown. */
static void test_marks(void **state)
{
    (void)state;
    char text[BURST_MARKS_TEXT];
    loss_reading_t *loss = &result.facts.loss;
    loss->known[LOSS_UDP_RCVBUF_ERRORS] = true;
    loss->values[LOSS_UDP_RCVBUF_ERRORS] = 5;
    burst_marks_text(&result, text, sizeof text);
    assert_string_equal(text, "lost");
    loss->known[LOSS_UDP_SOCKET_DROPS] = false;
    burst_marks_text(&result, text, sizeof text);
    assert_string_equal(text, "lost, udp_rcvbuf_errors");
    result.facts.ipc = true;
    burst_marks_text(&result, text, sizeof text);
    assert_string_equal(text, "lost");
    result.facts.ipc = false;
    result.late = result.overlapped = result.strangers = 1;
    result.facts.unsent = result.facts.doubled = result.facts.out_of_order = 1;
    result.facts.no_goodbye = true;
    loss->known[LOSS_UDP_SOCKET_DROPS] = true;
    loss->values[LOSS_UDP_SOCKET_DROPS] = 1;
    burst_marks_text(&result, text, sizeof text);
    assert_string_equal(text, "late, overlapped, unsent, lost, doubled, out_of_order, strangers, "
                              "no_goodbye, udp_socket_drops");
}

static void test_rows(void **state)
{
    (void)state;
    const uint64_t values[BURST_AXES] = {100, 2, 170, 0, 0, 131072};
    run_file_t *run = begin();
    burst_record_row(&record, run, values, &result);
    burst_record_no_row(&record, run, values, "impossible", "a message of 5000 bytes");
    json_t *root = run_maker_end(run);
    json_t *measured = json_array_get(json_object_get(root, "matrix"), 0);
    assert_true(run_maker_number(measured, "absorb_ns") == 3e6 &&
                run_maker_number(measured, "mtu") == 1408);
    assert_true(run_maker_number(measured, "receiver_window") == 131072);
    assert_string_equal(run_maker_text(measured, "verdict"), "fail");
    assert_string_equal(run_maker_text(measured, "reasons"),
                        "naks_sent 4, naks_received 3, lost 1");
    assert_string_equal(run_maker_text(measured, "marks"), "lost");
    json_t *impossible = json_array_get(json_object_get(root, "matrix"), 1);
    assert_true(json_is_null(json_object_get(impossible, "absorb_ns")));
    assert_string_equal(run_maker_text(impossible, "reasons"), "a message of 5000 bytes");
    json_t *series = json_object_get(root, "series");
    assert_int_equal(json_array_size(series), 1);
    assert_string_equal(run_maker_text(json_array_get(series, 0), "label"),
                        "100 messages, senders 2, size 170, mtu 1408, window 131072");
    assert_int_equal(json_array_size(json_object_get(root, "marks")), 1);
    json_decref(root);
}

static void test_no_file_is_asked_for(void **state)
{
    (void)state;
    const uint64_t values[BURST_AXES] = {100, 2, 170, 0, 0, 0};
    burst_record_run(&record, NULL, &result);
    burst_record_row(&record, NULL, values, &result);
    burst_record_no_row(&record, NULL, values, "failed", "because");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_run, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_receiver_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_sender_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_marks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_file_is_asked_for, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
