/*
 * The log of a cluster applied: every kind of entry, time, timers, who is not kept, what members
 * say (with seals: test_member_key.c), comparisons, the checksum, and what is passed over behind an
 * image.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "lib/applier_rig.h"
#include "lib/replica_rig.h"

#include <string.h>

#define SECOND_NS INT64_C(1000000000)
#define MS        INT64_C(1000000)

static applier_rig_t rig;
static log_maker_t maker;

static int setup(void **state)
{
    (void)state;
    applier_rig_init(&rig);
    log_maker_init(&maker, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    applier_rig_fini(&rig);
    log_maker_fini(&maker);
    return 0;
}

static void feed(void)
{
    applier_rig_feed(&rig, &maker);
}

/* A term, session 1 of "ann"; applied. */
static void begin(void)
{
    (void)log_maker_term(&maker, 0);
    (void)log_maker_open(&maker, 1, "ann");
    feed();
}

/* ---- Entries ---- */

static void every_kind_of_entry_is_applied(void **state)
{
    (void)state;
    image_place_t place;
    const uint64_t first = log_maker_term(&maker, 0);
    feed();
    assert_int_equal(rig.replica.entries, 1); /* the configuration */
    assert_int_equal(rig.replica.entry.position, first);
    assert_int_equal(rig.replica.entry.term, 1);
    assert_int_equal(rig.replica.entry.time_ns, LOG_MAKER_START_NS);
    assert_int_equal(rig.log.leadership_term, 0);
    assert_int_equal(rig.log.app_version, 1);
    (void)log_maker_open(&maker, 1, "ann");
    const uint64_t added = log_maker_request(&maker, 1, TALLY_ADD, 5, 0);
    feed();
    assert_int_equal(rig.tally.opened, 1);
    assert_int_equal(rig.tally.sum, 5);
    assert_int_equal(rig.sent_count, 1);
    assert_int_equal(rig.sent[0].value, 5);
    assert_int_equal(rig.sent_at[0].position, added);
    assert_int_equal(rig.sent_to[0], 1);
    (void)log_maker_timer(&maker);
    (void)log_maker_snapshot(&maker);
    (void)log_maker_put(&maker, (cluster_log_entry_t){.type = CLUSTER_LOG_MEMBERSHIP});
    (void)log_maker_close(&maker, 1, 0);
    feed();
    assert_int_equal(rig.tally.closed, 1);
    assert_int_equal(rig.tally.close_reason, OC_CLOSE_CLIENT);
    assert_int_equal(rig.replica.entries, 4);
    assert_int_equal(rig.log.position, maker.position);
    log_applier_place(&rig.log, &place);
    assert_int_equal(place.position, maker.position);
    assert_int_equal(place.entries, 4);
    assert_int_equal(place.term, 1);
    assert_int_equal(place.group, CLUSTER_TIME_NANOS);
    assert_int_equal(place.log_checksum, log_maker_checksum(&maker, maker.position));
}

static void reasons_of_a_close(void **state)
{
    (void)state;
    begin();
    const oc_close_reason_t reasons[] = {OC_CLOSE_CLIENT, OC_CLOSE_SERVICE, OC_CLOSE_TIMEOUT};
    for (int32_t i = 0; i < 3; i++) {
        (void)log_maker_open(&maker, 10 + i, "bob");
        (void)log_maker_close(&maker, 10 + i, i);
        feed();
        assert_int_equal(rig.tally.close_reason, reasons[i]);
    }
}

static void an_entry_of_an_unknown_template_counts_for_the_checksum_only(void **state)
{
    (void)state;
    /* Block length 8, template 999, schema 111, version 1. */
    _Alignas(8) const uint8_t unknown[16] = {8, 0, 0xe7, 3, 111, 0, 1, 0};
    begin();
    const uint32_t before = rig.log.checksum;
    (void)log_maker_bytes(&maker, unknown, sizeof unknown);
    feed();
    assert_int_equal(rig.log.entry.type, CLUSTER_LOG_OTHER);
    assert_int_not_equal(rig.log.checksum, before);
    assert_int_equal(rig.replica.entries, 2);
}

static void what_is_not_of_the_protocol_is_refused(void **state)
{
    (void)state;
    _Alignas(8) const uint8_t foreign[16] = {8, 0, 1, 0, 77, 0, 1, 0};
    begin();
    (void)log_maker_bytes(&maker, foreign, sizeof foreign);
    applier_rig_feed_fails(&rig, &maker, OC_ERR_FORMAT, "schema 111");
}

static void a_log_without_a_term_is_refused(void **state)
{
    (void)state;
    (void)log_maker_open(&maker, 1, "ann");
    applier_rig_feed_fails(&rig, &maker, OC_ERR_DAMAGED, "no leadership term");
}

static void a_position_that_cannot_follow_is_refused(void **state)
{
    (void)state;
    begin();
    const made_entry_t *again = &maker.entries[1];
    assert_int_equal(log_applier_take(&rig.log, again->bytes, again->length, again->position),
                     OC_ERR_DAMAGED);
    assert_int_equal(log_applier_take(&rig.log, again->bytes, again->length, again->position + 32),
                     OC_ERR_DAMAGED);
    assert_int_equal(rig.tally.opened, 1);
}

static void the_service_s_error_ends_it(void **state)
{
    (void)state;
    begin();
    (void)log_maker_request(&maker, 1, TALLY_FAIL, 0, 0);
    applier_rig_feed_fails(&rig, &maker, OC_ERR_RULES_VERSION, "as asked for");
}

static void logs_differ_by_id(void **state)
{
    (void)state;
    begin();
    const uint64_t id = rig.log.log_id;
    assert_int_not_equal(id, 0);
    log_maker_t others[3];
    for (int i = 0; i < 3; i++) {
        applier_rig_t other;
        log_maker_init(&others[i], NULL);
        others[i].timestamp += i == 0 ? 1 : 0;
        others[i].log_session += i == 1 ? 1 : 0;
        (void)log_maker_term(&others[i], 0);
        applier_rig_init_quiet(&other);
        if (i == 2)
            other.log.cluster_id++;
        applier_rig_feed(&other, &others[i]);
        assert_int_not_equal(other.log.log_id, id);
        applier_rig_fini(&other);
        log_maker_fini(&others[i]);
    }
    (void)log_maker_term(&maker, 1); /* a later term changes nothing of it */
    feed();
    assert_true(rig.log.log_id == id);
    assert_int_equal(rig.term_count, 2);
    assert_int_equal(rig.terms[1], 1);
    assert_int_equal(rig.replica.entries, 2);
}

/* ---- Time ---- */

static void units_of_time(void **state)
{
    (void)state;
    const struct {
        cluster_time_unit_t unit;
        int64_t ns;
    } units[] = {{CLUSTER_TIME_MILLIS, MS}, {CLUSTER_TIME_MICROS, 1000}, {CLUSTER_TIME_NANOS, 1}};
    for (size_t i = 0; i < 3; i++) {
        applier_rig_t own;
        log_maker_t log;
        applier_rig_init_quiet(&own);
        log_maker_init(&log, NULL);
        log.unit = (int32_t)units[i].unit;
        log.timestamp = LOG_MAKER_START_NS / units[i].ns;
        (void)log_maker_term(&log, 0);
        log.timestamp += 3;
        (void)log_maker_open(&log, 1, "ann");
        applier_rig_feed(&own, &log);
        assert_int_equal(own.tally.time_ns, LOG_MAKER_START_NS + 3 * units[i].ns);
        /* Rounded up: what is set in the module never fires early. */
        assert_int_equal(log_applier_to_unit(&own.log, 5 * units[i].ns), 5);
        if (units[i].ns > 1)
            assert_int_equal(log_applier_to_unit(&own.log, 5 * units[i].ns + 1), 6);
        applier_rig_fini(&own);
        log_maker_fini(&log);
    }
}

static void time_never_falls(void **state)
{
    (void)state;
    begin();
    maker.timestamp += SECOND_NS;
    (void)log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    feed();
    const int64_t late = rig.tally.time_ns;
    maker.timestamp -= SECOND_NS / 2;
    (void)log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    feed();
    assert_int_equal(rig.tally.sum, 2);
    assert_int_equal(rig.tally.time_ns, late);
}

static void a_time_beyond_all_is_cut(void **state)
{
    (void)state;
    maker.unit = CLUSTER_TIME_MILLIS;
    maker.timestamp = 1;
    begin();
    maker.timestamp = INT64_MAX / 2;
    (void)log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    feed();
    assert_true(rig.tally.time_ns > INT64_MAX / 2);
    maker.timestamp = INT64_MIN / 2;
    (void)log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    feed();
    assert_int_equal(rig.tally.sum, 2);
}

/* ---- Timers ---- */

static void due_timers_come_before_the_entry(void **state)
{
    (void)state;
    begin();
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 8, 20);
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 9, 10);
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 7, 10);
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 6, 31);
    feed();
    const uint64_t before = maker.position;
    assert_int_equal(log_applier_deadline_ns(&rig.log), LOG_MAKER_START_NS + 10);
    maker.timestamp += 30;
    (void)log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    feed();
    /* By deadline, then by id; at the places behind the entry before; then the entry. */
    const int64_t order[] = {7, 9, 8};
    assert_int_equal(rig.sent_count, 4);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rig.sent[i].kind, TALLY_FIRED);
        assert_int_equal(rig.sent[i].value, order[i]);
        assert_int_equal(rig.sent_at[i].position, before + 1 + i);
        assert_int_equal(rig.sent_at[i].time_ns, LOG_MAKER_START_NS + 30);
    }
    assert_int_equal(rig.sent[3].kind, TALLY_SUM);
    assert_int_equal(rig.sent_at[3].position, maker.position);
    assert_int_equal(log_applier_deadline_ns(&rig.log), LOG_MAKER_START_NS + 31);
}

static void every_kind_of_entry_fires_timers(void **state)
{
    (void)state;
    begin();
    for (uint32_t kind = 0; kind < 6; kind++) {
        (void)log_maker_request(&maker, 1, TALLY_TIMER, 1, 10);
        feed();
        maker.timestamp += 10;
        if (kind == 0)
            (void)log_maker_timer(&maker);
        else if (kind == 1)
            (void)log_maker_open(&maker, 50, "bob");
        else if (kind == 2)
            (void)log_maker_close(&maker, 50, 0);
        else if (kind == 3)
            (void)log_maker_snapshot(&maker);
        else if (kind == 4)
            (void)log_maker_term(&maker, 1);
        else
            (void)log_maker_message(&maker, 77, "nobody's", 8);
        feed();
        assert_int_equal(rig.tally.fired, kind + 1);
    }
    /* Nothing is due, and the entry has no content: nothing happens. */
    const uint64_t entries = rig.replica.entries;
    (void)log_maker_timer(&maker);
    feed();
    assert_int_equal(rig.replica.entries, entries);
}

static void at_most_31_timers_before_an_entry(void **state)
{
    (void)state;
    begin();
    for (int64_t i = 0; i < 40; i++)
        (void)log_maker_request(&maker, 1, TALLY_TIMER, i, 5);
    feed();
    const uint64_t before = maker.position;
    maker.timestamp += 5;
    (void)log_maker_timer(&maker);
    feed();
    assert_int_equal(rig.tally.fired, LOG_APPLIER_TIMERS_MAX);
    assert_int_equal(rig.replica.entry.position, before + LOG_APPLIER_TIMERS_MAX);
    assert_true(rig.replica.entry.position < maker.position);
    assert_true(log_applier_deadline_ns(&rig.log) <= maker.timestamp); /* at once, then */
    (void)log_maker_timer(&maker);
    feed();
    assert_int_equal(rig.tally.fired, 40);
    assert_int_equal(log_applier_deadline_ns(&rig.log), INT64_MAX);
}

/* A member whose log ended behind padding knows of it; one that reads the recording does not. */
static void padding_does_not_move_timers(void **state)
{
    (void)state;
    applier_rig_t other;
    applier_rig_init(&other);
    begin();
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 3, 10);
    feed();
    applier_rig_feed(&other, &maker);
    log_applier_pass_padding(&other.log, log_maker_pad(&maker));
    assert_int_equal(other.log.position, LOG_MAKER_TERM_BYTES);
    maker.timestamp += 10;
    (void)log_maker_term(&maker, 1);
    feed();
    applier_rig_feed(&other, &maker);
    assert_int_equal(rig.sent_count, 1);
    assert_int_equal(other.sent_count, 1);
    assert_int_equal(rig.sent_at[0].position, other.sent_at[0].position);
    assert_true(rig.tally.hash == other.tally.hash);
    assert_int_equal(rig.log.checksum, other.log.checksum);
    applier_rig_fini(&other);
}

/* ---- A busy service ---- */

static void a_busy_service_gets_entries_of_time(void **state)
{
    (void)state;
    begin();
    assert_int_equal(log_applier_deadline_ns(&rig.log), INT64_MAX);
    (void)log_maker_request(&maker, 1, TALLY_BUSY, 2, 0);
    feed();
    assert_int_equal(log_applier_deadline_ns(&rig.log), maker.timestamp + APPLIER_RIG_INTERVAL_NS);
    maker.timestamp += APPLIER_RIG_INTERVAL_NS;
    (void)log_maker_timer(&maker);
    feed();
    assert_int_equal(rig.tally.timed, 1);
    assert_int_equal(rig.sent[rig.sent_count - 1].kind, TALLY_TIMED);
    assert_int_equal(rig.sent_at[rig.sent_count - 1].position, maker.position);
    assert_int_equal(log_applier_deadline_ns(&rig.log), maker.timestamp + APPLIER_RIG_INTERVAL_NS);
    (void)log_maker_timer(&maker);
    (void)log_maker_timer(&maker);
    feed();
    assert_int_equal(rig.tally.timed, 2); /* not busy at the third */
    assert_int_equal(log_applier_deadline_ns(&rig.log), INT64_MAX);
}

static void the_earlier_of_timer_and_time_counts(void **state)
{
    (void)state;
    begin();
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 1, APPLIER_RIG_INTERVAL_NS - 1);
    (void)log_maker_request(&maker, 1, TALLY_BUSY, 1, 0);
    feed();
    assert_int_equal(log_applier_deadline_ns(&rig.log),
                     LOG_MAKER_START_NS + APPLIER_RIG_INTERVAL_NS - 1);
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 1, APPLIER_RIG_INTERVAL_NS + 1);
    feed();
    assert_int_equal(log_applier_deadline_ns(&rig.log),
                     LOG_MAKER_START_NS + APPLIER_RIG_INTERVAL_NS);
    /* A deadline before all time is one, too. */
    (void)log_maker_request(&maker, 1, TALLY_TIMER, 1, INT64_MIN + 1);
    feed();
    assert_true(log_applier_deadline_ns(&rig.log) < 0);
}

/* ---- Sessions that cannot be kept ---- */

static void refused(uint64_t session, const cluster_text_t *channel,
                    const cluster_text_t *principal)
{
    const uint32_t count = rig.refused_count;
    (void)log_maker_put(&maker, (cluster_log_entry_t){.type = CLUSTER_LOG_OPEN,
                                                      .session = (int64_t)session,
                                                      .channel = *channel,
                                                      .principal = *principal});
    feed();
    assert_int_equal(rig.refused_count, count + 1);
    assert_int_equal(rig.refused[count], session);
    assert_int_equal(rig.tally.opened, 1);
}

static cluster_text_t text(const char *bytes, size_t length)
{
    return (cluster_text_t){.bytes = bytes, .length = (uint32_t)length};
}

static void sessions_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    char channel[GATEWAY_CHANNEL_MAX + 1];
    char name[OC_PRINCIPAL_SIZE + 1];
    memset(channel, 'c', sizeof channel);
    memset(name, 'n', sizeof name);
    begin();
    const cluster_text_t good_channel = text("aeron:udp?endpoint=a:1", 22);
    const cluster_text_t good_name = text("bob", 3);
    const cluster_text_t long_channel = text(channel, GATEWAY_CHANNEL_MAX);
    const cluster_text_t long_name = text(name, OC_PRINCIPAL_SIZE);
    const cluster_text_t null_name = text("a\0b", 3);
    refused(20, &long_channel, &good_name);
    refused(21, &good_channel, &long_name);
    refused(22, &good_channel, &null_name);
    /* What it says is nobody's, and asks again for its end; its close is none. */
    (void)log_maker_request(&maker, 20, TALLY_ADD, 1, 0);
    feed();
    assert_int_equal(rig.refused_count, 4);
    assert_int_equal(rig.refused[3], 20);
    (void)log_maker_close(&maker, 20, 1);
    feed();
    assert_int_equal(rig.tally.messages, 0);
    assert_int_equal(rig.tally.closed, 0);
}

static void the_longest_that_fits_is_kept(void **state)
{
    (void)state;
    char channel[GATEWAY_CHANNEL_MAX];
    char name[OC_PRINCIPAL_SIZE];
    memset(channel, 'c', sizeof channel);
    memset(name, 'n', sizeof name);
    begin();
    (void)log_maker_put(&maker,
                        (cluster_log_entry_t){.type = CLUSTER_LOG_OPEN,
                                              .session = 20,
                                              .channel = text(channel, GATEWAY_CHANNEL_MAX - 1),
                                              .principal = text(name, OC_PRINCIPAL_SIZE - 1)});
    (void)log_maker_put(&maker, (cluster_log_entry_t){.type = CLUSTER_LOG_OPEN, .session = 21});
    feed();
    assert_int_equal(rig.refused_count, 0);
    const ledger_session_t *longest =
        session_ledger_find(&rig.replica.sessions, (oc_session_id_t){20});
    const ledger_session_t *nameless =
        session_ledger_find(&rig.replica.sessions, (oc_session_id_t){21});
    assert_int_equal(longest->open.channel_length, GATEWAY_CHANNEL_MAX - 1);
    assert_int_equal(strlen(longest->open.principal.name), OC_PRINCIPAL_SIZE - 1);
    assert_string_equal(nameless->open.principal.name, "anonymous");
    assert_int_equal(nameless->open.channel_length, 0);
}

static void a_full_ledger_refuses(void **state)
{
    (void)state;
    begin();
    for (int64_t i = 2; i <= APPLIER_RIG_SESSIONS; i++)
        (void)log_maker_open(&maker, i, "bob");
    feed();
    assert_int_equal(rig.refused_count, 0);
    (void)log_maker_open(&maker, 90, "late");
    feed();
    assert_int_equal(rig.refused_count, 1);
    (void)log_maker_close(&maker, 3, 0);
    (void)log_maker_open(&maker, 91, "later");
    feed();
    assert_int_equal(rig.refused_count, 1);
    assert_non_null(session_ledger_find(&rig.replica.sessions, (oc_session_id_t){91}));
    assert_null(session_ledger_find(&rig.replica.sessions, (oc_session_id_t){90}));
}

/* ---- Members ---- */

static void what_members_say_is_not_the_service_s(void **state)
{
    (void)state;
    begin();
    (void)log_maker_open(&maker, 5, REPLICA_HOST_PRINCIPAL);
    const member_message_t check = {
        .type = MEMBER_CHECK, .member = 2, .position = 640, .state_hash = 11, .output_hash = 12};
    (void)log_maker_said(&maker, 5, &check);
    (void)log_maker_message(&maker, 5, "no message of members", 21);
    feed();
    assert_int_equal(rig.tally.opened, 1);
    assert_int_equal(rig.tally.messages, 0);
    assert_int_equal(rig.outlet_opened, 1);
    assert_int_equal(rig.said_count, 1);
    assert_int_equal(rig.said[0].member, 2);
    assert_int_equal(rig.said[0].position, 640);
    assert_int_equal(rig.said[0].state_hash, 11);
    /* The same bytes of a client are the service's. */
    (void)log_maker_said(&maker, 1, &check);
    feed();
    assert_int_equal(rig.said_count, 1);
    assert_int_equal(rig.tally.messages, 1);
    (void)log_maker_close(&maker, 5, 0);
    feed();
    assert_int_equal(rig.tally.closed, 0);
    assert_null(session_ledger_find(&rig.replica.sessions, (oc_session_id_t){5}));
}

static void a_notice_is_an_entry(void **state)
{
    (void)state;
    begin();
    (void)log_maker_open(&maker, 5, REPLICA_HOST_PRINCIPAL);
    feed();
    const uint64_t entries = rig.replica.entries;
    const member_message_t notice = {.type = MEMBER_NOTICE, .notice = OC_NOTICE_STORAGE_LOW};
    const member_message_t none = {.type = MEMBER_NOTICE, .notice = 99};
    (void)log_maker_said(&maker, 5, &notice);
    feed();
    assert_int_equal(rig.tally.notices[OC_NOTICE_STORAGE_LOW], 1);
    assert_int_equal(rig.replica.entries, entries + 1);
    (void)log_maker_said(&maker, 5, &none);
    feed();
    assert_int_equal(rig.replica.entries, entries + 1);
}

static void what_the_host_makes_of_it_can_end_it(void **state)
{
    (void)state;
    begin();
    (void)log_maker_open(&maker, 5, REPLICA_HOST_PRINCIPAL);
    feed();
    const member_message_t check = {.type = MEMBER_CHECK, .position = 64};
    (void)log_maker_said(&maker, 5, &check);
    rig.said_answer = OC_ERR_DAMAGED;
    applier_rig_feed_fails(&rig, &maker, OC_ERR_DAMAGED, "as asked for");
}

static void members_compare_once_in_a_second(void **state)
{
    (void)state;
    begin();
    (void)log_maker_open(&maker, 5, REPLICA_HOST_PRINCIPAL);
    const uint64_t first = log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    (void)log_maker_request(&maker, 1, TALLY_ADD, 1, 0);
    feed();
    assert_int_equal(rig.check_count, 1);
    assert_int_equal(rig.checks[0], first);
    /* Whatever comes first in a second: the first message counts. */
    maker.timestamp += SECOND_NS;
    (void)log_maker_timer(&maker);
    (void)log_maker_open(&maker, 6, "bob");
    const member_message_t check = {.type = MEMBER_CHECK, .position = first};
    (void)log_maker_said(&maker, 5, &check);
    feed();
    assert_int_equal(rig.check_count, 1);
    const uint64_t second = log_maker_request(&maker, 6, TALLY_ADD, 1, 0);
    (void)log_maker_request(&maker, 6, TALLY_ADD, 1, 0);
    feed();
    assert_int_equal(rig.check_count, 2);
    assert_int_equal(rig.checks[1], second);
    /* What only members say is no reason to compare, for ever. */
    maker.timestamp += SECOND_NS;
    (void)log_maker_said(&maker, 5, &check);
    (void)log_maker_message(&maker, 88, "refused", 7);
    feed();
    assert_int_equal(rig.check_count, 2);
}

static void two_members_compare_at_the_same_entries(void **state)
{
    (void)state;
    applier_rig_t late;
    begin();
    for (int i = 0; i < 30; i++) {
        (void)log_maker_request(&maker, 1, i % 3 ? TALLY_ADD : TALLY_TIMER, i, 200 * MS);
        maker.timestamp += 350 * MS;
        if (i % 4 == 0)
            (void)log_maker_timer(&maker);
    }
    const uint32_t half = maker.count / 2;
    const uint32_t all = maker.count;
    maker.count = half;
    feed();
    applier_rig_init(&late);
    applier_rig_restore(&late, &rig);
    maker.count = all;
    feed();
    applier_rig_feed(&late, &maker);
    /* The first of the restored one may be its own; from then on they are equal. */
    assert_true(late.check_count >= 3);
    for (uint32_t i = 1; i <= 3; i++)
        assert_int_equal(late.checks[late.check_count - i], rig.checks[rig.check_count - i]);
    assert_true(late.tally.hash == rig.tally.hash);
    applier_rig_fini(&late);
}

/* ---- Passing over ---- */

/* Entries of every kind, applied; returns how many there are. */
static uint32_t some_log(void)
{
    begin();
    (void)log_maker_open(&maker, 5, REPLICA_HOST_PRINCIPAL);
    for (int64_t i = 0; i < 6; i++) {
        (void)log_maker_request(&maker, 1, TALLY_TIMER, i, i);
        maker.timestamp += 2;
        (void)log_maker_request(&maker, 1, TALLY_ADD, i, 0);
    }
    (void)log_maker_snapshot(&maker);
    (void)log_maker_term(&maker, 1);
    feed();
    return maker.count;
}

/* An applier with the state as it is now, to which the log comes from an earlier place on. */
static void ahead_of(applier_rig_t *ahead, uint32_t from)
{
    const uint64_t position = from == 0 ? 0 : maker.entries[from - 1].position;
    applier_rig_init(ahead);
    applier_rig_restore(ahead, &rig);
    ahead->next = from;
    log_applier_skip(&ahead->log, position, log_maker_checksum(&maker, position));
}

static void what_an_image_has_is_passed_over(void **state)
{
    (void)state;
    const uint32_t count = some_log();
    for (uint32_t from = 0; from < count; from += 3) {
        applier_rig_t ahead;
        image_place_t before;
        image_place_t place;
        log_applier_place(&rig.log, &before);
        ahead_of(&ahead, from);
        log_applier_place(&ahead.log, &place);
        assert_memory_equal(&place, &before, sizeof place); /* of its state, wherever the log is */
        const uint64_t hash = ahead.tally.hash;
        assert_int_equal(ahead.log.position, from == 0 ? 0 : maker.entries[from - 1].position);
        applier_rig_feed(&ahead, &maker);
        assert_true(ahead.log.skipped);
        assert_true(ahead.tally.hash == hash);
        assert_int_equal(ahead.term_count + ahead.refused_count + ahead.said_count, 0);
        assert_int_equal(ahead.check_count + ahead.sent_count, 0);
        assert_int_equal(ahead.log.position, rig.log.position);
        assert_int_equal(ahead.log.checksum, rig.log.checksum);
        assert_int_equal(ahead.log.timestamp, rig.log.timestamp);
        assert_int_equal(ahead.log.leadership_term, 1);
        /* And then it goes on as the other does. */
        (void)log_maker_request(&maker, 1, TALLY_ADD, 100, 0);
        applier_rig_feed(&ahead, &maker);
        feed();
        assert_false(ahead.log.skipped);
        replica_rig_assert_equal(&ahead.replica, &rig.replica);
        assert_true(ahead.tally.hash == rig.tally.hash);
        applier_rig_fini(&ahead);
    }
}

static void an_image_of_another_log_is_found(void **state)
{
    (void)state;
    applier_rig_t ahead;
    const uint32_t count = some_log();
    ahead_of(&ahead, 2);
    maker.entries[count / 2].bytes[8] ^= 1; /* the term of some entry */
    applier_rig_feed_fails(&ahead, &maker, OC_ERR_DAMAGED, "is not of this log");
    assert_non_null(strstr(oc_err_context(), "checksum"));
    assert_int_equal(ahead.next, count - 1); /* at the image, and not before */
    applier_rig_fini(&ahead);
}

static void an_image_where_no_entry_ends_is_found(void **state)
{
    (void)state;
    applier_rig_t ahead;
    (void)some_log();
    ahead_of(&ahead, 2);
    ahead.log.skip_until -= 32;
    applier_rig_feed_fails(&ahead, &maker, OC_ERR_DAMAGED, "no entry ends there");
    applier_rig_fini(&ahead);
}

static void a_fixed_log_gives_fixed_numbers(void **state)
{
    (void)state;
    (void)some_log();
    /* Whatever computes them otherwise cannot read the images and manifests that there are. */
    assert_int_equal(rig.log.log_id, UINT64_C(0xfa19b371a60bd520));
    assert_int_equal(rig.log.checksum, UINT32_C(0x0c1ff5ac));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_of_entry_is_applied),
        TEST(reasons_of_a_close),
        TEST(an_entry_of_an_unknown_template_counts_for_the_checksum_only),
        TEST(what_is_not_of_the_protocol_is_refused),
        TEST(a_log_without_a_term_is_refused),
        TEST(a_position_that_cannot_follow_is_refused),
        TEST(the_service_s_error_ends_it),
        TEST(logs_differ_by_id),
        TEST(units_of_time),
        TEST(time_never_falls),
        TEST(a_time_beyond_all_is_cut),
        TEST(due_timers_come_before_the_entry),
        TEST(every_kind_of_entry_fires_timers),
        TEST(at_most_31_timers_before_an_entry),
        TEST(padding_does_not_move_timers),
        TEST(a_busy_service_gets_entries_of_time),
        TEST(the_earlier_of_timer_and_time_counts),
        TEST(sessions_that_do_not_fit_are_refused),
        TEST(the_longest_that_fits_is_kept),
        TEST(a_full_ledger_refuses),
        TEST(what_members_say_is_not_the_service_s),
        TEST(a_notice_is_an_entry),
        TEST(what_the_host_makes_of_it_can_end_it),
        TEST(members_compare_once_in_a_second),
        TEST(two_members_compare_at_the_same_entries),
        TEST(what_an_image_has_is_passed_over),
        TEST(an_image_of_another_log_is_found),
        TEST(an_image_where_no_entry_ends_is_found),
        TEST(a_fixed_log_gives_fixed_numbers),
    };
    return cmocka_run_group_tests_name("log_applier", tests, NULL, NULL);
}
