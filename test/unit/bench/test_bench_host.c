/*
 * Unit tests of pinning and of the lines about the machine. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_host.h"

#include <sched.h>
#include <string.h>

static void test_bad_processors(void **state)
{
    (void)state;
    assert_int_equal(bench_host_pin(-1), OC_ERR_INVALID_CONFIG);
    assert_int_equal(bench_host_pin(1 << 20), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "cpu 1048576"));
}

static void test_checking_moves_nothing(void **state)
{
    (void)state;
    cpu_set_t before;
    cpu_set_t after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int cpu = 0;
    while (!CPU_ISSET((size_t)cpu, &before))
        cpu++;
    assert_int_equal(bench_host_pin_check(cpu), OC_ERR_OK);
    assert_int_equal(bench_host_pin_check(CPU_SETSIZE - 1), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "cannot run on cpu 1023"));
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
}

/* Pinned to a processor that this thread may use anyway. */
static void test_pinning(void **state)
{
    (void)state;
    cpu_set_t before;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int cpu = 0;
    while (!CPU_ISSET((size_t)cpu, &before))
        cpu++;
    assert_int_equal(bench_host_pin(cpu), OC_ERR_OK);
    cpu_set_t after;
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_int_equal(CPU_COUNT(&after), 1);
    assert_true(CPU_ISSET((size_t)cpu, &after));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void test_lines(void **state)
{
    (void)state;
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    bench_host_print(out, BENCH_HOST_CPU_ANY);
    bench_host_print(out, 3);
    fclose(out);
    const char *const wanted[] = {"build: ",          "\ncompiler: ",         "\ncpu_model: ",
                                  "\nload_average: ", "\npinned_cpu: none\n", "\npinned_cpu: 3\n"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strstr(text, wanted[i]))
            fail_msg("'%s' is not in '%s'", wanted[i], text);
}

static void test_steal(void **state)
{
    (void)state;
    const bench_host_time_t begin = {1000, 10};
    const bench_host_time_t end = {1400, 30};
    assert_true(bench_host_steal_pct(&begin, &end) == 5.0);
    assert_true(bench_host_steal_pct(&begin, &begin) == 0.0);
    assert_true(bench_host_steal_pct(&end, &begin) == 0.0);
    bench_host_time_t now;
    bench_host_time(&now);
    assert_true(now.total > 0);
    assert_true(now.stolen <= now.total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_processors), cmocka_unit_test(test_checking_moves_nothing),
        cmocka_unit_test(test_pinning),        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_steal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
