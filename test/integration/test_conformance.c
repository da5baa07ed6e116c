/*
 * Public conformance suites against both engines: the benchmark tape and its published report text,
 * the 22 hand-made cases of the same source, and tzadiko's cases. SKIPs what is not there.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/replay_run.h"
#include "lib/data_path.h"
#include "lib/json_scan.h"
#include "lib/read_file.h"
#include "lib/sha256.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 1024, LINE_SIZE = 128, AUDIT_RECORDS = 250000 };

static const oc_engine_kind_t kinds[] = {OC_ENGINE_FAST, OC_ENGINE_REFERENCE};

/* A run whose reports are gathered in memory. */
typedef struct suite_run {
    replay_run_t run;
    FILE *out;
    char *text;
    size_t size;
    report_writer_t *writer;
    uint64_t records;
} suite_run_t;

static void suite_begin(suite_run_t *s, oc_engine_kind_t kind, uint32_t max_orders)
{
    memset(s, 0, sizeof *s);
    s->out = open_memstream(&s->text, &s->size);
    assert_non_null(s->out);
    s->writer = report_writer_create(s->out, "reports");
    assert_non_null(s->writer);
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = kind;
    config.max_orders = max_orders;
    config.max_levels = max_orders;
    config.modify_priority = OC_PRIORITY_LOSE;
    const flow_resolver_config_t flow = {
        .instrument = 1, .tick_size = 1, .max_quantity_lots = replay_run_max_quantity(&config)};
    const oc_err_t err = replay_run_init(&s->run, &config, &flow);
    assert_int_equal(err, OC_ERR_OK);
    replay_run_output(&s->run, s->writer, NULL);
}

static void suite_audit(const suite_run_t *s)
{
    char why[256];
    if (!oc_engine_audit(s->run.engine, why, sizeof why))
        fail_msg("audit after %" PRIu64 " records: %s", s->records, why);
}

static void suite_record(suite_run_t *s, const flow_record_t *record)
{
    const oc_err_t err = replay_run_record(&s->run, record);
    assert_int_equal(err, OC_ERR_OK);
    s->records++;
}

/* Flushes the text, which stays valid until suite_end(). */
static const char *suite_text(suite_run_t *s)
{
    fflush(s->out);
    return s->text;
}

static void suite_end(suite_run_t *s)
{
    suite_audit(s);
    replay_run_fini(&s->run);
    report_writer_destroy(s->writer);
    fclose(s->out);
    free(s->text);
}

/* ---- the tape ---- */

static void run_tape(suite_run_t *s, const char *path)
{
    flow_reader_t *reader;
    const oc_err_t err = flow_reader_open(&reader, path, FLOW_FORMAT_AUTO);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(flow_reader_format(reader), FLOW_FORMAT_TAPE);
    flow_record_t record;
    flow_status_t status;
    while ((status = flow_reader_next(reader, &record)) == FLOW_RECORD) {
        suite_record(s, &record);
        if (s->records % AUDIT_RECORDS == 0)
            suite_audit(s);
    }
    assert_int_equal(status, FLOW_END);
    flow_reader_close(reader);
}

static void test_tape_first_20000(void **state)
{
    (void)state;
    char tape[PATH_SIZE];
    char reports[PATH_SIZE];
    if (!data_path(tape, sizeof tape, "matching/normal_first20000.bin") ||
        !data_path(reports, sizeof reports, "matching/normal_first20000_reports.txt"))
        skip();
    size_t size;
    char *expected = read_file(reports, &size);
    for (size_t i = 0; i < 2; i++) {
        suite_run_t s;
        suite_begin(&s, kinds[i], 65536);
        run_tape(&s, tape);
        assert_int_equal(s.records, 20000);
        const char *text = suite_text(&s);
        assert_int_equal(s.size, size);
        assert_memory_equal(text, expected, size);
        suite_end(&s);
    }
    free(expected);
}

static void test_tape_whole(void **state)
{
    (void)state;
    char tape[PATH_SIZE];
    char digest[PATH_SIZE];
    if (!data_path(tape, sizeof tape, "matching/normal.bin.xz") ||
        !data_path(digest, sizeof digest, "matching/normal_reports.sha256"))
        skip();
    char *expected = read_file(digest, NULL);
    uint64_t hashes[2];
    for (size_t i = 0; i < 2; i++) {
        suite_run_t s;
        suite_begin(&s, kinds[i], 1048576);
        run_tape(&s, tape);
        assert_int_equal(s.records, 1996097);
        char found[SHA256_HEX_SIZE];
        const char *text = suite_text(&s);
        sha256_hex(found, text, s.size);
        assert_memory_equal(found, expected, SHA256_HEX_SIZE - 1);
        hashes[i] = oc_engine_state_hash(s.run.engine);
        suite_end(&s);
    }
    assert_int_equal(hashes[0], hashes[1]);
    free(expected);
}

static void test_sha256(void **state)
{
    (void)state;
    char hex[SHA256_HEX_SIZE];
    sha256_hex(hex, "abc", 3);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_hex(hex, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* ---- the 22 cases ---- */

/* "NEW,side,ioc,qty,order_id,price" and so on, the fields of a tape record. */
static void message_record(const char *message, uint64_t sequence, flow_record_t *record)
{
    char type[8];
    int side;
    int ioc;
    memset(record, 0, sizeof *record);
    const int fields =
        sscanf(message, "%7[A-Z],%d,%d,%" SCNd64 ",%" SCNu64 ",%" SCNd64, type, &side, &ioc,
               &record->quantity, &record->order_id, &record->price_raw);
    assert_int_equal(fields, 6);
    record->kind = !strcmp(type, "NEW")      ? FLOW_NEW
                   : !strcmp(type, "CANCEL") ? FLOW_CANCEL
                                             : FLOW_MODIFY;
    record->side = side ? OC_SIDE_SELL : OC_SIDE_BUY;
    record->time_in_force = ioc ? OC_TIF_IOC : OC_TIF_GTC;
    record->record = sequence;
    record->sequence = sequence;
}

static void assert_best(const suite_run_t *s, oc_side_t side, bool there, int64_t price)
{
    oc_level_view_t level;
    const size_t count = oc_engine_depth(s->run.engine, (oc_instrument_id_t){1}, side, &level, 1);
    assert_int_equal(count, there);
    if (there)
        assert_int_equal(level.price_ticks, price);
}

static void run_messages(suite_run_t *s, const char *object)
{
    const char *messages = object;
    const char *best = object;
    assert_true(json_scan_find(&messages, "messages"));
    assert_true(json_scan_find(&best, "bbo_after_each"));
    json_scan_enter(&messages);
    json_scan_enter(&best);
    for (uint64_t i = 0; json_scan_next(&messages); i++) {
        char message[LINE_SIZE];
        json_scan_string(&messages, message, sizeof message);
        flow_record_t record;
        message_record(message, i, &record);
        suite_record(s, &record);
        suite_audit(s);
        assert_true(json_scan_next(&best));
        json_scan_enter(&best);
        for (int side = OC_SIDE_BUY; side <= OC_SIDE_SELL; side++) {
            int64_t price;
            assert_true(json_scan_next(&best));
            const bool there = json_scan_integer(&best, &price);
            assert_best(s, (oc_side_t)side, there, price);
        }
        assert_false(json_scan_next(&best));
    }
    assert_false(json_scan_next(&best));
}

static void compare_reports(suite_run_t *s, const char *object)
{
    const char *text = suite_text(s);
    const char *at = object;
    assert_true(json_scan_find(&at, "expected_reports"));
    json_scan_enter(&at);
    while (json_scan_next(&at)) {
        char line[LINE_SIZE];
        json_scan_string(&at, line, sizeof line);
        const size_t length = strlen(line);
        if (strncmp(text, line, length) != 0 || (text[length] && text[length] != '\n'))
            fail_msg("'%s' expected at '%.60s'", line, text);
        text += length + (text[length] == '\n');
    }
    assert_string_equal(text, "");
}

/* Compares the orders that rest, one after the other, with an array of [id, side, price, qty]. */
static bool compare_order(void *context, const oc_order_view_t *view)
{
    const char **at = context;
    int64_t fields[4];
    assert_true(json_scan_next(at));
    json_scan_enter(at);
    for (size_t i = 0; i < 4; i++) {
        assert_true(json_scan_next(at));
        assert_true(json_scan_integer(at, &fields[i]));
    }
    assert_false(json_scan_next(at));
    assert_int_equal(view->client_order_id.value, fields[0]);
    assert_int_equal(view->side, fields[1]);
    assert_int_equal(view->price_ticks, fields[2]);
    assert_int_equal(view->open_lots, fields[3]);
    return true;
}

static void compare_book(const suite_run_t *s, const char *object)
{
    const oc_instrument_id_t id = {1};
    const char *at = object;
    assert_true(json_scan_find(&at, "final_book_fifo"));
    json_scan_enter(&at);
    oc_engine_visit_orders(s->run.engine, id, OC_SIDE_BUY, compare_order, (void *)&at);
    oc_engine_visit_orders(s->run.engine, id, OC_SIDE_SELL, compare_order, (void *)&at);
    assert_false(json_scan_next(&at));
}

static void run_case(const char *object, const char *name, oc_engine_kind_t kind)
{
    print_message("  %s, %s\n", name, kind == OC_ENGINE_FAST ? "fast" : "reference");
    suite_run_t s;
    suite_begin(&s, kind, 1024);
    run_messages(&s, object);
    compare_reports(&s, object);
    compare_book(&s, object);
    char found[SHA256_HEX_SIZE];
    char expected[SHA256_HEX_SIZE];
    const char *at = object;
    assert_true(json_scan_find(&at, "sha256"));
    json_scan_string(&at, expected, sizeof expected);
    sha256_hex(found, suite_text(&s), s.size);
    assert_string_equal(found, expected);
    suite_end(&s);
}

static void test_cases(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    if (!data_path(path, sizeof path, "matching/conformance_cases.json"))
        skip();
    char *json = read_file(path, NULL);
    const char *at = json;
    size_t count = 0;
    while (json_scan_find(&at, "name")) {
        char name[LINE_SIZE];
        json_scan_string(&at, name, sizeof name);
        for (size_t i = 0; i < 2; i++)
            run_case(at, name, kinds[i]);
        count++;
    }
    assert_int_equal(count, 22);
    free(json);
}

/* ---- tzadiko ---- */

/* Their market order is a limit order at the worst opposite price, and rests there. */
static bool worst_opposite(const suite_run_t *s, oc_side_t side, int64_t *price)
{
    oc_level_view_t levels[64];
    const oc_side_t other = side == OC_SIDE_BUY ? OC_SIDE_SELL : OC_SIDE_BUY;
    const size_t count = oc_engine_depth(s->run.engine, (oc_instrument_id_t){1}, other, levels, 64);
    assert_true(count < 64);
    if (count == 0)
        return false;
    *price = levels[count - 1].price_ticks;
    return true;
}

static void tzadiko_add(suite_run_t *s, const char *line)
{
    char side;
    char type[24];
    flow_record_t record = {.kind = FLOW_NEW};
    const int fields = sscanf(line, "A %c %23s %" SCNd64 " %" SCNd64 " %" SCNu64, &side, type,
                              &record.price_raw, &record.quantity, &record.order_id);
    assert_int_equal(fields, 5);
    record.side = side == 'S' ? OC_SIDE_SELL : OC_SIDE_BUY;
    if (!strcmp(type, "FillAndKill"))
        record.time_in_force = OC_TIF_IOC;
    else if (!strcmp(type, "FillOrKill"))
        record.time_in_force = OC_TIF_FOK;
    else if (!strcmp(type, "Market") && !worst_opposite(s, record.side, &record.price_raw))
        return;
    suite_record(s, &record);
}

/* Their modify is a cancel and a new order, which may be on the other side. */
static void tzadiko_modify(suite_run_t *s, const char *line)
{
    char side;
    flow_record_t record = {.kind = FLOW_CANCEL};
    const int fields = sscanf(line, "M %" SCNu64 " %c %" SCNd64 " %" SCNd64, &record.order_id,
                              &side, &record.price_raw, &record.quantity);
    assert_int_equal(fields, 4);
    suite_record(s, &record);
    record.kind = FLOW_NEW;
    record.side = side == 'S' ? OC_SIDE_SELL : OC_SIDE_BUY;
    suite_record(s, &record);
}

static void tzadiko_result(const suite_run_t *s, const char *line)
{
    unsigned orders;
    unsigned bids;
    unsigned asks;
    assert_int_equal(sscanf(line, "R %u %u %u", &orders, &bids, &asks), 3);
    oc_engine_counts_t counts;
    oc_engine_counts(s->run.engine, &counts);
    assert_int_equal(counts.orders, orders);
    oc_instrument_view_t view;
    assert_true(oc_engine_instrument(s->run.engine, (oc_instrument_id_t){1}, &view));
    assert_int_equal(view.levels[OC_SIDE_BUY], bids);
    assert_int_equal(view.levels[OC_SIDE_SELL], asks);
}

static void tzadiko_file(const char *path, oc_engine_kind_t kind)
{
    suite_run_t s;
    suite_begin(&s, kind, 1024);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[LINE_SIZE];
    bool result = false;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == 'A') {
            tzadiko_add(&s, line);
        } else if (line[0] == 'M') {
            tzadiko_modify(&s, line);
        } else if (line[0] == 'C') {
            flow_record_t record = {.kind = FLOW_CANCEL};
            assert_int_equal(sscanf(line, "C %" SCNu64, &record.order_id), 1);
            suite_record(&s, &record);
        } else if (line[0] == 'R') {
            tzadiko_result(&s, line);
            result = true;
        }
    }
    assert_true(result);
    fclose(file);
    suite_end(&s);
}

static void test_tzadiko(void **state)
{
    (void)state;
    const char *const names[] = {"Cancel_Success",       "Match_FillAndKill",
                                 "Match_FillOrKill_Hit", "Match_FillOrKill_Miss",
                                 "Match_GoodTillCancel", "Match_Market",
                                 "Modify_Side"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char relative[LINE_SIZE];
        char path[PATH_SIZE];
        (void)snprintf(relative, sizeof relative, "matching/tzadiko/%s.txt", names[i]);
        if (!data_path(path, sizeof path, relative))
            skip();
        print_message("  %s\n", names[i]);
        tzadiko_file(path, OC_ENGINE_FAST);
        tzadiko_file(path, OC_ENGINE_REFERENCE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256),     cmocka_unit_test(test_cases),
        cmocka_unit_test(test_tzadiko),    cmocka_unit_test(test_tape_first_20000),
        cmocka_unit_test(test_tape_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
