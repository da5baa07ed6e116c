/*
 * The bench failover of a cluster where it cannot be: no folder, no peer. A run is in
 * test/system/test_bench_cluster.sh.
 */
#include "bench/bench_failover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/nowhere_terms.h"

static void test_no_folder(void **state)
{
    (void)state;
    bench_failover_result_t result;
    nowhere_assert_no_folder(bench_failover(&nowhere_terms, &result));
}

static void test_no_peer(void **state)
{
    (void)state;
    bench_failover_result_t result;
    nowhere_assert_no_peer(bench_failover_peer(&nowhere_terms, &result));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_no_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
