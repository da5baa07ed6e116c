/*
 * Reader of secrets for the subcommands that log on somewhere.
 *
 * Invariant: no secret is ever part of a message.
 */
#define _GNU_SOURCE
#include "cli/secret_file.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1024 };

/* Cuts white space off both ends, in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* True when the line is that of `principal`: *value is its secret then. */
static bool names(char *line, const char *principal, const char **value)
{
    char *text = trim(line);
    char *equals = strchr(text, '=');
    if (*text == '#' || !equals)
        return false;
    *equals = '\0';
    *value = trim(equals + 1);
    return strcmp(trim(text), principal) == 0;
}

static oc_err_t search(FILE *file, const char *name, const char *principal,
                       secret_file_secret_t *secret)
{
    char line[LINE_MAX_BYTES];
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        const char *value;
        if (!names(line, principal, &value))
            continue;
        const size_t length = strlen(value);
        if (length < SECRET_FILE_MIN || length > SECRET_FILE_MAX)
            return error_set(OC_ERR_FORMAT,
                             "%s: line %u: the secret of %s has %zu characters, not %d to %d", name,
                             number, principal, length, SECRET_FILE_MIN, SECRET_FILE_MAX);
        memcpy(secret->bytes, value, length + 1);
        secret->length = length;
        return OC_ERR_OK;
    }
    return error_set(OC_ERR_FORMAT, "%s: no line `%s = ...`", name, principal);
}

oc_err_t secret_file_find(const char *file, const char *principal, secret_file_secret_t *secret)
{
    memset(secret, 0, sizeof *secret);
    FILE *stream = fopen(file, "re");
    if (!stream)
        return error_set(OC_ERR_OPEN, "%s: %s", file, strerror(errno));
    const oc_err_t err = search(stream, file, principal, secret);
    (void)fclose(stream);
    return err;
}
