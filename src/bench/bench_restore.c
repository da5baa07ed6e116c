/*
 * Restoring an engine from an image. Called by `outcry bench restore`.
 *
 * Invariants: cold and warm, bare and loaded alternate in each repeat, so that what else the
 * machine does falls on all of them; every load is followed by the check of the hash, so that none
 * is measured that did not bring the state back. It must not write while it measures.
 */
#define _GNU_SOURCE
#include "bench/bench_restore.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "base/remove_tree.h"
#include "bench/bench_book.h"
#include "bench/bench_engine.h"
#include "bench/log_folder.h"
#include "bench/raw_read.h"
#include "bench/timed_run.h"
#include "bench/workload.h"
#include "engine/engine_records.h"
#include "service/restored_engine.h"
#include "snapshot/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "outcry-bench-restore"
enum { PATH_SIZE = 4096, BATCH = 1024, BLOCK_BYTES = 1 << 20 };

_Static_assert(BENCH_RESTORE_THREADS_MAX == RAW_READ_THREADS_MAX, "the peer has as many");
_Static_assert(BENCH_RESTORE_THREADS_MAX <= RESTORED_ENGINE_THREADS_MAX, "the check too");
_Static_assert(BENCH_RESTORE_REPEATS_MAX <= BENCH_REPEATS_MAX, "medians take so many");

/* What each repeat measures. */
typedef struct bench_times {
    double raw_cold[BENCH_RESTORE_REPEATS_MAX];
    double load_cold[BENCH_RESTORE_REPEATS_MAX];
    double ratio[BENCH_RESTORE_REPEATS_MAX];
    double raw_warm[BENCH_RESTORE_REPEATS_MAX];
    double load_warm[BENCH_RESTORE_REPEATS_MAX];
    double verify[BENCH_RESTORE_REPEATS_MAX];
} bench_times_t;

typedef struct bench {
    const bench_restore_options_t *options;
    bench_restore_result_t *result;
    char dir[PATH_SIZE];
    char image_path[PATH_SIZE + 64];
    workload_t workload;
    bench_engine_tally_t tally;
    image_store_t *store;
    const image_info_t *info;
    uint64_t state_hash;
    bench_times_t times;
} bench_t;

static double since_ms(uint64_t begin_ns)
{
    return (double)(clock_wall_ns() - begin_ns) / 1e6;
}

static oc_err_t make_engine(bench_t *bench, oc_engine_t **engine)
{
    const bench_options_t options = {.engine = OC_ENGINE_FAST, .repeats = 1};
    return bench_book_engine(engine, &bench->workload, &options, bench_engine_tally_sink,
                             &bench->tally);
}

/* ---- Writing ---- */

static oc_err_t fill(const bench_t *bench, oc_engine_t *engine)
{
    static oc_command_t commands[BATCH];
    const uint32_t count = bench->workload.resting_count;
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < count;) {
        size_t batch = 0;
        for (; batch < BATCH && i < count; i++)
            workload_command(&bench->workload, i, &commands[batch++]);
        err = process_check_interrupted(oc_engine_apply_batch(engine, commands, batch));
    }
    return err;
}

static void describe(const oc_arena_t *arena, image_info_t *info)
{
    image_section_t *section = &info->sections[0];
    info->section_count = 1;
    section->kind = IMAGE_PAGES;
    section->layout = arena->layout;
    section->size = arena->size;
    memcpy(section->name, arena->name, sizeof section->name);
}

static oc_err_t write_pages(image_writer_t *writer, const oc_arena_t *arena)
{
    const size_t pages = arena->size >> OC_ARENA_PAGE_SHIFT;
    oc_err_t err = OC_ERR_OK;
    for (size_t page = 0; err == OC_ERR_OK && page < pages; page++) {
        if (arena->stamps[page] == 0)
            continue;
        memcpy(image_writer_room(writer), arena->base + (page << OC_ARENA_PAGE_SHIFT),
               OC_ARENA_PAGE_SIZE);
        err = image_writer_put(writer, 0, (uint32_t)page);
    }
    return err;
}

static oc_err_t write_image(bench_t *bench, image_writer_t *writer, const oc_arena_t *arena)
{
    image_info_t info = {.sequence = image_store_next_sequence(bench->store)};
    const image_place_t place = {.log_id = 1, .position = 1, .state_hash = bench->state_hash};
    describe(arena, &info);
    oc_err_t err = image_writer_begin(writer, &info, "", 0);
    if (err == OC_ERR_OK)
        err = write_pages(writer, arena);
    if (err == OC_ERR_OK)
        err = image_writer_finish(writer, &place, &info);
    if (err == OC_ERR_OK)
        err = image_store_commit(bench->store, &info);
    if (err != OC_ERR_OK)
        return err;
    bench->info = image_store_find(bench->store, info.sequence);
    OC_ASSERT(bench->info != NULL);
    bench->result->image_bytes = bench->info->bytes;
    (void)snprintf(bench->image_path, sizeof bench->image_path,
                   "%s/" IMAGE_DIR "/%016" PRIx64 ".pages", bench->dir, info.sequence);
    return OC_ERR_OK;
}

/* The book, and an image of it. */
static oc_err_t prepare_image(bench_t *bench)
{
    const image_writer_config_t config = {
        .dir = bench->dir, .storage = storage_device(), .block_bytes = BLOCK_BYTES};
    oc_engine_t *engine;
    image_writer_t *writer = NULL;
    oc_err_t err = make_engine(bench, &engine);
    if (err != OC_ERR_OK)
        return err;
    err = fill(bench, engine);
    if (err == OC_ERR_OK)
        err = image_writer_create(&writer, &config);
    if (err == OC_ERR_OK) {
        bench->state_hash = oc_engine_state_hash(engine);
        const uint64_t begin_ns = clock_wall_ns();
        err = write_image(bench, writer, engine_arena(engine));
        bench->result->write_ms = since_ms(begin_ns);
    }
    image_writer_destroy(writer);
    oc_engine_destroy(engine);
    return err;
}

/* ---- Loading ---- */

static oc_err_t load_once(bench_t *bench, double *load_ms, double *verify_ms)
{
    oc_engine_t *engine;
    oc_err_t err = make_engine(bench, &engine);
    if (err != OC_ERR_OK)
        return err;
    const image_target_t target = {.arena = engine_arena(engine)};
    const uint64_t begin_ns = clock_wall_ns();
    err = image_load(bench->store, bench->info, &target, 1, bench->result->threads);
    *load_ms = since_ms(begin_ns);
    if (err == OC_ERR_OK) {
        const uint64_t loaded_ns = clock_wall_ns();
        err = restored_engine_check(engine, bench->result->threads);
        *verify_ms = since_ms(loaded_ns);
    }
    if (err == OC_ERR_OK && oc_engine_state_hash(engine) != bench->state_hash)
        bench->result->equal = false;
    oc_engine_destroy(engine);
    return err;
}

static oc_err_t read_cold(bench_t *bench, double *ms)
{
    raw_reading_t reading = {0};
    oc_err_t err = raw_read_forget(bench->image_path);
    if (err == OC_ERR_OK)
        err = raw_read(bench->image_path, bench->result->threads, true, &reading);
    *ms = reading.ms;
    bench->result->raw_direct = reading.direct;
    return err;
}

static oc_err_t load_cold(bench_t *bench, double *ms)
{
    double verify_ms = 0.0;
    const oc_err_t err = raw_read_forget(bench->image_path);
    return err == OC_ERR_OK ? load_once(bench, ms, &verify_ms) : err;
}

/* Under this machine may be another with a cache of its own: both must find the same there, so the
 * device is read once before, and who comes first changes. */
static oc_err_t measure_cold(bench_t *bench, uint32_t repeat)
{
    bench_times_t *times = &bench->times;
    const bool load_first = repeat % 2 != 0;
    double unused_ms = 0.0;
    oc_err_t err = read_cold(bench, &unused_ms);
    if (err == OC_ERR_OK && load_first)
        err = load_cold(bench, &times->load_cold[repeat]);
    if (err == OC_ERR_OK)
        err = read_cold(bench, &times->raw_cold[repeat]);
    if (err == OC_ERR_OK && !load_first)
        err = load_cold(bench, &times->load_cold[repeat]);
    if (err == OC_ERR_OK)
        times->ratio[repeat] = times->load_cold[repeat] / times->raw_cold[repeat];
    return err;
}

static oc_err_t measure_once(bench_t *bench, uint32_t repeat)
{
    bench_times_t *times = &bench->times;
    oc_err_t err = process_check_interrupted(measure_cold(bench, repeat));
    /* Once to fill the page cache, once for the clock. */
    raw_reading_t reading = {0};
    for (int i = 0; err == OC_ERR_OK && i < 2; i++)
        err = raw_read(bench->image_path, bench->result->threads, false, &reading);
    times->raw_warm[repeat] = reading.ms;
    if (err == OC_ERR_OK)
        err = load_once(bench, &times->load_warm[repeat], &times->verify[repeat]);
    return err;
}

static oc_err_t measure(bench_t *bench)
{
    const uint32_t repeats = bench->options->repeats;
    bench_restore_result_t *result = bench->result;
    bench_times_t *times = &bench->times;
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < repeats; i++)
        err = process_check_interrupted(measure_once(bench, i));
    if (err != OC_ERR_OK)
        return err;
    result->raw_cold_ms = timed_run_median(times->raw_cold, repeats);
    result->load_cold_ms = timed_run_median(times->load_cold, repeats);
    result->cold_ratio = timed_run_median(times->ratio, repeats);
    result->raw_warm_ms = timed_run_median(times->raw_warm, repeats);
    result->load_warm_ms = timed_run_median(times->load_warm, repeats);
    result->verify_hash_ms = timed_run_median(times->verify, repeats);
    return OC_ERR_OK;
}

/* ---- The whole ---- */

static oc_err_t open_store(bench_t *bench)
{
    const image_store_config_t config = {.dir = bench->dir, .storage = storage_device(), .keep = 1};
    return image_store_open(&bench->store, &config);
}

/* Removes what was made; `err` is how the bench ended, and is returned if it is one. */
static oc_err_t clean(const bench_t *bench, oc_err_t err)
{
    char text[512];
    char images[PATH_SIZE + 16];
    (void)snprintf(text, sizeof text, "%s", oc_err_context());
    (void)snprintf(images, sizeof images, "%s/" IMAGE_DIR, bench->dir);
    const oc_err_t removed = remove_tree(images);
    /* It stays if anything of somebody else's is in it. */
    (void)rmdir(bench->dir);
    return err != OC_ERR_OK ? error_set(err, "%s", text) : removed;
}

static uint32_t default_threads(void)
{
    const long threads = 2 * sysconf(_SC_NPROCESSORS_ONLN);
    if (threads < 1)
        return 1;
    return threads < BENCH_RESTORE_THREADS_MAX ? (uint32_t)threads : BENCH_RESTORE_THREADS_MAX;
}

oc_err_t bench_restore(const bench_restore_options_t *options, bench_restore_result_t *result)
{
    OC_ASSERT(options->repeats > 0);
    OC_ASSERT(options->repeats <= BENCH_RESTORE_REPEATS_MAX);
    OC_ASSERT(options->threads <= BENCH_RESTORE_THREADS_MAX);
    *result = (bench_restore_result_t){.equal = true};
    result->threads = options->threads ? options->threads : default_threads();
    bench_t *bench = calloc(1, sizeof *bench);
    if (!bench)
        return error_set(OC_ERR_NO_MEMORY, "bench: no memory");
    bench->options = options;
    bench->result = result;
    (void)snprintf(bench->dir, sizeof bench->dir, "%s/" FOLDER, options->dir);
    bool made;
    oc_err_t err = log_folder_parent(options->dir, &made);
    if (err == OC_ERR_OK)
        err = open_store(bench);
    if (err == OC_ERR_OK)
        err = workload_init(&bench->workload, WORKLOAD_W1, options->orders, 0);
    if (err == OC_ERR_OK)
        err = process_check_interrupted(prepare_image(bench));
    if (err == OC_ERR_OK)
        err = measure(bench);
    image_store_close(bench->store);
    err = clean(bench, err);
    if (made)
        (void)rmdir(options->dir);
    workload_fini(&bench->workload);
    free(bench);
    return err;
}
