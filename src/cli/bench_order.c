/*
 * `outcry bench order`: orders on a schedule through a venue, several times. Called by
 * `outcry bench`.
 *
 * It reads options, says which venue there is to be, and sums up; the load is that of `outcry
 * load`, the venue is src/bench/order_venue.c. A run that was not what it was to be never ends
 * with 0, and a signal ends it without figures.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "bench/bench_host.h"
#include "bench/measured_node.h"
#include "bench/order_venue.h"
#include "cli/bench_run.h"
#include "cli/bench_terms.h"
#include "cli/load_report.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char order_usage[] =
    "usage: outcry bench order --dir DIR --rate N [OPTION]...\n"
    "       outcry bench order --dir DIR --members N --rate N [OPTION]...\n"
    "       outcry bench order --ingress HOST:PORT --rate N [OPTION]...\n"
    "\n"
    "Sends orders at times fixed in advance to a node or a cluster that it starts, or to a venue\n"
    "that runs, and takes the time from the intended send to the answer. The book is filled\n"
    "first; then all is measured --repeats times, on instruments of their own.\n"
    "\n"
    "  --dir DIR            start a venue in a folder there; the device under it matters\n"
    "  --members N          it is a cluster on this machine, 1 or 3 (and up to 9)\n"
    "  --sync MODE          of a node's journal: always, periodic or none (always)\n"
    "  --sync-level N       of a cluster's archive and module: 0, 1 or 2 (0)\n"
    "  --venue-idle S       of the node, or of all agents: backoff, yield or spin (backoff)\n"
    "  --node-cpu N         processor of the node's core (any)\n"
    "  --heap-mb N          of each JVM of a cluster (2048)\n"
    "  --gc NAME            its collector: ParallelGC, G1GC, SerialGC (ParallelGC)\n"
    "  --ingress HOST:PORT  a venue that runs, or 0=HOST:PORT,1=HOST:PORT,...\n"
    "  --repeats N          how often all is measured, one after the other (3)\n";

static const char order_help[] =
    "\n"
    "--warmup is 1 if it is not given, and 0 for a trace, a single second or with --commands. Of\n"
    "several repeats each has files of its own: x.hgrm is x.1.hgrm, x.2.hgrm, ...\n"
    "Exit status: 0; 1 when something was lost, missed or doubled, the rate was not kept, or\n"
    "failed; 2 for a wrong command line.\n";

enum {
    REPEATS_MAX = 20,
    /* A venue of one's own has room for the sources of so many, and for their price levels. */
    CLIENTS_MAX = 12,
    ORDERS_MORE = 16384,
    ORDERS_MAX = 1 << 27,
    ORDERS_OF_FILE = 1 << 20,
};

#define NOT_GIVEN LOAD_TERMS_NOT_GIVEN

static const char *const sync_names[] = {"always", "periodic", "none", NULL};
static const char *const idle_names[] = {"backoff", "yield", "spin", NULL};

typedef struct order_bench {
    load_terms_t terms;
    const char *dir;
    const char *gc;
    uint64_t members; /* not given: a node */
    uint64_t sync_level;
    uint64_t node_cpu;
    uint64_t heap_mb;
    uint64_t repeats;
    int sync;       /* of sync_names; -1: not given */
    int venue_idle; /* of idle_names; -1: not given */
    run_file_t *run;
    load_setup_t setup;
    load_marks_t marks;                      /* of all repeats */
    double quotes[REPEATS_MAX][LOAD_QUOTES]; /* latency of each */
    uint64_t faults;
    bool kept;
} order_bench_t;

/* ---- The command line ------------------------------------------------------------------------ */

static int usage(const char *problem)
{
    char text[512];
    (void)snprintf(text, sizeof text, "order: %s", problem);
    return subcommand_usage("bench", text);
}

/* The first option that is of no use for this kind of venue; NULL: there is none. */
static const char *misplaced(const order_bench_t *self)
{
    const bool own = self->dir;
    const bool cluster = own && self->members != NOT_GIVEN;
    const struct {
        const char *problem;
        bool given;
        bool fits;
    } options[] = {
        {"--members goes with --dir: a venue that runs has as many as it has",
         self->members != NOT_GIVEN, own},
        {"--venue-idle goes with --dir: a venue that runs is as it is", self->venue_idle != -1,
         own},
        {"--sync is that of a node with --dir; a cluster has --sync-level", self->sync != -1,
         own && !cluster},
        {"--node-cpu is that of a node with --dir", self->node_cpu != NOT_GIVEN, own && !cluster},
        {"--sync-level is that of a cluster with --members; a node has --sync",
         self->sync_level != NOT_GIVEN, cluster},
        {"--heap-mb is that of a cluster with --members", self->heap_mb != NOT_GIVEN, cluster},
        {"--gc is that of a cluster with --members", self->gc != NULL, cluster},
        {"--no-setup goes with --ingress: nothing is there yet in a venue that is started",
         self->terms.no_setup, !own},
        {"--secret-file goes with --ingress: a venue that is started challenges nobody",
         self->terms.secret_file != NULL, !own},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && !options[i].fits)
            return options[i].problem;
    return NULL;
}

static const char *check(order_bench_t *self)
{
    load_terms_t *terms = &self->terms;
    if (!self->dir && !terms->ingress)
        return "either --dir, for a venue that is started, or --ingress, for one that runs, is "
               "missing; see outcry bench order --help";
    if (self->dir && terms->ingress)
        return "--dir and --ingress exclude each other: a venue is started, or it runs";
    const char *problem = misplaced(self);
    if (problem)
        return problem;
    if (terms->rate == 0)
        return "--rate 0 is a closed loop, which says nothing of latency at a rate: see outcry "
               "load";
    const bool warm = terms->warmup != NOT_GIVEN;
    if (!warm)
        terms->warmup = 0;
    problem = load_terms_check(terms);
    if (problem)
        return problem;
    if (!warm && terms->shape.kind != ARRIVAL_TRACE && terms->seconds > 1 && terms->commands == 0)
        terms->warmup = 1;
    if (self->node_cpu != NOT_GIVEN && bench_host_pin_check((int)self->node_cpu) != OC_ERR_OK)
        return oc_err_context();
    if (self->dir && terms->clients > CLIENTS_MAX)
        return "a venue that is started has room for 12 --clients";
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(order_bench_t *self, int argc, char **argv)
{
    enum { OWN = 9 };
    load_terms_init(&self->terms);
    self->terms.warmup = NOT_GIVEN;
    self->terms.fill = self->terms.tidy = true;
    self->members = self->sync_level = self->node_cpu = self->heap_mb = NOT_GIVEN;
    self->sync = self->venue_idle = -1;
    self->repeats = 3;
    self->kept = true;
    option_t table[OWN + LOAD_TERMS_OPTIONS] = {
        option_text("dir", &self->dir),
        option_number("members", &self->members, 1, MEMBER_COUNT_MAX),
        option_choice("sync", &self->sync, sync_names),
        option_number("sync-level", &self->sync_level, 0, 2),
        option_choice("venue-idle", &self->venue_idle, idle_names),
        option_number("node-cpu", &self->node_cpu, 0, 1023),
        option_number("heap-mb", &self->heap_mb, 128, 1 << 20),
        option_text("gc", &self->gc),
        option_number("repeats", &self->repeats, 1, REPEATS_MAX),
    };
    load_terms_table(&self->terms, table + OWN);
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "bench"};
    if (!options_parse(&parser, argc, argv))
        return usage(parser.error);
    if (parser.help) {
        printf("%s%s%s", order_usage, load_terms_help, order_help);
        return 0;
    }
    const char *problem = check(self);
    if (problem)
        return usage(problem);
    self->run = bench_run_begin(self->terms.run, "order", RUN_LOOP_OPEN, &parser);
    return -1;
}

/* ---- The venue ------------------------------------------------------------------------------- */

static const char *idle_of(const order_bench_t *self)
{
    return idle_names[self->venue_idle < 0 ? 0 : self->venue_idle];
}

/* How many orders may rest after all repeats. */
static oc_err_t orders_of(const order_bench_t *self, uint64_t *orders)
{
    *orders = ORDERS_OF_FILE;
    if (!self->terms.file)
        *orders = load_setup_resting(&self->setup) * self->repeats;
    if (*orders + *orders / 8 + ORDERS_MORE <= ORDERS_MAX)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "order: %" PRIu64
                     " resting orders in all repeats are more than a venue holds: "
                     "fewer --resting, --clients or --repeats",
                     *orders);
}

static void told(const order_bench_t *self, const char *name, const char *value)
{
    printf("%s: %s\n", name, value);
    run_file_config(self->run, name, value);
}

static void make_node(const order_bench_t *self, uint64_t orders, char *text, size_t size)
{
    char core[64];
    const char *sync = sync_names[self->sync < 0 ? 0 : self->sync];
    measured_node_cpu_line(core, sizeof core, "core_cpu",
                           self->node_cpu == NOT_GIVEN ? -1 : (int)self->node_cpu);
    (void)snprintf(text, size,
                   "[node]\nidle = %s\n%s[journal]\nsync = %s\n[exchange]\nmax_orders = %" PRIu64
                   "\n",
                   idle_of(self), core, sync, orders + ORDERS_MORE);
    told(self, "venue", "node");
    told(self, "venue_sync", sync);
    told(self, "venue_idle", idle_of(self));
}

static void make_cluster(const order_bench_t *self, uint64_t orders, cluster_terms_t *terms)
{
    char flags[512];
    char number[32];
    bench_terms_t defaults;
    bench_terms_init(&defaults, "order", self->members);
    *terms = defaults.terms;
    terms->dir = self->dir;
    terms->members = (uint32_t)self->members;
    terms->orders = (uint32_t)orders;
    terms->rounds = 1;
    terms->idle = idle_of(self);
    terms->sync_level = self->sync_level == NOT_GIVEN ? 0 : self->sync_level;
    if (self->heap_mb != NOT_GIVEN)
        terms->heap_mb = self->heap_mb;
    if (self->gc)
        terms->gc = self->gc;
    cluster_terms_jvm_flags(terms, flags, sizeof flags);
    told(self, "venue", "cluster");
    (void)snprintf(number, sizeof number, "%" PRIu32, terms->members);
    told(self, "venue_members", number);
    (void)snprintf(number, sizeof number, "%" PRIu64, terms->sync_level);
    told(self, "venue_sync_level", number);
    told(self, "venue_idle", terms->idle);
    told(self, "venue_jvm_flags", flags);
}

/* ---- The runs -------------------------------------------------------------------------------- */

static oc_err_t run_repeat(order_bench_t *self, const char *ingress, uint32_t repeat)
{
    load_outcome_t outcome;
    const load_report_t report = {
        .setup = &self->setup,
        .outcome = &outcome,
        .repeat = repeat,
        .repeats = (uint32_t)self->repeats,
        .run = self->run,
    };
    oc_err_t err = load_setup_run(&self->setup, ingress, repeat, &outcome);
    if (err != OC_ERR_OK)
        return err;
    printf("\nrepeat: %" PRIu32 "\n", repeat + 1);
    err = load_report(&report, self->quotes[repeat]);
    load_marks_add(&self->marks, &self->terms, &outcome.result);
    self->faults += load_result_faults(&outcome.result);
    self->kept = self->kept && load_result_kept(&outcome.result);
    (void)subcommand_flush();
    if (err == OC_ERR_OK && outcome.result.closed)
        return error_set(OC_ERR_CLOSED, "the venue ended the session: %s", outcome.reason);
    return err;
}

static oc_err_t measure(const char *ingress, void *context)
{
    order_bench_t *self = context;
    oc_err_t err = OC_ERR_OK;
    for (uint32_t i = 0; err == OC_ERR_OK && i < self->repeats; i++)
        err = run_repeat(self, ingress, i);
    return err;
}

/* The best and the worst repeat, of each percentile by itself. */
static void print_summary(const order_bench_t *self)
{
    double best[LOAD_QUOTES];
    double worst[LOAD_QUOTES] = {0};
    for (size_t q = 0; q < LOAD_QUOTES; q++) {
        best[q] = self->quotes[0][q];
        for (size_t i = 0; i < self->repeats; i++) {
            const double value = self->quotes[i][q];
            best[q] = value < best[q] ? value : best[q];
            worst[q] = value > worst[q] ? value : worst[q];
        }
    }
    printf("\nmeasured: %" PRIu64 "\n", self->repeats);
    load_report_quotes("best_rtt", best);
    load_report_quotes("worst_rtt", worst);
    load_marks_print(&self->marks);
}

static oc_err_t run(order_bench_t *self)
{
    char configuration[512];
    cluster_terms_t cluster;
    order_venue_t venue = {.ingress = self->terms.ingress,
                           .dir = self->dir,
                           .program = getenv("OUTCRY_BENCH_PROGRAM")};
    uint64_t orders = 0;
    const oc_err_t err = self->dir ? orders_of(self, &orders) : OC_ERR_OK;
    if (err != OC_ERR_OK)
        return err;
    if (self->terms.ingress) {
        told(self, "venue", self->terms.ingress);
    } else if (self->members != NOT_GIVEN) {
        make_cluster(self, orders, &cluster);
        venue.cluster = &cluster;
    } else {
        make_node(self, orders, configuration, sizeof configuration);
        venue.node = configuration;
    }
    load_report_mode(&self->setup);
    (void)subcommand_flush();
    return order_venue_run(&venue, measure, self);
}

static int run_and_tell(order_bench_t *self)
{
    bench_host_time_t begin;
    bench_host_time_t end;
    const int cpu = self->terms.cpu == NOT_GIVEN ? BENCH_HOST_CPU_ANY : (int)self->terms.cpu;
    if (load_setup_init(&self->setup, &self->terms) != OC_ERR_OK)
        return subcommand_failed();
    bench_host_print(stdout, cpu);
    printf("bench: order\n");
    bench_host_time(&begin);
    const oc_err_t err = run(self);
    load_marks_put(&self->marks, self->run);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    print_summary(self);
    bench_host_time(&end);
    printf("steal_pct: %.2f\n", bench_host_steal_pct(&begin, &end));
    if (self->faults == 0 && self->kept)
        return 0;
    fprintf(stderr,
            "outcry: bench: order: orders were lost, missed or doubled, or the rate was not "
            "kept: see marked and kept_rate\n");
    return EXIT_STATUS_FAILED;
}

static void put_pinned(const order_bench_t *self)
{
    const uint64_t cpus[] = {self->node_cpu, self->terms.cpu};
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++)
        if (cpus[i] != NOT_GIVEN)
            run_file_pinned(self->run, (int)cpus[i]);
}

int bench_order_main(int argc, char **argv)
{
    order_bench_t *self = calloc(1, sizeof *self);
    if (!self) {
        (void)error_set(OC_ERR_NO_MEMORY, "no memory for the bench");
        return subcommand_failed();
    }
    int status = read_arguments(self, argc, argv);
    if (status < 0) {
        put_pinned(self);
        status = bench_run_end(self->run, self->terms.run, run_and_tell(self));
    }
    load_setup_fini(&self->setup);
    free(self);
    return status;
}
