/*
 * Unit tests of removing what a killed client left in memory: its own, and nobody else's. Run by
 * ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/remove_tree.h"
#include "bench/client_leftovers.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
    client_leftovers_remove(pid);
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
    client_leftovers_remove(dead_process());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_removed),
        cmocka_unit_test(test_nothing_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
