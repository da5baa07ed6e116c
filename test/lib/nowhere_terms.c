/*
 * Terms that nothing can run under. Called by the tests of the benches of clusters.
 *
 * Invariant: whatever else a bench looks at first is possible, so that folder and peer are what it
 * fails with.
 */
#include "lib/nowhere_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

const cluster_terms_t nowhere_terms = {.dir = "/nowhere/folder",
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

static void assert_not_open(oc_err_t err, const char *path)
{
    assert_int_equal(err, OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), path));
}

void nowhere_assert_no_folder(oc_err_t err)
{
    assert_not_open(err, "/nowhere/folder");
}

void nowhere_assert_no_peer(oc_err_t err)
{
    assert_not_open(err, "/nowhere/peer/run.sh");
}
