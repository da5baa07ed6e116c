/*
 * A member as operators' tools find it: its directory, the configuration in it, and the driver and
 * module that belong to it.
 */
#ifndef CLI_CLUSTER_PLACE_H
#define CLI_CLUSTER_PLACE_H

#include "aeron/counter_table.h"
#include "cluster/member_config.h"
#include "cluster/module_counters.h"
#include "outcry/error.h"

#include <stdbool.h>

typedef struct cluster_place {
    member_config_t config; /* node.dir and node.aeron_dir are set */
} cluster_place_t;

/* Reads DIR/outcry.conf. OC_ERR_OPEN: there is no such directory, or no member's in it; those of
 * member_config_read_part() and member_config_check(). */
OC_MUST_CHECK oc_err_t cluster_place_open(cluster_place_t *self, const char *dir);

/* The directory beside this one that belongs to another member of the same cluster; false: there is
 * none. */
bool cluster_place_neighbour(const cluster_place_t *self, uint32_t member,
                             cluster_place_t *neighbour);

/* The counters of the module, read-only. OC_ERR_NOT_CONNECTED: driver or module is not there; the
 * context says so of the member where that is why. The caller: counter_table_close(). */
OC_MUST_CHECK oc_err_t cluster_place_counters(const cluster_place_t *self, counter_table_t **table,
                                              module_counters_t *counters);

/* Whether the module of this member leads now; false also when it cannot be seen. */
bool cluster_place_leads(const cluster_place_t *self);

/* Moves `self` to the member that leads, if that is this one or one beside it. */
bool cluster_place_find_leader(cluster_place_t *self);

#endif
