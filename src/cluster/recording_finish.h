/*
 * Leaves an archive nothing to find out about the end of a recording when it starts.
 *
 * Threads: any; there is no state.
 */
#ifndef CLUSTER_RECORDING_FINISH_H
#define CLUSTER_RECORDING_FINISH_H

#include "outcry/error.h"

#include <stdint.h>

/*
 * Ends a recording where recording_end() finds its end, durably: behind that the segment is zeros,
 * and the catalog says so. Only while no archive runs there. *cut is where something was taken
 * away, -1: nothing was. Errors: those of recording_end(), and OC_ERR_DAMAGED, if there are
 * segments behind a stop position; OC_ERR_WRITE, OC_ERR_NO_SPACE, OC_ERR_SYNC.
 */
OC_MUST_CHECK oc_err_t recording_finish(const char *archive_dir, int64_t id, int64_t *cut);

#endif
