/*
 * Requests and responses with random values in every field that their kind uses, for the tests of
 * the codecs. The values are any that the wire can carry, with the edges drawn often; whether an
 * engine would take them does not matter.
 */
#ifndef LIB_CODEC_SAMPLES_H
#define LIB_CODEC_SAMPLES_H

#include "outcry/order_entry.h"

enum { SAMPLE_REQUESTS = 16, SAMPLE_RESPONSES = 17 };

/* Which message it is: a template id and the length of its block in version 1. */
typedef struct sample_shape {
    uint16_t template_id;
    uint16_t block;
} sample_shape_t;

extern const sample_shape_t sample_request_shapes[SAMPLE_REQUESTS];
extern const sample_shape_t sample_response_shapes[SAMPLE_RESPONSES];

/* The kind of request or response that stands at `which` in the shapes; the rest of it is zero. */
void sample_request(oc_request_t *request, unsigned which, uint64_t *seed);
void sample_response(oc_response_t *response, unsigned which, uint64_t *seed);

#endif
