/*
 * Unit tests of echoes in run files: repeats are one group of the report, the time line begins
 * behind the warm-up, and marks and the rate are those of the run. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/echo_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"
#include "report/figures_of.h"

#define SECOND_NS UINT64_C(1000000000)

enum { WARM = 1, SECONDS = 5, MESSAGES = 3000, SENDER = 7 };

static echo_account_t account;
static echo_result_t result;
static const echo_record_t record = {
    .with = {.rate = 1000, .message_bytes = 288, .mtu = 1408, .arrivals = "steady:1"},
    .warmup_ns = WARM * SECOND_NS,
    .hlog = "/some/folder/a.hlog",
};

static int setup(void **state)
{
    (void)state;
    return echo_account_init(&account, SECONDS, SECOND_NS) == OC_ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    echo_account_fini(&account);
    return 0;
}

/* A thousand messages a second for three seconds, each answered `latency_ns` after its intended
 * time; sent half of that late. */
static void run_echoes(uint64_t latency_ns)
{
    const uint64_t start_ns = SECOND_NS;
    echo_account_begin(&account, start_ns, record.warmup_ns, SENDER);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        const uint64_t due_ns = start_ns + i * SECOND_NS / 1000;
        const wire_message_t message = {.sequence = i,
                                        .intended_ns = due_ns,
                                        .sent_ns = due_ns + latency_ns / 2,
                                        .sender = SENDER,
                                        .kind = WIRE_DATA};
        echo_account_sent(&account, due_ns, message.sent_ns, false);
        echo_account_echo(&account, &message, due_ns + latency_ns);
    }
    echo_account_end(&account);
    result = (echo_result_t){.counts = account.counts,
                             .intended = MESSAGES,
                             .schedule_ns = 3 * SECOND_NS,
                             .sending_ns = 3 * SECOND_NS};
}

static json_t *recorded(size_t repeats, run_loop_t loop)
{
    run_file_t *run = run_file_create("echo", loop, "1.2.3");
    assert_non_null(run);
    for (size_t i = 0; i < repeats; i++)
        echo_record_run(&record, run, &account, &result);
    return run_maker_end(run);
}

static double number_of(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static double figure_of(json_t *root, const char *name, double percentile)
{
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(root, "figures"), i, figure)
    {
        if (!strcmp(json_string_value(json_object_get(figure, "name")), name) &&
            number_of(figure, "percentile") == percentile)
            return number_of(figure, "value");
    }
    fail_msg("no figure %s", name);
    return 0;
}

static void test_a_good_run(void **state)
{
    (void)state;
    run_echoes(8000);
    json_t *root = recorded(2, RUN_LOOP_OPEN);
    assert_int_equal(json_array_size(json_object_get(root, "marks")), 0);
    json_t *groups = figures_of_groups(root);
    json_t *group = json_array_get(groups, 0);
    assert_int_equal(json_array_size(groups), 1);
    assert_true(number_of(group, "repeats") == 2 && number_of(group, "count") == 4000);
    assert_true(json_number_value(json_array_get(json_object_get(group, "p999"), 0)) == 8000);
    json_t *service = json_object_get(group, "service");
    assert_true(json_number_value(json_array_get(json_object_get(service, "p999"), 0)) == 4000);
    json_decref(groups);
    json_t *series = json_array_get(json_object_get(root, "series"), 0);
    assert_true(number_of(series, "warmup_s") == WARM);
    assert_string_equal(json_string_value(json_object_get(series, "hlog")), "a.hlog");
    assert_null(json_object_get(series, "hgrm"));
    /* Of five seconds one is warm-up, and in the last two nothing came. */
    json_t *seconds = json_object_get(series, "seconds");
    assert_int_equal(json_array_size(seconds), 2);
    assert_true(number_of(json_array_get(seconds, 0), "t") == 1);
    assert_true(number_of(json_array_get(seconds, 0), "count") == 1000);
    assert_true(number_of(json_array_get(seconds, 1), "max") == 8000);
    assert_true(figure_of(root, "messages_per_s", 0) == 1000);
    assert_true(figure_of(root, "send_late", 99.9) == 4000);
    json_t *verdict = json_array_get(json_object_get(root, "verdicts"), 0);
    assert_string_equal(json_string_value(json_object_get(verdict, "name")), "kept_rate");
    assert_string_equal(json_string_value(json_object_get(verdict, "verdict")), "pass");
    json_decref(root);
}

static json_t *mark_of(json_t *root, const char *name)
{
    size_t i;
    json_t *mark;
    json_array_foreach(json_object_get(root, "marks"), i, mark)
    {
        if (!strcmp(json_string_value(json_object_get(mark, "name")), name))
            return mark;
    }
    fail_msg("no mark %s", name);
    return NULL;
}

static void test_a_bad_run(void **state)
{
    (void)state;
    run_echoes(40000); /* sent 20 us late */
    result.intended += 5;
    result.unsent = 5;
    result.lost = 2;
    json_t *root = recorded(2, RUN_LOOP_OPEN);
    assert_true(number_of(mark_of(root, "late"), "count") == 4000);
    assert_true(number_of(mark_of(root, "unsent"), "count") == 10);
    assert_true(number_of(mark_of(root, "lost"), "count") == 4);
    assert_true(number_of(mark_of(root, "sender_rate"), "count") == 2);
    json_t *verdict = json_array_get(json_object_get(root, "verdicts"), 1);
    assert_string_equal(json_string_value(json_object_get(verdict, "reason")), "no: sender limit");
    json_decref(root);
    result.blocked_ns = result.sending_ns;
    root = recorded(1, RUN_LOOP_OPEN);
    (void)mark_of(root, "transport_rate");
    json_decref(root);
}

/* It has no schedule to be late for, and no rate to keep. */
static void test_a_closed_loop(void **state)
{
    (void)state;
    run_echoes(8000);
    result.closed_loop = true;
    json_t *root = recorded(1, RUN_LOOP_CLOSED);
    assert_null(json_object_get(root, "verdicts"));
    size_t i;
    json_t *figure;
    json_array_foreach(json_object_get(root, "figures"), i, figure)
    {
        assert_string_not_equal(json_string_value(json_object_get(figure, "name")), "send_late");
    }
    json_decref(root);
}

static void test_no_file_is_asked_for(void **state)
{
    (void)state;
    run_echoes(8000);
    echo_record_run(&record, NULL, &account, &result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_good_run, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_bad_run, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_closed_loop, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_file_is_asked_for, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
