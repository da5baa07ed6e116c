/*
 * Sequencing in a node that runs: entries are applied at once and never inside one another, time
 * never falls, and what the gateway asks for comes out as entries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/node_internal.h"
#include "lib/capture.h"
#include "lib/node_fixture.h"

#include <string.h>

static const gateway_open_t open_data = {
    .principal.name = "anna",
    .response_stream = 102,
    .channel_length = 35,
    .response_channel = "aeron:udp?endpoint=127.0.0.1:65123",
};

static gateway_open_t valid_open(void)
{
    gateway_open_t open = open_data;
    open.channel_length = (uint32_t)strlen(open.response_channel);
    return open;
}

static void begin(node_fixture_t *f)
{
    node_fixture_init(f);
    assert_int_equal(node_fixture_start(f), OC_ERR_OK);
}

static oc_session_id_t open_session(node_t *node)
{
    const gateway_open_t open = valid_open();
    const oc_session_id_t session = node->sink.reserve_session(node);
    assert_true(node->sink.open(node, session, &open));
    return session;
}

static void entries_are_applied_at_once(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    node_t *node = f.node;
    const uint64_t before = node->position;
    const oc_session_id_t session = open_session(node);
    assert_int_equal(session.value, 1);
    assert_int_equal(f.tally.opened, 1);
    assert_true(node->position > before);
    assert_true(node->position == f.tally.position);
    assert_true(node->sink.message(node, session, "abc", 3));
    assert_int_equal(f.tally.messages, 1);
    assert_true(node->sink.close(node, session, OC_CLOSE_TIMEOUT));
    assert_int_equal(f.tally.close_reason, OC_CLOSE_TIMEOUT);
    /* Of a session that is gone nothing is sequenced, and nothing is to be offered again. */
    const uint64_t entries = node->replica.entries;
    assert_true(node->sink.message(node, session, "abc", 3));
    assert_true(node->sink.close(node, session, OC_CLOSE_TIMEOUT));
    assert_true(node->replica.entries == entries);
    node_fixture_fini(&f);
}

static void ids_are_handed_out_once(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    const oc_session_id_t a = f.node->sink.reserve_session(f.node);
    const oc_session_id_t b = open_session(f.node);
    const oc_session_id_t c = f.node->sink.reserve_session(f.node);
    assert_true(a.value < b.value);
    assert_true(b.value < c.value);
    node_fixture_fini(&f);
}

static void nothing_inside_an_entry(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    log_record_t record = {.type = LOG_TIME};
    f.node->replica.applying = true;
    assert_false(node_sequence(f.node, &record));
    f.node->replica.applying = false;
    assert_true(node_sequence(f.node, &record));
    assert_int_equal(f.tally.timed, 1);
    node_fixture_fini(&f);
}

static void time_never_falls(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    const int64_t later_ns = f.node->now_ns + INT64_C(3600000000000);
    log_record_t record = {.type = LOG_TIME};
    f.node->now_ns = later_ns;
    assert_true(node_sequence(f.node, &record));
    node_read_clocks(f.node); /* the system's clock is an hour behind */
    assert_true(f.node->now_ns == later_ns);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    /* Over a restart too. */
    assert_int_equal(node_fixture_start(&f), OC_ERR_OK);
    node_read_clocks(f.node);
    assert_true(f.node->now_ns == later_ns);
    assert_true(node_sequence(f.node, &record));
    assert_true(f.tally.time_ns == later_ns);
    node_fixture_fini(&f);
}

static void a_full_ledger_takes_no_more(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    const gateway_open_t open = valid_open();
    for (uint64_t i = 0; i < f.config.max_sessions; i++)
        (void)open_session(f.node);
    assert_false(f.node->sink.open(f.node, f.node->sink.reserve_session(f.node), &open));
    node_fixture_fini(&f);
}

static void the_first_failure_stays(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f);
    const oc_session_id_t session = open_session(f.node);
    const tally_request_t request = {.op = TALLY_FAIL};
    assert_true(f.node->sink.message(f.node, session, &request, sizeof request));
    assert_int_equal(f.node->failure, OC_ERR_RULES_VERSION);
    assert_false(f.node->sink.message(f.node, session, &request, sizeof request));
    assert_int_equal(node_fail(f.node, OC_ERR_NO_MEMORY), OC_ERR_RULES_VERSION);
    assert_string_equal(oc_err_context(), "as asked for");
    node_fixture_fini(&f);
}

/* The journal's buffers are few and small here, and the writer cannot take any without a flush. */
static void no_room_is_no_loss(void **state)
{
    (void)state;
    static node_fixture_t f;
    static const char bytes[4000];
    begin(&f);
    const oc_session_id_t session = open_session(f.node);
    uint32_t taken = 0;
    while (taken < 100000 && f.node->sink.message(f.node, session, bytes, sizeof bytes))
        taken++;
    assert_true(taken > 0);
    assert_true(taken < 100000);
    assert_int_equal(f.tally.messages, taken);
    while (!f.node->sink.message(f.node, session, bytes, sizeof bytes))
        node_fixture_step(&f);
    assert_int_equal(f.tally.messages, taken + 1);
    node_fixture_fini(&f);
}

/* Who was thrown out is told, one line each so often, and the name is harmless. */
static void unwanted_ends_are_told(void **state)
{
    (void)state;
    static node_fixture_t f;
    static capture_t said;
    begin(&f);
    gateway_open_t open = valid_open();
    oc_session_id_t ids[5];
    open.principal = (oc_principal_t){.name = "an\033na"};
    for (int i = 0; i < 5; i++) {
        ids[i] = f.node->sink.reserve_session(f.node);
        assert_true(f.node->sink.open(f.node, ids[i], &open));
    }
    output_capture_begin();
    assert_true(f.node->sink.close(f.node, ids[0], OC_CLOSE_CLIENT));
    assert_true(f.node->sink.close(f.node, ids[1], OC_CLOSE_TIMEOUT));
    assert_true(f.node->sink.close(f.node, ids[2], OC_CLOSE_SLOW));
    assert_true(f.node->sink.close(f.node, ids[3], OC_CLOSE_SLOW));
    f.node->close_told_next_ns = 0;
    assert_true(node_sequence_close(f.node, ids[4], OC_CLOSE_SLOW));
    assert_true(node_sequence_close(f.node, ids[4], OC_CLOSE_SLOW)); /* none any more */
    output_capture_end(&said);
    assert_string_equal(said.err,
                        "outcry: session 2 of an.na is closed: timeout, nothing was heard of it\n"
                        "outcry: session 5 of an.na is closed: slow, it did not take what it was "
                        "sent (2 more since the last such line)\n");
    assert_int_equal(f.tally.closed, 5);
    node_fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_applied_at_once), cmocka_unit_test(ids_are_handed_out_once),
        cmocka_unit_test(nothing_inside_an_entry),     cmocka_unit_test(time_never_falls),
        cmocka_unit_test(a_full_ledger_takes_no_more), cmocka_unit_test(the_first_failure_stays),
        cmocka_unit_test(no_room_is_no_loss),          cmocka_unit_test(unwanted_ends_are_told),
    };
    return cmocka_run_group_tests_name("node_sequence", tests, NULL, NULL);
}
