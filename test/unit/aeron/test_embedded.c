/*
 * Driver and client in one process: they start, step, end and leave nothing behind; what cannot
 * start says why; a directory with other things in it is not touched.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 512, STEPS_MAX = 200000 };

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static void make_dir(char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "/dev/shm/outcry-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static void starts_and_leaves_nothing(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    const embedded_threading_t modes[] = {EMBEDDED_INVOKER, EMBEDDED_SHARED, EMBEDDED_DEDICATED};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        embedded_t *embedded = NULL;
        config.threading = modes[i];
        assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
        char dir[PATH_BYTES];
        snprintf(dir, sizeof dir, "%s", embedded_dir(embedded));
        assert_true(exists(dir));
        for (int step = 0; step < 100; step++)
            embedded_do_work(embedded);
        assert_false(embedded_closed(embedded));
        assert_int_equal(embedded_errors(embedded, NULL), 0);
        embedded_destroy(embedded);
        assert_false(exists(dir));
    }
}

/* The driver is in the middle of what the client has asked for: for sanitizers that see leaks. */
static void gives_back_what_was_under_way(void **state)
{
    (void)state;
    enum { STATES = 10, STREAMS = 40 };
    static const char *const channels[] = {"aeron:udp?endpoint=127.0.0.1:24999", "aeron:ipc"};
    for (int i = 0; i < STATES * 2; i++) {
        embedded_config_t config;
        embedded_t *embedded = NULL;
        aeron_async_add_exclusive_publication_t *publication = NULL;
        aeron_async_add_subscription_t *subscription = NULL;
        embedded_config_init(&config);
        assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
        aeron_t *aeron = embedded_aeron(embedded);
        assert_int_equal(
            aeron_async_add_exclusive_publication(&publication, aeron, channels[i % 2], 7), 0);
        assert_int_equal(aeron_async_add_subscription(&subscription, aeron, channels[i % 2], 8,
                                                      NULL, NULL, NULL, NULL),
                         0);
        for (int32_t stream = 100; stream < 100 + STREAMS; stream++)
            assert_int_equal(
                aeron_async_add_exclusive_publication(&publication, aeron, channels[i % 2], stream),
                0);
        for (int step = 0; step < i / 2; step++)
            embedded_do_work(embedded);
        embedded_destroy(embedded);
    }
}

static void two_live_side_by_side(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    embedded_t *first = NULL;
    embedded_t *second = NULL;
    assert_int_equal(embedded_create(&first, &config), OC_ERR_OK);
    assert_int_equal(embedded_create(&second, &config), OC_ERR_OK);
    assert_string_not_equal(embedded_dir(first), embedded_dir(second));
    embedded_destroy(first);
    embedded_destroy(second);
}

static void replaces_a_directory_left_behind(void **state)
{
    (void)state;
    char dir[PATH_BYTES];
    char file[PATH_BYTES + 16];
    make_dir(dir);
    snprintf(file, sizeof file, "%s/cnc.dat", dir);
    fclose(fopen(file, "w"));
    embedded_config_t config;
    embedded_config_init(&config);
    config.dir = dir;
    embedded_t *embedded = NULL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
    embedded_destroy(embedded);
    assert_false(exists(dir));
}

static void does_not_touch_other_directories(void **state)
{
    (void)state;
    char dir[PATH_BYTES];
    char file[PATH_BYTES + 16];
    make_dir(dir);
    snprintf(file, sizeof file, "%s/precious", dir);
    fclose(fopen(file, "w"));
    embedded_config_t config;
    embedded_config_init(&config);
    config.dir = dir;
    embedded_t *embedded = NULL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_TRANSPORT);
    assert_null(embedded);
    assert_non_null(strstr(oc_err_context(), dir));
    assert_true(exists(file));
    unlink(file);
    rmdir(dir);
}

static void attaches_to_a_driver_elsewhere(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    config.threading = EMBEDDED_SHARED;
    embedded_t *driver = NULL;
    assert_int_equal(embedded_create(&driver, &config), OC_ERR_OK);
    config.threading = EMBEDDED_EXTERNAL;
    config.dir = embedded_dir(driver);
    embedded_t *client = NULL;
    assert_int_equal(embedded_create(&client, &config), OC_ERR_OK);
    embedded_do_work(client);
    embedded_destroy(client);
    assert_true(exists(embedded_dir(driver)));
    embedded_destroy(driver);
}

static void refuses_bad_values(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_t *embedded = NULL;
    embedded_config_init(&config);
    config.term_bytes = 100000;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_INVALID_ARGUMENT);
    embedded_config_init(&config);
    config.mtu_bytes = 8000 + 1;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_INVALID_ARGUMENT);
    embedded_config_init(&config);
    config.image_timeout_ns = 0;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_INVALID_ARGUMENT);
    embedded_config_init(&config);
    config.threading = EMBEDDED_EXTERNAL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_INVALID_ARGUMENT);
    char name[600];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    embedded_config_init(&config);
    config.dir = name;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_TOO_LONG);
    assert_null(embedded);
    embedded_destroy(NULL);
}

/* A parent that does not exist is the driver's own error, handed on. */
static void says_why_the_driver_does_not_start(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    config.dir = "/dev/null/outcry";
    embedded_t *embedded = NULL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_TRANSPORT);
    assert_non_null(strstr(oc_err_context(), "/dev/null/outcry"));
}

/* An error in the background is counted, and does not end the process. */
static void counts_background_errors(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    embedded_t *embedded = NULL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
    aeron_error_handler_t handler =
        aeron_context_get_error_handler(aeron_context(embedded_aeron(embedded)));
    handler(aeron_context_get_error_handler_clientd(aeron_context(embedded_aeron(embedded))), 1,
            "the background");
    const char *last = NULL;
    assert_int_equal(embedded_errors(embedded, &last), 1);
    assert_string_equal(last, "the background");
    embedded_destroy(embedded);
}

/* Of Aeron's text, a stack of causes, the innermost one is kept, and what is said about it. */
static void keeps_the_innermost_cause(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"(-1) outer\n[f, a.c:1] outer words\n(22) Invalid argument\n[g, b.c:2] \n"
         "[h, c.c:3] what it is about\n[i, d.c:4] more\n",
         "Invalid argument: what it is about"},
        {"(22) Invalid argument\n[g, b.c:2] said (by it) [so]",
         "Invalid argument: said (by it) [so]"},
        {"(2) No such file\n[g, b.c:2] \n", "No such file"},
        {"(2) No such file", "No such file"},
        {"", ""},
    };
    embedded_config_t config;
    embedded_config_init(&config);
    embedded_t *embedded = NULL;
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
    aeron_context_t *context = aeron_context(embedded_aeron(embedded));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *last = NULL;
        aeron_context_get_error_handler(context)(aeron_context_get_error_handler_clientd(context),
                                                 1, texts[i][0]);
        assert_int_equal(embedded_errors(embedded, &last), i + 1);
        assert_string_equal(last, texts[i][1]);
    }
    embedded_destroy(embedded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_and_leaves_nothing),
        cmocka_unit_test(gives_back_what_was_under_way),
        cmocka_unit_test(two_live_side_by_side),
        cmocka_unit_test(replaces_a_directory_left_behind),
        cmocka_unit_test(does_not_touch_other_directories),
        cmocka_unit_test(attaches_to_a_driver_elsewhere),
        cmocka_unit_test(refuses_bad_values),
        cmocka_unit_test(says_why_the_driver_does_not_start),
        cmocka_unit_test(counts_background_errors),
        cmocka_unit_test(keeps_the_innermost_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
