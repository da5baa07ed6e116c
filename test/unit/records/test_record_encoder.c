/*
 * Records as the generated decoder reads them: every field where the schema has it, nothing behind
 * the end, and the lines of orders that are not written with the generated setters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records/record_encoder.h"

#include <records/begin.h>
#include <records/configuration.h>
#include <records/end.h>
#include <records/instruments.h>
#include <records/mark.h>
#include <records/orders.h>
#include <records/pending.h>
#include <records/sessions.h>
#include <records/sourceHwm.h>
#include <records/triggers.h>

#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, FILLER = 0xA5, HEADER = 8 };

static _Alignas(64) uint8_t bytes[ROOM];

static record_room_t fresh_room(uint64_t ordinal)
{
    memset(bytes, FILLER, sizeof bytes);
    return (record_room_t){.bytes = bytes, .length = ROOM, .ordinal = ordinal};
}

static void assert_untouched(size_t from)
{
    for (size_t i = from; i < ROOM; i++)
        assert_int_equal(bytes[i], FILLER);
}

/* `m` is the flyweight of what was encoded. */
#define DECODE(name, length)                                                                       \
    struct records_messageHeader header;                                                           \
    struct records_##name m;                                                                       \
    assert_non_null(records_messageHeader_wrap(&header, (char *)bytes, 0, 1, length));             \
    assert_int_equal(records_messageHeader_schemaId(&header), RECORD_SCHEMA_ID);                   \
    assert_int_equal(records_messageHeader_version(&header), RECORD_SCHEMA_VERSION);               \
    assert_int_equal(records_messageHeader_templateId(&header),                                    \
                     records_##name##_sbe_template_id());                                          \
    assert_non_null(records_##name##_wrap_for_decode(                                              \
        &m, (char *)bytes, HEADER, records_messageHeader_blockLength(&header), 1, length))

#define DECODE_LIST(name, length, entries)                                                         \
    DECODE(name, length);                                                                          \
    struct records_##name##_entries e;                                                             \
    assert_non_null(                                                                               \
        records_##name##_entries_wrap_for_decode(&e, m.buffer, &m.position, 1, length));           \
    assert_int_equal(bytes[18] | bytes[19], 0);                                                    \
    assert_int_equal(records_##name##_entries_count(&e), entries)
#define NEXT(name) assert_non_null(records_##name##_entries_next(&e))

static void begin_and_end(void **state)
{
    (void)state;
    const record_begin_t begin = {
        .place = {.position = 1, .entries = 2, .state_hash = 3, .time_ns = -4, .term = 5},
        .service_time_ns = 6,
        .totals = {.entry = 7,
                   .time_ns = 8,
                   .last_order_id = 9,
                   .last_trade_id = 10,
                   .last_priority = 11,
                   .output = {.sum = 12, .weight = 14},
                   .step_bound = 15,
                   .modify_priority = OC_PRIORITY_LOSE,
                   .restrictions = OC_RESTRICT_ALL},
        .format_version = 16,
        .record_bytes = 17,
        .rules_version = 18,
    };
    const record_room_t room = fresh_room(0);
    const size_t length = record_encode_begin(&room, &begin);
    assert_int_equal(length, HEADER + 129);
    assert_untouched(length);
    DECODE(begin, length);
    assert_int_equal(records_begin_recordOrdinal(&m), 0);
    assert_int_equal(records_begin_logPosition(&m), 1);
    assert_int_equal(records_begin_logEntries(&m), 2);
    assert_int_equal(records_begin_stateHash(&m), 3);
    assert_int_equal(records_begin_logTime(&m), -4);
    assert_int_equal(records_begin_logTerm(&m), 5);
    assert_int_equal(records_begin_serviceTime(&m), 6);
    assert_int_equal(records_begin_entry(&m), 7);
    assert_int_equal(records_begin_engineTime(&m), 8);
    assert_int_equal(records_begin_lastOrderId(&m), 9);
    assert_int_equal(records_begin_lastTradeId(&m), 10);
    assert_int_equal(records_begin_lastPriority(&m), 11);
    assert_int_equal(records_begin_outputSum(&m), 12);
    assert_int_equal(records_begin_outputWeight(&m), 14);
    assert_int_equal(records_begin_stepBound(&m), 15);
    assert_int_equal(bytes[length - 1], OC_PRIORITY_LOSE);
    assert_int_equal(bytes[length - 5], OC_RESTRICT_ALL);
    assert_int_equal(records_begin_formatVersion(&m), 16);
    assert_int_equal(records_begin_recordBytes(&m), 17);
    assert_int_equal(records_begin_rulesVersion(&m), 18);
}

static void end(void **state)
{
    (void)state;
    const record_end_t told = {
        .counts = {1, 2, 3, 4, 5, 6, 7}, .engine_hash = 8, .state_hash = 9, .checksum = 10};
    const record_room_t room = fresh_room(77);
    const size_t length = record_encode_end(&room, &told);
    assert_int_equal(length, HEADER + 84);
    assert_untouched(length);
    DECODE(end, length);
    assert_int_equal(records_end_recordOrdinal(&m), 77);
    assert_int_equal(records_end_instruments(&m), 1);
    assert_int_equal(records_end_sources(&m), 2);
    assert_int_equal(records_end_sessions(&m), 3);
    assert_int_equal(records_end_marks(&m), 4);
    assert_int_equal(records_end_orders(&m), 5);
    assert_int_equal(records_end_triggers(&m), 6);
    assert_int_equal(records_end_pending(&m), 7);
    assert_int_equal(records_end_engineHash(&m), 8);
    assert_int_equal(records_end_stateHash(&m), 9);
    assert_int_equal(records_end_checksum(&m), 10);
}

static void configuration(void **state)
{
    (void)state;
    const record_part_t part = {.total = 50, .offset = 20, .bytes = "configured", .length = 10};
    const record_room_t room = fresh_room(1);
    const size_t length = record_encode_part(&room, &part);
    assert_int_equal(length, HEADER + 16 + 2 + 10);
    assert_untouched(length);
    DECODE(configuration, length);
    assert_int_equal(records_configuration_totalLength(&m), 50);
    assert_int_equal(records_configuration_partOffset(&m), 20);
    assert_int_equal(records_configuration_part_length(&m), 10);
    assert_memory_equal(records_configuration_part(&m), "configured", 10);
    assert_int_equal(record_part_capacity(512), 512 - 26);
    assert_int_equal(record_part_capacity(RECORDS_SIZE_DEFAULT), 4096);
}

static void instruments_and_marks(void **state)
{
    (void)state;
    const oc_instrument_view_t views[2] = {
        {.id = {3},
         .state = OC_STATE_HALTED,
         .price_low_ticks = -5,
         .price_high_ticks = 6,
         .max_quantity_lots = 7,
         .mark_price_ticks = -9,
         .has_mark_price = true},
        {.id = {4}, .state = OC_STATE_PRE_OPEN, .mark_price_ticks = 10, .has_mark_price = true},
    };
    record_room_t room = fresh_room(2);
    size_t length = record_encode_list(&room, RECORD_INSTRUMENTS, views, 2);
    assert_untouched(length);
    {
        DECODE_LIST(instruments, length, 2);
        NEXT(instruments);
        assert_int_equal(records_instruments_entries_instrument(&e), 3);
        assert_int_equal(records_instruments_entries_priceLow(&e), -5);
        assert_int_equal(records_instruments_entries_priceHigh(&e), 6);
        assert_int_equal(records_instruments_entries_maxQuantity(&e), 7);
        assert_int_equal(bytes[24 + 28], OC_STATE_HALTED);
        NEXT(instruments);
        assert_int_equal(records_instruments_entries_instrument(&e), 4);
        assert_int_equal(e.offset + e.block_length, length);
    }
    room = fresh_room(3);
    length = record_encode_list(&room, RECORD_MARK, views, 2);
    assert_untouched(length);
    {
        DECODE_LIST(mark, length, 2);
        NEXT(mark);
        assert_int_equal(records_mark_entries_price(&e), -9);
        assert_int_equal(records_mark_entries_instrument(&e), 3);
        NEXT(mark);
        assert_int_equal(records_mark_entries_price(&e), 10);
        assert_int_equal(e.offset + e.block_length, length);
    }
}

static void sources_and_sessions(void **state)
{
    (void)state;
    const records_source_t source = {.view = {.id = {1},
                                              .roles = 2,
                                              .sequence = 3,
                                              .last_status = OC_REASON_WOULD_CROSS,
                                              .session = {5},
                                              .session_first = {6}},
                                     .outbound_sequence = 7,
                                     .principal = {"somebody"}};
    const records_session_t session = {.id = {8}, .source = {9}, .principal = {"nobody"}};
    record_room_t room = fresh_room(3);
    size_t length = record_encode_list(&room, RECORD_SOURCE_HWM, &source, 1);
    assert_untouched(length);
    {
        DECODE_LIST(sourceHwm, length, 1);
        NEXT(sourceHwm);
        assert_int_equal(records_sourceHwm_entries_source(&e), 1);
        assert_int_equal(records_sourceHwm_entries_sequence(&e), 3);
        assert_int_equal(records_sourceHwm_entries_lastStatus(&e), OC_REASON_WOULD_CROSS);
        assert_int_equal(records_sourceHwm_entries_session(&e), 5);
        assert_int_equal(records_sourceHwm_entries_sessionFirst(&e), 6);
        assert_int_equal(records_sourceHwm_entries_outboundSequence(&e), 7);
        assert_string_equal(records_sourceHwm_entries_principal_buffer(&e), "somebody");
        assert_int_equal(bytes[24 + 36], 2);
    }
    room = fresh_room(4);
    length = record_encode_list(&room, RECORD_SESSIONS, &session, 1);
    assert_untouched(length);
    {
        DECODE_LIST(sessions, length, 1);
        NEXT(sessions);
        assert_int_equal(records_sessions_entries_session(&e), 8);
        assert_int_equal(records_sessions_entries_source(&e), 9);
        assert_string_equal(records_sessions_entries_principal_buffer(&e), "nobody");
    }
}

static void pending(void **state)
{
    (void)state;
    const hash_pending_t work = {.ordinal = 0,
                                 .limit = 1,
                                 .first = 2,
                                 .ended = 3,
                                 .looked_at = UINT64_MAX,
                                 .price_ticks = -5,
                                 .asker = 6,
                                 .source = 7,
                                 .instrument = 8,
                                 .command = 9,
                                 .scope = 10,
                                 .sides = 11,
                                 .side = 12};
    const record_room_t room = fresh_room(4);
    const size_t length = record_encode_list(&room, RECORD_PENDING, &work, 1);
    assert_untouched(length);
    DECODE_LIST(pending, length, 1);
    NEXT(pending);
    assert_int_equal(records_pending_entries_limit(&e), 1);
    assert_int_equal(records_pending_entries_first(&e), 2);
    assert_int_equal(records_pending_entries_ended(&e), 3);
    assert_true(records_pending_entries_lookedAt(&e) == UINT64_MAX);
    assert_int_equal(records_pending_entries_price(&e), -5);
    assert_int_equal(records_pending_entries_asker(&e), 6);
    assert_int_equal(records_pending_entries_source(&e), 7);
    assert_int_equal(records_pending_entries_instrument(&e), 8);
    assert_int_equal(records_pending_entries_command(&e), 9);
    assert_int_equal(records_pending_entries_scope(&e), 10);
    assert_int_equal(records_pending_entries_sides(&e), 11);
    assert_int_equal(records_pending_entries_side(&e), 12);
}

/* What order_window.c relies on: an entry is the struct, but for its last word. */
static void order_offsets(void **state)
{
    (void)state;
#define OFFSET(field) records_orders_entries_##field##_encoding_offset()
    assert_int_equal(OFFSET(clientOrderId), offsetof(engine_order_t, client_order_id));
    assert_int_equal(OFFSET(orderId), offsetof(engine_order_t, order_id));
    assert_int_equal(OFFSET(priority), offsetof(engine_order_t, priority));
    assert_int_equal(OFFSET(price), offsetof(engine_order_t, price_ticks));
    assert_int_equal(OFFSET(open), offsetof(engine_order_t, open_lots));
    assert_int_equal(OFFSET(executed), offsetof(engine_order_t, executed_lots));
    assert_int_equal(OFFSET(source), offsetof(engine_order_t, source));
    assert_int_equal(OFFSET(instrument), offsetof(engine_order_t, instrument));
    assert_int_equal(OFFSET(flags), 56);
    assert_int_equal(OFFSET(side), 60);
    assert_int_equal(OFFSET(timeInForce), 61);
#undef OFFSET
    assert_int_equal(records_orders_entries_sbe_block_length(), RECORD_ORDER_BYTES);
}

static void orders(void **state)
{
    (void)state;
    const engine_order_t book[3] = {
        {1, 2, 3, -4, 5, 6, 7, 8, hash_order_terms(OC_SIDE_BUY, OC_TIF_GTC, 0), 0},
        {UINT64_MAX, 12, 13, 14, 15, 16, 17, 18,
         hash_order_terms(OC_SIDE_SELL, OC_TIF_DAY, OC_FLAG_POST_ONLY), 0},
        {21, 22, 23, 24, 25, 26, 27, 28,
         hash_order_terms(OC_SIDE_SELL, OC_TIF_GTC,
                          OC_FLAG_POST_ONLY | OC_FLAG_CANCEL_ON_DISCONNECT),
         0},
    };
    record_room_t room = fresh_room(9);
    room.bytes = bytes + 40; /* entries on lines */
    room.length = ROOM - 40;
    uint8_t *const lines[3] = {bytes + 64, bytes + 128, bytes + 192};
    record_store_orders(book, lines, 3);
    record_stores_done();
    const size_t length = record_encode_orders_head(&room, 3);
    assert_int_equal(length, 24 + 3 * 64);
    assert_untouched(40 + length);
    memmove(bytes, bytes + 40, length);
    DECODE_LIST(orders, length, 3);
    assert_int_equal(records_orders_recordOrdinal(&m), 9);
    for (int i = 0; i < 3; i++) {
        NEXT(orders);
        enum records_side side = records_side_BUY;
        enum records_timeInForce time_in_force = records_timeInForce_GTC;
        assert_true(records_orders_entries_side(&e, &side));
        assert_true(records_orders_entries_timeInForce(&e, &time_in_force));
        assert_true(records_orders_entries_clientOrderId(&e) == book[i].client_order_id);
        assert_int_equal(records_orders_entries_orderId(&e), book[i].order_id);
        assert_int_equal(records_orders_entries_priority(&e), book[i].priority);
        assert_int_equal(records_orders_entries_price(&e), book[i].price_ticks);
        assert_int_equal(records_orders_entries_open(&e), book[i].open_lots);
        assert_int_equal(records_orders_entries_executed(&e), book[i].executed_lots);
        assert_int_equal(records_orders_entries_source(&e), book[i].source);
        assert_int_equal(records_orders_entries_instrument(&e), book[i].instrument);
        const uint32_t flags = (uint8_t)e.buffer[e.offset + 56];
        assert_int_equal(hash_order_terms(side, time_in_force, flags), book[i].terms);
        assert_int_equal(e.buffer[e.offset + 62], 0);
        assert_int_equal(e.buffer[e.offset + 63], 0);
    }
}

static void capacities(void **state)
{
    (void)state;
    assert_int_equal(record_list_capacity(RECORD_ORDERS, 512), 7);
    assert_int_equal(record_list_capacity(RECORD_ORDERS, 65504), 1023);
    assert_int_equal(record_list_capacity(RECORD_ORDERS, 16 << 20), 262143);
    assert_int_equal(record_list_capacity(RECORD_INSTRUMENTS, 512), 16);
    assert_int_equal(record_list_capacity(RECORD_SOURCE_HWM, 512), 6);
    assert_int_equal(record_list_capacity(RECORD_SESSIONS, 512), 11);
    assert_int_equal(record_list_capacity(RECORD_MARK, 512), 40);
    assert_int_equal(record_list_capacity(RECORD_PENDING, 512), 8);
    assert_string_equal(record_kind_name(RECORD_SOURCE_HWM), "SourceHwm");
    assert_string_equal(record_kind_name(RECORD_END), "End");
    assert_string_equal(record_kind_name(11), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begin_and_end),        cmocka_unit_test(end),
        cmocka_unit_test(configuration),        cmocka_unit_test(instruments_and_marks),
        cmocka_unit_test(sources_and_sessions), cmocka_unit_test(pending),
        cmocka_unit_test(order_offsets),        cmocka_unit_test(orders),
        cmocka_unit_test(capacities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
