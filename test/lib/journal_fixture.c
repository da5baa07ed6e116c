/*
 * The journal for tests, with the check that recovery gives what was written. Used by unit and
 * integration tests of the journal.
 */
#include "lib/journal_fixture.h"

#include "base/assert.h"
#include "base/prng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USER_TYPE (JOURNAL_TYPE_USER + 1)

journal_fixture_t *journal_fixture_create(uint64_t seed)
{
    journal_fixture_t *self = calloc(1, sizeof *self);
    OC_ASSERT(self != NULL);
    self->seed = seed;
    self->device = storage_fake_create(seed);
    journal_config_init(&self->config);
    self->config.dir = JOURNAL_FIXTURE_DIR;
    self->config.storage = storage_fake_table(self->device);
    self->config.segment_bytes = 1 << 20;
    self->config.group_bytes = 64 << 10;
    self->config.ready_segments = 1;
    self->now_ns = 1;
    return self;
}

void journal_fixture_destroy(journal_fixture_t *self)
{
    (void)journal_close(self->journal);
    storage_fake_destroy(self->device);
    free(self);
}

static uint64_t entry_random(const journal_fixture_t *self, uint32_t number)
{
    return prng_mix(self->seed ^ prng_mix(number + 1));
}

/* Mostly short ones, now and then a long one. */
static uint32_t entry_length(const journal_fixture_t *self, uint32_t number)
{
    uint64_t random = entry_random(self, number);
    uint32_t range = prng_below(&random, 12) == 0 ? 16385 : 300;
    if (self->length_max > 0)
        range = self->length_max + 1;
    return prng_below(&random, range);
}

static void fill_entry(const journal_fixture_t *self, uint32_t number, uint8_t *bytes,
                       uint32_t length)
{
    uint64_t random = entry_random(self, number);
    for (uint32_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(random >> (i % 8 * 8)) ^ (uint8_t)(i >> 3);
}

static oc_err_t check_entry(void *context, const journal_entry_t *entry)
{
    journal_fixture_t *self = context;
    static uint8_t expected[JOURNAL_PAYLOAD_MAX];
    const uint32_t number = self->read;
    OC_ASSERT(number < self->committed);
    OC_ASSERT(entry->type == USER_TYPE);
    OC_ASSERT(entry->length == entry_length(self, number));
    OC_ASSERT(entry->timestamp_ns == (int64_t)number);
    OC_ASSERT(entry->position.value == self->ends[number]);
    fill_entry(self, number, expected, entry->length);
    OC_ASSERT(entry->length == 0 || !memcmp(entry->payload, expected, entry->length));
    self->read++;
    return OC_ERR_OK;
}

oc_err_t journal_fixture_open(journal_fixture_t *self)
{
    OC_ASSERT(!self->journal);
    oc_err_t err = journal_open(&self->journal, &self->config);
    if (err != OC_ERR_OK)
        return err;
    self->read = 0;
    err = journal_recover(self->journal, (log_position_t){0}, check_entry, self, &self->verdict);
    if (err != OC_ERR_OK)
        return err;
    OC_ASSERT(self->read == self->committed || self->ends[self->read] > self->acknowledged);
    OC_ASSERT(self->verdict.end.value >= self->acknowledged);
    OC_ASSERT(self->verdict.entries == self->read);
    self->committed = self->read;
    return OC_ERR_OK;
}

oc_err_t journal_fixture_start(journal_fixture_t *self)
{
    oc_err_t err = journal_fixture_open(self);
    if (err == OC_ERR_OK)
        err = journal_start_stepped(self->journal);
    return err;
}

bool journal_fixture_append(journal_fixture_t *self)
{
    const uint32_t number = self->committed;
    const uint32_t length = entry_length(self, number);
    OC_ASSERT(number < JOURNAL_FIXTURE_ENTRIES);
    uint8_t *payload = journal_claim(self->journal, USER_TYPE, length, number);
    if (!payload)
        return false;
    OC_ASSERT((uintptr_t)payload % 8 == 0);
    fill_entry(self, number, payload, length);
    self->ends[number] = journal_commit(self->journal).value;
    self->committed++;
    return true;
}

void journal_fixture_write(journal_fixture_t *self)
{
    journal_flush_at(self->journal, self->now_ns);
    (void)journal_writer_work(self->journal, self->now_ns);
    const uint64_t durable = journal_durable(self->journal).value;
    OC_ASSERT(durable >= self->acknowledged);
    self->acknowledged = durable;
}

void journal_fixture_prepare(journal_fixture_t *self)
{
    do {
        self->now_ns += 1000000000;
    } while (journal_preparer_work(self->journal, self->now_ns) > 0);
}

oc_err_t journal_fixture_close(journal_fixture_t *self)
{
    const oc_err_t err = journal_close(self->journal);
    self->journal = NULL;
    return err;
}

void journal_fixture_kill(journal_fixture_t *self)
{
    storage_fake_kill(self->device);
    (void)journal_fixture_close(self);
    storage_fake_restart(self->device);
}

const char *journal_fixture_path(uint64_t base)
{
    static char path[64];
    (void)snprintf(path, sizeof path, JOURNAL_FIXTURE_DIR "/%016" PRIx64 ".journal", base);
    return path;
}
