/*
 * The doorway of the journal: opening and ending, and the owner's side of appending. Called by the
 * host's core thread, by tools and benches.
 *
 * Invariants: the owner alone decides positions, at claim time, so it knows where segments end: a
 * group never straddles one. A segment is left by a PAD only when the next one is ready. A slot of
 * the ring is the owner's from journal_writer's `finished` to its own `handed`. It must not write,
 * sync or wait for the device after start, until journal_close(); but in the mode none it writes,
 * into the page cache.
 */
#define _GNU_SOURCE
#include "journal/journal_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* ---- Appending ---- */

static uint64_t handed(const journal_t *self)
{
    return atomic_load_explicit(&self->handed, memory_order_relaxed);
}

/* Acquire: the writer has done with the slots before. */
static uint64_t finished(const journal_t *self)
{
    return atomic_load_explicit(&self->finished, memory_order_acquire);
}

static bool is_ready(const journal_t *self, uint64_t position)
{
    /* Acquire: the segment's file is there. */
    return position < atomic_load_explicit(&self->ready_end, memory_order_acquire);
}

/* Room for a frame in the open group; all of its header but the checksum is filled in. */
static journal_frame_t *put_frame(journal_t *self, uint8_t type, uint32_t length,
                                  int64_t timestamp_ns)
{
    journal_fill_t *fill = &self->owner.fill;
    const uint32_t bytes = journal_frame_bytes(length);
    OC_ASSERT(fill->used + bytes <= fill->limit);
    uint8_t *at = fill->bytes + fill->used;
    const uint32_t frame_length = (uint32_t)sizeof(journal_frame_t) + length;
    memset(at + frame_length, 0, bytes - frame_length);
    journal_frame_t *frame = (journal_frame_t *)(void *)at;
    *frame = (journal_frame_t){
        .length = frame_length,
        .type = type,
        .term = self->owner.term,
        .position = fill->start + fill->used,
        .timestamp_ns = timestamp_ns,
    };
    return frame;
}

/* Begins a group in the next buffer, or refuses: no buffer, or no segment. */
static bool open_group(journal_t *self)
{
    journal_owner_t *owner = &self->owner;
    OC_ASSERT(!owner->fill.bytes);
    if (handed(self) - finished(self) == self->config.groups)
        return false;
    if (!is_ready(self, owner->next_start)) {
        atomic_store_explicit(&self->wants_segment, true, memory_order_relaxed);
        return false;
    }
    const uint64_t base = journal_segment_base(self, owner->next_start);
    const uint64_t room = base + self->segment_bytes - owner->next_start;
    const journal_slot_t *slot = &self->slots[handed(self) % self->config.groups];
    owner->fill = (journal_fill_t){
        .bytes = slot->bytes,
        .start = owner->next_start,
        /* At the end of a segment there is always room for a PAD. */
        .limit = room <= self->config.group_bytes ? (uint32_t)room - JOURNAL_FRAME_ALIGN
                                                  : self->config.group_bytes,
    };
    journal_frame_t *frame = put_frame(self, JOURNAL_OWN_GROUP, sizeof(journal_group_t), 0);
    if (self->config.sync != JOURNAL_SYNC_ALWAYS)
        frame->flags = JOURNAL_GROUP_UNSYNCED;
    owner->fill.used = JOURNAL_GROUP_FRAME_BYTES;
    if (atomic_load_explicit(&self->fill_base, memory_order_relaxed) != base) {
        atomic_store(&self->fill_base, base);
        journal_waker_wake(&self->preparer.waker);
    }
    return true;
}

static uint64_t segment_end(const journal_t *self, const journal_fill_t *fill)
{
    return journal_segment_base(self, fill->start) + self->segment_bytes;
}

/*
 * Gives the group to the writer. `leave`: what comes next does not fit into the segment. A PAD then
 * ends it, and also where no block of it is left; but only if the next segment is there.
 */
static void hand_over(journal_t *self, bool leave)
{
    journal_owner_t *owner = &self->owner;
    journal_fill_t *fill = &owner->fill;
    OC_ASSERT(fill->used > JOURNAL_GROUP_FRAME_BYTES || leave);
    OC_ASSERT(fill->claimed == 0);
    const uint64_t end = segment_end(self, fill);
    const uint32_t used = fill->used;
    const bool pad =
        (leave || journal_block_up(fill->start + fill->used) == end) && is_ready(self, end);
    if (pad) {
        fill->limit += JOURNAL_FRAME_ALIGN;
        journal_frame_t *frame = put_frame(self, JOURNAL_OWN_PAD, 0, 0);
        frame->crc = journal_frame_crc(frame, self->salt);
        fill->used += JOURNAL_FRAME_ALIGN;
    }
    journal_slot_t *slot = &self->slots[handed(self) % self->config.groups];
    OC_ASSERT(slot->bytes == fill->bytes);
    if (fill->entries > 0)
        owner->handed = (journal_place_t){{fill->start + used}, {fill->start}};
    slot->start = fill->start;
    slot->used = fill->used;
    slot->entries = fill->entries;
    owner->next_start = journal_next_start(self, fill->start + fill->used, pad);
    owner->unmarked = true;
    *fill = (journal_fill_t){0};
    /* Sequentially consistent: releases the slot, and stands before the look at the sleeper. */
    atomic_store(&self->handed, handed(self) + 1);
    if (self->writer.by_owner)
        (void)journal_writer_work(self, clock_wall_ns());
    else
        journal_waker_wake(&self->writer.waker);
}

/* Hands on the open group, which has no room; false if the next segment is not there. */
static bool close_group(journal_t *self)
{
    journal_fill_t *fill = &self->owner.fill;
    const uint64_t end = segment_end(self, fill);
    const bool leave = fill->start + fill->limit + JOURNAL_FRAME_ALIGN == end;
    if (leave && !is_ready(self, end)) {
        atomic_store_explicit(&self->wants_segment, true, memory_order_relaxed);
        return false;
    }
    hand_over(self, leave);
    return true;
}

static journal_frame_t *claim_frame(journal_t *self, uint8_t type, uint32_t length,
                                    int64_t timestamp_ns)
{
    journal_fill_t *fill = &self->owner.fill;
    const uint32_t bytes = journal_frame_bytes(length);
    OC_ASSERT(self->started);
    OC_ASSERT(fill->claimed == 0);
    while (UNLIKELY(fill->used + bytes > fill->limit)) {
        if (journal_has_failed(self) || !(fill->bytes ? close_group(self) : open_group(self))) {
            atomic_fetch_add_explicit(&self->stats.claims_refused, 1, memory_order_relaxed);
            return NULL;
        }
    }
    if (atomic_load_explicit(&self->wants_segment, memory_order_relaxed))
        atomic_store_explicit(&self->wants_segment, false, memory_order_relaxed);
    fill->claimed = bytes;
    return put_frame(self, type, length, timestamp_ns);
}

void *journal_claim(journal_t *self, uint8_t type, uint32_t length, int64_t timestamp_ns)
{
    OC_ASSERT(type >= JOURNAL_TYPE_USER);
    OC_ASSERT(length <= journal_payload_max(self));
    journal_frame_t *frame = claim_frame(self, type, length, timestamp_ns);
    return frame ? frame + 1 : NULL;
}

log_position_t journal_commit(journal_t *self)
{
    journal_fill_t *fill = &self->owner.fill;
    OC_ASSERT(fill->claimed > 0);
    journal_frame_t *frame = (journal_frame_t *)(void *)(fill->bytes + fill->used);
    frame->crc = journal_frame_crc(frame, self->salt);
    fill->used += fill->claimed;
    fill->claimed = 0;
    fill->entries++;
    return (log_position_t){fill->start + fill->used};
}

uint32_t journal_payload_max(const journal_t *self)
{
    const uint32_t quarter = self->config.group_bytes / 4;
    return quarter < JOURNAL_PAYLOAD_MAX ? quarter : JOURNAL_PAYLOAD_MAX;
}

/* False if it cannot be written now. */
static bool append_mark(journal_t *self, uint8_t flags)
{
    journal_frame_t *frame = claim_frame(self, JOURNAL_OWN_MARK, 0, clock_real_ns());
    if (!frame)
        return false;
    frame->flags = flags;
    (void)journal_commit(self);
    hand_over(self, false);
    self->owner.unmarked = false;
    return true;
}

static bool has_entries(const journal_t *self)
{
    return self->owner.fill.used > JOURNAL_GROUP_FRAME_BYTES;
}

void journal_flush_at(journal_t *self, uint64_t now_ns)
{
    journal_owner_t *owner = &self->owner;
    OC_ASSERT(owner->fill.claimed == 0);
    if (handed(self) != finished(self)) {
        owner->idle_since_ns = 0;
        return;
    }
    if (has_entries(self)) {
        hand_over(self, false);
        owner->idle_since_ns = 0;
    } else if (owner->unmarked) {
        if (owner->idle_since_ns == 0)
            owner->idle_since_ns = now_ns;
        else if (now_ns - owner->idle_since_ns >= JOURNAL_IDLE_MARK_NS)
            (void)append_mark(self, 0);
    }
}

void journal_flush(journal_t *self)
{
    /* The clock is asked only while there is a mark to wait for. */
    const bool waiting = self->owner.unmarked && !has_entries(self);
    journal_flush_at(self, waiting ? clock_wall_ns() : 1);
}

/* ---- What is known at any time ---- */

uint32_t journal_term(const journal_t *self)
{
    OC_ASSERT(self->started);
    return self->owner.term;
}

log_position_t journal_durable(const journal_t *self)
{
    return (log_position_t){atomic_load_explicit(&self->durable, memory_order_acquire)};
}

log_position_t journal_first(const journal_t *self)
{
    return (log_position_t){atomic_load_explicit(&self->first, memory_order_relaxed)};
}

uint64_t journal_log_id(const journal_t *self)
{
    return self->log_id;
}

void journal_place(const journal_t *self, journal_place_t *place)
{
    const journal_fill_t *fill = &self->owner.fill;
    OC_ASSERT(self->started);
    OC_ASSERT(fill->claimed == 0);
    *place = has_entries(self) ? (journal_place_t){{fill->start + fill->used}, {fill->start}}
                               : self->owner.handed;
    OC_ASSERT(place->position.value > place->group.value);
}

uint64_t journal_sync_ns(const journal_t *self)
{
    return atomic_load_explicit(&self->stats.sync_ns_mean, memory_order_relaxed);
}

void journal_release(journal_t *self, log_position_t keep)
{
    /* Relaxed for the readers of it: the position alone says what may go. The exchange is
     * sequentially consistent for the waker. */
    uint64_t before = atomic_load_explicit(&self->keep, memory_order_relaxed);
    while (before < keep.value)
        if (atomic_compare_exchange_weak(&self->keep, &before, keep.value)) {
            journal_waker_wake(&self->preparer.waker);
            return;
        }
}

bool journal_in_use(const journal_t *self)
{
    return self->in_use;
}

journal_condition_t journal_condition(const journal_t *self)
{
    if (journal_has_failed(self))
        return JOURNAL_FAILED;
    if (!atomic_load_explicit(&self->space_low, memory_order_relaxed))
        return JOURNAL_FINE;
    return atomic_load_explicit(&self->wants_segment, memory_order_relaxed) ? JOURNAL_FULL
                                                                            : JOURNAL_LOW_SPACE;
}

oc_err_t journal_failure(const journal_t *self)
{
    int failed;
    /* Acquire: what failed is there once the state is 2; from 1 to 2 it is a few instructions. */
    while ((failed = atomic_load_explicit(&self->failed, memory_order_acquire)) == 1)
        (void)sched_yield();
    return failed ? error_set(self->failure, "%s", self->failure_context) : OC_ERR_OK;
}

void journal_stats(const journal_t *self, journal_stats_t *stats)
{
    const uint64_t end = atomic_load_explicit(&self->ready_end, memory_order_relaxed);
    const uint64_t base = atomic_load_explicit(&self->fill_base, memory_order_relaxed);
    *stats = (journal_stats_t){
        .groups = atomic_load_explicit(&self->stats.groups, memory_order_relaxed),
        .syncs = atomic_load_explicit(&self->stats.syncs, memory_order_relaxed),
        .entries = atomic_load_explicit(&self->stats.entries, memory_order_relaxed),
        .bytes_written = atomic_load_explicit(&self->stats.bytes_written, memory_order_relaxed),
        .sync_ns_total = atomic_load_explicit(&self->stats.sync_ns_total, memory_order_relaxed),
        .segments_ready = end > base ? (end - base) / self->segment_bytes - 1 : 0,
        .claims_refused = atomic_load_explicit(&self->stats.claims_refused, memory_order_relaxed),
    };
}

/* ---- Opening ---- */

/* A reader only looks at the lock: it must never keep a node from starting. */
static oc_err_t take_lock(journal_t *self)
{
    char path[JOURNAL_PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/lock", self->dir);
    if (!self->config.read_only) {
        const oc_err_t err = self->storage->make_dir(self->storage, self->dir);
        return err == OC_ERR_OK ? self->storage->lock(self->storage, path, &self->lock) : err;
    }
    self->in_use = self->storage->probe(self->storage, path) == OC_ERR_LOCKED;
    return OC_ERR_OK;
}

static oc_err_t check_group(const journal_t *self)
{
    if (self->config.read_only || self->config.group_bytes <= self->segment_bytes / 2)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG,
                     "journal: group_bytes is %u, and the segments in %s have %u: it must be at "
                     "most half of that",
                     (unsigned)self->config.group_bytes, self->dir, (unsigned)self->segment_bytes);
}

oc_err_t journal_make(journal_t **journal, const journal_config_t *config)
{
    *journal = NULL;
    const oc_err_t err = journal_config_check(config);
    if (err != OC_ERR_OK)
        return err;
    if (strlen(config->dir) > JOURNAL_DIR_MAX)
        return error_set(OC_ERR_INVALID_CONFIG, "journal: the directory's name is too long");
    journal_t *self = aligned_alloc(JOURNAL_LINE, sizeof *self);
    if (!self)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory for the journal %s", config->dir);
    memset(self, 0, sizeof *self);
    self->storage = config->storage;
    self->config = *config;
    memcpy(self->dir, config->dir, strlen(config->dir) + 1);
    const size_t length = strlen(config->dir);
    const size_t hidden = length < sizeof self->shown ? 0 : length + 1 - sizeof self->shown;
    memcpy(self->shown, config->dir + hidden, length + 1 - hidden);
    self->config.dir = self->dir;
    self->segment_bytes = config->segment_bytes;
    self->writer.file_base = JOURNAL_NO_SEGMENT;
    *journal = self;
    return OC_ERR_OK;
}

oc_err_t journal_open(journal_t **journal, const journal_config_t *config)
{
    journal_t *self;
    *journal = NULL;
    oc_err_t err = journal_make(&self, config);
    if (err != OC_ERR_OK)
        return err;
    err = take_lock(self);
    if (err == OC_ERR_OK)
        err = journal_segments_find(self);
    if (err == OC_ERR_OK)
        err = check_group(self);
    if (err != OC_ERR_OK) {
        self->storage->close(self->lock);
        free(self);
        return err;
    }
    *journal = self;
    return OC_ERR_OK;
}

/* ---- Starting ---- */

/* All buffers and the preparer's zeros, written to once so that no page fault comes later. */
static oc_err_t take_memory(journal_t *self)
{
    const size_t groups = (size_t)self->config.groups * self->config.group_bytes;
    self->memory = aligned_alloc(STORAGE_BLOCK, groups + JOURNAL_PREPARE_BYTES);
    if (!self->memory)
        return error_set(OC_ERR_NO_MEMORY, "journal: no memory for %u groups of %u bytes",
                         (unsigned)self->config.groups, (unsigned)self->config.group_bytes);
    memset(self->memory, 0, groups + JOURNAL_PREPARE_BYTES);
    for (uint32_t i = 0; i < self->config.groups; i++)
        self->slots[i].bytes = self->memory + (size_t)i * self->config.group_bytes;
    self->preparer.chunk = self->memory + groups;
    return OC_ERR_OK;
}

static oc_err_t draw_log_id(journal_t *self)
{
    do { /* 0 says that there is no log */
        if (getrandom(&self->log_id, sizeof self->log_id, 0) != (ssize_t)sizeof self->log_id)
            return error_set(OC_ERR_OPEN, "journal: the system gives no random number");
    } while (self->log_id == 0);
    self->salt = journal_salt(self->log_id);
    return OC_ERR_OK;
}

/* The segments that the first groups go to. */
static oc_err_t first_segments(journal_t *self)
{
    oc_err_t err = OC_ERR_OK;
    if (atomic_load(&self->ready_end) == 0)
        err = draw_log_id(self);
    while (err == OC_ERR_OK && !is_ready(self, self->owner.next_start))
        err = journal_preparer_make(self);
    return err;
}

/* The first group of the term is durable before anything is done in that term. */
static oc_err_t begin_term(journal_t *self)
{
    const journal_found_t *found = &self->found;
    const journal_term_note_t note = {
        .previous_end = found->end,
        .previous_checksum = found->checksum,
        .reason = (uint32_t)found->kind,
    };
    journal_frame_t *frame = claim_frame(self, JOURNAL_OWN_TERM, sizeof note, clock_real_ns());
    OC_ASSERT(frame != NULL);
    memcpy(frame + 1, &note, sizeof note);
    (void)journal_commit(self);
    hand_over(self, false);
    (void)journal_writer_work(self, clock_wall_ns());
    return journal_failure(self);
}

oc_err_t journal_start_stepped(journal_t *self)
{
    const journal_found_t *found = &self->found;
    OC_ASSERT(found->done);
    OC_ASSERT(!self->started);
    OC_ASSERT(!self->config.read_only);
    oc_err_t err = take_memory(self);
    if (err == OC_ERR_OK)
        err = journal_segments_tidy(self);
    if (err == OC_ERR_OK)
        err = journal_tail_cut(self);
    self->owner.next_start = found->next_start;
    const uint32_t above = self->config.term_above;
    self->owner.term = (found->term > above ? found->term : above) + 1;
    OC_ASSERT(self->owner.term > 0);
    self->writer.checksum = found->checksum;
    atomic_store(&self->durable, found->end);
    if (err == OC_ERR_OK)
        err = first_segments(self);
    if (err != OC_ERR_OK) {
        free(self->memory);
        self->memory = NULL;
        return err;
    }
    atomic_store(&self->fill_base, journal_segment_base(self, found->next_start));
    self->started = true;
    return begin_term(self);
}

static oc_err_t start_thread(pthread_t *thread, int cpu, void *(*run)(void *), journal_t *self)
{
    if (pthread_create(thread, NULL, run, self) != 0)
        return error_set(OC_ERR_NO_MEMORY, "journal: the system gives no thread");
    if (cpu < 0)
        return OC_ERR_OK;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (pthread_setaffinity_np(*thread, sizeof set, &set) != 0)
        return error_set(OC_ERR_INVALID_CONFIG, "journal: writer_cpu is %d: there is none", cpu);
    return OC_ERR_OK;
}

oc_err_t journal_start(journal_t *self)
{
    oc_err_t err = journal_start_stepped(self);
    if (err != OC_ERR_OK)
        return err;
    const uint64_t now_ns = clock_wall_ns();
    self->writer.synced_at_ns = now_ns;
    self->writer.by_owner = self->config.sync == JOURNAL_SYNC_NONE;
    if (!self->writer.by_owner) {
        err =
            start_thread(&self->writer.thread, self->config.writer_cpu, journal_writer_main, self);
        self->writer.running = err == OC_ERR_OK || err == OC_ERR_INVALID_CONFIG;
        if (err != OC_ERR_OK)
            return err;
    }
    err = start_thread(&self->preparer.thread, -1, journal_preparer_main, self);
    self->preparer.running = err == OC_ERR_OK;
    return err;
}

/* ---- Ending ---- */

#define CLOSE_PAUSE_NS 50000
#define CLOSE_WAIT_NS  UINT64_C(5000000000) /* for a segment that is being made */

/* One round of waiting for the agents, or of their work. */
static void let_work(journal_t *self)
{
    if (!self->writer.running)
        (void)journal_writer_work(self, clock_wall_ns());
    if (!self->preparer.running && atomic_load(&self->wants_segment))
        (void)journal_preparer_work(self, clock_wall_ns());
    const struct timespec pause = {.tv_nsec = CLOSE_PAUSE_NS};
    if (self->writer.running)
        (void)nanosleep(&pause, NULL);
}

void journal_end_as_found(journal_t *self)
{
    OC_ASSERT(self->found.done);
    self->ends_as_found = true;
}

static uint8_t closing_flags(const journal_t *self)
{
    const bool orderly = !self->ends_as_found || self->found.closed;
    return orderly ? JOURNAL_MARK_ORDERLY : 0;
}

/*
 * Everything committed, then the mark, each as far as there is space. The mark waits until all
 * before it is durable, since that is what it proves.
 */
static oc_err_t finish(journal_t *self)
{
    const uint64_t until_ns = clock_wall_ns() + CLOSE_WAIT_NS;
    bool marked = false;
    self->owner.fill.claimed = 0;
    if (has_entries(self))
        hand_over(self, false);
    while (!journal_has_failed(self)) {
        if (handed(self) == finished(self)) {
            if (marked)
                return OC_ERR_OK;
            marked = append_mark(self, closing_flags(self));
            if (marked)
                continue;
            if (journal_condition(self) == JOURNAL_FULL || clock_wall_ns() > until_ns)
                return error_set(OC_ERR_NO_SPACE,
                                 "journal: no segment is left in %s for the closing mark",
                                 self->dir);
        }
        let_work(self);
    }
    return journal_failure(self);
}

static void stop_threads(journal_t *self)
{
    /* Sequentially consistent: before the looks at the sleepers (journal_waker.h). */
    atomic_store(&self->stop, true);
    if (self->writer.running) {
        journal_waker_wake(&self->writer.waker);
        (void)pthread_join(self->writer.thread, NULL);
    }
    if (self->preparer.running) {
        journal_waker_wake(&self->preparer.waker);
        (void)pthread_join(self->preparer.thread, NULL);
    }
}

/* In the weaker modes the last syncs are still to be done; in the mode none, all of them. */
static oc_err_t sync_last(journal_t *self)
{
    const journal_writer_t *writer = &self->writer;
    if (!writer->file || !writer->unsynced)
        return OC_ERR_OK;
    OC_ASSERT(writer->unsynced_base <= writer->file_base);
    oc_err_t err = OC_ERR_OK;
    for (uint64_t base = writer->unsynced_base; err == OC_ERR_OK && base < writer->file_base;
         base += self->segment_bytes)
        err = journal_tail_zero(self, base, base, base, self->preparer.chunk);
    return err == OC_ERR_OK ? self->storage->sync(writer->file) : err;
}

oc_err_t journal_close(journal_t *self)
{
    if (!self)
        return OC_ERR_OK;
    oc_err_t err = OC_ERR_OK;
    if (self->started) {
        err = finish(self);
        stop_threads(self);
        journal_preparer_drop(self);
        if (err == OC_ERR_OK)
            err = sync_last(self);
        self->storage->close(self->writer.file);
    }
    self->storage->close(self->lock);
    free(self->memory);
    free(self);
    return err;
}
