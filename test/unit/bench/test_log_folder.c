/*
 * Unit tests of the benches' folders: what is removed and what is not, and which error is told. Run
 * by ctest.
 */
#define _GNU_SOURCE
#include "bench/log_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 400 };

static const char *const own[] = {"lock", "raw", "raw-sync-12", "0000.journal", "1.preparing"};
static const char *const foreign[] = {"notes", "journal", "raw.txt"};

static temp_dir_t dir;
static char folder[PATH_SIZE];

static void path_of(char *path, const char *name)
{
    (void)snprintf(path, PATH_SIZE, "%.300s/%s", folder, name);
}

static void make_file(const char *name)
{
    char path[PATH_SIZE];
    path_of(path, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static bool there(const char *name)
{
    char path[PATH_SIZE];
    path_of(path, name);
    return access(path, F_OK) == 0;
}

static int setup(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    (void)snprintf(folder, sizeof folder, "%s/bench", dir.path);
    return log_folder_make(folder) == OC_ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static void test_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        make_file(own[i]);
    assert_int_equal(log_folder_make(folder), OC_ERR_OK);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        assert_false(there(own[i]));
    make_file(own[0]);
    assert_int_equal(log_folder_remove(folder, OC_ERR_OK), OC_ERR_OK);
    assert_false(there("."));
}

static void test_foreign(void **state)
{
    (void)state;
    make_file(own[0]);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        make_file(foreign[i]);
    assert_int_equal(log_folder_remove(folder, OC_ERR_OK), OC_ERR_OK);
    assert_false(there(own[0]));
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        assert_true(there(foreign[i]));
}

static void test_first_error(void **state)
{
    (void)state;
    const oc_err_t err = error_set(OC_ERR_TIMEOUT, "it took %d s", 7);
    assert_int_equal(log_folder_remove("/nowhere/bench", err), OC_ERR_TIMEOUT);
    assert_string_equal(oc_err_context(), "it took 7 s");
    assert_int_not_equal(log_folder_remove("/nowhere/bench", OC_ERR_OK), OC_ERR_OK);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* It is made in what is there, and nothing more than it. */
static void test_parent(void **state)
{
    (void)state;
    temp_dir_t base;
    char path[PATH_SIZE];
    bool made;
    temp_dir_make(&base);
    (void)snprintf(path, sizeof path, "%s/new", base.path);
    assert_int_equal(log_folder_parent(path, &made), OC_ERR_OK);
    assert_true(made);
    assert_int_equal(log_folder_parent(path, &made), OC_ERR_OK);
    assert_false(made);
    (void)snprintf(path, sizeof path, "%s/none/of/it", base.path);
    assert_int_equal(log_folder_parent(path, &made), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "none/of/it: No such file or directory"));
    assert_int_equal(log_folder_parent("/dev/null", &made), OC_ERR_OPEN);
    assert_string_equal(oc_err_context(), "/dev/null: Not a directory");
    temp_dir_remove(&base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_own),
        WITH_FIXTURE(test_foreign),
        WITH_FIXTURE(test_first_error),
        cmocka_unit_test(test_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
