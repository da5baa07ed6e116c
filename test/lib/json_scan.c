/*
 * A scanner for JSON of known shape. Called by the conformance tests; must not be fed anything that
 * is not trusted.
 */
#include "lib/json_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static void expect(const char **at, char wanted)
{
    skip_blanks(at);
    if (**at != wanted)
        fail_msg("json: '%c' expected at '%.20s'", wanted, *at);
    ++*at;
}

bool json_scan_find(const char **at, const char *key)
{
    char quoted[64];
    (void)snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(*at, quoted);
    if (!found)
        return false;
    *at = found + strlen(quoted);
    return true;
}

void json_scan_enter(const char **at)
{
    expect(at, '[');
}

bool json_scan_next(const char **at)
{
    skip_blanks(at);
    if (**at == ',') {
        ++*at;
        skip_blanks(at);
    }
    if (**at != ']')
        return true;
    ++*at;
    return false;
}

void json_scan_string(const char **at, char *out, size_t size)
{
    expect(at, '"');
    const size_t length = strcspn(*at, "\"\\");
    if ((*at)[length] != '"' || length >= size)
        fail_msg("json: a plain string of fewer than %zu bytes expected at '%.20s'", size, *at);
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length + 1;
}

bool json_scan_integer(const char **at, int64_t *value)
{
    skip_blanks(at);
    *value = 0;
    if (!strncmp(*at, "null", 4)) {
        *at += 4;
        return false;
    }
    char *end = NULL;
    *value = strtoll(*at, &end, 10);
    if (end == *at)
        fail_msg("json: a number expected at '%.20s'", *at);
    *at = end;
    return true;
}
