/*
 * The members asked of a module: the answer taken apart, others' answers passed over, and the whole
 * way over a driver's control channel. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/members_query.h"
#include "lib/module_stage.h"

#include <string.h>

#define SECOND_NS INT64_C(1000000000)

static void check_answer(const members_query_t *answer)
{
    assert_int_equal(answer->leader, 0);
    assert_int_equal(answer->own, 1);
    assert_int_equal(answer->count, 3);
    assert_int_equal(answer->members[2].id, 2);
    assert_int_equal(answer->members[2].term, 3);
    assert_int_equal(answer->members[2].log_position, 4002);
    assert_int_equal(answer->members[2].last_append_ns, 2000000);
    assert_string_equal(answer->members[2].endpoints, "c:1,c:2,c:3,c:4,c:5");
    assert_int_equal(answer->members[0].last_append_ns, -1);
}

static void taken_apart(void **state)
{
    (void)state;
    const module_stage_t stage = {.members = 3, .id = 1};
    members_query_t answer;
    uint8_t bytes[1024];
    const size_t size = module_stage_members(&stage, 77, bytes);
    assert_true(members_query_take(&answer, bytes, size, 77));
    check_answer(&answer);
    assert_false(members_query_take(&answer, bytes, size, 78)); /* somebody else asked */
    for (size_t length = 0; length < size; length++)
        assert_false(members_query_take(&answer, bytes, length, 77));
    bytes[2] = 42; /* the module is about something else */
    assert_false(members_query_take(&answer, bytes, size, 77));
}

static void over_the_control_channel(void **state)
{
    (void)state;
    module_stage_t stage;
    members_query_t answer;
    module_stage_begin(&stage, 3, 1);
    assert_int_equal(members_query_ask(stage.aeron_dir, &answer, SECOND_NS), OC_ERR_TRANSPORT);
    module_stage_driver(&stage);
    module_stage_counters(&stage, 0);
    module_stage_play(&stage);
    assert_int_equal(members_query_ask(stage.aeron_dir, &answer, 20 * SECOND_NS), OC_ERR_OK);
    check_answer(&answer);
    stage.deaf = true;
    assert_int_equal(members_query_ask(stage.aeron_dir, &answer, SECOND_NS / 5), OC_ERR_TIMEOUT);
    assert_int_equal(answer.leader, -1);
    module_stage_end(&stage);
}

static void role_is(const members_query_t *answer, size_t member, const char *name)
{
    const members_query_role_t role =
        members_query_role(answer, &answer->members[member], SECOND_NS);
    assert_string_equal(members_query_role_name(role), name);
}

/* Of a dead member the module of a new leader has term -1 and no time; of one that comes up, term
 * -1 and when it was heard; of one that has died since, what that said last. */
static void who_is_heard(void **state)
{
    (void)state;
    members_query_t answer = {
        .leader = 1,
        .own = 1,
        .count = 4,
        .members = {{.id = 0, .term = 7, .last_append_ns = SECOND_NS},
                    {.id = 1, .term = 7, .last_append_ns = 0},
                    {.id = 2, .term = 7, .last_append_ns = SECOND_NS + 1},
                    {.id = 3, .term = -1, .last_append_ns = 1000}},
    };
    role_is(&answer, 0, "follower");
    role_is(&answer, 1, "leader");
    role_is(&answer, 2, "unreachable");
    role_is(&answer, 3, "joining");
    answer.members[3].last_append_ns = -1;
    role_is(&answer, 3, "unreachable");
    answer.members[0].last_append_ns = -1;
    role_is(&answer, 0, "unreachable");
    answer.own = 2; /* which hears only the leader */
    role_is(&answer, 0, "unknown");
    role_is(&answer, 1, "leader");
    role_is(&answer, 2, "follower");
    answer.leader = -1;
    role_is(&answer, 1, "unknown");
    role_is(&answer, 2, "unknown");
    answer.own = -1;
    role_is(&answer, 2, "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_apart),
        cmocka_unit_test(who_is_heard),
        cmocka_unit_test(over_the_control_channel),
    };
    return cmocka_run_group_tests_name("members_query", tests, NULL, NULL);
}
