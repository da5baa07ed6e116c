/*
 * What a replay says at its end, as `key: value` lines.
 */
#ifndef CLI_REPLAY_SUMMARY_H
#define CLI_REPLAY_SUMMARY_H

#include "outcry/engine.h"

#include <stdio.h>

typedef struct replay_summary {
    uint64_t commands; /* applied, those of the host that set things up included */
    uint64_t rejected;
    uint64_t rejected_by[OC_REASON_COUNT];
    uint64_t trades;
    uint64_t traded_quantity;
    uint32_t resting_orders;
    uint32_t levels;
    uint64_t executions_off_head;
    uint64_t skipped; /* records that became no command */
    uint64_t state_hash;
    double ns_per_command; /* engine time */
    double ns_p50;
    double ns_p99;
    double ns_p999;
    double ns_max;
    double bytes_per_resting_order;
    uint64_t peak_memory_bytes;
} replay_summary_t;

/* Counts what the events of a command tell. */
void replay_summary_events(replay_summary_t *self, const oc_event_t *events, size_t count);

void replay_summary_print(const replay_summary_t *self, FILE *out);

#endif
