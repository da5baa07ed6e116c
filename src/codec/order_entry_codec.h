/*
 * Requests of schema/order-entry.xml: bytes <-> oc_request_t.
 *
 * Every message of the schema is one root block, so a decoder can step over what it does not know:
 * header and block length give the size. Fields appended by a newer version are ignored; fields
 * that an older version does not send yet read as absent.
 */
#ifndef CODEC_ORDER_ENTRY_CODEC_H
#define CODEC_ORDER_ENTRY_CODEC_H

#include "codec/codec.h"

#include <stddef.h>

/* Longest message of the schema as this build writes it. */
#define ORDER_ENTRY_BYTES_MAX 128

/*
 * Reads one request at the start of `bytes` (borrowed for the call; any alignment). *consumed is
 * the size of the message whenever header and block are there, also for a message that is refused,
 * so that the next one can be read; else all of `length`. *template_id is 0 without a header.
 * Values that the engine judges itself (sides, types, quantities, prices out of range, flags) are
 * passed on as they are; see docs/formats/order-entry.md for absent values.
 */
codec_result_t order_entry_decode(const void *bytes, size_t length, oc_request_t *request,
                                  size_t *consumed, uint16_t *template_id);

/*
 * Writes a request; returns its size, or 0, with nothing written, when `capacity` is too small or
 * the request is none that can be sent: an unknown type, a command that only the host gives, or a
 * value that is the wire's null where there must be one (order_entry_decode() would refuse it).
 */
size_t order_entry_encode(const oc_request_t *request, void *bytes, size_t capacity);

#endif
