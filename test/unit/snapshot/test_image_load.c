/*
 * Loading and verifying images: chains laid over each other against the state itself, damage
 * anywhere, reads that fail. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/image_fixture.h"
#include "snapshot/image_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The thread sanitizer would take minutes for every byte, and one thread verifies here. */
#if defined(__SANITIZE_THREAD__)
#define FLIP_STEP 61
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FLIP_STEP 61
#endif
#endif
#ifndef FLIP_STEP
#define FLIP_STEP 1
#endif

static const unsigned thread_counts[] = {1, 2, 7, 0};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

static oc_err_t load(const image_fixture_t *fixture, const image_copy_t *copy, unsigned threads)
{
    return image_load(fixture->store, image_store_find(fixture->store, fixture->sequence),
                      copy->targets, IMAGE_FIXTURE_SECTIONS, threads);
}

static oc_err_t verify(const image_fixture_t *fixture, unsigned threads)
{
    return image_verify(fixture->store, image_store_find(fixture->store, fixture->sequence),
                        threads);
}

/* Into fresh arenas, and into ones that hold what other threads loaded before. */
static void check_loads(const image_fixture_t *fixture)
{
    image_copy_t used;
    image_copy_init(&used, fixture);
    for (size_t i = 0; i < THREAD_COUNTS; i++) {
        image_copy_t copy;
        image_copy_init(&copy, fixture);
        assert_int_equal(verify(fixture, thread_counts[i]), OC_ERR_OK);
        assert_int_equal(load(fixture, &copy, thread_counts[i]), OC_ERR_OK);
        image_copy_check(&copy, fixture);
        image_copy_fini(&copy);
        image_copy_drop_stream(&used);
        assert_int_equal(load(fixture, &used, thread_counts[i]), OC_ERR_OK);
        image_copy_check(&used, fixture);
    }
    image_copy_fini(&used);
}

static void test_chains_equal_the_truth(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        image_fixture_t fixture;
        image_fixture_init(&fixture, 500, 40, seed);
        for (uint32_t round = 0; round < 6; round++) {
            image_fixture_change(&fixture, 0, round == 0 ? 8 : 12, round % 2 ? 1 : 60);
            image_fixture_change(&fixture, 1, prng_below(&fixture.random, 4), 2);
            image_fixture_set_stream(&fixture, prng_below(&fixture.random, 100000));
            (void)image_fixture_take(&fixture, round == 0 || prng_below(&fixture.random, 8) == 0);
            check_loads(&fixture);
        }
        image_fixture_fini(&fixture);
    }
}

static void test_an_empty_state(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_fixture_init(&fixture, 4, 2, 1);
    (void)image_fixture_take(&fixture, true);
    check_loads(&fixture);
    (void)image_fixture_take(&fixture, false);
    check_loads(&fixture);
    image_fixture_fini(&fixture);
}

/* What the arenas held before does not shine through. */
static void test_what_was_there_is_cleared(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    image_fixture_init(&fixture, 60, 10, 1);
    image_fixture_change(&fixture, 0, 10, 2);
    (void)image_fixture_take(&fixture, true);
    image_copy_init(&copy, &fixture);
    for (size_t i = 0; i < IMAGE_FIXTURE_ARENAS; i++) {
        oc_arena_touch_range(&copy.arenas[i], copy.arenas[i].base, copy.arenas[i].size);
        memset(copy.arenas[i].base, 0xEE, copy.arenas[i].size);
    }
    assert_int_equal(load(&fixture, &copy, 2), OC_ERR_OK);
    image_copy_check(&copy, &fixture);
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

static void expect_refusal(const image_fixture_t *fixture, const image_target_t *targets,
                           size_t count, const char *const said[2])
{
    const image_info_t *info = image_store_find(fixture->store, fixture->sequence);
    assert_int_equal(image_load(fixture->store, info, targets, count, 1), OC_ERR_INVALID_CONFIG);
    for (size_t i = 0; i < 2; i++)
        if (!strstr(oc_err_context(), said[i]))
            fail_msg("no %s in: %s", said[i], oc_err_context());
    assert_non_null(strstr(oc_err_context(), "snapshot export"));
    assert_non_null(strstr(oc_err_context(), "snapshot import"));
}

static void test_layouts_that_differ(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    char theirs[32];
    char ours[32];
    image_fixture_init(&fixture, 8, 4, 1);
    image_fixture_change(&fixture, 0, 3, 1);
    image_fixture_set_stream(&fixture, 10);
    (void)image_fixture_take(&fixture, true);
    image_copy_init(&copy, &fixture);
    oc_arena_t *arena = &copy.arenas[1];
    (void)snprintf(theirs, sizeof theirs, "%016llx", (unsigned long long)arena->layout);
    arena->layout ^= 5;
    (void)snprintf(ours, sizeof ours, "%016llx", (unsigned long long)arena->layout);
    expect_refusal(&fixture, copy.targets, 3, (const char *[]){theirs, ours});
    arena->layout ^= 5;
    memcpy(arena->name, "gamma", 6);
    expect_refusal(&fixture, copy.targets, 3, (const char *[]){"'beta'", "'gamma'"});
    memcpy(arena->name, "beta\0", 6);
    arena->size += 4096;
    expect_refusal(&fixture, copy.targets, 3, (const char *[]){"16384 bytes", "20480 bytes"});
    arena->size -= 4096;
    expect_refusal(&fixture, copy.targets, 2, (const char *[]){"3 sections", "have 2"});
    const image_target_t turned[] = {copy.targets[0], copy.targets[2], copy.targets[1]};
    expect_refusal(&fixture, turned, 3, (const char *[]){"pages of 'beta'", "a stream"});
    const image_target_t more[] = {copy.targets[0], copy.targets[1], copy.targets[0]};
    expect_refusal(&fixture, more, 3, (const char *[]){"stream of 'service'", "'alpha'"});
    /* Nothing was changed by any of them. */
    assert_int_equal(copy.arenas[0].stamps[0], 0);
    assert_int_equal(load(&fixture, &copy, 1), OC_ERR_OK);
    image_copy_check(&copy, &fixture);
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

/* A full image and an incremental one that takes some of its pages over. */
static void make_small_chain(image_fixture_t *fixture)
{
    image_fixture_init(fixture, 4, 2, 9);
    image_fixture_change(fixture, 0, 1, 2);
    image_fixture_change(fixture, 1, 1, 1);
    image_fixture_set_stream(fixture, 100);
    (void)image_fixture_take(fixture, true);
    image_fixture_change(fixture, 0, 2, 1);
    (void)image_fixture_take(fixture, false);
}

static void flip_each(image_fixture_t *fixture, const char *path)
{
    char name[256];
    uint64_t size = 0;
    (void)snprintf(name, sizeof name, "%s", path);
    assert_non_null(storage_fake_bytes(fixture->fake, name, &size));
    assert_true(size >= 4096);
    for (uint64_t at = 0; at < size; at += FLIP_STEP) {
        const uint8_t mask = (uint8_t)(1U << at % 8);
        storage_fake_flip(fixture->fake, name, at, mask);
        const oc_err_t err = verify(fixture, 1);
        if (err != OC_ERR_DAMAGED || !strstr(oc_err_context(), name) ||
            !strstr(oc_err_context(), "offset"))
            fail_msg("%s at %llu: %d, %s", name, (unsigned long long)at, (int)err,
                     oc_err_context());
        storage_fake_flip(fixture->fake, name, at, mask);
    }
    assert_int_equal(verify(fixture, 1), OC_ERR_OK);
}

static void test_every_flipped_byte_is_found(void **state)
{
    (void)state;
    image_fixture_t fixture;
    make_small_chain(&fixture);
    for (uint64_t sequence = 1; sequence <= 2; sequence++) {
        flip_each(&fixture, image_fixture_path(sequence, ".pages"));
        flip_each(&fixture, image_fixture_path(sequence, ".manifest"));
    }
    image_fixture_fini(&fixture);
}

/* A load finds damage, or loads the truth: where a newer page counts, the older does not. */
static void test_load_finds_what_it_needs(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    make_small_chain(&fixture);
    image_copy_init(&copy, &fixture);
    size_t found = 0;
    size_t loaded = 0;
    for (uint64_t sequence = 1; sequence <= 2; sequence++) {
        char path[256];
        uint64_t size = 0;
        (void)snprintf(path, sizeof path, "%s", image_fixture_path(sequence, ".pages"));
        assert_non_null(storage_fake_bytes(fixture.fake, path, &size));
        for (uint64_t at = sequence; at < size; at += 37) {
            storage_fake_flip(fixture.fake, path, at, 0x40);
            const oc_err_t err = load(&fixture, &copy, 2);
            if (err == OC_ERR_OK) {
                image_copy_check(&copy, &fixture);
                loaded++;
            } else {
                assert_int_equal(err, OC_ERR_DAMAGED);
                assert_non_null(strstr(oc_err_context(), path));
                assert_null(copy.stream);
                found++;
            }
            image_copy_drop_stream(&copy);
            storage_fake_flip(fixture.fake, path, at, 0x40);
        }
    }
    /* At least the older image's stream is not needed; headers, tables and most pages are. */
    assert_true(loaded >= 4096 / 37);
    assert_true(found > 2 * loaded);
    assert_int_equal(load(&fixture, &copy, 2), OC_ERR_OK);
    image_copy_check(&copy, &fixture);
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

static void test_pages_changed_places(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    uint8_t kept[4096];
    uint64_t size = 0;
    image_fixture_init(&fixture, 8, 2, 2);
    image_fixture_change(&fixture, 0, 1, 4);
    (void)image_fixture_take(&fixture, true);
    uint8_t *file = storage_fake_bytes(fixture.fake, image_fixture_path(1, ".pages"), &size);
    memcpy(kept, file + 8192, 4096);
    memmove(file + 8192, file + 12288, 4096);
    memcpy(file + 12288, kept, 4096);
    image_copy_init(&copy, &fixture);
    assert_int_equal(load(&fixture, &copy, 1), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "offset 8192"));
    assert_int_equal(verify(&fixture, 1), OC_ERR_DAMAGED);
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

static void test_files_cut_off(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    make_small_chain(&fixture);
    image_copy_init(&copy, &fixture);
    for (int manifest = 0; manifest < 2; manifest++) {
        char path[256];
        uint64_t size = 0;
        (void)snprintf(path, sizeof path, "%s",
                       image_fixture_path(1, manifest ? ".manifest" : ".pages"));
        const uint8_t *bytes = storage_fake_bytes(fixture.fake, path, &size);
        uint8_t *longer = calloc(1, size + 4096);
        assert_non_null(longer);
        memcpy(longer, bytes, size);
        for (int step = -1; step <= 1; step++) {
            storage_fake_put(fixture.fake, path, longer, (size_t)size + (size_t)(step * 4096));
            const oc_err_t expected = step == 0 ? OC_ERR_OK : OC_ERR_DAMAGED;
            assert_int_equal(verify(&fixture, 1), expected);
            if (step != 0)
                assert_non_null(strstr(oc_err_context(), path));
            if (!manifest) {
                assert_int_equal(load(&fixture, &copy, 1), expected);
                image_copy_drop_stream(&copy);
            }
        }
        storage_fake_put(fixture.fake, path, longer, (size_t)size);
        free(longer);
    }
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

/* A file that says it is of a huge arena costs no memory for that, and is not loaded into ours. */
static void test_huge_sections_cost_nothing(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    image_header_t header;
    image_manifest_t manifest;
    uint8_t block[STORAGE_BLOCK];
    uint64_t size;
    image_fixture_init(&fixture, 8, 4, 1);
    (void)image_fixture_take(&fixture, true); /* of no page */
    uint8_t *at = storage_fake_bytes(fixture.fake, image_fixture_path(1, ".pages"), &size);
    assert_int_equal(image_header_decode(at, "pages", &header), OC_ERR_OK);
    header.identity.sections[0].size = (UINT64_C(1) << 32) * OC_ARENA_PAGE_SIZE;
    const uint32_t crc = image_header_encode(&header, at);
    at = storage_fake_bytes(fixture.fake, image_fixture_path(1, ".manifest"), &size);
    assert_int_equal(image_manifest_decode(at, "manifest", &manifest), OC_ERR_OK);
    manifest.identity = header.identity;
    manifest.header_crc = crc;
    (void)image_manifest_encode(&manifest, block);
    storage_fake_put(fixture.fake, image_fixture_path(1, ".manifest"), block, sizeof block);
    image_fixture_reopen(&fixture, false);
    fixture.sequence = 1;
    image_copy_init(&copy, &fixture);
    assert_int_equal(verify(&fixture, 1), OC_ERR_OK);
    assert_int_equal(load(&fixture, &copy, 1), OC_ERR_INVALID_CONFIG);
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

static void test_every_failed_read_is_told(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_copy_t copy;
    image_fixture_init(&fixture, 300, 20, 12);
    for (uint32_t round = 0; round < 3; round++) {
        image_fixture_change(&fixture, 0, 10, 18);
        image_fixture_change(&fixture, 0, 10, 1);
        image_fixture_set_stream(&fixture, 5000);
        (void)image_fixture_take(&fixture, round == 0);
    }
    image_copy_init(&copy, &fixture);
    for (int verifies = 0; verifies < 2; verifies++) {
        for (uint64_t nth = 1;; nth++) {
            storage_fake_fault(fixture.fake, STORAGE_FAKE_READ_ERROR, nth);
            const oc_err_t err = verifies ? verify(&fixture, 2) : load(&fixture, &copy, 2);
            if (storage_fake_fault_pending(fixture.fake)) {
                assert_int_equal(err, OC_ERR_OK);
                assert_true(nth > 12);
                break;
            }
            assert_int_equal(err, OC_ERR_READ);
            assert_non_null(strstr(oc_err_context(), IMAGE_FIXTURE_DIR "/" IMAGE_DIR "/"));
            assert_null(copy.stream);
        }
        storage_fake_fault(fixture.fake, STORAGE_FAKE_NO_FAULT, 1);
        if (!verifies)
            image_copy_check(&copy, &fixture);
        image_copy_drop_stream(&copy);
    }
    image_copy_fini(&copy);
    image_fixture_fini(&fixture);
}

static void test_configuration(void **state)
{
    (void)state;
    image_fixture_t fixture;
    char bytes[IMAGE_CONFIGURATION_MAX];
    size_t length = 0;
    const char *expected = image_fixture_configuration();
    make_small_chain(&fixture);
    const image_info_t *info = image_store_find(fixture.store, fixture.sequence);
    assert_int_equal(image_configuration(fixture.store, info, bytes, sizeof bytes, &length),
                     OC_ERR_OK);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(bytes, expected, length);
    assert_int_equal(image_configuration(fixture.store, info, bytes, length - 1, &length),
                     OC_ERR_TOO_LONG);
    for (uint64_t nth = 1; nth <= 2; nth++) {
        storage_fake_fault(fixture.fake, STORAGE_FAKE_READ_ERROR, nth);
        assert_int_equal(image_configuration(fixture.store, info, bytes, sizeof bytes, &length),
                         OC_ERR_READ);
    }
    storage_fake_flip(fixture.fake, image_fixture_path(2, ".pages"), 8191, 1);
    assert_int_equal(image_configuration(fixture.store, info, bytes, sizeof bytes, &length),
                     OC_ERR_DAMAGED);
    image_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_equal_the_truth),
        cmocka_unit_test(test_an_empty_state),
        cmocka_unit_test(test_what_was_there_is_cleared),
        cmocka_unit_test(test_layouts_that_differ),
        cmocka_unit_test(test_every_flipped_byte_is_found),
        cmocka_unit_test(test_load_finds_what_it_needs),
        cmocka_unit_test(test_pages_changed_places),
        cmocka_unit_test(test_files_cut_off),
        cmocka_unit_test(test_huge_sections_cost_nothing),
        cmocka_unit_test(test_every_failed_read_is_told),
        cmocka_unit_test(test_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
