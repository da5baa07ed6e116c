/*
 * The host's part of an exported state: what is written is read back, and any flipped bit is found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/replica.h"
#include "host/state_file.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 4096, TIMERS = 20 };

typedef struct memory_file {
    uint8_t bytes[FILE_MAX];
    size_t length;
    size_t at;
} memory_file_t;

static oc_err_t put(void *context, const void *bytes, size_t length)
{
    memory_file_t *file = context;
    assert_true(length <= FILE_MAX - file->length);
    memcpy(file->bytes + file->length, bytes, length);
    file->length += length;
    return OC_ERR_OK;
}

static oc_err_t get(void *context, void *bytes, size_t length)
{
    memory_file_t *file = context;
    if (length > file->length - file->at)
        return error_set(OC_ERR_TRUNCATED, "the file ends");
    memcpy(bytes, file->bytes + file->at, length);
    file->at += length;
    return OC_ERR_OK;
}

static void write_file(memory_file_t *file, uint32_t count)
{
    oc_arena_t arena;
    timer_queue_t timers;
    state_file_header_t header = {
        .term = 3, .time_ns = 500, .entries = 44, .state_hash = 0xabcdef, .next_session = 71};
    *file = (memory_file_t){.length = 0};
    assert_true(oc_arena_init(&arena, "timers", 1, timer_queue_arena_bytes(64), false));
    timer_queue_init(&timers, &arena, 64);
    oc_arena_seal(&arena);
    for (uint32_t i = 0; i < count; i++)
        assert_true(timer_queue_schedule(&timers, (oc_timer_id_t){(int64_t)i - 3}, 900 - i));
    assert_int_equal(state_file_write(&header, &timers, put, file), OC_ERR_OK);
    oc_arena_fini(&arena);
}

static void reads_what_was_written(void **state)
{
    (void)state;
    memory_file_t file;
    state_file_header_t header;
    state_file_timer_t *timers;
    write_file(&file, TIMERS);
    assert_int_equal(file.length, 64 + TIMERS * 16);
    assert_int_equal(state_file_read(&header, &timers, get, &file), OC_ERR_OK);
    assert_int_equal(header.term, 3);
    assert_int_equal(header.time_ns, 500);
    assert_int_equal(header.entries, 44);
    assert_int_equal(header.next_session, 71);
    assert_int_equal(header.timer_count, TIMERS);
    assert_int_equal(header.max_timers, 64);
    assert_int_equal(timers[0].id, TIMERS - 1 - 3);
    assert_int_equal(timers[TIMERS - 1].deadline_ns, 900);
    free(timers);
    write_file(&file, 0);
    assert_int_equal(state_file_read(&header, &timers, get, &file), OC_ERR_OK);
    assert_null(timers);
}

static void finds_every_bit(void **state)
{
    (void)state;
    memory_file_t file;
    write_file(&file, TIMERS);
    for (size_t at = 0; at < file.length; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            state_file_header_t header;
            state_file_timer_t *timers;
            file.at = 0;
            file.bytes[at] ^= (uint8_t)(1u << bit);
            assert_int_equal(state_file_read(&header, &timers, get, &file), OC_ERR_DAMAGED);
            assert_null(timers);
            file.bytes[at] ^= (uint8_t)(1u << bit);
        }
    for (size_t length = 0; length < file.length; length++) {
        state_file_header_t header;
        state_file_timer_t *timers;
        memory_file_t cut = file;
        cut.at = 0;
        cut.length = length;
        assert_int_equal(state_file_read(&header, &timers, get, &cut), OC_ERR_TRUNCATED);
        assert_null(timers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(finds_every_bit),
    };
    return cmocka_run_group_tests_name("state_file", tests, NULL, NULL);
}
