/*
 * A member of a cluster as a process: driver, module, container, and the loop around the duty
 * cycle.
 */
#ifndef CLUSTER_MEMBER_RUN_H
#define CLUSTER_MEMBER_RUN_H

#include "cluster/member_config.h"
#include "outcry/service.h"

/*
 * Runs a service as a member until SIGTERM, SIGINT or the cluster's orderly end. Both are borrowed.
 * Prints to stdout `member N: starting`, what was recovered, each change of the role, and at last
 * `member N: ended: position P, entries E, state_hash H`.
 *
 * Errors: OC_ERR_LOCKED (another member runs in the directory, or on the driver for the same
 * module); OC_ERR_CLOSED (module or driver is gone: start it again); OC_ERR_DAMAGED (state, log and
 * snapshot do not go together; this member has diverged); those of the configuration, the driver,
 * module_process_start() and the service.
 */
OC_MUST_CHECK oc_err_t member_run(const oc_service_t *service, const member_config_t *config);

#endif
