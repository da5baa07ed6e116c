/*
 * Reads traces line by line. Called by `outcry calc` and whatever replays a trace.
 *
 * Invariants: offsets of what was read never go back; a number is taken whole or refused; no line
 * takes more memory than LINE_MAX_BYTES, however long it is.
 */
#define _GNU_SOURCE
#include "calc/trace_csv.h"

#include "base/error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = 200,
    FOUND_MAX = 32, /* of a wrong line, in a message */
    FIRST_CAPACITY = 1024,
};

typedef struct reader {
    trace_t *trace;
    size_t capacity;
    FILE *in;
    const char *name;
    uint64_t line;
    char text[LINE_MAX_BYTES + 1]; /* without its end; a 0 behind it */
    size_t size;
} reader_t;

/* Not more than a message can show, and nothing that a terminal would obey. */
static void printable(const char *text, size_t size, char found[FOUND_MAX + 4])
{
    size_t length = 0;
    for (; length < size && length < FOUND_MAX; length++)
        found[length] = text[length] >= ' ' && text[length] <= '~' ? text[length] : '?';
    (void)snprintf(found + length, 4, "%s", length < size ? "..." : "");
}

static oc_err_t wrong(const reader_t *self, const char *expected, const char *text, size_t size)
{
    char found[FOUND_MAX + 4];
    printable(text, size, found);
    return error_set(OC_ERR_FORMAT, "%s: line %llu: %s expected, found '%s'", self->name,
                     (unsigned long long)self->line, expected, found);
}

/* Takes the next line, or *end. What is too long is passed over if it is a comment. */
static oc_err_t read_line(reader_t *self, bool *end)
{
    bool cut = false;
    int c;
    self->size = 0;
    self->line++;
    while ((c = getc_unlocked(self->in)) != EOF && c != '\n') {
        cut = self->size == LINE_MAX_BYTES;
        if (!cut)
            self->text[self->size++] = (char)c;
        else if (self->text[0] != '#')
            return wrong(self, "a line of at most 200 bytes", self->text, self->size);
    }
    if (ferror(self->in))
        return error_set(OC_ERR_READ, "%s: line %llu: cannot read: %s", self->name,
                         (unsigned long long)self->line, strerror(errno));
    *end = c == EOF && self->size == 0;
    if (self->size > 0 && !cut && self->text[self->size - 1] == '\r')
        self->size--;
    self->text[self->size] = '\0';
    return OC_ERR_OK;
}

/* Digits and nothing else, up to `max`. */
static bool parse_number(const char *text, size_t size, uint64_t max, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        if (__builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(text[i] - '0'), &sum))
            return false;
    }
    *value = sum;
    return size > 0 && sum <= max;
}

static oc_err_t append(reader_t *self, trace_message_t message)
{
    trace_t *trace = self->trace;
    if (trace->count == self->capacity) {
        const size_t capacity = self->capacity ? 2 * self->capacity : FIRST_CAPACITY;
        trace_message_t *grown = reallocarray(trace->messages, capacity, sizeof *grown);
        if (!grown)
            return error_set(OC_ERR_NO_MEMORY, "%s: line %llu: no memory for %zu messages",
                             self->name, (unsigned long long)self->line, capacity);
        trace->messages = grown;
        self->capacity = capacity;
    }
    trace->messages[trace->count++] = message;
    return OC_ERR_OK;
}

static oc_err_t parse_message(reader_t *self)
{
    const trace_t *trace = self->trace;
    const char *comma = memchr(self->text, ',', self->size);
    uint64_t offset_ns;
    uint64_t size;
    if (!comma)
        return wrong(self, "'offset_ns,size'", self->text, self->size);
    const size_t before = (size_t)(comma - self->text);
    if (!parse_number(self->text, before, INT64_MAX, &offset_ns))
        return wrong(self, "offset_ns from 0 to 2^63-1", self->text, before);
    if (!parse_number(comma + 1, self->size - before - 1, TRACE_SIZE_MAX, &size) || size == 0)
        return wrong(self, "size from 1 to 65535", comma + 1, self->size - before - 1);
    if (trace->count > 0 && offset_ns < trace->messages[trace->count - 1].offset_ns) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "offset_ns of at least %llu, the one before,",
                       (unsigned long long)trace->messages[trace->count - 1].offset_ns);
        return wrong(self, expected, self->text, before);
    }
    return append(self, (trace_message_t){.offset_ns = offset_ns, .size = (uint32_t)size});
}

/* All lines. */
static oc_err_t parse_lines(reader_t *self)
{
    bool end = false;
    bool named = false; /* the names have been there, or may not come any more */
    for (;;) {
        oc_err_t err = read_line(self, &end);
        if (err != OC_ERR_OK || end)
            return err;
        if (self->size == 0 || self->text[0] == '#')
            continue;
        if (!named && !strcmp(self->text, "offset_ns,size")) {
            named = true;
            continue;
        }
        named = true;
        err = parse_message(self);
        if (err != OC_ERR_OK)
            return err;
    }
}

oc_err_t trace_csv_read(trace_t *trace, FILE *in, const char *name)
{
    reader_t self = {.trace = trace, .in = in, .name = name};
    *trace = (trace_t){0};
    oc_err_t err = parse_lines(&self);
    if (err == OC_ERR_OK && trace->count == 0)
        err = error_set(OC_ERR_FORMAT, "%s: no message in it; lines of 'offset_ns,size' expected",
                        name);
    if (err != OC_ERR_OK)
        trace_fini(trace);
    return err;
}

oc_err_t trace_csv_load(trace_t *trace, const char *path)
{
    *trace = (trace_t){0};
    FILE *in = fopen(path, "rb");
    if (!in)
        return error_set(OC_ERR_OPEN, "%s: cannot open it: %s", path, strerror(errno));
    const oc_err_t err = trace_csv_read(trace, in, path);
    (void)fclose(in);
    return err;
}

void trace_fini(trace_t *trace)
{
    free(trace->messages);
    *trace = (trace_t){0};
}
