/*
 * What the files of the scenario runner offer each other.
 */
#ifndef TEST_LIB_SCENARIO_INTERNAL_H
#define TEST_LIB_SCENARIO_INTERNAL_H

#include "outcry/engine.h"

#define SCENARIO_WORDS_MAX 40
#define SCENARIO_LINE_MAX  1024

/* A line cut into words; the words point into `text`. */
typedef struct scenario_line {
    char text[SCENARIO_LINE_MAX];
    char *words[SCENARIO_WORDS_MAX];
    size_t count;
} scenario_line_t;

/* A text that is written piece by piece; what does not fit is cut off. */
typedef struct scenario_text {
    char chars[SCENARIO_LINE_MAX];
    size_t length;
} scenario_text_t;

/* ---- scenario_parse.c ---- */

/* Cuts `source` into words, without its comment. False when it has too many or is too long. */
bool scenario_split(scenario_line_t *line, const char *source);

/* The words from `first` on, with one blank between them. */
void scenario_join(const scenario_line_t *line, size_t first, scenario_text_t *text);

/* A decimal or 0x number, `min` or `max`. False when it is something else. */
bool scenario_number(const char *word, int64_t *value);

/* A number behind one letter, as in s1 or i7. */
bool scenario_id(const char *word, char letter, uint64_t *value);

/*
 * Reads SENDER COMMAND WORDS from word `first` on. Returns NULL, or what is wrong with it (static,
 * or a word of the line).
 */
const char *scenario_command(const scenario_line_t *line, size_t first, oc_command_t *command);

/* ---- scenario_print.c ---- */

void scenario_append(scenario_text_t *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The event as it is written behind `>`; `entry` is the number it should carry. */
void scenario_print_event(scenario_text_t *text, const oc_event_t *event, uint64_t entry);

/*
 * What a line with a question (depth, book, order, source, instrument, counts) should have said.
 * False when it is not such a line.
 */
bool scenario_print_answer(scenario_text_t *text, const oc_engine_t *engine,
                           const scenario_line_t *line);

#endif
