/*
 * Command line and report of bursts. Called by bench_burst.c and bench_trace.c; what is measured,
 * and how, is in src/bench/bench_burst.c.
 */
#define _GNU_SOURCE
#include "cli/burst_terms.h"

#include "base/error.h"
#include "bench/hdr_file.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char burst_terms_help[] =
    "  --senders N          1 to 8, started together; each has all of the messages (1)\n"
    "  --role R             both ends here, or sender or receiver as one of two processes (both);\n"
    "                       a sender waits 30 s for its receiver\n"
    "  --p99-us N           latency that a pass allows, 99th percentile (1000)\n"
    "  --strict             a failed verdict is exit status 1\n"
    "  --qdisc-show CMD     prints what queues dropped: tc -s -j qdisc show dev IF, or\n"
    "                       tools/netpair show NAME\n"
    "  --grace N            seconds to wait for what does not come (10)\n"
    "  --hgrm FILE          write the percentiles of latency, in microseconds\n"
    "  --run FILE           write conditions and figures for outcry report\n"
    "  --sender-cpu N       of the first sender; the others follow\n"
    "  --receiver-cpu N     of the receiver\n"
    "transport:\n"
    "  --channel URI        aeron:udp?endpoint=HOST:PORT, multicast too, or aeron:ipc\n"
    "  --endpoint HOST:PORT instead; port 0: one that is free (127.0.0.1:0)\n"
    "  --stream N           (1001)\n"
    "  --aeron-dir DIR      of a driver that runs (without: one of this process)\n"
    "  --dedicated          the driver of this process has three threads instead of one\n"
    "  --mtu N              bytes of a datagram (1408)\n"
    "  --term-length N      bytes, a power of two (4194304)\n"
    "  --so-rcvbuf N, --so-sndbuf N\n"
    "                       bytes of socket buffers (2097152, or what the system grants)\n"
    "  --receiver-window N  bytes (as --so-rcvbuf)\n"
    "\n"
    "Exit status: 0 for a run that was completed, whatever its verdict; 1 when something failed,\n"
    "or with --strict when the verdict is fail; 2 for a wrong command line.\n";

static const char *const role_names[] = {"both", "sender", "receiver", NULL};

#define NOT_GIVEN BURST_TERMS_NOT_GIVEN
#define BYTES_MAX (UINT64_C(1) << 30)
#define TEXT_SIZE 2048

void burst_terms_init(burst_terms_t *self, const char *bench)
{
    memset(self, 0, sizeof *self);
    self->bench = bench;
    self->senders = self->p99_us = self->grace = NOT_GIVEN;
    self->sender_cpu = self->receiver_cpu = NOT_GIVEN;
}

void burst_terms_table(burst_terms_t *self, option_t *table)
{
    wire_options_t *wire = &self->burst.wire;
    const option_t options[BURST_TERMS_OPTIONS] = {
        option_number("senders", &self->senders, 1, BURST_SENDERS_MAX),
        option_choice("role", &self->role, role_names),
        option_number("p99-us", &self->p99_us, 1, 3600000000),
        option_flag("strict", &self->strict, true),
        option_text("qdisc-show", &self->burst.qdisc_show),
        option_number("grace", &self->grace, 1, 3600),
        option_output("hgrm", &self->hgrm),
        option_output("run", &self->run_path),
        option_number("sender-cpu", &self->sender_cpu, 0, 1023),
        option_number("receiver-cpu", &self->receiver_cpu, 0, 1023),
        option_text("channel", &wire->channel),
        option_text("endpoint", &wire->endpoint),
        option_number("stream", &wire->stream, 1, INT32_MAX - 1),
        option_text("aeron-dir", &wire->aeron_dir),
        option_flag("dedicated", &wire->dedicated, true),
        option_number("mtu", &wire->mtu, 1, BYTES_MAX),
        option_number("term-length", &wire->term_length, 1, BYTES_MAX),
        option_number("so-rcvbuf", &wire->so_rcvbuf, 1, BYTES_MAX),
        option_number("so-sndbuf", &wire->so_sndbuf, 1, BYTES_MAX),
        option_number("receiver-window", &wire->receiver_window, 1, BYTES_MAX),
    };
    memcpy(table, options, sizeof options);
}

bool burst_terms_is_loopback(const burst_terms_t *self)
{
    return self->burst.wire.channel == NULL && self->burst.wire.endpoint == NULL;
}

/* The first option that is of no use for this role or driver; NULL: there is none. */
static const char *misplaced(const burst_terms_t *self)
{
    const bool sends = self->role != BURST_RECEIVER;
    const bool receives = self->role != BURST_SENDER;
    const struct {
        const char *problem;
        bool given;
        bool fits;
    } options[] = {
        {"--dedicated is of a driver of its own, not of --aeron-dir's", self->burst.wire.dedicated,
         self->burst.wire.aeron_dir == NULL},
        {"--senders: a receiver hears from the senders how many they are",
         self->senders != NOT_GIVEN, sends},
        {"--grace is the senders' patience; a receiver waits until they leave",
         self->grace != NOT_GIVEN, sends},
        {"--sender-cpu: there is no sender here", self->sender_cpu != NOT_GIVEN, sends},
        {"--receiver-cpu: there is no receiver here", self->receiver_cpu != NOT_GIVEN, receives},
        {"--p99-us: latency is the receiver's to judge", self->p99_us != NOT_GIVEN, receives},
        {"--hgrm: latency is the receiver's to tell", self->hgrm != NULL, receives},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && !options[i].fits)
            return options[i].problem;
    return NULL;
}

const char *burst_terms_check(burst_terms_t *self)
{
    const char *problem = misplaced(self);
    if (problem)
        return problem;
    if (self->senders == NOT_GIVEN)
        self->senders = 1;
    if (self->p99_us == NOT_GIVEN)
        self->p99_us = 1000;
    if (self->grace == NOT_GIVEN)
        self->grace = 10;
    self->most_senders = self->senders;
    return NULL;
}

static oc_err_t try_cpu(const char *option, uint64_t cpu)
{
    char why[256];
    const oc_err_t err = bench_host_pin_check((int)cpu);
    if (err == OC_ERR_OK)
        return err;
    (void)snprintf(why, sizeof why, "%s", oc_err_context());
    return error_set(err, "%s: %s", option, why);
}

static oc_err_t check_cpus(const burst_terms_t *self)
{
    oc_err_t err = OC_ERR_OK;
    for (uint64_t i = 0; self->sender_cpu != NOT_GIVEN && i < self->most_senders; i++)
        if (err == OC_ERR_OK)
            err = try_cpu("--sender-cpu", self->sender_cpu + i);
    if (err == OC_ERR_OK && self->receiver_cpu != NOT_GIVEN)
        err = try_cpu("--receiver-cpu", self->receiver_cpu);
    return err;
}

static int cpu_of(uint64_t given)
{
    return given == NOT_GIVEN ? BENCH_HOST_CPU_ANY : (int)given;
}

static void say_ready(const char *channel)
{
    printf("ready: %s\n", channel);
    (void)fflush(stdout);
}

static void say_begun(void)
{
    printf("receiving: from the first sender\n");
    (void)fflush(stdout);
}

int burst_terms_settle(burst_terms_t *self)
{
    burst_options_t *burst = &self->burst;
    wire_plan_t plan;
    burst->role = (burst_role_t)self->role;
    burst->senders = (unsigned)self->senders;
    burst->p99_limit_ns = self->p99_us * 1000;
    burst->grace_ns = self->grace * UINT64_C(1000000000);
    burst->sender_cpu = cpu_of(self->sender_cpu);
    burst->receiver_cpu = cpu_of(self->receiver_cpu);
    burst->ready = burst->role == BURST_RECEIVER ? say_ready : NULL;
    burst->begun = burst->role == BURST_RECEIVER ? say_begun : NULL;
    burst->wire.one_way = true;
    burst->wire.apart = burst->role != BURST_BOTH;
    if (wire_plan_init(&plan, &burst->wire) != OC_ERR_OK || check_cpus(self) != OC_ERR_OK)
        return subcommand_usage("bench", oc_err_context());
    return -1;
}

static void begin_pinned(burst_terms_t *self, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; first != NOT_GIVEN && i < count; i++)
        run_file_pinned(self->run, (int)(first + i));
}

void burst_terms_keep(burst_terms_t *self, const options_t *parser)
{
    self->run = bench_run_begin(self->run_path, self->bench, RUN_LOOP_OPEN, parser);
    if (self->role != BURST_RECEIVER)
        begin_pinned(self, self->sender_cpu, self->most_senders);
    if (self->role != BURST_SENDER)
        begin_pinned(self, self->receiver_cpu, 1);
}

int burst_terms_end(burst_terms_t *self, bool measured, int status)
{
    if (measured)
        return bench_run_end(self->run, self->run_path, status);
    run_file_destroy(self->run);
    return status;
}

bool burst_terms_begin(burst_terms_t *self)
{
    bench_host_print(stdout, self->burst.receiver_cpu);
    printf("bench: %s\nrole: %s\n", self->bench, role_names[self->role]);
    bench_host_time(&self->begin);
    return subcommand_flush();
}

/* ---- The report ------------------------------------------------------------------------------ */

static void print_wire(const wire_facts_t *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        printf("%s: %s\n", facts->items[i].name, facts->items[i].value);
}

static void print_rows(const burst_result_t *result)
{
    if (result->row_count == 0)
        return;
    const uint64_t planned = (uint64_t)result->hello.size * result->senders;
    printf("\n| burst | received | missing | absorb us | peak per ms |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < result->row_count; i++) {
        const burst_row_t *row = &result->rows[i];
        printf("| %zu%s | %" PRIu64 " | %" PRIu64 " | %.1f | %" PRIu64 " |\n", i + 1,
               i < result->hello.warmup ? " (warm-up)" : "", row->received, planned - row->received,
               (double)burst_row_absorb_ns(row) / 1e3, row->peak);
    }
    printf("\n");
}

static void print_latency(const char *name, const histogram_t *histogram)
{
    static const struct {
        const char *name;
        double percent;
    } points[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p999", 99.9}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        printf("%s_%s_us: %.1f\n", name, points[i].name,
               (double)histogram_percentile(histogram, points[i].percent) / 1e3);
    printf("%s_max_us: %.1f\n", name, (double)histogram_max(histogram) / 1e3);
}

static void print_whole(const char *name, uint64_t value)
{
    printf("%s: %" PRIu64 "\n", name, value);
}

static void print_senders(const burst_result_t *result, bool paced)
{
    print_whole("sent", result->sent);
    print_whole("unsent", result->facts.unsent);
    if (paced)
        print_whole("late", result->late);
    print_whole("overlapped", result->overlapped);
    print_whole("back_pressured", result->back_pressured);
    print_whole("raised_to_header", result->raised);
    printf("start_late_max_us: %.1f\n", (double)result->start_late_ns / 1e3);
}

static void print_receiver(const burst_result_t *result)
{
    print_whole("received", result->received);
    print_whole("lost", result->facts.lost);
    print_whole("doubled", result->facts.doubled);
    print_whole("out_of_order", result->facts.out_of_order);
    print_whole("strangers", result->strangers);
    printf("absorb_max_us: %.1f\n", (double)burst_result_absorb_ns_max(result) / 1e3);
    print_whole("peak_per_ms", burst_result_peak_max(result));
    if (!result->facts.latency_known) {
        printf("latency: not known: nothing came by a clock that is the receiver's too\n");
        return;
    }
    print_latency("latency", result->latency);
    print_latency("service", result->service);
}

static void print_loss(const loss_reading_t *loss)
{
    for (int i = 0; i < LOSS_COUNTERS; i++) {
        if (loss->known[i])
            print_whole(loss_name((loss_counter_t)i), loss->values[i]);
        else
            printf("%s: unknown\n", loss_name((loss_counter_t)i));
    }
}

static void print_verdict(const burst_result_t *result)
{
    char text[TEXT_SIZE];
    burst_marks_text(result, text, sizeof text);
    if (*text)
        printf("marked: %s\n", text);
    printf("verdict: %s\n", result->verdict.pass ? "pass" : "fail");
    burst_verdict_reasons(&result->verdict, text, sizeof text);
    printf("reasons: %s\n", text);
    burst_verdict_unjudged(&result->verdict, text, sizeof text);
    printf("not_judged: %s\n", text);
}

static void print_result(const burst_terms_t *self, const burst_result_t *result)
{
    bench_host_time_t end;
    bench_host_time(&end);
    print_wire(&result->wire);
    print_whole("senders", result->senders);
    print_whole("bursts", result->hello.bursts);
    print_whole("warmup_bursts", result->hello.warmup);
    print_whole("burst_size", result->hello.size);
    print_rows(result);
    print_whole("planned", result->planned);
    if (result->facts.sends)
        print_senders(result, self->burst.paced);
    if (result->facts.receives)
        print_receiver(result);
    print_loss(&result->facts.loss);
    printf("p99_limit_us: %" PRIu64 "\n", self->p99_us);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&self->begin, &end));
    print_verdict(result);
}

int burst_terms_run(burst_terms_t *self)
{
    burst_result_t result;
    const burst_record_t record = {self->arrivals, self->rate};
    int status = 0;
    if (bench_burst(&self->burst, &result) != OC_ERR_OK)
        return burst_terms_end(self, false, subcommand_failed());
    print_result(self, &result);
    bench_run_wire(self->run, &result.wire);
    burst_record_run(&record, self->run, &result);
    if (self->hgrm && hgrm_write(self->hgrm, result.latency, 1000.0) != OC_ERR_OK)
        status = subcommand_failed();
    status = burst_terms_end(self, true, status);
    if (self->strict && !result.verdict.pass)
        status = EXIT_STATUS_FAILED; /* a verdict that is no is no fault of the measurement */
    burst_result_fini(&result);
    return status;
}
