/*
 * A real node among clients that vanish, hang, lie, flood and send noise, while two good clients
 * trade on it: those are answered in time, each command once; the node's memory and file handles
 * stay bounded; and its log gives the reference engine the same state. Run as `PROGRAM HOW INGRESS
 * SOURCE` it is one of the clients that get killed; as `PROGRAM TEST` it runs that test alone.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/challenge.h"
#include "base/cycle_clock.h"
#include "base/prng.h"
#include "codec/order_entry_codec.h"
#include "lib/hostile_client.h"
#include "lib/hostile_rig.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef OUTCRY_PROGRAM
#define OUTCRY_PROGRAM ""
#endif

#define SECOND INT64_C(1000000000)

enum {
    NOISE_MAX = 65536,
    CONNECTS = 1000,
    CHILDREN = 3,
    CHILD_ORDERS = 10,
    SCHEMA = 111,
    FORGED_STREAMS = 3000,
};

static hostile_rig_t rig;
static hostile_client_t hostile;
static uint64_t seed;

static int64_t now_ns(void)
{
    return (int64_t)clock_wall_ns();
}

static void skip_without_program(void)
{
    if (!OUTCRY_PROGRAM[0]) {
        print_message("SKIP: this build has no program\n");
        skip();
    }
}

static int setup(void **state)
{
    (void)state;
    const char *text = getenv("OUTCRY_SEED");
    memset(&rig, 0, sizeof rig);
    seed = text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
    print_message("OUTCRY_SEED=%" PRIu64 "\n", seed);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (hostile.embedded)
        hostile_client_fini(&hostile);
    hostile_rig_remove(&rig);
    return 0;
}

static void fill_random(void *bytes, size_t length)
{
    uint8_t *at = bytes;
    for (size_t i = 0; i < length; i++)
        at[i] = (uint8_t)prng_next(&seed);
}

static void begin(const char *session)
{
    skip_without_program();
    hostile_rig_start(&rig, session, NULL);
    hostile_client_init(&hostile, false);
}

static void end(void)
{
    hostile_client_fini(&hostile);
    hostile_rig_check(&rig);
    hostile_rig_end(&rig);
}

/* ---- Clients that are gone ------------------------------------------------------------------- */

static void ignore(void *context, const oc_response_t *response)
{
    (void)context;
    (void)response;
}

/* Orders of which half are to go with the session. */
static void place(oc_client_t *client)
{
    for (unsigned i = 0; i < 2 * CHILD_ORDERS; i++) {
        oc_command_t *order = oc_client_claim(client);
        order->type = OC_COMMAND_NEW;
        order->instrument.value = GOOD_PAIR_INSTRUMENT + 1;
        order->flags = i % 2 ? OC_FLAG_CANCEL_ON_DISCONNECT : 0;
        order->u.order.client_order_id.value = i + 1;
        order->u.order.price_ticks = 100;
        order->u.order.quantity_lots = 1;
        (void)oc_client_commit(client);
    }
    while (oc_client_oldest_unanswered(client) != 0)
        (void)oc_client_poll(client, 64);
}

/* This program as a client: `polls` until it is killed or stopped, or `hangs` with a driver that
 * goes on. */
static int be_client(const char *how, const char *ingress, const char *source)
{
    oc_client_config_t config;
    oc_client_t *client;
    const bool hangs = strcmp(how, "hangs") == 0;
    oc_client_config_init(&config);
    config.ingress = ingress;
    config.source.value = (uint32_t)strtoul(source, NULL, 10);
    config.principal = "hostile";
    config.embedded_thread = hangs;
    config.connect_timeout_ns = 20 * SECOND;
    if (oc_client_connect(&client, &config, ignore, NULL) != OC_ERR_OK) {
        (void)fprintf(stderr, "%s\n", oc_err_context());
        return 1;
    }
    place(client);
    (void)puts("placed");
    (void)fflush(stdout);
    for (;;) {
        if (hangs)
            (void)pause();
        else
            (void)oc_client_poll(client, 64);
    }
}

static void start_client(child_process_t *child, const char *how, uint32_t source)
{
    char number[16];
    char rest[16];
    (void)snprintf(number, sizeof number, "%u", source);
    const char *const argv[] = {"client", how, rig.node.ingress, number, NULL};
    assert_int_equal(child_process_start(child, argv, -1), OC_ERR_OK);
    assert_int_equal(child_process_expect(child, "placed", rest, sizeof rest, 30 * SECOND),
                     OC_ERR_OK);
}

/* What a killed client leaves of its driver. */
static void remove_driver(pid_t pid)
{
    temp_dir_t dir;
    (void)snprintf(dir.path, sizeof dir.path, "/dev/shm/outcry-%d-0", (int)pid);
    temp_dir_remove(&dir);
}

/* Killed, stopped, and one that neither polls nor sends: their sessions end, and what was to go
 * with them is cancelled. */
static void test_gone(void **state)
{
    (void)state;
    static const char *const how[CHILDREN] = {"polls", "polls", "hangs"};
    child_process_t children[CHILDREN];
    skip_without_program();
    hostile_rig_start(&rig, "", NULL);
    for (uint32_t i = 0; i < CHILDREN; i++)
        start_client(&children[i], how[i], HOSTILE_SOURCE + i);
    struct timespec now;
    const int64_t start_ns = now_ns();
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    const int64_t gone_ns = now.tv_sec * SECOND + now.tv_nsec; /* as the log has it */
    child_process_signal(&children[0], SIGKILL);
    child_process_signal(&children[1], SIGSTOP);
    while (now_ns() < start_ns + (HOSTILE_TIMEOUT_MS + 1500) * (SECOND / 1000))
        hostile_rig_check(&rig);
    const pid_t killed = children[0].pid;
    for (int i = 0; i < CHILDREN; i++) {
        const pid_t pid = i == 0 ? killed : children[i].pid;
        child_process_end(&children[i]);
        remove_driver(pid);
    }
    hostile_rig_end(&rig);
    for (int i = 0; i < CHILDREN; i++) {
        assert_int_equal(rig.sources[i].disconnected, CHILD_ORDERS);
        assert_in_range(rig.sources[i].disconnected_ns, (uint64_t)gone_ns,
                        (uint64_t)(gone_ns + (HOSTILE_TIMEOUT_MS + 1500) * (SECOND / 1000)));
    }
}

/* ---- Noise ----------------------------------------------------------------------------------- */

/* A message of the protocol with fields of all kinds. */
static size_t sample(uint8_t *bytes, size_t size)
{
    static const cluster_type_t types[] = {
        CLUSTER_SESSION_MESSAGE, CLUSTER_SESSION_EVENT,      CLUSTER_CONNECT_REQUEST,
        CLUSTER_CLOSE_REQUEST,   CLUSTER_KEEP_ALIVE,         CLUSTER_NEW_LEADER,
        CLUSTER_CHALLENGE,       CLUSTER_CHALLENGE_RESPONSE, CLUSTER_ADMIN_REQUEST,
        CLUSTER_ADMIN_RESPONSE,
    };
    const cluster_message_t message = {
        .type = types[prng_below(&seed, sizeof types / sizeof types[0])],
        .correlation_id = (int64_t)prng_next(&seed),
        .session = (int64_t)prng_below(&seed, 64), /* ids are easy to guess */
        .term = (int64_t)prng_below(&seed, 3),
        .version = prng_below(&seed, 2) ? CLUSTER_PROTOCOL_VERSION : (int32_t)prng_next(&seed),
        .response_stream = (int32_t)prng_below(&seed, 200),
        .text = {"aeron:udp?endpoint=127.0.0.1:1", 30},
        .data = {"hostile", 7},
        .client_info = {"x", 1},
    };
    return cluster_encode(&message, bytes, size);
}

/* A template of the schema, with a block length and lengths of strings that are lies. */
static size_t lie(uint8_t *bytes, size_t size)
{
    const size_t length = 8 + prng_below(&seed, 120);
    (void)size;
    fill_random(bytes, length);
    bytes[2] = (uint8_t)(1 + prng_below(&seed, 30));
    bytes[3] = 0;
    bytes[4] = SCHEMA;
    bytes[5] = 0;
    if (prng_below(&seed, 2)) {
        bytes[0] = (uint8_t)prng_below(&seed, 64);
        bytes[1] = 0;
    }
    return length;
}

static size_t make_noise(uint8_t *bytes, size_t size)
{
    size_t length = 0;
    switch (prng_below(&seed, 5)) {
    case 0: /* anything */
        length = prng_below(&seed, 2048);
        fill_random(bytes, length);
        return length;
    case 1:
        return lie(bytes, size);
    case 2: /* cut */
        length = sample(bytes, size);
        return prng_below(&seed, (uint32_t)length + 1);
    case 3: /* bits turned */
        length = sample(bytes, size);
        for (uint32_t n = 1 + prng_below(&seed, 8); n > 0; n--)
            bytes[prng_below(&seed, (uint32_t)length)] ^= (uint8_t)(1u << prng_below(&seed, 8));
        return length;
    default:
        return sample(bytes, size);
    }
}

/* No session, and everything that the transport carries. */
static void test_noise_on_ingress(void **state)
{
    (void)state;
    static uint8_t bytes[NOISE_MAX];
    begin("");
    hostile_client_attach(&hostile, rig.node.ingress);
    for (int i = 0; i < 10000; i++)
        assert_true(hostile_client_offer(&hostile, bytes, make_noise(bytes, sizeof bytes)));
    hostile_rig_check(&rig);
    for (int i = 0; i < 200; i++) {
        fill_random(bytes, sizeof bytes);
        if (i % 2) /* to a session that may be somebody's */
            cluster_encode_session_header(bytes, 1, i % 16, 0);
        assert_true(hostile_client_offer(&hostile, bytes, sizeof bytes));
    }
    hostile_rig_check(&rig);
    /* Whoever was here can still come in. */
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
    end();
}

/* Inside a session: no message is a reason to end it. */
static void test_noise_in_session(void **state)
{
    (void)state;
    static uint8_t bytes[NOISE_MAX];
    begin("");
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    assert_true(hostile_client_order(&hostile, 1, 1, 100)); /* before the logon */
    assert_true(hostile_client_until(&hostile, &hostile.problem_count, 1, 10));
    assert_int_equal(hostile.problems[OC_PROBLEM_NOT_LOGGED_ON], 1);
    hostile_client_logon(&hostile, HOSTILE_SOURCE);

    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    request.u.command.type = OC_COMMAND_NEW;
    request.u.command.instrument.value = GOOD_PAIR_INSTRUMENT + 1;
    request.u.command.u.order.price_ticks = 100;
    request.u.command.u.order.quantity_lots = 1;
    uint64_t taken = 0;
    for (int i = 0; i < 3000; i++) {
        /* Two orders, and a third that is cut, or noise behind them. */
        size_t length = 0;
        for (int n = 0; n < 3; n++) {
            request.u.command.sequence = taken + 1 + (uint64_t)n;
            request.u.command.u.order.client_order_id.value = taken + 1 + (uint64_t)n;
            length += order_entry_encode(&request, bytes + length, sizeof bytes - length);
        }
        length -= 1 + prng_below(&seed, 40);
        taken += 2;
        assert_true(hostile_client_payload(&hostile, bytes, length));
        fill_random(bytes, 512);
        assert_true(hostile_client_payload(&hostile, bytes, prng_below(&seed, 512)));
        hostile_client_poll(&hostile);
    }
    for (int i = 0; i < 50; i++) {
        fill_random(bytes, sizeof bytes);
        assert_true(hostile_client_payload(&hostile, bytes, NOISE_MAX - 32));
    }
    assert_true(hostile_client_until(&hostile, &hostile.accepted, taken, 10));
    hostile_client_idle(&hostile, 0.1);
    assert_int_equal(hostile.accepted, taken);
    assert_true(hostile.problem_count > 3000);
    assert_int_equal(hostile.unreadable, 0);
    assert_int_equal(hostile.events[CLUSTER_EVENT_CLOSED], 0);
    end();
}

/* Messages in the name of others, whose session ids are easy to guess. */
static void test_other_sessions(void **state)
{
    (void)state;
    begin("");
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    const int64_t own = hostile.session;
    assert_true(own > 0);
    for (int round = 0; round < 200; round++)
        for (int64_t session = -1; session < own; session++)
            for (int64_t term = -1; term <= hostile.term + 1; term++) {
                static const cluster_type_t types[] = {CLUSTER_CLOSE_REQUEST, CLUSTER_KEEP_ALIVE,
                                                       CLUSTER_SESSION_MESSAGE,
                                                       CLUSTER_CHALLENGE_RESPONSE};
                const cluster_message_t message = {.type = types[round % 4],
                                                   .session = session,
                                                   .term = term,
                                                   .data = {"12345678", 8}};
                assert_true(hostile_client_send(&hostile, &message));
            }
    /* Its own session, in terms that are not. */
    for (int64_t term = -1; term <= hostile.term + 1; term++) {
        const cluster_message_t close = {
            .type = CLUSTER_CLOSE_REQUEST, .session = own, .term = term};
        if (term != hostile.term)
            assert_true(hostile_client_send(&hostile, &close));
    }
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
    assert_int_equal(hostile.events[CLUSTER_EVENT_CLOSED], 0);
    end();
}

/* ---- Sequences ------------------------------------------------------------------------------- */

static void test_sequences(void **state)
{
    (void)state;
    begin("");
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
    uint64_t taken = 0;
    for (int i = 0; i < 300; i++) {
        const uint64_t accepted = hostile.accepted;
        const uint64_t duplicates = hostile.reasons[OC_REASON_DUPLICATE_SEQUENCE];
        const uint64_t gaps = hostile.reasons[OC_REASON_SEQUENCE_GAP];
        taken++;
        assert_true(hostile_client_order(&hostile, taken, taken, 100));
        /* The same number with other content, an old one, skipped ones. */
        assert_true(hostile_client_order(&hostile, taken, taken + 5000, 101));
        assert_true(hostile_client_order(&hostile, 1 + taken / 2, taken + 9000, 102));
        assert_true(hostile_client_order(&hostile, taken + 2, taken + 1, 103));
        assert_true(
            hostile_client_order(&hostile, UINT64_MAX - 1 - prng_below(&seed, 9), taken + 1, 104));
        assert_true(
            hostile_client_until(&hostile, &hostile.reasons[OC_REASON_SEQUENCE_GAP], gaps + 2, 10));
        assert_int_equal(hostile.accepted, accepted + 1);
        assert_int_equal(hostile.reasons[OC_REASON_DUPLICATE_SEQUENCE], duplicates + 2);
        if (i % 4 == 3) { /* room for the next */
            oc_request_t cancel = {.type = OC_REQUEST_COMMAND};
            cancel.u.command.type = OC_COMMAND_CANCEL;
            cancel.u.command.instrument.value = GOOD_PAIR_INSTRUMENT + 1;
            cancel.u.command.sequence = taken + 1;
            cancel.u.command.u.order.client_order_id.value = taken;
            assert_true(hostile_client_request(&hostile, &cancel));
            taken++;
        }
    }
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
    assert_int_equal(hostile.logon.u.logon.sequence, taken);
    end();
}

/* ---- Connects -------------------------------------------------------------------------------- */

/* Each with a stream of its own; a third closes its session, the others just go. */
static void test_thousand_connects(void **state)
{
    (void)state;
    begin("max_sessions = 4096\n");
    const int64_t start = now_ns();
    for (int i = 0; i < CONNECTS; i++) {
        hostile_client_connect(&hostile, rig.node.ingress, "hostile");
        const cluster_message_t close = {
            .type = CLUSTER_CLOSE_REQUEST, .session = hostile.session, .term = hostile.term};
        if (i % 3 == 0)
            assert_true(hostile_client_send(&hostile, &close));
        if (i % 100 == 0)
            hostile_rig_check(&rig);
    }
    print_message("%d connects in %.1f s\n", CONNECTS, (double)(now_ns() - start) / 1e9);
    /* A request that is repeated because its answer is late is answered again. */
    assert_in_range(hostile.events[CLUSTER_EVENT_OK], CONNECTS, CONNECTS + CONNECTS / 10);
    end();
}

/* Answers to where nobody listens, where they must not go, or to the node itself. */
static void test_response_channels(void **state)
{
    (void)state;
    begin("");
    char itself[HOSTILE_TEXT_MAX];
    char too_long[HOSTILE_TEXT_MAX + 64];
    (void)snprintf(itself, sizeof itself, "aeron:udp?endpoint=%s", rig.node.ingress);
    (void)snprintf(too_long, sizeof too_long, "aeron:udp?endpoint=127.0.0.1:1|alias=%0280d", 1);
    const char *const channels[] = {
        itself,
        too_long,
        "",
        "aeron:",
        "aeron:udp",
        "aeron:udp?",
        "aeron:ipc",
        "aeron:ipc?term-length=1g",
        "aeron-spy:aeron:udp?endpoint=127.0.0.1:1",
        "aeron:udp?endpoint=127.0.0.1:1",
        "aeron:udp?endpoint=127.0.0.1:1|term-length=1g|mtu=65504",
        "aeron:udp?endpoint=127.0.0.1:0",
        "aeron:udp?endpoint=127.0.0.1:99999",
        "aeron:udp?endpoint=224.0.1.1:4000|interface=127.0.0.1",
        "aeron:udp?endpoint=255.255.255.255:4000",
        "aeron:udp?endpoint=no.such.host.invalid:4000",
        "aeron:udp?endpoint=[::1]:4000",
        "aeron:udp?endpoint=127.0.0.1:4000|control=127.0.0.1:4001|control-mode=dynamic",
        "aeron:udp?endpoint=127.0.0.1:4000|session-id=7|init-term-id=1|term-id=9|term-offset=64",
        "aeron:udp?endpoint=127.0.0.1:4000|endpoint=224.0.1.1:4001",
        "aeron:udp?endpoint=127.0.0.1:4000|mtu=-1",
        "aeron:udp?endpoint=127.0.0.1:4000|linger=100000000000",
        "aeron:udp?endpoint=%s%n%n%n",
    };
    enum { COUNT = sizeof channels / sizeof channels[0] };
    hostile_client_attach(&hostile, rig.node.ingress);
    for (int round = 0; round < 8; round++) {
        for (size_t i = 0; i < COUNT; i++)
            assert_true(hostile_client_ask(&hostile, channels[i], (int32_t)prng_below(&seed, 200),
                                           "hostile"));
        hostile_rig_check(&rig);
    }
    assert_true(hostile_client_ask(&hostile, itself, CLUSTER_INGRESS_STREAM, "hostile"));
    hostile_client_idle(&hostile, 1);
    end();
}

static void test_too_many_sessions(void **state)
{
    (void)state;
    enum { MOST = 6 };
    begin("max_sessions = 6\nmax_connecting = 4\n");
    hostile_client_attach(&hostile, rig.node.ingress);
    /* The pair has two places, the administrator has left his. */
    for (uint64_t i = 1; i <= MOST - 2; i++) {
        assert_true(hostile_client_ask(&hostile, hostile.response_channel, CLUSTER_EGRESS_STREAM,
                                       "hostile"));
        assert_true(hostile_client_until(&hostile, &hostile.events[CLUSTER_EVENT_OK], i, 10));
    }
    for (uint64_t i = 1; i <= 3; i++) {
        assert_true(hostile_client_ask(&hostile, hostile.response_channel, CLUSTER_EGRESS_STREAM,
                                       "hostile"));
        assert_true(hostile_client_until(&hostile, &hostile.events[CLUSTER_EVENT_ERROR], i, 10));
        assert_non_null(strstr(hostile.detail, "concurrent session limit"));
    }
    assert_int_equal(hostile.events[CLUSTER_EVENT_OK], MOST - 2);
    /* One goes, one comes. */
    const cluster_message_t close = {
        .type = CLUSTER_CLOSE_REQUEST, .session = hostile.session, .term = hostile.term};
    assert_true(hostile_client_send(&hostile, &close));
    assert_true(hostile_client_until(&hostile, &hostile.events[CLUSTER_EVENT_CLOSED], 1, 10));
    assert_true(
        hostile_client_ask(&hostile, hostile.response_channel, CLUSTER_EGRESS_STREAM, "hostile"));
    assert_true(hostile_client_until(&hostile, &hostile.events[CLUSTER_EVENT_OK], MOST - 1, 10));
    end();
}

/* ---- Challenges ------------------------------------------------------------------------------ */

static void answer_challenge(int64_t session, const void *bytes, size_t length)
{
    const cluster_message_t response = {
        .type = CLUSTER_CHALLENGE_RESPONSE,
        .correlation_id = ++hostile.correlation,
        .session = session,
        .data = {bytes, (uint32_t)length},
    };
    assert_true(hostile_client_send(&hostile, &response));
}

static void await_challenge(void)
{
    const uint64_t before = hostile.challenges;
    assert_true(
        hostile_client_ask(&hostile, hostile.response_channel, CLUSTER_EGRESS_STREAM, "hostile"));
    assert_true(hostile_client_until(&hostile, &hostile.challenges, before + 1, 10));
}

/* Wrong answers, answers of others, too long ones, old ones, and none. */
static void abuse_challenges(void)
{
    static const char secret[] = "hostile-secret-0000000";
    static uint8_t bytes[NOISE_MAX];
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    uint64_t rejected = 0;
    uint8_t old[CHALLENGE_ANSWER_BYTES];
    hostile_client_attach(&hostile, rig.node.ingress);
    for (int i = 0; i < 40; i++) {
        static const size_t lengths[] = {0, 1, 31, 32, 33, 4096, NOISE_MAX - 64};
        await_challenge();
        for (int64_t other = 0; other < hostile.challenged_session; other++)
            answer_challenge(other, bytes, 32);
        fill_random(bytes, sizeof bytes);
        answer_challenge(hostile.challenged_session, bytes, lengths[i % 7]);
        assert_true(hostile_client_until(
            &hostile, &hostile.events[CLUSTER_EVENT_AUTHENTICATION_REJECTED], ++rejected, 10));
        /* It had its chance. */
        challenge_answer(secret, sizeof secret - 1, hostile.challenge, hostile.challenge_length,
                         old);
        answer_challenge(hostile.challenged_session, old, sizeof old);
    }
    await_challenge();
    answer_challenge(hostile.challenged_session, old, sizeof old);
    assert_true(hostile_client_until(
        &hostile, &hostile.events[CLUSTER_EVENT_AUTHENTICATION_REJECTED], ++rejected, 10));
    for (int i = 0; i < 20; i++)
        await_challenge(); /* and not a word */
    assert_int_equal(hostile.events[CLUSTER_EVENT_OK], 0);

    await_challenge();
    challenge_answer(secret, sizeof secret - 1, hostile.challenge, hostile.challenge_length,
                     answer);
    for (int i = 0; i < 3; i++)
        answer_challenge(hostile.challenged_session, answer, sizeof answer);
    assert_true(hostile_client_until(&hostile, &hostile.events[CLUSTER_EVENT_OK], 1, 10));
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
}

static void test_challenges(void **state)
{
    (void)state;
    skip_without_program();
    temp_dir_t dir;
    char path[sizeof dir.path + 16];
    temp_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/secrets", dir.path);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_true(dprintf(file, "admin = admin-secret-00000000\ntrader = trader-secret-0000000\n"
                              "hostile = hostile-secret-0000000\n") > 0);
    assert_int_equal(close(file), 0);
    rig.admin_secret = "admin-secret-00000000";
    rig.good_secret = "trader-secret-0000000";
    hostile_rig_start(&rig, "", path);
    hostile_client_init(&hostile, false);
    abuse_challenges();
    end();
    temp_dir_remove(&dir);
}

/* ---- Floods ---------------------------------------------------------------------------------- */

/* As many orders as go out in `seconds`, many in a message, while no more than `window` are
 * unanswered; returns how many. */
static uint64_t flood(double seconds, uint64_t window)
{
    static uint8_t bytes[8000];
    const int64_t until_ns = now_ns() + (int64_t)(seconds * 1e9);
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    oc_command_t *order = &request.u.command;
    order->type = OC_COMMAND_NEW;
    order->instrument.value = GOOD_PAIR_INSTRUMENT + 1;
    order->u.order.quantity_lots = 1;
    order->time_in_force = OC_TIF_IOC;
    uint64_t sent = 0;
    while (now_ns() < until_ns) {
        size_t length = 0;
        hostile_client_poll(&hostile);
        if (sent - hostile.accepted > window)
            continue;
        while (length + ORDER_ENTRY_BYTES_MAX < sizeof bytes) {
            sent++;
            order->sequence = sent;
            order->u.order.client_order_id.value = sent;
            order->u.order.price_ticks = 100 + (int64_t)(sent % 64);
            length += order_entry_encode(&request, bytes + length, sizeof bytes - length);
        }
        assert_true(hostile_client_payload(&hostile, bytes, length));
    }
    return sent;
}

static void test_flood(void **state)
{
    (void)state;
    begin("");
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
    const uint64_t sent = flood(2, 2000);
    print_message("flood: %" PRIu64 " orders, %" PRIu64 " taken\n", sent, hostile.accepted);
    assert_true(hostile.accepted > 10000);
    assert_int_equal(hostile.events[CLUSTER_EVENT_CLOSED], 0);
    hostile_rig_check(&rig);
    (void)flood(0.5, UINT64_MAX); /* all old numbers, and faster than anybody reads answers */
    end();
}

/* Trades and does not take the answers. */
static void test_never_polls(void **state)
{
    (void)state;
    skip_without_program();
    hostile_rig_start(&rig, "", NULL);
    hostile_client_init(&hostile, true);
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    hostile_client_logon(&hostile, HOSTILE_SOURCE);
    hostile.deaf = true;
    (void)flood(1, UINT64_MAX);
    hostile_rig_check(&rig);
    hostile.deaf = false;
    assert_true(hostile_client_until(&hostile, &hostile.events[CLUSTER_EVENT_CLOSED], 1, 10));
    assert_ptr_equal(strstr(hostile.detail, "SLOW"), hostile.detail);
    end();
}

/* ---- Datagrams ------------------------------------------------------------------------------- */

/* A frame as Aeron has them, of any type, with lengths that need not be true. */
static size_t forge_frame(uint8_t *bytes, size_t size)
{
    enum { PAD, DATA, NAK, STATUS, ERROR, SETUP, ROUND_TRIP, RESOLUTION, TYPES = 12 };
    const size_t length = 8 + prng_below(&seed, (uint32_t)size - 8);
    const uint32_t claimed = prng_below(&seed, 3) ? (uint32_t)length : (uint32_t)prng_next(&seed);
    const uint32_t stream = CLUSTER_INGRESS_STREAM;
    const uint32_t sizes[3] = {prng_below(&seed, 2) ? 65536u << prng_below(&seed, 15)
                                                    : (uint32_t)prng_next(&seed),
                               1408, 0}; /* term, MTU, TTL */
    fill_random(bytes, length);
    memcpy(bytes, &claimed, sizeof claimed);
    bytes[4] = 0; /* version */
    bytes[6] = (uint8_t)prng_below(&seed, TYPES);
    bytes[7] = 0;
    if (prng_below(&seed, 2))
        bytes[6] = SETUP;
    if (length >= 20)
        memcpy(bytes + 16, &stream, sizeof stream);
    if (length >= 40 && bytes[6] == SETUP) {
        memcpy(bytes + 24, bytes + 20, 4); /* the term begins with the first one */
        memset(bytes + 8, 0, 4);           /* at its beginning */
        memcpy(bytes + 28, sizes, sizeof sizes);
    }
    return length;
}

static int open_socket(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)strtoul(strrchr(rig.node.ingress, ':') + 1, NULL, 10));
    const int socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(socket_fd >= 0);
    assert_int_equal(connect(socket_fd, (const struct sockaddr *)&to, sizeof to), 0);
    return socket_fd;
}

static void test_datagrams(void **state)
{
    (void)state;
    static uint8_t bytes[NOISE_MAX];
    begin("");
    const int socket_fd = open_socket();
    for (int i = 0; i < 20000; i++) {
        size_t length = prng_below(&seed, i % 50 ? 1400 : 65507);
        if (i % 4 == 0)
            length = forge_frame(bytes, 128);
        else
            fill_random(bytes, length);
        (void)send(socket_fd, bytes, length, MSG_DONTWAIT);
        if (i % 500 == 0)
            hostile_rig_check(&rig);
    }
    assert_int_equal(close(socket_fd), 0);
    hostile_client_connect(&hostile, rig.node.ingress, "hostile");
    end();
}

/* Thousands of streams that begin at the same moment and never go on. */
static void test_forged_streams(void **state)
{
    (void)state;
    begin("");
    const int socket_fd = open_socket();
    for (uint32_t i = 0; i < FORGED_STREAMS; i++) {
        /* length, type, term offset, session, stream, first and present term, term length, MTU,
         * time to live */
        const uint32_t frame[10] = {
            40,   5u << 16, 0, i + 1, CLUSTER_INGRESS_STREAM, 7, 7, i % 2 ? 65536u : 1u << 30,
            1408, 0};
        (void)send(socket_fd, frame, sizeof frame, 0);
    }
    assert_int_equal(close(socket_fd), 0);
    for (int i = 0; i < 20; i++)
        hostile_rig_check(&rig);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_noise_on_ingress, setup, teardown),
        cmocka_unit_test_setup_teardown(test_noise_in_session, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_sessions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sequences, setup, teardown),
        cmocka_unit_test_setup_teardown(test_thousand_connects, setup, teardown),
        cmocka_unit_test_setup_teardown(test_response_channels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_many_sessions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_challenges, setup, teardown),
        cmocka_unit_test_setup_teardown(test_flood, setup, teardown),
        cmocka_unit_test_setup_teardown(test_never_polls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_datagrams, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forged_streams, setup, teardown),
    };
    if (argc == 4)
        return be_client(argv[1], argv[2], argv[3]);
    if (argc == 2)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
