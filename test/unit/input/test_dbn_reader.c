/*
 * Databento's DBN: all three versions, every action, every way to be cut or damaged, and the real
 * files' counts.
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

#define METADATA_SIZE 100

typedef struct mbo {
    char action, side;
    uint8_t flags;
    uint32_t size;
    uint64_t order_id;
    int64_t price;
} mbo_t;

static void build_prefix(byte_builder_t *b, uint8_t version, uint16_t schema)
{
    build_text(b, "DBN");
    build_le(b, version, 1);
    build_le(b, METADATA_SIZE, 4);
    build_text(b, "GLBX.MDP3");
    build_zeros(b, 7);
    build_le(b, schema, 2);
    build_zeros(b, METADATA_SIZE - 18);
}

static void build_mbo_at(byte_builder_t *b, const mbo_t *m, uint64_t time_ns)
{
    build_le(b, 14, 1);
    build_le(b, 0xA0, 1);
    build_le(b, 1, 2);
    build_le(b, 5482, 4);
    build_le(b, time_ns, 8);
    build_le(b, m->order_id, 8);
    build_le(b, (uint64_t)m->price, 8);
    build_le(b, m->size, 4);
    build_le(b, m->flags, 1);
    build_le(b, 0, 1);
    build_le(b, (uint8_t)m->action, 1);
    build_le(b, (uint8_t)m->side, 1);
    build_le(b, 99, 8);
    build_le(b, 1, 4);
    build_le(b, 77, 4);
}

static void build_mbo(byte_builder_t *b, const mbo_t *m)
{
    build_mbo_at(b, m, UINT64_C(1609160400000429831));
}

static void build_other(byte_builder_t *b, uint8_t words, uint8_t rtype)
{
    build_le(b, words, 1);
    build_le(b, rtype, 1);
    build_zeros(b, (size_t)words * 4 - 2);
}

static const struct {
    mbo_t mbo;
    flow_kind_t kind;
    oc_side_t side;
} cases[] = {
    {{'A', 'B', 0x80, 3, 11, 5000}, FLOW_NEW, OC_SIDE_BUY},
    {{'A', 'A', 0x00, UINT32_MAX, UINT64_MAX, -1}, FLOW_NEW, OC_SIDE_SELL},
    {{'C', 'A', 0x80, 2, 12, 5000}, FLOW_REDUCE, OC_SIDE_SELL},
    {{'M', 'B', 0x7f, 9, 11, 5001}, FLOW_MODIFY, OC_SIDE_BUY},
    {{'R', 'N', 0xff, 0, 0, INT64_MAX}, FLOW_CLEAR, OC_SIDE_BUY},
    {{'T', 'A', 0x80, 1, 0, 5000}, FLOW_SKIP, OC_SIDE_SELL},
    {{'F', 'B', 0x80, 1, 11, 5000}, FLOW_SKIP, OC_SIDE_BUY},
    {{'N', 'N', 0x80, 0, 0, 0}, FLOW_SKIP, OC_SIDE_BUY},
    {{'A', 'N', 0x80, 1, 13, 5000}, FLOW_SKIP, OC_SIDE_BUY},
    {{'A', 'B', 0x80, 1, 13, INT64_MAX}, FLOW_SKIP, OC_SIDE_BUY},
    {{'M', 'B', 0x80, 1, 13, INT64_MAX}, FLOW_SKIP, OC_SIDE_BUY},
    {{'C', 'N', 0x80, 1, 13, INT64_MAX}, FLOW_REDUCE, OC_SIDE_BUY},
};
#define CASE_COUNT (sizeof cases / sizeof cases[0])

static void test_every_field(void **state)
{
    (void)state;
    for (uint8_t version = 1; version <= 3; version++) {
        byte_builder_t b = {.size = 0};
        build_prefix(&b, version, 0);
        for (size_t i = 0; i < CASE_COUNT; i++) {
            build_mbo(&b, &cases[i].mbo);
        }
        const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
        assert_int_equal(run.status, FLOW_END);
        assert_int_equal(run.format, FLOW_FORMAT_DBN);
        assert_int_equal(run.records, CASE_COUNT);
        for (size_t i = 0; i < CASE_COUNT; i++) {
            const flow_record_t *r = &run.kept[i];
            assert_int_equal(r->kind, cases[i].kind);
            assert_int_equal(r->side, cases[i].side);
            assert_int_equal(r->last_in_event, cases[i].mbo.flags >> 7);
            assert_int_equal(r->quantity, cases[i].mbo.size);
            assert_int_equal(r->order_id, cases[i].mbo.order_id);
            assert_int_equal(r->price_raw, cases[i].mbo.price);
            assert_int_equal(r->time_ns, INT64_C(1609160400000429831));
            assert_int_equal(r->instrument, 5482);
            assert_int_equal(r->sequence, i);
        }
    }
}

static void test_times(void **state)
{
    (void)state;
    const mbo_t *mbo = &cases[0].mbo;
    byte_builder_t b = {.size = 0};
    build_prefix(&b, 1, 0);
    build_mbo_at(&b, mbo, UINT64_MAX);
    build_mbo_at(&b, mbo, INT64_MAX);
    build_mbo_at(&b, mbo, (uint64_t)INT64_MAX + 1);
    const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_int_equal(run.records, 2);
    assert_int_equal(run.kept[0].time_ns, 0);
    assert_int_equal(run.kept[1].time_ns, INT64_MAX);
    assert_string_equal(run.context, "memory: offset 228: record 2: time 9223372036854775808 is "
                                     "past the year 2262");
}

static void test_other_records_are_skipped(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_prefix(&b, 3, UINT16_MAX);
    build_other(&b, 4, 0x15);
    build_mbo(&b, &cases[0].mbo);
    build_other(&b, 255, 0x13);
    const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 3);
    assert_int_equal(run.kinds[FLOW_SKIP], 2);
    assert_int_equal(run.kinds[FLOW_NEW], 1);
    assert_true(run.kept[0].last_in_event);
    assert_int_equal(run.kept[1].record, 1);
}

static void test_no_mbo_at_all(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_prefix(&b, 2, UINT16_MAX);
    build_other(&b, 4, 0x15);
    flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_string_equal(run.context, "memory: offset 124: MBO records (rtype 0xA0) expected, but "
                                     "none of the 1 records is one");
    b.size = 0;
    build_prefix(&b, 2, 4);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_FORMAT);
    assert_string_equal(run.context,
                        "memory: offset 24: schema mbo (0) expected, the file holds trades (4)");
    b.size = 0;
    build_prefix(&b, 2, 500);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_non_null(strstr(run.context, "the file holds another (500)"));
}

static void test_no_records(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_prefix(&b, 2, 0);
    assert_int_equal(flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO).status, FLOW_END);
}

static void test_bad_prefix(void **state)
{
    (void)state;
    const uint8_t versions[] = {0, 4, 255};
    for (size_t i = 0; i < 3; i++) {
        byte_builder_t b = {.size = 0};
        build_prefix(&b, versions[i], 0);
        const flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
        assert_int_equal(run.open_err, OC_ERR_FORMAT);
        assert_non_null(strstr(run.context, "memory: offset 3: DBN version "));
    }
    flow_run_t run = flow_run_memory("DBM\x01zzzz", 8, FLOW_FORMAT_DBN);
    assert_non_null(strstr(run.context, "a DBN file begins with"));
    run = flow_run_memory("DBN\x01\x11\x00\x00\x00zzzzzzzzzzzzzzzzz", 25, FLOW_FORMAT_AUTO);
    assert_non_null(strstr(run.context, "offset 4: the metadata is 17 bytes long, too short"));
    run = flow_run_memory("DBN\x01\xff\xff\xff\xff"
                          "GLBX.MDP3\0\0\0\0\0\0\0\0\0\0",
                          27, FLOW_FORMAT_AUTO);
    assert_int_equal(run.open_err, OC_ERR_TRUNCATED);
    assert_string_equal(run.context, "memory: offset 27: the metadata is 4294967295 bytes long, "
                                     "but the file ends 4294967276 bytes short");
}

static void test_bad_records(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_prefix(&b, 1, 0);
    build_other(&b, 3, 0xA0);
    flow_run_t run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_string_equal(run.context, "memory: offset 108: record 0: a record is at least 16 bytes "
                                     "long, this one says 12");
    b.size = 108;
    build_other(&b, 13, 0xA0);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_string_equal(run.context,
                        "memory: offset 108: an MBO record is 56 bytes long, this one says 52");
    b.size = 108;
    const mbo_t bad = {'A', 'X', 0, 1, 1, 1};
    build_mbo(&b, &bad);
    run = flow_run_memory(b.bytes, b.size, FLOW_FORMAT_AUTO);
    assert_string_equal(run.context, "memory: offset 147: record 0: side A, B or N expected, "
                                     "found byte 0x58");
}

/* The format has no count: a cut between two records cannot be noticed. */
static bool at_record(size_t size)
{
    return size >= 108 && (size - 108) % 56 == 0;
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    byte_builder_t b = {.size = 0};
    build_prefix(&b, 2, 0);
    for (size_t i = 0; i < 3; i++) {
        build_mbo(&b, &cases[i].mbo);
    }
    flow_run_prefixes(b.bytes, b.size, FLOW_FORMAT_DBN, at_record);
    flow_run_prefixes(b.bytes, b.size, FLOW_FORMAT_AUTO, at_record);
    flow_run_flips(b.bytes, b.size, FLOW_FORMAT_DBN);
    flow_run_flips(b.bytes, b.size, FLOW_FORMAT_AUTO);
}

static void test_real_day(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "mbo/esh4-glbx-mdp3-20231225.mbo.dbn.zst")) {
        skip();
    }
    const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_DBN);
    assert_int_equal(run.records, 68792);
    assert_true(run.kinds[FLOW_NEW] > 0 && run.kinds[FLOW_REDUCE] > 0);
    assert_true(run.kinds[FLOW_MODIFY] > 0 && run.kinds[FLOW_SKIP] > 0);
    assert_true(run.not_last > 0 && run.not_last < run.records);
}

static void test_real_versions(void **state)
{
    (void)state;
    const char *const names[] = {"mbo/test_data.mbo.dbn", "mbo/test_data.mbo.v3.dbn"};
    char path[512];
    for (size_t i = 0; i < 2; i++) {
        if (!data_path(path, sizeof path, names[i])) {
            skip();
        }
        const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
        assert_int_equal(run.status, FLOW_END);
        assert_int_equal(run.records, 2);
        assert_int_equal(run.kinds[FLOW_REDUCE], 2);
        assert_int_equal(run.kept[0].price_raw, INT64_C(3722750000000));
        assert_int_equal(run.kept[0].side, OC_SIDE_SELL);
        assert_int_equal(run.kept[0].instrument, 5482);
    }
}

static void test_real_other_schemas(void **state)
{
    (void)state;
    const char *const names[] = {"mbo/test_data.mbp-10.dbn", "mbo/test_data.trades.dbn",
                                 "mbo/definition-glbx-es-fut.dbn.zst"};
    char path[512];
    for (size_t i = 0; i < 3; i++) {
        if (!data_path(path, sizeof path, names[i])) {
            skip();
        }
        const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
        assert_int_equal(run.open_err, OC_ERR_FORMAT);
        assert_non_null(strstr(run.context, "schema mbo (0) expected"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_other_records_are_skipped),
        cmocka_unit_test(test_no_mbo_at_all),
        cmocka_unit_test(test_no_records),
        cmocka_unit_test(test_bad_prefix),
        cmocka_unit_test(test_bad_records),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_real_day),
        cmocka_unit_test(test_real_versions),
        cmocka_unit_test(test_real_other_schemas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
