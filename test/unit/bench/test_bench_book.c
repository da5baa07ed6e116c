/*
 * Unit tests of the book bench on small sizes: the oracle's check finds every kind of deviation and
 * all passes agree. No test looks at a time. Run by ctest.
 */
#include "bench/bench_book.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void generate(workload_t *w, workload_kind_t kind)
{
    const oc_err_t err = workload_init(w, kind, 4000, 4000);
    assert_int_equal(err, OC_ERR_OK);
}

static void bench_once(workload_kind_t kind, bench_mode_t mode, oc_engine_kind_t engine)
{
    workload_t w;
    generate(&w, kind);
    const bench_options_t options = {.mode = mode, .engine = engine, .repeats = 2};
    bench_book_result_t result;
    const oc_err_t err = bench_book(&w, &options, &result);
    assert_int_equal(err, OC_ERR_OK);
    assert_true(result.oracle_ok);
    assert_true(result.trade_hash == w.oracle.trade_hash);
    assert_true(result.book_hash == w.oracle.book_hash);
    assert_true(result.mixed_ns > 0.0);
    assert_true(result.p999_ns >= result.p99_ns);
    assert_int_equal(result.bytes_per_order > 0.0, engine == OC_ENGINE_FAST);
    workload_fini(&w);
}

static void test_book_bench(void **state)
{
    (void)state;
    bench_once(WORKLOAD_W1, BENCH_BATCH, OC_ENGINE_FAST);
    bench_once(WORKLOAD_W1, BENCH_SINGLE, OC_ENGINE_REFERENCE);
    bench_once(WORKLOAD_W2, BENCH_SINGLE, OC_ENGINE_FAST);
}

/* Every part of the oracle counts: changed by one, it is not met. */
static void test_oracle_deviations_are_found(void **state)
{
    (void)state;
    workload_t w;
    generate(&w, WORKLOAD_W1);
    uint64_t *const parts[] = {&w.oracle.trades,  &w.oracle.traded_quantity,  &w.oracle.trade_hash,
                               &w.oracle.resting, &w.oracle.resting_quantity, &w.oracle.book_hash};
    const bench_options_t options = {.engine = OC_ENGINE_FAST, .repeats = 1};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bench_book_result_t result;
        ++*parts[i];
        const oc_err_t err = bench_book(&w, &options, &result);
        --*parts[i];
        assert_int_equal(err, OC_ERR_OK);
        assert_false(result.oracle_ok);
        assert_true(result.mixed_ns == 0.0); /* a wrong engine is not timed */
    }
    workload_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_book_bench),
        cmocka_unit_test(test_oracle_deviations_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
