/*
 * What a running consensus module of a rig's member shows in its driver's counters, and its toggle.
 */
#ifndef LIB_MODULE_VIEW_H
#define LIB_MODULE_VIEW_H

#include "cluster/module_counters.h"
#include "lib/cluster_rig.h"

#include <stdbool.h>

typedef struct module_view {
    embedded_t *embedded;
    counter_table_t *table;
    module_counters_t counters;
} module_view_t;

/* The member must be whole; the test fails otherwise. The view may outlive driver and module. */
void module_view_open(module_view_t *self, cluster_rig_t *rig, uint32_t member);
void module_view_close(module_view_t *self);

/* Asks for an official snapshot; false: it does not lead, or something is under way. */
bool module_view_snapshot(const module_view_t *self);

/* One is being taken just now. */
bool module_view_records(const module_view_t *self);

#endif
