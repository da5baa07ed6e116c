/*
 * Which arenas hold the exchange's state, and what is done when they were filled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine_records.h"
#include "engine/fast_state.h"
#include "lib/arena_pages.h"
#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"
#include "service/exchange_internal.h"

#include <string.h>

static void test_the_arenas(void **state)
{
    (void)state;
    exchange_fixture_t f;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_open(&f, &config);
    oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX];
    assert_int_equal(exchange_arenas(f.exchange, arenas, OC_SERVICE_ARENAS_MAX), 2);
    assert_ptr_equal(arenas[0], &f.exchange->arena);
    assert_ptr_equal(arenas[1], engine_arena(f.exchange->engine));
    assert_string_equal(arenas[0]->name, "exchange");
    assert_string_not_equal(arenas[1]->name, "exchange");
    exchange_fixture_close(&f);
}

static void test_the_reference_engine_has_none(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_config_t config = exchange_fixture_config();
    config.engine.kind = OC_ENGINE_REFERENCE;
    exchange_fixture_open(&f, &config);
    oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX];
    assert_int_equal(exchange_arenas(f.exchange, arenas, OC_SERVICE_ARENAS_MAX), 0);
    exchange_fixture_close(&f);
}

/* What decides where things lie is part of the layout; what decides nothing is not. */
static void test_layouts(void **state)
{
    (void)state;
    exchange_t *exchanges[4];
    exchange_config_t config = exchange_fixture_config();
    for (int i = 0; i < 4; i++) {
        config.engine.hash_key[0] += 1;
        config.restore_threads = (uint32_t)i;
        config.kept_outputs = i == 2 ? 128 : 64;
        config.engine.max_sessions = i == 3 ? 9 : 8;
        assert_int_equal(exchange_create(&exchanges[i], &config), OC_ERR_OK);
    }
    assert_true(exchanges[0]->arena.layout == exchanges[1]->arena.layout);
    assert_true(exchanges[0]->arena.layout != exchanges[2]->arena.layout);
    assert_true(exchanges[0]->arena.layout != exchanges[3]->arena.layout);
    for (int i = 0; i < 4; i++)
        exchange_destroy(exchanges[i]);
}

/* Hash key, hint, batch, packets, and the place of the last event. */
static void test_what_lies_beside_the_arenas_is_brought_in_line(void **state)
{
    (void)state;
    exchange_fixture_t a;
    exchange_fixture_t b;
    exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&a, &config);
    config.engine.hash_key[0] ^= 0x1234567;
    config.engine.hash_key[1] ^= 0x7654321;
    exchange_fixture_open(&b, &config);
    exchange_t *e = b.exchange;
    e->seat_hint = 3;
    e->batch_count = 5;
    e->event_command = 9;
    e->entry.position = 1 << 20;
    e->packets[2].length = 77;
    arena_pages_copy(exchange_service(a.exchange), exchange_service(e));
    assert_int_equal(exchange_restored(e), OC_ERR_OK);
    assert_int_equal(e->seat_hint, 0);
    assert_int_equal(e->batch_count, 0);
    assert_int_equal(e->event_command, 0);
    assert_int_equal(e->entry.position, 0);
    assert_int_equal(e->packets[2].length, 0);
    assert_memory_equal(e->ids.hash_key, a.exchange->ids.hash_key, sizeof e->ids.hash_key);
    assert_true(exchange_state_hash(e) == exchange_state_hash(a.exchange));
    assert_int_equal(e->header->last.position, a.exchange->header->last.position);
    assert_true(e->header->entries == service_host_entries(a.host));
    exchange_fixture_close(&b);
    exchange_fixture_close(&a);
}

/* However many work it out, the sum is the same, and a change of any order shows. */
static void test_the_engines_sum_is_checked_by_any_number_of_threads(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_config_t config = exchange_fixture_config();
    config.engine.verify_touch = false;
    exchange_fixture_market(&f, &config);
    const oc_session_id_t trader = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 1; i <= 20; i++)
        exchange_fixture_do(&f, trader, fixture_new(0, i, OC_SIDE_BUY, 5, (int64_t)(1 + i % 10)));
    static const uint32_t threads[] = {0, 1, 2, 3, 7, 64, 1000};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        f.exchange->config.restore_threads = threads[i];
        assert_int_equal(exchange_restored(f.exchange), OC_ERR_OK);
    }
    order_record_t *orders = ((fast_engine_t *)f.exchange->engine)->orders;
    for (uint32_t order = 1; order <= 20; order += 19) {
        orders[order].open_lots++;
        for (uint32_t n = 1; n < 4; n++) {
            f.exchange->config.restore_threads = n;
            assert_int_equal(exchange_restored(f.exchange), OC_ERR_DAMAGED);
        }
        orders[order].open_lots--;
    }
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_OK);
    exchange_fixture_close(&f);
}

/* Taken all the same by who only looks, who is told. */
static void test_wrong_sums_may_be_allowed(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_config_t config = exchange_fixture_config();
    config.engine.verify_touch = false;
    exchange_fixture_market(&f, &config);
    const oc_session_id_t trader = exchange_fixture_trader(&f, 2);
    exchange_fixture_do(&f, trader, fixture_new(0, 1, OC_SIDE_BUY, 5, 1));
    exchange_allow_wrong_sums(f.exchange);
    order_record_t *order = &((fast_engine_t *)f.exchange->engine)->orders[1];
    order->open_lots++;
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_OK);
    assert_int_equal(exchange_check_sums(f.exchange), OC_ERR_DAMAGED);
    order->open_lots--;
    assert_int_equal(exchange_check_sums(f.exchange), OC_ERR_OK);
    f.exchange->header->item_sum++; /* of sessions and seats */
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_OK);
    assert_int_equal(exchange_check_sums(f.exchange), OC_ERR_DAMAGED);
    f.exchange->header->item_sum--;
    assert_int_equal(exchange_check_sums(f.exchange), OC_ERR_OK);
    exchange_fixture_close(&f);
}

static void test_a_state_without_a_hash_key_is_refused(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_config_t config = exchange_fixture_config();
    config.engine.verify_touch = false;
    exchange_fixture_open(&f, &config);
    const exchange_header_t before = *f.exchange->header;
    memset(f.exchange->header, 0, sizeof *f.exchange->header);
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "hash key"));
    *f.exchange->header = before;
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_OK);
    exchange_fixture_close(&f);
}

/* The check of the exchange's own records is part of it. */
static void test_what_the_check_finds_is_returned(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_config_t config = exchange_fixture_config();
    config.engine.verify_touch = false;
    exchange_fixture_open(&f, &config);
    f.exchange->seats[1].outbound_sequence++;
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_DAMAGED);
    f.exchange->seats[1].outbound_sequence--;
    assert_int_equal(exchange_restored(f.exchange), OC_ERR_OK);
    exchange_fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_arenas),
        cmocka_unit_test(test_the_reference_engine_has_none),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_what_lies_beside_the_arenas_is_brought_in_line),
        cmocka_unit_test(test_the_engines_sum_is_checked_by_any_number_of_threads),
        cmocka_unit_test(test_wrong_sums_may_be_allowed),
        cmocka_unit_test(test_a_state_without_a_hash_key_is_refused),
        cmocka_unit_test(test_what_the_check_finds_is_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
