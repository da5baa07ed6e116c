/*
 * What the kinds of `outcry calc` have in common: numbers with their limits from the command line,
 * or a trace instead of some of them.
 */
#ifndef CLI_CALC_INPUTS_H
#define CLI_CALC_INPUTS_H

#include "calc/trace_csv.h"
#include "calc/wire_frame.h"
#include "cli/figures.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum calc_need {
    CALC_OPTIONAL, /* `value` is its default, 0: none */
    CALC_NEEDED,
    CALC_FROM_TRACE, /* needed without a trace, refused with one */
    CALC_NO_TRACE,   /* optional, but refused with a trace */
    CALC_WINDOW,     /* needed without a trace, optional with one */
} calc_need_t;

typedef struct calc_input {
    const char *option; /* without the dashes */
    const char *figure; /* its name in the output, with the unit */
    unsigned decimals;  /* values are times 10^decimals, see calc/fixed_point.h */
    calc_need_t need;
    uint64_t low;
    uint64_t high;
    uint64_t value;
    const char *text; /* as given, NULL: not given */
} calc_input_t;

#define CALC_INPUTS_MAX 12

typedef struct calc_inputs {
    const char *command; /* "calc burst" */
    const char *help;
    calc_input_t *items; /* borrowed */
    size_t count;
    bool *check;             /* of the option --check; NULL: there is none */
    const char **limits_dir; /* of --limits-dir, as above */

    bool json;
    const char *trace_path; /* NULL: no trace */
    trace_t trace;
} calc_inputs_t;

/* The inputs of several kinds. Those of milliseconds are kept as nanoseconds: up to a day. */
#define CALC_MS(option_, figure_, need_)                                                           \
    {                                                                                              \
        .option = (option_), .figure = (figure_), .decimals = 6, .need = (need_), .low = 1,        \
        .high = UINT64_C(86400000000000)                                                           \
    }
#define CALC_MTU                                                                                   \
    {                                                                                              \
        .option = "mtu", .figure = "mtu_bytes", .low = WIRE_MTU_MIN, .high = WIRE_MTU_MAX,         \
        .value = WIRE_MTU_DEFAULT                                                                  \
    }
#define CALC_SIZE                                                                                  \
    {                                                                                              \
        .option = "size", .figure = "size_bytes", .need = CALC_FROM_TRACE, .low = 1,               \
        .high = WIRE_MESSAGE_MAX                                                                   \
    }
#define CALC_SENDERS(need_)                                                                        \
    {                                                                                              \
        .option = "senders", .figure = "senders", .need = (need_), .low = 1, .high = 1000000,      \
        .value = 1                                                                                 \
    }

/*
 * Reads the command line, and the trace if one is named. Returns -1 to go on, else the exit status,
 * with everything told. The caller ends with calc_inputs_fini() either way.
 */
int calc_inputs_read(calc_inputs_t *self, int argc, char **argv);

void calc_inputs_fini(calc_inputs_t *self);

/* Begins a report: what was asked. */
void calc_inputs_report(const calc_inputs_t *self, figures_t *figures);

/* Ends it: prints as asked, and returns exit status 0. */
int calc_inputs_print(const calc_inputs_t *self, const figures_t *figures);

/* Ends it when the arithmetic refused the inputs (see oc_err_context()): returns the exit status,
 * of a wrong command line, or of a wrong trace. */
int calc_inputs_refused(const calc_inputs_t *self);

#endif
