/*
 * What the client makes of what a venue says. Which outputs answer which command is held against
 * the reference engine: under random commands of every kind, exactly one output answers each, in
 * order. The rest is said by the fake venue: repeats, jumps, gaps, contradictions and noise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "client/client_inbox.h"
#include "lib/client_fixture.h"
#include "outcry/engine.h"

#include <string.h>

enum { SOURCES = 3, COMMANDS = 20000 };

typedef struct world {
    uint64_t sent[SOURCES + 1];
    uint64_t answered[SOURCES + 1];
    uint64_t seed;
} world_t;

static void take(void *context, const oc_event_t *events, size_t count)
{
    world_t *world = context;
    for (size_t i = 0; i < count; i++) {
        const uint32_t source = events[i].source.value;
        if (source == 0 || source > SOURCES)
            continue;
        const uint64_t sequence = client_inbox_answered(&events[i]);
        /* The first that names it answers; later ones of the same command change nothing. */
        if (sequence != 0 && sequence > world->answered[source]) {
            assert_int_equal(sequence, world->answered[source] + 1);
            world->answered[source] = sequence;
        }
    }
}

static oc_command_t random_command(world_t *world, uint32_t source)
{
    oc_command_t command = {.source = {source}, .instrument = {1 + prng_below(&world->seed, 2)}};
    static const uint8_t types[] = {OC_COMMAND_NEW,           OC_COMMAND_NEW,
                                    OC_COMMAND_NEW,           OC_COMMAND_CANCEL,
                                    OC_COMMAND_MODIFY,        OC_COMMAND_MASS_CANCEL,
                                    OC_COMMAND_MARK_PRICE,    OC_COMMAND_INSTRUMENT_STATE,
                                    OC_COMMAND_SOURCE_RETIRE, OC_COMMAND_RESTRICTION};
    command.type = types[prng_below(&world->seed, sizeof types)];
    command.sequence = ++world->sent[source];
    switch (command.type) {
    case OC_COMMAND_MASS_CANCEL:
        command.u.mass_cancel.scope = (uint8_t)prng_below(&world->seed, 5);
        command.u.mass_cancel.owner.value = prng_below(&world->seed, SOURCES + 1);
        break;
    case OC_COMMAND_MARK_PRICE:
        command.u.mark.price_ticks = 50;
        break;
    case OC_COMMAND_INSTRUMENT_STATE:
        command.u.instrument.state = prng_below(&world->seed, 4)
                                         ? OC_STATE_CONTINUOUS
                                         : (uint8_t)prng_below(&world->seed, 4);
        break;
    case OC_COMMAND_SOURCE_RETIRE:
        command.u.source.id.value = 50; /* there is none */
        break;
    case OC_COMMAND_RESTRICTION:
        command.u.restriction.clear = 1;
        break;
    default:
        command.side = (uint8_t)prng_below(&world->seed, 2);
        command.time_in_force = (uint8_t)prng_below(&world->seed, 5);
        command.u.order.client_order_id.value = prng_below(&world->seed, 40);
        command.u.order.price_ticks = 45 + prng_below(&world->seed, 10);
        command.u.order.quantity_lots = prng_below(&world->seed, 6);
        if (command.type == OC_COMMAND_CANCEL && prng_below(&world->seed, 4) == 0)
            command.u.order.owner.value = 1 + prng_below(&world->seed, SOURCES);
        break;
    }
    return command;
}

static void test_every_command_is_answered(void **state)
{
    (void)state;
    world_t world = {.seed = 3};
    oc_engine_config_t config;
    oc_engine_t *engine;
    oc_engine_config_init(&config);
    config.kind = OC_ENGINE_REFERENCE;
    config.max_orders = 64;
    config.max_levels = 16;
    config.max_pending = 2;
    config.step_bound = 2;
    assert_int_equal(oc_engine_create(&engine, &config, take, &world), OC_ERR_OK);
    for (uint32_t i = 1; i <= SOURCES; i++) {
        oc_command_t add = {.type = OC_COMMAND_SOURCE_ADD};
        add.u.source.id.value = i;
        add.u.source.roles = OC_ROLES_ALL;
        assert_int_equal(oc_engine_apply(engine, &add), OC_ERR_OK);
        oc_command_t instrument = {.type = OC_COMMAND_INSTRUMENT_ADD, .instrument = {i}};
        instrument.u.instrument.price_low_ticks = 1;
        instrument.u.instrument.price_high_ticks = 100;
        instrument.u.instrument.max_quantity_lots = 1000;
        instrument.u.instrument.state = OC_STATE_CONTINUOUS;
        assert_int_equal(oc_engine_apply(engine, &instrument), OC_ERR_OK);
    }
    for (int i = 0; i < COMMANDS; i++) {
        const uint32_t source = 1 + prng_below(&world.seed, SOURCES);
        const oc_command_t command = random_command(&world, source);
        assert_int_equal(oc_engine_apply(engine, &command), OC_ERR_OK);
        assert_int_equal(world.answered[source], world.sent[source]);
    }
    oc_engine_destroy(engine);
}

/* Trade ids share the field with sequences; two rejects say another number with it. */
static void test_what_answers(void **state)
{
    (void)state;
    for (unsigned type = 0; type <= OC_EVENT_COMPLETED + 1; type++) {
        const oc_event_t event = {.type = (uint8_t)type, .sequence = 9};
        const bool answers = type == OC_EVENT_ACCEPTED || type == OC_EVENT_REJECTED ||
                             type == OC_EVENT_CANCELLED || type == OC_EVENT_EXPIRED ||
                             type == OC_EVENT_MODIFIED || type == OC_EVENT_CONFIRMED;
        assert_int_equal(client_inbox_answered(&event), answers ? 9 : 0);
    }
    oc_event_t reject = {.type = OC_EVENT_REJECTED, .sequence = 9};
    reject.reason = OC_REASON_SEQUENCE_GAP;
    assert_int_equal(client_inbox_answered(&reject), 0);
    reject.reason = OC_REASON_DUPLICATE_SEQUENCE;
    assert_int_equal(client_inbox_answered(&reject), 0);
    reject.reason = OC_REASON_UNKNOWN_ORDER;
    assert_int_equal(client_inbox_answered(&reject), 9);
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static void test_repeats(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.repeat_out = 3;
    send_some(8);
    run_ms(3);
    assert_all_answered(8);
    assert_int_equal(fixture.session.counts.repeats, 1);
}

/* One is missing: those behind it are not shown until it has come. */
static void test_jump(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.lose_out = 3;
    send_some(8);
    run_ms(2);
    assert_int_equal(fixture.accepted, 2);
    run_ms(200);
    assert_all_answered(8);
    assert_int_equal(fixture.venue.logons, 2);
    assert_int_equal(fixture.session.counts.reconnects, 0);
}

/* What an earlier term said and comes late is not believed: it is sent again after the logon. */
static void test_old_term(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fake_venue_restart(&fixture.venue, true);
    (void)ready_within(20);
    fixture.venue.term--;
    fake_venue_fill(&fixture.venue);
    fixture.venue.term++;
    run_ms(3);
    assert_int_equal(fixture.outputs, 0);
    fake_venue_fill(&fixture.venue); /* a jump: both are sent again */
    run_ms(200);
    assert_int_equal(fixture.outputs, 2);
}

/* What is not kept any more is told, and what it must have answered counts as answered. */
static void test_gap(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.kept = 5;
    fixture.venue.mute = true;
    send_some(20);
    run_ms(3);
    fixture.venue.mute = false;
    run_ms(2500);
    assert_int_equal(fixture.gaps, 1);
    assert_int_equal(fixture.gap_outputs, 15);
    assert_int_equal(fixture.accepted, 5);
    assert_int_equal(fixture.session.outbox.answered, 20);
    send_some(1);
    run_ms(2);
    assert_int_equal(fixture.session.outbox.answered, 21);
}

/* All the answers were in the gap, and what is kept answers nothing. */
static void test_gap_answers_all(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.kept = 5;
    fixture.venue.mute = true;
    send_some(20);
    client_session_flush(&fixture.session);
    for (int i = 0; i < 10; i++)
        fake_venue_fill(&fixture.venue);
    fixture.venue.mute = false;
    run_ms(2500);
    assert_int_equal(fixture.accepted, 0);
    assert_int_equal(fixture.outputs, 5);
    assert_int_equal(fixture.session.outbox.answered, 20);
    assert_int_equal(fixture.session.outbox.oldest, fixture.session.outbox.next);
}

/* ---- Contradictions -------------------------------------------------------------------------- */

static void test_venue_forgot_commands(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    send_some(10);
    run_ms(3);
    fixture.venue.taken = 5;
    fake_venue_restart(&fixture.venue, true);
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "lost commands");
}

static void test_venue_forgot_outputs(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    send_some(10);
    run_ms(3);
    fixture.venue.outbound = 5;
    fake_venue_restart(&fixture.venue, true);
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "outputs up to 5");
}

static void test_somebody_else(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    send_some(10);
    run_ms(3);
    fixture.venue.taken = 12;
    fake_venue_restart(&fixture.venue, true);
    run_ms(10);
    assert_ended(OC_ERR_REFUSED, "somebody else");
}

static void test_command_not_understood(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.refuses_commands = true;
    send_some(1);
    run_ms(3);
    assert_ended(OC_ERR_REFUSED, "new (unknown_version)");
    assert_int_equal(fixture.rejected, 1);
    assert_int_equal(fixture.session.counts.rejected_messages, 1);
}

/* The source was taken from us: we log on again. */
static void test_not_logged_on(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.logged_on = false;
    send_some(1);
    run_ms(100);
    assert_all_answered(1);
    assert_int_equal(fixture.rejected, 1);
}

/* A gap that the venue sees in our commands is delivered, and mended by a logon. */
static void test_sequence_gap(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    fixture.venue.lose_in = 1;
    send_some(2);
    client_session_flush(&fixture.session);
    send_some(2);
    run_ms(200);
    assert_int_equal(fixture.refused_sequence, 2);
    assert_all_answered(4);
}

/* Foreign bytes, half messages and unknown responses change nothing. */
static void test_noise(void **state)
{
    (void)state;
    client_fixture_start();
    (void)ready_within(10);
    uint64_t seed = 5;
    for (int i = 0; i < 2000; i++) {
        uint8_t bytes[96];
        for (size_t at = 0; at < sizeof bytes; at++)
            bytes[at] = (uint8_t)prng_next(&seed);
        fake_venue_tell(&fixture.venue, &(cluster_message_t){
                                            .type = CLUSTER_SESSION_MESSAGE,
                                            .term = fixture.venue.term,
                                            .session = fixture.venue.session,
                                            .data = {(const char *)bytes, (uint32_t)(1 + i % 96)}});
    }
    run_ms(100);
    send_some(10);
    run_ms(100);
    assert_int_equal(fixture.session.phase, CLIENT_READY);
    assert_int_equal(fixture.accepted, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command_is_answered),
        cmocka_unit_test(test_what_answers),
        CLIENT_TEST(test_repeats),
        CLIENT_TEST(test_jump),
        CLIENT_TEST(test_old_term),
        CLIENT_TEST(test_gap),
        CLIENT_TEST(test_gap_answers_all),
        CLIENT_TEST(test_venue_forgot_commands),
        CLIENT_TEST(test_venue_forgot_outputs),
        CLIENT_TEST(test_somebody_else),
        CLIENT_TEST(test_command_not_understood),
        CLIENT_TEST(test_not_logged_on),
        CLIENT_TEST(test_sequence_gap),
        CLIENT_TEST(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
