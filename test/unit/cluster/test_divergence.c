/*
 * Votes on states: majorities, who differs, splits, what is forgotten; and random votes against a
 * twin that keeps everything and counts from the beginning each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "cluster/divergence.h"
#include "lib/expect_abort.h"

#include <string.h>

static const int32_t three[] = {0, 1, 2};

static divergence_report_t vote(divergence_t *self, int32_t member, uint64_t position,
                                uint64_t state, uint64_t output)
{
    divergence_report_t report;
    memset(&report, 0xff, sizeof report);
    divergence_vote(self,
                    &(member_message_t){.type = MEMBER_CHECK,
                                        .member = member,
                                        .position = position,
                                        .state_hash = state,
                                        .output_hash = output},
                    &report);
    return report;
}

static void own(divergence_t *self, uint64_t position, uint64_t state, uint64_t output)
{
    divergence_own(self, position, &(divergence_hashes_t){.state = state, .output = output});
}

static void assert_none(const divergence_report_t report)
{
    assert_int_equal(report.verdict, DIVERGENCE_NONE);
    assert_int_equal(report.position, 0);
}

static void test_all_agree(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 1, three, 3);
    own(&self, 100, 7, 8);
    assert_none(vote(&self, 0, 100, 7, 8));
    assert_int_equal(self.agreed_position, 0);
    assert_int_equal(vote(&self, 2, 100, 7, 8).agreed_position, 100);
    assert_none(vote(&self, 1, 100, 7, 8));
    assert_int_equal(self.agreed_position, 100);
    assert_int_equal(self.decided, 1);
}

static void test_a_majority_of_others_condemns_this_one(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 1, three, 3);
    own(&self, 100, 7, 8);
    (void)vote(&self, 0, 100, 7, 8);
    (void)vote(&self, 2, 100, 7, 8);
    own(&self, 200, 9, 8);
    assert_none(vote(&self, 2, 200, 7, 8));
    const divergence_report_t report = vote(&self, 0, 200, 7, 8);
    assert_int_equal(report.verdict, DIVERGENCE_SELF);
    assert_int_equal(report.position, 200);
    assert_int_equal(report.member, 1);
    assert_int_equal(report.own.state, 9);
    assert_int_equal(report.own.output, 8);
    assert_int_equal(report.other.state, 7);
    assert_int_equal(report.agreed_position, 100);
    assert_none(vote(&self, 1, 200, 9, 8)); /* said already */
}

static void test_the_output_hash_counts_as_well(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 0, three, 3);
    own(&self, 100, 7, 8);
    (void)vote(&self, 1, 100, 7, 9);
    const divergence_report_t report = vote(&self, 2, 100, 7, 9);
    assert_int_equal(report.verdict, DIVERGENCE_SELF);
    assert_int_equal(report.other.output, 9);
}

static void test_another_one_differs(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 0, three, 3);
    own(&self, 100, 7, 8);
    (void)vote(&self, 0, 100, 7, 8);
    (void)vote(&self, 1, 100, 7, 8);
    const divergence_report_t late = vote(&self, 2, 100, 1, 8);
    assert_int_equal(late.verdict, DIVERGENCE_OTHER);
    assert_int_equal(late.member, 2);
    assert_int_equal(late.other.state, 1);
    assert_int_equal(late.own.state, 7);
    own(&self, 200, 7, 8);
    (void)vote(&self, 2, 200, 1, 8); /* this time before the majority */
    (void)vote(&self, 0, 200, 7, 8);
    const divergence_report_t early = vote(&self, 1, 200, 7, 8);
    assert_int_equal(early.verdict, DIVERGENCE_OTHER);
    assert_int_equal(early.member, 2);
    assert_int_equal(early.position, 200);
    assert_int_equal(early.agreed_position, 200);
}

static void test_several_are_told_one_by_one(void **state)
{
    (void)state;
    static const int32_t five[] = {10, 11, 12, 13, 14};
    divergence_t self;
    divergence_init(&self, 12, five, 5);
    own(&self, 100, 9, 9);
    (void)vote(&self, 10, 100, 1, 1);
    (void)vote(&self, 11, 100, 7, 7);
    (void)vote(&self, 13, 100, 7, 7);
    const divergence_report_t first = vote(&self, 14, 100, 7, 7);
    assert_int_equal(first.verdict, DIVERGENCE_SELF);
    const divergence_report_t second = vote(&self, 12, 100, 9, 9);
    assert_int_equal(second.verdict, DIVERGENCE_OTHER);
    assert_int_equal(second.member, 10);
    assert_none(vote(&self, 12, 100, 9, 9));
}

static void test_no_majority_is_a_split_once_all_have_voted(void **state)
{
    (void)state;
    static const int32_t two[] = {0, 1};
    divergence_t self;
    divergence_init(&self, 0, two, 2);
    own(&self, 100, 7, 8);
    assert_none(vote(&self, 0, 100, 7, 8));
    const divergence_report_t report = vote(&self, 1, 100, 6, 8);
    assert_int_equal(report.verdict, DIVERGENCE_SPLIT);
    assert_int_equal(report.position, 100);
    assert_int_equal(report.own.state, 7);
    assert_none(vote(&self, 1, 100, 6, 8));
    divergence_init(&self, 0, three, 3);
    own(&self, 100, 7, 8);
    (void)vote(&self, 0, 100, 1, 8);
    assert_none(vote(&self, 1, 100, 2, 8)); /* the third may side with either */
    assert_int_equal(vote(&self, 2, 100, 3, 8).verdict, DIVERGENCE_SPLIT);
    assert_int_equal(self.decided, 0);
}

static void test_half_is_no_majority(void **state)
{
    (void)state;
    static const int32_t four[] = {0, 1, 2, 3};
    divergence_t self;
    divergence_init(&self, 0, four, 4);
    own(&self, 100, 9, 9);
    (void)vote(&self, 1, 100, 7, 8);
    assert_none(vote(&self, 2, 100, 7, 8));
    assert_int_equal(vote(&self, 3, 100, 7, 8).verdict, DIVERGENCE_SELF);
}

static void test_a_vote_counts_once_and_of_members_only(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 0, three, 3);
    own(&self, 100, 9, 9);
    assert_none(vote(&self, 1, 100, 7, 8));
    assert_none(vote(&self, 1, 100, 7, 8));
    assert_none(vote(&self, 3, 100, 7, 8));
    assert_none(vote(&self, -1, 100, 7, 8));
    assert_none(vote(&self, 2, 100, 5, 5));
    assert_int_equal(self.decided, 0);
}

/* This member votes in the log as it computed before a restart; now it computes something else. */
static void test_a_vote_of_a_former_life_condemns_nobody(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 2, three, 3);
    own(&self, 100, 7, 8);
    (void)vote(&self, 2, 100, 1, 1);
    (void)vote(&self, 0, 100, 7, 8);
    assert_none(vote(&self, 1, 100, 7, 8));
    assert_int_equal(self.agreed_position, 100);
}

static void test_what_is_not_remembered_decides_nothing(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 0, three, 3);
    assert_none(vote(&self, 1, 0, 0, 0)); /* not the position of a free place either */
    assert_none(vote(&self, 2, 0, 0, 0));
    assert_none(vote(&self, 1, 50, 7, 8));
    for (uint64_t position = 1; position <= DIVERGENCE_POSITIONS_MAX + 1; position++)
        own(&self, position, 9, 9);
    (void)vote(&self, 1, 1, 7, 8);
    assert_none(vote(&self, 2, 1, 7, 8)); /* forgotten */
    (void)vote(&self, 1, 2, 7, 8);
    assert_int_equal(vote(&self, 2, 2, 7, 8).verdict, DIVERGENCE_SELF);
    assert_int_equal(self.decided, 1);
}

static void test_a_single_member_agrees_with_itself(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 0, three, 1);
    own(&self, 100, 7, 8);
    assert_none(vote(&self, 0, 100, 7, 8));
    assert_int_equal(self.agreed_position, 100);
}

static void own_at_5(void *context)
{
    own(context, 5, 1, 1);
}

static void test_positions_ascend(void **state)
{
    (void)state;
    divergence_t self;
    divergence_init(&self, 0, three, 3);
    own(&self, 5, 1, 1);
    assert_true(child_aborts(own_at_5, &self));
}

/* ---- The twin ---- */

enum { TWIN_POSITIONS = 100, TWIN_VOTES = 1200, RUNS = 25 };

typedef struct twin {
    uint32_t members;
    uint32_t self;
    uint64_t own[TWIN_POSITIONS]; /* by position - 1; both hashes are this number */
    uint32_t computed;            /* positions */
    uint64_t votes[TWIN_POSITIONS][DIVERGENCE_MEMBERS_MAX]; /* 0: none */
    bool told[TWIN_POSITIONS][DIVERGENCE_MEMBERS_MAX];
    bool split_told[TWIN_POSITIONS];
} twin_t;

static bool remembered(const twin_t *twin, uint64_t position)
{
    return position >= 1 && position <= twin->computed &&
           position + DIVERGENCE_POSITIONS_MAX > twin->computed;
}

/* What more than half say of a position; 0: nothing. */
static uint64_t majority_of(const twin_t *twin, uint64_t position)
{
    for (uint32_t i = 0; i < twin->members; i++) {
        uint32_t same = 0;
        for (uint32_t j = 0; j < twin->members; j++)
            same += twin->votes[position - 1][j] == twin->votes[position - 1][i];
        if (twin->votes[position - 1][i] != 0 && 2 * same > twin->members)
            return twin->votes[position - 1][i];
    }
    return 0;
}

static bool is_split(const twin_t *twin, uint64_t position)
{
    for (uint32_t i = 0; i < twin->members; i++)
        if (twin->votes[position - 1][i] == 0)
            return false;
    return majority_of(twin, position) == 0;
}

/* Whether it is to be said, and was not yet, that the one at `place` differs. */
static bool is_due(const twin_t *twin, uint64_t position, uint32_t place)
{
    const uint64_t majority = majority_of(twin, position);
    const uint64_t said =
        place == twin->self ? twin->own[position - 1] : twin->votes[position - 1][place];
    return majority != 0 && said != 0 && said != majority && !twin->told[position - 1][place];
}

static uint32_t all_due(const twin_t *twin)
{
    uint32_t due = 0;
    for (uint64_t position = 1; position <= twin->computed; position++) {
        if (!remembered(twin, position))
            continue;
        due += is_split(twin, position) && !twin->split_told[position - 1];
        for (uint32_t i = 0; i < twin->members; i++)
            due += is_due(twin, position, i);
    }
    return due;
}

static void hold_against_twin(twin_t *twin, const divergence_t *self,
                              const divergence_report_t *report, uint64_t voted)
{
    uint64_t agreed = 0;
    uint64_t decided = 0;
    for (uint64_t position = 1; position <= twin->computed; position++) {
        const uint64_t majority = majority_of(twin, position);
        decided += majority != 0;
        if (majority != 0 && majority == twin->own[position - 1])
            agreed = position;
    }
    assert_int_equal(self->decided, decided);
    assert_int_equal(report->agreed_position, agreed);
    const uint32_t due = all_due(twin);
    if (report->verdict == DIVERGENCE_NONE) {
        assert_int_equal(due, 0);
        return;
    }
    assert_true(due > 0);
    assert_true(remembered(twin, report->position));
    assert_int_equal(report->own.state, twin->own[report->position - 1]);
    if (report->verdict == DIVERGENCE_SPLIT) {
        assert_true(is_split(twin, report->position));
        assert_false(twin->split_told[report->position - 1]);
        twin->split_told[report->position - 1] = true;
        return;
    }
    const uint32_t place = (uint32_t)report->member - 20;
    assert_true(place < twin->members);
    assert_true(is_due(twin, report->position, place));
    assert_int_equal(report->verdict, place == twin->self ? DIVERGENCE_SELF : DIVERGENCE_OTHER);
    assert_int_equal(report->other.output, place == twin->self
                                               ? majority_of(twin, report->position)
                                               : twin->votes[report->position - 1][place]);
    if (remembered(twin, voted) && is_due(twin, voted, twin->self))
        assert_int_equal(report->verdict, DIVERGENCE_SELF);
    twin->told[report->position - 1][place] = true;
}

static void run_against_twin(uint64_t seed)
{
    static twin_t twin;
    divergence_t self;
    int32_t ids[DIVERGENCE_MEMBERS_MAX];
    memset(&twin, 0, sizeof twin);
    twin.members = 1 + prng_below(&seed, DIVERGENCE_MEMBERS_MAX);
    twin.self = prng_below(&seed, twin.members);
    for (uint32_t i = 0; i < twin.members; i++)
        ids[i] = (int32_t)i + 20;
    const uint32_t variety = 1 + prng_below(&seed, 12); /* how seldom somebody differs */
    divergence_init(&self, ids[twin.self], ids, twin.members);
    for (uint32_t step = 0; step < TWIN_VOTES; step++) {
        if (twin.computed < TWIN_POSITIONS && prng_below(&seed, twin.members + 4) == 0) {
            const uint64_t hash = 1 + (prng_below(&seed, variety) == 0);
            twin.own[twin.computed++] = hash;
            own(&self, twin.computed, hash, hash);
        }
        /* Mostly recent positions, some forgotten, some in the future. */
        const uint64_t back = prng_below(&seed, DIVERGENCE_POSITIONS_MAX + 20);
        const uint64_t position = twin.computed + 3 > back ? twin.computed + 3 - back : 0;
        const uint32_t place = prng_below(&seed, twin.members + 1);
        const uint64_t hash = 1 + (prng_below(&seed, variety) == 0) * prng_below(&seed, 4);
        if (place < twin.members && remembered(&twin, position) &&
            twin.votes[position - 1][place] == 0)
            twin.votes[position - 1][place] = hash;
        const divergence_report_t report = vote(&self, (int32_t)place + 20, position, hash, hash);
        hold_against_twin(&twin, &self, &report, position);
    }
}

static void test_random_votes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        run_against_twin(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_agree),
        cmocka_unit_test(test_a_majority_of_others_condemns_this_one),
        cmocka_unit_test(test_the_output_hash_counts_as_well),
        cmocka_unit_test(test_another_one_differs),
        cmocka_unit_test(test_several_are_told_one_by_one),
        cmocka_unit_test(test_no_majority_is_a_split_once_all_have_voted),
        cmocka_unit_test(test_half_is_no_majority),
        cmocka_unit_test(test_a_vote_counts_once_and_of_members_only),
        cmocka_unit_test(test_a_vote_of_a_former_life_condemns_nobody),
        cmocka_unit_test(test_what_is_not_remembered_decides_nothing),
        cmocka_unit_test(test_a_single_member_agrees_with_itself),
        cmocka_unit_test(test_positions_ascend),
        cmocka_unit_test(test_random_votes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
