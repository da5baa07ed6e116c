/*
 * What a run's numbers come to: its repeats by label, and the three numbers that are kept apart.
 */
#ifndef REPORT_FIGURES_OF_H
#define REPORT_FIGURES_OF_H

#include <jansson.h>

/* The share of the knee below which something can be promised. */
#define FIGURES_OF_RHO_MAX 0.7

/* The value at a percentile (0 to 100) of a distribution that has passed run_shape_check(); that at
 * the next higher one in its ladder if the file does not have it. 0 of an empty one. */
double figures_of_percentile(json_t *distribution, double percentile);

/*
 * The groups of a run (borrowed): one for each label, in order, as
 * {label, rate, message_bytes, mtu, arrivals, repeats, count, p50, p90, p99, p999, p9999, max}, and
 * service with the same percentiles where all repeats have it; each value is the list of the
 * repeats' in ascending order. NULL when memory runs out. The caller owns it.
 */
json_t *figures_of_groups(json_t *run);

/*
 * {lab_best, can_be_promised, breaking_point}, each with its qualifiers, or with `why` there is
 * none. A figure that a mark takes back has `struck` true and says why. NULL when memory runs out.
 * The caller owns it.
 */
json_t *figures_of_numbers(json_t *run);

#endif
