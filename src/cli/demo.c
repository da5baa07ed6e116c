/*
 * `outcry demo`: the promise of a venue, kept through a crash, for somebody who sees it for the
 * first time. Called by main and by `make demo`; of a cluster, demo_cluster.c goes on.
 *
 * Starts a node, sends it orders over Aeron, kills it with SIGKILL at a random moment, starts it
 * again while the client goes on, and lets bench/recovery_proof.h judge from the node's journal and
 * the client's own log. Works in a directory of its own, which it removes; node and load are
 * processes of this very program. Any outcome but the promised one is exit status 1.
 */
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/child_process.h"
#include "bench/recovery_proof.h"
#include "cli/demo_cluster.h"
#include "cli/demo_scene.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define SECOND_NS INT64_C(1000000000)
#define START_NS  (30 * SECOND_NS)

static const char demo_help[] =
    "usage: outcry demo [OPTION]...\n"
    "\n"
    "Starts a node, sends it orders, kills it in the middle, starts it again, and proves that\n"
    "nothing acknowledged was lost and nothing was done twice.\n"
    "\n"
    "  --cluster            a cluster of three members instead of a node; its leader is killed\n"
    "  --rate N             orders a second (20000; of a cluster 2000)\n"
    "  --seconds N          how long orders are sent, 2 to 3600 (8; of a cluster 20)\n"
    "  --keep               leave the logs and the client's own where they are\n";

typedef struct demo {
    demo_scene_t scene;
    char node_dir[DEMO_PATH_SIZE]; /* the journal */
    char ingress[128];
    child_process_t node;
    double recovery_ms;
    uint64_t stopped_hash; /* as the node itself printed it at its end */
} demo_t;

/* Returns -1 to go on, else the exit status. */
static int read_options(demo_scene_t *scene, bool *cluster, int argc, char **argv)
{
    *scene = (demo_scene_t){0};
    const option_t table[] = {
        option_flag("cluster", cluster, true),
        option_number("rate", &scene->rate, 1, 1000000),
        option_number("seconds", &scene->seconds, 2, 3600),
        option_flag("keep", &scene->keep, true),
    };
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0]};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("demo", parser.error);
    if (parser.help) {
        fputs(demo_help, stdout);
        return 0;
    }
    if (scene->rate == 0)
        scene->rate = *cluster ? 2000 : 20000;
    if (scene->seconds == 0)
        scene->seconds = *cluster ? 20 : 8;
    return -1;
}

static oc_err_t start_node(demo_t *demo, const char *ingress)
{
    const child_node_t node = {.dir = demo->node_dir, .ingress = ingress};
    const oc_err_t err = child_process_start_node(&demo->node, &node);
    if (err != OC_ERR_OK)
        return err;
    return child_process_ready(&demo->node, demo->ingress, sizeof demo->ingress, START_NS);
}

/* Kills the node in mid-flow and starts it again on the same directory and address. */
static oc_err_t crash_and_recover(demo_t *demo)
{
    const uint64_t moment_ns = demo_scene_moment_ns(&demo->scene);
    int status;
    oc_err_t err = demo_scene_wait(&demo->scene, moment_ns);
    if (err != OC_ERR_OK)
        return err;
    if (!child_process_running(&demo->scene.load) || !child_process_running(&demo->node))
        return error_set(OC_ERR_CLOSED, "the node or the load ended before the crash");
    child_process_signal(&demo->node, SIGKILL);
    err = child_process_wait(&demo->node, &status, START_NS);
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
    (void)snprintf(demo->node_dir, DEMO_PATH_SIZE, "%s", demo->scene.dir);
    oc_err_t err = start_node(demo, "127.0.0.1:0");
    if (err != OC_ERR_OK)
        return err;
    printf("A venue on this machine, and a client that sends it %" PRIu64 " orders a second over "
           "Aeron\nfor %" PRIu64 " seconds. Nothing is answered before it is safe on the disk.\n\n",
           demo->scene.rate, demo->scene.seconds);
    (void)subcommand_flush();
    err = demo_scene_start_load(&demo->scene, demo->ingress);
    if (err == OC_ERR_OK)
        err = crash_and_recover(demo);
    if (err == OC_ERR_OK) {
        printf("\nWhat the client saw\n\n");
        err = demo_scene_finish_load(&demo->scene);
    }
    if (err == OC_ERR_OK)
        err = stop_node(demo);
    recovery_proof_t proof;
    if (err == OC_ERR_OK)
        err = recovery_proof(demo->node_dir, demo->scene.responses, &proof);
    if (err == OC_ERR_OK)
        *holds = print_proof(demo, &proof);
    return err;
}

/* After an error it may still run, and what it has in memory is its own to remove. */
static void end_node(demo_t *demo)
{
    int status;
    child_process_signal(&demo->node, SIGTERM);
    if (child_process_wait(&demo->node, &status, START_NS) != OC_ERR_OK)
        (void)fprintf(stderr, "outcry: the node does not end, and is killed\n");
    child_process_end(&demo->node);
}

int demo_main(int argc, char **argv)
{
    demo_t demo = {.node.output = -1};
    bool cluster = false;
    int status = read_options(&demo.scene, &cluster, argc, argv);
    if (status >= 0)
        return status;
    if (cluster)
        return demo_cluster(&demo.scene);
    bool holds = false;
    oc_err_t err = demo_scene_begin(&demo.scene);
    if (err == OC_ERR_OK)
        err = process_check_interrupted(run(&demo, &holds));
    status = holds ? 0 : EXIT_STATUS_FAILED;
    if (err != OC_ERR_OK)
        status = subcommand_failed();
    end_node(&demo);
    demo_scene_end(&demo.scene);
    return status;
}
