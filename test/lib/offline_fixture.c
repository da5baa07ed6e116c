/*
 * A stopped node's directory for tests. Used by tests of recovery and of the tools on it.
 */
#define _GNU_SOURCE
#include "lib/offline_fixture.h"

#include "base/assert.h"
#include "base/prng.h"
#include "host/replica_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SESSION = 70, NAMES_MAX = 256, NAME_SIZE = 64 };

void offline_fixture_init(offline_fixture_t *self, uint64_t seed, bool arena)
{
    *self = (offline_fixture_t){.seed = seed, .arena = arena, .now_ns = 100};
    self->device = storage_fake_create(seed);
    node_config_init(&self->config);
    (void)snprintf(self->config.dir, sizeof self->config.dir, OFFLINE_DIR);
    self->config.storage = storage_fake_table(self->device);
    self->config.segment_bytes = 1 << 20;
    self->config.group_bytes = 1 << 16;
    self->config.low_space_bytes = 0;
    self->config.ready_segments = 1;
    self->config.max_sessions = 16;
    self->config.max_timers = 9;
    self->config.restore_threads = 2;
}

void offline_fixture_fini(offline_fixture_t *self)
{
    storage_fake_destroy(self->device);
}

void offline_tally(const offline_fixture_t *self, tally_t *tally)
{
    tally_init(tally);
    tally_keep_stream(tally);
    if (self->arena)
        tally_keep_arena(tally);
}

static void append(offline_fixture_t *self, journal_t *journal, log_record_t record)
{
    void *payload;
    const struct timespec pause = {.tv_nsec = 100000};
    while (!(payload = journal_claim(journal, (uint8_t)record.type, log_record_size(&record),
                                     self->now_ns))) {
        journal_flush(journal);
        (void)nanosleep(&pause, NULL);
    }
    log_record_encode(&record, payload);
    (void)journal_commit(journal);
}

static void append_any(offline_fixture_t *self, journal_t *journal)
{
    static const char padding[4096];
    const tally_request_t request = {
        .op = prng_below(&self->seed, 5) == 0 ? TALLY_TIMER : TALLY_ADD,
        .argument = (int64_t)prng_below(&self->seed, 8),
        .delay_ns = INT64_C(1000000000000),
    };
    log_record_t record = {
        .type = LOG_MESSAGE, .session = {SESSION}, .bytes = &request, .length = sizeof request};
    if (prng_below(&self->seed, 10) == 0) {
        record.bytes = padding;
        record.length = (uint32_t)prng_below(&self->seed, sizeof padding);
    }
    self->now_ns += (int64_t)prng_below(&self->seed, 3);
    append(self, journal, record);
}

static journal_t *open_log(offline_fixture_t *self, journal_verdict_t *verdict)
{
    journal_t *journal;
    journal_config_t config;
    node_journal_config(&self->config, &config);
    OC_ASSERT(journal_open(&journal, &config) == OC_ERR_OK);
    OC_ASSERT(journal_recover(journal, journal_first(journal), NULL, NULL, verdict) == OC_ERR_OK);
    return journal;
}

static void begin(offline_fixture_t *self, journal_t *journal)
{
    tally_t tally;
    const gateway_open_t open = {.principal.name = "anna"};
    offline_tally(self, &tally);
    self->begun = true;
    append(self, journal,
           (log_record_t){.type = LOG_CONFIGURATION,
                          .max_timers = (uint32_t)self->config.max_timers,
                          .length = (uint32_t)strlen(tally.configuration),
                          .bytes = tally.configuration});
    append(self, journal,
           (log_record_t){.type = LOG_SESSION_OPEN, .session = {SESSION}, .open = &open});
}

void offline_append(offline_fixture_t *self, int count)
{
    journal_verdict_t verdict;
    journal_t *journal = open_log(self, &verdict);
    OC_ASSERT(journal_start(journal) == OC_ERR_OK);
    if (!self->begun)
        begin(self, journal);
    for (int i = 0; i < count; i++)
        append_any(self, journal);
    OC_ASSERT(journal_close(journal) == OC_ERR_OK);
}

void offline_append_segment(offline_fixture_t *self)
{
    journal_verdict_t verdict;
    journal_t *journal = open_log(self, &verdict);
    const uint64_t end = verdict.end.value + self->config.segment_bytes + 4096;
    OC_ASSERT(journal_start(journal) == OC_ERR_OK);
    if (!self->begun)
        begin(self, journal);
    journal_place_t place;
    do {
        append_any(self, journal);
        journal_place(journal, &place);
    } while (place.position.value < end);
    OC_ASSERT(journal_close(journal) == OC_ERR_OK);
}

uint64_t offline_take(offline_fixture_t *self, bool full)
{
    tally_t tally;
    snapshot_status_t status;
    offline_tally(self, &tally);
    const oc_err_t err = node_take(&self->config, &tally.service, full, &status);
    if (err != OC_ERR_OK)
        (void)fprintf(stderr, "no image: %s\n", oc_err_context());
    OC_ASSERT(err == OC_ERR_OK);
    OC_ASSERT(status.sequence > 0);
    return status.sequence;
}

static oc_err_t run(offline_fixture_t *self, replica_t *replica, bool images)
{
    journal_t *journal = NULL;
    image_store_t *store = NULL;
    journal_config_t config;
    node_journal_config(&self->config, &config);
    oc_err_t err = journal_open(&journal, &config);
    if (err == OC_ERR_OK && images)
        err = recovery_images(&store, self->config.dir, self->config.storage);
    if (err == OC_ERR_OK)
        err = recovery_run(replica, journal, store, 2, &self->recovery);
    image_store_close(store);
    (void)journal_close(journal);
    return err;
}

oc_err_t offline_recover_with(offline_fixture_t *self, const oc_service_t *service, bool images)
{
    replica_t replica;
    const replica_config_t config = {.max_sessions = (uint32_t)self->config.max_sessions,
                                     .max_timers = (uint32_t)self->config.max_timers,
                                     .message_max = 65536};
    oc_err_t err = replica_init(&replica, service, &config);
    if (err != OC_ERR_OK)
        return err;
    err = run(self, &replica, images);
    self->hash = replica_state_hash(&replica);
    self->entries = replica.entries;
    self->sessions = replica.sessions.state->count;
    self->timers = replica.timers.state->count;
    replica_fini(&replica);
    return err;
}

oc_err_t offline_recover(offline_fixture_t *self, bool images)
{
    tally_t tally;
    offline_tally(self, &tally);
    return offline_recover_with(self, &tally.service, images);
}

void offline_purge(offline_fixture_t *self, uint64_t below)
{
    journal_verdict_t verdict;
    journal_t *journal = open_log(self, &verdict);
    OC_ASSERT(journal_purge(journal, (log_position_t){below}, false, NULL, NULL) == OC_ERR_OK);
    OC_ASSERT(journal_first(journal).value > 0);
    OC_ASSERT(journal_close(journal) == OC_ERR_OK);
}

const char *offline_path(uint64_t sequence, const char *ending)
{
    static char path[128];
    (void)snprintf(path, sizeof path, OFFLINE_DIR "/" IMAGE_DIR "/%016" PRIx64 ".%s", sequence,
                   ending);
    return path;
}

typedef struct names {
    const char *ending;
    char list[NAMES_MAX][NAME_SIZE];
    size_t count;
} names_t;

static bool note_name(void *context, const char *name)
{
    names_t *names = context;
    const size_t length = strlen(name);
    const size_t tail = strlen(names->ending);
    if (length < tail || length >= NAME_SIZE || strcmp(name + length - tail, names->ending) != 0)
        return true;
    OC_ASSERT(names->count < NAMES_MAX);
    memcpy(names->list[names->count++], name, length + 1);
    return true;
}

void offline_remove(offline_fixture_t *self, bool images, const char *ending)
{
    static names_t names;
    const storage_t *storage = self->config.storage;
    const char *dir = images ? OFFLINE_DIR "/" IMAGE_DIR : OFFLINE_DIR;
    names = (names_t){.ending = ending};
    OC_ASSERT(storage->list(storage, dir, note_name, &names) == OC_ERR_OK);
    OC_ASSERT(names.count > 0);
    for (size_t i = 0; i < names.count; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s/%s", dir, names.list[i]);
        OC_ASSERT(storage->remove(storage, path) == OC_ERR_OK);
    }
    OC_ASSERT(storage->sync_dir(storage, dir) == OC_ERR_OK);
}
