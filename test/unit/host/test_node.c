/*
 * A node's start and end: each step that fails leaves nothing behind, and what it reports.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/node_fixture.h"
#include "lib/storage_fake.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void a_new_one(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_report_t report;
    node_fixture_init(&f);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_report(f.node, &report);
    assert_int_equal(report.verdict.kind, JOURNAL_NEW);
    assert_int_equal(report.replayed, 0);
    assert_int_equal(report.entries, 1); /* the configuration */
    assert_int_equal(report.term, 1);
    assert_int_equal(report.sessions, 0);
    assert_true(report.position > 0);
    assert_memory_equal(node_ingress(f.node), "127.0.0.1:", 10);
    assert_string_not_equal(node_ingress(f.node), "127.0.0.1:0");
    assert_int_equal(f.tally.roles[OC_HOST_ACTIVE], 1);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    assert_int_equal(f.tally.stops, 1);

    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_report(f.node, &report);
    assert_int_equal(report.replayed, 1);
    assert_int_equal(report.entries, 1);
    assert_int_equal(report.term, 2);
    node_fixture_fini(&f);
}

/* Each start below fails, and the next one with good values succeeds on the same directory. */
static void failed_starts_leave_nothing(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    const node_config_t good = f.config;

    f.config.max_sessions = 0;
    assert_int_equal(node_fixture_start(&f), OC_ERR_INVALID_CONFIG);
    assert_null(f.node);
    assert_int_equal(f.tally.starts, 0);
    f.config = good;
    (void)snprintf(f.config.ingress, sizeof f.config.ingress, "nonsense");
    assert_int_not_equal(node_fixture_start(&f), OC_ERR_OK);
    assert_null(f.node);
    assert_int_equal(f.tally.stops, 1);
    f.config = good;
    (void)snprintf(f.config.dir, sizeof f.config.dir, "/dev/null/x");
    assert_int_not_equal(node_fixture_start(&f), OC_ERR_OK);
    assert_null(f.node);

    f.config = good;
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_fixture_run(&f, 0.02);
    assert_int_equal(f.err, OC_ERR_OK);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    node_fixture_fini(&f);
}

static void a_service_that_does_not_start(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_t *node;
    node_fixture_init(&f);
    tally_init(&f.tally);
    f.tally.start_error = OC_ERR_FORMAT;
    assert_int_equal(node_create(&node, &f.config, &f.tally.service), OC_ERR_FORMAT);
    assert_null(node);
    assert_string_equal(oc_err_context(), "as asked for");
    node_fixture_fini(&f);
}

/* The way back from a failed start may fail, too, but is not what is told. Tries every sync. */
static void the_first_error_is_told(void **state)
{
    (void)state;
    bool pending = false;
    int refused = 0;
    for (uint64_t nth = 1; nth < 100 && !pending; nth++) {
        static node_fixture_t f;
        storage_fake_t *storage = storage_fake_create(nth);
        node_fixture_init(&f);
        f.config.storage = storage_fake_table(storage);
        (void)snprintf(f.config.aeron_dir, NODE_TEXT_MAX, "/dev/shm/outcry-first-error-%ld",
                       (long)getpid());
        (void)snprintf(f.config.ingress, sizeof f.config.ingress, "nonsense");
        storage_fake_fault(storage, STORAGE_FAKE_SYNC_ERROR, nth);
        const oc_err_t err = node_fixture_start(&f);
        assert_int_not_equal(err, OC_ERR_OK);
        if (err == OC_ERR_INVALID_ARGUMENT) {
            refused++;
            assert_non_null(strstr(oc_err_context(), "nonsense"));
        }
        pending = storage_fake_fault_pending(storage);
        storage_fake_destroy(storage);
        node_fixture_fini(&f);
    }
    assert_true(pending);
    assert_true(refused > 1); /* the fault hit the way back at least once */
}

static void destroy_without_stop(void **state)
{
    (void)state;
    static node_fixture_t f;
    node_fixture_init(&f);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    assert_int_equal(node_destroy(f.node), OC_ERR_OK);
    f.node = NULL;
    assert_int_equal(node_destroy(NULL), OC_ERR_OK);
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_one),
        cmocka_unit_test(failed_starts_leave_nothing),
        cmocka_unit_test(a_service_that_does_not_start),
        cmocka_unit_test(the_first_error_is_told),
        cmocka_unit_test(destroy_without_stop),
    };
    return cmocka_run_group_tests_name("node", tests, NULL, NULL);
}
