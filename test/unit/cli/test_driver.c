/*
 * `outcry driver`: says where it is, serves a client, ends by SIGTERM, and takes a directory from
 * no living driver. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "bench/child_process.h"
#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WAIT_NS INT64_C(20000000000)

static capture_t said;

#define RUN(...)                                                                                   \
    capture_main(driver_main, (const char *const[]){"driver", __VA_ARGS__, NULL}, &said)

static void start(child_process_t *child, const char *dir, const char *threading)
{
    char where[300];
    const char *const argv[] = {"outcry", "driver", "--dir", dir, "--threading", threading, NULL};
    assert_int_equal(child_process_start(child, argv, -1), OC_ERR_OK);
    assert_int_equal(child_process_expect(child, "ready: ", where, sizeof where, WAIT_NS),
                     OC_ERR_OK);
    assert_string_equal(where, dir);
}

static void serves(void **state)
{
    (void)state;
    static const char *const kinds[] = {"shared", "dedicated"};
    temp_dir_t dir;
    char aeron_dir[300];
    temp_dir_make(&dir);
    (void)snprintf(aeron_dir, sizeof aeron_dir, "%s/aeron", dir.path);
    for (int i = 0; i < 2; i++) {
        child_process_t child;
        embedded_config_t config;
        embedded_t *client;
        int status;
        start(&child, aeron_dir, kinds[i]);
        embedded_config_init(&config);
        config.dir = aeron_dir;
        config.threading = EMBEDDED_EXTERNAL;
        assert_int_equal(embedded_create(&client, &config), OC_ERR_OK);
        embedded_destroy(client);
        assert_int_equal(RUN("--dir", aeron_dir), EXIT_STATUS_FAILED);
        assert_non_null(strstr(said.err, "is in use by process"));
        child_process_signal(&child, SIGTERM);
        assert_int_equal(child_process_wait(&child, &status, WAIT_NS), OC_ERR_OK);
        assert_int_equal(status, 0);
        assert_int_not_equal(access(aeron_dir, F_OK), 0);
        child_process_end(&child);
    }
    temp_dir_remove(&dir);
}

/* What a killed one left is no obstacle. */
static void after_a_kill(void **state)
{
    (void)state;
    temp_dir_t dir;
    char aeron_dir[300];
    child_process_t child;
    int status;
    temp_dir_make(&dir);
    (void)snprintf(aeron_dir, sizeof aeron_dir, "%s/aeron", dir.path);
    start(&child, aeron_dir, "shared");
    child_process_signal(&child, SIGKILL);
    assert_int_equal(child_process_wait(&child, &status, WAIT_NS), OC_ERR_OK);
    child_process_end(&child);
    start(&child, aeron_dir, "shared");
    child_process_end(&child);
    temp_dir_remove(&dir);
}

static void command_line(void **state)
{
    (void)state;
    const char *const nothing[] = {"driver", NULL};
    assert_int_equal(RUN("--help"), 0);
    assert_non_null(strstr(said.out, "usage: outcry driver"));
    assert_int_equal(capture_main(driver_main, nothing, &said), EXIT_STATUS_USAGE);
    assert_int_equal(RUN("--dir", "x", "--threading", "many"), EXIT_STATUS_USAGE);
}

/* The child is this very program. */
int main(int argc, char **argv)
{
    if (argc > 1)
        return driver_main(argc - 1, argv + 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves),
        cmocka_unit_test(after_a_kill),
        cmocka_unit_test(command_line),
    };
    return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
