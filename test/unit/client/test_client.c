/*
 * The public functions: arguments, what they do in each state, and that failing leaves nothing.
 * That they do what they say against a venue is tested in test/integration/test_client_node.c.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "lib/node_fixture.h"
#include "outcry/client.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static node_fixture_t venue;
static atomic_bool stopping;

static void on_response(void *context, const oc_response_t *response)
{
    (void)response;
    ++*(uint32_t *)context;
}

static uint32_t responses;

static oc_client_config_t config_for(const char *ingress)
{
    oc_client_config_t config;
    oc_client_config_init(&config);
    config.ingress = ingress;
    return config;
}

static void *run_venue(void *argument)
{
    (void)argument;
    while (!atomic_load(&stopping))
        node_fixture_step(&venue);
    return NULL;
}

static void test_arguments(void **state)
{
    (void)state;
    oc_client_t *client = (oc_client_t *)&responses;
    oc_client_config_t config = config_for(NULL);
    assert_int_equal(oc_client_connect(&client, &config, on_response, &responses),
                     OC_ERR_INVALID_ARGUMENT);
    assert_null(client);
    assert_non_null(strstr(oc_err_context(), "HOST:PORT"));
    config.ingress = "127.0.0.1:9";
    assert_int_equal(oc_client_connect(&client, &config, NULL, &responses),
                     OC_ERR_INVALID_ARGUMENT);
    config.aeron_dir = "no/such/directory";
    assert_int_equal(oc_client_connect(&client, &config, on_response, &responses),
                     OC_ERR_TRANSPORT);
    assert_null(client);
    oc_client_close(NULL);
}

static void test_nobody(void **state)
{
    (void)state;
    oc_client_t *client;
    oc_client_config_t config = config_for("127.0.0.1:9");
    config.connect_timeout_ns = 300000000;
    const uint64_t start = clock_wall_ns();
    assert_int_equal(oc_client_connect(&client, &config, on_response, &responses), OC_ERR_TIMEOUT);
    assert_true(clock_wall_ns() - start < UINT64_C(60000000000));
    assert_null(client);
    assert_non_null(strstr(oc_err_context(), "300 ms"));
}

/* Without a source: a session, no commands. The venue's service is not an exchange. */
static void session_without_source(bool threaded)
{
    char ingress[128];
    pthread_t thread;
    oc_client_t *client;
    node_fixture_init(&venue);
    assert_int_equal(node_fixture_start(&venue), OC_ERR_OK);
    (void)snprintf(ingress, sizeof ingress, "%s", node_ingress(venue.node));
    atomic_store(&stopping, false);
    assert_int_equal(pthread_create(&thread, NULL, run_venue, NULL), 0);

    oc_client_config_t config = config_for(ingress);
    config.embedded_thread = threaded;
    config.keepalive_interval_ns = 50000000;
    assert_int_equal(oc_client_connect(&client, &config, on_response, &responses), OC_ERR_OK);
    assert_int_equal(oc_client_state(client), OC_CLIENT_READY);
    assert_string_equal(oc_client_reason(client), "");
    assert_null(oc_client_claim(client));
    const oc_command_t command = {.type = OC_COMMAND_NEW};
    assert_int_equal(oc_client_send(client, &command, NULL), OC_ERR_INVALID_ARGUMENT);
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    assert_int_equal(oc_client_request(client, &request), OC_ERR_INVALID_ARGUMENT);
    assert_int_equal(oc_client_flush(client), OC_ERR_OK);
    for (const uint64_t end = clock_wall_ns() + 300000000; clock_wall_ns() < end;)
        (void)oc_client_poll(client, 16);
    assert_int_equal(oc_client_state(client), OC_CLIENT_READY);
    assert_int_equal(oc_client_oldest_unanswered(client), 0);
    oc_client_counts_t counts;
    oc_client_counts(client, &counts);
    assert_int_equal(counts.sent + counts.answered + counts.outputs + counts.reconnects, 0);
    oc_client_close(client);

    atomic_store(&stopping, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(node_fixture_stop(&venue), OC_ERR_OK);
    node_fixture_fini(&venue);
}

static void test_session(void **state)
{
    (void)state;
    session_without_source(false);
}

static void test_session_with_thread(void **state)
{
    (void)state;
    session_without_source(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_session),
        cmocka_unit_test(test_session_with_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
