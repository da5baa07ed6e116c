/*
 * The writer: seals the groups that the owner handed over, writes them, and makes them durable. Its
 * own thread; stepped by the owner where nothing is synced (there is no device to wait for, and
 * waking a thread would cost more than the write), or by a test.
 *
 * Invariants: one round writes the groups that wait, as far as they lie in one segment, in order,
 * each on fresh blocks, and then makes one sync for all of them, which therefore carry the same
 * durable_before; the next round begins when that is done. So at most all buffers, in one segment,
 * are in flight at once. `durable` moves only when everything below it is written and, in the mode
 * always, synced.
 * After a failed write or sync nothing is written any more: what the device holds is unknown. It
 * must not change an entry, only fill in the GROUP frame.
 */
#define _GNU_SOURCE
#include "journal/journal_internal.h"

#include "base/assert.h"
#include "base/cycle_clock.h"

#include <stdio.h>
#include <string.h>

#define SLEEP_NS   UINT64_C(1000000000)
#define NS_OF_MS   UINT64_C(1000000)
#define SPIN_LOOKS 64 /* between two readings of the clock */

void journal_fail(journal_t *self, oc_err_t err)
{
    OC_ASSERT(err != OC_ERR_OK);
    int none = 0;
    if (!atomic_compare_exchange_strong(&self->failed, &none, 1))
        return;
    self->failure = err;
    (void)snprintf(self->failure_context, sizeof self->failure_context, "%s", oc_err_context());
    /* Release: who sees 2 sees what failed. */
    atomic_store_explicit(&self->failed, 2, memory_order_release);
}

static journal_frame_t *frame_at(uint8_t *bytes)
{
    return (journal_frame_t *)(void *)bytes;
}

/* Fills in what is known only now: the GROUP frame and the zeros behind the last frame. The owner
 * has checksummed the others, so that this thread's time is the device's. */
static void seal(journal_t *self, const journal_slot_t *slot)
{
    OC_ASSERT(slot->used > JOURNAL_GROUP_FRAME_BYTES);
    const journal_group_t group = {
        /* Relaxed: the writer's own. */
        .durable_before = atomic_load_explicit(&self->durable, memory_order_relaxed),
        .group_bytes = slot->used,
        .checksum = self->writer.checksum,
    };
    OC_ASSERT(group.durable_before <= slot->start);
    memcpy(slot->bytes + sizeof(journal_frame_t), &group, sizeof group);
    uint32_t checksum = self->writer.checksum;
    uint32_t at = 0;
    journal_frame_t *first = frame_at(slot->bytes);
    first->crc = journal_frame_crc(first, self->salt);
    while (at < slot->used) {
        const journal_frame_t *frame = frame_at(slot->bytes + at);
        checksum = journal_chain(checksum, frame);
        at += journal_frame_bytes(frame->length - (uint32_t)sizeof *frame);
    }
    OC_ASSERT(at == slot->used);
    self->writer.checksum = checksum;
    memset(slot->bytes + at, 0, (size_t)(journal_block_up(at) - at));
}

static oc_err_t sync_file(journal_t *self)
{
    journal_writer_t *writer = &self->writer;
    if (!writer->unsynced)
        return OC_ERR_OK;
    const oc_err_t err = self->storage->sync(writer->file);
    writer->unsynced = false;
    atomic_fetch_add_explicit(&self->stats.syncs, 1, memory_order_relaxed);
    return err;
}

/* What was written to the segment before is synced by then, but in the mode none. */
static oc_err_t select_file(journal_t *self, uint64_t base)
{
    journal_writer_t *writer = &self->writer;
    if (writer->file_base == base)
        return OC_ERR_OK;
    if (self->config.sync != JOURNAL_SYNC_NONE) {
        const oc_err_t err = sync_file(self);
        if (err != OC_ERR_OK)
            return err;
    }
    self->storage->close(writer->file);
    writer->file = NULL;
    writer->file_base = JOURNAL_NO_SEGMENT;
    char path[JOURNAL_PATH_SIZE];
    journal_path(self, base, ".journal", path);
    /* Where nobody waits for the device, nobody needs to: written is what the system has. */
    const storage_mode_t mode =
        self->config.sync == JOURNAL_SYNC_ALWAYS ? STORAGE_WRITE : STORAGE_CACHED;
    const oc_err_t err = self->storage->open(self->storage, path, mode, &writer->file);
    if (err == OC_ERR_OK)
        writer->file_base = base;
    return err;
}

static oc_err_t write_group(journal_t *self, const journal_slot_t *slot)
{
    const uint64_t base = journal_segment_base(self, slot->start);
    const size_t length = (size_t)journal_block_up(slot->used);
    OC_ASSERT(slot->start % STORAGE_BLOCK == 0);
    OC_ASSERT(slot->start + length <= base + self->segment_bytes);
    oc_err_t err = select_file(self, base);
    if (err != OC_ERR_OK)
        return err;
    seal(self, slot);
    if (!self->writer.unsynced)
        self->writer.unsynced_base = base;
    self->writer.unsynced = true;
    err = self->storage->write(self->writer.file, slot->start - base, slot->bytes, length);
    atomic_fetch_add_explicit(&self->stats.groups, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&self->stats.entries, slot->entries, memory_order_relaxed);
    atomic_fetch_add_explicit(&self->stats.bytes_written, length, memory_order_relaxed);
    return err;
}

/* Groups from `from` up to `to` (exclusive), as far as they lie in one segment; then one sync. */
static oc_err_t write_groups(journal_t *self, uint64_t from, uint64_t to, uint64_t *done)
{
    const uint32_t ring = self->config.groups;
    const uint64_t base = journal_segment_base(self, self->slots[from % ring].start);
    uint64_t at = from;
    while (at < to && journal_segment_base(self, self->slots[at % ring].start) == base) {
        const oc_err_t err = write_group(self, &self->slots[at % ring]);
        if (err != OC_ERR_OK)
            return err;
        at++;
    }
    *done = at;
    return self->config.sync == JOURNAL_SYNC_ALWAYS ? sync_file(self) : OC_ERR_OK;
}

static oc_err_t sync_when_due(journal_t *self, uint64_t now_ns)
{
    journal_writer_t *writer = &self->writer;
    if (self->config.sync != JOURNAL_SYNC_PERIODIC ||
        now_ns - writer->synced_at_ns < self->config.sync_period_ms * NS_OF_MS)
        return OC_ERR_OK;
    writer->synced_at_ns = now_ns;
    return sync_file(self);
}

/* How long a round took; the mean follows over about eight of them. */
static void count_time(journal_t *self, uint64_t took_ns)
{
    _Atomic uint64_t *mean_ns = &self->stats.sync_ns_mean;
    const uint64_t before = atomic_load_explicit(mean_ns, memory_order_relaxed);
    const uint64_t mean = before ? before - before / 8 + took_ns / 8 : took_ns;
    atomic_store_explicit(mean_ns, mean > 0 ? mean : 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&self->stats.sync_ns_total, took_ns, memory_order_relaxed);
}

unsigned journal_writer_work(journal_t *self, uint64_t now_ns)
{
    if (journal_has_failed(self))
        return 0;
    const uint64_t from = atomic_load_explicit(&self->finished, memory_order_relaxed);
    /* Sequentially consistent: the second look before a sleep (journal_waker.h). */
    const uint64_t to = atomic_load(&self->handed);
    OC_ASSERT(to - from <= self->config.groups);
    uint64_t done = from;
    oc_err_t err = OC_ERR_OK;
    if (to != from) {
        const uint64_t begin_ns = clock_wall_ns();
        err = write_groups(self, from, to, &done);
        count_time(self, clock_wall_ns() - begin_ns);
    }
    if (err == OC_ERR_OK && done != from) {
        const journal_slot_t *last = &self->slots[(done - 1) % self->config.groups];
        /* Release: the write and sync come before what follows from them elsewhere. */
        atomic_store_explicit(&self->durable, last->start + last->used, memory_order_release);
        /* Release: gives the slots back after the last use of their content. */
        atomic_store_explicit(&self->finished, done, memory_order_release);
    }
    if (err == OC_ERR_OK)
        err = sync_when_due(self, now_ns);
    if (err != OC_ERR_OK)
        journal_fail(self, err);
    return (unsigned)(done - from);
}

static bool has_work(journal_t *self)
{
    return atomic_load(&self->handed) !=
               atomic_load_explicit(&self->finished, memory_order_relaxed) ||
           atomic_load(&self->stop);
}

/* True if work came before the time to spin was over. */
static bool spin(journal_t *self)
{
    const uint64_t end_ns = clock_wall_ns() + UINT64_C(1000) * self->config.writer_spin_us;
    do {
        for (int i = 0; i < SPIN_LOOKS; i++) {
            if (has_work(self))
                return true;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
    } while (clock_wall_ns() < end_ns);
    return false;
}

static void wait_for_work(journal_t *self)
{
    if (self->config.writer_spin_us > 0 && spin(self))
        return;
    journal_waker_prepare(&self->writer.waker);
    /* After a failure there is nothing to look for but the end. */
    const bool failed = journal_has_failed(self);
    if (failed ? atomic_load(&self->stop) : has_work(self)) {
        journal_waker_cancel(&self->writer.waker);
        return;
    }
    const bool periodic = self->config.sync == JOURNAL_SYNC_PERIODIC;
    journal_waker_sleep(&self->writer.waker,
                        periodic ? self->config.sync_period_ms * NS_OF_MS : SLEEP_NS);
}

void *journal_writer_main(void *context)
{
    journal_t *self = context;
    /* Acquire: pairs with the store in journal_close(); only the end depends on it. */
    while (!atomic_load_explicit(&self->stop, memory_order_acquire)) {
        if (journal_writer_work(self, clock_wall_ns()) == 0)
            wait_for_work(self);
    }
    return NULL;
}
