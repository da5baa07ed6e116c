/*
 * Temporary directories. Called by tests that need a log on the device.
 */
#define _GNU_SOURCE
#include "lib/temp_dir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/remove_tree.h"

#include <stdio.h>
#include <stdlib.h>

void temp_dir_make(temp_dir_t *dir)
{
    const char *base = getenv("TMPDIR");
    const int length =
        snprintf(dir->path, sizeof dir->path, "%s/outcry-test-XXXXXX", base ? base : P_tmpdir);
    assert_true(length > 0 && (size_t)length < sizeof dir->path);
    assert_non_null(mkdtemp(dir->path));
}

void temp_dir_remove(const temp_dir_t *dir)
{
    (void)remove_tree(dir->path);
}
