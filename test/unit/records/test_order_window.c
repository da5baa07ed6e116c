/*
 * Windows of Orders records: whatever the window, the record size and the number of threads, the
 * records are the same; runs that promise what the engine does not have end the export instead of
 * storing anywhere else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine_vtable.h"
#include "lib/records_fixture.h"
#include "records/order_window.h"
#include "records/record_decoder.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS = 9000 };

typedef struct book {
    oc_engine_t *engine;
    engine_order_run_t *runs;
    size_t count;
} book_t;

static void make_book(book_t *book)
{
    book->engine = records_fixture_book(OC_ENGINE_FAST, ORDERS);
    assert_int_equal(engine_order_runs(book->engine, &book->runs, &book->count), OC_ERR_OK);
    assert_true(book->count > 500);
}

static void free_book(book_t *book)
{
    free(book->runs);
    oc_engine_destroy(book->engine);
}

static oc_err_t take(void *context, const uint8_t *bytes, size_t length)
{
    return records_stream_take(context, bytes, length);
}

static oc_err_t write_book(const book_t *book, const records_export_config_t *config,
                           records_stream_t *stream)
{
    order_window_t window;
    uint64_t records = 0;
    const order_window_job_t job = {.engine = book->engine,
                                    .runs = book->runs,
                                    .run_count = book->count,
                                    .ordinal = 17,
                                    .sink = take,
                                    .context = stream};
    assert_int_equal(order_window_init(&window, config), OC_ERR_OK);
    stream->length = 0;
    stream->count = 0;
    const oc_err_t err = order_window_write(&window, &job, &records);
    if (err == OC_ERR_OK)
        assert_int_equal(records, stream->count);
    order_window_fini(&window);
    return err;
}

/* All orders, in the order of the book. */
static void assert_whole(const book_t *book, const records_stream_t *stream, size_t record_bytes)
{
    uint64_t seen = 0;
    engine_order_t before = {0};
    for (size_t i = 0; i < stream->count; i++) {
        size_t length;
        record_frame_t frame;
        const uint8_t *bytes = records_stream_record(stream, i, &length);
        assert_true(length <= record_bytes);
        assert_int_equal(record_open(&frame, bytes, length), OC_ERR_OK);
        assert_int_equal(frame.kind, RECORD_ORDERS);
        assert_int_equal(frame.ordinal, 17 + i);
        if (i + 1 < stream->count)
            assert_int_equal(frame.count, record_list_capacity(RECORD_ORDERS, record_bytes));
        for (uint32_t at = 0; at < frame.count; at++, seen++) {
            engine_order_t order;
            oc_order_view_t view;
            assert_int_equal(record_decode_order(&frame, at, &order), OC_ERR_OK);
            assert_true(oc_engine_order(book->engine, (oc_source_id_t){order.source},
                                        (oc_client_order_id_t){order.client_order_id}, &view));
            assert_int_equal(view.order_id.value, order.order_id);
            assert_int_equal(view.open_lots, order.open_lots);
            const bool same_level = seen > 0 && before.price_ticks == order.price_ticks &&
                                    before.instrument == order.instrument &&
                                    (before.terms & 1) == (order.terms & 1);
            assert_true(!same_level || before.priority < order.priority);
            assert_true(order.instrument >= before.instrument);
            before = order;
        }
    }
    assert_int_equal(seen, ORDERS);
}

static void sizes_windows_threads(void **state)
{
    (void)state;
    static const size_t sizes[] = {512, 576, 1376, 4096, 65504, 1 << 20};
    static const size_t windows[] = {1, 512, 3000, 50000, 700000};
    static const unsigned threads[] = {1, 2, 5};
    book_t book;
    make_book(&book);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        records_stream_t first = {0};
        records_stream_t other = {0};
        records_export_config_t config = {.record_bytes = sizes[s], .threads = 1};
        assert_int_equal(write_book(&book, &config, &first), OC_ERR_OK);
        assert_whole(&book, &first, sizes[s]);
        for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++)
            for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
                config.window_bytes = windows[w];
                config.threads = threads[t];
                assert_int_equal(write_book(&book, &config, &other), OC_ERR_OK);
                records_stream_assert_equal(&first, &other);
            }
        records_stream_free(&first);
        records_stream_free(&other);
    }
    free_book(&book);
}

static void nothing_to_write(void **state)
{
    (void)state;
    book_t book = {.engine = records_fixture_empty(OC_ENGINE_FAST, 10)};
    records_stream_t stream = {0};
    const records_export_config_t config = {.record_bytes = 512, .threads = 2};
    assert_int_equal(write_book(&book, &config, &stream), OC_ERR_OK);
    assert_int_equal(stream.count, 0);
    records_stream_free(&stream);
    oc_engine_destroy(book.engine);
}

/* A worker that finds other orders than its runs promise fails the export. */
static void broken_promises(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 3};
    static const size_t windows[] = {1, 40000, 4 << 20};
    book_t book;
    records_stream_t stream = {0};
    make_book(&book);
    const engine_order_run_t good = book.runs[300];
    for (size_t i = 0; i < sizeof threads / sizeof threads[0] * 3; i++) {
        const records_export_config_t config = {
            .record_bytes = 512, .threads = threads[i / 3], .window_bytes = windows[i % 3]};
        book.runs[300].count = good.count - 1; /* a gap behind it */
        assert_int_equal(write_book(&book, &config, &stream), OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "not those that"));
        book.runs[300] = good;
        book.runs[300].first++; /* another place than its turn */
        assert_int_equal(write_book(&book, &config, &stream), OC_ERR_DAMAGED);
        book.runs[300] = good;
        assert_int_equal(write_book(&book, &config, &stream), OC_ERR_OK);
    }
    records_stream_free(&stream);
    free_book(&book);
}

/* An engine whose walk lies about one run: what it does with the run that begins at `liar`. */
typedef enum lie { LIE_NONE, LIE_PLACE_ABOVE, LIE_PLACE_BELOW, LIE_MISSING, LIE_DOUBLED } lie_t;

static lie_t lie;

enum { LIE_RUNS = 64, LIE_EACH = 200, LIE_AT = 33 };

static size_t lying_next(engine_walk_t *walk, engine_order_t *orders, uint64_t *places)
{
    if (walk->run_count == 0)
        return 0;
    engine_walk_lane_t *lane = &walk->lane_at[0];
    const engine_order_run_t *run = walk->runs;
    const bool lies = run->first == LIE_AT * LIE_EACH;
    size_t count = 0;
    while (lane->left < run->count && count < ENGINE_WALK_BATCH) {
        uint64_t place = run->first + lane->left;
        const bool here = lies && lane->left == 150;
        lane->left++;
        if (here && lie == LIE_MISSING)
            continue;
        if (here && lie == LIE_PLACE_ABOVE)
            place += (uint64_t)LIE_RUNS * LIE_EACH;
        if (here && lie == LIE_PLACE_BELOW)
            place = UINT64_MAX - 5;
        if (here && lie == LIE_DOUBLED && lane->book++ == 0)
            lane->left--;
        orders[count] = (engine_order_t){.order_id = place};
        places[count++] = place;
    }
    if (lane->left == run->count) {
        walk->runs++;
        walk->run_count--;
        *lane = (engine_walk_lane_t){0};
    }
    return count;
}

static void workers_that_fail(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 5};
    static const size_t windows[] = {1, 30000, 4 << 20};
    static const engine_vtable_t vtable = {.walk_next = lying_next};
    oc_engine_t engine = {.vtable = &vtable};
    engine_order_run_t runs[LIE_RUNS];
    records_stream_t stream = {0};
    for (uint32_t i = 0; i < LIE_RUNS; i++)
        runs[i] = (engine_order_run_t){.first = (uint64_t)i * LIE_EACH, .count = LIE_EACH};
    const book_t book = {.engine = &engine, .runs = runs, .count = LIE_RUNS};
    for (size_t i = 0; i < 9; i++) {
        const records_export_config_t config = {
            .record_bytes = 512, .threads = threads[i / 3], .window_bytes = windows[i % 3]};
        for (lie = LIE_PLACE_ABOVE; lie <= LIE_DOUBLED; lie++) {
            assert_int_equal(write_book(&book, &config, &stream), OC_ERR_DAMAGED);
            assert_non_null(strstr(oc_err_context(), "not those that"));
        }
        lie = LIE_NONE;
        assert_int_equal(write_book(&book, &config, &stream), OC_ERR_OK);
    }
    records_stream_free(&stream);
}

static void a_sink_that_fails(void **state)
{
    (void)state;
    book_t book;
    make_book(&book);
    for (size_t at = 1; at <= 40; at += 13) {
        records_stream_t stream = {.fail_at = at};
        const records_export_config_t config = {
            .record_bytes = 4096, .threads = 2, .window_bytes = 20000};
        assert_int_equal(write_book(&book, &config, &stream), OC_ERR_NO_SPACE);
        assert_int_equal(stream.count, at - 1);
        records_stream_free(&stream);
    }
    free_book(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_windows_threads), cmocka_unit_test(nothing_to_write),
        cmocka_unit_test(broken_promises),       cmocka_unit_test(workers_that_fail),
        cmocka_unit_test(a_sink_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
