/*
 * The exchange's table: life, limits, notices, time, and the verification of its memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/host_calls.h"
#include "lib/exchange_fixture.h"
#include "lib/expect_abort.h"
#include "lib/reference_fixture.h"
#include "service/exchange_internal.h"

#include <string.h>

static exchange_fixture_t f;

static int setup(void **state)
{
    (void)state;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&f, &config);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    exchange_fixture_close(&f);
    return 0;
}

static oc_engine_counts_t counts(void)
{
    oc_engine_counts_t c;
    oc_engine_counts(exchange_engine(f.exchange), &c);
    return c;
}

static uint64_t state_hash(void)
{
    const oc_service_t *service = exchange_service(f.exchange);
    return service->state_hash(service->context);
}

static size_t tiny_message_max(const oc_host_t *host)
{
    (void)host;
    return EVENTS_BYTES_MAX - 1;
}

static void test_a_host_with_too_small_messages_is_refused(void **state)
{
    (void)state;
    static const host_calls_t calls = {.message_max = tiny_message_max};
    oc_host_t host = {&calls};
    exchange_t *exchange = NULL;
    const exchange_config_t config = exchange_fixture_config();
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    const oc_service_t *service = exchange_service(exchange);
    assert_int_equal(service->start(service->context, &host), OC_ERR_INVALID_CONFIG);
    exchange_destroy(exchange);
}

static void test_too_much_memory_is_an_error(void **state)
{
    (void)state;
    exchange_t *exchange = NULL;
    exchange_config_t config = exchange_fixture_config();
    config.engine.max_sources = 1u << 24;
    config.kept_outputs = 16384; /* 32 TiB */
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_NO_MEMORY);
    assert_null(exchange);
    assert_non_null(strstr(oc_err_context(), "kept_outputs"));
    exchange_destroy(NULL);
}

static void test_the_configuration_is_the_first_entry(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    size_t length = 0;
    const void *bytes = service->configuration(service->context, &length);
    exchange_config_t read = exchange_fixture_config();
    read.engine.max_orders = 1;
    assert_int_equal(exchange_config_parse(&read, bytes, length), OC_ERR_OK);
    assert_int_equal(read.engine.max_orders, exchange_fixture_config().engine.max_orders);
    assert_true(length <= 4096);
}

static void test_more_sessions_than_places_are_closed(void **state)
{
    (void)state;
    oc_session_id_t sessions[8];
    for (size_t i = 0; i < 8; i++) /* one is the administrator's */
        sessions[i] = exchange_fixture_session(&f, "p2");
    for (size_t i = 0; i < 7; i++)
        assert_true(service_host_is_open(f.host, sessions[i]));
    assert_false(service_host_is_open(f.host, sessions[7]));
    service_host_close(f.host, sessions[3], OC_CLOSE_CLIENT);
    assert_true(service_host_is_open(f.host, exchange_fixture_session(&f, "p2")));
}

/* A message may have been on its way already when the table was full. */
static void test_a_session_that_is_not_known_is_answered(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    const oc_log_entry_t at = {.position = 1 << 20, .term = 1, .time_ns = 1 << 20};
    const oc_request_t logon = exchange_fixture_logon_request(2, 0);
    uint8_t bytes[256];
    const size_t length = exchange_fixture_encode(&logon, 1, bytes, sizeof bytes);
    f.exchange->sending = false; /* not a call that the host knows of */
    assert_int_equal(
        service->message(service->context, &at, (oc_session_id_t){424242}, bytes, length),
        OC_ERR_OK);
    service->session_close(service->context, &at, (oc_session_id_t){424242}, OC_CLOSE_CLIENT);
    f.exchange->sending = true;
    oc_source_view_t view;
    assert_true(oc_engine_source(exchange_engine(f.exchange), (oc_source_id_t){2}, &view));
    assert_int_equal(view.session.value, 0);
}

static void test_notices_restrict(void **state)
{
    (void)state;
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    static const struct {
        oc_notice_t notice;
        uint32_t restriction;
        oc_reason_t reason;
    } cases[] = {{OC_NOTICE_STORAGE_LOW, OC_RESTRICT_STORAGE, OC_REASON_STORAGE_LOW},
                 {OC_NOTICE_RECOVERED, OC_RESTRICT_RECOVERY, OC_REASON_NOT_RESUMED}};
    for (size_t i = 0; i < 2; i++) {
        service_host_notice(f.host, cases[i].notice);
        assert_int_equal(counts().restrictions, cases[i].restriction);
        exchange_fixture_do(&f, session, fixture_new(0, 1, OC_SIDE_BUY, 5, 10));
        assert_int_equal(exchange_fixture_output(&f, session, OC_EVENT_REJECTED).event.reason,
                         cases[i].reason);
        oc_command_t lift = fixture_command(OC_COMMAND_RESTRICTION, 0, 0);
        lift.u.restriction.clear = OC_RESTRICT_ALL;
        exchange_fixture_do(&f, f.admin, lift);
        assert_int_equal(counts().restrictions, 0);
    }
    const uint64_t before = counts().entry;
    service_host_notice(f.host, (oc_notice_t)99);
    assert_int_equal(counts().entry, before);
}

static void test_time_moves_pending_work_on(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    const oc_session_id_t session = exchange_fixture_trader(&f, 2);
    for (uint64_t id = 0; id < 30; id++)
        exchange_fixture_do(&f, session, fixture_new(0, id, OC_SIDE_BUY, 1, 1));
    assert_false(service->busy(service->context));
    oc_command_t cancel = fixture_command(OC_COMMAND_MASS_CANCEL, 0, 0);
    cancel.u.mass_cancel.scope = OC_SCOPE_SOURCE;
    exchange_fixture_do(&f, session, cancel);
    assert_true(service->busy(service->context));
    service_host_advance(f.host, 777);
    service_host_time(f.host);
    assert_int_equal(counts().time_ns, 1777);
    service_host_settle(f.host);
    assert_false(service->busy(service->context));
    assert_int_equal(counts().orders, 0);
}

/* Every change of sessions, bindings and numbers shows in the hash. */
static void test_the_state_hash_sees_sessions_and_bindings(void **state)
{
    (void)state;
    const uint64_t before = state_hash();
    const oc_session_id_t session = exchange_fixture_session(&f, "p2");
    const uint64_t opened = state_hash();
    assert_true(opened != before);
    service_host_close(f.host, session, OC_CLOSE_CLIENT);
    assert_true(state_hash() == before);
    const oc_request_t bind[2] = {exchange_fixture_bind(2, "other"),
                                  exchange_fixture_bind(2, "p2")};
    exchange_fixture_send(&f, f.admin, &bind[0], 1);
    assert_true(state_hash() != before);
    exchange_fixture_send(&f, f.admin, &bind[1], 1);
    assert_true(state_hash() == before);
}

static void apply_unannounced(void *context)
{
    (void)context;
    f.exchange->arena.touch_skip = 1;
    exchange_fixture_do(&f, f.admin, fixture_cancel(0, 1)); /* its answer is numbered */
}

static void test_a_store_that_is_not_announced_ends_the_process(void **state)
{
    (void)state;
    assert_true(child_aborts(apply_unannounced, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_host_with_too_small_messages_is_refused),
        cmocka_unit_test(test_too_much_memory_is_an_error),
        TEST(test_the_configuration_is_the_first_entry),
        TEST(test_more_sessions_than_places_are_closed),
        TEST(test_a_session_that_is_not_known_is_answered),
        TEST(test_notices_restrict),
        TEST(test_time_moves_pending_work_on),
        TEST(test_the_state_hash_sees_sessions_and_bindings),
        TEST(test_a_store_that_is_not_announced_ends_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
