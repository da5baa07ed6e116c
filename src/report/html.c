/*
 * Escaping and numbers for the page. Called by everything that writes a part of it.
 *
 * Invariant: html_text() and html_json() let no character through that could end the place they
 * write into, whatever the text.
 */
#include "report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void html_text(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '&')
            (void)fputs("&amp;", out);
        else if (*c == '<')
            (void)fputs("&lt;", out);
        else if (*c == '>')
            (void)fputs("&gt;", out);
        else if (*c == '"')
            (void)fputs("&quot;", out);
        else if (*c == '\'')
            (void)fputs("&#39;", out);
        else
            (void)fputc((unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c, out);
    }
}

void html_time(FILE *out, double ns)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    while (fabs(ns) >= 999.5 && unit < 3) {
        ns /= 1000.0;
        unit++;
    }
    const int decimals = unit == 0 || fabs(ns) >= 99.95 ? 0 : fabs(ns) >= 9.995 ? 1 : 2;
    if (unit == 3 && fabs(ns) >= 999.5)
        html_number(out, round(ns));
    else
        (void)fprintf(out, "%.*f", decimals, ns);
    (void)fprintf(out, "\u00a0%s", units[unit]);
}

void html_number(FILE *out, double value)
{
    if (fabs(value) >= 1e15 || (value != floor(value) && fabs(value) < 1000.0)) {
        (void)fprintf(out, "%.4g", value);
        return;
    }
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    (void)fputs(value < 0 ? "-" : "", out);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            (void)fputc(',', out);
        (void)fputc(digits[i], out);
    }
}

void html_value(FILE *out, json_t *value)
{
    if (json_is_string(value)) {
        html_text(out, json_string_value(value));
    } else if (json_is_number(value)) {
        html_number(out, json_number_value(value));
    } else if (json_is_array(value)) {
        (void)fputs(json_array_size(value) ? "" : "none", out);
        for (size_t i = 0; i < json_array_size(value); i++) {
            (void)fputs(i ? ", " : "", out);
            json_t *item = json_array_get(value, i);
            if (json_is_array(item))
                (void)fputs("...", out);
            else
                html_value(out, item);
        }
    } else {
        (void)fputs("unknown", out);
    }
}

int html_json(FILE *out, json_t *value)
{
    /* In JSON these stand within strings only, where an escape means the same. */
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER);
    if (!text)
        return -1;
    for (const char *c = text; *c; c++) {
        if (strchr("<>&", *c))
            (void)fprintf(out, "\\u%04x", (unsigned)*c);
        else
            (void)fputc(*c, out);
    }
    free(text);
    return 0;
}
