/*
 * `outcry bench selftest`: reads options and prints; what is tested, and how, is in
 * src/bench/bench_selftest.c. Called by `outcry bench`.
 */
#define _GNU_SOURCE
#include "bench/bench_selftest.h"
#include "cli/echo_options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

static const char selftest_help[] =
    "usage: outcry bench selftest [OPTION]...\n"
    "\n"
    "Whether the figures of `bench echo` can be believed: its reflector stands still once, and "
    "the\n"
    "stall must be in the figures with its full length and all messages that it held up. Then a\n"
    "closed loop must be called one, and a rate that cannot be kept must fail the run.\n"
    "docs/bench.md says more.\n"
    "\n"
    "  --rate N             messages per second (10000)\n"
    "  --stall-ms N         how long the reflector stands still (100)\n"
    "  --seconds N          how long to send (2); at least four stalls\n";

static const char selftest_status_help[] =
    "\n"
    "Without --channel and --endpoint the test goes by aeron:ipc, and --term-length is 65536: the\n"
    "sender is then held up as well, and latency from the send would hide most of the stall.\n"
    "Exit status: 0; 1 when the verdict is FAIL or something failed; 2 for a wrong command line.\n";

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)

typedef struct selftest_arguments {
    echo_options_t options;
    uint64_t rate;
    uint64_t stall_ms;
    uint64_t seconds;
} selftest_arguments_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(selftest_arguments_t *self, int argc, char **argv)
{
    *self = (selftest_arguments_t){.rate = 10000, .stall_ms = 100, .seconds = 2};
    echo_options_init(&self->options, "selftest");
    option_t table[3 + ECHO_OPTIONS_MAX] = {
        option_number("rate", &self->rate, 100, 1000000),
        option_number("stall-ms", &self->stall_ms, 1, 10000),
        option_number("seconds", &self->seconds, 1, 60),
    };
    options_t parser = {
        .table = table, .count = echo_options_table(&self->options, table, 3), .command = "bench"};
    int status = echo_options_parse(&parser, argc, argv, selftest_help, selftest_status_help);
    if (status >= 0)
        return status;
    wire_options_t *wire = &self->options.pair.wire;
    if (!wire->channel && !wire->endpoint) {
        wire->channel = "aeron:ipc";
        if (!wire->term_length)
            wire->term_length = 65536;
    }
    if (self->stall_ms * 4 > self->seconds * 1000)
        return echo_options_usage(&self->options,
                                  "--seconds must be at least four times the stall");
    if (self->rate * self->stall_ms < 10000)
        return echo_options_usage(&self->options, "fewer than ten messages in a stall prove "
                                                  "nothing: raise --rate or --stall-ms");
    status = echo_options_check(&self->options);
    if (status < 0)
        echo_options_begin(&self->options, RUN_LOOP_OPEN, &parser);
    return status;
}

static void print_result(const selftest_arguments_t *self, const selftest_result_t *result)
{
    const selftest_stall_t *stall = &result->stall;
    printf("rate: %" PRIu64 "\n", self->rate);
    printf("size: %" PRIu64 "\n", self->options.size);
    printf("stall_injected_ms: %.3f\n", (double)stall->injected_ns / 1e6);
    printf("stall_seen_ms: %.3f\n", (double)stall->seen_ns / 1e6);
    printf("samples_affected_from_ms: %.3f\n", (double)stall->least_ns / 1e6);
    printf("samples_affected_expected: %" PRIu64 "\n", stall->expected);
    printf("samples_affected_seen: %" PRIu64 "\n", stall->seen);
    printf("samples_affected_otherwise: %" PRIu64 "\n", stall->otherwise);
    printf("mean_seen_us: %.1f\n", stall->seen_mean_ns / 1e3);
    printf("mean_plain_us: %.1f\n", stall->plain_mean_ns / 1e3);
    printf("sends_held_up: %" PRIu64 "\n", result->held);
    printf("stall: %s\n", result->stall_fault ? result->stall_fault : "ok");
    printf("closed_loop_mode: %s\n", result->closed_mode);
    printf("closed_loop: %s\n", result->closed_fault ? result->closed_fault : "ok");
    printf("overload_intended_per_s: %.0f\n", result->overload_intended_per_s);
    printf("overload_sent_per_s: %.0f\n", result->overload_sent_per_s);
    printf("overload: %s\n", result->overload_fault ? result->overload_fault : "ok");
    printf("recording_ns: %.1f\n", result->recording_ns);
    printf("verdict: %s\n", selftest_ok(result) ? "ok" : "FAIL");
}

static void keep_result(const selftest_arguments_t *self, const echo_pair_t *pair,
                        const selftest_result_t *result)
{
    const selftest_stall_t *stall = &result->stall;
    run_file_t *run = self->options.run;
    run_qualifiers_t with = {.rate = (double)self->rate,
                             .message_bytes = (uint32_t)self->options.size,
                             .mtu = pair->wire.plan.mtu,
                             .arrivals = "steady:1"};
    const bench_figure_t figures[] = {
        {"stall_injected", (double)stall->injected_ns, "ns", 0},
        {"stall_seen", (double)stall->seen_ns, "ns", 100},
        {"samples_affected_expected", (double)stall->expected, "messages", 0},
        {"samples_affected_otherwise", (double)stall->otherwise, "messages", 0},
        {"samples_affected_seen", (double)stall->seen, "messages", 0},
        {"mean_seen", stall->seen_mean_ns, "ns", 0},
        {"mean_plain", stall->plain_mean_ns, "ns", 0},
        {"sends_held_up", (double)result->held, "messages", 0},
    };
    bench_run_figures(run, "", figures, sizeof figures / sizeof figures[0], &with);
    run_file_figure(run, "recording", result->recording_ns, "ns", &with, 0);
    with.rate = result->overload_intended_per_s;
    run_file_figure(run, "overload_sent", result->overload_sent_per_s, "1/s", &with, 0);
    run_file_verdict(run, "stall", !result->stall_fault, result->stall_fault);
    run_file_verdict(run, "closed_loop", !result->closed_fault, result->closed_fault);
    run_file_verdict(run, "overload", !result->overload_fault, result->overload_fault);
}

static int run(selftest_arguments_t *self, echo_pair_t *pair, bool *measured)
{
    selftest_result_t result;
    const selftest_options_t options = {
        .rate_per_s = self->rate,
        .stall_ns = self->stall_ms * MS_NS,
        .run_ns = self->seconds * SECOND_NS,
        .bytes = (uint32_t)self->options.size,
    };
    echo_options_print(&self->options, &pair->wire);
    if (bench_selftest(pair, &options, &result) != OC_ERR_OK)
        return subcommand_failed();
    *measured = true;
    print_result(self, &result);
    keep_result(self, pair, &result);
    echo_options_print_end(&self->options);
    return selftest_ok(&result) ? 0 : EXIT_STATUS_FAILED;
}

int bench_selftest_main(int argc, char **argv)
{
    selftest_arguments_t arguments;
    echo_pair_t pair;
    int status = read_arguments(&arguments, argc, argv);
    if (status < 0)
        status = echo_options_open(&arguments.options, &pair);
    if (status >= 0)
        return echo_options_end(&arguments.options, false, status);
    bool measured = false;
    status = run(&arguments, &pair, &measured);
    if (echo_pair_close(&pair) != OC_ERR_OK && status == 0)
        status = subcommand_failed();
    return echo_options_end(&arguments.options, measured, status);
}
