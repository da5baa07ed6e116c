/*
 * The example service examples/counter.c under the host in memory: what it answers, its timer, and
 * that log and captured state give the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define main counter_main /* the program's own, which runs a node */
int counter_main(int argc, char **argv);
#include "../../examples/counter.c"
#undef main

#include "lib/service_host.h"

static int64_t add(service_host_t *host, oc_session_id_t session, int64_t number)
{
    size_t length = 0;
    int64_t total = 0;
    service_host_message(host, session, &number, sizeof number);
    const uint8_t *bytes = service_host_take(host, session, &length);
    assert_non_null(bytes);
    assert_int_equal(length, sizeof total);
    memcpy(&total, bytes, sizeof total);
    return total;
}

static void test_it_counts(void **state)
{
    (void)state;
    counter_t counter = {.total = 0};
    const oc_service_t service = counter_service(&counter);
    service_host_t *host = service_host_create(&service);
    const oc_session_id_t a = service_host_open(host, "a");
    const oc_session_id_t b = service_host_open(host, "b");
    assert_int_equal(add(host, a, 5), 5);
    assert_int_equal(add(host, b, -7), -2);
    assert_int_equal(add(host, a, INT64_MIN), INT64_MAX - 1);
    service_host_message(host, a, "1234567", 7);
    service_host_message(host, a, "", 0);
    size_t length;
    assert_null(service_host_take(host, a, &length));
    service_host_close(host, a, OC_CLOSE_CLIENT);
    assert_int_equal(add(host, b, 3), INT64_MIN + 1);
    service_host_destroy(host);
}

static void test_a_minute_later_it_starts_again(void **state)
{
    (void)state;
    counter_t counter = {.total = 0};
    const oc_service_t service = counter_service(&counter);
    service_host_t *host = service_host_create(&service);
    const oc_session_id_t session = service_host_open(host, "a");
    add(host, session, 5);
    service_host_advance(host, IDLE_NS - 1);
    assert_int_equal(add(host, session, 1), 6);
    service_host_advance(host, IDLE_NS - 1);
    assert_int_equal(service_host_timers(host), 1);
    service_host_advance(host, 1);
    assert_int_equal(service_host_timers(host), 0);
    assert_int_equal(add(host, session, 1), 1);
    service_host_destroy(host);
}

/* Continues by log or by captured state; timers go on too. */
static void test_it_is_the_same_after_a_restart(void **state)
{
    (void)state;
    counter_t counters[3] = {{.total = 0}, {.total = 0}, {.total = 0}};
    oc_service_t services[3];
    service_host_t *hosts[3];
    for (size_t i = 0; i < 3; i++)
        services[i] = counter_service(&counters[i]);
    hosts[0] = service_host_create(&services[0]);
    const oc_session_id_t session = service_host_open(hosts[0], "a");
    for (int64_t i = 1; i <= 100; i++) {
        add(hosts[0], session, i);
        service_host_advance(hosts[0], i == 50 ? IDLE_NS : IDLE_NS / 2);
    }
    hosts[1] = service_host_replay(hosts[0], service_host_entries(hosts[0]), &services[1]);
    hosts[2] = service_host_restore(hosts[0], &services[2]);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(counters[i].total, (51 + 100) * 50 / 2);
        assert_int_equal(service_host_timers(hosts[i]), 1);
        assert_int_equal(add(hosts[i], session, 0), (51 + 100) * 50 / 2);
        service_host_advance(hosts[i], 2 * IDLE_NS);
        assert_int_equal(counters[i].total, 0);
        service_host_destroy(hosts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_counts),
        cmocka_unit_test(test_a_minute_later_it_starts_again),
        cmocka_unit_test(test_it_is_the_same_after_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
