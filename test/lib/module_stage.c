/*
 * Counters of a module without one. See the header.
 */
#define _GNU_SOURCE
#include "lib/module_stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cluster/member_config.h"
#include "cluster/module_aeron.h"
#include "codec/cluster_service_codec.h"
#include "host/driver_dir.h"
#include "lib/byte_builder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS_MAX = 200000, PAUSE_US = 500 };

static const int32_t types[MODULE_COUNTERS] = {200, 201, 202, 203, 205, 207, 238, 239, 212, 213};

static void write_config(const char *dir, uint32_t members, uint32_t id)
{
    char path[340];
    (void)snprintf(path, sizeof path, "%s/outcry.conf", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "[service]\nown = 1\n[cluster]\nid = %" PRIu32 "\n", id);
    for (uint32_t i = 0; i < members; i++)
        (void)fprintf(file,
                      "member%" PRIu32 " = 127.0.0.1:%u,127.0.0.1:%u,127.0.0.1:%u,127.0.0.1:%u,"
                      "127.0.0.1:%u\n",
                      i, 9000 + i, 9100 + i, 9200 + i, 9300 + i, 9400 + i);
    assert_int_equal(fclose(file), 0);
}

void module_stage_begin(module_stage_t *self, uint32_t members, uint32_t id)
{
    memset(self, 0, sizeof *self);
    temp_dir_make(&self->base);
    self->members = members;
    self->id = id;
    (void)snprintf(self->dir, sizeof self->dir, "%s/m%" PRIu32, self->base.path, id);
    assert_int_equal(mkdir(self->dir, 0700), 0);
    write_config(self->dir, members, id);
    assert_int_equal(driver_dir_of(self->dir, self->aeron_dir, sizeof self->aeron_dir), OC_ERR_OK);
}

void module_stage_neighbour(const module_stage_t *self, uint32_t id)
{
    char dir[300];
    (void)snprintf(dir, sizeof dir, "%s/m%" PRIu32, self->base.path, id);
    assert_int_equal(mkdir(dir, 0700), 0);
    write_config(dir, self->members, id);
}

void module_stage_driver(module_stage_t *self)
{
    embedded_config_t config;
    embedded_config_init(&config);
    config.dir = self->aeron_dir;
    config.threading = EMBEDDED_SHARED;
    assert_int_equal(embedded_create(&self->embedded, &config), OC_ERR_OK);
}

static aeron_counter_t *make_counter(module_stage_t *self, int32_t type, int32_t cluster_id)
{
    aeron_async_add_counter_t *adding;
    aeron_counter_t *counter = NULL;
    char label[64];
    (void)snprintf(label, sizeof label, "staged - clusterId=%" PRId32, cluster_id);
    assert_int_equal(aeron_async_add_counter(&adding, embedded_aeron(self->embedded), type,
                                             (const uint8_t *)&cluster_id, sizeof cluster_id, label,
                                             strlen(label)),
                     0);
    for (int i = 0; i < STEPS_MAX && !counter; i++) {
        (void)embedded_do_work(self->embedded);
        assert_true(aeron_async_add_counter_poll(&counter, adding) >= 0);
        (void)usleep(PAUSE_US / 10);
    }
    assert_non_null(counter);
    return counter;
}

void module_stage_counters(module_stage_t *self, int32_t cluster_id)
{
    for (int i = 0; i < MODULE_COUNTERS; i++)
        self->counters[i] = make_counter(self, types[i], cluster_id);
    module_stage_set(self, MODULE_COUNTER_STATE, MODULE_STATE_ACTIVE);
    module_stage_set(self, MODULE_COUNTER_ROLE, MODULE_ROLE_LEADER);
    module_stage_set(self, MODULE_COUNTER_TOGGLE, MODULE_TOGGLE_NEUTRAL);
    module_stage_set(self, MODULE_COUNTER_ELECTION_STATE, MODULE_ELECTION_CLOSED);
    module_stage_set(self, MODULE_COUNTER_COMMIT_POSITION, 4096);
    module_stage_set(self, MODULE_COUNTER_TERM, 3);
}

void module_stage_set(module_stage_t *self, module_counter_t counter, int64_t value)
{
    __atomic_store_n(aeron_counter_addr(self->counters[counter]), value, __ATOMIC_RELEASE);
}

int64_t module_stage_get(const module_stage_t *self, module_counter_t counter)
{
    return __atomic_load_n(aeron_counter_addr(self->counters[counter]), __ATOMIC_ACQUIRE);
}

/* ---- Members ---- */

size_t module_stage_members(const module_stage_t *self, int64_t correlation_id, void *bytes)
{
    byte_builder_t b = {.size = 0};
    build_le(&b, 24, 2); /* header */
    build_le(&b, CLUSTER_CONTROL_MEMBERS, 2);
    build_le(&b, 111, 2);
    build_le(&b, 14, 2);
    build_le(&b, (uint64_t)correlation_id, 8);
    build_le(&b, 9000000, 8); /* the module's time */
    build_le(&b, 0, 4);       /* member 0 leads */
    build_le(&b, self->id, 4);
    build_le(&b, 28, 2); /* active members */
    build_le(&b, self->members, 2);
    for (uint32_t i = 0; i < self->members; i++) {
        build_le(&b, 3, 8);
        build_le(&b, 4000 + i, 8);
        build_le(&b, i == 0 ? UINT64_MAX : 7000000, 8);
        build_le(&b, i, 4);
        for (uint32_t n = 0; n < MEMBER_ENDPOINTS; n++) {
            build_le(&b, 3, 4);
            build_text(&b, (char[]){(char)('a' + i), ':', (char)('1' + n), '\0'});
        }
    }
    build_le(&b, 28, 2); /* passive ones */
    build_le(&b, 0, 2);
    assert_true(b.size <= 1024);
    memcpy(bytes, b.bytes, b.size);
    return b.size;
}

static void on_question(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    module_stage_t *self = context;
    cluster_request_t request;
    uint8_t answer[1024];
    (void)header;
    if (self->deaf || cluster_request_decode(bytes, length, &request) != OC_PROBLEM_NONE ||
        request.type != CLUSTER_REQUEST_MEMBERS_QUERY)
        return;
    const size_t size = module_stage_members(self, request.correlation_id, answer);
    (void)aeron_publication_offer(self->publication, answer, size, NULL, NULL);
}

static void connect(module_stage_t *self)
{
    aeron_async_add_publication_t *publication;
    aeron_async_add_subscription_t *subscription;
    aeron_t *aeron = embedded_aeron(self->embedded);
    assert_int_equal(
        aeron_async_add_publication(&publication, aeron, MODULE_CONTROL_CHANNEL, MODULE_TO_SERVICE),
        0);
    assert_int_equal(aeron_async_add_subscription(&subscription, aeron, MODULE_CONTROL_CHANNEL,
                                                  MODULE_FROM_SERVICE, NULL, NULL, NULL, NULL),
                     0);
    for (int i = 0; i < STEPS_MAX && (!self->publication || !self->subscription); i++) {
        (void)embedded_do_work(self->embedded);
        if (!self->publication)
            assert_true(aeron_async_add_publication_poll(&self->publication, publication) >= 0);
        if (!self->subscription)
            assert_true(aeron_async_add_subscription_poll(&self->subscription, subscription) >= 0);
        (void)usleep(PAUSE_US / 10);
    }
    assert_non_null(self->publication);
    assert_non_null(self->subscription);
}

/* ---- Acting ---- */

/* What the module does at each of its duty cycles. Returns false when it is gone. */
static bool act(module_stage_t *self)
{
    const int64_t toggle = module_stage_get(self, MODULE_COUNTER_TOGGLE);
    if (toggle != MODULE_TOGGLE_RESUME &&
        module_stage_get(self, MODULE_COUNTER_STATE) == MODULE_STATE_SUSPENDED)
        return true;
    switch (toggle) {
    case MODULE_TOGGLE_SUSPEND:
        module_stage_set(self, MODULE_COUNTER_STATE, MODULE_STATE_SUSPENDED);
        return true;
    case MODULE_TOGGLE_RESUME:
        module_stage_set(self, MODULE_COUNTER_STATE, MODULE_STATE_ACTIVE);
        break;
    case MODULE_TOGGLE_SNAPSHOT:
        if (!self->no_snapshot)
            module_stage_set(self, MODULE_COUNTER_SNAPSHOTS,
                             module_stage_get(self, MODULE_COUNTER_SNAPSHOTS) + 1);
        break;
    case MODULE_TOGGLE_SHUTDOWN:
    case MODULE_TOGGLE_ABORT:
        for (int i = 0; i < MODULE_COUNTERS; i++)
            (void)aeron_counter_close(self->counters[i], NULL, NULL);
        return false;
    default:
        return true;
    }
    module_stage_set(self, MODULE_COUNTER_TOGGLE, MODULE_TOGGLE_NEUTRAL);
    return true;
}

static void *play(void *context)
{
    module_stage_t *self = context;
    bool there = true;
    while (!self->stop) {
        (void)embedded_do_work(self->embedded);
        (void)aeron_subscription_poll(self->subscription, on_question, self, 10);
        if (there && !self->deaf)
            there = act(self);
        (void)usleep(PAUSE_US);
    }
    return NULL;
}

void module_stage_play(module_stage_t *self)
{
    connect(self);
    self->playing = pthread_create(&self->thread, NULL, play, self) == 0;
    assert_true(self->playing);
}

void module_stage_end(module_stage_t *self)
{
    self->stop = true;
    if (self->playing)
        assert_int_equal(pthread_join(self->thread, NULL), 0);
    embedded_destroy(self->embedded);
    temp_dir_remove(&self->base);
}
