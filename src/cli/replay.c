/*
 * `outcry replay FILE`: real order flow through the engine. Called by main.
 *
 * Opens the input and creates the engine before any output, so that a mistyped name or a file that
 * cannot be replayed costs no old result. Results go to stdout, everything for people to stderr;
 * when reports or the book take stdout, the summary moves over. Only the first error is told, in
 * one line; a reader of stdout who has gone is none.
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
#include <unistd.h>

static const char replay_help[] =
    "usage: outcry replay FILE [OPTION]...\n"
    "\n"
    "Runs the order flow of FILE (also .xz, .zst, .gz) through the engine and prints a summary.\n"
    "\n"
    "  --format F           tape, lobster, dbn, itch, own, or auto: by content (auto)\n"
    "  --engine E           fast or reference (fast)\n"
    "  --modify-priority P  keep or lose the place in the queue on a modify (keep); with lose,\n"
    "                       what the file calls a partial cancel loses it as well\n"
    "  --reports FILE       write what the engine answered, one line per report; - is stdout\n"
    "  --book FILE          write the orders that rest at the end; - is stdout\n"
    "  --record FILE        write the commands as the project's own tape\n"
    "  --tick-size RAW      raw price units of the file per tick (1)\n"
    "  --limit N            stop after N records\n"
    "  --instrument ID      only this instrument; its number where the file has none (1)\n"
    "  --max-orders N       most orders that may rest at a time (1048576); the price levels of "
    "all\n"
    "                       books together may be a quarter of that, or 65536 if that is more:\n"
    "                       rejected_levels_full counts the orders that found none left\n"
    "  --mirror             nothing matches: the file's own trades are taken over\n"
    "  --progress           show progress even if stderr is no terminal\n"
    "  --no-progress        show no progress\n"
    "\n"
    "An own tape brings the configuration it was recorded under; of the options that change the\n"
    "outcome only --limit applies to it.\n"
    "\n"
    "The summary counts every command that was applied, those that add the source and the\n"
    "instruments included; see docs/formats/replay-output.md for it, the reports and the book.\n"
    "Exit status: 0, 1 (the file or a result), 2 (the command line).\n";

typedef struct replay_options {
    const char *path;
    const char *reports;
    const char *book;
    const char *record;
    int format; /* flow_format_t */
    int engine;
    int modify_priority;
    uint64_t tick_size;
    uint64_t limit;
    uint64_t instrument; /* 0: not given */
    uint64_t max_orders;
    bool mirror;
    bool progress;
} replay_options_t;

/* Indexed by oc_engine_kind_t and oc_modify_priority_t. */
static const char *const engine_names[] = {"fast", "reference", NULL};
static const char *const priority_names[] = {"keep", "lose", NULL};

/* A file that an option names. */
typedef struct output {
    FILE *file;     /* NULL: not asked for */
    char name[320]; /* option and file, for messages */
} output_t;

/* One replay, from opening to closing. */
typedef struct replay {
    const replay_options_t *options;
    flow_reader_t *reader;
    oc_engine_config_t config;
    replay_run_t run;
    output_t reports;
    output_t book;
    report_writer_t *report_writer;
    tape_writer_t *tape;
    FILE *summary; /* stdout or stderr, not owned */
    int status;
} replay_t;

/* Tells of the first error; of none when it is only that nobody reads stdout any more. */
static void fail(replay_t *self, oc_err_t err)
{
    const bool quiet = err == OC_ERR_WRITE && subcommand_reader_gone();
    if (self->status == 0 && !quiet)
        (void)subcommand_failed();
    self->status = EXIT_STATUS_FAILED;
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

/* False, with the reason in `why`, if the options do not go together. */
static bool options_agree(const replay_options_t *options, char *why, size_t size)
{
    static const char *const names[] = {"--reports", "--book", "--record"};
    const char *const outputs[] = {options->reports, options->book, options->record};
    why[0] = '\0';
    if (is_dash(options->path))
        (void)snprintf(why, size, "FILE cannot be -: give the name of a file");
    else if (is_dash(options->reports) && is_dash(options->book))
        (void)snprintf(why, size,
                       "options --reports and --book cannot both be -: stdout takes one of them");
    else if (is_dash(options->record))
        (void)snprintf(why, size, "option --record: - is not allowed, a tape needs a file");
    for (size_t i = 0; i < 3 && !why[0]; i++) {
        const size_t next = (i + 1) % 3;
        if (same_file(outputs[i], options->path))
            (void)snprintf(why, size, "option %s would overwrite FILE %s; give it another name",
                           names[i], options->path);
        else if (same_file(outputs[i], outputs[next]))
            (void)snprintf(why, size, "options %s and %s name the same file %s; give each its own",
                           names[i < next ? i : next], names[i < next ? next : i], outputs[i]);
    }
    return !why[0];
}

/* Returns -1 to go on, else the exit status. */
static int read_options(replay_options_t *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    options->tick_size = 1;
    options->limit = UINT64_MAX;
    options->max_orders = REPLAY_RUN_MAX_ORDERS_DEFAULT;
    options->progress = progress_on_terminal();
    const char *format_names[FLOW_FORMAT_OWN + 2] = {NULL};
    for (int i = FLOW_FORMAT_AUTO; i <= FLOW_FORMAT_OWN; i++)
        format_names[i] = flow_format_name((flow_format_t)i);
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
                        .operand_name = "FILE",
                        .command = "replay"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("replay", parser.error);
    if (parser.help) {
        fputs(replay_help, stdout);
        return 0;
    }
    options->path = parser.operands[0];
    char why[512];
    return options_agree(options, why, sizeof why) ? -1 : subcommand_usage("replay", why);
}

static oc_err_t open_output(output_t *self, const char *option, const char *path)
{
    if (!path)
        return OC_ERR_OK;
    (void)snprintf(self->name, sizeof self->name, "option %s: %s", option,
                   is_dash(path) ? "stdout" : path);
    self->file = is_dash(path) ? stdout : fopen(path, "wb");
    if (!self->file)
        return error_set(OC_ERR_OPEN, "%s: cannot open it: %s", self->name, strerror(errno));
    return OC_ERR_OK;
}

static oc_err_t close_output(output_t *self)
{
    if (!self->file)
        return OC_ERR_OK;
    const bool written = !ferror(self->file);
    errno = 0;
    const bool flushed = (self->file == stdout ? fflush(stdout) : fclose(self->file)) == 0;
    self->file = NULL;
    if (written && flushed)
        return OC_ERR_OK;
    return error_set(OC_ERR_WRITE, "%s: cannot write: %s", self->name,
                     errno ? strerror(errno) : "an earlier write failed");
}

static oc_err_t open_tape(replay_t *self)
{
    const oc_err_t err = tape_writer_open(&self->tape, self->options->record, &self->config);
    return err == OC_ERR_OK ? err : subcommand_error(err, "option --record");
}

/* Whether a name that is not `-` leads to standard output all the same. */
static bool is_stdout(const char *path)
{
    struct stat a;
    struct stat b;
    return path && !is_dash(path) && stat(path, &a) == 0 && fstat(STDOUT_FILENO, &b) == 0 &&
           !S_ISCHR(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Now that every output exists, names that looked different can be seen to be one file. */
static oc_err_t check_opened(const replay_options_t *options)
{
    const char *const names[] = {"--reports", "--book", "--record"};
    const char *const paths[] = {options->reports, options->book, options->record};
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (is_stdout(paths[i]))
            return error_set(OC_ERR_OPEN, "option %s: %s is standard output; say - instead",
                             names[i], paths[i]);
        if (same_file(paths[i], paths[next]))
            return error_set(OC_ERR_OPEN,
                             "options %s and %s name the same file %s; give each its own", names[i],
                             names[next], paths[i]);
    }
    return OC_ERR_OK;
}

static oc_err_t open_outputs(replay_t *self)
{
    oc_err_t err = open_output(&self->reports, "--reports", self->options->reports);
    if (err == OC_ERR_OK)
        err = open_output(&self->book, "--book", self->options->book);
    if (err == OC_ERR_OK && self->options->record)
        err = open_tape(self);
    if (err == OC_ERR_OK)
        err = check_opened(self->options);
    if (err != OC_ERR_OK)
        return err;
    if (self->reports.file) {
        self->report_writer = report_writer_create(self->reports.file, self->reports.name);
        if (!self->report_writer)
            return error_set(OC_ERR_NO_MEMORY, "replay: no memory for reports");
    }
    replay_run_output(&self->run, self->report_writer, self->tape);
    return OC_ERR_OK;
}

/* Closes everything; a result that is not written is a failure. */
static void close_all(replay_t *self)
{
    oc_err_t err = close_output(&self->reports);
    if (err != OC_ERR_OK)
        fail(self, err);
    err = close_output(&self->book);
    if (err != OC_ERR_OK)
        fail(self, err);
    err = tape_writer_close(self->tape);
    if (err != OC_ERR_OK)
        fail(self, subcommand_error(err, "option --record"));
    report_writer_destroy(self->report_writer);
    replay_run_fini(&self->run);
    flow_reader_close(self->reader);
}

static oc_err_t run_record(replay_t *self, const flow_record_t *record)
{
    const oc_err_t err = replay_run_record(&self->run, record);
    if (err == OC_ERR_OK || err == OC_ERR_WRITE)
        return err;
    return subcommand_error(err, "%s: record %llu", self->options->path,
                            (unsigned long long)record->record);
}

/* All records up to the limit. OC_ERR_FORMAT stands for whatever the reader could not read. */
static oc_err_t run_records(replay_t *self)
{
    enum { RECORDS_PER_UPDATE = 4096 };
    const uint64_t limit = self->options->limit;
    progress_t progress;
    progress_begin(&progress, self->options->progress ? PROGRESS_BAR : PROGRESS_NONE, "replay");
    oc_err_t err = OC_ERR_OK;
    for (uint64_t i = 0; i < limit && err == OC_ERR_OK; i++) {
        flow_record_t record;
        const flow_status_t status = flow_reader_next(self->reader, &record);
        if (status == FLOW_END)
            break;
        err = status == FLOW_FAILED ? OC_ERR_FORMAT : run_record(self, &record);
        if (i % RECORDS_PER_UPDATE == 0) {
            const double by_limit = (double)i / (double)limit;
            const double by_file = flow_reader_progress(self->reader);
            progress_update(&progress, by_limit > by_file ? by_limit : by_file);
        }
    }
    progress_end(&progress);
    return err;
}

/* Runs, then prints the counts and the book up to where it came, whatever happened. */
static void run_file(replay_t *self)
{
    oc_err_t err = run_records(self);
    if (err != OC_ERR_OK)
        fail(self, err);
    if (self->book.file) {
        err = book_writer_write(self->run.engine, self->book.file, self->book.name);
        if (err != OC_ERR_OK)
            fail(self, err);
    }
    if (subcommand_reader_gone())
        return;
    replay_run_summarise(&self->run);
    replay_summary_print(&self->run.summary, self->summary);
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

/* The reader, and the engine that the file is to run through. */
static oc_err_t open_input(replay_t *self)
{
    const replay_options_t *options = self->options;
    oc_err_t err = flow_reader_open(&self->reader, options->path, (flow_format_t)options->format);
    if (err != OC_ERR_OK)
        return err;
    note_ignored_options(options, self->reader);
    replay_run_config(&self->config, self->reader, (uint32_t)options->max_orders);
    self->config.kind = (oc_engine_kind_t)options->engine;
    const flow_format_t format = flow_reader_format(self->reader);
    if (format != FLOW_FORMAT_OWN)
        self->config.modify_priority = (oc_modify_priority_t)options->modify_priority;
    const flow_resolver_config_t flow = {
        .instrument = options->instrument ? (uint32_t)options->instrument : 1,
        .only = options->instrument != 0,
        .mirror = options->mirror,
        .skip_unknown = format != FLOW_FORMAT_TAPE,
        .tick_size = (int64_t)options->tick_size,
        .max_quantity_lots = replay_run_max_quantity(&self->config),
    };
    err = replay_run_init(&self->run, &self->config, &flow);
    return err == OC_ERR_OK ? err : subcommand_error(err, "%s", options->path);
}

int replay_main(int argc, char **argv)
{
    replay_options_t options;
    const int status = read_options(&options, argc, argv);
    if (status >= 0)
        return status;

    replay_t self;
    memset(&self, 0, sizeof self);
    self.options = &options;
    self.summary = is_dash(options.reports) || is_dash(options.book) ? stderr : stdout;
    oc_err_t err = open_input(&self);
    if (err != OC_ERR_OK) {
        /* A file that is there but cannot be replayed has its counts printed: none. */
        fail(&self, err);
        if (err != OC_ERR_OPEN)
            replay_summary_print(&self.run.summary, self.summary);
    } else {
        err = open_outputs(&self);
        if (err == OC_ERR_OK)
            run_file(&self);
        else
            fail(&self, err);
    }
    close_all(&self);
    return self.status;
}
