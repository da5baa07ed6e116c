/*
 * Unit tests of the dump of the books. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench_engine.h"
#include "cli/book_writer.h"

#include <string.h>

/* Two instruments, one source that does not count its commands. */
static oc_engine_t *make_engine(void)
{
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    config.kind = OC_ENGINE_REFERENCE;
    config.max_orders = 64;
    const bench_engine_market_t market = {2, -1000, 1000, 1000};
    oc_engine_t *engine;
    const oc_err_t err = bench_engine_create(&engine, &config, &market, NULL, NULL);
    assert_int_equal(err, OC_ERR_OK);
    return engine;
}

static void add(oc_engine_t *engine, uint32_t instrument, uint64_t id, oc_side_t side,
                int64_t price, int64_t quantity)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_NEW;
    command.source.value = 1;
    command.instrument.value = instrument;
    command.side = (uint8_t)side;
    command.u.order.client_order_id.value = id;
    command.u.order.price_ticks = price;
    command.u.order.quantity_lots = quantity;
    const oc_err_t err = oc_engine_apply(engine, &command);
    assert_int_equal(err, OC_ERR_OK);
}

static void test_empty(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine();
    char text[64] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    const oc_err_t err = book_writer_write(engine, out, "option --book: x");
    assert_int_equal(err, OC_ERR_OK);
    fclose(out);
    assert_string_equal(text, "");
    oc_engine_destroy(engine);
}

static void test_book_text(void **state)
{
    (void)state;
    oc_engine_t *engine = make_engine();
    add(engine, 1, 1, OC_SIDE_SELL, 101, 10);
    add(engine, 1, 2, OC_SIDE_SELL, 100, 11);
    add(engine, 1, UINT64_MAX, OC_SIDE_BUY, 99, 12);
    add(engine, 1, 4, OC_SIDE_BUY, -5, 13);
    add(engine, 1, 5, OC_SIDE_BUY, 99, 14);
    add(engine, 2, 6, OC_SIDE_BUY, 1, 1);
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    const oc_err_t err = book_writer_write(engine, out, "option --book: x");
    assert_int_equal(err, OC_ERR_OK);
    fclose(out);
    assert_string_equal(text, "1,0,99,18446744073709551615,12\n"
                              "1,0,99,5,14\n"
                              "1,0,-5,4,13\n"
                              "1,1,100,2,11\n"
                              "1,1,101,1,10\n"
                              "2,0,1,6,1\n");
    oc_engine_destroy(engine);
}

static void test_book_write_failure(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (!full) {
        print_message("SKIP: no /dev/full here\n");
        skip();
    }
    setvbuf(full, NULL, _IONBF, 0);
    oc_engine_t *engine = make_engine();
    add(engine, 1, 1, OC_SIDE_SELL, 101, 10);
    const oc_err_t err = book_writer_write(engine, full, "option --book: /dev/full");
    assert_int_equal(err, OC_ERR_WRITE);
    assert_string_equal(oc_err_context(),
                        "option --book: /dev/full: cannot write: No space left on device");
    oc_engine_destroy(engine);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_book_text),
        cmocka_unit_test(test_book_write_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
