/*
 * Responses of schema/events.xml: oc_response_t <-> bytes. As order_entry_codec.h, the other way.
 */
#ifndef CODEC_EVENTS_CODEC_H
#define CODEC_EVENTS_CODEC_H

#include "codec/codec.h"

#include <stddef.h>

/* Longest message of the schema as this build writes it. */
#define EVENTS_BYTES_MAX 192

/* Writes a response; returns its size, or 0 when `capacity` is too small or its type unknown. */
size_t events_encode(const oc_response_t *response, void *bytes, size_t capacity);

/* The same for an output, the one that must be fast; `bytes` has EVENTS_BYTES_MAX of room. */
size_t events_encode_output(const oc_output_t *output, void *bytes);

/* As order_entry_decode(). */
codec_result_t events_decode(const void *bytes, size_t length, oc_response_t *response,
                             size_t *consumed, uint16_t *template_id);

#endif
