/*
 * Folders of the benches that write files. Called by bench_journal and bench_recovery; the check of
 * the user's directory by all.
 *
 * Invariant: a name is removed only if it is one that a journal or a bench gives its files. It must
 * not walk into other folders.
 */
#define _GNU_SOURCE
#include "bench/log_folder.h"

#include "base/error.h"
#include "base/storage.h"
#include "bench/raw_sync.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 + 300, CONTEXT_SIZE = 512 };

typedef struct removal {
    const char *dir;
    oc_err_t err;
} removal_t;

static bool is_own(const char *name)
{
    const char *ending = strrchr(name, '.');
    return !strcmp(name, "lock") || !strcmp(name, "raw") ||
           !strncmp(name, RAW_SYNC_PREFIX, strlen(RAW_SYNC_PREFIX)) ||
           (ending && (!strcmp(ending, ".journal") || !strcmp(ending, ".preparing")));
}

static bool remove_name(void *context, const char *name)
{
    removal_t *removal = context;
    if (!is_own(name))
        return true;
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", removal->dir, name);
    removal->err = storage_device()->remove(storage_device(), path);
    return removal->err == OC_ERR_OK;
}

oc_err_t log_folder_clean(const char *dir)
{
    removal_t removal = {dir, OC_ERR_OK};
    const oc_err_t err = storage_device()->list(storage_device(), dir, remove_name, &removal);
    return err != OC_ERR_OK ? err : removal.err;
}

oc_err_t log_folder_parent(const char *dir, bool *made)
{
    struct stat info;
    *made = mkdir(dir, 0777) == 0;
    if (*made)
        return OC_ERR_OK;
    if (errno != EEXIST)
        return error_set(OC_ERR_OPEN, "cannot make the directory %s: %s", dir, strerror(errno));
    if (stat(dir, &info) == 0 && !S_ISDIR(info.st_mode))
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(ENOTDIR));
    if (access(dir, W_OK | X_OK) != 0)
        return error_set(OC_ERR_OPEN, "cannot write to the directory %s: %s", dir, strerror(errno));
    return OC_ERR_OK;
}

oc_err_t log_folder_make(const char *dir)
{
    const oc_err_t err = storage_device()->make_dir(storage_device(), dir);
    return err != OC_ERR_OK ? err : log_folder_clean(dir);
}

oc_err_t log_folder_remove(const char *dir, oc_err_t err)
{
    char context[CONTEXT_SIZE];
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    const oc_err_t cleaned = log_folder_clean(dir);
    /* It stays if anything of somebody else's is in it. */
    (void)rmdir(dir);
    return err != OC_ERR_OK ? error_set(err, "%s", context) : cleaned;
}
