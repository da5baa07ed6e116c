/*
 * The bench rtt of a cluster where it cannot be: no folder, no peer. A run is in
 * test/system/test_bench_cluster.sh.
 */
#include "bench/bench_rtt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static cluster_terms_t some(void)
{
    return (cluster_terms_t){.dir = "/nowhere/folder",
                             .peer = "/nowhere/peer",
                             .members = 3,
                             .orders = 1000,
                             .rate_per_s = 100,
                             .rounds = 1,
                             .heartbeat_ms = 1000,
                             .election_ms = 500,
                             .heap_mb = 256,
                             .gc = "SerialGC",
                             .idle = "backoff",
                             .window_s = 1,
                             .window = 16,
                             .seconds = 1};
}

static void test_no_folder(void **state)
{
    (void)state;
    const cluster_terms_t terms = some();
    bench_rtt_result_t result;
    assert_int_equal(bench_rtt(&terms, &result), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/nowhere/folder"));
}

static void test_no_peer(void **state)
{
    (void)state;
    const cluster_terms_t terms = some();
    bench_rtt_result_t result;
    assert_int_equal(bench_rtt_peer(&terms, &result), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "/nowhere/peer/run.sh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_no_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
