/*
 * A random flow of commands through the reference engine, checked against the events it gave: a
 * listener to LEVEL events must know the book.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include <string.h>

static fixture_recorder_t first_recorder;

/* What a listener to LEVEL events knows of a book. */
typedef struct shadow {
    int64_t open_lots[3][2][FIXTURE_PRICE_MAX + 1];
    uint32_t order_count[3][2][FIXTURE_PRICE_MAX + 1];
    int64_t traded_lots;
    int64_t filled_lots;
} shadow_t;

static void shadow_follow(shadow_t *shadow, const oc_event_t *event)
{
    if (event->type == OC_EVENT_LEVEL) {
        assert_in_range(event->price_ticks, 1, FIXTURE_PRICE_MAX);
        shadow->open_lots[event->instrument.value][event->side][event->price_ticks] =
            event->quantity_lots;
        shadow->order_count[event->instrument.value][event->side][event->price_ticks] =
            event->order_count;
    }
    if (event->type == OC_EVENT_TRADE)
        shadow->traded_lots += event->quantity_lots;
    if (event->type == OC_EVENT_FILL)
        shadow->filled_lots += event->quantity_lots;
    assert_true(event->open_lots >= 0);
    assert_true(event->executed_lots >= 0);
}

static void shadow_compare(const shadow_t *shadow, const oc_engine_t *engine, uint32_t instrument,
                           oc_side_t side)
{
    oc_level_view_t levels[FIXTURE_PRICE_MAX + 1];
    const size_t count = oc_engine_depth(engine, (oc_instrument_id_t){instrument}, side, levels,
                                         FIXTURE_PRICE_MAX + 1);
    size_t at = 0;
    for (int64_t i = 1; i <= FIXTURE_PRICE_MAX; i++) {
        const int64_t price = side == OC_SIDE_BUY ? FIXTURE_PRICE_MAX + 1 - i : i;
        const uint32_t orders = shadow->order_count[instrument][side][price];
        if (orders == 0) {
            assert_int_equal(shadow->open_lots[instrument][side][price], 0);
            continue;
        }
        assert_true(at < count);
        assert_int_equal(levels[at].price_ticks, price);
        assert_int_equal(levels[at].open_lots, shadow->open_lots[instrument][side][price]);
        assert_int_equal(levels[at].order_count, orders);
        at++;
    }
    assert_int_equal(at, count);
}

static void test_random_flow_agrees_with_its_events(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, &first_recorder);
    fixture_prepare(engine);
    shadow_t shadow;
    memset(&shadow, 0, sizeof shadow);
    uint64_t seed = 7;
    unsigned reasons = 0;
    bool seen[OC_REASON_COUNT] = {false};
    for (unsigned i = 0; i < 20000; i++) {
        first_recorder.count = 0;
        fixture_apply(engine, fixture_random_command(&seed));
        for (size_t k = 0; k < first_recorder.count; k++) {
            shadow_follow(&shadow, &first_recorder.events[k]);
            seen[first_recorder.events[k].reason] = true;
        }
        for (uint32_t instrument = 1; instrument <= 2; instrument++) {
            shadow_compare(&shadow, engine, instrument, OC_SIDE_BUY);
            shadow_compare(&shadow, engine, instrument, OC_SIDE_SELL);
        }
        fixture_assert_audit(engine);
    }
    assert_int_equal(shadow.traded_lots, shadow.filled_lots);
    assert_true(shadow.traded_lots > 1000);
    for (size_t i = 0; i < OC_REASON_COUNT; i++)
        reasons += seen[i];
    assert_true(reasons > 25);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_flow_agrees_with_its_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
