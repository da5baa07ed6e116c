/*
 * A member as a process: what keeps it from starting is said, and nothing of it stays; without a
 * module it waits, and ends when it is told to.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/storage.h"
#include "cluster/member_run.h"
#include "host/driver_dir.h"
#include "lib/capture.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static temp_dir_t dir;
static member_config_t config;
static tally_t tally;
static char aeron_dir[NODE_TEXT_MAX];

static void set(char *text, const char *value)
{
    (void)snprintf(text, NODE_TEXT_MAX, "%s", value);
}

/* Attached: a module would have to be somebody else's, and there is none. */
static int setup(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    member_config_init(&config);
    (void)snprintf(config.node.dir, sizeof config.node.dir, "%s/member", dir.path);
    assert_int_equal(mkdir(config.node.dir, 0755), 0);
    assert_int_equal(driver_dir_of(config.node.dir, aeron_dir, sizeof aeron_dir), OC_ERR_OK);
    set(config.members[0],
        "127.0.0.1:20001,127.0.0.1:20002,127.0.0.1:20003,127.0.0.1:20004,127.0.0.1:20005");
    config.module = MEMBER_MODULE_ATTACH;
    config.low_space_bytes = 0;
    tally_init(&tally);
    return 0;
}

/* Whatever happened: no driver's directory is left, and who was started was stopped. */
static int teardown(void **state)
{
    (void)state;
    assert_int_not_equal(access(aeron_dir, F_OK), 0);
    assert_int_equal(tally.starts, tally.stops);
    temp_dir_remove(&dir);
    return 0;
}

static void fails(oc_err_t err, const char *part)
{
    capture_t said;
    output_capture_begin();
    const oc_err_t got = member_run(&tally.service, &config);
    output_capture_end(&said);
    if (got != err || !strstr(oc_err_context(), part))
        fail_msg("%s: '%s' does not say '%s'", oc_err_text(got), oc_err_context(), part);
}

static void bad_configurations(void **state)
{
    (void)state;
    config.id = 1;
    fails(OC_ERR_INVALID_CONFIG, "id");
    config.id = 0;
    set(config.members[0], "127.0.0.1:20001");
    fails(OC_ERR_INVALID_CONFIG, "member0");
    assert_int_equal(tally.starts, 0);
}

static void a_directory_that_cannot_be(void **state)
{
    (void)state;
    (void)snprintf(config.node.dir, sizeof config.node.dir, "%s/none/member", dir.path);
    fails(OC_ERR_OPEN, "none/member");
}

static void a_directory_that_is_in_use(void **state)
{
    (void)state;
    char path[600];
    storage_file_t *lock;
    (void)snprintf(path, sizeof path, "%.300s/lock", config.node.dir);
    assert_int_equal(storage_device()->lock(storage_device(), path, &lock), OC_ERR_OK);
    fails(OC_ERR_LOCKED, "another member runs in this directory");
    assert_int_equal(tally.starts, 0);
    storage_device()->close(lock);
}

static void a_module_that_cannot_be_started(void **state)
{
    (void)state;
    config.module = MEMBER_MODULE_START;
    set(config.jar, "/nowhere/outcry-cluster.jar");
    fails(OC_ERR_OPEN, "/nowhere/outcry-cluster.jar");
    assert_int_equal(tally.starts, 0);
}

static void a_driver_that_does_not_run(void **state)
{
    (void)state;
    config.driver = MEMBER_DRIVER_EXTERNAL;
    (void)snprintf(config.node.aeron_dir, NODE_TEXT_MAX, "%.200s/driver", dir.path);
    fails(OC_ERR_TRANSPORT, "driver");
}

/* Two services of one module would end it. */
static void a_module_that_has_its_service(void **state)
{
    (void)state;
    embedded_config_t driver_config;
    embedded_t *driver;
    storage_file_t *lock;
    char path[600];
    embedded_config_init(&driver_config);
    driver_config.threading = EMBEDDED_SHARED;
    assert_int_equal(embedded_create(&driver, &driver_config), OC_ERR_OK);
    config.driver = MEMBER_DRIVER_EXTERNAL;
    config.cluster_id = 3;
    set(config.node.aeron_dir, embedded_dir(driver));
    (void)snprintf(path, sizeof path, "%s/outcry-service-3.lock", embedded_dir(driver));
    assert_int_equal(storage_device()->lock(storage_device(), path, &lock), OC_ERR_OK);
    fails(OC_ERR_LOCKED, "cluster 3 on the driver");
    storage_device()->close(lock);
    embedded_destroy(driver);
}

static void one_that_has_diverged(void **state)
{
    (void)state;
    char path[600];
    (void)snprintf(path, sizeof path, "%.300s/diverged", config.node.dir);
    FILE *mark = fopen(path, "w");
    assert_non_null(mark);
    assert_true(fputs("at position 77\n", mark) >= 0);
    assert_int_equal(fclose(mark), 0);
    fails(OC_ERR_DAMAGED, "has diverged (at position 77)");
    assert_int_equal(tally.starts, 0);
}

static void a_service_that_cannot_start(void **state)
{
    (void)state;
    tally.start_error = OC_ERR_NO_MEMORY;
    fails(OC_ERR_NO_MEMORY, "as asked for");
    tally.stops = tally.starts; /* it was not, so it is not stopped */
}

static void a_processor_that_is_not_there(void **state)
{
    (void)state;
    config.node.core_cpu = 1023;
    fails(OC_ERR_INVALID_CONFIG, "core_cpu");
}

/* It waits for its module as long as it takes; a signal that came ends it in order. */
static void without_a_module_it_waits(void **state)
{
    (void)state;
    capture_t said;
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    output_capture_begin();
    const oc_err_t err = member_run(&tally.service, &config);
    output_capture_end(&said);
    process_give_signals_back();
    assert_int_equal(err, OC_ERR_OK);
    assert_non_null(strstr(said.out, "member 0: starting\n"));
    assert_non_null(strstr(said.out, "member 0: ended: position 0, entries 0, state_hash "));
    assert_int_equal(tally.starts, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bad_configurations),
        TEST(a_directory_that_cannot_be),
        TEST(a_directory_that_is_in_use),
        TEST(a_module_that_cannot_be_started),
        TEST(a_driver_that_does_not_run),
        TEST(a_module_that_has_its_service),
        TEST(one_that_has_diverged),
        TEST(a_service_that_cannot_start),
        TEST(a_processor_that_is_not_there),
        TEST(without_a_module_it_waits),
    };
    return cmocka_run_group_tests_name("member_run", tests, NULL, NULL);
}
