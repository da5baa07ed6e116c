/*
 * Knees over a real pair: that the search is fed with runs and ends, within the time it has; and
 * what a run is worth.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_knee.h"

#define MS UINT64_C(1000000)

static uint32_t runs;
static uint32_t points;

static void on_run(void *context, const knee_run_t *run)
{
    (void)context;
    assert_true(run->p50_ns <= run->p99_ns && run->p99_ns <= run->p999_ns &&
                run->p999_ns <= run->max_ns);
    assert_true(run->value_ns == run->p99_ns);
    assert_int_equal(run->repeat, runs % 2);
    assert_int_equal(run->lost + run->doubled, 0);
    runs++;
}

static void on_point(void *context, const knee_point_t *point)
{
    (void)context;
    assert_int_equal(point->runs, 2);
    points++;
}

static knee_options_t usual(void)
{
    return (knee_options_t){
        .terms = {.start_per_s = 10000, .min_per_s = 10000, .max_per_s = 20000, .precision = 1.5},
        .shape = {.kind = ARRIVAL_STEADY, .burst = 1},
        .bytes = 64,
        .sla_ns = 3600000 * MS,
        .percent = 99.0, /* or each run would take seconds */
        .repeats = 2,
        .run_ns = 10 * MS,
        .warmup_ns = 1 * MS,
        .budget_ns = 600000 * MS,
        .on_run = on_run,
        .on_point = on_point,
    };
}

static void find(const knee_options_t *options, knee_outcome_t *outcome)
{
    echo_pair_t pair;
    const echo_pair_options_t how = {
        .wire = {.channel = "aeron:ipc", .message_bytes = 64},
        .reflector_cpu = REFLECTOR_CPU_ANY,
        .yield = true,
        .patience_ns = 30000 * MS,
    };
    runs = 0;
    points = 0;
    assert_int_equal(echo_pair_open(&pair, &how), OC_ERR_OK);
    assert_int_equal(bench_knee(&pair, options, outcome), OC_ERR_OK);
    assert_int_equal(echo_pair_close(&pair), OC_ERR_OK);
}

/* What no latency crosses, and what every latency does: no speed is in either. */
static void limits_that_nothing_reaches_and_everything_crosses(void **state)
{
    (void)state;
    knee_outcome_t outcome;
    knee_options_t options = usual();
    find(&options, &outcome);
    assert_true(outcome.result.end == KNEE_ABOVE_MAX || outcome.result.end == KNEE_SENDER_LIMIT);
    assert_int_equal(points, outcome.search.count);
    options.sla_ns = 0;
    find(&options, &outcome);
    assert_true(outcome.result.end == KNEE_BELOW_MIN || outcome.result.end == KNEE_SENDER_LIMIT);
    assert_true(outcome.result.low_per_s == 0);
}

static void no_run_begins_that_would_end_too_late(void **state)
{
    (void)state;
    knee_outcome_t outcome;
    knee_options_t options = usual();
    options.budget_ns = 500 * MS;
    find(&options, &outcome);
    assert_int_equal(outcome.result.end, KNEE_CUT);
    assert_int_equal(runs + points, 0);
}

static void runs_are_long_enough_for_their_percentile(void **state)
{
    (void)state;
    knee_options_t options = usual();
    options.run_ns = 1000 * MS;
    options.percent = 99.9;
    assert_true(knee_run_length_ns(&options, 1000000) == 1000 * MS);
    assert_true(knee_run_length_ns(&options, 20000) <= 1001 * MS);
    const uint64_t length_ns = knee_run_length_ns(&options, 10000);
    assert_true(length_ns > 1999 * MS && length_ns < 2001 * MS);
    assert_true(knee_run_length_ns(&options, 1) == 10000 * MS);
    options.run_ns = 20000 * MS;
    assert_true(knee_run_length_ns(&options, 1) == 20000 * MS);
}

static void a_run_is_worth_what_its_sender_was(void **state)
{
    (void)state;
    static const struct {
        knee_run_t run;
        bool crossed;
        bool limited;
    } cases[] = {
        {{.sent = 9, .value_ns = 1000}, false, false},
        {{.sent = 9, .value_ns = 1001}, true, false},
        {{.sent = 9, .value_ns = 1001, .own_late_ns = 500}, true, false},
        {{.sent = 9, .value_ns = 1001, .own_late_ns = 501}, false, true},
        {{.sent = 9, .value_ns = 900, .own_late_ns = 800}, false, false},
        {{.sent = 9, .value_ns = 1, .lost = 1}, true, false},
        {{.sent = 9, .value_ns = 1, .limit = ECHO_SENDER_LIMIT}, false, true},
        {{.sent = 9, .value_ns = 1, .limit = ECHO_TRANSPORT_LIMIT}, true, false},
        {{.sent = 0}, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        knee_run_t run = cases[i].run;
        knee_run_judge(&run, 1000);
        assert_int_equal(run.crossed, cases[i].crossed);
        assert_int_equal(run.sender_limited, cases[i].limited);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_that_nothing_reaches_and_everything_crosses),
        cmocka_unit_test(no_run_begins_that_would_end_too_late),
        cmocka_unit_test(runs_are_long_enough_for_their_percentile),
        cmocka_unit_test(a_run_is_worth_what_its_sender_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
