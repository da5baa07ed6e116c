/*
 * What all adapters between bytes and structs share: how decoding ends.
 */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include "outcry/order_entry.h"

/* What a decoder makes of the bytes: OC_PROBLEM_NONE, or what is wrong with them. */
typedef oc_problem_t codec_result_t;

/* Bytes of the SBE message header: block length, template id, schema id, version. */
#define CODEC_HEADER_BYTES 8

#endif
