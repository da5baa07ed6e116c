/*
 * The mark of an import that is not over. Set and cleared by the import; looked for by whoever
 * starts from a directory or shortens its log.
 *
 * Invariants: the mark is durable before the first file of the import's log, and is cleared only
 * when the image is; a directory that has a log of its own never gets one, so that to remove a
 * marked directory loses nothing but the half import. It must not judge what else is there.
 */
#define _GNU_SOURCE
#include "snapshot/import_mark.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK       "importing"
#define LOG_ENDING ".journal"

/* What a directory has. */
typedef struct found {
    bool mark;
    bool log;
} found_t;

static bool look_at(void *context, const char *name)
{
    found_t *found = context;
    const size_t length = strlen(name);
    const size_t ending = sizeof LOG_ENDING - 1;
    found->mark |= strcmp(name, MARK) == 0;
    found->log |= length >= ending && strcmp(name + length - ending, LOG_ENDING) == 0;
    return true;
}

static oc_err_t half_an_import(const char *dir)
{
    return error_set(OC_ERR_DAMAGED, "%s: half an import; remove %s and import again", dir, dir);
}

static char *mark_path(const char *dir)
{
    const size_t size = strlen(dir) + sizeof "/" MARK;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s/" MARK, dir);
    else
        (void)error_set(OC_ERR_NO_MEMORY, "no memory for a name in %s", dir);
    return path;
}

/* The name is all that counts, but it has to be a file's. */
static oc_err_t make_file(const storage_t *storage, const char *path)
{
    storage_file_t *file = NULL;
    oc_err_t err = storage->open(storage, path, STORAGE_CREATE, &file);
    if (err == OC_ERR_OK)
        err = storage->sync(file);
    storage->close(file);
    return err;
}

oc_err_t import_mark_set(const storage_t *storage, const char *dir)
{
    found_t found = {.mark = false};
    char *path = mark_path(dir);
    if (!path)
        return OC_ERR_NO_MEMORY;
    oc_err_t err = storage->make_dir(storage, dir);
    if (err == OC_ERR_OK)
        err = storage->list(storage, dir, look_at, &found);
    if (err == OC_ERR_OK && found.mark)
        err = half_an_import(dir);
    else if (err == OC_ERR_OK && found.log)
        err = error_set(OC_ERR_INVALID_ARGUMENT,
                        "%s: there is a log already; import into a new directory", dir);
    if (err == OC_ERR_OK)
        err = make_file(storage, path);
    if (err == OC_ERR_OK)
        err = storage->sync_dir(storage, dir);
    free(path);
    return err;
}

oc_err_t import_mark_clear(const storage_t *storage, const char *dir)
{
    char *path = mark_path(dir);
    if (!path)
        return OC_ERR_NO_MEMORY;
    oc_err_t err = storage->remove(storage, path);
    if (err == OC_ERR_OK)
        err = storage->sync_dir(storage, dir);
    free(path);
    return err;
}

oc_err_t import_mark_check(const storage_t *storage, const char *dir)
{
    found_t found = {.mark = false};
    /* Where there is no directory there is no mark; what else is wrong with it, whoever opens the
     * log in it says better. */
    if (storage->list(storage, dir, look_at, &found) != OC_ERR_OK)
        return OC_ERR_OK;
    return found.mark ? half_an_import(dir) : OC_ERR_OK;
}
