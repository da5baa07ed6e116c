/*
 * One life, sequenced by a cluster's log and by a node: equal states, equal outputs. And a member
 * that is restored from an image in the middle ends as one that was there from the beginning.
 *
 * The log is random: sessions of traders, administrators, members and of some who cannot be kept,
 * commands or requests, timers, entries of time, notices, new terms. What a node makes of the same
 * happenings at the same times and positions is computed here, from records alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/prng.h"
#include "lib/arena_pages.h"
#include "lib/exchange_traffic.h"
#include "lib/log_maker.h"
#include "lib/replica_rig.h"
#include "lib/tally_service.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 6, STEPS = 900, SESSIONS = 12, ROOM = 9, TIMERS = 64, MESSAGE_MAX = 16384 };

#define CLUSTER     INT64_C(3)
#define INTERVAL_NS INT64_C(1000)

/* A replica of either service, and everything that leaves it. */
typedef struct side {
    tally_t tally;
    exchange_t *exchange; /* NULL: the tally */
    replica_t replica;
    log_applier_t log;
    replica_outlet_t outlet;
    uint32_t next;
    uint64_t last; /* position of the entry before */
    uint32_t sent_crc;
    uint64_t sent;
} side_t;

static void on_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      const gateway_open_t *open)
{
    side_t *side = context;
    (void)session;
    side->sent_crc = crc32c(side->sent_crc, entry, sizeof *entry);
    side->sent_crc = crc32c(side->sent_crc, open, sizeof *open);
}

static void on_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      oc_close_reason_t reason)
{
    side_t *side = context;
    (void)entry;
    side->sent_crc = crc32c(side->sent_crc, &session, sizeof session);
    side->sent_crc = crc32c(side->sent_crc, &reason, sizeof reason);
}

static void on_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                    const void *bytes, size_t length)
{
    side_t *side = context;
    side->sent++;
    side->sent_crc = crc32c(side->sent_crc, &entry->position, sizeof entry->position);
    side->sent_crc = crc32c(side->sent_crc, &session, sizeof session);
    side->sent_crc = crc32c(side->sent_crc, bytes, length);
}

static void on_stop(void *context)
{
    (void)context;
}

static void side_init(side_t *side, bool exchange)
{
    const replica_config_t config = {ROOM, TIMERS, MESSAGE_MAX};
    memset(side, 0, sizeof *side);
    tally_init(&side->tally);
    tally_keep_arena(&side->tally);
    const oc_service_t *service = &side->tally.service;
    if (exchange) {
        exchange_config_t with = exchange_fixture_config();
        with.engine.hash_outputs = true;
        assert_int_equal(exchange_create(&side->exchange, &with), OC_ERR_OK);
        service = exchange_service(side->exchange);
    }
    assert_int_equal(replica_init(&side->replica, service, &config), OC_ERR_OK);
    log_applier_init(&side->log, &side->replica, CLUSTER, INTERVAL_NS);
    side->outlet = (replica_outlet_t){.context = side,
                                      .opened = on_opened,
                                      .closed = on_closed,
                                      .send = on_send,
                                      .stop = on_stop};
    replica_activate(&side->replica, &side->outlet);
}

static void side_fini(side_t *side)
{
    replica_fini(&side->replica);
    if (side->exchange)
        exchange_destroy(side->exchange);
}

/* ---- What a node would do ---- */

static void node_apply(side_t *node, const log_record_t *record, uint64_t position, int64_t time_ns)
{
    const oc_log_entry_t entry = {
        .position = position, .term = (uint32_t)node->log.leadership_term + 1, .time_ns = time_ns};
    if (replica_apply(&node->replica, &entry, record) != OC_ERR_OK)
        fail_msg("node: %s", oc_err_context());
}

static void node_timers(side_t *node, int64_t time_ns)
{
    timer_entry_t due[TIMERS];
    uint32_t n = 0;
    for (; timer_queue_first(&node->replica.timers, &due[0]) && due[0].deadline_ns <= time_ns;
         n++) {
        assert_true(n < LOG_APPLIER_TIMERS_MAX); /* the streams here do not need more */
        const log_record_t record = {.type = LOG_TIMER, .timer = due[0].id};
        node_apply(node, &record, node->last + 1 + n, time_ns);
    }
}

static bool is_open(const side_t *node, int64_t session)
{
    return session_ledger_find(&node->replica.sessions, (oc_session_id_t){(uint64_t)session});
}

static void node_open(side_t *node, const cluster_log_entry_t *entry, uint64_t position,
                      int64_t time_ns)
{
    gateway_open_t open = {.correlation_id = entry->correlation_id,
                           .response_stream = entry->response_stream,
                           .channel_length = entry->channel.length};
    if (entry->principal.length > 31 || node->replica.sessions.state->count == ROOM)
        return;
    memcpy(open.response_channel, entry->channel.bytes, entry->channel.length);
    memcpy(open.principal.name, entry->principal.bytes, entry->principal.length);
    const log_record_t record = {
        .type = LOG_SESSION_OPEN, .session = {(uint64_t)entry->session}, .open = &open};
    node_apply(node, &record, position, time_ns);
}

static void node_message(side_t *node, const cluster_log_entry_t *entry, uint64_t position,
                         int64_t time_ns)
{
    member_message_t said;
    const ledger_session_t *open =
        session_ledger_find(&node->replica.sessions, (oc_session_id_t){(uint64_t)entry->session});
    log_record_t record = {.type = LOG_MESSAGE,
                           .session = {(uint64_t)entry->session},
                           .bytes = entry->payload.bytes,
                           .length = entry->payload.length};
    if (open && strcmp(open->open.principal.name, "@member") == 0) {
        assert_int_equal(member_message_decode(entry->payload.bytes, entry->payload.length, &said),
                         0);
        if (said.type != MEMBER_NOTICE)
            return;
        record = (log_record_t){.type = LOG_NOTICE, .notice = (oc_notice_t)said.notice};
    }
    if (open)
        node_apply(node, &record, position, time_ns);
}

static void node_happens(side_t *node, const cluster_log_entry_t *entry, uint64_t position,
                         int64_t time_ns)
{
    const oc_service_t *service = node->replica.service;
    log_record_t record;
    if (entry->type == CLUSTER_LOG_TERM && node->replica.entries == 0) {
        replica_configuration(&node->replica, &record);
        node_apply(node, &record, position, time_ns);
    } else if (entry->type == CLUSTER_LOG_OPEN) {
        node_open(node, entry, position, time_ns);
    } else if (entry->type == CLUSTER_LOG_CLOSE && is_open(node, entry->session)) {
        record = (log_record_t){.type = LOG_SESSION_CLOSE,
                                .session = {(uint64_t)entry->session},
                                .reason = OC_CLOSE_TIMEOUT};
        node_apply(node, &record, position, time_ns);
    } else if (entry->type == CLUSTER_LOG_MESSAGE) {
        node_message(node, entry, position, time_ns);
    } else if (entry->type == CLUSTER_LOG_TIMER && service->busy &&
               service->busy(service->context)) {
        record = (log_record_t){.type = LOG_TIME};
        node_apply(node, &record, position, time_ns);
    }
}

static void node_take(side_t *node, const made_entry_t *made)
{
    cluster_log_entry_t entry;
    assert_int_equal(cluster_log_decode(made->bytes, made->length, &entry), OC_PROBLEM_NONE);
    if (entry.type == CLUSTER_LOG_TERM)
        node->log.leadership_term = entry.term;
    const int64_t before_ns = node->replica.entry.time_ns;
    const int64_t time_ns = entry.timestamp > before_ns ? entry.timestamp : before_ns;
    if (node->replica.entries > 0)
        node_timers(node, time_ns);
    node_happens(node, &entry, made->position, time_ns);
    node->last = made->position;
}

/* ---- What happens ---- */

typedef struct life {
    log_maker_t log;
    uint64_t seed;
    exchange_traffic_t traffic;
    bool exchange;
    int64_t sessions[SESSIONS]; /* 0: none */
    int64_t next_session;
    int64_t term;
} life_t;

static uint64_t below(life_t *life, uint64_t n)
{
    return prng_next(&life->seed) % n;
}

static void open_one(life_t *life, uint64_t slot)
{
    char name[64];
    const uint64_t kind = below(life, 12);
    (void)snprintf(name, sizeof name, "p%u", 2 + (unsigned)below(life, 5));
    if (kind == 0)
        (void)snprintf(name, sizeof name, "%s", REPLICA_HOST_PRINCIPAL);
    else if (kind == 1)
        (void)snprintf(name, sizeof name, "a name that nobody may have, so long is it");
    else if (kind == 2)
        (void)snprintf(name, sizeof name, "admin");
    life->sessions[slot] = life->next_session++;
    if (kind == 0)
        life->sessions[slot] = -life->sessions[slot]; /* a member's, as it is kept here */
    (void)log_maker_open(&life->log, life->next_session - 1, name);
}

static void say(life_t *life, int64_t session)
{
    uint8_t bytes[4096];
    if (!life->exchange) {
        const tally_op_t ops[] = {TALLY_ADD,    TALLY_ADD,  TALLY_TIMER, TALLY_TIMER,
                                  TALLY_CANCEL, TALLY_BUSY, TALLY_CLOSE, TALLY_FLOOD};
        (void)log_maker_request(&life->log, session, ops[below(life, 8)], (int64_t)below(life, 20),
                                (int64_t)below(life, 5000));
        return;
    }
    const size_t length = exchange_traffic_message(&life->traffic, bytes, sizeof bytes);
    (void)log_maker_message(&life->log, session, bytes, length);
}

static void member_says(life_t *life, int64_t session)
{
    const member_message_t notice = {.type = MEMBER_NOTICE,
                                     .notice = (uint32_t)(1 + below(life, 2))};
    const member_message_t check = {.type = MEMBER_CHECK, .position = below(life, 10000)};
    (void)log_maker_said(&life->log, session, below(life, 4) ? &check : &notice);
}

static void happen(life_t *life)
{
    const uint64_t slot = below(life, SESSIONS);
    const int64_t session = life->sessions[slot];
    const uint64_t what = below(life, 100);
    if (what < 12)
        (void)log_maker_timer(&life->log);
    else if (what == 12)
        (void)log_maker_snapshot(&life->log);
    else if (what == 13)
        (void)log_maker_term(&life->log, ++life->term);
    else if (session == 0)
        open_one(life, slot);
    else if (session < 0)
        member_says(life, -session);
    else if (what < 18) {
        (void)log_maker_close(&life->log, session, 2);
        life->sessions[slot] = 0;
    } else
        say(life, session);
    life->log.timestamp += (int64_t)below(life, 900) - 30; /* and back, at times */
}

static void live(life_t *life, uint64_t seed, bool exchange)
{
    uint8_t bytes[4096];
    *life = (life_t){.seed = seed, .exchange = exchange, .next_session = 2};
    life->traffic.seed = seed + 1;
    log_maker_init(&life->log, NULL);
    (void)log_maker_term(&life->log, 0);
    (void)log_maker_open(&life->log, 1, "admin");
    if (exchange)
        (void)log_maker_message(&life->log, 1, bytes,
                                exchange_traffic_opening(bytes, sizeof bytes));
    for (int i = 0; i < STEPS; i++)
        happen(life);
}

static void feed(side_t *side, const life_t *life, uint32_t until)
{
    log_maker_t part = life->log;
    part.count = until;
    if (log_maker_feed(&part, &side->next, &side->log) != OC_ERR_OK)
        fail_msg("entry %u: %s", (unsigned)side->next, oc_err_context());
}

static void assert_equal(const side_t *a, const side_t *b)
{
    replica_rig_assert_equal(&a->replica, &b->replica);
    assert_true(replica_output_hash(&a->replica) == replica_output_hash(&b->replica));
}

static void a_log_is_what_a_node_would_do(bool exchange)
{
    static life_t life;
    static side_t member;
    static side_t node;
    for (uint64_t run = 0; run < RUNS; run++) {
        live(&life, 77 + run, exchange);
        side_init(&member, exchange);
        side_init(&node, exchange);
        for (uint32_t i = 0; i < life.log.count; i++) {
            node_take(&node, &life.log.entries[i]);
            if (i % 60 == 59 || i + 1 == life.log.count) {
                feed(&member, &life, i + 1);
                assert_equal(&member, &node);
                assert_int_equal(member.sent, node.sent);
                assert_int_equal(member.sent_crc, node.sent_crc);
            }
        }
        assert_true(member.sent > STEPS / 20);
        assert_int_equal(member.log.checksum, log_maker_checksum(&life.log, life.log.position));
        side_fini(&member);
        side_fini(&node);
        log_maker_fini(&life.log);
    }
}

static void the_tally(void **state)
{
    (void)state;
    a_log_is_what_a_node_would_do(false);
}

static void the_exchange(void **state)
{
    (void)state;
    a_log_is_what_a_node_would_do(true);
}

/* ---- Images ---- */

/* The pages of one, in another process's memory. */
static void restore(side_t *to, side_t *from)
{
    oc_arena_t *sources[REPLICA_ARENAS_MAX];
    oc_arena_t *targets[REPLICA_ARENAS_MAX];
    image_place_t place;
    const oc_service_t *service = to->replica.service;
    log_applier_place(&from->log, &place);
    const size_t count = replica_arenas(&from->replica, sources);
    assert_int_equal(replica_arenas(&to->replica, targets), count);
    for (size_t i = 0; i < count; i++)
        arena_pages_copy_one(sources[i], targets[i]);
    assert_int_equal(service->restored(service->context), OC_ERR_OK);
    to->replica.outlet = NULL;
    const oc_log_entry_t last = {
        .position = place.position, .term = place.term, .time_ns = place.time_ns};
    assert_int_equal(replica_restored(&to->replica, &last, place.entries), OC_ERR_OK);
    replica_activate(&to->replica, &to->outlet);
    log_applier_restored(&to->log, &place);
    to->next = from->next;
    to->sent = from->sent;
    to->sent_crc = from->sent_crc;
}

/* Through the middle, and from an image that is ahead of where the log is given from. */
static void an_image_in_the_middle(bool exchange)
{
    static life_t life;
    static side_t first;
    static side_t second;
    static side_t third;
    for (uint64_t run = 0; run < RUNS; run++) {
        live(&life, 177 + run, exchange);
        const uint32_t middle = life.log.count / 4 + (uint32_t)run * life.log.count / 10;
        const uint32_t before = middle / 2;
        const uint64_t position = life.log.entries[before - 1].position;
        side_init(&first, exchange);
        side_init(&second, exchange);
        side_init(&third, exchange);
        feed(&first, &life, middle);
        restore(&second, &first);
        restore(&third, &first);
        assert_equal(&first, &second);
        log_applier_skip(&third.log, position, log_maker_checksum(&life.log, position));
        third.next = before;
        side_t *const sides[] = {&first, &second, &third};
        for (int i = 0; i < 3; i++)
            feed(sides[i], &life, life.log.count);
        for (int i = 1; i < 3; i++) {
            assert_equal(&first, sides[i]);
            assert_int_equal(first.sent, sides[i]->sent);
            assert_int_equal(first.sent_crc, sides[i]->sent_crc);
            assert_int_equal(first.log.checksum, sides[i]->log.checksum);
            assert_true(first.log.log_id == sides[i]->log.log_id);
            assert_int_equal(log_applier_deadline_ns(&first.log),
                             log_applier_deadline_ns(&sides[i]->log));
        }
        for (int i = 0; i < 3; i++)
            side_fini(sides[i]);
        log_maker_fini(&life.log);
    }
}

static void an_image_of_the_tally(void **state)
{
    (void)state;
    an_image_in_the_middle(false);
}

static void an_image_of_the_exchange(void **state)
{
    (void)state;
    an_image_in_the_middle(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tally),
        cmocka_unit_test(the_exchange),
        cmocka_unit_test(an_image_of_the_tally),
        cmocka_unit_test(an_image_of_the_exchange),
    };
    return cmocka_run_group_tests_name("cluster_replica", tests, NULL, NULL);
}
