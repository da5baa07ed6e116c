/*
 * Files prepared for measurements. Called by `outcry bench tape` and `outcry load`.
 *
 * Invariant: the commands, applied to a fresh engine of self->config, lead to self->state_hash.
 */
#include "cli/prepared_flow.h"

#include "base/error.h"
#include "cli/replay_run.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 65536 };

typedef struct preparation {
    prepared_flow_t *flow;
    oc_engine_t *engine;
} preparation_t;

static oc_err_t prepare_command(void *context, const oc_command_t *command)
{
    const preparation_t *self = context;
    prepared_flow_t *flow = self->flow;
    if (flow->count == flow->capacity) {
        const size_t capacity = flow->capacity ? flow->capacity * 2 : FIRST_CAPACITY;
        oc_command_t *grown = realloc(flow->commands, capacity * sizeof *grown);
        if (!grown)
            return error_set(OC_ERR_NO_MEMORY, "no memory for %zu commands", capacity);
        flow->commands = grown;
        flow->capacity = capacity;
    }
    flow->commands[flow->count++] = *command;
    return oc_engine_apply(self->engine, command);
}

static oc_err_t prepare_records(preparation_t *self, flow_reader_t *reader,
                                const prepared_flow_options_t *options)
{
    const flow_resolver_config_t config = {
        .instrument = 1,
        .skip_unknown = flow_reader_format(reader) != FLOW_FORMAT_TAPE,
        .tick_size = 1,
        .max_quantity_lots = replay_run_max_quantity(&self->flow->config),
    };
    flow_resolver_t resolver;
    flow_resolver_init(&resolver, &config, self->engine, prepare_command, self);
    for (;;) {
        flow_record_t record;
        const flow_status_t status = flow_reader_next(reader, &record);
        if (status == FLOW_END)
            return OC_ERR_OK;
        if (status == FLOW_FAILED)
            return OC_ERR_FORMAT;
        if (options->limit && record.record >= options->limit)
            return OC_ERR_OK;
        const oc_err_t err = flow_resolver_record(&resolver, &record);
        if (err != OC_ERR_OK)
            return subcommand_error(err, "%s: record %" PRIu64, options->path, record.record);
    }
}

static oc_err_t prepare_file(prepared_flow_t *self, flow_reader_t *reader,
                             const prepared_flow_options_t *options)
{
    replay_run_config(&self->config, reader, options->max_orders);
    self->config.kind = options->engine;
    self->config.hash_outputs = options->hash_outputs;
    if (flow_reader_format(reader) != FLOW_FORMAT_OWN)
        self->config.modify_priority = options->modify_priority;
    preparation_t preparation = {.flow = self};
    oc_err_t err = oc_engine_create(&preparation.engine, &self->config, NULL, NULL);
    if (err != OC_ERR_OK)
        return err;
    err = prepare_records(&preparation, reader, options);
    if (err == OC_ERR_OK)
        self->state_hash = oc_engine_state_hash(preparation.engine);
    oc_engine_destroy(preparation.engine);
    return err;
}

oc_err_t prepared_flow_read(prepared_flow_t *self, const prepared_flow_options_t *options)
{
    memset(self, 0, sizeof *self);
    flow_reader_t *reader;
    oc_err_t err = flow_reader_open(&reader, options->path, options->format);
    if (err != OC_ERR_OK)
        return err;
    err = prepare_file(self, reader, options);
    flow_reader_close(reader);
    if (err != OC_ERR_OK)
        prepared_flow_fini(self);
    return err;
}

void prepared_flow_fini(prepared_flow_t *self)
{
    free(self->commands);
    self->commands = NULL;
}
