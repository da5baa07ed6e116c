/*
 * A load that is ready to run: schedule, orders and histograms are made before anything is timed;
 * then it runs against a venue, as often as one likes.
 *
 * Threads: one at a time.
 */
#ifndef CLI_LOAD_SETUP_H
#define CLI_LOAD_SETUP_H

#include "aeron/secret_file.h"
#include "bench/arrival_plan.h"
#include "bench/load_venue.h"
#include "cli/load_terms.h"
#include "cli/prepared_flow.h"

/* All that a load owns. A plan must not be copied, so neither must this. */
typedef struct load_setup {
    const load_terms_t *terms; /* borrowed */
    arrival_plan_t plan;       /* open loop */
    uint64_t duration_ns;
    workload_t workload;
    prepared_flow_t prepared;
    load_flow_t flow;
    oc_command_t *instruments;
    size_t instrument_count;
    size_t left_out;
    secret_file_secret_t trader_secret;
    secret_file_secret_t admin_secret;
    load_recorder_t recorder;
    response_log_t log;
    double start_s; /* of the last run, since the epoch */
} load_setup_t;

/* What became of a run, beside what the recorder has. */
typedef struct load_outcome {
    load_result_t result;
    load_venue_counts_t links;
    char reason[256]; /* why the venue ended a session, if result.closed */
} load_outcome_t;

/* Reads the files that the terms name. The caller owns what is in *self, also after an error:
 * load_setup_fini(). Errors: those of the schedule, the flow and the secrets. */
OC_MUST_CHECK oc_err_t load_setup_init(load_setup_t *self, const load_terms_t *terms);
void load_setup_fini(load_setup_t *self); /* a zeroed struct is allowed */

/* Most orders of all clients that rest at a time; of a file it is not known: 0. */
uint64_t load_setup_resting(const load_setup_t *self);

/*
 * Run `repeat` (from 0) at a venue. Each has instruments of its own, but those of a file are what
 * they are. Errors: nobody there, not admitted, the book not filled, nothing sent behind the
 * warm-up; OC_ERR_INTERRUPTED. A venue
 * that ends a session is none: the outcome tells.
 */
OC_MUST_CHECK oc_err_t load_setup_run(load_setup_t *self, const char *ingress, uint32_t repeat,
                                      load_outcome_t *outcome);

#endif
