/*
 * The venue of the workloads, and its book filled. Called by the benches of nodes and of clusters.
 *
 * Invariant: a book that was not filled whole is an error. It must not measure: the benches do.
 */
#define _GNU_SOURCE
#include "bench/measured_venue.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/process_signals.h"

#define GRACE_NS UINT64_C(5000000000)
#define FILL_NS  UINT64_C(1200000000000)

static const oc_command_t *trading_instrument(void)
{
    static const oc_command_t instrument = {
        .type = OC_COMMAND_INSTRUMENT_ADD,
        .instrument = {1},
        .u.instrument =
            {
                .price_low_ticks = WORKLOAD_PRICE_MIDDLE - WORKLOAD_PRICE_HALF,
                .price_high_ticks = WORKLOAD_PRICE_MIDDLE + WORKLOAD_PRICE_HALF,
                .max_quantity_lots = 1000,
                .state = OC_STATE_CONTINUOUS,
            },
    };
    return &instrument;
}

void measured_venue_config(const char *ingress, load_venue_config_t *config, size_t clients)
{
    *config = (load_venue_config_t){
        .ingress = ingress,
        .admin = {.principal = "admin"},
        .admin_source = {1},
        .trader = {.principal = "bench"},
        .first_source = {MEASURED_VENUE_SOURCE},
        .clients = clients,
        .unanswered_max = MEASURED_VENUE_WINDOW,
        .instruments = trading_instrument(),
        .instrument_count = 1,
    };
}

oc_err_t measured_venue_load(const char *ingress, const load_flow_t *flow, load_config_t *load,
                             load_recorder_t *recorder, load_result_t *result)
{
    load_venue_config_t config;
    load_venue_t *venue;
    measured_venue_config(ingress, &config, 1);
    oc_err_t err = load_venue_prepare(&config);
    if (err == OC_ERR_OK)
        err = load_venue_connect(&venue, &config, flow, recorder);
    if (err != OC_ERR_OK)
        return err;
    load->clients = load_venue_clients(venue);
    load->give_up = process_end_requested;
    load_run(load, recorder, result);
    err = process_check_interrupted(OC_ERR_OK);
    if (err == OC_ERR_OK && result->closed)
        err = error_set(OC_ERR_CLOSED, "the venue ended the session: %s", load_venue_reason(venue));
    load_venue_close(venue);
    return err;
}

static oc_err_t fill_with(const char *ingress, const workload_t *workload)
{
    const load_flow_t flow = {.workload = workload, .count = workload->resting_count};
    load_config_t load = {
        .client_count = 1,
        .window = MEASURED_VENUE_WINDOW,
        .duration_ns = FILL_NS,
        .commands_max = workload->resting_count,
        .grace_ns = GRACE_NS,
    };
    load_recorder_t recorder;
    load_result_t result;
    oc_err_t err = load_recorder_init(&recorder, 1, FILL_NS);
    if (err != OC_ERR_OK)
        return err;
    err = measured_venue_load(ingress, &flow, &load, &recorder, &result);
    load_recorder_fini(&recorder);
    if (err != OC_ERR_OK)
        return err;
    if (load_result_faults(&result) || result.counts.rejected ||
        result.counts.answered != workload->resting_count)
        return error_set(OC_ERR_CLOSED,
                         "filling the book: of %u orders %llu were answered, %llu rejected",
                         workload->resting_count, (unsigned long long)result.counts.answered,
                         (unsigned long long)result.counts.rejected);
    return OC_ERR_OK;
}

oc_err_t measured_venue_fill(const char *ingress, uint32_t orders)
{
    OC_ASSERT(orders > 0);
    workload_t workload;
    oc_err_t err = workload_init(&workload, WORKLOAD_W1, orders, 0);
    if (err != OC_ERR_OK)
        return err;
    err = fill_with(ingress, &workload);
    workload_fini(&workload);
    return err;
}
