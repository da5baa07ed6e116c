/*
 * Unit tests of the bare device's measure: it measures, and leaves nothing behind. Run by ctest.
 */
#define _GNU_SOURCE
#include "bench/raw_sync.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_measures(void **state)
{
    (void)state;
    char dir[] = "/tmp/outcry-raw-sync-XXXXXX";
    assert_non_null(mkdtemp(dir));
    histogram_t *latency = histogram_create();
    assert_non_null(latency);
    assert_int_equal(raw_sync(dir, 20, latency), OC_ERR_OK);
    assert_int_equal(histogram_count(latency), 20);
    assert_true(histogram_min(latency) > 0);
    histogram_destroy(latency);
    assert_int_equal(rmdir(dir), 0); /* empty again */
}

static void test_no_directory(void **state)
{
    (void)state;
    histogram_t *latency = histogram_create();
    assert_non_null(latency);
    assert_int_equal(raw_sync("/nowhere", 20, latency), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/nowhere"));
    assert_int_equal(histogram_count(latency), 0);
    histogram_destroy(latency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_no_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
