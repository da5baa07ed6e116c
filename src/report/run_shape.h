/*
 * The shape of a run file (docs/formats/run.md): which members it must have, and of what type.
 */
#ifndef REPORT_RUN_SHAPE_H
#define REPORT_RUN_SHAPE_H

#include "outcry/error.h"

#include <jansson.h>

/*
 * Whether `root` (borrowed) is a run of a version that this build reads, whole, and without
 * contradictions. `name` is the file's, for messages; they name the member by its path, as
 * series[2].percentiles[0].value. OC_ERR_FORMAT.
 *
 * What has passed can be read without further checks of members that the format requires. Members
 * that the format does not know are passed over.
 */
OC_MUST_CHECK oc_err_t run_shape_check(json_t *root, const char *name);

#endif
