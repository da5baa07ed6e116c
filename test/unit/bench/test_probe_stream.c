/*
 * Probes on a schedule: each sent and answered once, and the windows cut out of them. Run by ctest;
 * needs the program.
 */
#define _GNU_SOURCE
#include "bench/probe_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "bench/measured_node.h"
#include "bench/measured_venue.h"
#include "lib/temp_dir.h"

static const char small[] = "[exchange]\nmax_orders = 1000\nmax_levels = 2000\nmax_sources = 16\n"
                            "kept_outputs = 64\n[journal]\nsegment_bytes = 1M\n"
                            "group_bytes = 512K\nlow_space_bytes = 0\n";

/* Probes due at 0, 10, 20... with latencies 100, 99, 98... */
static probe_stream_t made(probe_t *probes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        probes[i] = (probe_t){.intended_ns = i * 10, .latency_ns = 100 - i};
    return (probe_stream_t){.probes = probes, .capacity = count, .count = count};
}

static void test_windows(void **state)
{
    (void)state;
    probe_t probes[100];
    const probe_stream_t stream = made(probes, 100);
    probe_window_t window;
    probe_stream_between(&stream, 100, 200, &window); /* places 10 to 19 */
    assert_int_equal(window.count, 10);
    assert_int_equal(window.worst_ns, 90);
    assert_int_equal(window.p99_ns, 90);
    probe_stream_between(&stream, 0, 1000, &window);
    assert_int_equal(window.count, 100);
    assert_int_equal(window.worst_ns, 100);
    assert_int_equal(window.p99_ns, 99);
    assert_int_equal(window.p999_ns, 100);
    assert_int_equal(window.p50_ns, 50);
    probe_stream_before(&stream, 0, 100, 5, &window); /* places 5 to 9 */
    assert_int_equal(window.count, 5);
    assert_int_equal(window.worst_ns, 95);
    probe_stream_before(&stream, 0, 30, 50, &window); /* there are but three */
    assert_int_equal(window.count, 3);
    probe_stream_before(&stream, 80, 100, 5, &window); /* no further back than places 8 and 9 */
    assert_int_equal(window.count, 2);
    assert_int_equal(window.worst_ns, 92);
    probe_stream_before(&stream, 100, 100, 5, &window);
    assert_int_equal(window.count, 0);
    probe_stream_between(&stream, 2000, 3000, &window);
    assert_int_equal(window.count, 0);
    probes[15].latency_ns = UINT64_MAX; /* never answered */
    probe_stream_between(&stream, 100, 200, &window);
    assert_true(window.worst_ns == UINT64_MAX);
}

static bool at_once(void *context)
{
    (void)context;
    return true;
}

/* As a thread that was off its processor when what it waits for happened. */
static bool after_a_stall(void *context)
{
    (void)context;
    const struct timespec stall = {.tv_nsec = 60000000};
    (void)nanosleep(&stall, NULL);
    return true;
}

/* The probes due in a stall are sent, late, and the schedule goes on over calls. */
static void check_stall(probe_stream_t *stream)
{
    probe_stream_restart(stream);
    assert_int_equal(stream->count, 0);
    assert_int_equal(probe_stream_run(stream, UINT64_MAX, after_a_stall, NULL), OC_ERR_OK);
    assert_true(stream->count >= 60);
    assert_int_equal(probe_stream_run(stream, clock_wall_ns() + 20000000, NULL, NULL), OC_ERR_OK);
    assert_int_equal(probe_stream_drain(stream, 10000000000), OC_ERR_OK);
    for (size_t i = 1; i < stream->count; i++)
        assert_int_equal(stream->probes[i].intended_ns - stream->probes[i - 1].intended_ns,
                         1000000);
    assert_true(stream->probes[0].latency_ns >= 59000000);
    assert_true(stream->count >= 80);
}

static void run_on(measured_node_t *node)
{
    load_venue_config_t venue;
    measured_venue_config(node->ingress, &venue, 1);
    assert_int_equal(load_venue_prepare(&venue), OC_ERR_OK);
    const probe_stream_config_t config = {
        .ingress = node->ingress,
        .principal = venue.trader.principal,
        .source = venue.first_source,
        .instrument = {1},
        .price_ticks = WORKLOAD_PRICE_MIDDLE,
        .rate_per_s = 1000,
        .capacity = 2000,
    };
    probe_stream_t stream;
    assert_int_equal(probe_stream_init(&stream, &config), OC_ERR_OK);
    assert_int_equal(probe_stream_run(&stream, UINT64_MAX, at_once, NULL), OC_ERR_OK);
    assert_int_equal(probe_stream_drain(&stream, 10000000000), OC_ERR_OK);
    probe_stream_restart(&stream);
    assert_int_equal(probe_stream_run(&stream, clock_wall_ns() + 200000000, NULL, NULL), OC_ERR_OK);
    assert_int_equal(probe_stream_drain(&stream, 10000000000), OC_ERR_OK);
    assert_true(stream.count >= 200);
    assert_int_equal(stream.answered, stream.count);
    assert_int_equal(stream.wrong, 0);
    probe_window_t window;
    probe_stream_between(&stream, 0, UINT64_MAX, &window);
    assert_true(window.p99_ns > 0);
    assert_true(window.worst_ns < UINT64_MAX);
    check_stall(&stream);
    /* More than there is room for. */
    assert_int_equal(probe_stream_run(&stream, UINT64_MAX, NULL, NULL), OC_ERR_TOO_LONG);
    probe_stream_fini(&stream);
}

static void test_against_a_node(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    measured_node_t node;
    assert_int_equal(measured_node_init(&node, dir.path, "probes", OUTCRY_PROGRAM), OC_ERR_OK);
    assert_int_equal(measured_node_start(&node, small), OC_ERR_OK);
    run_on(&node);
    assert_int_equal(measured_node_fini(&node, OC_ERR_OK), OC_ERR_OK);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_against_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
