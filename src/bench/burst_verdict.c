/*
 * The verdict on bursts. Called at the end of a run.
 *
 * Invariant: it passes if there is no reason against it, and every counter that is a reason is
 * named in one place, here.
 */
#include "bench/burst_verdict.h"

#include "base/assert.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Whose each of them is. Counters that are not here are told, and decide nothing: what they count
 * is either no loss (datagrams that come twice, short sends), or shown by one of these. */
typedef struct reason {
    loss_counter_t counter;
    bool of_sender;
    bool of_receiver;
} reason_t;

static const reason_t counted[] = {
    {LOSS_UDP_SOCKET_DROPS, true, true},
    {LOSS_QDISC_DROPS, true, true},
    {LOSS_LINK_LOST, true, true},
    {LOSS_NAKS_SENT, false, true},
    {LOSS_NAKS_RECEIVED, true, false},
    {LOSS_RETRANSMITS, true, false},
    {LOSS_GAP_FILLS, false, true},
    {LOSS_FLOW_CONTROL_LIMITS, true, false},
    {LOSS_FLOW_CONTROL_OVER_RUNS, false, true},
};

static void add_reason(burst_verdict_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_reason(burst_verdict_t *self, const char *format, ...)
{
    OC_ASSERT(self->reason_count < BURST_REASONS_MAX);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(self->reasons[self->reason_count++], BURST_REASON_SIZE, format, arguments);
    va_end(arguments);
}

static void add_unjudged(burst_verdict_t *self, const char *what)
{
    OC_ASSERT(self->unjudged_count < BURST_UNJUDGED_MAX);
    self->unjudged[self->unjudged_count++] = what;
}

static void add_count(burst_verdict_t *self, const char *name, uint64_t count)
{
    if (count)
        add_reason(self, "%s %" PRIu64, name, count);
}

/* The process's own drops where they can be seen; else what anybody in its namespace lost. */
static void judge_sockets(burst_verdict_t *self, const burst_facts_t *facts)
{
    const loss_reading_t *loss = &facts->loss;
    if (facts->ipc || loss->known[LOSS_UDP_SOCKET_DROPS])
        return;
    if (loss->known[LOSS_UDP_RCVBUF_ERRORS])
        add_count(self, loss_name(LOSS_UDP_RCVBUF_ERRORS), loss->values[LOSS_UDP_RCVBUF_ERRORS]);
    else
        add_unjudged(self, "UDP buffer errors, which /proc does not show here");
}

static void judge_counters(burst_verdict_t *self, const burst_facts_t *facts)
{
    const loss_reading_t *loss = &facts->loss;
    bool driver = true;
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const reason_t *reason = &counted[i];
        const bool ours =
            (reason->of_sender && facts->sends) || (reason->of_receiver && facts->receives);
        if (ours)
            add_count(self, loss_name(reason->counter), loss->values[reason->counter]);
        if (ours && reason->counter <= LOSS_DRIVER_LAST)
            driver = driver && loss->known[reason->counter];
    }
    if (!driver)
        add_unjudged(self, "counters that this driver does not have");
    if (!facts->ipc && !loss->known[LOSS_QDISC_DROPS])
        add_unjudged(self, "qdisc drops (no --qdisc-show)");
}

static void judge_latency(burst_verdict_t *self, const burst_facts_t *facts)
{
    if (facts->latency_known && facts->p99_ns > facts->p99_limit_ns)
        add_reason(self, "p99_us %.1f above %.1f", (double)facts->p99_ns / 1e3,
                   (double)facts->p99_limit_ns / 1e3);
    if (facts->receives && !facts->latency_known)
        add_unjudged(self, "p99 (no message came by a clock that is the receiver's too)");
}

void burst_judge(burst_verdict_t *self, const burst_facts_t *facts)
{
    memset(self, 0, sizeof *self);
    judge_sockets(self, facts);
    judge_counters(self, facts);
    if (facts->ipc)
        add_count(self, "back_pressured", facts->back_pressured);
    add_count(self, "lost", facts->lost);
    add_count(self, "doubled", facts->doubled);
    add_count(self, "out_of_order", facts->out_of_order);
    add_count(self, "unsent", facts->unsent);
    if (facts->no_goodbye)
        add_reason(self, "no_goodbye");
    judge_latency(self, facts);
    if (!facts->receives)
        add_unjudged(self, "what the receiver counts");
    if (!facts->sends)
        add_unjudged(self, "what the senders count");
    self->pass = self->reason_count == 0;
}

static size_t append(char *text, size_t size, size_t used, const char *what)
{
    const int length = snprintf(text + used, size - used, "%s%s", used ? ", " : "", what);
    const size_t end = used + (length > 0 ? (size_t)length : 0);
    return end < size ? end : size - 1;
}

void burst_verdict_reasons(const burst_verdict_t *self, char *text, size_t size)
{
    size_t used = 0;
    (void)snprintf(text, size, "none");
    for (size_t i = 0; i < self->reason_count; i++)
        used = append(text, size, used, self->reasons[i]);
}

void burst_verdict_unjudged(const burst_verdict_t *self, char *text, size_t size)
{
    size_t used = 0;
    (void)snprintf(text, size, "none");
    for (size_t i = 0; i < self->unjudged_count; i++)
        used = append(text, size, used, self->unjudged[i]);
}
