/*
 * One handler per command type. Each checks in the order of the rules in outcry/engine.h, and
 * either returns the reason of a reject, having changed nothing, or does the command and returns
 * OC_REASON_NONE. Called by fast_engine.c, which has looked after time, sequence and role.
 */
#ifndef ENGINE_COMMAND_HANDLERS_H
#define ENGINE_COMMAND_HANDLERS_H

#include "engine/fast_state.h"

/* The sender of the command being applied. */
typedef struct sender {
    uint32_t index; /* of its record; 0: the host */
    uint32_t roles;
} sender_t;

oc_reason_t order_new(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t order_cancel(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t order_modify(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);

oc_reason_t admin_mark_price(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_instrument_add(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_instrument_state(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_instrument_bands(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_source_add(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_source_retire(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_session_up(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_session_down(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_configure(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);
oc_reason_t admin_restriction(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);

oc_reason_t pending_mass_cancel(fast_engine_t *e, const oc_command_t *c, const sender_t *sender);

#endif
