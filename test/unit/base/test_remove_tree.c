/*
 * Unit tests of the removal of directories: deep ones, links, what is not there, what cannot be
 * removed. Run by ctest.
 */
#define _GNU_SOURCE
#include "base/remove_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 256, DEPTH = 30 };

static char root[PATH_SIZE];

static void in_root(char *path, const char *name)
{
    assert_true(snprintf(path, PATH_SIZE, "%s/%s", root, name) < PATH_SIZE);
}

static void make_file(const char *path)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static bool there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static int make_root(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(root, sizeof root, "%.100s/outcry-tree-XXXXXX", base ? base : P_tmpdir);
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    return remove_tree(root) == OC_ERR_OK && !there(root) ? 0 : -1;
}

/* Deeper than the walk keeps folders open. */
static void test_deep(void **state)
{
    (void)state;
    char top[PATH_SIZE];
    char path[PATH_SIZE];
    in_root(top, "top");
    in_root(path, "top");
    for (int i = 0; i < DEPTH; i++) {
        assert_int_equal(mkdir(path, 0700), 0);
        const size_t length = strlen(path);
        (void)snprintf(path + length, sizeof path - length, "/f");
        make_file(path);
        (void)snprintf(path + length, sizeof path - length, "/d");
    }
    assert_int_equal(remove_tree(top), OC_ERR_OK);
    assert_false(there(top));
}

static void test_link(void **state)
{
    (void)state;
    char outside[PATH_SIZE];
    char kept[PATH_SIZE];
    char top[PATH_SIZE];
    char link[PATH_SIZE];
    in_root(outside, "outside");
    in_root(kept, "outside/kept");
    in_root(top, "top");
    in_root(link, "top/link");
    assert_int_equal(mkdir(outside, 0700), 0);
    make_file(kept);
    assert_int_equal(mkdir(top, 0700), 0);
    assert_int_equal(symlink(outside, link), 0);
    assert_int_equal(remove_tree(top), OC_ERR_OK);
    assert_false(there(top));
    assert_true(there(kept));
}

static void test_file_and_nothing(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    in_root(path, "file");
    make_file(path);
    assert_int_equal(remove_tree(path), OC_ERR_OK);
    assert_false(there(path));
    assert_int_equal(remove_tree(path), OC_ERR_OK);
}

static void test_cannot(void **state)
{
    (void)state;
    assert_int_equal(remove_tree("/proc/self/status"), OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), "/proc/self/status"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_file_and_nothing),
        cmocka_unit_test(test_cannot),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
