/*
 * `outcry replay FILE`: real order flow through the engine. Called by main.
 *
 * Opens inputs before outputs, so that a mistyped name costs no old result. Results go to stdout,
 * everything for people to stderr; when reports or the book take stdout, the summary moves over.
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "cli/book_writer.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/replay_run.h"
#include "cli/subcommand.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char replay_help[] =
    "usage: outcry replay FILE [OPTION]...\n"
    "\n"
    "Runs the order flow of FILE (also .xz, .zst, .gz) through the engine and prints a summary.\n"
    "\n"
    "  --format F           tape, lobster, dbn, itch, own, or auto: by content (auto)\n"
    "  --engine E           fast or reference (fast)\n"
    "  --modify-priority P  keep or lose the place in the queue on a modify (keep)\n"
    "  --reports FILE       write what the engine answered, one line per report; - is stdout\n"
    "  --book FILE          write the orders that rest at the end; - is stdout\n"
    "  --record FILE        write the commands as the project's own tape\n"
    "  --tick-size RAW      raw price units of the file per tick (1)\n"
    "  --limit N            stop after N records\n"
    "  --instrument ID      only this instrument; its number where the file has none (1)\n"
    "  --max-orders N       most orders that may rest at a time (1048576)\n"
    "  --mirror             nothing matches: the file's own trades are taken over\n"
    "  --progress           show progress even if stderr is no terminal\n"
    "  --no-progress        show no progress\n"
    "\n"
    "An own tape brings the configuration it was recorded under; of the options that change the\n"
    "outcome only --limit applies to it.\n"
    "\n"
    "The summary counts every command that was applied, those that add the source and the\n"
    "instruments included. Exit status: 0, 1 (the file or a result), 2 (the command line).\n";

typedef struct replay_options {
    const char *path;
    const char *reports;
    const char *book;
    const char *record;
    int format; /* index into format_names, which is flow_format_t */
    int engine;
    int modify_priority;
    uint64_t tick_size;
    uint64_t limit;
    uint64_t instrument; /* 0: not given */
    uint64_t max_orders;
    bool mirror;
    bool progress;
} replay_options_t;

/* Indexed by flow_format_t, oc_engine_kind_t and oc_modify_priority_t. */
static const char *const format_names[] = {"auto", "tape", "lobster", "dbn", "itch", "own", NULL};
static const char *const engine_names[] = {"fast", "reference", NULL};
static const char *const priority_names[] = {"keep", "lose", NULL};

/* What a replay has open. */
typedef struct replay_files {
    flow_reader_t *reader;
    FILE *reports;
    FILE *book;
    FILE *summary; /* stdout or stderr, not owned */
    report_writer_t *report_writer;
    tape_writer_t *tape;
} replay_files_t;

static int usage(const char *message)
{
    fprintf(stderr, "outcry: replay: %s\n", message);
    return EXIT_STATUS_USAGE;
}

static int complain(void)
{
    fprintf(stderr, "outcry: %s\n", oc_err_context());
    return EXIT_STATUS_FAILED;
}

static bool is_dash(const char *path)
{
    return path && !strcmp(path, "-");
}

/* Whether two names are the same file, so that a result would overwrite another or the input. */
static bool same_file(const char *left, const char *right)
{
    struct stat a;
    struct stat b;
    if (!left || !right || is_dash(left) || is_dash(right))
        return false;
    if (!strcmp(left, right))
        return strncmp(left, "/dev/", 5) != 0;
    return stat(left, &a) == 0 && stat(right, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* NULL if the options go together, else what does not. */
static const char *conflict(const replay_options_t *options)
{
    const char *outputs[] = {options->reports, options->book, options->record};
    if (is_dash(options->path))
        return "FILE cannot be -: give the name of a file";
    if (is_dash(options->reports) && is_dash(options->book))
        return "options --reports and --book cannot both be -: stdout takes one of them";
    if (is_dash(options->record))
        return "option --record: - is not allowed, a tape needs a file";
    for (size_t i = 0; i < 3; i++) {
        if (same_file(outputs[i], options->path))
            return "an output would overwrite FILE; give it another name";
        if (same_file(outputs[i], outputs[(i + 1) % 3]))
            return "two outputs have the same name; give each its own";
    }
    return NULL;
}

/* Returns -1 to go on, else the exit status. */
static int read_options(replay_options_t *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    options->tick_size = 1;
    options->limit = UINT64_MAX;
    options->max_orders = REPLAY_RUN_MAX_ORDERS_DEFAULT;
    options->progress = progress_on_terminal();
    const option_t table[] = {
        option_choice("format", &options->format, format_names),
        option_choice("engine", &options->engine, engine_names),
        option_choice("modify-priority", &options->modify_priority, priority_names),
        option_text("reports", &options->reports),
        option_text("book", &options->book),
        option_text("record", &options->record),
        option_number("tick-size", &options->tick_size, 1, INT64_MAX),
        option_number("limit", &options->limit, 0, UINT64_MAX),
        option_number("instrument", &options->instrument, 1, UINT32_MAX),
        option_number("max-orders", &options->max_orders, 1, REPLAY_RUN_MAX_ORDERS),
        option_flag("mirror", &options->mirror, true),
        option_flag("progress", &options->progress, true),
        option_flag("no-progress", &options->progress, false),
    };
    options_t parser = {.table = table,
                        .count = sizeof table / sizeof table[0],
                        .operand_low = 1,
                        .operand_high = 1,
                        .operand_name = "FILE"};
    if (!options_parse(&parser, argc, argv))
        return usage(parser.error);
    if (parser.help) {
        fputs(replay_help, stdout);
        return 0;
    }
    options->path = parser.operands[0];
    const char *why = conflict(options);
    return why ? usage(why) : -1;
}

static oc_err_t open_output(FILE **file, const char *path)
{
    if (!path)
        return OC_ERR_OK;
    *file = is_dash(path) ? stdout : fopen(path, "wb");
    if (!*file)
        return error_set(OC_ERR_OPEN, "cannot write %s: %s", path, strerror(errno));
    return OC_ERR_OK;
}

static oc_err_t close_output(FILE *file, const char *path)
{
    if (!file)
        return OC_ERR_OK;
    const bool written = !ferror(file);
    const bool flushed = (file == stdout ? fflush(file) : fclose(file)) == 0;
    if (written && flushed)
        return OC_ERR_OK;
    return error_set(OC_ERR_WRITE, "cannot write %s; is the disk full?", path);
}

static oc_err_t open_outputs(replay_files_t *files, const replay_options_t *options,
                             const oc_engine_config_t *config)
{
    oc_err_t err = open_output(&files->reports, options->reports);
    if (err == OC_ERR_OK)
        err = open_output(&files->book, options->book);
    if (err == OC_ERR_OK && options->record)
        err = tape_writer_open(&files->tape, options->record, config);
    if (err != OC_ERR_OK || !files->reports)
        return err;
    files->report_writer = report_writer_create(files->reports);
    return files->report_writer ? OC_ERR_OK
                                : error_set(OC_ERR_NO_MEMORY, "replay: no memory for reports");
}

/* Closes everything; the first error, for a result that is not written is a failure. */
static oc_err_t close_files(replay_files_t *files, const replay_options_t *options)
{
    const oc_err_t errors[] = {
        close_output(files->reports, options->reports),
        close_output(files->book, options->book),
        tape_writer_close(files->tape),
    };
    report_writer_destroy(files->report_writer);
    flow_reader_close(files->reader);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i] != OC_ERR_OK)
            return errors[i];
    return OC_ERR_OK;
}

/* All records up to the limit. OC_ERR_FORMAT stands for whatever the reader could not read. */
static oc_err_t run_records(replay_run_t *run, const replay_options_t *options,
                            flow_reader_t *reader)
{
    enum { RECORDS_PER_UPDATE = 4096 };
    progress_t progress;
    progress_begin(&progress, options->progress ? PROGRESS_BAR : PROGRESS_NONE, "replay");
    oc_err_t err = OC_ERR_OK;
    for (uint64_t i = 0; i < options->limit && err == OC_ERR_OK; i++) {
        flow_record_t record;
        const flow_status_t status = flow_reader_next(reader, &record);
        if (status == FLOW_END)
            break;
        err = status == FLOW_FAILED ? OC_ERR_FORMAT : replay_run_record(run, &record);
        if (i % RECORDS_PER_UPDATE == 0) {
            const double by_limit = (double)i / (double)options->limit;
            const double by_file = flow_reader_progress(reader);
            progress_update(&progress, by_limit > by_file ? by_limit : by_file);
        }
    }
    progress_end(&progress);
    return err;
}

/* Runs, then prints the counts and the book up to where it came, whatever happened. */
static int run_file(const replay_options_t *options, replay_files_t *files,
                    const oc_engine_config_t *config)
{
    const flow_resolver_config_t flow = {
        .instrument = options->instrument ? (uint32_t)options->instrument : 1,
        .only = options->instrument != 0,
        .mirror = options->mirror,
        .skip_unknown = flow_reader_format(files->reader) != FLOW_FORMAT_TAPE,
        .tick_size = (int64_t)options->tick_size,
        .max_quantity_lots = replay_run_max_quantity(config),
    };
    replay_run_t run;
    if (replay_run_init(&run, config, &flow, files->report_writer, files->tape) != OC_ERR_OK)
        return complain();
    int status = 0;
    if (run_records(&run, options, files->reader) != OC_ERR_OK)
        status = complain();
    if (files->book && book_writer_write(run.engine, files->book) != OC_ERR_OK)
        status = complain();
    replay_run_summarise(&run);
    replay_summary_print(&run.summary, files->summary);
    replay_run_fini(&run);
    return status;
}

static void note_ignored_options(const replay_options_t *options, const flow_reader_t *reader)
{
    const bool given = options->modify_priority || options->tick_size != 1 || options->instrument ||
                       options->max_orders != REPLAY_RUN_MAX_ORDERS_DEFAULT || options->mirror;
    if (given && flow_reader_format(reader) == FLOW_FORMAT_OWN)
        fprintf(stderr,
                "outcry: note: %s brings its own configuration; --engine and --limit apply,"
                " other options that change the outcome do not\n",
                options->path);
}

int replay_main(int argc, char **argv)
{
    replay_options_t options;
    int status = read_options(&options, argc, argv);
    if (status >= 0)
        return status;

    replay_files_t files;
    memset(&files, 0, sizeof files);
    files.summary = is_dash(options.reports) || is_dash(options.book) ? stderr : stdout;
    const oc_err_t opened =
        flow_reader_open(&files.reader, options.path, (flow_format_t)options.format);
    if (opened != OC_ERR_OK) {
        /* A file that is there but cannot be read has its counts printed: none. */
        const replay_summary_t nothing = {0};
        status = complain();
        if (opened != OC_ERR_OPEN)
            replay_summary_print(&nothing, files.summary);
        return status;
    }
    note_ignored_options(&options, files.reader);
    oc_engine_config_t config;
    replay_run_config(&config, files.reader, (uint32_t)options.max_orders);
    config.kind = (oc_engine_kind_t)options.engine;
    if (flow_reader_format(files.reader) != FLOW_FORMAT_OWN)
        config.modify_priority = (oc_modify_priority_t)options.modify_priority;
    if (open_outputs(&files, &options, &config) == OC_ERR_OK)
        status = run_file(&options, &files, &config);
    else
        status = complain();
    if (close_files(&files, &options) != OC_ERR_OK)
        status = complain();
    return status;
}
