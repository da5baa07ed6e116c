/*
 * Engines for the benches. Called by each bench and the demo before the clock starts; the bytes per
 * order by replay as well.
 *
 * Invariant: an engine handed out has every instrument asked for. The tally must stay as cheap as
 * it is: it runs inside the measured time.
 */
#include "bench/bench_engine.h"

#include "base/assert.h"

#include <string.h>

void bench_engine_tally_sink(void *context, const oc_event_t *events, size_t count)
{
    (void)events;
    bench_engine_tally_t *tally = context;
    tally->events += count;
}

static oc_err_t add_source(oc_engine_t *engine)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_SOURCE_ADD;
    command.u.source.id.value = 1;
    command.u.source.roles = OC_ROLES_ALL;
    return oc_engine_apply(engine, &command);
}

static oc_err_t add_instrument(oc_engine_t *engine, const bench_engine_market_t *market,
                               uint32_t id)
{
    oc_command_t command;
    memset(&command, 0, sizeof command);
    command.type = OC_COMMAND_INSTRUMENT_ADD;
    command.instrument.value = id;
    command.u.instrument.price_low_ticks = market->price_low_ticks;
    command.u.instrument.price_high_ticks = market->price_high_ticks;
    command.u.instrument.max_quantity_lots = market->max_quantity_lots;
    command.u.instrument.state = OC_STATE_CONTINUOUS;
    return oc_engine_apply(engine, &command);
}

oc_err_t bench_engine_create(oc_engine_t **engine, const oc_engine_config_t *config,
                             const bench_engine_market_t *market, oc_event_sink_t sink,
                             void *context)
{
    oc_err_t err = oc_engine_create(engine, config, sink, context);
    if (err != OC_ERR_OK)
        return err;
    err = add_source(*engine);
    for (uint32_t id = 1; id <= market->instruments && err == OC_ERR_OK; id++)
        err = add_instrument(*engine, market, id);
    if (err == OC_ERR_OK) {
        oc_engine_counts_t counts;
        oc_engine_counts(*engine, &counts);
        OC_ASSERT(counts.instruments == market->instruments);
        return OC_ERR_OK;
    }
    oc_engine_destroy(*engine);
    *engine = NULL;
    return err;
}

double bench_engine_bytes_per_order(const oc_engine_t *engine)
{
    oc_engine_counts_t counts;
    oc_engine_memory_t memory;
    oc_engine_counts(engine, &counts);
    oc_engine_memory(engine, &memory);
    if (counts.orders == 0)
        return 0.0;
    const uint64_t bytes =
        memory.order_bytes + memory.index_bytes + memory.level_bytes + memory.source_list_bytes;
    return (double)bytes / counts.orders;
}
