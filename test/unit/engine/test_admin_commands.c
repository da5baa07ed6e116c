/*
 * Instruments, sources, sessions, marks, configuration and restrictions: every reject in its order,
 * and tables filled to the limit and used again. Both engines run each case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/twin.h"

static void open_twin(twin_t *twin)
{
    const oc_engine_config_t config = fast_fixture_config();
    twin_create(twin, &config);
}

static oc_command_t retire(uint32_t sender, uint32_t id)
{
    oc_command_t command = fixture_command(OC_COMMAND_SOURCE_RETIRE, sender, 0);
    command.u.source.id.value = id;
    return command;
}

static oc_command_t mark(uint32_t source, uint32_t instrument, int64_t price)
{
    oc_command_t command = fixture_command(OC_COMMAND_MARK_PRICE, source, instrument);
    command.u.mark.price_ticks = price;
    return command;
}

static oc_command_t configure(uint32_t step_bound, uint8_t priority)
{
    oc_command_t command = fixture_command(OC_COMMAND_CONFIGURE, 0, 0);
    command.u.configure.rules_version = OC_RULES_VERSION;
    command.u.configure.step_bound = step_bound;
    command.u.configure.modify_priority = priority;
    return command;
}

static oc_command_t restriction(uint32_t source, uint32_t set, uint32_t clear)
{
    oc_command_t command = fixture_command(OC_COMMAND_RESTRICTION, source, 0);
    command.u.restriction.set = set;
    command.u.restriction.clear = clear;
    return command;
}

static void test_marks_are_kept_inside_the_band(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_take(&twin, fixture_add_instrument(1));
    oc_command_t weak = fixture_add_source(1);
    weak.u.source.roles = OC_ROLES_ALL & ~OC_ROLE_MARK;
    twin_take(&twin, weak);
    twin_reject(&twin, mark(1, 1, 5), OC_REASON_NOT_ALLOWED);
    twin_reject(&twin, mark(0, 2, 5), OC_REASON_UNKNOWN_INSTRUMENT);
    twin_reject(&twin, mark(0, 0, 5), OC_REASON_UNKNOWN_INSTRUMENT);
    twin_reject(&twin, mark(0, 1, 0), OC_REASON_PRICE_OUT_OF_BAND);
    twin_reject(&twin, mark(0, 1, FIXTURE_PRICE_MAX + 1), OC_REASON_PRICE_OUT_OF_BAND);
    twin_take(&twin, mark(0, 1, 1));
    twin_take(&twin, mark(0, 1, FIXTURE_PRICE_MAX));
    oc_instrument_view_t view;
    assert_true(oc_engine_instrument(twin.fast, (oc_instrument_id_t){1}, &view));
    assert_int_equal(view.mark_price_ticks, FIXTURE_PRICE_MAX);
    assert_true(view.has_mark_price);
    twin_destroy(&twin);
}

static void test_instruments_are_checked_and_never_leave(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    oc_command_t bad = fixture_add_instrument(0);
    twin_reject(&twin, bad, OC_REASON_INVALID_FIELD);
    bad = fixture_add_instrument(1);
    bad.u.instrument.price_low_ticks = FIXTURE_PRICE_MAX + 1;
    twin_reject(&twin, bad, OC_REASON_INVALID_FIELD);
    bad = fixture_add_instrument(1);
    bad.u.instrument.state = OC_STATE_HALTED + 1;
    twin_reject(&twin, bad, OC_REASON_INVALID_FIELD);
    for (int i = 0; i < 4; i++) {
        static const int64_t lots[4] = {0, -1, INT64_MIN, INT64_MAX / 200 + 1};
        bad = fixture_add_instrument(1);
        bad.u.instrument.max_quantity_lots = lots[i];
        twin_reject(&twin, bad, OC_REASON_INVALID_FIELD);
    }
    for (uint32_t id = 4; id >= 1; id--) {
        oc_command_t add = fixture_add_instrument(id);
        add.u.instrument.state = (uint8_t)(id - 1);
        add.u.instrument.price_high_ticks =
            add.u.instrument.price_low_ticks; /* one price will do */
        add.u.instrument.max_quantity_lots = INT64_MAX / 200;
        twin_take(&twin, add);
        assert_int_equal(twin_events(), 2);
        assert_int_equal(twin_event(0)->type, OC_EVENT_CONFIRMED);
        assert_int_equal(twin_event(1)->type, OC_EVENT_INSTRUMENT_STATE);
        assert_int_equal(twin_event(1)->order_count, id - 1);
        twin_reject(&twin, add, OC_REASON_DUPLICATE_INSTRUMENT);
    }
    twin_reject(&twin, fixture_add_instrument(1), OC_REASON_DUPLICATE_INSTRUMENT);
    twin_reject(&twin, fixture_add_instrument(5), OC_REASON_INSTRUMENTS_FULL);
    twin_reject(&twin, fixture_add_instrument(UINT32_MAX), OC_REASON_INSTRUMENTS_FULL);
    assert_int_equal(twin_counts(&twin).instruments, 4);
    twin_destroy(&twin);
}

static void test_states_and_crossed_books(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_take(&twin, fixture_add_source(1));
    twin_take(&twin, fixture_add_instrument(1));
    twin_reject(&twin, twin_state(2, OC_STATE_CLOSED), OC_REASON_UNKNOWN_INSTRUMENT);
    twin_reject(&twin, twin_state(1, (oc_instrument_state_t)4), OC_REASON_INVALID_FIELD);
    twin_take(&twin, twin_state(1, OC_STATE_PRE_OPEN));
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 1, 8));
    twin_take(&twin, twin_state(1, OC_STATE_CONTINUOUS)); /* one side alone */
    twin_take(&twin, twin_state(1, OC_STATE_PRE_OPEN));
    for (int64_t price = 7; price <= 9; price++) {
        twin_take(&twin, fixture_new(1, 2, OC_SIDE_SELL, 1, price));
        twin_reject(&twin, twin_state(1, OC_STATE_CONTINUOUS),
                    price > 8 ? OC_REASON_NONE : OC_REASON_CROSSED_BOOK);
        twin_take(&twin, twin_state(1, OC_STATE_PRE_OPEN));
        twin_take(&twin, fixture_cancel(1, 2));
    }
    twin_take(&twin, twin_state(1, OC_STATE_HALTED));
    twin_take(&twin, twin_state(1, OC_STATE_HALTED)); /* again */
    assert_int_equal(twin_events(), 2);
    assert_int_equal(twin_counts(&twin).pending, 0); /* only closing expires */
    twin_destroy(&twin);
}

static void test_bands_leave_resting_orders(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_take(&twin, fixture_add_source(1));
    twin_take(&twin, fixture_add_instrument(1));
    twin_take(&twin, fixture_new(1, 1, OC_SIDE_BUY, 100, 15));
    oc_command_t bands = fixture_command(OC_COMMAND_INSTRUMENT_BANDS, 0, 2);
    twin_reject(&twin, bands, OC_REASON_UNKNOWN_INSTRUMENT);
    bands.instrument.value = 1;
    twin_reject(&twin, bands, OC_REASON_INVALID_FIELD);
    bands.u.instrument.max_quantity_lots = 50;
    bands.u.instrument.price_low_ticks = 5;
    twin_reject(&twin, bands, OC_REASON_INVALID_FIELD);
    bands.u.instrument.price_high_ticks = 10;
    bands.u.instrument.state = 77; /* not looked at */
    twin_take(&twin, bands);
    assert_int_equal(twin_events(), 1);
    twin_reject(&twin, fixture_modify(1, 1, 50, 15), OC_REASON_PRICE_OUT_OF_BAND);
    twin_reject(&twin, fixture_modify(1, 1, 51, 10), OC_REASON_QUANTITY_TOO_LARGE);
    twin_take(&twin, fixture_modify(1, 1, 50, 10));
    oc_instrument_view_t view;
    assert_true(oc_engine_instrument(twin.fast, (oc_instrument_id_t){1}, &view));
    assert_int_equal(view.state, OC_STATE_CONTINUOUS);
    assert_int_equal(view.price_low_ticks, 5);
    assert_int_equal(view.max_quantity_lots, 50);
    twin_destroy(&twin);
}

static void test_sources_full_and_usable_again(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_reject(&twin, fixture_add_source(0), OC_REASON_INVALID_FIELD);
    oc_command_t bad = fixture_add_source(1);
    bad.u.source.roles = OC_ROLES_ALL + 1;
    twin_reject(&twin, bad, OC_REASON_INVALID_FIELD);
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t i = 1; i <= 8; i++)
            twin_take(&twin, fixture_add_source(round * 1000 + i));
        twin_reject(&twin, fixture_add_source(round * 1000 + 8), OC_REASON_DUPLICATE_SOURCE);
        twin_reject(&twin, fixture_add_source(99), OC_REASON_SOURCES_FULL);
        twin_take(&twin, retire(0, round * 1000 + 3 + round % 2));
        twin_take(&twin, fixture_add_source(UINT32_MAX));
        twin_reject(&twin, fixture_add_source(99), OC_REASON_SOURCES_FULL);
        twin_reject(&twin, retire(0, 99), OC_REASON_UNKNOWN_SOURCE);
        twin_reject(&twin, retire(0, 0), OC_REASON_UNKNOWN_SOURCE);
        twin_take(&twin, retire(0, UINT32_MAX));
        for (uint32_t i = 8; i >= 1; i--)
            (void)twin_reason(&twin, retire(0, round * 1000 + i));
        assert_int_equal(twin_counts(&twin).sources, 0);
    }
    twin_destroy(&twin);
}

static void test_a_busy_source_stays(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint32_t id = 1; id <= 3; id++)
        twin_take(&twin, fixture_add_source(id));
    twin_take(&twin, fixture_add_instrument(1));
    twin_reject(&twin, retire(1, 1), OC_REASON_SOURCE_BUSY); /* the sender itself */
    oc_command_t order = fixture_new(2, 1, OC_SIDE_BUY, 1, 1);
    order.sequence = 1;
    twin_take(&twin, order);
    twin_reject(&twin, retire(1, 2), OC_REASON_SOURCE_BUSY);
    twin_take(&twin, fixture_cancel(2, 1));
    twin_take(&twin, twin_session_up(9, 2));
    twin_reject(&twin, retire(1, 2), OC_REASON_SOURCE_BUSY);
    twin_take(&twin, twin_session_down(9));
    twin_settle(&twin);
    twin_take(&twin, retire(1, 2));
    twin_take(&twin, fixture_add_source(2));
    twin_take(&twin, order); /* its sequence was forgotten */
    twin_destroy(&twin);
}

static void test_sessions_full_and_usable_again(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint32_t id = 1; id <= 6; id++)
        twin_take(&twin, fixture_add_source(id));
    twin_reject(&twin, twin_session_up(0, 1), OC_REASON_INVALID_FIELD);
    twin_reject(&twin, twin_session_up(1, 0), OC_REASON_UNKNOWN_SOURCE);
    twin_reject(&twin, twin_session_up(1, 9), OC_REASON_UNKNOWN_SOURCE);
    twin_reject(&twin, twin_session_down(0), OC_REASON_UNKNOWN_SESSION);
    for (uint64_t round = 0; round < 5; round++) {
        const uint64_t base = UINT64_MAX - 100 * round;
        for (uint32_t i = 0; i < 4; i++)
            twin_take(&twin, twin_session_up(base - i, 1 + i));
        twin_reject(&twin, twin_session_up(base - 9, 1), OC_REASON_SESSION_IN_USE);
        twin_reject(&twin, twin_session_up(base, 5), OC_REASON_SESSION_IN_USE);
        twin_reject(&twin, twin_session_up(base - 9, 5), OC_REASON_SESSIONS_FULL);
        twin_reject(&twin, twin_session_down(base - 9), OC_REASON_UNKNOWN_SESSION);
        twin_take(&twin, twin_session_down(base - 2));
        twin_reject(&twin, twin_session_down(base - 2), OC_REASON_UNKNOWN_SESSION);
        twin_take(&twin, twin_session_up(base - 2, 6)); /* the same id, another source */
        for (uint32_t i = 0; i < 4; i++)
            twin_take(&twin, twin_session_down(base - i));
        assert_int_equal(twin_counts(&twin).sessions, 0);
        twin_settle(&twin);
    }
    twin_destroy(&twin);
}

static void test_sessions_are_the_hosts_affair(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_take(&twin, fixture_add_source(1));
    oc_command_t c = twin_session_up(5, 1);
    c.source.value = 1;
    twin_reject(&twin, c, OC_REASON_NOT_ALLOWED);
    twin_take(&twin, twin_session_up(5, 1));
    c = twin_session_down(5);
    c.source.value = 1;
    twin_reject(&twin, c, OC_REASON_NOT_ALLOWED);
    c = fixture_time(4);
    c.source.value = 1;
    twin_reject(&twin, c, OC_REASON_NOT_ALLOWED);
    assert_int_equal(twin_counts(&twin).time_ns, 4); /* time goes on all the same */
    twin_destroy(&twin);
}

static void test_configuration_takes_effect_with_the_next_command(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    twin_reject(&twin, configure(0, 0), OC_REASON_INVALID_FIELD);
    twin_reject(&twin, configure(OC_STEP_BOUND_MAX + 1, 0), OC_REASON_INVALID_FIELD);
    twin_reject(&twin, configure(1, 2), OC_REASON_INVALID_FIELD);
    assert_int_equal(twin_counts(&twin).step_bound, 4);
    twin_take(&twin, configure(OC_STEP_BOUND_MAX, OC_PRIORITY_LOSE));
    assert_int_equal(twin_counts(&twin).step_bound, OC_STEP_BOUND_MAX);
    assert_int_equal(twin_counts(&twin).modify_priority, OC_PRIORITY_LOSE);
    twin_take(&twin, configure(1, OC_PRIORITY_KEEP));
    twin_take(&twin, fixture_add_source(1));
    twin_take(&twin, fixture_add_instrument(1));
    for (uint64_t id = 0; id < 6; id++)
        twin_take(&twin, fixture_new(1, id, OC_SIDE_BUY, 1, 1));
    twin_take(&twin, twin_mass_cancel(1));
    twin_take(&twin, configure(50, OC_PRIORITY_KEEP)); /* spends what it had: one step */
    assert_int_equal(twin_counts(&twin).orders, 4);
    twin_take(&twin, fixture_time(0));
    assert_int_equal(twin_counts(&twin).orders, 0);
    twin_destroy(&twin);
}

/* Every mask meets every command of known bits. */
static void test_restrictions_are_set_and_cleared(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint32_t before = 0; before <= OC_RESTRICT_ALL; before++)
        for (uint32_t set = 0; set <= OC_RESTRICT_ALL; set++)
            for (uint32_t clear = 0; clear <= OC_RESTRICT_ALL; clear++) {
                twin_take(&twin, restriction(0, before, OC_RESTRICT_ALL & ~before));
                assert_int_equal(twin_counts(&twin).restrictions, before);
                twin_reject(&twin, restriction(0, set, clear),
                            set & clear ? OC_REASON_INVALID_FIELD : OC_REASON_NONE);
                assert_int_equal(twin_event(0)->command, OC_COMMAND_RESTRICTION);
                assert_int_equal(twin_counts(&twin).restrictions,
                                 set & clear ? before : (before & ~clear) | set);
            }
    for (uint32_t bit = OC_RESTRICT_ALL + 1; bit; bit <<= 1) {
        twin_reject(&twin, restriction(0, bit | 1, 0), OC_REASON_INVALID_FIELD);
        twin_reject(&twin, restriction(0, 1, bit), OC_REASON_INVALID_FIELD);
    }
    oc_engine_counts_t counts;
    oc_engine_counts(twin.reference, &counts);
    assert_int_equal(counts.restrictions, OC_RESTRICT_ALL);
    twin_destroy(&twin);
}

static void test_restrictions_need_the_role(void **state)
{
    (void)state;
    twin_t twin;
    open_twin(&twin);
    for (uint32_t roles = 0; roles <= OC_ROLES_ALL; roles++) {
        oc_command_t add = fixture_add_source(1);
        add.u.source.roles = roles;
        twin_take(&twin, add);
        const bool may = (roles & OC_ROLE_ADMIN) != 0;
        oc_command_t command = restriction(1, OC_RESTRICT_RECOVERY, 0);
        command.sequence = 1;
        twin_reject(&twin, command, may ? OC_REASON_NONE : OC_REASON_NOT_ALLOWED);
        assert_int_equal(twin_counts(&twin).restrictions, may ? OC_RESTRICT_RECOVERY : 0);
        twin_reject(&twin, command, OC_REASON_DUPLICATE_SEQUENCE);
        twin_take(&twin, restriction(0, 0, OC_RESTRICT_RECOVERY));
        twin_take(&twin, retire(0, 1));
    }
    twin_destroy(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks_are_kept_inside_the_band),
        cmocka_unit_test(test_instruments_are_checked_and_never_leave),
        cmocka_unit_test(test_states_and_crossed_books),
        cmocka_unit_test(test_bands_leave_resting_orders),
        cmocka_unit_test(test_sources_full_and_usable_again),
        cmocka_unit_test(test_a_busy_source_stays),
        cmocka_unit_test(test_sessions_full_and_usable_again),
        cmocka_unit_test(test_sessions_are_the_hosts_affair),
        cmocka_unit_test(test_configuration_takes_effect_with_the_next_command),
        cmocka_unit_test(test_restrictions_are_set_and_cleared),
        cmocka_unit_test(test_restrictions_need_the_role),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
