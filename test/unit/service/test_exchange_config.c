/*
 * The exchange's configuration: ranges, and the entry that a log begins with.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/exchange_internal.h"

#include <string.h>

static exchange_config_t odd_config(void)
{
    exchange_config_t config;
    exchange_config_init(&config);
    config.engine.max_orders = 11;
    config.engine.max_levels = 12;
    config.engine.max_instruments = 13;
    config.engine.max_sources = 14;
    config.engine.max_sessions = 15;
    config.engine.max_pending = 16;
    config.engine.step_bound = 17;
    config.engine.modify_priority = OC_PRIORITY_LOSE;
    config.kept_outputs = 128;
    config.admin_source.value = 9;
    config.admin_principal = principal_of("boss", 4);
    return config;
}

static void test_defaults(void **state)
{
    (void)state;
    exchange_config_t config;
    exchange_config_init(&config);
    assert_int_equal(exchange_config_check(&config), OC_ERR_OK);
    assert_int_equal(config.engine.max_sources, 256);
    assert_int_equal(config.engine.max_sessions, 256);
    assert_int_equal(config.kept_outputs, 4096);
    assert_int_equal(config.admin_source.value, 1);
    assert_string_equal(config.admin_principal.name, "admin");
    assert_false(config.engine.hash_outputs); /* a node's outputs are compared with nobody's */
}

static void assert_refused(const exchange_config_t *config, const char *word)
{
    exchange_t *exchange = NULL;
    assert_int_equal(exchange_config_check(config), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), word));
    assert_int_equal(exchange_create(&exchange, config), OC_ERR_INVALID_CONFIG);
    assert_null(exchange);
}

static void test_what_is_out_of_range_is_named(void **state)
{
    (void)state;
    static const uint32_t kept[] = {0, 1, 32, 63, 65, 96, 32768, UINT32_MAX};
    exchange_config_t config = odd_config();
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        config.kept_outputs = kept[i];
        assert_refused(&config, "kept_outputs");
    }
    config = odd_config();
    config.admin_source.value = 0;
    assert_refused(&config, "admin_source");
    config = odd_config();
    memset(&config.admin_principal, 0, sizeof config.admin_principal);
    assert_refused(&config, "admin_principal");
    memset(&config.admin_principal, 'x', sizeof config.admin_principal);
    assert_refused(&config, "admin_principal");
    config = odd_config();
    config.admin_principal.name[20] = 'x';
    assert_refused(&config, "admin_principal");
    config = odd_config();
    config.engine.max_orders = 0;
    assert_refused(&config, "max_orders");
}

static void test_the_entry_is_read_back(void **state)
{
    (void)state;
    const exchange_config_t config = odd_config();
    uint8_t bytes[128];
    uint8_t again[128];
    const size_t length = exchange_config_write(&config, bytes);
    exchange_config_t read;
    exchange_config_init(&read);
    read.engine.kind = OC_ENGINE_REFERENCE;
    read.engine.hash_key[0] = 5;
    assert_int_equal(exchange_config_parse(&read, bytes, length), OC_ERR_OK);
    assert_int_equal(exchange_config_write(&read, again), length);
    assert_memory_equal(bytes, again, length);
    assert_int_equal(read.engine.kind, OC_ENGINE_REFERENCE);
    assert_int_equal(read.engine.hash_key[0], 5);
    assert_int_equal(read.engine.max_orders, 11);
    assert_int_equal(read.engine.modify_priority, OC_PRIORITY_LOSE);
    assert_string_equal(read.admin_principal.name, "boss");
}

/* Whatever the outcome depends on changes the entry; what it does not depend on must not. */
static void test_the_entry_holds_what_outcomes_depend_on(void **state)
{
    (void)state;
    uint8_t bytes[128];
    uint8_t other[128];
    const exchange_config_t config = odd_config();
    const size_t length = exchange_config_write(&config, bytes);
    exchange_config_t changed[11];
    for (size_t i = 0; i < 11; i++)
        changed[i] = config;
    changed[0].engine.max_orders++;
    changed[1].engine.max_levels++;
    changed[2].engine.max_instruments++;
    changed[3].engine.max_sources++;
    changed[4].engine.max_sessions++;
    changed[5].engine.max_pending++;
    changed[6].engine.step_bound++;
    changed[7].engine.modify_priority = OC_PRIORITY_KEEP;
    changed[8].kept_outputs *= 2;
    changed[9].admin_source.value++;
    changed[10].admin_principal.name[0]++;
    for (size_t i = 0; i < 11; i++) {
        assert_int_equal(exchange_config_write(&changed[i], other), length);
        assert_memory_not_equal(bytes, other, length);
    }
    exchange_config_t same = config;
    same.engine.kind = OC_ENGINE_REFERENCE;
    same.engine.hash_key[1] ^= 1;
    same.engine.event_capacity = 64;
    same.engine.hash_outputs = false;
    same.engine.verify_touch = true;
    exchange_config_write(&same, other);
    assert_memory_equal(bytes, other, length);
}

static void test_other_bytes_are_refused(void **state)
{
    (void)state;
    uint8_t bytes[128];
    const exchange_config_t config = odd_config();
    const size_t length = exchange_config_write(&config, bytes);
    exchange_config_t read;
    exchange_config_init(&read);
    for (size_t cut = 0; cut < length; cut++)
        assert_int_equal(exchange_config_parse(&read, bytes, cut), OC_ERR_FORMAT);
    assert_int_equal(exchange_config_parse(&read, bytes, length + 4), OC_ERR_FORMAT);
    static const struct {
        size_t at;
        oc_err_t err;
    } broken[] = {{0, OC_ERR_FORMAT}, {4, OC_ERR_FORMAT}, {8, OC_ERR_RULES_VERSION}};
    for (size_t i = 0; i < 3; i++) {
        bytes[broken[i].at] ^= 0x40;
        assert_int_equal(exchange_config_parse(&read, bytes, length), broken[i].err);
        bytes[broken[i].at] ^= 0x40;
    }
    memset(bytes + 12, 0, 4); /* max_orders */
    assert_int_equal(exchange_config_parse(&read, bytes, length), OC_ERR_INVALID_CONFIG);
    assert_int_equal(read.engine.max_orders, 1048576); /* untouched */
}

static void test_it_is_described_in_words(void **state)
{
    (void)state;
    uint8_t bytes[128];
    char text[512];
    char cut[16];
    const exchange_config_t config = odd_config();
    const size_t length = exchange_config_write(&config, bytes);
    exchange_config_describe(NULL, bytes, length, text, sizeof text);
    assert_string_equal(text, "rules_version=1 max_orders=11 max_levels=12 max_instruments=13 "
                              "max_sources=14 max_sessions=15 max_pending=16 step_bound=17 "
                              "modify_priority=lose kept_outputs=128 admin_source=9 "
                              "admin_principal=boss");
    exchange_config_describe(NULL, bytes, length, cut, sizeof cut);
    assert_string_equal(cut, "rules_version=1");
    exchange_config_describe(NULL, bytes, 3, text, sizeof text);
    assert_string_equal(text, "another_service's");
    assert_false(exchange_config_is(bytes, 3));
    assert_true(exchange_config_is(bytes, length));
    exchange_config_describe(NULL, bytes, 20, text, sizeof text);
    assert_string_equal(text, "unknown=20_bytes");
    bytes[0] ^= 1;
    assert_false(exchange_config_is(bytes, length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_what_is_out_of_range_is_named),
        cmocka_unit_test(test_the_entry_is_read_back),
        cmocka_unit_test(test_the_entry_holds_what_outcomes_depend_on),
        cmocka_unit_test(test_other_bytes_are_refused),
        cmocka_unit_test(test_it_is_described_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
