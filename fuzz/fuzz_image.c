/*
 * Fuzzes what describes an image: the bytes are laid into a manifest, a header, a configuration and
 * a table, as they are, and once more with every checksum made right, because behind a checksum
 * nothing would ever be reached. Must not crash or read past a block; what is accepted must be
 * inside of its file, and must come out the same when it is encoded again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "snapshot/image_format.h"

#define CONFIGURATION_BYTES 32 /* of the input */
#define TABLE_BLOCKS_MAX    8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each of the blocks by itself, so that a read beside it is seen. */
typedef struct image {
    uint8_t *manifest;
    uint8_t *header;
    uint8_t *configuration;
    uint8_t *table;
    size_t table_bytes; /* whole blocks */
} image_t;

static uint8_t *take_block(const uint8_t **data, size_t *size, size_t length, size_t blocks)
{
    const size_t taken = length < *size ? length : *size;
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, blocks * STORAGE_BLOCK);
    OC_ASSERT(block != NULL);
    memset(block, 0, blocks * STORAGE_BLOCK);
    if (taken > 0)
        memcpy(block, *data, taken);
    *data += taken;
    *size -= taken;
    return block;
}

static void set_up(image_t *image, const uint8_t *data, size_t size)
{
    image->manifest = take_block(&data, &size, sizeof(image_manifest_t), 1);
    image->header = take_block(&data, &size, sizeof(image_header_t), 1);
    image->configuration = take_block(&data, &size, CONFIGURATION_BYTES, 1);
    if (size > TABLE_BLOCKS_MAX * STORAGE_BLOCK)
        size = TABLE_BLOCKS_MAX * STORAGE_BLOCK;
    const size_t blocks = size > 0 ? (size + STORAGE_BLOCK - 1) / STORAGE_BLOCK : 1;
    image->table_bytes = blocks * STORAGE_BLOCK;
    image->table = take_block(&data, &size, size, blocks);
}

static void tear_down(const image_t *image)
{
    free(image->manifest);
    free(image->header);
    free(image->configuration);
    free(image->table);
}

static void put(uint8_t *block, size_t offset, uint32_t value)
{
    memcpy(block + offset, &value, sizeof value);
}

static uint32_t get(const uint8_t *block, size_t offset)
{
    uint32_t value;
    memcpy(&value, block + offset, sizeof value);
    return value;
}

static void seal(uint8_t *block, const char *magic)
{
    memcpy(block, magic, IMAGE_MAGIC_SIZE);
    put(block, offsetof(image_header_t, version), IMAGE_VERSION);
    put(block, offsetof(image_header_t, crc), 0);
    put(block, offsetof(image_header_t, crc), crc32c(0, block, STORAGE_BLOCK));
}

/* Makes magic, version and checksums right; header and manifest agree if they can. */
static void mend(image_t *image)
{
    const uint64_t pages =
        get(image->header, offsetof(image_header_t, identity) + offsetof(image_identity_t, pages));
    const uint64_t bytes = image_table_bytes(pages);
    if (bytes <= image->table_bytes)
        put(image->header, offsetof(image_header_t, table_crc),
            crc32c(0, image->table, (size_t)bytes));
    put(image->header, offsetof(image_header_t, configuration_crc),
        crc32c(0, image->configuration, STORAGE_BLOCK));
    seal(image->header, IMAGE_HEADER_MAGIC);
    put(image->manifest, offsetof(image_manifest_t, header_crc),
        get(image->header, offsetof(image_header_t, crc)));
    seal(image->manifest, IMAGE_MANIFEST_MAGIC);
}

static void use_table(const image_t *image, const image_header_t *header)
{
    const image_identity_t *identity = &header->identity;
    const image_entry_t *table = (const image_entry_t *)(const void *)image->table;
    if (image_table_bytes(identity->pages) > image->table_bytes ||
        image_table_check(header, table, "table") != OC_ERR_OK)
        return;
    for (uint32_t i = 0; i < identity->section_count; i++) {
        const image_section_record_t *section = &identity->sections[i];
        for (uint64_t n = 0; n < section->entry_count; n++)
            OC_ASSERT(table[section->first_entry + n].page < image_section_pages(section->size));
    }
}

static void use_header(const image_t *image, const image_header_t *header)
{
    uint8_t again[STORAGE_BLOCK];
    OC_ASSERT(image_header_encode(header, again) == header->crc);
    OC_ASSERT(memcmp(again, image->header, STORAGE_BLOCK) == 0);
    OC_ASSERT(header->table_offset < image_file_bytes(header->identity.pages) ||
              header->identity.pages == 0);
    if (image_configuration_check(header, image->configuration, "pages") == OC_ERR_OK)
        OC_ASSERT(header->configuration_length <= IMAGE_CONFIGURATION_MAX);
    use_table(image, header);
}

static void use_manifest(const image_t *image, const image_manifest_t *manifest)
{
    uint8_t again[STORAGE_BLOCK];
    image_info_t info;
    OC_ASSERT(image_manifest_encode(manifest, again) == manifest->crc);
    OC_ASSERT(memcmp(again, image->manifest, STORAGE_BLOCK) == 0);
    image_info_make(&info, manifest);
    OC_ASSERT(info.base < info.sequence);
    OC_ASSERT(info.section_count <= IMAGE_SECTIONS_MAX);
    for (uint32_t i = 0; i < info.section_count; i++)
        OC_ASSERT(memchr(info.sections[i].name, 0, sizeof info.sections[i].name) != NULL);
}

static void decode(const image_t *image)
{
    image_manifest_t manifest;
    image_header_t header;
    const bool good = image_manifest_decode(image->manifest, "manifest", &manifest) == OC_ERR_OK;
    if (good)
        use_manifest(image, &manifest);
    if (image_header_decode(image->header, "pages", &header) != OC_ERR_OK)
        return;
    use_header(image, &header);
    if (good && image_header_check(&header, &manifest, "pages") == OC_ERR_OK)
        OC_ASSERT(manifest.identity.pages == header.identity.pages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image_t image;
    set_up(&image, data, size);
    decode(&image);
    mend(&image);
    decode(&image);
    tear_down(&image);
    return 0;
}
