/*
 * The module link on Aeron: the official Java consensus module and archive, on the driver that they
 * share with this process.
 *
 * Threads: one at a time, that which steps the client: the core's, and while the core is held up
 * by its recovery the one that takes its place.
 */
#ifndef CLUSTER_MODULE_AERON_H
#define CLUSTER_MODULE_AERON_H

#include "aeron/embedded.h"
#include "cluster/module_link.h"

/* Of the archive's and the module's local channels, as cluster/java sets them. */
#define MODULE_CONTROL_CHANNEL "aeron:ipc?term-length=128k"
#define MODULE_TO_SERVICE      104
#define MODULE_FROM_SERVICE    105
#define MODULE_SNAPSHOT_STREAM 106

/* On which the archive answers this process; others on the driver use others. */
#define MODULE_ARCHIVE_RESPONSE_STREAM 120

typedef struct module_aeron module_aeron_t;

/* Adds publication and subscription for the module's control; `embedded` is borrowed for its life.
 * OC_ERR_NO_MEMORY, OC_ERR_TRANSPORT. The caller owns *module: module_aeron_destroy(). */
OC_MUST_CHECK oc_err_t module_aeron_create(module_aeron_t **module, embedded_t *embedded,
                                           int64_t cluster_id);
void module_aeron_destroy(module_aeron_t *self); /* NULL is allowed */

/* The table; `self` is borrowed for its use. */
module_link_t module_aeron_link(module_aeron_t *self);

#endif
