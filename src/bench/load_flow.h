/*
 * What a load sends: commands by number, again from the first when they have run out.
 *
 * Orders are named by dense numbers here; the load makes client order ids of them that no order of
 * an earlier turn or an earlier run has.
 */
#ifndef BENCH_LOAD_FLOW_H
#define BENCH_LOAD_FLOW_H

#include "bench/workload.h"

#include <stdbool.h>

/* Exactly one of the sources is set; both are borrowed. */
typedef struct load_flow {
    const workload_t *workload;
    const oc_command_t *commands; /* client order ids from 1, a new one not above its place + 1 */
    uint64_t count;               /* at least 1 */
    uint32_t instrument_offset;   /* added to every instrument */
} load_flow_t;

/*
 * Writes command `index` (from 0, below count) to *command: without source and sequence, its
 * client order id, where it has one, the order's dense number.
 */
void load_flow_command(const load_flow_t *self, uint64_t index, oc_command_t *command);

/*
 * Makes a flow of commands that were prepared from a file: orders get dense numbers; the
 * INSTRUMENT_ADD among them move to instruments[], whose caller-owned room is `instruments_max`;
 * what only a host or an administrator sends is left out.
 */
typedef struct load_flow_compiled {
    size_t count;            /* commands kept, now the first ones */
    size_t left_out;         /* neither kept nor an instrument */
    size_t instrument_count; /* at most instruments_max */
} load_flow_compiled_t;

/* In place. OC_ERR_NO_MEMORY; OC_ERR_INVALID_ARGUMENT: more instruments than there is room for. */
OC_MUST_CHECK oc_err_t load_flow_compile(oc_command_t *commands, size_t count,
                                         oc_command_t *instruments, size_t instruments_max,
                                         load_flow_compiled_t *compiled);

/* Whether commands of this type name an order by client order id. */
bool load_flow_names_order(uint8_t command_type);

#endif
