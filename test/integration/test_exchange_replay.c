/*
 * Random traffic of several sessions through an exchange; then its log is applied to others: with
 * the reference engine, and with the fast one under another hash key. State hashes and outputs must
 * be the same to the byte, at the end and at points before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/exchange_traffic.h"

enum { STEPS = 1500, RUNS = 4, POINTS = 5 };

typedef struct run {
    exchange_fixture_t f;
    exchange_traffic_t traffic;
    size_t points[POINTS];   /* entries applied, */
    uint64_t hashes[POINTS]; /* and the state hash then */
    exchange_tape_t tape;
} run_t;

static exchange_config_t config_of(oc_engine_kind_t kind)
{
    exchange_config_t config = exchange_fixture_config();
    config.engine.kind = kind;
    return config;
}

/* Every kind of output was there (but EXPIRED, which takes luck), and not only rejects. */
static void assert_much_happened(const exchange_tape_t *tape)
{
    size_t counts[OC_EVENT_COMPLETED + 1] = {0};
    for (size_t i = 0; i < tape->count; i++)
        counts[tape->outputs[i].event.type]++;
    for (int type = OC_EVENT_ACCEPTED; type <= OC_EVENT_COMPLETED; type++) {
        if (type != OC_EVENT_LEVEL && type != OC_EVENT_INSTRUMENT_STATE && type != OC_EVENT_EXPIRED)
            assert_true(counts[type] > 0);
    }
    assert_true(counts[OC_EVENT_FILL] > 100);
}

/* Applies the log, up to each point and to its end, to a fresh exchange. */
static void compare(const run_t *t, const exchange_config_t *config, bool prefixes)
{
    for (size_t i = prefixes ? 0 : POINTS - 1; i < POINTS; i++) {
        exchange_fixture_t other = {.exchange = NULL};
        exchange_tape_t tape = {.outputs = NULL};
        assert_int_equal(exchange_create(&other.exchange, config), OC_ERR_OK);
        exchange_set_tap(other.exchange, exchange_tape_record, &tape);
        other.host = service_host_replay(t->f.host, t->points[i], exchange_service(other.exchange));
        assert_true(exchange_traffic_hash(&other) == t->hashes[i]);
        if (i == POINTS - 1)
            assert_int_equal(tape.count, t->tape.count);
        assert_memory_equal(tape.outputs, t->tape.outputs, tape.count * sizeof *tape.outputs);
        exchange_fixture_close(&other);
        free(tape.outputs);
    }
}

static void test_equal_logs_give_equal_exchanges(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        run_t t = {.traffic = {.seed = 1000 + run}};
        const exchange_config_t config = config_of(OC_ENGINE_FAST);
        exchange_fixture_open(&t.f, &config);
        exchange_set_tap(t.f.exchange, exchange_tape_record, &t.tape);
        exchange_traffic_begin(&t.traffic, &t.f);
        for (size_t i = 0; i < STEPS; i++) {
            exchange_traffic_step(&t.traffic, &t.f);
            if ((i + 1) % (STEPS / POINTS) == 0) {
                t.points[i * POINTS / STEPS] = service_host_entries(t.f.host);
                t.hashes[i * POINTS / STEPS] = exchange_traffic_hash(&t.f);
            }
        }
        assert_much_happened(&t.tape);
        exchange_config_t other = config_of(OC_ENGINE_REFERENCE);
        compare(&t, &other, run == 0);
        other = config_of(OC_ENGINE_FAST);
        other.engine.hash_key[0] ^= UINT64_C(0x123456789abcdef);
        other.engine.verify_touch = false;
        compare(&t, &other, true);
        exchange_fixture_close(&t.f);
        free(t.tape.outputs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_logs_give_equal_exchanges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
