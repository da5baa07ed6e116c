/*
 * Unit tests of the proof of a recovery: a log of orders, the outputs that were due, and clients'
 * logs that differ from them in one thing each. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/offline_node.h"
#include "bench/recovery_proof.h"
#include "bench/response_log.h"
#include "lib/proof_trader.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"

#include <string.h>

enum { ORDERS = 200 };

static temp_dir_t dir;
static temp_file_t file;
static proof_trader_t due;

/* An order, or now and then a cancel; one of them of no order. */
static void send_order(offline_node_t *node, oc_session_id_t trader, uint64_t i)
{
    oc_request_t request = proof_trader_order(i);
    oc_command_t *command = &request.u.command;
    if (i % 10 == 0) {
        command->type = OC_COMMAND_CANCEL;
        command->side = 0;
        command->order_type = 0;
        command->u.order.client_order_id.value = i - 1;
        command->u.order.price_ticks = 0;
        command->u.order.quantity_lots = 0;
    }
    assert_int_equal(offline_node_request(node, trader, &request), OC_ERR_OK);
}

static int make_log(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    temp_file_make(&file);
    journal_config_t journal;
    journal_config_init(&journal);
    journal.dir = dir.path;
    journal.segment_bytes = 1 << 20;
    journal.group_bytes = 64 << 10;
    journal.low_space_bytes = 0;
    exchange_config_t config;
    exchange_config_init(&config);
    config.engine.max_orders = 1000;
    config.engine.max_levels = 1000;
    config.engine.max_sources = 8;
    config.engine.max_sessions = 8;
    offline_node_t *node;
    assert_int_equal(offline_node_create(&node, &journal, &config), OC_ERR_OK);
    exchange_set_tap(offline_node_exchange(node), proof_trader_see, &due);
    oc_session_id_t trader;
    assert_int_equal(offline_node_market(node, 1, 100, 50, &trader), OC_ERR_OK);
    for (uint64_t i = 1; i <= ORDERS; i++)
        send_order(node, trader, i);
    assert_int_equal(offline_node_destroy(node), OC_ERR_OK);
    assert_true(due.fills > 20);
    assert_true(due.answers >= ORDERS);
    return 0;
}

static int remove_log(void **state)
{
    (void)state;
    temp_file_remove(&file);
    temp_dir_remove(&dir);
    return 0;
}

static void append(response_log_t *log, const oc_output_t *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        response_log_append(log, &outputs[i]);
}

/* The log of a trader whose outputs up to `last` were none of this load. */
static response_log_t begin_behind(uint64_t last)
{
    response_log_t log;
    assert_int_equal(response_log_create(&log, file.path), OC_ERR_OK);
    response_log_begin(&log, (oc_source_id_t){PROOF_TRADER_SOURCE}, last);
    return log;
}

static response_log_t begin(void)
{
    return begin_behind(0);
}

static recovery_proof_t prove(response_log_t *log)
{
    recovery_proof_t proof;
    assert_int_equal(response_log_close(log), OC_ERR_OK);
    assert_int_equal(recovery_proof(dir.path, file.path, &proof), OC_ERR_OK);
    assert_int_equal(proof.state_hash, proof.fast_state_hash);
    assert_int_not_equal(proof.state_hash, 0);
    return proof;
}

static void assert_counts(const recovery_proof_t *proof, uint64_t lost, uint64_t doubled,
                          uint64_t wrong)
{
    assert_int_equal(proof->lost, lost);
    assert_int_equal(proof->doubled, doubled);
    assert_int_equal(proof->wrong, wrong);
    assert_int_equal(recovery_proof_holds(proof), lost + doubled + wrong == 0);
}

static void test_kept(void **state)
{
    (void)state;
    response_log_t log = begin();
    append(&log, due.outputs, due.count);
    const recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 0, 0, 0);
    assert_int_equal(proof.sources, 1);
    assert_int_equal(proof.outputs, due.count);
    assert_int_equal(proof.acknowledged, due.answers);
    assert_int_equal(proof.fills, due.fills);
    assert_true(proof.entries > ORDERS);
}

/* A client that came later was promised nothing of before. */
static void test_later_client(void **state)
{
    (void)state;
    response_log_t log = begin_behind(17);
    append(&log, due.outputs + 17, due.count - 17);
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 0, 0, 0);
    log = begin_behind(due.count);
    proof = prove(&log);
    assert_counts(&proof, 0, 0, 0);
    assert_int_equal(proof.outputs, 0);
}

static void test_missing_beginning(void **state)
{
    (void)state;
    response_log_t log = begin();
    append(&log, due.outputs + 17, due.count - 17);
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 17, 0, 0);
    log = begin_behind(5);
    append(&log, due.outputs + 17, due.count - 17);
    proof = prove(&log);
    assert_counts(&proof, 12, 0, 0);
}

/* Logged on, and told nothing. */
static void test_missing_trader(void **state)
{
    (void)state;
    response_log_t log = begin();
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, due.count, 0, 0);
    log = begin_behind(due.count - 3);
    proof = prove(&log);
    assert_counts(&proof, 3, 0, 0);
}

/* A log in which nobody logged on lacks nothing, and proves nothing. */
static void test_nobody(void **state)
{
    (void)state;
    response_log_t log;
    assert_int_equal(response_log_create(&log, file.path), OC_ERR_OK);
    const recovery_proof_t proof = prove(&log);
    assert_int_equal(proof.sources, 0);
    assert_int_equal(proof.lost, 0);
    assert_false(recovery_proof_holds(&proof));
}

static void test_no_beginning(void **state)
{
    (void)state;
    response_log_t log = begin();
    append(&log, due.outputs, due.count);
    response_log_begin(&log, (oc_source_id_t){PROOF_TRADER_SOURCE}, 0); /* again */
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 0, 0, 1);
    log = begin_behind(due.count + 1); /* behind all that the log gives */
    proof = prove(&log);
    assert_counts(&proof, 0, 0, 1);
    assert_int_equal(response_log_create(&log, file.path), OC_ERR_OK);
    append(&log, due.outputs, 3);
    proof = prove(&log);
    assert_counts(&proof, 0, 0, 3);
}

static void test_missing(void **state)
{
    (void)state;
    /* In the middle, and at the end. */
    const size_t places[] = {1, due.count / 2, due.count - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        response_log_t log = begin();
        append(&log, due.outputs, places[i]);
        append(&log, due.outputs + places[i] + 1, due.count - places[i] - 1);
        const recovery_proof_t proof = prove(&log);
        assert_counts(&proof, 1, 0, 0);
    }
    response_log_t log = begin();
    append(&log, due.outputs, due.count - 30);
    const recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 30, 0, 0);
}

static void test_doubled(void **state)
{
    (void)state;
    response_log_t log = begin();
    append(&log, due.outputs, 11);
    append(&log, due.outputs + 10, 1);
    append(&log, due.outputs + 11, due.count - 11);
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 0, 1, 0);
    assert_int_equal(proof.acknowledged, due.answers);
    assert_int_equal(proof.fills, due.fills);
    log = begin();
    append(&log, due.outputs, due.count);
    append(&log, due.outputs, 5);
    proof = prove(&log);
    assert_counts(&proof, 0, 5, 0);
}

/* Every byte of an output counts, but those that say which output it is: then it is another one. */
static void test_altered(void **state)
{
    (void)state;
    const size_t at = due.count / 3;
    const size_t places[] = {
        0,
        offsetof(oc_output_t, event.quantity_lots),
        offsetof(oc_output_t, position) + 7,
        offsetof(oc_output_t, time_ns),
        offsetof(oc_output_t, term),
        offsetof(oc_output_t, index),
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        oc_output_t altered = due.outputs[at];
        ((uint8_t *)&altered)[places[i]] ^= 1;
        response_log_t log = begin();
        append(&log, due.outputs, at);
        append(&log, &altered, 1);
        append(&log, due.outputs + at + 1, due.count - at - 1);
        const recovery_proof_t proof = prove(&log);
        assert_counts(&proof, 0, 0, 1);
    }
}

static void test_one_too_many(void **state)
{
    (void)state;
    oc_output_t more = due.outputs[due.count - 1];
    more.outbound_sequence++;
    response_log_t log = begin();
    append(&log, due.outputs, due.count);
    append(&log, &more, 1);
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 0, 0, 1);
    more.outbound_sequence = 0;
    log = begin();
    append(&log, &more, 1);
    append(&log, due.outputs, due.count);
    proof = prove(&log);
    assert_counts(&proof, 0, 0, 1);
}

static void test_unknown_source(void **state)
{
    (void)state;
    oc_output_t foreign = due.outputs[3];
    foreign.event.source.value = 77;
    response_log_t log = begin();
    append(&log, due.outputs, due.count);
    append(&log, &foreign, 1);
    recovery_proof_t proof = prove(&log);
    assert_counts(&proof, 0, 0, 1);
    /* One that logged on and was owed nothing is fine. */
    log = begin();
    response_log_begin(&log, foreign.event.source, 0);
    append(&log, due.outputs, due.count);
    proof = prove(&log);
    assert_counts(&proof, 0, 0, 0);
    assert_int_equal(proof.sources, 2);
}

static void test_engines_differ(void **state)
{
    (void)state;
    const recovery_proof_t proof = {.sources = 1, .state_hash = 1, .fast_state_hash = 2};
    assert_false(recovery_proof_holds(&proof));
}

static void test_errors(void **state)
{
    (void)state;
    recovery_proof_t proof;
    assert_int_equal(recovery_proof(dir.path, "/proc/none", &proof), OC_ERR_OPEN);
    assert_int_equal(recovery_proof("/proc/none", file.path, &proof), OC_ERR_OPEN);
    response_log_t log = begin();
    append(&log, due.outputs, 2);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
    char bytes[32 + sizeof(response_record_t)];
    assert_int_equal(temp_file_read(&file, bytes, sizeof bytes), sizeof bytes);
    temp_file_write(&file, bytes, sizeof bytes - 1);
    assert_int_equal(recovery_proof(dir.path, file.path, &proof), OC_ERR_TRUNCATED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_later_client),
        cmocka_unit_test(test_missing_beginning),
        cmocka_unit_test(test_missing_trader),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_no_beginning),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_doubled),
        cmocka_unit_test(test_altered),
        cmocka_unit_test(test_one_too_many),
        cmocka_unit_test(test_unknown_source),
        cmocka_unit_test(test_engines_differ),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, make_log, remove_log);
}
