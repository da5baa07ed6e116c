/*
 * Reading ranges of segments as memory. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal/journal_window.h"
#include "lib/journal_fixture.h"

#include <string.h>

static void test_ranges(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.ready_segments = 2;
    log->config.segment_bytes = 4 << 20;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_prepare(log);
    for (uint64_t base = 0; base < 3; base++) {
        uint64_t size = 0;
        uint8_t *bytes = storage_fake_bytes(log->device, journal_fixture_path(base << 22), &size);
        for (uint64_t at = STORAGE_BLOCK; at < size; at += 32)
            memcpy(bytes + at, &(uint64_t){(base << 22) + at}, 8);
    }
    journal_window_t window;
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    uint64_t random = 5;
    for (int i = 0; i < 2000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        const uint32_t length = 32 + (uint32_t)(random >> 40) % (JOURNAL_PAYLOAD_MAX / 7);
        uint64_t position = (random >> 20) % (12 << 20) & ~UINT64_C(31);
        const uint64_t end = ((position >> 22) + 1) << 22;
        if (position % (4 << 20) < STORAGE_BLOCK)
            position += STORAGE_BLOCK;
        const uint8_t *bytes = NULL;
        const uint32_t fits = end - position < length ? (uint32_t)(end - position) : length;
        assert_int_equal(journal_window_at(&window, position, fits, &bytes), OC_ERR_OK);
        uint64_t found;
        memcpy(&found, bytes, sizeof found);
        assert_int_equal(found, position);
        memcpy(&found, bytes + (fits - 32) / 32 * 32, sizeof found);
        assert_int_equal(found, position + (fits - 32) / 32 * 32);
    }
    assert_true(window.read_bytes > 0);
    journal_window_fini(&window);
    journal_fixture_destroy(log);
}

/* In order, as recovery does it: blocks are read ahead, and each but for overlaps once. */
static void test_in_order(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.ready_segments = 2;
    log->config.segment_bytes = 4 << 20;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_fixture_prepare(log);
    journal_window_t window;
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    for (uint64_t base = 0; base < 3; base++) {
        uint64_t size = 0;
        uint8_t *file = storage_fake_bytes(log->device, journal_fixture_path(base << 22), &size);
        for (uint64_t at = STORAGE_BLOCK; at < size; at += 32)
            memcpy(file + at, &(uint64_t){at ^ base}, 8);
        uint32_t length = 32;
        for (uint64_t at = STORAGE_BLOCK; at + length <= size; at += length) {
            length = (uint32_t)(at * 13 % (base == 0 ? 400 : 600000)) / 32 * 32 + 32;
            if (at + length > size)
                break;
            const uint8_t *bytes = NULL;
            assert_int_equal(journal_window_at(&window, (base << 22) + at, length, &bytes),
                             OC_ERR_OK);
            assert_memory_equal(bytes, file + at, length);
        }
    }
    assert_true(window.ahead.running);
    assert_true(window.read_bytes >= 11 << 20);
    assert_true(window.read_bytes <= 16 << 20);
    journal_window_fini(&window);
    journal_fixture_destroy(log);
}

/* A look at one block reads that one, and the order goes on after it. */
static void test_peek(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.segment_bytes = 4 << 20;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    uint64_t size = 0;
    uint8_t *file = storage_fake_bytes(log->device, journal_fixture_path(0), &size);
    for (uint64_t at = STORAGE_BLOCK; at < size; at += 32)
        memcpy(file + at, &at, sizeof at);
    journal_window_t window;
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    const uint8_t *bytes = NULL;
    for (uint64_t at = STORAGE_BLOCK; at < size; at += 7 * STORAGE_BLOCK) {
        assert_int_equal(journal_window_at(&window, at, 32, &bytes), OC_ERR_OK);
        assert_memory_equal(bytes, &at, sizeof at);
        const uint64_t place = at % (3 << 20) / STORAGE_BLOCK * STORAGE_BLOCK;
        const uint64_t before = window.read_bytes;
        assert_int_equal(journal_window_peek(&window, place, &bytes), OC_ERR_OK);
        assert_memory_equal(bytes, file + place, STORAGE_BLOCK);
        assert_int_equal(window.read_bytes - before, STORAGE_BLOCK);
    }
    journal_window_fini(&window);
    journal_fixture_destroy(log);
}

/* A failure of the reading thread is told when its block is needed. */
static void test_failure_ahead(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.segment_bytes = 8 << 20;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    for (uint64_t nth = 1; nth <= 8; nth++) {
        journal_window_t window;
        assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
        storage_fake_fault(log->device, STORAGE_FAKE_READ_ERROR, nth);
        oc_err_t err = OC_ERR_OK;
        const uint8_t *bytes = NULL;
        for (uint64_t at = STORAGE_BLOCK; err == OC_ERR_OK && at < 8 << 20; at += 64)
            err = journal_window_at(&window, at, 64, &bytes);
        /* Read again in this thread, it comes through, since a fault hits once. */
        assert_int_equal(err, nth <= 2 ? OC_ERR_READ : OC_ERR_OK);
        assert_false(storage_fake_fault_pending(log->device));
        journal_window_fini(&window);
    }
    journal_fixture_destroy(log);
}

static void test_largest_frame(void **state)
{
    (void)state;
    journal_fixture_t *log = journal_fixture_create(1);
    log->config.segment_bytes = 4 << 20;
    assert_int_equal(journal_fixture_start(log), OC_ERR_OK);
    journal_window_t window;
    const uint8_t *bytes = NULL;
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    assert_int_equal(journal_window_at(&window, 3 * STORAGE_BLOCK - 32,
                                       JOURNAL_PAYLOAD_MAX + sizeof(journal_frame_t), &bytes),
                     OC_ERR_OK);
    storage_fake_put(log->device, journal_fixture_path(0), "x", 1);
    assert_int_equal(journal_window_at(&window, 3 << 20, 32, &bytes), OC_ERR_OK);
    journal_window_fini(&window);
    assert_int_equal(journal_window_init(&window, log->journal), OC_ERR_OK);
    assert_int_equal(journal_window_at(&window, 3 << 20, 32, &bytes), OC_ERR_DAMAGED);
    journal_window_fini(&window);
    journal_fixture_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_peek),          cmocka_unit_test(test_failure_ahead),
        cmocka_unit_test(test_largest_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
