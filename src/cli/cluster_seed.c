/*
 * `outcry cluster seed`: gives a wiped member what another one has. Called by cluster_main().
 */
#define _GNU_SOURCE
#include "cli/cluster.h"

#include "cli/cluster_place.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"
#include "cluster/module_lock.h"
#include "cluster/seed.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const char seed_help[] =
    "usage: outcry cluster seed --from DIR --to DIR [--id N]\n"
    "\n"
    "Copies what a start needs from a member's directory into that of a member that lost its own:\n"
    "the newest image, the newest official snapshot, the log from there on. The source may run.\n"
    "Then the member is started, recovers, and catches up with the others. log_end and log_term "
    "say\n"
    "how far the copied log goes: where another member's goes further (outcry cluster status), "
    "take\n"
    "that one, or what this one lacks may be lost. A member that has diverged is refused.\n"
    "\n"
    "  --from DIR  of a member of the same cluster: the leader if there is one, else the member\n"
    "              with the longest log. A copy of a directory does as well; of a running member\n"
    "              on another machine, take the copy while it is stopped\n"
    "  --to DIR    of the wiped member: absent, empty, or with its outcry.conf alone\n"
    "  --id N      refuse unless the configuration in --to is that of member N\n"
    "\n"
    "A seed that was killed leaves DIR.seed, which the next one removes.\n";

typedef struct seed_arguments {
    const char *from;
    const char *to;
    uint64_t id;
} seed_arguments_t;

#define NO_ID UINT64_MAX

/* The counters of the driver that the source's archive uses. */
typedef struct source {
    cluster_place_t place;
    counter_table_t *table;
} source_t;

static bool recorded(void *context, int64_t recording, int64_t *position)
{
    const source_t *source = context;
    return module_counters_recorded(source->table, recording, position);
}

static oc_err_t check_ids(const seed_arguments_t *arguments)
{
    cluster_place_t place;
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/" NODE_CONFIG_NAME, arguments->to);
    if (access(path, F_OK) != 0)
        return arguments->id == NO_ID
                   ? OC_ERR_OK
                   : error_set(OC_ERR_REFUSED, "--id: there is no %s to compare with", path);
    const oc_err_t err = cluster_place_open(&place, arguments->to);
    if (err == OC_ERR_OK && arguments->id != NO_ID && place.config.id != arguments->id)
        return error_set(OC_ERR_REFUSED, "%s is of member %" PRIu64 ", not %" PRIu64, path,
                         place.config.id, arguments->id);
    return err;
}

static int report(oc_err_t err, const seed_result_t *result)
{
    if (err != OC_ERR_OK)
        return subcommand_failed();
    printf("snapshot_position: %" PRId64 "\n", result->snapshot_position);
    printf("image_position: %" PRId64 "\n", result->image_position);
    printf("log_start: %" PRId64 "\n", result->log_start);
    printf("log_end: %" PRId64 "\n", result->log_end);
    printf("log_term: %" PRId64 "\n", result->log_term);
    printf("files: %" PRIu64 "\n", result->files);
    printf("bytes: %" PRIu64 "\n", result->bytes);
    return 0;
}

static int run(const seed_arguments_t *arguments)
{
    source_t source = {0};
    seed_result_t result;
    bool running;
    seed_options_t options = {
        .from = arguments->from, .to = arguments->to, .settle_ns = SEED_SETTLE_NS};
    oc_err_t err = check_ids(arguments);
    if (err == OC_ERR_OK)
        err = module_lock_probe(arguments->from, &running, NULL);
    if (err == OC_ERR_OK && running) {
        err = cluster_place_open(&source.place, arguments->from);
        if (err == OC_ERR_OK)
            err = counter_table_open(&source.table, source.place.config.node.aeron_dir);
        options.recorded = recorded;
        options.context = &source;
    }
    if (err == OC_ERR_OK)
        err = seed_member(&options, &result);
    if (source.table)
        counter_table_close(source.table);
    return report(err, &result);
}

int cluster_seed_main(int argc, char **argv)
{
    seed_arguments_t arguments = {.id = NO_ID};
    const option_t table[] = {
        option_text("from", &arguments.from),
        option_text("to", &arguments.to),
        option_number("id", &arguments.id, 0, INT32_MAX),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "cluster seed"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster seed", parser.error);
    if (parser.help) {
        fputs(seed_help, stdout);
        return 0;
    }
    if (!arguments.from || !arguments.to)
        return subcommand_usage("cluster seed", "--from DIR and --to DIR are needed");
    return run(&arguments);
}
