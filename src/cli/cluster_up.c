/*
 * `outcry cluster up`: a whole cluster on this machine, in the foreground. Called by cli/cluster.c.
 *
 * The members are processes of this very program (bench/local_cluster.h). It restarts nothing: who
 * wants to see what a death does kills a member, and starts it again with the line that is printed
 * at its start. Nothing is left running when it ends, however it ends.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "base/process_signals.h"
#include "base/remove_tree.h"
#include "bench/local_cluster.h"
#include "cli/cluster.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)
#define STOP_NS   (30 * SECOND_NS)
#define STEP_NS   (SECOND_NS / 5)

static const char up_help[] =
    "usage: outcry cluster up --local --dir BASE [OPTION]...\n"
    "\n"
    "Runs all members of a cluster on this machine, in BASE/m0, BASE/m1 and so on, with UDP ports\n"
    "that are free and a cluster_id drawn at random, which stay. Prints what the members say,\n"
    "`ingress: 0=HOST:PORT,...` for clients, and `ready: ...` when one leads. SIGTERM, SIGINT or\n"
    "SIGHUP ends all in order, one more at once.\n"
    "\n"
    "  --local              all members on this machine: the only way there is\n"
    "  --dir BASE           made if absent; a cluster that is there goes on with its own ports\n"
    "  --members N          1 to 9 (3, or as many as there are)\n"
    "  --config FILE        more lines for the configuration of every member of a new cluster; a\n"
    "                       cluster_id there counts\n"
    "  --program PROGRAM    run PROGRAM BASE/mN as each member, a service of your own, instead of\n"
    "                       the exchange\n"
    "  --keep               leave BASE there also if it was made by this run\n"
    "  --timeout S          seconds until one leads, 1 to 3600 (60)\n"
    "\n"
    "Exit status: 0 after an orderly end, 1 when something failed, 2 for a wrong command line.\n";

typedef struct up {
    const char *dir;
    const char *config;
    const char *program;
    uint64_t members;
    uint64_t timeout_s;
    bool local;
    bool keep;
} up_t;

/* Returns -1 to go on, else the exit status. */
static int read_arguments(up_t *up, int argc, char **argv)
{
    *up = (up_t){.timeout_s = 60};
    const option_t table[] = {
        option_flag("local", &up->local, true),
        option_text("dir", &up->dir),
        option_text("config", &up->config),
        option_text("program", &up->program),
        option_number("members", &up->members, 1, MEMBER_COUNT_MAX),
        option_flag("keep", &up->keep, true),
        option_number("timeout", &up->timeout_s, 1, 3600),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "cluster up"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster up", parser.error);
    if (parser.help) {
        fputs(up_help, stdout);
        return 0;
    }
    if (!up->local)
        return subcommand_usage("cluster up", "--local is missing: members on other machines are "
                                              "started there, by outcry member");
    if (!up->dir)
        return subcommand_usage("cluster up", "--dir is missing; see outcry cluster up --help");
    if (up->program && !strchr(up->program, '/'))
        return subcommand_usage("cluster up", "--program needs a path with a slash: ./counter");
    return -1;
}

/* They name themselves, but for what is not theirs to say. */
static void print_line(void *context, uint32_t member, const char *line)
{
    unsigned named;
    (void)context;
    if (sscanf(line, "member %u:", &named) == 1 && named == member)
        printf("%s\n", line);
    else
        printf("member %" PRIu32 ": %s\n", member, line);
    (void)subcommand_flush();
}

static oc_err_t wait_leader(local_cluster_t *cluster, uint64_t timeout_s)
{
    uint32_t leader;
    const oc_err_t err =
        local_cluster_wait_leader(cluster, 0, &leader, (int64_t)timeout_s * SECOND_NS);
    if (err == OC_ERR_TIMEOUT)
        return error_set(err, "no member leads after %" PRIu64 " s; m*/module.log may say why",
                         timeout_s);
    if (err != OC_ERR_OK)
        return err;
    printf("ingress: %s\n", local_cluster_folder(cluster)->ingress);
    printf("ready: member %" PRIu32 " leads\n", leader);
    (void)subcommand_flush();
    return OC_ERR_OK;
}

static uint32_t running(const local_cluster_t *cluster)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < local_cluster_folder(cluster)->members; i++) {
        local_member_state_t state;
        local_cluster_state(cluster, i, &state);
        count += state.running;
    }
    return count;
}

/* All may end by themselves: a shutdown of the cluster. Then each must have ended well. */
static oc_err_t serve(local_cluster_t *cluster)
{
    while (!process_end_requested() && running(cluster) > 0)
        (void)local_cluster_poll(cluster, STEP_NS);
    for (uint32_t i = 0; running(cluster) == 0 && i < local_cluster_folder(cluster)->members; i++) {
        local_member_state_t state;
        local_cluster_state(cluster, i, &state);
        if (state.status != 0)
            return error_set(OC_ERR_CLOSED, "member %" PRIu32 " ended with status %d", i,
                             state.status);
    }
    return OC_ERR_OK;
}

static oc_err_t run(local_cluster_t *cluster, const up_t *up)
{
    char first[512] = "";
    oc_err_t err = local_cluster_start_all(cluster);
    if (err == OC_ERR_OK)
        err = wait_leader(cluster, up->timeout_s);
    if (err == OC_ERR_OK)
        err = serve(cluster);
    (void)snprintf(first, sizeof first, "%s", oc_err_context());
    const oc_err_t stop_err = local_cluster_stop(cluster, STOP_NS);
    return err == OC_ERR_OK ? stop_err : error_set(err, "%s", first);
}

static int run_and_tidy(const up_t *up)
{
    local_cluster_t *cluster;
    const local_cluster_config_t config = {
        .folder = {.base = up->dir,
                   .members = (uint32_t)up->members,
                   .file = up->config,
                   .own_id = true},
        .program = up->program,
        .plain = up->program != NULL,
        .line = print_line,
    };
    oc_err_t err = local_cluster_create(&cluster, &config);
    if (err != OC_ERR_OK)
        return subcommand_failed();
    const bool made = local_cluster_folder(cluster)->made;
    if (!made && up->config)
        (void)fprintf(stderr,
                      "outcry: %s is there already: its members keep their configuration, "
                      "whatever %s says\n",
                      up->dir, up->config);
    err = run(cluster, up);
    const int status = err == OC_ERR_OK ? 0 : subcommand_failed();
    local_cluster_destroy(cluster);
    /* After a failure it stays: the logs in it say more. */
    const bool goes = made && !up->keep && (err == OC_ERR_OK || err == OC_ERR_INTERRUPTED);
    if (goes)
        (void)remove_tree(up->dir);
    printf("%s: %s\n", goes ? "removed" : "kept", up->dir);
    return status;
}

int cluster_up_main(int argc, char **argv)
{
    up_t up;
    int status = read_arguments(&up, argc, argv);
    if (status >= 0)
        return status;
    (void)process_take_signals();
    process_let_second_signal_kill();
    status = run_and_tidy(&up);
    process_give_signals_back();
    return status;
}
