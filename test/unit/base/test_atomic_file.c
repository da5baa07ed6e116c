/*
 * Unit tests of files written as a whole. Run by ctest.
 */
#define _GNU_SOURCE
#include "base/atomic_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/read_file.h"
#include "lib/temp_dir.h"

static temp_dir_t dir;
static char path[300];

static int setup(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/file", dir.path);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static size_t names_in_dir(void)
{
    size_t names = 0;
    DIR *listing = opendir(dir.path);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        names += entry->d_name[0] != '.';
    (void)closedir(listing);
    return names;
}

static void assert_holds(const char *wanted)
{
    char *text = read_file(path, NULL);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_new_and_over_an_old_one(void **state)
{
    (void)state;
    const mode_t mask = umask(0027);
    assert_int_equal(atomic_file_write(path, "a longer one", 12), OC_ERR_OK);
    assert_holds("a longer one");
    assert_int_equal(atomic_file_write(path, "short", 5), OC_ERR_OK);
    (void)umask(mask);
    assert_holds("short");
    assert_int_equal(names_in_dir(), 1);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void test_a_failed_write_leaves_the_old_one(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(atomic_file_write(path, "old", 3), OC_ERR_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*const action)(int) = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {4096, before.rlim_max};
    static char big[16384];
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const oc_err_t err = atomic_file_write(path, big, sizeof big);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, action);
    assert_int_equal(err, OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), path));
    assert_holds("old");
    assert_int_equal(names_in_dir(), 1);
}

static void test_no_such_directory(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "%s/none/file", dir.path);
    assert_int_equal(atomic_file_write(path, "x", 1), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), path));
}

/* A rename would put a file in the place of the device. */
static void test_what_is_no_file_stays(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(atomic_file_write(path, "x", 1), OC_ERR_OPEN);
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("elsewhere", path), 0);
    assert_int_equal(atomic_file_write(path, "x", 1), OC_ERR_OPEN);
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void test_in_the_working_directory(void **state)
{
    (void)state;
    char *before = getcwd(NULL, 0);
    assert_non_null(before);
    assert_int_equal(chdir(dir.path), 0);
    const oc_err_t err = atomic_file_write("file", "here", 4);
    assert_int_equal(chdir(before), 0);
    free(before);
    assert_int_equal(err, OC_ERR_OK);
    assert_holds("here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_new_and_over_an_old_one, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_failed_write_leaves_the_old_one, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_such_directory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_file_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(test_in_the_working_directory, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
