/*
 * The real device behind the storage table: files opened around the page cache, fdatasync, flock.
 *
 * Used by the journal and the image store. Invariants: a write is complete or an error, never
 * short; an error leaves the name and the system's reason in the context. A file system that
 * refuses O_DIRECT is used through the page cache, where fdatasync keeps the same promises. It must
 * not retry a failed sync: the kernel may have dropped the pages and would call the second one
 * fine.
 */
#define _GNU_SOURCE
#include "base/storage.h"

#include "base/assert.h"
#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define FILE_MODE 0644
#define DIR_MODE  0755

struct storage_file {
    int fd;
    int cached_fd; /* through the page cache, with STORAGE_READ_CACHED; -1: none */
    void *map;     /* of it, never looked into: to ask what the page cache holds */
    uint64_t map_bytes;
    char path[]; /* for messages */
};

/* A full device is told from other failures, whatever `err` is for those. */
static oc_err_t failed(oc_err_t err, const char *what, const char *path)
{
    const int reason = errno;
    if (reason == ENOSPC || reason == EDQUOT)
        err = OC_ERR_NO_SPACE;
    return error_set(err, "cannot %s %s: %s", what, path, strerror(reason));
}

static oc_err_t device_list(const storage_t *self, const char *dir, storage_visitor_t visitor,
                            void *context)
{
    (void)self;
    DIR *stream = opendir(dir);
    if (!stream)
        return failed(OC_ERR_OPEN, "open the directory", dir);
    const struct dirent *entry;
    errno = 0;
    while ((entry = readdir(stream)) != NULL) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (!visitor(context, entry->d_name)) {
            errno = 0;
            break;
        }
        errno = 0;
    }
    const oc_err_t err = errno ? failed(OC_ERR_READ, "list the directory", dir) : OC_ERR_OK;
    (void)closedir(stream);
    return err;
}

static oc_err_t device_sync_dir(const storage_t *self, const char *dir)
{
    (void)self;
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return failed(OC_ERR_OPEN, "open the directory", dir);
    const oc_err_t err = fsync(fd) == 0 ? OC_ERR_OK : failed(OC_ERR_SYNC, "sync", dir);
    (void)close(fd);
    return err;
}

/* Makes one directory, and its name durable. `parent` is cut off `path` by the caller. */
static oc_err_t make_one_dir(const storage_t *self, const char *path, const char *parent)
{
    if (mkdir(path, DIR_MODE) != 0)
        return errno == EEXIST ? OC_ERR_OK : failed(OC_ERR_OPEN, "make the directory", path);
    return device_sync_dir(self, parent);
}

static oc_err_t device_make_dir(const storage_t *self, const char *dir)
{
    char *path = strdup(dir);
    char *parent = strdup(dir);
    oc_err_t err = OC_ERR_OK;
    if (!path || !parent)
        err = error_set(OC_ERR_NO_MEMORY, "no memory for the name %s", dir);
    /* Each prefix that ends before a slash, then the whole. */
    for (size_t end = 0, begin = 0; err == OC_ERR_OK && path[end]; begin = end) {
        end += strspn(path + end, "/");
        end += strcspn(path + end, "/");
        const char kept = path[end];
        path[end] = '\0';
        memcpy(parent, path, end);
        (void)snprintf(parent + begin, 2, "%s", begin > 0 ? "" : dir[0] == '/' ? "/" : ".");
        err = make_one_dir(self, path, parent);
        path[end] = kept;
    }
    free(path);
    free(parent);
    return err;
}

static oc_err_t device_free_bytes(const storage_t *self, const char *dir, uint64_t *bytes)
{
    (void)self;
    struct statvfs device;
    if (statvfs(dir, &device) != 0)
        return failed(OC_ERR_READ, "ask for the free space of", dir);
    *bytes = (uint64_t)device.f_bavail * device.f_frsize;
    return OC_ERR_OK;
}

static oc_err_t device_rename(const storage_t *self, const char *from, const char *to)
{
    (void)self;
    return rename(from, to) == 0 ? OC_ERR_OK : failed(OC_ERR_WRITE, "rename", from);
}

static oc_err_t device_remove(const storage_t *self, const char *path)
{
    (void)self;
    return unlink(path) == 0 ? OC_ERR_OK : failed(OC_ERR_WRITE, "remove", path);
}

/* Takes `fd`, also when it fails. */
static oc_err_t make_file(storage_file_t **file, int fd, const char *path)
{
    const size_t size = strlen(path) + 1;
    storage_file_t *made = malloc(sizeof *made + size);
    if (!made) {
        (void)close(fd);
        return error_set(OC_ERR_NO_MEMORY, "no memory for the file %s", path);
    }
    made->fd = fd;
    made->cached_fd = -1;
    made->map = NULL;
    made->map_bytes = 0;
    memcpy(made->path, path, size);
    *file = made;
    return OC_ERR_OK;
}

#define LOCK_TRIES    21
#define LOCK_PAUSE_NS 5000000

/* A probe has the file shared for a moment: a lock that is refused is asked for again. */
static bool try_lock(int fd)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
    for (int tries = 1; flock(fd, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK || tries == LOCK_TRIES)
            return false;
        (void)nanosleep(&pause, NULL);
    }
    return true;
}

static oc_err_t device_lock(const storage_t *self, const char *path, storage_file_t **file)
{
    (void)self;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (fd < 0)
        return failed(OC_ERR_OPEN, "open the lock", path);
    if (!try_lock(fd)) {
        const oc_err_t err = errno == EWOULDBLOCK
                                 ? error_set(OC_ERR_LOCKED,
                                             "another process holds %s: stop it, or use another "
                                             "directory",
                                             path)
                                 : failed(OC_ERR_OPEN, "lock", path);
        (void)close(fd);
        return err;
    }
    return make_file(file, fd, path);
}

/* Shared, so that those who look do not see each other; the end of the descriptor gives it back. */
static oc_err_t device_probe(const storage_t *self, const char *path)
{
    (void)self;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? OC_ERR_OK : failed(OC_ERR_OPEN, "open the lock", path);
    oc_err_t err = OC_ERR_OK;
    if (flock(fd, LOCK_SH | LOCK_NB) != 0)
        err = errno == EWOULDBLOCK ? error_set(OC_ERR_LOCKED, "another process holds %s", path)
                                   : failed(OC_ERR_OPEN, "look at the lock", path);
    (void)close(fd);
    return err;
}

static bool is_for_reading(storage_mode_t mode)
{
    return mode == STORAGE_READ || mode == STORAGE_READ_CACHED;
}

/* Prepares the way through the page cache. Without it everything is read around the cache, which is
 * only slower: no failure here is an error. */
static void add_cached_way(storage_file_t *file)
{
    struct stat status;
    const int fd = open(file->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (map != MAP_FAILED) {
            file->cached_fd = fd;
            file->map = map;
            file->map_bytes = (uint64_t)status.st_size;
            return;
        }
    }
    (void)close(fd);
}

static oc_err_t device_open(const storage_t *self, const char *path, storage_mode_t mode,
                            storage_file_t **file)
{
    (void)self;
    int flags = (is_for_reading(mode) ? O_RDONLY : O_RDWR) | O_CLOEXEC;
    if (mode == STORAGE_CREATE)
        flags |= O_CREAT | O_EXCL;
    int fd = open(path, mode == STORAGE_CACHED ? flags : flags | O_DIRECT, FILE_MODE);
    /* A refusal of O_DIRECT comes after the file was made, so that it is no longer new. */
    if (fd < 0 && errno == EINVAL)
        fd = open(path, flags & ~O_EXCL, FILE_MODE);
    if (fd < 0)
        return failed(OC_ERR_OPEN, mode == STORAGE_CREATE ? "make" : "open", path);
    const oc_err_t err = make_file(file, fd, path);
    if (err == OC_ERR_OK && mode == STORAGE_READ_CACHED)
        add_cached_way(*file);
    return err;
}

static void device_close(storage_file_t *file)
{
    if (!file)
        return;
    if (file->map)
        (void)munmap(file->map, (size_t)file->map_bytes);
    if (file->cached_fd >= 0)
        (void)close(file->cached_fd);
    (void)close(file->fd);
    free(file);
}

static oc_err_t device_size(storage_file_t *file, uint64_t *bytes)
{
    struct stat status;
    if (fstat(file->fd, &status) != 0)
        return failed(OC_ERR_READ, "ask for the size of", file->path);
    *bytes = (uint64_t)status.st_size;
    return OC_ERR_OK;
}

static void check_blocks(uint64_t offset, const void *bytes, size_t length)
{
    OC_ASSERT(offset % STORAGE_BLOCK == 0);
    OC_ASSERT((uintptr_t)bytes % STORAGE_BLOCK == 0);
    OC_ASSERT(length % STORAGE_BLOCK == 0);
}

/*
 * Whether the page cache holds all of these bytes. Asked by mincore(), which starts no reading: an
 * attempt to read without waiting would make the kernel read ahead what is then read a second time.
 * Where this process may not know (the file is another user's), the answer is yes. It may be wrong
 * a moment later: that costs time, and nothing else.
 */
static bool is_cached(const storage_file_t *file, uint64_t offset, size_t length)
{
    enum { ASKED_AT_ONCE = 256 };
    unsigned char in_cache[ASKED_AT_ONCE] = {0}; /* what a larger page leaves out counts as no */
    if (file->cached_fd < 0 || offset > file->map_bytes || length > file->map_bytes - offset)
        return false;
    const size_t step = ASKED_AT_ONCE * STORAGE_BLOCK;
    for (size_t at = 0; at < length; at += step) {
        const size_t rest = length - at < step ? length - at : step;
        if (mincore((uint8_t *)file->map + offset + at, rest, in_cache) != 0)
            return false;
        for (size_t i = 0; i < (rest + STORAGE_BLOCK - 1) / STORAGE_BLOCK; i++)
            if (!(in_cache[i] & 1))
                return false;
    }
    return true;
}

static oc_err_t device_read(storage_file_t *file, uint64_t offset, void *bytes, size_t length,
                            size_t *got)
{
    check_blocks(offset, bytes, length);
    const int fd = is_cached(file, offset, length) ? file->cached_fd : file->fd;
    size_t done = 0;
    while (done < length) {
        const ssize_t count =
            pread(fd, (uint8_t *)bytes + done, length - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failed(OC_ERR_READ, "read", file->path);
        done += (size_t)count;
        /* Part of a block comes only from the end of the file. */
        if (count == 0 || (size_t)count % STORAGE_BLOCK != 0)
            break;
    }
    *got = done;
    return OC_ERR_OK;
}

static oc_err_t device_write(storage_file_t *file, uint64_t offset, const void *bytes,
                             size_t length)
{
    check_blocks(offset, bytes, length);
    for (size_t done = 0; done < length;) {
        const ssize_t count =
            pwrite(file->fd, (const uint8_t *)bytes + done, length - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failed(OC_ERR_WRITE, "write", file->path);
        if (count == 0)
            return error_set(OC_ERR_WRITE, "cannot write %s: the device took nothing", file->path);
        done += (size_t)count;
    }
    return OC_ERR_OK;
}

static oc_err_t device_sync(storage_file_t *file)
{
    return fdatasync(file->fd) == 0 ? OC_ERR_OK : failed(OC_ERR_SYNC, "sync", file->path);
}

const storage_t *storage_device(void)
{
    static const storage_t device = {
        .make_dir = device_make_dir,
        .list = device_list,
        .sync_dir = device_sync_dir,
        .free_bytes = device_free_bytes,
        .rename = device_rename,
        .remove = device_remove,
        .lock = device_lock,
        .probe = device_probe,
        .open = device_open,
        .close = device_close,
        .size = device_size,
        .read = device_read,
        .write = device_write,
        .sync = device_sync,
    };
    return &device;
}
