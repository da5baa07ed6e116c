/*
 * Counts what members say of their state, position by position. Called by the container for each
 * check that it computes and for each vote that comes from the log.
 *
 * Invariants: the points that are in use have ascending positions along the ring of points; a
 * majority is more than half of all members, whether they have voted or not, so that two positions
 * of a divided cluster cannot both have one; what a majority says is never revised.
 *
 * What this member says in the log is a vote like any other, but it is judged by what it computed
 * in this life: a vote of a former life, before a restart, does not condemn it.
 */
#include "cluster/divergence.h"

#include "base/assert.h"

#include <string.h>

_Static_assert(DIVERGENCE_MEMBERS_MAX <= 32, "a bit for each");

void divergence_init(divergence_t *self, int32_t member, const int32_t *members, uint32_t count)
{
    OC_ASSERT(count > 0);
    OC_ASSERT(count <= DIVERGENCE_MEMBERS_MAX);
    memset(self, 0, sizeof *self);
    memcpy(self->members, members, count * sizeof *members);
    self->count = count;
    while (self->self < count && members[self->self] != member)
        self->self++;
    OC_ASSERT(self->self < count);
}

void divergence_own(divergence_t *self, uint64_t position, const divergence_hashes_t *own)
{
    OC_ASSERT(position > self->last_position);
    self->last_position = position;
    divergence_point_t *point = &self->points[self->next];
    self->next = (self->next + 1) % DIVERGENCE_POSITIONS_MAX;
    memset(point, 0, sizeof *point);
    point->position = position;
    point->own = *own;
}

static bool equal(const divergence_hashes_t *a, const divergence_hashes_t *b)
{
    return a->state == b->state && a->output == b->output;
}

/* NULL: it is not remembered. */
static divergence_point_t *find_point(divergence_t *self, uint64_t position)
{
    for (uint32_t i = 0; position != 0 && i < DIVERGENCE_POSITIONS_MAX; i++)
        if (self->points[i].position == position)
            return &self->points[i];
    return NULL;
}

/* Whether more than half of all members say what the voter at `place` has said. */
static bool is_majority(const divergence_t *self, const divergence_point_t *point, uint32_t place)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < self->count; i++)
        same += (point->voted >> i & 1) != 0 && equal(&point->votes[i], &point->votes[place]);
    return same > self->count / 2;
}

static void count_vote(divergence_t *self, divergence_point_t *point, uint32_t place,
                       const divergence_hashes_t *hashes)
{
    point->votes[place] = *hashes;
    point->voted |= UINT32_C(1) << place;
    if (point->decided || !is_majority(self, point, place))
        return;
    point->decided = true;
    point->majority = *hashes;
    self->decided++;
    if (equal(&point->majority, &point->own) && point->position > self->agreed_position)
        self->agreed_position = point->position;
}

/* Whether the member at `place` differs from the majority of a decided point. */
static bool differs(const divergence_t *self, const divergence_point_t *point, uint32_t place)
{
    if (place == self->self)
        return !equal(&point->own, &point->majority);
    return (point->voted >> place & 1) != 0 && !equal(&point->votes[place], &point->majority);
}

static void tell(const divergence_t *self, divergence_point_t *point, uint32_t place,
                 divergence_report_t *report)
{
    point->told |= UINT32_C(1) << place;
    report->verdict = place == self->self ? DIVERGENCE_SELF : DIVERGENCE_OTHER;
    report->position = point->position;
    report->member = self->members[place];
    report->own = point->own;
    report->other = place == self->self ? point->majority : point->votes[place];
}

/* Tells what a point shows and was not said yet; false: nothing. */
static bool judge(const divergence_t *self, divergence_point_t *point, divergence_report_t *report)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << self->count) - 1);
    if (point->position == 0)
        return false;
    if (!point->decided) {
        if (point->voted != all || point->split_told)
            return false;
        point->split_told = true;
        report->verdict = DIVERGENCE_SPLIT;
        report->position = point->position;
        report->member = self->members[self->self];
        report->own = point->own;
        return true;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        const uint32_t place = (self->self + i) % self->count; /* this member first */
        if ((point->told >> place & 1) == 0 && differs(self, point, place)) {
            tell(self, point, place, report);
            return true;
        }
    }
    return false;
}

void divergence_vote(divergence_t *self, const member_message_t *check, divergence_report_t *report)
{
    uint32_t place = 0;
    memset(report, 0, sizeof *report);
    while (place < self->count && self->members[place] != check->member)
        place++;
    divergence_point_t *voted = find_point(self, check->position);
    if (place < self->count && voted != NULL && (voted->voted >> place & 1) == 0)
        count_vote(
            self, voted, place,
            &(divergence_hashes_t){.state = check->state_hash, .output = check->output_hash});
    bool told = voted != NULL && judge(self, voted, report);
    /* The oldest first: what differs first is what is looked for. */
    for (uint32_t i = 0; i < DIVERGENCE_POSITIONS_MAX && !told; i++)
        told = judge(self, &self->points[(self->next + i) % DIVERGENCE_POSITIONS_MAX], report);
    report->agreed_position = self->agreed_position;
}
