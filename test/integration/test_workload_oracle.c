/*
 * The benchmark workloads in full: the generator still makes the published stream, and the fast
 * engine makes of it what the oracle says. Shortened, both engines agree in every hash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_book.h"
#include "bench/oracle_check.h"

#include <stdlib.h>
#include <string.h>

typedef struct pinned {
    workload_kind_t kind;
    uint64_t trades;
    uint64_t traded_quantity;
    uint64_t trade_hash;
    uint64_t resting;
    uint64_t resting_quantity;
    uint64_t book_hash;
    uint64_t stream_hash;
} pinned_t;

static const pinned_t published[] = {
    {WORKLOAD_W1, 1984141, 75396031, UINT64_C(0x24e80fb05a19c169), 1009367, 50976823,
     UINT64_C(0x6adbd56580c35848), UINT64_C(0xc733805f365a7c0d)},
    {WORKLOAD_W2, 1971274, 75215196, UINT64_C(0x98814f4600598dea), 1020374, 51495344,
     UINT64_C(0x8d3b0615f00282d7), UINT64_C(0xb481db53a4eb70a0)},
};

typedef struct outcome {
    bool oracle_ok;
    uint64_t state_hash;
    uint64_t output_hash;
} outcome_t;

static void run_engine(const workload_t *w, oc_engine_kind_t kind, outcome_t *outcome)
{
    oracle_check_t check;
    oracle_check_init(&check);
    oc_engine_t *engine;
    const bench_options_t options = {.engine = kind, .hash_outputs = true};
    oc_err_t err = bench_book_engine(&engine, w, &options, oracle_check_sink, &check);
    assert_int_equal(err, OC_ERR_OK);
    const uint32_t count = w->resting_count + w->mixed_count;
    oc_command_t commands[512];
    for (uint32_t done = 0; done < count;) {
        uint32_t size = 0;
        for (; size < 512 && done < count; size++, done++)
            workload_command(w, done, &commands[size]);
        err = oc_engine_apply_batch(engine, commands, size);
        assert_int_equal(err, OC_ERR_OK);
    }
    err = oracle_check_finish(&check, engine, w, &outcome->oracle_ok);
    assert_int_equal(err, OC_ERR_OK);
    char why[256];
    if (!oc_engine_audit(engine, why, sizeof why))
        fail_msg("audit: %s", why);
    outcome->state_hash = oc_engine_state_hash(engine);
    outcome->output_hash = oc_engine_output_hash(engine);
    oc_engine_destroy(engine);
}

static void full(const pinned_t *p)
{
    workload_t w;
    const oc_err_t err =
        workload_init(&w, p->kind, WORKLOAD_RESTING_DEFAULT, WORKLOAD_OPERATIONS_DEFAULT);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(w.oracle.trades, p->trades);
    assert_int_equal(w.oracle.traded_quantity, p->traded_quantity);
    assert_true(w.oracle.trade_hash == p->trade_hash);
    assert_int_equal(w.oracle.resting, p->resting);
    assert_int_equal(w.oracle.resting_quantity, p->resting_quantity);
    assert_true(w.oracle.book_hash == p->book_hash);
    assert_true(workload_stream_hash(&w) == p->stream_hash);
    assert_int_equal(w.oracle.unfilled, 0);
    outcome_t outcome;
    run_engine(&w, OC_ENGINE_FAST, &outcome);
    assert_true(outcome.oracle_ok);
    workload_fini(&w);
}

static void test_w1_full(void **state)
{
    (void)state;
    full(&published[0]);
}

static void test_w2_full(void **state)
{
    (void)state;
    full(&published[1]);
}

static void shortened(workload_kind_t kind)
{
    workload_t w;
    const oc_err_t err = workload_init(&w, kind, 10000, 50000);
    assert_int_equal(err, OC_ERR_OK);
    outcome_t fast;
    outcome_t reference;
    run_engine(&w, OC_ENGINE_FAST, &fast);
    run_engine(&w, OC_ENGINE_REFERENCE, &reference);
    assert_true(fast.oracle_ok);
    assert_true(reference.oracle_ok);
    assert_true(fast.state_hash == reference.state_hash);
    assert_true(fast.output_hash == reference.output_hash);
    workload_fini(&w);
}

static void test_w1_both_engines(void **state)
{
    (void)state;
    shortened(WORKLOAD_W1);
}

static void test_w2_both_engines(void **state)
{
    (void)state;
    shortened(WORKLOAD_W2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_w1_both_engines),
        cmocka_unit_test(test_w2_both_engines),
        cmocka_unit_test(test_w1_full),
        cmocka_unit_test(test_w2_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
