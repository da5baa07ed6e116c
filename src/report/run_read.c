/*
 * Reader of run files. Called by `outcry report` and the fuzz target.
 *
 * Invariant: what it hands out has passed run_shape_check(). A file is read through one descriptor
 * up to its limit, whatever its size was said to be, so a pipe or a file that grows is no trap.
 */
#define _GNU_SOURCE
#include "report/run_read.h"

#include "base/error.h"
#include "report/run_shape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

oc_err_t run_read_bytes(const char *bytes, size_t size, const char *name, json_t **run)
{
    json_error_t why;
    *run = NULL;
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &why);
    if (!root && json_error_code(&why) == json_error_out_of_memory)
        return error_set(OC_ERR_NO_MEMORY, "no memory for %.200s", name);
    if (!root && (size == 0 || json_error_code(&why) == json_error_premature_end_of_input))
        return error_set(OC_ERR_FORMAT, "%.200s: ends at line %d in the middle: is it cut off?",
                         name, why.line < 1 ? 1 : why.line);
    for (char *c = why.text; *c; c++) /* it quotes the file */
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    if (!root)
        return error_set(OC_ERR_FORMAT, "%.200s: line %d, column %d: %.120s", name, why.line,
                         why.column, why.text);
    const oc_err_t err = run_shape_check(root, name);
    if (err != OC_ERR_OK) {
        json_decref(root);
        return err;
    }
    *run = root;
    return OC_ERR_OK;
}

static oc_err_t read_all(FILE *file, const char *path, char **bytes, size_t *size)
{
    size_t capacity = 0;
    *bytes = NULL;
    for (*size = 0;;) {
        if (*size + CHUNK > capacity) {
            capacity = 2 * capacity + CHUNK;
            char *more = realloc(*bytes, capacity);
            if (!more)
                return error_set(OC_ERR_NO_MEMORY, "no memory for %.200s", path);
            *bytes = more;
        }
        errno = 0;
        const size_t got = fread(*bytes + *size, 1, CHUNK, file);
        *size += got;
        if (*size > RUN_READ_BYTES_MAX)
            return error_set(OC_ERR_TOO_LONG, "%.200s: has more than %zu MiB, no run file has",
                             path, RUN_READ_BYTES_MAX >> 20);
        if (ferror(file))
            return error_set(OC_ERR_READ, "cannot read %.200s: %s", path, strerror(errno));
        if (got == 0)
            return OC_ERR_OK;
    }
}

oc_err_t run_read(const char *path, json_t **run)
{
    *run = NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(OC_ERR_OPEN, "cannot open %.200s: %s", path, strerror(errno));
    char *bytes;
    size_t size;
    oc_err_t err = read_all(file, path, &bytes, &size);
    (void)fclose(file);
    if (err == OC_ERR_OK)
        err = run_read_bytes(bytes, size, path, run);
    free(bytes);
    return err;
}
