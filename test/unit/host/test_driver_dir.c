/*
 * The driver's directory: its name, what is removed at a start, and what never is.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "base/error.h"
#include "host/driver_dir.h"
#include "lib/temp_dir.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 300 };

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void make_file(const char *dir, const char *name)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%.200s/%s", dir, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void the_name_is_the_directory_s(void **state)
{
    (void)state;
    temp_dir_t a;
    temp_dir_t b;
    char first[256];
    char again[256];
    char other[256];
    char dotted[600];
    temp_dir_make(&a);
    temp_dir_make(&b);
    (void)snprintf(dotted, sizeof dotted, "%s/../%s/.", a.path, strrchr(a.path, '/') + 1);
    assert_int_equal(driver_dir_of(a.path, first, sizeof first), OC_ERR_OK);
    assert_int_equal(driver_dir_of(dotted, again, sizeof again), OC_ERR_OK);
    assert_int_equal(driver_dir_of(b.path, other, sizeof other), OC_ERR_OK);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    assert_memory_equal(first, "/dev/shm/outcry-", 16);
    temp_dir_remove(&a);
    assert_int_equal(driver_dir_of(a.path, first, sizeof first), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), a.path));
    temp_dir_remove(&b);
}

static void what_is_not_there_need_not_go(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    temp_dir_remove(&dir);
    assert_int_equal(driver_dir_remove_stale(dir.path, true), OC_ERR_OK);
    assert_int_equal(driver_dir_remove_stale(dir.path, false), OC_ERR_OK);
}

/* Whoever holds the lock of the log's directory is the only one who uses it. */
static void of_its_own_name_it_goes(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    make_file(dir.path, "half-made");
    assert_int_equal(driver_dir_remove_stale(dir.path, true), OC_ERR_OK);
    assert_false(exists(dir.path));
}

static void of_a_given_name_only_a_driver_s_goes(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    make_file(dir.path, "somebody's");
    assert_int_equal(driver_dir_remove_stale(dir.path, false), OC_ERR_OK);
    assert_true(exists(dir.path));
    make_file(dir.path, "cnc.dat"); /* of a driver that died as it began */
    assert_int_equal(driver_dir_remove_stale(dir.path, false), OC_ERR_OK);
    assert_false(exists(dir.path));
}

/* A process with a driver in `dir`; it says so through the pipe, and waits to be killed. */
static void run_driver(const char *dir, int out)
{
    embedded_config_t config;
    embedded_t *embedded;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    embedded_config_init(&config);
    config.dir = dir;
    config.threading = EMBEDDED_SHARED;
    const bool runs = embedded_create(&embedded, &config) == OC_ERR_OK;
    if (write(out, runs ? "y" : "n", 1) != 1)
        _exit(1);
    for (;;)
        (void)pause();
}

static void one_in_use_stays_until_its_process_is_gone(void **state)
{
    (void)state;
    char dir[PATH_BYTES];
    char pid[32];
    char answer = 'n';
    int ends[2];
    int status;
    (void)snprintf(dir, sizeof dir, "/dev/shm/outcry-test-driver-%ld", (long)getpid());
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_driver(dir, ends[1]);
    assert_int_equal(read(ends[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    assert_int_equal(driver_dir_remove_stale(dir, false), OC_ERR_LOCKED);
    (void)snprintf(pid, sizeof pid, "process %ld;", (long)child);
    assert_non_null(strstr(oc_err_context(), pid));
    assert_true(exists(dir));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    /* For some seconds more it looks alive, but for its process. */
    assert_int_equal(driver_dir_remove_stale(dir, false), OC_ERR_OK);
    assert_false(exists(dir));
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_is_the_directory_s),
        cmocka_unit_test(what_is_not_there_need_not_go),
        cmocka_unit_test(of_its_own_name_it_goes),
        cmocka_unit_test(of_a_given_name_only_a_driver_s_goes),
        cmocka_unit_test(one_in_use_stays_until_its_process_is_gone),
    };
    return cmocka_run_group_tests_name("driver_dir", tests, NULL, NULL);
}
