/*
 * Real members killed with SIGKILL while two clients trade: service, module, driver, all of a
 * member, and leaders in the worst moments. No acknowledged order is lost, none is done twice, all
 * members are in one state, and each one's log leads there by the reference engine's account. The
 * long form is test/long/test_long_cluster_kills.c; a failing seed is repeated with OUTCRY_SEED.
 */
#include "lib/cluster_kill_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { KILLS = 5 };

static void check(cluster_rig_t *rig, uint64_t seed, bool apart)
{
    const char *kills = getenv("OUTCRY_KILLS");
    cluster_kill_run_t run = {
        .seed = seed,
        .kills = kills != NULL ? (unsigned)strtoul(kills, NULL, 10) : KILLS,
        .apart = apart,
    };
    print_message("OUTCRY_SEED=%llu\n", (unsigned long long)run.seed);
    cluster_kill_run(&run, rig);
    assert_true(run.proof.acknowledged > 100);
    assert_true(run.proof.fills > 0);
}

int main(void)
{
    return cluster_kill_main(check);
}
