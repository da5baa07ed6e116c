/*
 * The table of sessions: ids, places, counts and the active list, against each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "gateway/session_table.h"
#include "lib/expect_abort.h"

enum { CAPACITY = 37 };

static oc_session_id_t id_of(uint64_t value)
{
    return (oc_session_id_t){.value = value};
}

/* Counts by state, places and the active list tell the same story. */
static void assert_consistent(const session_table_t *table)
{
    uint32_t counts[SESSION_ENDING + 1] = {0};
    uint32_t active = 0;
    for (uint32_t i = 0; i < table->capacity; i++) {
        const session_t *session = &table->sessions[i];
        counts[session->state]++;
        if (session->state == SESSION_FREE) {
            assert_int_equal(session->active_at, 0);
            continue;
        }
        assert_ptr_equal(session_table_find(table, session->id), session);
        if (session->active_at != 0) {
            active++;
            assert_int_equal(table->active[session->active_at - 1], i);
        }
    }
    assert_memory_equal(counts, table->by_state, sizeof counts);
    assert_int_equal(active, table->active_count);
    assert_int_equal(table->free_count, counts[SESSION_FREE]);
}

static void stays_consistent(void **state)
{
    (void)state;
    session_table_t table;
    uint64_t random = 7;
    assert_true(session_table_init(&table, CAPACITY));
    for (uint64_t round = 1; round < 5000; round++) {
        session_t *session = &table.sessions[prng_below(&random, CAPACITY)];
        bool full = false;
        switch (prng_below(&random, 5)) {
        case 0:
        case 1:
            full = table.free_count == 0;
            session = session_table_add(&table, id_of(round), SESSION_CONNECTING);
            assert_int_equal(session == NULL, full);
            break;
        case 2:
            if (session->state != SESSION_FREE)
                session_table_remove(&table, session);
            break;
        case 3:
            if (session->state != SESSION_FREE)
                session_table_set_state(&table, session, SESSION_OPEN);
            break;
        default:
            if (session->state != SESSION_FREE && session->active_at == 0)
                session_table_activate(&table, session);
            else
                session_table_deactivate(&table, session);
        }
        assert_consistent(&table);
    }
    session_table_fini(&table);
}

static void fills_up(void **state)
{
    (void)state;
    session_table_t table;
    assert_true(session_table_init(&table, CAPACITY));
    for (uint64_t i = 0; i < CAPACITY; i++)
        assert_non_null(session_table_add(&table, id_of(i * 1000), SESSION_OPEN));
    assert_null(session_table_add(&table, id_of(1), SESSION_OPEN));
    assert_null(session_table_find(&table, id_of(1)));
    session_table_remove(&table, session_table_find(&table, id_of(5000)));
    assert_null(session_table_find(&table, id_of(5000)));
    session_t *session = session_table_add(&table, id_of(1), SESSION_OPEN);
    assert_non_null(session);
    assert_int_equal(session->deadline_ns, 0);
    assert_consistent(&table);
    session_table_fini(&table);
}

static void activates_once(void **state)
{
    (void)state;
    session_table_t table;
    assert_true(session_table_init(&table, CAPACITY));
    session_t *session = session_table_add(&table, id_of(1), SESSION_OPEN);
    session_table_activate(&table, session);
    assert_int_equal(table.active_count, 1);
    session_table_deactivate(&table, session);
    session_table_deactivate(&table, session);
    assert_int_equal(table.active_count, 0);
    session_table_fini(&table);
}

static void add_twice(void *context)
{
    session_table_add(context, id_of(3), SESSION_OPEN);
    session_table_add(context, id_of(3), SESSION_OPEN);
}

static void one_session_of_an_id(void **state)
{
    (void)state;
    session_table_t table;
    assert_true(session_table_init(&table, CAPACITY));
    assert_true(child_aborts(add_twice, &table));
    session_table_fini(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_consistent),
        cmocka_unit_test(fills_up),
        cmocka_unit_test(activates_once),
        cmocka_unit_test(one_session_of_an_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
