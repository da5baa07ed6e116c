/*
 * A replica brought forward by a recording: equal to the one that was there, exactly up to where it
 * was asked for, or an error that says what is not there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/private_replay.h"
#include "lib/applier_rig.h"
#include "lib/replica_rig.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>

enum { ENTRIES = 1500 }; /* several terms and segments */

static temp_dir_t dir;
static archive_maker_t archive;
static made_recording_t recording;
static log_maker_t maker;
static applier_rig_t live;

/* A log of all kinds, long messages among them, applied as it is written. */
static void write_log(void)
{
    char words[3000];
    memset(words, 'w', sizeof words);
    (void)log_maker_term(&maker, 0);
    (void)log_maker_open(&maker, 1, "ann");
    (void)log_maker_open(&maker, 2, REPLICA_HOST_PRINCIPAL);
    const member_message_t notice = {.type = MEMBER_NOTICE, .notice = OC_NOTICE_STORAGE_LOW};
    for (int64_t i = 0; i < ENTRIES; i++) {
        if (i % 50 == 7)
            (void)log_maker_message(&maker, 1, words, (size_t)(1000 + i));
        else if (i % 9 == 1)
            (void)log_maker_request(&maker, 1, TALLY_TIMER, i % 40, i % 700);
        else if (i % 9 == 2)
            (void)log_maker_timer(&maker);
        else if (i % 200 == 3)
            (void)log_maker_snapshot(&maker);
        else if (i % 200 == 4)
            (void)log_maker_term(&maker, i / 200);
        else if (i % 300 == 5)
            (void)log_maker_said(&maker, 2, &notice);
        else
            (void)log_maker_request(&maker, 1, i % 70 == 8 ? TALLY_BUSY : TALLY_ADD, i % 5, 0);
        maker.timestamp += 37;
        applier_rig_feed(&live, &maker);
        live.sent_count = 0;
    }
}

static int setup(void **state)
{
    char path[300];
    (void)state;
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/archive", dir.path);
    archive_maker_init(&archive, path);
    archive_maker_record(&archive, &recording, 0, LOG_MAKER_TERM_BYTES, LOG_MAKER_SEGMENT_BYTES);
    log_maker_init(&maker, &recording);
    applier_rig_init(&live);
    write_log();
    assert_true(maker.position > (uint64_t)LOG_MAKER_SEGMENT_BYTES);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    applier_rig_fini(&live);
    log_maker_fini(&maker);
    temp_dir_remove(&dir);
    return 0;
}

static private_replay_t replay_to(uint64_t position)
{
    return (private_replay_t){
        .archive_dir = archive.dir, .recording = recording.id, .position = position};
}

static void it_gives_what_was_there(void **state)
{
    (void)state;
    applier_rig_t quiet;
    uint64_t entries;
    const private_replay_t replay = replay_to(maker.position);
    applier_rig_init_quiet(&quiet);
    assert_int_equal(private_replay_run(&replay, &quiet.log, &entries), OC_ERR_OK);
    assert_int_equal(entries, maker.count);
    assert_true(quiet.tally.hash == live.tally.hash);
    assert_true(quiet.log.log_id == live.log.log_id);
    assert_int_equal(quiet.log.checksum, live.log.checksum);
    assert_int_equal(quiet.log.position, live.log.position);
    assert_int_equal(quiet.log.leadership_term, live.log.leadership_term);
    replica_rig_assert_equal(&quiet.replica, &live.replica);
    applier_rig_fini(&quiet);
}

static void in_parts_it_is_the_same(void **state)
{
    (void)state;
    applier_rig_t quiet;
    uint64_t all = 0;
    applier_rig_init_quiet(&quiet);
    for (uint32_t i = 0; i < maker.count; i += i % 7 == 0 ? 1 : 211) {
        uint64_t entries;
        const private_replay_t replay = replay_to(maker.entries[i].position);
        assert_int_equal(private_replay_run(&replay, &quiet.log, &entries), OC_ERR_OK);
        assert_int_equal(quiet.log.position, maker.entries[i].position);
        all += entries;
        assert_int_equal(all, i + 1);
        /* Nothing is left to be done. */
        assert_int_equal(private_replay_run(&replay, &quiet.log, &entries), OC_ERR_OK);
        assert_int_equal(entries, 0);
    }
    applier_rig_fini(&quiet);
}

static void from_a_place_in_the_middle(void **state)
{
    (void)state;
    applier_rig_t half;
    applier_rig_t rest;
    uint64_t entries;
    private_replay_t replay = replay_to(maker.entries[maker.count / 2].position);
    applier_rig_init_quiet(&half);
    assert_int_equal(private_replay_run(&replay, &half.log, &entries), OC_ERR_OK);
    applier_rig_init_quiet(&rest);
    applier_rig_restore(&rest, &half);
    replay.position = maker.position;
    assert_int_equal(private_replay_run(&replay, &rest.log, &entries), OC_ERR_OK);
    assert_int_equal(entries, maker.count - maker.count / 2 - 1);
    assert_true(rest.tally.hash == live.tally.hash);
    assert_int_equal(rest.log.checksum, live.log.checksum);
    applier_rig_fini(&half);
    applier_rig_fini(&rest);
}

static void fails(const private_replay_t *replay, oc_err_t err, const char *part)
{
    applier_rig_t quiet;
    uint64_t entries;
    applier_rig_init_quiet(&quiet);
    assert_int_equal(private_replay_run(replay, &quiet.log, &entries), err);
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' does not say '%s'", oc_err_context(), part);
    applier_rig_fini(&quiet);
}

static void what_is_not_there_is_an_error(void **state)
{
    (void)state;
    private_replay_t replay = replay_to(maker.position + 64);
    fails(&replay, OC_ERR_DAMAGED, "is needed");
    replay = replay_to(maker.entries[40].position - 32); /* inside of an entry */
    fails(&replay, OC_ERR_DAMAGED, "is needed");
    replay = replay_to(maker.position);
    replay.recording = 77;
    fails(&replay, OC_ERR_OPEN, "77");
    made_recording_purge(&recording, LOG_MAKER_SEGMENT_BYTES);
    replay = replay_to(maker.position);
    fails(&replay, OC_ERR_DAMAGED, "");
}

static void a_damaged_recording_is_an_error(void **state)
{
    (void)state;
    const private_replay_t replay = replay_to(maker.position);
    const uint8_t wrong[4] = {1, 0, 0, 0xff}; /* a frame of that length */
    made_recording_patch(&recording, (int64_t)maker.entries[300].start, wrong, sizeof wrong);
    fails(&replay, OC_ERR_DAMAGED, "");
}

static void a_recording_of_something_else_is_an_error(void **state)
{
    (void)state;
    const private_replay_t replay = replay_to(maker.position);
    const uint8_t schema[2] = {77, 0};
    made_recording_patch(&recording, (int64_t)maker.entries[300].start + 32 + 4, schema, 2);
    fails(&replay, OC_ERR_FORMAT, "schema 111");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_gives_what_was_there),         TEST(in_parts_it_is_the_same),
        TEST(from_a_place_in_the_middle),      TEST(what_is_not_there_is_an_error),
        TEST(a_damaged_recording_is_an_error), TEST(a_recording_of_something_else_is_an_error),
    };
    return cmocka_run_group_tests_name("private_replay", tests, NULL, NULL);
}
