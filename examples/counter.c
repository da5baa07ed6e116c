/*
 * A whole service on a durable log: a counter. Each message is an 8-byte little-endian number; it
 * is added, and the total goes back to the sender the same way. A minute after the last message the
 * counter starts from 0 again. Its clients are any of the Aeron Cluster protocol, for example the
 * official Java AeronCluster.
 *
 *     counter DIR [HOST:PORT]
 *
 * Kill it and start it again: the total is what it was. It has no clock of its own: time comes with
 * the log's entries, so it is the same when they are applied again.
 */
#include "outcry/service.h"

#include <stdio.h>
#include <string.h>

#define IDLE_NS INT64_C(60000000000)

typedef struct counter {
    oc_host_t *host;
    int64_t total; /* this is the state */
} counter_t;

static const oc_timer_id_t idle_timer = {1};

static oc_err_t counter_start(void *context, oc_host_t *host)
{
    ((counter_t *)context)->host = host;
    return OC_ERR_OK;
}

static void counter_open(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                         const void *principal, size_t length)
{
    (void)context, (void)entry, (void)session, (void)principal, (void)length;
}

static void counter_close(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                          oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

static oc_err_t counter_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                                const void *bytes, size_t length)
{
    counter_t *self = context;
    int64_t number;
    if (length != sizeof number) /* whatever clients send, a service goes on */
        return OC_ERR_OK;
    memcpy(&number, bytes, sizeof number);
    self->total = (int64_t)((uint64_t)self->total + (uint64_t)number); /* wraps */
    oc_host_send(self->host, session, &self->total, sizeof self->total);
    oc_host_schedule_timer(self->host, idle_timer, entry->time_ns + IDLE_NS);
    return OC_ERR_OK;
}

static oc_err_t counter_timer(void *context, const oc_log_entry_t *entry, oc_timer_id_t timer)
{
    (void)entry, (void)timer;
    ((counter_t *)context)->total = 0;
    return OC_ERR_OK;
}

static oc_err_t counter_capture(void *context, oc_capture_sink_t sink, void *sink_context)
{
    const counter_t *self = context;
    return sink(sink_context, &self->total, sizeof self->total);
}

static oc_err_t counter_restore(void *context, oc_restore_source_t source, void *source_context)
{
    counter_t *self = context;
    return source(source_context, &self->total, sizeof self->total);
}

static oc_service_t counter_service(counter_t *counter)
{
    return (oc_service_t){
        .context = counter,
        .start = counter_start,
        .session_open = counter_open,
        .session_close = counter_close,
        .message = counter_message,
        .timer = counter_timer,
        .capture = counter_capture,
        .restore = counter_restore,
    };
}

int main(int argc, char **argv)
{
    counter_t counter = {.total = 0};
    const oc_service_t service = counter_service(&counter);
    const oc_node_options_t options = {.dir = argc > 1 ? argv[1] : "counter-log",
                                       .ingress = argc > 2 ? argv[2] : NULL};
    const oc_err_t err = oc_node_run(&service, &options);
    if (err != OC_ERR_OK)
        fprintf(stderr, "counter: %s: %s\n", oc_err_text(err), oc_err_context());
    return err != OC_ERR_OK;
}
