/*
 * The gateway on real UDP: server and client are two Aeron instances in this process, the client's
 * side of the protocol is spoken by hand. The host is played by a sink that applies everything at
 * once and echoes messages.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/challenge.h"
#include "aeron/embedded.h"
#include "codec/cluster_codec.h"
#include "gateway/gateway.h"
#include "lib/temp_file.h"
#include "outcry/service.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* It keeps freed memory, which looks like a leak. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#endif

enum { RECEIVED_MAX = 70000, TERM = 3, STEP_TIMEOUT_S = 20 };

typedef struct server {
    embedded_t *embedded;
    gateway_t *gateway;
    uint64_t position;
    uint64_t next_session;
    uint32_t open;
    uint32_t closed;
    bool full; /* the journal has no room */
} server_t;

typedef struct client {
    embedded_t *embedded;
    aeron_subscription_t *subscription;
    aeron_exclusive_publication_t *publication;
    aeron_fragment_assembler_t *assembler;
    char response[128];
    uint32_t received;
    cluster_message_t last; /* texts point into bytes */
    uint8_t bytes[RECEIVED_MAX];
    int64_t session;
    int64_t correlation;
} client_t;

typedef struct world {
    server_t server;
    client_t client;
} world_t;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool on_open(void *context, oc_session_id_t session, const gateway_open_t *open)
{
    server_t *server = context;
    server->open++;
    assert_true(gateway_session_opened(server->gateway, session, open, ++server->position));
    return true;
}

static bool on_message(void *context, oc_session_id_t session, const void *bytes, size_t length)
{
    server_t *server = context;
    if (server->full)
        return false;
    server->position++;
    gateway_send(server->gateway, session, bytes, length, server->position, 42);
    return true;
}

static bool on_close(void *context, oc_session_id_t session, oc_close_reason_t reason)
{
    server_t *server = context;
    server->closed++;
    gateway_session_closed(server->gateway, session, reason, ++server->position);
    return true;
}

static oc_session_id_t reserve(void *context)
{
    server_t *server = context;
    return (oc_session_id_t){.value = ++server->next_session};
}

static void start_server(server_t *server, const gateway_config_t *config)
{
    embedded_config_t embedded;
    embedded_config_init(&embedded);
    memset(server, 0, sizeof *server);
    assert_int_equal(embedded_create(&server->embedded, &embedded), OC_ERR_OK);
    const gateway_sink_t sink = {.context = server,
                                 .open = on_open,
                                 .message = on_message,
                                 .close = on_close,
                                 .reserve_session = reserve};
    assert_int_equal(gateway_create(&server->gateway, config, server->embedded, &sink), OC_ERR_OK);
    gateway_set_term(server->gateway, TERM);
}

static void stop_server(server_t *server)
{
    gateway_destroy(server->gateway);
    embedded_destroy(server->embedded);
}

static void on_received(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    client_t *client = context;
    (void)header;
    assert_true(length <= sizeof client->bytes);
    memcpy(client->bytes, bytes, length);
    assert_int_equal(cluster_decode(client->bytes, length, &client->last), OC_PROBLEM_NONE);
    client->received++;
}

static void step(world_t *world)
{
    embedded_do_work(world->server.embedded);
    gateway_do_work(world->server.gateway, now_ns(), world->server.position, false);
    embedded_do_work(world->client.embedded);
    if (world->client.subscription != NULL)
        aeron_subscription_poll(world->client.subscription, aeron_fragment_assembler_handler,
                                world->client.assembler, 10);
}

#define STEP_UNTIL(world, condition)                                                               \
    do {                                                                                           \
        const int64_t deadline = now_ns() + (int64_t)STEP_TIMEOUT_S * 1000000000;                  \
        while (!(condition)) {                                                                     \
            step(world);                                                                           \
            assert_true(now_ns() < deadline);                                                      \
        }                                                                                          \
    } while (0)

/* A client's own way back: a free port. */
static void listen_client(world_t *world)
{
    client_t *client = &world->client;
    aeron_async_add_subscription_t *async = NULL;
    assert_int_equal(aeron_async_add_subscription(&async, embedded_aeron(client->embedded),
                                                  "aeron:udp?endpoint=127.0.0.1:0",
                                                  CLUSTER_EGRESS_STREAM, NULL, NULL, NULL, NULL),
                     0);
    aeron_subscription_t *subscription = NULL;
    STEP_UNTIL(world, aeron_async_add_subscription_poll(&subscription, async) != 0);
    assert_non_null(subscription);
    char text[AERON_CLIENT_MAX_LOCAL_ADDRESS_STR_LEN];
    aeron_iovec_t address = {.iov_base = (uint8_t *)text, .iov_len = sizeof text};
    STEP_UNTIL(world, aeron_subscription_local_sockaddrs(subscription, &address, 1) > 0);
    snprintf(client->response, sizeof client->response, "aeron:udp?endpoint=%s", text);
    client->subscription = subscription;
}

/* A stream to the gateway. */
static aeron_exclusive_publication_t *add_stream(world_t *world)
{
    client_t *client = &world->client;
    aeron_exclusive_publication_t *publication = NULL;
    aeron_async_add_exclusive_publication_t *async = NULL;
    char channel[256];
    snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s|term-length=1m",
             gateway_ingress(world->server.gateway));
    assert_int_equal(aeron_async_add_exclusive_publication(&async, embedded_aeron(client->embedded),
                                                           channel, CLUSTER_INGRESS_STREAM),
                     0);
    STEP_UNTIL(world, aeron_async_add_exclusive_publication_poll(&publication, async) != 0);
    assert_non_null(publication);
    STEP_UNTIL(world, aeron_exclusive_publication_is_connected(publication));
    return publication;
}

static void publish_client(world_t *world)
{
    world->client.publication = add_stream(world);
}

static void start_client(world_t *world)
{
    client_t *client = &world->client;
    embedded_config_t embedded;
    embedded_config_init(&embedded);
    memset(client, 0, sizeof *client);
    assert_int_equal(embedded_create(&client->embedded, &embedded), OC_ERR_OK);
    assert_int_equal(aeron_fragment_assembler_create(&client->assembler, on_received, client), 0);
}

static void drop_ways(client_t *client)
{
    aeron_exclusive_publication_close(client->publication, NULL, NULL);
    aeron_subscription_close(client->subscription, NULL, NULL);
    client->publication = NULL;
    client->subscription = NULL;
}

static void stop_client(client_t *client)
{
    if (client->publication != NULL)
        drop_ways(client);
    aeron_fragment_assembler_delete(client->assembler);
    embedded_destroy(client->embedded);
}

static void say(world_t *world, const cluster_message_t *message)
{
    static uint8_t bytes[RECEIVED_MAX];
    const size_t length = cluster_encode(message, bytes, sizeof bytes);
    assert_true(length > 0);
    STEP_UNTIL(world, aeron_exclusive_publication_offer(world->client.publication, bytes, length,
                                                        NULL, NULL) > 0);
}

static void ask_to_connect(world_t *world, const char *credentials)
{
    client_t *client = &world->client;
    say(world,
        &(cluster_message_t){
            .type = CLUSTER_CONNECT_REQUEST,
            .correlation_id = ++client->correlation,
            .version = CLUSTER_PROTOCOL_VERSION,
            .response_stream = CLUSTER_EGRESS_STREAM,
            .text = {.bytes = client->response, .length = (uint32_t)strlen(client->response)},
            .data = {.bytes = credentials, .length = (uint32_t)strlen(credentials)},
        });
}

static void await(world_t *world)
{
    const uint32_t before = world->client.received;
    STEP_UNTIL(world, world->client.received > before);
}

static void expect_open(world_t *world)
{
    client_t *client = &world->client;
    assert_int_equal(client->last.type, CLUSTER_SESSION_EVENT);
    assert_int_equal(client->last.code, CLUSTER_EVENT_OK);
    assert_int_equal(client->last.correlation_id, client->correlation);
    assert_int_equal(client->last.term, TERM);
    assert_int_equal(client->last.leader, 0);
    client->session = client->last.session;
}

static void connect_client(world_t *world)
{
    listen_client(world);
    publish_client(world);
    ask_to_connect(world, "trader");
    await(world);
    expect_open(world);
}

static void say_message(world_t *world, const void *bytes, size_t length)
{
    say(world, &(cluster_message_t){
                   .type = CLUSTER_SESSION_MESSAGE,
                   .session = world->client.session,
                   .term = TERM,
                   .data = {.bytes = bytes, .length = (uint32_t)length},
               });
}

static void close_session(world_t *world)
{
    say(world, &(cluster_message_t){
                   .type = CLUSTER_CLOSE_REQUEST, .session = world->client.session, .term = TERM});
    await(world);
    assert_int_equal(world->client.last.type, CLUSTER_SESSION_EVENT);
    assert_int_equal(world->client.last.code, CLUSTER_EVENT_CLOSED);
}

static void free_port(gateway_config_t *config)
{
    gateway_config_init(config);
    config->ingress = "127.0.0.1:0";
}

static void talks_over_udp(void **state)
{
    (void)state;
    static world_t world;
    gateway_config_t config;
    free_port(&config);
    start_server(&world.server, &config);
    start_client(&world);
    connect_client(&world);

    say_message(&world, "hello", 5);
    await(&world);
    assert_int_equal(world.client.last.type, CLUSTER_SESSION_MESSAGE);
    assert_int_equal(world.client.last.timestamp, 42);
    assert_memory_equal(world.client.last.data.bytes, "hello", 5);

    /* In many fragments, there and back. */
    static uint8_t large[60000];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i * 7 + i / 256);
    say_message(&world, large, sizeof large);
    await(&world);
    assert_int_equal(world.client.last.data.length, sizeof large);
    assert_memory_equal(world.client.last.data.bytes, large, sizeof large);

    close_session(&world);
    assert_int_equal(world.server.closed, 1);
    stop_client(&world.client);
    stop_server(&world.server);
}

/* A message that the journal has no room for comes again, also one in fragments. */
static void waits_for_room(void **state)
{
    (void)state;
    static world_t world;
    gateway_config_t config;
    free_port(&config);
    start_server(&world.server, &config);
    start_client(&world);
    connect_client(&world);
    static uint8_t large[20000];
    memset(large, 0x5a, sizeof large);
    world.server.full = true;
    say_message(&world, large, sizeof large);
    say_message(&world, "second", 6);
    for (int i = 0; i < 2000; i++)
        step(&world);
    assert_int_equal(gateway_counters(world.server.gateway)->messages, 0);
    world.server.full = false;
    const uint32_t before = world.client.received;
    STEP_UNTIL(&world, world.client.received >= before + 2);
    assert_memory_equal(world.client.last.data.bytes, "second", 6);
    assert_int_equal(gateway_counters(world.server.gateway)->messages, 2);
    stop_client(&world.client);
    stop_server(&world.server);
}

static void proves_a_secret(void **state)
{
    (void)state;
    static const char secret[] = "correct horse battery";
    static world_t world;
    temp_file_t file;
    char line[128];
    temp_file_make(&file);
    snprintf(line, sizeof line, "trader = %s\n", secret);
    temp_file_write(&file, line, strlen(line));
    assert_int_equal(chmod(file.path, 0600), 0);
    authenticator_t *authenticator = NULL;
    assert_int_equal(authenticator_secrets_create(&authenticator, file.path), OC_ERR_OK);
    temp_file_remove(&file);

    gateway_config_t config;
    free_port(&config);
    config.authenticator = authenticator;
    start_server(&world.server, &config);
    start_client(&world);
    client_t *client = &world.client;
    listen_client(&world);
    publish_client(&world);
    ask_to_connect(&world, "trader");
    await(&world);
    assert_int_equal(client->last.type, CLUSTER_CHALLENGE);
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    challenge_answer(secret, sizeof secret - 1, client->last.data.bytes, client->last.data.length,
                     answer);
    say(&world, &(cluster_message_t){
                    .type = CLUSTER_CHALLENGE_RESPONSE,
                    .correlation_id = ++client->correlation,
                    .session = client->last.session,
                    .data = {.bytes = (const char *)answer, .length = sizeof answer},
                });
    await(&world);
    expect_open(&world);
    stop_client(client);
    stop_server(&world.server);
    authenticator_secrets_destroy(authenticator);
}

static uint32_t open_files(void)
{
    uint32_t count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* Resident and shared pages of this process. */
static uint64_t pages(void)
{
    unsigned long long size = 0;
    unsigned long long resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu %llu", &size, &resident), 2);
    fclose(file);
    return resident;
}

static uint32_t logs_in(const char *dir)
{
    uint32_t count = 0;
    char path[512];
    static const char *const folders[] = {"publications", "images"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, folders[i]);
        DIR *files = opendir(path);
        if (files == NULL)
            continue;
        for (const struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files))
            count += entry->d_name[0] != '.';
        closedir(files);
    }
    return count;
}

/* Each connects, says something, closes, and is gone: nothing may add up. */
static void a_thousand_in_a_row(void **state)
{
    (void)state;
    enum { ROUNDS = 1000, WARM = 200 };
    static world_t world;
    gateway_config_t config;
    free_port(&config);
    start_server(&world.server, &config);
    start_client(&world);
    const uint32_t files = open_files();
    uint32_t files_most = 0;
    uint64_t resident_warm = 0;
    uint64_t resident_most = 0;
    uint32_t logs_most = 0;
    const int64_t began = now_ns();
    for (uint32_t round = 0; round < ROUNDS; round++) {
        connect_client(&world);
        say_message(&world, &round, sizeof round);
        await(&world);
        assert_memory_equal(world.client.last.data.bytes, &round, sizeof round);
        close_session(&world);
        drop_ways(&world.client);
        const uint32_t files_now = open_files();
        const uint64_t resident_now = pages();
        const uint32_t logs_now = logs_in(embedded_dir(world.server.embedded));
        if (round < WARM && resident_now > resident_warm)
            resident_warm = resident_now;
        files_most = files_now > files_most ? files_now : files_most;
        resident_most = resident_now > resident_most ? resident_now : resident_most;
        logs_most = logs_now > logs_most ? logs_now : logs_most;
    }
    const double took_s = (double)(now_ns() - began) / 1e9;
    /* What the driver keeps for a while, the more the faster this machine is, it gives back. */
    STEP_UNTIL(&world, logs_in(embedded_dir(world.server.embedded)) == 0);
    const uint32_t files_end = open_files();
    const uint64_t resident_end = pages();
    print_message("1000 connects: %.1f s, files %u, at most %u, in the end %u; resident pages %llu "
                  "in the beginning, at most %llu, in the end %llu; logs in the driver's directory "
                  "at most %u\n",
                  took_s, files, files_most, files_end, (unsigned long long)resident_warm,
                  (unsigned long long)resident_most, (unsigned long long)resident_end, logs_most);
    assert_true(files_end <= files + 8);
#ifndef ADDRESS_SANITIZER
    assert_true(resident_end <= resident_warm + resident_warm / 4);
#endif
    assert_int_equal(world.server.open, ROUNDS);
    assert_int_equal(world.server.closed, ROUNDS);
    assert_int_equal(gateway_backlog(world.server.gateway), 0);
    stop_client(&world.client);
    stop_server(&world.server);
}

/* After a restart the client is told the new term and goes on with the old session. */
static void finds_its_client_again(void **state)
{
    (void)state;
    static world_t world;
    gateway_config_t config;
    free_port(&config);
    start_server(&world.server, &config);
    start_client(&world);
    client_t *client = &world.client;
    listen_client(&world);
    gateway_open_t open = {.correlation_id = 7, .response_stream = CLUSTER_EGRESS_STREAM};
    snprintf(open.response_channel, sizeof open.response_channel, "%s", client->response);
    open.channel_length = (uint32_t)strlen(open.response_channel);
    const oc_session_id_t session = {.value = 99};
    assert_true(gateway_session_restored(world.server.gateway, session, &open));
    await(&world);
    assert_int_equal(client->last.type, CLUSTER_NEW_LEADER);
    assert_int_equal(client->last.session, 99);
    assert_int_equal(client->last.term, TERM);
    char endpoints[128];
    snprintf(endpoints, sizeof endpoints, "0=%s", gateway_ingress(world.server.gateway));
    assert_int_equal(client->last.text.length, strlen(endpoints));
    assert_memory_equal(client->last.text.bytes, endpoints, strlen(endpoints));
    client->session = 99;
    publish_client(&world);
    say_message(&world, "back", 4);
    await(&world);
    assert_memory_equal(client->last.data.bytes, "back", 4);
    stop_client(client);
    stop_server(&world.server);
}

/* One sender pours in 60 KB messages of noise as fast as they go, another one trades. */
static void trades_beside_a_flood(void **state)
{
    (void)state;
    enum { ECHOES = 200 };
    static world_t world;
    static uint8_t noise[60000];
    gateway_config_t config;
    free_port(&config);
    start_server(&world.server, &config);
    start_client(&world);
    connect_client(&world);
    aeron_exclusive_publication_t *flood = add_stream(&world);
    memset(noise, 0xee, sizeof noise);
    const int64_t began = now_ns();
    for (uint32_t echo = 0; echo < ECHOES; echo++) {
        const uint32_t before = world.client.received;
        say_message(&world, &echo, sizeof echo);
        while (world.client.received == before) {
            aeron_exclusive_publication_offer(flood, noise, sizeof noise, NULL, NULL);
            step(&world);
            assert_true(now_ns() - began < (int64_t)STEP_TIMEOUT_S * 1000000000);
        }
        assert_memory_equal(world.client.last.data.bytes, &echo, sizeof echo);
    }
    const gateway_counters_t *counters = gateway_counters(world.server.gateway);
    print_message("%d echoes beside %llu messages of noise: %.2f s\n", ECHOES,
                  (unsigned long long)counters->dropped_malformed,
                  (double)(now_ns() - began) / 1e9);
    assert_true(counters->dropped_malformed > ECHOES);
    assert_int_equal(counters->messages, ECHOES);
    stop_client(&world.client);
    stop_server(&world.server);
}

static void refuses_an_address_in_use(void **state)
{
    (void)state;
    static world_t world;
    gateway_config_t config;
    free_port(&config);
    start_server(&world.server, &config);
    start_client(&world);
    config.ingress = gateway_ingress(world.server.gateway);
    gateway_t *second = NULL;
    const gateway_sink_t sink = {0};
    assert_int_equal(gateway_create(&second, &config, world.client.embedded, &sink),
                     OC_ERR_TRANSPORT);
    assert_null(second);
    assert_non_null(strstr(oc_err_context(), config.ingress));
    stop_client(&world.client);
    stop_server(&world.server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(talks_over_udp),        cmocka_unit_test(waits_for_room),
        cmocka_unit_test(proves_a_secret),       cmocka_unit_test(finds_its_client_again),
        cmocka_unit_test(trades_beside_a_flood), cmocka_unit_test(refuses_an_address_in_use),
        cmocka_unit_test(a_thousand_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
