/*
 * Applying a log that was written by hand: proofs and the configuration they need, and logs that
 * are none of a node.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/log_entry.h"
#include "host/node.h"
#include "lib/tally_service.h"
#include "lib/temp_dir.h"

#include <string.h>
#include <time.h>

static journal_t *open_journal(const char *dir)
{
    journal_t *journal;
    journal_config_t config;
    journal_verdict_t verdict;
    journal_config_init(&config);
    config.dir = dir;
    config.segment_bytes = 1 << 20;
    config.group_bytes = 1 << 16;
    config.low_space_bytes = 0;
    assert_int_equal(journal_open(&journal, &config), OC_ERR_OK);
    assert_int_equal(journal_recover(journal, (log_position_t){0}, NULL, NULL, &verdict),
                     OC_ERR_OK);
    assert_int_equal(journal_start(journal), OC_ERR_OK);
    return journal;
}

static void append(journal_t *journal, log_record_t record, int64_t time_ns)
{
    void *payload;
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!(payload =
                 journal_claim(journal, (uint8_t)record.type, log_record_size(&record), time_ns)))
        (void)nanosleep(&pause, NULL);
    log_record_encode(&record, payload);
    (void)journal_commit(journal);
    journal_flush(journal);
}

static log_record_t configuration(void)
{
    return (log_record_t){
        .type = LOG_CONFIGURATION, .max_timers = 3, .length = 7, .bytes = "tally 1"};
}

static void a_whole_log(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    temp_dir_make(&dir);
    const gateway_open_t open = {.principal.name = "anna"};
    const tally_request_t add = {.op = TALLY_ADD, .argument = 5};
    const tally_request_t timer = {.op = TALLY_TIMER, .argument = 1};
    journal_t *journal = open_journal(dir.path);
    append(journal, configuration(), 100);
    append(journal, (log_record_t){.type = LOG_SESSION_OPEN, .session = {70}, .open = &open}, 100);
    append(
        journal,
        (log_record_t){.type = LOG_MESSAGE, .session = {70}, .bytes = &add, .length = sizeof add},
        101);
    append(journal,
           (log_record_t){
               .type = LOG_MESSAGE, .session = {70}, .bytes = &timer, .length = sizeof timer},
           102);
    append(journal, (log_record_t){.type = LOG_TIMER, .timer = {1}}, 103);
    append(journal, (log_record_t){.type = LOG_NOTICE, .notice = OC_NOTICE_STORAGE_LOW}, 103);

    /* While the journal is open, and again when it is closed. */
    for (int round = 0; round < 2; round++) {
        tally_init(&tally);
        if (round == 1)
            assert_int_equal(journal_close(journal), OC_ERR_OK);
        for (int i = 0; round == 0 && i < 200; i++) {
            const struct timespec pause = {.tv_nsec = 1000000};
            journal_flush(journal);
            (void)nanosleep(&pause, NULL);
        }
        assert_int_equal(node_replay(dir.path, &tally.service, &report), OC_ERR_OK);
        assert_int_equal(report.replayed, 6);
        assert_int_equal(report.sessions, 1);
        assert_int_equal(tally.sum, 5);
        assert_int_equal(tally.fired, 1);
        assert_int_equal(tally.notices[OC_NOTICE_STORAGE_LOW], 1);
        assert_int_equal(tally.time_ns, 103);
        assert_true(report.state_hash == tally.hash);
        assert_true(report.position == tally.position);
        assert_int_equal(report.verdict.closed, round == 1);
        assert_int_equal(tally.stops, 1);
    }
    char bytes[16];
    size_t length;
    assert_int_equal(node_log_configuration(dir.path, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(length, 7);
    assert_int_equal(node_log_configuration(dir.path, bytes, 6, &length), OC_ERR_TOO_LONG);
    temp_dir_remove(&dir);
}

static void another_service(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    temp_dir_make(&dir);
    journal_t *journal = open_journal(dir.path);
    append(journal, configuration(), 100);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    tally_init(&tally);
    tally.configuration = "tally 9";
    assert_int_equal(node_replay(dir.path, &tally.service, &report), OC_ERR_INVALID_CONFIG);
    assert_int_equal(tally.stops, 1);
    temp_dir_remove(&dir);
}

static void an_empty_log(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    size_t length = 9;
    char bytes[16];
    temp_dir_make(&dir);
    journal_t *journal = open_journal(dir.path); /* a term, and no entry */
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    tally_init(&tally);
    assert_int_equal(node_replay(dir.path, &tally.service, &report), OC_ERR_OK);
    assert_int_equal(report.replayed, 0);
    assert_int_equal(node_log_configuration(dir.path, bytes, sizeof bytes, &length), OC_ERR_OK);
    assert_int_equal(length, 0);
    temp_dir_remove(&dir);
    assert_int_not_equal(node_replay(dir.path, &tally.service, &report), OC_ERR_OK);
}

static void not_of_a_node(void **state)
{
    (void)state;
    temp_dir_t dir;
    tally_t tally;
    node_report_t report;
    temp_dir_make(&dir);
    journal_t *journal = open_journal(dir.path);
    append(journal, (log_record_t){.type = LOG_TIME}, 100);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    tally_init(&tally);
    assert_int_equal(node_replay(dir.path, &tally.service, &report), OC_ERR_DAMAGED);
    assert_int_equal(tally.starts, 0);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_log),
        cmocka_unit_test(another_service),
        cmocka_unit_test(an_empty_log),
        cmocka_unit_test(not_of_a_node),
    };
    return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
