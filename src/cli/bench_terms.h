/*
 * What the benches of clusters have in common on the command line: the terms of a run, how they are
 * told, and the end of it.
 */
#ifndef CLI_BENCH_TERMS_H
#define CLI_BENCH_TERMS_H

#include "bench/bench_host.h"
#include "bench/measured_cluster.h"
#include "cli/figures.h"
#include "cli/options.h"

#include <stdbool.h>

typedef struct bench_terms {
    const char *bench;     /* its name; the strings are borrowed */
    cluster_terms_t terms; /* the defaults until they are read */
    /* Of the terms, as options have them. */
    uint64_t members;
    uint64_t orders;
    uint64_t rounds;
    int idle;
    bool json;
    figures_t figures;
    size_t printed; /* of the figures */
    bench_host_time_t begin;
} bench_terms_t;

/* What every bench of clusters takes, for its help. */
extern const char bench_terms_help[];

#define BENCH_TERMS_EXTRA_MAX 4

/* The defaults, with `members` as the bench likes it. */
void bench_terms_init(bench_terms_t *self, const char *bench, uint64_t members);

/* Reads the command line, with `count` options of the bench's own; `usage` is the first part of its
 * help. Returns -1 to go on, else the exit status. */
int bench_terms_read(bench_terms_t *self, int argc, char **argv, const option_t *extra,
                     size_t count, const char *usage);

/* Tells conditions and configuration; the clock of stolen time begins. */
bool bench_terms_begin(bench_terms_t *self);

/* Tells what has come to the figures since; not with --json, which tells all at the end. */
bool bench_terms_tell(bench_terms_t *self);

/* Stolen time and load, and all of it with --json; returns the exit status for `ok`. */
int bench_terms_end(bench_terms_t *self, bool ok);

/* A figure of one side or of one part of a bench: `whose` comes before the name. */
void bench_terms_number(bench_terms_t *self, const char *whose, const char *name, double value,
                        int decimals);
void bench_terms_whole(bench_terms_t *self, const char *whose, const char *name, uint64_t value);

/* `name`: ours divided by theirs. */
void bench_terms_ratio(bench_terms_t *self, const char *name, double ours, double theirs);

#endif
