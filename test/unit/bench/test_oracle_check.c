/*
 * Unit tests of the oracle's check: a right engine passes, and each part of the oracle counts. Run
 * by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_book.h"
#include "bench/oracle_check.h"

/* Whether an engine that gets the first `count` operations meets the oracle. */
static bool run(const workload_t *w, uint32_t count)
{
    oracle_check_t check;
    oracle_check_init(&check);
    oc_engine_t *engine;
    const bench_options_t options = {.engine = OC_ENGINE_FAST};
    oc_err_t err = bench_book_engine(&engine, w, &options, oracle_check_sink, &check);
    assert_int_equal(err, OC_ERR_OK);
    for (uint32_t i = 0; i < count; i++) {
        oc_command_t command;
        workload_command(w, i, &command);
        err = oc_engine_apply(engine, &command);
        assert_int_equal(err, OC_ERR_OK);
    }
    bool ok;
    err = oracle_check_finish(&check, engine, w, &ok);
    assert_int_equal(err, OC_ERR_OK);
    oc_engine_destroy(engine);
    return ok;
}

static void test_both_workloads(void **state)
{
    (void)state;
    for (int kind = WORKLOAD_W1; kind <= WORKLOAD_W2; kind++) {
        workload_t w;
        const oc_err_t err = workload_init(&w, (workload_kind_t)kind, 4000, 4000);
        assert_int_equal(err, OC_ERR_OK);
        assert_true(run(&w, 8000));
        assert_false(run(&w, 7999));
        uint64_t *const parts[] = {&w.oracle.trades,           &w.oracle.traded_quantity,
                                   &w.oracle.trade_hash,       &w.oracle.resting,
                                   &w.oracle.resting_quantity, &w.oracle.book_hash};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            ++*parts[i];
            assert_false(run(&w, 8000));
            --*parts[i];
        }
        workload_fini(&w);
    }
}

/* A reject is counted, and is no trade. */
static void test_rejects(void **state)
{
    (void)state;
    oracle_check_t check;
    oracle_check_init(&check);
    const oc_event_t event = {.type = OC_EVENT_REJECTED};
    oracle_check_sink(&check, &event, 1);
    assert_int_equal(check.rejected, 1);
    assert_true(check.trade_hash == WORKLOAD_HASH_START);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_workloads),
        cmocka_unit_test(test_rejects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
