/*
 * The sweep's combinations. Called by `outcry bench burst --matrix`.
 */
#include "bench/burst_matrix.h"

#include "base/assert.h"
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

oc_err_t burst_list_parse(burst_list_t *self, const char *option, const char *text, uint64_t low,
                          uint64_t high)
{
    const char *at = text;
    self->count = 0;
    for (;;) {
        char *end = NULL;
        errno = 0;
        const uint64_t value = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : 0;
        if (end == NULL || errno != 0 || (*end != ',' && *end != '\0') || value < low ||
            value > high)
            return error_set(OC_ERR_INVALID_ARGUMENT,
                             "--%s: '%s': numbers from %" PRIu64 " to %" PRIu64
                             " with commas between them expected",
                             option, text, low, high);
        if (self->count == BURST_LIST_MAX)
            return error_set(OC_ERR_INVALID_ARGUMENT, "--%s: at most %d numbers", option,
                             BURST_LIST_MAX);
        self->values[self->count++] = value;
        if (*end == '\0')
            return OC_ERR_OK;
        at = end + 1;
    }
}

size_t burst_matrix_rows(const burst_matrix_t *self)
{
    size_t rows = 1;
    for (int axis = 0; axis < BURST_AXES; axis++)
        rows *= self->axes[axis].count;
    return rows;
}

void burst_matrix_row(const burst_matrix_t *self, size_t row, uint64_t values[BURST_AXES])
{
    OC_ASSERT(row < burst_matrix_rows(self));
    for (int axis = BURST_AXES - 1; axis >= 0; axis--) {
        const burst_list_t *list = &self->axes[axis];
        values[axis] = list->values[row % list->count];
        row /= list->count;
    }
}
