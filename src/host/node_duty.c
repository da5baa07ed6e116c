/*
 * The duty cycle of the core. Called by whoever runs a node, again and again.
 *
 * Order of a cycle, so that nothing waits for a cycle more than it must: the driver is stepped
 * (datagrams come in, what was sent before goes out), what is due by itself is sequenced, the
 * gateway takes ingress in and sends what is durable, a snapshot is begun if one is due, the
 * journal gets what was appended.
 *
 * Invariants: a cycle is bounded; after a failure of the journal nothing is sent any more; an
 * orderly end waits until everything sequenced is durable, and a while for clients to take it.
 */
#include "host/node_internal.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    TIMERS_PER_CYCLE = 64,
    CLOSES_PER_CYCLE = 64,
    /* Cycles between "all is handed to the driver" and the end: it sends from a buffer, in bounded
     * steps. */
    LINGER_CYCLES = 64,
};

#define FLUSH_INTERVAL_NS           INT64_C(1000000)
#define TRANSPORT_ERROR_INTERVAL_NS INT64_C(10000000000)

/* How long the end waits for clients that do not take what they were sent. */
#define LINGER_NS INT64_C(2000000000)

static const char *condition_text(journal_condition_t condition)
{
    switch (condition) {
    case JOURNAL_FINE:
        return "there is space again";
    case JOURNAL_LOW_SPACE:
        return "space is low: the service is told to take on nothing new";
    case JOURNAL_FULL:
        return "no space is left: nothing is taken in until there is some";
    case JOURNAL_FAILED:
        break;
    }
    return "the journal failed";
}

/* The service learns of low space once each time it becomes low, as soon as an entry has room. If
 * there is space again before that, it need not know: it would stop trading for nothing. */
static void watch_storage(node_t *self, journal_condition_t condition)
{
    if (condition == self->condition)
        return;
    if (self->condition == JOURNAL_FINE)
        self->storage_notice_due = true;
    else if (condition == JOURNAL_FINE)
        self->storage_notice_due = false;
    self->condition = condition;
    (void)fprintf(stderr, "outcry: %s: %s\n", self->config.dir, condition_text(condition));
}

static int sequence_notice(node_t *self, bool *due, oc_notice_t notice)
{
    log_record_t record = {.type = LOG_NOTICE, .notice = notice};
    if (!*due || !node_sequence(self, &record))
        return 0;
    *due = false;
    return 1;
}

static int sequence_notices(node_t *self)
{
    return sequence_notice(self, &self->recovery_notice_due, OC_NOTICE_RECOVERED) +
           sequence_notice(self, &self->storage_notice_due, OC_NOTICE_STORAGE_LOW);
}

static int sequence_timers(node_t *self)
{
    timer_entry_t timer;
    int count = 0;
    while (count < TIMERS_PER_CYCLE && timer_queue_first(&self->replica.timers, &timer) &&
           timer.deadline_ns <= self->now_ns) {
        log_record_t record = {.type = LOG_TIMER, .timer = timer.id};
        if (!node_sequence(self, &record) || self->failure != OC_ERR_OK)
            break;
        count++;
    }
    return count;
}

/* Sessions whose end the service asked for, the lowest id first. */
static int sequence_requested_closes(node_t *self)
{
    const session_ledger_t *sessions = &self->replica.sessions;
    int count = 0;
    for (uint32_t i = 0;
         sessions->state->closing > 0 && i < sessions->state->count && count < CLOSES_PER_CYCLE;) {
        const ledger_session_t *session = session_ledger_at(sessions, i);
        if (!session->closing) {
            i++;
            continue;
        }
        if (!node_sequence_close(self, session->id, OC_CLOSE_SERVICE))
            break;
        count++;
    }
    return count;
}

/* All of them, before ingress: so that the list has room for those that it brings. */
static int sequence_unreachable(node_t *self)
{
    int count = 0;
    while (self->unreachable_count > 0) {
        const oc_session_id_t session = self->unreachable[self->unreachable_count - 1];
        const ledger_session_t *open = session_ledger_find(&self->replica.sessions, session);
        /* One without an address is an import's; its client was never slow. */
        const bool imported = open && open->open.channel_length == 0;
        if (!node_sequence_close(self, session, imported ? OC_CLOSE_TIMEOUT : OC_CLOSE_SLOW))
            break;
        self->unreachable_count--;
        count++;
    }
    return count;
}

/* Time goes on for a service that waits for it, though nothing is sequenced. What else there was to
 * do does not count: garbage from the network keeps a node at work and moves nothing on. */
static int sequence_time(node_t *self)
{
    const oc_service_t *service = self->replica.service;
    const int64_t interval_ns = (int64_t)self->config.time_interval_us * 1000;
    if (!service->time || !service->busy || self->monotonic_ns - self->last_entry_ns < interval_ns)
        return 0;
    if (!service->busy(service->context))
        return 0;
    log_record_t record = {.type = LOG_TIME};
    return node_sequence(self, &record);
}

/* Answers pile up because the device is behind: taking in more would make clients look slow that
 * are not. What waits for clients alone is no reason, or one of them could stop all others. */
static bool device_is_behind(const node_t *self, uint64_t durable)
{
    return durable < self->position &&
           gateway_backlog(self->gateway) > self->config.backlog_bytes / 2;
}

/* Ends when what is sequenced is durable and has left, or its clients had their time. */
static void progress_stop(node_t *self)
{
    if (journal_durable(self->journal).value < self->position)
        return;
    if (self->linger_until_ns == 0)
        self->linger_until_ns = self->monotonic_ns + LINGER_NS;
    const bool sent = gateway_backlog(self->gateway) == 0;
    self->linger_cycles = sent ? self->linger_cycles + 1 : 0;
    if (self->linger_cycles >= LINGER_CYCLES || self->monotonic_ns >= self->linger_until_ns)
        self->stopped = true;
}

/* What Aeron complains of in the background, one line each so often: a hostile network must not
 * fill a disk. */
static void tell_transport_errors(node_t *self)
{
    const char *last;
    const uint64_t errors = embedded_errors(self->embedded, &last);
    if (errors == self->transport_errors || self->monotonic_ns < self->transport_error_next_ns)
        return;
    (void)fprintf(stderr, "outcry: aeron: %s (%" PRIu64 " errors so far)\n", last, errors);
    self->transport_errors = errors;
    self->transport_error_next_ns = self->monotonic_ns + TRANSPORT_ERROR_INTERVAL_NS;
}

static oc_err_t check_health(node_t *self)
{
    tell_transport_errors(self);
    if (self->failure != OC_ERR_OK)
        return node_fail(self, self->failure);
    const journal_condition_t condition = journal_condition(self->journal);
    if (condition == JOURNAL_FAILED)
        return node_fail(self, journal_failure(self->journal));
    watch_storage(self, condition);
    if (embedded_closed(self->embedded))
        return node_fail(self, error_set(OC_ERR_TRANSPORT,
                                         "the Aeron driver gave this process up: it was not "
                                         "scheduled for seconds; start it again"));
    return OC_ERR_OK;
}

/*
 * The journal gets what was appended once there is nothing else to do. A core that always has
 * something to do makes it wait a little, so that a sync, which costs the processor as well, is for
 * more of it.
 */
static void flush(node_t *self, int count)
{
    if (count > 0 && self->monotonic_ns - self->flushed_ns < FLUSH_INTERVAL_NS)
        return;
    self->flushed_ns = self->monotonic_ns;
    journal_flush(self->journal);
}

oc_err_t node_do_work(node_t *self, int *work)
{
    *work = 0;
    oc_err_t err = check_health(self);
    if (err != OC_ERR_OK)
        return err;
    if (self->stopped)
        return OC_ERR_OK;
    node_read_clocks(self);
    int count = embedded_do_work(self->embedded);
    count += sequence_notices(self);
    /* A service that has to hear of the recovery hears of it before of anything new. */
    const bool closed = self->stopping || self->recovery_notice_due;
    if (!closed) {
        count += sequence_timers(self);
        count += sequence_requested_closes(self);
        count += sequence_unreachable(self);
    }
    const uint64_t durable = journal_durable(self->journal).value;
    const bool pause = closed || self->condition == JOURNAL_FULL || device_is_behind(self, durable);
    count += gateway_do_work(self->gateway, self->monotonic_ns, durable, pause);
    if (!closed)
        count += sequence_time(self);
    count += node_snapshot_do_work(self);
    flush(self, count);
    if (self->failure != OC_ERR_OK)
        return node_fail(self, self->failure);
    if (self->stopping)
        progress_stop(self);
    *work = count;
    return OC_ERR_OK;
}
