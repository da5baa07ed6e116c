/*
 * What both ends of a transport bench share: the header to the byte, the plan that options come to
 * and what is refused, and messages that really go there and back by every transport.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/endpoint.h"
#include "base/cycle_clock.h"
#include "bench/wire.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_NS UINT64_C(30000000000)
#define GROUP       "aeron:udp?endpoint=224.20.30.39:40571|interface=127.0.0.1"

static void assert_told(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in: %s", part, oc_err_context());
    assert_null(strchr(oc_err_context(), '\n'));
}

/* ---- A message ---- */

static void the_header_has_its_bytes(void **state)
{
    static const uint8_t expected[WIRE_MESSAGE_MIN] = {
        8, 7, 6, 5, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,
        9, 0, 0, 0, 0, 0, 0, 0, 0x24, 0x23, 0x22, 0x21, 1,    0,    0x57, 0x4f};
    const wire_message_t message = {.sequence = UINT64_C(0x0102030405060708),
                                    .intended_ns = UINT64_C(0x1112131415161718),
                                    .sent_ns = 9,
                                    .sender = 0x21222324,
                                    .kind = WIRE_HELLO};
    uint8_t bytes[WIRE_MESSAGE_MIN];
    wire_message_t again;
    (void)state;
    wire_message_encode(&message, bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
    assert_true(wire_message_decode(&again, bytes, sizeof bytes));
    assert_true(again.sequence == message.sequence && again.intended_ns == message.intended_ns);
    assert_true(again.sent_ns == 9 && again.sender == message.sender && again.kind == WIRE_HELLO);
}

static void a_stranger_is_no_message(void **state)
{
    uint8_t bytes[WIRE_MESSAGE_MIN];
    const wire_message_t message = {.sequence = 1};
    wire_message_t kept = {.sequence = 77};
    (void)state;
    wire_message_encode(&message, bytes);
    assert_false(wire_message_decode(&kept, bytes, sizeof bytes - 1));
    bytes[31] ^= 1;
    assert_false(wire_message_decode(&kept, bytes, sizeof bytes));
    assert_int_equal(kept.sequence, 77);
}

/* ---- The plan ---- */

static wire_options_t usual(void)
{
    return (wire_options_t){.message_bytes = 288, .publications = 2};
}

static void a_plan_says_everything_in_the_channel(void **state)
{
    wire_plan_t plan;
    wire_options_t options = usual();
    (void)state;
    options.endpoint = "10.1.2.3:9000";
    options.mtu = 8192;
    options.so_rcvbuf = 65536;
    options.so_sndbuf = 32768;
    options.receiver_window = 16384;
    options.term_length = 1 << 20;
    options.stream = 7;
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_string_equal(plan.channel,
                        "aeron:udp?endpoint=10.1.2.3:9000|mtu=8192|term-length=1048576|"
                        "so-rcvbuf=65536|so-sndbuf=32768|rcv-wnd=16384");
    assert_string_equal(plan.back, "aeron:udp?endpoint=10.1.2.3:0|mtu=8192|term-length=1048576|"
                                   "so-rcvbuf=65536|so-sndbuf=32768|rcv-wnd=16384");
    assert_int_equal(plan.media, WIRE_UNICAST);
    assert_int_equal(plan.stream, 7);
    assert_int_equal(plan.back_stream, 8);
    assert_int_equal(wire_plan_window(&plan), 16384);
}

static void a_channel_keeps_what_it_says(void **state)
{
    wire_plan_t plan;
    wire_options_t options = usual();
    (void)state;
    options.channel = "aeron:ipc?term-length=64k";
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_string_equal(plan.channel, "aeron:ipc?term-length=64k|mtu=1408");
    assert_string_equal(plan.back, plan.channel);
    assert_int_equal(plan.term_length, 65536);
    assert_int_equal(wire_plan_window(&plan), 32768);

    options.channel = "aeron:ipc";
    options.one_way = true;
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_string_equal(plan.channel, "aeron:ipc?mtu=1408|term-length=4194304");
    assert_string_equal(plan.back, "");

    options.channel = GROUP "|mtu=4k";
    options.one_way = false;
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_int_equal(plan.media, WIRE_MULTICAST);
    assert_int_equal(plan.mtu, 4096);
    assert_string_equal(plan.back, plan.channel);

    options.channel = "aeron:udp?endpoint=[ff02::1]:4000";
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_int_equal(plan.media, WIRE_MULTICAST);
    options.channel = "aeron:udp?endpoint=localhost:4000";
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_int_equal(plan.media, WIRE_UNICAST);
}

static void refused(wire_options_t options, const char *part)
{
    wire_plan_t plan;
    if (options.message_bytes == 0)
        options.message_bytes = 288;
    assert_int_not_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_told(part);
}

#define REFUSED(part, ...) refused((wire_options_t){__VA_ARGS__}, part)

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    REFUSED("does not fit one frame of --mtu 1408, which takes 1376", .message_bytes = 1377);
    REFUSED("the header alone has 32", .message_bytes = 31);
    REFUSED("a message of 4294967295 bytes", .message_bytes = UINT64_MAX);
    REFUSED("--mtu: 1400 bytes, allowed are multiples of 32", .mtu = 1400);
    REFUSED("--mtu: 65536 bytes", .mtu = 65536);
    REFUSED("--mtu: 99999999999 bytes", .mtu = UINT64_C(99999999999));
    REFUSED("--term-length: 100000 bytes, allowed are powers", .term_length = 100000);
    REFUSED("more than an eighth of --term-length 65536", .mtu = 8224, .term_length = 65536);
    REFUSED("--receiver-window 1024 is below one datagram", .receiver_window = 1024);
    REFUSED("--receiver-window 65536 is above --so-rcvbuf 32768", .receiver_window = 65536,
            .so_rcvbuf = 32768);
    REFUSED("--so-sndbuf 4608 is below one datagram of --mtu 8192", .so_sndbuf = 4608, .mtu = 8192);
    REFUSED("net.core.rmem_max", .so_rcvbuf = 1 << 30);
    REFUSED("net.core.wmem_max", .so_sndbuf = 1 << 30);
}

static void channels_that_cannot_be_are_refused(void **state)
{
    (void)state;
    REFUSED("--channel and --endpoint exclude", .channel = "aeron:ipc", .endpoint = "a:1");
    REFUSED("the channel 'udp://a:1'", .channel = "udp://a:1");
    REFUSED("the channel 'aeron:udp?interface=lo'", .channel = "aeron:udp?interface=lo");
    REFUSED("the channel 'aeron:ipcs'", .channel = "aeron:ipcs");
    REFUSED("the endpoint 'a': HOST:PORT", .endpoint = "a");
    REFUSED("the endpoint 'a:65536'", .endpoint = "a:65536");
    REFUSED("the endpoint 'a:-1'", .endpoint = "a:-1");
    REFUSED("the endpoint ':1'", .endpoint = ":1");
    REFUSED("needs a port", .endpoint = "224.0.1.1:0");
    REFUSED("say it in one place only", .channel = "aeron:ipc?mtu=1408", .mtu = 1408);
    REFUSED("mtu=1q in the channel", .channel = "aeron:ipc?mtu=1q");
    REFUSED("--so-rcvbuf is of UDP", .channel = "aeron:ipc", .so_rcvbuf = 65536);
    REFUSED("--receiver-window is of UDP", .channel = "aeron:ipc?rcv-wnd=64k");
    REFUSED("both by UDP or both by IPC", .channel = "aeron:ipc", .back_endpoint = "a:1");
    REFUSED("exclude each other", .back_channel = "aeron:ipc", .back_endpoint = "a:1");
    REFUSED("no way back", .one_way = true, .back_endpoint = "a:1");
    char many[WIRE_CHANNEL_SIZE];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    memcpy(many, "aeron:udp?endpoint=a:1|alias=", 29);
    REFUSED("at most 511 characters", .channel = many);
}

/* Else the hello comes back, and no answer that is longer. */
static void the_ways_have_the_same_parameters(void **state)
{
    wire_plan_t plan;
    wire_options_t options = usual();
    (void)state;
    REFUSED("mtu=256 in the back channel, and 1408 for the way there",
            .back_channel = "aeron:udp?endpoint=a:1|mtu=256");
    REFUSED("term-length=64k in the back channel, and 4194304",
            .back_channel = "aeron:udp?endpoint=a:1|term-length=64k");
    REFUSED("rcv-wnd=2k in the back channel", .back_channel = "aeron:udp?endpoint=a:1|rcv-wnd=2k");
    REFUSED("mtu=1q in the back channel", .back_channel = "aeron:udp?endpoint=a:1|mtu=1q");
    REFUSED("--so-sndbuf is of UDP", .channel = "aeron:ipc",
            .back_channel = "aeron:ipc?so-sndbuf=64k");
    options.mtu = 8192;
    options.back_channel = "aeron:udp?endpoint=localhost:1|mtu=8k";
    assert_int_equal(wire_plan_init(&plan, &options), OC_ERR_OK);
    assert_non_null(strstr(plan.back, "endpoint=localhost:1|mtu=8k|term-length=4194304|"));
}

static void processes_apart_need_names(void **state)
{
    (void)state;
    REFUSED("--aeron-dir", .channel = "aeron:ipc", .apart = true);
    REFUSED("--endpoint or --channel, the same for both ends", .apart = true,
            .back_endpoint = "a:1");
    REFUSED("--back-endpoint HOST:PORT", .apart = true, .endpoint = "a:1");
    REFUSED("port 0", .apart = true, .endpoint = "a:0", .back_endpoint = "a:1");
    REFUSED("port 0", .apart = true, .endpoint = "a:1", .back_endpoint = "a:0");
}

/* ---- One end ---- */

typedef struct seen {
    uint64_t count;
    wire_message_t last;
} seen_t;

static void on_fragment(void *context, const uint8_t *buffer, size_t length, aeron_header_t *header)
{
    seen_t *seen = context;
    (void)header;
    if (wire_message_decode(&seen->last, buffer, length) && length == 288)
        seen->count++;
}

/* Sends until it was taken, receives until it came. */
static void pass(wire_t wires[2], wire_out_t *out, wire_in_t *in, uint64_t sequence)
{
    seen_t seen = {0};
    const uint64_t start_ns = clock_wall_ns();
    const wire_message_t message = {.sequence = sequence, .sender = 5};
    bool sent = false;
    while (seen.count == 0 && clock_wall_ns() - start_ns < PATIENCE_NS) {
        if (!sent)
            sent = wire_send(out, &message, 288) == WIRE_SENT;
        (void)embedded_do_work(wires[0].embedded);
        (void)embedded_do_work(wires[1].embedded);
        assert_true(wire_poll(in, on_fragment, &seen, 10) >= 0);
        endpoint_pause(start_ns);
    }
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last.sequence, sequence);
    assert_true(wire_out_connected(out) && wire_in_connected(in));
}

static void there_and_back(const char *channel)
{
    wire_t wires[2];
    wire_t *const here = &wires[0];
    wire_t *const there = &wires[1];
    wire_in_t in;
    wire_in_t back_in;
    wire_out_t out;
    wire_out_t back_out;
    wire_options_t options = usual();
    options.channel = channel;
    assert_int_equal(wire_open(here, &options), OC_ERR_OK);
    assert_int_equal(wire_join(there, here), OC_ERR_OK);
    const wire_plan_t *plan = &here->plan;
    assert_int_equal(wire_in_open(&in, there, plan->channel, plan->stream), OC_ERR_OK);
    assert_int_equal(wire_in_open(&back_in, here, plan->back, plan->back_stream), OC_ERR_OK);
    assert_int_equal(wire_out_open(&out, here, in.channel, plan->stream), OC_ERR_OK);
    assert_int_equal(wire_out_open(&back_out, there, back_in.channel, plan->back_stream),
                     OC_ERR_OK);
    for (uint64_t i = 1; i <= 3; i++) {
        pass(wires, &out, &in, i);
        pass(wires, &back_out, &back_in, i);
    }
    wire_out_close(&out);
    wire_out_close(&back_out);
    wire_in_close(&in);
    wire_in_close(&back_in);
    wire_close(there);
    wire_close(here);
}

static void messages_go_there_and_back(void **state)
{
    (void)state;
    there_and_back("aeron:ipc?term-length=64k");
    there_and_back(NULL);
    /* A group that no other test has at the same time. */
    const unsigned pid = (unsigned)getpid();
    char group[96];
    (void)snprintf(group, sizeof group, "aeron:udp?endpoint=239.20.%u.39:%u|interface=127.0.0.1",
                   pid / 20000 % 256, 40000 + pid % 20000);
    there_and_back(group);
}

/* A publication refuses once a term, when its log turns, and takes the next try. */
static void a_log_that_turns_refuses_nothing(void **state)
{
    enum { BYTES = 288, FRAME = 320, MESSAGES = 5 * 65536 / FRAME };
    wire_t wire;
    wire_in_t in;
    wire_out_t out;
    seen_t seen = {0};
    wire_options_t options = usual();
    (void)state;
    options.channel = "aeron:ipc?term-length=64k";
    assert_int_equal(wire_open(&wire, &options), OC_ERR_OK);
    assert_int_equal(wire_in_open(&in, &wire, wire.plan.channel, wire.plan.stream), OC_ERR_OK);
    assert_int_equal(wire_out_open(&out, &wire, wire.plan.channel, wire.plan.stream), OC_ERR_OK);
    const uint64_t start_ns = clock_wall_ns();
    for (uint64_t i = 1; i <= MESSAGES; i++) {
        const wire_message_t message = {.sequence = i, .sender = 5};
        /* No window is in the way, not even of a message behind padding. */
        while (!wire_out_connected(&out) ||
               aeron_exclusive_publication_position_limit(out.publication) <
                   aeron_exclusive_publication_position(out.publication) + 4 * FRAME) {
            assert_true(clock_wall_ns() - start_ns < PATIENCE_NS);
            (void)embedded_do_work(wire.embedded);
            endpoint_pause(start_ns);
        }
        assert_int_equal(wire_send(&out, &message, BYTES), WIRE_SENT);
        while (seen.count < i) {
            assert_true(clock_wall_ns() - start_ns < PATIENCE_NS);
            (void)embedded_do_work(wire.embedded);
            assert_true(wire_poll(&in, on_fragment, &seen, 1) >= 0);
        }
    }
    wire_out_close(&out);
    wire_in_close(&in);
    wire_close(&wire);
}

static void a_driver_that_is_not_there_is_told(void **state)
{
    wire_t wire;
    temp_dir_t dir;
    wire_options_t options = usual();
    (void)state;
    temp_dir_make(&dir);
    options.aeron_dir = dir.path;
    assert_int_equal(wire_open(&wire, &options), OC_ERR_NOT_CONNECTED);
    assert_told("no Aeron driver in ");
    wire_close(&wire);
    temp_dir_remove(&dir);
}

static void a_driver_that_runs_is_used(void **state)
{
    wire_t host;
    wire_t guest;
    wire_facts_t facts;
    wire_options_t options = usual();
    (void)state;
    assert_int_equal(wire_open(&host, &options), OC_ERR_OK);
    options.aeron_dir = embedded_dir(host.embedded);
    options.channel = "aeron:ipc";
    assert_int_equal(wire_open(&guest, &options), OC_ERR_OK);
    wire_facts(&guest, &facts);
    bool external = false;
    for (size_t i = 0; i < facts.count; i++)
        external |= strcmp(facts.items[i].name, "driver") == 0 &&
                    strcmp(facts.items[i].value, "external") == 0;
    assert_true(external);
    wire_close(&guest);
    (void)setenv("AERON_SHARED_IDLE_STRATEGY", "yield", 1);
    wire_facts(&host, &facts);
    (void)unsetenv("AERON_SHARED_IDLE_STRATEGY");
    assert_string_equal(facts.items[0].value, "udp unicast");
    bool told = false;
    for (size_t i = 0; i < facts.count; i++)
        told |= strcmp(facts.items[i].value, "AERON_SHARED_IDLE_STRATEGY=yield") == 0;
    assert_true(told);
    wire_close(&host);
}

static void terms_that_do_not_fit_are_refused(void **state)
{
    wire_t wire;
    wire_options_t options = usual();
    (void)state;
    options.term_length = 1 << 30;
    options.publications = 1000;
    assert_int_equal(wire_open(&wire, &options), OC_ERR_NO_SPACE);
    assert_told("give shorter terms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_has_its_bytes),
        cmocka_unit_test(a_stranger_is_no_message),
        cmocka_unit_test(a_plan_says_everything_in_the_channel),
        cmocka_unit_test(a_channel_keeps_what_it_says),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(channels_that_cannot_be_are_refused),
        cmocka_unit_test(the_ways_have_the_same_parameters),
        cmocka_unit_test(processes_apart_need_names),
        cmocka_unit_test(messages_go_there_and_back),
        cmocka_unit_test(a_log_that_turns_refuses_nothing),
        cmocka_unit_test(a_driver_that_is_not_there_is_told),
        cmocka_unit_test(a_driver_that_runs_is_used),
        cmocka_unit_test(terms_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
