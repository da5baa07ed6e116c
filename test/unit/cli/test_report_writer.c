/*
 * Unit tests of the canonical report text, from events made by hand. Run by ctest.
 */
#define _GNU_SOURCE
#include "cli/report_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    char *text;
    size_t size;
    FILE *out;
    report_writer_t *writer;
} fixture_t;

static int setup(void **state)
{
    static fixture_t fixture;
    memset(&fixture, 0, sizeof fixture);
    fixture.out = open_memstream(&fixture.text, &fixture.size);
    assert_non_null(fixture.out);
    fixture.writer = report_writer_create(fixture.out, "reports");
    assert_non_null(fixture.writer);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_t *f = *state;
    report_writer_destroy(f->writer);
    fclose(f->out);
    free(f->text);
    return 0;
}

static void end_record(fixture_t *f)
{
    const oc_err_t err = report_writer_end(f->writer);
    assert_int_equal(err, OC_ERR_OK);
}

static void assert_text(fixture_t *f, const char *expected)
{
    fflush(f->out);
    assert_string_equal(f->text, expected);
}

static oc_event_t order_event(oc_event_type_t type, oc_side_t side, uint64_t id, int64_t price,
                              int64_t quantity)
{
    oc_event_t event;
    memset(&event, 0, sizeof event);
    event.type = (uint8_t)type;
    event.side = (uint8_t)side;
    event.client_order_id.value = id;
    event.price_ticks = price;
    event.quantity_lots = quantity;
    event.open_lots = quantity;
    return event;
}

static oc_event_t reject(oc_command_type_t command, uint64_t id, oc_reason_t reason)
{
    oc_event_t event = order_event(OC_EVENT_REJECTED, OC_SIDE_BUY, id, 0, 0);
    event.command = (uint8_t)command;
    event.reason = (uint8_t)reason;
    return event;
}

/* One record of one event. */
static void record_of(fixture_t *f, uint64_t sequence, oc_event_t event)
{
    report_writer_begin(f->writer, sequence);
    report_writer_events(f->writer, &event, 1);
    end_record(f);
}

static void test_nothing(void **state)
{
    fixture_t *f = *state;
    report_writer_begin(f->writer, 5);
    end_record(f);
    assert_text(f, "");
}

static void test_each_line(void **state)
{
    fixture_t *f = *state;
    record_of(f, 0, order_event(OC_EVENT_ACCEPTED, OC_SIDE_SELL, 7, 100, 10));
    record_of(f, 1, order_event(OC_EVENT_CANCELLED, OC_SIDE_SELL, 7, 100, 10));
    record_of(f, 2, order_event(OC_EVENT_EXPIRED, OC_SIDE_BUY, 8, 99, 1));
    record_of(f, 3, order_event(OC_EVENT_MODIFIED, OC_SIDE_BUY, 9, 98, 2));
    record_of(f, 4, reject(OC_COMMAND_CANCEL, 10, OC_REASON_UNKNOWN_ORDER));
    record_of(f, 5, reject(OC_COMMAND_MODIFY, 11, OC_REASON_UNKNOWN_ORDER));
    record_of(f, 6, reject(OC_COMMAND_NEW, 12, OC_REASON_ORDERS_FULL));
    assert_text(f, "0,0,1,7,100,10\n"
                   "2,1,1,7,100\n"
                   "2,2,0,8,99\n"
                   "3,3,0,9,98,2\n"
                   "4,4,10\n"
                   "5,5,11\n"
                   "6,6,12,orders_full");
}

static void test_modify_gives_the_open_quantity(void **state)
{
    fixture_t *f = *state;
    oc_event_t event = order_event(OC_EVENT_MODIFIED, OC_SIDE_BUY, 9, 98, 50);
    event.open_lots = 20;
    record_of(f, 3, event);
    assert_text(f, "3,3,0,9,98,20");
}

static void test_trade_is_a_pair(void **state)
{
    fixture_t *f = *state;
    const oc_event_t events[] = {
        order_event(OC_EVENT_TRADE, OC_SIDE_BUY, 2, 100, 10),
        order_event(OC_EVENT_FILL, OC_SIDE_SELL, 1, 100, 10),
    };
    report_writer_begin(f->writer, 3);
    report_writer_events(f->writer, events, 2);
    end_record(f);
    assert_text(f, "1,3,100,10,1,2");
}

/* The engine's buffer may end between the two halves of a trade. */
static void test_trade_in_two_batches(void **state)
{
    fixture_t *f = *state;
    const oc_event_t trade = order_event(OC_EVENT_TRADE, OC_SIDE_BUY, 2, 100, 10);
    const oc_event_t fill = order_event(OC_EVENT_FILL, OC_SIDE_SELL, 1, 100, 10);
    report_writer_begin(f->writer, 3);
    report_writer_events(f->writer, &trade, 1);
    report_writer_events(f->writer, &fill, 1);
    end_record(f);
    assert_text(f, "1,3,100,10,1,2");
}

static void test_sorted_by_type_and_stable(void **state)
{
    fixture_t *f = *state;
    const oc_event_t events[] = {
        order_event(OC_EVENT_MODIFIED, OC_SIDE_BUY, 2, 100, 30),
        order_event(OC_EVENT_TRADE, OC_SIDE_BUY, 2, 99, 10),
        order_event(OC_EVENT_FILL, OC_SIDE_SELL, 5, 99, 10),
        order_event(OC_EVENT_LEVEL, OC_SIDE_SELL, 0, 99, 0),
        order_event(OC_EVENT_CANCELLED, OC_SIDE_BUY, 2, 100, 10),
        order_event(OC_EVENT_TRADE, OC_SIDE_BUY, 2, 98, 10),
        order_event(OC_EVENT_FILL, OC_SIDE_SELL, 4, 98, 10),
        order_event(OC_EVENT_ACCEPTED, OC_SIDE_BUY, 9, 1, 1),
    };
    report_writer_begin(f->writer, 8);
    report_writer_events(f->writer, events, sizeof events / sizeof events[0]);
    end_record(f);
    assert_text(f, "0,8,0,9,1,1\n"
                   "1,8,99,10,5,2\n"
                   "1,8,98,10,4,2\n"
                   "2,8,0,2,100\n"
                   "3,8,0,2,100,30");
}

static void test_other_events_are_silent(void **state)
{
    fixture_t *f = *state;
    record_of(f, 0, order_event(OC_EVENT_LEVEL, OC_SIDE_BUY, 0, 1, 2));
    record_of(f, 1, order_event(OC_EVENT_CONFIRMED, OC_SIDE_BUY, 0, 0, 0));
    record_of(f, 2, order_event(OC_EVENT_COMPLETED, OC_SIDE_BUY, 0, 0, 7));
    record_of(f, 3, order_event(OC_EVENT_INSTRUMENT_STATE, OC_SIDE_BUY, 0, 0, 0));
    record_of(f, 4, reject(OC_COMMAND_INSTRUMENT_ADD, 0, OC_REASON_INSTRUMENTS_FULL));
    assert_text(f, "");
}

static void test_extreme_numbers(void **state)
{
    fixture_t *f = *state;
    oc_event_t event =
        order_event(OC_EVENT_ACCEPTED, OC_SIDE_BUY, UINT64_MAX, INT64_MIN, INT64_MAX);
    record_of(f, UINT64_MAX, event);
    assert_text(f, "0,18446744073709551615,0,18446744073709551615,-9223372036854775808,"
                   "9223372036854775807");
}

/* More lines than any buffer starts with, in one record. */
static void test_buffers_grow(void **state)
{
    fixture_t *f = *state;
    enum { TRADES = 20000 };
    report_writer_begin(f->writer, 1);
    for (uint64_t i = 0; i < TRADES; i++) {
        const oc_event_t events[] = {
            order_event(OC_EVENT_TRADE, OC_SIDE_BUY, 1, 100, 1),
            order_event(OC_EVENT_FILL, OC_SIDE_SELL, i, 100, 1),
        };
        report_writer_events(f->writer, events, 2);
    }
    end_record(f);
    fflush(f->out);
    size_t lines = 1;
    for (const char *at = f->text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, TRADES);
    assert_non_null(strstr(f->text, "\n1,1,100,1,19999,1"));
    assert_int_not_equal(f->text[f->size - 1], '\n');
}

static void test_write_failure_is_reported(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (!full) {
        print_message("SKIP: no /dev/full here\n");
        skip();
    }
    setvbuf(full, NULL, _IONBF, 0);
    report_writer_t *writer = report_writer_create(full, "option --reports: /dev/full");
    assert_non_null(writer);
    const oc_event_t event = order_event(OC_EVENT_ACCEPTED, OC_SIDE_BUY, 1, 1, 1);
    report_writer_events(writer, &event, 1);
    const oc_err_t err = report_writer_end(writer);
    assert_int_equal(err, OC_ERR_WRITE);
    assert_string_equal(oc_err_context(),
                        "option --reports: /dev/full: cannot write: No space left on device");
    report_writer_destroy(writer);
    fclose(full);
}

static void test_destroy_null(void **state)
{
    (void)state;
    report_writer_destroy(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_nothing),
        TEST(test_each_line),
        TEST(test_modify_gives_the_open_quantity),
        TEST(test_trade_is_a_pair),
        TEST(test_trade_in_two_batches),
        TEST(test_sorted_by_type_and_stable),
        TEST(test_other_events_are_silent),
        TEST(test_extreme_numbers),
        TEST(test_buffers_grow),
        cmocka_unit_test(test_write_failure_is_reported),
        cmocka_unit_test(test_destroy_null),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
