/*
 * Folding: equal to the chain, in bounded steps, and whatever happens on the way, the chain is
 * whole and there is no half image. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/image_fixture.h"
#include "snapshot/image_internal.h"

#include <stdio.h>
#include <string.h>

/* Seeds that decide what a power cut leaves. */
enum { SEEDS = 4 };

/* Three images laid over each other. */
static void make_chain(image_fixture_t *fixture, size_t pages, uint64_t seed)
{
    image_fixture_init(fixture, pages, 8, seed);
    for (uint32_t round = 0; round < 3; round++) {
        image_fixture_change(fixture, 0, pages / 16, round == 0 ? 5 : 2);
        image_fixture_change(fixture, 1, 1, 2);
        image_fixture_set_stream(fixture, 9000 - 3000 * round);
        (void)image_fixture_take(fixture, round == 0);
    }
}

static const image_info_t *newest(const image_fixture_t *fixture)
{
    return image_store_find(fixture->store, fixture->sequence);
}

static void check_load(const image_fixture_t *fixture, const image_info_t *info)
{
    image_copy_t copy;
    image_copy_init(&copy, fixture);
    assert_int_equal(image_verify(fixture->store, info, 1), OC_ERR_OK);
    assert_int_equal(image_load(fixture->store, info, copy.targets, IMAGE_FIXTURE_SECTIONS, 1),
                     OC_ERR_OK);
    image_copy_check(&copy, fixture);
    image_copy_fini(&copy);
}

/* Folds to the end or to the first error. */
static oc_err_t fold_all(image_fixture_t *fixture, size_t *steps)
{
    image_fold_t *fold = NULL;
    bool done = false;
    size_t count = 0;
    oc_err_t err = image_fold_begin(&fold, fixture->store, fixture->writer, newest(fixture));
    if (err != OC_ERR_OK)
        return err;
    while (err == OC_ERR_OK && !done) {
        err = image_fold_step(fold, &done);
        count++;
    }
    image_fold_end(fold);
    if (steps)
        *steps = count;
    return err;
}

typedef struct file_count {
    size_t files;
    size_t foreign; /* neither data file nor manifest */
} file_count_t;

static bool count_file(void *context, const char *name)
{
    file_count_t *count = context;
    const char *ending = strchr(name, '.');
    count->files++;
    if (!ending ||
        (strcmp(ending, IMAGE_PAGES_ENDING) != 0 && strcmp(ending, IMAGE_MANIFEST_ENDING) != 0))
        count->foreign++;
    return true;
}

/* Two files for each listed image, and no other. */
static void check_files(const image_fixture_t *fixture)
{
    file_count_t count = {0};
    assert_int_equal(fixture->storage->list(fixture->storage, IMAGE_FIXTURE_DIR "/" IMAGE_DIR,
                                            count_file, &count),
                     OC_ERR_OK);
    assert_int_equal(count.foreign, 0);
    assert_int_equal(count.files, 2 * image_store_count(fixture->store));
    assert_null(image_store_line(fixture->store, 0));
}

static void test_equal_to_the_chain(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        image_fixture_t fixture;
        size_t steps = 0;
        make_chain(&fixture, 256, seed);
        const image_place_t place = newest(&fixture)->place;
        assert_int_equal(fold_all(&fixture, &steps), OC_ERR_OK);
        assert_int_equal(image_store_count(fixture.store), 4);
        const image_info_t *folded = image_store_at(fixture.store, 0);
        assert_int_equal(folded->sequence, fixture.sequence + 1);
        assert_int_equal(folded->base, 0);
        assert_int_equal(folded->chain_length, 1);
        assert_memory_equal(&folded->place, &place, sizeof place);
        check_load(&fixture, folded);
        check_load(&fixture, newest(&fixture));
        check_files(&fixture);
        char configuration[IMAGE_CONFIGURATION_MAX];
        size_t length = 0;
        assert_int_equal(image_configuration(fixture.store, folded, configuration,
                                             sizeof configuration, &length),
                         OC_ERR_OK);
        assert_int_equal(length, strlen(image_fixture_configuration()));
        assert_memory_equal(configuration, image_fixture_configuration(), length);
        /* An incremental image goes on with the folded one. */
        fixture.sequence = folded->sequence;
        image_fixture_change(&fixture, 0, 3, 1);
        const image_info_t *next = image_fixture_take(&fixture, false);
        assert_int_equal(next->chain_length, 2);
        check_load(&fixture, next);
        image_fixture_fini(&fixture);
    }
}

static void test_steps_are_bounded(void **state)
{
    (void)state;
    image_fixture_t fixture;
    size_t steps = 0;
    make_chain(&fixture, 1024, 1);
    assert_int_equal(fold_all(&fixture, &steps), OC_ERR_OK);
    const uint64_t pages = image_store_at(fixture.store, 0)->pages;
    assert_true(pages > 300);
    assert_true(steps >= pages / 32);
    /* The rest of the last block, the table, the sync, the commit. */
    assert_true(steps <= pages / 32 + 2 + 4);
    image_fixture_fini(&fixture);
}

/* A large arena with little in it: what is skipped is bounded too. */
static void test_empty_stretches_are_bounded(void **state)
{
    (void)state;
    image_fixture_t fixture;
    size_t steps = 0;
    image_fixture_init(&fixture, 70000, 1, 1);
    oc_arena_t *arena = &fixture.arenas[0];
    uint8_t *last = arena->base + arena->size - 1;
    oc_arena_touch(arena, last);
    *last = 9;
    (void)image_fixture_take(&fixture, true);
    assert_int_equal(fold_all(&fixture, &steps), OC_ERR_OK);
    assert_int_equal(steps, 2 + 4);
    check_load(&fixture, image_store_at(fixture.store, 0));
    image_fixture_fini(&fixture);
}

static void test_ends_at_any_point(void **state)
{
    (void)state;
    image_fixture_t fixture;
    make_chain(&fixture, 256, 3);
    bool done = false;
    for (size_t steps = 0; !done; steps++) {
        image_fold_t *fold = NULL;
        assert_int_equal(image_fold_begin(&fold, fixture.store, fixture.writer, newest(&fixture)),
                         OC_ERR_OK);
        for (size_t i = 0; i < steps && !done; i++)
            assert_int_equal(image_fold_step(fold, &done), OC_ERR_OK);
        image_fold_end(fold);
        check_files(&fixture);
        assert_int_equal(image_store_count(fixture.store), done ? 4 : 3);
        check_load(&fixture, newest(&fixture));
    }
    image_fold_end(NULL);
    image_fixture_fini(&fixture);
}

/* Damage is found, and not written again under a good checksum. */
static void test_damage_is_not_folded(void **state)
{
    (void)state;
    image_fixture_t fixture;
    uint64_t size = 0;
    char path[256];
    make_chain(&fixture, 64, 2);
    (void)snprintf(path, sizeof path, "%s", image_fixture_path(1, IMAGE_PAGES_ENDING));
    assert_non_null(storage_fake_bytes(fixture.fake, path, &size));
    size_t found = 0;
    size_t folded = 0;
    for (uint64_t at = 100; at < size; at += 911) {
        storage_fake_flip(fixture.fake, path, at, 4);
        const oc_err_t err = fold_all(&fixture, NULL);
        storage_fake_flip(fixture.fake, path, at, 4);
        if (err == OC_ERR_OK) { /* a page that a newer file has */
            folded++;
            check_load(&fixture, image_store_at(fixture.store, 0));
        } else {
            assert_int_equal(err, OC_ERR_DAMAGED);
            assert_non_null(strstr(oc_err_context(), path));
            found++;
        }
        check_files(&fixture);
    }
    assert_true(found > folded);
    assert_true(folded > 0);
    image_fixture_fini(&fixture);
}

/* What must hold whatever happened: the chain is there, and all that is listed is whole. */
static void check_after(image_fixture_t *fixture, bool committed)
{
    assert_non_null(newest(fixture));
    for (size_t i = 0; i < image_store_count(fixture->store); i++)
        assert_int_equal(image_verify(fixture->store, image_store_at(fixture->store, i), 1),
                         OC_ERR_OK);
    check_load(fixture, newest(fixture));
    check_files(fixture);
    const image_info_t *first = image_store_at(fixture->store, 0);
    if (committed)
        assert_int_equal(first->base, 0);
    if (first->sequence != fixture->sequence) /* the folded one made it */
        check_load(fixture, first);
}

static void run_with_fault(storage_fake_fault_t fault, uint64_t seed)
{
    for (uint64_t nth = 1;; nth++) {
        image_fixture_t fixture;
        make_chain(&fixture, 96, 1000 * seed + nth);
        storage_fake_fault(fixture.fake, fault, nth);
        const oc_err_t err = fold_all(&fixture, NULL);
        const bool came_through = storage_fake_fault_pending(fixture.fake);
        storage_fake_fault(fixture.fake, STORAGE_FAKE_NO_FAULT, 1);
        assert_int_equal(err == OC_ERR_OK, came_through);
        if (!storage_fake_is_off(fixture.fake)) {
            /* The same process goes on. */
            assert_int_equal(image_store_count(fixture.store), came_through ? 4 : 3);
            check_load(&fixture, newest(&fixture));
        }
        image_fixture_reopen(&fixture, storage_fake_is_off(fixture.fake));
        check_after(&fixture, came_through);
        image_fixture_fini(&fixture);
        if (came_through) {
            assert_true(nth > 3);
            break;
        }
    }
}

static void test_faults_leave_the_chain(void **state)
{
    (void)state;
    static const storage_fake_fault_t faults[] = {
        STORAGE_FAKE_WRITE_ERROR, STORAGE_FAKE_SHORT_WRITE, STORAGE_FAKE_NO_SPACE,
        STORAGE_FAKE_SYNC_ERROR,  STORAGE_FAKE_READ_ERROR,  STORAGE_FAKE_KILL,
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        run_with_fault(faults[i], i);
}

static void test_power_cuts_leave_the_chain(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_with_fault(STORAGE_FAKE_POWER_CUT, 10 + seed);
        run_with_fault(STORAGE_FAKE_TORN_WRITE, 20 + seed);
    }
}

/* The device is full from some byte on. */
static void test_a_full_device(void **state)
{
    (void)state;
    for (uint64_t room = 0;; room += 3 * 4096) {
        image_fixture_t fixture;
        make_chain(&fixture, 64, 5);
        uint64_t used = 0;
        assert_int_equal(fixture.storage->free_bytes(fixture.storage, "log", &used), OC_ERR_OK);
        storage_fake_set_capacity(fixture.fake, (UINT64_C(1) << 40) - used + room);
        const oc_err_t err = fold_all(&fixture, NULL);
        if (err != OC_ERR_OK) {
            assert_int_equal(err, OC_ERR_NO_SPACE);
            assert_int_equal(image_store_count(fixture.store), 3);
        }
        check_load(&fixture, newest(&fixture));
        image_fixture_reopen(&fixture, false);
        check_after(&fixture, err == OC_ERR_OK);
        image_fixture_fini(&fixture);
        if (err == OC_ERR_OK) {
            assert_true(room > 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_to_the_chain),
        cmocka_unit_test(test_steps_are_bounded),
        cmocka_unit_test(test_empty_stretches_are_bounded),
        cmocka_unit_test(test_ends_at_any_point),
        cmocka_unit_test(test_damage_is_not_folded),
        cmocka_unit_test(test_faults_leave_the_chain),
        cmocka_unit_test(test_power_cuts_leave_the_chain),
        cmocka_unit_test(test_a_full_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
