/*
 * `outcry bench records`' measurement, small. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_records.h"

static void test_threads_agree(void **state)
{
    (void)state;
    const bench_records_options_t options = {
        .orders = 20000, .record_bytes = 65504, .repeats = 3, .import = true};
    bench_records_t *bench = NULL;
    bench_records_result_t one;
    bench_records_result_t three;
    assert_int_equal(bench_records_create(&bench, &options), OC_ERR_OK);
    assert_int_equal(bench_records_run(bench, 1, &one), OC_ERR_OK);
    assert_int_equal(bench_records_run(bench, 3, &three), OC_ERR_OK);
    assert_int_equal(one.crc, three.crc);
    assert_int_equal(one.bytes, three.bytes);
    assert_int_equal(one.records, three.records);
    assert_true(one.bytes > options.orders * UINT64_C(64));
    assert_true(one.bytes < options.orders * UINT64_C(65));
    /* Begin, configuration, instrument, source, 20 of orders, End. */
    assert_int_equal(one.records, 25);
    assert_true(one.take_ms > 0);
    assert_true(one.import_ms > 0);
    bench_records_destroy(bench);
}

static void test_windows_agree(void **state)
{
    (void)state;
    bench_records_options_t options = {.orders = 5000, .record_bytes = 512, .repeats = 1};
    bench_records_result_t results[2];
    for (int i = 0; i < 2; i++) {
        bench_records_t *bench = NULL;
        options.window_bytes = i == 0 ? 0 : 10000;
        assert_int_equal(bench_records_create(&bench, &options), OC_ERR_OK);
        assert_int_equal(bench_records_run(bench, 2, &results[i]), OC_ERR_OK);
        assert_true(results[i].import_ms == 0);
        bench_records_destroy(bench);
    }
    assert_int_equal(results[0].crc, results[1].crc);
    bench_records_destroy(NULL);
}

static void test_bad_size(void **state)
{
    (void)state;
    const bench_records_options_t options = {.orders = 100, .record_bytes = 100, .repeats = 1};
    bench_records_t *bench = NULL;
    bench_records_result_t result;
    assert_int_equal(bench_records_create(&bench, &options), OC_ERR_OK);
    assert_int_equal(bench_records_run(bench, 1, &result), OC_ERR_INVALID_CONFIG);
    bench_records_destroy(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_windows_agree),
        cmocka_unit_test(test_bad_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
