/*
 * Unit tests of removing what a killed process left in memory: its own, and nobody else's. Run by
 * ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/driver_leftovers.h"
#include "aeron/embedded.h"
#include "base/remove_tree.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A process that is dead, whose id nobody has while this runs. */
static pid_t dead_process(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return pid;
}

static void make_dir(char path[64], long pid, const char *rest)
{
    char file[96];
    (void)snprintf(path, 64, "/dev/shm/outcry-%ld%s", pid, rest);
    assert_int_equal(mkdir(path, 0755), 0);
    (void)snprintf(file, sizeof file, "%s/cnc.dat", path);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    assert_int_equal(fclose(stream), 0);
}

static void test_removed(void **state)
{
    (void)state;
    char first[64];
    char second[64];
    char other[64];
    char node[64];
    const long pid = dead_process();
    make_dir(first, pid, "-0");
    make_dir(second, pid, "-17");
    make_dir(other, pid, "0-0");              /* of another process */
    make_dir(node, pid, "-0123456789012345"); /* of a user with that number */
    driver_leftovers_remove(pid);
    assert_int_not_equal(access(first, F_OK), 0);
    assert_int_not_equal(access(second, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    assert_int_equal(access(node, F_OK), 0);
    assert_int_equal(remove_tree(other), OC_ERR_OK);
    assert_int_equal(remove_tree(node), OC_ERR_OK);
}

static void test_nothing_there(void **state)
{
    (void)state;
    driver_leftovers_remove(dead_process());
}

static int64_t now_ms(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Of a process that is gone, once it was silent for long enough; never of one that lives. */
static void test_swept(void **state)
{
    (void)state;
    char gone[64];
    char living[64];
    char node[64];
    const long pid = dead_process();
    make_dir(gone, pid, "-0");
    make_dir(node, pid, "-0123456789012345");
    make_dir(living, (long)getpid(), "-99");
    driver_leftovers_sweep(now_ms());
    assert_int_equal(access(gone, F_OK), 0);
    driver_leftovers_sweep(now_ms() + DRIVER_LEFTOVERS_SILENT_MS + 2000);
    assert_int_not_equal(access(gone, F_OK), 0);
    assert_int_equal(access(node, F_OK), 0);
    assert_int_equal(access(living, F_OK), 0);
    assert_int_equal(remove_tree(node), OC_ERR_OK);
    assert_int_equal(remove_tree(living), OC_ERR_OK);
}

/* A real driver whose process was killed: what counts is its last sign of life, which the file's
 * times do not show. */
static void test_killed_driver(void **state)
{
    (void)state;
    int ready[2];
    char dir[64];
    assert_int_equal(pipe(ready), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        embedded_t *embedded;
        embedded_config_t config;
        embedded_config_init(&config);
        if (embedded_create(&embedded, &config) != OC_ERR_OK)
            _exit(1);
        const char *name = embedded_dir(embedded);
        if (write(ready[1], name, strlen(name) + 1) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(close(ready[1]), 0);
    assert_true(read(ready[0], dir, sizeof dir) > 0);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    driver_leftovers_sweep(now_ms());
    assert_int_equal(access(dir, F_OK), 0);
    driver_leftovers_sweep(now_ms() + DRIVER_LEFTOVERS_SILENT_MS + 2000);
    assert_int_not_equal(access(dir, F_OK), 0);
    assert_int_equal(close(ready[0]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_removed),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_swept),
        cmocka_unit_test(test_killed_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
