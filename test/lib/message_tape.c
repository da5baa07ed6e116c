/*
 * A list of messages in memory. Used by the tests of snapshots of a clustered service.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "cluster/service_snapshot_internal.h"
#include "lib/message_tape.h"

#include <stdlib.h>
#include <string.h>

void message_tape_init(message_tape_t *tape)
{
    *tape = (message_tape_t){.refuse_at = SIZE_MAX};
}

void message_tape_clear(message_tape_t *tape)
{
    for (size_t i = 0; i < tape->count; i++)
        free(tape->messages[i].bytes);
    free(tape->messages);
    message_tape_init(tape);
}

void message_tape_insert(message_tape_t *tape, size_t at, const void *bytes, size_t length)
{
    if (tape->count == tape->capacity) {
        tape->capacity = tape->capacity ? 2 * tape->capacity : 64;
        tape->messages = realloc(tape->messages, tape->capacity * sizeof *tape->messages);
        assert_non_null(tape->messages);
    }
    tape_message_t *message = &tape->messages[at];
    memmove(message + 1, message, (tape->count - at) * sizeof *message);
    *message = (tape_message_t){malloc(length > 0 ? length : 1), length};
    assert_non_null(message->bytes);
    if (length > 0)
        memcpy(message->bytes, bytes, length);
    tape->count++;
}

oc_err_t message_tape_take(void *context, const void *bytes, size_t length)
{
    message_tape_t *tape = context;
    assert_true(length > 0);
    assert_true(length <= SERVICE_SNAPSHOT_MESSAGE_MAX);
    if (tape->count == tape->refuse_at)
        return error_set(OC_ERR_TRANSPORT, "as asked for");
    message_tape_insert(tape, tape->count, bytes, length);
    return OC_ERR_OK;
}

void message_tape_copy(message_tape_t *to, const message_tape_t *from)
{
    message_tape_init(to);
    for (size_t i = 0; i < from->count; i++)
        message_tape_insert(to, i, from->messages[i].bytes, from->messages[i].length);
}

void message_tape_remove(message_tape_t *tape, size_t at)
{
    assert_true(at < tape->count);
    free(tape->messages[at].bytes);
    tape->count--;
    memmove(&tape->messages[at], &tape->messages[at + 1],
            (tape->count - at) * sizeof *tape->messages);
}

/* Bytes of the state that a message says it has. */
static uint64_t state_bytes(const tape_message_t *message)
{
    snapshot_state_t head;
    if (message->length < sizeof head)
        return 0;
    memcpy(&head, message->bytes, sizeof head);
    const bool ours =
        memcmp(head.frame.magic, SERVICE_SNAPSHOT_MAGIC, SERVICE_SNAPSHOT_MAGIC_SIZE) == 0;
    return ours && head.frame.part == SNAPSHOT_PART_STATE ? message->length - sizeof head : 0;
}

void message_tape_seal(message_tape_t *tape)
{
    snapshot_end_t end;
    const tape_message_t *last = &tape->messages[tape->count - 1];
    if (last->length != sizeof end)
        return;
    memcpy(&end, last->bytes, sizeof end);
    if (end.frame.part != SNAPSHOT_PART_END)
        return;
    end.messages = (uint32_t)tape->count - 1;
    end.bytes = 0;
    uint32_t crc = 0;
    for (size_t i = 0; i + 1 < tape->count; i++) {
        end.bytes += state_bytes(&tape->messages[i]);
        crc = crc32c(crc, tape->messages[i].bytes, tape->messages[i].length);
    }
    end.crc = crc32c(crc, &end, offsetof(snapshot_end_t, crc));
    memcpy(last->bytes, &end, sizeof end);
}

void message_tape_assert_equal(const message_tape_t *a, const message_tape_t *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->messages[i].length, b->messages[i].length);
        assert_memory_equal(a->messages[i].bytes, b->messages[i].bytes, a->messages[i].length);
    }
}

service_snapshot_reader_t *message_tape_read(const message_tape_t *tape, int64_t log_position,
                                             oc_err_t *err)
{
    service_snapshot_reader_t *reader;
    assert_int_equal(service_snapshot_reader_create(&reader, log_position), OC_ERR_OK);
    *err = OC_ERR_OK;
    for (size_t i = 0; *err == OC_ERR_OK && i < tape->count; i++)
        *err =
            service_snapshot_reader_take(reader, tape->messages[i].bytes, tape->messages[i].length);
    if (*err == OC_ERR_OK)
        *err = service_snapshot_reader_end(reader);
    return reader;
}
