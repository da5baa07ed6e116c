/*
 * `outcry report RUN...`: reads run files, writes the page and the JSON. Called by main.
 *
 * Invariants: all files are read and found good before anything is written, and what is written
 * never replaces a run that was read.
 */
#define _GNU_SOURCE
#include "report/report.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "report/run_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef OUTCRY_VERSION
#define OUTCRY_VERSION "unversioned"
#endif

static const char report_help[] =
    "usage: outcry report RUN... [OPTION]...\n"
    "       outcry report --compare A B [OPTION]...\n"
    "\n"
    "Makes one page of the run files that benches write with --run: plots, tables in which every\n"
    "figure stands with its rate, message size, MTU, arrivals and percentile, conditions, and "
    "three\n"
    "numbers kept apart: what can be promised, the lab's best, the breaking point. The page needs "
    "no\n"
    "network and no other file. Exactly two runs of the same bench are put side by side as well, "
    "with\n"
    "ratios, and whether they are within noise.\n"
    "\n"
    "  --output PAGE        the page (report.html, unless only --json is given)\n"
    "  --json FILE          the same as JSON\n"
    "  --compare            it is an error if the two runs cannot be put side by side\n"
    "\n"
    "Exit status: 0; 1 when a run cannot be read, is none, or has a median and nothing else; 2 for "
    "a\n"
    "wrong command line.\n";

typedef struct report_arguments {
    const char *output;
    const char *json;
    bool compare;
    const char *files[OPTIONS_OPERANDS_MAX];
    size_t count;
} report_arguments_t;

/* Whether an output would take the place of a run. */
static bool replaces(const char *output, const report_arguments_t *arguments)
{
    struct stat to;
    struct stat from;
    if (!output || stat(output, &to) != 0)
        return false;
    for (size_t i = 0; i < arguments->count; i++)
        if (stat(arguments->files[i], &from) == 0 && from.st_dev == to.st_dev &&
            from.st_ino == to.st_ino)
            return true;
    return false;
}

/* Returns -1 to go on, else the exit status. */
static int read_arguments(report_arguments_t *arguments, int argc, char **argv)
{
    memset(arguments, 0, sizeof *arguments);
    const option_t table[] = {
        option_text("output", &arguments->output),
        option_text("json", &arguments->json),
        option_flag("compare", &arguments->compare, true),
    };
    options_t parser = {.table = table,
                        .count = sizeof table / sizeof table[0],
                        .operand_low = 1,
                        .operand_high = OPTIONS_OPERANDS_MAX,
                        .operand_name = "RUN",
                        .command = "report"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("report", parser.error);
    if (parser.help) {
        fputs(report_help, stdout);
        return 0;
    }
    arguments->count = parser.operand_count;
    memcpy(arguments->files, parser.operands, parser.operand_count * sizeof parser.operands[0]);
    if (arguments->compare && arguments->count != 2)
        return subcommand_usage("report", "--compare needs exactly two RUNs");
    if (!arguments->output && !arguments->json)
        arguments->output = "report.html";
    if (replaces(arguments->output, arguments) || replaces(arguments->json, arguments))
        return subcommand_usage("report", "an output is one of the RUNs; name another file");
    if (arguments->output && arguments->json && !strcmp(arguments->output, arguments->json))
        return subcommand_usage("report", "--output and --json name the same file");
    return -1;
}

static oc_err_t write_json(json_t *report, const char *path)
{
    char *text = json_dumps(report, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    if (!text)
        return error_set(OC_ERR_NO_MEMORY, "no memory for %s", path);
    const oc_err_t err = atomic_file_write(path, text, strlen(text));
    free(text);
    return err;
}

static oc_err_t write_page(json_t *report, const char *path)
{
    char *html;
    size_t size;
    oc_err_t err = report_page(report, &html, &size);
    if (err == OC_ERR_OK)
        err = atomic_file_write(path, html, size);
    free(html);
    return err;
}

static oc_err_t write_outputs(const report_arguments_t *arguments, json_t *const *runs,
                              bool compare)
{
    json_t *report;
    oc_err_t err =
        report_make(runs, arguments->files, arguments->count, compare, OUTCRY_VERSION, &report);
    if (err == OC_ERR_OK && arguments->json)
        err = write_json(report, arguments->json);
    if (err == OC_ERR_OK && arguments->output)
        err = write_page(report, arguments->output);
    json_decref(report);
    return err;
}

/* Whether the two are of one bench; an error only if it was asked for. */
static oc_err_t check_comparable(const report_arguments_t *arguments, json_t *const *runs,
                                 bool *compare)
{
    *compare = false;
    if (arguments->count != 2)
        return OC_ERR_OK;
    json_t *a = json_object_get(runs[0], "bench");
    json_t *b = json_object_get(runs[1], "bench");
    *compare = json_equal(a, b);
    if (*compare || !arguments->compare)
        return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "%.150s is of bench %.32s, %.150s of bench %.32s: only two runs of one bench "
                     "can be compared",
                     arguments->files[0], json_string_value(a), arguments->files[1],
                     json_string_value(b));
}

static oc_err_t run_report(const report_arguments_t *arguments)
{
    json_t *runs[OPTIONS_OPERANDS_MAX] = {NULL};
    oc_err_t err = OC_ERR_OK;
    bool compare = false;
    for (size_t i = 0; i < arguments->count && err == OC_ERR_OK; i++)
        err = run_read(arguments->files[i], &runs[i]);
    if (err == OC_ERR_OK)
        err = check_comparable(arguments, runs, &compare);
    if (err == OC_ERR_OK)
        err = write_outputs(arguments, runs, compare);
    for (size_t i = 0; i < arguments->count; i++)
        json_decref(runs[i]);
    return err;
}

int report_main(int argc, char **argv)
{
    report_arguments_t arguments;
    const int status = read_arguments(&arguments, argc, argv);
    if (status >= 0)
        return status;
    if (run_report(&arguments) != OC_ERR_OK)
        return subcommand_failed();
    if (arguments.output)
        printf("page: %s\n", arguments.output);
    if (arguments.json)
        printf("json: %s\n", arguments.json);
    return 0;
}
