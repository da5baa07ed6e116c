/*
 * What `outcry bench burst` and `outcry bench trace` have in common on the command line: the
 * options of a run and of its transport, how a result is told, and the exit status.
 */
#ifndef CLI_BURST_TERMS_H
#define CLI_BURST_TERMS_H

#include "bench/bench_burst.h"
#include "bench/bench_host.h"
#include "bench/burst_record.h"
#include "cli/bench_run.h"
#include "cli/options.h"

#include <stdbool.h>

typedef struct burst_terms {
    const char *bench;     /* its name; borrowed, as all strings */
    burst_options_t burst; /* of the run, when they have been read */
    /* The schedule of one sender, for the run file: its name, and its rate inside of a burst. */
    char arrivals[ARRIVAL_NAME_SIZE];
    double rate;
    /* As options have them. */
    int role;
    uint64_t senders;
    uint64_t most_senders; /* of any run: a matrix has some with more */
    uint64_t p99_us;
    uint64_t grace;
    uint64_t sender_cpu;
    uint64_t receiver_cpu;
    const char *hgrm;
    const char *run_path;
    run_file_t *run; /* NULL: none was asked for */
    bool strict;
    bench_host_time_t begin;
} burst_terms_t;

/* What both take, for their help. */
extern const char burst_terms_help[];

#define BURST_TERMS_OPTIONS   20
#define BURST_TERMS_NOT_GIVEN UINT64_MAX

/* Nothing is given. */
void burst_terms_init(burst_terms_t *self, const char *bench);

/* Fills BURST_TERMS_OPTIONS entries of a table. */
void burst_terms_table(burst_terms_t *self, option_t *table);

/* Behind the parser: whether each option is of use here, and the defaults of those that were not
 * given. Returns what is wrong, or NULL. */
const char *burst_terms_check(burst_terms_t *self);

/* From the options to those of the run, once schedule and message sizes are set, and whether the
 * transport can be so. Returns -1 to go on, else the exit status. */
int burst_terms_settle(burst_terms_t *self);

/* Begins the run file, once all options are what they are going to be; then it is ended, here or by
 * burst_terms_run(): written if something was `measured`. Returns `status`, or EXIT_STATUS_FAILED.
 */
void burst_terms_keep(burst_terms_t *self, const options_t *parser);
int burst_terms_end(burst_terms_t *self, bool measured, int status);

/* Whether it is this machine's loopback because nothing else was named. */
bool burst_terms_is_loopback(const burst_terms_t *self);

/* Conditions and what is going to run; the clock of stolen time begins. */
bool burst_terms_begin(burst_terms_t *self);

/* Runs, tells all and ends the run file; returns the exit status. */
int burst_terms_run(burst_terms_t *self);

#endif
