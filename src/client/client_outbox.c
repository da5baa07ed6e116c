/*
 * The ring of unanswered commands and the message under construction. Called by the session only.
 *
 * Nothing is allocated after client_outbox_init(). The ring holds commands in their form on the
 * wire: made once, when they are committed, and copied as often as they go out.
 */
#define _GNU_SOURCE
#include "client/client_outbox.h"

#include "base/assert.h"
#include "base/error.h"
#include "codec/cluster_codec.h"
#include "codec/order_entry_codec.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };

_Static_assert(ORDER_ENTRY_BYTES_MAX <= UINT8_MAX, "a size is one byte");
_Static_assert(OUTBOX_HEADER_BYTES == CLUSTER_SESSION_HEADER_BYTES, "filled in when it leaves");
_Static_assert(OUTBOX_MESSAGE_MAX >= OUTBOX_HEADER_BYTES + ORDER_ENTRY_BYTES_MAX, "one fits");

oc_err_t client_outbox_init(client_outbox_t *self, uint32_t slots, uint32_t count_max)
{
    OC_ASSERT(slots > 0 && (slots & (slots - 1)) == 0);
    memset(self, 0, sizeof *self);
    self->mask = slots - 1;
    self->length = OUTBOX_HEADER_BYTES;
    self->capacity = OUTBOX_MESSAGE_MAX;
    self->count_max = count_max > 0 ? count_max : UINT32_MAX;
    self->ring = calloc(slots, ORDER_ENTRY_BYTES_MAX);
    self->sizes = calloc(slots, 1);
    self->message = calloc(1, OUTBOX_MESSAGE_MAX);
    if (!self->ring || !self->sizes || !self->message) {
        client_outbox_fini(self);
        return error_set(OC_ERR_NO_MEMORY, "client: %u unanswered commands need %zu bytes", slots,
                         (size_t)slots * (ORDER_ENTRY_BYTES_MAX + 1));
    }
    /* Faulted in now, not with the first commands. */
    for (size_t at = 0; at < (size_t)slots * ORDER_ENTRY_BYTES_MAX; at += PAGE_BYTES)
        ((volatile uint8_t *)self->ring)[at] = 0;
    return OC_ERR_OK;
}

void client_outbox_fini(client_outbox_t *self)
{
    free(self->ring);
    free(self->sizes);
    free(self->message);
    self->ring = NULL;
    self->sizes = NULL;
    self->message = NULL;
}

bool client_outbox_sendable(uint8_t command_type)
{
    return command_type >= OC_COMMAND_NEW && command_type <= OC_COMMAND_LAST &&
           command_type != OC_COMMAND_SESSION_UP && command_type != OC_COMMAND_SESSION_DOWN &&
           command_type != OC_COMMAND_TIME;
}

bool client_outbox_numbered(const client_outbox_t *self)
{
    return self->next != 0;
}

oc_command_t *client_outbox_claim(client_outbox_t *self)
{
    OC_ASSERT(client_outbox_numbered(self));
    if (self->next - self->oldest > self->mask)
        return NULL;
    memset(&self->command, 0, sizeof self->command);
    return &self->command;
}

uint64_t client_outbox_commit(client_outbox_t *self)
{
    OC_ASSERT(self->next - self->oldest <= self->mask);
    if (!client_outbox_sendable(self->command.type))
        return 0;
    oc_request_t request;
    request.type = OC_REQUEST_COMMAND;
    memset(request.reserved, 0, sizeof request.reserved);
    request.request_id = 0;
    request.u.command = self->command;
    request.u.command.sequence = self->next;
    const uint64_t slot = self->next & self->mask;
    const size_t size = order_entry_encode(&request, self->ring + slot * ORDER_ENTRY_BYTES_MAX,
                                           ORDER_ENTRY_BYTES_MAX);
    if (size == 0)
        return 0;
    self->sizes[slot] = (uint8_t)size;
    return self->next++;
}

bool client_outbox_logged_on(client_outbox_t *self, uint64_t taken, const char **why)
{
    client_outbox_clear(self);
    if (!client_outbox_numbered(self)) {
        self->oldest = self->to_send = self->next = taken + 1;
        self->sent_high = taken;
        return true;
    }
    if (taken + 1 < self->oldest) {
        *why = "the venue has lost commands that it had answered";
        return false;
    }
    if (taken > self->sent_high) {
        *why = "somebody else has sent commands as this source";
        return false;
    }
    self->to_send = taken + 1;
    return true;
}

void client_outbox_answer(client_outbox_t *self, uint64_t sequence)
{
    /* A venue that answers what was never sent is not to be believed. */
    if (sequence < self->oldest || sequence > self->sent_high || sequence >= self->next)
        return;
    self->answered += sequence + 1 - self->oldest;
    self->oldest = sequence + 1;
    if (self->to_send < self->oldest)
        self->to_send = self->oldest;
}

bool client_outbox_full(const client_outbox_t *self)
{
    return self->capacity - self->length < ORDER_ENTRY_BYTES_MAX || self->count == self->count_max;
}

void client_outbox_fill(client_outbox_t *self)
{
    while (self->to_send != self->next) {
        const uint64_t slot = self->to_send & self->mask;
        const size_t size = self->sizes[slot];
        if (self->capacity - self->length < size || self->count == self->count_max)
            return;
        memcpy(self->message + self->length, self->ring + slot * ORDER_ENTRY_BYTES_MAX, size);
        self->length += size;
        self->count++;
        if (self->to_send <= self->sent_high)
            self->resent++;
        self->to_send++;
    }
}

oc_err_t client_outbox_append(client_outbox_t *self, const oc_request_t *request)
{
    if (client_outbox_waiting(self) || self->capacity - self->length < ORDER_ENTRY_BYTES_MAX)
        return OC_ERR_BACK_PRESSURE;
    const size_t size =
        order_entry_encode(request, self->message + self->length, self->capacity - self->length);
    if (size == 0)
        return OC_ERR_INVALID_ARGUMENT;
    self->length += size;
    return OC_ERR_OK;
}

void client_outbox_sent(client_outbox_t *self)
{
    if (self->to_send > self->sent_high + 1)
        self->sent_high = self->to_send - 1;
    client_outbox_clear(self);
}

void client_outbox_clear(client_outbox_t *self)
{
    self->length = OUTBOX_HEADER_BYTES;
    self->count = 0;
}
