/*
 * A fast engine that verifies its touches and a reference engine with the same tables, side by
 * side: what a test does to one it does to both, and any difference fails it.
 */
#ifndef TEST_LIB_TWIN_H
#define TEST_LIB_TWIN_H

#include "lib/fast_fixture.h"

typedef struct twin {
    oc_engine_t *fast;
    oc_engine_t *reference;
} twin_t;

/* Both engines, of config's tables; one pair at a time. */
void twin_create(twin_t *twin, const oc_engine_config_t *config);

/* Audits both, compares their states once more, and destroys them. */
void twin_destroy(twin_t *twin);

/* Applies a command to both; compares the events to the byte, and the hashes. */
void twin_apply(const twin_t *twin, oc_command_t command);

/* The events of the last command: how many, and the one at `at`; NULL behind the last. */
size_t twin_events(void);
const oc_event_t *twin_event(size_t at);

/* Applies a command; the reason of the REJECTED event it gave, NONE when it gave none. */
oc_reason_t twin_reason(const twin_t *twin, oc_command_t command);

/* Applies a command that must be rejected for that reason. */
void twin_reject(const twin_t *twin, oc_command_t command, oc_reason_t reason);

/* Applies a command that must not be rejected. */
void twin_take(const twin_t *twin, oc_command_t command);

oc_engine_counts_t twin_counts(const twin_t *twin);

/* TIME entries until no work is pending. */
void twin_settle(const twin_t *twin);

/* SESSION_UP of a source, SESSION_DOWN, and the state of an instrument; from the host. */
oc_command_t twin_session_up(uint64_t session, uint32_t source);
oc_command_t twin_session_down(uint64_t session);
oc_command_t twin_state(uint32_t instrument, oc_instrument_state_t state);

/* A mass cancel by the source of its own orders. */
oc_command_t twin_mass_cancel(uint32_t source);

#endif
