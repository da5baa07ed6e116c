/*
 * Recovery of a journal of W1. Called by `outcry bench recovery`.
 *
 * Invariants: the log is written by an exchange that applies each message at once, as a node does,
 * and is recovered by one that does not (nothing is sent then), so equal hashes say something.
 * Every repeat recovers into a new exchange. Files are made in a folder of their own.
 */
#define _GNU_SOURCE
#include "bench/bench_recovery.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/log_folder.h"
#include "bench/offline_node.h"
#include "bench/timed_run.h"
#include "bench/workload.h"
#include "codec/order_entry_codec.h"
#include "host/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER        "outcry-bench-recovery"
#define PATH_SIZE     4096
#define QUANTITY_MAX  1000
#define RESTING_SHARE 10 /* of the commands, the part that builds the book */

typedef struct bench {
    const bench_recovery_options_t *options;
    const storage_t *storage;
    char dir[PATH_SIZE];
    exchange_config_t config;
    workload_t workload;
} bench_t;

/* ---- Writing ---- */

static oc_err_t send_all(const bench_t *bench, offline_node_t *node, oc_session_id_t trader)
{
    static uint8_t bytes[BENCH_RECOVERY_PER_MESSAGE_MAX * ORDER_ENTRY_BYTES_MAX];
    const uint32_t count = bench->workload.resting_count + bench->workload.mixed_count;
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < count;) {
        size_t length = 0;
        for (uint32_t n = 0; n < bench->options->per_message && i < count; n++, i++) {
            oc_request_t request = {.type = OC_REQUEST_COMMAND};
            workload_command(&bench->workload, i, &request.u.command);
            length += order_entry_encode(&request, bytes + length, sizeof bytes - length);
        }
        err = process_check_interrupted(offline_node_message(node, trader, bytes, length));
    }
    return err;
}

static oc_err_t write_log(const bench_t *bench, bench_recovery_result_t *result)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = bench->dir;
    config.storage = bench->storage;
    offline_node_t *node;
    oc_err_t err = offline_node_create(&node, &config, &bench->config);
    if (err != OC_ERR_OK)
        return err;
    oc_session_id_t trader;
    const uint64_t begin_ns = clock_wall_ns();
    err = offline_node_market(node, WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF,
                              WORKLOAD_PRICE_MIDDLE + WORKLOAD_PRICE_HALF, QUANTITY_MAX, &trader);
    if (err == OC_ERR_OK)
        err = send_all(bench, node, trader);
    result->write_s = (double)(clock_wall_ns() - begin_ns) / 1e9;
    result->entries = offline_node_entries(node);
    result->state_hash = offline_node_state_hash(node);
    const oc_err_t closed = offline_node_destroy(node);
    return err != OC_ERR_OK ? err : closed;
}

/* ---- Reading ---- */

static oc_err_t read_once(const bench_t *bench, bench_recovery_result_t *result, double *seconds)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = bench->dir;
    config.storage = bench->storage;
    config.read_only = true;
    journal_t *journal;
    journal_verdict_t verdict;
    const uint64_t begin_ns = clock_wall_ns();
    oc_err_t err = journal_open(&journal, &config);
    if (err != OC_ERR_OK)
        return err;
    err = journal_recover(journal, (log_position_t){0}, NULL, NULL, &verdict);
    *seconds = (double)(clock_wall_ns() - begin_ns) / 1e9;
    (void)journal_close(journal);
    result->journal_bytes = verdict.end.value;
    result->read_bytes = verdict.bytes;
    return err;
}

static oc_err_t recover_once(const bench_t *bench, bench_recovery_result_t *result, double *seconds,
                             double *cpu_seconds)
{
    exchange_t *exchange;
    node_report_t report;
    oc_err_t err = exchange_create(&exchange, &bench->config);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t begin_ns = clock_wall_ns();
    const uint64_t cpu_begin_ns = clock_cpu_ns();
    err = node_replay(bench->dir, exchange_service(exchange), NODE_REPLAY_LOG, &report);
    *cpu_seconds = (double)(clock_cpu_ns() - cpu_begin_ns) / 1e9;
    *seconds = (double)(clock_wall_ns() - begin_ns) / 1e9;
    exchange_destroy(exchange);
    if (err == OC_ERR_OK && report.entries != result->entries)
        err = error_set(OC_ERR_DAMAGED, "bench: the journal does not hold what was written to it");
    result->recovered_hash = report.state_hash;
    return err;
}

static oc_err_t measure(const bench_t *bench, bench_recovery_result_t *result)
{
    double reads[BENCH_RECOVERY_REPEATS_MAX] = {0};
    double recoveries[BENCH_RECOVERY_REPEATS_MAX] = {0};
    double cpus[BENCH_RECOVERY_REPEATS_MAX] = {0};
    const uint32_t repeats = bench->options->repeats;
    oc_err_t err = write_log(bench, result);
    for (uint32_t i = 0; err == OC_ERR_OK && i < repeats; i++) {
        err = process_check_interrupted(read_once(bench, result, &reads[i]));
        if (err == OC_ERR_OK)
            err = process_check_interrupted(recover_once(bench, result, &recoveries[i], &cpus[i]));
        if (err == OC_ERR_OK && result->recovered_hash != result->state_hash)
            break; /* the figures are worth nothing */
    }
    result->read_only_s = timed_run_median(reads, repeats);
    result->recovery_s = timed_run_median(recoveries, repeats);
    result->recovery_cpu_s = timed_run_median(cpus, repeats);
    return err;
}

/* The book that a tenth of the commands builds, at most W1's own, and the mixed rest. */
static oc_err_t prepare(bench_t *bench)
{
    uint32_t resting = bench->options->commands / RESTING_SHARE;
    if (resting > WORKLOAD_RESTING_DEFAULT)
        resting = WORKLOAD_RESTING_DEFAULT;
    const oc_err_t err =
        workload_init(&bench->workload, WORKLOAD_W1, resting, bench->options->commands - resting);
    if (err != OC_ERR_OK)
        return err;
    exchange_config_init(&bench->config);
    /* One more than ever rest: there is no room to be lost for the order that only trades. */
    if (bench->config.engine.max_orders <= bench->workload.oracle.live_max)
        bench->config.engine.max_orders = bench->workload.oracle.live_max + 1;
    return OC_ERR_OK;
}

oc_err_t bench_recovery(const bench_recovery_options_t *options, bench_recovery_result_t *result)
{
    OC_ASSERT(options->repeats > 0);
    OC_ASSERT(options->repeats <= BENCH_RECOVERY_REPEATS_MAX);
    OC_ASSERT(options->per_message > 0);
    OC_ASSERT(options->per_message <= BENCH_RECOVERY_PER_MESSAGE_MAX);
    memset(result, 0, sizeof *result);
    bench_t *bench = calloc(1, sizeof *bench);
    if (!bench)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory");
    bench->options = options;
    bench->storage = storage_device();
    (void)snprintf(bench->dir, sizeof bench->dir, "%s/" FOLDER, options->dir);
    bool made;
    oc_err_t err = log_folder_parent(options->dir, &made);
    if (err == OC_ERR_OK)
        err = log_folder_make(bench->dir);
    if (err == OC_ERR_OK)
        err = process_check_interrupted(prepare(bench));
    if (err == OC_ERR_OK)
        err = measure(bench, result);
    err = log_folder_remove(bench->dir, err);
    if (made)
        (void)rmdir(options->dir);
    workload_fini(&bench->workload);
    free(bench);
    return err;
}
