/*
 * Outputs alone: the fast encoder writes what the general one does and nothing else, a trade has
 * known bytes, and only what an event type uses is sent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/events_codec.h"
#include "codec/events_output.h"
#include "lib/codec_samples.h"

#include <events/accepted.h>
#include <events/cancelled.h>
#include <events/completed.h>
#include <events/confirmed.h>
#include <events/expired.h>
#include <events/fill.h>
#include <events/instrumentStateEvent.h>
#include <events/level.h>
#include <events/modified.h>
#include <events/rejected.h>
#include <events/trade.h>

#include <string.h>

static void test_the_fast_encoder_writes_the_same(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned which = 0; which < OC_EVENT_COMPLETED; which++) {
        oc_response_t response;
        char general[EVENTS_BYTES_MAX];
        char fast[EVENTS_BYTES_MAX + 1];
        sample_response(&response, which, &seed);
        memset(general, 0x33, sizeof general);
        memset(fast, 0x33, sizeof fast);
        const size_t size = events_encode(&response, general, sizeof general);
        assert_true(size > 0);
        assert_int_equal(events_encode_output(&response.u.output, fast + 1), size);
        assert_memory_equal(fast + 1, general, sizeof general);
    }
    const oc_output_t nothing = {0};
    char bytes[EVENTS_BYTES_MAX];
    assert_int_equal(events_encode_output(&nothing, bytes), 0);
}

static void test_a_trade_has_these_bytes(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        105,  0,    3,    0,    0xFF, 1,    1,    0,    /* header */
        1,    0,    0,    0,    0,    0,    0,    0x81, /* outbound sequence */
        2,    0,    0,    0,    0,    0,    0,    0x82, /* log position */
        3,    0,    0,    0,    0,    0,    0,    0x13, /* engine time */
        4,    0,    0,    0,    5,    0,    0,    0,    /* term, index */
        6,    0,    0,    0,    0,    0,    0,    0x86, /* entry */
        7,    0,    0,    0,    0,    0,    0,    0x87, /* client order id */
        8,    0,    0,    0,    0,    0,    0,    0x88, /* order id */
        9,    0,    0,    0,    10,   0,    0,    0,    /* source, instrument */
        11,   0,    0,    0,    0,    0,    0,    0x1B, /* open */
        12,   0,    0,    0,    0,    0,    0,    0x1C, /* executed */
        0xF3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, /* price */
        14,   0,    0,    0,    0,    0,    0,    0x1E, /* quantity */
        15,   0,    0,    0,    0,    0,    0,    0x8F, /* trade id */
        1,                                              /* side */
    };
    oc_output_t output = {
        .outbound_sequence = UINT64_C(0x8100000000000001),
        .position = UINT64_C(0x8200000000000002),
        .time_ns = INT64_C(0x1300000000000003),
        .term = 4,
        .index = 5,
    };
    oc_event_t *e = &output.event;
    e->type = OC_EVENT_TRADE;
    e->side = OC_SIDE_SELL;
    e->entry = UINT64_C(0x8600000000000006);
    e->client_order_id.value = UINT64_C(0x8700000000000007);
    e->order_id.value = UINT64_C(0x8800000000000008);
    e->source.value = 9;
    e->instrument.value = 10;
    e->open_lots = INT64_C(0x1B0000000000000B);
    e->executed_lots = INT64_C(0x1C0000000000000C);
    e->price_ticks = -13;
    e->quantity_lots = INT64_C(0x1E0000000000000E);
    e->trade_id.value = UINT64_C(0x8F0000000000000F);
    char bytes[EVENTS_BYTES_MAX];
    assert_int_equal(events_encode_output(&output, bytes), sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

/* Every byte of an event is noise; what comes back encodes to the same bytes again. */
static void test_unused_fields_are_not_sent(void **state)
{
    (void)state;
    for (uint8_t type = OC_EVENT_ACCEPTED; type <= OC_EVENT_COMPLETED; type++) {
        oc_output_t noise;
        memset(&noise, 0x77, sizeof noise);
        noise.event.type = type;
        char bytes[EVENTS_BYTES_MAX];
        char again[EVENTS_BYTES_MAX];
        const size_t size = events_encode_output(&noise, bytes);
        oc_response_t response;
        size_t consumed;
        uint16_t template_id;
        assert_int_equal(events_decode(bytes, size, &response, &consumed, &template_id),
                         OC_PROBLEM_NONE);
        assert_memory_not_equal(&response.u.output, &noise, sizeof noise);
        assert_int_equal(events_encode_output(&response.u.output, again), size);
        assert_memory_equal(again, bytes, size);
    }
}

/* The lengths that decoders insist on are those of the schema's first version. */
static void test_shortest_blocks_are_those_of_version_1(void **state)
{
    (void)state;
    const size_t blocks[] = {
        0,
        events_accepted_sbe_block_length(),
        events_rejected_sbe_block_length(),
        events_trade_sbe_block_length(),
        events_fill_sbe_block_length(),
        events_cancelled_sbe_block_length(),
        events_expired_sbe_block_length(),
        events_modified_sbe_block_length(),
        events_level_sbe_block_length(),
        events_instrumentStateEvent_sbe_block_length(),
        events_confirmed_sbe_block_length(),
        events_completed_sbe_block_length(),
        0,
    };
    assert_int_equal(events_accepted_sbe_schema_version(), 1);
    for (unsigned type = 0; type < sizeof blocks / sizeof blocks[0]; type++)
        assert_int_equal(events_output_block(type), blocks[type]);
    assert_int_equal(events_output_block(UINT32_MAX), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_fast_encoder_writes_the_same),
        cmocka_unit_test(test_a_trade_has_these_bytes),
        cmocka_unit_test(test_unused_fields_are_not_sent),
        cmocka_unit_test(test_shortest_blocks_are_those_of_version_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
