/*
 * The counting service of the hosts' tests. Its state changes only by what entries say.
 */
#include "lib/tally_service.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

static void fold(tally_t *self, const oc_log_entry_t *entry, uint64_t what)
{
    self->hash = (self->hash ^ what ^ entry->position ^ (uint64_t)entry->time_ns) *
                 UINT64_C(0x9e3779b97f4a7c15);
    self->hash ^= self->hash >> 29;
    self->position = entry->position;
    self->time_ns = entry->time_ns;
}

static const void *tally_configuration(void *context, size_t *length)
{
    const tally_t *self = context;
    *length = strlen(self->configuration);
    return self->configuration;
}

static void tally_describe(void *context, const void *bytes, size_t length, char *text,
                           size_t text_size)
{
    (void)context;
    (void)snprintf(text, text_size, "'%.*s'", (int)length, (const char *)bytes);
}

static oc_err_t tally_start(void *context, oc_host_t *host)
{
    tally_t *self = context;
    self->host = host;
    self->starts++;
    return self->start_error == OC_ERR_OK ? OC_ERR_OK
                                          : error_set(self->start_error, "as asked for");
}

static void tally_stop(void *context)
{
    ((tally_t *)context)->stops++;
}

static void tally_open(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                       const void *principal, size_t length)
{
    tally_t *self = context;
    fold(self, entry, session.value + length + (length ? *(const uint8_t *)principal : 0));
    self->last_session = session;
    self->opened++;
}

static void tally_close(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        oc_close_reason_t reason)
{
    tally_t *self = context;
    fold(self, entry, session.value ^ (uint64_t)reason << 32);
    self->close_reason = reason;
    self->closed++;
}

static void answer(tally_t *self, oc_session_id_t session, tally_answer_kind_t kind, int64_t value)
{
    const tally_answer_t bytes = {
        .kind = (uint32_t)kind, .value = value, .position = self->position};
    oc_host_send(self->host, session, &bytes, sizeof bytes);
}

static void flood(tally_t *self, oc_session_id_t session, int64_t count)
{
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        const tally_answer_t bytes = {
            .kind = TALLY_SUM, .index = i, .value = self->sum, .position = self->position};
        oc_host_send(self->host, session, &bytes, sizeof bytes);
    }
}

static oc_err_t tally_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                              const void *bytes, size_t length)
{
    tally_t *self = context;
    tally_request_t request = {0};
    self->messages++;
    fold(self, entry, length);
    if (length != sizeof request)
        return OC_ERR_OK;
    memcpy(&request, bytes, sizeof request);
    fold(self, entry, (uint64_t)request.argument);
    const oc_timer_id_t timer = {request.argument};
    switch ((tally_op_t)request.op) {
    case TALLY_ADD:
        self->sum += request.argument;
        answer(self, session, TALLY_SUM, self->sum);
        break;
    case TALLY_TIMER:
        self->refused_timer =
            !oc_host_schedule_timer(self->host, timer, entry->time_ns + request.delay_ns);
        break;
    case TALLY_CANCEL:
        (void)oc_host_cancel_timer(self->host, timer);
        break;
    case TALLY_CLOSE:
        oc_host_close_session(self->host, session);
        break;
    case TALLY_STOP:
        oc_host_stop(self->host);
        break;
    case TALLY_BUSY:
        self->busy = request.argument;
        break;
    case TALLY_FLOOD:
        flood(self, session, request.argument);
        break;
    case TALLY_FAIL:
        return error_set(OC_ERR_RULES_VERSION, "as asked for");
    }
    return OC_ERR_OK;
}

static oc_err_t tally_timer(void *context, const oc_log_entry_t *entry, oc_timer_id_t timer)
{
    tally_t *self = context;
    fold(self, entry, (uint64_t)timer.value);
    self->fired++;
    answer(self, self->last_session, TALLY_FIRED, timer.value);
    return OC_ERR_OK;
}

static oc_err_t tally_time(void *context, const oc_log_entry_t *entry)
{
    tally_t *self = context;
    fold(self, entry, 77);
    self->timed++;
    if (self->busy > 0)
        self->busy--;
    answer(self, self->last_session, TALLY_TIMED, self->busy);
    return OC_ERR_OK;
}

static oc_err_t tally_notice(void *context, const oc_log_entry_t *entry, oc_notice_t notice)
{
    tally_t *self = context;
    fold(self, entry, (uint64_t)notice);
    self->notices[notice]++;
    return OC_ERR_OK;
}

static bool tally_busy(void *context)
{
    return ((const tally_t *)context)->busy > 0;
}

static uint64_t tally_hash(void *context)
{
    return ((const tally_t *)context)->hash;
}

static void tally_role(void *context, oc_role_t role)
{
    ((tally_t *)context)->roles[role]++;
}

void tally_init(tally_t *tally)
{
    *tally = (tally_t){
        .configuration = "tally 1",
        .service =
            {
                .configuration = tally_configuration,
                .describe = tally_describe,
                .start = tally_start,
                .stop = tally_stop,
                .session_open = tally_open,
                .session_close = tally_close,
                .message = tally_message,
                .timer = tally_timer,
                .time = tally_time,
                .notice = tally_notice,
                .busy = tally_busy,
                .state_hash = tally_hash,
                .role = tally_role,
            },
    };
    tally->service.context = tally;
}
