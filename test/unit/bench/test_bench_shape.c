/*
 * Unit tests of the worst-case shapes, small: what the benches assert about the book at their end
 * is the check. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_shape.h"

static void test_sparse(void **state)
{
    (void)state;
    const bench_sparse_size_t size = {50, 400};
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        const bench_options_t options = {.engine = (oc_engine_kind_t)kind, .repeats = 2};
        double ns_per_op = 0.0;
        const oc_err_t err = bench_sparse(&options, &size, &ns_per_op);
        assert_int_equal(err, OC_ERR_OK);
        assert_true(ns_per_op > 0.0);
    }
}

static void test_deep(void **state)
{
    (void)state;
    const bench_deep_size_t size = {2000, 10, 30};
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        const bench_options_t options = {
            .mode = BENCH_SINGLE, .engine = (oc_engine_kind_t)kind, .repeats = 1};
        bench_deep_result_t result;
        const oc_err_t err = bench_deep(&options, &size, &result);
        assert_int_equal(err, OC_ERR_OK);
        assert_true(result.deep_cancel_ns > 0.0);
        assert_true(result.ordinary_cancel_ns > 0.0);
        assert_true(result.sweep_ns_per_level > 0.0);
    }
}

static void test_full_sizes(void **state)
{
    (void)state;
    assert_int_equal(BENCH_SPARSE_SIZE.levels, 10000);
    assert_int_equal(BENCH_DEEP_SIZE.orders, 1000000);
    assert_int_equal(BENCH_DEEP_SIZE.sweep_levels, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_full_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
