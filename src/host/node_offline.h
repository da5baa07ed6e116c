/*
 * What is done with the state of a node that does not run: an image taken, loaded, carried over
 * into another directory. Used by `outcry snapshot` and `outcry log`.
 */
#ifndef HOST_NODE_OFFLINE_H
#define HOST_NODE_OFFLINE_H

#include "host/node_config.h"
#include "outcry/service.h"
#include "snapshot/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes an image of a stopped node: locks the directory, recovers, begins a term, makes the image
 * (`full`: not incremental), and ends orderly. max_timers is the log's, whatever *config says.
 * `service` was never started, and is stopped in the end. Errors: OC_ERR_LOCKED (the node runs: ask
 * it), OC_ERR_INVALID_ARGUMENT (the log has no entry; the service has no images), those of a start;
 * why it came to no image.
 */
OC_MUST_CHECK oc_err_t node_take(const node_config_t *config, const oc_service_t *service,
                                 bool full, snapshot_status_t *status);

/*
 * Loads one image (`sequence`; 0: the newest) into a service that was never started, without
 * looking at the log. The service is left started, without a host: it can be asked for its state
 * and destroyed, nothing else. Errors: OC_ERR_INVALID_ARGUMENT (there is no such image), those of a
 * start: nothing is passed over here.
 */
OC_MUST_CHECK oc_err_t node_load(const char *dir, const oc_service_t *service, uint64_t sequence,
                                 unsigned threads, image_info_t *info);

/* node_load(), and writes the state in the form that does not depend on the build
 * (docs/formats/state-file.md). Errors: also OC_ERR_INVALID_ARGUMENT (the service has no such
 * form), those of service and sink. */
OC_MUST_CHECK oc_err_t node_export(const char *dir, const oc_service_t *service, uint64_t sequence,
                                   oc_capture_sink_t sink, void *sink_context, image_info_t *info);

/*
 * Makes a directory that a node can start in out of an exported state: a log whose first entry says
 * so, and an image behind it. Sessions of the state that were open are closed by the node's first
 * entries. `service` was never started, and is stopped in the end. Errors: OC_ERR_INVALID_ARGUMENT
 * (the directory has a log or images; the service has no such form), OC_ERR_INVALID_CONFIG (there
 * is no room for the timers or sessions), OC_ERR_DAMAGED (also: half an import is there, or bytes
 * behind the state), those of a start, of service and source. The source answers
 * OC_ERR_TRUNCATED when it is asked for more than it has; it is, in the end. What an import that
 * failed or was killed leaves behind cannot be started from: the file "importing" says so.
 */
OC_MUST_CHECK oc_err_t node_import(const node_config_t *config, const oc_service_t *service,
                                   oc_restore_source_t source, void *source_context,
                                   image_info_t *info);

#endif
