/*
 * The flow of a load. Called for every command it sends.
 *
 * Invariant: command `index` is the same at every turn, and names no order that a command behind it
 * enters.
 */
#include "bench/load_flow.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/prng.h"

#include <stdlib.h>
#include <string.h>

/* Orders of all instruments together must fit 63 bits in any venue. */
#define QUANTITY_MAX (INT64_MAX >> 27)

bool load_flow_names_order(uint8_t command_type)
{
    return command_type == OC_COMMAND_NEW || command_type == OC_COMMAND_CANCEL ||
           command_type == OC_COMMAND_MODIFY;
}

void load_flow_command(const load_flow_t *self, uint64_t index, oc_command_t *command)
{
    OC_ASSERT(index < self->count);
    if (self->workload) {
        workload_command(self->workload, (uint32_t)index, command);
        command->u.order.client_order_id.value = self->workload->ops[index].id;
    } else {
        *command = self->commands[index];
    }
    command->source.value = 0;
    command->sequence = 0;
    if (command->instrument.value)
        command->instrument.value += self->instrument_offset;
}

/* Numbers of orders seen, by source and client order id; open addressing, at most half full. */
typedef struct number_slot {
    uint64_t id;
    uint32_t source;
    uint32_t number; /* 0: free */
} number_slot_t;

typedef struct numbering {
    number_slot_t *slots;
    size_t mask;
    uint32_t last;
} numbering_t;

static bool numbering_init(numbering_t *self, size_t orders_max)
{
    size_t slots = 16;
    while (slots < 2 * orders_max)
        slots *= 2;
    *self = (numbering_t){.slots = calloc(slots, sizeof *self->slots), .mask = slots - 1};
    return self->slots != NULL;
}

/* A name that comes as NEW gets a fresh number, so that a name used again is another order. */
static uint32_t number_of(numbering_t *self, uint32_t source, uint64_t id, bool fresh)
{
    size_t at = (size_t)prng_mix(id ^ (uint64_t)source << 40) & self->mask;
    number_slot_t *slot = &self->slots[at];
    while (slot->number && (slot->id != id || slot->source != source)) {
        at = (at + 1) & self->mask;
        slot = &self->slots[at];
    }
    if (slot->number == 0 || fresh)
        *slot = (number_slot_t){id, source, ++self->last};
    return slot->number;
}

/* Whether a trader of the load may and should send it. */
static bool tradable(const oc_command_t *command)
{
    return load_flow_names_order(command->type) || command->type == OC_COMMAND_MARK_PRICE ||
           (command->type == OC_COMMAND_MASS_CANCEL &&
            command->u.mass_cancel.scope == OC_SCOPE_INSTRUMENT);
}

static void renumber(numbering_t *numbers, oc_command_t *command)
{
    const bool other = command->type == OC_COMMAND_CANCEL && command->u.order.owner.value;
    const uint32_t owner = other ? command->u.order.owner.value : command->source.value;
    command->u.order.client_order_id.value = number_of(
        numbers, owner, command->u.order.client_order_id.value, command->type == OC_COMMAND_NEW);
    command->u.order.owner.value = 0;
}

oc_err_t load_flow_compile(oc_command_t *commands, size_t count, oc_command_t *instruments,
                           size_t instruments_max, load_flow_compiled_t *compiled)
{
    memset(compiled, 0, sizeof *compiled);
    numbering_t numbers;
    if (!numbering_init(&numbers, count))
        return error_set(OC_ERR_NO_MEMORY, "load: no memory for the names of %zu orders", count);
    oc_err_t err = OC_ERR_OK;
    for (size_t i = 0; i < count; i++) {
        oc_command_t *command = &commands[i];
        if (command->type == OC_COMMAND_INSTRUMENT_ADD) {
            if (compiled->instrument_count == instruments_max) {
                err = error_set(OC_ERR_INVALID_ARGUMENT, "load: more than %zu instruments",
                                instruments_max);
                break;
            }
            if (command->u.instrument.max_quantity_lots > QUANTITY_MAX)
                command->u.instrument.max_quantity_lots = QUANTITY_MAX;
            instruments[compiled->instrument_count++] = *command;
        } else if (tradable(command)) {
            if (load_flow_names_order(command->type))
                renumber(&numbers, command);
            commands[compiled->count++] = *command;
        } else {
            compiled->left_out++;
        }
    }
    free(numbers.slots);
    return err;
}
