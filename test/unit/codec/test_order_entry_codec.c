/*
 * Requests to bytes and back: every message with random values, every length, every wrong header,
 * every absent value, and payloads of several messages. Messages are decoded from allocations of
 * their exact size, so that a sanitizer sees a read behind them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/order_entry_codec.h"
#include "lib/codec_samples.h"

#include <order_entry/newOrder.h>

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 500 };

typedef struct decoded {
    codec_result_t result;
    oc_request_t request;
    size_t consumed;
    uint16_t template_id;
} decoded_t;

static decoded_t decode(const void *bytes, size_t length)
{
    decoded_t d;
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memset(&d, 0xA5, sizeof d);
    /* Behind one byte, so that nothing is aligned. */
    memcpy(exact + 1, bytes, length);
    d.result = order_entry_decode(exact + 1, length, &d.request, &d.consumed, &d.template_id);
    free(exact);
    return d;
}

static size_t encode_sample(unsigned which, uint64_t *seed, oc_request_t *request, char *bytes)
{
    sample_request(request, which, seed);
    const size_t size = order_entry_encode(request, bytes, ORDER_ENTRY_BYTES_MAX);
    assert_int_equal(size, 8 + sample_request_shapes[which].block);
    return size;
}

static void put_u16(char *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

static void assert_refused(const decoded_t *d, oc_problem_t problem, size_t consumed)
{
    const oc_request_t nothing = {0};
    assert_int_equal(d->result, problem);
    assert_int_equal(d->consumed, consumed);
    assert_memory_equal(&d->request, &nothing, sizeof nothing);
}

static void test_every_request_comes_back_as_it_was(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned which = 0; which < SAMPLE_REQUESTS; which++) {
        for (int round = 0; round < ROUNDS; round++) {
            oc_request_t request;
            char bytes[ORDER_ENTRY_BYTES_MAX];
            const size_t size = encode_sample(which, &seed, &request, bytes);
            const decoded_t d = decode(bytes, size);
            assert_int_equal(d.result, OC_PROBLEM_NONE);
            assert_int_equal(d.consumed, size);
            assert_int_equal(d.template_id, sample_request_shapes[which].template_id);
            assert_memory_equal(&d.request, &request, sizeof request);
        }
    }
}

static void test_a_new_order_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        43,   0,    1,    0,    0xFE, 1,    1,    0,             /* header */
        8,    7,    6,    5,    4,    3,    2,    1,             /* sequence */
        0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,          /* client order id */
        0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,          /* price */
        10,   0,    0,    0,    0,    0,    0,    0,             /* quantity */
        0x24, 0x23, 0x22, 0x21, 3,    0,    0,    0,    1, 0, 3, /* instrument and the rest */
    };
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    oc_command_t *c = &request.u.command;
    c->type = OC_COMMAND_NEW;
    c->side = OC_SIDE_SELL;
    c->order_type = OC_ORDER_LIMIT;
    c->time_in_force = OC_TIF_FOK;
    c->flags = OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT;
    c->instrument.value = 0x21222324;
    c->sequence = UINT64_C(0x0102030405060708);
    c->u.order.client_order_id.value = UINT64_C(0x1112131415161718);
    c->u.order.price_ticks = -2;
    c->u.order.quantity_lots = 10;
    char bytes[ORDER_ENTRY_BYTES_MAX];
    assert_int_equal(order_entry_encode(&request, bytes, sizeof bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void test_a_cut_message_is_short_at_every_length(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (unsigned which = 0; which < SAMPLE_REQUESTS; which++) {
        oc_request_t request;
        char bytes[ORDER_ENTRY_BYTES_MAX];
        const size_t size = encode_sample(which, &seed, &request, bytes);
        for (size_t length = 0; length < size; length++) {
            const decoded_t d = decode(bytes, length);
            assert_refused(&d, OC_PROBLEM_SHORT, length);
            assert_int_equal(d.template_id,
                             length < 8 ? 0 : sample_request_shapes[which].template_id);
        }
    }
}

/* The bytes are all there, but the header says that fewer, or more, belong to the block. */
static void test_a_block_may_be_longer_and_never_shorter(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (unsigned which = 0; which < SAMPLE_REQUESTS; which++) {
        oc_request_t request;
        char bytes[ORDER_ENTRY_BYTES_MAX];
        memset(bytes, 0xEE, sizeof bytes);
        const size_t size = encode_sample(which, &seed, &request, bytes);
        for (size_t block = 0; block + 8 < size; block++) {
            put_u16(bytes, (uint16_t)block);
            const decoded_t whole = decode(bytes, size);
            assert_refused(&whole, OC_PROBLEM_SHORT, 8 + block);
            const decoded_t cut = decode(bytes, 8 + block);
            assert_refused(&cut, OC_PROBLEM_SHORT, 8 + block);
        }
        for (size_t block = size - 8; block + 8 <= sizeof bytes; block++) {
            put_u16(bytes, (uint16_t)block);
            put_u16(bytes + 6, 2);
            const decoded_t d = decode(bytes, sizeof bytes);
            assert_int_equal(d.result, OC_PROBLEM_NONE);
            assert_int_equal(d.consumed, 8 + block);
            assert_memory_equal(&d.request, &request, sizeof request);
        }
    }
}

static void test_every_wrong_header_is_named(void **state)
{
    (void)state;
    uint64_t seed = 4;
    oc_request_t request;
    char good[ORDER_ENTRY_BYTES_MAX];
    const size_t size = encode_sample(0, &seed, &request, good);
    char bytes[ORDER_ENTRY_BYTES_MAX];
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        memcpy(bytes, good, sizeof bytes);
        put_u16(bytes + 4, (uint16_t)value);
        decoded_t d = decode(bytes, size);
        assert_int_equal(d.result, value == 510 ? OC_PROBLEM_NONE : OC_PROBLEM_SCHEMA);
        assert_int_equal(d.consumed, size);
        memcpy(bytes, good, sizeof bytes);
        put_u16(bytes + 6, (uint16_t)value);
        d = decode(bytes, size);
        assert_int_equal(d.result, value == 0 ? OC_PROBLEM_VERSION : OC_PROBLEM_NONE);
        assert_int_equal(d.consumed, size);
    }
}

static void test_template_ids_without_a_message_are_unknown(void **state)
{
    (void)state;
    for (unsigned value = 0; value <= UINT16_MAX; value++) {
        char bytes[ORDER_ENTRY_BYTES_MAX] = {0};
        put_u16(bytes, sizeof bytes - 8);
        put_u16(bytes + 2, (uint16_t)value);
        put_u16(bytes + 4, 510);
        put_u16(bytes + 6, 1);
        bool known = false;
        for (unsigned which = 0; which < SAMPLE_REQUESTS; which++)
            known = known || sample_request_shapes[which].template_id == value;
        const decoded_t d = decode(bytes, sizeof bytes);
        assert_int_equal(d.result == OC_PROBLEM_TEMPLATE, !known);
        assert_int_equal(d.template_id, value);
        assert_int_equal(d.consumed, sizeof bytes);
    }
}

typedef enum absent_means { ABSENT_REFUSED, ABSENT_ZERO, ABSENT_KEPT } absent_means_t;

/* A field of `width` bytes at `offset` of a block; its null; what comes of it. */
typedef struct absent_value {
    unsigned which;
    size_t offset;
    size_t width;
    uint64_t null_value;
    absent_means_t means;
} absent_value_t;

static void test_absent_values_are_refused_or_mean_what_is_written(void **state)
{
    (void)state;
    static const uint64_t none = UINT64_C(1) << 63;
    static const absent_value_t cases[] = {
        {0, 8, 8, UINT64_MAX, ABSENT_REFUSED},  /* NewOrder client order id */
        {0, 16, 8, none, ABSENT_REFUSED},       /* price of a limit order */
        {0, 24, 8, none, ABSENT_ZERO},          /* quantity */
        {0, 32, 4, UINT32_MAX, ABSENT_REFUSED}, /* instrument */
        {0, 0, 8, UINT64_MAX, ABSENT_KEPT},     /* sequence: its null is 0 */
        {1, 8, 8, UINT64_MAX, ABSENT_REFUSED},  /* CancelOrder client order id */
        {1, 16, 4, UINT32_MAX, ABSENT_KEPT},    /* instrument: its null is 0 */
        {1, 20, 4, UINT32_MAX, ABSENT_KEPT},    /* owner: its null is 0 */
        {2, 8, 8, UINT64_MAX, ABSENT_REFUSED},  /* ModifyOrder client order id */
        {2, 16, 8, none, ABSENT_REFUSED},       /* price */
        {2, 24, 8, none, ABSENT_ZERO},          /* quantity */
        {3, 8, 8, UINT64_MAX, ABSENT_KEPT},     /* MassCancel session */
        {4, 8, 8, none, ABSENT_REFUSED},        /* MarkPrice price */
        {4, 16, 4, UINT32_MAX, ABSENT_REFUSED}, /* instrument */
        {5, 8, 8, none, ABSENT_KEPT},           /* InstrumentAdd lowest price: no bound */
        {5, 16, 8, none, ABSENT_REFUSED},       /* highest price */
        {5, 24, 8, none, ABSENT_ZERO},          /* largest quantity */
        {5, 32, 4, UINT32_MAX, ABSENT_REFUSED}, /* instrument */
        {6, 8, 4, UINT32_MAX, ABSENT_REFUSED},  /* InstrumentState instrument */
        {7, 8, 8, none, ABSENT_KEPT},           /* InstrumentBands, as InstrumentAdd */
        {7, 16, 8, none, ABSENT_REFUSED},
        {7, 24, 8, none, ABSENT_ZERO},
        {7, 32, 4, UINT32_MAX, ABSENT_REFUSED},
        {8, 8, 4, UINT32_MAX, ABSENT_REFUSED},   /* SourceAdd source */
        {9, 8, 4, UINT32_MAX, ABSENT_REFUSED},   /* SourceRetire source */
        {10, 8, 4, UINT32_MAX, ABSENT_REFUSED},  /* Configure rules version */
        {10, 12, 4, UINT32_MAX, ABSENT_REFUSED}, /* step bound */
        {12, 0, 8, UINT64_MAX, ABSENT_REFUSED},  /* Logon request id */
        {12, 16, 4, UINT32_MAX, ABSENT_REFUSED}, /* source */
        {12, 8, 8, UINT64_MAX, ABSENT_KEPT},     /* outbound sequence: its null is 0 */
        {13, 0, 8, UINT64_MAX, ABSENT_REFUSED},  /* OrderStatusRequest request id */
        {13, 16, 4, UINT32_MAX, ABSENT_REFUSED}, /* limit */
        {13, 20, 8, UINT64_MAX, ABSENT_KEPT},    /* after client order id: only where to begin */
        {14, 0, 8, UINT64_MAX, ABSENT_REFUSED},  /* PrincipalBind request id */
        {14, 8, 4, UINT32_MAX, ABSENT_REFUSED},  /* source */
        {14, 12, 1, 0, ABSENT_REFUSED},          /* name of no characters */
        {15, 0, 8, UINT64_MAX, ABSENT_REFUSED},  /* Stop request id */
    };
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const absent_value_t *absent = &cases[i];
        oc_request_t request;
        sample_request(&request, absent->which, &seed);
        if (absent->which == 0) {
            request.u.command.order_type = OC_ORDER_LIMIT;
            request.u.command.u.order.quantity_lots = 1;
        }
        char bytes[ORDER_ENTRY_BYTES_MAX];
        const size_t size = order_entry_encode(&request, bytes, sizeof bytes);
        assert_true(size > 0);
        memcpy(bytes + 8 + absent->offset, &absent->null_value, absent->width);
        const decoded_t d = decode(bytes, size);
        if (absent->means == ABSENT_REFUSED) {
            assert_refused(&d, OC_PROBLEM_FIELD, size);
            assert_int_equal(d.template_id, sample_request_shapes[absent->which].template_id);
            continue;
        }
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        char again[ORDER_ENTRY_BYTES_MAX];
        assert_int_equal(order_entry_encode(&d.request, again, sizeof again), size);
        const uint64_t expected = absent->means == ABSENT_KEPT ? absent->null_value : 0;
        assert_memory_equal(again + 8 + absent->offset, &expected, absent->width);
    }
}

static void test_a_market_order_has_no_price_on_the_wire(void **state)
{
    (void)state;
    uint64_t seed = 6;
    oc_request_t request;
    sample_request(&request, 0, &seed);
    request.u.command.order_type = OC_ORDER_MARKET;
    request.u.command.u.order.price_ticks = 0;
    char bytes[ORDER_ENTRY_BYTES_MAX];
    const size_t size = order_entry_encode(&request, bytes, sizeof bytes);
    const int64_t none = order_entry_newOrder_price_null_value();
    assert_memory_equal(bytes + 24, &none, sizeof none);
    decoded_t d = decode(bytes, size);
    assert_int_equal(d.result, OC_PROBLEM_NONE);
    assert_memory_equal(&d.request, &request, sizeof request);
    /* One with a price is the engine's to judge; so is an order type that is none. */
    request.u.command.u.order.price_ticks = 77;
    assert_int_equal(order_entry_encode(&request, bytes, sizeof bytes), size);
    d = decode(bytes, size);
    assert_int_equal(d.request.u.command.u.order.price_ticks, 77);
    memcpy(bytes + 24, &none, sizeof none);
    bytes[8 + 41] = 9;
    d = decode(bytes, size);
    assert_int_equal(d.result, OC_PROBLEM_NONE);
    assert_int_equal(d.request.u.command.order_type, 9);
    assert_int_equal(d.request.u.command.u.order.price_ticks, 0);
}

static void test_unknown_enum_values_reach_the_engine(void **state)
{
    (void)state;
    uint64_t seed = 7;
    oc_request_t request;
    char bytes[ORDER_ENTRY_BYTES_MAX];
    const size_t size = encode_sample(0, &seed, &request, bytes);
    for (unsigned value = 0; value < 256; value++) {
        bytes[8 + 40] = (char)value;
        bytes[8 + 41] = (char)(value ? value : 1);
        bytes[8 + 42] = (char)value;
        const decoded_t d = decode(bytes, size);
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        assert_int_equal(d.request.u.command.side, value);
        assert_int_equal(d.request.u.command.order_type, value ? value : 1);
        assert_int_equal(d.request.u.command.time_in_force, value);
    }
}

static void test_names_are_refused_unless_they_end_and_are_padded(void **state)
{
    (void)state;
    oc_request_t request = {.type = OC_REQUEST_PRINCIPAL, .request_id = 1};
    request.u.principal.source.value = 2;
    memset(request.u.principal.principal.name, 'a', OC_PRINCIPAL_SIZE - 1);
    char bytes[ORDER_ENTRY_BYTES_MAX];
    const size_t size = order_entry_encode(&request, bytes, sizeof bytes);
    assert_int_equal(size, 52);
    const decoded_t longest = decode(bytes, size);
    assert_int_equal(longest.result, OC_PROBLEM_NONE);
    assert_memory_equal(&longest.request, &request, sizeof request);
    bytes[size - 1] = 'a';
    const decoded_t endless = decode(bytes, size);
    assert_refused(&endless, OC_PROBLEM_FIELD, size);
    memset(bytes + 20, 0, OC_PRINCIPAL_SIZE);
    bytes[20] = 'a';
    assert_int_equal(decode(bytes, size).result, OC_PROBLEM_NONE);
    for (size_t at = 22; at < size; at++) {
        bytes[at] = 'b';
        const decoded_t d = decode(bytes, size);
        assert_refused(&d, OC_PROBLEM_FIELD, size);
        bytes[at] = 0;
    }
}

/* One of each, with messages between them that this build does not know. */
static void test_a_payload_is_read_message_by_message(void **state)
{
    (void)state;
    char payload[SAMPLE_REQUESTS * (ORDER_ENTRY_BYTES_MAX + 16)];
    oc_request_t requests[SAMPLE_REQUESTS];
    size_t end = 0;
    uint64_t seed = 8;
    for (unsigned which = 0; which < SAMPLE_REQUESTS; which++) {
        end += encode_sample(which, &seed, &requests[which], payload + end);
        memset(payload + end, 0x5A, 8 + which);
        put_u16(payload + end, (uint16_t)which);
        put_u16(payload + end + 2, 300);
        put_u16(payload + end + 4, 510);
        put_u16(payload + end + 6, 9);
        end += 8 + which;
    }
    size_t at = 0;
    for (unsigned which = 0; which < SAMPLE_REQUESTS; which++) {
        decoded_t d = decode(payload + at, end - at);
        assert_int_equal(d.result, OC_PROBLEM_NONE);
        assert_memory_equal(&d.request, &requests[which], sizeof d.request);
        at += d.consumed;
        d = decode(payload + at, end - at);
        assert_refused(&d, OC_PROBLEM_TEMPLATE, 8 + which);
        assert_int_equal(d.template_id, 300);
        at += d.consumed;
    }
    assert_int_equal(at, end);
}

static void test_encoding_needs_the_room_and_touches_no_more(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (unsigned which = 0; which < SAMPLE_REQUESTS; which++) {
        oc_request_t request;
        char bytes[ORDER_ENTRY_BYTES_MAX];
        const size_t size = encode_sample(which, &seed, &request, bytes);
        for (size_t capacity = 0; capacity <= size; capacity++) {
            char *exact = malloc(capacity + 1);
            assert_non_null(exact);
            assert_int_equal(order_entry_encode(&request, exact, capacity),
                             capacity < size ? 0 : size);
            if (capacity == size)
                assert_memory_equal(exact, bytes, size);
            free(exact);
        }
    }
}

static void assert_not_encoded(const oc_request_t *request)
{
    char bytes[ORDER_ENTRY_BYTES_MAX];
    assert_int_equal(order_entry_encode(request, bytes, sizeof bytes), 0);
}

static void test_what_cannot_be_sent_is_not_encoded(void **state)
{
    (void)state;
    for (unsigned type = 0; type < 256; type++) {
        oc_request_t request = {.type = OC_REQUEST_COMMAND};
        request.u.command.type = (uint8_t)type;
        const bool known = type >= 1 && type <= 15 && type != 11 && type != 12 && type != 14;
        char bytes[ORDER_ENTRY_BYTES_MAX];
        assert_int_equal(order_entry_encode(&request, bytes, sizeof bytes) > 0, known);
        if (type == 0 || type > OC_REQUEST_STOP) {
            request.type = (uint8_t)type;
            assert_not_encoded(&request);
        }
    }
    uint64_t seed = 10;
    oc_request_t request;
    sample_request(&request, 0, &seed);
    request.u.command.u.order.client_order_id.value = UINT64_MAX;
    assert_not_encoded(&request);
    sample_request(&request, 2, &seed);
    request.u.command.u.order.price_ticks = INT64_MIN;
    assert_not_encoded(&request);
    sample_request(&request, 14, &seed);
    memset(request.u.principal.principal.name, 'x', OC_PRINCIPAL_SIZE);
    assert_not_encoded(&request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_request_comes_back_as_it_was),
        cmocka_unit_test(test_a_new_order_has_these_bytes),
        cmocka_unit_test(test_a_cut_message_is_short_at_every_length),
        cmocka_unit_test(test_a_block_may_be_longer_and_never_shorter),
        cmocka_unit_test(test_every_wrong_header_is_named),
        cmocka_unit_test(test_template_ids_without_a_message_are_unknown),
        cmocka_unit_test(test_absent_values_are_refused_or_mean_what_is_written),
        cmocka_unit_test(test_a_market_order_has_no_price_on_the_wire),
        cmocka_unit_test(test_unknown_enum_values_reach_the_engine),
        cmocka_unit_test(test_names_are_refused_unless_they_end_and_are_padded),
        cmocka_unit_test(test_a_payload_is_read_message_by_message),
        cmocka_unit_test(test_encoding_needs_the_room_and_touches_no_more),
        cmocka_unit_test(test_what_cannot_be_sent_is_not_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
