/*
 * Runs a node in the foreground of a process. Called by `outcry node` and, through oc_node_run(),
 * by programs of service authors.
 *
 * Invariants: `ready` is printed once clients are answered, never before; signals only set a flag;
 * what was set for the process (handlers) is put back at the end.
 */
#define _GNU_SOURCE
#include "host/node_run.h"

#include "base/error.h"
#include "host/idle_strategy.h"
#include "host/node.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t end_requested;

static void request_end(int number)
{
    (void)number;
    end_requested = 1;
}

/* What the signals did before, in the order of `numbers`. */
enum { SIGNALS = 3 };
static const int numbers[SIGNALS] = {SIGTERM, SIGINT, SIGPIPE};

static void take_signals(struct sigaction before[SIGNALS])
{
    end_requested = 0;
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = numbers[i] == SIGPIPE ? SIG_IGN : request_end;
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(numbers[i], &action, &before[i]);
    }
}

static void give_signals_back(const struct sigaction before[SIGNALS])
{
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(numbers[i], &before[i], NULL);
}

/* Pins the calling thread, which is going to be the core. */
static oc_err_t pin(int cpu)
{
    cpu_set_t set;
    if (cpu < 0)
        return OC_ERR_OK;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        return error_set(OC_ERR_INVALID_CONFIG, "core_cpu = %d: %s", cpu, strerror(errno));
    return OC_ERR_OK;
}

static void print_start(const node_t *node)
{
    node_report_t report;
    node_report(node, &report);
    (void)fprintf(stderr, "outcry: recovery: %s\n", report.verdict.line);
    (void)fprintf(stderr,
                  "outcry: recovery: %" PRIu64 " entries applied, %" PRIu32
                  " sessions, term %" PRIu32 ", %.1f ms\n",
                  report.replayed, report.sessions, report.term, (double)report.recovery_ns / 1e6);
    printf("ready: %s\n", node_ingress(node));
    (void)fflush(stdout);
}

static void print_end(const node_report_t *report)
{
    printf("stopped: orderly\n");
    printf("position: %" PRIu64 "\n", report->position);
    printf("entries: %" PRIu64 "\n", report->entries);
    printf("term: %" PRIu32 "\n", report->term);
    printf("state_hash: %016" PRIx64 "\n", report->state_hash);
    (void)fflush(stdout);
}

static oc_err_t serve(node_t *node, const node_config_t *config)
{
    idle_strategy_t idle;
    idle_strategy_init(&idle, config->idle);
    while (!node_stopped(node)) {
        int work;
        if (end_requested)
            node_stop(node);
        const oc_err_t err = node_do_work(node, &work);
        if (err != OC_ERR_OK)
            return err;
        idle_strategy_apply(&idle, work, node_waits(node));
    }
    return OC_ERR_OK;
}

static oc_err_t run(const oc_service_t *service, const node_config_t *config)
{
    node_t *node;
    oc_err_t err = node_create(&node, config, service);
    if (err != OC_ERR_OK)
        return err;
    err = pin(config->core_cpu); /* now: the journal's threads must not inherit it */
    if (err == OC_ERR_OK) {
        print_start(node);
        err = serve(node, config);
    }
    node_report_t report;
    char context[512];
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    node_report(node, &report);
    const oc_err_t end_err = node_destroy(node);
    if (err != OC_ERR_OK)
        return error_set(err, "%s", context);
    if (end_err == OC_ERR_OK)
        print_end(&report);
    return end_err;
}

oc_err_t node_run(const oc_service_t *service, const node_config_t *config)
{
    struct sigaction before[SIGNALS];
    take_signals(before);
    const oc_err_t err = run(service, config);
    give_signals_back(before);
    return err;
}

oc_err_t node_config_apply_options(node_config_t *config, const char *dir, const char *ingress)
{
    const int dir_length = snprintf(config->dir, sizeof config->dir, "%s", dir);
    if (dir_length < 0 || (size_t)dir_length >= sizeof config->dir)
        return error_set(OC_ERR_TOO_LONG, "the directory's name is too long");
    if (!ingress)
        return OC_ERR_OK;
    const int length = snprintf(config->ingress, sizeof config->ingress, "%s", ingress);
    if (length < 0 || (size_t)length >= sizeof config->ingress)
        return error_set(OC_ERR_TOO_LONG, "ingress: at most %d characters", NODE_TEXT_MAX - 1);
    return OC_ERR_OK;
}

oc_err_t oc_node_run(const oc_service_t *service, const oc_node_options_t *options)
{
    node_config_t config;
    node_config_init(&config);
    if (!options->dir)
        return error_set(OC_ERR_INVALID_ARGUMENT, "no directory for the log is given");
    if (options->config_file) {
        const oc_err_t err = node_config_read(&config, options->config_file, NULL, 0);
        if (err != OC_ERR_OK)
            return err;
    }
    const oc_err_t err = node_config_apply_options(&config, options->dir, options->ingress);
    return err == OC_ERR_OK ? node_run(service, &config) : err;
}
