/*
 * Unit tests of the terms of bursts: options into those of a run, and what cannot be. Reports are
 * in test_bench_burst.c and test_bench_trace.c.
 */
#include "cli/burst_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"

static burst_terms_t terms;

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
    const int status = burst_terms_settle(&terms);
    capture_t captured;
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
    assert_int_equal(SETTLE("--senders", "8", "--role", "receiver", "--endpoint", "127.0.0.1:40999",
                            "--p99-us", "7", "--grace", "3", "--receiver-cpu", "1", "--sender-cpu",
                            "0", "--qdisc-show", "true"),
                     -1);
    const burst_options_t *burst = &terms.burst;
    assert_int_equal(burst->role, BURST_RECEIVER);
    assert_int_equal(burst->senders, 8);
    assert_int_equal(burst->p99_limit_ns, 7000);
    assert_int_equal(burst->grace_ns, UINT64_C(3000000000));
    assert_true(burst->receiver_cpu == 1 && burst->sender_cpu == 0);
    assert_string_equal(burst->qdisc_show, "true");
    assert_non_null(burst->ready);
    assert_false(burst_terms_is_loopback(&terms));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
