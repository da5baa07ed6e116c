/*
 * The long form of test/integration/test_cluster_kills.c: twenty kills of each kind, in rounds, so
 * that each log stays short enough to be applied again by the reference engine.
 */
#include "lib/cluster_kill_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 4, KILLS = 5 };

static void run_rounds(cluster_rig_t *rig, uint64_t seed, bool apart)
{
    unsigned hits[CLUSTER_KILL_KINDS] = {0};
    for (unsigned i = 0; i < ROUNDS; i++) {
        cluster_kill_run_t run = {.seed = seed + i, .kills = KILLS, .apart = apart};
        print_message("round %u, OUTCRY_SEED=%llu\n", i, (unsigned long long)run.seed);
        cluster_kill_run(&run, rig);
        cluster_rig_remove(rig);
        assert_true(run.proof.acknowledged > 1000);
        for (int kind = 0; kind < CLUSTER_KILL_KINDS; kind++)
            hits[kind] += run.hits[kind];
    }
    /* The moments that are hard to hit were hit. */
    for (int kind = 0; kind < CLUSTER_KILL_KINDS; kind++)
        if (apart == cluster_kill_is_apart((cluster_kill_t)kind)) {
            print_message("%s: %u of %d\n", cluster_kill_name((cluster_kill_t)kind), hits[kind],
                          ROUNDS * KILLS);
            assert_true(hits[kind] > 0);
        }
}

int main(void)
{
    return cluster_kill_main(run_rounds);
}
