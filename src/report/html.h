/*
 * HTML as text: whatever comes from a file goes through these, so that nothing in it is taken for
 * markup. A write error is left to the stream's owner: ferror().
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <jansson.h>
#include <stdio.h>

/* The text with what has a meaning in HTML, also within a quoted attribute, escaped; control
 * characters become spaces. */
void html_text(FILE *out, const char *text);

/* A time in three digits with its unit: "12.3 µs". */
void html_time(FILE *out, double ns);

/* A number: whole ones and those above 1000 with separators, "1,234,567", others in four digits. */
void html_number(FILE *out, double value);

/* A JSON value as text, list items separated by commas; "unknown" for null or NULL. */
void html_value(FILE *out, json_t *value);

/* JSON for the inside of a <script>: no byte of it can end that. Returns 0, or -1 when memory runs
 * out. */
int html_json(FILE *out, json_t *value);

#endif
