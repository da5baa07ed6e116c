/*
 * The commands of a whole file, made in memory before anything is timed: what its records mean is
 * asked of an engine that applies them on the way.
 */
#ifndef CLI_PREPARED_FLOW_H
#define CLI_PREPARED_FLOW_H

#include "input/flow_reader.h"

typedef struct prepared_flow_options {
    const char *path; /* borrowed for the call */
    flow_format_t format;
    oc_engine_kind_t engine;
    bool hash_outputs;
    oc_modify_priority_t modify_priority; /* an own tape brings its own */
    uint32_t max_orders;                  /* so does it of this */
    uint64_t limit;                       /* records; 0: all */
} prepared_flow_options_t;

typedef struct prepared_flow {
    oc_command_t *commands; /* owned */
    size_t count;
    size_t capacity;
    oc_engine_config_t config; /* they were made under */
    uint64_t state_hash;       /* they lead to */
} prepared_flow_t;

/* Errors of the reader and the engine; OC_ERR_NO_MEMORY. On success the caller owns what is in
 * *self: prepared_flow_fini(). */
OC_MUST_CHECK oc_err_t prepared_flow_read(prepared_flow_t *self,
                                          const prepared_flow_options_t *options);

/* Frees; a zeroed struct is allowed. */
void prepared_flow_fini(prepared_flow_t *self);

#endif
