/*
 * Images asked for while probes go on. Called by the benches of snapshots, of nodes and clusters.
 *
 * Invariant: what the thread writes is read only behind `done`. It must not touch the probes.
 */
#define _GNU_SOURCE
#include "bench/image_request.h"

#include "base/error.h"
#include "bench/measured_node.h"

#include <stdio.h>
#include <string.h>

#define IMAGE_NS INT64_C(300000000000)

static void *request_main(void *context)
{
    image_request_t *self = context;
    self->err = control_request(self->dir, self->text, self->answer, sizeof self->answer, IMAGE_NS);
    if (self->err != OC_ERR_OK)
        (void)snprintf(self->context, sizeof self->context, "%s", oc_err_context());
    /* Release: the answer. */
    atomic_store_explicit(&self->done, true, memory_order_release);
    return NULL;
}

oc_err_t image_request_start(image_request_t *self, const char *dir, const char *text)
{
    memset(self, 0, sizeof *self);
    self->dir = dir;
    self->text = text;
    const int failed = pthread_create(&self->thread, NULL, request_main, self);
    if (failed)
        return error_set(OC_ERR_NO_MEMORY, "cannot start a thread: %s", strerror(failed));
    return OC_ERR_OK;
}

bool image_request_done(void *context)
{
    /* Acquire: the answer. */
    return atomic_load_explicit(&((image_request_t *)context)->done, memory_order_acquire);
}

oc_err_t image_request_finish(image_request_t *self, image_facts_t *facts)
{
    (void)pthread_join(self->thread, NULL);
    if (self->err != OC_ERR_OK)
        return error_set(self->err, "%s", self->context);
    *facts = (image_facts_t){
        .position = measured_node_number(self->answer, "position"),
        .begin_ns = measured_node_number(self->answer, "begin_ns"),
        .pause_ns = measured_node_number(self->answer, "pause_ns"),
        .sweep_ns = measured_node_number(self->answer, "sweep_ns"),
        .commit_ns = measured_node_number(self->answer, "commit_ns"),
        .pages_owner = measured_node_number(self->answer, "pages_owner"),
        .bytes = measured_node_number(self->answer, "bytes"),
    };
    if (facts->begin_ns == 0 || facts->commit_ns == 0)
        return error_set(OC_ERR_FORMAT, "the answer is not understood: %.200s", self->answer);
    return OC_ERR_OK;
}
