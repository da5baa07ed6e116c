/*
 * One replay: an engine, records resolved into commands, every command timed, counted, recorded and
 * reported. The loop over a file is replay.c; tests drive a run record by record.
 */
#ifndef CLI_REPLAY_RUN_H
#define CLI_REPLAY_RUN_H

#include "base/cycle_clock.h"
#include "base/histogram.h"
#include "cli/flow_resolver.h"
#include "cli/replay_summary.h"
#include "cli/report_writer.h"
#include "input/tape_writer.h"

/* Events of the commands of one record. Grows and keeps its size. */
typedef struct event_list {
    oc_event_t *events;
    size_t count;
    size_t capacity;
    bool no_memory;
} event_list_t;

typedef struct replay_run {
    oc_engine_t *engine; /* owned */
    flow_resolver_t resolver;
    event_list_t events;      /* of the record in hand */
    size_t events_seen;       /* those of the commands before the last */
    report_writer_t *reports; /* borrowed; NULL: none */
    tape_writer_t *tape;      /* borrowed; NULL: none */
    histogram_t *ticks;       /* owned; engine time of each command */
    cycle_clock_t clock;
    replay_summary_t summary; /* counts so far; complete after replay_run_summarise() */
} replay_run_t;

/*
 * Creates the engine and starts a run; replay_run_fini() ends it. Errors as oc_engine_create();
 * *self is zero then and may be given to replay_run_fini().
 */
OC_MUST_CHECK oc_err_t replay_run_init(replay_run_t *self, const oc_engine_config_t *engine,
                                       const flow_resolver_config_t *flow);

/*
 * Where reports and the recording go, before the first record; both are borrowed until
 * replay_run_fini(), both may be NULL.
 */
void replay_run_output(replay_run_t *self, report_writer_t *reports, tape_writer_t *tape);

/* Applies one record (borrowed for the call). The record's events stay in self->events until the
 * next one. */
OC_MUST_CHECK oc_err_t replay_run_record(replay_run_t *self, const flow_record_t *record);

/* Completes self->summary by what only the end knows. */
void replay_run_summarise(replay_run_t *self);

/* Frees what the run owns; a zeroed struct is allowed. */
void replay_run_fini(replay_run_t *self);

#define REPLAY_RUN_MAX_ORDERS         (UINT64_C(1) << 27)
#define REPLAY_RUN_MAX_ORDERS_DEFAULT UINT64_C(1048576)

/*
 * The engine configuration to replay an opened file under. An own tape: the one it was recorded
 * under. Others: the defaults, `max_orders`, a quarter of it as levels, and room for the
 * instruments that the format can name.
 */
void replay_run_config(oc_engine_config_t *config, const flow_reader_t *reader,
                       uint32_t max_orders);

/*
 * Largest total of an order that instruments are added with: all orders together fit 63 bits.
 * config->max_orders must not be 0.
 */
int64_t replay_run_max_quantity(const oc_engine_config_t *config);

#endif
