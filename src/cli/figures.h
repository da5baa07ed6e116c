/*
 * The outcome of a bench as names and values, in order: printed as `name: value` lines, or as one
 * JSON object.
 *
 * Threads: one at a time.
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FIGURES_MAX   128
#define FIGURES_NAME  48
#define FIGURES_VALUE 400

typedef struct figure {
    char name[FIGURES_NAME];
    char value[FIGURES_VALUE];
    bool is_number;
} figure_t;

typedef struct figures {
    size_t count; /* more than FIGURES_MAX is a bug */
    figure_t items[FIGURES_MAX];
} figures_t;

/* All strings are copied; what is too long is cut. */
void figures_text(figures_t *self, const char *name, const char *value);
void figures_whole(figures_t *self, const char *name, uint64_t value);
void figures_number(figures_t *self, const char *name, double value, int decimals);

/* The lines that bench_host_print() prints. */
void figures_host(figures_t *self);

/* Takes those from place `from` on. */
void figures_print(const figures_t *self, size_t from, FILE *out);

/* All, on one line. */
void figures_print_json(const figures_t *self, FILE *out);

#endif
