/*
 * Records applied to a service: what it is told, what leaves, and what a log must not say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/replica.h"
#include "lib/tally_service.h"

#include <string.h>

typedef struct fixture {
    tally_t tally;
    replica_t replica;
    replica_outlet_t outlet;
    uint64_t position;
    uint32_t opened, closed, sent, stopped;
    uint64_t sent_position;
    tally_answer_t answer;
} fixture_t;

static void on_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      const gateway_open_t *open)
{
    fixture_t *f = context;
    (void)session;
    assert_int_equal(entry->position, f->position);
    assert_string_equal(open->principal.name, "anna");
    assert_int_equal(f->tally.opened, f->opened); /* the client is told first */
    f->opened++;
}

static void on_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      oc_close_reason_t reason)
{
    fixture_t *f = context;
    (void)entry;
    (void)session;
    assert_int_equal(f->tally.close_reason, reason); /* the service is told first */
    f->closed++;
}

static void on_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                    const void *bytes, size_t length)
{
    fixture_t *f = context;
    assert_int_equal(session.value, 5);
    assert_int_equal(length, sizeof f->answer);
    memcpy(&f->answer, bytes, length);
    f->sent_position = entry->position;
    f->sent++;
}

static void on_stop(void *context)
{
    ((fixture_t *)context)->stopped++;
}

static void begin(fixture_t *f, uint32_t max_sessions, uint32_t max_timers)
{
    memset(f, 0, sizeof *f);
    tally_init(&f->tally);
    f->outlet = (replica_outlet_t){f, on_opened, on_closed, on_send, on_stop};
    const replica_config_t config = {max_sessions, max_timers, 1024};
    assert_int_equal(replica_init(&f->replica, &f->tally.service, &config), OC_ERR_OK);
}

static oc_err_t apply(fixture_t *f, log_record_t record)
{
    f->position += 64;
    const oc_log_entry_t entry = {
        .position = f->position, .term = 1, .time_ns = (int64_t)f->position * 10};
    return replica_apply(&f->replica, &entry, &record);
}

static void apply_good(fixture_t *f, log_record_t record)
{
    assert_int_equal(apply(f, record), OC_ERR_OK);
}

static log_record_t open_record(uint64_t session)
{
    static const gateway_open_t open = {.principal.name = "anna"};
    return (log_record_t){.type = LOG_SESSION_OPEN, .session = {session}, .open = &open};
}

static void configure(fixture_t *f)
{
    log_record_t record;
    replica_configuration(&f->replica, &record);
    apply_good(f, record);
}

static oc_err_t request(fixture_t *f, tally_op_t op, int64_t argument, int64_t delay_ns)
{
    const tally_request_t bytes = {.op = (uint32_t)op, .argument = argument, .delay_ns = delay_ns};
    return apply(f,
                 (log_record_t){
                     .type = LOG_MESSAGE, .session = {5}, .bytes = &bytes, .length = sizeof bytes});
}

/* A session's life; with an outlet its outputs leave, without one nothing does. */
static void life(fixture_t *f)
{
    configure(f);
    apply_good(f, open_record(5));
    assert_int_equal(f->tally.opened, 1);
    assert_int_equal(f->replica.sessions.state->next_id, 6);
    assert_int_equal(request(f, TALLY_ADD, 41, 0), OC_ERR_OK);
    assert_int_equal(f->tally.sum, 41);
    assert_int_equal(request(f, TALLY_TIMER, 9, 1000), OC_ERR_OK);
    timer_entry_t timer;
    assert_true(timer_queue_first(&f->replica.timers, &timer));
    assert_true(timer.deadline_ns == f->tally.time_ns + 1000);
    apply_good(f, (log_record_t){.type = LOG_TIMER, .timer = {9}});
    assert_int_equal(f->tally.fired, 1);
    assert_int_equal(f->replica.timers.state->count, 0);
    assert_int_equal(request(f, TALLY_STOP, 0, 0), OC_ERR_OK);
    apply_good(f, (log_record_t){.type = LOG_TIME});
    apply_good(f, (log_record_t){.type = LOG_NOTICE, .notice = OC_NOTICE_STORAGE_LOW});
    assert_int_equal(f->tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    assert_int_equal(request(f, TALLY_CLOSE, 0, 0), OC_ERR_OK);
    assert_int_equal(f->replica.sessions.state->closing, 1);
    apply_good(
        f, (log_record_t){.type = LOG_SESSION_CLOSE, .session = {5}, .reason = OC_CLOSE_SERVICE});
    assert_int_equal(f->tally.closed, 1);
    assert_int_equal(f->replica.sessions.state->count, 0);
}

static void recovering_and_active_agree(void **state)
{
    (void)state;
    fixture_t silent;
    fixture_t loud;
    begin(&silent, 4, 4);
    life(&silent);
    assert_int_equal(silent.opened + silent.closed + silent.sent + silent.stopped, 0);
    assert_int_equal(silent.tally.roles[OC_HOST_RECOVERING], 1);
    assert_int_equal(silent.tally.roles[OC_HOST_ACTIVE], 0);

    begin(&loud, 4, 4);
    replica_activate(&loud.replica, &loud.outlet);
    assert_int_equal(loud.tally.roles[OC_HOST_ACTIVE], 1);
    life(&loud);
    assert_int_equal(loud.opened, 1);
    assert_int_equal(loud.closed, 1);
    assert_int_equal(loud.sent, 3); /* sum, timer, time */
    assert_int_equal(loud.stopped, 1);
    assert_true(replica_state_hash(&loud.replica) == replica_state_hash(&silent.replica));
    assert_true(replica_state_hash(&loud.replica) != 0);

    replica_fini(&silent.replica);
    replica_fini(&loud.replica);
    assert_int_equal(loud.tally.stops, 1);
}

static void outputs_carry_the_position(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, 4, 4);
    replica_activate(&f.replica, &f.outlet);
    configure(&f);
    apply_good(&f, open_record(5));
    assert_int_equal(request(&f, TALLY_ADD, 3, 0), OC_ERR_OK);
    assert_true(f.sent_position == f.position);
    assert_int_equal(f.answer.value, 3);
    /* To a session that is gone nothing is sent. */
    apply_good(&f, (log_record_t){.type = LOG_SESSION_CLOSE, .session = {5}});
    apply_good(&f, (log_record_t){.type = LOG_TIME});
    assert_int_equal(f.sent, 1);
    replica_fini(&f.replica);
}

static void another_configuration(void **state)
{
    (void)state;
    fixture_t f;
    log_record_t record;
    begin(&f, 4, 4);
    replica_configuration(&f.replica, &record);
    record.bytes = "tally 2";
    assert_int_equal(apply(&f, record), OC_ERR_INVALID_CONFIG);
    /* Of both descriptions, what differs. */
    assert_non_null(strstr(oc_err_context(), "it says 2'; now it is 1'"));
    replica_fini(&f.replica);

    begin(&f, 4, 4);
    replica_configuration(&f.replica, &record);
    record.max_timers = 5;
    assert_int_equal(apply(&f, record), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "max_timers = 5"));
    replica_fini(&f.replica);
}

static void impossible_logs(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, 1, 4);
    assert_int_equal(apply(&f, open_record(5)), OC_ERR_DAMAGED); /* before the configuration */
    replica_fini(&f.replica);

    begin(&f, 1, 4);
    configure(&f);
    log_record_t again;
    replica_configuration(&f.replica, &again);
    assert_int_equal(apply(&f, again), OC_ERR_DAMAGED);
    assert_int_equal(apply(&f, (log_record_t){.type = LOG_TIMER, .timer = {1}}), OC_ERR_DAMAGED);
    assert_int_equal(request(&f, TALLY_ADD, 1, 0), OC_ERR_DAMAGED);
    assert_int_equal(apply(&f, (log_record_t){.type = LOG_SESSION_CLOSE, .session = {5}}),
                     OC_ERR_DAMAGED);
    apply_good(&f, open_record(5));
    assert_int_equal(apply(&f, open_record(5)), OC_ERR_DAMAGED);
    assert_int_equal(apply(&f, open_record(6)), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "max_sessions"));
    assert_int_equal(request(&f, TALLY_FAIL, 0, 0), OC_ERR_RULES_VERSION);
    replica_fini(&f.replica);
}

static void read_entries(void **state)
{
    (void)state;
    fixture_t f;
    static _Alignas(8) uint8_t payload[64];
    log_record_t record;
    begin(&f, 4, 4);
    replica_configuration(&f.replica, &record);
    journal_entry_t entry = {.start = {32},
                             .position = {96},
                             .timestamp_ns = 50,
                             .term = 3,
                             .length = log_record_size(&record),
                             .payload = payload,
                             .type = LOG_CONFIGURATION};
    log_record_encode(&record, payload);
    assert_int_equal(replica_read(&f.replica, &entry), OC_ERR_OK);
    assert_int_equal(f.replica.entry.position, 96);
    assert_int_equal(f.replica.entry.term, 3);

    memset(payload, 0, sizeof payload);
    entry = (journal_entry_t){.start = {96},
                              .position = {160},
                              .timestamp_ns = 49,
                              .term = 3,
                              .length = 8,
                              .payload = payload,
                              .type = LOG_TIME};
    assert_int_equal(replica_read(&f.replica, &entry), OC_ERR_DAMAGED); /* time falls */
    entry.timestamp_ns = 50;
    entry.length = 7;
    assert_int_equal(replica_read(&f.replica, &entry), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "position 96"));
    entry.length = 8;
    assert_int_equal(replica_read(&f.replica, &entry), OC_ERR_OK);
    assert_int_equal(f.tally.timed, 1);
    replica_fini(&f.replica);
}

static void timers_are_limited(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, 4, 1);
    configure(&f);
    apply_good(&f, open_record(5));
    assert_int_equal(request(&f, TALLY_TIMER, 1, 5), OC_ERR_OK);
    assert_false(f.tally.refused_timer);
    assert_int_equal(request(&f, TALLY_TIMER, 2, 5), OC_ERR_OK);
    assert_true(f.tally.refused_timer);
    assert_int_equal(request(&f, TALLY_CANCEL, 1, 0), OC_ERR_OK);
    assert_int_equal(f.replica.timers.state->count, 0);
    replica_fini(&f.replica);
}

/* Its arena is all of its own state: sessions and timers go on in another replica. */
static void goes_on_from_an_arena(void **state)
{
    (void)state;
    fixture_t f;
    fixture_t next;
    oc_arena_t *from[REPLICA_ARENAS_MAX];
    oc_arena_t *to[REPLICA_ARENAS_MAX];
    begin(&f, 4, 4);
    begin(&next, 2, 4);
    configure(&f);
    apply_good(&f, open_record(5));
    assert_int_equal(request(&f, TALLY_TIMER, 9, 1000), OC_ERR_OK);
    assert_int_equal(replica_arenas(&f.replica, from), 1);
    assert_int_equal(replica_arenas(&next.replica, to), 1);
    assert_string_equal(to[0]->name, "host");
    assert_true(to[0]->layout == from[0]->layout);
    memcpy(to[0]->base, from[0]->base, from[0]->size);
    assert_int_equal(replica_restored(&next.replica, &f.replica.entry, f.replica.entries),
                     OC_ERR_OK);
    next.position = f.position;
    assert_non_null(session_ledger_find(&next.replica.sessions, (oc_session_id_t){5}));
    apply_good(&next, (log_record_t){.type = LOG_TIMER, .timer = {9}});
    assert_int_equal(next.replica.entries, 4);
    /* A second configuration is none, though this replica has seen no first. */
    log_record_t record;
    replica_configuration(&next.replica, &record);
    assert_int_equal(apply(&next, record), OC_ERR_DAMAGED);
    replica_fini(&f.replica);
    replica_fini(&next.replica);
}

static void no_arena_of_a_replica(void **state)
{
    (void)state;
    fixture_t f;
    const oc_log_entry_t last = {.position = 640, .term = 1, .time_ns = 10};
    begin(&f, 4, 4);
    f.replica.timers.state->made = 5;
    assert_int_equal(replica_restored(&f.replica, &last, 10), OC_ERR_DAMAGED);
    f.replica.timers.state->made = 0;
    f.replica.sessions.state->count = 1;
    assert_int_equal(replica_restored(&f.replica, &last, 10), OC_ERR_DAMAGED);
    assert_int_equal(f.replica.entries, 0);
    replica_fini(&f.replica);
}

static void start_fails(void **state)
{
    (void)state;
    tally_t tally;
    replica_t replica;
    tally_init(&tally);
    tally.start_error = OC_ERR_NO_MEMORY;
    const replica_config_t config = {1, 1, 64};
    assert_int_equal(replica_init(&replica, &tally.service, &config), OC_ERR_NO_MEMORY);
    assert_int_equal(tally.stops, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovering_and_active_agree),
        cmocka_unit_test(outputs_carry_the_position),
        cmocka_unit_test(another_configuration),
        cmocka_unit_test(impossible_logs),
        cmocka_unit_test(read_entries),
        cmocka_unit_test(timers_are_limited),
        cmocka_unit_test(goes_on_from_an_arena),
        cmocka_unit_test(no_arena_of_a_replica),
        cmocka_unit_test(start_fails),
    };
    return cmocka_run_group_tests_name("replica", tests, NULL, NULL);
}
