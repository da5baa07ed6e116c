/*
 * An exchange's state through an official snapshot of a cluster: random traffic on a replica, its
 * stream into another exchange, of either engine. State, sessions and timers are equal, a second
 * stream is the same to the byte, and what comes after has equal consequences.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/service_snapshot_internal.h"
#include "lib/exchange_traffic.h"
#include "lib/message_tape.h"
#include "lib/reference_fixture.h"
#include "lib/replica_rig.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 8, STEPS = 400, MORE = 200, SESSIONS = EXCHANGE_TRAFFIC_SESSIONS };

/* A member's exchange and what drives it; a copy of the traffic drives another one alike. */
typedef struct member {
    exchange_t *exchange;
    replica_t replica;
    replica_outlet_t outlet;
    exchange_traffic_t traffic;
    uint64_t sessions[SESSIONS]; /* 0: not open */
    uint64_t next_session;
    uint64_t position;
    exchange_tape_t outputs; /* behind the snapshot */
} member_t;

static void on_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      const gateway_open_t *open)
{
    (void)context, (void)entry, (void)session, (void)open;
}

static void on_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

static void on_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                    const void *bytes, size_t length)
{
    (void)context, (void)entry, (void)session, (void)bytes, (void)length;
}

static void on_stop(void *context)
{
    (void)context;
}

static exchange_config_t config_of(oc_engine_kind_t kind)
{
    exchange_config_t config = exchange_fixture_config();
    config.engine.kind = kind;
    config.engine.max_orders = 4000;
    return config;
}

static void member_init(member_t *self, oc_engine_kind_t kind)
{
    static const replica_config_t replica = {64, 16, 1376};
    const exchange_config_t config = config_of(kind);
    *self = (member_t){.next_session = 1};
    self->outlet = (replica_outlet_t){self, on_opened, on_closed, on_send, on_stop};
    assert_int_equal(exchange_create(&self->exchange, &config), OC_ERR_OK);
    assert_int_equal(replica_init(&self->replica, exchange_service(self->exchange), &replica),
                     OC_ERR_OK);
}

static void member_fini(member_t *self)
{
    exchange_fixture_audit(self->exchange);
    exchange_set_tap(self->exchange, NULL, NULL);
    free(self->outputs.outputs);
    replica_fini(&self->replica);
    exchange_destroy(self->exchange);
}

/* ---- Entries ---- */

static void apply(member_t *self, log_record_t record)
{
    self->position += 128;
    const oc_log_entry_t entry = {
        .position = self->position, .term = 1, .time_ns = (int64_t)self->position * 1000};
    if (replica_apply(&self->replica, &entry, &record) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void message(member_t *self, uint64_t session, const void *bytes, size_t length)
{
    apply(self, (log_record_t){.type = LOG_MESSAGE,
                               .session = {session},
                               .bytes = bytes,
                               .length = (uint32_t)length});
}

static uint64_t open_session(member_t *self, const char *principal)
{
    const uint64_t session = self->next_session++;
    gateway_open_t open = {.correlation_id = (int64_t)session, .response_stream = 102};
    (void)snprintf(open.principal.name, sizeof open.principal.name, "%s", principal);
    open.channel_length =
        (uint32_t)snprintf(open.response_channel, sizeof open.response_channel,
                           "aeron:udp?endpoint=127.0.0.1:%u", 30000u + (unsigned)session);
    apply(self, (log_record_t){.type = LOG_SESSION_OPEN, .session = {session}, .open = &open});
    return session;
}

static void begin(member_t *self, uint64_t seed)
{
    uint8_t bytes[4096];
    log_record_t configuration;
    replica_configuration(&self->replica, &configuration);
    apply(self, configuration);
    replica_activate(&self->replica, &self->outlet);
    self->traffic.seed = seed;
    self->sessions[0] = open_session(self, "admin");
    message(self, self->sessions[0], bytes, exchange_traffic_opening(bytes, sizeof bytes));
    (void)open_session(self, REPLICA_HOST_PRINCIPAL);
}

static void open_trader(member_t *self, uint64_t *session)
{
    uint8_t bytes[256];
    char name[8];
    const uint32_t source = 1 + (uint32_t)fixture_below(&self->traffic.seed, 5);
    (void)snprintf(name, sizeof name, source == 1 ? "admin" : "p%u", source);
    const oc_request_t logon = exchange_fixture_logon_request(source, 0);
    *session = open_session(self, name);
    /* Some never log on. */
    if (fixture_below(&self->traffic.seed, 8) != 0)
        message(self, *session, bytes, exchange_fixture_encode(&logon, 1, bytes, sizeof bytes));
}

static void step(member_t *self)
{
    static uint8_t bytes[8192];
    uint64_t *session = &self->sessions[fixture_below(&self->traffic.seed, SESSIONS)];
    const uint64_t what = fixture_below(&self->traffic.seed, 100);
    if (*session == 0) {
        open_trader(self, session);
    } else if (what < 4) {
        apply(self, (log_record_t){.type = LOG_SESSION_CLOSE,
                                   .session = {*session},
                                   .reason = OC_CLOSE_TIMEOUT});
        *session = 0;
    } else if (what < 12) {
        apply(self, (log_record_t){.type = LOG_TIME});
    } else {
        const size_t length = exchange_traffic_message(&self->traffic, bytes, sizeof bytes);
        message(self, *session, bytes, length);
    }
}

/* ---- Snapshots ---- */

static void write_snapshot(const member_t *self, message_tape_t *tape)
{
    service_snapshot_place_t place = {
        .image = {.log_id = 77, .position = self->position, .group = 2, .log_checksum = 99}};
    replica_place(&self->replica, &place.image);
    message_tape_init(tape);
    if (service_snapshot_write(&self->replica, SERVICE_SNAPSHOT_STREAM, &place, message_tape_take,
                               tape) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void restore(member_t *to, const member_t *from, const message_tape_t *tape)
{
    oc_err_t err;
    service_snapshot_reader_t *reader = message_tape_read(tape, (int64_t)from->position, &err);
    assert_int_equal(err, OC_ERR_OK);
    if (service_snapshot_reader_restore(reader, &to->replica) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    service_snapshot_reader_destroy(reader);
    replica_activate(&to->replica, &to->outlet);
    to->traffic = from->traffic;
    to->next_session = from->next_session;
    to->position = from->position;
    memcpy(to->sessions, from->sessions, sizeof to->sessions);
}

static void carry_over(uint64_t seed, oc_engine_kind_t from_kind, oc_engine_kind_t to_kind)
{
    member_t from;
    member_t to;
    message_tape_t tapes[2];
    member_init(&from, from_kind);
    member_init(&to, to_kind);
    begin(&from, seed);
    for (int i = 0; i < STEPS; i++)
        step(&from);
    write_snapshot(&from, &tapes[0]);
    restore(&to, &from, &tapes[0]);
    replica_rig_assert_equal(&from.replica, &to.replica);
    write_snapshot(&to, &tapes[1]);
    message_tape_assert_equal(&tapes[0], &tapes[1]);
    exchange_set_tap(from.exchange, exchange_tape_record, &from.outputs);
    exchange_set_tap(to.exchange, exchange_tape_record, &to.outputs);
    for (int i = 0; i < MORE; i++) {
        step(&from);
        step(&to);
    }
    /* What is sent need not be equal: outputs of before are not kept, their resending is a gap. */
    assert_true(from.outputs.count > 0);
    exchange_tape_assert_equal(&from.outputs, &to.outputs);
    replica_rig_assert_equal(&from.replica, &to.replica);
    message_tape_clear(&tapes[0]);
    message_tape_clear(&tapes[1]);
    member_fini(&from);
    member_fini(&to);
}

static void a_restored_exchange_goes_on_identically(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++)
        carry_over(1000 + run, run & 1 ? OC_ENGINE_REFERENCE : OC_ENGINE_FAST,
                   run & 2 ? OC_ENGINE_REFERENCE : OC_ENGINE_FAST);
}

/* More orders than one message has room for. */
static void a_big_book_is_cut_into_pieces(void **state)
{
    (void)state;
    enum { ORDERS = 3000 };
    member_t from;
    member_t to;
    message_tape_t tapes[2];
    uint8_t bytes[256];
    member_init(&from, OC_ENGINE_FAST);
    member_init(&to, OC_ENGINE_FAST);
    begin(&from, 1);
    const uint64_t session = open_session(&from, "p2");
    oc_request_t request = exchange_fixture_logon_request(2, 0);
    message(&from, session, bytes, exchange_fixture_encode(&request, 1, bytes, sizeof bytes));
    for (uint64_t i = 1; i <= ORDERS; i++) {
        request = exchange_fixture_new(i, OC_SIDE_BUY, 1 + (int64_t)(i % 5), 1 + (int64_t)(i % 10));
        message(&from, session, bytes, exchange_fixture_encode(&request, 1, bytes, sizeof bytes));
    }
    oc_engine_counts_t counts;
    oc_engine_counts(exchange_engine(from.exchange), &counts);
    assert_int_equal(counts.orders, ORDERS);
    write_snapshot(&from, &tapes[0]);
    /* Markers, header, list of sessions, end, a message for each session; the rest is the state. */
    assert_true(tapes[0].count > 5 + from.replica.sessions.state->count + 2);
    restore(&to, &from, &tapes[0]);
    replica_rig_assert_equal(&from.replica, &to.replica);
    write_snapshot(&to, &tapes[1]);
    message_tape_assert_equal(&tapes[0], &tapes[1]);
    message_tape_clear(&tapes[0]);
    message_tape_clear(&tapes[1]);
    member_fini(&from);
    member_fini(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_exchange_goes_on_identically),
        cmocka_unit_test(a_big_book_is_cut_into_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
