/*
 * The image store: files that cannot be removed, or that others have removed; images of another
 * build. Run by ctest.
 */
#define _GNU_SOURCE /* strdup */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/image_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files that cannot be removed ---- */

/* The device, but that some operations fail. */
static struct stubborn {
    storage_t table;
    const storage_t *real;
    const char *path; /* whose removal fails; NULL: none */
    int sync_dirs;    /* so many from the nth on fail */
    int sync_dirs_before;
} stubborn;

static oc_err_t stubborn_remove(const storage_t *self, const char *path)
{
    if (stubborn.path && !strcmp(path, stubborn.path))
        return error_set(OC_ERR_WRITE, "cannot remove %s: as asked for", path);
    return stubborn.real->remove(self, path);
}

static oc_err_t stubborn_sync_dir(const storage_t *self, const char *dir)
{
    if (stubborn.sync_dirs > 0 && stubborn.sync_dirs_before-- <= 0) {
        stubborn.sync_dirs--;
        return error_set(OC_ERR_SYNC, "cannot sync %s: as asked for", dir);
    }
    return stubborn.real->sync_dir(self, dir);
}

/* The store is opened anew, on that device. */
static void make_stubborn(image_maker_t *maker)
{
    image_store_close(maker->store);
    stubborn.real = storage_fake_table(maker->device);
    stubborn.table = *stubborn.real;
    stubborn.table.remove = stubborn_remove;
    stubborn.table.sync_dir = stubborn_sync_dir;
    stubborn.path = NULL;
    stubborn.sync_dirs = 0;
    const image_store_config_t config = {
        .dir = IMAGE_MAKER_DIR, .storage = &stubborn.table, .keep = maker->keep};
    assert_int_equal(image_store_open(&maker->store, &config), OC_ERR_OK);
}

/* Deleted by hand: that must not stop retention for ever. */
static void test_absent_files_count_as_removed(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    for (int i = 0; i < 5; i++)
        (void)image_maker_make(&maker, 0);
    const storage_t *storage = storage_fake_table(maker.device);
    assert_int_equal(storage->remove(storage, image_maker_path(3, ".manifest")), OC_ERR_OK);
    assert_int_equal(storage->remove(storage, image_maker_path(1, ".pages")), OC_ERR_OK);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "5 4");
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_fini(&maker);
}

static void test_what_cannot_be_removed_holds_up_nothing_else(void **state)
{
    (void)state;
    static const char *const endings[] = {".manifest", ".pages"};
    for (int i = 0; i < 2; i++) {
        image_maker_t maker;
        image_maker_start(&maker, 1);
        (void)image_maker_make(&maker, 0); /* 1; 2 <- 3 <- 4; 5 and 6 */
        (void)image_maker_make(&maker, 0);
        (void)image_maker_make(&maker, 2);
        (void)image_maker_make(&maker, 3);
        (void)image_maker_make(&maker, 0);
        (void)image_maker_make(&maker, 0);
        make_stubborn(&maker);
        char *path = strdup(image_maker_path(3, endings[i]));
        stubborn.path = path;
        assert_int_equal(image_store_retain(maker.store, false, NULL, NULL), OC_ERR_WRITE);
        assert_non_null(strstr(oc_err_context(), path));
        /* A manifest that stays needs its base. */
        assert_string_equal(image_maker_listed(&maker), i == 0 ? "6 5 3 2" : "6 5");
        assert_int_equal(image_maker_files(&maker), i == 0 ? 8 : 5);
        stubborn.path = NULL;
        image_maker_retain(&maker);
        assert_string_equal(image_maker_listed(&maker), "6 5");
        assert_int_equal(image_maker_files(&maker), 4);
        free(path);
        image_maker_fini(&maker);
    }
}

static void test_retention_in_steps(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    for (int i = 0; i < 6; i++)
        (void)image_maker_make(&maker, 0);
    int steps = 0;
    for (bool done = false; !done; steps++) {
        const uint64_t before = storage_fake_operations(maker.device);
        assert_int_equal(image_store_retain_step(maker.store, &done), OC_ERR_OK);
        assert_true(storage_fake_operations(maker.device) - before <= 2); /* and its sync */
    }
    assert_int_equal(steps, 8 + 1);
    assert_string_equal(image_maker_listed(&maker), "6 5");
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_fini(&maker);
}

/* A commit fails at its last sync, and the sync behind taking it back does too: the manifest may be
 * there again after a power cut, so its data file must be. */
static void test_a_commit_that_cannot_be_taken_back(void **state)
{
    (void)state;
    for (int failures = 1; failures <= 2; failures++) {
        image_maker_t maker;
        uint64_t sequence;
        image_maker_start(&maker, 1);
        (void)image_maker_make(&maker, 0);
        make_stubborn(&maker);
        stubborn.sync_dirs_before = 1; /* that of the data file's name */
        stubborn.sync_dirs = failures;
        assert_int_equal(image_maker_take(&maker, 0, &sequence), OC_ERR_SYNC);
        assert_int_equal(stubborn.sync_dirs, 0);
        assert_string_equal(image_maker_listed(&maker), "1");
        assert_int_equal(image_maker_there(&maker, 2, ".pages"), failures == 2);
        assert_false(image_maker_there(&maker, 2, ".manifest"));
        image_maker_fini(&maker);
    }
}

/* Another build's image is not listed, told, and never removed. */
static void test_an_unknown_version(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    assert_int_equal(image_store_unknown(maker.store), 0);
    uint8_t block[STORAGE_BLOCK];
    uint64_t size;
    memcpy(block, storage_fake_bytes(maker.device, image_maker_path(2, ".manifest"), &size),
           sizeof block);
    block[IMAGE_MAGIC_SIZE] = IMAGE_VERSION + 1;
    block[100] ^= 1; /* its checksum may lie anywhere */
    storage_fake_put(maker.device, image_maker_path(2, ".manifest"), block, sizeof block);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "1");
    assert_non_null(strstr(image_store_line(maker.store, 0), "image 2"));
    assert_non_null(strstr(image_store_line(maker.store, 0), "format version 2"));
    assert_int_equal(image_store_unknown(maker.store), 2);
    for (int i = 0; i < 3; i++) {
        (void)image_maker_make(&maker, 0);
        image_maker_retain(&maker);
    }
    assert_string_equal(image_maker_listed(&maker), "5 4");
    assert_true(image_maker_there(&maker, 2, ".pages"));
    assert_true(image_maker_there(&maker, 2, ".manifest"));
    image_maker_fini(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_absent_files_count_as_removed),
        cmocka_unit_test(test_what_cannot_be_removed_holds_up_nothing_else),
        cmocka_unit_test(test_retention_in_steps),
        cmocka_unit_test(test_a_commit_that_cannot_be_taken_back),
        cmocka_unit_test(test_an_unknown_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
