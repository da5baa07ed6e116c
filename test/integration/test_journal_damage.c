/*
 * Damage to a journal that was written in order: whatever byte of it changes, recovery refuses, or
 * what it gives out is still right. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/journal_fixture.h"

#include <stdio.h>
#include <string.h>

#define PADDING_STEP 61 /* of the bytes without a meaning, only some */

/* A few groups of short entries, of two terms; closed, so that everything is proven. */
static journal_fixture_t *small_log(void)
{
    journal_fixture_t *log = journal_fixture_create(11);
    log->length_max = 90;
    for (int life = 0; life < 2; life++) {
        assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
        for (int i = 0; i < 10; i++) {
            assert_true(journal_fixture_append(log));
            if (i % 4 == 0)
                journal_fixture_write(log);
        }
        assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    }
    log->acknowledged = log->ends[log->committed - 1];
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(log->verdict.kind, JOURNAL_CLEAN);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    return log;
}

/* What has a meaning: the segment's header, frames without their padding. */
static void mark_meaning(journal_fixture_t *log, bool *meaning, uint64_t size)
{
    uint64_t file_size = 0;
    const uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &file_size);
    memset(meaning, 0, size);
    memset(meaning, 1, sizeof(journal_segment_header_t));
    for (uint64_t at = STORAGE_BLOCK; at < size;) {
        const journal_frame_t *frame = (const journal_frame_t *)(const void *)(bytes + at);
        if (frame->length == 0) {
            at = journal_block_up(at + 1);
            continue;
        }
        memset(meaning + at, 1, frame->length);
        at += journal_frame_bytes(frame->length - (uint32_t)sizeof *frame);
    }
}

static void test_every_byte(void **state)
{
    (void)state;
    journal_fixture_t *log = small_log();
    static bool meaning[64 << 10];
    const uint64_t end = log->verdict.end.value;
    const uint64_t proven = log->verdict.proven.value;
    const uint32_t committed = log->committed;
    uint32_t refused = 0;
    assert_true(end < sizeof meaning);
    mark_meaning(log, meaning, end);
    for (uint64_t at = 0; at < end; at++) {
        if (!meaning[at] && at % PADDING_STEP != 0)
            continue;
        const uint8_t mask = (uint8_t)(1U << (at * 7 % 8));
        storage_fake_flip(log->device, journal_fixture_path(0), at, mask);
        const oc_err_t err = journal_fixture_open(log);
        if (err != OC_ERR_OK) {
            assert_int_equal(err, OC_ERR_DAMAGED);
            assert_non_null(strstr(oc_err_context(), "0000000000000000.journal"));
            assert_true(meaning[at]);
            refused++;
        } else {
            /* The closing mark itself was never waited for. */
            assert_true(!meaning[at] || at >= proven);
            assert_int_equal(log->read, committed);
        }
        (void)journal_fixture_close(log);
        log->committed = committed;
        storage_fake_flip(log->device, journal_fixture_path(0), at, mask);
    }
    assert_true(refused > 1500);
    journal_fixture_destroy(log);
}

static void test_lost_block_in_the_middle(void **state)
{
    (void)state;
    journal_fixture_t *log = small_log();
    uint64_t size = 0;
    uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    memset(bytes + 3 * STORAGE_BLOCK, 0, STORAGE_BLOCK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    assert_int_equal(log->verdict.kind, JOURNAL_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "log/0000000000000000.journal offset 12288"));
    char range[96];
    (void)snprintf(range, sizeof range, "from position %llu to ",
                   (unsigned long long)log->verdict.end.value);
    assert_non_null(strstr(oc_err_context(), range));
    assert_true(log->verdict.end.value <= 3 * STORAGE_BLOCK);
    journal_fixture_destroy(log);
}

static void fill_segments(journal_fixture_t *log, uint64_t end)
{
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    while (journal_durable(log->journal).value < end) {
        (void)journal_fixture_append(log);
        journal_fixture_write(log);
        journal_fixture_prepare(log);
    }
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
}

static void test_missing_segments(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(3);
    const storage_t *storage = storage_fake_table(log->device);
    fill_segments(log, 2500000);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    /* The prepared one is no loss. */
    assert_int_equal(storage->remove(storage, journal_fixture_path(3 << 20)), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    assert_int_equal(journal_fixture_close(log), OC_ERR_OK);
    /* The last one with entries: the PAD before it tells. */
    assert_int_equal(storage->rename(storage, journal_fixture_path(2 << 20), "log/x"), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "0000000000200000.journal"));
    (void)journal_fixture_close(log);
    assert_int_equal(storage->rename(storage, "log/x", journal_fixture_path(2 << 20)), OC_ERR_OK);
    /* One between others. */
    assert_int_equal(storage->remove(storage, journal_fixture_path(1 << 20)), OC_ERR_OK);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "0000000000100000.journal is missing"));
    journal_fixture_destroy(log);
}

static void test_segment_of_another_log(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(3);
    journal_fixture_t *other = journal_fixture_create(4);
    fill_segments(log, 1500000);
    fill_segments(other, 1500000);
    uint64_t size = 0;
    const char *path = journal_fixture_path(1 << 20);
    const uint8_t *bytes = storage_fake_bytes(other->device, path, &size);
    storage_fake_put(log->device, path, bytes, size);
    assert_int_equal(journal_fixture_open(log), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "another log"));
    /* Only its entries: no checksum of theirs is right here, so nothing proves that they were. */
    uint8_t *mine = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    const uint8_t *theirs = storage_fake_bytes(other->device, journal_fixture_path(0), &size);
    assert_memory_not_equal(mine + STORAGE_BLOCK, theirs + STORAGE_BLOCK, 64);
    journal_fixture_destroy(log);
    journal_fixture_destroy(other);
}

static void test_read_error(void **state)
{
    (void)state;
    journal_fixture_t *log = small_log();
    for (uint64_t nth = 1; nth <= 2; nth++) {
        storage_fake_fault(log->device, STORAGE_FAKE_READ_ERROR, nth);
        assert_int_equal(journal_fixture_open(log), OC_ERR_READ);
        (void)journal_fixture_close(log);
    }
    assert_int_equal(journal_fixture_open(log), OC_ERR_OK);
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_byte),       cmocka_unit_test(test_lost_block_in_the_middle),
        cmocka_unit_test(test_missing_segments), cmocka_unit_test(test_segment_of_another_log),
        cmocka_unit_test(test_read_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
