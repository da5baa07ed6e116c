/*
 * A configuration file becomes a node's and an exchange's configuration. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/node_setup.h"
#include "lib/temp_file.h"

static void test_defaults(void **state)
{
    (void)state;
    node_config_t config;
    exchange_config_t exchange;
    exchange_config_t defaults;
    exchange_config_init(&defaults);
    const node_setup_t setup = {.dir = "somewhere"};
    assert_int_equal(node_setup(&setup, &config, &exchange), OC_ERR_OK);
    assert_string_equal(config.dir, "somewhere");
    assert_int_equal(exchange.engine.max_orders, defaults.engine.max_orders);
    assert_int_equal(exchange.kept_outputs, defaults.kept_outputs);
    assert_string_equal(exchange.admin_principal.name, "admin");
}

/* Clients choose ids: the key must be another each time, and not the published one. */
static void test_key_is_drawn(void **state)
{
    (void)state;
    node_config_t config;
    exchange_config_t exchange[2];
    const node_setup_t setup = {.dir = "somewhere"};
    assert_int_equal(node_setup(&setup, &config, &exchange[0]), OC_ERR_OK);
    assert_int_equal(node_setup(&setup, &config, &exchange[1]), OC_ERR_OK);
    assert_memory_not_equal(exchange[0].engine.hash_key, exchange[1].engine.hash_key,
                            sizeof exchange[0].engine.hash_key);
}

static void test_file(void **state)
{
    (void)state;
    static const char text[] = "[node]\ningress = 127.0.0.1:0\n[exchange]\nmax_orders = 123\n"
                               "modify_priority = lose\nadmin_principal = boss\n";
    temp_file_t file;
    node_config_t config;
    exchange_config_t exchange;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    const node_setup_t setup = {.config_file = file.path, .dir = "x", .ingress = "127.0.0.1:7"};
    assert_int_equal(node_setup(&setup, &config, &exchange), OC_ERR_OK);
    assert_string_equal(config.ingress, "127.0.0.1:7"); /* the command line has the last word */
    assert_int_equal(exchange.engine.max_orders, 123);
    assert_int_equal(exchange.engine.modify_priority, OC_PRIORITY_LOSE);
    assert_string_equal(exchange.admin_principal.name, "boss");
    temp_file_remove(&file);
    assert_int_not_equal(node_setup(&setup, &config, &exchange), OC_ERR_OK);
}

static void test_member(void **state)
{
    (void)state;
    static const char text[] = "[exchange]\nmax_orders = 123\n[cluster]\nid = 1\n"
                               "heartbeat_timeout_ms = 3s\n[snapshot]\nrestore_threads = 5\n";
    temp_file_t file;
    member_config_t config;
    exchange_config_t exchange;
    const uint64_t id = 2;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    member_setup_t setup = {.config_file = file.path, .dir = "x"};
    assert_int_equal(member_setup(&setup, &config, &exchange), OC_ERR_OK);
    assert_int_equal(config.id, 1);
    assert_int_equal(config.heartbeat_timeout_ms, 3000);
    assert_string_equal(config.node.dir, "x");
    assert_int_equal(exchange.engine.max_orders, 123);
    assert_int_equal(exchange.restore_threads, 5);
    assert_true(exchange.engine.hash_outputs); /* members compare it */
    setup.id = &id;
    assert_int_equal(member_setup(&setup, &config, &exchange), OC_ERR_OK);
    assert_int_equal(config.id, 2);
    temp_file_remove(&file);
    assert_int_equal(member_setup(&setup, &config, &exchange), OC_ERR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_key_is_drawn),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
