/*
 * Whose page counts in a chain: against a model that is told of every image. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/image_fixture.h"
#include "snapshot/image_chain.h"

#include <stdio.h>
#include <string.h>

enum { PAGES = 40, OTHER_PAGES = 6, ROUNDS = 8 };

/* By page of the first arena: the image that has it last; 0: none. */
static uint64_t owner_model[PAGES];

static const image_info_t *take(image_fixture_t *fixture, bool full)
{
    const oc_arena_t *arena = &fixture->arenas[0];
    const uint32_t base = full || fixture->sequence == 0 ? 0 : fixture->epochs[0];
    bool taken[PAGES];
    for (size_t page = 0; page < PAGES; page++)
        taken[page] = arena->stamps[page] > base;
    const image_info_t *info = image_fixture_take(fixture, full);
    for (size_t page = 0; page < PAGES; page++)
        if (taken[page])
            owner_model[page] = info->sequence;
    return info;
}

static void check_owners(const image_chain_t *chain)
{
    assert_int_equal(chain->section_pages[0], PAGES);
    for (uint32_t page = 0; page < PAGES; page++) {
        const uint8_t file = chain->section_owners[0][page];
        if (file == IMAGE_CHAIN_NO_FILE) {
            assert_int_equal(owner_model[page], 0);
            continue;
        }
        assert_true(file < chain->length);
        assert_int_equal(chain->files[file].header.identity.sequence, owner_model[page]);
        const uint64_t entry = image_chain_entry(chain, file, 0, page);
        assert_int_equal(chain->files[file].table[entry].page, page);
    }
}

static void test_the_newest_file_owns(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        image_fixture_t fixture;
        image_fixture_init(&fixture, PAGES, OTHER_PAGES, seed);
        memset(owner_model, 0, sizeof owner_model);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            image_fixture_change(&fixture, 0, round == 0 ? 20 : 4, 1 + round % 3);
            image_fixture_change(&fixture, 1, 1, 1);
            image_fixture_set_stream(&fixture, 9000 - 1100 * round);
            const image_info_t *info = take(&fixture, round == 0);
            assert_int_equal(info->chain_length, round + 1);
            image_chain_t *chain;
            assert_int_equal(image_chain_open(&chain, fixture.store, info, true), OC_ERR_OK);
            assert_int_equal(chain->length, round + 1);
            assert_int_equal(chain->section_count, IMAGE_FIXTURE_SECTIONS);
            check_owners(chain);
            /* The stream is the newest file's, however long it was before. */
            assert_int_equal(chain->section_pages[2], (9000 - 1100 * round + 4095) / 4096);
            for (uint32_t page = 0; page < chain->section_pages[2]; page++)
                assert_int_equal(chain->section_owners[2][page], 0);
            image_chain_close(chain);
        }
        image_fixture_fini(&fixture);
    }
}

static void test_a_full_image_needs_no_other(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_fixture_init(&fixture, PAGES, OTHER_PAGES, 3);
    image_fixture_change(&fixture, 0, 5, 1);
    (void)image_fixture_take(&fixture, true);
    image_fixture_change(&fixture, 0, 5, 1);
    const image_info_t *info = image_fixture_take(&fixture, true);
    image_chain_t *chain;
    assert_int_equal(image_chain_open(&chain, fixture.store, info, true), OC_ERR_OK);
    assert_int_equal(chain->length, 1);
    for (uint32_t page = 0; page < PAGES; page++)
        assert_int_equal(chain->section_owners[0][page],
                         fixture.arenas[0].stamps[page] ? 0 : IMAGE_CHAIN_NO_FILE);
    image_chain_close(chain);
    image_chain_close(NULL);
    image_fixture_fini(&fixture);
}

/* What a file says of its sections' sizes costs nothing where only the files are looked at. */
static void test_not_merged(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_fixture_init(&fixture, PAGES, OTHER_PAGES, 3);
    image_fixture_change(&fixture, 0, 5, 1);
    const image_info_t *info = image_fixture_take(&fixture, true);
    image_chain_t *chain;
    assert_int_equal(image_chain_open(&chain, fixture.store, info, false), OC_ERR_OK);
    assert_int_equal(chain->length, 1);
    assert_int_equal(chain->section_count, IMAGE_FIXTURE_SECTIONS);
    assert_int_equal(chain->pages, 0);
    for (uint32_t i = 0; i < chain->section_count; i++)
        assert_null(chain->section_owners[i]);
    image_chain_close(chain);
    image_fixture_fini(&fixture);
}

static void test_every_failed_read_is_told(void **state)
{
    (void)state;
    image_fixture_t fixture;
    image_fixture_init(&fixture, PAGES, OTHER_PAGES, 6);
    const image_info_t *info = NULL;
    for (size_t i = 0; i < 3; i++) {
        image_fixture_change(&fixture, 0, 5, 1);
        info = image_fixture_take(&fixture, i == 0);
    }
    image_chain_t *chain;
    uint64_t nth = 1;
    for (;; nth++) {
        storage_fake_fault(fixture.fake, STORAGE_FAKE_READ_ERROR, nth);
        const oc_err_t err = image_chain_open(&chain, fixture.store, info, true);
        if (storage_fake_fault_pending(fixture.fake))
            break;
        assert_int_equal(err, OC_ERR_READ);
        assert_non_null(strstr(oc_err_context(), ".pages"));
    }
    assert_int_equal(nth, 10); /* three files: header, configuration, table */
    image_chain_close(chain);
    image_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_newest_file_owns),
        cmocka_unit_test(test_a_full_image_needs_no_other),
        cmocka_unit_test(test_not_merged),
        cmocka_unit_test(test_every_failed_read_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
