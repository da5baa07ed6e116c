/*
 * DIR/module.properties: what the Java process of a member is told (cluster/java).
 *
 * Threads: any.
 */
#ifndef CLUSTER_MODULE_PROPERTIES_H
#define CLUSTER_MODULE_PROPERTIES_H

#include "cluster/member_config.h"
#include "outcry/error.h"

/* Writes the file, whole or not at all. `aeron_dir` is of the driver. OC_ERR_WRITE;
 * OC_ERR_INVALID_CONFIG: the members do not fit. */
OC_MUST_CHECK oc_err_t module_properties_write(const member_config_t *config,
                                               const char *aeron_dir);

#endif
