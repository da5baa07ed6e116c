/*
 * Blocks of an image's files to structs and back.
 *
 * Called by the writer, the store and whatever reads images. Invariants: what is encoded is what
 * decoding accepts, and a block that decoding accepts has no byte that its checks do not look at.
 * It must not look beyond the block, whatever lengths stand in it.
 */
#include "snapshot/image_format.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define SECTION_PAGES_MAX (UINT64_C(1) << 32) /* numbers of pages are 32 bits */

static bool is_zero(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint8_t any = 0;
    for (size_t i = 0; i < size; i++)
        any |= at[i];
    return any == 0;
}

static bool is_name(const char name[OC_ARENA_NAME_MAX])
{
    const char *end = memchr(name, 0, OC_ARENA_NAME_MAX);
    return end && end > name && is_zero(end, (size_t)(name + OC_ARENA_NAME_MAX - end));
}

/* What is wrong with a section, or NULL. */
static const char *section_problem(const image_section_record_t *section)
{
    const bool stream = section->kind == IMAGE_STREAM;
    if (!is_name(section->name))
        return "a section has no name";
    if (section->kind != IMAGE_PAGES && !stream)
        return "a section is of an unknown kind";
    if (section->reserved != 0)
        return "a reserved field is not zero";
    if (stream ? section->layout != 0 : section->size % OC_ARENA_PAGE_SIZE != 0)
        return "layout or size of a section do not fit its kind";
    const uint64_t pages = image_section_pages(section->size);
    if (pages > SECTION_PAGES_MAX || section->entry_count > pages)
        return "a section has too many pages";
    if (stream && section->entry_count != pages)
        return "a stream is not whole";
    return NULL;
}

/* What is wrong with what header and manifest have in common, or NULL. */
static const char *identity_problem(const image_identity_t *identity)
{
    if (identity->sequence == 0 || identity->base >= identity->sequence)
        return "the image's number and its base's do not fit";
    if (identity->section_count == 0 || identity->section_count > IMAGE_SECTIONS_MAX)
        return "the number of sections is out of range";
    if (identity->reserved != 0)
        return "a reserved field is not zero";
    uint64_t pages = 0;
    for (uint32_t i = 0; i < identity->section_count; i++) {
        const image_section_record_t *section = &identity->sections[i];
        const char *problem = section_problem(section);
        if (problem)
            return problem;
        if (section->first_entry != pages)
            return "a section does not follow the one before";
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(section->name, identity->sections[j].name))
                return "two sections have one name";
        pages += section->entry_count;
    }
    if (identity->pages != pages)
        return "the number of pages is not the sum of the sections'";
    if (!is_zero(&identity->sections[identity->section_count],
                 (IMAGE_SECTIONS_MAX - identity->section_count) * sizeof identity->sections[0]))
        return "something stands behind the last section";
    return NULL;
}

static const char *header_problem(const image_header_t *header)
{
    if (header->table_offset != image_page_offset(header->identity.pages))
        return "the table is not behind the last page";
    if (header->configuration_length > IMAGE_CONFIGURATION_MAX)
        return "the configuration is too long";
    return header->reserved != 0 ? "a reserved field is not zero" : NULL;
}

static const char *manifest_problem(const image_manifest_t *manifest)
{
    if (manifest->bytes != image_file_bytes(manifest->identity.pages))
        return "the size of the data file does not fit the number of pages";
    return manifest->reserved != 0 ? "a reserved field is not zero" : NULL;
}

void image_identity_make(image_identity_t *identity, const image_info_t *info,
                         const uint64_t entry_counts[IMAGE_SECTIONS_MAX])
{
    OC_ASSERT(info->section_count <= IMAGE_SECTIONS_MAX);
    memset(identity, 0, sizeof *identity);
    identity->sequence = info->sequence;
    identity->base = info->base;
    identity->place = info->place;
    identity->made_ns = info->made_ns;
    identity->section_count = info->section_count;
    for (uint32_t i = 0; i < info->section_count; i++) {
        const image_section_t *from = &info->sections[i];
        image_section_record_t *to = &identity->sections[i];
        OC_ASSERT(memchr(from->name, 0, sizeof from->name) != NULL);
        memcpy(to->name, from->name, strlen(from->name));
        to->kind = (uint32_t)from->kind;
        to->layout = from->layout;
        to->size = from->size;
        to->first_entry = identity->pages;
        to->entry_count = entry_counts[i];
        identity->pages += entry_counts[i];
    }
    OC_ASSERT(identity_problem(identity) == NULL);
}

void image_info_make(image_info_t *info, const image_manifest_t *manifest)
{
    const image_identity_t *identity = &manifest->identity;
    memset(info, 0, sizeof *info);
    info->sequence = identity->sequence;
    info->base = identity->base;
    info->place = identity->place;
    info->pages = identity->pages;
    info->bytes = manifest->bytes;
    info->made_ns = identity->made_ns;
    info->section_count = identity->section_count;
    for (uint32_t i = 0; i < identity->section_count; i++) {
        const image_section_record_t *from = &identity->sections[i];
        image_section_t *to = &info->sections[i];
        memcpy(to->name, from->name, sizeof to->name);
        to->kind = (image_section_kind_t)from->kind;
        to->layout = from->layout;
        to->size = from->size;
    }
}

/* ---- Blocks ---- */

#define CRC_OFFSET 12

_Static_assert(offsetof(image_header_t, crc) == CRC_OFFSET, "on disk");
_Static_assert(offsetof(image_manifest_t, crc) == CRC_OFFSET, "on disk");

/* Of a whole block, as if its own CRC were zero. */
static uint32_t block_crc(const uint8_t block[STORAGE_BLOCK])
{
    const uint32_t zero = 0;
    const size_t behind = CRC_OFFSET + sizeof zero;
    uint32_t crc = crc32c(0, block, CRC_OFFSET);
    crc = crc32c(crc, &zero, sizeof zero);
    return crc32c(crc, block + behind, STORAGE_BLOCK - behind);
}

static uint32_t encode(const void *record, size_t size, const char *magic,
                       uint8_t block[STORAGE_BLOCK])
{
    const uint32_t version = IMAGE_VERSION;
    memset(block, 0, STORAGE_BLOCK);
    memcpy(block, record, size);
    memcpy(block, magic, IMAGE_MAGIC_SIZE);
    memcpy(block + IMAGE_MAGIC_SIZE, &version, sizeof version);
    const uint32_t crc = block_crc(block);
    memcpy(block + CRC_OFFSET, &crc, sizeof crc);
    return crc;
}

uint32_t image_header_encode(const image_header_t *header, uint8_t block[STORAGE_BLOCK])
{
    OC_ASSERT(identity_problem(&header->identity) == NULL);
    OC_ASSERT(header_problem(header) == NULL);
    return encode(header, sizeof *header, IMAGE_HEADER_MAGIC, block);
}

uint32_t image_manifest_encode(const image_manifest_t *manifest, uint8_t block[STORAGE_BLOCK])
{
    OC_ASSERT(identity_problem(&manifest->identity) == NULL);
    OC_ASSERT(manifest_problem(manifest) == NULL);
    return encode(manifest, sizeof *manifest, IMAGE_MANIFEST_MAGIC, block);
}

static oc_err_t damaged(const char *path, uint64_t offset, const char *problem)
{
    return error_set(OC_ERR_DAMAGED, "image: %s: damaged at offset %" PRIu64 ": %s", path, offset,
                     problem);
}

bool image_section_fits(const image_section_record_t *section, const image_section_record_t *other)
{
    return !strncmp(section->name, other->name, sizeof section->name) &&
           section->kind == other->kind && section->layout == other->layout &&
           (section->kind == IMAGE_STREAM || section->size == other->size);
}

/* Of another version only the first twelve bytes are known. But where the checksum of this version
 * would fit if the number were right, it is the number that is damaged. */
static bool is_other_version(const uint8_t block[STORAGE_BLOCK], uint32_t crc)
{
    const uint32_t expected = IMAGE_VERSION;
    const size_t behind = IMAGE_MAGIC_SIZE + sizeof expected;
    const uint32_t zero = 0;
    _Static_assert(IMAGE_MAGIC_SIZE + sizeof expected == CRC_OFFSET, "on disk");
    if (memcmp(block + IMAGE_MAGIC_SIZE, &expected, sizeof expected) == 0)
        return false;
    uint32_t found = crc32c(0, block, IMAGE_MAGIC_SIZE);
    found = crc32c(found, &expected, sizeof expected);
    found = crc32c(found, &zero, sizeof zero);
    found = crc32c(found, block + behind + sizeof zero, STORAGE_BLOCK - behind - sizeof zero);
    return found != crc;
}

/* What both kinds of blocks have at their beginning and behind their record. */
static oc_err_t check_block(const uint8_t block[STORAGE_BLOCK], const char *path, const char *magic,
                            size_t size)
{
    uint32_t version;
    uint32_t crc;
    memcpy(&version, block + IMAGE_MAGIC_SIZE, sizeof version);
    memcpy(&crc, block + CRC_OFFSET, sizeof crc);
    if (memcmp(block, magic, IMAGE_MAGIC_SIZE) != 0)
        return damaged(path, 0, "it does not begin as a file of an image");
    if (is_other_version(block, crc))
        return error_set(OC_ERR_FORMAT,
                         "image: %s is of format version %" PRIu32 ", this build reads %" PRIu32
                         ": use a build that reads it",
                         path, version, IMAGE_VERSION);
    if (crc != block_crc(block))
        return damaged(path, 0, "the checksum of the first block is wrong");
    if (!is_zero(block + size, STORAGE_BLOCK - size))
        return damaged(path, size, "something stands behind the last field");
    return OC_ERR_OK;
}

oc_err_t image_header_decode(const uint8_t block[STORAGE_BLOCK], const char *path,
                             image_header_t *header)
{
    const oc_err_t err = check_block(block, path, IMAGE_HEADER_MAGIC, sizeof *header);
    if (err != OC_ERR_OK)
        return err;
    memcpy(header, block, sizeof *header);
    const char *problem = identity_problem(&header->identity);
    if (!problem)
        problem = header_problem(header);
    return problem ? damaged(path, 0, problem) : OC_ERR_OK;
}

oc_err_t image_manifest_decode(const uint8_t block[STORAGE_BLOCK], const char *path,
                               image_manifest_t *manifest)
{
    const oc_err_t err = check_block(block, path, IMAGE_MANIFEST_MAGIC, sizeof *manifest);
    if (err != OC_ERR_OK)
        return err;
    memcpy(manifest, block, sizeof *manifest);
    const char *problem = identity_problem(&manifest->identity);
    if (!problem)
        problem = manifest_problem(manifest);
    return problem ? damaged(path, 0, problem) : OC_ERR_OK;
}

oc_err_t image_header_check(const image_header_t *header, const image_manifest_t *manifest,
                            const char *path)
{
    if (header->crc != manifest->header_crc ||
        memcmp(&header->identity, &manifest->identity, sizeof header->identity) != 0)
        return damaged(path, 0, "it is not the file that its manifest was made for");
    return OC_ERR_OK;
}

oc_err_t image_configuration_check(const image_header_t *header, const uint8_t block[STORAGE_BLOCK],
                                   const char *path)
{
    OC_ASSERT(header->configuration_length <= STORAGE_BLOCK);
    if (crc32c(0, block, STORAGE_BLOCK) != header->configuration_crc)
        return damaged(path, IMAGE_CONFIGURATION_OFFSET,
                       "the checksum of the configuration is wrong");
    if (!is_zero(block + header->configuration_length,
                 STORAGE_BLOCK - header->configuration_length))
        return damaged(path, IMAGE_CONFIGURATION_OFFSET + header->configuration_length,
                       "something stands behind the configuration");
    return OC_ERR_OK;
}

static const char *table_problem(const image_section_record_t *section, const image_entry_t *table)
{
    const image_entry_t *entries = table + section->first_entry;
    const uint64_t pages = image_section_pages(section->size);
    for (uint64_t i = 0; i < section->entry_count; i++) {
        if (entries[i].page >= pages)
            return "the table names a page that its section does not have";
        if (i > 0 && entries[i].page <= entries[i - 1].page)
            return "pages do not ascend in the table";
    }
    return NULL;
}

oc_err_t image_table_check(const image_header_t *header, const image_entry_t *table,
                           const char *path)
{
    const image_identity_t *identity = &header->identity;
    const uint64_t bytes = image_table_bytes(identity->pages);
    const uint64_t used = identity->pages * sizeof *table;
    if (crc32c(0, table, (size_t)bytes) != header->table_crc)
        return damaged(path, header->table_offset, "the checksum of the table is wrong");
    if (!is_zero((const uint8_t *)table + used, (size_t)(bytes - used)))
        return damaged(path, header->table_offset + used, "something stands behind the table");
    for (uint32_t i = 0; i < identity->section_count; i++) {
        const char *problem = table_problem(&identity->sections[i], table);
        if (problem)
            return damaged(path, header->table_offset, problem);
    }
    return OC_ERR_OK;
}
