/*
 * Unit tests of the worst-case shapes, small, and of their check of the book. Run by ctest.
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
        bench_sparse_result_t result;
        const oc_err_t err = bench_sparse(&options, &size, &result);
        assert_int_equal(err, OC_ERR_OK);
        assert_true(result.oracle_ok);
        assert_true(result.ns_per_op > 0.0);
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
        assert_true(result.oracle_ok);
        assert_true(result.deep_cancel_ns > 0.0);
        assert_true(result.ordinary_cancel_ns > 0.0);
        assert_true(result.sweep_ns_per_level > 0.0);
    }
}

/* More levels than the engine has room for: the book is not what it must be, and that is said. */
static void test_wrong_book(void **state)
{
    (void)state;
    const bench_options_t options = {.repeats = 1};
    const bench_sparse_size_t sparse_size = {270000, 2};
    bench_sparse_result_t sparse;
    oc_err_t err = bench_sparse(&options, &sparse_size, &sparse);
    assert_int_equal(err, OC_ERR_OK);
    assert_false(sparse.oracle_ok);
    assert_true(sparse.ns_per_op == 0.0);
    const bench_deep_size_t deep_size = {100, 10, 270000};
    bench_deep_result_t deep;
    err = bench_deep(&options, &deep_size, &deep);
    assert_int_equal(err, OC_ERR_OK);
    assert_false(deep.oracle_ok);
    assert_true(deep.sweep_ns_per_level == 0.0);
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
        cmocka_unit_test(test_wrong_book),
        cmocka_unit_test(test_full_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
