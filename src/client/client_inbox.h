/*
 * What the venue says: the transport's messages, and the responses inside them, which go to the
 * handler.
 */
#ifndef CLIENT_CLIENT_INBOX_H
#define CLIENT_CLIENT_INBOX_H

#include "client/client_session.h"

/* A client_link_handler_t; `context` is the client_session_t. */
void client_inbox_take(void *context, int32_t image, const void *bytes, size_t length);

/* The sequence of the command that an output answers; 0: it answers none. */
uint64_t client_inbox_answered(const oc_event_t *event);

#endif
