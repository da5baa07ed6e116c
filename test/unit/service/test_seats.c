/*
 * The tables of sessions and seats by themselves: filled, emptied, hashed, and checked for stores
 * that were not announced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/exchange_fixture.h"
#include "lib/expect_abort.h"
#include "service/exchange_internal.h"

#include <string.h>

static exchange_t *make(void)
{
    exchange_t *exchange = NULL;
    const exchange_config_t config = exchange_fixture_config();
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    return exchange;
}

/* What the header keeps, which must be what is found by adding up. */
static uint64_t hash(const exchange_t *exchange)
{
    assert_true(exchange->header->item_sum == seats_hash(exchange));
    return exchange->header->item_sum;
}

/* Every store since the last call has been announced. */
static void check(exchange_t *exchange)
{
    (void)hash(exchange);
    size_t offset = 0;
    assert_true(oc_arena_verify(&exchange->arena, &offset));
    oc_arena_advance_epoch(&exchange->arena);
}

static void test_principals(void **state)
{
    (void)state;
    static const char longest[] = "1234567890123456789012345678901"; /* 31 characters */
    oc_principal_t p = principal_of(longest, 31);
    assert_true(principal_valid(&p));
    assert_string_equal(p.name, longest);
    p = principal_of("12345678901234567890123456789012", 32);
    assert_false(principal_valid(&p));
    p = principal_of("ab\0c", 4);
    assert_false(principal_valid(&p));
    p = principal_of(NULL, 0);
    assert_false(principal_valid(&p));
    p = principal_of("abc", 3);
    const oc_principal_t same = principal_of("abc", 3);
    const oc_principal_t other = principal_of("abcd", 4);
    assert_true(principal_equal(&p, &same));
    assert_false(principal_equal(&p, &other));
}

static void test_sessions_fill_the_table_and_leave_it(void **state)
{
    (void)state;
    exchange_t *e = make();
    const oc_principal_t name = principal_of("x", 1);
    for (uint64_t round = 0; round < 3; round++) {
        for (uint64_t id = 1; id <= 8; id++) {
            assert_true(session_add(e, (oc_session_id_t){round * 100 + id}, &name));
            check(e);
        }
        assert_false(session_add(e, (oc_session_id_t){999}, &name));
        for (uint64_t id = 8; id >= 1; id--) {
            const uint32_t index = session_find(e, (oc_session_id_t){round * 100 + id});
            assert_true(index != 0);
            session_remove(e, index);
            check(e);
            assert_int_equal(session_find(e, (oc_session_id_t){round * 100 + id}), 0);
        }
        assert_true(hash(e) == 0);
    }
    exchange_destroy(e);
}

static void test_seats_come_and_go(void **state)
{
    (void)state;
    exchange_t *e = make();
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t id = 1; id <= 16; id++)
            seat_add(e, (oc_source_id_t){id * 7 + round});
        check(e);
        assert_int_equal(seat_find(e, (oc_source_id_t){0}), 0);
        for (uint32_t id = 1; id <= 16; id++) {
            const uint32_t seat = seat_find(e, (oc_source_id_t){id * 7 + round});
            assert_int_equal(e->seats[seat].source, id * 7 + round);
            seat_remove(e, seat); /* the hint points at it */
            assert_int_equal(seat_find(e, (oc_source_id_t){id * 7 + round}), 0);
        }
        check(e);
        assert_true(hash(e) == 0);
    }
    exchange_destroy(e);
}

static void test_a_session_takes_a_seat_and_leaves_it(void **state)
{
    (void)state;
    exchange_t *e = make();
    const oc_principal_t name = principal_of("x", 1);
    assert_true(session_add(e, (oc_session_id_t){5}, &name));
    seat_add(e, (oc_source_id_t){3});
    check(e);
    const uint32_t session = session_find(e, (oc_session_id_t){5});
    const uint32_t seat = seat_find(e, (oc_source_id_t){3});
    const uint64_t before = hash(e);
    seat_take(e, seat, session);
    check(e);
    assert_int_equal(e->sessions[session].seat, seat);
    assert_int_equal(e->seats[seat].session, session);
    assert_true(hash(e) != before);
    seat_leave(e, seat);
    check(e);
    assert_int_equal(e->sessions[session].seat, 0);
    assert_int_equal(e->seats[seat].session, 0);
    assert_true(hash(e) == before);
    exchange_destroy(e);
}

/* By what is in the tables, not by how it came there; and by all of it. */
static void test_the_hash(void **state)
{
    (void)state;
    exchange_t *a = make();
    exchange_t *b = make();
    const oc_principal_t x = principal_of("x", 1);
    const oc_principal_t y = principal_of("y", 1);
    for (uint32_t i = 1; i <= 4; i++) {
        seat_add(a, (oc_source_id_t){i});
        seat_add(b, (oc_source_id_t){5 - i});
        assert_true(session_add(a, (oc_session_id_t){i}, &x));
        assert_true(session_add(b, (oc_session_id_t){5 - i}, &x));
    }
    assert_true(hash(a) == hash(b));
    const uint32_t two = seat_find(a, (oc_source_id_t){2});
    seat_bind(a, two, &x);
    const uint64_t bound = hash(a);
    assert_true(bound != hash(b));
    seat_bind(a, two, &y);
    assert_true(hash(a) != bound);
    seat_bind(b, seat_find(b, (oc_source_id_t){2}), &y);
    assert_true(hash(a) == hash(b));
    assert_int_equal(seat_number_output(a, &a->seats[seat_find(a, (oc_source_id_t){1})]), 1);
    assert_int_equal(seat_number_output(b, &b->seats[seat_find(b, (oc_source_id_t){3})]), 1);
    assert_true(hash(a) != hash(b)); /* the same numbers, of others */
    exchange_destroy(a);
    exchange_destroy(b);
}

/* As if it had come there by outputs, which are not kept; that they are not is no difference. */
static void test_a_restored_seat(void **state)
{
    (void)state;
    exchange_t *a = make();
    exchange_t *b = make();
    const oc_principal_t x = principal_of("x", 1);
    seat_add(a, (oc_source_id_t){4});
    seat_add(b, (oc_source_id_t){4});
    const uint32_t seat = seat_find(a, (oc_source_id_t){4});
    seat_bind(b, seat, &x);
    assert_int_equal(outbox_first_kept(b, &b->seats[seat]), 1);
    for (uint64_t n = 1; n <= 100; n++) {
        assert_int_equal(seat_number_output(b, &b->seats[seat]), n);
        check(b);
    }
    seat_restore(a, seat, 100, &x);
    check(a);
    assert_true(hash(a) == hash(b));
    assert_int_equal(outbox_first_kept(a, &a->seats[seat]), 101);
    assert_int_equal(outbox_first_kept(b, &b->seats[seat]), 37);
    assert_int_equal(seat_number_output(a, &a->seats[seat]), 101);
    assert_true(hash(a) != hash(b));
    exchange_destroy(a);
    exchange_destroy(b);
}

static void bind_unannounced(void *context)
{
    exchange_t *e = context;
    const oc_principal_t x = principal_of("x", 1);
    oc_arena_advance_epoch(&e->arena);
    e->arena.touch_skip = 1;
    seat_bind(e, seat_find(e, (oc_source_id_t){1}), &x);
    oc_arena_check(&e->arena);
}

static void test_a_missing_touch_is_noticed(void **state)
{
    (void)state;
    exchange_t *e = make();
    seat_add(e, (oc_source_id_t){1});
    check(e);
    assert_true(child_aborts(bind_unannounced, e));
    exchange_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_principals),
        cmocka_unit_test(test_sessions_fill_the_table_and_leave_it),
        cmocka_unit_test(test_seats_come_and_go),
        cmocka_unit_test(test_a_session_takes_a_seat_and_leaves_it),
        cmocka_unit_test(test_the_hash),
        cmocka_unit_test(test_a_restored_seat),
        cmocka_unit_test(test_a_missing_touch_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
