/*
 * The project's own tape: every cut, every turned bit and every lost, doubled or moved record must
 * be noticed; what is whole must be given back to the byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/tape_own_format.h"
#include "input/tape_writer.h"
#include "lib/flow_run.h"
#include "lib/temp_file.h"

#define HEADER sizeof(tape_own_header_t)
#define RECORD sizeof(tape_own_record_t)
#define COUNT  5
#define SIZE   (HEADER + (COUNT + 1) * RECORD)

static uint8_t tape[SIZE];
static oc_command_t commands[COUNT];

static oc_engine_config_t odd_config(void)
{
    return (oc_engine_config_t){
        .kind = OC_ENGINE_REFERENCE,
        .max_orders = 11,
        .max_levels = 12,
        .max_instruments = 13,
        .max_sources = 14,
        .max_sessions = 15,
        .max_pending = 16,
        .step_bound = 17,
        .modify_priority = OC_PRIORITY_LOSE,
        .hash_key = {UINT64_MAX, 18},
        .event_capacity = 119,
        .verify_touch = true,
    };
}

/* Records a tape through the writer and keeps its bytes. */
static int setup(void **state)
{
    (void)state;
    temp_file_t file;
    temp_file_make(&file);
    const oc_engine_config_t config = odd_config();
    tape_writer_t *writer = NULL;
    if (tape_writer_open(&writer, file.path, &config) != OC_ERR_OK) {
        return -1;
    }
    for (size_t i = 0; i < COUNT; i++) {
        memset(&commands[i], (int)(0xe0 + i), sizeof commands[i]);
        commands[i].time_ns = (int64_t)i - 2;
        commands[i].instrument.value = (uint32_t)i * 1000;
        if (tape_writer_append(writer, &commands[i]) != OC_ERR_OK) {
            return -1;
        }
    }
    if (tape_writer_close(writer) != OC_ERR_OK) {
        return -1;
    }
    const size_t size = temp_file_read(&file, tape, sizeof tape);
    temp_file_remove(&file);
    return size == sizeof tape ? 0 : -1;
}

static void test_every_command(void **state)
{
    (void)state;
    const flow_run_t run = flow_run_memory(tape, SIZE, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.format, FLOW_FORMAT_OWN);
    assert_int_equal(run.records, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(run.kept[i].kind, FLOW_COMMAND);
        assert_memory_equal(&run.kept[i].command, &commands[i], sizeof commands[i]);
        assert_int_equal(run.kept[i].time_ns, (int64_t)i - 2);
        assert_int_equal(run.kept[i].instrument, i * 1000);
        assert_int_equal(run.kept[i].sequence, i);
        assert_true(run.kept[i].last_in_event);
    }
}

static void test_configuration(void **state)
{
    (void)state;
    flow_reader_t *reader = NULL;
    assert_int_equal(flow_reader_open_memory(&reader, "own", tape, SIZE, FLOW_FORMAT_AUTO),
                     OC_ERR_OK);
    const oc_engine_config_t *config = flow_reader_config(reader);
    const oc_engine_config_t expected = odd_config();
    assert_non_null(config);
    assert_int_equal(config->kind, expected.kind);
    assert_int_equal(config->max_orders, expected.max_orders);
    assert_int_equal(config->max_levels, expected.max_levels);
    assert_int_equal(config->max_instruments, expected.max_instruments);
    assert_int_equal(config->max_sources, expected.max_sources);
    assert_int_equal(config->max_sessions, expected.max_sessions);
    assert_int_equal(config->max_pending, expected.max_pending);
    assert_int_equal(config->step_bound, expected.step_bound);
    assert_int_equal(config->modify_priority, expected.modify_priority);
    assert_int_equal(config->hash_key[0], expected.hash_key[0]);
    assert_int_equal(config->hash_key[1], expected.hash_key[1]);
    assert_int_equal(config->event_capacity, expected.event_capacity);
    assert_int_equal(config->verify_touch, expected.verify_touch);
    flow_reader_close(reader);
}

static bool never(size_t size)
{
    (void)size;
    return false;
}

static void test_every_cut_is_noticed(void **state)
{
    (void)state;
    flow_run_prefixes(tape, SIZE, FLOW_FORMAT_OWN, never);
    flow_run_prefixes(tape, SIZE, FLOW_FORMAT_AUTO, never);
    const flow_run_t run = flow_run_memory(tape, SIZE - RECORD, FLOW_FORMAT_OWN);
    assert_int_equal(run.records, COUNT);
    assert_string_equal(run.context, "memory: offset 440: the file ends after 5 commands without "
                                     "an end record: the recording was cut short");
}

static void test_every_bit_is_noticed(void **state)
{
    (void)state;
    assert_int_equal(flow_run_flips(tape, SIZE, FLOW_FORMAT_OWN), 0);
    assert_int_equal(flow_run_flips(tape, SIZE, FLOW_FORMAT_AUTO), 0);
}

static void test_every_byte_value_is_noticed(void **state)
{
    (void)state;
    uint8_t damaged[SIZE];
    for (size_t at = 0; at < SIZE; at++) {
        for (unsigned value = 0; value < 256; value++) {
            memcpy(damaged, tape, SIZE);
            damaged[at] = (uint8_t)value;
            const flow_run_t run = flow_run_memory(damaged, SIZE, FLOW_FORMAT_OWN);
            assert_int_equal(run.status, value == tape[at] ? FLOW_END : FLOW_FAILED);
        }
    }
}

static uint8_t *record_at(uint8_t *bytes, size_t index)
{
    return bytes + HEADER + index * RECORD;
}

static void test_lost_record(void **state)
{
    (void)state;
    for (size_t lost = 0; lost <= COUNT; lost++) {
        uint8_t damaged[SIZE];
        memcpy(damaged, tape, SIZE);
        memmove(record_at(damaged, lost), record_at(damaged, lost + 1), (COUNT - lost) * RECORD);
        const flow_run_t run = flow_run_memory(damaged, SIZE - RECORD, FLOW_FORMAT_OWN);
        assert_int_equal(run.status, FLOW_FAILED);
        assert_int_equal(run.records, lost);
    }
}

static void test_doubled_record(void **state)
{
    (void)state;
    for (size_t twice = 0; twice <= COUNT; twice++) {
        uint8_t damaged[SIZE + RECORD];
        memcpy(damaged, tape, SIZE);
        memmove(record_at(damaged, twice + 1), record_at(damaged, twice),
                (COUNT + 1 - twice) * RECORD);
        const flow_run_t run = flow_run_memory(damaged, SIZE + RECORD, FLOW_FORMAT_OWN);
        assert_int_equal(run.status, FLOW_FAILED);
        assert_int_equal(run.records, twice == COUNT ? COUNT : twice + 1);
    }
}

static void test_swapped_records(void **state)
{
    (void)state;
    for (size_t a = 0; a <= COUNT; a++) {
        for (size_t b = a + 1; b <= COUNT; b++) {
            uint8_t damaged[SIZE];
            memcpy(damaged, tape, SIZE);
            memcpy(record_at(damaged, a), record_at(tape, b), RECORD);
            memcpy(record_at(damaged, b), record_at(tape, a), RECORD);
            const flow_run_t run = flow_run_memory(damaged, SIZE, FLOW_FORMAT_OWN);
            assert_int_equal(run.status, FLOW_FAILED);
            assert_int_equal(run.records, a);
        }
    }
    const flow_run_t run = flow_run_memory(tape, SIZE, FLOW_FORMAT_OWN);
    assert_int_equal(run.status, FLOW_END);
}

static void test_trailing_bytes(void **state)
{
    (void)state;
    uint8_t longer[SIZE + 1] = {0};
    memcpy(longer, tape, SIZE);
    const flow_run_t run = flow_run_memory(longer, sizeof longer, FLOW_FORMAT_OWN);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_string_equal(run.context, "memory: offset 512: bytes follow the end record");
}

/* Damage that has a good checksum is another program's mistake; it is refused all the same. */
static flow_run_t run_with_header(const tape_own_header_t *header)
{
    uint8_t bytes[SIZE];
    tape_own_header_t good = *header;
    good.crc = tape_own_header_crc(&good);
    memcpy(bytes, tape, SIZE);
    memcpy(bytes, &good, sizeof good);
    return flow_run_memory(bytes, SIZE, FLOW_FORMAT_OWN);
}

static void test_wrong_headers(void **state)
{
    (void)state;
    tape_own_header_t good;
    memcpy(&good, tape, sizeof good);
    assert_int_equal(run_with_header(&good).status, FLOW_END);
    tape_own_header_t bad = good;
    bad.version = 2;
    assert_non_null(strstr(run_with_header(&bad).context, "own tape version 2 is not known"));
    bad = good;
    bad.header_length = 88;
    assert_non_null(strstr(run_with_header(&bad).context, "80 bytes long, this one says 88"));
    bad = good;
    bad.verify_touch = 2;
    assert_non_null(
        strstr(run_with_header(&bad).context, "offset 72: verify touch must be 0 or 1"));
}

/* A header whose checksum is right, but whose limits no engine can have. */
static void test_impossible_configurations(void **state)
{
    (void)state;
    tape_own_header_t good;
    memcpy(&good, tape, sizeof good);
    tape_own_header_t bad = good;
    const struct {
        uint32_t *field;
        uint32_t value;
        const char *name;
    } cases[] = {
        {&bad.kind, 2, "kind"},
        {&bad.max_orders, 0, "max_orders"},
        {&bad.max_orders, UINT32_MAX, "max_orders"},
        {&bad.max_levels, 0, "max_levels"},
        {&bad.max_instruments, 65537, "max_instruments"},
        {&bad.max_sources, 0, "max_sources"},
        {&bad.max_sessions, UINT32_MAX, "max_sessions"},
        {&bad.max_pending, 0, "max_pending"},
        {&bad.step_bound, 0, "step_bound"},
        {&bad.modify_priority, 2, "modify_priority"},
        {&bad.event_capacity, 63, "event_capacity"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bad = good;
        *cases[i].field = cases[i].value;
        const flow_run_t run = run_with_header(&bad);
        assert_int_equal(run.open_err, OC_ERR_FORMAT);
        char wanted[128];
        (void)snprintf(wanted, sizeof wanted, "memory: offset 16: engine configuration: %s is %u,",
                       cases[i].name, cases[i].value);
        if (!strstr(run.context, wanted))
            fail_msg("'%s' is not in '%s'", wanted, run.context);
    }
}

static flow_run_t run_with_last(tape_own_record_t record)
{
    uint8_t bytes[SIZE];
    record.crc = tape_own_record_crc(&record, COUNT);
    memcpy(bytes, tape, SIZE);
    memcpy(record_at(bytes, COUNT), &record, sizeof record);
    return flow_run_memory(bytes, SIZE, FLOW_FORMAT_OWN);
}

static void test_wrong_records(void **state)
{
    (void)state;
    tape_own_record_t good;
    memcpy(&good, record_at(tape, COUNT), sizeof good);
    assert_int_equal(run_with_last(good).status, FLOW_END);
    tape_own_record_t bad = good;
    bad.u.end.count = COUNT + 1;
    assert_non_null(strstr(run_with_last(bad).context, "the end record counts 6 commands"));
    bad = good;
    bad.u.end.zero[55] = 1;
    assert_non_null(strstr(run_with_last(bad).context, "reserved bytes"));
    bad = good;
    bad.tag = 3;
    assert_non_null(strstr(run_with_last(bad).context, "record 5 has tag 3"));
    bad = good;
    bad.tag = TAPE_OWN_COMMAND;
    assert_non_null(strstr(run_with_last(bad).context, "after 6 commands without an end record"));
}

/* The page in docs/formats promises these bytes. */
static void test_layout(void **state)
{
    (void)state;
    const uint8_t start[] = {0x8f, 'o', 'c', 't', 'p', '\r', '\n', 0x1a, 1, 0, 0, 0, 80, 0, 0, 0};
    assert_memory_equal(tape, start, sizeof start);
    assert_int_equal(tape[16], OC_ENGINE_REFERENCE);
    assert_int_equal(tape[20], 11);
    assert_int_equal(tape[44], 17);
    assert_int_equal(tape[52], 119);
    assert_int_equal(tape[64], 18);
    assert_int_equal(tape[72], 1);
    assert_memory_equal(tape + HEADER + 8, &commands[0], sizeof commands[0]);
    assert_int_equal(tape[HEADER + 4], TAPE_OWN_COMMAND);
    assert_int_equal(tape[HEADER + COUNT * RECORD + 4], TAPE_OWN_END);
    assert_int_equal(tape[HEADER + COUNT * RECORD + 8], COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command),
        cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_every_cut_is_noticed),
        cmocka_unit_test(test_every_bit_is_noticed),
        cmocka_unit_test(test_every_byte_value_is_noticed),
        cmocka_unit_test(test_lost_record),
        cmocka_unit_test(test_doubled_record),
        cmocka_unit_test(test_swapped_records),
        cmocka_unit_test(test_trailing_bytes),
        cmocka_unit_test(test_wrong_headers),
        cmocka_unit_test(test_impossible_configurations),
        cmocka_unit_test(test_wrong_records),
        cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
