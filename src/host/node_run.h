/*
 * A node as a process: signals, output, the loop around the duty cycle. oc_node_run() of
 * outcry/service.h (src/cluster/run.c) is this with a configuration file.
 */
#ifndef HOST_NODE_RUN_H
#define HOST_NODE_RUN_H

#include "host/node_config.h"
#include "outcry/service.h"

/*
 * Runs a node until SIGTERM, SIGINT or the service's stop. Prints to stdout
 * `ready: HOST:PORT` when clients may come, and at an orderly end `stopped: orderly`, `position:`,
 * `entries:`, `term:`, `state_hash:`, the counters of the gateway, and how many images were made;
 * to stderr by which file it runs and what recovery found. The directory of a cluster's member is
 * refused. Both are borrowed. A signal that comes during the recovery ends it
 * right after, without `ready`. A program that has more to do before takes the signals itself
 * (base/process_signals.h): then this returns OC_ERR_OK at once if one came, without touching the
 * directory.
 */
OC_MUST_CHECK oc_err_t node_run(const oc_service_t *service, const node_config_t *config);

/* Puts what a command line says over what a file says; `ingress` may be NULL. OC_ERR_TOO_LONG. */
OC_MUST_CHECK oc_err_t node_config_apply_options(node_config_t *config, const char *dir,
                                                 const char *ingress);

#endif
