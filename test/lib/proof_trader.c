/*
 * Orders, and the outputs that are due for them. Called by the tests of proofs.
 *
 * Invariant: what is sent follows from the order's number alone.
 */
#include "lib/proof_trader.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

oc_request_t proof_trader_order(uint64_t i)
{
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    oc_command_t *command = &request.u.command;
    command->sequence = i;
    command->instrument.value = 1;
    command->u.order.client_order_id.value = i;
    command->type = OC_COMMAND_NEW;
    command->side = i % 3 == 0 ? OC_SIDE_SELL : OC_SIDE_BUY;
    command->order_type = OC_ORDER_LIMIT;
    command->u.order.price_ticks = (int64_t)(40 + i * 7 % 20);
    command->u.order.quantity_lots = (int64_t)(1 + i % 9);
    return request;
}

void proof_trader_see(void *context, oc_source_id_t source, const oc_output_t *output)
{
    proof_trader_t *self = context;
    if (source.value != PROOF_TRADER_SOURCE)
        return;
    assert_true(self->count < PROOF_TRADER_OUTPUTS);
    self->outputs[self->count++] = *output;
    const uint8_t type = output->event.type;
    self->answers += type == OC_EVENT_ACCEPTED || type == OC_EVENT_REJECTED ||
                     (type == OC_EVENT_CANCELLED && output->event.command == OC_COMMAND_CANCEL);
    self->fills += type == OC_EVENT_TRADE || type == OC_EVENT_FILL;
}
