/*
 * The bare reading of a file. Called by `outcry bench restore`.
 *
 * Invariant: only reading is timed; memory was faulted in before. It must not look at what it read.
 */
#define _GNU_SOURCE
#include "bench/raw_read.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };
#define HUGE_PAGE ((size_t)2 << 20)

typedef struct reading {
    int fd;
    _Atomic uint64_t next;  /* relaxed: who reads which piece, and nothing else */
    _Atomic uint64_t bytes; /* read; relaxed, looked at behind the joins, as: */
    _Atomic int reason;     /* errno of a read that failed */
} reading_t;

typedef struct reader {
    reading_t *reading;
    uint8_t *memory;
    pthread_t thread;
} reader_t;

/* False at the end of the file, and after an error. */
static bool read_piece(reading_t *reading, uint8_t *memory)
{
    const uint64_t offset = atomic_fetch_add_explicit(&reading->next, PIECE, memory_order_relaxed);
    ssize_t count = 0;
    do {
        count = pread(reading->fd, memory, PIECE, (off_t)offset);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        atomic_store_explicit(&reading->reason, errno, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(&reading->bytes, (uint64_t)count, memory_order_relaxed);
    return count > 0;
}

static void *read_on(void *context)
{
    reader_t *reader = context;
    while (read_piece(reader->reading, reader->memory))
        ;
    return NULL;
}

static oc_err_t read_by_threads(reading_t *reading, uint8_t *memory, unsigned threads,
                                const char *path)
{
    reader_t readers[RAW_READ_THREADS_MAX];
    unsigned running = 1;
    for (unsigned i = 0; i < threads; i++)
        readers[i] = (reader_t){.reading = reading, .memory = memory + (size_t)i * PIECE};
    while (running < threads &&
           pthread_create(&readers[running].thread, NULL, read_on, &readers[running]) == 0)
        running++;
    (void)read_on(&readers[0]);
    for (unsigned i = 1; i < running; i++)
        (void)pthread_join(readers[i].thread, NULL);
    const int reason = atomic_load_explicit(&reading->reason, memory_order_relaxed);
    if (reason != 0)
        return error_set(OC_ERR_READ, "cannot read %s: %s", path, strerror(reason));
    return running == threads ? OC_ERR_OK : error_set(OC_ERR_NO_MEMORY, "no memory for a thread");
}

/* *direct: becomes false where the file system does not have it. */
static int open_file(const char *path, bool *direct)
{
    const int flags = O_RDONLY | O_CLOEXEC;
    const int fd = open(path, *direct ? flags | O_DIRECT : flags);
    if (fd >= 0 || errno != EINVAL || !*direct)
        return fd;
    *direct = false;
    return open(path, flags);
}

/* All of the file was read. */
static oc_err_t check_bytes(int fd, const char *path, uint64_t bytes)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return error_set(OC_ERR_READ, "%s: %s", path, strerror(errno));
    if (bytes == (uint64_t)status.st_size)
        return OC_ERR_OK;
    return error_set(OC_ERR_READ, "%s: %llu bytes were read of %llu", path,
                     (unsigned long long)bytes, (unsigned long long)status.st_size);
}

oc_err_t raw_read(const char *path, unsigned threads, bool direct, raw_reading_t *result)
{
    OC_ASSERT(threads > 0);
    OC_ASSERT(threads <= RAW_READ_THREADS_MAX);
    *result = (raw_reading_t){.direct = direct};
    reading_t reading = {.fd = open_file(path, &result->direct)};
    if (reading.fd < 0)
        return error_set(OC_ERR_OPEN, "cannot open %s: %s", path, strerror(errno));
    const size_t size = ((size_t)threads * PIECE + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uint8_t *memory = aligned_alloc(HUGE_PAGE, size);
    oc_err_t err = memory ? OC_ERR_OK : error_set(OC_ERR_NO_MEMORY, "no memory to read %s", path);
    if (err == OC_ERR_OK) {
        /* As arenas are: a device reads into scattered small pages at half the speed. */
        (void)madvise(memory, size, MADV_HUGEPAGE);
        memset(memory, 1, size);
        const uint64_t begin_ns = clock_wall_ns();
        err = read_by_threads(&reading, memory, threads, path);
        result->ms = (double)(clock_wall_ns() - begin_ns) / 1e6;
        result->bytes = atomic_load_explicit(&reading.bytes, memory_order_relaxed);
    }
    if (err == OC_ERR_OK)
        err = check_bytes(reading.fd, path, result->bytes);
    free(memory);
    (void)close(reading.fd);
    return err;
}

oc_err_t raw_read_forget(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(OC_ERR_OPEN, "cannot open %s: %s", path, strerror(errno));
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    (void)close(fd);
    return OC_ERR_OK;
}
