/*
 * The module's lock, from the side of C. Called by the offline tools, which must know whether an
 * archive has its files open, and keep one from starting while they change them.
 *
 * Invariant: locks are those of an open file (F_OFD_*), which another close() in this process does
 * not undo, and which the locks of a Java process exclude all the same.
 */
#define _GNU_SOURCE
#include "cluster/module_lock.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static oc_err_t open_lock(const char *dir, int flags, char path[PATH_MAX], int *fd)
{
    *fd = -1;
    const int n = snprintf(path, PATH_MAX, "%s/" MODULE_LOCK_FILE, dir);
    if (n < 0 || n >= PATH_MAX)
        return error_set(OC_ERR_OPEN, "the path is too long: %s", dir);
    *fd = open(path, flags | O_CLOEXEC, 0644);
    return *fd >= 0 || errno == ENOENT ? OC_ERR_OK
                                       : error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
}

oc_err_t module_lock_probe(const char *dir, bool *held, long *pid)
{
    char path[PATH_MAX];
    int fd;
    *held = false;
    if (pid)
        *pid = -1;
    oc_err_t err = open_lock(dir, O_RDONLY, path, &fd);
    if (err != OC_ERR_OK || fd < 0)
        return err;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0)
        err = error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
    else
        *held = lock.l_type != F_UNLCK;
    if (pid && *held)
        *pid = (long)lock.l_pid;
    (void)close(fd);
    return err;
}

oc_err_t module_lock_take(const char *dir, int *lock)
{
    char path[PATH_MAX];
    const oc_err_t err = open_lock(dir, O_RDWR | O_CREAT, path, lock);
    if (err != OC_ERR_OK)
        return err;
    if (*lock < 0)
        return error_set(OC_ERR_OPEN, "%s: there is no such directory", dir);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(*lock, F_OFD_SETLK, &whole) == 0)
        return OC_ERR_OK;
    long pid = -1;
    bool held = true;
    if (module_lock_probe(dir, &held, &pid) != OC_ERR_OK)
        pid = -1;
    (void)close(*lock);
    *lock = -1;
    return error_set(OC_ERR_LOCKED, "%s: a module runs there (pid %ld)", dir, pid);
}

void module_lock_give(int lock)
{
    if (lock >= 0)
        (void)close(lock);
}
