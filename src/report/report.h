/*
 * The report on one or more runs: as JSON, and as a page that needs nothing but itself.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "outcry/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define REPORT_VERSION 1

/*
 * {format, version, outcry, uplot, runs, comparison}; each run is {file, marked, groups, numbers,
 * run}. `runs` (borrowed) have passed run_shape_check(), `files` are their names, `version` is the
 * program's. There is a comparison if `compare` is set: exactly two runs of one bench, then.
 *
 * The caller owns *report. OC_ERR_NO_MEMORY.
 */
OC_MUST_CHECK oc_err_t report_make(json_t *const *runs, const char *const *files, size_t count,
                                   bool compare, const char *version, json_t **report);

/* The page of a report (borrowed). The caller frees *html; a zero follows its bytes.
 * OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t report_page(json_t *report, char **html, size_t *size);

#endif
