/*
 * The benchmark's tape: every field, every way to be cut or damaged, and the real file's counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "lib/byte_builder.h"
#include "lib/data_path.h"
#include "lib/flow_run.h"

#define MAGIC UINT64_C(0x4D4542575F303031)

typedef struct message {
    uint8_t type, side, ioc;
    uint32_t quantity;
    uint64_t sequence, order_id;
    int64_t price;
} message_t;

static const message_t messages[] = {
    {0, 0, 0, 88, 0, 1001, 33721},
    {0, 1, 1, UINT32_MAX, 1, UINT64_MAX, -5},
    {1, 0, 0, 0, 2, 1001, 0},
    {2, 1, 0, 7, UINT64_MAX, 1002, INT64_MIN},
};
#define MESSAGE_COUNT (sizeof messages / sizeof messages[0])

static void build_header(byte_builder_t *b, uint64_t magic, uint32_t version, uint32_t count)
{
    build_le(b, magic, 8);
    build_le(b, version, 4);
    build_le(b, count, 4);
}

static void build_message(byte_builder_t *b, const message_t *m)
{
    build_le(b, m->type, 1);
    build_le(b, m->side, 1);
    build_le(b, m->ioc, 1);
    build_le(b, 0, 1);
    build_le(b, m->quantity, 4);
    build_le(b, m->sequence, 8);
    build_le(b, m->order_id, 8);
    build_le(b, (uint64_t)m->price, 8);
    build_le(b, 0, 8);
}

static byte_builder_t small_tape(void)
{
    byte_builder_t b = {.size = 0};
    build_header(&b, MAGIC, 1, MESSAGE_COUNT);
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        build_message(&b, &messages[i]);
    }
    return b;
}

static void test_every_field(void **state)
{
    (void)state;
    const flow_kind_t kinds[] = {FLOW_NEW, FLOW_NEW, FLOW_CANCEL, FLOW_MODIFY};
    const byte_builder_t b = small_tape();
    const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_TAPE);
    assert_int_equal(run.records, MESSAGE_COUNT);
    assert_int_equal(run.not_last, 0);
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        const flow_record_t *r = &run.kept[i];
        assert_int_equal(r->kind, kinds[i]);
        assert_int_equal(r->side, messages[i].side);
        assert_int_equal(r->time_in_force, messages[i].ioc ? OC_TIF_IOC : OC_TIF_GTC);
        assert_int_equal(r->quantity, messages[i].quantity);
        assert_int_equal(r->sequence, messages[i].sequence);
        assert_int_equal(r->order_id, messages[i].order_id);
        assert_int_equal(r->price_raw, messages[i].price);
        assert_int_equal(r->record, i);
        assert_int_equal(r->time_ns, 0);
        assert_int_equal(r->instrument, 0);
        assert_int_equal(r->new_order_id, 0);
    }
}

static void test_no_messages(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_header(&b, MAGIC, 1, 0);
    const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 0);
}

static void test_bad_header(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_header(&b, MAGIC + 1, 1, 0);
    flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_TAPE);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    assert_non_null(strstr(run.context, "memory: offset 0: a tape begins with"));
    b.size = 0;
    build_header(&b, MAGIC, 2, 0);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    assert_string_equal(run.context, "memory: offset 8: tape version 2 is not known, only 1 is");
}

static void test_bad_fields(void **state)
{
    (void)state;
    const message_t bad[] = {{3, 0, 0, 1, 0, 1, 1}, {0, 2, 0, 1, 0, 1, 1}, {0, 0, 2, 1, 0, 1, 1}};
    for (size_t i = 0; i < 3; i++) {
        byte_builder_t b = {.size = 0};
        build_header(&b, MAGIC, 1, 2);
        build_message(&b, &messages[0]);
        build_message(&b, &bad[i]);
        const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_TAPE);
        assert_int_equal(run.status, FLOW_FAILED);
        assert_int_equal(run.records, 1);
        assert_non_null(strstr(run.context, "memory: offset 56: message 1 has type"));
    }
}

static void test_trailing_byte(void **state)
{
    (void)state;
    byte_builder_t b = small_tape();
    build_le(&b, 0, 1);
    const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_TAPE);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_int_equal(run.records, MESSAGE_COUNT);
    assert_string_equal(run.context, "memory: offset 176: bytes follow the 4 messages that the "
                                     "header promises");
}

static bool never(size_t size)
{
    (void)size;
    return false;
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    const byte_builder_t b = small_tape();
    flow_run_prefixes(b.bytes, b.size, FLOW_FORMAT_TAPE, never);
    flow_run_prefixes(b.bytes, b.size, FLOW_FORMAT_AUTO, never);
    const flow_run_t run = flow_run_memory(b.bytes, b.size - 1, FLOW_FORMAT_TAPE);
    assert_string_equal(run.context, "memory: offset 136: the file ends in message 3 of the 4 that "
                                     "the header promises");
}

/* A tape has no checksum: most turned bits are other messages, none is a crash. */
static void test_turned_bits(void **state)
{
    (void)state;
    const byte_builder_t b = small_tape();
    assert_true(flow_run_flips(b.bytes, b.size, FLOW_FORMAT_TAPE) < b.size * 8);
    flow_run_flips(b.bytes, b.size, FLOW_FORMAT_AUTO);
}

static void test_real_tape(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "matching/normal.bin.xz")) {
        skip();
    }
    const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_TAPE);
    assert_int_equal(run.records, 1996097);
    assert_int_equal(run.kinds[FLOW_NEW], 1000000);
    assert_int_equal(run.iocs, 150234);
    assert_int_equal(run.kinds[FLOW_CANCEL], 823422);
    assert_int_equal(run.kinds[FLOW_MODIFY], 172675);
}

static void test_real_first_20000(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "matching/normal_first20000.bin")) {
        skip();
    }
    const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),      cmocka_unit_test(test_no_messages),
        cmocka_unit_test(test_bad_header),       cmocka_unit_test(test_bad_fields),
        cmocka_unit_test(test_trailing_byte),    cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_turned_bits),      cmocka_unit_test(test_real_tape),
        cmocka_unit_test(test_real_first_20000),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
