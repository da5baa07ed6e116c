/*
 * Records, made up and applied. Used by the tests of what is written of a replica and read again.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/replica_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ID = 10, ID_STEP = 3, TIMERS = 7 };

void replica_rig_init_sized(replica_rig_t *rig, uint32_t max_sessions, uint32_t max_timers)
{
    memset(rig, 0, sizeof *rig);
    tally_init(&rig->tally);
    tally_keep_stream(&rig->tally);
    const replica_config_t config = {max_sessions, max_timers, 1024};
    assert_int_equal(replica_init(&rig->replica, &rig->tally.service, &config), OC_ERR_OK);
}

void replica_rig_init(replica_rig_t *rig)
{
    replica_rig_init_sized(rig, REPLICA_RIG_SESSIONS, REPLICA_RIG_TIMERS);
}

void replica_rig_fini(replica_rig_t *rig)
{
    replica_fini(&rig->replica);
}

void replica_rig_apply(replica_rig_t *rig, log_record_t record)
{
    rig->position += 96;
    const oc_log_entry_t entry = {
        .position = rig->position, .term = 3, .time_ns = (int64_t)rig->position * 10};
    if (replica_apply(&rig->replica, &entry, &record) != OC_ERR_OK)
        fail_msg("an entry: %s", oc_err_context());
}

void replica_rig_open(replica_rig_t *rig, uint64_t session, const char *principal)
{
    gateway_open_t open = {.correlation_id = (int64_t)session * 7,
                           .response_stream = 102 + (int32_t)(session % 4)};
    (void)snprintf(open.principal.name, sizeof open.principal.name, "%s", principal);
    const int length = snprintf(open.response_channel, sizeof open.response_channel,
                                "aeron:udp?endpoint=127.0.0.1:%u", 40000u + (unsigned)session);
    open.channel_length = (uint32_t)length;
    replica_rig_apply(
        rig, (log_record_t){.type = LOG_SESSION_OPEN, .session = {session}, .open = &open});
}

void replica_rig_request(replica_rig_t *rig, uint64_t session, tally_op_t op, int64_t argument,
                         int64_t delay_ns)
{
    const tally_request_t bytes = {.op = (uint32_t)op, .argument = argument, .delay_ns = delay_ns};
    replica_rig_apply(rig, (log_record_t){.type = LOG_MESSAGE,
                                          .session = {session},
                                          .bytes = &bytes,
                                          .length = sizeof bytes});
}

static uint64_t id_of(uint32_t n)
{
    return FIRST_ID + (uint64_t)n * ID_STEP;
}

static void open_sessions(replica_rig_t *rig, uint32_t sessions)
{
    char name[OC_PRINCIPAL_SIZE];
    for (uint32_t i = 0; i < sessions; i++) {
        (void)snprintf(name, sizeof name, "p%u", (unsigned)i);
        replica_rig_open(rig, id_of(i), i == 1 ? REPLICA_HOST_PRINCIPAL : name);
    }
    /* The highest id is of a session that is gone. */
    replica_rig_open(rig, id_of(sessions), "gone");
    replica_rig_apply(rig, (log_record_t){.type = LOG_SESSION_CLOSE,
                                          .session = {id_of(sessions)},
                                          .reason = OC_CLOSE_CLIENT});
}

void replica_rig_live(replica_rig_t *rig, uint32_t sessions)
{
    log_record_t configuration;
    replica_configuration(&rig->replica, &configuration);
    replica_rig_apply(rig, configuration);
    open_sessions(rig, sessions);
    if (sessions == 0)
        return;
    for (int i = 0; i < TIMERS; i++)
        replica_rig_request(rig, id_of(0), TALLY_TIMER, 100 - i, 1000000 + i % 3);
    for (uint32_t i = 4; i < sessions; i += 5)
        replica_rig_request(rig, id_of(i), TALLY_CLOSE, 0, 0);
    replica_rig_request(rig, id_of(0), TALLY_ADD, 17, 0);
}

service_snapshot_place_t replica_rig_place(const replica_rig_t *rig)
{
    service_snapshot_place_t place = {
        .image = {.log_id = UINT64_C(0x1234567890abcdef),
                  .position = rig->position + 64, /* of the snapshot's own entry */
                  .group = 2,
                  .log_checksum = UINT32_C(0x89abcdef)},
        .output_hash = UINT64_C(0xfedcba0987654321),
        .leadership_term = 2,
        .app_version = 0x00010203,
    };
    replica_place(&rig->replica, &place.image);
    return place;
}

static void assert_equal_sessions(const session_ledger_t *a, const session_ledger_t *b)
{
    assert_int_equal(a->state->count, b->state->count);
    assert_int_equal(a->state->closing, b->state->closing);
    assert_true(a->state->next_id == b->state->next_id);
    for (uint32_t i = 0; i < a->state->count; i++)
        assert_memory_equal(session_ledger_at(a, i), session_ledger_at(b, i),
                            sizeof(ledger_session_t));
}

static void assert_equal_timers(const timer_queue_t *a, const timer_queue_t *b)
{
    const uint32_t count = a->state->count;
    assert_int_equal(count, b->state->count);
    assert_int_equal(a->capacity, b->capacity);
    timer_entry_t *lists[2] = {calloc(count + 1u, sizeof(timer_entry_t)),
                               calloc(count + 1u, sizeof(timer_entry_t))};
    assert_non_null(lists[0]);
    assert_non_null(lists[1]);
    timer_queue_list(a, lists[0]);
    timer_queue_list(b, lists[1]);
    assert_memory_equal(lists[0], lists[1], count * sizeof(timer_entry_t));
    free(lists[0]);
    free(lists[1]);
}

void replica_rig_assert_equal(const replica_t *a, const replica_t *b)
{
    assert_equal_sessions(&a->sessions, &b->sessions);
    assert_equal_timers(&a->timers, &b->timers);
    assert_true(a->entries == b->entries);
    assert_int_equal(a->entry.term, b->entry.term);
    assert_true(a->entry.time_ns == b->entry.time_ns);
    assert_true(replica_state_hash(a) == replica_state_hash(b));
}
