/*
 * Maker of run files. Called by unit tests of the writer and of the report.
 */
#include "lib/run_maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/prng.h"
#include "lib/temp_file.h"
#include "report/run_read.h"

enum { SECONDS = 10, VALUES = 1000 };

static const run_qualifiers_t qualifiers = {
    .message_bytes = 288, .mtu = 1408, .arrivals = "even, \"one\" by one <&>"};

/* Median times 1 at the middle, 100 at the end. */
static uint64_t value_of(uint64_t median_ns, uint64_t *prng, size_t i)
{
    const uint64_t spread = prng_below(prng, (uint32_t)(median_ns / 8 + 1));
    if (i % 1000 == 999)
        return 100 * median_ns + spread;
    if (i % 1000 >= 997)
        return 50 * median_ns + spread;
    return i % 100 == 99 ? 10 * median_ns + spread : median_ns - median_ns / 16 + spread;
}

void run_maker_series(run_file_t *run, const char *label, double rate, uint64_t median_ns,
                      uint64_t seed)
{
    histogram_t *latency = histogram_create();
    histogram_t *service = histogram_create();
    histogram_t *second = histogram_create();
    run_second_t seconds[SECONDS];
    assert_true(latency && service && second);

    for (size_t s = 0; s < SECONDS; s++) {
        histogram_reset(second);
        for (size_t i = 0; i < VALUES / SECONDS; i++) {
            const uint64_t value = value_of(median_ns, &seed, s * VALUES / SECONDS + i);
            histogram_record(second, value);
            histogram_record(service, value / 2);
        }
        histogram_add(latency, second);
        seconds[s] = (run_second_t){(double)s,
                                    histogram_count(second),
                                    histogram_percentile(second, 50),
                                    histogram_percentile(second, 99),
                                    histogram_percentile(second, 99.9),
                                    histogram_max(second)};
    }
    run_series_t series = {.label = label,
                           .with = qualifiers,
                           .warmup_s = 2,
                           .latency = latency,
                           .service = service,
                           .seconds = seconds,
                           .second_count = SECONDS,
                           .hlog = "a.hlog"};
    series.with.rate = rate;
    run_file_series(run, &series);
    histogram_destroy(second);
    histogram_destroy(service);
    histogram_destroy(latency);
}

void run_maker_knee(run_file_t *run, uint64_t median_ns)
{
    enum { POINTS = 4, REPEATS = 2 };
    static const double rates[POINTS] = {40000, 60000, 90000, 110000};
    static const uint64_t slower[POINTS] = {1, 1, 2, 40};
    static double values[POINTS][REPEATS];
    run_knee_point_t points[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "%.0f/s", rates[i]);
        for (size_t repeat = 0; repeat < REPEATS; repeat++) {
            const uint64_t median = median_ns * slower[i] * (10 + repeat) / 10;
            run_maker_series(run, label, rates[i], median, 1 + i);
            values[i][repeat] = 50.0 * (double)median;
        }
        points[i] =
            (run_knee_point_t){rates[i], values[i], REPEATS, i + 1 < POINTS ? RUN_PASS : RUN_FAIL};
    }
    const run_knee_t knee = {.with = qualifiers,
                             .sla_ns = 300.0 * (double)median_ns,
                             .points = points,
                             .point_count = POINTS,
                             .low = 90000,
                             .mid = 100000,
                             .high = 110000,
                             .rho_rate = 50000};
    run_file_knee(run, &knee);
}

void run_maker_bursts(run_file_t *run, bool passed)
{
    static const char *const reasons[] = {"UDP receive buffer errors: 3", "p99 above 1 ms", NULL};
    static const run_burst_t bursts[] = {{50000, 0, 1.1e6, 46000},
                                         {50000, 0, 1.2e6, 44000},
                                         {50000, 0, 1.05e6, 47500},
                                         {49997, 3, 2.9e6, 21000},
                                         {50000, 0, 1.15e6, 45000}};
    static const char *const not_judged[] = {"qdisc drops", NULL};
    const run_counter_t counters[] = {
        {"udp_rcvbuf_errors", passed ? 0 : 3}, {"naks", 0}, {"short_sends", 2}};
    run_bursts_t list = {.with = qualifiers,
                         .bursts = bursts,
                         .count = 5,
                         .passed = passed,
                         .reasons = passed ? NULL : reasons,
                         .not_judged = not_judged,
                         .warmup = 1,
                         .counters = counters,
                         .counter_count = sizeof counters / sizeof counters[0]};
    list.with.arrivals = "bursts of 50,000 each second";
    run_file_bursts(run, &list);
}

void run_maker_row(run_file_t *run, const char *verdict, const char *marks)
{
    run_row_t row = {.with = qualifiers,
                     .burst_size = 300,
                     .senders = 2,
                     .receiver_window = 131072,
                     .absorb_ns = 1.5e6,
                     .peak_per_ms = 420,
                     .p99_ns = 1.25e6,
                     .max_ns = -1,
                     .verdict = verdict,
                     .reasons = "naks_sent <7>",
                     .marks = marks};
    row.with.arrivals = "onoff:300:20";
    run_file_row(run, &row);
}

json_t *run_maker_end(run_file_t *run)
{
    temp_file_t file;
    json_t *root = NULL;
    temp_file_make(&file);
    assert_int_equal(run_file_write(run, file.path), OC_ERR_OK);
    run_file_destroy(run);
    const oc_err_t err = run_read(file.path, &root);
    temp_file_remove(&file);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    return root;
}

json_t *run_maker_knee_run(uint64_t median_ns)
{
    run_file_t *run = run_file_create("knee", RUN_LOOP_OPEN, "1.2.3");
    assert_non_null(run);
    run_maker_knee(run, median_ns);
    return run_maker_end(run);
}

double run_maker_number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

const char *run_maker_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}
