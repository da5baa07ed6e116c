/*
 * Unit tests of the proof from a member's recording: a log as a consensus module writes it, with
 * the members' own words in it, and clients' logs that differ from it. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/cluster_proof.h"
#include "bench/response_log.h"
#include "codec/order_entry_codec.h"
#include "lib/log_maker.h"
#include "lib/proof_trader.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"
#include "service/exchange.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { ORDERS = 100, MEMBER = 5, ADMIN = 7, TRADER = 9 };

static temp_dir_t dir;
static temp_file_t file;
static archive_maker_t archive;
static made_recording_t recording;
static log_maker_t made;
static proof_trader_t due;
static uint64_t end_hash;
static uint64_t end_output_hash;
static uint64_t configuration_end; /* position */

static void put_request(int64_t session, const oc_request_t *request)
{
    uint8_t bytes[ORDER_ENTRY_BYTES_MAX];
    const size_t length = order_entry_encode(request, bytes, sizeof bytes);
    assert_true(length > 0);
    made.timestamp += 1000000;
    (void)log_maker_message(&made, session, bytes, length);
}

static void put_logon(int64_t session, uint32_t source)
{
    oc_request_t request = {.type = OC_REQUEST_LOGON, .request_id = 1};
    request.u.logon.source.value = source;
    put_request(session, &request);
}

/* The administrator brings an instrument, and a source for the trader. */
static void put_market(void)
{
    oc_request_t add = {.type = OC_REQUEST_COMMAND};
    add.u.command.type = OC_COMMAND_INSTRUMENT_ADD;
    add.u.command.instrument.value = 1;
    add.u.command.u.instrument.price_low_ticks = 1;
    add.u.command.u.instrument.price_high_ticks = 100;
    add.u.command.u.instrument.max_quantity_lots = 50;
    add.u.command.u.instrument.state = OC_STATE_CONTINUOUS;
    put_request(ADMIN, &add);
    add = (oc_request_t){.type = OC_REQUEST_COMMAND};
    add.u.command.type = OC_COMMAND_SOURCE_ADD;
    add.u.command.u.source.id.value = PROOF_TRADER_SOURCE;
    add.u.command.u.source.roles = OC_ROLE_TRADE;
    put_request(ADMIN, &add);
    oc_request_t bind = {.type = OC_REQUEST_PRINCIPAL, .request_id = 2};
    bind.u.principal.source.value = PROOF_TRADER_SOURCE;
    (void)snprintf(bind.u.principal.principal.name, OC_PRINCIPAL_SIZE, "trader");
    put_request(ADMIN, &bind);
}

static void put_order(uint64_t i)
{
    const oc_request_t request = proof_trader_order(i);
    put_request(TRADER, &request);
}

static void exchange_of_the_test(exchange_config_t *config)
{
    exchange_config_init(config);
    config->engine.max_orders = 1000;
    config->engine.max_levels = 1000;
    config->engine.max_sources = 8;
    config->engine.max_sessions = 8;
    config->engine.hash_outputs = true;
}

/* What a leader says first. */
static void put_configuration(const oc_service_t *service)
{
    size_t length;
    const void *bytes = service->configuration(service->context, &length);
    const member_message_t said = {
        .type = MEMBER_CONFIGURATION, .max_timers = 64, .length = (uint32_t)length, .bytes = bytes};
    configuration_end = log_maker_said(&made, MEMBER, &said);
}

static void put_all(const oc_service_t *service)
{
    (void)log_maker_term(&made, 0);
    (void)log_maker_open(&made, MEMBER, "@member");
    put_configuration(service);
    (void)log_maker_open(&made, ADMIN, "admin");
    put_logon(ADMIN, 1);
    put_market();
    (void)log_maker_open(&made, TRADER, "trader");
    put_logon(TRADER, PROOF_TRADER_SOURCE);
    for (uint64_t i = 1; i <= ORDERS; i++) {
        put_order(i);
        if (i == ORDERS / 2) { /* a leader dies */
            (void)log_maker_pad(&made);
            (void)log_maker_term(&made, 1);
        }
    }
}

/* The outputs that were due, by the other engine than the proof's. */
static void apply_all(exchange_t *exchange)
{
    replica_t replica;
    log_applier_t applier;
    uint32_t next = 0;
    const replica_config_t config = {.max_sessions = 16, .max_timers = 64, .message_max = 65536};
    assert_int_equal(replica_init(&replica, exchange_service(exchange), &config), OC_ERR_OK);
    log_applier_init(&applier, &replica, 0, 1000000);
    exchange_set_tap(exchange, proof_trader_see, &due);
    assert_int_equal(log_maker_feed(&made, &next, &applier), OC_ERR_OK);
    end_hash = replica_state_hash(&replica);
    end_output_hash = replica_output_hash(&replica);
    replica_fini(&replica);
}

static void list_recording(void)
{
    char path[300];
    const recording_log_entry_t term = {.recording = recording.id,
                                        .term = 0,
                                        .log_position = -1,
                                        .service = RECORDING_LOG_MODULE,
                                        .type = RECORDING_LOG_TERM,
                                        .valid = true};
    (void)snprintf(path, sizeof path, "%s/cluster", dir.path);
    archive_maker_log(path, &term, 1);
}

static int make_log(void **state)
{
    (void)state;
    char path[300];
    exchange_config_t config;
    exchange_t *exchange;
    temp_dir_make(&dir);
    temp_file_make(&file);
    (void)snprintf(path, sizeof path, "%s/archive", dir.path);
    archive_maker_init(&archive, path);
    archive_maker_record(&archive, &recording, 0, LOG_MAKER_TERM_BYTES, LOG_MAKER_SEGMENT_BYTES);
    log_maker_init(&made, &recording);
    exchange_of_the_test(&config);
    assert_int_equal(exchange_create(&exchange, &config), OC_ERR_OK);
    put_all(exchange_service(exchange));
    apply_all(exchange);
    exchange_destroy(exchange);
    list_recording();
    assert_true(due.count > ORDERS);
    assert_int_not_equal(end_output_hash, 0);
    return 0;
}

static int remove_log(void **state)
{
    (void)state;
    log_maker_fini(&made);
    temp_file_remove(&file);
    temp_dir_remove(&dir);
    return 0;
}

/* The trader's own log, with the first `count` of what was due. */
static void write_responses(size_t count)
{
    response_log_t log;
    assert_int_equal(response_log_create(&log, file.path), OC_ERR_OK);
    response_log_begin(&log, (oc_source_id_t){PROOF_TRADER_SOURCE}, 0);
    for (size_t i = 0; i < count; i++)
        response_log_append(&log, &due.outputs[i]);
    assert_int_equal(response_log_close(&log), OC_ERR_OK);
}

static void assert_whole(const recovery_proof_t *proof)
{
    assert_int_equal(proof->position, made.position);
    assert_int_equal(proof->state_hash, end_hash);
    assert_int_equal(proof->fast_state_hash, end_hash);
    assert_int_equal(proof->output_hash, end_output_hash);
    assert_int_equal(proof->wrong, 0);
    assert_int_equal(proof->doubled, 0);
}

static void test_kept(void **state)
{
    (void)state;
    recovery_proof_t proof;
    write_responses(due.count);
    assert_int_equal(cluster_proof(dir.path, 0, file.path, &proof), OC_ERR_OK);
    assert_whole(&proof);
    assert_int_equal(proof.lost, 0);
    assert_int_equal(proof.outputs, due.count);
    assert_int_equal(proof.acknowledged, ORDERS);
    assert_true(recovery_proof_holds(&proof));
    assert_int_equal(cluster_proof(dir.path, made.position, file.path, &proof), OC_ERR_OK);
    assert_whole(&proof);
}

static void test_lost(void **state)
{
    (void)state;
    recovery_proof_t proof;
    write_responses(due.count - 3);
    assert_int_equal(cluster_proof(dir.path, 0, file.path, &proof), OC_ERR_OK);
    assert_whole(&proof);
    assert_int_equal(proof.lost, 3);
    assert_false(recovery_proof_holds(&proof));
}

/* What was acknowledged behind the position where the log is said to end is not what it gives. */
static void test_cut_log(void **state)
{
    (void)state;
    recovery_proof_t proof;
    const uint64_t position = made.entries[made.count - 2].position;
    write_responses(due.count);
    assert_int_equal(cluster_proof(dir.path, position, file.path, &proof), OC_ERR_OK);
    assert_int_equal(proof.position, position);
    assert_int_not_equal(proof.state_hash, end_hash);
    assert_true(proof.wrong > 0);
    assert_false(recovery_proof_holds(&proof));
}

static void test_end(void **state)
{
    (void)state;
    recovery_log_end_t end;
    assert_int_equal(cluster_proof_end(dir.path, 0, &end), OC_ERR_OK);
    assert_int_equal(end.position, made.position);
    assert_int_equal(end.state_hash, end_hash);
    assert_int_equal(end.output_hash, end_output_hash);
}

static void test_errors(void **state)
{
    (void)state;
    recovery_proof_t proof;
    recovery_log_end_t end;
    write_responses(due.count);
    assert_int_equal(cluster_proof("/proc/none", 0, file.path, &proof), OC_ERR_OPEN);
    assert_int_equal(cluster_proof(dir.path, 0, "/proc/none", &proof), OC_ERR_OPEN);
    /* Nobody has said yet what it is that runs. */
    assert_int_equal(cluster_proof_end(dir.path, configuration_end - 64, &end), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "configuration"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept), cmocka_unit_test(test_lost),   cmocka_unit_test(test_cut_log),
        cmocka_unit_test(test_end),  cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, make_log, remove_log);
}
