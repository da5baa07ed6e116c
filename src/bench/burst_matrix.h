/*
 * All combinations of lists of values, for a sweep: the last list changes fastest.
 */
#ifndef BENCH_BURST_MATRIX_H
#define BENCH_BURST_MATRIX_H

#include "outcry/error.h"

#include <stddef.h>
#include <stdint.h>

#define BURST_LIST_MAX 16

typedef struct burst_list {
    size_t count;
    uint64_t values[BURST_LIST_MAX];
} burst_list_t;

/*
 * Reads "88,170,1400", each in low..high. OC_ERR_INVALID_ARGUMENT names `option`, what is wrong and
 * what is allowed.
 */
OC_MUST_CHECK oc_err_t burst_list_parse(burst_list_t *self, const char *option, const char *text,
                                        uint64_t low, uint64_t high);

typedef enum burst_axis {
    BURST_AXIS_BURST_SIZE,
    BURST_AXIS_SENDERS,
    BURST_AXIS_SIZE,
    BURST_AXIS_MTU,
    BURST_AXIS_SO_RCVBUF,
    BURST_AXIS_WINDOW,
    BURST_AXES,
} burst_axis_t;

typedef struct burst_matrix {
    burst_list_t axes[BURST_AXES]; /* none is empty */
} burst_matrix_t;

size_t burst_matrix_rows(const burst_matrix_t *self);
void burst_matrix_row(const burst_matrix_t *self, size_t row, uint64_t values[BURST_AXES]);

#endif
