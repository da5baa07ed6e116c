/*
 * What `outcry load` and `outcry bench order` have in common on the command line: which orders are
 * sent, when, by how many clients, and which files are written.
 */
#ifndef CLI_LOAD_TERMS_H
#define CLI_LOAD_TERMS_H

#include "bench/arrival_shape.h"
#include "cli/options.h"

#include <stdbool.h>
#include <stdint.h>

/* Of a number that was not given. */
#define LOAD_TERMS_NOT_GIVEN UINT64_MAX

typedef struct load_terms {
    const char *ingress;   /* all strings are borrowed */
    const char *aeron_dir; /* NULL: the clients have a driver of their own */
    const char *file;
    const char *principal;
    const char *admin;
    const char *secret_file;
    const char *hgrm;
    const char *hlog;
    const char *log;
    const char *run;
    const char *arrivals;
    int workload;
    int format;    /* flow_format_t */
    int idle;      /* 1: sleeps when there is nothing to do */
    int window_by; /* 1: bytes; -1: not given */
    uint64_t rate;
    uint64_t seconds; /* not given: as long as the trace */
    uint64_t warmup;
    uint64_t burst;
    uint64_t seed;
    uint64_t window_ms;
    uint64_t burst_gap_us;
    uint64_t window;
    uint64_t commands; /* 0: no limit */
    uint64_t resting;
    uint64_t clients;
    uint64_t source;
    uint64_t instrument;
    uint64_t admin_source;
    uint64_t grace;
    uint64_t unsent_max;
    uint64_t cpu;
    bool no_setup;
    bool shared;
    bool fill; /* the resting orders go first, and are not measured */
    bool tidy; /* a signal ends all at once: nothing is reported */
    bool open; /* loop, with this shape of arrivals */
    arrival_shape_t shape;
} load_terms_t;

/* What both take, for their help. */
extern const char load_terms_help[];

#define LOAD_TERMS_OPTIONS 31

/* The defaults. */
void load_terms_init(load_terms_t *self);

/* Fills LOAD_TERMS_OPTIONS entries of a table. */
void load_terms_table(load_terms_t *self, option_t *table);

/* What the table cannot say, once all is read: what is wrong, or NULL. Borrowed until the next
 * call. */
const char *load_terms_check(load_terms_t *self);

/* What the flow is called: a file, or a workload. */
const char *load_terms_flow(const load_terms_t *self);

#endif
