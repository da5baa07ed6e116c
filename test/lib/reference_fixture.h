/*
 * A reference engine to test, commands for it, and what it answered. Used by the unit tests of the
 * reference engine; fails the running cmocka test when something is wrong.
 */
#ifndef TEST_LIB_REFERENCE_FIXTURE_H
#define TEST_LIB_REFERENCE_FIXTURE_H

#include "outcry/engine.h"

#define FIXTURE_EVENTS_MAX 200000
#define FIXTURE_PRICE_MAX  20

typedef struct fixture_recorder {
    oc_event_t events[FIXTURE_EVENTS_MAX];
    size_t count;
    size_t calls;
    size_t largest_call;
} fixture_recorder_t;

/* An event sink; its context is a fixture_recorder_t. */
void fixture_record(void *context, const oc_event_t *events, size_t count);

/* The reference engine with small tables, a step bound of 4 and the smallest event buffer. */
oc_engine_config_t fixture_config(void);

/* A new engine; `recorder` is emptied and gets its events, NULL for none. oc_engine_destroy() it.
 */
oc_engine_t *fixture_create(const oc_engine_config_t *config, fixture_recorder_t *recorder);

/* Applies one command, which must not stop the engine. */
void fixture_apply(oc_engine_t *engine, oc_command_t command);

/* A zeroed command of that type. */
oc_command_t fixture_command(oc_command_type_t type, uint32_t source, uint32_t instrument);

/* A GTC limit order for instrument 1. */
oc_command_t fixture_new(uint32_t source, uint64_t id, oc_side_t side, int64_t lots, int64_t price);

/* Gives the order a new total quantity and price. */
oc_command_t fixture_modify(uint32_t source, uint64_t id, int64_t lots, int64_t price);

/* Cancels the order. */
oc_command_t fixture_cancel(uint32_t source, uint64_t id);

/* A source with every role. */
oc_command_t fixture_add_source(uint32_t id);

/* A continuous instrument: prices 1 to FIXTURE_PRICE_MAX, 1,000 lots at most. */
oc_command_t fixture_add_instrument(uint32_t id);

/* Nothing but the time. */
oc_command_t fixture_time(int64_t time_ns);

/* Adds sources 1 to 3 and instruments 1 and 2. */
void fixture_prepare(oc_engine_t *engine);

/* Fails the test with what the audit says. */
void fixture_assert_audit(const oc_engine_t *engine);

/* The next number below `bound` of the stream that goes on from `seed`: the same everywhere. */
uint64_t fixture_below(uint64_t *seed, uint64_t bound);

/* A command for a prepared engine. Mostly sensible; one in fifty has a random byte. */
oc_command_t fixture_random_command(uint64_t *seed);

#endif
