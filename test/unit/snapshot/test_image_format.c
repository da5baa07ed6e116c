/*
 * The format of images: encoding and decoding are each other's inverse, every byte of a block
 * counts, and what is inconsistent is refused however good its checksum is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/expect_abort.h"
#include "snapshot/image_format.h"

#include "outcry/error.h"

#include <stdio.h>
#include <string.h>

#define PAGES 7

static const uint64_t counts[IMAGE_SECTIONS_MAX] = {4, 0, 3};

static image_info_t sample_info(void)
{
    return (image_info_t){
        .sequence = 9,
        .base = 8,
        .place = {.log_id = 1,
                  .position = 2,
                  .group = 3,
                  .entries = 4,
                  .state_hash = 5,
                  .time_ns = -6,
                  .term = 7,
                  .log_checksum = 8},
        .section_count = 3,
        .sections = {{.name = "host", .kind = IMAGE_PAGES, .layout = 21, .size = 10 << 12},
                     {.name = "engine", .kind = IMAGE_PAGES, .layout = 22, .size = 20 << 12},
                     {.name = "service", .kind = IMAGE_STREAM, .size = 8193}},
        .made_ns = 99,
    };
}

static void make_table(image_entry_t *table)
{
    static const uint32_t pages[PAGES] = {0, 3, 4, 9, 0, 1, 2};
    memset(table, 0, STORAGE_BLOCK);
    for (uint32_t i = 0; i < PAGES; i++)
        table[i] = (image_entry_t){.page = pages[i], .crc = i};
}

static image_header_t make_header(const image_entry_t *table, const uint8_t *configuration)
{
    const image_info_t info = sample_info();
    image_header_t header = {.table_offset = image_page_offset(PAGES),
                             .table_crc = crc32c(0, table, STORAGE_BLOCK),
                             .configuration_length = 5,
                             .configuration_crc = crc32c(0, configuration, STORAGE_BLOCK)};
    image_identity_make(&header.identity, &info, counts);
    return header;
}

static image_manifest_t make_manifest(uint32_t header_crc)
{
    const image_info_t info = sample_info();
    image_manifest_t manifest = {.bytes = image_file_bytes(PAGES), .header_crc = header_crc};
    image_identity_make(&manifest.identity, &info, counts);
    return manifest;
}

/* Everything of one image. */
typedef struct sample {
    image_entry_t table[STORAGE_BLOCK / sizeof(image_entry_t)];
    uint8_t configuration[STORAGE_BLOCK];
    uint8_t header_block[STORAGE_BLOCK];
    uint8_t manifest_block[STORAGE_BLOCK];
    image_header_t header;
    image_manifest_t manifest;
} sample_t;

static void make_sample(sample_t *sample)
{
    memset(sample, 0, sizeof *sample);
    make_table(sample->table);
    memcpy(sample->configuration, "conf\n", 5);
    const image_header_t header = make_header(sample->table, sample->configuration);
    const image_manifest_t manifest =
        make_manifest(image_header_encode(&header, sample->header_block));
    (void)image_manifest_encode(&manifest, sample->manifest_block);
    assert_int_equal(image_header_decode(sample->header_block, "pages", &sample->header),
                     OC_ERR_OK);
    assert_int_equal(image_manifest_decode(sample->manifest_block, "manifest", &sample->manifest),
                     OC_ERR_OK);
}

static void test_there_and_back(void **state)
{
    (void)state;
    sample_t sample;
    image_info_t info;
    make_sample(&sample);
    const image_info_t expected = sample_info();
    image_info_make(&info, &sample.manifest);
    assert_int_equal(info.sequence, 9);
    assert_int_equal(info.base, 8);
    assert_memory_equal(&info.place, &expected.place, sizeof info.place);
    assert_memory_equal(info.sections, expected.sections, sizeof info.sections);
    assert_int_equal(info.section_count, 3);
    assert_int_equal(info.made_ns, 99);
    assert_int_equal(info.pages, PAGES);
    assert_int_equal(info.bytes, (2 + PAGES + 1) * STORAGE_BLOCK);
    assert_int_equal(sample.header.identity.sections[2].first_entry, 4);
    assert_int_equal(image_header_check(&sample.header, &sample.manifest, "pages"), OC_ERR_OK);
    assert_int_equal(image_configuration_check(&sample.header, sample.configuration, "pages"),
                     OC_ERR_OK);
    assert_int_equal(image_table_check(&sample.header, sample.table, "pages"), OC_ERR_OK);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(image_table_bytes(0), 0);
    assert_int_equal(image_table_bytes(1), 4096);
    assert_int_equal(image_table_bytes(512), 4096);
    assert_int_equal(image_table_bytes(513), 8192);
    assert_int_equal(image_file_bytes(0), 8192);
    assert_int_equal(image_file_bytes(1), 4 * 4096);
    assert_int_equal(image_section_pages(0), 0);
    assert_int_equal(image_section_pages(4096), 1);
    assert_int_equal(image_section_pages(4097), 2);
    assert_int_equal(image_section_pages(UINT64_MAX), UINT64_C(1) << 52);
}

/* A page fits one place only. */
/* Of a state of 4 MiB and more: a hundredth of its pages takes at most a fiftieth of its file. */
static void test_incremental_is_small(void **state)
{
    (void)state;
    for (uint64_t pages = 1000; pages < UINT64_C(1) << 32; pages = pages * 3 / 2)
        assert_true(image_file_bytes(pages / 100) * 50 <= image_file_bytes(pages));
}

static void test_page_checksums(void **state)
{
    (void)state;
    uint8_t page[OC_ARENA_PAGE_SIZE] = {1};
    const uint32_t crc = image_page_crc(1, 2, 3, page);
    assert_int_equal(crc, image_page_crc(1, 2, 3, page));
    assert_int_not_equal(crc, image_page_crc(2, 2, 3, page));
    assert_int_not_equal(crc, image_page_crc(1, 3, 3, page));
    assert_int_not_equal(crc, image_page_crc(1, 2, 4, page));
    for (size_t at = 0; at < sizeof page; at++) {
        page[at] ^= 0x40;
        assert_int_not_equal(crc, image_page_crc(1, 2, 3, page));
        page[at] ^= 0x40;
    }
}

/* All bits of one byte, one after the other, then all of them. */
#define MASKS 9

static uint8_t mask(int n)
{
    return (uint8_t)(n == 8 ? 0xff : 1 << n);
}

static void test_each_bit_of_a_header_counts(void **state)
{
    (void)state;
    sample_t sample;
    image_header_t header;
    image_manifest_t manifest;
    make_sample(&sample);
    for (size_t at = 0; at < STORAGE_BLOCK; at++) {
        for (int n = 0; n < MASKS; n++) {
            sample.header_block[at] ^= mask(n);
            sample.manifest_block[at] ^= mask(n);
            assert_int_equal(image_header_decode(sample.header_block, "a/b.pages", &header),
                             OC_ERR_DAMAGED);
            assert_non_null(strstr(oc_err_context(), "a/b.pages"));
            assert_int_equal(image_manifest_decode(sample.manifest_block, "manifest", &manifest),
                             OC_ERR_DAMAGED);
            sample.header_block[at] ^= mask(n);
            sample.manifest_block[at] ^= mask(n);
        }
    }
    assert_int_equal(image_header_decode(sample.manifest_block, "manifest", &header),
                     OC_ERR_DAMAGED);
    assert_int_equal(image_manifest_decode(sample.header_block, "header", &manifest),
                     OC_ERR_DAMAGED);
}

static void test_each_bit_of_configuration_and_table_counts(void **state)
{
    (void)state;
    sample_t sample;
    make_sample(&sample);
    uint8_t *table = (uint8_t *)sample.table;
    for (size_t at = 0; at < STORAGE_BLOCK; at++) {
        for (int n = 0; n < MASKS; n++) {
            sample.configuration[at] ^= mask(n);
            table[at] ^= mask(n);
            assert_int_equal(
                image_configuration_check(&sample.header, sample.configuration, "pages"),
                OC_ERR_DAMAGED);
            assert_non_null(strstr(oc_err_context(), "damaged at offset 4096"));
            assert_int_equal(image_table_check(&sample.header, sample.table, "pages"),
                             OC_ERR_DAMAGED);
            assert_non_null(strstr(oc_err_context(), "damaged at offset 36864"));
            sample.configuration[at] ^= mask(n);
            table[at] ^= mask(n);
        }
    }
}

/* The header of one image, the manifest of another. */
static void test_header_and_manifest_belong_together(void **state)
{
    (void)state;
    sample_t sample;
    make_sample(&sample);
    sample.manifest.header_crc ^= 1;
    assert_int_equal(image_header_check(&sample.header, &sample.manifest, "pages"), OC_ERR_DAMAGED);
    sample.manifest.header_crc ^= 1;
    sample.manifest.identity.place.position++;
    assert_int_equal(image_header_check(&sample.header, &sample.manifest, "pages"), OC_ERR_DAMAGED);
}

/* ---- Good checksums over what makes no sense ---- */

static void seal(uint8_t *block)
{
    memset(block + 12, 0, 4);
    const uint32_t crc = crc32c(0, block, STORAGE_BLOCK);
    memcpy(block + 12, &crc, sizeof crc);
}

typedef void (*change_t)(image_identity_t *identity);

static void no_sequence(image_identity_t *identity)
{
    identity->sequence = 0;
    identity->base = 0;
}

static void base_of_itself(image_identity_t *identity)
{
    identity->base = identity->sequence;
}

static void no_sections(image_identity_t *identity)
{
    identity->section_count = 0;
}

static void many_sections(image_identity_t *identity)
{
    identity->section_count = UINT32_MAX;
}

static void fewer_sections(image_identity_t *identity)
{
    identity->section_count = 2;
}

static void one_section_more(image_identity_t *identity)
{
    identity->section_count = 4;
}

static void identity_reserved(image_identity_t *identity)
{
    identity->reserved = 1;
}

static void endless_name(image_identity_t *identity)
{
    memset(identity->sections[1].name, 'x', OC_ARENA_NAME_MAX);
}

static void empty_name(image_identity_t *identity)
{
    memset(identity->sections[1].name, 0, OC_ARENA_NAME_MAX);
}

static void behind_the_name(image_identity_t *identity)
{
    identity->sections[1].name[20] = 'x';
}

static void same_names(image_identity_t *identity)
{
    memcpy(identity->sections[1].name, identity->sections[0].name, OC_ARENA_NAME_MAX);
}

static void unknown_kind(image_identity_t *identity)
{
    identity->sections[0].kind = 3;
}

static void section_reserved(image_identity_t *identity)
{
    identity->sections[0].reserved = 1;
}

static void half_a_page(image_identity_t *identity)
{
    identity->sections[0].size += 100;
}

static void layout_of_a_stream(image_identity_t *identity)
{
    identity->sections[2].layout = 1;
}

static void more_pages_than_there_are(image_identity_t *identity)
{
    identity->sections[0].size = 3 << 12;
}

static void too_large(image_identity_t *identity)
{
    identity->sections[1].size = (UINT64_C(1) << 44) + 4096;
}

static void part_of_a_stream(image_identity_t *identity)
{
    identity->sections[2].size = 3 * 4096 + 1;
}

static void gap_in_the_table(image_identity_t *identity)
{
    identity->sections[1].first_entry++;
}

static void more_entries(image_identity_t *identity)
{
    identity->sections[1].entry_count++;
    identity->sections[2].first_entry++;
}

static void more_pages(image_identity_t *identity)
{
    identity->pages++;
}

static void huge_count(image_identity_t *identity)
{
    identity->sections[1].entry_count = UINT64_MAX - 2;
    identity->sections[2].first_entry = 1;
    identity->pages = 4;
}

static const change_t changes[] = {
    no_sequence,      base_of_itself,   no_sections,        many_sections,
    fewer_sections,   one_section_more, identity_reserved,  endless_name,
    empty_name,       behind_the_name,  same_names,         unknown_kind,
    section_reserved, half_a_page,      layout_of_a_stream, more_pages_than_there_are,
    too_large,        part_of_a_stream, gap_in_the_table,   more_entries,
    more_pages,       huge_count,
};

static void test_what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        sample_t sample;
        image_header_t header;
        image_manifest_t manifest;
        make_sample(&sample);
        changes[i](&sample.header.identity);
        changes[i](&sample.manifest.identity);
        memcpy(sample.header_block, &sample.header, sizeof sample.header);
        memcpy(sample.manifest_block, &sample.manifest, sizeof sample.manifest);
        seal(sample.header_block);
        seal(sample.manifest_block);
        if (image_header_decode(sample.header_block, "pages", &header) != OC_ERR_DAMAGED ||
            image_manifest_decode(sample.manifest_block, "manifest", &manifest) != OC_ERR_DAMAGED)
            fail_msg("change %zu was taken", i);
    }
}

/* Writes `value` into a field of a block and makes the checksum right. */
static void put(uint8_t *block, size_t offset, uint32_t value)
{
    memcpy(block + offset, &value, sizeof value);
    seal(block);
}

static void test_other_fields_that_make_no_sense(void **state)
{
    (void)state;
    static const size_t header_fields[] = {offsetof(image_header_t, table_offset),
                                           offsetof(image_header_t, table_offset) + 4,
                                           offsetof(image_header_t, configuration_length),
                                           offsetof(image_header_t, reserved),
                                           sizeof(image_header_t),
                                           STORAGE_BLOCK - 4};
    static const size_t manifest_fields[] = {
        offsetof(image_manifest_t, bytes), offsetof(image_manifest_t, bytes) + 4,
        offsetof(image_manifest_t, reserved), sizeof(image_manifest_t), STORAGE_BLOCK - 4};
    sample_t sample;
    image_header_t header;
    image_manifest_t manifest;
    for (size_t i = 0; i < sizeof header_fields / sizeof header_fields[0]; i++) {
        make_sample(&sample);
        put(sample.header_block, header_fields[i], 4097);
        assert_int_equal(image_header_decode(sample.header_block, "pages", &header),
                         OC_ERR_DAMAGED);
    }
    for (size_t i = 0; i < sizeof manifest_fields / sizeof manifest_fields[0]; i++) {
        make_sample(&sample);
        put(sample.manifest_block, manifest_fields[i], 4097);
        assert_int_equal(image_manifest_decode(sample.manifest_block, "manifest", &manifest),
                         OC_ERR_DAMAGED);
    }
    make_sample(&sample);
    put(sample.header_block, offsetof(image_header_t, version), 2);
    assert_int_equal(image_header_decode(sample.header_block, "pages", &header), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "format version 2"));
    /* Wherever that version has its checksum, and whatever else it holds. */
    memset(sample.manifest_block + 8, 7, STORAGE_BLOCK - 8);
    assert_int_equal(image_manifest_decode(sample.manifest_block, "manifest", &manifest),
                     OC_ERR_FORMAT);
}

static void test_tables_that_make_no_sense(void **state)
{
    (void)state;
    /* Entry, and the page that it gets. */
    static const uint32_t tables[][2] = {{1, 0}, {2, 3}, {3, 10}, {3, UINT32_MAX}, {5, 0}, {6, 3}};
    sample_t sample;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        make_sample(&sample);
        sample.table[tables[i][0]].page = tables[i][1];
        sample.header.table_crc = crc32c(0, sample.table, STORAGE_BLOCK);
        assert_int_equal(image_table_check(&sample.header, sample.table, "pages"), OC_ERR_DAMAGED);
    }
    make_sample(&sample);
    sample.table[PAGES].crc = 1;
    sample.header.table_crc = crc32c(0, sample.table, STORAGE_BLOCK);
    assert_int_equal(image_table_check(&sample.header, sample.table, "pages"), OC_ERR_DAMAGED);
    make_sample(&sample);
    sample.configuration[5] = 1;
    sample.header.configuration_crc = crc32c(0, sample.configuration, STORAGE_BLOCK);
    assert_int_equal(image_configuration_check(&sample.header, sample.configuration, "pages"),
                     OC_ERR_DAMAGED);
}

static void encode_changed(void *context)
{
    sample_t sample;
    make_sample(&sample);
    changes[*(size_t *)context](&sample.header.identity);
    (void)image_header_encode(&sample.header, sample.header_block);
}

static void test_what_makes_no_sense_is_not_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i += 5)
        assert_true(child_aborts(encode_changed, &i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_incremental_is_small),
        cmocka_unit_test(test_page_checksums),
        cmocka_unit_test(test_each_bit_of_a_header_counts),
        cmocka_unit_test(test_each_bit_of_configuration_and_table_counts),
        cmocka_unit_test(test_header_and_manifest_belong_together),
        cmocka_unit_test(test_what_makes_no_sense_is_refused),
        cmocka_unit_test(test_other_fields_that_make_no_sense),
        cmocka_unit_test(test_tables_that_make_no_sense),
        cmocka_unit_test(test_what_makes_no_sense_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
