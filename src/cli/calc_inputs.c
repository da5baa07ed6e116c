/*
 * Inputs of the calculator. Called by calc_burst.c, calc_buffers.c, calc_budget.c, calc_frames.c.
 *
 * Invariant: after calc_inputs_read() has returned -1, every value is within its limits, and so is
 * every message of the trace.
 */
#include "cli/calc_inputs.h"

#include "base/assert.h"
#include "base/error.h"
#include "calc/fixed_point.h"
#include "cli/options.h"
#include "cli/subcommand.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int usage(const calc_inputs_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int usage(const calc_inputs_t *self, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return subcommand_usage(self->command, message);
}

static int fail_number(const calc_inputs_t *self, const calc_input_t *item)
{
    char low[32];
    char high[32];
    char decimals[32] = "";
    fixed_print(low, sizeof low, item->low, item->decimals);
    fixed_print(high, sizeof high, item->high, item->decimals);
    if (item->decimals > 0)
        (void)snprintf(decimals, sizeof decimals, " with up to %u decimals", item->decimals);
    return usage(self, "option --%s: '%.64s' is not a %snumber from %s to %s%s", item->option,
                 item->text, item->decimals > 0 ? "" : "whole ", low, high, decimals);
}

/* Whether a trace tells it, or leaves no room for it. */
static bool excluded(const calc_inputs_t *self, const calc_input_t *item)
{
    return self->trace_path && (item->need == CALC_FROM_TRACE || item->need == CALC_NO_TRACE);
}

static bool needed(const calc_inputs_t *self, const calc_input_t *item)
{
    return item->need == CALC_NEEDED ||
           (!self->trace_path && (item->need == CALC_FROM_TRACE || item->need == CALC_WINDOW));
}

static int read_item(const calc_inputs_t *self, calc_input_t *item)
{
    if (!item->text)
        return !needed(self, item) ? -1
                                   : usage(self, "option --%s is missing; see outcry %s --help",
                                           item->option, self->command);
    if (excluded(self, item))
        return usage(self, "options --trace and --%s exclude each other; leave one out",
                     item->option);
    if (!fixed_parse(item->text, item->decimals, &item->value) || item->value < item->low ||
        item->value > item->high)
        return fail_number(self, item);
    if (!strcmp(item->option, "mtu") && !wire_mtu_valid(item->value))
        return usage(self, "option --mtu: '%.64s' is not a multiple of %d; %llu is", item->text,
                     WIRE_FRAME_ALIGNMENT,
                     (unsigned long long)(item->value - item->value % WIRE_FRAME_ALIGNMENT));
    return -1;
}

int calc_inputs_read(calc_inputs_t *self, int argc, char **argv)
{
    enum { OTHERS = 4 };
    option_t table[CALC_INPUTS_MAX + OTHERS];
    size_t count = 0;
    OC_ASSERT(self->count <= CALC_INPUTS_MAX);
    for (; count < self->count; count++)
        table[count] = option_text(self->items[count].option, &self->items[count].text);
    table[count++] = option_flag("json", &self->json, true);
    table[count++] = option_text("trace", &self->trace_path);
    if (self->check)
        table[count++] = option_flag("check", self->check, true);
    if (self->limits_dir)
        table[count++] = option_text("limits-dir", self->limits_dir);
    options_t parser = {.table = table, .count = count, .command = self->command};
    if (!options_parse(&parser, argc, argv))
        return subcommand_usage(self->command, parser.error);
    if (parser.help) {
        (void)fputs(self->help, stdout);
        return 0;
    }
    for (size_t i = 0; i < self->count; i++) {
        const int status = read_item(self, &self->items[i]);
        if (status >= 0)
            return status;
    }
    if (self->trace_path && trace_csv_load(&self->trace, self->trace_path) != OC_ERR_OK)
        return subcommand_failed();
    return -1;
}

void calc_inputs_fini(calc_inputs_t *self)
{
    trace_fini(&self->trace);
}

static void report_value(figures_t *figures, const calc_input_t *item)
{
    uint64_t unit = 1;
    if (item->decimals == 0) {
        figures_whole(figures, item->figure, item->value);
        return;
    }
    for (unsigned i = 0; i < item->decimals; i++)
        unit *= 10;
    figures_number(figures, item->figure, (double)item->value / (double)unit, (int)item->decimals);
}

void calc_inputs_report(const calc_inputs_t *self, figures_t *figures)
{
    figures->count = 0;
    figures_text(figures, "calc", self->command + strlen("calc "));
    for (size_t i = 0; i < self->count; i++) {
        const calc_input_t *item = &self->items[i];
        if (!excluded(self, item) && item->value > 0)
            report_value(figures, item);
    }
    if (!self->trace_path)
        return;
    const trace_t *trace = &self->trace;
    const uint64_t length_ns =
        trace->messages[trace->count - 1].offset_ns - trace->messages[0].offset_ns;
    figures_text(figures, "trace", self->trace_path);
    figures_whole(figures, "trace_messages", trace->count);
    figures_number(figures, "trace_length_ms", (double)length_ns / 1e6, 6);
}

int calc_inputs_print(const calc_inputs_t *self, const figures_t *figures)
{
    if (self->json)
        figures_print_json(figures, stdout);
    else
        figures_print(figures, 0, stdout);
    return 0;
}

int calc_inputs_refused(const calc_inputs_t *self)
{
    return self->trace_path ? subcommand_failed() : usage(self, "%s", oc_err_context());
}
