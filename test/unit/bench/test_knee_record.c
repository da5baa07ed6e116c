/*
 * Unit tests of knees in run files: what the report promises, and calls the breaking point, of
 * searches over a transport that is played. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/knee_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/run_maker.h"
#include "report/figures_of.h"

enum { REPEATS = 3, KNEE = 90000, SLA_NS = 1000000 };

/* How a run of the played transport goes: its p99.9, and whether the sender is late itself. */
typedef void (*player_t)(knee_run_t *run);

static knee_record_t record;
static knee_outcome_t outcome;
static const knee_options_t options = {
    .terms = {.start_per_s = 10000, .min_per_s = 1000, .max_per_s = 1000000, .precision = 1.1},
    .sla_ns = SLA_NS,
    .percent = 99.9,
    .repeats = REPEATS,
};

static void search(player_t play, size_t points_max)
{
    uint64_t rate;
    memset(&record, 0, sizeof record);
    memset(&outcome, 0, sizeof outcome);
    knee_search_init(&outcome.search, &options.terms);
    while ((rate = knee_search_next(&outcome.search)) != 0 && outcome.search.count < points_max) {
        knee_point_t point = {.rate_per_s = rate};
        for (uint32_t i = 0; i < REPEATS; i++) {
            knee_run_t run = {.rate_per_s = rate, .repeat = i, .sent = 1000};
            play(&run);
            run.p999_ns = run.value_ns;
            knee_run_judge(&run, SLA_NS);
            point.runs++;
            point.limited += run.sender_limited;
            point.crossings += run.crossed;
            knee_record_take(&record, &run);
        }
        knee_search_add(&outcome.search, &point);
        knee_record_point(&record);
    }
    knee_search_result(&outcome.search, &outcome.result);
}

static json_t *recorded(uint64_t at_rate)
{
    run_file_t *run = run_file_create("knee", RUN_LOOP_OPEN, "1.2.3");
    const run_qualifiers_t with = {.message_bytes = 288, .mtu = 1408, .arrivals = "poisson"};
    assert_non_null(run);
    knee_record_end(&record, run, &with, &options, &outcome, at_rate);
    return run_maker_end(run);
}

static void play_sharp(knee_run_t *run)
{
    run->value_ns = run->rate_per_s > KNEE ? 5 * SLA_NS : 200000 + run->repeat * 1000;
}

static void test_found(void **state)
{
    (void)state;
    search(play_sharp, KNEE_POINTS_MAX);
    json_t *root = recorded(45000);
    assert_int_equal(json_array_size(json_object_get(root, "marks")), 0);
    json_t *knee = json_object_get(root, "knee");
    assert_string_equal(run_maker_text(knee, "end"), "found");
    json_t *place = json_object_get(knee, "knee");
    assert_true(run_maker_number(place, "low") <= KNEE && run_maker_number(place, "high") > KNEE);
    assert_true(run_maker_number(place, "high") / run_maker_number(place, "low") < 1.11);
    assert_true(run_maker_number(json_object_get(knee, "rho_at"), "rate") == 45000);
    json_t *numbers = figures_of_numbers(root);
    json_t *promise = json_object_get(numbers, "can_be_promised");
    assert_string_equal(run_maker_text(promise, "why"), "");
    /* The worst of the repeats, at a rate that was measured. */
    assert_true(run_maker_number(promise, "value_ns") == 202000);
    assert_true(run_maker_number(promise, "repeats") == REPEATS);
    assert_true(run_maker_number(promise, "rate") == 40000);
    assert_true(run_maker_number(json_object_get(numbers, "lab_best"), "value_ns") == 200000);
    json_decref(numbers);
    json_decref(root);
}

/* One bad repeat: most of the search's runs are good, but what is promised is the worst. */
static void play_one_bad(knee_run_t *run)
{
    play_sharp(run);
    if (run->rate_per_s == 20000 && run->repeat == 1)
        run->value_ns = 2 * SLA_NS;
}

static void test_a_rate_failed_if_one_repeat_did(void **state)
{
    (void)state;
    search(play_one_bad, KNEE_POINTS_MAX);
    json_t *root = recorded(0);
    json_t *knee = json_object_get(root, "knee");
    json_t *point = json_array_get(json_object_get(knee, "points"), 1);
    assert_true(run_maker_number(point, "rate") == 20000);
    assert_string_equal(run_maker_text(point, "verdict"), "fail");
    assert_null(json_object_get(knee, "rho_at"));
    json_t *numbers = figures_of_numbers(root);
    json_t *promise = json_object_get(numbers, "can_be_promised");
    assert_true(json_object_get(promise, "value_ns") == NULL ||
                run_maker_number(promise, "rate") < 20000);
    json_t *breaking = json_object_get(numbers, "breaking_point");
    assert_true(run_maker_number(breaking, "first_failed") == 20000);
    json_decref(numbers);
    json_decref(root);
}

/* A sender that is late itself, from a rate below the knee on. */
static void play_slow_sender(knee_run_t *run)
{
    play_sharp(run);
    if (run->rate_per_s > 30000 && run->repeat > 0)
        run->limit = ECHO_SENDER_LIMIT;
}

static void play_one_late(knee_run_t *run)
{
    play_sharp(run);
    if (run->rate_per_s == 20000 && run->repeat == 0) {
        run->value_ns = 2 * SLA_NS;
        run->own_late_ns = SLA_NS;
    }
}

static void test_the_sender_was_the_limit(void **state)
{
    (void)state;
    search(play_slow_sender, KNEE_POINTS_MAX);
    json_t *root = recorded(0);
    json_t *knee = json_object_get(root, "knee");
    assert_true(json_is_null(json_object_get(knee, "knee")));
    assert_string_equal(run_maker_text(knee, "end"), "above what the sender can do");
    json_t *point = json_array_get(json_object_get(knee, "points"), 2);
    assert_true(run_maker_number(point, "rate") == 40000);
    assert_string_equal(run_maker_text(point, "verdict"), "marked");
    json_t *numbers = figures_of_numbers(root);
    assert_string_equal(run_maker_text(json_object_get(numbers, "can_be_promised"), "why"),
                        "no knee was found");
    json_decref(numbers);
    json_decref(root);
    /* Once is enough to prove nothing. */
    search(play_one_late, KNEE_POINTS_MAX);
    root = recorded(0);
    knee = json_object_get(root, "knee");
    point = json_array_get(json_object_get(knee, "points"), 1);
    assert_string_equal(run_maker_text(point, "verdict"), "marked");
    json_decref(root);
}

/* Between a rate that held and one that failed lies what the sender cannot do. */
static void play_gap(knee_run_t *run)
{
    run->value_ns = run->rate_per_s > 75000 ? 5 * SLA_NS : 200000;
    if (run->rate_per_s > 50000 && run->rate_per_s <= 75000)
        run->limit = ECHO_SENDER_LIMIT;
}

static void test_the_sender_was_the_limit_before_the_knee(void **state)
{
    (void)state;
    search(play_gap, KNEE_POINTS_MAX);
    assert_true(outcome.result.low_per_s > 0 && outcome.result.mid_per_s > 0 &&
                outcome.result.high_per_s > 0);
    json_t *root = recorded(0);
    assert_true(json_is_null(json_object_get(json_object_get(root, "knee"), "knee")));
    json_t *numbers = figures_of_numbers(root);
    json_t *breaking = json_object_get(numbers, "breaking_point");
    assert_null(json_object_get(breaking, "knee"));
    assert_true(run_maker_number(breaking, "first_failed") == 80000);
    json_decref(numbers);
    json_decref(root);
}

/* The time ended within a rate, whose runs are in no figure. */
static void test_cut(void **state)
{
    (void)state;
    search(play_sharp, 2);
    const knee_run_t last = {.rate_per_s = 40000, .p999_ns = 7, .doubled = 3};
    knee_record_take(&record, &last);
    json_t *root = recorded(0);
    json_t *knee = json_object_get(root, "knee");
    assert_int_equal(json_array_size(json_object_get(knee, "points")), 2);
    assert_true(json_is_null(json_object_get(knee, "knee")));
    assert_string_equal(run_maker_text(json_array_get(json_object_get(root, "marks"), 0), "name"),
                        "doubled");
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_a_rate_failed_if_one_repeat_did),
        cmocka_unit_test(test_the_sender_was_the_limit),
        cmocka_unit_test(test_the_sender_was_the_limit_before_the_knee),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
