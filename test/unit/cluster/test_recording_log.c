/*
 * The module's recording.log: entries, which of them count, files that cannot be. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/recording_log.h"
#include "lib/archive_maker.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <string.h>

static recording_log_entry_t term(int64_t id, int64_t base, int64_t end)
{
    return (recording_log_entry_t){.recording = 3,
                                   .term = id,
                                   .term_base = base,
                                   .log_position = end,
                                   .timestamp = 5,
                                   .service = -1,
                                   .type = RECORDING_LOG_TERM,
                                   .valid = true};
}

static recording_log_entry_t snapshot(int64_t recording, int64_t id, int64_t position,
                                      int32_t service)
{
    return (recording_log_entry_t){.recording = recording,
                                   .term = id,
                                   .term_base = 0,
                                   .log_position = position,
                                   .timestamp = 6,
                                   .service = service,
                                   .type = RECORDING_LOG_SNAPSHOT,
                                   .valid = true};
}

static void append_bytes(const char *dir, const void *bytes, size_t length)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/recording.log", dir);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    (void)fclose(file);
}

static void entries_come_as_written(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    recording_log_entry_t written[100];
    for (size_t i = 0; i < 100; i++) {
        written[i] = term((int64_t)i, (int64_t)i * 1000, i == 99 ? -1 : (int64_t)i * 1000 + 1000);
        written[i].valid = i % 3 != 1;
    }
    archive_maker_log(dir.path, written, 100);
    recording_log_t log;
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    assert_int_equal(log.count, 100);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(log.entries[i].recording, 3);
        assert_int_equal(log.entries[i].term, i);
        assert_int_equal(log.entries[i].term_base, i * 1000);
        assert_int_equal(log.entries[i].log_position, written[i].log_position);
        assert_int_equal(log.entries[i].timestamp, 5);
        assert_int_equal(log.entries[i].service, -1);
        assert_int_equal(log.entries[i].type, RECORDING_LOG_TERM);
        assert_int_equal(log.entries[i].valid, written[i].valid);
    }
    assert_int_equal(recording_log_log(&log), 3);
    assert_int_equal(recording_log_term(&log)->term, 99);
    assert_false(recording_log_snapshot(&log, 0, NULL, NULL));
    recording_log_fini(&log);
    temp_dir_remove(&dir);
}

static void the_newest_snapshot_is_by_place(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    recording_log_entry_t written[] = {
        snapshot(10, 2, 5000, 0), /* an entry that was used again stands before older ones */
        snapshot(11, 2, 5000, -1), term(0, 0, 2000),         snapshot(4, 0, 1000, 0),
        snapshot(5, 0, 1000, -1),  term(2, 2000, -1),        snapshot(6, 0, 1500, 0),
        snapshot(7, 0, 1500, -1), /* invalid */
        snapshot(8, 2, 4000, 0),  /* invalid: the module's alone is none */
        snapshot(9, 2, 4000, -1),  snapshot(12, 2, 6000, 1), /* of another service */
        snapshot(13, 2, 6000, -1), snapshot(14, 2, 7000, 0), /* the module's is missing */
    };
    written[7].valid = false;
    written[8].valid = false;
    archive_maker_log(dir.path, written, sizeof written / sizeof written[0]);
    recording_log_t log;
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    const recording_log_entry_t *module;
    const recording_log_entry_t *service;
    assert_true(recording_log_snapshot(&log, 0, &module, &service));
    assert_int_equal(module->recording, 11);
    assert_int_equal(service->recording, 10);
    assert_true(recording_log_snapshot(&log, 1, &module, NULL));
    assert_int_equal(module->recording, 5);
    assert_true(recording_log_snapshot(&log, 1, NULL, &service));
    assert_int_equal(service->recording, 4);
    assert_false(recording_log_snapshot(&log, 2, &module, &service));
    assert_int_equal(recording_log_term(&log)->term, 2);
    recording_log_fini(&log);
    temp_dir_remove(&dir);
}

/* A standby's snapshot has an endpoint behind it, of any length. */
static void longer_entries_are_stepped_over(void **state)
{
    (void)state;
    temp_dir_t dir;
    temp_dir_make(&dir);
    const recording_log_entry_t first = term(0, 0, 100);
    const recording_log_entry_t last = term(1, 100, -1);
    archive_maker_log(dir.path, &first, 1);
    uint8_t standby[192] = {[44] = RECORDING_LOG_STANDBY_SNAPSHOT, [48] = 100};
    append_bytes(dir.path, standby, sizeof standby);
    uint8_t none[64];
    memset(none, 0xFF, sizeof none); /* a type of -1: no entry */
    append_bytes(dir.path, none, sizeof none);
    archive_maker_log(dir.path, &last, 1);
    recording_log_t log;
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    assert_int_equal(log.count, 3);
    assert_int_equal(log.entries[1].type, RECORDING_LOG_STANDBY_SNAPSHOT);
    assert_int_equal(log.entries[2].term, 1);
    recording_log_fini(&log);

    standby[49] = 0xFF; /* longer than an entry can be: nothing behind it is found */
    append_bytes(dir.path, standby, sizeof standby);
    archive_maker_log(dir.path, &last, 1);
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    assert_int_equal(log.count, 3);
    recording_log_fini(&log);
    temp_dir_remove(&dir);
}

static void a_cut_entry_is_not_there(void **state)
{
    (void)state;
    temp_dir_t dir;
    recording_log_t log;
    temp_dir_make(&dir);
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), "recording.log"));
    recording_log_fini(&log);
    append_bytes(dir.path, "", 0);
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    assert_int_equal(log.count, 0);
    assert_int_equal(recording_log_log(&log), -1);
    assert_null(recording_log_term(&log));
    recording_log_fini(&log);
    const recording_log_entry_t first = term(0, 0, 100);
    archive_maker_log(dir.path, &first, 1);
    const uint8_t half[63] = {0};
    append_bytes(dir.path, half, sizeof half);
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    assert_int_equal(log.count, 1);
    recording_log_fini(&log);
    temp_dir_remove(&dir);
}

static void a_path_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static char dir[8192];
    memset(dir, 'x', sizeof dir - 1);
    recording_log_t log;
    assert_int_equal(recording_log_read(&log, dir), OC_ERR_OPEN);
    recording_log_fini(&log);
}

static void an_encoded_entry_is_read_back(void **state)
{
    (void)state;
    temp_dir_t dir;
    uint8_t bytes[RECORDING_LOG_ENTRY_BYTES];
    temp_dir_make(&dir);
    const recording_log_entry_t written[] = {term(2, 4096, -1), snapshot(7, 2, 8192, 0)};
    for (size_t i = 0; i < 2; i++) {
        memset(bytes, 0xa5, sizeof bytes);
        recording_log_encode(&written[i], bytes);
        append_bytes(dir.path, bytes, sizeof bytes);
        for (size_t j = 48; j < sizeof bytes; j++)
            assert_int_equal(bytes[j], 0);
    }
    recording_log_t log;
    assert_int_equal(recording_log_read(&log, dir.path), OC_ERR_OK);
    assert_int_equal(log.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(log.entries[i].recording, written[i].recording);
        assert_int_equal(log.entries[i].term, written[i].term);
        assert_int_equal(log.entries[i].term_base, written[i].term_base);
        assert_int_equal(log.entries[i].log_position, written[i].log_position);
        assert_int_equal(log.entries[i].timestamp, written[i].timestamp);
        assert_int_equal(log.entries[i].service, written[i].service);
        assert_int_equal(log.entries[i].type, written[i].type);
        assert_true(log.entries[i].valid);
    }
    recording_log_fini(&log);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_encoded_entry_is_read_back),
        cmocka_unit_test(entries_come_as_written),
        cmocka_unit_test(the_newest_snapshot_is_by_place),
        cmocka_unit_test(longer_entries_are_stepped_over),
        cmocka_unit_test(a_cut_entry_is_not_there),
        cmocka_unit_test(a_path_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
