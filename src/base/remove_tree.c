/*
 * Removal of directories. Called by the node for what a dead driver left, and by the demo, benches
 * and tests for what they made themselves.
 *
 * Invariants: what is inside goes before what it is in; no link is followed, so that nothing
 * outside of the tree is touched.
 */
#define _GNU_SOURCE
#include "base/remove_tree.h"

#include "base/error.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

enum { OPEN_FILES = 16 };

/* A name that somebody else removed meanwhile is gone, as it should be. */
static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    if (remove(path) == 0 || errno == ENOENT)
        return 0;
    (void)error_set(OC_ERR_WRITE, "cannot remove %s: %s", path, strerror(errno));
    return 1;
}

oc_err_t remove_tree(const char *path)
{
    const int result = nftw(path, remove_one, OPEN_FILES, FTW_DEPTH | FTW_PHYS);
    if (result == 0 || (result < 0 && errno == ENOENT))
        return OC_ERR_OK;
    if (result < 0)
        return error_set(OC_ERR_WRITE, "cannot remove %s: %s", path, strerror(errno));
    return OC_ERR_WRITE; /* the name is told already */
}
