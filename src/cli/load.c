/*
 * `outcry load`: order flow sent to a venue on a schedule, and what came back. Called by main.
 *
 * It reads options and tells how it ended; the load is made and run in load_setup.c, its report in
 * load_report.c. A run that lost, missed or doubled anything never ends with 0.
 */
#include "base/error.h"
#include "base/process_signals.h"
#include "cli/bench_run.h"
#include "cli/load_report.h"
#include "cli/subcommand.h"

#include <stdio.h>

static const char load_usage[] =
    "usage: outcry load --ingress HOST:PORT --rate N --seconds N [OPTION]...\n"
    "       outcry load --ingress HOST:PORT --arrivals SHAPE [OPTION]...\n"
    "\n"
    "Sends orders to a venue at times fixed in advance, and counts what comes back; latency is\n"
    "measured from the intended time of sending.\n"
    "\n"
    "  --ingress HOST:PORT  where the venue listens, or 0=HOST:PORT,1=HOST:PORT,...\n";

static const char load_help[] =
    "  --window N           closed loop (--rate 0): unanswered orders of each client (1024)\n"
    "  --log FILE           write every output as it came\n"
    "  --unsent-max N       fail if more orders than that could not be sent in time\n"
    "\n"
    "SIGINT, SIGTERM and SIGHUP end the sending; what is not answered is then waited for.\n"
    "Exit status: 0; 1 when something was lost, missed or doubled, or failed; 2 for a wrong\n"
    "command line.\n";

enum { WINDOW_MAX = 4096 };

/* Returns -1 to go on, else the exit status. */
static int read_arguments(load_terms_t *terms, run_file_t **run, int argc, char **argv)
{
    enum { OWN = 3 };
    load_terms_init(terms);
    option_t table[OWN + LOAD_TERMS_OPTIONS] = {
        option_number("window", &terms->window, 1, WINDOW_MAX),
        option_text("log", &terms->log),
        option_number("unsent-max", &terms->unsent_max, 0, UINT64_MAX - 1),
    };
    load_terms_table(terms, table + OWN);
    options_t parser = {.table = table, .count = sizeof table / sizeof table[0], .command = "load"};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage("load", parser.error);
    if (parser.help) {
        printf("%s%s%s", load_usage, load_terms_help, load_help);
        return 0;
    }
    if (!terms->ingress)
        return subcommand_usage("load", "--ingress is missing; see outcry load --help");
    const char *problem = load_terms_check(terms);
    if (problem)
        return subcommand_usage("load", problem);
    *run =
        bench_run_begin(terms->run, "load", terms->open ? RUN_LOOP_OPEN : RUN_LOOP_CLOSED, &parser);
    return -1;
}

static int run(load_setup_t *setup, run_file_t *file)
{
    const load_terms_t *terms = setup->terms;
    load_outcome_t outcome;
    load_marks_t marks = {{0}};
    double quotes[LOAD_QUOTES];
    if (load_setup_run(setup, terms->ingress, 0, &outcome) != OC_ERR_OK)
        return subcommand_failed();
    const load_report_t report = {.setup = setup, .outcome = &outcome, .repeats = 1, .run = file};
    load_report_mode(setup);
    load_marks_add(&marks, terms, &outcome.result);
    load_marks_put(&marks, file);
    int status = 0;
    if (load_report(&report, quotes) != OC_ERR_OK)
        status = subcommand_failed();
    if (outcome.result.closed)
        fprintf(stderr, "outcry: load: the venue ended the session: %s\n", outcome.reason);
    if (load_result_faults(&outcome.result) > 0 || outcome.result.unsent > terms->unsent_max ||
        outcome.result.closed)
        status = EXIT_STATUS_FAILED;
    return status;
}

int load_main(int argc, char **argv)
{
    load_terms_t terms;
    run_file_t *file = NULL;
    int status = read_arguments(&terms, &file, argc, argv);
    if (status >= 0)
        return status;
    if (terms.cpu != LOAD_TERMS_NOT_GIVEN)
        run_file_pinned(file, (int)terms.cpu);
    load_setup_t setup;
    (void)process_take_signals();
    status = load_setup_init(&setup, &terms) == OC_ERR_OK ? run(&setup, file) : subcommand_failed();
    if (response_log_close(&setup.log) != OC_ERR_OK)
        status = subcommand_failed();
    load_setup_fini(&setup);
    process_give_signals_back();
    return bench_run_end(file, terms.run, status);
}
