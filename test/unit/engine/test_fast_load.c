/*
 * A state put into the fast engine: what was there goes, page by page and announced; work half done
 * is taken up at its place; a load that failed can be begun again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast_state.h"
#include "lib/engine_items.h"
#include "lib/expect_abort.h"
#include "lib/twin.h"

#include <string.h>

/* A pair with orders of source 1 at prices 5 (buys) and 9 (sells), every other one a DAY order. */
static void open_pair(twin_t *twin)
{
    const oc_engine_config_t config = fast_fixture_config(); /* a step bound of 4 */
    twin_create(twin, &config);
    fixture_prepare(twin->fast);
    fixture_prepare(twin->reference);
    for (uint64_t id = 1; id <= 20; id++) {
        const bool sell = id > 10;
        oc_command_t command =
            fixture_new(1, id, sell ? OC_SIDE_SELL : OC_SIDE_BUY, 3, sell ? 9 : 5);
        command.time_in_force = id % 2 ? OC_TIF_DAY : OC_TIF_GTC;
        twin_take(twin, command);
    }
}

/* The fast engine takes its own state, or the reference's, which must change nothing that shows. */
static void reload(const twin_t *twin)
{
    engine_items_t items;
    engine_items_take(&items, twin->reference);
    const oc_err_t err = engine_items_load(&items, twin->fast, 3);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    engine_items_free(&items);
    fixture_assert_audit(twin->fast);
}

static void test_work_by_source_is_taken_up(void **state)
{
    (void)state;
    twin_t twin;
    open_pair(&twin);
    twin_take(&twin, twin_mass_cancel(1));
    while (twin_counts(&twin).pending) {
        reload(&twin);
        twin_take(&twin, fixture_time(0));
    }
    assert_int_equal(twin_counts(&twin).orders, 0);
    twin_destroy(&twin);
}

static void test_work_by_instrument_is_taken_up(void **state)
{
    (void)state;
    twin_t twin;
    open_pair(&twin);
    twin_take(&twin, twin_state(1, OC_STATE_CLOSED));
    while (twin_counts(&twin).pending) {
        reload(&twin);
        twin_take(&twin, fixture_time(0));
    }
    assert_int_equal(twin_counts(&twin).orders, 10);
    twin_destroy(&twin);
}

/* The walk has come to an order above its limit and left the level, with more to do behind it. */
static void test_work_that_left_a_level_is_taken_up(void **state)
{
    (void)state;
    twin_t twin;
    oc_command_t slow = fixture_command(OC_COMMAND_CONFIGURE, 0, 0);
    slow.u.configure.rules_version = OC_RULES_VERSION;
    slow.u.configure.step_bound = 1;
    open_pair(&twin);
    twin_take(&twin, slow);
    oc_command_t all = fixture_command(OC_COMMAND_MASS_CANCEL, 0, 1);
    all.u.mass_cancel.scope = OC_SCOPE_INSTRUMENT;
    twin_take(&twin, all);
    twin_take(&twin, fixture_new(2, 100, OC_SIDE_BUY, 1, 5)); /* behind the others */
    int left = 0;
    while (twin_counts(&twin).pending) {
        hash_pending_t item;
        engine_pending_items(twin.fast, &item);
        left += item.looked_at == UINT64_MAX;
        reload(&twin);
        twin_take(&twin, fixture_time(0));
    }
    assert_true(left > 0);
    assert_int_equal(twin_counts(&twin).orders, 1);
    twin_destroy(&twin);
}

/* The level that the walk is in has only orders that it has passed; more come. */
static void test_work_at_the_end_of_a_level_is_taken_up(void **state)
{
    (void)state;
    for (int moment = 0; moment < 14; moment++) {
        twin_t twin;
        oc_command_t slow = fixture_command(OC_COMMAND_CONFIGURE, 0, 0);
        slow.u.configure.rules_version = OC_RULES_VERSION;
        slow.u.configure.step_bound = 1;
        open_pair(&twin);
        twin_take(&twin, slow);
        twin_take(&twin, twin_state(1, OC_STATE_CLOSED));
        twin_take(&twin, twin_state(1, OC_STATE_PRE_OPEN));
        for (int i = 0; i < moment; i++)
            twin_take(&twin, fixture_time(0));
        reload(&twin);
        twin_take(&twin, fixture_new(2, 100, OC_SIDE_BUY, 1, 5));
        twin_settle(&twin);
        twin_destroy(&twin);
    }
}

static void test_what_was_there_goes(void **state)
{
    (void)state;
    twin_t twin;
    const oc_engine_config_t config = fast_fixture_config();
    engine_items_t empty;
    open_pair(&twin);
    oc_engine_t *fresh = fixture_create(&config, NULL);
    engine_items_take(&empty, fresh);
    assert_int_equal(engine_items_load(&empty, twin.fast, 1), OC_ERR_OK);
    assert_true(oc_engine_state_hash(twin.fast) == oc_engine_state_hash(fresh));
    assert_memory_equal(fast_fixture_inside(twin.fast)->arena.base,
                        fast_fixture_inside(fresh)->arena.base,
                        fast_fixture_inside(fresh)->arena.size);
    assert_int_equal(engine_items_load(&empty, twin.reference, 1), OC_ERR_OK);
    oc_engine_destroy(fresh);
    engine_items_free(&empty);
    fixture_prepare(twin.fast); /* and it trades again */
    fixture_prepare(twin.reference);
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 1, 5));
    twin_destroy(&twin);
}

static void test_a_failed_load_can_be_begun_again(void **state)
{
    (void)state;
    twin_t twin;
    engine_items_t items;
    open_pair(&twin);
    twin_take(&twin, twin_mass_cancel(1));
    engine_items_take(&items, twin.fast);
    const uint64_t hash = oc_engine_state_hash(twin.fast);
    for (size_t at = 0; at < items.order_count; at++) {
        const engine_order_t good = items.orders[at];
        items.orders[at].source = 99;
        assert_int_equal(engine_items_load(&items, twin.fast, 4), OC_ERR_DAMAGED);
        assert_non_null(strstr(oc_err_context(), "its source is not known"));
        assert_int_equal(engine_load_pending(twin.fast, &items.pending[0]), OC_ERR_DAMAGED);
        assert_int_equal(engine_load_end(twin.fast), OC_ERR_DAMAGED);
        items.orders[at] = good;
        assert_int_equal(engine_items_load(&items, twin.fast, 4), OC_ERR_OK);
        assert_true(oc_engine_state_hash(twin.fast) == hash);
        fixture_assert_audit(twin.fast);
    }
    engine_items_free(&items);
    twin_destroy(&twin);
}

static void test_names_that_lead_nowhere(void **state)
{
    (void)state;
    twin_t twin;
    engine_items_t items;
    open_pair(&twin);
    twin_take(&twin, twin_session_up(5, 1));
    twin_take(&twin, twin_session_up(6, 2));
    twin_take(&twin, twin_session_down(6)); /* work on source 2 */
    twin_take(&twin, twin_session_up(6, 2));
    twin_take(&twin, twin_mass_cancel(1));
    twin_take(&twin, twin_session_down(6));
    engine_items_take(&items, twin.fast);
    assert_int_equal(items.pending_count, 2);
    items.pending[1].source = 44;
    assert_int_equal(engine_items_load(&items, twin.fast, 4), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "not known"));
    items.pending[1].source = 2;
    items.pending[0] = items.pending[1];
    items.pending[0].ordinal = 0;
    assert_int_equal(engine_items_load(&items, twin.fast, 4), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "such work"));
    items.sources[1].session = items.sources[0].session;
    items.sources[1].session_first = items.sources[0].session_first;
    assert_int_equal(engine_items_load(&items, twin.fast, 4), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "session"));
    engine_items_free(&items);
    reload(&twin);
    twin_destroy(&twin);
}

static void load_with_a_missing_touch(void *context)
{
    twin_t *twin = context;
    engine_items_t items;
    engine_items_take(&items, twin->reference);
    fast_fixture_inside(twin->fast)->arena.touch_skip = 4; /* a page that is stored to */
    (void)!engine_items_load(&items, twin->fast, 100);
}

static void test_a_missing_touch_is_found(void **state)
{
    (void)state;
    twin_t twin;
    open_pair(&twin);
    assert_true(child_aborts(load_with_a_missing_touch, &twin));
    reload(&twin);
    twin_destroy(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_by_source_is_taken_up),
        cmocka_unit_test(test_work_by_instrument_is_taken_up),
        cmocka_unit_test(test_work_that_left_a_level_is_taken_up),
        cmocka_unit_test(test_work_at_the_end_of_a_level_is_taken_up),
        cmocka_unit_test(test_what_was_there_goes),
        cmocka_unit_test(test_a_failed_load_can_be_begun_again),
        cmocka_unit_test(test_names_that_lead_nowhere),
        cmocka_unit_test(test_a_missing_touch_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
