/*
 * The bare device. Called by the benches that promise durability.
 *
 * Invariant: only the write and the sync are timed; space was allocated and written before, because
 * extending a file costs a multiple.
 */
#define _GNU_SOURCE
#include "bench/raw_sync.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4200 };

static oc_err_t zero_space(const storage_t *storage, storage_file_t *file, void *block,
                           uint32_t samples)
{
    oc_err_t err = OC_ERR_OK;
    memset(block, 0, STORAGE_BLOCK);
    for (uint32_t i = 0; err == OC_ERR_OK && i < samples; i++)
        err = storage->write(file, i * STORAGE_BLOCK, block, STORAGE_BLOCK);
    return err == OC_ERR_OK ? storage->sync(file) : err;
}

static oc_err_t time_writes(const storage_t *storage, storage_file_t *file, void *block,
                            uint32_t samples, histogram_t *latency)
{
    oc_err_t err = OC_ERR_OK;
    memset(block, 0xA5, STORAGE_BLOCK);
    for (uint32_t i = 0; err == OC_ERR_OK && i < samples; i++) {
        const uint64_t begin_ns = clock_wall_ns();
        err = storage->write(file, i * STORAGE_BLOCK, block, STORAGE_BLOCK);
        if (err == OC_ERR_OK)
            err = storage->sync(file);
        if (err == OC_ERR_OK)
            histogram_record(latency, clock_wall_ns() - begin_ns);
        err = process_check_interrupted(err);
    }
    return err;
}

oc_err_t raw_sync(const char *dir, uint32_t samples, histogram_t *latency)
{
    const storage_t *storage = storage_device();
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/" RAW_SYNC_PREFIX "%d", dir, (int)getpid());
    void *block = aligned_alloc(STORAGE_BLOCK, STORAGE_BLOCK);
    if (!block)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a block");
    storage_file_t *file = NULL;
    oc_err_t err = storage->open(storage, path, STORAGE_CREATE, &file);
    if (err == OC_ERR_OK) {
        err = zero_space(storage, file, block, samples);
        if (err == OC_ERR_OK)
            err = time_writes(storage, file, block, samples, latency);
        storage->close(file);
        const oc_err_t removed = storage->remove(storage, path);
        err = err != OC_ERR_OK ? err : removed;
    }
    free(block);
    return err;
}

oc_err_t raw_sync_p50_us(const char *dir, uint32_t samples, double *p50_us)
{
    histogram_t *latency = histogram_create();
    if (!latency)
        return error_set(OC_ERR_NO_MEMORY, "no memory for a histogram");
    const oc_err_t err = raw_sync(dir, samples, latency);
    *p50_us = (double)histogram_percentile(latency, 50.0) / 1e3;
    histogram_destroy(latency);
    return err;
}
