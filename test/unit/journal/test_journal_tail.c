/*
 * What lies behind the end: what proves a loss, and the zeroing of the rest. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal/journal_window.h"
#include "lib/journal_fixture.h"

#include <string.h>

static journal_fixture_t *three_groups(void)
{
    journal_fixture_t *log = journal_fixture_create(1);
    log->length_max = 100;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(journal_fixture_append(log));
        journal_fixture_write(log);
    }
    return log;
}

static uint64_t next_start(const journal_fixture_t *log, uint64_t end)
{
    return end == 0 ? STORAGE_BLOCK : journal_next_start(log->journal, end, false);
}

static void look(journal_fixture_t *log, uint64_t end, journal_tail_t *tail)
{
    journal_window_t window;
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    assert_int_equal(journal_tail_look(&window, end, next_start(log, end), false, tail), OC_ERR_OK);
    journal_window_fini(&window);
}

static void test_look(void **state)
{
    (void)state;
    journal_fixture_t *log = three_groups();
    journal_tail_t tail;
    look(log, log->ends[2], &tail);
    assert_int_equal(tail.written_end, log->ends[2]);
    assert_int_equal(tail.durable, 0);
    look(log, log->ends[0], &tail);
    assert_int_equal(tail.written_end, journal_block_up(log->ends[2]));
    assert_int_equal(tail.durable, log->ends[1]);
    assert_false(tail.unsynced);
    look(log, 0, &tail);
    assert_int_equal(tail.durable, log->ends[1]);
    /* Moved to another place it proves nothing. */
    uint64_t size = 0;
    uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    const uint64_t prover = journal_block_down(log->ends[2]);
    memcpy(bytes + prover + 2 * STORAGE_BLOCK, bytes + prover, STORAGE_BLOCK);
    memset(bytes + prover, 0, STORAGE_BLOCK);
    look(log, log->ends[0], &tail);
    assert_int_equal(tail.durable, log->ends[0]);
    assert_int_equal(tail.written_end, journal_block_up(log->ends[2]) + 2 * STORAGE_BLOCK);
    journal_fixture_destroy(log);
}

/* Far behind the end: one place is looked at in each MiB, and the first of each segment; one that
 * is not zero makes the look close. */
static void test_look_far(void **state)
{
    (void)state;
    enum { SEGMENT = 8 << 20, SEGMENTS = 5, BLOCK = 4096 };
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.segment_bytes = SEGMENT;
    log->config.ready_segments = SEGMENTS - 1;
    log->length_max = 100;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_prepare(log);
    assert_true(journal_fixture_append(log));
    journal_fixture_write(log);
    const uint64_t end = log->ends[0];
    const uint64_t last = UINT64_C(4) * SEGMENT;
    uint64_t size = 0;
    uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(last), &size);
    assert_int_equal(size, SEGMENT);

    journal_window_t window;
    journal_tail_t tail;
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    assert_int_equal(journal_tail_look(&window, end, next_start(log, end), false, &tail),
                     OC_ERR_OK);
    assert_int_equal(tail.written_end, end);
    assert_true(window.read_bytes < 20 << 20);
    journal_window_fini(&window);

    bytes[BLOCK + 100] = 1;
    look(log, end, &tail);
    assert_int_equal(tail.written_end, last + 2 * BLOCK);
    bytes[5 * BLOCK] = 1; /* between, and found since the other one is */
    look(log, end, &tail);
    assert_int_equal(tail.written_end, last + 6 * BLOCK);
    bytes[BLOCK + 100] = 0;
    look(log, end, &tail);
    assert_int_equal(tail.written_end, end);
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    assert_int_equal(journal_tail_look(&window, end, next_start(log, end), true, &tail), OC_ERR_OK);
    assert_int_equal(tail.written_end, last + 6 * BLOCK);
    journal_window_fini(&window);
    bytes[BLOCK + (3 << 20)] = 1; /* in a later MiB of the segment */
    look(log, end, &tail);
    assert_int_equal(tail.written_end, last + (3 << 20) + 2 * BLOCK);
    /* Near the end nothing is left out. */
    bytes[BLOCK + (3 << 20)] = 0;
    bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    bytes[SEGMENT - 77 * BLOCK] = 1;
    look(log, end, &tail);
    assert_int_equal(tail.written_end, SEGMENT - 76 * BLOCK);
    bytes[SEGMENT - 77 * BLOCK] = 0;
    /* Behind a PAD that is the next segment. */
    bytes = storage_fake_bytes(log->device, journal_fixture_path(SEGMENT), &size);
    bytes[77 * BLOCK] = 1;
    look(log, end, &tail);
    assert_int_equal(tail.written_end, end);
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    assert_int_equal(journal_tail_look(&window, end, SEGMENT + BLOCK, false, &tail), OC_ERR_OK);
    assert_int_equal(tail.written_end, SEGMENT + 78 * BLOCK);
    journal_window_fini(&window);
    journal_fixture_destroy(log);
}

/* Groups written with one sync may reach further than the largest one alone. */
static void test_look_at_a_whole_round(void **state)
{
    (void)state;
    enum { SEGMENT = 64 << 20 };
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.segment_bytes = SEGMENT;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    const uint64_t end = journal_durable(log->journal).value;
    uint64_t size = 0;
    uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    journal_tail_t tail;
    for (uint64_t at = (40 << 20) - 8 * STORAGE_BLOCK; at < 40 << 20; at += STORAGE_BLOCK) {
        bytes[at] = 1;
        look(log, end, &tail);
        assert_int_equal(tail.written_end, at + STORAGE_BLOCK);
        bytes[at] = 0;
    }
    journal_fixture_destroy(log);
}

static void test_zero_keeps_what_is_in_front(void **state)
{
    (void)state;
    journal_fixture_t *log = three_groups();
    static uint8_t before[8 * STORAGE_BLOCK];
    static uint8_t zeros[JOURNAL_PREPARE_BYTES];
    uint64_t size = 0;
    const uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    memcpy(before, bytes, sizeof before);
    const uint64_t from = log->ends[1];
    static _Alignas(4096) uint8_t aligned[JOURNAL_PREPARE_BYTES];
    assert_int_equal(journal_tail_zero(log->journal, 0, from, 6 * STORAGE_BLOCK, aligned),
                     OC_ERR_OK);
    assert_memory_equal(bytes, before, from);
    assert_memory_equal(bytes + from, zeros, 6 * STORAGE_BLOCK - from);
    /* The header is never part of it. */
    assert_int_equal(journal_tail_zero(log->journal, 0, 0, STORAGE_BLOCK, aligned), OC_ERR_OK);
    assert_memory_equal(bytes, before, STORAGE_BLOCK);
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_look_far),
        cmocka_unit_test(test_look_at_a_whole_round),
        cmocka_unit_test(test_zero_keeps_what_is_in_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
