/*
 * `--run FILE` of a bench: its run file, with every option as it was in effect.
 */
#ifndef CLI_BENCH_RUN_H
#define CLI_BENCH_RUN_H

#include "bench/run_file.h"
#include "bench/wire.h"
#include "cli/options.h"

typedef struct bench_figure {
    const char *name;
    double value;
    const char *unit;
    double percentile; /* 0: it is none */
} bench_figure_t;

/* The run file of bench `name` whose options were parsed by `parser`. NULL if `path` is NULL, and
 * when memory runs out: bench_run_end() tells. The caller owns it: bench_run_end(). */
run_file_t *bench_run_begin(const char *path, const char *name, run_loop_t loop,
                            const options_t *parser);

/* The wire as it is in effect, in place of the options that asked for it. `run` may be NULL. */
void bench_run_wire(run_file_t *run, const wire_facts_t *facts);

/* Adds figures, with `prefix` before their names; `with` may be NULL. `run` may be NULL. */
void bench_run_figures(run_file_t *run, const char *prefix, const bench_figure_t *figures,
                       size_t count, const run_qualifiers_t *with);

/* Ends it: writes the file to `path`, unless that is NULL. `status` is the bench's exit status so
 * far; one that is not 0 marks the run. Returns it, or EXIT_STATUS_FAILED with a line on stderr. */
int bench_run_end(run_file_t *run, const char *path, int status);

#endif
