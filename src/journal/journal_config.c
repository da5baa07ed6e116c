/*
 * The journal's configuration: defaults and ranges. Called by whoever opens a journal, and by
 * journal_open() itself.
 */
#include "journal/journal.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define KIB UINT32_C(1024)
#define MIB (1024 * KIB)

void journal_config_init(journal_config_t *config)
{
    memset(config, 0, sizeof *config);
    config->storage = storage_device();
    config->sync = JOURNAL_SYNC_ALWAYS;
    config->sync_period_ms = 100;
    config->segment_bytes = 64 * MIB;
    config->group_bytes = MIB;
    config->groups = 4;
    config->ready_segments = 2;
    config->low_space_bytes = 256 * MIB;
    config->writer_cpu = -1;
}

static oc_err_t check_range(const char *name, uint32_t value, uint32_t low, uint32_t high)
{
    if (value >= low && value <= high)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG,
                     "journal: %s is %" PRIu32 ", it must be %" PRIu32 " to %" PRIu32, name, value,
                     low, high);
}

static oc_err_t check_size(const char *name, uint32_t value, uint32_t low, uint32_t high)
{
    if (value & (value - 1))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "journal: %s is %" PRIu32 ", it must be a power of two", name, value);
    return check_range(name, value, low, high);
}

oc_err_t journal_config_check(const journal_config_t *config)
{
    if (!config->dir || !config->dir[0])
        return error_set(OC_ERR_INVALID_CONFIG, "journal: no directory is given");
    if (!config->storage)
        return error_set(OC_ERR_INVALID_CONFIG, "journal: no storage is given");
    if ((unsigned)config->sync > JOURNAL_SYNC_NONE)
        return error_set(OC_ERR_INVALID_CONFIG, "journal: sync is %d, it must be 0 to 2",
                         (int)config->sync);
    oc_err_t err = check_range("sync_period_ms", config->sync_period_ms, 1, 60000);
    if (err == OC_ERR_OK)
        err = check_size("segment_bytes", config->segment_bytes, MIB, 1024 * MIB);
    if (err == OC_ERR_OK)
        err = check_size("group_bytes", config->group_bytes, 64 * KIB, 16 * MIB);
    if (err == OC_ERR_OK)
        err = check_range("groups", config->groups, 2, 16);
    if (err == OC_ERR_OK)
        err = check_range("ready_segments", config->ready_segments, 1, 1024);
    if (err == OC_ERR_OK)
        err = check_range("writer_spin_us", config->writer_spin_us, 0, 1000000);
    if (err != OC_ERR_OK)
        return err;
    if (config->group_bytes > config->segment_bytes / 2)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "journal: group_bytes is %" PRIu32
                         ", it must be at most half of the segment's %" PRIu32,
                         config->group_bytes, config->segment_bytes);
    if (config->writer_cpu < -1 || config->writer_cpu > 1023)
        return error_set(OC_ERR_INVALID_CONFIG, "journal: writer_cpu is %d, it must be -1 to 1023",
                         config->writer_cpu);
    return OC_ERR_OK;
}
