/*
 * Defaults and ranges of the journal's configuration. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal/journal.h"

#include <string.h>

static journal_config_t good(void)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = "log";
    return config;
}

static void assert_refused(const journal_config_t *config, const char *name)
{
    assert_int_equal(journal_config_check(config), OC_ERR_INVALID_CONFIG);
    if (!strstr(oc_err_context(), name))
        fail_msg("'%s' does not name %s", oc_err_context(), name);
}

static void test_defaults(void **state)
{
    (void)state;
    journal_config_t config = good();
    assert_int_equal(journal_config_check(&config), OC_ERR_OK);
    assert_int_equal(config.sync, JOURNAL_SYNC_ALWAYS);
    assert_int_equal(config.segment_bytes, 64 << 20);
    assert_ptr_equal(config.storage, storage_device());
}

static void test_ranges(void **state)
{
    (void)state;
    journal_config_t config = good();
    config.dir = "";
    assert_refused(&config, "directory");
    config = good();
    config.storage = NULL;
    assert_refused(&config, "storage");
    config = good();
    config.sync_period_ms = 0;
    assert_refused(&config, "sync_period_ms is 0");
    config = good();
    config.segment_bytes = 3 << 20;
    assert_refused(&config, "segment_bytes is 3145728");
    config.segment_bytes = 1 << 19;
    assert_refused(&config, "segment_bytes");
    config = good();
    config.group_bytes = 32 << 10;
    assert_refused(&config, "group_bytes is 32768");
    config.segment_bytes = 1 << 20;
    config.group_bytes = 1 << 20;
    assert_refused(&config, "at most half");
    config = good();
    config.groups = 1;
    assert_refused(&config, "groups is 1");
    config.groups = 17;
    assert_refused(&config, "groups is 17");
    config = good();
    config.ready_segments = 0;
    assert_refused(&config, "ready_segments");
    config = good();
    config.writer_spin_us = 1000001;
    assert_refused(&config, "writer_spin_us");
    config = good();
    config.writer_cpu = -2;
    assert_refused(&config, "writer_cpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
