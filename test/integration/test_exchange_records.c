/*
 * The record stream of a whole exchange: between engines, table sizes and processes, and out of a
 * capture while commands go on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/arena_pages.h"
#include "lib/exchange_traffic.h"
#include "lib/reference_fixture.h"
#include "snapshot/capture.h"

#include <string.h>

enum { RUNS = 4, STEPS = 400, MORE = 200 };

static void assert_same_stream(const service_host_stream_t *a, const service_host_stream_t *b)
{
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->bytes, b->bytes, a->length);
}

static service_host_stream_t capture_of(const exchange_fixture_t *f)
{
    return service_host_capture(exchange_service(f->exchange));
}

static exchange_fixture_t restore(const exchange_fixture_t *from, const exchange_config_t *config)
{
    exchange_fixture_t to = {.exchange = NULL};
    assert_int_equal(exchange_create(&to.exchange, config), OC_ERR_OK);
    to.host = service_host_restore(from->host, exchange_service(to.exchange));
    assert_true(exchange_traffic_hash(from) == exchange_traffic_hash(&to));
    exchange_fixture_audit(to.exchange);
    return to;
}

/* The outputs that the same traffic gives, to the byte. */
static void drive(const exchange_traffic_t *traffic, exchange_fixture_t *a, exchange_fixture_t *b)
{
    exchange_tape_t tapes[2] = {{.outputs = NULL}, {.outputs = NULL}};
    exchange_fixture_t *const both[2] = {a, b};
    const uint64_t outputs = exchange_traffic_output_hash(a);
    assert_true(exchange_traffic_output_hash(b) == outputs);
    for (int i = 0; i < 2; i++) {
        exchange_traffic_t copy = *traffic;
        exchange_set_tap(both[i]->exchange, exchange_tape_record, &tapes[i]);
        for (int step = 0; step < MORE; step++)
            exchange_traffic_step(&copy, both[i]);
        exchange_set_tap(both[i]->exchange, NULL, NULL);
    }
    assert_true(tapes[0].count > MORE);
    exchange_tape_assert_equal(&tapes[0], &tapes[1]);
    assert_true(exchange_traffic_hash(a) == exchange_traffic_hash(b));
    assert_true(exchange_traffic_output_hash(a) == exchange_traffic_output_hash(b));
    assert_true(exchange_traffic_output_hash(a) != outputs);
    free(tapes[0].outputs);
    free(tapes[1].outputs);
}

static exchange_fixture_t replay(const exchange_fixture_t *from, const exchange_config_t *config)
{
    exchange_fixture_t to = {.exchange = NULL};
    assert_int_equal(exchange_create(&to.exchange, config), OC_ERR_OK);
    to.host = service_host_replay(from->host, service_host_entries(from->host),
                                  exchange_service(to.exchange));
    return to;
}

static void test_streams_are_identical_through_either_engine(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        exchange_fixture_t fast;
        exchange_traffic_t traffic = {.seed = 8000 + run};
        exchange_config_t config = exchange_fixture_config();
        exchange_fixture_open(&fast, &config);
        exchange_traffic_begin(&traffic, &fast);
        for (uint64_t i = 0; i < STEPS * run; i++)
            exchange_traffic_step(&traffic, &fast);
        service_host_stream_t first = capture_of(&fast);
        exchange_fixture_t replayed = replay(&fast, &config);
        config.engine.kind = OC_ENGINE_REFERENCE;
        exchange_fixture_t reference = restore(&fast, &config);
        service_host_stream_t second = capture_of(&reference);
        assert_same_stream(&first, &second);
        config.engine.kind = OC_ENGINE_FAST;
        config.engine.hash_key[0] ^= UINT64_C(0x123456789abcdef);
        exchange_fixture_t third = restore(&reference, &config);
        service_host_stream_t last = capture_of(&third);
        assert_same_stream(&first, &last);
        drive(&traffic, &reference, &replayed); /* both are a term further than the first */
        exchange_fixture_close(&third);
        exchange_fixture_close(&reference);
        exchange_fixture_close(&replayed);
        exchange_fixture_close(&fast);
        free(first.bytes);
        free(second.bytes);
        free(last.bytes);
    }
}

/* Restores a stream into a fresh exchange; the error. */
static oc_err_t try_restore(service_host_stream_t stream, const exchange_config_t *config,
                            uint64_t *hash)
{
    exchange_fixture_t to = {.exchange = NULL};
    exchange_fixture_t idle;
    assert_int_equal(exchange_create(&to.exchange, config), OC_ERR_OK);
    exchange_fixture_open(&idle, config); /* whose host is only borrowed from */
    const oc_service_t *service = exchange_service(to.exchange);
    oc_err_t err = service->start(service->context, service_host_base(idle.host));
    assert_int_equal(err, OC_ERR_OK);
    stream.at = 0;
    err = service->restore(service->context, service_host_stream_take, &stream);
    if (err == OC_ERR_OK) {
        exchange_fixture_audit(to.exchange);
        *hash = exchange_traffic_hash(&to);
    }
    exchange_destroy(to.exchange);
    exchange_fixture_close(&idle);
    return err;
}

static void test_other_table_sizes(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_traffic_t traffic = {.seed = 31};
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_open(&f, &config);
    exchange_traffic_begin(&traffic, &f);
    for (int i = 0; i < STEPS; i++)
        exchange_traffic_step(&traffic, &f);
    const uint64_t wanted = exchange_traffic_hash(&f);
    service_host_stream_t stream = capture_of(&f);
    oc_engine_counts_t counts;
    oc_engine_counts(exchange_engine(f.exchange), &counts);
    assert_true(counts.orders > 1 && counts.levels > 1 && counts.sources > 1);
    uint64_t hash = 0;

    exchange_config_t other = config; /* larger in everything, and not by round numbers */
    other.engine.max_orders = other.engine.max_orders * 3 + 1;
    other.engine.max_levels = other.engine.max_levels * 2 + 5;
    other.engine.max_instruments += 3;
    other.engine.max_sources += 100;
    other.engine.max_sessions += 50;
    other.engine.max_pending += 1;
    other.kept_outputs *= 4;
    other.engine.step_bound += 1; /* the state's own counts */
    assert_int_equal(try_restore(stream, &other, &hash), OC_ERR_OK);
    assert_true(hash == wanted);

    other = config; /* just enough */
    other.engine.max_orders = counts.orders;
    other.engine.max_levels = counts.levels;
    other.engine.max_instruments = counts.instruments;
    other.engine.max_sources = counts.sources;
    assert_int_equal(try_restore(stream, &other, &hash), OC_ERR_OK);
    assert_true(hash == wanted);

    const struct {
        uint32_t *limit;
        uint32_t value;
        const char *name;
    } small[] = {
        {&other.engine.max_orders, counts.orders - 1, "max_orders"},
        {&other.engine.max_levels, counts.levels - 1, "max_levels"},
        {&other.engine.max_instruments, counts.instruments - 1, "max_instruments"},
        {&other.engine.max_sources, counts.sources - 1, "max_sources"},
        {&other.engine.max_sessions, 1, "max_sessions"},
    };
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        const exchange_config_t before = other;
        *small[i].limit = small[i].value;
        assert_int_equal(try_restore(stream, &other, &hash), OC_ERR_INVALID_CONFIG);
        if (!strstr(oc_err_context(), small[i].name))
            fail_msg("expected %s: %s", small[i].name, oc_err_context());
        other = before;
    }
    free(stream.bytes);
    exchange_fixture_close(&f);
}

static void test_what_is_not_kept_is_a_gap(void **state)
{
    (void)state;
    exchange_fixture_t f;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&f, &config);
    const oc_session_id_t trader = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 1; i <= 10; i++)
        exchange_fixture_do(&f, trader, fixture_cancel(0, i)); /* an output each */
    exchange_fixture_t g = restore(&f, &config);
    const oc_session_id_t again = exchange_fixture_session(&g, "p2");

    oc_response_t logon = exchange_fixture_logon(&g, again, 2, 4); /* takes over: nothing is new */
    assert_int_equal(logon.u.logon.reason, OC_REASON_NONE);
    assert_int_equal(logon.u.logon.outbound_sequence, 10);
    const oc_response_t gap = exchange_fixture_expect(&g, again, OC_RESPONSE_GAP);
    assert_int_equal(gap.u.gap.source.value, 2);
    assert_int_equal(gap.u.gap.first, 5);
    assert_int_equal(gap.u.gap.last, 10);
    exchange_fixture_silent(&g, again);

    exchange_fixture_do(&g, again, fixture_cancel(0, 77));
    const oc_output_t next = exchange_fixture_output(&g, again, OC_EVENT_REJECTED);
    assert_int_equal(next.outbound_sequence, 11);
    logon = exchange_fixture_logon(&g, again, 2, 10); /* has seen everything from before */
    assert_int_equal(exchange_fixture_output(&g, again, OC_EVENT_REJECTED).outbound_sequence, 11);
    exchange_fixture_silent(&g, again);
    exchange_fixture_logon(&g, again, 2, 9);
    assert_int_equal(exchange_fixture_expect(&g, again, OC_RESPONSE_GAP).u.gap.last, 10);
    assert_int_equal(exchange_fixture_output(&g, again, OC_EVENT_REJECTED).outbound_sequence, 11);
    exchange_fixture_silent(&g, again);
    exchange_fixture_logon(&g, again, 2, 11);
    exchange_fixture_silent(&g, again);

    for (uint64_t i = 0; i < EXCHANGE_FIXTURE_KEPT + 5; i++) /* the ring has come round */
        exchange_fixture_do(&g, again, fixture_cancel(0, i));
    exchange_fixture_skip(&g, again);
    exchange_fixture_logon(&g, again, 2, 9);
    const oc_response_t later = exchange_fixture_expect(&g, again, OC_RESPONSE_GAP);
    assert_int_equal(later.u.gap.first, 10);
    assert_int_equal(later.u.gap.last, 11 + 5);
    assert_int_equal(exchange_fixture_output(&g, again, OC_EVENT_REJECTED).outbound_sequence, 17);
    exchange_fixture_skip(&g, again);
    exchange_fixture_close(&g);
    exchange_fixture_close(&f);
}

static void test_sessions_live_on(void **state)
{
    (void)state;
    exchange_fixture_t f;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&f, &config);
    const oc_session_id_t two = exchange_fixture_trader(&f, 2);
    const oc_session_id_t three = exchange_fixture_trader(&f, 3);
    const oc_session_id_t nobody = exchange_fixture_session(&f, "p4");
    oc_command_t order = fixture_new(0, 1, OC_SIDE_BUY, 5, 10);
    exchange_fixture_do(&f, two, order);
    order.u.order.client_order_id.value = 2;
    order.flags = OC_FLAG_CANCEL_ON_DISCONNECT;
    exchange_fixture_do(&f, two, order);
    exchange_fixture_t g = restore(&f, &config);
    const oc_service_t *service = exchange_service(g.exchange);

    const uint64_t open[] = {f.admin.value, two.value, three.value, nobody.value};
    oc_session_id_t at = {0};
    for (size_t i = 0; i < 4; i++) {
        assert_true(service->next_session(service->context, at, &at));
        assert_int_equal(at.value, open[i]);
    }
    assert_false(service->next_session(service->context, at, &at));
    assert_int_equal(at.value, open[3]);

    exchange_fixture_do(&g, three, fixture_new(0, 1, OC_SIDE_SELL, 1, 10)); /* logged on still */
    exchange_fixture_output(&g, three, OC_EVENT_ACCEPTED);
    exchange_fixture_output(&g, three, OC_EVENT_TRADE);
    exchange_fixture_output(&g, two, OC_EVENT_FILL);
    service_host_close(g.host, two, OC_CLOSE_TIMEOUT);
    service_host_settle(g.host);
    oc_order_view_t view;
    const oc_source_id_t source = {2};
    assert_true(
        oc_engine_order(exchange_engine(g.exchange), source, (oc_client_order_id_t){1}, &view));
    assert_int_equal(view.open_lots, 4);
    assert_false(
        oc_engine_order(exchange_engine(g.exchange), source, (oc_client_order_id_t){2}, &view));
    exchange_fixture_close(&g);
    exchange_fixture_close(&f);
}

/* Who administers: the stream's administrator, or one that is in the state. */
static void test_the_administrator(void **state)
{
    (void)state;
    exchange_fixture_t f;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&f, &config);
    oc_command_t add = fixture_add_source(9); /* every role */
    exchange_fixture_do(&f, f.admin, add);
    const oc_request_t bind = exchange_fixture_bind(9, "boss");
    exchange_fixture_send(&f, f.admin, &bind, 1);
    service_host_stream_t stream = capture_of(&f);
    uint64_t hash = 0;
    exchange_config_t other = config;
    other.admin_source.value = 9;
    assert_int_equal(try_restore(stream, &other, &hash), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "admin_source is 9"));
    memset(other.admin_principal.name, 0, sizeof other.admin_principal.name);
    memcpy(other.admin_principal.name, "boss", 4);
    assert_int_equal(try_restore(stream, &other, &hash), OC_ERR_OK);
    assert_true(hash == exchange_traffic_hash(&f));
    other.admin_source.value = 2; /* no administrator */
    memcpy(other.admin_principal.name, "p2\0\0", 4);
    assert_int_equal(try_restore(stream, &other, &hash), OC_ERR_INVALID_CONFIG);
    free(stream.bytes);
    exchange_fixture_close(&f);
}

/* Cut anywhere or changed anywhere: refused, and a good one is taken afterwards. */
static void test_bad_streams(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_fixture_t to;
    exchange_traffic_t traffic = {.seed = 5};
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_open(&f, &config);
    exchange_traffic_begin(&traffic, &f);
    for (int i = 0; i < 100; i++)
        exchange_traffic_step(&traffic, &f);
    const service_host_stream_t stream = capture_of(&f);
    exchange_fixture_open(&to, &config);
    const oc_service_t *service = exchange_service(to.exchange);
    service->role(service->context, OC_HOST_RECOVERING);
    uint64_t random = 99;
    for (int i = 0; i < 200; i++) {
        service_host_stream_t bad = stream;
        const size_t at = fixture_below(&random, stream.length);
        if (i % 2)
            bad.length = at;
        else
            stream.bytes[at] ^= (uint8_t)(1 << i % 7);
        const oc_err_t err = service->restore(service->context, service_host_stream_take, &bad);
        assert_int_not_equal(err, OC_ERR_OK);
        if (i % 2 == 0)
            stream.bytes[at] ^= (uint8_t)(1 << i % 7);
    }
    service_host_stream_t good = stream;
    assert_int_equal(service->restore(service->context, service_host_stream_take, &good),
                     OC_ERR_OK);
    assert_true(exchange_traffic_hash(&to) == exchange_traffic_hash(&f));
    service->role(service->context, OC_HOST_ACTIVE);
    free(stream.bytes);
    exchange_fixture_close(&to);
    exchange_fixture_close(&f);
}

/* A capture of a running exchange, swept in steps, becomes a copy, of which records are made. */
typedef struct sweep {
    capture_t *capture;
    oc_arena_t *targets[OC_SERVICE_ARENAS_MAX];
    uint64_t pages;
} sweep_t;

static void sweep_some(sweep_t *sweep, int steps)
{
    static _Alignas(64) uint8_t page[OC_ARENA_PAGE_SIZE];
    capture_page_t which;
    while (steps-- > 0 && capture_state(sweep->capture) == CAPTURE_RUNNING) {
        if (capture_next(sweep->capture, page, &which, 16) == CAPTURE_PAGE) {
            arena_pages_put(sweep->targets[which.arena], which.page, page);
            sweep->pages++;
        }
    }
}

static void test_an_export_while_commands_go_on(void **state)
{
    (void)state;
    exchange_fixture_t f;
    exchange_fixture_t copy = {.exchange = NULL};
    exchange_traffic_t traffic = {.seed = 606};
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_open(&f, &config);
    exchange_traffic_begin(&traffic, &f);
    for (int i = 0; i < STEPS; i++)
        exchange_traffic_step(&traffic, &f);

    sweep_t sweep = {.capture = NULL};
    oc_arena_t *arenas[OC_SERVICE_ARENAS_MAX];
    const size_t count = arena_pages_of(exchange_service(f.exchange), arenas);
    assert_int_equal(capture_create(&sweep.capture, arenas, count, 4096), OC_ERR_OK);
    service_host_stream_t wanted = capture_of(&f);
    exchange_fixture_open(&copy, &config);
    (void)arena_pages_of(exchange_service(copy.exchange), sweep.targets);
    for (size_t i = 0; i < count; i++)
        arena_pages_clear(sweep.targets[i]);

    assert_true(capture_begin(sweep.capture, NULL));
    for (int i = 0; capture_state(sweep.capture) == CAPTURE_RUNNING; i++) {
        exchange_traffic_step(&traffic, &f);
        sweep_some(&sweep, 2);
        assert_true(i < 100000);
    }
    assert_int_equal(capture_state(sweep.capture), CAPTURE_SWEPT);
    capture_stats_t stats;
    capture_stats(sweep.capture, &stats);
    assert_true(stats.pages_owner > 0); /* it was not done before the next command */
    capture_end(sweep.capture);
    for (size_t i = 0; i < count; i++)
        oc_arena_restored(sweep.targets[i]);
    const oc_service_t *service = exchange_service(copy.exchange);
    assert_int_equal(service->restored(service->context), OC_ERR_OK);
    service_host_stream_t got = capture_of(&copy);
    assert_same_stream(&wanted, &got);
    capture_destroy(sweep.capture);
    free(wanted.bytes);
    free(got.bytes);
    exchange_fixture_close(&copy);
    exchange_fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_are_identical_through_either_engine),
        cmocka_unit_test(test_other_table_sizes),
        cmocka_unit_test(test_what_is_not_kept_is_a_gap),
        cmocka_unit_test(test_sessions_live_on),
        cmocka_unit_test(test_the_administrator),
        cmocka_unit_test(test_bad_streams),
        cmocka_unit_test(test_an_export_while_commands_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
