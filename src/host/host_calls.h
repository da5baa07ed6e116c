/*
 * What a service may ask of its host (oc_host_send() and so on, outcry/service.h), as a table that
 * every host fills: several kinds of host live in one program, and tests have one of their own.
 *
 * Threads: the host's core alone, inside calls of the service's table.
 */
#ifndef HOST_HOST_CALLS_H
#define HOST_HOST_CALLS_H

#include "outcry/service.h"

/* All are needed. Each gets the host that the service was started with. */
typedef struct host_calls {
    void (*send)(oc_host_t *host, oc_session_id_t session, const void *bytes, size_t length);
    size_t (*message_max)(const oc_host_t *host);
    bool (*schedule_timer)(oc_host_t *host, oc_timer_id_t timer, int64_t deadline_ns);
    bool (*cancel_timer)(oc_host_t *host, oc_timer_id_t timer);
    void (*close_session)(oc_host_t *host, oc_session_id_t session);
    void (*stop)(oc_host_t *host);
} host_calls_t;

/* First member of every host's own struct. */
struct oc_host {
    const host_calls_t *calls; /* borrowed for the host's life */
};

#endif
