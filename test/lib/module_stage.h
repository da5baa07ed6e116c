/*
 * A member's directory with a driver and what a consensus module shows on it, without a module: for
 * tests of operators' tools. A thread can act as the module does: on its control toggle, and on
 * queries of its members.
 */
#ifndef LIB_MODULE_STAGE_H
#define LIB_MODULE_STAGE_H

#include "aeron/embedded.h"
#include "cluster/module_counters.h"
#include "lib/temp_dir.h"

#include <aeronc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct module_stage {
    temp_dir_t base;
    char dir[300];       /* base/mID */
    char aeron_dir[128]; /* of the driver, as the tools find it */
    embedded_t *embedded;
    aeron_counter_t *counters[MODULE_COUNTERS];
    aeron_publication_t *publication;   /* to whoever asks for members */
    aeron_subscription_t *subscription; /* of what they ask */
    pthread_t thread;
    bool playing;
    uint32_t members;
    uint32_t id;
    _Atomic bool stop;
    _Atomic bool no_snapshot; /* it neutralises the toggle, but no snapshot is there */
    _Atomic bool deaf;        /* it acts on nothing */
} module_stage_t;

/* Makes base/mID with an outcry.conf of `members` members; no driver yet. */
void module_stage_begin(module_stage_t *self, uint32_t members, uint32_t id);
void module_stage_end(module_stage_t *self);

/* Another member's directory beside it, without a driver. */
void module_stage_neighbour(const module_stage_t *self, uint32_t id);

/* Starts the driver; then the module's counters, as a leader's in quiet times. */
void module_stage_driver(module_stage_t *self);
void module_stage_counters(module_stage_t *self, int32_t cluster_id);

/* From here on a thread acts as the module; nothing else may be called but set and get. */
void module_stage_play(module_stage_t *self);

void module_stage_set(module_stage_t *self, module_counter_t counter, int64_t value);
int64_t module_stage_get(const module_stage_t *self, module_counter_t counter);

/* The module's answer to a query; returns its size, at most 1024 bytes. */
size_t module_stage_members(const module_stage_t *self, int64_t correlation_id, void *bytes);

#endif
