/*
 * Bursts into run files. Called by `outcry bench` burst and trace.
 *
 * Invariants: what is marked here is what the bench prints as marked, from one list; a counter that
 * is not known is never written as 0; the warm-up's bursts are in no row.
 */
#define _GNU_SOURCE
#include "bench/burst_record.h"

#include "base/assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ARRIVALS_SIZE (ARRIVAL_NAME_SIZE + 32)

/* ---- Marks ----------------------------------------------------------------------------------- */

/* Drops of the own sockets; where they are not shown, those of the whole namespace. */
void burst_marks(const burst_result_t *result, burst_mark_t marks[BURST_MARKS])
{
    const burst_facts_t *facts = &result->facts;
    const loss_reading_t *loss = &facts->loss;
    const bool namespace = !facts->ipc && !loss->known[LOSS_UDP_SOCKET_DROPS];
    const burst_mark_t all[BURST_MARKS] = {
        {"late", result->late},
        {"overlapped", result->overlapped},
        {"unsent", facts->unsent},
        {"lost", facts->lost},
        {"doubled", facts->doubled},
        {"out_of_order", facts->out_of_order},
        {"strangers", result->strangers},
        {"no_goodbye", facts->no_goodbye},
        {"udp_socket_drops", loss->values[LOSS_UDP_SOCKET_DROPS]},
        {"udp_rcvbuf_errors", namespace ? loss->values[LOSS_UDP_RCVBUF_ERRORS] : 0},
    };
    memcpy(marks, all, sizeof all);
}

void burst_marks_text(const burst_result_t *result, char *text, size_t size)
{
    burst_mark_t marks[BURST_MARKS];
    size_t used = 0;
    burst_marks(result, marks);
    text[0] = '\0';
    for (int i = 0; i < BURST_MARKS; i++)
        if (marks[i].count)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", marks[i].name);
    OC_ASSERT(used < size);
}

static void record_marks(run_file_t *run, const burst_result_t *result)
{
    burst_mark_t marks[BURST_MARKS];
    burst_marks(result, marks);
    for (int i = 0; i < BURST_MARKS; i++)
        run_file_mark(run, marks[i].name, marks[i].count);
}

/* ---- Qualifiers ------------------------------------------------------------------------------ */

/* `arrivals` is memory for the text. A receiver knows what the senders said of themselves. */
static run_qualifiers_t qualifiers_of(const burst_record_t *self, const burst_result_t *result,
                                      char arrivals[ARRIVALS_SIZE])
{
    const bool sends = result->facts.sends;
    char bursts[32];
    (void)snprintf(bursts, sizeof bursts, "bursts of %" PRIu32, result->hello.size);
    (void)snprintf(arrivals, ARRIVALS_SIZE, "%s", sends ? self->arrivals : bursts);
    if (result->senders > 1)
        (void)snprintf(arrivals, ARRIVALS_SIZE, "%u senders, each %s", result->senders,
                       sends ? self->arrivals : bursts);
    return (run_qualifiers_t){
        .rate = sends ? self->rate * result->senders : 0,
        .message_bytes = sends ? result->plan.message_bytes : 0,
        .mtu = result->plan.mtu,
        .arrivals = arrivals,
    };
}

/* ---- A run ----------------------------------------------------------------------------------- */

static void record_series(run_file_t *run, const char *label, const run_qualifiers_t *with,
                          const burst_result_t *result)
{
    if (!result->facts.latency_known)
        return;
    const run_series_t series = {
        .label = label, .with = *with, .latency = result->latency, .service = result->service};
    run_file_series(run, &series);
}

static void record_figures(run_file_t *run, const run_qualifiers_t *with,
                           const burst_result_t *result)
{
    const burst_facts_t *facts = &result->facts;
    const struct {
        const char *name;
        double value;
        const char *unit;
        bool known;
    } figures[] = {
        {"planned", (double)result->planned, "messages", true},
        {"sent", (double)result->sent, "messages", facts->sends},
        {"unsent", (double)facts->unsent, "messages", facts->sends},
        {"late", (double)result->late, "messages", facts->sends},
        {"overlapped", (double)result->overlapped, "bursts", facts->sends},
        {"back_pressured", (double)result->back_pressured, "times", facts->sends},
        {"raised_to_header", (double)result->raised, "messages", facts->sends},
        {"start_late_max", (double)result->start_late_ns, "ns", facts->sends},
        {"received", (double)result->received, "messages", facts->receives},
        {"lost", (double)facts->lost, "messages", facts->receives},
        {"doubled", (double)facts->doubled, "messages", facts->receives},
        {"out_of_order", (double)facts->out_of_order, "messages", facts->receives},
        {"strangers", (double)result->strangers, "messages", facts->receives},
        {"absorb_max", (double)burst_result_absorb_ns_max(result), "ns", facts->receives},
        {"peak_per_ms", (double)burst_result_peak_max(result), "messages", facts->receives},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (figures[i].known)
            run_file_figure(run, figures[i].name, figures[i].value, figures[i].unit, with, 0);
    run_file_figure(run, "p99_limit", (double)facts->p99_limit_ns, "ns", with, 99);
}

/* NAKs as the format has them: what this end sent, or a sender alone got. */
static size_t counters_of(const burst_facts_t *facts, run_counter_t counters[LOSS_COUNTERS + 1])
{
    const loss_reading_t *loss = &facts->loss;
    const loss_counter_t naks = facts->receives ? LOSS_NAKS_SENT : LOSS_NAKS_RECEIVED;
    for (int i = 0; i < LOSS_COUNTERS; i++)
        counters[i] = (run_counter_t){loss_name((loss_counter_t)i),
                                      loss->known[i] ? (double)loss->values[i] : -1.0};
    counters[LOSS_COUNTERS] = (run_counter_t){"naks", counters[naks].value};
    return LOSS_COUNTERS + 1;
}

static void record_bursts(run_file_t *run, const run_qualifiers_t *with,
                          const burst_result_t *result, run_burst_t *rows)
{
    const char *reasons[BURST_REASONS_MAX + 1] = {NULL};
    const char *unjudged[BURST_UNJUDGED_MAX + 1] = {NULL};
    run_counter_t counters[LOSS_COUNTERS + 1];
    const burst_verdict_t *verdict = &result->verdict;
    const uint64_t planned = (uint64_t)result->hello.size * result->senders;
    const size_t warmup = result->hello.warmup;
    size_t count = 0;
    for (size_t i = warmup; i < result->row_count; i++) {
        const burst_row_t *row = &result->rows[i];
        rows[count++] = (run_burst_t){row->received, planned - row->received,
                                      (double)burst_row_absorb_ns(row), row->peak};
    }
    for (size_t i = 0; i < verdict->reason_count; i++)
        reasons[i] = verdict->reasons[i];
    for (size_t i = 0; i < verdict->unjudged_count; i++)
        unjudged[i] = verdict->unjudged[i];
    const run_bursts_t bursts = {
        .with = *with,
        .bursts = rows,
        .count = count,
        .warmup = warmup,
        .passed = verdict->pass,
        .reasons = reasons,
        .not_judged = unjudged,
        .counters = counters,
        .counter_count = counters_of(&result->facts, counters),
    };
    run_file_bursts(run, &bursts);
}

void burst_record_run(const burst_record_t *self, run_file_t *run, const burst_result_t *result)
{
    char arrivals[ARRIVALS_SIZE];
    run_burst_t rows[BURST_BURSTS_MAX];
    const run_qualifiers_t with = qualifiers_of(self, result, arrivals);
    OC_ASSERT(result->row_count <= BURST_BURSTS_MAX);
    record_series(run, "bursts", &with, result);
    record_bursts(run, &with, result, rows);
    record_figures(run, &with, result);
    record_marks(run, result);
}

/* ---- A row of a matrix ----------------------------------------------------------------------- */

static run_row_t row_of(const uint64_t values[BURST_AXES])
{
    return (run_row_t){
        .with = {.message_bytes = (uint32_t)values[BURST_AXIS_SIZE],
                 .mtu = (uint32_t)values[BURST_AXIS_MTU]},
        .burst_size = values[BURST_AXIS_BURST_SIZE],
        .senders = values[BURST_AXIS_SENDERS],
        .so_rcvbuf = values[BURST_AXIS_SO_RCVBUF],
        .receiver_window = values[BURST_AXIS_WINDOW],
        .absorb_ns = -1,
        .peak_per_ms = -1,
        .p99_ns = -1,
        .max_ns = -1,
        .reasons = "",
        .marks = "",
    };
}

/* Socket and window where they were asked for. */
static void label_of(const run_row_t *row, uint64_t bytes, char *text, size_t size)
{
    char socket[32] = "";
    char window[32] = "";
    if (row->so_rcvbuf)
        (void)snprintf(socket, sizeof socket, ", socket %" PRIu64, row->so_rcvbuf);
    if (row->receiver_window)
        (void)snprintf(window, sizeof window, ", window %" PRIu64, row->receiver_window);
    (void)snprintf(text, size,
                   "%" PRIu64 " messages, senders %" PRIu64 ", size %" PRIu64 ", mtu %" PRIu32
                   "%s%s",
                   row->burst_size, row->senders, bytes, row->with.mtu, socket, window);
}

void burst_record_row(const burst_record_t *self, run_file_t *run,
                      const uint64_t values[BURST_AXES], const burst_result_t *result)
{
    char arrivals[ARRIVALS_SIZE];
    char label[256];
    char marks[BURST_MARKS_TEXT];
    char reasons[BURST_REASONS_MAX * BURST_REASON_SIZE];
    run_row_t row = row_of(values);
    row.with = qualifiers_of(self, result, arrivals);
    row.absorb_ns = (double)burst_result_absorb_ns_max(result);
    row.peak_per_ms = (double)burst_result_peak_max(result);
    if (result->facts.latency_known) {
        row.p99_ns = (double)histogram_percentile(result->latency, 99.0);
        row.max_ns = (double)histogram_max(result->latency);
    }
    row.verdict = result->verdict.pass ? "pass" : "fail";
    if (!result->verdict.pass) {
        burst_verdict_reasons(&result->verdict, reasons, sizeof reasons);
        row.reasons = reasons;
    }
    burst_marks_text(result, marks, sizeof marks);
    row.marks = marks;
    label_of(&row, values[BURST_AXIS_SIZE], label, sizeof label);
    record_series(run, label, &row.with, result);
    run_file_row(run, &row);
    record_marks(run, result);
}

void burst_record_no_row(const burst_record_t *self, run_file_t *run,
                         const uint64_t values[BURST_AXES], const char *verdict, const char *why)
{
    run_row_t row = row_of(values);
    row.with.arrivals = self->arrivals;
    row.verdict = verdict;
    row.reasons = why;
    run_file_row(run, &row);
}
