/*
 * Events to canonical report text. Called by replay, and by the conformance tests.
 *
 * Lines of one record are gathered in one growing text per line type; writing the texts in turn is
 * the stable sort by type. Invariants: every gathered line ends with '\n'; the text of each type is
 * empty between records; a TRADE is directly followed by its FILL, possibly in the next batch of
 * events. It must not look at the engine: reports are made of events only.
 */
#include "cli/report_writer.h"

#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_ACCEPTED = 0,
    LINE_TRADE = 1,
    LINE_ENDED = 2,
    LINE_MODIFIED = 3,
    LINE_CANCEL_REJECTED = 4,
    LINE_MODIFY_REJECTED = 5,
    LINE_NEW_REJECTED = 6,
    LINE_TYPES = 7,
    LINE_LENGTH_MAX = 192, /* 7 numbers of 20 digits, or a reason, and commas */
};

typedef struct text {
    char *bytes;
    size_t size;
    size_t capacity;
} text_t;

struct report_writer {
    FILE *out;
    const char *name; /* of `out`, for messages */
    text_t texts[LINE_TYPES];
    uint64_t sequence;
    uint64_t taker; /* of the TRADE whose FILL comes next */
    bool any_written;
    bool no_memory;
};

report_writer_t *report_writer_create(FILE *out, const char *name)
{
    report_writer_t *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->out = out;
    self->name = name;
    return self;
}

void report_writer_begin(report_writer_t *self, uint64_t sequence)
{
    self->sequence = sequence;
}

/* Makes room for one more line; false, and remembered, when memory runs out. */
static bool reserve_line(report_writer_t *self, text_t *text)
{
    if (text->capacity - text->size >= LINE_LENGTH_MAX)
        return true;
    const size_t capacity = text->capacity ? text->capacity * 2 : 16 * LINE_LENGTH_MAX;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) {
        self->no_memory = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

static char *put_unsigned(char *at, uint64_t value)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *at++ = digits[--count];
    return at;
}

static char *put_signed(char *at, int64_t value)
{
    if (value >= 0)
        return put_unsigned(at, (uint64_t)value);
    *at++ = '-';
    return put_unsigned(at, 0 - (uint64_t)value);
}

/* Begins a line of `type` with its type and sequence; NULL when memory runs out. */
static char *line_begin(report_writer_t *self, unsigned type)
{
    text_t *text = &self->texts[type];
    if (!reserve_line(self, text))
        return NULL;
    char *at = put_unsigned(text->bytes + text->size, type);
    *at++ = ',';
    return put_unsigned(at, self->sequence);
}

static void line_end(report_writer_t *self, unsigned type, char *at)
{
    text_t *text = &self->texts[type];
    *at++ = '\n';
    text->size = (size_t)(at - text->bytes);
    OC_ASSERT(text->size <= text->capacity);
}

static char *put_field(char *at, int64_t value)
{
    *at++ = ',';
    return put_signed(at, value);
}

static char *put_id(char *at, uint64_t value)
{
    *at++ = ',';
    return put_unsigned(at, value);
}

/* ,side,oid,px and, for types that have one, ,qty */
static void order_line(report_writer_t *self, unsigned type, const oc_event_t *event)
{
    char *at = line_begin(self, type);
    if (!at)
        return;
    at = put_field(at, event->side);
    at = put_id(at, event->client_order_id.value);
    at = put_field(at, event->price_ticks);
    if (type == LINE_ACCEPTED)
        at = put_field(at, event->quantity_lots);
    else if (type == LINE_MODIFIED)
        at = put_field(at, event->open_lots);
    line_end(self, type, at);
}

static void trade_line(report_writer_t *self, const oc_event_t *fill)
{
    char *at = line_begin(self, LINE_TRADE);
    if (!at)
        return;
    at = put_field(at, fill->price_ticks);
    at = put_field(at, fill->quantity_lots);
    at = put_id(at, fill->client_order_id.value);
    at = put_id(at, self->taker);
    line_end(self, LINE_TRADE, at);
}

static void reject_line(report_writer_t *self, const oc_event_t *event)
{
    unsigned type = LINE_NEW_REJECTED;
    if (event->command == OC_COMMAND_CANCEL)
        type = LINE_CANCEL_REJECTED;
    else if (event->command == OC_COMMAND_MODIFY)
        type = LINE_MODIFY_REJECTED;
    else if (event->command != OC_COMMAND_NEW)
        return;

    char *at = line_begin(self, type);
    if (!at)
        return;
    at = put_id(at, event->client_order_id.value);
    if (type == LINE_NEW_REJECTED) {
        const char *reason = oc_reason_name((oc_reason_t)event->reason);
        const size_t length = strlen(reason);
        *at++ = ',';
        memcpy(at, reason, length);
        at += length;
    }
    line_end(self, type, at);
}

static void one_event(report_writer_t *self, const oc_event_t *event)
{
    switch (event->type) {
    case OC_EVENT_ACCEPTED:
        order_line(self, LINE_ACCEPTED, event);
        break;
    case OC_EVENT_TRADE:
        self->taker = event->client_order_id.value;
        break;
    case OC_EVENT_FILL:
        trade_line(self, event);
        break;
    case OC_EVENT_CANCELLED:
    case OC_EVENT_EXPIRED:
        order_line(self, LINE_ENDED, event);
        break;
    case OC_EVENT_MODIFIED:
        order_line(self, LINE_MODIFIED, event);
        break;
    case OC_EVENT_REJECTED:
        reject_line(self, event);
        break;
    default:
        break;
    }
}

void report_writer_events(report_writer_t *self, const oc_event_t *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        one_event(self, &events[i]);
}

/* Writes the lines of one text. The '\n' goes before each line but the very first. */
static bool write_text(report_writer_t *self, text_t *text)
{
    OC_ASSERT(text->bytes[text->size - 1] == '\n');
    if (self->any_written && fputc('\n', self->out) == EOF)
        return false;
    self->any_written = true;
    const size_t size = text->size - 1;
    text->size = 0;
    return fwrite(text->bytes, 1, size, self->out) == size;
}

oc_err_t report_writer_end(report_writer_t *self)
{
    if (self->no_memory)
        return error_set(OC_ERR_NO_MEMORY, "%s: no memory for the lines of record %llu", self->name,
                         (unsigned long long)self->sequence);
    for (size_t i = 0; i < LINE_TYPES; i++) {
        if (self->texts[i].size && !write_text(self, &self->texts[i]))
            return error_set(OC_ERR_WRITE, "%s: cannot write: %s", self->name, strerror(errno));
    }
    return OC_ERR_OK;
}

void report_writer_destroy(report_writer_t *self)
{
    if (!self)
        return;
    for (size_t i = 0; i < LINE_TYPES; i++)
        free(self->texts[i].bytes);
    free(self);
}
