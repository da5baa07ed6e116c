/*
 * The snapshot agent: the owner's side, and the thread of the sweeper. Called by hosts.
 *
 * Invariants: snapshot_begin() allocates nothing, asks the system for nothing but the time, and
 * waits for nobody; a job has one owner at a time (snapshot_internal.h); the capture is ended by
 * the owner, once the sweeper is out of it.
 *
 * The sweeper is not woken but looks for a job every few milliseconds: to wake it would cost the
 * owner more than the rest of a begin.
 */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include "snapshot/snapshot.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "snapshot/snapshot_internal.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_INTERVAL_NS UINT64_C(5000000)
#define WAIT_MAX_NS      UINT64_C(5000000)

static void sleep_ns(uint64_t wait_ns)
{
    const uint64_t bounded = wait_ns < WAIT_MAX_NS ? wait_ns : WAIT_MAX_NS;
    const struct timespec pause = {.tv_nsec = (long)bounded};
    (void)nanosleep(&pause, NULL);
}

static void *sweeper_main(void *context)
{
    snapshot_t *self = context;
    /* Its many short turns wait for those who trade, instead of taking the processor from them. */
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0});
    while (!atomic_load_explicit(&self->stop, memory_order_relaxed)) {
        uint64_t wait_ns;
        const unsigned work = snapshot_job_work(self, clock_wall_ns(), &wait_ns);
        if (work == 0)
            sleep_ns(wait_ns > 0 ? wait_ns : LOOK_INTERVAL_NS);
    }
    return NULL;
}

static oc_err_t start_thread(snapshot_t *self)
{
    if (self->config.stepped)
        return OC_ERR_OK;
    sigset_t all;
    sigset_t before;
    sigfillset(&all); /* signals are for the program's other threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&self->thread, NULL, sweeper_main, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return error_set(OC_ERR_NO_MEMORY, "cannot start the snapshot thread: %s",
                         strerror(failed));
    self->running = true;
    (void)pthread_setname_np(self->thread, "snapshot");
    if (self->config.cpu < 0)
        return OC_ERR_OK;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)self->config.cpu, &set);
    const int refused = pthread_setaffinity_np(self->thread, sizeof set, &set);
    return refused ? error_set(OC_ERR_INVALID_CONFIG,
                               "the snapshot thread cannot run on processor "
                               "%d: %s",
                               self->config.cpu, strerror(refused))
                   : OC_ERR_OK;
}

static oc_err_t check_config(const snapshot_config_t *config)
{
    OC_ASSERT(config->arena_count > 0);
    OC_ASSERT(config->arena_count + (config->stream ? 1 : 0) <= IMAGE_SECTIONS_MAX);
    OC_ASSERT(config->pool_pages > 0);
    OC_ASSERT(config->log.durable && config->log.checksum);
    if (config->keep < 1 || config->keep > 64)
        return error_set(OC_ERR_INVALID_CONFIG, "snapshot: keep is %u, must be 1 to 64",
                         config->keep);
    if (config->chain_max > IMAGE_CHAIN_MAX - 2)
        return error_set(OC_ERR_INVALID_CONFIG, "snapshot: chain is %u, must be 0 to %d",
                         config->chain_max, IMAGE_CHAIN_MAX - 2);
    return OC_ERR_OK;
}

static oc_err_t open_files(snapshot_t *self)
{
    const snapshot_config_t *config = &self->config;
    const image_store_config_t store = {
        .dir = config->dir, .storage = config->storage, .keep = config->keep};
    const image_writer_config_t writer = {
        .dir = config->dir,
        .storage = config->storage,
        .block_bytes = config->block_bytes,
        .bytes_per_s_max = config->bytes_per_s_max,
        .sync_ns = config->log.sync_ns,
        .sync_context = config->log.context,
    };
    const oc_err_t err = image_store_open(&self->store, &store);
    return err == OC_ERR_OK ? image_writer_create(&self->writer, &writer) : err;
}

/* The arenas are those of an image, plus what was touched since in later epochs. Newer images were
 * passed over by who restored: they are bad. */
static void go_on_from(snapshot_t *self, uint64_t sequence)
{
    while (image_store_count(self->store) > 0 &&
           image_store_at(self->store, 0)->sequence != sequence)
        image_store_pass_over(self->store, image_store_at(self->store, 0)->sequence);
    const image_info_t *info = image_store_find(self->store, sequence);
    if (!info)
        return;
    for (size_t i = 0; i < self->config.arena_count; i++) {
        OC_ASSERT(self->arenas[i]->epoch >= 2); /* oc_arena_restored() leaves 2 */
        self->complete_epochs[i] = 1;
    }
    snapshot_job_go_on_from(self, info);
    self->complete = true;
}

oc_err_t snapshot_create(snapshot_t **snapshot, const snapshot_config_t *config, uint64_t complete)
{
    *snapshot = NULL;
    oc_err_t err = check_config(config);
    if (err != OC_ERR_OK)
        return err;
    snapshot_t *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "no memory for snapshots");
    self->config = *config;
    memcpy(self->arenas, config->arenas, config->arena_count * sizeof *self->arenas);
    self->config.arenas = self->arenas;
    self->ended = true;
    err = capture_create(&self->capture, self->arenas, config->arena_count, config->pool_pages);
    if (err == OC_ERR_OK)
        err = open_files(self);
    self->config.dir = NULL; /* was borrowed for the call */
    if (err == OC_ERR_OK) {
        go_on_from(self, complete);
        snapshot_job_note_images(self);
        err = start_thread(self);
    }
    if (err != OC_ERR_OK)
        snapshot_destroy(self);
    else
        *snapshot = self;
    return err;
}

void snapshot_destroy(snapshot_t *self)
{
    if (!self)
        return;
    atomic_store_explicit(&self->stop, true, memory_order_relaxed);
    if (self->running)
        (void)pthread_join(self->thread, NULL);
    snapshot_job_drop(self);
    capture_destroy(self->capture);
    image_writer_destroy(self->writer);
    image_store_close(self->store);
    free(self);
}

static void fill_job(snapshot_t *self, const snapshot_request_t *request, bool incremental)
{
    snapshot_job_t *job = &self->job;
    OC_ASSERT(request->configuration_length <= IMAGE_CONFIGURATION_MAX);
    OC_ASSERT(self->config.stream || !request->stream);
    job->place = request->place;
    if (request->configuration_length > 0)
        memcpy(job->configuration, request->configuration, request->configuration_length);
    job->configuration_length = request->configuration_length;
    job->stream = request->stream;
    job->stream_length = request->stream_length;
    job->stream_given = 0;
    job->incremental = incremental;
    memcpy(job->epochs, capture_epochs(self->capture),
           self->config.arena_count * sizeof job->epochs[0]);
    job->stage = JOB_COUNT;
    job->counted_arena = 0;
    job->counted_page = 0;
    job->pages_given = 0;
    job->pages_looked = 0;
    job->gave_up = false;
    job->pages_owner = 0;
    job->sweep_ns = 0;
    job->commit_ns = 0;
    job->err = OC_ERR_OK;
}

snapshot_answer_t snapshot_begin(snapshot_t *self, const snapshot_request_t *request)
{
    const uint64_t begin_ns = clock_wall_ns();
    /* Acquire: what the sweeper has left in the job and of the newest image. */
    const int phase = atomic_load_explicit(&self->phase, memory_order_acquire);
    if (phase != SNAPSHOT_IDLE || !self->ended) {
        self->status.refused++;
        free(request->stream);
        return SNAPSHOT_BUSY;
    }
    const bool incremental = self->complete && !request->full && self->config.chain_max > 0 &&
                             !atomic_load_explicit(&self->full_next, memory_order_relaxed);
    const bool begun = capture_begin(self->capture, incremental ? self->complete_epochs : NULL);
    OC_ASSERT(begun);
    self->ended = false;
    fill_job(self, request, incremental);
    self->job.begin_ns = begin_ns;
    self->status.begun++;
    self->status.running = true;
    atomic_store_explicit(&self->swept, false, memory_order_relaxed);
    /* Release: from here on the job is the sweeper's. */
    atomic_store_explicit(&self->phase, SNAPSHOT_BEGUN, memory_order_release);
    self->status.pause_ns = clock_wall_ns() - begin_ns;
    return SNAPSHOT_STARTED;
}

/* The result becomes the status. */
static void take_result(snapshot_t *self)
{
    const snapshot_job_t *job = &self->job;
    snapshot_status_t *status = &self->status;
    status->running = false;
    status->completed += job->err == OC_ERR_OK;
    status->abandoned += job->gave_up;
    status->failed += job->err != OC_ERR_OK && !job->gave_up;
    status->sequence = job->info.sequence;
    status->position = job->place.position;
    status->begin_ns = job->begin_ns;
    status->sweep_ns = job->sweep_ns;
    status->commit_ns = job->commit_ns;
    status->pages = job->info.pages;
    status->pages_owner = job->pages_owner;
    status->bytes = job->info.bytes;
    status->err = job->err;
    memcpy(status->line, job->line, sizeof status->line);
}

int snapshot_do_work(snapshot_t *self)
{
    int work = 0;
    if (self->config.stepped) {
        uint64_t wait_ns;
        work += (int)snapshot_job_work(self, clock_wall_ns(), &wait_ns);
    }
    /* Acquire: the sweeper is out of the capture. */
    if (!self->ended && atomic_load_explicit(&self->swept, memory_order_acquire)) {
        capture_end(self->capture);
        self->ended = true;
        work++;
    }
    /* Acquire: the result. */
    if (self->ended && atomic_load_explicit(&self->phase, memory_order_acquire) == SNAPSHOT_DONE) {
        take_result(self);
        atomic_store_explicit(&self->phase, SNAPSHOT_IDLE, memory_order_relaxed);
        work++;
    }
    return work;
}

void snapshot_status(const snapshot_t *self, snapshot_status_t *status)
{
    *status = self->status;
    status->folds = atomic_load_explicit(&self->folds, memory_order_relaxed);
    status->oldest = atomic_load_explicit(&self->oldest, memory_order_relaxed);
    status->newest = atomic_load_explicit(&self->newest, memory_order_relaxed);
}
