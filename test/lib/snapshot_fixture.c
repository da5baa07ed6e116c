/*
 * See snapshot_fixture.h. Fails the running cmocka test when something is wrong.
 */
#define _GNU_SOURCE
#include "lib/snapshot_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"

#define DIR_NAME "log"

static const size_t arena_pages[SNAPSHOT_FIXTURE_ARENAS] = {24, 7};

static uint64_t log_durable(void *context)
{
    snapshot_fixture_t *self = context;
    return atomic_load(&self->durable);
}

static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    snapshot_fixture_t *self = context;
    assert_true(place->position <= atomic_load(&self->durable));
    *checksum = (uint32_t)place->position ^ 0x5a5a5a5a;
    return self->checksum_err;
}

static void take_line(void *context, const char *line)
{
    snapshot_fixture_t *self = context;
    self->lines++;
    (void)snprintf(self->line, sizeof self->line, "%s", line);
}

static uint64_t draw(snapshot_fixture_t *self)
{
    return prng_mix(++self->random);
}

static void make_arenas(oc_arena_t *arenas)
{
    for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++) {
        assert_true(oc_arena_init(&arenas[i], i ? "second" : "first", 1,
                                  arena_pages[i] << OC_ARENA_PAGE_SHIFT, false));
        (void)oc_arena_alloc(&arenas[i], arena_pages[i] << OC_ARENA_PAGE_SHIFT);
        oc_arena_seal(&arenas[i]);
    }
}

snapshot_fixture_t *snapshot_fixture_create(uint64_t seed)
{
    snapshot_fixture_t *self = calloc(1, sizeof *self);
    assert_non_null(self);
    self->device = storage_fake_create(seed);
    self->random = seed << 32;
    atomic_store(&self->durable, UINT64_MAX);
    make_arenas(self->arenas);
    self->config = (snapshot_config_t){
        .dir = DIR_NAME,
        .storage = storage_fake_table(self->device),
        .arena_count = SNAPSHOT_FIXTURE_ARENAS,
        .log = {.context = self, .durable = log_durable, .checksum = log_checksum},
        .pool_pages = 31,
        .keep = 2,
        .chain_max = 2,
        .block_bytes = 65536,
        .stepped = true,
        .cpu = -1,
        .tell = take_line,
        .tell_context = self,
    };
    assert_int_equal(self->config.storage->make_dir(self->config.storage, DIR_NAME), OC_ERR_OK);
    return self;
}

void snapshot_fixture_destroy(snapshot_fixture_t *self)
{
    snapshot_fixture_stop(self);
    for (size_t i = 0; i < self->truth_count; i++)
        for (size_t arena = 0; arena < SNAPSHOT_FIXTURE_ARENAS; arena++)
            free(self->truths[i].bytes[arena]);
    for (size_t i = 0; i < self->truth_count; i++)
        free(self->truths[i].stream);
    for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++)
        oc_arena_fini(&self->arenas[i]);
    free(self->stream);
    storage_fake_destroy(self->device);
    free(self);
}

oc_err_t snapshot_fixture_start(snapshot_fixture_t *self, uint64_t complete)
{
    oc_arena_t *arenas[SNAPSHOT_FIXTURE_ARENAS];
    for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++)
        arenas[i] = &self->arenas[i];
    self->config.arenas = arenas;
    return snapshot_create(&self->agent, &self->config, complete);
}

void snapshot_fixture_stop(snapshot_fixture_t *self)
{
    snapshot_destroy(self->agent);
    self->agent = NULL;
}

void snapshot_fixture_change(snapshot_fixture_t *self, unsigned pages)
{
    for (unsigned i = 0; i < pages; i++) {
        oc_arena_t *arena = &self->arenas[draw(self) % SNAPSHOT_FIXTURE_ARENAS];
        uint64_t *at = (uint64_t *)(void *)(arena->base + draw(self) % (arena->size / 8) * 8);
        oc_arena_touch(arena, at);
        *at = draw(self);
    }
    self->position += 32;
}

static const snapshot_truth_t *find_truth(const snapshot_fixture_t *self, uint64_t position)
{
    for (size_t i = 0; i < self->truth_count; i++)
        if (self->truths[i].position == position)
            return &self->truths[i];
    return NULL;
}

static void keep_truth(snapshot_fixture_t *self)
{
    if (find_truth(self, self->position))
        return;
    assert_true(self->truth_count < SNAPSHOT_FIXTURE_TRUTHS);
    snapshot_truth_t *truth = &self->truths[self->truth_count++];
    truth->position = self->position;
    for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++) {
        truth->bytes[i] = malloc(self->arenas[i].size);
        assert_non_null(truth->bytes[i]);
        memcpy(truth->bytes[i], self->arenas[i].base, self->arenas[i].size);
    }
    if (!self->config.stream || self->stream_length == 0)
        return;
    truth->stream = malloc(self->stream_length);
    assert_non_null(truth->stream);
    truth->stream_length = self->stream_length;
    memcpy(truth->stream, self->stream, self->stream_length);
}

snapshot_answer_t snapshot_fixture_begin(snapshot_fixture_t *self, bool full)
{
    snapshot_request_t request = {
        .place = {.log_id = 7, .position = self->position, .group = 0, .term = 1},
        .configuration = "configuration",
        .configuration_length = 13,
        .full = full,
    };
    keep_truth(self);
    if (self->config.stream) {
        request.stream = self->stream;
        request.stream_length = self->stream_length;
        self->stream = NULL;
    }
    return snapshot_begin(self->agent, &request);
}

void snapshot_fixture_finish(snapshot_fixture_t *self)
{
    unsigned idle = 0;
    for (unsigned i = 0; i < 1000000 && idle < 3; i++)
        idle = snapshot_do_work(self->agent) ? 0 : idle + 1;
    assert_int_equal(idle, 3);
}

uint64_t snapshot_fixture_take(snapshot_fixture_t *self, bool full)
{
    assert_int_equal(snapshot_fixture_begin(self, full), SNAPSHOT_STARTED);
    snapshot_fixture_finish(self);
    return snapshot_fixture_status(self).sequence;
}

snapshot_status_t snapshot_fixture_status(const snapshot_fixture_t *self)
{
    snapshot_status_t status;
    snapshot_status(self->agent, &status);
    return status;
}

static image_store_t *open_store(snapshot_fixture_t *self)
{
    const image_store_config_t config = {
        .dir = DIR_NAME, .storage = self->config.storage, .read_only = true, .keep = 2};
    image_store_t *store;
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    return store;
}

static oc_err_t load(snapshot_fixture_t *self, const image_store_t *store, size_t n,
                     oc_arena_t *arenas)
{
    image_target_t targets[SNAPSHOT_FIXTURE_ARENAS + 1] = {0};
    size_t stream_length = 0;
    uint8_t *stream = NULL;
    for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++)
        targets[i].arena = &arenas[i];
    targets[SNAPSHOT_FIXTURE_ARENAS].stream = &stream;
    targets[SNAPSHOT_FIXTURE_ARENAS].stream_length = &stream_length;
    const oc_err_t err = image_load(store, image_store_at(store, n), targets,
                                    SNAPSHOT_FIXTURE_ARENAS + (self->config.stream ? 1 : 0), 2);
    if (err == OC_ERR_OK && self->config.stream) {
        const snapshot_truth_t *truth = find_truth(self, image_store_at(store, n)->place.position);
        assert_non_null(truth);
        assert_int_equal(stream_length, truth->stream_length);
        if (stream_length > 0)
            assert_memory_equal(stream, truth->stream, stream_length);
    }
    free(stream);
    return err;
}

static void hold_against_truth(snapshot_fixture_t *self, const image_info_t *info,
                               const oc_arena_t *arenas)
{
    const snapshot_truth_t *truth = find_truth(self, info->place.position);
    assert_non_null(truth);
    assert_int_equal(info->place.log_checksum, (uint32_t)info->place.position ^ 0x5a5a5a5a);
    for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++)
        assert_memory_equal(arenas[i].base, truth->bytes[i], arenas[i].size);
}

size_t snapshot_fixture_check(snapshot_fixture_t *self)
{
    oc_arena_t arenas[SNAPSHOT_FIXTURE_ARENAS];
    image_store_t *store = open_store(self);
    const size_t count = image_store_count(store);
    for (size_t n = 0; n < count; n++) {
        make_arenas(arenas);
        assert_int_equal(image_verify(store, image_store_at(store, n), 1), OC_ERR_OK);
        assert_int_equal(load(self, store, n, arenas), OC_ERR_OK);
        hold_against_truth(self, image_store_at(store, n), arenas);
        for (size_t i = 0; i < SNAPSHOT_FIXTURE_ARENAS; i++)
            oc_arena_fini(&arenas[i]);
    }
    image_store_close(store);
    return count;
}

uint64_t snapshot_fixture_restore(snapshot_fixture_t *self)
{
    image_store_t *store = open_store(self);
    assert_true(image_store_count(store) > 0);
    assert_int_equal(load(self, store, 0, self->arenas), OC_ERR_OK);
    const uint64_t sequence = image_store_at(store, 0)->sequence;
    self->position = image_store_at(store, 0)->place.position;
    hold_against_truth(self, image_store_at(store, 0), self->arenas);
    image_store_close(store);
    return sequence;
}

static bool count_file(void *context, const char *name)
{
    (void)name;
    ++*(size_t *)context;
    return true;
}

size_t snapshot_fixture_files(snapshot_fixture_t *self)
{
    size_t count = 0;
    assert_int_equal(self->config.storage->list(self->config.storage, DIR_NAME "/" IMAGE_DIR,
                                                count_file, &count),
                     OC_ERR_OK);
    return count;
}
