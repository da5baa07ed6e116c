/*
 * What the exchange puts into a record stream and takes out of it, beside the engine's part.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"
#include "service/exchange_internal.h"

#include <string.h>

static exchange_fixture_t f;

static int setup(void **state)
{
    (void)state;
    const exchange_config_t config = exchange_fixture_config();
    exchange_fixture_market(&f, &config);
    const oc_session_id_t trader = exchange_fixture_trader(&f, 2);
    for (uint64_t i = 1; i <= 5; i++)
        exchange_fixture_do(&f, trader, fixture_new(0, i, OC_SIDE_BUY, 5, 10));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    exchange_fixture_close(&f);
    return 0;
}

static exchange_fixture_t restored(void)
{
    exchange_fixture_t to = {.exchange = NULL};
    exchange_config_t config = exchange_fixture_config();
    config.engine.hash_key[0] ^= UINT64_C(0xfedcba987654321);
    assert_int_equal(exchange_create(&to.exchange, &config), OC_ERR_OK);
    to.host = service_host_restore(f.host, exchange_service(to.exchange));
    return to;
}

static void test_place_and_time_go_with_the_state(void **state)
{
    (void)state;
    service_host_advance(f.host, 12345);
    exchange_fixture_do(&f, f.admin, fixture_cancel(0, 1));
    exchange_fixture_t to = restored();
    const exchange_header_t *a = f.exchange->header;
    const exchange_header_t *b = to.exchange->header;
    assert_memory_equal(&a->last, &b->last, sizeof a->last);
    assert_true(a->last.position > 0);
    assert_int_equal(a->entries, service_host_entries(f.host));
    assert_int_equal(a->entries, b->entries);
    assert_int_equal(a->time_ns, 1000 + 12345);
    assert_int_equal(a->time_ns, b->time_ns);
    assert_true(a->item_sum == b->item_sum);
    exchange_fixture_close(&to);
}

/* The secret key is the process's own. */
static void test_the_hash_key_is_not_part_of_it(void **state)
{
    (void)state;
    exchange_fixture_t to = restored();
    assert_true(to.exchange->header->hash_key[0] != f.exchange->header->hash_key[0]);
    assert_true(to.exchange->header->hash_key[0] == to.exchange->ids.hash_key[0]);
    assert_true(session_find(to.exchange, f.admin) != 0);
    exchange_fixture_close(&to);
}

static void test_rings_begin_empty_and_sequences_go_on(void **state)
{
    (void)state;
    exchange_fixture_t to = restored();
    exchange_t *e = to.exchange;
    const seat_record_t *seat = &e->seats[seat_find(e, (oc_source_id_t){2})];
    assert_int_equal(seat->outbound_sequence, 5);
    assert_int_equal(outbox_first_kept(e, seat), 6);
    assert_true(principal_equal(&seat->principal, &(oc_principal_t){.name = "p2"}));
    exchange_fixture_close(&to);
}

/* While nothing is sent commands are held back: they are part of the state all the same. */
static void test_what_is_held_back_is_applied_first(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    service_host_stream_t streams[2];
    service->role(service->context, OC_HOST_FOLLOWER);
    const oc_session_id_t trader = {
        f.exchange->sessions[f.exchange->seats[seat_find(f.exchange, (oc_source_id_t){2})].session]
            .id};
    exchange_fixture_do(&f, trader, fixture_new(0, 9, OC_SIDE_BUY, 5, 10));
    assert_int_equal(f.exchange->batch_count, 1);
    streams[0] = service_host_capture(service);
    assert_int_equal(f.exchange->batch_count, 0);
    streams[1] = service_host_capture(service);
    assert_int_equal(streams[0].length, streams[1].length);
    assert_memory_equal(streams[0].bytes, streams[1].bytes, streams[0].length);
    service->role(service->context, OC_HOST_ACTIVE);
    exchange_fixture_t to = restored();
    oc_order_view_t view;
    assert_true(oc_engine_order(exchange_engine(to.exchange), (oc_source_id_t){2},
                                (oc_client_order_id_t){9}, &view));
    exchange_fixture_close(&to);
    free(streams[0].bytes);
    free(streams[1].bytes);
}

/* The number of threads decides how long it takes, and nothing else. */
static void test_any_number_of_threads_gives_the_same_bytes(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 5, 64, 0};
    service_host_stream_t first = {.length = 0};
    const oc_session_id_t trader = {
        f.exchange->sessions[f.exchange->seats[seat_find(f.exchange, (oc_source_id_t){2})].session]
            .id};
    for (uint64_t i = 0; i < 40; i++)
        exchange_fixture_do(&f, trader,
                            fixture_new(0, 100 + i, OC_SIDE_BUY, 2 + (int64_t)(i % 4), 1));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        f.exchange->config.record_threads = counts[i];
        service_host_stream_t stream = service_host_capture(exchange_service(f.exchange));
        if (i == 0) {
            first = stream;
            continue;
        }
        assert_int_equal(stream.length, first.length);
        assert_memory_equal(stream.bytes, first.bytes, first.length);
        free(stream.bytes);
    }
    free(first.bytes);
    assert_int_equal(exchange_thread_count(7), 7);
    assert_int_equal(exchange_thread_count(UINT32_MAX), EXCHANGE_THREADS_MAX);
    assert_in_range(exchange_thread_count(0), 1, EXCHANGE_THREADS_MAX);
}

typedef struct changed {
    const uint8_t *bytes;
    size_t at;
} changed_t;

static oc_err_t give_changed(void *context, void *bytes, size_t length)
{
    changed_t *changed = context;
    memcpy(bytes, changed->bytes + changed->at, length);
    changed->at += length;
    return OC_ERR_OK;
}

/* The Begin has another number at this place of its block, and the frame's checksum fits. */
static void refuse_begin(service_host_stream_t *stream, size_t place, uint64_t value,
                         const char *word)
{
    enum { FRAME = 16, RECORD = FRAME + 8, BLOCK = RECORD + 8 };
    uint8_t *bytes = (uint8_t *)stream->bytes;
    uint64_t good;
    uint32_t length;
    memcpy(&good, bytes + BLOCK + place, sizeof good);
    memcpy(bytes + BLOCK + place, &value, sizeof value);
    memcpy(&length, bytes + FRAME, sizeof length);
    const uint32_t sum = crc32c(crc32c(0, bytes + FRAME, 4), bytes + RECORD, length);
    memcpy(bytes + FRAME + 4, &sum, sizeof sum);
    changed_t changed = {.bytes = bytes};
    assert_int_equal(exchange_restore(f.exchange, give_changed, &changed), OC_ERR_DAMAGED);
    if (!strstr(oc_err_context(), word))
        fail_msg("\"%s\" does not name %s", oc_err_context(), word);
    memcpy(bytes + BLOCK + place, &good, sizeof good);
}

static void test_an_impossible_place_is_refused(void **state)
{
    (void)state;
    const oc_service_t *service = exchange_service(f.exchange);
    service->role(service->context, OC_HOST_FOLLOWER);
    service_host_stream_t stream = service_host_capture(service);
    refuse_begin(&stream, 40, UINT64_MAX, "before 1970");          /* serviceTime */
    refuse_begin(&stream, 32, UINT64_MAX - 9, "before 1970");      /* logTime */
    refuse_begin(&stream, 16, UINT64_MAX / 2 + 1, "more entries"); /* logEntries */
    free(stream.bytes);
}

/* In whatever order the records lie. */
static void test_sessions_come_ascending(void **state)
{
    (void)state;
    oc_session_id_t sessions[5];
    for (size_t i = 0; i < 5; i++)
        sessions[i] = exchange_fixture_session(&f, "p3");
    service_host_close(f.host, sessions[1], OC_CLOSE_CLIENT);
    service_host_close(f.host, sessions[0], OC_CLOSE_CLIENT);
    sessions[0] = exchange_fixture_session(&f, "p3");
    sessions[1] = exchange_fixture_session(&f, "p4"); /* lie where older ones did */
    exchange_fixture_t to = restored();
    for (int i = 0; i < 2; i++) {
        exchange_t *e = i ? to.exchange : f.exchange;
        oc_session_id_t at = {0};
        uint64_t last = 0;
        size_t count = 0;
        while (exchange_next_session(e, at, &at)) {
            assert_true(at.value > last);
            assert_true(service_host_is_open(f.host, at));
            last = at.value;
            count++;
        }
        assert_int_equal(count, 7);
        assert_int_equal(last, sessions[1].value);
    }
    const uint32_t found = session_find(to.exchange, sessions[1]);
    assert_string_equal(to.exchange->sessions[found].principal.name, "p4");
    exchange_fixture_close(&to);
}

static oc_err_t refuse_bytes(void *context, const void *bytes, size_t length)
{
    size_t *left = context;
    (void)bytes;
    (void)length;
    return (*left)-- == 0 ? OC_ERR_NO_SPACE : OC_ERR_OK;
}

static void test_an_error_of_the_sink_ends_the_capture(void **state)
{
    (void)state;
    const uint64_t hash = exchange_state_hash(f.exchange);
    for (size_t good = 0; good < 6; good++) {
        size_t left = good;
        assert_int_equal(exchange_capture(f.exchange, refuse_bytes, &left), OC_ERR_NO_SPACE);
    }
    assert_true(hash == exchange_state_hash(f.exchange));
    exchange_fixture_audit(f.exchange);
}

static oc_err_t no_bytes(void *context, void *bytes, size_t length)
{
    (void)context;
    (void)bytes;
    (void)length;
    return OC_ERR_READ;
}

/* Whatever it held, and after a restore that failed. */
static void test_a_restore_begins_from_nothing(void **state)
{
    (void)state;
    service_host_stream_t stream = service_host_capture(exchange_service(f.exchange));
    exchange_fixture_t to = restored();
    const oc_service_t *service = exchange_service(to.exchange);
    service->role(service->context, OC_HOST_RECOVERING);
    assert_int_equal(exchange_restore(to.exchange, no_bytes, NULL), OC_ERR_READ);
    assert_int_equal(to.exchange->header->seat_top, 0);
    for (int i = 0; i < 2; i++) {
        stream.at = 0;
        assert_int_equal(exchange_restore(to.exchange, service_host_stream_take, &stream),
                         OC_ERR_OK);
        assert_true(exchange_state_hash(to.exchange) == exchange_state_hash(f.exchange));
        assert_int_equal(exchange_check(to.exchange), OC_ERR_OK);
    }
    service_host_stream_t again = service_host_capture(service);
    assert_int_equal(again.length, stream.length);
    assert_memory_equal(again.bytes, stream.bytes, stream.length);
    free(again.bytes);
    free(stream.bytes);
    exchange_fixture_close(&to);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_place_and_time_go_with_the_state),
        TEST(test_the_hash_key_is_not_part_of_it),
        TEST(test_rings_begin_empty_and_sequences_go_on),
        TEST(test_what_is_held_back_is_applied_first),
        TEST(test_any_number_of_threads_gives_the_same_bytes),
        TEST(test_an_impossible_place_is_refused),
        TEST(test_sessions_come_ascending),
        TEST(test_an_error_of_the_sink_ends_the_capture),
        TEST(test_a_restore_begins_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
