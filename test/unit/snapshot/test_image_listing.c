/*
 * Names in the directory of the images. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/storage_fake.h"
#include "snapshot/image_listing.h"

#include <stdio.h>

static void put(storage_fake_t *device, const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "log/images/%s", name);
    storage_fake_put(device, path, "x", 1);
}

static oc_err_t list(storage_fake_t *device, image_listing_t *listing)
{
    return image_listing_init(listing, storage_fake_table(device), "log", "log/images", false);
}

static void test_names(void **state)
{
    (void)state;
    storage_fake_t *device = storage_fake_create(1);
    image_listing_t listing;
    assert_int_equal(list(device, &listing), OC_ERR_OK);
    assert_int_equal(listing.count, 0);
    image_listing_fini(&listing);
    put(device, "0000000000000010.pages");
    put(device, "0000000000000002.manifest");
    put(device, "0000000000000010.manifest");
    put(device, "7fffffffffffffff.manifest.new");
    put(device, "0000000000000002.pages");
    put(device, "0000000000000002.manifest.new");
    put(device, "00000000000000ab.pages");
    assert_int_equal(list(device, &listing), OC_ERR_OK);
    static const image_listed_t expected[] = {
        {.sequence = 2, .has_pages = true, .has_manifest = true, .has_new = true},
        {.sequence = 0x10, .has_pages = true, .has_manifest = true},
        {.sequence = 0xab, .has_pages = true},
        {.sequence = INT64_MAX, .has_new = true},
    };
    assert_int_equal(listing.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(listing.files[i].sequence, expected[i].sequence);
        assert_int_equal(listing.files[i].has_pages, expected[i].has_pages);
        assert_int_equal(listing.files[i].has_manifest, expected[i].has_manifest);
        assert_int_equal(listing.files[i].has_new, expected[i].has_new);
    }
    image_listing_fini(&listing);
    storage_fake_destroy(device);
}

static void test_other_names_are_passed_over(void **state)
{
    (void)state;
    static const char *const names[] = {
        "0000000000000000.pages",
        "8000000000000000.pages",
        "000000000000001.pages",
        "00000000000000001.pages",
        "000000000000000A.pages",
        "0000000000000001.page",
        "0000000000000001.pages~",
        "0000000000000001",
        "0000000000000001.manifest.old",
        "0000000000000001manifest",
        "x0000000000000001.manifest",
        ".pages",
        "lock",
    };
    storage_fake_t *device = storage_fake_create(1);
    image_listing_t listing;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        put(device, names[i]);
    assert_int_equal(list(device, &listing), OC_ERR_OK);
    assert_int_equal(listing.count, 0);
    image_listing_fini(&listing);
    storage_fake_destroy(device);
}

static void test_many(void **state)
{
    (void)state;
    storage_fake_t *device = storage_fake_create(1);
    image_listing_t listing;
    for (unsigned i = 0; i < 300; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%016x.pages", (i * 77 % 300) + 1);
        put(device, name);
    }
    assert_int_equal(list(device, &listing), OC_ERR_OK);
    assert_int_equal(listing.count, 300);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(listing.files[i].sequence, i + 1);
    image_listing_fini(&listing);
    storage_fake_kill(device);
    assert_int_equal(list(device, &listing), OC_ERR_OPEN);
    storage_fake_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_other_names_are_passed_over),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
