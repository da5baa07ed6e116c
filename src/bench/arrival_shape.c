/*
 * Reader and writer of shapes of arrival. Called by `outcry load` and the benches.
 *
 * Invariants: what arrival_shape_name() writes is read back to the same shape. Nothing is taken
 * that bench/arrival.c could not compute without overflow. It must not open a trace's file.
 */
#include "bench/arrival_shape.h"

#include "base/assert.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { THOUSANDTHS = 1000, DECIMALS = 3, FIELDS_MAX = 3 };

/* Reads digits up to `end`; false if there are none, or something else, or more than `high`. */
static bool read_number(const char *text, const char *end, uint64_t high, uint64_t *value)
{
    if (text == end)
        return false;
    *value = 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *value = *value * 10 + (uint64_t)(*text - '0');
        if (*value > high)
            return false;
    }
    return true;
}

/* "2", "2.5", "0.125": as thousandths. False if it is no such number. */
static bool read_factor(const char *text, uint64_t *thousandths)
{
    const char *end = text + strlen(text);
    const char *point = strchr(text, '.');
    uint64_t fraction = 0;
    if (point) {
        const size_t digits = (size_t)(end - point) - 1;
        if (digits > DECIMALS || !read_number(point + 1, end, THOUSANDTHS - 1, &fraction))
            return false;
        for (size_t i = digits; i < DECIMALS; i++)
            fraction *= 10;
    }
    if (!read_number(text, point ? point : end, UINT64_MAX / 100000, thousandths))
        return false;
    *thousandths = *thousandths * THOUSANDTHS + fraction;
    return true;
}

/* What stands behind the name: up to FIELDS_MAX numbers between colons; how many, or -1. */
static int read_fields(const char *text, uint64_t *fields)
{
    int count = 0;
    while (*text == ':') {
        const char *begin = text + 1;
        text = begin + strcspn(begin, ":");
        if (count == FIELDS_MAX || !read_number(begin, text, UINT32_MAX, &fields[count]))
            return -1;
        count++;
    }
    return *text ? -1 : count;
}

static oc_err_t parse_steady(arrival_shape_t *self, const char *text, const char *rest)
{
    uint64_t fields[FIELDS_MAX] = {1};
    const int count = read_fields(rest, fields);
    if (count < 0 || count > 1 || fields[0] < 1 || fields[0] > ARRIVAL_BURST_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "arrivals '%s': steady:BURST has a burst of 1 to %" PRIu64 " sends", text,
                         ARRIVAL_BURST_MAX);
    self->burst = fields[0];
    return OC_ERR_OK;
}

static oc_err_t parse_onoff(arrival_shape_t *self, const char *text, const char *rest)
{
    uint64_t fields[FIELDS_MAX] = {0};
    const int count = read_fields(rest, fields);
    const bool peak = count == 3;
    if (count < 2 || fields[0] < 1 || fields[0] > ARRIVAL_BURST_MAX ||
        fields[1] > ARRIVAL_IDLE_MS_MAX || (peak && fields[2] < 1) ||
        fields[2] > ARRIVAL_PEAK_PER_MS_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "arrivals '%s': onoff:BURST:IDLE_MS[:PEAK_PER_MS] has a burst of 1 to "
                         "%" PRIu64 " sends, an idle time of 0 to %" PRIu64
                         " ms, and a peak of 1 to %" PRIu64 " sends in a ms",
                         text, ARRIVAL_BURST_MAX, ARRIVAL_IDLE_MS_MAX, ARRIVAL_PEAK_PER_MS_MAX);
    if (!peak && fields[1] == 0)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "arrivals '%s': bursts at one time need an idle time of at least 1 ms",
                         text);
    self->burst = fields[0];
    self->idle_ms = fields[1];
    self->peak_per_ms = fields[2];
    return OC_ERR_OK;
}

static oc_err_t parse_trace(arrival_shape_t *self, const char *text, const char *rest)
{
    if (*rest != ':' || rest[1] == '\0')
        return error_set(OC_ERR_INVALID_ARGUMENT, "arrivals '%s': trace:FILE[:FACTOR] names a file",
                         text);
    const char *path = rest + 1;
    const char *colon = strrchr(path, ':');
    size_t length = strlen(path);
    uint64_t factor = THOUSANDTHS;
    if (colon && colon > path && read_factor(colon + 1, &factor))
        length = (size_t)(colon - path);
    else
        factor = THOUSANDTHS;
    if (factor < 1 || factor > ARRIVAL_FACTOR_MAX)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "arrivals '%s': the factor of a trace is 0.001 to %" PRIu64, text,
                         ARRIVAL_FACTOR_MAX / THOUSANDTHS);
    if (length >= sizeof self->path)
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "arrivals: the path of a trace has at most %zu bytes, not %zu",
                         sizeof self->path - 1, length);
    memcpy(self->path, path, length);
    self->path[length] = '\0';
    self->factor_thousandths = factor;
    return OC_ERR_OK;
}

oc_err_t arrival_shape_parse(arrival_shape_t *self, const char *text)
{
    static oc_err_t (*const parse[])(arrival_shape_t *, const char *, const char *) = {
        [ARRIVAL_STEADY] = parse_steady,
        [ARRIVAL_ONOFF] = parse_onoff,
        [ARRIVAL_TRACE] = parse_trace,
    };
    static const char *const names[] = {"steady", "poisson", "onoff", "trace"};
    const size_t length = strcspn(text, ":");
    memset(self, 0, sizeof *self);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) != length || memcmp(names[i], text, length) != 0)
            continue;
        self->kind = (arrival_kind_t)i;
        if (self->kind != ARRIVAL_POISSON)
            return parse[i](self, text, text + length);
        if (text[length] == '\0')
            return OC_ERR_OK;
        return error_set(OC_ERR_INVALID_ARGUMENT,
                         "arrivals '%s': poisson has nothing behind it; its rate is given apart",
                         text);
    }
    return error_set(OC_ERR_INVALID_ARGUMENT,
                     "arrivals '%s': no such shape; there are steady:BURST, poisson, "
                     "onoff:BURST:IDLE_MS[:PEAK_PER_MS] and trace:FILE[:FACTOR]",
                     text);
}

void arrival_shape_name(const arrival_shape_t *self, char *text, size_t size)
{
    switch (self->kind) {
    case ARRIVAL_STEADY:
        (void)snprintf(text, size, "steady:%" PRIu64, self->burst);
        break;
    case ARRIVAL_POISSON:
        (void)snprintf(text, size, "poisson");
        break;
    case ARRIVAL_ONOFF:
        if (self->peak_per_ms)
            (void)snprintf(text, size, "onoff:%" PRIu64 ":%" PRIu64 ":%" PRIu64, self->burst,
                           self->idle_ms, self->peak_per_ms);
        else
            (void)snprintf(text, size, "onoff:%" PRIu64 ":%" PRIu64, self->burst, self->idle_ms);
        break;
    case ARRIVAL_TRACE: {
        const uint64_t fraction = self->factor_thousandths % THOUSANDTHS;
        int used = snprintf(text, size, "trace:%s:%" PRIu64, self->path,
                            self->factor_thousandths / THOUSANDTHS);
        OC_ASSERT(used >= 0 && (size_t)used < size);
        if (fraction)
            (void)snprintf(text + used, size - (size_t)used, ".%03" PRIu64, fraction);
        break;
    }
    }
}
