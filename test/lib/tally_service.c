/*
 * The counting service of the hosts' tests. Its state changes only by what entries say.
 */
#include "lib/tally_service.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* All that entries change: what an image has. */
typedef struct packed {
    uint64_t last_session;
    int64_t sum;
    int64_t busy;
    uint64_t hash;
    uint64_t position;
    int64_t time_ns;
    uint32_t opened;
    uint32_t closed;
    uint32_t messages;
    uint32_t fired;
    uint32_t timed;
    uint32_t session_count;
    uint64_t sessions[TALLY_SESSIONS_MAX];
} packed_t;

static void pack(const tally_t *self, packed_t *packed)
{
    *packed = (packed_t){
        .last_session = self->last_session.value,
        .sum = self->sum,
        .busy = self->busy,
        .hash = self->hash,
        .position = self->position,
        .time_ns = self->time_ns,
        .opened = self->opened,
        .closed = self->closed,
        .messages = self->messages,
        .fired = self->fired,
        .timed = self->timed,
        .session_count = self->session_count,
    };
    memcpy(packed->sessions, self->sessions, sizeof packed->sessions);
}

static oc_err_t unpack(tally_t *self, const packed_t *packed)
{
    if (packed->session_count > TALLY_SESSIONS_MAX)
        return error_set(OC_ERR_DAMAGED, "tally: %u sessions", packed->session_count);
    self->last_session.value = packed->last_session;
    self->sum = packed->sum;
    self->busy = packed->busy;
    self->hash = packed->hash;
    self->position = packed->position;
    self->time_ns = packed->time_ns;
    self->opened = packed->opened;
    self->closed = packed->closed;
    self->messages = packed->messages;
    self->fired = packed->fired;
    self->timed = packed->timed;
    self->session_count = packed->session_count;
    memcpy(self->sessions, packed->sessions, sizeof self->sessions);
    self->restores++;
    if (self->restore_wrong)
        self->hash ^= packed->messages > 0;
    return OC_ERR_OK;
}

/* The state as it is behind an entry goes to the arena, if there is one, and a mark to one of its
 * pages. */
static void keep(tally_t *self, uint64_t mark)
{
    packed_t packed;
    if (!self->arena.base)
        return;
    pack(self, &packed);
    oc_arena_touch(&self->arena, self->arena.base);
    memcpy(self->arena.base, &packed, sizeof packed);
    uint8_t *page = self->arena.base + (1 + mark % (TALLY_PAGES - 1)) * OC_ARENA_PAGE_SIZE;
    oc_arena_touch(&self->arena, page);
    memcpy(page + mark / TALLY_PAGES * 8 % OC_ARENA_PAGE_SIZE, &self->hash, sizeof self->hash);
}
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
    if (self->in_arena) {
        if (!oc_arena_init(&self->arena, "tally", 1, TALLY_PAGES * OC_ARENA_PAGE_SIZE, false))
            return error_set(OC_ERR_NO_MEMORY, "no memory for the tally");
        (void)oc_arena_alloc(&self->arena, TALLY_PAGES * OC_ARENA_PAGE_SIZE);
        oc_arena_seal(&self->arena);
    }
    return self->start_error == OC_ERR_OK ? OC_ERR_OK
                                          : error_set(self->start_error, "as asked for");
}

static void tally_stop(void *context)
{
    tally_t *self = context;
    self->stops++;
    if (self->in_arena)
        oc_arena_fini(&self->arena);
}

static void add_session(tally_t *self, oc_session_id_t session)
{
    if (self->session_count < TALLY_SESSIONS_MAX)
        self->sessions[self->session_count++] = session.value;
}

static void remove_session(tally_t *self, oc_session_id_t session)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->session_count; i++)
        if (self->sessions[i] != session.value)
            self->sessions[kept++] = self->sessions[i];
    for (uint32_t i = kept; i < self->session_count; i++)
        self->sessions[i] = 0;
    self->session_count = kept;
}

static void tally_open(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                       const void *principal, size_t length)
{
    tally_t *self = context;
    fold(self, entry, session.value + length + (length ? *(const uint8_t *)principal : 0));
    self->last_session = session;
    self->opened++;
    add_session(self, session);
    keep(self, session.value);
}

static void tally_close(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                        oc_close_reason_t reason)
{
    tally_t *self = context;
    fold(self, entry, session.value ^ (uint64_t)reason << 32);
    self->close_reason = reason;
    self->closed++;
    remove_session(self, session);
    keep(self, session.value);
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

static oc_err_t take_message(tally_t *self, const oc_log_entry_t *entry, oc_session_id_t session,
                             const void *bytes, size_t length)
{
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

static oc_err_t tally_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                              const void *bytes, size_t length)
{
    tally_t *self = context;
    const oc_err_t err = take_message(self, entry, session, bytes, length);
    keep(self, self->messages);
    return err;
}

static oc_err_t tally_timer(void *context, const oc_log_entry_t *entry, oc_timer_id_t timer)
{
    tally_t *self = context;
    fold(self, entry, (uint64_t)timer.value);
    self->fired++;
    keep(self, self->fired);
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
    keep(self, self->timed);
    answer(self, self->last_session, TALLY_TIMED, self->busy);
    return OC_ERR_OK;
}

static oc_err_t tally_notice(void *context, const oc_log_entry_t *entry, oc_notice_t notice)
{
    tally_t *self = context;
    fold(self, entry, (uint64_t)notice);
    self->notices[notice]++;
    keep(self, 0);
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

static oc_err_t tally_capture(void *context, oc_capture_sink_t sink, void *sink_context)
{
    const tally_t *self = context;
    packed_t packed;
    if (self->capture_error != OC_ERR_OK)
        return error_set(self->capture_error, "as asked for");
    pack(self, &packed);
    const oc_err_t err = sink(sink_context, &packed, sizeof packed);
    return err == OC_ERR_OK ? sink(sink_context, "end", 3) : err;
}

static oc_err_t tally_restore(void *context, oc_restore_source_t source, void *source_context)
{
    packed_t packed;
    char end[3];
    oc_err_t err = source(source_context, &packed, sizeof packed);
    if (err == OC_ERR_OK)
        err = source(source_context, end, sizeof end);
    if (err == OC_ERR_OK)
        err = unpack(context, &packed);
    if (err == OC_ERR_OK)
        keep(context, 0);
    return err;
}

static bool tally_next_session(void *context, oc_session_id_t after, oc_session_id_t *next)
{
    const tally_t *self = context;
    for (uint32_t i = 0; i < self->session_count; i++)
        if (self->sessions[i] > after.value) {
            next->value = self->sessions[i];
            return true;
        }
    return false;
}

static size_t tally_arenas(void *context, oc_arena_t **arenas, size_t capacity)
{
    tally_t *self = context;
    if (capacity == 0 || !self->arena.base)
        return 0;
    arenas[0] = &self->arena;
    return 1;
}

static oc_err_t tally_restored(void *context)
{
    tally_t *self = context;
    packed_t packed;
    memcpy(&packed, self->arena.base, sizeof packed);
    return unpack(self, &packed);
}

void tally_keep_stream(tally_t *tally)
{
    tally->service.capture = tally_capture;
    tally->service.restore = tally_restore;
    tally->service.next_session = tally_next_session;
}

void tally_keep_arena(tally_t *tally)
{
    tally->in_arena = true;
    tally->service.arenas = tally_arenas;
    tally->service.restored = tally_restored;
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
