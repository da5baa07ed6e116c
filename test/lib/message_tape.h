/*
 * The messages of a service's snapshot, kept one by one, so that a test can cut, swap and change
 * them; and whatever it did to them, made right again in what counts and checks.
 */
#ifndef LIB_MESSAGE_TAPE_H
#define LIB_MESSAGE_TAPE_H

#include "cluster/service_snapshot.h"

#include <stddef.h>
#include <stdint.h>

typedef struct tape_message {
    uint8_t *bytes;
    size_t length;
} tape_message_t;

typedef struct message_tape {
    tape_message_t *messages; /* message_tape_clear() frees */
    size_t count;
    size_t capacity;
    size_t refuse_at; /* the message of this index is refused; SIZE_MAX: none */
} message_tape_t;

void message_tape_init(message_tape_t *tape);
void message_tape_clear(message_tape_t *tape);

/* A service_snapshot_sink_t; context is a tape. Refuses with OC_ERR_TRANSPORT. */
oc_err_t message_tape_take(void *context, const void *bytes, size_t length);

void message_tape_copy(message_tape_t *to, const message_tape_t *from);
void message_tape_remove(message_tape_t *tape, size_t at);
void message_tape_insert(message_tape_t *tape, size_t at, const void *bytes, size_t length);

/* Writes counts and checksum into the last message, if that is an end, so that they fit. */
void message_tape_seal(message_tape_t *tape);

/* Fails the test unless both hold the same, to the byte. */
void message_tape_assert_equal(const message_tape_t *a, const message_tape_t *b);

/* Everything into a new reader, up to the first error, which is *err, or that of its end. The
 * caller destroys it. */
service_snapshot_reader_t *message_tape_read(const message_tape_t *tape, int64_t log_position,
                                             oc_err_t *err);

#endif
