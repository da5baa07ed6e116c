/*
 * The public calls of outcry/service.h, forwarded to the host that runs the service.
 *
 * Called by services. Holds no state; must not decide anything.
 */
#include "host/host_calls.h"

#include "base/assert.h"

void oc_host_send(oc_host_t *host, oc_session_id_t session, const void *bytes, size_t length)
{
    OC_ASSERT(length <= host->calls->message_max(host));
    host->calls->send(host, session, bytes, length);
}

size_t oc_host_message_max(const oc_host_t *host)
{
    return host->calls->message_max(host);
}

bool oc_host_schedule_timer(oc_host_t *host, oc_timer_id_t timer, int64_t deadline_ns)
{
    return host->calls->schedule_timer(host, timer, deadline_ns);
}

bool oc_host_cancel_timer(oc_host_t *host, oc_timer_id_t timer)
{
    return host->calls->cancel_timer(host, timer);
}

void oc_host_close_session(oc_host_t *host, oc_session_id_t session)
{
    host->calls->close_session(host, session);
}

void oc_host_stop(oc_host_t *host)
{
    host->calls->stop(host);
}
