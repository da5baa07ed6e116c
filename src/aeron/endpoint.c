/*
 * Adding publications and subscriptions, and waiting for the driver's answer. Called by the
 * cluster's host and by operators' tools.
 *
 * Invariant: an answer that comes too late adds nothing, because the question was taken back. It
 * must not be called from inside a poll: it steps the client.
 */
#define _GNU_SOURCE
#include "aeron/endpoint.h"

#include "base/cycle_clock.h"
#include "base/error.h"

#include <sched.h>
#include <time.h>

#define SPIN_NS UINT64_C(1000000)

/* What is being added, and the functions of its kind. */
typedef struct adding {
    const endpoint_request_t *request;
    void *async; /* Aeron's own */
    void *added; /* NULL: not yet */
    int (*poll)(struct adding *self);
    int (*cancel)(struct adding *self);
} adding_t;

/* What is waited for takes microseconds, or else milliseconds. */
void endpoint_pause(uint64_t start_ns)
{
    const struct timespec pause = {.tv_nsec = 50000};
    if (clock_wall_ns() - start_ns < SPIN_NS)
        (void)sched_yield();
    else
        (void)nanosleep(&pause, NULL);
}

static oc_err_t failed(const endpoint_request_t *request)
{
    return error_set(OC_ERR_TRANSPORT, "%s: %s", request->what, embedded_error_line());
}

static oc_err_t await(adding_t *self)
{
    const endpoint_request_t *request = self->request;
    const uint64_t start_ns = clock_wall_ns();
    int result;
    while ((result = self->poll(self)) == 0) {
        if (clock_wall_ns() - start_ns > request->timeout_ns) {
            (void)self->cancel(self);
            return error_set(OC_ERR_TIMEOUT, "%s: the driver in %s does not answer", request->what,
                             embedded_dir(request->embedded));
        }
        (void)embedded_do_work(request->embedded);
        endpoint_pause(start_ns);
    }
    return result < 0 ? failed(request) : OC_ERR_OK;
}

/* ---- A publication that is shared ---- */

static int poll_publication(adding_t *self)
{
    aeron_publication_t *added = NULL;
    const int result = aeron_async_add_publication_poll(&added, self->async);
    self->added = added;
    return result;
}

static int cancel_publication(adding_t *self)
{
    return aeron_async_add_publication_cancel(embedded_aeron(self->request->embedded), self->async);
}

oc_err_t endpoint_publication(const endpoint_request_t *request, aeron_publication_t **publication)
{
    aeron_async_add_publication_t *async;
    *publication = NULL;
    if (aeron_async_add_publication(&async, embedded_aeron(request->embedded), request->channel,
                                    request->stream) < 0)
        return failed(request);
    adding_t self = {request, async, NULL, poll_publication, cancel_publication};
    const oc_err_t err = await(&self);
    *publication = self.added;
    return err;
}

/* ---- One that is nobody else's ---- */

static int poll_exclusive(adding_t *self)
{
    aeron_exclusive_publication_t *added = NULL;
    const int result = aeron_async_add_exclusive_publication_poll(&added, self->async);
    self->added = added;
    return result;
}

static int cancel_exclusive(adding_t *self)
{
    return aeron_async_add_exclusive_publication_cancel(embedded_aeron(self->request->embedded),
                                                        self->async);
}

oc_err_t endpoint_exclusive(const endpoint_request_t *request,
                            aeron_exclusive_publication_t **publication)
{
    aeron_async_add_exclusive_publication_t *async;
    *publication = NULL;
    if (aeron_async_add_exclusive_publication(&async, embedded_aeron(request->embedded),
                                              request->channel, request->stream) < 0)
        return failed(request);
    adding_t self = {request, async, NULL, poll_exclusive, cancel_exclusive};
    const oc_err_t err = await(&self);
    *publication = self.added;
    return err;
}

/* ---- A subscription ---- */

static int poll_subscription(adding_t *self)
{
    aeron_subscription_t *added = NULL;
    const int result = aeron_async_add_subscription_poll(&added, self->async);
    self->added = added;
    return result;
}

static int cancel_subscription(adding_t *self)
{
    return aeron_async_add_subscription_cancel(embedded_aeron(self->request->embedded),
                                               self->async);
}

oc_err_t endpoint_subscription(const endpoint_request_t *request,
                               aeron_subscription_t **subscription)
{
    aeron_async_add_subscription_t *async;
    *subscription = NULL;
    if (aeron_async_add_subscription(&async, embedded_aeron(request->embedded), request->channel,
                                     request->stream, NULL, NULL, NULL, NULL) < 0)
        return failed(request);
    adding_t self = {request, async, NULL, poll_subscription, cancel_subscription};
    const oc_err_t err = await(&self);
    *subscription = self.added;
    return err;
}
