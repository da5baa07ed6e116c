/*
 * The sweeper's work: the wait for the log, failures, crashes at every operation, chains that are
 * folded. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/snapshot_fixture.h"
#include "snapshot/snapshot_internal.h"

static void step(snapshot_fixture_t *self, int times)
{
    for (int i = 0; i < times; i++)
        (void)snapshot_do_work(self->agent);
}

static void test_waits_for_the_log(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 10);
    atomic_store(&self->durable, self->position - 1);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    step(self, 1000);
    assert_true(snapshot_fixture_status(self).running);
    assert_int_equal(snapshot_fixture_check(self), 0);
    atomic_store(&self->durable, self->position);
    snapshot_fixture_finish(self);
    assert_int_equal(snapshot_fixture_status(self).completed, 1);
    assert_int_equal(snapshot_fixture_check(self), 1);
    snapshot_fixture_destroy(self);
}

static void test_log_that_does_not_go_up_to_it(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 10);
    self->checksum_err = OC_ERR_DAMAGED;
    assert_int_equal(snapshot_fixture_take(self, false), 0);
    assert_int_equal(snapshot_fixture_status(self).failed, 1);
    assert_int_equal(snapshot_fixture_files(self), 0);
    self->checksum_err = OC_ERR_OK;
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_check(self), 1);
    snapshot_fixture_destroy(self);
}

/* The image before stays, and the next incremental one builds on that. */
static void test_no_space(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 60);
    const uint64_t first = snapshot_fixture_take(self, false);
    const size_t files = snapshot_fixture_files(self);
    for (uint64_t nth = 1;; nth++) {
        snapshot_fixture_change(self, 4);
        storage_fake_fault(self->device, STORAGE_FAKE_NO_SPACE, nth);
        const uint64_t taken = snapshot_fixture_take(self, false);
        if (storage_fake_fault_pending(self->device)) {
            assert_true(taken > first);
            break;
        }
        assert_int_equal(taken, 0);
        assert_int_equal(snapshot_fixture_files(self), files);
        assert_int_equal(snapshot_fixture_check(self), 1);
    }
    storage_fake_fault(self->device, STORAGE_FAKE_NO_FAULT, 1);
    assert_int_equal(snapshot_fixture_check(self), 2);
    snapshot_fixture_destroy(self);
}

/* ---- Files that somebody removed ---- */

static bool remove_next_file(void *context, const char *name)
{
    (void)snprintf(context, 64, "%s", name);
    return false;
}

static void remove_all_files(snapshot_fixture_t *self)
{
    const storage_t *storage = self->config.storage;
    for (;;) {
        char name[64] = "";
        char path[128];
        assert_int_equal(storage->list(storage, "log/" IMAGE_DIR, remove_next_file, name),
                         OC_ERR_OK);
        if (!name[0])
            return;
        (void)snprintf(path, sizeof path, "log/" IMAGE_DIR "/%s", name);
        assert_int_equal(storage->remove(storage, path), OC_ERR_OK);
    }
}

/* Before it was noticed: an image of changes alone is none. The next one is full. */
static void test_chain_that_is_gone(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 60);
    assert_true(snapshot_fixture_take(self, false) > 0);
    snapshot_fixture_change(self, 4);
    assert_true(snapshot_fixture_take(self, false) > 0);
    self->agent->look_next_ns = UINT64_MAX; /* not by chance */
    remove_all_files(self);
    snapshot_fixture_change(self, 4);
    assert_int_equal(snapshot_fixture_take(self, false), 0);
    assert_non_null(strstr(snapshot_fixture_status(self).line, "what it is built on is gone"));
    assert_int_equal(snapshot_fixture_files(self), 0);
    snapshot_fixture_change(self, 4);
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_check(self), 1);
    snapshot_fixture_destroy(self);
}

/* The same while the image is written: nothing is committed on what is gone. */
static void test_chain_that_goes(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 60);
    const uint64_t first = snapshot_fixture_take(self, false);
    const storage_t *storage = self->config.storage;
    char path[128];
    (void)snprintf(path, sizeof path, "log/" IMAGE_DIR "/%016llx.pages", (unsigned long long)first);
    self->agent->look_next_ns = UINT64_MAX;
    snapshot_fixture_change(self, 4);
    atomic_store(&self->durable, self->position - 1);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    step(self, 1000);
    assert_int_equal(storage->remove(storage, path), OC_ERR_OK);
    atomic_store(&self->durable, UINT64_MAX);
    snapshot_fixture_finish(self);
    assert_int_equal(snapshot_fixture_status(self).completed, 1);
    assert_int_equal(snapshot_fixture_status(self).failed, 1);
    snapshot_fixture_change(self, 4);
    const uint64_t last = snapshot_fixture_take(self, false);
    if (last == 0)
        fail_msg("%s", snapshot_fixture_status(self).line);
    assert_int_equal(snapshot_fixture_check(self), 1);
    snapshot_fixture_destroy(self);
}

/* Between images it is noticed, one image a look: the next one is full at once. */
static void test_chain_that_is_missed(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 60);
    const uint64_t first = snapshot_fixture_take(self, false);
    snapshot_fixture_change(self, 4);
    assert_true(snapshot_fixture_take(self, false) > 0);
    const storage_t *storage = self->config.storage;
    char path[128];
    (void)snprintf(path, sizeof path, "log/" IMAGE_DIR "/%016llx.manifest",
                   (unsigned long long)first);
    assert_int_equal(storage->remove(storage, path), OC_ERR_OK);
    const uint64_t lines = self->lines;
    for (int look = 0; look < 3; look++) {
        self->agent->look_next_ns = 0;
        step(self, 10);
    }
    assert_int_equal(self->lines, lines + 1);
    assert_non_null(strstr(self->line, "is gone"));
    snapshot_fixture_change(self, 4);
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_check(self), 1);
    snapshot_fixture_destroy(self);
}

/* ---- Space that the log needs ---- */

enum {
    PAGE = 4096,
    RESERVE = 1 << 20,
    OVERHEAD = 4 * PAGE /* header, configuration, table, manifest */
};

static uint64_t free_bytes(const snapshot_fixture_t *self)
{
    uint64_t bytes = 0;
    const storage_t *storage = self->config.storage;
    assert_int_equal(storage->free_bytes(storage, "log", &bytes), OC_ERR_OK);
    return bytes;
}

/* So many bytes are free from now on. */
static void leave_free(snapshot_fixture_t *self, uint64_t bytes)
{
    storage_fake_set_capacity(self->device, UINT64_C(1) << 40);
    const uint64_t used = (UINT64_C(1) << 40) - free_bytes(self);
    storage_fake_set_capacity(self->device, used + bytes);
}

static void test_the_log_keeps_its_space(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.reserve_bytes = RESERVE;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 400); /* all 31 pages */
    const uint64_t operations = storage_fake_operations(self->device);
    leave_free(self, RESERVE + 31 * PAGE + OVERHEAD - 1);
    assert_int_equal(snapshot_fixture_take(self, false), 0);
    assert_int_equal(snapshot_fixture_status(self).err, OC_ERR_NO_SPACE);
    assert_int_equal(snapshot_fixture_status(self).failed, 1);
    assert_non_null(strstr(self->line, "the log may need"));
    assert_int_equal(storage_fake_operations(self->device), operations); /* not even begun */
    leave_free(self, RESERVE / 2);
    assert_int_equal(snapshot_fixture_take(self, false), 0);
    leave_free(self, RESERVE + 31 * PAGE + OVERHEAD);
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_true(free_bytes(self) >= RESERVE);
    /* What has not changed needs no space. */
    snapshot_fixture_change(self, 2);
    leave_free(self, RESERVE + 2 * PAGE + OVERHEAD);
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_check(self), 2);
    snapshot_fixture_destroy(self);
}

/* An image fits, its folding does not: that is put off. */
static void test_a_fold_leaves_the_log_its_space(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.reserve_bytes = RESERVE;
    self->config.chain_max = 1;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 400);
    for (int i = 0; i < 3; i++) {
        leave_free(self, RESERVE + (i ? 10 : 31) * PAGE + OVERHEAD);
        assert_true(snapshot_fixture_take(self, false) > 0);
        assert_true(free_bytes(self) >= RESERVE);
        snapshot_fixture_change(self, 1);
    }
    assert_int_equal(snapshot_fixture_status(self).folds, 0);
    assert_non_null(strstr(self->line, "not folded"));
    const size_t files = snapshot_fixture_files(self);
    assert_int_equal(files, 6);
    leave_free(self, RESERVE * 2);
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_status(self).folds, 1);
    assert_true(snapshot_fixture_check(self) >= 2);
    snapshot_fixture_destroy(self);
}

/* ---- Large states ---- */

/* An agent over one arena of so many pages, all touched. */
typedef struct large {
    storage_fake_t *device;
    oc_arena_t arena;
    snapshot_config_t config;
    snapshot_t *agent;
} large_t;

static uint64_t all_durable(void *context)
{
    (void)context;
    return UINT64_MAX;
}

static oc_err_t any_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    (void)context;
    *checksum = (uint32_t)place->position;
    return OC_ERR_OK;
}

static void touch(large_t *self, size_t page, uint8_t value)
{
    uint8_t *at = self->arena.base + page * PAGE;
    oc_arena_touch(&self->arena, at);
    *at = value;
}

static void large_init(large_t *self, size_t pages)
{
    memset(self, 0, sizeof *self);
    self->device = storage_fake_create(1);
    assert_true(oc_arena_init(&self->arena, "large", 1, pages * PAGE, false));
    (void)oc_arena_alloc(&self->arena, pages * PAGE);
    oc_arena_seal(&self->arena);
    for (size_t page = 0; page < pages; page++)
        touch(self, page, 1);
    self->config = (snapshot_config_t){
        .dir = "log",
        .storage = storage_fake_table(self->device),
        .arena_count = 1,
        .log = {.durable = all_durable, .checksum = any_checksum},
        .pool_pages = pages,
        .keep = 2,
        .chain_max = 8,
        .block_bytes = 65536,
        .stepped = true,
        .cpu = -1,
    };
    assert_int_equal(self->config.storage->make_dir(self->config.storage, "log"), OC_ERR_OK);
}

static void large_start(large_t *self)
{
    oc_arena_t *arenas[] = {&self->arena};
    self->config.arenas = arenas;
    assert_int_equal(snapshot_create(&self->agent, &self->config, 0), OC_ERR_OK);
}

static void large_fini(large_t *self)
{
    snapshot_destroy(self->agent);
    oc_arena_fini(&self->arena);
    storage_fake_destroy(self->device);
}

static void large_begin(large_t *self, uint64_t position)
{
    const snapshot_request_t request = {.place = {.log_id = 1, .position = position, .entries = 1},
                                        .configuration = NULL,
                                        .full = true};
    assert_int_equal(snapshot_begin(self->agent, &request), SNAPSHOT_STARTED);
}

static snapshot_status_t large_status(const large_t *self)
{
    snapshot_status_t status;
    snapshot_status(self->agent, &status);
    return status;
}

/* Until it ends; returns in how many calls nothing was done. */
static uint64_t large_settle(large_t *self)
{
    uint64_t idle = 0;
    while (large_status(self).running)
        idle += snapshot_do_work(self->agent) == 0;
    return idle;
}

/* The space is looked at while the file grows, not only before. */
static void test_space_that_goes_meanwhile(void **state)
{
    (void)state;
    large_t self;
    uint64_t free_then = 0;
    large_init(&self, 4000);
    self.config.reserve_bytes = RESERVE;
    large_start(&self);
    large_begin(&self, 32);
    while (storage_fake_bytes_written(self.device) < 100 * PAGE)
        assert_true(snapshot_do_work(self.agent) > 0);
    storage_fake_set_capacity(self.device, RESERVE + 3000 * PAGE);
    (void)large_settle(&self);
    assert_int_equal(large_status(&self).err, OC_ERR_NO_SPACE);
    assert_non_null(strstr(large_status(&self).line, "the log may need"));
    assert_true(storage_fake_bytes_written(self.device) < 1500 * PAGE);
    const storage_t *storage = self.config.storage;
    assert_int_equal(storage->free_bytes(storage, "log", &free_then), OC_ERR_OK);
    assert_int_equal(free_then, RESERVE + 3000 * PAGE); /* nothing is left of it */
    large_fini(&self);
}

/* While the pace waits, the owner fills the pool: the pace is dropped before the pool is full; and
 * kept again by the next snapshot. */
static void test_a_pool_that_fills_up_drops_the_pace(void **state)
{
    (void)state;
    enum { PAGES = 2000, POOL = 400 };
    large_t self;
    large_init(&self, PAGES);
    self.config.pool_pages = POOL;
    self.config.bytes_per_s_max = 1 << 20; /* a block takes 60 ms, all of it 8 s */
    large_start(&self);
    large_begin(&self, 32);
    while (snapshot_do_work(self.agent) > 0) /* until the pace waits */
        continue;
    for (size_t page = PAGES; page-- > 0;) {
        touch(&self, page, 2);
        (void)snapshot_do_work(self.agent);
        assert_int_not_equal(capture_state(self.agent->capture), CAPTURE_ABANDONED);
    }
    (void)large_settle(&self);
    assert_int_equal(large_status(&self).err, OC_ERR_OK);
    assert_int_equal(large_status(&self).pages, PAGES);
    assert_true(large_status(&self).sweep_ns < UINT64_C(6000000000));

    large_begin(&self, 64);
    unsigned idle = 0;
    for (int i = 0; i < 100; i++)
        idle += snapshot_do_work(self.agent) == 0;
    assert_true(large_status(&self).running);
    assert_true(idle > 50);
    large_fini(&self);
}

/* Also the table is written at the pace. */
static void test_all_of_it_is_paced(void **state)
{
    (void)state;
    large_t self;
    large_init(&self, 20000); /* a table of 160000 bytes: three blocks */
    self.config.bytes_per_s_max = 100 << 20;
    large_start(&self);
    large_begin(&self, 32);
    unsigned blocks = 0;
    unsigned waits = 0;
    while (large_status(&self).running) {
        const uint64_t before = storage_fake_bytes_written(self.device);
        const bool rest = self.agent->job.stage == JOB_REST;
        waits += snapshot_do_work(self.agent) == 0 && rest;
        const uint64_t wrote = storage_fake_bytes_written(self.device) - before;
        assert_true(wrote <= 2 * 65536);
        blocks += rest && wrote > 0;
    }
    assert_int_equal(large_status(&self).err, OC_ERR_OK);
    assert_true(blocks >= 3);
    assert_true(waits > 0);
    assert_true(large_status(&self).commit_ns > UINT64_C(20000 * 4096) * 9); /* 100 MiB/s */
    large_fini(&self);
}

/* A step of the owner is never sync, commit and removal at once. */
static void test_steps_of_the_end_are_apart(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.keep = 1;
    self->config.chain_max = 8;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    uint64_t most = 0;
    for (int i = 0; i < 12; i++) {
        snapshot_fixture_change(self, 6);
        assert_int_equal(snapshot_fixture_begin(self, i >= 8), SNAPSHOT_STARTED);
        while (snapshot_fixture_status(self).running) {
            const uint64_t before = storage_fake_operations(self->device);
            step(self, 1);
            const uint64_t made = storage_fake_operations(self->device) - before;
            most = made > most ? made : most;
        }
    }
    /* The commit: directory, new file, its block and sync, its name, directory. */
    assert_int_equal(most, 6);
    snapshot_fixture_destroy(self);
}

/* Ended between the sync of the file and its commit: the file does not stay. */
static void test_an_end_before_the_commit(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 6);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    while (self->agent->job.stage != JOB_COMMIT)
        step(self, 1);
    assert_int_equal(snapshot_fixture_files(self), 1);
    snapshot_fixture_stop(self);
    assert_int_equal(snapshot_fixture_files(self), 0);
    snapshot_fixture_destroy(self);
}

/* A chain that was too long to be gone on with is folded: what follows goes on from that. */
static void test_a_folded_chain_is_gone_on_with(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.chain_max = 1;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 400);
    for (int i = 0; i < 4; i++) {
        snapshot_fixture_change(self, 2);
        assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
        while (snapshot_fixture_status(self).running)
            step(self, 1);
    }
    snapshot_fixture_finish(self);
    assert_int_equal(snapshot_fixture_status(self).folds, 1);
    snapshot_fixture_change(self, 1);
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_status(self).pages, 1);
    assert_true(snapshot_fixture_check(self) >= 2);
    snapshot_fixture_destroy(self);
}

static void test_chains_are_folded(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.chain_max = 1;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    for (int i = 0; i < 20; i++) {
        snapshot_fixture_change(self, 5);
        assert_true(snapshot_fixture_take(self, false) > 0);
        assert_true(snapshot_fixture_check(self) >= 1);
    }
    const snapshot_status_t status = snapshot_fixture_status(self);
    assert_true(status.folds >= 9);
    /* Two chains of at most three images, each of two files. */
    assert_true(snapshot_fixture_files(self) <= 12);
    snapshot_fixture_destroy(self);
}

/* Folding comes to nothing: the chain ends by a full image, never at its longest. */
static void test_snapshots_too_close_to_fold(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.chain_max = 1;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    for (int i = 0; i < 12; i++) {
        snapshot_fixture_change(self, 5);
        assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
        while (snapshot_fixture_status(self).running)
            step(self, 1);
        assert_int_equal(snapshot_fixture_status(self).err, OC_ERR_OK);
    }
    assert_int_equal(snapshot_fixture_status(self).folds, 0);
    assert_true(snapshot_fixture_check(self) >= 2);
    snapshot_fixture_destroy(self);
}

/* A run of changes and snapshots that ends early when the device is gone. */
static void run(snapshot_fixture_t *self)
{
    for (int i = 0; i < 8 && !storage_fake_is_off(self->device); i++) {
        snapshot_fixture_change(self, 4);
        assert_int_equal(snapshot_fixture_begin(self, i == 5), SNAPSHOT_STARTED);
        snapshot_fixture_change(self, 2);
        step(self, 1);
        snapshot_fixture_change(self, 2);
        snapshot_fixture_finish(self);
    }
}

static void crash_everywhere(storage_fake_fault_t fault)
{
    bool came_through = false;
    for (uint64_t nth = 1; !came_through; nth++) {
        snapshot_fixture_t *self = snapshot_fixture_create(nth);
        self->config.chain_max = 1;
        assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
        snapshot_fixture_change(self, 30);
        assert_true(snapshot_fixture_take(self, false) > 0);
        storage_fake_fault(self->device, fault, nth);
        run(self);
        came_through = storage_fake_fault_pending(self->device);
        snapshot_fixture_stop(self);
        storage_fake_fault(self->device, STORAGE_FAKE_NO_FAULT, 1);
        storage_fake_restart(self->device);
        assert_true(snapshot_fixture_check(self) >= 1);
        /* And it goes on from there. */
        const uint64_t sequence = snapshot_fixture_restore(self);
        self->position += 4096;
        assert_int_equal(snapshot_fixture_start(self, sequence), OC_ERR_OK);
        snapshot_fixture_change(self, 3);
        assert_true(snapshot_fixture_take(self, false) > sequence);
        assert_true(snapshot_fixture_check(self) >= 1);
        snapshot_fixture_destroy(self);
    }
}

static void test_power_cuts(void **state)
{
    (void)state;
    crash_everywhere(STORAGE_FAKE_POWER_CUT);
}

static void test_kills(void **state)
{
    (void)state;
    crash_everywhere(STORAGE_FAKE_KILL);
}

static void test_torn_writes(void **state)
{
    (void)state;
    crash_everywhere(STORAGE_FAKE_TORN_WRITE);
}

/* Errors that do not end the process: later images and what is listed are right all the same. */
static void errors_everywhere(storage_fake_fault_t fault)
{
    bool came_through = false;
    for (uint64_t nth = 1; !came_through; nth++) {
        snapshot_fixture_t *self = snapshot_fixture_create(nth);
        self->config.chain_max = 1;
        assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
        snapshot_fixture_change(self, 30);
        assert_true(snapshot_fixture_take(self, false) > 0);
        storage_fake_fault(self->device, fault, nth);
        run(self);
        came_through = storage_fake_fault_pending(self->device);
        storage_fake_fault(self->device, STORAGE_FAKE_NO_FAULT, 1);
        snapshot_fixture_change(self, 3);
        assert_true(snapshot_fixture_take(self, false) > 0);
        assert_true(snapshot_fixture_check(self) >= 1);
        snapshot_fixture_destroy(self);
    }
}

static void test_errors(void **state)
{
    (void)state;
    errors_everywhere(STORAGE_FAKE_WRITE_ERROR);
    errors_everywhere(STORAGE_FAKE_SHORT_WRITE);
    errors_everywhere(STORAGE_FAKE_SYNC_ERROR);
    errors_everywhere(STORAGE_FAKE_READ_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits_for_the_log),
        cmocka_unit_test(test_log_that_does_not_go_up_to_it),
        cmocka_unit_test(test_no_space),
        cmocka_unit_test(test_chain_that_is_gone),
        cmocka_unit_test(test_chain_that_goes),
        cmocka_unit_test(test_chain_that_is_missed),
        cmocka_unit_test(test_the_log_keeps_its_space),
        cmocka_unit_test(test_a_fold_leaves_the_log_its_space),
        cmocka_unit_test(test_space_that_goes_meanwhile),
        cmocka_unit_test(test_a_pool_that_fills_up_drops_the_pace),
        cmocka_unit_test(test_all_of_it_is_paced),
        cmocka_unit_test(test_steps_of_the_end_are_apart),
        cmocka_unit_test(test_an_end_before_the_commit),
        cmocka_unit_test(test_a_folded_chain_is_gone_on_with),
        cmocka_unit_test(test_chains_are_folded),
        cmocka_unit_test(test_snapshots_too_close_to_fold),
        cmocka_unit_test(test_power_cuts),
        cmocka_unit_test(test_kills),
        cmocka_unit_test(test_torn_writes),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
