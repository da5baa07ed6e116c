/*
 * Response channels: what is allowed comes out written anew, the rest is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gateway/response_channel.h"

#include <string.h>

enum { MESSAGE_MAX = 8192 };

typedef struct allowed {
    const char *asked;
    const char *written;
    const char *host;
} allowed_t;

static void writes_what_is_allowed(void **state)
{
    (void)state;
    static const allowed_t cases[] = {
        {"aeron:udp?endpoint=127.0.0.1:20001",
         "aeron:udp?endpoint=127.0.0.1:20001|term-length=262144", "127.0.0.1"},
        {"aeron:udp?endpoint=localhost:20001",
         "aeron:udp?endpoint=127.0.0.1:20001|term-length=262144", "127.0.0.1"},
        {"aeron:udp?endpoint=[fe80::1]:5", "aeron:udp?endpoint=[fe80::1]:5|term-length=262144",
         "fe80::1"},
        {"aeron:udp?term-length=64k|endpoint=10.1.2.3:9",
         "aeron:udp?endpoint=10.1.2.3:9|term-length=131072", "10.1.2.3"},
        {"aeron:udp?endpoint=10.1.2.3:9|term-length=1m|mtu=8k",
         "aeron:udp?endpoint=10.1.2.3:9|term-length=1048576|mtu=8192", "10.1.2.3"},
        {"aeron:udp?endpoint=10.1.2.3:9|term-length=1g|mtu=1408",
         "aeron:udp?endpoint=10.1.2.3:9|term-length=16777216|mtu=1408", "10.1.2.3"},
        {"aeron:udp?endpoint=10.1.2.3:9|alias=mine|rcv-wnd=1m|sparse=true|linger=1000000000",
         "aeron:udp?endpoint=10.1.2.3:9|term-length=262144", "10.1.2.3"},
        {"aeron:ipc", "aeron:ipc?term-length=262144", ""},
        {"aeron:ipc?term-length=4m", "aeron:ipc?term-length=4194304", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        response_channel_t channel;
        assert_true(
            response_channel_parse(&channel, cases[i].asked, strlen(cases[i].asked), MESSAGE_MAX));
        assert_string_equal(channel.text, cases[i].written);
        assert_string_equal(channel.host, cases[i].host);
        assert_int_equal(channel.length, strlen(channel.text));
        /* What was written is allowed again, and does not change. */
        response_channel_t again;
        assert_true(response_channel_parse(&again, channel.text, channel.length, MESSAGE_MAX));
        assert_memory_equal(&again, &channel, sizeof channel);
    }
}

static void refuses_the_rest(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "aeron:",
        "aeron:udp",
        "aeron:udp?",
        "aeron:udp?endpoint=",
        "aeron:udp?endpoint=127.0.0.1",
        "aeron:udp?endpoint=:20001",
        "aeron:udp?endpoint=127.0.0.1:0",
        "aeron:udp?endpoint=127.0.0.1:65536",
        "aeron:udp?endpoint=127.0.0.1:-1",
        "aeron:udp?endpoint=127.0.0.1:1x",
        "aeron:udp?endpoint=127.1:20001",
        "aeron:udp?endpoint=trading.example:20001",
        "aeron:udp?endpoint=[]:20001",
        "aeron:udp?endpoint=[::1:20001",
        "aeron:udp?endpoint=[::]:20001",
        "aeron:udp?endpoint=[ff02::1]:20001",
        "aeron:udp?endpoint=0.0.0.0:20001",
        "aeron:udp?endpoint=224.0.1.1:20001",
        "aeron:udp?endpoint=239.255.255.255:20001",
        "aeron:udp?endpoint=255.255.255.255:20001",
        "aeron:udp?control=127.0.0.1:20001",
        "aeron:udp?endpoint=127.0.0.1:1|control=127.0.0.1:20001",
        "aeron:udp?endpoint=127.0.0.1:1|control-mode=dynamic",
        "aeron:udp?endpoint=127.0.0.1:1|interface=127.0.0.1",
        "aeron:udp?endpoint=127.0.0.1:1|session-id=5",
        "aeron:udp?endpoint=127.0.0.1:1|fc=tagged",
        "aeron:udp?endpoint=127.0.0.1:1|cc=cubic",
        "aeron:udp?endpoint=127.0.0.1:1|nonsense=1",
        "aeron:udp?endpoint=127.0.0.1:1|nonsense",
        "aeron:udp?endpoint=127.0.0.1:1|mtu=100",
        "aeron:udp?endpoint=127.0.0.1:1|mtu=1409",
        "aeron:udp?endpoint=127.0.0.1:1|mtu=64k",
        "aeron:udp?endpoint=127.0.0.1:1|term-length=",
        "aeron:udp?endpoint=127.0.0.1:1|term-length=many",
        "aeron:udp?endpoint=127.0.0.1:1|term-length=1kk",
        "aeron:udp?endpoint=127.0.0.1:1|term-length=99999999999999999999",
        "aeron:udp?endpoint=127.0.0.1:1 ",
        "aeron:udpendpoint=127.0.0.1:1",
        "aeron:ipc?endpoint=127.0.0.1:1",
        "aeron:tcp?endpoint=127.0.0.1:1",
        "aeron-spy:aeron:udp?endpoint=127.0.0.1:1",
        "AERON:UDP?endpoint=127.0.0.1:1",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        response_channel_t channel;
        if (response_channel_parse(&channel, cases[i], strlen(cases[i]), MESSAGE_MAX))
            fail_msg("allowed: %s", cases[i]);
    }
}

static void looks_at_every_character(void **state)
{
    (void)state;
    response_channel_t channel;
    static const char zero[] = "aeron:ipc\0?x";
    assert_false(response_channel_parse(&channel, zero, sizeof zero - 1, MESSAGE_MAX));
    char text[GATEWAY_CHANNEL_MAX + 64] = "aeron:udp?endpoint=127.0.0.1:20001|alias=";
    const size_t start = strlen(text);
    memset(text + start, 'x', sizeof text - start);
    assert_true(response_channel_parse(&channel, text, GATEWAY_CHANNEL_MAX - 1, MESSAGE_MAX));
    assert_false(response_channel_parse(&channel, text, GATEWAY_CHANNEL_MAX, MESSAGE_MAX));
    /* Its length is what counts, not an end in the text. */
    assert_true(response_channel_parse(&channel, text, start - 7, MESSAGE_MAX));
}

/* The longest message must fit into an eighth of a term. */
static void makes_room_for_messages(void **state)
{
    (void)state;
    response_channel_t channel;
    assert_true(response_channel_parse(&channel, "aeron:ipc", 9, 1024 * 1024 + 32));
    assert_string_equal(channel.text, "aeron:ipc?term-length=16777216");
    assert_true(response_channel_parse(&channel, "aeron:ipc", 9, 64 * 1024 + 32));
    assert_string_equal(channel.text, "aeron:ipc?term-length=1048576");
}

static void knows_who_may_speak(void **state)
{
    (void)state;
    assert_true(response_channel_matches("10.0.0.1", "10.0.0.1"));
    assert_false(response_channel_matches("10.0.0.1", "10.0.0.11"));
    assert_true(response_channel_matches("", "127.0.0.1"));
    assert_true(response_channel_matches("", "::1"));
    assert_false(response_channel_matches("", "10.0.0.1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_is_allowed),   cmocka_unit_test(refuses_the_rest),
        cmocka_unit_test(looks_at_every_character), cmocka_unit_test(makes_room_for_messages),
        cmocka_unit_test(knows_who_may_speak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
