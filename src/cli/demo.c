/*
 * `outcry demo`: the promise of a venue, kept through a crash, for somebody who sees it for the
 * first time. Called by main and by `make demo`.
 *
 * Starts a node, sends it orders over Aeron, kills it with SIGKILL at a random moment, starts it
 * again while the client goes on, and lets bench/recovery_proof.h judge from the node's journal and
 * the client's own log. Works in a directory of its own, which it removes; node and load are
 * processes of this very program. Any outcome but the promised one is exit status 1.
 */
#define _GNU_SOURCE
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/remove_tree.h"
#include "bench/child_process.h"
#include "bench/recovery_proof.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS     INT64_C(1000000000)
#define START_NS      (30 * SECOND_NS)
#define LOAD_GRACE_NS (60 * SECOND_NS)

enum { PATH_SIZE = 512 };

static const char demo_help[] =
    "usage: outcry demo [OPTION]...\n"
    "\n"
    "Starts a node, sends it orders, kills it in the middle, starts it again, and proves that\n"
    "nothing acknowledged was lost and nothing was done twice.\n"
    "\n"
    "  --rate N             orders a second (20000)\n"
    "  --seconds N          how long orders are sent, 2 to 3600 (8)\n"
    "  --keep               leave the node's journal and the client's log where they are\n";

typedef struct demo {
    uint64_t rate;
    uint64_t seconds;
    bool keep;
    char dir[PATH_SIZE];       /* of everything that the demo makes */
    char node_dir[PATH_SIZE];  /* the journal */
    char responses[PATH_SIZE]; /* what the client was told */
    char ingress[128];
    child_process_t node;
    child_process_t load;
    double recovery_ms;
    uint64_t stopped_hash; /* as the node itself printed it at its end */
} demo_t;

/* Returns -1 to go on, else the exit status. */
static int read_options(demo_t *demo, int argc, char **argv)
{
    *demo = (demo_t){.rate = 20000, .seconds = 8};
    const option_t table[] = {
        option_number("rate", &demo->rate, 1, 1000000),
        option_number("seconds", &demo->seconds, 2, 3600),
        option_flag("keep", &demo->keep, true),
    };
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0]};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("demo", parser.error);
    if (parser.help) {
        fputs(demo_help, stdout);
        return 0;
    }
    return -1;
}

static oc_err_t make_dir(demo_t *demo)
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(demo->dir, PATH_SIZE, "%.256s/outcry-demo-XXXXXX",
                   base != NULL && base[0] != '\0' ? base : P_tmpdir);
    if (mkdtemp(demo->dir) == NULL) {
        const int reason = errno;
        const oc_err_t err =
            error_set(OC_ERR_OPEN, "%s: %s; set TMPDIR", demo->dir, strerror(reason));
        demo->dir[0] = '\0';
        return err;
    }
    (void)snprintf(demo->node_dir, PATH_SIZE, "%.400s/node", demo->dir);
    (void)snprintf(demo->responses, PATH_SIZE, "%.400s/responses", demo->dir);
    return OC_ERR_OK;
}

static oc_err_t start_node(demo_t *demo, const char *ingress)
{
    const child_node_t node = {.dir = demo->node_dir, .ingress = ingress};
    const oc_err_t err = child_process_start_node(&demo->node, &node);
    if (err != OC_ERR_OK)
        return err;
    return child_process_ready(&demo->node, demo->ingress, sizeof demo->ingress, START_NS);
}

static oc_err_t start_load(demo_t *demo)
{
    char rate[32];
    char seconds[32];
    (void)snprintf(rate, sizeof rate, "%" PRIu64, demo->rate);
    (void)snprintf(seconds, sizeof seconds, "%" PRIu64, demo->seconds);
    const char *const argv[] = {"outcry", "load",          "--ingress", demo->ingress, "--rate",
                                rate,     "--seconds",     seconds,     "--workload",  "W1",
                                "--log",  demo->responses, NULL};
    return child_process_start(&demo->load, argv, -1);
}

static void wait_ns(uint64_t ns)
{
    struct timespec left = {.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

/* Between 30 and 70 % of the run, so that both halves have something to show. */
static uint64_t random_moment_ns(const demo_t *demo)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = clock_wall_ns();
    const uint64_t total_ns = demo->seconds * (uint64_t)SECOND_NS;
    return total_ns * 3 / 10 + number % (total_ns * 4 / 10);
}

/* Kills the node in mid-flow and starts it again on the same directory and address. */
static oc_err_t crash_and_recover(demo_t *demo)
{
    const uint64_t moment_ns = random_moment_ns(demo);
    int status;
    wait_ns(moment_ns);
    if (!child_process_running(&demo->load) || !child_process_running(&demo->node))
        return error_set(OC_ERR_CLOSED, "the node or the load ended before the crash");
    child_process_signal(&demo->node, SIGKILL);
    const oc_err_t err = child_process_wait(&demo->node, &status, START_NS);
    if (err != OC_ERR_OK)
        return err;
    child_process_end(&demo->node);
    printf("  after %.2f s: the node is killed (SIGKILL), orders keep coming\n",
           (double)moment_ns / 1e9);
    (void)subcommand_flush();
    const uint64_t start_ns = clock_wall_ns();
    const oc_err_t start_err = start_node(demo, demo->ingress);
    demo->recovery_ms = (double)(clock_wall_ns() - start_ns) / 1e6;
    if (start_err == OC_ERR_OK)
        printf("  the node is back after %.0f ms, from its journal alone; the client finds it and\n"
               "  sends again what was not answered\n",
               demo->recovery_ms);
    return start_err;
}

/* Shows what the load says of itself. */
static oc_err_t finish_load(demo_t *demo)
{
    const int64_t timeout_ns = (int64_t)demo->seconds * SECOND_NS + LOAD_GRACE_NS;
    char line[CHILD_LINE_MAX];
    int status;
    printf("\nWhat the client saw\n\n");
    oc_err_t err;
    while ((err = child_process_line(&demo->load, line, sizeof line, timeout_ns)) == OC_ERR_OK)
        printf("  %s\n", line);
    if (err != OC_ERR_CLOSED)
        return err;
    err = child_process_wait(&demo->load, &status, START_NS);
    if (err == OC_ERR_OK && status != 0)
        err = error_set(OC_ERR_REFUSED, "the load ended with status %d", status);
    return err;
}

/* An orderly end, after which the node prints the hash of its state. */
static oc_err_t stop_node(demo_t *demo)
{
    char hash[64];
    int status;
    child_process_signal(&demo->node, SIGTERM);
    oc_err_t err = child_process_expect(&demo->node, "state_hash: ", hash, sizeof hash, START_NS);
    if (err != OC_ERR_OK)
        return err;
    demo->stopped_hash = strtoull(hash, NULL, 16);
    err = child_process_wait(&demo->node, &status, START_NS);
    if (err == OC_ERR_OK && status != 0)
        err = error_set(OC_ERR_REFUSED, "the node ended with status %d", status);
    return err;
}

/* The last lines, for people and for scripts. */
static bool print_proof(const demo_t *demo, const recovery_proof_t *proof)
{
    const bool equal =
        proof->state_hash == demo->stopped_hash && proof->state_hash == proof->fast_state_hash;
    printf("\nIs it true\n\n");
    printf(
        "  The journal, %" PRIu64 " entries, was applied again by the reference engine, a naive\n"
        "  second implementation, and compared with what the client wrote down as it came:\n"
        "  %" PRIu64 " messages, %" PRIu64 " of them fills; %" PRIu64 " differ from the journal.\n"
        "  state of the node %016" PRIx64 ", of the reference engine %016" PRIx64 "\n\n",
        proof->entries, proof->outputs, proof->fills, proof->wrong, demo->stopped_hash,
        proof->state_hash);
    printf("acknowledged: %" PRIu64 "\n", proof->acknowledged);
    printf("lost: %" PRIu64 "\n", proof->lost);
    printf("doubled: %" PRIu64 "\n", proof->doubled);
    printf("state_hash: %s\n", equal ? "equal" : "DIFFERENT");
    printf("recovery_ms: %.0f\n", demo->recovery_ms);
    return equal && recovery_proof_holds(proof) && proof->acknowledged > 0;
}

static oc_err_t run(demo_t *demo, bool *holds)
{
    oc_err_t err = start_node(demo, "127.0.0.1:0");
    if (err != OC_ERR_OK)
        return err;
    printf("A venue on this machine, and a client that sends it %" PRIu64 " orders a second over "
           "Aeron\nfor %" PRIu64 " seconds. Nothing is answered before it is safe on the disk.\n\n",
           demo->rate, demo->seconds);
    (void)subcommand_flush();
    err = start_load(demo);
    if (err == OC_ERR_OK)
        err = crash_and_recover(demo);
    if (err == OC_ERR_OK)
        err = finish_load(demo);
    if (err == OC_ERR_OK)
        err = stop_node(demo);
    recovery_proof_t proof;
    if (err == OC_ERR_OK)
        err = recovery_proof(demo->node_dir, demo->responses, &proof);
    if (err == OC_ERR_OK)
        *holds = print_proof(demo, &proof);
    return err;
}

int demo_main(int argc, char **argv)
{
    demo_t demo;
    const int status = read_options(&demo, argc, argv);
    if (status >= 0)
        return status;
    bool holds = false;
    oc_err_t err = make_dir(&demo);
    if (err == OC_ERR_OK)
        err = run(&demo, &holds);
    child_process_end(&demo.load);
    child_process_end(&demo.node);
    if (demo.keep && demo.dir[0] != '\0')
        (void)fprintf(stderr, "outcry: kept: %s\n", demo.dir);
    else if (demo.dir[0] != '\0')
        (void)remove_tree(demo.dir);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    return holds ? 0 : EXIT_STATUS_FAILED;
}
