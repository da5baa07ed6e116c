/*
 * An image on disk, as docs/formats/image.md describes it: the header and the table of a data file,
 * and its manifest. Little-endian, as this project's machines are.
 *
 * Each block is under a CRC from its first byte to its last, so that any flipped bit of it is
 * found; pages are each under the CRC in their entry of the table. What decoding accepts is
 * consistent in itself: numbers are in range, lengths and offsets follow from each other, padding
 * is zero.
 *
 * Nothing here knows files: `path` is for messages.
 */
#ifndef SNAPSHOT_IMAGE_FORMAT_H
#define SNAPSHOT_IMAGE_FORMAT_H

#include "base/crc32c.h"
#include "snapshot/image.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structs are written as they are");
_Static_assert(OC_ARENA_PAGE_SIZE == STORAGE_BLOCK, "pages are written as they are");

/* A byte that is not ASCII, "oci", what it is, the line ends that text tools change. */
#define IMAGE_HEADER_MAGIC   "\x8F\x6F\x63\x69\x70\x0D\x0A\x1A"
#define IMAGE_MANIFEST_MAGIC "\x8F\x6F\x63\x69\x6D\x0D\x0A\x1A"
#define IMAGE_MAGIC_SIZE     8
#define IMAGE_VERSION        UINT32_C(1)

#define IMAGE_CONFIGURATION_OFFSET STORAGE_BLOCK
#define IMAGE_PAGES_OFFSET         (2 * STORAGE_BLOCK)

/* Where the pages of a section are: `entry_count` entries of the table from `first_entry` on. */
typedef struct image_section_record {
    char name[OC_ARENA_NAME_MAX]; /* ends with a zero, zeros behind it */
    uint32_t kind;                /* image_section_kind_t */
    uint32_t reserved;            /* 0 */
    uint64_t layout;
    uint64_t size;
    uint64_t first_entry;
    uint64_t entry_count;
} image_section_record_t;

_Static_assert(sizeof(image_section_record_t) == 72, "on disk");
_Static_assert(offsetof(image_section_record_t, kind) == 32, "on disk");
_Static_assert(offsetof(image_section_record_t, layout) == 40, "on disk");
_Static_assert(offsetof(image_section_record_t, size) == 48, "on disk");
_Static_assert(offsetof(image_section_record_t, first_entry) == 56, "on disk");
_Static_assert(offsetof(image_section_record_t, entry_count) == 64, "on disk");

/* image_place_t is written as it is. */
_Static_assert(sizeof(image_place_t) == 56, "on disk");
_Static_assert(offsetof(image_place_t, log_id) == 0, "on disk");
_Static_assert(offsetof(image_place_t, position) == 8, "on disk");
_Static_assert(offsetof(image_place_t, group) == 16, "on disk");
_Static_assert(offsetof(image_place_t, entries) == 24, "on disk");
_Static_assert(offsetof(image_place_t, state_hash) == 32, "on disk");
_Static_assert(offsetof(image_place_t, time_ns) == 40, "on disk");
_Static_assert(offsetof(image_place_t, term) == 48, "on disk");
_Static_assert(offsetof(image_place_t, log_checksum) == 52, "on disk");

/* What header and manifest have in common. */
typedef struct image_identity {
    uint64_t sequence;
    uint64_t base; /* 0: full */
    image_place_t place;
    uint64_t pages; /* entries of the table */
    int64_t made_ns;
    image_section_record_t sections[IMAGE_SECTIONS_MAX]; /* zero behind the last one */
    uint32_t section_count;                              /* from 1 */
    uint32_t reserved;                                   /* 0 */
} image_identity_t;

_Static_assert(sizeof(image_identity_t) == 672, "on disk");
_Static_assert(offsetof(image_identity_t, base) == 8, "on disk");
_Static_assert(offsetof(image_identity_t, place) == 16, "on disk");
_Static_assert(offsetof(image_identity_t, pages) == 72, "on disk");
_Static_assert(offsetof(image_identity_t, made_ns) == 80, "on disk");
_Static_assert(offsetof(image_identity_t, sections) == 88, "on disk");
_Static_assert(offsetof(image_identity_t, section_count) == 664, "on disk");

/* First bytes of block 0 of a data file; the rest of the block is zero. */
typedef struct image_header {
    uint8_t magic[IMAGE_MAGIC_SIZE];
    uint32_t version;
    uint32_t crc; /* of the block with this field 0 */
    image_identity_t identity;
    uint64_t table_offset;         /* in the file: behind the last page */
    uint32_t table_crc;            /* of the table up to the end of its last block */
    uint32_t configuration_length; /* of the bytes in block 1 */
    uint32_t configuration_crc;    /* of all of block 1 */
    uint32_t reserved;             /* 0 */
} image_header_t;

_Static_assert(sizeof(image_header_t) == 712, "on disk");
_Static_assert(offsetof(image_header_t, crc) == 12, "on disk");
_Static_assert(offsetof(image_header_t, identity) == 16, "on disk");
_Static_assert(offsetof(image_header_t, table_offset) == 688, "on disk");
_Static_assert(offsetof(image_header_t, table_crc) == 696, "on disk");
_Static_assert(offsetof(image_header_t, configuration_length) == 700, "on disk");
_Static_assert(offsetof(image_header_t, configuration_crc) == 704, "on disk");

/* First bytes of the only block of a manifest; the rest of it is zero. */
typedef struct image_manifest {
    uint8_t magic[IMAGE_MAGIC_SIZE];
    uint32_t version;
    uint32_t crc; /* of the block with this field 0 */
    image_identity_t identity;
    uint64_t bytes;      /* of the data file */
    uint32_t header_crc; /* the header's field crc */
    uint32_t reserved;   /* 0 */
} image_manifest_t;

_Static_assert(sizeof(image_manifest_t) == 704, "on disk");
_Static_assert(offsetof(image_manifest_t, identity) == 16, "on disk");
_Static_assert(offsetof(image_manifest_t, bytes) == 688, "on disk");
_Static_assert(offsetof(image_manifest_t, header_crc) == 696, "on disk");

/* Of one page of the file; entries stand in the order of the pages: section, then page. */
typedef struct image_entry {
    uint32_t page; /* of the section, ascending */
    uint32_t crc;  /* image_page_crc() */
} image_entry_t;

_Static_assert(sizeof(image_entry_t) == 8, "on disk");

/* Bytes that a table of so many entries takes: whole blocks. */
static inline uint64_t image_table_bytes(uint64_t pages)
{
    return (pages * sizeof(image_entry_t) + STORAGE_BLOCK - 1) & ~(uint64_t)(STORAGE_BLOCK - 1);
}

/* Where the nth page of a file lies. */
static inline uint64_t image_page_offset(uint64_t entry)
{
    return IMAGE_PAGES_OFFSET + entry * OC_ARENA_PAGE_SIZE;
}

/* Bytes of the whole data file. */
static inline uint64_t image_file_bytes(uint64_t pages)
{
    return image_page_offset(pages) + image_table_bytes(pages);
}

/* Pages that a section of so many bytes has. */
static inline uint64_t image_section_pages(uint64_t size)
{
    return size / OC_ARENA_PAGE_SIZE + (size % OC_ARENA_PAGE_SIZE != 0);
}

/* Begun with where the page belongs, so that one of another image, section or number never fits. */
static inline uint32_t image_page_crc(uint64_t sequence, uint32_t section, uint32_t page,
                                      const void *bytes)
{
    const struct {
        uint64_t sequence;
        uint32_t section;
        uint32_t page;
    } seed = {sequence, section, page};
    _Static_assert(sizeof seed == 16, "under a checksum");
    return crc32c(crc32c(0, &seed, sizeof seed), bytes, OC_ARENA_PAGE_SIZE);
}

/* Fills in an identity from info: all but the entries of its sections, whose counts are given in
 * the order of the sections. Asserts that it is one that decoding accepts. */
void image_identity_make(image_identity_t *identity, const image_info_t *info,
                         const uint64_t entry_counts[IMAGE_SECTIONS_MAX]);

/* What can be known from a manifest alone: all but the chain. */
void image_info_make(image_info_t *info, const image_manifest_t *manifest);

/* Write a whole block and its CRC; magic, version and crc are filled in. Returns the CRC. */
uint32_t image_header_encode(const image_header_t *header, uint8_t block[STORAGE_BLOCK]);
uint32_t image_manifest_encode(const image_manifest_t *manifest, uint8_t block[STORAGE_BLOCK]);

/* OC_ERR_DAMAGED names `path`, the offset in it and what is wrong; OC_ERR_FORMAT: it is of another
 * version of the format, and nothing else of it was looked at. Nothing else than `block` is
 * looked at; *header and *manifest mean something only after OC_ERR_OK. */
OC_MUST_CHECK oc_err_t image_header_decode(const uint8_t block[STORAGE_BLOCK], const char *path,
                                           image_header_t *header);
OC_MUST_CHECK oc_err_t image_manifest_decode(const uint8_t block[STORAGE_BLOCK], const char *path,
                                             image_manifest_t *manifest);

/* Whether pages of a section mean the same in the other: name, kind, layout, and the size unless it
 * is a stream. */
bool image_section_fits(const image_section_record_t *section, const image_section_record_t *other);

/* Whether a data file's header is the one that the manifest was made for. */
OC_MUST_CHECK oc_err_t image_header_check(const image_header_t *header,
                                          const image_manifest_t *manifest, const char *path);

/* Block 1: its CRC, and zeros behind the configuration. */
OC_MUST_CHECK oc_err_t image_configuration_check(const image_header_t *header,
                                                 const uint8_t block[STORAGE_BLOCK],
                                                 const char *path);

/* The table, image_table_bytes() long: its CRC, pages ascending and inside of their sections (all
 * of them for a stream), zeros behind the last entry. */
OC_MUST_CHECK oc_err_t image_table_check(const image_header_t *header, const image_entry_t *table,
                                         const char *path);

#endif
