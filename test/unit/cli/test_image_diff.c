/*
 * The first difference of two states, in words. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/image_diff.h"
#include "lib/exchange_fixture.h"

typedef struct pair {
    exchange_fixture_t side[2];
    oc_session_id_t trader[2];
    char text[1024];
} pair_t;

/* Two exchanges with the same book: two buys and a sell. */
static void open_pair(pair_t *pair)
{
    const exchange_config_t config = exchange_fixture_config();
    for (int i = 0; i < 2; i++) {
        exchange_fixture_t *side = &pair->side[i];
        exchange_fixture_market(side, &config);
        pair->trader[i] = exchange_fixture_trader(side, 2);
        const oc_request_t requests[] = {
            exchange_fixture_new(11, OC_SIDE_BUY, 5, 10),
            exchange_fixture_new(12, OC_SIDE_BUY, 6, 10),
            exchange_fixture_new(13, OC_SIDE_SELL, 7, 15),
        };
        exchange_fixture_send(side, pair->trader[i], requests, 3);
    }
}

static void close_pair(pair_t *pair)
{
    exchange_fixture_close(&pair->side[0]);
    exchange_fixture_close(&pair->side[1]);
}

static bool equal(pair_t *pair)
{
    return image_diff(pair->side[0].exchange, pair->side[1].exchange, pair->text,
                      sizeof pair->text);
}

static void assert_text(const pair_t *pair, const char *part)
{
    if (!strstr(pair->text, part))
        fail_msg("'%s' is not in '%s'", part, pair->text);
}

static void send_second(pair_t *pair, oc_request_t request)
{
    exchange_fixture_send(&pair->side[1], pair->trader[1], &request, 1);
}

static void test_equal(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    assert_true(equal(&pair));
    assert_string_equal(pair.text, "");
    close_pair(&pair);
}

static void test_order_more(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    send_second(&pair, exchange_fixture_new(14, OC_SIDE_SELL, 8, 15));
    assert_false(equal(&pair));
    assert_text(&pair, "instrument 1 sell, place 2: a has none, b has order");
    assert_text(&pair, "client order 14");
    close_pair(&pair);
}

static void test_order_changed(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    oc_command_t modify = {.type = OC_COMMAND_MODIFY, .instrument = {1}};
    modify.u.order.client_order_id.value = 12;
    modify.u.order.price_ticks = 10;
    modify.u.order.quantity_lots = 3;
    send_second(&pair, exchange_fixture_command(modify));
    assert_false(equal(&pair));
    assert_text(&pair, "instrument 1 buy, place 2");
    assert_text(&pair, "open 6");
    assert_text(&pair, "open 3");
    close_pair(&pair);
}

/* Nothing in the books: a sequence number more. */
static void test_sequence(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    send_second(&pair, exchange_fixture_new(15, OC_SIDE_BUY, -1, 10)); /* rejected */
    assert_false(equal(&pair));
    assert_text(&pair, "commands applied");
    close_pair(&pair);
}

static void test_instrument(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    oc_command_t halt = {.type = OC_COMMAND_INSTRUMENT_STATE, .instrument = {2}};
    halt.u.instrument.state = OC_STATE_HALTED;
    exchange_fixture_do(&pair.side[1], pair.side[1].admin, halt);
    assert_false(equal(&pair));
    assert_text(&pair, "instrument 2: a has state 2");
    close_pair(&pair);
}

static void test_source(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    oc_command_t add = {.type = OC_COMMAND_SOURCE_ADD};
    add.u.source.id.value = 9;
    add.u.source.roles = OC_ROLE_TRADE;
    exchange_fixture_do(&pair.side[1], pair.side[1].admin, add);
    assert_false(equal(&pair));
    assert_text(&pair, "source 9 is in b only");
    close_pair(&pair);
}

static void test_principal(void **state)
{
    (void)state;
    pair_t pair;
    open_pair(&pair);
    const oc_request_t bind = exchange_fixture_bind(3, "somebody");
    exchange_fixture_send(&pair.side[1], pair.side[1].admin, &bind, 1);
    assert_false(equal(&pair));
    assert_text(&pair, "principals");
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),         cmocka_unit_test(test_order_more),
        cmocka_unit_test(test_order_changed), cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_instrument),    cmocka_unit_test(test_source),
        cmocka_unit_test(test_principal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
