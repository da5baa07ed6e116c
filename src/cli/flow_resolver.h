/*
 * Turns records of a file into commands. What a record means can depend on the book (an execution
 * names a resting order, a replace inherits its side), so the engine is asked.
 *
 * The host (source 0) adds source 1 with all roles before the first order, and an instrument when
 * it is first seen. Orders are sent by source 1 with sequence numbers 1, 2, 3...
 */
#ifndef CLI_FLOW_RESOLVER_H
#define CLI_FLOW_RESOLVER_H

#include "input/flow_reader.h"

/* An incoming order made from an execution gets this plus the record's number as its id. */
#define FLOW_RESOLVER_EXECUTION_ID (UINT64_C(1) << 63)

typedef struct flow_resolver_config {
    uint32_t instrument; /* for files that name none */
    bool only;           /* files that name instruments: the others' records are skipped */
    /* Instruments stay in pre-open: orders rest unmatched, executions lower the resting order. */
    bool mirror;
    /* Cancels and modifies of unknown orders are skipped instead of rejected, for files that begin
     * in the middle of a day. */
    bool skip_unknown;
    int64_t tick_size;         /* raw price units per tick, > 0 */
    int64_t max_quantity_lots; /* of an order, for instruments added */
} flow_resolver_config_t;

/* Applies a command to the engine and whatever listens. `command` is borrowed for the call. */
typedef oc_err_t (*flow_resolver_apply_t)(void *context, const oc_command_t *command);

typedef struct flow_resolver {
    flow_resolver_config_t config;
    const oc_engine_t *engine; /* borrowed: the one that `apply` drives */
    flow_resolver_apply_t apply;
    void *context; /* borrowed */
    bool started;
    uint32_t known_instrument;    /* the last one that the engine was found to have */
    uint64_t sequence;            /* last one used by source 1 */
    uint64_t skipped;             /* records that became no command */
    uint64_t executions_off_head; /* executions of an order that was not the next to trade */
} flow_resolver_t;

void flow_resolver_init(flow_resolver_t *self, const flow_resolver_config_t *config,
                        const oc_engine_t *engine, flow_resolver_apply_t apply, void *context);

/*
 * Applies what `record` (borrowed for the call) means: no command when it is skipped, several for
 * some kinds. Returns the first error of `apply`.
 */
OC_MUST_CHECK oc_err_t flow_resolver_record(flow_resolver_t *self, const flow_record_t *record);

#endif
