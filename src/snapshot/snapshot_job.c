/*
 * The sweeper's work: pages of a capture into a data file, the wait for the log, the manifest, what
 * is not kept any more, and the folding of long chains. Called by the sweeper's thread, or by the
 * owner's steps.
 *
 * Invariants: nothing is committed before the log's checksum at the position was read back from the
 * device; a job that fails leaves no file and the base of the next one as it was; a fold gives way
 * to a job, and begins anew after it; neither takes space that the log may need. It must not touch
 * an arena: the capture gives the pages, and of stamps is only counted.
 */
#define _GNU_SOURCE
#include "snapshot/snapshot_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "snapshot/image_internal.h"
#include "snapshot/image_presence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGES_PER_STEP = 32,       /* given out; about one block */
    LOOKED_AT_PER_STEP = 4096, /* pages passed over */
    COUNTED_PER_STEP = 65536,
    PAGES_PER_LOOK = 1024 /* written between two looks at the free space: 4 MiB */
};

#define CHAIN_LOOK_NS UINT64_C(100000000) /* between looks at images that are there */

static void tell(const snapshot_t *self, const char *line)
{
    if (self->config.tell)
        self->config.tell(self->config.tell_context, line);
    else
        (void)fprintf(stderr, "outcry: %s\n", line);
}

void snapshot_job_note_images(snapshot_t *self)
{
    const uint64_t newest =
        image_store_count(self->store) ? image_store_at(self->store, 0)->place.position : 0;
    atomic_store_explicit(&self->oldest, image_store_oldest(self->store), memory_order_relaxed);
    atomic_store_explicit(&self->newest, newest, memory_order_relaxed);
}

/* The job is the owner's again. */
static void give_back(snapshot_t *self)
{
    free(self->job.stream);
    self->job.stream = NULL;
    tell(self, self->job.line);
    /* Release: the owner that sees it also sees the result. */
    atomic_store_explicit(&self->swept, true, memory_order_release);
    atomic_store_explicit(&self->phase, SNAPSHOT_DONE, memory_order_release);
}

static void fail_job(snapshot_t *self, oc_err_t err)
{
    snapshot_job_t *job = &self->job;
    char why[400];
    OC_ASSERT(err != OC_ERR_OK);
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    if (capture_state(self->capture) == CAPTURE_RUNNING && !atomic_load(&self->swept))
        capture_abandon(self->capture);
    image_writer_abandon(self->writer);
    image_writer_hurry(self->writer, false);
    job->err = err;
    job->info.sequence = 0;
    (void)snprintf(job->line, sizeof job->line,
                   "snapshot at position %" PRIu64 ": no image: %s; trading is not affected",
                   job->place.position, why);
    give_back(self);
}

static void list_sections(const snapshot_t *self, image_info_t *info)
{
    info->section_count = (uint32_t)self->config.arena_count;
    for (uint32_t i = 0; i < info->section_count; i++) {
        const oc_arena_t *arena = self->arenas[i];
        image_section_t *section = &info->sections[i];
        memcpy(section->name, arena->name, sizeof section->name);
        section->kind = IMAGE_PAGES;
        section->layout = arena->layout;
        section->size = arena->size;
    }
    if (!self->config.stream)
        return;
    image_section_t *section = &info->sections[info->section_count++];
    (void)snprintf(section->name, sizeof section->name, "service");
    section->kind = IMAGE_STREAM;
    section->size = self->job.stream_length;
}

/* ---- Space ---- */

/* Whether `bytes` more leave the log what it needs: when it does not get that it stops trading. */
static oc_err_t check_space(const snapshot_t *self, uint64_t bytes)
{
    const uint64_t reserve = self->config.reserve_bytes;
    const storage_t *storage = self->config.storage;
    uint64_t free_bytes = 0;
    if (reserve == 0)
        return OC_ERR_OK;
    const oc_err_t err = storage->free_bytes(storage, image_store_images(self->store), &free_bytes);
    if (err != OC_ERR_OK)
        return err;
    if (free_bytes >= reserve && free_bytes - reserve >= bytes)
        return OC_ERR_OK;
    return error_set(OC_ERR_NO_SPACE,
                     "the device has %" PRIu64 " MiB free, the log may need %" PRIu64
                     " of these and the image %" PRIu64 "; make room",
                     free_bytes >> 20, (reserve >> 20) + 1, (bytes >> 20) + 1);
}

/* Before the file is begun, and each time that so many more pages were given to it. */
static oc_err_t mind_space(snapshot_t *self)
{
    snapshot_job_t *job = &self->job;
    OC_ASSERT(job->pages_given <= job->pages_most);
    if (job->stage != JOB_OPEN && job->pages_given - job->pages_looked < PAGES_PER_LOOK)
        return OC_ERR_OK;
    job->pages_looked = job->pages_given;
    return check_space(self, ((job->pages_most - job->pages_given) << OC_ARENA_PAGE_SHIFT) +
                                 image_table_bytes(job->pages_most) + IMAGE_PAGES_OFFSET +
                                 STORAGE_BLOCK);
}

/* Pages that the capture may give: those that were touched behind the base, or are now. */
static void count_pages(snapshot_t *self)
{
    snapshot_job_t *job = &self->job;
    if (job->counted_arena == 0 && job->counted_page == 0)
        job->pages_most = image_section_pages(job->stream_length);
    for (size_t left = COUNTED_PER_STEP; job->counted_arena < self->config.arena_count;) {
        const uint32_t number = job->counted_arena;
        const oc_arena_t *arena = self->arenas[number];
        const uint32_t base = job->incremental ? self->complete_epochs[number] : 0;
        for (; job->counted_page < arena->size >> OC_ARENA_PAGE_SHIFT; job->counted_page++) {
            if (left-- == 0)
                return;
            /* Relaxed: a number, that orders nothing; a stamp only grows. */
            const uint32_t stamp =
                __atomic_load_n(&arena->stamps[job->counted_page], __ATOMIC_RELAXED);
            job->pages_most += stamp > base;
        }
        job->counted_arena++;
        job->counted_page = 0;
    }
    job->stage = JOB_OPEN;
}

/* ---- Pages ---- */

/* An image of changes is worth what it is built on: where somebody has removed that, the next one
 * has to be of everything. */
static oc_err_t check_chain(snapshot_t *self)
{
    char why[320];
    if (!self->job.incremental)
        return OC_ERR_OK;
    const oc_err_t err = image_presence_check_chain(self->store, self->complete_sequence);
    if (err == OC_ERR_OK)
        return OC_ERR_OK;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    atomic_store_explicit(&self->full_next, true, memory_order_relaxed);
    return error_set(err, "what it is built on is gone: %s; the next one is full", why);
}

/* Durably there, also if it was removed since the start. */
static oc_err_t make_directory(const snapshot_t *self)
{
    const storage_t *storage = self->config.storage;
    return storage->make_dir(storage, image_store_images(self->store));
}

static oc_err_t open_image(snapshot_t *self)
{
    snapshot_job_t *job = &self->job;
    oc_err_t err = make_directory(self);
    if (err == OC_ERR_OK)
        err = mind_space(self);
    if (err == OC_ERR_OK)
        err = check_chain(self);
    if (err != OC_ERR_OK)
        return err;
    job->info = (image_info_t){.sequence = image_store_next_sequence(self->store)};
    if (job->incremental) {
        OC_ASSERT(image_store_find(self->store, self->complete_sequence) != NULL);
        job->info.base = self->complete_sequence;
    }
    list_sections(self, &job->info);
    job->stage = JOB_SWEEP;
    return image_writer_begin(self->writer, &job->info, job->configuration,
                              job->configuration_length);
}

/* A pool that fills up faster than the file is written: better that the log's syncs suffer for a
 * while than that the work was for nothing. */
static void mind_pool(snapshot_t *self)
{
    capture_stats_t stats;
    capture_stats(self->capture, &stats);
    if (stats.pool_used > stats.pool_pages / 4 * 3)
        image_writer_hurry(self->writer, true);
}

static void note_swept(snapshot_t *self, uint64_t now_ns)
{
    capture_stats_t stats;
    capture_stats(self->capture, &stats);
    self->job.pages_owner = stats.pages_owner;
    self->job.sweep_ns = now_ns - self->job.begin_ns;
    image_writer_hurry(self->writer, false);
    /* Release: the sweeper is out of the capture. */
    atomic_store_explicit(&self->swept, true, memory_order_release);
}

static oc_err_t sweep(snapshot_t *self, uint64_t now_ns)
{
    snapshot_job_t *job = &self->job;
    for (int pages = 0; pages < PAGES_PER_STEP; pages++) {
        capture_page_t which;
        void *room = image_writer_room(self->writer);
        switch (capture_next(self->capture, room, &which, LOOKED_AT_PER_STEP)) {
        case CAPTURE_PAGE: {
            const oc_err_t err = image_writer_put(self->writer, which.arena, which.page);
            if (err != OC_ERR_OK)
                return err;
            job->pages_given++;
            break;
        }
        case CAPTURE_PAUSE:
            return mind_space(self);
        case CAPTURE_END:
            note_swept(self, now_ns);
            job->stage = job->stream ? JOB_STREAM : JOB_REST;
            return OC_ERR_OK;
        case CAPTURE_LOST:
            note_swept(self, now_ns);
            job->gave_up = true;
            return error_set(OC_ERR_NO_MEMORY,
                             "the service changed more pages than [snapshot] pool_percent has "
                             "room for while it was written; raise it, or bytes_per_s_max");
        }
    }
    return mind_space(self);
}

/* The next pages of the stream; the last one is filled up with zeroes. */
static oc_err_t put_stream(snapshot_t *self)
{
    snapshot_job_t *job = &self->job;
    const uint32_t section = (uint32_t)self->config.arena_count;
    for (int pages = 0; pages < PAGES_PER_STEP && job->stream_given < job->stream_length; pages++) {
        const size_t left = job->stream_length - job->stream_given;
        const size_t bytes = left < OC_ARENA_PAGE_SIZE ? left : OC_ARENA_PAGE_SIZE;
        uint8_t *room = image_writer_room(self->writer);
        memcpy(room, job->stream + job->stream_given, bytes);
        memset(room + bytes, 0, OC_ARENA_PAGE_SIZE - bytes);
        const oc_err_t err = image_writer_put(self->writer, section,
                                              (uint32_t)(job->stream_given / OC_ARENA_PAGE_SIZE));
        if (err != OC_ERR_OK)
            return err;
        job->stream_given += bytes;
        job->pages_given++;
    }
    if (job->stream_given == job->stream_length)
        job->stage = JOB_REST;
    return mind_space(self);
}

static oc_err_t write_rest(snapshot_t *self)
{
    bool done;
    const oc_err_t err = image_writer_rest(self->writer, &done);
    if (err == OC_ERR_OK && done)
        self->job.stage = JOB_DURABLE;
    return err;
}

/* ---- The end ---- */

static void write_line(snapshot_job_t *job)
{
    const image_info_t *info = &job->info;
    char kind[48] = "full";
    if (info->base)
        (void)snprintf(kind, sizeof kind, "on image %" PRIu64, info->base);
    (void)snprintf(job->line, sizeof job->line,
                   "snapshot: image %" PRIu64 " at position %" PRIu64 " (%s): %" PRIu64
                   " pages, %" PRIu64 " MiB, swept in %" PRIu64 " ms, committed after %" PRIu64
                   " ms",
                   info->sequence, info->place.position, kind, info->pages, info->bytes >> 20,
                   job->sweep_ns / 1000000, job->commit_ns / 1000000);
}

/* A step of the removal of what is not kept any more; what does not go, goes the next time. */
static void retain_step(snapshot_t *self)
{
    bool done;
    if (image_store_retain_step(self->store, &done) != OC_ERR_OK)
        tell(self, oc_err_context());
    self->retaining = !done;
    if (done)
        snapshot_job_note_images(self);
}

void snapshot_job_go_on_from(snapshot_t *self, const image_info_t *info)
{
    OC_ASSERT(info->chain_length > 0);
    const uint32_t incremental = info->chain_length - 1;
    /* Folding comes to nothing where snapshots follow too closely. */
    const bool full_next =
        incremental >= 2 * self->config.chain_max + 1 || info->chain_length >= IMAGE_CHAIN_MAX - 1;
    self->complete_sequence = info->sequence;
    self->fold_due = incremental > self->config.chain_max;
    atomic_store_explicit(&self->full_next, full_next, memory_order_relaxed);
}

static oc_err_t read_checksum(snapshot_t *self)
{
    const snapshot_log_t *log = &self->config.log;
    image_place_t *place = &self->job.place;
    self->job.stage = JOB_FINISH;
    return log->checksum(log->context, place, &place->log_checksum);
}

static oc_err_t finish(snapshot_t *self)
{
    snapshot_job_t *job = &self->job;
    const oc_err_t err = image_writer_finish(self->writer, &job->place, &job->info);
    if (err == OC_ERR_OK)
        job->stage = JOB_COMMIT;
    return err;
}

static oc_err_t commit(snapshot_t *self)
{
    snapshot_job_t *job = &self->job;
    /* The log may be let go of on the word of this image. */
    oc_err_t err = check_chain(self);
    if (err == OC_ERR_OK)
        err = image_store_commit(self->store, &job->info);
    if (err != OC_ERR_OK)
        return err;
    job->commit_ns = clock_wall_ns() - job->begin_ns;
    write_line(job);
    const image_info_t *kept = image_store_find(self->store, job->info.sequence);
    OC_ASSERT(kept != NULL);
    snapshot_job_go_on_from(self, kept);
    self->complete = true;
    memcpy(self->complete_epochs, job->epochs, sizeof self->complete_epochs);
    self->retaining = true;
    job->stage = JOB_DONE;
    return OC_ERR_OK;
}

static bool log_is_durable(const snapshot_t *self)
{
    return self->config.log.durable(self->config.log.context) >= self->job.place.position;
}

/* One step of the job; returns how much was done. */
static unsigned job_step(snapshot_t *self, uint64_t now_ns)
{
    oc_err_t err = OC_ERR_OK;
    switch (self->job.stage) {
    case JOB_COUNT:
        count_pages(self);
        break;
    case JOB_OPEN:
        err = open_image(self);
        break;
    case JOB_SWEEP:
        err = sweep(self, now_ns);
        break;
    case JOB_STREAM:
        err = put_stream(self);
        break;
    case JOB_REST:
        err = write_rest(self);
        break;
    case JOB_DURABLE:
        if (!log_is_durable(self))
            return 0;
        self->job.stage = JOB_CHECKSUM;
        break;
    case JOB_CHECKSUM:
        err = read_checksum(self);
        break;
    case JOB_FINISH:
        err = finish(self);
        break;
    case JOB_COMMIT:
        err = commit(self);
        break;
    case JOB_DONE:
        give_back(self);
        break;
    }
    if (err != OC_ERR_OK)
        fail_job(self, err);
    return 1;
}

/* ---- Folding ---- */

static void drop_fold(snapshot_t *self)
{
    image_fold_end(self->fold);
    self->fold = NULL;
}

/* A folding that fails is tried again behind the next image. */
static void fold_failed(snapshot_t *self)
{
    char line[512];
    (void)snprintf(line, sizeof line, "snapshot: images are not folded: %.400s", oc_err_context());
    drop_fold(self);
    self->fold_due = false;
    tell(self, line);
}

static void fold_done(snapshot_t *self)
{
    char line[128];
    drop_fold(self);
    const image_info_t *newest = image_store_at(self->store, 0);
    OC_ASSERT(newest->base == 0);
    (void)snprintf(line, sizeof line, "snapshot: image %" PRIu64 " folded: image %" PRIu64 ", full",
                   self->complete_sequence, newest->sequence);
    snapshot_job_go_on_from(self, newest);
    self->retaining = true;
    atomic_fetch_add_explicit(&self->folds, 1, memory_order_relaxed);
    tell(self, line);
}

static unsigned fold_step(snapshot_t *self)
{
    bool done = false;
    oc_err_t err = OC_ERR_OK;
    if (!self->fold) {
        const image_info_t *info = image_store_find(self->store, self->complete_sequence);
        OC_ASSERT(info != NULL);
        err = image_fold_begin(&self->fold, self->store, self->writer, info);
    }
    if (err == OC_ERR_OK)
        err = check_space(self, image_fold_left(self->fold));
    if (err == OC_ERR_OK)
        err = image_fold_step(self->fold, &done);
    if (err != OC_ERR_OK)
        fold_failed(self);
    else if (done)
        fold_done(self);
    return 1;
}

/* ---- Between jobs ---- */

/* Looks now and then whether one more file of the newest chain is there, so that an image that is
 * asked for later can be of everything from its beginning. */
static void look_at_chain(snapshot_t *self, uint64_t now_ns)
{
    char line[512];
    if (self->complete_sequence == 0 || now_ns < self->look_next_ns ||
        atomic_load_explicit(&self->full_next, memory_order_relaxed))
        return;
    self->look_next_ns = now_ns + CHAIN_LOOK_NS;
    const image_info_t *info = image_store_find(self->store, self->looked_at);
    if (!info)
        info = image_store_find(self->store, self->complete_sequence);
    OC_ASSERT(info != NULL);
    self->looked_at = info->base; /* 0, at the end: the newest again */
    if (image_presence_check(self->store, info->sequence) == OC_ERR_OK)
        return;
    atomic_store_explicit(&self->full_next, true, memory_order_relaxed);
    (void)snprintf(line, sizeof line,
                   "snapshot: image %" PRIu64 " is gone: %.380s; the next image is full",
                   info->sequence, oc_err_context());
    tell(self, line);
}

/* Whether the next step writes pages or their table. */
static bool is_paced(const snapshot_t *self, bool begun)
{
    const job_stage_t stage = self->job.stage;
    return begun ? stage == JOB_SWEEP || stage == JOB_STREAM || stage == JOB_REST
                 : self->fold != NULL;
}

unsigned snapshot_job_work(snapshot_t *self, uint64_t now_ns, uint64_t *wait_ns)
{
    *wait_ns = 0;
    if (self->retaining) {
        retain_step(self);
        return 1;
    }
    /* Acquire: the job that the owner has filled in. */
    const bool begun = atomic_load_explicit(&self->phase, memory_order_acquire) == SNAPSHOT_BEGUN;
    if (!begun && !self->fold_due) {
        look_at_chain(self, now_ns);
        return 0;
    }
    if (begun && self->fold)
        drop_fold(self); /* fold_due stays */
    if (begun && self->job.stage == JOB_SWEEP)
        mind_pool(self);
    if (is_paced(self, begun))
        *wait_ns = image_writer_wait_ns(self->writer, now_ns);
    if (*wait_ns > 0)
        return 0;
    return begun ? job_step(self, now_ns) : fold_step(self);
}

void snapshot_job_drop(snapshot_t *self)
{
    drop_fold(self);
    if (self->writer) /* not if the start has failed before there was one */
        image_writer_abandon(self->writer);
    if (self->job.stage == JOB_COMMIT && atomic_load(&self->phase) == SNAPSHOT_BEGUN)
        image_store_discard(self->store, self->job.info.sequence);
    free(self->job.stream);
    self->job.stream = NULL;
}
