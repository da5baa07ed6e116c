/*
 * Applying a log that was written by hand: proofs and the configuration they need, and logs that
 * are none of a node.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/log_entry.h"
#include "host/node.h"
#include "lib/offline_fixture.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static journal_t *open_journal(const char *dir)
{
    journal_t *journal;
    journal_config_t config;
    journal_verdict_t verdict;
    journal_config_init(&config);
    config.dir = dir;
    config.segment_bytes = 1 << 20;
    config.group_bytes = 1 << 16;
    config.low_space_bytes = 0;
    assert_int_equal(journal_open(&journal, &config), OC_ERR_OK);
    assert_int_equal(journal_recover(journal, (log_position_t){0}, NULL, NULL, &verdict),
                     OC_ERR_OK);
    assert_int_equal(journal_start(journal), OC_ERR_OK);
    return journal;
}

static void append(journal_t *journal, log_record_t record, int64_t time_ns)
{
    void *payload;
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!(payload =
                 journal_claim(journal, (uint8_t)record.type, log_record_size(&record), time_ns)))
        (void)nanosleep(&pause, NULL);
    log_record_encode(&record, payload);
    (void)journal_commit(journal);
    journal_flush(journal);
}

static log_record_t configuration(void)
{
    return (log_record_t){
        .type = LOG_CONFIGURATION, .max_timers = 3, .length = 7, .bytes = "tally 1"};
}

static void a_whole_log(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    temp_dir_make(&dir);
    const gateway_open_t open = {.principal.name = "anna"};
    const tally_request_t add = {.op = TALLY_ADD, .argument = 5};
    const tally_request_t timer = {.op = TALLY_TIMER, .argument = 1};
    journal_t *journal = open_journal(dir.path);
    append(journal, configuration(), 100);
    append(journal, (log_record_t){.type = LOG_SESSION_OPEN, .session = {70}, .open = &open}, 100);
    append(
        journal,
        (log_record_t){.type = LOG_MESSAGE, .session = {70}, .bytes = &add, .length = sizeof add},
        101);
    append(journal,
           (log_record_t){
               .type = LOG_MESSAGE, .session = {70}, .bytes = &timer, .length = sizeof timer},
           102);
    append(journal, (log_record_t){.type = LOG_TIMER, .timer = {1}}, 103);
    append(journal, (log_record_t){.type = LOG_NOTICE, .notice = OC_NOTICE_STORAGE_LOW}, 103);

    /* While the journal is open, and again when it is closed. */
    for (int round = 0; round < 2; round++) {
        tally_init(&tally);
        if (round == 1)
            assert_int_equal(journal_close(journal), OC_ERR_OK);
        for (int i = 0; round == 0 && i < 200; i++) {
            const struct timespec pause = {.tv_nsec = 1000000};
            journal_flush(journal);
            (void)nanosleep(&pause, NULL);
        }
        assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_LOG, &report),
                         OC_ERR_OK);
        assert_int_equal(report.replayed, 6);
        assert_int_equal(report.sessions, 1);
        assert_int_equal(tally.sum, 5);
        assert_int_equal(tally.fired, 1);
        assert_int_equal(tally.notices[OC_NOTICE_STORAGE_LOW], 1);
        assert_int_equal(tally.time_ns, 103);
        assert_true(report.state_hash == tally.hash);
        assert_true(report.position == tally.position);
        assert_int_equal(report.verdict.closed, round == 1);
        assert_int_equal(tally.stops, 1);
    }
    char bytes[16];
    size_t length;
    assert_int_equal(node_log_configuration(dir.path, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(length, 7);
    assert_int_equal(node_log_configuration(dir.path, bytes, 6, &length), OC_ERR_TOO_LONG);
    temp_dir_remove(&dir);
}

static void another_service(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    temp_dir_make(&dir);
    journal_t *journal = open_journal(dir.path);
    append(journal, configuration(), 100);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    tally_init(&tally);
    tally.configuration = "tally 9";
    assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_LOG, &report),
                     OC_ERR_INVALID_CONFIG);
    assert_int_equal(tally.stops, 1);
    temp_dir_remove(&dir);
}

static void an_empty_log(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    size_t length = 9;
    char bytes[16];
    temp_dir_make(&dir);
    journal_t *journal = open_journal(dir.path); /* a term, and no entry */
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    tally_init(&tally);
    assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_LOG, &report), OC_ERR_OK);
    assert_int_equal(report.replayed, 0);
    assert_int_equal(node_log_configuration(dir.path, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(length, 0);
    temp_dir_remove(&dir);
    assert_int_not_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_LOG, &report),
                         OC_ERR_OK);
}

static void not_of_a_node(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    temp_dir_make(&dir);
    journal_t *journal = open_journal(dir.path);
    append(journal, (log_record_t){.type = LOG_TIME}, 100);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    tally_init(&tally);
    assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_LOG, &report),
                     OC_ERR_DAMAGED);
    assert_int_equal(tally.starts, 0);
    temp_dir_remove(&dir);
}

/* ---- From images ---- */

/* What the log alone says. */
static uint64_t hash_of_the_log(offline_fixture_t *f)
{
    assert_int_equal(offline_recover(f, false), OC_ERR_OK);
    return f->hash;
}

/* An image, more entries, an incremental one, more entries. */
static void some_images(offline_fixture_t *f, bool arena)
{
    offline_fixture_init(f, 5 + arena, arena);
    offline_append(f, 40);
    assert_int_equal(offline_take(f, true), 1);
    offline_append(f, 30);
    assert_int_equal(offline_take(f, false), 2);
    offline_append(f, 20);
}

static void from_the_newest_image(void **state)
{
    (void)state;
    for (int arena = 0; arena < 2; arena++) {
        offline_fixture_t f;
        some_images(&f, arena);
        const uint64_t hash = hash_of_the_log(&f);
        const uint64_t entries = f.entries;
        const uint32_t timers = f.timers;
        assert_int_equal(f.recovery.image_sequence, 0);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_true(f.hash == hash);
        assert_int_equal(f.recovery.image_sequence, 2);
        assert_true(f.recovery.image_position > 0);
        assert_int_equal(f.recovery.replayed, 20);
        assert_int_equal(f.entries, entries);
        assert_int_equal(f.sessions, 1);
        assert_true(timers > 0);
        assert_int_equal(f.timers, timers);
        offline_fixture_fini(&f);
    }
}

/* A byte anywhere in the newest image. */
static void damaged_newest(void **state)
{
    (void)state;
    for (int arena = 0; arena < 2; arena++) {
        offline_fixture_t f;
        uint64_t size;
        some_images(&f, arena);
        const uint64_t hash = hash_of_the_log(&f);
        assert_non_null(storage_fake_bytes(f.device, offline_path(2, "pages"), &size));
        const uint64_t places[] = {9, 100, 4096 + 3, 8192 + 8, size - 4096 + 1, size - 1};
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            storage_fake_flip(f.device, offline_path(2, "pages"), places[i], 4);
            assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
            assert_true(f.hash == hash);
            assert_int_equal(f.recovery.image_sequence, 1);
            assert_int_equal(f.recovery.replayed, 50);
            storage_fake_flip(f.device, offline_path(2, "pages"), places[i], 4);
        }
        storage_fake_flip(f.device, offline_path(2, "manifest"), 40, 4);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_true(f.hash == hash);
        assert_int_equal(f.recovery.image_sequence, 1);
        storage_fake_flip(f.device, offline_path(2, "manifest"), 40, 4);
        storage_fake_fault(f.device, STORAGE_FAKE_READ_ERROR, 12);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_true(f.hash == hash);
        storage_fake_fault(f.device, STORAGE_FAKE_READ_ERROR, 100000);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_int_equal(f.recovery.image_sequence, 2);
        offline_fixture_fini(&f);
    }
}

/* With the whole log nothing is lost; without its beginning nothing is invented. */
static void all_damaged(void **state)
{
    (void)state;
    for (int arena = 0; arena < 2; arena++) {
        offline_fixture_t f;
        offline_fixture_init(&f, 11, arena);
        offline_append_segment(&f);
        assert_int_equal(offline_take(&f, true), 1);
        offline_append(&f, 5);
        assert_int_equal(offline_take(&f, true), 2);
        offline_append(&f, 5);
        const uint64_t hash = hash_of_the_log(&f);
        storage_fake_flip(f.device, offline_path(1, "pages"), 8192 + 8, 4);
        storage_fake_flip(f.device, offline_path(2, "pages"), 8192 + 8, 4);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_true(f.hash == hash);
        assert_int_equal(f.recovery.image_sequence, 0);
        offline_purge(&f, (1 << 20) + 1);
        assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "image 1 (position"));
        assert_non_null(strstr(oc_err_context(), "image 2 (position"));
        assert_int_equal(f.entries, 0);
        storage_fake_flip(f.device, offline_path(1, "pages"), 8192 + 8, 4);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_true(f.hash == hash);
        assert_int_equal(f.recovery.image_sequence, 1);
        offline_remove(&f, true, ".manifest");
        assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "there is no image"));
        offline_fixture_fini(&f);
    }
}

/* The state came out right, but it is not the one that the image says it is. */
static void wrong_state_hash(void **state)
{
    (void)state;
    offline_fixture_t f;
    some_images(&f, true);
    const uint64_t hash = hash_of_the_log(&f);
    tally_t tally;
    offline_tally(&f, &tally);
    tally.restore_wrong = true;
    assert_int_equal(offline_recover_with(&f, &tally.service, true), OC_ERR_OK);
    assert_int_equal(f.recovery.image_sequence, 0);
    assert_true(f.hash == hash);
    /* A stream cannot be read twice: better no start than a mixture. */
    f.arena = false;
    offline_remove(&f, true, ".manifest");
    assert_int_equal(offline_take(&f, true) > 2, true);
    offline_tally(&f, &tally);
    tally.restore_wrong = true;
    assert_int_equal(offline_recover_with(&f, &tally.service, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "has the hash"));
    offline_fixture_fini(&f);
}

static void not_of_this_log(void **state)
{
    (void)state;
    offline_fixture_t f;
    offline_fixture_t other;
    uint64_t size;
    some_images(&f, true);
    some_images(&other, true);
    /* Another log's images. */
    for (uint64_t i = 0; i < 4; i++) {
        const char *path = offline_path(1 + i / 2, i % 2 == 0 ? "pages" : "manifest");
        const uint8_t *bytes = storage_fake_bytes(other.device, path, &size);
        storage_fake_put(f.device, path, bytes, size);
    }
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "image 2 (position"));
    assert_non_null(strstr(oc_err_context(), "do not belong together"));
    offline_fixture_fini(&other);
    offline_fixture_fini(&f);
}

/* The log is an older one: a copy that was put back. */
static void beyond_the_log(void **state)
{
    (void)state;
    offline_fixture_t f;
    uint64_t size;
    offline_fixture_init(&f, 3, true);
    offline_append(&f, 10);
    static uint8_t old[1 << 20];
    const char *segment = OFFLINE_DIR "/0000000000000000.journal";
    const uint8_t *bytes = storage_fake_bytes(f.device, segment, &size);
    assert_int_equal(size, sizeof old);
    memcpy(old, bytes, sizeof old);
    offline_append(&f, 10);
    assert_int_equal(offline_take(&f, true), 1);
    storage_fake_put(f.device, segment, old, sizeof old);
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "behind the end"));
    assert_non_null(strstr(oc_err_context(), "move away from images/: 0000000000000001.*"));
    /* And one that went on from there in another way. */
    offline_append(&f, 60);
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "do not belong together"));
    offline_fixture_fini(&f);
}

/* Of several images those that the log does not reach are named, and no others. */
static void some_beyond_the_log(void **state)
{
    (void)state;
    offline_fixture_t f;
    uint64_t size;
    offline_fixture_init(&f, 3, true);
    f.config.snapshot_keep = 64;
    offline_append(&f, 10);
    assert_int_equal(offline_take(&f, true), 1);
    offline_append(&f, 10);
    static uint8_t old[1 << 20];
    const char *segment = OFFLINE_DIR "/0000000000000000.journal";
    const uint8_t *bytes = storage_fake_bytes(f.device, segment, &size);
    assert_int_equal(size, sizeof old);
    memcpy(old, bytes, sizeof old);
    for (uint64_t sequence = 2; sequence < 8; sequence++) {
        offline_append(&f, 10);
        assert_int_equal(offline_take(&f, true), sequence);
    }
    storage_fake_put(f.device, segment, old, sizeof old);
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "0000000000000007.*"));
    assert_non_null(strstr(oc_err_context(), "0000000000000004.*"));
    assert_non_null(strstr(oc_err_context(), "and 2 more: all above position "));
    assert_null(strstr(oc_err_context(), "0000000000000001.*"));
    offline_fixture_fini(&f);
}

/* An image that is only the base of another one: the log begins behind it. */
static void below_the_log(void **state)
{
    (void)state;
    offline_fixture_t f;
    offline_fixture_init(&f, 11, true);
    offline_append(&f, 5);
    assert_int_equal(offline_take(&f, true), 1);
    offline_append_segment(&f);
    assert_int_equal(offline_take(&f, false), 2);
    offline_append(&f, 5);
    const uint64_t hash = hash_of_the_log(&f);
    offline_purge(&f, (1 << 20) + 1);
    assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
    assert_true(f.hash == hash);
    storage_fake_flip(f.device, offline_path(2, "pages"), 8192 + 8, 4);
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "image 2 (position"));
    assert_non_null(strstr(oc_err_context(), "image 1 (position"));
    assert_non_null(strstr(oc_err_context(), "the log begins behind it"));
    offline_fixture_fini(&f);
}

/* The log is gone, and what it was is known: no start with an empty book. */
static void without_the_log(void **state)
{
    (void)state;
    offline_fixture_t f;
    some_images(&f, true);
    offline_remove(&f, false, ".journal");
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "there is no log"));
    storage_fake_flip(f.device, offline_path(1, "manifest"), 40, 4);
    storage_fake_flip(f.device, offline_path(2, "manifest"), 40, 4);
    assert_int_equal(offline_recover(&f, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "there is no log"));
    offline_fixture_fini(&f);
}

static void other_configurations(void **state)
{
    (void)state;
    offline_fixture_t f;
    tally_t tally;
    some_images(&f, true);
    offline_tally(&f, &tally);
    tally.configuration = "tally 9";
    assert_int_equal(offline_recover_with(&f, &tally.service, true), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "image 2 (position"));
    assert_non_null(strstr(oc_err_context(), "it says 1'; now it is 9'"));
    assert_non_null(strstr(oc_err_context(), "snapshot export"));
    /* Another number of timers is another layout. */
    f.config.max_timers++;
    assert_int_equal(offline_recover(&f, true), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "export"));
    assert_non_null(strstr(oc_err_context(), "max_timers = 9, this is max_timers = 10"));
    f.config.max_timers--;
    /* A service that has no images any more goes by the whole log. */
    tally_init(&tally);
    assert_int_equal(offline_recover_with(&f, &tally.service, true), OC_ERR_OK);
    assert_int_equal(f.recovery.image_sequence, 0);
    offline_fixture_fini(&f);
}

static void configuration_without_the_beginning(void **state)
{
    (void)state;
    temp_dir_t dir;
    offline_fixture_t f;
    node_report_t report;
    tally_t tally;
    char bytes[16];
    size_t length;
    temp_dir_make(&dir);
    offline_fixture_init(&f, 4, true);
    f.config.storage = storage_device();
    (void)snprintf(f.config.dir, sizeof f.config.dir, "%s", dir.path);
    offline_append_segment(&f);
    (void)offline_take(&f, false);
    offline_append(&f, 8);
    const uint64_t hash = hash_of_the_log(&f);
    offline_tally(&f, &tally);
    assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_IMAGE, &report), OC_ERR_OK);
    assert_true(report.state_hash == hash);
    assert_int_equal(report.image_sequence, 1);
    offline_purge(&f, (1 << 20) + 1);
    assert_int_equal(node_log_configuration(dir.path, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(length, 7);
    assert_memory_equal(bytes, "tally 1", 7);
    offline_tally(&f, &tally);
    assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_IMAGE, &report), OC_ERR_OK);
    assert_true(report.state_hash == hash);
    assert_int_equal(report.replayed, 8);
    offline_tally(&f, &tally);
    assert_int_equal(node_replay(dir.path, &tally.service, NODE_REPLAY_LOG, &report),
                     OC_ERR_DAMAGED);
    offline_fixture_fini(&f);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_log),
        cmocka_unit_test(another_service),
        cmocka_unit_test(an_empty_log),
        cmocka_unit_test(not_of_a_node),
        cmocka_unit_test(from_the_newest_image),
        cmocka_unit_test(damaged_newest),
        cmocka_unit_test(all_damaged),
        cmocka_unit_test(wrong_state_hash),
        cmocka_unit_test(not_of_this_log),
        cmocka_unit_test(beyond_the_log),
        cmocka_unit_test(some_beyond_the_log),
        cmocka_unit_test(below_the_log),
        cmocka_unit_test(without_the_log),
        cmocka_unit_test(other_configurations),
        cmocka_unit_test(configuration_without_the_beginning),
    };
    return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
