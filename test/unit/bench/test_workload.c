/*
 * Unit tests of the benchmark flow: the oracle of shortened workloads is pinned to the values of
 * the first published generator, the stream keeps its promises. The full workloads are pinned in
 * test/integration. Run by ctest.
 */
#include "bench/workload.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void generate(workload_t *w, workload_kind_t kind, uint32_t resting, uint32_t mixed)
{
    const oc_err_t err = workload_init(w, kind, resting, mixed);
    assert_int_equal(err, OC_ERR_OK);
}

static void test_w1_shortened(void **state)
{
    (void)state;
    workload_t w;
    generate(&w, WORKLOAD_W1, 10000, 50000);
    const workload_oracle_t *o = &w.oracle;
    assert_int_equal(w.instruments, 1);
    assert_int_equal(o->adds, 40058);
    assert_int_equal(o->cancels, 14941);
    assert_int_equal(o->aggressive, 5001);
    assert_int_equal(o->trades, 19725);
    assert_int_equal(o->traded_quantity, 752341);
    assert_true(o->trade_hash == UINT64_C(0x28788ab8268a47bf));
    assert_int_equal(o->resting, 10300);
    assert_int_equal(o->resting_quantity, 513261);
    assert_true(o->book_hash == UINT64_C(0x47d7e03c7e012bae));
    assert_true(workload_stream_hash(&w) == UINT64_C(0x94b56b6e33eebe27));
    assert_int_equal(o->unfilled, 0);
    assert_true(o->live_max >= 10300);
    assert_true(o->live_max < 12000);
    workload_fini(&w);
}

static void test_w2_shortened(void **state)
{
    (void)state;
    workload_t w;
    generate(&w, WORKLOAD_W2, 100000, 50000);
    const workload_oracle_t *o = &w.oracle;
    assert_int_equal(w.instruments, 100);
    assert_int_equal(o->trades, 19386);
    assert_int_equal(o->traded_quantity, 742441);
    assert_true(o->trade_hash == UINT64_C(0x0cd8c15953907681));
    assert_int_equal(o->resting, 100493);
    assert_true(o->book_hash == UINT64_C(0xdcbca4a414ea91ee));
    assert_true(workload_stream_hash(&w) == UINT64_C(0x28723641acc0f93c));
    workload_fini(&w);
}

/* So few resting orders that hot instruments run dry: the rest of an aggressive order is dropped,
 * and the commands say so by their time in force. */
static void test_w2_runs_dry(void **state)
{
    (void)state;
    workload_t w;
    generate(&w, WORKLOAD_W2, 10000, 50000);
    assert_true(w.oracle.unfilled > 0);
    for (uint32_t i = 0; i < 60000; i++) {
        oc_command_t command;
        workload_command(&w, i, &command);
        const bool aggressive = w.ops[i].action == WORKLOAD_AGGRESSIVE;
        assert_int_equal(command.time_in_force, aggressive ? OC_TIF_IOC : OC_TIF_GTC);
    }
    workload_fini(&w);
}

static void test_nothing_to_cancel(void **state)
{
    (void)state;
    workload_t w;
    const oc_err_t err = workload_init(&w, WORKLOAD_W1, 0, 1000);
    if (err == OC_ERR_OK) {
        workload_fini(&w);
        fail_msg("a book that starts empty must run out of orders to cancel");
    }
    assert_int_equal(err, OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "resting"));
    assert_null(w.ops);
}

static void test_stream_keeps_its_rules(void **state)
{
    (void)state;
    workload_t w;
    generate(&w, WORKLOAD_W2, 100000, 20000);
    uint32_t next_id = 1;
    for (uint32_t i = 0; i < 120000; i++) {
        const workload_op_t *op = &w.ops[i];
        assert_true(op->instrument < 100);
        assert_true(op->price != WORKLOAD_PRICE_MIDDLE);
        if (op->action == WORKLOAD_CANCEL) {
            assert_true(op->id < next_id);
            assert_int_equal(op->quantity, 0);
            continue;
        }
        assert_int_equal(op->id, next_id++);
        assert_true(op->quantity >= 1);
        assert_true(op->quantity <= (op->action == WORKLOAD_ADD ? 100u : 300u));
        const bool below = op->price < WORKLOAD_PRICE_MIDDLE;
        assert_int_equal(below, (op->side == OC_SIDE_BUY) == (op->action == WORKLOAD_ADD));
    }
    workload_fini(&w);
}

static void test_commands(void **state)
{
    (void)state;
    workload_t w;
    generate(&w, WORKLOAD_W1, 100, 200);
    for (uint32_t i = 0; i < 300; i++) {
        oc_command_t c;
        workload_command(&w, i, &c);
        const workload_op_t *op = &w.ops[i];
        assert_int_equal(c.source.value, 1);
        assert_int_equal(c.sequence, i + 1);
        assert_int_equal(c.instrument.value, 1);
        assert_int_equal(workload_unscramble(c.u.order.client_order_id), op->id);
        assert_int_equal(c.u.order.quantity_lots, op->quantity);
        assert_int_equal(c.flags, 0);
        if (op->action == WORKLOAD_CANCEL) {
            assert_int_equal(c.type, OC_COMMAND_CANCEL);
            assert_int_equal(c.u.order.owner.value, 0);
        } else {
            assert_int_equal(c.type, OC_COMMAND_NEW);
            assert_int_equal(c.side, op->side);
            assert_int_equal(c.u.order.price_ticks, op->price);
            assert_int_equal(c.time_in_force, OC_TIF_GTC);
        }
    }
    workload_fini(&w);
}

static void test_scramble_is_reversible(void **state)
{
    (void)state;
    const uint32_t ids[] = {0, 1, 2, 3, 1000, 4501832, UINT32_MAX};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        assert_int_equal(workload_unscramble(workload_scramble(ids[i])), ids[i]);
    assert_true(workload_scramble(1).value > UINT32_MAX);
}

static void test_fini_of_zeroes(void **state)
{
    (void)state;
    workload_t w;
    memset(&w, 0, sizeof w);
    workload_fini(&w);
    assert_null(w.ops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_w1_shortened),
        cmocka_unit_test(test_w2_shortened),
        cmocka_unit_test(test_w2_runs_dry),
        cmocka_unit_test(test_nothing_to_cancel),
        cmocka_unit_test(test_stream_keeps_its_rules),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_scramble_is_reversible),
        cmocka_unit_test(test_fini_of_zeroes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
