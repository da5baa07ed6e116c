/*
 * A node that is told to send everybody elsewhere, and a client of the library that is sent: it
 * trades with the other node, which is seen by the first one's being gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "lib/node_child.h"
#include "outcry/client.h"

#include <stdio.h>

#define SECOND INT64_C(1000000000)

#ifndef OUTCRY_PROGRAM
#define OUTCRY_PROGRAM ""
#endif

static void on_response(void *context, const oc_response_t *response)
{
    uint32_t *confirmed = context;
    if (response->type == OC_RESPONSE_OUTPUT && response->u.output.event.type == OC_EVENT_CONFIRMED)
        ++*confirmed;
}

static void the_client_follows(void **state)
{
    (void)state;
    static node_child_t first;
    static node_child_t second;
    char redirect[160];
    uint32_t confirmed = 0;
    oc_client_t *client;
    oc_client_config_t config;
    if (OUTCRY_PROGRAM[0] == '\0')
        skip();
    node_child_start(&second, "");
    (void)snprintf(redirect, sizeof redirect, "redirect = %s\n", second.ingress);
    node_child_start(&first, redirect);
    oc_client_config_init(&config);
    config.ingress = first.ingress;
    config.source.value = 1;
    config.principal = "admin";
    config.connect_timeout_ns = 20 * SECOND;
    assert_int_equal(oc_client_connect(&client, &config, on_response, &confirmed), OC_ERR_OK);
    node_child_kill(&first);

    oc_command_t add = {.type = OC_COMMAND_SOURCE_ADD};
    add.u.source.id.value = 7;
    add.u.source.roles = OC_ROLE_TRADE;
    assert_int_equal(oc_client_send(client, &add, NULL), OC_ERR_OK);
    const int64_t end_ns = (int64_t)clock_wall_ns() + 20 * SECOND;
    while (confirmed == 0 && (int64_t)clock_wall_ns() < end_ns)
        (void)oc_client_poll(client, 64);
    assert_int_equal(confirmed, 1);
    oc_client_close(client);
    node_child_end(&first);
    node_child_end(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_follows),
    };
    return cmocka_run_group_tests_name("node redirect", tests, NULL, NULL);
}
