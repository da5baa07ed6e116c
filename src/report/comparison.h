/*
 * Two runs of one bench side by side: ratios, and whether they are more than noise.
 */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <jansson.h>

/*
 * {rows, differences, marked}. A row is {what, percentile, unit, a, b, ratio, verdict} and the
 * qualifiers; a and b are {low, high, repeats}: the noise band from the repeats. ratio is b's
 * median to a's, null where it cannot be said. verdict is one of "within noise", "a is lower", "b
 * is lower", "no band: needs repeats", "not comparable". differences are those of the conditions:
 * {name, a, b}.
 *
 * Both runs (borrowed) have passed run_shape_check(). NULL when memory runs out. The caller owns
 * the result.
 */
json_t *comparison_of(json_t *a, json_t *b);

#endif
