/*
 * Files written as a whole. Called for results that somebody reads later: run files, reports.
 *
 * Invariants: the name never stands for half a file; the bytes are on the device before the name
 * is. It must not replace what is no regular file: a rename over a device or a link would take it
 * away.
 */
#define _GNU_SOURCE
#include "base/atomic_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0666 }; /* less the umask, as any other file */

static oc_err_t failed(oc_err_t err, const char *what, const char *path)
{
    if (errno == ENOSPC || errno == EDQUOT)
        err = OC_ERR_NO_SPACE;
    return error_set(err, "cannot %s %s: %s", what, path, strerror(errno));
}

static oc_err_t check_place(const char *path)
{
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return error_set(OC_ERR_OPEN, "%s is there and no regular file; name another one", path);
    return OC_ERR_OK;
}

static oc_err_t write_all(int file, const char *path, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t wrote = write(file, bytes, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return failed(OC_ERR_WRITE, "write", path);
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return fsync(file) == 0 ? OC_ERR_OK : failed(OC_ERR_SYNC, "sync", path);
}

static oc_err_t sync_directory_of(const char *path)
{
    char dir[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) : 0;
    (void)snprintf(dir, sizeof dir, "%.*s", length, path);
    const char *name = !slash ? "." : length == 0 ? "/" : dir;
    const int file = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return failed(OC_ERR_OPEN, "open", name);
    oc_err_t err = OC_ERR_OK;
    if (fsync(file) != 0 && errno != EINVAL) /* a file system that has no such thing */
        err = failed(OC_ERR_SYNC, "sync", name);
    (void)close(file);
    return err;
}

oc_err_t atomic_file_write(const char *path, const void *bytes, size_t size)
{
    char name[PATH_MAX];
    oc_err_t err = check_place(path);
    if (err != OC_ERR_OK)
        return err;
    if ((size_t)snprintf(name, sizeof name, "%s.%d.part", path, (int)getpid()) >= sizeof name)
        return error_set(OC_ERR_OPEN, "the path %.200s... is too long", path);
    const int file = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, MODE);
    if (file < 0)
        return failed(OC_ERR_OPEN, "create", path);
    err = write_all(file, path, bytes, size);
    if (close(file) != 0 && err == OC_ERR_OK)
        err = failed(OC_ERR_WRITE, "write", path);
    if (err == OC_ERR_OK && rename(name, path) != 0)
        err = failed(OC_ERR_WRITE, "rename a file to", path);
    if (err != OC_ERR_OK) {
        (void)unlink(name);
        return err;
    }
    return sync_directory_of(path);
}
