/*
 * The agent's owner side: begin, busy, results, restarts, and the sweeper as a thread. Run by
 * ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/snapshot_fixture.h"

static void test_full_then_incremental(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 40);
    const uint64_t first = snapshot_fixture_take(self, false);
    assert_true(first > 0);
    const uint64_t all = snapshot_fixture_status(self).pages;
    snapshot_fixture_change(self, 2);
    assert_true(snapshot_fixture_take(self, false) > first);
    snapshot_status_t status = snapshot_fixture_status(self);
    assert_true(status.pages <= 2);
    assert_true(all > 10);
    assert_int_equal(status.completed, 2);
    assert_int_equal(status.position, self->position);
    assert_int_equal(status.newest, self->position);
    assert_int_equal(status.oldest, self->position - 32);
    assert_int_equal(snapshot_fixture_check(self), 2);
    /* Full on request. */
    assert_true(snapshot_fixture_take(self, true) > 0);
    assert_true(snapshot_fixture_status(self).pages >= all);
    (void)snapshot_fixture_check(self);
    snapshot_fixture_destroy(self);
}

static void test_changes_meanwhile_are_not_in_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        snapshot_fixture_t *self = snapshot_fixture_create(seed);
        assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
        for (int round = 0; round < 6; round++) {
            snapshot_fixture_change(self, 30);
            assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
            for (int i = 0; i < 5; i++) {
                snapshot_fixture_change(self, 5);
                (void)snapshot_do_work(self->agent);
            }
            snapshot_fixture_finish(self);
            assert_int_equal(snapshot_fixture_status(self).err, OC_ERR_OK);
        }
        assert_true(snapshot_fixture_check(self) >= 2);
        snapshot_fixture_destroy(self);
    }
}

/* Every page that changed before the sweeper came to it is the owner's copy, and told as that. */
static void test_what_the_owner_copied_is_counted(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 400);
    assert_true(snapshot_fixture_take(self, true) > 0);
    assert_int_equal(snapshot_fixture_status(self).pages, 31);
    assert_int_equal(snapshot_fixture_status(self).pages_owner, 0);
    assert_int_equal(snapshot_fixture_begin(self, true), SNAPSHOT_STARTED);
    snapshot_fixture_change(self, 400);
    snapshot_fixture_finish(self);
    assert_int_equal(snapshot_fixture_status(self).pages, 31);
    assert_int_equal(snapshot_fixture_status(self).pages_owner, 31);
    snapshot_fixture_destroy(self);
}

static void take_without_folding(snapshot_fixture_t *self)
{
    snapshot_fixture_change(self, 6);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    while (snapshot_fixture_status(self).running)
        (void)snapshot_do_work(self->agent);
    if (snapshot_fixture_status(self).err != OC_ERR_OK)
        fail_msg("%s", snapshot_fixture_status(self).line);
}

/* A chain that is as long as it may be is not gone on with, by a restarted agent either. */
static void test_longest_chain_after_a_restart(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.chain_max = 62;
    self->config.keep = 64;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    for (int i = 0; i < 63; i++)
        take_without_folding(self);
    for (int i = 0; i < 3; i++) {
        const uint64_t last = snapshot_fixture_status(self).sequence;
        snapshot_fixture_stop(self);
        for (size_t n = 0; n < SNAPSHOT_FIXTURE_ARENAS; n++)
            oc_arena_advance_epoch(&self->arenas[n]); /* stands for a restore */
        assert_int_equal(snapshot_fixture_start(self, last), OC_ERR_OK);
        take_without_folding(self);
    }
    snapshot_fixture_destroy(self);
}

/* A bad image goes behind the first commit: no later start takes it for one that is kept. */
static void test_a_bad_image_does_not_come_back(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.chain_max = 8;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    for (int i = 0; i < 3; i++)
        take_without_folding(self);
    const uint64_t good = snapshot_fixture_status(self).oldest; /* image 2; 3 is bad */
    assert_int_equal(good, self->position - 32);
    uint64_t complete = 2;
    for (int i = 0; i < 2; i++) {
        snapshot_fixture_stop(self);
        for (size_t n = 0; n < SNAPSHOT_FIXTURE_ARENAS; n++)
            oc_arena_advance_epoch(&self->arenas[n]); /* stands for a restore */
        self->position += i == 0 ? 10000 : 0;
        assert_int_equal(snapshot_fixture_start(self, complete), OC_ERR_OK);
        if (i == 1) /* image 4, and image 2 beside it */
            assert_int_equal(snapshot_fixture_status(self).oldest, good);
        if (i == 0)
            take_without_folding(self);
        complete = 4;
    }
    snapshot_fixture_destroy(self);
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 10);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    assert_true(snapshot_fixture_status(self).running);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_BUSY);
    (void)snapshot_do_work(self->agent);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_BUSY);
    snapshot_fixture_finish(self);
    const snapshot_status_t status = snapshot_fixture_status(self);
    assert_false(status.running);
    assert_int_equal(status.begun, 1);
    assert_int_equal(status.refused, 2);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    snapshot_fixture_destroy(self); /* in the middle of it */
}

static void test_pool_used_up(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.pool_pages = 3;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 60);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    snapshot_fixture_change(self, 60); /* before the sweeper has looked at any */
    snapshot_fixture_finish(self);
    snapshot_status_t status = snapshot_fixture_status(self);
    assert_int_equal(status.abandoned, 1);
    assert_int_equal(status.failed, 0);
    assert_int_equal(status.sequence, 0);
    assert_non_null(strstr(status.line, "pool_percent"));
    assert_string_equal(self->line, status.line);
    assert_int_equal(snapshot_fixture_files(self), 0);
    /* The next one works, and is of everything. */
    assert_true(snapshot_fixture_take(self, false) > 0);
    assert_int_equal(snapshot_fixture_check(self), 1);
    snapshot_fixture_destroy(self);
}

static void test_goes_on_after_a_restart(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    snapshot_fixture_change(self, 60);
    assert_true(snapshot_fixture_take(self, false) > 0);
    const uint64_t all = snapshot_fixture_status(self).pages;
    snapshot_fixture_change(self, 60); /* lost with the process */
    snapshot_fixture_stop(self);
    const uint64_t sequence = snapshot_fixture_restore(self);
    self->position += 1024; /* positions of the truth are not used again */
    snapshot_fixture_change(self, 2);
    assert_int_equal(snapshot_fixture_start(self, sequence), OC_ERR_OK);
    assert_true(snapshot_fixture_take(self, false) > sequence);
    assert_true(snapshot_fixture_status(self).pages <= 2);
    assert_true(all > 2);
    assert_int_equal(snapshot_fixture_check(self), 2);
    snapshot_fixture_destroy(self);
}

/* The newest image was found to be bad: the one before is gone on with, and its chain folded. */
static void test_goes_on_from_an_older_one(void **state)
{
    (void)state;
    for (int from_nothing = 0; from_nothing < 2; from_nothing++) {
        snapshot_fixture_t *self = snapshot_fixture_create(1);
        assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
        uint64_t taken[4];
        for (int i = 0; i < 4; i++) { /* a full one and three on it, not yet folded */
            snapshot_fixture_change(self, 10);
            assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
            while (snapshot_fixture_status(self).running)
                (void)snapshot_do_work(self->agent);
            taken[i] = snapshot_fixture_status(self).sequence;
        }
        snapshot_fixture_stop(self);
        const uint64_t complete = from_nothing ? 0 : taken[2];
        if (complete)
            for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++)
                oc_arena_advance_epoch(&self->arenas[i]); /* stands for a restore */
        self->config.chain_max = 1;
        assert_int_equal(snapshot_fixture_start(self, complete), OC_ERR_OK);
        const uint64_t newest = self->position - (complete ? 32 : 0);
        assert_int_equal(snapshot_fixture_status(self).newest, complete ? newest : 0);
        snapshot_fixture_finish(self);
        assert_int_equal(snapshot_fixture_status(self).folds, complete ? 1 : 0);
        snapshot_fixture_change(self, 10);
        assert_true(snapshot_fixture_take(self, true) > taken[3]);
        snapshot_fixture_destroy(self);
    }
}

static void test_stream(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.stream = true;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    for (size_t length = 1; length < 20000; length = length * 5 + 1) {
        self->stream_length = length;
        self->stream = malloc(length);
        assert_non_null(self->stream);
        for (size_t i = 0; i < length; i++)
            self->stream[i] = (uint8_t)(length + i / 7 + i);
        snapshot_fixture_change(self, 3);
        assert_true(snapshot_fixture_take(self, false) > 0);
        (void)snapshot_fixture_check(self);
    }
    snapshot_fixture_destroy(self);
}

static void test_ranges(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.keep = 0;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_INVALID_CONFIG);
    self->config.keep = 1;
    self->config.chain_max = 63;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_INVALID_CONFIG);
    assert_null(self->agent);
    snapshot_fixture_destroy(self);
}

static void test_start_fails(void **state)
{
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        snapshot_fixture_t *self = snapshot_fixture_create(1);
        storage_fake_fault(self->device, STORAGE_FAKE_KILL, nth);
        const oc_err_t err = snapshot_fixture_start(self, 0);
        const bool came_through = storage_fake_fault_pending(self->device);
        assert_true(came_through ? err == OC_ERR_OK : err != OC_ERR_OK);
        snapshot_fixture_destroy(self);
        if (came_through)
            break;
    }
}

static void wait_for_end(snapshot_fixture_t *self)
{
    do {
        snapshot_fixture_change(self, 1);
        (void)snapshot_do_work(self->agent);
    } while (snapshot_fixture_status(self).running);
}

static void test_thread(void **state)
{
    (void)state;
    snapshot_fixture_t *self = snapshot_fixture_create(1);
    self->config.stepped = false;
    assert_int_equal(snapshot_fixture_start(self, 0), OC_ERR_OK);
    for (int round = 0; round < 20; round++) {
        snapshot_fixture_change(self, 10);
        /* A fold may be under way: it gives way. */
        assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
        wait_for_end(self);
        assert_int_equal(snapshot_fixture_status(self).err, OC_ERR_OK);
    }
    snapshot_fixture_change(self, 10);
    assert_int_equal(snapshot_fixture_begin(self, false), SNAPSHOT_STARTED);
    snapshot_fixture_stop(self); /* in the middle of it */
    assert_true(snapshot_fixture_check(self) >= 2);
    snapshot_fixture_destroy(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_then_incremental),
        cmocka_unit_test(test_changes_meanwhile_are_not_in_it),
        cmocka_unit_test(test_what_the_owner_copied_is_counted),
        cmocka_unit_test(test_longest_chain_after_a_restart),
        cmocka_unit_test(test_a_bad_image_does_not_come_back),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_pool_used_up),
        cmocka_unit_test(test_goes_on_after_a_restart),
        cmocka_unit_test(test_goes_on_from_an_older_one),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_start_fails),
        cmocka_unit_test(test_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
