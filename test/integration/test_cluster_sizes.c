/*
 * The tables of a cluster's exchange are made larger, as docs/cluster.md tells operators to: the
 * state goes over in an official snapshot that holds it. Orders that rested before can be cancelled
 * behind it, more of them rest than fitted before, and the next starts find all of it; and not what
 * somebody else has changed in the log, or what is left of one that was lost.
 *
 * The members run this program, which becomes `outcry member`.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/remove_tree.h"
#include "cluster/recording.h"
#include "lib/archive_maker.h"
#include "lib/cluster_rig.h"
#include "lib/own_cluster.h"
#include "outcry/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

enum { SKIPPED = 77, SOURCE = 7, BEFORE = 100, AFTER = 400, SIZE = 128, TEXT = 4096 };

static const char lines[] = "[cluster]\n"
                            "snapshot = archive\n"
                            "[exchange]\n"
                            "max_sources = 16\n"
                            "max_levels = 1024\n"
                            "max_orders = 128\n";

static own_cluster_t cluster;
static oc_client_t *client;
static uint64_t seen; /* the last output that came */
static uint32_t accepted;
static uint32_t cancelled;
static uint32_t rejected;

/* ---- The member ---- */

static int member(const char *dir)
{
    own_cluster_log(dir);
    (void)execl(OUTCRY_PROGRAM, OUTCRY_PROGRAM, "member", "--dir", dir, (char *)NULL);
    return 1;
}

static void tool(const char *const *arguments)
{
    if (own_cluster_tool(&cluster, arguments) != 0)
        own_cluster_fail(&cluster, "outcry %s %s", arguments[0], arguments[1]);
}

/* Words of `outcry admin`, the last one NULL. */
static void ask_admin(const char *const *words)
{
    const char *arguments[16] = {"admin", "--ingress", own_cluster_ingress(&cluster, 0)};
    for (size_t i = 0; words[i]; i++)
        arguments[3 + i] = words[i];
    tool(arguments);
}

/* Ends with the state in the archive, and nothing in the log behind it. */
static void shut_down(void)
{
    tool((const char *[]){"cluster", "shutdown", "--dir", own_cluster_path(&cluster, 0, NULL),
                          NULL});
    if (own_cluster_wait_end(&cluster, 0) != 0)
        own_cluster_fail(&cluster, "the shutdown");
}

static void set_size(uint32_t size)
{
    char text[TEXT];
    const char *path = own_cluster_path(&cluster, 0, "outcry.conf");
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    const char *at = strstr(text, "max_orders = ");
    assert_non_null(at);
    assert_int_equal(fseek(file, at - text, SEEK_SET), 0);
    assert_true(fprintf(file, "max_orders = %u%s", size, at + strcspn(at, "\n")) > 0);
    assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_images(void)
{
    assert_int_equal(remove_tree(own_cluster_path(&cluster, 0, "images")), OC_ERR_OK);
}

/* ---- The client ---- */

static void on_response(void *context, const oc_response_t *response)
{
    (void)context;
    if (response->type != OC_RESPONSE_OUTPUT)
        return;
    seen = response->u.output.outbound_sequence;
    accepted += response->u.output.event.type == OC_EVENT_ACCEPTED;
    cancelled += response->u.output.event.type == OC_EVENT_CANCELLED;
    rejected += response->u.output.event.type == OC_EVENT_REJECTED;
}

static void settle(void)
{
    const uint64_t start_ns = clock_wall_ns();
    while (oc_client_oldest_unanswered(client) != 0) {
        (void)oc_client_poll(client, 64);
        if (clock_wall_ns() - start_ns > 60 * SECOND_NS)
            own_cluster_fail(&cluster, "no answer: %s", oc_client_reason(client));
    }
}

static void come(void)
{
    oc_client_config_t config;
    oc_client_config_init(&config);
    config.ingress = own_cluster_ingress(&cluster, 0);
    config.source.value = SOURCE;
    config.principal = "trader";
    config.outbound_sequence = seen;
    config.connect_timeout_ns = 60 * SECOND_NS;
    accepted = cancelled = rejected = 0;
    if (oc_client_connect(&client, &config, on_response, NULL) != OC_ERR_OK)
        own_cluster_fail(&cluster, "the trader: %s", oc_err_context());
}

static void go(void)
{
    settle();
    oc_client_close(client);
    client = NULL;
}

static void send(oc_command_type_t type, uint64_t order)
{
    oc_command_t what = {.type = (uint8_t)type, .instrument = {1}, .time_in_force = OC_TIF_GTC};
    what.u.order.client_order_id.value = order;
    if (type == OC_COMMAND_NEW) {
        what.u.order.price_ticks = 1 + (int64_t)order;
        what.u.order.quantity_lots = 1;
    }
    if (oc_client_send(client, &what, NULL) != OC_ERR_OK)
        own_cluster_fail(&cluster, "order %u: %s", (unsigned)order, oc_err_context());
}

/* Buys that rest. */
static void place(uint64_t from, uint64_t to)
{
    for (uint64_t order = from; order <= to; order++)
        send(OC_COMMAND_NEW, order);
    settle();
}

/* ---- The tests ---- */

static uint64_t state_hash;

static void test_orders_rest(void **state)
{
    (void)state;
    own_cluster_start(&cluster);
    ask_admin((const char *[]){"instrument", "add", "1", "--low", "1", "--high", "1000",
                               "--max-quantity", "50", "--state", "continuous", NULL});
    ask_admin((const char *[]){"source", "add", "7", "--roles", "trade", NULL});
    ask_admin((const char *[]){"principal", "bind", "trader", "7", NULL});
    come();
    place(1, SIZE + 1);
    assert_int_equal(accepted, SIZE);
    assert_int_equal(rejected, 1);
    for (uint64_t order = BEFORE + 1; order <= SIZE; order++)
        send(OC_COMMAND_CANCEL, order);
    go();
    tool((const char *[]){"snapshot", "take", own_cluster_path(&cluster, 0, NULL), NULL});
    shut_down();
}

/* The image is of the smaller tables, and is not passed over for the snapshot behind it. */
static void test_an_image_is_in_the_way(void **state)
{
    (void)state;
    set_size(4 * SIZE);
    own_cluster_launch(&cluster, 0);
    assert_int_equal(own_cluster_wait_end(&cluster, 0), 1);
    if (!own_cluster_said(&cluster, 0, "then move images away on all members"))
        own_cluster_fail(&cluster, "it does not say what to do");
}

static void test_larger_tables(void **state)
{
    (void)state;
    remove_images();
    own_cluster_start_member(&cluster, 0);
    (void)own_cluster_leader(&cluster);
    if (!own_cluster_said(&cluster, 0, "the state is carried over"))
        own_cluster_fail(&cluster, "it does not say that");
    come();
    send(OC_COMMAND_CANCEL, 1);
    send(OC_COMMAND_CANCEL, BEFORE);
    settle();
    assert_int_equal(cancelled, 2);
    place(BEFORE + 1, AFTER);
    assert_int_equal(accepted, AFTER - BEFORE);
    assert_int_equal(rejected, 0);
    go();
    state_hash = own_cluster_settle(&cluster).state_hash;
}

/* From the same snapshot, and what was done since; then from an image of the larger tables. */
static void test_restarts(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        own_cluster_kill(&cluster, 0);
        own_cluster_start_member(&cluster, 0);
        (void)own_cluster_leader(&cluster);
        assert_true(own_cluster_settle(&cluster).state_hash == state_hash);
        tool((const char *[]){"snapshot", "take", own_cluster_path(&cluster, 0, NULL), NULL});
    }
    assert_true(own_cluster_settle(&cluster).image > 0);
    come();
    send(OC_COMMAND_CANCEL, 2);
    go();
    assert_int_equal(cancelled, 1);
}

/* Changes a byte of the last entry of the log, which the module replays, or puts it back. */
static void change_log(size_t offset, uint8_t bits)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(own_cluster_path(&cluster, 0, "archive/0-0.rec"), "r+b");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    size_t last = 0;
    uint32_t frame = 0;
    for (size_t at = 0; at + 32 < length; at += (frame + 31) / 32 * 32) {
        memcpy(&frame, bytes + at, sizeof frame);
        if (frame == 0)
            break;
        last = at;
    }
    bytes[last + offset] ^= bits;
    assert_int_equal(fseek(file, (long)(last + offset), SEEK_SET), 0);
    assert_int_equal(fwrite(bytes + last + offset, 1, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void refuse_log(const char *part)
{
    own_cluster_launch(&cluster, 0);
    assert_int_equal(own_cluster_wait_end(&cluster, 0), 1);
    if (!own_cluster_said(&cluster, 0, part))
        own_cluster_fail(&cluster, "it does not say what is damaged: %s", part);
}

/* The archive's checksums show it, and where; the frame itself where they do not reach. */
static void test_changed_log(void **state)
{
    (void)state;
    state_hash = own_cluster_settle(&cluster).state_hash;
    own_cluster_kill(&cluster, 0);
    change_log(50, 1);
    refuse_log("the checksum of a frame is wrong");
    change_log(50, 1);
    change_log(6, 1); /* the type: data becomes padding */
    refuse_log("says it is padding has data in it");
    change_log(6, 1);
}

/* As if the member had never had one; again and again, for its archive would believe it. */
static void test_lost_log(void **state)
{
    (void)state;
    static const uint8_t zeros[4096];
    static uint8_t page[4096];
    char path[TEXT];
    char aside[TEXT + 8];
    (void)snprintf(path, sizeof path, "%s", own_cluster_path(&cluster, 0, "archive/0-0.rec"));
    (void)snprintf(aside, sizeof aside, "%s.aside", path);
    assert_int_equal(rename(path, aside), 0);
    for (int i = 0; i < 2; i++)
        refuse_log("archive/0-0.rec is not there");
    assert_int_equal(rename(aside, path), 0);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fread(page, 1, sizeof page, file), sizeof page);
    rewind(file);
    assert_int_equal(fwrite(zeros, 1, sizeof zeros, file), sizeof zeros);
    assert_int_equal(fflush(file), 0);
    refuse_log("nothing is written here, before the stop position"); /* noted by the last start */
    rewind(file);
    assert_int_equal(fwrite(page, 1, sizeof page, file), sizeof page);
    assert_int_equal(fclose(file), 0);
    own_cluster_start_member(&cluster, 0);
    (void)own_cluster_leader(&cluster);
    assert_true(own_cluster_settle(&cluster).state_hash == state_hash);
}

/* What a kill may leave: the archive would refuse to start with it. */
static void test_torn_log(void **state)
{
    (void)state;
    archive_maker_t maker = {0};
    recording_descriptor_t found;
    int64_t end;
    own_cluster_kill(&cluster, 0);
    (void)snprintf(maker.dir, sizeof maker.dir, "%.290s", own_cluster_path(&cluster, 0, "archive"));
    assert_int_equal(recording_find(maker.dir, 0, &found), OC_ERR_OK);
    assert_int_equal(recording_end(maker.dir, 0, 0, &end), OC_ERR_OK);
    made_recording_t recording = {.archive = &maker,
                                  .position = end,
                                  .initial_term_id = found.initial_term_id,
                                  .term_bytes = found.term_bytes,
                                  .segment_bytes = found.segment_bytes,
                                  .mtu_bytes = found.mtu_bytes,
                                  .checked = true};
    (void)made_recording_tear(&recording);
    own_cluster_start_member(&cluster, 0);
    (void)own_cluster_leader(&cluster);
    assert_true(own_cluster_said(&cluster, 0, "was never finished, and is taken away"));
    assert_true(own_cluster_settle(&cluster).state_hash == state_hash);
}

static void test_too_small_tables(void **state)
{
    (void)state;
    shut_down();
    remove_images();
    set_size(SIZE);
    own_cluster_launch(&cluster, 0);
    assert_int_equal(own_cluster_wait_end(&cluster, 0), 1);
    if (!own_cluster_said(&cluster, 0, "max_orders"))
        own_cluster_fail(&cluster, "it does not say what is too small");
    set_size(AFTER);
    own_cluster_start_member(&cluster, 0);
    (void)own_cluster_leader(&cluster);
    come();
    send(OC_COMMAND_CANCEL, AFTER);
    go();
    assert_int_equal(cancelled, 1);
    own_cluster_stop(&cluster);
}

static int begin(void **state)
{
    (void)state;
    own_cluster_make(&cluster, 1, lines);
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (client)
        oc_client_close(client);
    own_cluster_remove(&cluster);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_rest),   cmocka_unit_test(test_an_image_is_in_the_way),
        cmocka_unit_test(test_larger_tables), cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_changed_log),   cmocka_unit_test(test_lost_log),
        cmocka_unit_test(test_torn_log),      cmocka_unit_test(test_too_small_tables),
    };
    if (argc == 2)
        return member(argv[1]);
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, begin, end) : SKIPPED;
}
