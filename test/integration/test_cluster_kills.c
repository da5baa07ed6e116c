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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { KILLS = 5, SKIPPED = 77 };

static cluster_rig_t rig;

static void check(bool apart)
{
    const char *seed = getenv("OUTCRY_SEED");
    const char *kills = getenv("OUTCRY_KILLS");
    cluster_kill_run_t run = {
        .seed = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL),
        .kills = kills != NULL ? (unsigned)strtoul(kills, NULL, 10) : KILLS,
        .apart = apart,
    };
    print_message("OUTCRY_SEED=%llu\n", (unsigned long long)run.seed);
    cluster_kill_run(&run, &rig);
    assert_true(run.proof.acknowledged > 100);
    assert_true(run.proof.fills > 0);
}

static void test_together(void **state)
{
    (void)state;
    check(false);
}

static void test_apart(void **state)
{
    (void)state;
    check(true);
}

static int end(void **state)
{
    (void)state;
    cluster_rig_remove(&rig);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_together, end),
        cmocka_unit_test_teardown(test_apart, end),
    };
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
