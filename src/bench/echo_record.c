/*
 * Echoes into run files. Called by `outcry bench echo` for each repeat.
 *
 * Invariant: what is marked here is what the bench prints as marked, from one list.
 */
#include "bench/echo_record.h"

#include "base/assert.h"

void echo_marks(const echo_result_t *result, echo_mark_t marks[ECHO_MARKS])
{
    const echo_counts_t *counts = &result->counts;
    const echo_mark_t all[ECHO_MARKS] = {
        {"late", counts->late - counts->warm_late},
        {"unsent", result->unsent},
        {"lost", result->lost},
        {"doubled", counts->doubled},
        {"out_of_order", counts->out_of_order},
    };
    for (int i = 0; i < ECHO_MARKS; i++)
        marks[i] = all[i];
}

const char *echo_limit_name(echo_limit_t limit)
{
    static const char *const names[] = {"yes", "no: sender limit", "no: transport limit"};
    return names[limit];
}

static void record_counts(const echo_record_t *self, run_file_t *run, const echo_result_t *result)
{
    const echo_counts_t *counts = &result->counts;
    const double sending_s = (double)(result->sending_ns - self->warmup_ns) / 1e9;
    const double sent = (double)(counts->sent - counts->warm_sent);
    const struct {
        const char *name;
        double value;
        const char *unit;
    } figures[] = {
        {"intended", (double)result->intended, "messages"},
        {"sent", (double)counts->sent, "messages"},
        {"received", (double)counts->received, "messages"},
        {"late", (double)(counts->late - counts->warm_late), "messages"},
        {"late_held", (double)(counts->held - counts->warm_held), "messages"},
        {"unsent", (double)result->unsent, "messages"},
        {"lost", (double)result->lost, "messages"},
        {"doubled", (double)counts->doubled, "messages"},
        {"out_of_order", (double)counts->out_of_order, "messages"},
        {"strangers", (double)counts->strangers, "messages"},
        {"warmup_sent", (double)counts->warm_sent, "messages"},
        {"warmup_received", (double)counts->warm_received, "messages"},
        {"warmup_late", (double)counts->warm_late, "messages"},
        {"messages_per_s", result->sending_ns > self->warmup_ns ? sent / sending_s : 0.0, "1/s"},
        {"behind", (double)result->behind_ns / 1e6, "ms"},
        {"blocked", (double)result->blocked_ns / 1e9, "s"},
        {"cpu", (double)result->cpu_ns / 1e9, "s"},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        run_file_figure(run, figures[i].name, figures[i].value, figures[i].unit, &self->with, 0);
}

static void record_late(const echo_record_t *self, run_file_t *run, const histogram_t *late)
{
    static const double percents[] = {50.0, 99.0, 99.9, 100.0};
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++)
        run_file_figure(run, "send_late", (double)histogram_percentile(late, percents[i]), "ns",
                        &self->with, percents[i]);
}

void echo_record_run(const echo_record_t *self, run_file_t *run, const echo_account_t *account,
                     const echo_result_t *result)
{
    run_second_t seconds[TIME_LINE_MAX];
    echo_mark_t marks[ECHO_MARKS];
    OC_ASSERT(account->line.count <= TIME_LINE_MAX);
    const run_series_t series = {
        .label = ECHO_RECORD_LABEL,
        .with = self->with,
        .warmup_s = (double)self->warmup_ns / 1e9,
        .latency = account->latency,
        .service = account->service,
        .seconds = seconds,
        .second_count = run_file_seconds(account->line.intervals, account->line.count,
                                         account->line.interval_ns, self->warmup_ns, seconds),
        .hgrm = self->hgrm,
        .hlog = self->hlog,
    };
    run_file_series(run, &series);
    record_counts(self, run, result);
    echo_marks(result, marks);
    for (int i = 0; i < ECHO_MARKS; i++)
        run_file_mark(run, marks[i].name, marks[i].count);
    if (result->closed_loop)
        return;
    record_late(self, run, account->send_late);
    const echo_limit_t limit = echo_result_limit(result);
    run_file_mark(run, limit == ECHO_SENDER_LIMIT ? "sender_rate" : "transport_rate",
                  limit != ECHO_KEPT);
    run_file_verdict(run, "kept_rate", limit == ECHO_KEPT,
                     limit == ECHO_KEPT ? NULL : echo_limit_name(limit));
}
