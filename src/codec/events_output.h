/*
 * The outputs among the messages of schema/events.xml, for events_codec.c.
 */
#ifndef CODEC_EVENTS_OUTPUT_H
#define CODEC_EVENTS_OUTPUT_H

#include "codec/frame.h"

/* Shortest block of an event's message that can be read; 0 for a type that is none. */
size_t events_output_block(unsigned event_type);

/* Fills a zeroed output from a frame whose template id is the event's type and whose block is as
 * long as events_output_block() says. */
void events_output_decode(const frame_t *frame, oc_output_t *output);

#endif
