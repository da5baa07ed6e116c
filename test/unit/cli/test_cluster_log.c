/*
 * `outcry cluster log` on a made directory: entries of each kind, where to begin and to end,
 * recordings, and what is no member. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/cluster.h"
#include "cli/subcommand.h"
#include "cluster/module_lock.h"
#include "codec/member_codec.h"
#include "codec/order_entry_codec.h"
#include "lib/capture.h"
#include "lib/member_folder.h"
#include "lib/module_stage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOG(...)                                                                                   \
    capture_main(cluster_log_main, (const char *const[]){"log", __VA_ARGS__, NULL}, &captured)

static capture_t captured;

static size_t lines(void)
{
    size_t count = 0;
    for (const char *at = captured.out; *at; at++)
        count += *at == '\n';
    return count;
}

/* Two orders in one message, a check of a member, and bytes that are nobody's. */
static void add_messages(member_folder_t *member)
{
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    request.u.command.type = OC_COMMAND_NEW;
    request.u.command.side = OC_SIDE_BUY;
    request.u.command.order_type = OC_ORDER_LIMIT;
    request.u.command.time_in_force = OC_TIF_GTC;
    request.u.command.instrument.value = 7;
    request.u.command.sequence = 3;
    request.u.command.u.order.client_order_id.value = 11;
    request.u.command.u.order.price_ticks = 500;
    request.u.command.u.order.quantity_lots = 20;
    size_t length = order_entry_encode(&request, bytes, sizeof bytes);
    request.u.command.type = OC_COMMAND_CANCEL;
    length += order_entry_encode(&request, bytes + length, sizeof bytes - length);
    (void)member_folder_message(member, 1, bytes, length);
    const member_message_t check = {
        .type = MEMBER_CHECK, .member = 2, .position = 96, .state_hash = 0xAB, .output_hash = 0xCD};
    (void)member_folder_message(member, 2, bytes, member_message_encode(&check, bytes));
    (void)member_folder_message(member, 1, "hello", 5);
    (void)made_recording_append(&member->log, "no entry at all", 15);
}

static void entries_are_printed(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    add_messages(&member);
    assert_int_equal(LOG("--dir", member.dir), 0);
    assert_int_equal(lines(), 6);
    capture_assert_out(&captured, " term - ");
    capture_assert_out(&captured, " leader 1 term_base 0 log_session 77\n");
    capture_assert_out(&captured, " open 1 ");
    capture_assert_out(&captured, " principal alice channel aeron:udp?endpoint=localhost:9");
    capture_assert_out(&captured,
                       " new sequence 3 instrument 7 order 11 price 500 quantity 20 buy ; cancel ");
    capture_assert_out(&captured,
                       " check member 2 at 96 state 00000000000000ab output 00000000000000cd\n");
    capture_assert_out(&captured, " - - not_understood - 15\n");
    member_folder_fini(&member);
}

static void it_begins_and_ends_where_told(void **state)
{
    (void)state;
    member_folder_t member;
    char from[32];
    char to[32];
    member_folder_init(&member);
    (void)snprintf(from, sizeof from, "%lld", (long long)member_folder_grow(&member, 2000));
    (void)snprintf(to, sizeof to, "%lld", (long long)member_folder_message(&member, 1, "a", 1));
    (void)member_folder_grow(&member, 300000);
    assert_int_equal(LOG("--dir", member.dir, "--from", from, "--to", to), 0);
    assert_int_equal(lines(), 1);
    assert_int_equal(strncmp(captured.out, to, strlen(to)), 0);
    assert_int_equal(LOG("--dir", member.dir, "--from", from, "--limit", "5"), 0);
    assert_int_equal(lines(), 5);
    assert_int_equal(LOG("--dir", member.dir, "--from", "40"), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "no frame begins here");
    /* Nothing is wrong with a log where somebody asks for the middle of a message. */
    static const uint8_t bytes[3000];
    const int64_t start = member_folder_message(&member, 1, "a", 1);
    (void)member_folder_message(&member, 1, bytes, sizeof bytes);
    (void)snprintf(from, sizeof from, "%lld", (long long)start + member.log.mtu_bytes);
    assert_int_equal(LOG("--dir", member.dir, "--from", from), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "no message begins here, only a part of one");
    member_folder_fini(&member);
}

/* What the archive says that it has recorded. */
static void make_counter(module_stage_t *stage, int64_t recording, int64_t position)
{
    aeron_async_add_counter_t *adding;
    aeron_counter_t *counter = NULL;
    assert_int_equal(aeron_async_add_counter(&adding, embedded_aeron(stage->embedded), 100,
                                             (const uint8_t *)&recording, sizeof recording,
                                             "recorded", 8),
                     0);
    for (int i = 0; i < 30000 && !counter; i++) {
        (void)embedded_do_work(stage->embedded);
        assert_true(aeron_async_add_counter_poll(&counter, adding) >= 0);
        (void)usleep(1000);
    }
    assert_non_null(counter);
    *aeron_counter_addr(counter) = position;
}

/* Behind what the archive has recorded there is a part of what it is writing. */
static void of_a_running_member_what_is_recorded_is_printed(void **state)
{
    (void)state;
    member_folder_t member;
    module_stage_t stage;
    char path[320];
    int lock;
    member_folder_init(&member);
    module_stage_begin(&stage, 1, 0);
    (void)snprintf(path, sizeof path, "%s/archive", stage.dir);
    assert_int_equal(symlink(member.archive, path), 0);
    (void)snprintf(path, sizeof path, "%s/cluster", stage.dir);
    assert_int_equal(symlink(member.cluster, path), 0);
    const int64_t end = member_folder_message(&member, 1, "a", 1);
    (void)made_recording_frame(&member.log, 0x80, 1, "half", 4);
    assert_int_equal(LOG("--dir", stage.dir), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "a part of a message is short");
    assert_int_equal(module_lock_take(stage.dir, &lock), OC_ERR_OK);
    module_stage_driver(&stage);
    assert_int_equal(LOG("--dir", stage.dir), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "does not say how far it has recorded; try again");
    make_counter(&stage, member.log.id, end);
    assert_int_equal(LOG("--dir", stage.dir), 0);
    assert_int_equal(lines(), 3);
    module_lock_give(lock);
    module_stage_end(&stage);
    member_folder_fini(&member);
}

static void recordings_are_printed(void **state)
{
    (void)state;
    member_folder_t member;
    member_folder_init(&member);
    (void)member_folder_snapshot(&member, member_folder_grow(&member, 2000), false);
    assert_int_equal(LOG("--dir", member.dir, "--recordings"), 0);
    assert_int_equal(lines(), 3 + 3);
    capture_assert_out(&captured,
                       "term: recording 0 term 0 term_base 0 position -1 time 999 service -1\n");
    capture_assert_out(&captured, "snapshot: recording 2 term 0 ");
    capture_assert_out(
        &captured,
        "recording: 0 start 0 stop -1 stream 100 segment_bytes 131072 term_bytes 65536\n");
    member_folder_fini(&member);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    assert_int_equal(LOG("--dir", "nowhere"), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "nowhere/cluster/recording.log");
    assert_int_equal(LOG("--limit", "3"), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "--dir DIR is needed");
    assert_int_equal(LOG("--dirs", "x"), EXIT_STATUS_USAGE);
    assert_int_equal(LOG("--help"), 0);
    capture_assert_out(&captured, "usage: outcry cluster log");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_printed),
        cmocka_unit_test(it_begins_and_ends_where_told),
        cmocka_unit_test(of_a_running_member_what_is_recorded_is_printed),
        cmocka_unit_test(recordings_are_printed),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
