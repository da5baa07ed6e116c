/*
 * The list of open sessions against a naive array, and its limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/session_ledger.h"
#include "lib/expect_abort.h"
#include "lib/reference_fixture.h"

enum { CAPACITY = 50, IDS = 200 };

static void add(session_ledger_t *ledger, uint64_t id)
{
    const gateway_open_t open = {.correlation_id = (int64_t)id * 3};
    assert_true(session_ledger_add(ledger, (oc_session_id_t){id}, &open));
}

static void like_a_naive_one(void **state)
{
    (void)state;
    session_ledger_t ledger;
    bool naive[IDS] = {false};
    uint32_t count = 0;
    uint64_t seed = 7;
    assert_int_equal(session_ledger_init(&ledger, CAPACITY), OC_ERR_OK);
    for (int step = 0; step < 20000; step++) {
        const uint64_t id = fixture_below(&seed, IDS);
        const ledger_session_t *found = session_ledger_find(&ledger, (oc_session_id_t){id});
        assert_int_equal(found != NULL, naive[id]);
        if (found) {
            assert_true(found->open.correlation_id == (int64_t)id * 3);
            session_ledger_remove(&ledger, (oc_session_id_t){id});
            count--;
        } else if (count < CAPACITY) {
            add(&ledger, id);
            count++;
        } else {
            const gateway_open_t open = {0};
            assert_false(session_ledger_add(&ledger, (oc_session_id_t){id}, &open));
            continue;
        }
        naive[id] = !naive[id];
        assert_int_equal(ledger.count, count);
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t at = session_ledger_at(&ledger, i)->id.value;
            assert_true(naive[at]);
            assert_true(i == 0 || session_ledger_at(&ledger, i - 1)->id.value < at);
        }
    }
    session_ledger_fini(&ledger);
}

static void next_id(void **state)
{
    (void)state;
    session_ledger_t ledger;
    assert_int_equal(session_ledger_init(&ledger, 4), OC_ERR_OK);
    assert_int_equal(ledger.next_id, 1);
    add(&ledger, 8);
    add(&ledger, 3);
    assert_int_equal(ledger.next_id, 9);
    session_ledger_remove(&ledger, (oc_session_id_t){8});
    assert_int_equal(ledger.next_id, 9);
    session_ledger_fini(&ledger);
}

static void closing(void **state)
{
    (void)state;
    session_ledger_t ledger;
    assert_int_equal(session_ledger_init(&ledger, 4), OC_ERR_OK);
    add(&ledger, 1);
    add(&ledger, 2);
    session_ledger_mark_closing(&ledger, (oc_session_id_t){2});
    session_ledger_mark_closing(&ledger, (oc_session_id_t){2});
    assert_int_equal(ledger.closing, 1);
    assert_false(session_ledger_find(&ledger, (oc_session_id_t){1})->closing);
    assert_true(session_ledger_find(&ledger, (oc_session_id_t){2})->closing);
    session_ledger_remove(&ledger, (oc_session_id_t){2});
    assert_int_equal(ledger.closing, 0);
    add(&ledger, 3); /* in the same slot */
    assert_false(session_ledger_find(&ledger, (oc_session_id_t){3})->closing);
    session_ledger_fini(&ledger);
}

static void remove_unknown(void *context)
{
    session_ledger_remove(context, (oc_session_id_t){5});
}

static void add_again(void *context)
{
    add(context, 1);
}

static void bugs_abort(void **state)
{
    (void)state;
    session_ledger_t ledger;
    assert_int_equal(session_ledger_init(&ledger, 4), OC_ERR_OK);
    add(&ledger, 1);
    assert_true(child_aborts(remove_unknown, &ledger));
    assert_true(child_aborts(add_again, &ledger));
    session_ledger_fini(&ledger);
    session_ledger_fini(&ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_naive_one),
        cmocka_unit_test(next_id),
        cmocka_unit_test(closing),
        cmocka_unit_test(bugs_abort),
    };
    return cmocka_run_group_tests_name("session_ledger", tests, NULL, NULL);
}
