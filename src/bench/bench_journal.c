/*
 * The journal's throughput against that of the device, and how fast it is read back. Called by
 * `outcry bench journal`.
 *
 * Invariants: both writers go through the same storage table, on space that was zeroed and synced
 * before the clock started; they take turns, so that a device that slows down slows both. Every
 * round's log is recovered and counted. Files are made in a folder of their own.
 */
#define _GNU_SOURCE
#include "bench/bench_journal.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/log_folder.h"
#include "bench/raw_sync.h"
#include "bench/timed_run.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FOLDER        "outcry-bench-journal"
#define ENTRY_TYPE    JOURNAL_TYPE_USER
#define FLUSH_ENTRIES 64 /* as many as a busy duty cycle may bring */
#define SEGMENTS      4  /* of a round */
#define ROUNDS_MIN    3
#define SYNC_SAMPLES  400
#define PATH_SIZE     4096
#define FULL_PAUSE_NS 50000
#define WAIT_NS       UINT64_C(60000000000) /* for space to be prepared */

typedef struct samples {
    double values[BENCH_JOURNAL_ROUNDS_MAX];
} samples_t;

typedef struct rounds {
    samples_t entries, journal, raw, ratio, group, recovery;
    uint32_t count;
} rounds_t;

typedef struct bench {
    const bench_journal_options_t *options;
    const storage_t *storage;
    char dir[PATH_SIZE];
    char raw[PATH_SIZE + 8];
    uint8_t *group; /* one group of the raw writer */
    uint32_t group_bytes;
    uint64_t entries; /* of the round */
} bench_t;

/* Of no rounds: 0. */
static double median(samples_t *samples, uint32_t count)
{
    return count > 0 ? timed_run_median(samples->values, count) : 0;
}

/* ---- The raw writer ---- */

static oc_err_t write_all(const bench_t *bench, storage_file_t *file, bool sync_each)
{
    oc_err_t err = OC_ERR_OK;
    for (uint64_t at = 0; err == OC_ERR_OK && at < bench->options->round_bytes;
         at += bench->group_bytes) {
        err = bench->storage->write(file, at, bench->group, bench->group_bytes);
        if (err == OC_ERR_OK && sync_each)
            err = bench->storage->sync(file);
        err = process_check_interrupted(err);
    }
    return err;
}

/* A zeroed and synced file, open for writing. */
static oc_err_t prepare_raw(bench_t *bench, storage_file_t **file)
{
    oc_err_t err = bench->storage->open(bench->storage, bench->raw, STORAGE_CREATE, file);
    if (err != OC_ERR_OK)
        return err;
    memset(bench->group, 0, bench->group_bytes);
    err = write_all(bench, *file, false);
    if (err == OC_ERR_OK)
        err = bench->storage->sync(*file);
    memset(bench->group, 0xA5, bench->group_bytes);
    return err;
}

static oc_err_t raw_round(bench_t *bench, double *mb_per_s)
{
    storage_file_t *file = NULL;
    oc_err_t err = prepare_raw(bench, &file);
    const uint64_t begin_ns = clock_wall_ns();
    if (err == OC_ERR_OK)
        err = write_all(bench, file, bench->options->sync == JOURNAL_SYNC_ALWAYS);
    *mb_per_s = bench->options->round_bytes * 1e3 / (double)(clock_wall_ns() - begin_ns);
    bench->storage->close(file);
    const oc_err_t removed = bench->storage->remove(bench->storage, bench->raw);
    return err != OC_ERR_OK ? err : removed;
}

/* ---- The journal ---- */

static void journal_options(const bench_t *bench, journal_config_t *config, uint32_t ready)
{
    journal_config_init(config);
    config->dir = bench->dir;
    config->sync = bench->options->sync;
    config->segment_bytes = bench->options->round_bytes / SEGMENTS;
    config->group_bytes = bench->group_bytes;
    config->ready_segments = ready;
}

static oc_err_t open_log(journal_t **journal, const journal_config_t *config,
                         journal_verdict_t *verdict)
{
    oc_err_t err = journal_open(journal, config);
    if (err != OC_ERR_OK)
        return err;
    err = journal_recover(*journal, (log_position_t){0}, NULL, NULL, verdict);
    if (err != OC_ERR_OK) {
        (void)journal_close(*journal);
        *journal = NULL;
    }
    return err;
}

/* A log with one segment more than the round fills, so that nothing is prepared while it runs. */
static oc_err_t prepare_journal(const bench_t *bench)
{
    journal_config_t config;
    journal_options(bench, &config, SEGMENTS + 1);
    journal_t *journal;
    journal_verdict_t verdict;
    oc_err_t err = open_log(&journal, &config, &verdict);
    if (err != OC_ERR_OK)
        return err;
    err = journal_start(journal);
    const uint64_t until_ns = clock_wall_ns() + WAIT_NS;
    journal_stats_t stats = {0};
    while (err == OC_ERR_OK && stats.segments_ready <= SEGMENTS) {
        err = process_sleep(1000000);
        journal_stats(journal, &stats);
        if (journal_condition(journal) == JOURNAL_FAILED)
            err = journal_failure(journal);
        else if (clock_wall_ns() > until_ns || journal_condition(journal) == JOURNAL_LOW_SPACE)
            err = error_set(OC_ERR_NO_SPACE, "bench: no space for %u bytes of log in %s",
                            (unsigned)bench->options->round_bytes, bench->dir);
    }
    const oc_err_t closed = journal_close(journal);
    return err != OC_ERR_OK ? err : closed;
}

static void *claim(journal_t *journal, uint32_t length, uint64_t number)
{
    void *payload;
    while ((payload = journal_claim(journal, ENTRY_TYPE, length, (int64_t)number)) == NULL) {
        journal_flush(journal);
        if (journal_condition(journal) == JOURNAL_FAILED)
            return NULL;
        /* All buffers are full, so the writer has work for longer than that; a processor that spins
         * meanwhile is taken from the device's own work. */
        const struct timespec pause = {.tv_nsec = FULL_PAUSE_NS};
        (void)nanosleep(&pause, NULL);
    }
    return payload;
}

/* Appends until the round's log is full and durable. */
static oc_err_t append_all(bench_t *bench, journal_t *journal)
{
    const uint32_t length = bench->options->entry_bytes;
    const uint64_t begin = journal_durable(journal).value;
    const uint64_t end = begin + bench->options->round_bytes - 2 * bench->group_bytes;
    log_position_t position = {begin};
    bench->entries = 0;
    while (position.value < end) {
        if (process_end_requested())
            return process_check_interrupted(OC_ERR_OK);
        uint8_t *payload = claim(journal, length, bench->entries);
        if (!payload)
            return journal_failure(journal);
        memset(payload, 0x5A, length);
        memcpy(payload, &bench->entries, sizeof bench->entries);
        position = journal_commit(journal);
        if (++bench->entries % FLUSH_ENTRIES == 0)
            journal_flush(journal);
    }
    while (journal_durable(journal).value < position.value) {
        journal_flush(journal);
        if (journal_condition(journal) == JOURNAL_FAILED)
            return journal_failure(journal);
        (void)sched_yield();
    }
    return OC_ERR_OK;
}

static oc_err_t append_round(bench_t *bench, rounds_t *rounds)
{
    journal_config_t config;
    journal_options(bench, &config, 1);
    journal_t *journal;
    journal_verdict_t verdict;
    oc_err_t err = open_log(&journal, &config, &verdict);
    if (err != OC_ERR_OK)
        return err;
    err = journal_start(journal);
    journal_stats_t before = {0};
    journal_stats_t after = {0};
    journal_stats(journal, &before);
    const uint64_t begin_ns = clock_wall_ns();
    if (err == OC_ERR_OK)
        err = append_all(bench, journal);
    const double ns = (double)(clock_wall_ns() - begin_ns);
    journal_stats(journal, &after);
    const oc_err_t closed = journal_close(journal);
    const double bytes = (double)(after.bytes_written - before.bytes_written);
    const uint64_t groups = after.groups - before.groups;
    rounds->entries.values[rounds->count] = (double)bench->entries * 1e9 / ns;
    rounds->journal.values[rounds->count] = bytes * 1e3 / ns;
    rounds->group.values[rounds->count] = groups ? bytes / (double)groups : 0;
    return err != OC_ERR_OK ? err : closed;
}

static oc_err_t count_entry(void *context, const journal_entry_t *entry)
{
    uint64_t *next = context;
    uint64_t number;
    memcpy(&number, entry->payload, sizeof number);
    if (number != *next)
        return error_set(OC_ERR_DAMAGED, "bench: an entry of the journal is not what was written");
    ++*next;
    return OC_ERR_OK;
}

static oc_err_t recovery_round(const bench_t *bench, double *entries_per_s)
{
    journal_config_t config;
    journal_options(bench, &config, 1);
    journal_t *journal;
    journal_verdict_t verdict;
    uint64_t entries = 0;
    const uint64_t begin_ns = clock_wall_ns();
    oc_err_t err = journal_open(&journal, &config);
    if (err != OC_ERR_OK)
        return err;
    err = journal_recover(journal, (log_position_t){0}, count_entry, &entries, &verdict);
    *entries_per_s = (double)entries * 1e9 / (double)(clock_wall_ns() - begin_ns);
    (void)journal_close(journal);
    if (err == OC_ERR_OK && entries != bench->entries)
        err = error_set(OC_ERR_DAMAGED, "bench: the journal does not hold what was written to it");
    return err;
}

/* The one that begins changes from round to round. */
static oc_err_t one_round(bench_t *bench, rounds_t *rounds)
{
    const uint32_t at = rounds->count;
    oc_err_t err = OC_ERR_OK;
    if (at % 2 == 0)
        err = raw_round(bench, &rounds->raw.values[at]);
    if (err == OC_ERR_OK)
        err = prepare_journal(bench);
    if (err == OC_ERR_OK)
        err = append_round(bench, rounds);
    if (err == OC_ERR_OK)
        err = recovery_round(bench, &rounds->recovery.values[at]);
    if (err == OC_ERR_OK)
        err = log_folder_clean(bench->dir);
    if (err == OC_ERR_OK && at % 2 != 0)
        err = raw_round(bench, &rounds->raw.values[at]);
    if (err != OC_ERR_OK)
        return err;
    rounds->ratio.values[at] = rounds->journal.values[at] / rounds->raw.values[at];
    rounds->count++;
    return OC_ERR_OK;
}

static oc_err_t all_rounds(bench_t *bench, bench_journal_result_t *result)
{
    rounds_t *rounds = calloc(1, sizeof *rounds);
    if (!rounds)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory for the results");
    const uint64_t until_ns = clock_wall_ns() + UINT64_C(1000000000) * bench->options->seconds;
    oc_err_t err = raw_sync_p50_us(bench->dir, SYNC_SAMPLES, &result->raw_sync_p50_us);
    while (err == OC_ERR_OK && rounds->count < BENCH_JOURNAL_ROUNDS_MAX &&
           (rounds->count < ROUNDS_MIN || clock_wall_ns() < until_ns))
        err = process_check_interrupted(one_round(bench, rounds));
    result->rounds = rounds->count;
    result->entries_per_s = median(&rounds->entries, rounds->count);
    result->journal_mb_per_s = median(&rounds->journal, rounds->count);
    result->raw_mb_per_s = median(&rounds->raw, rounds->count);
    result->ratio = median(&rounds->ratio, rounds->count);
    result->group_bytes_avg = median(&rounds->group, rounds->count);
    result->recovery_entries_per_s = median(&rounds->recovery, rounds->count);
    free(rounds);
    return err;
}

oc_err_t bench_journal(const bench_journal_options_t *options, bench_journal_result_t *result)
{
    memset(result, 0, sizeof *result);
    bench_t *bench = calloc(1, sizeof *bench);
    if (!bench)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory");
    journal_config_t config;
    journal_config_init(&config);
    const uint32_t quarter = options->round_bytes / SEGMENTS / 4;
    bench->options = options;
    bench->storage = storage_device();
    bench->group_bytes = config.group_bytes < quarter ? config.group_bytes : quarter;
    (void)snprintf(bench->dir, sizeof bench->dir, "%s/" FOLDER, options->dir);
    (void)snprintf(bench->raw, sizeof bench->raw, "%s/raw", bench->dir);
    bench->group = aligned_alloc(STORAGE_BLOCK, bench->group_bytes);
    bool made = false;
    oc_err_t err = bench->group ? OC_ERR_OK : error_set(OC_ERR_NO_MEMORY, "bench: no memory");
    if (err == OC_ERR_OK)
        err = log_folder_parent(options->dir, &made);
    if (err == OC_ERR_OK)
        err = log_folder_make(bench->dir);
    if (err == OC_ERR_OK)
        err = all_rounds(bench, result);
    err = log_folder_remove(bench->dir, err);
    if (made)
        (void)rmdir(options->dir);
    free(bench->group);
    free(bench);
    return err;
}
