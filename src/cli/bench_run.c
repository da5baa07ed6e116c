/*
 * Run files of the benches that print figures. Called by `outcry bench`.
 *
 * Invariant: a run that failed leaves a marked file, never one that looks good.
 */
#define _GNU_SOURCE
#include "cli/bench_run.h"

#include "base/error.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifndef OUTCRY_VERSION
#define OUTCRY_VERSION "unversioned"
#endif

/* Where files go changes no figure. */
static bool is_file(const char *option)
{
    return !strcmp(option, "run") || !strcmp(option, "hgrm") || !strcmp(option, "hlog");
}

static void put_option(run_file_t *run, const option_t *option)
{
    if (is_file(option->name))
        return;
    char text[32];
    const char *value = text;
    switch (option->kind) {
    case OPTION_FLAG:
        value = *(const bool *)option->target == option->flag_value ? "given" : "not given";
        break;
    case OPTION_TEXT:
        value = *(const char *const *)option->target;
        break;
    case OPTION_NUMBER:
        (void)snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)option->target);
        if (*(const uint64_t *)option->target > option->high ||
            *(const uint64_t *)option->target < option->low)
            value = "not given";
        break;
    case OPTION_CHOICE:
        if (*(const int *)option->target >= 0)
            value = option->choices[*(const int *)option->target];
        else
            value = NULL;
        break;
    }
    run_file_config(run, option->name, value ? value : "not given");
}

run_file_t *bench_run_begin(const char *path, const char *name, run_loop_t loop,
                            const options_t *parser)
{
    run_file_t *run = path ? run_file_create(name, loop, OUTCRY_VERSION) : NULL;
    for (size_t i = 0; run && i < parser->count; i++)
        put_option(run, &parser->table[i]);
    return run;
}

/* But the driver's directory, which has a number of its own in each run, and Aeron's version, which
 * is a condition. */
void bench_run_wire(run_file_t *run, const wire_facts_t *facts)
{
    for (size_t i = 0; i < facts->count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s", facts->items[i].name);
        if (!strcmp(name, "aeron_dir") || !strcmp(name, "aeron_version"))
            continue;
        for (char *c = name; *c; c++)
            if (*c == '_')
                *c = '-';
        run_file_config(run, name, facts->items[i].value);
    }
}

void bench_run_figures(run_file_t *run, const char *prefix, const bench_figure_t *figures,
                       size_t count, const run_qualifiers_t *with)
{
    for (size_t i = 0; i < count; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", prefix, figures[i].name);
        run_file_figure(run, name, figures[i].value, figures[i].unit, with, figures[i].percentile);
    }
}

int bench_run_end(run_file_t *run, const char *path, int status)
{
    oc_err_t err = OC_ERR_OK;
    run_file_mark(run, "failed", status != 0);
    if (path)
        err = run ? run_file_write(run, path)
                  : error_set(OC_ERR_NO_MEMORY, "no memory for the run file %s", path);
    run_file_destroy(run);
    return err == OC_ERR_OK ? status : subcommand_failed();
}
