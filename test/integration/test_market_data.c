/*
 * Recorded order flow of real exchanges through both engines: an hour of NASDAQ (LOBSTER) with its
 * executions turned into incoming orders, and a day of CME (Databento) mirrored. SKIPs what is not
 * there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/replay_run.h"
#include "lib/data_path.h"

#include <inttypes.h>
#include <string.h>

enum { PATH_SIZE = 1024, AUDIT_RECORDS = 5000 };

/* 2023-12-25 23:00:00 UTC, when the recorded market opens. */
#define OPENING_NS INT64_C(1703545200000000000)

typedef struct market_run {
    replay_run_t run;
    flow_reader_t *reader;
    uint64_t records;
} market_run_t;

static void market_begin(market_run_t *m, const char *path, oc_engine_kind_t kind,
                         const flow_resolver_config_t *flow)
{
    memset(m, 0, sizeof *m);
    oc_err_t err = flow_reader_open(&m->reader, path, FLOW_FORMAT_AUTO);
    assert_int_equal(err, OC_ERR_OK);
    oc_engine_config_t config;
    replay_run_config(&config, m->reader, 65536);
    config.kind = kind;
    config.max_instruments = 16;
    flow_resolver_config_t sized = *flow;
    sized.max_quantity_lots = replay_run_max_quantity(&config);
    err = replay_run_init(&m->run, &config, &sized);
    assert_int_equal(err, OC_ERR_OK);
}

/* The next record, not yet applied; false at the end of the file. */
static bool market_next(market_run_t *m, flow_record_t *record)
{
    const flow_status_t status = flow_reader_next(m->reader, record);
    if (status == FLOW_FAILED)
        fail_msg("%s", oc_err_context());
    return status == FLOW_RECORD;
}

static void market_apply(market_run_t *m, const flow_record_t *record)
{
    const oc_err_t err = replay_run_record(&m->run, record);
    assert_int_equal(err, OC_ERR_OK);
    m->records++;
    char why[256];
    if (m->records % AUDIT_RECORDS == 0 && !oc_engine_audit(m->run.engine, why, sizeof why))
        fail_msg("audit after %" PRIu64 " records: %s", m->records, why);
}

static uint64_t market_end(market_run_t *m)
{
    const uint64_t hash = oc_engine_state_hash(m->run.engine);
    flow_reader_close(m->reader);
    replay_run_fini(&m->run);
    return hash;
}

static bool find_order(const market_run_t *m, uint64_t id, oc_order_view_t *view)
{
    return oc_engine_order(m->run.engine, (oc_source_id_t){1}, (oc_client_order_id_t){id}, view);
}

/* ---- LOBSTER ---- */

/* The incoming order traded once, in full, at the price of and against the order named. */
static void assert_execution(const market_run_t *m, const flow_record_t *record,
                             const oc_order_view_t *before)
{
    const oc_event_t *fill = NULL;
    size_t trades = 0;
    for (size_t i = 0; i < m->run.events.count; i++) {
        const oc_event_t *event = &m->run.events.events[i];
        assert_int_not_equal(event->type, OC_EVENT_CANCELLED);
        assert_int_not_equal(event->type, OC_EVENT_REJECTED);
        trades += event->type == OC_EVENT_TRADE;
        if (event->type == OC_EVENT_FILL)
            fill = event;
    }
    assert_int_equal(trades, 1);
    assert_non_null(fill);
    assert_int_equal(fill->client_order_id.value, record->order_id);
    assert_int_equal(fill->quantity_lots, record->quantity);
    assert_int_equal(fill->price_ticks, before->price_ticks);
    assert_int_equal(fill->open_lots, before->open_lots - record->quantity);
}

static uint64_t run_lobster(const char *path, oc_engine_kind_t kind)
{
    const flow_resolver_config_t flow = {.instrument = 1, .skip_unknown = true, .tick_size = 100};
    market_run_t m;
    market_begin(&m, path, kind, &flow);
    uint64_t executions = 0;
    uint64_t at_head = 0;
    flow_record_t record;
    while (market_next(&m, &record)) {
        oc_order_view_t view;
        const bool execution =
            record.kind == FLOW_EXECUTE && find_order(&m, record.order_id, &view);
        market_apply(&m, &record);
        executions += execution;
        if (execution && view.next_to_trade) {
            at_head++;
            assert_execution(&m, &record, &view);
        }
    }
    replay_run_summarise(&m.run);
    const replay_summary_t *summary = &m.run.summary;
    assert_int_equal(m.records, 91997);
    assert_int_equal(executions, 4055);
    assert_int_equal(at_head, 4031);
    assert_int_equal(summary->trades, 4031);
    assert_int_equal(summary->executions_off_head, 24);
    assert_int_equal(summary->rejected, 0);
    return market_end(&m);
}

static void test_lobster(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    if (!data_path(path, sizeof path, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv"))
        skip();
    const uint64_t fast = run_lobster(path, OC_ENGINE_FAST);
    const uint64_t reference = run_lobster(path, OC_ENGINE_REFERENCE);
    assert_int_equal(fast, reference);
}

/* ---- Databento ---- */

enum { TOP_LEVELS = 10 };

/* The best levels of a side, summed up from their orders. */
typedef struct level_sums {
    oc_level_view_t levels[TOP_LEVELS];
    size_t count;
    uint64_t priority; /* of the last order seen */
} level_sums_t;

static bool sum_order(void *context, const oc_order_view_t *view)
{
    level_sums_t *sums = context;
    oc_level_view_t *last = sums->count ? &sums->levels[sums->count - 1] : NULL;
    assert_true(view->open_lots > 0);
    assert_int_equal(view->next_to_trade, sums->count == 0);
    if (!last || last->price_ticks != view->price_ticks) {
        if (sums->count == TOP_LEVELS)
            return false;
        if (last)
            assert_true(view->side == OC_SIDE_BUY ? view->price_ticks < last->price_ticks
                                                  : view->price_ticks > last->price_ticks);
        last = &sums->levels[sums->count++];
        *last = (oc_level_view_t){.price_ticks = view->price_ticks};
    } else {
        assert_true(view->priority > sums->priority);
    }
    last->open_lots += view->open_lots;
    last->order_count++;
    sums->priority = view->priority;
    return true;
}

/* The kept totals of a side's best levels are those of its orders. Stores the best one; false if
 * the side is empty. */
static bool check_side(const market_run_t *m, const flow_record_t *record, oc_side_t side,
                       oc_level_view_t *best)
{
    const oc_instrument_id_t id = {record->instrument};
    oc_level_view_t kept[TOP_LEVELS] = {{0}};
    level_sums_t sums = {.count = 0};
    const size_t count = oc_engine_depth(m->run.engine, id, side, kept, TOP_LEVELS);
    oc_engine_visit_orders(m->run.engine, id, side, sum_order, &sums);
    if (count != sums.count)
        fail_msg("record %" PRIu64 ": %zu levels, %zu by orders", record->record, count,
                 sums.count);
    for (size_t i = 0; i < count; i++)
        if (kept[i].price_ticks != sums.levels[i].price_ticks ||
            kept[i].open_lots != sums.levels[i].open_lots ||
            kept[i].order_count != sums.levels[i].order_count)
            fail_msg("record %" PRIu64 ": level %zu is not the sum of its orders", record->record,
                     i);
    *best = kept[0];
    return count > 0;
}

/* Both sides after every record: an execution or a modify need not say which one it touched. */
static void assert_levels(const market_run_t *m, const flow_record_t *record, bool open)
{
    oc_level_view_t bid;
    oc_level_view_t ask;
    const bool bids = check_side(m, record, OC_SIDE_BUY, &bid);
    const bool asks = check_side(m, record, OC_SIDE_SELL, &ask);
    if (open && bids && asks && bid.price_ticks >= ask.price_ticks)
        fail_msg("crossed after record %" PRIu64, record->record);
}

/* Whether the record must find its order: not those that the venue reports for information. */
static bool names_an_order(const flow_record_t *record)
{
    return record->kind == FLOW_CANCEL || record->kind == FLOW_REDUCE ||
           record->kind == FLOW_MODIFY;
}

static uint64_t run_databento(const char *path, oc_engine_kind_t kind)
{
    const flow_resolver_config_t flow = {
        .instrument = 1, .mirror = true, .tick_size = INT64_C(250000000)};
    market_run_t m;
    market_begin(&m, path, kind, &flow);
    uint64_t named = 0;
    uint64_t compared = 0;
    flow_record_t record;
    while (market_next(&m, &record)) {
        oc_order_view_t view;
        if (names_an_order(&record)) {
            named++;
            if (!find_order(&m, record.order_id, &view))
                fail_msg("record %" PRIu64 " names an unknown order", record.record);
        }
        market_apply(&m, &record);
        const bool open = record.last_in_event && record.time_ns >= OPENING_NS;
        compared += open;
        assert_levels(&m, &record, open);
    }
    replay_run_summarise(&m.run);
    assert_int_equal(m.records, 68792);
    assert_true(named > 20000);
    assert_true(compared > 10000);
    assert_int_equal(m.run.summary.rejected, 0);
    assert_int_equal(m.run.summary.trades, 0);
    return market_end(&m);
}

static void test_databento(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    if (!data_path(path, sizeof path, "mbo/esh4-glbx-mdp3-20231225.mbo.dbn.zst"))
        skip();
    const uint64_t fast = run_databento(path, OC_ENGINE_FAST);
    const uint64_t reference = run_databento(path, OC_ENGINE_REFERENCE);
    assert_int_equal(fast, reference);
}

/* ---- ITCH ---- */

static void test_itch(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    if (!data_path(path, sizeof path, "itch/synthetic_tiny_fastbook.itch"))
        skip();
    uint64_t hashes[2];
    for (int kind = OC_ENGINE_FAST; kind <= OC_ENGINE_REFERENCE; kind++) {
        const flow_resolver_config_t flow = {
            .instrument = 1, .skip_unknown = true, .tick_size = 100};
        market_run_t m;
        market_begin(&m, path, (oc_engine_kind_t)kind, &flow);
        flow_record_t record;
        while (market_next(&m, &record))
            market_apply(&m, &record);
        assert_int_equal(m.run.summary.rejected, 0);
        assert_int_equal(m.run.summary.trades, 1);
        hashes[kind] = market_end(&m);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lobster),
        cmocka_unit_test(test_databento),
        cmocka_unit_test(test_itch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
