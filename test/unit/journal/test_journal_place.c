/*
 * Places in the log: where the owner is, the checksum there read back beside the running journal,
 * and recoveries that begin there and only there. Run by ctest, the last one also under the thread
 * sanitizer.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/journal_fixture.h"

#include <pthread.h>
#include <string.h>

enum { PLACES = 400, LOGS = 4 };

static oc_err_t count(void *context, const journal_entry_t *entry)
{
    (void)entry;
    ++*(uint32_t *)context;
    return OC_ERR_OK;
}

static uint32_t checksum_at(journal_fixture_t *log, const journal_place_t *place)
{
    uint32_t checksum = 0;
    assert_int_equal(journal_checksum_at(&log->config, journal_log_id(log->journal), place,
                                         (log_position_t){0}, &checksum),
                     OC_ERR_OK);
    return checksum;
}

/* What a recovery from there gives, and that it is refused with any other checksum. */
static void check_recovery(journal_fixture_t *log, const journal_place_t *place, uint32_t checksum,
                           uint32_t entries)
{
    journal_t *journal;
    journal_verdict_t verdict;
    uint32_t given = 0;
    journal_config_t config = log->config;
    config.read_only = true;
    assert_int_equal(journal_open(&journal, &config), OC_ERR_OK);
    assert_int_equal(
        journal_recover_at(journal, place->position, checksum, count, &given, &verdict), OC_ERR_OK);
    assert_int_equal(given, entries);
    assert_int_equal(verdict.from_checksum, checksum);
    given = 0;
    assert_int_equal(
        journal_recover_at(journal, place->position, checksum ^ 1, count, &given, &verdict),
        OC_ERR_DAMAGED);
    assert_int_equal(given, 0);
    assert_int_equal(verdict.kind, JOURNAL_DAMAGED);
    assert_string_equal(verdict.line, oc_err_context());
    const log_position_t inside = {place->position.value + 1};
    assert_int_equal(journal_recover_at(journal, inside, checksum, count, &given, &verdict),
                     OC_ERR_DAMAGED);
    assert_int_equal(given, 0);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
}

/* Entries of any size, written when chance says so, over several terms and segments. */
static void random_log(uint64_t seed)
{
    static journal_place_t places[PLACES];
    static uint32_t checksums[PLACES];
    static uint32_t behind[PLACES];
    uint64_t random = seed * 77;
    journal_fixture_t *log = journal_fixture_create(seed);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_true(journal_log_id(log->journal) != 0);
    const uint64_t log_id = journal_log_id(log->journal);
    uint32_t read_back = 0;
    for (uint32_t n = 0; n < PLACES; n++) {
        const uint64_t kind = prng_below(&random, 40);
        if (kind == 0) {
            assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
            assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
            assert_true(journal_log_id(log->journal) == log_id);
        }
        while (kind > 0 && !journal_fixture_append(log)) {
            journal_fixture_write(log);
            journal_fixture_prepare(log);
        }
        journal_place(log->journal, &places[n]);
        if (kind > 0)
            assert_int_equal(places[n].position.value, log->ends[log->committed - 1]);
        behind[n] = log->committed;
        if (kind < 25)
            continue;
        journal_fixture_write(log);
        /* To be handed over changes nothing, and a PAD is not counted. */
        journal_place_t after;
        journal_place(log->journal, &after);
        assert_true(after.position.value == places[n].position.value ||
                    after.group.value > places[n].group.value);
        while (read_back <= n && places[read_back].position.value <= log->acknowledged) {
            checksums[read_back] = checksum_at(log, &places[read_back]);
            read_back++;
        }
    }
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_true(read_back > PLACES / 2);
    for (uint32_t n = 0; n < read_back; n += 7)
        check_recovery(log, &places[n], checksums[n], log->committed - behind[n]);
    journal_fixture_destroy(log);
}

static void test_random_logs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= LOGS; seed++)
        random_log(seed);
}

/* Right after the start it stands behind the TERM, and behind a mark when there was one. */
static void test_place_of_own_entries(void **state)
{
    (void)state;
    journal_place_t place;
    journal_fixture_t *log = journal_fixture_create(3);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_true(journal_log_id(log->journal) == 0);
    assert_int_equal(journal_start_stepped(log->journal), OC_ERR_OK);
    journal_place(log->journal, &place);
    assert_int_equal(place.group.value, 4096);
    assert_int_equal(place.position.value, 4096 + 64 + 64);
    (void)checksum_at(log, &place);
    journal_fixture_write(log);
    log->now_ns += JOURNAL_IDLE_MARK_NS;
    journal_fixture_write(log);
    journal_place(log->journal, &place);
    assert_int_equal(place.group.value, 8192);
    assert_int_equal(place.position.value, 8192 + 64 + 32);
    (void)checksum_at(log, &place);
    journal_fixture_destroy(log);
}

/* A group for each entry, to the last block of a segment: the PAD there is not counted. */
static void test_place_before_a_pad(void **state)
{
    (void)state;
    journal_place_t place;
    journal_fixture_t *log = journal_fixture_create(6);
    log->length_max = 100;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (int i = 0; i < 600; i++) {
        journal_fixture_prepare(log);
        assert_true(journal_fixture_append(log));
        journal_fixture_write(log);
        journal_place(log->journal, &place);
        assert_int_equal(place.position.value, log->ends[log->committed - 1]);
        (void)checksum_at(log, &place);
    }
    assert_true(place.position.value > 2 << 20);
    journal_fixture_destroy(log);
}

static void test_term_above(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(3);
    log->config.term_above = 9;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(journal_term(log->journal), 10);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    log->config.term_above = 4;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(journal_term(log->journal), 11);
    journal_fixture_destroy(log);
}

static void test_no_such_place(void **state)
{
    (void)state;
    uint32_t checksum = 0;
    journal_place_t place;
    journal_fixture_t *log = journal_fixture_create(5);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (int i = 0; i < 20; i++)
        assert_true(journal_fixture_append(log));
    journal_place(log->journal, &place);
    const uint64_t id = journal_log_id(log->journal);
    const log_position_t synced = {0};
    /* Not written yet. */
    assert_int_equal(journal_checksum_at(&log->config, id, &place, synced, &checksum),
                     OC_ERR_DAMAGED);
    journal_fixture_write(log);
    assert_int_equal(journal_checksum_at(&log->config, id, &place, synced, &checksum), OC_ERR_OK);
    assert_int_equal(journal_checksum_at(&log->config, id + 1, &place, synced, &checksum),
                     OC_ERR_DAMAGED);
    const journal_place_t wrong[] = {
        {{place.position.value + 32}, place.group},
        {{place.position.value - 32}, place.group},
        {place.position, {place.group.value - 4096}},
        {place.position, {place.group.value + 4096}},
        {place.position, {place.group.value + 32}},
        {{place.position.value + (1 << 20)}, place.group},
        {{5 << 20}, {(4 << 20) + 4096}},
        {place.group, place.group},
        {place.position, {0}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(journal_checksum_at(&log->config, id, &wrong[i], synced, &checksum),
                         OC_ERR_DAMAGED);
    storage_fake_flip(log->device, journal_fixture_path(0), log->ends[10] + 5, 1);
    assert_int_equal(journal_checksum_at(&log->config, id, &place, synced, &checksum),
                     OC_ERR_DAMAGED);
    journal_fixture_destroy(log);
}

/* Beyond the end, or at the same position of another log: nothing is given out. */
static void test_another_log(void **state)
{
    (void)state;
    journal_place_t place;
    journal_verdict_t verdict;
    uint32_t given = 0;
    journal_fixture_t *log = journal_fixture_create(5);
    journal_fixture_t *other = journal_fixture_create(5);
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_start(other), OC_ERR_OK);
    for (int i = 0; i < 20; i++) {
        assert_true(journal_fixture_append(log));
        assert_true(journal_fixture_append(other));
        if (i == 10)
            journal_place(log->journal, &place);
    }
    journal_fixture_write(log);
    journal_fixture_write(other);
    const uint32_t checksum = checksum_at(log, &place);
    const log_position_t end = {log->acknowledged + 4096};
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(other), OC_ERR_OK);
    assert_int_equal(journal_open(&other->journal, &other->config), OC_ERR_OK);
    assert_int_equal(
        journal_recover_at(other->journal, place.position, checksum, count, &given, &verdict),
        OC_ERR_DAMAGED);
    assert_non_null(strstr(verdict.line, "not the one it was taken of"));
    assert_int_equal(journal_recover_at(other->journal, end, checksum, count, &given, &verdict),
                     OC_ERR_DAMAGED);
    assert_non_null(strstr(verdict.line, "behind the end"));
    assert_int_equal(given, 0);
    journal_fixture_destroy(other);
    journal_fixture_destroy(log);
}

/* What a weak mode only wrote is on the device once its checksum was asked for. */
static void test_weak_mode_syncs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        journal_place_t place;
        journal_verdict_t verdict;
        uint32_t given = 0;
        journal_fixture_t *log = journal_fixture_create(seed);
        log->config.sync = JOURNAL_SYNC_NONE;
        assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
        for (int i = 0; i < 1500; i++)
            while (!journal_fixture_append(log)) {
                journal_fixture_write(log);
                journal_fixture_prepare(log);
            }
        journal_place(log->journal, &place);
        assert_true(place.position.value > 1 << 20);
        while (log->acknowledged < place.position.value)
            journal_fixture_write(log);
        const uint32_t checksum = checksum_at(log, &place);
        storage_fake_power_cut(log->device);
        (void)journal_fixture_close(log);
        storage_fake_restart(log->device);
        assert_int_equal(journal_open(&log->journal, &log->config), OC_ERR_OK);
        assert_int_equal(
            journal_recover_at(log->journal, place.position, checksum, count, &given, &verdict),
            OC_ERR_OK);
        assert_int_equal(given, 0);
        journal_fixture_destroy(log);
    }
}

static void test_faults_are_told(void **state)
{
    (void)state;
    journal_place_t place;
    uint32_t checksum;
    journal_fixture_t *log = journal_fixture_create(5);
    log->config.sync = JOURNAL_SYNC_PERIODIC;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (int i = 0; i < 20; i++)
        assert_true(journal_fixture_append(log));
    journal_fixture_write(log);
    journal_place(log->journal, &place);
    const uint64_t id = journal_log_id(log->journal);
    const log_position_t none = {0};
    storage_fake_fault(log->device, STORAGE_FAKE_READ_ERROR, 1);
    assert_int_equal(journal_checksum_at(&log->config, id, &place, none, &checksum), OC_ERR_READ);
    storage_fake_fault(log->device, STORAGE_FAKE_SYNC_ERROR, 1);
    assert_int_equal(journal_checksum_at(&log->config, id, &place, none, &checksum), OC_ERR_SYNC);
    storage_fake_fault(log->device, STORAGE_FAKE_SYNC_ERROR, 1);
    assert_int_equal(journal_checksum_at(&log->config, id, &place, place.position, &checksum),
                     OC_ERR_OK);
    assert_true(storage_fake_fault_pending(log->device));
    storage_fake_fault(log->device, STORAGE_FAKE_NO_FAULT, 1);
    journal_fixture_destroy(log);
}

/* ---- Beside a writer that runs ---- */

typedef struct reader {
    journal_fixture_t *log;
    uint64_t log_id;
    pthread_mutex_t mutex; /* of `place` and `end` */
    journal_place_t place;
    bool end;
    uint32_t reads;
} reader_t;

static void *read_places(void *context)
{
    reader_t *reader = context;
    bool end = false;
    while (!end) {
        uint32_t checksum = 0;
        (void)pthread_mutex_lock(&reader->mutex);
        const journal_place_t place = reader->place;
        end = reader->end;
        (void)pthread_mutex_unlock(&reader->mutex);
        if (journal_checksum_at(&reader->log->config, reader->log_id, &place, (log_position_t){0},
                                &checksum) != OC_ERR_OK)
            return reader;
        journal_release(reader->log->journal, place.group);
        reader->reads++;
    }
    return NULL;
}

static void test_beside_a_writer(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(8);
    log->config.low_space_bytes = 0;
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(journal_start(log->journal), OC_ERR_OK);
    reader_t reader = {.log = log, .log_id = journal_log_id(log->journal)};
    assert_int_equal(pthread_mutex_init(&reader.mutex, NULL), 0);
    journal_place(log->journal, &reader.place);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_places, &reader), 0);
    for (int i = 0; i < 8000; i++) {
        while (!journal_fixture_append(log))
            journal_flush(log->journal);
        journal_flush(log->journal);
        journal_place_t place;
        journal_place(log->journal, &place);
        if (i % 20 != 0)
            continue;
        while (journal_durable(log->journal).value < place.position.value)
            journal_flush(log->journal);
        (void)pthread_mutex_lock(&reader.mutex);
        reader.place = place;
        (void)pthread_mutex_unlock(&reader.mutex);
    }
    (void)pthread_mutex_lock(&reader.mutex);
    reader.end = true;
    (void)pthread_mutex_unlock(&reader.mutex);
    void *failed = NULL;
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_true(reader.reads > 1);
    assert_true(journal_sync_ns(log->journal) > 0);
    (void)pthread_mutex_destroy(&reader.mutex);
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_logs),        cmocka_unit_test(test_place_of_own_entries),
        cmocka_unit_test(test_place_before_a_pad), cmocka_unit_test(test_term_above),
        cmocka_unit_test(test_no_such_place),      cmocka_unit_test(test_another_log),
        cmocka_unit_test(test_weak_mode_syncs),    cmocka_unit_test(test_faults_are_told),
        cmocka_unit_test(test_beside_a_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
