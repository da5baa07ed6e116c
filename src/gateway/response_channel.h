/*
 * Where a client wants its answers: the channel text of its connect request, checked and written
 * anew from the little that is allowed.
 */
#ifndef GATEWAY_RESPONSE_CHANNEL_H
#define GATEWAY_RESPONSE_CHANNEL_H

#include "gateway/authenticator.h"
#include "gateway/transport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct response_channel {
    char text[GATEWAY_CHANNEL_MAX]; /* terminated, the rest zero */
    uint32_t length;
    char host[TRANSPORT_HOST_MAX]; /* numeric; "" for aeron:ipc */
} response_channel_t;

/*
 * Checks `length` characters. `message_bytes_max` is the longest message that must fit through.
 * False: not allowed, nothing is to be done with it.
 */
bool response_channel_parse(response_channel_t *channel, const char *text, size_t length,
                            size_t message_bytes_max);

/* True when a source on `host` may speak for a client that answers are sent to like this. */
bool response_channel_matches(const char *channel_host, const char *host);

#endif
