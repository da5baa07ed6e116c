/*
 * ITCH 5.0: every message type and length, every way to be cut or damaged, and the real files.
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

/* The specification's lengths, written down a second time. */
static const struct {
    char type;
    uint8_t length;
    flow_kind_t kind;
} types[] = {
    {'S', 12, FLOW_SKIP},    {'R', 39, FLOW_SKIP},    {'H', 25, FLOW_SKIP},
    {'Y', 20, FLOW_SKIP},    {'L', 26, FLOW_SKIP},    {'V', 35, FLOW_SKIP},
    {'W', 12, FLOW_SKIP},    {'K', 28, FLOW_SKIP},    {'J', 35, FLOW_SKIP},
    {'h', 21, FLOW_SKIP},    {'A', 36, FLOW_NEW},     {'F', 40, FLOW_NEW},
    {'E', 31, FLOW_EXECUTE}, {'C', 36, FLOW_EXECUTE}, {'X', 23, FLOW_REDUCE},
    {'D', 19, FLOW_CANCEL},  {'U', 35, FLOW_REPLACE}, {'P', 44, FLOW_SKIP},
    {'Q', 40, FLOW_SKIP},    {'B', 19, FLOW_SKIP},    {'I', 50, FLOW_SKIP},
    {'N', 20, FLOW_SKIP},    {'O', 48, FLOW_SKIP},
};
#define TYPE_COUNT (sizeof types / sizeof types[0])

/* Length, type, locate 513, tracking, time, and the order reference where there is room. */
static void build_start(byte_builder_t *b, char type, uint16_t length)
{
    build_be(b, length, 2);
    build_be(b, (uint8_t)type, 1);
    build_be(b, 513, 2);
    build_be(b, 7, 2);
    build_be(b, UINT64_C(0x1F1ACED9F000), 6);
}

static void build_add(byte_builder_t *b, char type, char side)
{
    build_start(b, type, type == 'A' ? 36 : 40);
    build_be(b, UINT64_C(0x0102030405060708), 8);
    build_be(b, (uint8_t)side, 1);
    build_be(b, 0xfffffffe, 4);
    build_text(b, "AAPL    ");
    build_be(b, 1500200, 4);
    if (type == 'F') {
        build_text(b, "NSDQ");
    }
}

static byte_builder_t small_file(void)
{
    byte_builder_t b = {.size = 0};
    build_start(&b, 'S', 12);
    build_text(&b, "O");
    build_add(&b, 'A', 'B');
    build_add(&b, 'F', 'S');
    build_start(&b, 'E', 31);
    build_be(&b, 21, 8);
    build_be(&b, 22, 4);
    build_be(&b, 23, 8);
    build_start(&b, 'C', 36);
    build_be(&b, 31, 8);
    build_be(&b, 32, 4);
    build_be(&b, 33, 8);
    build_text(&b, "Y");
    build_be(&b, 34, 4);
    build_start(&b, 'X', 23);
    build_be(&b, 41, 8);
    build_be(&b, 42, 4);
    build_start(&b, 'D', 19);
    build_be(&b, UINT64_MAX, 8);
    build_start(&b, 'U', 35);
    build_be(&b, 61, 8);
    build_be(&b, 62, 8);
    build_be(&b, 63, 4);
    build_be(&b, 64, 4);
    return b;
}

static void check_record(const flow_record_t *r, flow_kind_t kind, uint64_t id, int64_t quantity,
                         int64_t price)
{
    assert_int_equal(r->kind, kind);
    assert_int_equal(r->order_id, id);
    assert_int_equal(r->quantity, quantity);
    assert_int_equal(r->price_raw, price);
    assert_int_equal(r->instrument, 513);
    assert_int_equal(r->time_ns, INT64_C(0x1F1ACED9F000));
    assert_int_equal(r->sequence, r->record);
    assert_true(r->last_in_event);
}

static void test_every_field(void **state)
{
    (void)state;
    const byte_builder_t b = small_file();
    const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_ITCH);
    assert_int_equal(run.records, 8);
    check_record(&run.kept[0], FLOW_SKIP, 0, 0, 0);
    check_record(&run.kept[1], FLOW_NEW, UINT64_C(0x0102030405060708), 0xfffffffe, 1500200);
    check_record(&run.kept[2], FLOW_NEW, UINT64_C(0x0102030405060708), 0xfffffffe, 1500200);
    assert_int_equal(run.kept[1].side, OC_SIDE_BUY);
    assert_int_equal(run.kept[2].side, OC_SIDE_SELL);
    check_record(&run.kept[3], FLOW_EXECUTE, 21, 22, 0);
    check_record(&run.kept[4], FLOW_EXECUTE, 31, 32, 0);
    check_record(&run.kept[5], FLOW_REDUCE, 41, 42, 0);
    check_record(&run.kept[6], FLOW_CANCEL, UINT64_MAX, 0, 0);
    check_record(&run.kept[7], FLOW_REPLACE, 61, 63, 64);
    assert_int_equal(run.kept[7].new_order_id, 62);
}

static void test_every_type_and_length(void **state)
{
    (void)state;
    for (unsigned letter = 0; letter < 256; letter++) {
        uint8_t right = 0;
        flow_kind_t kind = FLOW_SKIP;
        for (size_t i = 0; i < TYPE_COUNT; i++) {
            if ((uint8_t)types[i].type == letter) {
                right = types[i].length;
                kind = types[i].kind;
            }
        }
        for (unsigned length = 1; length < 300; length++) {
            byte_builder_t b = {.size = 0};
            build_be(&b, length, 2);
            build_be(&b, letter, 1);
            build_zeros(&b, length - 1);
            if (kind == FLOW_NEW && length == right) {
                b.bytes[2 + 19] = 'S';
            }
            const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_ITCH);
            assert_int_equal(run.status, length == right ? FLOW_END : FLOW_FAILED);
            assert_int_equal(run.kinds[kind], length == right);
        }
    }
}

static void test_messages_of_errors(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_start(&b, 'S', 12);
    build_text(&b, "O");
    build_start(&b, 'A', 20);
    build_zeros(&b, 20);
    flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_string_equal(run.context, "memory: offset 14: message type 'A' is 36 bytes long, its "
                                     "length field says 20");
    b.size = 14;
    build_start(&b, 'z', 12);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_string_equal(run.context,
                        "memory: offset 16: byte 0x7a is not an ITCH 5.0 message type");
    b.size = 14;
    build_add(&b, 'A', 'b');
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_string_equal(run.context,
                        "memory: offset 35: message 1: side B or S expected, found byte 0x62");
}

static void test_unframed(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_add(&b, 'A', 'B');
    flow_run_t run = flow_run_memory(b.bytes + 2, b.size - 2, FLOW_FORMAT_ITCH);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_non_null(strstr(run.context, "expected is a 2-byte big-endian length"));
    run = flow_run_memory(b.bytes + 2, b.size - 2, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    assert_non_null(strstr(run.context, "a 2-byte big-endian length before each message"));
}

static void test_end_mark(void **state)
{
    (void)state;
    byte_builder_t b = small_file();
    build_be(&b, 0, 2);
    flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 8);
    build_be(&b, 0, 1);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_non_null(strstr(run.context, "a length of 0 ends the file, but more bytes follow"));
}

/* The format has no count: a cut between two messages cannot be noticed. */
static bool at_message(size_t size)
{
    const byte_builder_t b = small_file();
    size_t at = 0;
    while (at < size) {
        at += 2 + (size_t)b.bytes[at + 1];
    }
    return at == size;
}

static bool at_message_but_start(size_t size)
{
    return size > 0 && at_message(size);
}

static void test_damage(void **state)
{
    (void)state;
    const byte_builder_t b = small_file();
    flow_run_prefixes(b.bytes, b.size, FLOW_FORMAT_ITCH, at_message);
    flow_run_prefixes(b.bytes, b.size, FLOW_FORMAT_AUTO, at_message_but_start);
    flow_run_flips(b.bytes, b.size, FLOW_FORMAT_ITCH);
    flow_run_flips(b.bytes, b.size, FLOW_FORMAT_AUTO);
}

static void test_real_file(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "itch/nasdaq50_first1000_BBekele.itch")) {
        skip();
    }
    const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_ITCH);
    assert_int_equal(run.records, 1000);
    assert_int_equal(run.kinds[FLOW_SKIP], 1000);
}

/* Counts letters by the length fields alone, beside the reader. */
static void test_real_types(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "itch/nasdaq50_first1000_BBekele.itch")) {
        skip();
    }
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned counts[256] = {0};
    for (int high; (high = fgetc(file)) != EOF;) {
        const int length = high << 8 | fgetc(file);
        counts[fgetc(file) & 0xff]++;
        fseek(file, length - 1, SEEK_CUR);
    }
    fclose(file);
    assert_int_equal(counts['S'], 1);
    assert_int_equal(counts['R'], 993);
    assert_int_equal(counts['H'], 3);
    assert_int_equal(counts['Y'], 3);
}

static void test_real_synthetic(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "itch/synthetic_tiny_fastbook.itch")) {
        skip();
    }
    flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 7);
    assert_int_equal(run.kinds[FLOW_NEW], 4);
    assert_int_equal(run.kinds[FLOW_REDUCE], 1);
    assert_int_equal(run.kinds[FLOW_REPLACE], 1);
    assert_int_equal(run.kinds[FLOW_CANCEL], 1);
    if (!data_path(path, sizeof path, "itch/synthetic_unframed_EricSpencer.itch")) {
        skip();
    }
    run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    run = flow_run_file(path, FLOW_FORMAT_ITCH);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_int_equal(run.records, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),        cmocka_unit_test(test_every_type_and_length),
        cmocka_unit_test(test_messages_of_errors), cmocka_unit_test(test_unframed),
        cmocka_unit_test(test_end_mark),           cmocka_unit_test(test_damage),
        cmocka_unit_test(test_real_file),          cmocka_unit_test(test_real_types),
        cmocka_unit_test(test_real_synthetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
