/*
 * That the audit of the reference engine finds what is damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/reference_fixture.h"

#include "engine/reference_internal.h"

#include <string.h>

static void assert_audit_says(const oc_engine_t *engine, const char *what)
{
    char why[256] = "";
    assert_false(oc_engine_audit(engine, why, sizeof why));
    assert_non_null(strstr(why, what));
}

static void test_audit_finds_damage(void **state)
{
    (void)state;
    const oc_engine_config_t config = fixture_config();
    oc_engine_t *engine = fixture_create(&config, NULL);
    fixture_prepare(engine);
    for (uint64_t id = 1; id <= 3; id++)
        fixture_apply(engine, fixture_new(1, id, OC_SIDE_BUY, 5, 10));
    reference_engine_t *inside = reference_of(engine);
    reference_order_list_t *bids = &inside->instruments[0]->sides[OC_SIDE_BUY];
    reference_order_t *first = bids->items[0];
    reference_order_t *second = bids->items[1];
    fixture_assert_audit(engine);

    first->open_lots = 0;
    assert_audit_says(engine, "open 0");
    first->open_lots = 5;
    bids->items[0] = second;
    bids->items[1] = first;
    assert_audit_says(engine, "not in its book");
    bids->items[0] = first;
    bids->items[1] = second;
    second->order_id.value = 1;
    assert_audit_says(engine, "same id");
    second->order_id.value = 99;
    assert_audit_says(engine, "never assigned");
    second->order_id.value = 2;
    second->time_in_force = OC_TIF_IOC;
    assert_audit_says(engine, "rests but may not");
    second->time_in_force = OC_TIF_GTC;
    inside->config.max_orders = 2;
    assert_audit_says(engine, "3 orders, 2 allowed");
    inside->config.max_orders = 200;
    bids->count--;
    assert_audit_says(engine, "not in its book");
    bids->count++;
    inside->sources[0]->session.value = 4;
    assert_audit_says(engine, "half a session");
    inside->sources[0]->session.value = 0;
    inside->restrictions = OC_RESTRICT_ALL + 1;
    assert_audit_says(engine, "4 restrictions, 3 allowed");
    inside->restrictions = 0;
    fixture_assert_audit(engine);
    oc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
