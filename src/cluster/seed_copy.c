/*
 * Files of a seed. Called by seed.c.
 *
 * Invariant: what is reported as copied is on the device. It must not overwrite: a file that is
 * there already is an error.
 */
#define _GNU_SOURCE
#include "cluster/seed_copy.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { BLOCK = 64 * 1024 };

static oc_err_t write_failed(const char *path)
{
    return error_set(errno == ENOSPC ? OC_ERR_NO_SPACE : OC_ERR_WRITE, "%s: %s", path,
                     strerror(errno));
}

/* The source may run meanwhile, and removes what it needs no more. */
static oc_err_t open_failed(const char *path)
{
    return errno == ENOENT
               ? error_set(OC_ERR_OPEN, "%s: it was removed meanwhile, or never there: try again",
                           path)
               : error_set(OC_ERR_OPEN, "%s: %s", path, strerror(errno));
}

static bool is_zero(const uint8_t *bytes, size_t length)
{
    return length > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0;
}

static oc_err_t write_block(int fd, const char *path, const uint8_t *bytes, size_t length,
                            int64_t at)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t n = pwrite(fd, bytes + done, length - done, at + (int64_t)done);
        if (n < 0 && errno != EINTR)
            return write_failed(path);
        if (n > 0)
            done += (size_t)n;
    }
    return OC_ERR_OK;
}

/* Copies up to `length` bytes; *end is where the source ended or `length` was reached. */
static oc_err_t copy_blocks(int in, int out, const char *paths[2], int64_t length, int64_t *end)
{
    uint8_t block[BLOCK];
    *end = 0;
    while (*end < length) {
        const size_t wanted = length - *end < BLOCK ? (size_t)(length - *end) : BLOCK;
        const ssize_t n = pread(in, block, wanted, *end);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(OC_ERR_READ, "%s: %s", paths[0], strerror(errno));
        if (n == 0)
            break;
        if (!is_zero(block, (size_t)n)) {
            const oc_err_t err = write_block(out, paths[1], block, (size_t)n, *end);
            if (err != OC_ERR_OK)
                return err;
        }
        *end += n;
    }
    return OC_ERR_OK;
}

static oc_err_t finish(int out, const char *path, int64_t size)
{
    if (ftruncate(out, size) != 0)
        return write_failed(path);
    return fsync(out) == 0 ? OC_ERR_OK : error_set(OC_ERR_SYNC, "%s: %s", path, strerror(errno));
}

oc_err_t seed_copy_file(const char *from, const char *to, int64_t length, int64_t size,
                        seed_copied_t *copied)
{
    const char *paths[2] = {from, to};
    int64_t end = 0;
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return open_failed(from);
    const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (out < 0) {
        (void)close(in);
        return write_failed(to);
    }
    oc_err_t err = copy_blocks(in, out, paths, length, &end);
    if (err == OC_ERR_OK && length != SEED_COPY_ALL && end < length)
        err = error_set(OC_ERR_TRUNCATED, "%s: it ends at %lld, %lld bytes are needed", from,
                        (long long)end, (long long)length);
    if (err == OC_ERR_OK)
        err = finish(out, to, size > end ? size : end);
    (void)close(in);
    (void)close(out);
    copied->files++;
    copied->bytes += (uint64_t)end;
    return err;
}

oc_err_t seed_copy_bytes(const void *bytes, size_t length, const char *to)
{
    const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (out < 0)
        return write_failed(to);
    oc_err_t err = write_block(out, to, bytes, length, 0);
    if (err == OC_ERR_OK)
        err = finish(out, to, (int64_t)length);
    (void)close(out);
    return err;
}
