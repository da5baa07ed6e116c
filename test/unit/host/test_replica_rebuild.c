/*
 * The host's part of a replica built anew: timers, sessions and marks come out as they were; what
 * cannot be right is refused.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/replica_rebuild.h"
#include "lib/replica_rig.h"

#include <string.h>

enum { SESSIONS = 9, TIMERS_MAX = 16 };

/* What is taken out of one replica, to be put into another. */
typedef struct parts {
    state_file_header_t header;
    state_file_timer_t timers[TIMERS_MAX];
    ledger_session_t sessions[SESSIONS];
    replica_rebuild_t from;
} parts_t;

static void take_apart(const replica_rig_t *rig, parts_t *parts)
{
    timer_entry_t timers[TIMERS_MAX];
    memset(parts, 0, sizeof *parts);
    replica_rebuild_header(&rig->replica, &parts->header);
    parts->header.timer_count = rig->replica.timers.state->count;
    assert_true(parts->header.timer_count <= TIMERS_MAX);
    timer_queue_list(&rig->replica.timers, timers);
    for (uint32_t i = 0; i < parts->header.timer_count; i++)
        parts->timers[i] = (state_file_timer_t){timers[i].deadline_ns, timers[i].id.value};
    assert_int_equal(rig->replica.sessions.state->count, SESSIONS);
    for (uint32_t i = 0; i < SESSIONS; i++)
        parts->sessions[i] = *session_ledger_at(&rig->replica.sessions, i);
    parts->from = (replica_rebuild_t){.header = &parts->header,
                                      .timers = parts->timers,
                                      .position = rig->position,
                                      .sessions = parts->sessions,
                                      .session_count = SESSIONS};
}

typedef struct collected {
    uint8_t bytes[4096];
    size_t length;
    size_t at;
} collected_t;

static oc_err_t put(void *context, const void *bytes, size_t length)
{
    collected_t *self = context;
    assert_true(length <= sizeof self->bytes - self->length);
    memcpy(self->bytes + self->length, bytes, length);
    self->length += length;
    return OC_ERR_OK;
}

static oc_err_t get(void *context, void *bytes, size_t length)
{
    collected_t *self = context;
    assert_true(length <= self->length - self->at);
    memcpy(bytes, self->bytes + self->at, length);
    self->at += length;
    return OC_ERR_OK;
}

/* The service's own part, which is there before the host's. */
static void copy_service(const replica_rig_t *from, replica_rig_t *to)
{
    collected_t collected = {.length = 0};
    const oc_service_t *source = &from->tally.service;
    const oc_service_t *target = &to->tally.service;
    assert_int_equal(source->capture(source->context, put, &collected), OC_ERR_OK);
    assert_int_equal(target->restore(target->context, get, &collected), OC_ERR_OK);
}

typedef struct fixture {
    replica_rig_t rig;
    replica_rig_t other;
    parts_t parts;
} fixture_t;

static void begin_sized(fixture_t *f, uint32_t max_sessions, uint32_t max_timers)
{
    replica_rig_init(&f->rig);
    replica_rig_live(&f->rig, SESSIONS);
    take_apart(&f->rig, &f->parts);
    replica_rig_init_sized(&f->other, max_sessions, max_timers);
    copy_service(&f->rig, &f->other);
}

static void begin(fixture_t *f)
{
    begin_sized(f, 64, REPLICA_RIG_TIMERS);
}

static void end(fixture_t *f)
{
    replica_rig_fini(&f->rig);
    replica_rig_fini(&f->other);
}

static void everything_comes_out_as_it_was(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    assert_int_equal(replica_rebuild(&f.other.replica, &f.parts.from), OC_ERR_OK);
    replica_rig_assert_equal(&f.rig.replica, &f.other.replica);
    assert_true(f.other.replica.entry.position == f.rig.position);
    assert_int_equal(f.other.replica.sessions.state->closing, 1);
    end(&f);
}

/* As after an import: the node closes them, by entries. */
static void unreachable_sessions_have_no_address(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    f.parts.from.unreachable = true;
    f.parts.from.session_count = 0;
    f.parts.from.position = 0;
    assert_int_equal(replica_rebuild(&f.other.replica, &f.parts.from), OC_ERR_OK);
    const session_ledger_t *sessions = &f.other.replica.sessions;
    /* The service was never told of the host's own. */
    assert_int_equal(sessions->state->count, SESSIONS - 1);
    assert_true(sessions->state->next_id == f.parts.header.next_session);
    for (uint32_t i = 0; i < sessions->state->count; i++) {
        assert_int_equal(session_ledger_at(sessions, i)->open.channel_length, 0);
        assert_non_null(
            session_ledger_find(&f.rig.replica.sessions, session_ledger_at(sessions, i)->id));
    }
    assert_int_equal(f.other.replica.timers.state->count, f.parts.header.timer_count);
    end(&f);
}

static void expect_refused(fixture_t *f, oc_err_t err, const char *why)
{
    assert_int_equal(replica_rebuild(&f->other.replica, &f->parts.from), err);
    if (!strstr(oc_err_context(), why))
        fail_msg("'%s' is not in: %s", why, oc_err_context());
    end(f);
}

static void no_room_is_said(void **state)
{
    (void)state;
    fixture_t f;
    begin_sized(&f, SESSIONS - 1, REPLICA_RIG_TIMERS);
    expect_refused(&f, OC_ERR_INVALID_CONFIG, "max_sessions = 8");
    begin_sized(&f, 64, 4);
    expect_refused(&f, OC_ERR_INVALID_CONFIG, "max_timers = 4");
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f);
    f.parts.timers[1].id = f.parts.timers[0].id;
    expect_refused(&f, OC_ERR_DAMAGED, "twice");
    begin(&f);
    f.parts.sessions[3].id = f.parts.sessions[2].id;
    expect_refused(&f, OC_ERR_DAMAGED, "order");
    begin(&f);
    f.parts.header.next_session = f.parts.sessions[SESSIONS - 1].id.value;
    expect_refused(&f, OC_ERR_DAMAGED, "never used");
    begin(&f);
    f.parts.header.state_hash ^= 1;
    expect_refused(&f, OC_ERR_DAMAGED, "hash");
    begin(&f);
    f.parts.from.session_count--; /* which the service knows */
    expect_refused(&f, OC_ERR_DAMAGED, "not among");
    begin(&f); /* a client's session must not become the host's own */
    memcpy(f.parts.sessions[0].open.principal.name, REPLICA_HOST_PRINCIPAL,
           sizeof REPLICA_HOST_PRINCIPAL);
    expect_refused(&f, OC_ERR_DAMAGED, "not among");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_out_as_it_was),
        cmocka_unit_test(unreachable_sessions_have_no_address),
        cmocka_unit_test(no_room_is_said),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
