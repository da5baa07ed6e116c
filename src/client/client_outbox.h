/*
 * Commands that wait for their answer, in a ring by sequence number, and the message that is being
 * filled with them.
 *
 *     oldest <= to_send <= next        unanswered: oldest..next - 1, of them not sent yet: from
 *                                      to_send
 *
 * The venue executes a source's commands in sequence and numbers its outputs, so the first output
 * that answers a command proves that all before it have been answered: answers move `oldest`, no
 * command has a mark of its own.
 */
#ifndef CLIENT_CLIENT_OUTBOX_H
#define CLIENT_CLIENT_OUTBOX_H

#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct client_outbox {
    oc_command_t command; /* being built by the caller */
    uint8_t *ring;        /* of ORDER_ENTRY_BYTES_MAX each: commands as they go out */
    uint8_t *sizes;       /* of them */
    uint64_t mask;        /* slots - 1 */
    uint64_t oldest;
    uint64_t to_send;
    uint64_t next;      /* 0: not known before the first logon */
    uint64_t sent_high; /* highest sequence that has ever left */
    uint64_t resent;
    uint64_t answered;

    uint8_t *message; /* room for the transport's header, then what is collected */
    size_t length;    /* of the whole; OUTBOX_HEADER_BYTES: empty */
    size_t capacity;  /* of a message now, at most OUTBOX_MESSAGE_MAX */
    uint32_t count;   /* of the commands in it */
    uint32_t count_max;
} client_outbox_t;

#define OUTBOX_HEADER_BYTES 32 /* CLUSTER_SESSION_HEADER_BYTES */
#define OUTBOX_MESSAGE_MAX  8192

/* `slots`: a power of two; `count_max`: of commands in a message, 0: any. OC_ERR_NO_MEMORY. The
 * caller: client_outbox_fini(). */
OC_MUST_CHECK oc_err_t client_outbox_init(client_outbox_t *self, uint32_t slots,
                                          uint32_t count_max);
void client_outbox_fini(client_outbox_t *self);

/* Where the next command is to be built, zeroed; NULL when all slots wait for answers. */
oc_command_t *client_outbox_claim(client_outbox_t *self);
/* Takes what was built in; returns its sequence, or 0 when clients do not send such a thing or a
 * field has no form on the wire: then nothing happened. */
uint64_t client_outbox_commit(client_outbox_t *self);

/* Before the first logon was answered: the venue's `taken` decides where the count begins. */
bool client_outbox_numbered(const client_outbox_t *self);

/*
 * The venue has taken everything up to `taken`: what is behind it goes out (again). False when that
 * contradicts what was sent and answered; *why then says how, static.
 */
bool client_outbox_logged_on(client_outbox_t *self, uint64_t taken, const char **why);

/* An output answers `sequence`, and so everything up to it. */
void client_outbox_answer(client_outbox_t *self, uint64_t sequence);

/* Puts waiting commands into the message until it is full or none waits. */
void client_outbox_fill(client_outbox_t *self);

/* Appends a request. OC_ERR_BACK_PRESSURE: it does not fit, or would overtake a command;
 * OC_ERR_INVALID_ARGUMENT: a field has no form on the wire. No context is set. */
OC_MUST_CHECK oc_err_t client_outbox_append(client_outbox_t *self, const oc_request_t *request);

/* The message has left. */
void client_outbox_sent(client_outbox_t *self);
/* It is given up; its commands come again after the next logon. */
void client_outbox_clear(client_outbox_t *self);

static inline bool client_outbox_waiting(const client_outbox_t *self)
{
    return self->to_send != self->next;
}

static inline bool client_outbox_collected(const client_outbox_t *self)
{
    return self->length > OUTBOX_HEADER_BYTES;
}

/* Whether another command might not fit. */
bool client_outbox_full(const client_outbox_t *self);

/* Whether a type is one that clients send. */
bool client_outbox_sendable(uint8_t command_type);

#endif
