/*
 * The member's client against a gateway of the same process, over UDP on loopback and attached to
 * the gateway's driver, as in a member: what is said arrives, newest first things last, and nothing
 * that the venue does makes it give up.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/error.h"
#include "cluster/member_client.h"
#include "cluster/member_key.h"
#include "gateway/gateway.h"
#include "host/replica.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

enum { HEARD_MAX = 64, CONFIGURATION_BYTES = 4096 };

/* A message as it arrived, and whose it was. */
typedef struct heard {
    size_t length;
    uint8_t bytes[MEMBER_MESSAGE_BYTES_MAX];
} heard_t;

typedef struct rig {
    embedded_t *embedded;
    gateway_t *gateway; /* NULL while there is none */
    gateway_config_t config;
    char ingress[64];
    uint64_t session; /* last one given out; the open one, if any */
    bool is_open;
    uint32_t opened;
    uint32_t closed;
    oc_principal_t principal;
    heard_t heard[HEARD_MAX];
    uint32_t count;
} rig_t;

static rig_t rig;

/* ---- The venue ---- */

static bool sink_open(void *context, oc_session_id_t session, const gateway_open_t *open)
{
    rig_t *self = context;
    self->principal = open->principal;
    self->opened++;
    self->is_open = true;
    return gateway_session_opened(self->gateway, session, open, 1);
}

static bool sink_message(void *context, oc_session_id_t session, const void *bytes, size_t length)
{
    rig_t *self = context;
    assert_int_equal(session.value, self->session);
    assert_true(length <= MEMBER_MESSAGE_BYTES_MAX);
    assert_true(self->count < HEARD_MAX);
    heard_t *heard = &self->heard[self->count++];
    heard->length = length;
    memcpy(heard->bytes, bytes, length);
    return true;
}

static bool sink_close(void *context, oc_session_id_t session, oc_close_reason_t reason)
{
    rig_t *self = context;
    self->closed++;
    self->is_open = false;
    gateway_session_closed(self->gateway, session, reason, 1);
    return true;
}

static oc_session_id_t sink_reserve(void *context)
{
    rig_t *self = context;
    return (oc_session_id_t){++self->session};
}

static void listen_at(const char *ingress)
{
    const gateway_sink_t sink = {.context = &rig,
                                 .open = sink_open,
                                 .message = sink_message,
                                 .close = sink_close,
                                 .reserve_session = sink_reserve};
    rig.config.ingress = ingress;
    const oc_err_t err = gateway_create(&rig.gateway, &rig.config, rig.embedded, &sink);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    gateway_set_term(rig.gateway, 1);
    (void)snprintf(rig.ingress, sizeof rig.ingress, "%s", gateway_ingress(rig.gateway));
}

static void setup_with(uint32_t mtu)
{
    embedded_config_t config;
    memset(&rig, 0, sizeof rig);
    embedded_config_init(&config);
    config.mtu_bytes = mtu;
    gateway_config_init(&rig.config);
    rig.config.max_sessions = 4;
    rig.config.max_connecting = 4;
    assert_int_equal(embedded_create(&rig.embedded, &config), OC_ERR_OK);
    listen_at("127.0.0.1:0");
}

static int setup(void **state)
{
    (void)state;
    setup_with(8192);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gateway_destroy(rig.gateway);
    embedded_destroy(rig.embedded);
    return 0;
}

static void step(void)
{
    int work = embedded_do_work(rig.embedded);
    if (rig.gateway != NULL)
        work += gateway_do_work(rig.gateway, (int64_t)clock_wall_ns(), UINT64_MAX, false);
    if (work == 0)
        (void)usleep(200);
}

#define STEP_UNTIL(condition)                                                                      \
    do {                                                                                           \
        const int64_t deadline = (int64_t)clock_wall_ns() + 20 * SECOND;                           \
        while (!(condition)) {                                                                     \
            step();                                                                                \
            if ((int64_t)clock_wall_ns() > deadline)                                               \
                fail_msg("never: %s", #condition);                                                 \
        }                                                                                          \
    } while (0)

static void step_for(int64_t nanoseconds)
{
    for (const int64_t until = (int64_t)clock_wall_ns() + nanoseconds;
         (int64_t)clock_wall_ns() < until;)
        step();
}

/* ---- The client ---- */

static member_client_t *create(const char *secret)
{
    char endpoints[80];
    (void)snprintf(endpoints, sizeof endpoints, "0=%s", rig.ingress);
    const member_client_config_t config = {.endpoints = endpoints,
                                           .aeron_dir = embedded_dir(rig.embedded),
                                           .secret = secret,
                                           .secret_length = secret ? strlen(secret) : 0};
    member_client_t *client = NULL;
    assert_int_equal(member_client_create(&client, &config), OC_ERR_OK);
    return client;
}

static void say_check(member_client_t *client, uint64_t position)
{
    member_client_say(client, &(member_message_t){.type = MEMBER_CHECK,
                                                  .member = 2,
                                                  .position = position,
                                                  .state_hash = position * 3,
                                                  .output_hash = position * 5});
}

static member_message_t heard_at(uint32_t at)
{
    member_message_t message;
    assert_true(at < rig.count);
    assert_int_equal(member_message_decode(rig.heard[at].bytes, rig.heard[at].length, &message),
                     OC_PROBLEM_NONE);
    return message;
}

static bool is_genuine(uint64_t session, uint32_t at)
{
    return member_key_is_genuine(&rig.principal, (int64_t)session, rig.heard[at].bytes,
                                 rig.heard[at].length);
}

static void test_what_is_said_arrives(void **state)
{
    (void)state;
    member_client_t *client = create(NULL);
    STEP_UNTIL(member_client_connected(client));
    assert_string_equal(rig.principal.name, REPLICA_HOST_PRINCIPAL);
    say_check(client, 100);
    STEP_UNTIL(rig.count == 1);
    const member_message_t check = heard_at(0);
    assert_int_equal(check.type, MEMBER_CHECK);
    assert_int_equal(check.member, 2);
    assert_int_equal(check.position, 100);
    assert_int_equal(check.state_hash, 300);
    assert_int_equal(check.output_hash, 500);
    member_client_say(client, &(member_message_t){.type = MEMBER_NOTICE, .member = 2, .notice = 1});
    STEP_UNTIL(rig.count == 2);
    assert_int_equal(heard_at(1).type, MEMBER_NOTICE);
    assert_int_equal(heard_at(1).notice, 1);
    STEP_UNTIL(member_client_sent(client) == 2);
    member_client_destroy(client);
    STEP_UNTIL(rig.closed == 1); /* it says good-bye */
}

static void assert_long_configuration(uint32_t mtu)
{
    static uint8_t bytes[CONFIGURATION_BYTES];
    setup_with(mtu);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    member_client_t *client = create(NULL);
    member_client_say(client, &(member_message_t){.type = MEMBER_CONFIGURATION,
                                                  .member = 1,
                                                  .max_timers = 9,
                                                  .length = sizeof bytes,
                                                  .bytes = bytes});
    STEP_UNTIL(rig.count == 1);
    const member_message_t message = heard_at(0);
    assert_int_equal(message.type, MEMBER_CONFIGURATION);
    assert_int_equal(message.max_timers, 9);
    assert_int_equal(message.length, sizeof bytes);
    assert_memory_equal(message.bytes, bytes, sizeof bytes);
    member_client_destroy(client);
    (void)teardown(NULL);
}

static void test_a_long_configuration_arrives_whole(void **state)
{
    (void)state;
    assert_long_configuration(8192);
    assert_long_configuration(1408); /* in pieces */
}

/* Nobody is there yet: of each type the newest waits. */
static void test_the_newest_of_each_type_waits(void **state)
{
    (void)state;
    gateway_destroy(rig.gateway);
    rig.gateway = NULL;
    member_client_t *client = create(NULL);
    for (uint64_t position = 1; position <= 50; position++)
        say_check(client, position);
    member_client_say(client, &(member_message_t){.type = MEMBER_NOTICE, .member = 2, .notice = 1});
    step_for(SECOND / 10);
    assert_false(member_client_connected(client));
    assert_int_equal(member_client_sent(client), 0);
    char ingress[sizeof rig.ingress];
    memcpy(ingress, rig.ingress, sizeof ingress);
    listen_at(ingress);
    STEP_UNTIL(rig.count == 2);
    assert_int_equal(heard_at(0).position, 50);
    assert_int_equal(heard_at(1).type, MEMBER_NOTICE);
    step_for(SECOND / 10);
    assert_int_equal(rig.count, 2);
    assert_int_equal(member_client_sent(client), 2);
    member_client_destroy(client);
}

static void test_a_session_that_is_closed_is_begun_anew(void **state)
{
    (void)state;
    member_client_t *client = create(NULL);
    for (uint64_t round = 1; round <= 3; round++) {
        STEP_UNTIL(member_client_connected(client));
        say_check(client, round);
        STEP_UNTIL(rig.count == round);
        assert_int_equal(rig.opened, round);
        gateway_session_closed(rig.gateway, (oc_session_id_t){rig.session}, OC_CLOSE_SERVICE, 1);
        STEP_UNTIL(!member_client_connected(client));
    }
    STEP_UNTIL(member_client_connected(client));
    member_client_destroy(client);
}

static void test_a_venue_that_restarts_is_found_again(void **state)
{
    (void)state;
    member_client_t *client = create(NULL);
    STEP_UNTIL(member_client_connected(client));
    gateway_destroy(rig.gateway);
    rig.gateway = NULL;
    STEP_UNTIL(!member_client_connected(client));
    say_check(client, 7);
    char ingress[sizeof rig.ingress];
    memcpy(ingress, rig.ingress, sizeof ingress);
    listen_at(ingress);
    STEP_UNTIL(rig.count == 1);
    assert_int_equal(heard_at(0).position, 7);
    member_client_destroy(client);
}

static void test_who_is_refused_tries_again(void **state)
{
    (void)state;
    temp_file_t file;
    authenticator_t *authenticator = NULL;
    static const char secrets[] = "@member = sixteen characters\n";
    temp_file_make(&file);
    temp_file_write(&file, secrets, sizeof secrets - 1);
    assert_int_equal(authenticator_secrets_create(&authenticator, file.path), OC_ERR_OK);
    gateway_destroy(rig.gateway);
    rig.config.authenticator = authenticator;
    listen_at("127.0.0.1:0");
    member_client_t *client = create("something that is wrong");
    STEP_UNTIL(gateway_counters(rig.gateway)->refused >= 2); /* over and over */
    assert_false(member_client_connected(client));
    member_client_destroy(client);
    client = create("sixteen characters");
    STEP_UNTIL(member_client_connected(client));
    say_check(client, 7);
    STEP_UNTIL(rig.count == 1);
    assert_int_equal(heard_at(0).position, 7);
    assert_true(authenticator_is_keyed(&rig.principal));
    assert_true(is_genuine(rig.session, 0));
    assert_false(is_genuine(rig.session + 1, 0));
    /* What was said in one session does not hold in the next. */
    const uint32_t opened = rig.opened;
    gateway_session_closed(rig.gateway, (oc_session_id_t){rig.session}, OC_CLOSE_SERVICE, 1);
    STEP_UNTIL(rig.opened > opened && member_client_connected(client));
    assert_false(is_genuine(rig.session, 0));
    say_check(client, 8);
    STEP_UNTIL(rig.count == 2);
    assert_true(is_genuine(rig.session, 1));
    member_client_destroy(client);
    gateway_destroy(rig.gateway);
    rig.gateway = NULL;
    authenticator_secrets_destroy(authenticator);
    temp_file_remove(&file);
}

/* Longer than the venue waits for a silent client. */
static void test_a_client_that_has_nothing_to_say_stays(void **state)
{
    (void)state;
    gateway_destroy(rig.gateway);
    rig.config.session_timeout_ns = 2 * SECOND;
    listen_at("127.0.0.1:0");
    member_client_t *client = create(NULL);
    STEP_UNTIL(member_client_connected(client));
    step_for(4 * SECOND);
    assert_true(member_client_connected(client));
    assert_int_equal(rig.opened, 1);
    assert_int_equal(rig.closed, 0);
    member_client_destroy(client);
}

static void test_it_ends_whatever_it_waits_for(void **state)
{
    (void)state;
    member_client_destroy(create(NULL)); /* its driver is not stepped meanwhile */
    member_client_t *client = create(NULL);
    STEP_UNTIL(rig.opened >= 1);
    member_client_destroy(client);
    gateway_destroy(rig.gateway);
    rig.gateway = NULL;
    client = create(NULL);
    step_for(SECOND / 2);
    member_client_destroy(client);
    member_client_destroy(NULL);
}

static void test_what_cannot_work_is_refused(void **state)
{
    (void)state;
    const member_client_config_t good = {.endpoints = "0=127.0.0.1:9010", .aeron_dir = "x"};
    member_client_t *client = NULL;
    for (int wrong = 0; wrong < 5; wrong++) {
        member_client_config_t config = good;
        config.endpoints = wrong == 0 ? NULL : wrong == 1 ? "0=localhost" : good.endpoints;
        config.aeron_dir = wrong == 2 ? NULL : wrong == 3 ? "" : good.aeron_dir;
        config.secret = wrong == 4 ? "short" : NULL;
        config.secret_length = wrong == 4 ? 5 : 0;
        assert_int_equal(member_client_create(&client, &config), OC_ERR_INVALID_ARGUMENT);
        assert_null(client);
    }
}

#define RIG_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_TEST(test_what_is_said_arrives),
        cmocka_unit_test(test_a_long_configuration_arrives_whole),
        RIG_TEST(test_the_newest_of_each_type_waits),
        RIG_TEST(test_a_session_that_is_closed_is_begun_anew),
        RIG_TEST(test_a_venue_that_restarts_is_found_again),
        RIG_TEST(test_who_is_refused_tries_again),
        RIG_TEST(test_a_client_that_has_nothing_to_say_stays),
        RIG_TEST(test_it_ends_whatever_it_waits_for),
        cmocka_unit_test(test_what_cannot_work_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
