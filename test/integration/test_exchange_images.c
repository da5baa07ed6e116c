/*
 * The pages of one exchange, put into another: it goes on as if it had applied the log itself.
 * Random traffic before and after; compared are every output to the byte, everything that is sent,
 * the state hash, and the audit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/arena_pages.h"
#include "lib/exchange_traffic.h"

enum { RUNS = 6, STEPS = 500, MORE = 300 };

/* An exchange in another process: another secret key. */
static exchange_config_t other_config(uint64_t run)
{
    exchange_config_t config = exchange_fixture_config();
    config.engine.hash_key[0] ^= UINT64_C(0x9e3779b97f4a7c15) * (run + 1);
    config.engine.hash_key[1] ^= UINT64_C(0xbf58476d1ce4e5b9) * (run + 1);
    config.restore_threads = (uint32_t)(run % 4);
    return config;
}

/* A service_host_fill_t; context is the other service. */
static void fill_by_pages(void *context, const oc_service_t *service)
{
    arena_pages_copy(context, service);
    const oc_err_t err = service->restored(service->context);
    if (err != OC_ERR_OK)
        fail_msg("restored: %s", oc_err_context());
}

static exchange_fixture_t restore(const exchange_fixture_t *from, const exchange_config_t *config)
{
    exchange_fixture_t to = {.exchange = NULL};
    oc_service_t source = *exchange_service(from->exchange);
    assert_int_equal(exchange_create(&to.exchange, config), OC_ERR_OK);
    (void)exchange_traffic_hash(from); /* nothing is held back */
    to.host = service_host_adopt(from->host, exchange_service(to.exchange), fill_by_pages, &source);
    return to;
}

static exchange_fixture_t replay(const exchange_fixture_t *from, const exchange_config_t *config)
{
    exchange_fixture_t to = {.exchange = NULL};
    assert_int_equal(exchange_create(&to.exchange, config), OC_ERR_OK);
    to.host = service_host_replay(from->host, service_host_entries(from->host),
                                  exchange_service(to.exchange));
    return to;
}

/* Both go on alike. */
static void drive(const exchange_traffic_t *traffic, exchange_fixture_t *a, exchange_fixture_t *b)
{
    exchange_tape_t tapes[2] = {{.outputs = NULL}, {.outputs = NULL}};
    exchange_fixture_t *const both[2] = {a, b};
    const uint64_t outputs = exchange_traffic_output_hash(a);
    const uint64_t sent[2] = {service_host_sent_hash(a->host), service_host_sent_hash(b->host)};
    assert_true(sent[0] == sent[1]); /* nothing so far */
    assert_true(exchange_traffic_output_hash(b) == outputs);
    for (int i = 0; i < 2; i++) {
        exchange_traffic_t copy = *traffic;
        exchange_set_tap(both[i]->exchange, exchange_tape_record, &tapes[i]);
        for (int step = 0; step < MORE; step++)
            exchange_traffic_step(&copy, both[i]);
        exchange_set_tap(both[i]->exchange, NULL, NULL);
    }
    assert_true(tapes[0].count > MORE);
    exchange_tape_assert_equal(&tapes[0], &tapes[1]);
    assert_true(exchange_traffic_hash(a) == exchange_traffic_hash(b));
    assert_true(exchange_traffic_output_hash(a) == exchange_traffic_output_hash(b));
    assert_true(exchange_traffic_output_hash(a) != outputs);
    assert_true(service_host_sent_hash(a->host) == service_host_sent_hash(b->host));
    assert_int_equal(service_host_entries(a->host), service_host_entries(b->host));
    free(tapes[0].outputs);
    free(tapes[1].outputs);
}

static void test_a_restored_exchange_goes_on_identically(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        exchange_fixture_t first;
        exchange_traffic_t traffic = {.seed = 4000 + run};
        const exchange_config_t config = exchange_fixture_config();
        const exchange_config_t other = other_config(run);
        exchange_fixture_open(&first, &config);
        exchange_traffic_begin(&traffic, &first);
        for (uint64_t i = 0; i < STEPS * run / 2; i++)
            exchange_traffic_step(&traffic, &first);
        exchange_fixture_t second = restore(&first, &other);
        exchange_fixture_t third = replay(&first, &config);
        assert_true(exchange_traffic_hash(&first) == exchange_traffic_hash(&second));
        exchange_fixture_audit(second.exchange);
        drive(&traffic, &second, &third);
        exchange_fixture_t fourth = restore(&second, &config); /* an image of what was restored */
        assert_true(exchange_traffic_hash(&second) == exchange_traffic_hash(&fourth));
        exchange_fixture_close(&fourth);
        exchange_fixture_close(&third);
        exchange_fixture_close(&second);
        exchange_fixture_close(&first);
    }
}

/* Before the first entry there is a state too. */
static void test_an_exchange_that_was_only_started(void **state)
{
    (void)state;
    exchange_fixture_t first;
    const exchange_config_t config = exchange_fixture_config();
    const exchange_config_t other = other_config(7);
    exchange_fixture_open(&first, &config);
    exchange_fixture_t second = restore(&first, &other);
    exchange_fixture_t third = replay(&first, &config);
    assert_true(exchange_traffic_hash(&first) == exchange_traffic_hash(&second));
    exchange_traffic_t traffics[2] = {{.seed = 9}, {.seed = 9}};
    exchange_traffic_begin(&traffics[0], &second);
    exchange_traffic_begin(&traffics[1], &third);
    assert_true(exchange_traffic_hash(&second) == exchange_traffic_hash(&third));
    assert_true(service_host_sent_hash(second.host) == service_host_sent_hash(third.host));
    exchange_fixture_close(&third);
    exchange_fixture_close(&second);
    exchange_fixture_close(&first);
}

/* A second image is tried when the first one was bad, whatever that one left. */
static void test_a_good_image_after_a_bad_one(void **state)
{
    (void)state;
    exchange_fixture_t first;
    exchange_fixture_t second = {.exchange = NULL};
    exchange_traffic_t traffic = {.seed = 77};
    const exchange_config_t config = exchange_fixture_config();
    const exchange_config_t other = other_config(3);
    exchange_fixture_open(&first, &config);
    exchange_traffic_begin(&traffic, &first);
    for (int i = 0; i < STEPS; i++)
        exchange_traffic_step(&traffic, &first);
    exchange_fixture_open(&second, &other);
    const oc_service_t *from = exchange_service(first.exchange);
    const oc_service_t *to = exchange_service(second.exchange);
    oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX];
    const size_t count = arena_pages_of(to, arenas);
    size_t refused = 0;
    for (size_t at = 0; at < 12; at++) {
        arena_pages_copy(from, to);
        for (size_t i = 0; i < count; i++) {
            for (size_t n = 0; n < 16; n++) /* of the header and of what else comes early */
                arenas[i]->base[(at * 4096) % arenas[i]->used + n * 8] ^= 0x5a;
        }
        const oc_err_t err = to->restored(to->context);
        assert_true(err == OC_ERR_OK || err == OC_ERR_DAMAGED);
        refused += err == OC_ERR_DAMAGED;
    }
    assert_true(refused >= 3);
    arena_pages_copy(from, to);
    assert_int_equal(to->restored(to->context), OC_ERR_OK);
    assert_true(exchange_traffic_hash(&first) == exchange_traffic_hash(&second));
    exchange_fixture_close(&second);
    exchange_fixture_close(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_restored_exchange_goes_on_identically),
        cmocka_unit_test(test_an_exchange_that_was_only_started),
        cmocka_unit_test(test_a_good_image_after_a_bad_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
