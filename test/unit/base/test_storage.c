/*
 * The real device behind the storage table. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/storage.h"
#include "lib/expect_abort.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Alignas(4096) uint8_t blocks[4 * 4096];
static char folder[64];
static char path[128];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "storage_test_XXXXXX");
    (void)snprintf(path, sizeof path, "%s", "");
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static void test_write_and_read(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    storage_file_t *file = NULL;
    uint64_t size = 0;
    size_t got = 0;
    assert_int_equal(storage->open(storage, path, STORAGE_READ, &file), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), path));
    assert_int_equal(storage->open(storage, path, STORAGE_CREATE, &file), OC_ERR_OK);
    memset(blocks, 7, sizeof blocks);
    assert_int_equal(storage->write(file, 4096, blocks, 2 * 4096), OC_ERR_OK);
    assert_int_equal(storage->sync(file), OC_ERR_OK);
    assert_int_equal(storage->size(file, &size), OC_ERR_OK);
    assert_int_equal(size, 3 * 4096);
    storage->close(file);
    assert_int_equal(storage->sync_dir(storage, folder), OC_ERR_OK);
    assert_int_equal(storage->open(storage, path, STORAGE_CREATE, &file), OC_ERR_OPEN);
    assert_int_equal(storage->open(storage, path, STORAGE_WRITE, &file), OC_ERR_OK);
    assert_int_equal(storage->read(file, 0, blocks, sizeof blocks, &got), OC_ERR_OK);
    assert_int_equal(got, 3 * 4096);
    assert_int_equal(blocks[4095], 0);
    assert_int_equal(blocks[4096], 7);
    assert_int_equal(storage->read(file, UINT64_C(1) << 30, blocks, 4096, &got), OC_ERR_OK);
    assert_int_equal(got, 0);
    storage->close(file);
    assert_int_equal(storage->open(storage, path, STORAGE_READ, &file), OC_ERR_OK);
    assert_int_equal(storage->write(file, 0, blocks, 4096), OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), path));
    storage->close(file);
    storage->close(NULL);
}

/* ---- Reading what the page cache may hold ---- */

enum { CACHED_BLOCKS = 300 }; /* more than are asked for at once */

static _Alignas(4096) uint8_t many[CACHED_BLOCKS * 4096];

static void make_large_file(const storage_t *storage)
{
    storage_file_t *file = NULL;
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = (uint8_t)(i / 4096 + i);
    assert_int_equal(storage->open(storage, path, STORAGE_CREATE, &file), OC_ERR_OK);
    assert_int_equal(storage->write(file, 0, many, sizeof many), OC_ERR_OK);
    assert_int_equal(storage->sync(file), OC_ERR_OK);
    storage->close(file);
}

static void check_large_read(const storage_t *storage, uint64_t first)
{
    storage_file_t *file = NULL;
    size_t got = 0;
    const size_t expected = sizeof many - (size_t)first * 4096;
    memset(many, 0, sizeof many);
    assert_int_equal(storage->open(storage, path, STORAGE_READ_CACHED, &file), OC_ERR_OK);
    assert_int_equal(storage->read(file, first * 4096, many, sizeof many, &got), OC_ERR_OK);
    assert_int_equal(got, expected);
    for (size_t i = 0; i < expected; i++)
        if (many[i] != (uint8_t)(i / 4096 + first + i))
            fail_msg("byte %zu from block %llu on", i, (unsigned long long)first);
    assert_int_equal(storage->read(file, sizeof many + 4096, many, 4096, &got), OC_ERR_OK);
    assert_int_equal(got, 0);
    storage->close(file);
}

/* Blocks of the file that are in the page cache. */
static size_t cached_blocks(void)
{
    unsigned char in_cache[CACHED_BLOCKS] = {0};
    size_t count = 0;
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    void *map = mmap(NULL, sizeof many, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(map != MAP_FAILED);
    assert_int_equal(mincore(map, sizeof many, in_cache), 0);
    for (size_t i = 0; i < CACHED_BLOCKS; i++)
        count += in_cache[i] & 1;
    (void)munmap(map, sizeof many);
    (void)close(fd);
    return count;
}

/* Bytes that this process had the devices read; -1: not to be known here. */
static long long device_bytes(void)
{
    char line[128];
    long long bytes = -1;
    FILE *file = fopen("/proc/self/io", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "read_bytes: ", 12))
            bytes = strtoll(line + 12, NULL, 10);
    if (file)
        (void)fclose(file);
    return bytes;
}

/* True if the file system knows O_DIRECT, and the file is out of the page cache now. */
static bool make_cold(void)
{
    const int fd = open(path, O_RDONLY | O_DIRECT);
    if (fd < 0)
        return false;
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    (void)close(fd);
    return cached_blocks() == 0;
}

static void make_warm(size_t bytes)
{
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
    for (size_t at = 0; at < bytes; at += 4096)
        assert_int_equal(pread(fd, many, 4096, (off_t)at), 4096);
    (void)close(fd);
}

static void test_what_is_cold_stays_out_of_the_cache(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    make_large_file(storage);
    if (!make_cold()) {
        print_message("SKIP: this file system cannot be read around the page cache\n");
        check_large_read(storage, 0);
        return;
    }
    check_large_read(storage, 0);
    check_large_read(storage, 299);
    assert_int_equal(cached_blocks(), 0);
    /* Half of it is there: that is not enough, and does no harm. */
    make_warm(150 * 4096);
    const size_t before = cached_blocks();
    check_large_read(storage, 0);
    check_large_read(storage, 7);
    assert_int_equal(cached_blocks(), before);
}

static void test_what_is_warm_needs_no_device(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    make_large_file(storage);
    make_warm(sizeof many);
    const long long before = device_bytes();
    storage_file_t *file = NULL;
    size_t got = 0;
    assert_int_equal(storage->open(storage, path, STORAGE_READ_CACHED, &file), OC_ERR_OK);
    assert_int_equal(storage->read(file, 0, many, sizeof many, &got), OC_ERR_OK);
    assert_int_equal(got, sizeof many);
    assert_int_equal(storage->read(file, 4096, many, 4096, &got), OC_ERR_OK);
    assert_int_equal(got, 4096);
    if (before < 0)
        print_message("SKIP: bytes read from the device are not to be known here\n");
    else
        assert_int_equal(device_bytes(), before);
    /* It is for reading. */
    assert_int_equal(storage->write(file, 0, many, 4096), OC_ERR_WRITE);
    storage->close(file);
    check_large_read(storage, 0);
}

static void test_cached_without_a_file(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    storage_file_t *file = NULL;
    size_t got = 0;
    assert_int_equal(storage->open(storage, path, STORAGE_READ_CACHED, &file), OC_ERR_OPEN);
    assert_int_equal(storage->open(storage, path, STORAGE_CREATE, &file), OC_ERR_OK);
    storage->close(file);
    assert_int_equal(storage->open(storage, path, STORAGE_READ_CACHED, &file), OC_ERR_OK);
    assert_int_equal(storage->read(file, 0, blocks, 4096, &got), OC_ERR_OK);
    assert_int_equal(got, 0);
    storage->close(file);
}

static bool find_name(void *context, const char *name)
{
    uint32_t *found = context;
    *found += strcmp(name, "file") == 0 || strcmp(name, "other") == 0 ? 1 : 100;
    return true;
}

static bool stop_at_once(void *context, const char *name)
{
    (void)name;
    ++*(uint32_t *)context;
    return false;
}

static void test_names(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    char other[128];
    (void)snprintf(other, sizeof other, "%s/other", folder);
    storage_file_t *file = NULL;
    assert_int_equal(storage->open(storage, other, STORAGE_CREATE, &file), OC_ERR_OK);
    storage->close(file);
    uint32_t found = 0;
    assert_int_equal(storage->list(storage, folder, find_name, &found), OC_ERR_OK);
    assert_int_equal(found, 1);
    assert_int_equal(storage->rename(storage, other, path), OC_ERR_OK);
    assert_int_equal(storage->rename(storage, other, path), OC_ERR_WRITE);
    found = 0;
    assert_int_equal(storage->list(storage, folder, stop_at_once, &found), OC_ERR_OK);
    assert_int_equal(found, 1);
    assert_int_equal(storage->remove(storage, path), OC_ERR_OK);
    assert_int_equal(storage->remove(storage, path), OC_ERR_WRITE);
    assert_int_equal(storage->list(storage, path, find_name, &found), OC_ERR_OPEN);
    uint64_t bytes = 0;
    assert_int_equal(storage->free_bytes(storage, folder, &bytes), OC_ERR_OK);
    assert_true(bytes > 0);
    assert_int_equal(storage->free_bytes(storage, path, &bytes), OC_ERR_READ);
    assert_int_equal(storage->sync_dir(storage, path), OC_ERR_OPEN);
}

static void test_directories(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    char deep[128];
    (void)snprintf(deep, sizeof deep, "%s/a//b/c/", folder);
    assert_int_equal(storage->make_dir(storage, deep), OC_ERR_OK);
    assert_int_equal(storage->make_dir(storage, deep), OC_ERR_OK);
    assert_int_equal(storage->make_dir(storage, "/"), OC_ERR_OK);
    assert_int_equal(storage->make_dir(storage, "/proc/none/such"), OC_ERR_OPEN);
    const char *const made[] = {"a/b/c", "a/b", "a"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        char one[128];
        (void)snprintf(one, sizeof one, "%s/%s", folder, made[i]);
        assert_int_equal(rmdir(one), 0);
    }
}

static void lock_again(void *context)
{
    const storage_t *storage = storage_device();
    storage_file_t *file = NULL;
    _exit((int)storage->lock(storage, context, &file));
}

static void test_lock(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    storage_file_t *lock = NULL;
    storage_file_t *second = NULL;
    assert_int_equal(storage->lock(storage, path, &lock), OC_ERR_OK);
    assert_int_equal(storage->lock(storage, path, &second), OC_ERR_LOCKED);
    assert_non_null(strstr(oc_err_context(), path));
    assert_int_equal(child_status(lock_again, path), OC_ERR_LOCKED);
    storage->close(lock);
    /* A process that ends gives it back. */
    assert_int_equal(child_status(lock_again, path), OC_ERR_OK);
    assert_int_equal(storage->lock(storage, path, &lock), OC_ERR_OK);
    storage->close(lock);
}

static void probe_again(void *context)
{
    const storage_t *storage = storage_device();
    _exit((int)storage->probe(storage, context));
}

/* Holds the file as a probe does, tells so, and ends 30 ms later. */
static void hold_shared(int ready)
{
    const int fd = open(path, O_RDONLY);
    char told = 1;
    if (fd < 0 || flock(fd, LOCK_SH) != 0 || write(ready, &told, 1) != 1)
        _exit(1);
    const struct timespec pause = {.tv_nsec = 30000000};
    (void)nanosleep(&pause, NULL);
    _exit(0);
}

static void test_probe(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    storage_file_t *lock = NULL;
    assert_int_equal(storage->probe(storage, path), OC_ERR_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(storage->lock(storage, path, &lock), OC_ERR_OK);
    assert_int_equal(storage->probe(storage, path), OC_ERR_LOCKED);
    assert_int_equal(child_status(probe_again, path), OC_ERR_LOCKED);
    storage->close(lock);
    assert_int_equal(storage->probe(storage, path), OC_ERR_OK);
    /* Who looks is waited for. */
    int ready[2];
    char told = 0;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        hold_shared(ready[1]);
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], &told, 1), 1);
    (void)close(ready[0]);
    assert_int_equal(storage->probe(storage, path), OC_ERR_OK);
    assert_int_equal(storage->lock(storage, path, &lock), OC_ERR_OK);
    storage->close(lock);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write_and_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_what_is_cold_stays_out_of_the_cache, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_what_is_warm_needs_no_device, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_cached_without_a_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_names, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_directories, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_lock, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_probe, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
