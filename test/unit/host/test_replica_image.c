/*
 * A replica and its images: what is loaded counts or leaves nothing behind; the number of timers is
 * found again. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/replica_image.h"
#include "lib/offline_fixture.h"

#include <string.h>

static void make_replica(const offline_fixture_t *f, tally_t *tally, replica_t *replica)
{
    const replica_config_t config = {.max_sessions = (uint32_t)f->config.max_sessions,
                                     .max_timers = (uint32_t)f->config.max_timers,
                                     .message_max = 4096};
    offline_tally(f, tally);
    assert_int_equal(replica_init(replica, &tally->service, &config), OC_ERR_OK);
}

static image_store_t *open_images(const offline_fixture_t *f)
{
    image_store_t *images;
    assert_int_equal(recovery_images(&images, f->config.dir, f->config.storage), OC_ERR_OK);
    return images;
}

/* Every page and stamp of all arenas. */
static uint64_t bytes_of(replica_t *replica)
{
    oc_arena_t *arenas[REPLICA_ARENAS_MAX];
    uint64_t hash = 1;
    const size_t count = replica_arenas(replica, arenas);
    for (size_t i = 0; i < count; i++)
        for (size_t at = 0; at < arenas[i]->size; at += 8) {
            uint64_t word;
            memcpy(&word, arenas[i]->base + at, sizeof word);
            hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        }
    return hash;
}

static void loads_and_resets(void **state)
{
    (void)state;
    offline_fixture_t f;
    tally_t tally;
    replica_t replica;
    replica_image_t target;
    offline_fixture_init(&f, 3, true);
    offline_append(&f, 50);
    (void)offline_take(&f, true);
    assert_int_equal(offline_recover(&f, false), OC_ERR_OK);
    make_replica(&f, &tally, &replica);
    const uint64_t genesis = bytes_of(&replica);
    image_store_t *images = open_images(&f);
    assert_int_equal(replica_image_init(&target, &replica), OC_ERR_OK);
    assert_true(target.page_count > 0);
    assert_true(target.page_count < 20);
    for (int i = 0; i < 3; i++) {
        const image_info_t *info = image_store_at(images, 0);
        assert_int_equal(replica_image_load(&target, images, info, 2), OC_ERR_OK);
        assert_true(replica_state_hash(&replica) == f.hash);
        assert_int_equal(replica.entries, f.entries);
        assert_int_equal(replica.entry.position, info->place.position);
        assert_true(bytes_of(&replica) != genesis);
        assert_int_equal(replica_image_reset(&target), OC_ERR_OK);
        assert_int_equal(replica.entries, 0);
        assert_true(bytes_of(&replica) == genesis);
        assert_true(replica.sessions.state->count == 0);
    }
    replica_image_fini(&target);
    image_store_close(images);
    replica_fini(&replica);
    offline_fixture_fini(&f);
}

/* Nothing was loaded: nothing is put back, and the service is not told. */
static void reset_of_nothing(void **state)
{
    (void)state;
    offline_fixture_t f;
    tally_t tally;
    replica_t replica;
    replica_image_t target;
    offline_fixture_init(&f, 3, true);
    make_replica(&f, &tally, &replica);
    assert_int_equal(replica_image_init(&target, &replica), OC_ERR_OK);
    assert_int_equal(replica_image_reset(&target), OC_ERR_OK);
    assert_int_equal(tally.restores, 0);
    replica_image_fini(&target);
    replica_fini(&replica);
    offline_fixture_fini(&f);
}

/* A service that was given a wrong state cannot be given another: so the way past it is told. */
static void a_stream_that_comes_out_otherwise(void **state)
{
    (void)state;
    offline_fixture_t f;
    tally_t tally;
    replica_t replica;
    replica_image_t target;
    offline_fixture_init(&f, 3, false);
    offline_append(&f, 50);
    (void)offline_take(&f, true);
    make_replica(&f, &tally, &replica);
    tally.restore_wrong = true;
    image_store_t *images = open_images(&f);
    assert_int_equal(replica_image_init(&target, &replica), OC_ERR_OK);
    assert_int_equal(replica_image_load(&target, images, image_store_at(images, 0), 1),
                     OC_ERR_DAMAGED);
    assert_true(target.spoiled);
    assert_non_null(strstr(oc_err_context(), "does not restore all that its hash covers"));
    assert_non_null(strstr(oc_err_context(), "move images/0000000000000001.* and what is newer"));
    replica_image_fini(&target);
    image_store_close(images);
    replica_fini(&replica);
    offline_fixture_fini(&f);
}

static void failures_leave_no_entry(void **state)
{
    (void)state;
    offline_fixture_t f;
    tally_t tally;
    replica_t replica;
    replica_image_t target;
    offline_fixture_init(&f, 3, true);
    offline_append(&f, 50);
    (void)offline_take(&f, true);
    make_replica(&f, &tally, &replica);
    image_store_t *images = open_images(&f);
    image_info_t info = *image_store_at(images, 0);
    assert_int_equal(replica_image_init(&target, &replica), OC_ERR_OK);
    info.place.state_hash ^= 1;
    assert_int_equal(replica_image_load(&target, images, &info, 1), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "has the hash"));
    assert_int_equal(replica.entries, 0);
    target.any_hash = true; /* but for who only looks into it */
    assert_int_equal(replica_image_load(&target, images, &info, 1), OC_ERR_OK);
    assert_int_equal(replica.entries, info.place.entries);
    assert_int_equal(replica_image_reset(&target), OC_ERR_OK);
    target.any_hash = false;
    info.place.state_hash ^= 1;
    info.place.entries = 0;
    assert_int_equal(replica_image_load(&target, images, &info, 1), OC_ERR_DAMAGED);
    assert_int_equal(replica.entries, 0);
    storage_fake_flip(f.device, offline_path(1, "pages"), 8192 + 1, 1);
    assert_int_not_equal(replica_image_load(&target, images, image_store_at(images, 0), 1),
                         OC_ERR_OK);
    assert_int_equal(replica.entries, 0);
    storage_fake_flip(f.device, offline_path(1, "pages"), 8192 + 1, 1);
    assert_int_equal(replica_image_load(&target, images, image_store_at(images, 0), 1), OC_ERR_OK);
    replica_image_fini(&target);
    image_store_close(images);
    replica_fini(&replica);
    offline_fixture_fini(&f);
}

static void finds_max_timers(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {1, 9, 1000, 1024, 4097};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        offline_fixture_t f;
        offline_fixture_init(&f, 3, i % 2 == 0);
        f.config.max_timers = numbers[i];
        offline_append(&f, 5);
        (void)offline_take(&f, true);
        image_store_t *images = open_images(&f);
        image_info_t info = *image_store_at(images, 0);
        assert_int_equal(replica_image_max_timers(&info, 1024), numbers[i]);
        info.sections[0].layout ^= 1;
        assert_int_equal(replica_image_max_timers(&info, 1024), 0);
        image_store_close(images);
        offline_fixture_fini(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_resets),
        cmocka_unit_test(reset_of_nothing),
        cmocka_unit_test(a_stream_that_comes_out_otherwise),
        cmocka_unit_test(failures_leave_no_entry),
        cmocka_unit_test(finds_max_timers),
    };
    return cmocka_run_group_tests_name("replica_image", tests, NULL, NULL);
}
