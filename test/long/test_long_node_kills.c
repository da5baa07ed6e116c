/*
 * The long form of test/integration/test_node_kills.c: 200 kills, and 200 more while images are
 * made all the time; in rounds so that each journal stays short enough to be applied again by the
 * reference engine.
 */
#include "lib/kill_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

enum { ROUNDS = 10, KILLS = 20 };

static void run_rounds(bool snapshots)
{
    const char *text = getenv("OUTCRY_SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
    unsigned image_starts = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        kill_run_t run = {.seed = seed + i, .kills = KILLS, .rate = 5000, .snapshots = snapshots};
        print_message("round %u, OUTCRY_SEED=%llu\n", i, (unsigned long long)run.seed);
        kill_run(&run);
        image_starts += run.image_starts;
        assert_true(run.proof.acknowledged > 1000);
        assert_int_equal(run.proof.lost, 0);
        assert_int_equal(run.proof.doubled, 0);
        assert_int_equal(run.proof.wrong, 0);
        assert_true(recovery_proof_holds(&run.proof));
    }
    print_message("%u starts from an image\n", image_starts);
    assert_int_equal(image_starts > 0, snapshots);
}

static void test_kills(void **state)
{
    (void)state;
    run_rounds(false);
}

static void test_kills_with_snapshots(void **state)
{
    (void)state;
    run_rounds(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kills),
        cmocka_unit_test(test_kills_with_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
