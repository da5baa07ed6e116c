/*
 * Snapshots under crashes: random commands, captures, crashes and restores of a whole exchange with
 * its host, journal and images, in one process and on a device in memory that loses what was not
 * synced. After each crash the restored state must be that of the reference engine, which applied
 * the log from its beginning, and nothing durable may be missing. Run by ctest; more sequences with
 * OUTCRY_LONG set.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "codec/order_entry_codec.h"
#include "host/node_internal.h"
#include "journal/journal_internal.h"
#include "lib/exchange_traffic.h"
#include "lib/storage_fake.h"
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEQUENCES      100
#define SEQUENCES_LONG 1000
#define DIR            "log"

enum { ENTRIES_MAX = 4096, LIVES_MAX = 6, STEPS_MAX = 150, TIMERS = 4, SESSIONS = 64 };

static const storage_fake_fault_t faults[] = {
    STORAGE_FAKE_WRITE_ERROR, STORAGE_FAKE_SHORT_WRITE, STORAGE_FAKE_TORN_WRITE,
    STORAGE_FAKE_SYNC_ERROR,  STORAGE_FAKE_POWER_CUT,   STORAGE_FAKE_KILL,
    STORAGE_FAKE_NO_SPACE,    STORAGE_FAKE_READ_ERROR,
};

enum { FAULTS = sizeof faults / sizeof faults[0] };

/* An entry of the log, and the reference's state hash behind it. */
typedef struct known {
    journal_entry_t entry; /* its payload is owned */
    uint64_t hash;
} known_t;

/* A service with its host. */
typedef struct member {
    exchange_t *exchange;
    replica_t replica;
} member_t;

/* How much of what was in the whole run, so that the test cannot pass without it. */
typedef struct totals {
    uint64_t lives, entries, lost_entries, images, images_failed, folds, incremental, pages_owner;
    uint64_t from_images, from_logs, replayed, passive, refused;
} totals_t;

typedef struct simulation {
    uint64_t seed;
    uint64_t random;
    exchange_traffic_t traffic;
    storage_fake_t *device;
    journal_config_t config;
    known_t *log; /* all that was appended and may be there */
    size_t log_count;
    member_t reference; /* has applied all of it */
    uint64_t durable;   /* highest position that was called durable */
    uint64_t complete;  /* highest position of an image that was called complete */
    uint32_t term;
    int64_t now_ns;
    bool verify;
    bool planted;   /* an image was damaged */
    bool log_whole; /* its beginning is still there */

    /* Of a life. */
    member_t member;
    journal_t *journal;
    snapshot_t *agent;
    uint64_t image; /* that it was restored from, 0: none */
    snapshot_status_t status;
    totals_t *totals;
} simulation_t;

static uint32_t below(simulation_t *s, uint32_t bound)
{
    return prng_below(&s->random, bound);
}

/* ---- members ---- */

static exchange_config_t exchange_config(simulation_t *s, oc_engine_kind_t kind)
{
    exchange_config_t config = exchange_fixture_config();
    config.engine.kind = kind;
    config.engine.max_sources = 8;
    config.engine.verify_touch = s->verify && kind == OC_ENGINE_FAST;
    config.engine.hash_key[0] = prng_next(&s->random); /* a secret of each process */
    config.engine.hash_key[1] = prng_next(&s->random);
    return config;
}

static void member_start(simulation_t *s, member_t *member, oc_engine_kind_t kind)
{
    const exchange_config_t config = exchange_config(s, kind);
    const replica_config_t replica = {
        .max_sessions = SESSIONS, .max_timers = TIMERS, .message_max = 1376};
    assert_int_equal(exchange_create(&member->exchange, &config), OC_ERR_OK);
    assert_int_equal(replica_init(&member->replica, exchange_service(member->exchange), &replica),
                     OC_ERR_OK);
}

static void member_stop(member_t *member)
{
    if (!member->exchange)
        return;
    replica_fini(&member->replica);
    exchange_destroy(member->exchange);
    member->exchange = NULL;
}

static void out_opened(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                       const gateway_open_t *open)
{
    (void)context, (void)entry, (void)session, (void)open;
}

static void out_closed(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                       oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

static void out_send(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                     const void *bytes, size_t length)
{
    (void)context, (void)entry, (void)session, (void)bytes, (void)length;
}

static void out_stop(void *context)
{
    (void)context;
}

static const replica_outlet_t outlet = {NULL, out_opened, out_closed, out_send, out_stop};

/* ---- the log ---- */

static void reference_apply(simulation_t *s, known_t *known)
{
    assert_int_equal(replica_read(&s->reference.replica, &known->entry), OC_ERR_OK);
    known->hash = replica_state_hash(&s->reference.replica);
}

/* What a crash has taken away never happened: the reference begins anew. */
static void forget_from(simulation_t *s, size_t count)
{
    if (count == s->log_count)
        return;
    s->totals->lost_entries += s->log_count - count;
    for (size_t i = count; i < s->log_count; i++)
        free((void *)(uintptr_t)s->log[i].entry.payload);
    s->log_count = count;
    member_stop(&s->reference);
    member_start(s, &s->reference, OC_ENGINE_REFERENCE);
    for (size_t i = 0; i < count; i++) {
        const uint64_t before = s->log[i].hash;
        reference_apply(s, &s->log[i]);
        assert_true(before == s->log[i].hash);
    }
}

/* Appends and applies a record; false if the journal does not take it. */
static bool append(simulation_t *s, log_record_t *record)
{
    const uint32_t length = log_record_size(record);
    if (s->log_count == ENTRIES_MAX)
        return false;
    void *room = journal_claim(s->journal, (uint8_t)record->type, length, s->now_ns);
    if (!room)
        return false;
    log_record_encode(record, room);
    void *payload = malloc(length + 8);
    assert_non_null(payload);
    memcpy(payload, room, length);
    known_t *known = &s->log[s->log_count++];
    known->entry = (journal_entry_t){
        .position = journal_commit(s->journal),
        .timestamp_ns = s->now_ns,
        .term = journal_term(s->journal),
        .length = length,
        .payload = payload,
        .type = (uint8_t)record->type,
    };
    if (replica_read(&s->member.replica, &known->entry) != OC_ERR_OK)
        fail_msg("sequence %llu: %s", (unsigned long long)s->seed, oc_err_context());
    reference_apply(s, known);
    s->totals->entries++;
    return true;
}

static bool append_message(simulation_t *s, oc_session_id_t session, const uint8_t *bytes,
                           size_t length)
{
    log_record_t record = {
        .type = LOG_MESSAGE, .session = session, .bytes = bytes, .length = (uint32_t)length};
    return append(s, &record);
}

/* A session of a random principal, which logs on. */
static bool append_open(simulation_t *s, uint32_t source)
{
    uint8_t bytes[2048];
    gateway_open_t open = {.correlation_id = 1};
    (void)snprintf(open.principal.name, sizeof open.principal.name, source == 1 ? "admin" : "p%u",
                   source);
    log_record_t record = {.type = LOG_SESSION_OPEN, .open = &open};
    record.session.value = s->member.replica.sessions.state->next_id;
    if (record.session.value == 0)
        record.session.value = 1;
    const oc_session_id_t session = record.session;
    if (!append(s, &record))
        return false;
    if (s->log_count == 2)
        return append_message(s, session, bytes, exchange_traffic_opening(bytes, sizeof bytes));
    const oc_request_t logon = exchange_fixture_logon_request(source, 0);
    return append_message(s, session, bytes,
                          exchange_fixture_encode(&logon, 1, bytes, sizeof bytes));
}

/* The first of a new log, as every host does it. */
static void append_configuration(simulation_t *s)
{
    log_record_t record;
    replica_configuration(&s->member.replica, &record);
    (void)append(s, &record);
}

/* Sessions whose end the service wants. */
static void append_closes(simulation_t *s)
{
    const session_ledger_t *sessions = &s->member.replica.sessions;
    for (uint32_t i = 0; i < sessions->state->count; i++) {
        const ledger_session_t *session = session_ledger_at(sessions, i);
        log_record_t record = {.type = LOG_SESSION_CLOSE, .session = session->id};
        record.reason = OC_CLOSE_SERVICE;
        if (session->closing) {
            (void)append(s, &record);
            return; /* the others the next time: the table has changed */
        }
    }
}

/* A log that asks for rules of another build ends the host, and could never be applied again. */
static bool asks_for_other_rules(const uint8_t *bytes, size_t length)
{
    size_t size = 0;
    for (size_t at = 0; at < length; at += size) {
        oc_request_t request;
        uint16_t template_id = 0;
        const oc_problem_t problem =
            order_entry_decode(bytes + at, length - at, &request, &size, &template_id);
        if (problem == OC_PROBLEM_NONE && request.type == OC_REQUEST_COMMAND &&
            request.u.command.type == OC_COMMAND_CONFIGURE &&
            request.u.command.u.configure.rules_version != OC_RULES_VERSION)
            return true;
    }
    return false;
}

static void append_something(simulation_t *s)
{
    static _Alignas(8) uint8_t bytes[8192];
    const session_ledger_t *sessions = &s->member.replica.sessions;
    const uint32_t count = sessions->state->count;
    const uint32_t what = below(s, 100);
    s->now_ns += below(s, 3) ? 0 : below(s, 1000);
    log_record_t record = {.type = LOG_TIME};
    if (count == 0 || (what < 8 && count < SESSIONS / 2)) {
        (void)append_open(s, s->log_count == 1 ? 1 : 1 + below(s, 6));
        return;
    }
    const oc_session_id_t session = session_ledger_at(sessions, below(s, count))->id;
    if (what < 80) {
        const size_t length = exchange_traffic_message(&s->traffic, bytes, sizeof bytes);
        if (!asks_for_other_rules(bytes, length))
            (void)append_message(s, session, bytes, length);
        return;
    }
    if (what < 84) {
        record.type = LOG_SESSION_CLOSE;
        record.session = session;
        record.reason = OC_CLOSE_TIMEOUT;
    } else if (what < 85) {
        record.type = LOG_NOTICE;
        record.notice = (oc_notice_t)(1 + below(s, 2));
    }
    (void)append(s, &record);
    append_closes(s);
}

/* ---- snapshots ---- */

static uint64_t log_durable(void *context)
{
    return journal_durable(((simulation_t *)context)->journal).value;
}

static oc_err_t log_checksum(void *context, const image_place_t *place, uint32_t *checksum)
{
    simulation_t *s = context;
    const journal_place_t where = {{place->position}, {place->group}};
    return journal_checksum_at(&s->config, place->log_id, &where, (log_position_t){0}, checksum);
}

static void hear(void *context, const char *line)
{
    (void)context, (void)line;
}

static void start_agent(simulation_t *s)
{
    oc_arena_t *arenas[REPLICA_ARENAS_MAX];
    const snapshot_config_t config = {
        .dir = DIR,
        .storage = storage_fake_table(s->device),
        .arenas = arenas,
        .arena_count = replica_arenas(&s->member.replica, arenas),
        .log = {.context = s, .durable = log_durable, .checksum = log_checksum},
        .pool_pages = below(s, 6) ? 512 : 4, /* now and then too few */
        .keep = 1 + below(s, 3),
        .chain_max = below(s, 4),
        .block_bytes = 65536,
        .stepped = true,
        .cpu = -1,
        .tell = hear,
    };
    s->status = (snapshot_status_t){.running = false};
    if (snapshot_create(&s->agent, &config, s->image) != OC_ERR_OK)
        s->agent = NULL; /* a fault of the device: this life has no snapshots */
}

static void begin_snapshot(simulation_t *s)
{
    snapshot_request_t request = {.full = below(s, 6) == 0};
    log_record_t configuration;
    journal_place_t place;
    if (s->member.replica.entries == 0)
        return;
    replica_configuration(&s->member.replica, &configuration);
    journal_place(s->journal, &place);
    replica_place(&s->member.replica, &request.place);
    request.place.log_id = journal_log_id(s->journal);
    request.place.position = place.position.value;
    request.place.group = place.group.value;
    request.configuration = configuration.bytes;
    request.configuration_length = configuration.length;
    (void)snapshot_begin(s->agent, &request);
}

static void work_on_snapshot(simulation_t *s, uint32_t steps)
{
    const uint64_t before = s->status.completed;
    while (steps-- > 0)
        (void)snapshot_do_work(s->agent);
    snapshot_status(s->agent, &s->status);
    if (s->status.completed == before)
        return;
    s->complete = s->status.position;
    s->totals->images++;
    s->totals->pages_owner += s->status.pages_owner;
    journal_release(s->journal, (log_position_t){s->status.oldest});
}

/* ---- lives ---- */

static void work(simulation_t *s)
{
    switch (below(s, 10)) {
    case 0:
        journal_flush_at(s->journal, (uint64_t)s->now_ns + 1);
        (void)journal_writer_work(s->journal, (uint64_t)s->now_ns + 1);
        break;
    case 1:
        (void)journal_preparer_work(s->journal, (uint64_t)s->now_ns + 1);
        break;
    case 2:
        if (s->agent && below(s, 2))
            begin_snapshot(s);
        break;
    case 3:
    case 4:
        if (s->agent)
            work_on_snapshot(s, 1 + below(s, 12));
        break;
    default:
        append_something(s);
    }
    const uint64_t durable = journal_durable(s->journal).value;
    if (durable > s->durable)
        s->durable = durable;
}

/* As the node does it. Only what was planted may be passed over. */
static void recover(simulation_t *s, recovery_t *recovery)
{
    image_store_t *images;
    assert_int_equal(recovery_images(&images, DIR, storage_fake_table(s->device)), OC_ERR_OK);
    const oc_err_t err =
        recovery_run(&s->member.replica, s->journal, images, 1 + below(s, 2), recovery);
    if (err != OC_ERR_OK)
        fail_msg("sequence %llu: %s", (unsigned long long)s->seed, oc_err_context());
    const image_info_t *newest = image_store_count(images) ? image_store_at(images, 0) : NULL;
    if (newest && newest->sequence != recovery->image_sequence) {
        assert_true(s->planted);
        s->totals->refused++;
    }
    s->image = recovery->image_sequence;
    image_store_close(images);
}

/* Flips bits of the newest image, if the log could do without it. */
static void plant_damage(simulation_t *s)
{
    image_store_t *store;
    char path[64];
    uint64_t size = 0;
    const image_store_config_t config = {
        .dir = DIR, .storage = storage_fake_table(s->device), .read_only = true, .keep = 1};
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    if (image_store_count(store) > 0 && s->log_whole) {
        (void)snprintf(path, sizeof path, DIR "/" IMAGE_DIR "/%016llx.pages",
                       (unsigned long long)image_store_at(store, 0)->sequence);
        assert_non_null(storage_fake_bytes(s->device, path, &size));
        storage_fake_flip(s->device, path, below(s, (uint32_t)size), (uint8_t)(1 + below(s, 255)));
        s->planted = true;
    }
    image_store_close(store);
}

/* The state is that of the reference behind the same entry, and nothing durable is missing. */
static void check_recovery(simulation_t *s, const recovery_t *recovery)
{
    const replica_t *replica = &s->member.replica;
    const size_t entries = (size_t)replica->entries;
    char why[256];
    assert_true(entries <= s->log_count);
    assert_true(entries == s->log_count || s->log[entries].entry.position.value > s->durable);
    assert_true(recovery->image_position >= s->complete || s->planted);
    forget_from(s, entries);
    if (entries == 0)
        return;
    const known_t *last = &s->log[entries - 1];
    if (replica_state_hash(replica) != last->hash)
        fail_msg("sequence %llu: the state at entry %zu is another one",
                 (unsigned long long)s->seed, entries);
    assert_true(replica->entry.time_ns == last->entry.timestamp_ns);
    if (!exchange_audit(s->member.exchange, why, sizeof why))
        fail_msg("sequence %llu: %s", (unsigned long long)s->seed, why);
    s->totals->replayed += recovery->replayed;
    s->totals->from_images += s->image != 0;
    s->totals->from_logs += s->image == 0;
}

/* Sometimes the commands are held back, as a follower does it. */
static void begin_life(simulation_t *s)
{
    recovery_t recovery;
    member_start(s, &s->member, OC_ENGINE_FAST);
    assert_int_equal(journal_open(&s->journal, &s->config), OC_ERR_OK);
    recover(s, &recovery);
    check_recovery(s, &recovery);
    if (below(s, 4))
        replica_activate(&s->member.replica, &outlet);
    else
        s->totals->passive++;
    if (below(s, 4) > 0)
        storage_fake_fault(s->device, faults[below(s, FAULTS)], 1 + below(s, 160));
}

/* Closed in order, killed, or without power. */
static void end_life(simulation_t *s)
{
    const uint32_t draw = below(s, 4);
    if (s->agent) {
        s->totals->images_failed += s->status.failed + s->status.abandoned;
        s->totals->folds += s->status.folds;
    }
    if (draw == 0)
        storage_fake_kill(s->device);
    else if (draw < 3 && !storage_fake_is_off(s->device))
        storage_fake_power_cut(s->device);
    snapshot_destroy(s->agent);
    s->agent = NULL;
    s->log_whole = journal_first(s->journal).value == 0;
    (void)journal_close(s->journal);
    s->journal = NULL;
    member_stop(&s->member);
    storage_fake_restart(s->device);
    storage_fake_fault(s->device, STORAGE_FAKE_NO_FAULT, 1);
    if (below(s, 8) == 0)
        plant_damage(s);
}

static void one_life(simulation_t *s)
{
    s->totals->lives++;
    begin_life(s);
    if (journal_start_stepped(s->journal) == OC_ERR_OK) {
        assert_true(journal_term(s->journal) > s->term);
        s->term = journal_term(s->journal);
        if (s->log_count == 0)
            append_configuration(s);
        if (s->log_count > 0)
            start_agent(s);
        for (uint32_t steps = below(s, STEPS_MAX); steps > 0 && s->log_count > 0; steps--)
            work(s);
        if (s->agent)
            snapshot_status(s->agent, &s->status);
    }
    end_life(s);
}

static void one_sequence(uint64_t seed, totals_t *totals)
{
    simulation_t s = {.seed = seed, .random = seed * 977 + 13, .totals = totals, .now_ns = 1000};
    s.traffic.seed = seed + 1;
    s.verify = below(&s, 5) == 0;
    s.device = storage_fake_create(seed);
    s.log = calloc(ENTRIES_MAX, sizeof *s.log);
    assert_non_null(s.log);
    journal_config_init(&s.config);
    s.config.dir = DIR;
    s.config.storage = storage_fake_table(s.device);
    s.config.segment_bytes = 1 << 20;
    s.config.group_bytes = 64 << 10;
    s.config.groups = 2 + below(&s, 3);
    s.config.ready_segments = 1;
    member_start(&s, &s.reference, OC_ENGINE_REFERENCE);
    for (uint32_t lives = 2 + below(&s, LIVES_MAX - 1); lives > 0; lives--)
        one_life(&s);
    recovery_t recovery;
    member_start(&s, &s.member, OC_ENGINE_FAST);
    assert_int_equal(journal_open(&s.journal, &s.config), OC_ERR_OK);
    recover(&s, &recovery);
    check_recovery(&s, &recovery);
    (void)journal_close(s.journal);
    member_stop(&s.member);
    member_stop(&s.reference);
    for (size_t i = 0; i < s.log_count; i++)
        free((void *)(uintptr_t)s.log[i].entry.payload);
    free(s.log);
    storage_fake_destroy(s.device);
}

static void test_every_restored_state_is_the_references(void **state)
{
    (void)state;
    totals_t totals = {.lives = 0};
    const uint64_t sequences = getenv("OUTCRY_LONG") ? SEQUENCES_LONG : SEQUENCES;
    for (uint64_t seed = 1; seed <= sequences; seed++)
        one_sequence(seed, &totals);
    print_message(
        "%llu lives, %llu entries (%llu lost), %llu images (%llu not), %llu folds, %llu "
        "pages by the owner; from an image %llu, from the log %llu; %llu images refused\n",
        (unsigned long long)totals.lives, (unsigned long long)totals.entries,
        (unsigned long long)totals.lost_entries, (unsigned long long)totals.images,
        (unsigned long long)totals.images_failed, (unsigned long long)totals.folds,
        (unsigned long long)totals.pages_owner, (unsigned long long)totals.from_images,
        (unsigned long long)totals.from_logs, (unsigned long long)totals.refused);
    assert_true(totals.entries > sequences * 50);
    assert_true(totals.images > sequences / 2);
    assert_true(totals.images_failed > sequences / 20);
    assert_true(totals.from_images > sequences / 2);
    assert_true(totals.from_logs > sequences / 10);
    assert_true(totals.lost_entries > sequences);
    assert_true(totals.replayed > sequences);
    assert_true(totals.pages_owner > sequences);
    assert_true(totals.folds > 0);
    assert_true(totals.passive > 0);
    assert_true(totals.refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_restored_state_is_the_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
