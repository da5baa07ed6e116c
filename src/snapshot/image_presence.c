/*
 * Looks whether the files of images are still there. Called by the sweeper before an image is built
 * on others, before it is committed, and now and then between.
 *
 * Invariants: it changes nothing, and reads nothing but sizes, so that it costs two opens an image.
 * It must not be taken for a proof: what is in the files is found out by loading.
 */
#include "snapshot/image_presence.h"

#include "base/assert.h"
#include "base/error.h"
#include "snapshot/image_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static oc_err_t check_file(const image_store_t *store, uint64_t sequence, const char *ending,
                           uint64_t bytes)
{
    const storage_t *storage = image_store_storage(store);
    storage_file_t *file = NULL;
    uint64_t size = 0;
    char *path = image_path(image_store_images(store), sequence, ending);
    if (!path)
        return error_set(OC_ERR_NO_MEMORY, "image: no memory for a name");
    oc_err_t err = storage->open(storage, path, STORAGE_READ, &file);
    if (err == OC_ERR_OK)
        err = storage->size(file, &size);
    storage->close(file);
    if (err == OC_ERR_OK && size != bytes)
        err = error_set(OC_ERR_DAMAGED,
                        "image: %s: it has %" PRIu64 " bytes, it was made with %" PRIu64, path,
                        size, bytes);
    free(path);
    return err;
}

oc_err_t image_presence_check(const image_store_t *store, uint64_t sequence)
{
    const image_info_t *info = image_store_find(store, sequence);
    OC_ASSERT(info != NULL);
    const oc_err_t err = check_file(store, sequence, IMAGE_PAGES_ENDING, info->bytes);
    return err == OC_ERR_OK ? check_file(store, sequence, IMAGE_MANIFEST_ENDING, STORAGE_BLOCK)
                            : err;
}

oc_err_t image_presence_check_chain(const image_store_t *store, uint64_t sequence)
{
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK && sequence != 0) {
        err = image_presence_check(store, sequence);
        sequence = image_store_find(store, sequence)->base;
    }
    return err;
}
