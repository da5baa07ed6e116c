/*
 * The list of open sessions against a naive array, with every store announced, its limits, and what
 * it says of an arena that holds no such list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/session_ledger.h"
#include "lib/expect_abort.h"
#include "lib/reference_fixture.h"

#include <string.h>

enum { CAPACITY = 50, IDS = 200, ROOM = 70 };

/* The arena has a shadow: oc_arena_check() ends the process at a store that was not announced. */
static void begin(session_ledger_t *ledger, oc_arena_t *arena, uint32_t room, uint32_t capacity)
{
    assert_true(oc_arena_init(arena, "test", 1, session_ledger_arena_bytes(room), true));
    session_ledger_init(ledger, arena, room, capacity);
    assert_int_equal(arena->used, arena->size);
    oc_arena_seal(arena);
    oc_arena_check(arena);
}

static void add(session_ledger_t *ledger, uint64_t id)
{
    gateway_open_t open = {.correlation_id = (int64_t)id * 3};
    /* To the end of the record, which may lie on another page than its beginning. */
    memset(open.response_channel, (int)id % 127 + 1, sizeof open.response_channel - 1);
    assert_true(session_ledger_add(ledger, (oc_session_id_t){id}, &open));
}

static void like_a_naive_one(void **state)
{
    (void)state;
    session_ledger_t ledger;
    oc_arena_t arena;
    bool naive[IDS] = {false};
    uint32_t count = 0;
    uint64_t seed = 7;
    begin(&ledger, &arena, ROOM, CAPACITY);
    for (int step = 0; step < 20000; step++) {
        oc_arena_advance_epoch(&arena);
        const uint64_t id = fixture_below(&seed, IDS);
        const ledger_session_t *found = session_ledger_find(&ledger, (oc_session_id_t){id});
        if (found && fixture_below(&seed, 4) == 0)
            session_ledger_mark_closing(&ledger, (oc_session_id_t){id});
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
        oc_arena_check(&arena);
        assert_int_equal(session_ledger_restored(&ledger), OC_ERR_OK);
        assert_int_equal(ledger.state->count, count);
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t at = session_ledger_at(&ledger, i)->id.value;
            assert_true(naive[at]);
            assert_true(i == 0 || session_ledger_at(&ledger, i - 1)->id.value < at);
        }
    }
    oc_arena_fini(&arena);
}

static void next_id(void **state)
{
    (void)state;
    session_ledger_t ledger;
    oc_arena_t arena;
    begin(&ledger, &arena, 4, 4);
    assert_int_equal(ledger.state->next_id, 1);
    add(&ledger, 8);
    add(&ledger, 3);
    assert_int_equal(ledger.state->next_id, 9);
    session_ledger_remove(&ledger, (oc_session_id_t){8});
    assert_int_equal(ledger.state->next_id, 9);
    oc_arena_fini(&arena);
}

static void closing(void **state)
{
    (void)state;
    session_ledger_t ledger;
    oc_arena_t arena;
    begin(&ledger, &arena, 4, 4);
    add(&ledger, 1);
    add(&ledger, 2);
    session_ledger_mark_closing(&ledger, (oc_session_id_t){2});
    session_ledger_mark_closing(&ledger, (oc_session_id_t){2});
    assert_int_equal(ledger.state->closing, 1);
    assert_false(session_ledger_find(&ledger, (oc_session_id_t){1})->closing);
    assert_true(session_ledger_find(&ledger, (oc_session_id_t){2})->closing);
    session_ledger_remove(&ledger, (oc_session_id_t){2});
    assert_int_equal(ledger.state->closing, 0);
    add(&ledger, 3); /* in the same slot */
    assert_false(session_ledger_find(&ledger, (oc_session_id_t){3})->closing);
    oc_arena_fini(&arena);
}

/* What the arena of one holds is a ledger for another process too, whatever its capacity. */
static void restored(void **state)
{
    (void)state;
    session_ledger_t ledger;
    session_ledger_t other;
    oc_arena_t arena;
    oc_arena_t copy;
    begin(&ledger, &arena, 4, 4);
    begin(&other, &copy, 4, 2);
    assert_true(arena.layout == copy.layout);
    add(&ledger, 7);
    add(&ledger, 5);
    add(&ledger, 6);
    session_ledger_remove(&ledger, (oc_session_id_t){5});
    session_ledger_mark_closing(&ledger, (oc_session_id_t){7});
    memcpy(copy.base, arena.base, arena.size);
    assert_int_equal(session_ledger_restored(&other), OC_ERR_OK);
    assert_int_equal(session_ledger_at(&other, 0)->open.correlation_id, 18);
    assert_true(session_ledger_at(&other, 1)->closing);
    assert_int_equal(other.state->next_id, 8);
    add(&ledger, 9);
    memcpy(copy.base, arena.base, arena.size);
    assert_int_equal(session_ledger_restored(&other), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "3 sessions open: raise max_sessions = 2"));
    oc_arena_fini(&arena);
    oc_arena_fini(&copy);
}

/* Each fault in a good arena is found. */
static void no_ledger(void **state)
{
    (void)state;
    session_ledger_t ledger;
    oc_arena_t arena;
    begin(&ledger, &arena, 4, 4);
    add(&ledger, 1);
    add(&ledger, 2);
    add(&ledger, 3);
    session_ledger_remove(&ledger, (oc_session_id_t){1});
    uint32_t *const words[] = {
        &ledger.state->made,
        &ledger.state->count,
        &ledger.state->closing,
        &ledger.slots[0],
        &ledger.free_slots[0],
        (uint32_t *)&ledger.ids[1],
        &ledger.sessions[1].open.channel_length,
    };
    assert_int_equal(session_ledger_restored(&ledger), OC_ERR_OK);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const uint32_t good = *words[i];
        *words[i] = 1000;
        assert_int_equal(session_ledger_restored(&ledger), OC_ERR_DAMAGED);
        *words[i] = good;
    }
    ledger.state->next_id = 3;
    assert_int_equal(session_ledger_restored(&ledger), OC_ERR_DAMAGED);
    oc_arena_fini(&arena);
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
    oc_arena_t arena;
    begin(&ledger, &arena, 4, 4);
    add(&ledger, 1);
    assert_true(child_aborts(remove_unknown, &ledger));
    assert_true(child_aborts(add_again, &ledger));
    oc_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_naive_one), cmocka_unit_test(next_id),
        cmocka_unit_test(closing),          cmocka_unit_test(restored),
        cmocka_unit_test(no_ledger),        cmocka_unit_test(bugs_abort),
    };
    return cmocka_run_group_tests_name("session_ledger", tests, NULL, NULL);
}
