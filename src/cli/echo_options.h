/*
 * What the benches of the transport with echoes have in common on the command line: the wire, both
 * ends of it, and how they are told.
 */
#ifndef CLI_ECHO_OPTIONS_H
#define CLI_ECHO_OPTIONS_H

#include "bench/bench_echo.h"
#include "bench/bench_host.h"
#include "cli/bench_run.h"
#include "cli/options.h"

#include <stdbool.h>

#define ECHO_OPTIONS_MAX  18
#define ECHO_SIZE_DEFAULT 288

typedef struct echo_options {
    const char *bench; /* its name; borrowed */
    echo_pair_options_t pair;
    uint64_t size;
    uint64_t cpu;
    uint64_t reflector_cpu;
    uint64_t connect_s;
    unsigned processors; /* of this process, before an end is tied to one */
    int idle;
    int driver;
    const char *run_path;
    run_file_t *run; /* NULL: none was asked for */
    bench_host_time_t begin;
} echo_options_t;

/* The defaults. */
void echo_options_init(echo_options_t *self, const char *bench);

/* Adds their entries to a table that has room for ECHO_OPTIONS_MAX more; returns the new count. */
size_t echo_options_table(echo_options_t *self, option_t *table, size_t count);

/* Reads the words by that table. --help prints `help`, these options, and `end`. Returns -1 to go
 * on, else the exit status: it is told. */
int echo_options_parse(options_t *parser, int argc, char **argv, const char *help, const char *end);

/* What the table cannot say: the plan, and whether the processors can be had. Returns -1 to go on,
 * else the exit status: it is told. */
int echo_options_check(echo_options_t *self);

/* Begins the run file, once all options are what they are going to be. */
void echo_options_begin(echo_options_t *self, run_loop_t loop, const options_t *parser);

/* Ends it: written if something was `measured`, whatever the exit status; returns that, or
 * EXIT_STATUS_FAILED. */
int echo_options_end(echo_options_t *self, bool measured, int status);

/* Prints "outcry: bench: NAME: " and the text; returns the status of a wrong command line. */
int echo_options_usage(const echo_options_t *self, const char *text);

/* Opens a pair, then pins this thread. Returns -1 to go on, else the exit status: it is told. */
int echo_options_open(echo_options_t *self, echo_pair_t *pair);

/* Conditions and configuration in effect. */
void echo_options_print(echo_options_t *self, const wire_t *wire);

/* The lines at the end of a report. */
void echo_options_print_end(const echo_options_t *self);

/* NAME_p50_us ... NAME_max_us. */
void echo_options_print_us(const char *name, const histogram_t *histogram);

#endif
