/*
 * Reads a whole recording and says what came of it; damages recordings systematically.
 */
#ifndef LIB_FLOW_RUN_H
#define LIB_FLOW_RUN_H

#include "input/flow_reader.h"

#define FLOW_KIND_COUNT (FLOW_COMMAND + 1)
#define FLOW_RUN_KEPT   16

typedef struct flow_run {
    oc_err_t open_err;    /* of opening; the rest is zero when it failed */
    flow_status_t status; /* FLOW_END or FLOW_FAILED; FLOW_FAILED when opening failed */
    flow_format_t format;
    uint64_t records;
    uint64_t kinds[FLOW_KIND_COUNT];
    uint64_t iocs;                     /* FLOW_NEW with OC_TIF_IOC */
    uint64_t not_last;                 /* records without last_in_event */
    flow_record_t kept[FLOW_RUN_KEPT]; /* the first ones */
    char context[512];                 /* what the context line said at the failure */
} flow_run_t;

/* Reads from an exact copy on the heap, so that a sanitizer sees a read past the end. */
flow_run_t flow_run_memory(const void *bytes, size_t size, flow_format_t format);
flow_run_t flow_run_file(const char *path, flow_format_t format);

/* Reads every proper prefix; checks that each fails except those whose size `may_end` allows. */
void flow_run_prefixes(const void *bytes, size_t size, flow_format_t format,
                       bool (*may_end)(size_t size));

/* Reads with every single bit turned; returns how many of the damages went unnoticed. */
size_t flow_run_flips(const void *bytes, size_t size, flow_format_t format);

#endif
