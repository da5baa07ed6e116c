/*
 * Names and values. Called by the benches of clusters.
 *
 * Invariant: JSON that it prints is valid whatever the texts hold: quotes, backslashes and control
 * characters are escaped, a number that is none (0 divided by 0) is null.
 */
#define _GNU_SOURCE
#include "cli/figures.h"

#include "base/assert.h"
#include "bench/bench_host.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static figure_t *next(figures_t *self, const char *name, bool is_number)
{
    OC_ASSERT(self->count < FIGURES_MAX);
    figure_t *figure = &self->items[self->count++];
    (void)snprintf(figure->name, sizeof figure->name, "%s", name);
    figure->is_number = is_number;
    return figure;
}

void figures_text(figures_t *self, const char *name, const char *value)
{
    figure_t *figure = next(self, name, false);
    (void)snprintf(figure->value, sizeof figure->value, "%s", value);
}

void figures_whole(figures_t *self, const char *name, uint64_t value)
{
    figure_t *figure = next(self, name, true);
    (void)snprintf(figure->value, sizeof figure->value, "%" PRIu64, value);
}

void figures_number(figures_t *self, const char *name, double value, int decimals)
{
    figure_t *figure = next(self, name, true);
    if (isfinite(value))
        (void)snprintf(figure->value, sizeof figure->value, "%.*f", decimals, value);
    else
        (void)snprintf(figure->value, sizeof figure->value, "null");
}

void figures_host(figures_t *self)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    OC_ASSERT(stream != NULL);
    bench_host_print(stream, BENCH_HOST_CPU_ANY);
    (void)fclose(stream);
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *colon = strstr(line, ": ");
        if (!colon)
            continue;
        *colon = '\0';
        figures_text(self, line, colon + 2);
    }
    free(text);
}

void figures_print(const figures_t *self, size_t from, FILE *out)
{
    for (size_t i = from; i < self->count; i++)
        (void)fprintf(out, "%s: %s\n", self->items[i].name, self->items[i].value);
}

static void print_string(const char *text, FILE *out)
{
    (void)fputc('"', out);
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20)
            (void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            (void)fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    (void)fputc('"', out);
}

void figures_print_json(const figures_t *self, FILE *out)
{
    (void)fputc('{', out);
    for (size_t i = 0; i < self->count; i++) {
        (void)fputs(i > 0 ? ", " : "", out);
        print_string(self->items[i].name, out);
        (void)fputs(": ", out);
        if (self->items[i].is_number)
            (void)fputs(self->items[i].value, out);
        else
            print_string(self->items[i].value, out);
    }
    (void)fputs("}\n", out);
}
