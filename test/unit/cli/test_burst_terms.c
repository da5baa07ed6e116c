/*
 * Unit tests of the terms of bursts: options into those of a run, and what cannot be. Reports are
 * in test_bench_burst.c and test_bench_trace.c.
 */
#define _GNU_SOURCE
#include "cli/burst_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

#include <sched.h>
#include <stdio.h>

static burst_terms_t terms;
static capture_t captured;

static int settle(const char *const *words)
{
    option_t table[BURST_TERMS_OPTIONS];
    int count = 0;
    while (words[count])
        count++;
    burst_terms_init(&terms, "burst");
    burst_terms_table(&terms, table);
    options_t parser = {.table = table, .count = BURST_TERMS_OPTIONS, .command = "bench"};
    assert_true(options_parse(&parser, count, (char *const *)(uintptr_t)words));
    terms.burst.wire.message_bytes = 170;
    output_capture_begin();
    const char *problem = burst_terms_check(&terms);
    const int status = problem ? subcommand_usage("bench", problem) : burst_terms_settle(&terms);
    output_capture_end(&captured);
    return status;
}
#define SETTLE(...) settle((const char *const[]){"burst", __VA_ARGS__, NULL})

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(SETTLE("--strict"), -1);
    const burst_options_t *burst = &terms.burst;
    assert_int_equal(burst->role, BURST_BOTH);
    assert_int_equal(burst->senders, 1);
    assert_int_equal(burst->p99_limit_ns, 1000000);
    assert_int_equal(burst->grace_ns, UINT64_C(10000000000));
    assert_int_equal(burst->sender_cpu, BENCH_HOST_CPU_ANY);
    assert_int_equal(burst->receiver_cpu, BENCH_HOST_CPU_ANY);
    assert_null(burst->qdisc_show);
    assert_null(burst->ready);
    assert_true(terms.strict && burst_terms_is_loopback(&terms));
}

static void test_given(void **state)
{
    (void)state;
    char cpu[16];
    const int here = sched_getcpu();
    (void)snprintf(cpu, sizeof cpu, "%d", here);
    assert_int_equal(SETTLE("--senders", "1", "--endpoint", "127.0.0.1:40999", "--p99-us", "7",
                            "--grace", "3", "--receiver-cpu", cpu, "--sender-cpu", cpu,
                            "--qdisc-show", "true"),
                     -1);
    const burst_options_t *burst = &terms.burst;
    assert_int_equal(burst->role, BURST_BOTH);
    assert_int_equal(burst->senders, 1);
    assert_int_equal(burst->p99_limit_ns, 7000);
    assert_int_equal(burst->grace_ns, UINT64_C(3000000000));
    assert_true(burst->receiver_cpu == here && burst->sender_cpu == here);
    assert_string_equal(burst->qdisc_show, "true");
    assert_null(burst->ready);
    assert_false(burst_terms_is_loopback(&terms));
    assert_int_equal(SETTLE("--role", "receiver", "--endpoint", "127.0.0.1:40999"), -1);
    assert_int_equal(terms.burst.role, BURST_RECEIVER);
    assert_non_null(terms.burst.ready);
}

static void test_impossible(void **state)
{
    (void)state;
    assert_int_equal(SETTLE("--mtu", "100"), EXIT_STATUS_USAGE);
    assert_int_equal(SETTLE("--channel", "aeron:tcp"), EXIT_STATUS_USAGE);
    assert_int_equal(SETTLE("--receiver-window", "100"), EXIT_STATUS_USAGE);
    assert_int_equal(SETTLE("--role", "receiver"), EXIT_STATUS_USAGE);
    assert_int_equal(SETTLE("--role", "sender", "--endpoint", "127.0.0.1:40999", "--hgrm", "file"),
                     EXIT_STATUS_USAGE);
}

/* Nothing that is given is left aside without a word. */
static void test_misplaced(void **state)
{
    (void)state;
#define APART(role) "--endpoint", "127.0.0.1:40999", "--role", role
    assert_int_equal(SETTLE("--aeron-dir", "somewhere", "--dedicated"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--dedicated");
    assert_int_equal(SETTLE(APART("receiver"), "--senders", "1"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--senders");
    assert_int_equal(SETTLE(APART("receiver"), "--sender-cpu", "0"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--sender-cpu");
    assert_int_equal(SETTLE(APART("receiver"), "--grace", "10"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--grace");
    assert_int_equal(SETTLE(APART("sender"), "--receiver-cpu", "0"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--receiver-cpu");
    assert_int_equal(SETTLE(APART("sender"), "--p99-us", "1000"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--p99-us");
    assert_int_equal(SETTLE(APART("sender"), "--senders", "2"), -1);
}

/* They are tried beforehand, and this thread is where it was. */
static void test_processors(void **state)
{
    (void)state;
    cpu_set_t before;
    cpu_set_t after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(SETTLE("--sender-cpu", "1023"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--sender-cpu: cannot run on cpu 1023");
    assert_int_equal(SETTLE("--senders", "8", "--sender-cpu", "1020"), EXIT_STATUS_USAGE);
    assert_int_equal(SETTLE("--receiver-cpu", "1023"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--receiver-cpu: cannot run on cpu 1023");
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_given),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_misplaced),
        cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
