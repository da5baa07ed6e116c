/*
 * Reading one data file of an image. Used by load, verify and fold.
 *
 * Invariants: a file that is open has a header that its manifest agrees with; a table that is there
 * has been checked. It must not change anything, and not believe a length before it is checked.
 */
#include "snapshot/image_file.h"

#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *image_path(const char *images, uint64_t sequence, const char *ending)
{
    const size_t size = strlen(images) + 1 + IMAGE_NAME_DIGITS + strlen(ending) + 1;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s/%016" PRIx64 "%s", images, sequence, ending);
    return path;
}

char *image_dir_path(const char *dir)
{
    const size_t size = strlen(dir) + 1 + sizeof IMAGE_DIR;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s/%s", dir, IMAGE_DIR);
    return path;
}

oc_err_t image_failed(oc_err_t err, uint64_t offset, const char *meaning)
{
    char context[IMAGE_CONTEXT_SIZE];
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    const char *prefix = strncmp(context, "image: ", 7) == 0 ? "" : "image: ";
    if (offset == UINT64_MAX)
        return error_set(err, "%s%s: %s", prefix, context, meaning);
    return error_set(err, "%s%s, at offset %" PRIu64 ": %s", prefix, context, offset, meaning);
}

static oc_err_t read_only_block(const storage_t *storage, const char *path, uint8_t *block)
{
    storage_file_t *file = NULL;
    uint64_t size = 0;
    size_t got = 0;
    oc_err_t err = storage->open(storage, path, STORAGE_READ, &file);
    if (err != OC_ERR_OK)
        return err;
    err = storage->size(file, &size);
    if (err == OC_ERR_OK)
        err = storage->read(file, 0, block, STORAGE_BLOCK, &got);
    storage->close(file);
    if (err == OC_ERR_OK && (got < STORAGE_BLOCK || size != STORAGE_BLOCK))
        err = error_set(OC_ERR_DAMAGED,
                        "image: %s: damaged: it has %" PRIu64 " bytes, a manifest has %zu", path,
                        size, STORAGE_BLOCK);
    return err;
}

oc_err_t image_manifest_read(const storage_t *storage, const char *path, image_manifest_t *manifest)
{
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    if (!block)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for %s", path);
    oc_err_t err = read_only_block(storage, path, block);
    if (err == OC_ERR_OK)
        err = image_manifest_decode(block, path, manifest);
    free(block);
    return err;
}

/* Large reads are cut, so that one call cannot be longer than a size_t or the system's limit. */
#define READ_MAX (UINT64_C(64) << 20)

oc_err_t image_file_read(const image_file_t *self, uint64_t offset, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        const size_t step = length - done < READ_MAX ? length - done : (size_t)READ_MAX;
        size_t got = 0;
        const oc_err_t err =
            self->storage->read(self->file, offset + done, (uint8_t *)bytes + done, step, &got);
        if (err != OC_ERR_OK)
            return image_failed(err, offset + done, "the image cannot be used");
        if (got < step)
            return error_set(OC_ERR_DAMAGED,
                             "image: %s: damaged at offset %" PRIu64 ": the file is cut off",
                             self->path, offset + done + got);
        done += step;
    }
    return OC_ERR_OK;
}

static oc_err_t read_header(image_file_t *self, const image_manifest_t *manifest)
{
    uint64_t size = 0;
    oc_err_t err = self->storage->size(self->file, &size);
    if (err != OC_ERR_OK)
        return err;
    if (size != manifest->bytes)
        return error_set(OC_ERR_DAMAGED,
                         "image: %s: damaged: it has %" PRIu64 " bytes, its manifest says %" PRIu64,
                         self->path, size, manifest->bytes);
    uint8_t *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    if (!block)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for the header of %s", self->path);
    err = image_file_read(self, 0, block, STORAGE_BLOCK);
    if (err == OC_ERR_OK)
        err = image_header_decode(block, self->path, &self->header);
    if (err == OC_ERR_OK)
        err = image_header_check(&self->header, manifest, self->path);
    free(block);
    return err;
}

oc_err_t image_file_open(image_file_t *self, const image_store_t *store, uint64_t sequence)
{
    const image_manifest_t *manifest = image_store_manifest(store, sequence);
    memset(self, 0, sizeof *self);
    if (!manifest)
        return error_set(OC_ERR_OPEN, "image: %s has no complete image %016" PRIx64,
                         image_store_images(store), sequence);
    self->storage = image_store_storage(store);
    self->path = image_path(image_store_images(store), sequence, IMAGE_PAGES_ENDING);
    if (!self->path)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for the name of image %016" PRIx64,
                         sequence);
    oc_err_t err = self->storage->open(self->storage, self->path, STORAGE_READ_CACHED, &self->file);
    if (err == OC_ERR_OK)
        err = read_header(self, manifest);
    if (err != OC_ERR_OK)
        image_file_close(self);
    return err;
}

void image_file_close(image_file_t *self)
{
    if (self->file)
        self->storage->close(self->file);
    free(self->table);
    free(self->path);
    memset(self, 0, sizeof *self);
}

oc_err_t image_file_read_table(image_file_t *self)
{
    OC_ASSERT(self->table == NULL);
    const uint64_t bytes = image_table_bytes(self->header.identity.pages);
    /* A table without entries is no bytes long. */
    image_entry_t *table = aligned_alloc(STORAGE_BLOCK, (size_t)bytes + STORAGE_BLOCK);
    if (!table)
        return error_set(OC_ERR_NO_MEMORY,
                         "image: no memory for the table of %s, %" PRIu64 " bytes", self->path,
                         bytes);
    oc_err_t err = image_file_read(self, self->header.table_offset, table, (size_t)bytes);
    if (err == OC_ERR_OK)
        err = image_table_check(&self->header, table, self->path);
    if (err != OC_ERR_OK) {
        free(table);
        return err;
    }
    self->table = table;
    return OC_ERR_OK;
}

oc_err_t image_file_read_configuration(const image_file_t *self, uint8_t *block)
{
    const oc_err_t err = image_file_read(self, IMAGE_CONFIGURATION_OFFSET, block, STORAGE_BLOCK);
    return err == OC_ERR_OK ? image_configuration_check(&self->header, block, self->path) : err;
}

oc_err_t image_file_check_page(const image_file_t *self, uint64_t entry, uint32_t section,
                               const void *bytes)
{
    OC_ASSERT(entry < self->header.identity.pages);
    const image_entry_t *expected = &self->table[entry];
    if (image_page_crc(self->header.identity.sequence, section, expected->page, bytes) ==
        expected->crc)
        return OC_ERR_OK;
    return error_set(OC_ERR_DAMAGED,
                     "image: %s: damaged at offset %" PRIu64 ": the checksum of page %" PRIu32
                     " of section %s is wrong",
                     self->path, image_page_offset(entry), expected->page,
                     self->header.identity.sections[section].name);
}
