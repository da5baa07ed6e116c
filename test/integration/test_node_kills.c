/*
 * Real nodes killed with SIGKILL at random moments while two clients trade: no acknowledged command
 * is lost, none is done twice, every fill reaches its owner once, and the state is what the
 * reference engine makes of the journal. The long form is test/long/test_long_node_kills.c; a
 * failing seed is repeated with OUTCRY_SEED.
 */
#include "lib/kill_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static void check(kill_run_t *run)
{
    const char *seed = getenv("OUTCRY_SEED");
    run->seed = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    print_message("OUTCRY_SEED=%llu\n", (unsigned long long)run->seed);
    kill_run(run);
    assert_true(run->restarts > 0);
    assert_int_equal(run->proof.sources, KILL_RUN_CLIENTS);
    assert_true(run->proof.acknowledged > 100);
    assert_true(run->proof.fills > 0);
    assert_int_equal(run->proof.lost, 0);
    assert_int_equal(run->proof.doubled, 0);
    assert_int_equal(run->proof.wrong, 0);
    assert_true(recovery_proof_holds(&run->proof));
}

static void test_nothing_is_lost_or_doubled(void **state)
{
    (void)state;
    kill_run_t run = {.kills = 10, .rate = 3000};
    check(&run);
}

/* A killed process loses nothing that it had given to the system: also true without syncs. */
static void test_without_sync(void **state)
{
    (void)state;
    kill_run_t run = {.kills = 3, .rate = 3000, .sync = "none"};
    check(&run);
}

/* Images are made all the time: capture, write, manifest, folding and removal are hit, and what a
 * node starts from is an image and the log behind it. */
static void test_with_snapshots(void **state)
{
    (void)state;
    kill_run_t run = {.kills = 10, .rate = 3000, .snapshots = true};
    check(&run);
    print_message("%u starts of %u from an image, the last from image %llu\n", run.image_starts,
                  run.restarts, (unsigned long long)run.images);
    assert_true(run.image_starts > 0);
    assert_true(run.images > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost_or_doubled),
        cmocka_unit_test(test_without_sync),
        cmocka_unit_test(test_with_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
