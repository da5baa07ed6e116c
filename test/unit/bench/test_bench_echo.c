/*
 * Pairs of a sender and a reflector: runs over them, the bare ping-pong, and what does not work.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_echo.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

static echo_pair_options_t usual(const char *channel)
{
    return (echo_pair_options_t){
        .wire = {.channel = channel, .message_bytes = 288},
        .reflector_cpu = REFLECTOR_CPU_ANY,
        .yield = true,
        .patience_ns = 30000 * MS,
    };
}

static void run_twice(const char *channel)
{
    echo_pair_t pair;
    echo_account_t account;
    echo_result_t result;
    arrival_t arrivals;
    const echo_pair_options_t options = usual(channel);
    const echo_load_t load = {.arrivals = &arrivals,
                              .duration_ns = 100 * MS,
                              .catch_up_ns = 30000 * MS,
                              .grace_ns = 30000 * MS,
                              .yield = true};
    assert_int_equal(echo_pair_open(&pair, &options), OC_ERR_OK);
    assert_int_equal(echo_account_init(&account, 1, UINT64_MAX), OC_ERR_OK);
    for (int i = 0; i < 2; i++) {
        arrival_init_steady(&arrivals, 5000, 5);
        assert_int_equal(echo_pair_run(&pair, &load, &account, &result), OC_ERR_OK);
        assert_int_equal(result.counts.sent, 500);
        assert_int_equal(result.counts.received, 500);
        assert_int_equal(result.counts.doubled + result.counts.out_of_order + result.lost, 0);
        assert_int_equal(histogram_count(account.latency), 500);
        assert_true(histogram_max(account.latency) >= histogram_max(account.service));
    }
    echo_account_fini(&account);
    assert_int_equal(echo_pair_close(&pair), OC_ERR_OK);
    assert_int_equal(pair.reflector.counts.dropped, 0);
}

static void runs_follow_each_other(void **state)
{
    (void)state;
    run_twice("aeron:ipc");
    run_twice(NULL);
}

static void the_bare_ping_pong_stands_beside_it(void **state)
{
    (void)state;
    echo_pair_t pair;
    echo_bare_t bare;
    const echo_pair_options_t options = usual("aeron:ipc");
    assert_int_equal(echo_pair_open(&pair, &options), OC_ERR_OK);
    assert_int_equal(echo_pair_bare(&pair, 288, 100, &bare), OC_ERR_OK);
    assert_int_equal(bare.round_trips, 100);
    assert_true(bare.bare_p50_ns > 0 && bare.bare_p99_ns >= bare.bare_p50_ns);
    assert_true(bare.ours_p50_ns > 0 && bare.ours_p99_ns >= bare.ours_p50_ns);
    assert_true(bare.overhead_pct > -100.0);
    assert_int_equal(echo_pair_close(&pair), OC_ERR_OK);
}

static void nobody_who_answers_is_told(void **state)
{
    (void)state;
    echo_pair_t pair;
    char back[32];
    echo_pair_options_t options = usual(NULL);
    options.wire.apart = true;
    options.wire.endpoint = "127.0.0.1:1";
    (void)snprintf(back, sizeof back, "127.0.0.1:%d", 20000 + (int)getpid() % 10000);
    options.wire.back_endpoint = back;
    options.patience_ns = 100 * MS;
    assert_int_equal(echo_pair_open(&pair, &options), OC_ERR_TIMEOUT);
    assert_non_null(strstr(oc_err_context(), "no reflector answers on aeron:udp?endpoint="));
}

static void a_reflector_that_cannot_run_is_told(void **state)
{
    (void)state;
    echo_pair_t pair;
    echo_pair_options_t options = usual("aeron:ipc");
    options.reflector_cpu = 1000;
    options.patience_ns = 200 * MS;
    assert_int_equal(echo_pair_open(&pair, &options), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "cpu 1000"));
}

static void two_processors_are_not_enough_to_spin(void **state)
{
    (void)state;
    assert_true(echo_processors() >= 1);
    assert_int_equal(echo_may_spin(true, false), echo_processors() > 3);
    assert_int_equal(echo_may_spin(true, true), echo_processors() > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_follow_each_other),
        cmocka_unit_test(the_bare_ping_pong_stands_beside_it),
        cmocka_unit_test(nobody_who_answers_is_told),
        cmocka_unit_test(a_reflector_that_cannot_run_is_told),
        cmocka_unit_test(two_processors_are_not_enough_to_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
