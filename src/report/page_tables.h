/*
 * The tables of the page. Each writes one, with its caption, or nothing if the run has none of it.
 * Every figure stands in a row with its rate, message size, MTU, arrivals and percentile.
 */
#ifndef REPORT_PAGE_TABLES_H
#define REPORT_PAGE_TABLES_H

#include <jansson.h>
#include <stdio.h>

/* `numbers` of figures_of_numbers(). */
void page_numbers(FILE *out, json_t *numbers);

/* `groups` of figures_of_groups(). */
void page_groups(FILE *out, json_t *groups);

/* Of a run as it was read. */
void page_knee(FILE *out, json_t *run);
void page_burst(FILE *out, json_t *run);
void page_matrix(FILE *out, json_t *run);
void page_verdicts(FILE *out, json_t *run);
void page_figures(FILE *out, json_t *run);
void page_conditions(FILE *out, json_t *run);

/* Of comparison_of(); the names of the two runs are those of their files. */
void page_comparison(FILE *out, json_t *comparison, const char *a, const char *b);

#endif
