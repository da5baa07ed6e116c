/*
 * A request for an image over the control socket of a node or a member, in a thread of its own, so
 * that probes go on meanwhile; and what the answer tells.
 *
 * Threads: the owner's, and one more while a request is under way.
 */
#ifndef BENCH_IMAGE_REQUEST_H
#define BENCH_IMAGE_REQUEST_H

#include "host/control.h"
#include "outcry/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What is told of an image; times behind the begin count from it. */
typedef struct image_facts {
    uint64_t position;
    uint64_t begin_ns; /* clock_wall_ns() */
    uint64_t pause_ns;
    uint64_t sweep_ns;
    uint64_t commit_ns;
    uint64_t pages_owner;
    uint64_t bytes;
} image_facts_t;

typedef struct image_request {
    const char *dir;  /* borrowed */
    const char *text; /* borrowed */
    pthread_t thread;
    _Atomic bool done;
    oc_err_t err;
    char answer[CONTROL_LINE_MAX];
    char context[512];
} image_request_t;

/* Asks for one: `text` is "snapshot" or "snapshot full"; both strings are borrowed until
 * image_request_finish(), which must follow. OC_ERR_NO_MEMORY. */
OC_MUST_CHECK oc_err_t image_request_start(image_request_t *self, const char *dir,
                                           const char *text);

/* Whether it was answered; `context` is the image_request_t, as probe_stream_run() wants it. */
bool image_request_done(void *context);

/* Waits for the answer. Errors: control_request(); OC_ERR_FORMAT: it is not understood. */
OC_MUST_CHECK oc_err_t image_request_finish(image_request_t *self, image_facts_t *facts);

#endif
