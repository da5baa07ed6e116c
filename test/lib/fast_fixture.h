/*
 * A fast engine to test from outside and from inside. Commands come from reference_fixture.h.
 */
#ifndef TEST_LIB_FAST_FIXTURE_H
#define TEST_LIB_FAST_FIXTURE_H

#include "engine/fast_state.h"
#include "lib/reference_fixture.h"

/* The tables of fixture_config() for a fast engine that verifies its touches. */
oc_engine_config_t fast_fixture_config(void);

/* The engine's inside, borrowed; fails the test when it is not a fast engine. */
fast_engine_t *fast_fixture_inside(oc_engine_t *engine);

/* An instrument that takes any price, and up to 50,000 lots. */
oc_command_t fast_fixture_add_instrument(uint32_t id);

/* Applies the command to an engine without verification; returns how many pages it announced. */
uint32_t fast_fixture_pages(oc_engine_t *engine, oc_command_t command);

/* For tests of parts, without commands: begins an epoch and announces the header's page... */
void fast_fixture_begin(fast_engine_t *e);

/* ...and fails the test when something was written since that was not announced. */
void fast_fixture_end(fast_engine_t *e);

#endif
