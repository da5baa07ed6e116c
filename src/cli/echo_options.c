/*
 * Options and reports that `outcry bench` echo, knee and selftest share. Called by these.
 */
#define _GNU_SOURCE
#include "cli/echo_options.h"

#include "base/error.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_GIVEN UINT64_MAX
#define SECOND_NS UINT64_C(1000000000)

static const char echo_options_help[] =
    "the wire:\n"
    "  --endpoint HOST:PORT where the reflector takes messages by UDP; port 0: one that is free\n"
    "                       (127.0.0.1:0)\n"
    "  --channel URI        instead: aeron:udp?endpoint=HOST:PORT, aeron:udp?endpoint=GROUP:PORT|\n"
    "                       interface=ADDRESS (multicast), aeron:ipc\n"
    "  --back-endpoint HOST:PORT, --back-channel URI\n"
    "                       where the sender takes answers (a free port of the same host; for\n"
    "                       multicast and IPC the same channel)\n"
    "  --stream N           there; back goes the next one (1001)\n"
    "  --size N             bytes of a message, 32 or more, always one frame (288)\n"
    "  --mtu N              (1408)\n"
    "  --term-length N      of the log buffers (4194304)\n"
    "  --so-rcvbuf N, --so-sndbuf N\n"
    "                       of the sockets (2097152, or what the system grants)\n"
    "  --receiver-window N  what a receiver grants at most (as --so-rcvbuf)\n"
    "  --aeron-dir DIR      use the driver that runs there (a driver of its own)\n"
    "  --driver KIND        of its own: shared: one thread; dedicated: three (shared)\n"
    "the ends:\n"
    "  --idle HOW           spin: a processor for each end; yield: give it away when there is\n"
    "                       nothing to do; auto: spin if there are processors for all (auto)\n"
    "  --cpu N, --reflector-cpu N\n"
    "                       run that end on processor N only\n"
    "  --connect-s N        how long to look for the other end (10)\n"
    "results:\n"
    "  --run FILE           writes conditions and figures for outcry report\n";

static const char *const idle_names[] = {"auto", "spin", "yield", NULL};
static const char *const driver_names[] = {"shared", "dedicated", NULL};

void echo_options_init(echo_options_t *self, const char *bench)
{
    memset(self, 0, sizeof *self);
    self->bench = bench;
    self->size = ECHO_SIZE_DEFAULT;
    self->cpu = NOT_GIVEN;
    self->reflector_cpu = NOT_GIVEN;
    self->connect_s = 10;
}

size_t echo_options_table(echo_options_t *self, option_t *table, size_t count)
{
    wire_options_t *wire = &self->pair.wire;
    const option_t own[] = {
        option_text("endpoint", &wire->endpoint),
        option_text("channel", &wire->channel),
        option_text("back-endpoint", &wire->back_endpoint),
        option_text("back-channel", &wire->back_channel),
        option_text("aeron-dir", &wire->aeron_dir),
        option_number("stream", &wire->stream, 1, INT32_MAX - 1),
        option_number("size", &self->size, 1, UINT32_MAX),
        option_number("mtu", &wire->mtu, 1, UINT32_MAX),
        option_number("term-length", &wire->term_length, 1, UINT32_MAX),
        option_number("so-rcvbuf", &wire->so_rcvbuf, 1, UINT32_MAX),
        option_number("so-sndbuf", &wire->so_sndbuf, 1, UINT32_MAX),
        option_number("receiver-window", &wire->receiver_window, 1, UINT32_MAX),
        option_choice("driver", &self->driver, driver_names),
        option_choice("idle", &self->idle, idle_names),
        option_number("cpu", &self->cpu, 0, 1023),
        option_number("reflector-cpu", &self->reflector_cpu, 0, 1023),
        option_number("connect-s", &self->connect_s, 1, 3600),
        option_output("run", &self->run_path),
    };
    _Static_assert(sizeof own / sizeof own[0] <= ECHO_OPTIONS_MAX, "room in the tables");
    memcpy(table + count, own, sizeof own);
    return count + sizeof own / sizeof own[0];
}

int echo_options_usage(const echo_options_t *self, const char *text)
{
    char problem[640];
    (void)snprintf(problem, sizeof problem, "%s: %s", self->bench, text);
    return subcommand_usage("bench", problem);
}

static bool spins(const echo_options_t *self)
{
    const bool own_driver = self->pair.wire.aeron_dir == NULL;
    return self->idle == 1 ||
           (self->idle == 0 && echo_may_spin(own_driver, self->pair.wire.dedicated));
}

/* Of processors a bench is tied to, the first that cannot be had: NULL if all can. */
static const char *check_processors(const echo_options_t *self)
{
    const uint64_t cpus[] = {self->cpu, self->reflector_cpu};
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++)
        if (cpus[i] != NOT_GIVEN && bench_host_pin_check((int)cpus[i]) != OC_ERR_OK)
            return oc_err_context();
    return NULL;
}

int echo_options_parse(options_t *parser, int argc, char **argv, const char *help, const char *end)
{
    if (!options_parse(parser, argc, argv))
        return subcommand_usage("bench", parser->error);
    if (!parser->help)
        return -1;
    (void)printf("%s%s%s", help, echo_options_help, end);
    return 0;
}

int echo_options_check(echo_options_t *self)
{
    wire_plan_t plan;
    const char *problem = check_processors(self);
    echo_pair_options_t *pair = &self->pair;
    if (pair->wire.aeron_dir && self->driver != 0)
        return echo_options_usage(self, "--driver is of a driver of its own, not of --aeron-dir's");
    if (problem)
        return echo_options_usage(self, problem);
    self->processors = echo_processors();
    pair->wire.dedicated = self->driver == 1;
    pair->wire.message_bytes = self->size;
    pair->reflector_cpu =
        self->reflector_cpu == NOT_GIVEN ? REFLECTOR_CPU_ANY : (int)self->reflector_cpu;
    pair->yield = !spins(self);
    pair->patience_ns = self->connect_s * SECOND_NS;
    if (wire_plan_init(&plan, &pair->wire) != OC_ERR_OK)
        return echo_options_usage(self, oc_err_context());
    return -1;
}

static void begin_pinned(echo_options_t *self, uint64_t cpu)
{
    if (cpu != NOT_GIVEN)
        run_file_pinned(self->run, (int)cpu);
}

void echo_options_begin(echo_options_t *self, run_loop_t loop, const options_t *parser)
{
    self->run = bench_run_begin(self->run_path, self->bench, loop, parser);
    begin_pinned(self, self->cpu);
    if (!self->pair.wire.apart)
        begin_pinned(self, self->reflector_cpu);
}

int echo_options_end(echo_options_t *self, bool measured, int status)
{
    if (measured)
        return bench_run_end(self->run, self->run_path, status);
    run_file_destroy(self->run);
    return status;
}

int echo_options_open(echo_options_t *self, echo_pair_t *pair)
{
    if (echo_pair_open(pair, &self->pair) != OC_ERR_OK)
        return subcommand_failed();
    /* Now: the threads of driver and reflector would have come to the same processor. */
    if (self->cpu == NOT_GIVEN || bench_host_pin((int)self->cpu) == OC_ERR_OK)
        return -1;
    (void)subcommand_failed();
    (void)echo_pair_close(pair);
    return EXIT_STATUS_USAGE;
}

/* Both ends on this machine: in one process, by IPC, or by an address of the loopback. */
static bool is_local(const wire_t *wire, const wire_options_t *options)
{
    static const char *const hosts[] = {"endpoint=127.", "endpoint=localhost:", "endpoint=[::1]:"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
        if (strstr(wire->plan.channel, hosts[i]))
            return true;
    return !options->apart || wire->plan.media == WIRE_IPC;
}

static const char loopback[] =
    "both ends are on this machine: no network card and no wire is in these figures, and the ends "
    "share its processors and caches";

void echo_options_print(echo_options_t *self, const wire_t *wire)
{
    wire_facts_t facts;
    bench_host_print(stdout, self->cpu == NOT_GIVEN ? BENCH_HOST_CPU_ANY : (int)self->cpu);
    printf("bench: %s\n", self->bench);
    wire_facts(wire, &facts);
    for (size_t i = 0; i < facts.count; i++)
        printf("%s: %s\n", facts.items[i].name, facts.items[i].value);
    const char *idle = self->pair.yield ? "yield" : "spin";
    const bool local = is_local(wire, &self->pair.wire);
    printf("idle: %s\n", idle);
    printf("processors: %u\n", self->processors);
    if (local)
        printf("loopback: %s\n", loopback);
    bench_run_wire(self->run, &facts);
    run_file_config(self->run, "idle", idle);
    run_file_config(self->run, "loopback", local ? loopback : "no");
    bench_host_time(&self->begin);
}

void echo_options_print_end(const echo_options_t *self)
{
    bench_host_time_t end;
    double load[1] = {0};
    bench_host_time(&end);
    (void)getloadavg(load, 1);
    printf("load_average_end: %.2f\n", load[0]);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&self->begin, &end));
}

void echo_options_print_us(const char *name, const histogram_t *histogram)
{
    static const struct {
        const char *name;
        double percent;
    } points[] = {{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p999", 99.9}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        printf("%s_%s_us: %.1f\n", name, points[i].name,
               (double)histogram_percentile(histogram, points[i].percent) / 1e3);
    printf("%s_max_us: %.1f\n", name, (double)histogram_max(histogram) / 1e3);
}
