/*
 * Runs scenario scripts against an engine through its public interface. Called by
 * test/integration/test_scenarios.c.
 *
 * Invariants: a line is read only when every event of the command before it has been compared; the
 * first difference ends the run. It must not know what an engine ought to do: the script says it.
 */
#include "lib/scenario.h"

#include "lib/scenario_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EVENTS_MAX 4096

typedef struct run {
    const char *path;
    unsigned line_number;
    oc_engine_config_t config;
    oc_engine_t *engine; /* NULL until the first command */
    int64_t time_ns;
    uint64_t entry;
    oc_event_t events[EVENTS_MAX]; /* of the last command */
    size_t event_count;
    size_t next_event; /* first one not compared yet */
    bool stopped;      /* the last command returned an error that is not compared yet */
    scenario_result_t *result;
} run_t;

static bool fail(run_t *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Always false, so that a step can end with `return fail(...)`. */
static bool fail(run_t *run, const char *format, ...)
{
    char *why = run->result->why;
    const size_t size = sizeof run->result->why;
    const int length = snprintf(why, size, "%s:%u: ", run->path, run->line_number);
    if (length < 0 || (size_t)length >= size)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why + length, size - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static void keep_events(void *context, const oc_event_t *events, size_t count)
{
    run_t *run = context;
    for (size_t i = 0; i < count && run->event_count < EVENTS_MAX; i++)
        run->events[run->event_count++] = events[i];
}

static bool start(run_t *run)
{
    if (run->engine)
        return true;
    const oc_err_t err = oc_engine_create(&run->engine, &run->config, keep_events, run);
    if (err != OC_ERR_OK)
        return fail(run, "no engine: %s (%s)", oc_err_text(err), oc_err_context());
    return true;
}

static bool set_config(run_t *run, const scenario_line_t *line)
{
    const struct {
        const char *name;
        uint32_t *target;
    } settings[] = {
        {"max_orders", &run->config.max_orders},
        {"max_levels", &run->config.max_levels},
        {"max_instruments", &run->config.max_instruments},
        {"max_sources", &run->config.max_sources},
        {"max_sessions", &run->config.max_sessions},
        {"max_pending", &run->config.max_pending},
        {"step_bound", &run->config.step_bound},
    };
    int64_t value = 0;
    if (run->engine || line->count != 3)
        return fail(run, "config NAME VALUE, before the first command");
    if (strcmp(line->words[1], "modify_priority") == 0 && strcmp(line->words[2], "lose") == 0) {
        run->config.modify_priority = OC_PRIORITY_LOSE;
        return true;
    }
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, line->words[1]) == 0 &&
            scenario_number(line->words[2], &value)) {
            *settings[i].target = (uint32_t)value;
            return true;
        }
    return fail(run, "no such setting: %s %s", line->words[1], line->words[2]);
}

static bool apply(run_t *run, const scenario_line_t *line, size_t first)
{
    oc_command_t command;
    const char *problem = scenario_command(line, first, &command);
    if (problem)
        return fail(run, "not understood: %s", problem);
    if (!start(run))
        return false;
    command.time_ns = run->time_ns;
    run->event_count = 0;
    run->next_event = 0;
    run->entry++;
    run->stopped = oc_engine_apply(run->engine, &command) != OC_ERR_OK;
    if (run->event_count == EVENTS_MAX)
        return fail(run, "too many events");
    return true;
}

static bool apply_given(run_t *run, const scenario_line_t *line)
{
    if (!apply(run, line, 1))
        return false;
    for (size_t i = 0; i < run->event_count; i++)
        if (run->events[i].type == OC_EVENT_REJECTED) {
            scenario_text_t got = {.length = 0};
            scenario_print_event(&got, &run->events[i], run->entry);
            return fail(run, "given, but %s", got.chars);
        }
    run->next_event = run->event_count;
    return true;
}

/* What comes next of the last command; "nothing" when it is at its end. */
static void next_text(run_t *run, scenario_text_t *text)
{
    if (run->next_event < run->event_count)
        scenario_print_event(text, &run->events[run->next_event], run->entry);
    else
        scenario_append(text, run->stopped ? "stopped" : "nothing");
}

static bool expect(run_t *run, const scenario_line_t *line)
{
    scenario_text_t expected = {.length = 0};
    scenario_text_t got = {.length = 0};
    scenario_join(line, 1, &expected);
    next_text(run, &got);
    if (strcmp(expected.chars, got.chars) != 0)
        return fail(run, "\n  expected: %s\n  got:      %s", expected.chars, got.chars);
    if (run->next_event < run->event_count)
        run->next_event++;
    else
        run->stopped = false;
    return true;
}

static bool expect_no_more(run_t *run)
{
    if (run->next_event == run->event_count && !run->stopped)
        return true;
    scenario_text_t got = {.length = 0};
    next_text(run, &got);
    return fail(run, "\n  expected: nothing more\n  got:      %s", got.chars);
}

static bool ask(run_t *run, const scenario_line_t *line, bool *is_question)
{
    scenario_text_t expected = {.length = 0};
    scenario_text_t got = {.length = 0};
    if (!start(run))
        return false;
    *is_question = scenario_print_answer(&got, run->engine, line);
    scenario_join(line, 0, &expected);
    if (*is_question && strcmp(expected.chars, got.chars) != 0)
        return fail(run, "\n  expected: %s\n  got:      %s", expected.chars, got.chars);
    return true;
}

static bool run_line(run_t *run, const scenario_line_t *line)
{
    bool is_question = false;
    const char *word = line->words[0];
    if (strcmp(word, ">") == 0)
        return expect(run, line);
    if (!expect_no_more(run))
        return false;
    if (strcmp(word, "config") == 0)
        return set_config(run, line);
    if (strcmp(word, "given") == 0)
        return apply_given(run, line);
    if (strcmp(word, "at") == 0)
        return (line->count == 2 && scenario_number(line->words[1], &run->time_ns)) ||
               fail(run, "at TIME");
    if (!ask(run, line, &is_question))
        return false;
    return is_question || apply(run, line, 0);
}

static bool run_file(run_t *run, FILE *file)
{
    char source[SCENARIO_LINE_MAX];
    scenario_line_t line;
    while (fgets(source, sizeof source, file)) {
        run->line_number++;
        if (!scenario_split(&line, source))
            return fail(run, "the line is too long");
        if (line.count > 0 && !run_line(run, &line))
            return false;
    }
    if (!expect_no_more(run))
        return false;
    if (!run->engine)
        return fail(run, "the file has no command");
    char why[512] = "";
    if (!oc_engine_audit(run->engine, why, sizeof why))
        return fail(run, "audit: %s", why);
    return true;
}

void scenario_run(const char *path, oc_engine_kind_t kind, scenario_result_t *result)
{
    static run_t run; /* large, and one at a time */
    memset(&run, 0, sizeof run);
    memset(result, 0, sizeof *result);
    run.path = path;
    run.result = result;
    oc_engine_config_init(&run.config);
    run.config.kind = kind;
    run.config.max_orders = 1024; /* small tables, so that creating an engine costs little */
    run.config.max_levels = 512;
    run.config.max_instruments = 16;
    run.config.max_sources = 16;
    run.config.max_sessions = 16;
    run.config.event_capacity = 64; /* the least there can be, so that buffers fill up */
    FILE *file = fopen(path, "r");
    if (!file) {
        (void)fail(&run, "cannot be opened");
        return;
    }
    result->passed = run_file(&run, file);
    fclose(file);
    if (run.engine) {
        result->state_hash = oc_engine_state_hash(run.engine);
        result->output_hash = oc_engine_output_hash(run.engine);
    }
    oc_engine_destroy(run.engine);
}
