/*
 * `outcry cluster prune`: removes what no start needs of the beginning of a member's log. Called by
 * cluster_main().
 *
 * It must not decide what may go: that is src/cluster/prune.c's.
 */
#define _GNU_SOURCE
#include "cli/cluster.h"

#include "cli/cluster_place.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include "base/error.h"
#include "base/storage.h"
#include "cluster/module_lock.h"
#include "cluster/prune.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

static const char prune_help[] =
    "usage: outcry cluster prune --dir DIR [OPTION]...\n"
    "\n"
    "Removes whole segments from the beginning of a member's log that no start of this member\n"
    "needs: kept is all from the oldest image and the oldest kept official snapshot on. With the\n"
    "member running its archive is asked to do it; else the files are removed here.\n"
    "\n"
    "  --dir DIR            of the member\n"
    "  --dry-run            only print what would go\n"
    "  --keep-from POSITION keep the log from there on as well, for a backup or a member that "
    "lags\n"
    "  --keep-snapshots N   newest official snapshots whose log is kept (default 2)\n"
    "  --snapshots          remove the recordings of snapshots that were invalidated, too; the\n"
    "                       member must be stopped\n"
    "\n"
    "The last file of the log always stays, so a young log has nothing to remove: `nothing: ...`\n"
    "says why no file goes. Refused when files could go and there is no official snapshot (outcry\n"
    "cluster snapshot), or only manifests and no image (outcry snapshot take). What is removed is\n"
    "gone: a member that lags behind the start of all others' logs needs `outcry cluster seed`.\n"
    "\n"
    "Exit status: 0 also when nothing goes, 1 when it was refused or failed, 2 for a wrong "
    "command\n"
    "line.\n";

typedef struct prune_arguments {
    const char *dir;
    uint64_t keep_from;
    uint64_t keep_snapshots;
    bool dry_run;
    bool snapshots;
} prune_arguments_t;

static void print_need(const char *name, int64_t need)
{
    if (need == PRUNE_NO_NEED)
        printf("%s: none\n", name);
    else
        printf("%s: %" PRId64 "\n", name, need);
}

/* Why no file goes. */
static void print_nothing(const prune_plan_t *plan)
{
    const int64_t need = prune_need(plan);
    const int64_t end = prune_file_end(plan);
    if (plan->log_end < end || need == PRUNE_NO_NEED)
        printf("nothing: the log ends at position %" PRId64 ", in its only file, which ends at "
               "position %" PRId64 "\n",
               plan->log_end, end);
    else
        printf("nothing: the log is needed from position %" PRId64 " on, and its first file ends "
               "at position %" PRId64 "\n",
               need, end);
}

static void print_plan(const prune_plan_t *plan, const char *verb)
{
    printf("log_recording: %" PRId64 "\n", plan->recording.id);
    printf("start_position: %" PRId64 "\n", plan->recording.start_position);
    print_need("oldest_image", plan->image_need);
    print_need("oldest_snapshot", plan->snapshot_need);
    print_need("keep_from", plan->backup_need);
    printf("log_end: %" PRId64 "\n", plan->log_end);
    printf("new_start_position: %" PRId64 "\n", plan->below);
    for (size_t i = 0; i < plan->segment_count; i++)
        printf("%s: %" PRId64 "-%" PRId64 ".rec %" PRIu64 " bytes\n", verb,
               plan->segments[i].recording, plan->segments[i].base, plan->segments[i].bytes);
    if (plan->segment_count == 0)
        print_nothing(plan);
}

static void print_stale(const prune_plan_t *plan, const char *verb)
{
    for (size_t i = 0; i < plan->stale_count; i++)
        printf("%s: recording %" PRId64 " %" PRIu64 " bytes\n", verb, plan->stale[i].recording,
               plan->stale[i].bytes);
}

static void print_sum(const prune_plan_t *plan, bool with_stale)
{
    const size_t stale = with_stale ? plan->stale_count : 0;
    printf("files: %zu\n", plan->segment_count + stale);
    printf("bytes: %" PRIu64 "\n",
           prune_bytes(plan->segments, plan->segment_count) + prune_bytes(plan->stale, stale));
}

static oc_err_t make_plan(prune_plan_t *plan, const prune_arguments_t *arguments)
{
    const prune_options_t options = {.dir = arguments->dir,
                                     .keep_from = (int64_t)arguments->keep_from,
                                     .keep_snapshots = (uint32_t)arguments->keep_snapshots};
    return prune_plan_make(plan, &options);
}

/* Nobody has the files open, and nobody can while the locks are held. The plan is made under them
 * too: a member that ran in between may need what it did not need before, because the newest
 * snapshot can be made invalid. */
static oc_err_t prune_stopped(prune_plan_t *plan, const prune_arguments_t *arguments)
{
    char path[PATH_MAX];
    int module = -1;
    storage_file_t *lock = NULL;
    const storage_t *storage = storage_device();
    (void)snprintf(path, sizeof path, "%s/lock", arguments->dir);
    oc_err_t err = storage->lock(storage, path, &lock);
    if (err == OC_ERR_LOCKED)
        return error_set(err,
                         "%s: the member runs, but its module does not: try again when it is "
                         "up, or down",
                         arguments->dir);
    if (err == OC_ERR_OK)
        err = module_lock_take(arguments->dir, &module);
    if (err == OC_ERR_OK)
        err = make_plan(plan, arguments);
    if (err == OC_ERR_OK)
        err = prune_files(plan, arguments->dir, arguments->snapshots);
    module_lock_give(module);
    storage->close(lock);
    return err;
}

static oc_err_t prune_running(prune_plan_t *plan, const prune_arguments_t *arguments)
{
    cluster_place_t place;
    int64_t segments;
    oc_err_t err = make_plan(plan, arguments);
    if (err == OC_ERR_OK)
        err = cluster_place_open(&place, arguments->dir);
    return err == OC_ERR_OK ? prune_ask(plan, place.config.node.aeron_dir, &segments) : err;
}

static void print_done(const prune_plan_t *plan, const prune_arguments_t *arguments, bool running)
{
    const bool with_stale = arguments->snapshots && !running;
    print_plan(plan, "removed");
    print_stale(plan, with_stale ? "removed" : "invalidated");
    print_sum(plan, with_stale);
}

static void print_dry(const prune_plan_t *plan, const prune_arguments_t *arguments)
{
    print_plan(plan, "would_remove");
    print_stale(plan, arguments->snapshots ? "would_remove" : "invalidated");
    print_sum(plan, arguments->snapshots);
}

static int prune(const prune_arguments_t *arguments, bool running)
{
    prune_plan_t plan = {0};
    oc_err_t err;
    if (arguments->dry_run)
        err = make_plan(&plan, arguments);
    else
        err = running ? prune_running(&plan, arguments) : prune_stopped(&plan, arguments);
    if (err == OC_ERR_OK && arguments->dry_run)
        print_dry(&plan, arguments);
    else if (err == OC_ERR_OK)
        print_done(&plan, arguments, running);
    prune_plan_fini(&plan);
    return err == OC_ERR_OK ? 0 : subcommand_failed();
}

/* Returns -1 to go on, else the exit status. */
static int read_options(prune_arguments_t *arguments, int argc, char **argv)
{
    *arguments = (prune_arguments_t){.keep_from = PRUNE_NO_NEED, .keep_snapshots = 2};
    const option_t table[] = {
        option_text("dir", &arguments->dir),
        option_flag("dry-run", &arguments->dry_run, true),
        option_number("keep-from", &arguments->keep_from, 0, INT64_MAX),
        option_number("keep-snapshots", &arguments->keep_snapshots, 1, 1000),
        option_flag("snapshots", &arguments->snapshots, true),
    };
    options_t parser = {
        .table = table, .count = sizeof table / sizeof table[0], .command = "cluster prune"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("cluster prune", parser.error);
    if (parser.help) {
        fputs(prune_help, stdout);
        return 0;
    }
    if (!arguments->dir)
        return subcommand_usage("cluster prune", "--dir DIR is needed");
    return -1;
}

int cluster_prune_main(int argc, char **argv)
{
    prune_arguments_t arguments;
    const int status = read_options(&arguments, argc, argv);
    if (status >= 0)
        return status;
    bool running;
    if (module_lock_probe(arguments.dir, &running, NULL) != OC_ERR_OK)
        return subcommand_failed();
    if (running && arguments.snapshots && !arguments.dry_run) {
        (void)error_set(OC_ERR_REFUSED, "--snapshots: the member runs; stop it first");
        return subcommand_failed();
    }
    return prune(&arguments, running);
}
