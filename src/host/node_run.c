/*
 * Runs a node in the foreground of a process. Called by `outcry node` and, through oc_node_run(),
 * by programs of service authors.
 *
 * Invariant: `ready` is printed once clients are answered, never before.
 */
#define _GNU_SOURCE
#include "host/node_run.h"

#include "base/error.h"
#include "base/process_signals.h"
#include "host/idle_strategy.h"
#include "host/node.h"

#include <inttypes.h>
#include <stdio.h>

/* There it would begin a log of its own, with an empty state. */
static oc_err_t refuse_member(const char *dir)
{
    if (!node_config_is_member(dir))
        return OC_ERR_OK;
    return error_set(OC_ERR_REFUSED,
                     "%s is the directory of a member of a cluster, which runs by a file with a "
                     "section [cluster] (the exchange: outcry member --config %s/" NODE_CONFIG_NAME
                     "); a node would begin there with nothing",
                     dir, dir);
}

static void print_start(const node_t *node)
{
    node_report_t report;
    node_report(node, &report);
    (void)fprintf(stderr, "outcry: recovery: %s\n", report.verdict.line);
    if (report.image_sequence != 0)
        (void)fprintf(stderr,
                      "outcry: recovery: image %" PRIu64 " at position %" PRIu64 ", %" PRIu64
                      " entries after it\n",
                      report.image_sequence, report.image_position, report.replayed);
    (void)fprintf(stderr,
                  "outcry: recovery: %" PRIu64 " entries applied, %" PRIu32
                  " sessions, term %" PRIu32 ", %.1f ms\n",
                  report.replayed, report.sessions, report.term, (double)report.recovery_ns / 1e6);
    if (process_end_requested())
        return; /* during the recovery: nobody is to come any more */
    printf("ready: %s\n", node_ingress(node));
    (void)fflush(stdout);
}

/* Of this process, not of the log. */
static void print_counters(const gateway_counters_t *counters)
{
    printf("messages: %" PRIu64 "\n", counters->messages);
    printf("dropped_malformed: %" PRIu64 "\n", counters->dropped_malformed);
    printf("dropped_unknown: %" PRIu64 "\n", counters->dropped_unknown);
    printf("connects: %" PRIu64 "\n", counters->connects);
    printf("refused: %" PRIu64 "\n", counters->refused);
    printf("closed_slow: %" PRIu64 "\n", counters->closed_slow);
    printf("closed_timeout: %" PRIu64 "\n", counters->closed_timeout);
    printf("egress_messages: %" PRIu64 "\n", counters->egress_messages);
    printf("egress_back_pressure: %" PRIu64 "\n", counters->egress_back_pressure);
}

static void print_end(const node_report_t *report)
{
    printf("stopped: orderly\n");
    printf("position: %" PRIu64 "\n", report->position);
    printf("entries: %" PRIu64 "\n", report->entries);
    printf("term: %" PRIu32 "\n", report->term);
    printf("state_hash: %016" PRIx64 "\n", report->state_hash);
    print_counters(&report->gateway);
    printf("images: %" PRIu64 "\n", report->images);
    printf("images_abandoned: %" PRIu64 "\n", report->images_abandoned);
    printf("images_failed: %" PRIu64 "\n", report->images_failed);
    (void)fflush(stdout);
}

static oc_err_t serve(node_t *node, const node_config_t *config)
{
    idle_strategy_t idle;
    idle_strategy_init(&idle, config->idle);
    while (!node_stopped(node)) {
        int work;
        if (process_end_requested())
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
    if (process_end_requested()) {
        (void)fprintf(stderr, "outcry: ended before the log was opened\n");
        return OC_ERR_OK;
    }
    (void)fprintf(stderr, "outcry: configuration: %s\n",
                  config->file[0] ? config->file : "defaults");
    oc_err_t err = refuse_member(config->dir);
    if (err == OC_ERR_OK)
        err = node_create(&node, config, service);
    if (err != OC_ERR_OK)
        return err;
    err = process_pin_core(config->core_cpu); /* now: the journal's threads must not inherit it */
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
    const bool own = process_take_signals();
    const oc_err_t err = run(service, config);
    if (own)
        process_give_signals_back();
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
