/*
 * An exchange made of what an image carries: of the engine, the configuration and the layout that
 * the image needs, of either engine.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/image_exchange.h"
#include "host/replica_image.h"
#include "lib/exchange_traffic.h"
#include "lib/member_maker.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>

static image_store_t *open_images(const char *dir)
{
    image_store_t *store;
    const image_store_config_t config = {
        .dir = dir, .storage = storage_device(), .read_only = true, .keep = 1};
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    assert_int_equal(image_store_count(store), 1);
    return store;
}

/* Loads the image into an exchange that knows nothing but the image. */
static void check_loads(const image_store_t *store, uint64_t state_hash)
{
    exchange_t *exchange;
    replica_t replica;
    replica_image_t target;
    const image_info_t *info = image_store_at(store, 0);
    assert_int_equal(image_exchange_create(store, info, 1, &exchange), OC_ERR_OK);
    const replica_config_t config = {REPLICA_SESSIONS_MAX, MEMBER_MAKER_TIMERS, 1376};
    assert_int_equal(replica_init(&replica, exchange_service(exchange), &config), OC_ERR_OK);
    assert_int_equal(replica_image_init(&target, &replica), OC_ERR_OK);
    assert_int_equal(replica_image_load(&target, store, info, 1), OC_ERR_OK);
    assert_true(replica_state_hash(&replica) == state_hash);
    replica_image_fini(&target);
    replica_fini(&replica);
    exchange_destroy(exchange);
}

static void check_kind(oc_engine_kind_t kind)
{
    temp_dir_t temp;
    char dir[300];
    uint8_t bytes[4096];
    exchange_t *exchange;
    member_maker_t member;
    exchange_config_t config = exchange_fixture_config();
    config.engine.kind = kind;
    temp_dir_make(&temp);
    (void)snprintf(dir, sizeof dir, "%s/m", temp.path);
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    member_maker_init(&member, dir, exchange_service(exchange));
    (void)log_maker_term(&member.log, 0);
    (void)log_maker_open(&member.log, 3, "admin");
    (void)log_maker_message(&member.log, 3, bytes, exchange_traffic_opening(bytes, sizeof bytes));
    member_maker_apply(&member);
    (void)member_maker_image(&member, false);
    const uint64_t hash = replica_state_hash(&member.replica);
    member_maker_fini(&member);
    exchange_destroy(exchange);
    image_store_t *store = open_images(dir);
    assert_int_equal(image_exchange_kind(image_store_at(store, 0)), kind);
    check_loads(store, hash);
    image_store_close(store);
    temp_dir_remove(&temp);
}

static void of_the_fast_engine(void **state)
{
    (void)state;
    check_kind(OC_ENGINE_FAST);
}

static void of_the_reference_engine(void **state)
{
    (void)state;
    check_kind(OC_ENGINE_REFERENCE);
}

static void of_another_service(void **state)
{
    (void)state;
    temp_dir_t temp;
    char dir[300];
    tally_t tally;
    exchange_t *exchange = NULL;
    member_maker_t member;
    tally_init(&tally);
    tally_keep_stream(&tally);
    temp_dir_make(&temp);
    (void)snprintf(dir, sizeof dir, "%s/m", temp.path);
    member_maker_init(&member, dir, &tally.service);
    (void)log_maker_term(&member.log, 0);
    (void)log_maker_open(&member.log, 3, "somebody");
    member_maker_apply(&member);
    (void)member_maker_image(&member, false);
    member_maker_fini(&member);
    image_store_t *store = open_images(dir);
    assert_true(image_exchange_is_foreign(store, image_store_at(store, 0)));
    assert_int_equal(image_exchange_create(store, image_store_at(store, 0), 1, &exchange),
                     OC_ERR_INVALID_ARGUMENT);
    assert_null(exchange);
    assert_non_null(strstr(oc_err_context(), "image 1 is of another service than the exchange"));
    assert_non_null(strstr(oc_err_context(), "(its state: host "));
    assert_non_null(strstr(oc_err_context(), ", service "));
    image_store_close(store);
    temp_dir_remove(&temp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_fast_engine),
        cmocka_unit_test(of_the_reference_engine),
        cmocka_unit_test(of_another_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
