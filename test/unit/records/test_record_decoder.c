/*
 * Records decoded: what was encoded comes back; a newer version's longer blocks and entries are
 * skipped; lengths, counts and values that cannot be are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records/record_decoder.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1024, VERSION_AT = 6, ENTRIES_AT = 24 };

/* A record in memory of just its size, so that a sanitizer sees a step too far. */
typedef struct sample {
    uint8_t *bytes;
    size_t length;
} sample_t;

static sample_t sample_of(const uint8_t *bytes, size_t length)
{
    sample_t sample = {.bytes = malloc(length + 1), .length = length};
    assert_non_null(sample.bytes);
    memcpy(sample.bytes, bytes, length);
    return sample;
}

static sample_t list_sample(record_kind_t kind, const void *items, uint32_t count)
{
    uint8_t bytes[ROOM];
    const record_room_t room = {.bytes = bytes, .length = ROOM, .ordinal = 5};
    return sample_of(bytes, record_encode_list(&room, kind, items, count));
}

static const record_begin_t some_begin = {
    .place = {.position = 1, .entries = 2, .state_hash = 3, .time_ns = 4, .term = 5},
    .service_time_ns = 6,
    .totals = {.entry = 7, .step_bound = 64, .restrictions = OC_RESTRICT_STORAGE},
    .format_version = RECORD_FORMAT_VERSION,
    .record_bytes = 512,
    .rules_version = OC_RULES_VERSION,
};

static sample_t begin_sample(const record_begin_t *begin)
{
    uint8_t bytes[ROOM];
    const record_room_t room = {.bytes = bytes, .length = ROOM};
    return sample_of(bytes, record_encode_begin(&room, begin));
}

static const oc_instrument_view_t two_instruments[2] = {
    {.id = {1},
     .state = OC_STATE_HALTED,
     .price_low_ticks = -3,
     .price_high_ticks = 9,
     .max_quantity_lots = 4},
    {.id = {2},
     .state = OC_STATE_CLOSED,
     .price_low_ticks = -4,
     .price_high_ticks = 8,
     .max_quantity_lots = 5},
};

static void put_u16(sample_t *sample, size_t at, uint16_t value)
{
    memcpy(sample->bytes + at, &value, sizeof value);
}

static void begin_comes_back(void **state)
{
    (void)state;
    sample_t sample = begin_sample(&some_begin);
    record_frame_t frame;
    record_begin_t begin;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(frame.kind, RECORD_BEGIN);
    assert_int_equal(frame.ordinal, 0);
    assert_int_equal(record_decode_begin(&frame, &begin), OC_ERR_OK);
    assert_int_equal(begin.place.position, 1);
    assert_int_equal(begin.place.entries, 2);
    assert_int_equal(begin.place.state_hash, 3);
    assert_int_equal(begin.place.time_ns, 4);
    assert_int_equal(begin.place.term, 5);
    assert_int_equal(begin.service_time_ns, 6);
    assert_int_equal(begin.totals.entry, 7);
    assert_int_equal(begin.totals.restrictions, OC_RESTRICT_STORAGE);
    free(sample.bytes);
}

static void assert_begin_refused(record_begin_t begin, oc_err_t err, const char *text)
{
    sample_t sample = begin_sample(&begin);
    record_frame_t frame;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(record_decode_begin(&frame, &begin), err);
    assert_non_null(strstr(oc_err_context(), text));
    free(sample.bytes);
}

static void begins_that_cannot_be(void **state)
{
    (void)state;
    record_begin_t begin = some_begin;
    begin.format_version = 2;
    assert_begin_refused(begin, OC_ERR_FORMAT, "format version 2");
    begin = some_begin;
    begin.rules_version = 9;
    assert_begin_refused(begin, OC_ERR_FORMAT, "rules version 9");
    begin = some_begin;
    begin.record_bytes = 511;
    assert_begin_refused(begin, OC_ERR_DAMAGED, "511");
    begin.record_bytes = RECORDS_SIZE_MAX + 1;
    assert_begin_refused(begin, OC_ERR_DAMAGED, "16777217");
    begin = some_begin;
    begin.totals.step_bound = 0;
    assert_begin_refused(begin, OC_ERR_DAMAGED, "step bound 0");
    begin = some_begin;
    begin.totals.modify_priority = 2;
    assert_begin_refused(begin, OC_ERR_FORMAT, "modify priority 2");
    begin = some_begin;
    begin.totals.restrictions = 8;
    assert_begin_refused(begin, OC_ERR_FORMAT, "restrictions 0x8");
}

static void newer_versions_are_skipped(void **state)
{
    (void)state;
    enum { ENTRY = 29, LONGER = 40, BLOCK = 12 };
    sample_t sample = list_sample(RECORD_INSTRUMENTS, two_instruments, 2);
    /* The same with a block of 12 bytes, entries of 40, and something new behind. */
    uint8_t newer[ROOM];
    memset(newer, 0xEE, sizeof newer);
    memcpy(newer, sample.bytes, 16);
    memcpy(newer + 8 + BLOCK, sample.bytes + 16, 8);
    for (size_t i = 0; i < 2; i++)
        memcpy(newer + 8 + BLOCK + 8 + i * LONGER, sample.bytes + ENTRIES_AT + i * ENTRY, ENTRY);
    sample_t long_sample = sample_of(newer, 8 + BLOCK + 8 + 2 * LONGER + 6);
    put_u16(&long_sample, 0, BLOCK);
    put_u16(&long_sample, VERSION_AT, 2);
    put_u16(&long_sample, 8 + BLOCK, LONGER);
    record_frame_t frame;
    oc_instrument_view_t view;
    assert_int_equal(record_open(&frame, long_sample.bytes, long_sample.length), OC_ERR_OK);
    assert_int_equal(frame.count, 2);
    assert_int_equal(record_decode_instrument(&frame, 1, &view), OC_ERR_OK);
    assert_int_equal(view.id.value, 2);
    assert_int_equal(view.price_low_ticks, -4);
    assert_int_equal(view.state, OC_STATE_CLOSED);
    /* In version 1 nothing may come behind. */
    put_u16(&long_sample, VERSION_AT, 1);
    assert_int_equal(record_open(&frame, long_sample.bytes, long_sample.length), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "behind its end"));
    free(long_sample.bytes);
    free(sample.bytes);
}

static void assert_refused(sample_t *sample, oc_err_t err, const char *text)
{
    record_frame_t frame;
    assert_int_equal(record_open(&frame, sample->bytes, sample->length), err);
    assert_non_null(strstr(oc_err_context(), text));
}

static void headers_that_cannot_be(void **state)
{
    (void)state;
    sample_t sample = list_sample(RECORD_INSTRUMENTS, two_instruments, 2);
    put_u16(&sample, 4, 511);
    assert_refused(&sample, OC_ERR_FORMAT, "schema 511");
    put_u16(&sample, 4, 512);
    put_u16(&sample, VERSION_AT, 0);
    assert_refused(&sample, OC_ERR_FORMAT, "version 0");
    put_u16(&sample, VERSION_AT, 3);
    put_u16(&sample, 2, 11);
    assert_refused(&sample, OC_ERR_FORMAT, "message 11 of version 3");
    put_u16(&sample, 2, 0);
    assert_refused(&sample, OC_ERR_FORMAT, "message 0");
    put_u16(&sample, VERSION_AT, 1);
    put_u16(&sample, 2, RECORD_INSTRUMENTS);
    put_u16(&sample, 0, 7);
    assert_refused(&sample, OC_ERR_DAMAGED, "block of 7");
    put_u16(&sample, 0, 65535);
    assert_refused(&sample, OC_ERR_DAMAGED, "block of 65535");
    put_u16(&sample, 0, 8);
    put_u16(&sample, 16, 28);
    assert_refused(&sample, OC_ERR_DAMAGED, "entries of 28 bytes");
    put_u16(&sample, 16, 29);
    put_u16(&sample, 22, 65535); /* count */
    assert_refused(&sample, OC_ERR_DAMAGED, "needs");
    put_u16(&sample, 22, 0);
    put_u16(&sample, 20, 0);
    assert_refused(&sample, OC_ERR_DAMAGED, "without entries");
    put_u16(&sample, 20, 2);
    for (size_t length = 0; length < sample.length; length++) {
        sample_t cut = sample_of(sample.bytes, length);
        record_frame_t frame;
        assert_int_equal(record_open(&frame, cut.bytes, cut.length), OC_ERR_DAMAGED);
        free(cut.bytes);
    }
    record_frame_t frame;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    free(sample.bytes);
}

static void parts(void **state)
{
    (void)state;
    uint8_t bytes[ROOM];
    const record_room_t room = {.bytes = bytes, .length = ROOM, .ordinal = 1};
    const record_part_t in = {.total = 30, .offset = 20, .bytes = "0123456789", .length = 10};
    sample_t sample = sample_of(bytes, record_encode_part(&room, &in));
    record_frame_t frame;
    record_part_t part;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(record_decode_part(&frame, &part), OC_ERR_OK);
    assert_int_equal(part.total, 30);
    assert_int_equal(part.offset, 20);
    assert_int_equal(part.length, 10);
    assert_memory_equal(part.bytes, "0123456789", 10);
    put_u16(&sample, 20, 21); /* offset + length beyond the total */
    assert_int_equal(record_decode_part(&frame, &part), OC_ERR_DAMAGED);
    put_u16(&sample, 20, 20);
    put_u16(&sample, 16, 4097);
    assert_int_equal(record_decode_part(&frame, &part), OC_ERR_DAMAGED);
    put_u16(&sample, 16, 4000);
    put_u16(&sample, 24, 11); /* longer than the record */
    assert_int_equal(record_decode_part(&frame, &part), OC_ERR_DAMAGED);
    put_u16(&sample, 24, 9); /* shorter than the record */
    assert_int_equal(record_decode_part(&frame, &part), OC_ERR_DAMAGED);
    free(sample.bytes);
}

static void sources_sessions_marks(void **state)
{
    (void)state;
    records_source_t source = {.view = {.id = {4}, .roles = OC_ROLES_ALL, .sequence = 1},
                               .principal = {"1234567890123456789012345678901"}};
    sample_t sample = list_sample(RECORD_SOURCE_HWM, &source, 1);
    record_frame_t frame;
    records_source_t got;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(record_decode_source(&frame, 0, &got), OC_ERR_OK);
    assert_memory_equal(&got.principal, &source.principal, sizeof got.principal);
    sample.bytes[ENTRIES_AT + 40 + 31] = 'x'; /* no zero at the end */
    assert_int_equal(record_decode_source(&frame, 0, &got), OC_ERR_DAMAGED);
    sample.bytes[ENTRIES_AT + 40 + 31] = 0;
    sample.bytes[ENTRIES_AT + 40 + 3] = 0; /* something behind the end */
    assert_int_equal(record_decode_source(&frame, 0, &got), OC_ERR_DAMAGED);
    sample.bytes[ENTRIES_AT + 40 + 3] = '4';
    sample.bytes[ENTRIES_AT + 36] = 16; /* a role that is none */
    assert_int_equal(record_decode_source(&frame, 0, &got), OC_ERR_FORMAT);
    sample.bytes[ENTRIES_AT + 36] = 1;
    sample.bytes[ENTRIES_AT + 72] = OC_REASON_COUNT;
    assert_int_equal(record_decode_source(&frame, 0, &got), OC_ERR_FORMAT);
    free(sample.bytes);

    const records_session_t session = {.id = {9}, .source = {3}, .principal = {"p"}};
    sample = list_sample(RECORD_SESSIONS, &session, 1);
    records_session_t got_session;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(record_decode_session(&frame, 0, &got_session), OC_ERR_OK);
    assert_int_equal(got_session.id.value, 9);
    assert_int_equal(got_session.source.value, 3);
    assert_memory_equal(&got_session.principal, &session.principal, sizeof session.principal);
    free(sample.bytes);

    const oc_instrument_view_t mark = {.id = {9}, .mark_price_ticks = -3, .has_mark_price = true};
    sample = list_sample(RECORD_MARK, &mark, 1);
    oc_instrument_view_t got_mark;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    record_decode_mark(&frame, 0, &got_mark);
    assert_int_equal(got_mark.id.value, 9);
    assert_int_equal(got_mark.mark_price_ticks, -3);
    assert_true(got_mark.has_mark_price);
    free(sample.bytes);
}

static void orders_and_pending(void **state)
{
    (void)state;
    static _Alignas(64) uint8_t bytes[ROOM];
    const engine_order_t order = {
        1,  2, 3,
        -4, 5, 6,
        7,  8, hash_order_terms(OC_SIDE_SELL, OC_TIF_DAY, OC_FLAG_CANCEL_ON_DISCONNECT),
        0};
    const record_room_t room = {.bytes = bytes + 40, .length = 88, .ordinal = 1};
    uint8_t *const line = bytes + 64;
    record_store_orders(&order, &line, 1);
    record_stores_done();
    sample_t sample = sample_of(room.bytes, record_encode_orders_head(&room, 1));
    record_frame_t frame;
    engine_order_t got;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(record_decode_order(&frame, 0, &got), OC_ERR_OK);
    assert_memory_equal(&got, &order, sizeof got);
    static const size_t places[] = {56, 59, 60, 61};
    static const uint8_t bad[] = {4, 1, 2, 2};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const uint8_t good = sample.bytes[ENTRIES_AT + places[i]];
        sample.bytes[ENTRIES_AT + places[i]] = bad[i];
        assert_int_equal(record_decode_order(&frame, 0, &got), OC_ERR_FORMAT);
        assert_non_null(strstr(oc_err_context(), "order 2"));
        sample.bytes[ENTRIES_AT + places[i]] = good;
    }
    for (size_t place = 62; place < 64; place++) { /* spare: no checksum covers them */
        sample.bytes[ENTRIES_AT + place] = 1;
        assert_int_equal(record_decode_order(&frame, 0, &got), OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "spare"));
        sample.bytes[ENTRIES_AT + place] = 0;
    }
    assert_int_equal(record_decode_order(&frame, 0, &got), OC_ERR_OK);
    assert_int_equal(record_checked_bytes(&frame), 24);
    free(sample.bytes);

    const hash_pending_t work = {.limit = 1,
                                 .first = 2,
                                 .ended = 3,
                                 .looked_at = 4,
                                 .price_ticks = 5,
                                 .asker = 6,
                                 .source = 7,
                                 .instrument = 8,
                                 .command = 9,
                                 .scope = 10,
                                 .sides = 11,
                                 .side = 12};
    sample = list_sample(RECORD_PENDING, &work, 1);
    hash_pending_t got_work;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    assert_int_equal(record_checked_bytes(&frame), sample.length);
    record_decode_pending(&frame, 0, &got_work);
    assert_memory_equal(&got_work, &work, sizeof work);
    free(sample.bytes);
}

static void ends(void **state)
{
    (void)state;
    uint8_t bytes[ROOM];
    const record_room_t room = {.bytes = bytes, .length = ROOM, .ordinal = 8};
    const record_end_t in = {
        .counts = {1, 2, 3, 4, 5, 6, 7}, .engine_hash = 8, .state_hash = 9, .checksum = 10};
    sample_t sample = sample_of(bytes, record_encode_end(&room, &in));
    record_frame_t frame;
    record_end_t end;
    assert_int_equal(record_open(&frame, sample.bytes, sample.length), OC_ERR_OK);
    record_decode_end(&frame, &end);
    assert_memory_equal(&end.counts, &in.counts, sizeof end.counts);
    assert_int_equal(end.engine_hash, 8);
    assert_int_equal(end.state_hash, 9);
    assert_int_equal(end.checksum, 10);
    free(sample.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begin_comes_back),
        cmocka_unit_test(begins_that_cannot_be),
        cmocka_unit_test(newer_versions_are_skipped),
        cmocka_unit_test(headers_that_cannot_be),
        cmocka_unit_test(parts),
        cmocka_unit_test(sources_sessions_marks),
        cmocka_unit_test(orders_and_pending),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
