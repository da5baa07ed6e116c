/*
 * The plan of reads, against chains made up in memory. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "snapshot/image_reads.h"

#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 2, FILES = 4, PAGES = 3000 };

static uint8_t has[FILES][SECTIONS][PAGES];  /* what each file holds */
static uint8_t seen[FILES][SECTIONS][PAGES]; /* how often a read wants it */
static uint8_t owners[SECTIONS][PAGES];
static image_entry_t tables[FILES][SECTIONS * PAGES];
static image_chain_t chain;

/* Fills in tables and owners from `has`. */
static void make_chain(void)
{
    memset(&chain, 0, sizeof chain);
    memset(owners, IMAGE_CHAIN_NO_FILE, sizeof owners);
    chain.length = FILES;
    chain.section_count = SECTIONS;
    for (uint32_t i = 0; i < SECTIONS; i++) {
        chain.section_pages[i] = PAGES;
        chain.section_owners[i] = owners[i];
    }
    for (uint8_t file = 0; file < FILES; file++) {
        image_identity_t *identity = &chain.files[file].header.identity;
        uint64_t count = 0;
        chain.files[file].table = tables[file];
        for (uint32_t i = 0; i < SECTIONS; i++) {
            identity->sections[i].first_entry = count;
            for (uint32_t page = 0; page < PAGES; page++) {
                if (!has[file][i][page])
                    continue;
                tables[file][count++].page = page;
                if (owners[i][page] == IMAGE_CHAIN_NO_FILE)
                    owners[i][page] = file;
            }
            identity->sections[i].entry_count = count - identity->sections[i].first_entry;
        }
        identity->pages = count;
    }
}

static void check_read(const image_read_t *read, bool all)
{
    const image_section_record_t *section =
        &chain.files[read->file].header.identity.sections[read->section];
    const image_entry_t *entries = tables[read->file] + read->first;
    bool straight = true;
    assert_in_range(read->count, 1, IMAGE_READ_PAGES);
    assert_true(read->first >= section->first_entry);
    assert_true(read->first + read->count <= section->first_entry + section->entry_count);
    for (uint32_t i = 0; i < read->count; i++) {
        const bool wanted = image_reads_wants(&chain, read->file, read->section, read->first + i);
        assert_int_equal(wanted, owners[read->section][entries[i].page] == read->file);
        straight = straight && wanted && entries[i].page == entries[0].page + i;
        if (wanted || all)
            seen[read->file][read->section][entries[i].page]++;
    }
    if (read->straight)
        assert_true(straight);
    if (!all) { /* nothing is read at the ends that is not wanted */
        assert_true(image_reads_wants(&chain, read->file, read->section, read->first));
        assert_true(
            image_reads_wants(&chain, read->file, read->section, read->first + read->count - 1));
    }
}

static size_t check_plan(bool all)
{
    image_reads_t reads;
    memset(seen, 0, sizeof seen);
    assert_int_equal(image_reads_init(&reads, &chain, all), OC_ERR_OK);
    for (size_t i = 0; i < reads.count; i++)
        check_read(&reads.reads[i], all);
    for (uint8_t file = 0; file < FILES; file++)
        for (uint32_t i = 0; i < SECTIONS; i++)
            for (uint32_t page = 0; page < PAGES; page++)
                assert_int_equal(seen[file][i][page],
                                 all ? has[file][i][page] : owners[i][page] == file);
    const size_t count = reads.count;
    image_reads_fini(&reads);
    return count;
}

static void test_random_chains(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (uint32_t round = 0; round < 60; round++) {
        const uint32_t row = 1 + round % 7 * 40;
        memset(has, 0, sizeof has);
        for (uint8_t file = 0; file < FILES; file++)
            for (uint32_t i = 0; i < SECTIONS; i++)
                for (uint32_t n = prng_below(&random, PAGES / row); n > 0; n--)
                    memset(has[file][i] + prng_below(&random, PAGES - row), 1, row);
        make_chain();
        (void)check_plan(false);
        (void)check_plan(true);
    }
}

static void test_whole_rows_go_straight(void **state)
{
    (void)state;
    memset(has, 0, sizeof has);
    memset(has[3], 1, sizeof has[3]);
    make_chain();
    image_reads_t reads;
    assert_int_equal(image_reads_init(&reads, &chain, false), OC_ERR_OK);
    assert_int_equal(reads.count, SECTIONS * ((PAGES + IMAGE_READ_PAGES - 1) / IMAGE_READ_PAGES));
    for (size_t i = 0; i < reads.count; i++)
        assert_true(reads.reads[i].straight);
    image_reads_fini(&reads);
    (void)check_plan(false);
}

/* One page in a hundred of a full image is newer: few reads more, of either file. */
static void test_scattered_pages_are_read_together(void **state)
{
    (void)state;
    memset(has, 0, sizeof has);
    memset(has[1][0], 1, PAGES);
    for (size_t page = 50; page < PAGES; page += 100)
        has[0][0][page] = 1;
    make_chain();
    /* The rows between are straight; the thirty pages of the newer file are one read. */
    assert_int_equal(check_plan(false), PAGES / 100 + 1 + 1);
    /* Every other page: scattered reads with what lies between. */
    for (size_t page = 0; page < PAGES; page += 2)
        has[0][0][page] = 1;
    make_chain();
    assert_true(check_plan(false) < 2 * PAGES / 32);
}

static void test_nothing_is_no_read(void **state)
{
    (void)state;
    memset(has, 0, sizeof has);
    make_chain();
    assert_int_equal(check_plan(false), 0);
    assert_int_equal(check_plan(true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_chains),
        cmocka_unit_test(test_whole_rows_go_straight),
        cmocka_unit_test(test_scattered_pages_are_read_together),
        cmocka_unit_test(test_nothing_is_no_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
