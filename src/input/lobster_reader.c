/*
 * Reads LOBSTER message files: CSV lines of time, type, order id, size, price, direction.
 *
 * Called through lobster_reader_ops by flow_reader. Times are seconds since midnight with up to 15
 * decimals, rounded to nanoseconds, prices dollars times 10000, direction 1 for a buy order and -1
 * for a sell order. An order is named by id; executions of hidden orders, crosses and halts change
 * no visible book. Invariants: a number is taken whole or refused, only times are rounded; a line
 * has six values. Must not use strtod() or the locale.
 */
#include "base/assert.h"
#include "input/input_internal.h"

#define LOBSTER_LINE_MAX  200
#define LOBSTER_FIELDS    6
#define LOBSTER_FOUND_MAX 32
#define NANOSECONDS       INT64_C(1000000000)
#define TIME_DECIMALS_MAX 15
#define TIME_DECIMALS     9

enum { FIELD_TIME, FIELD_TYPE, FIELD_ORDER, FIELD_SIZE, FIELD_PRICE, FIELD_DIRECTION };

static const char *const field_titles[LOBSTER_FIELDS] = {
    "field 1, time: seconds since midnight with up to 15 decimals",
    "field 2, type: 1 to 7",
    "field 3, order id: 0 to 2^64-1",
    "field 4, size: 0 to 2^63-1",
    "field 5, price: a 64-bit integer",
    "field 6, direction: 1 or -1",
};

typedef struct text {
    const char *start;
    size_t size;
} text_t;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Decimal digits and nothing else, up to `max`. */
static bool parse_unsigned(text_t text, uint64_t max, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (!is_digit(text.start[i])) {
            return false;
        }
        const uint64_t digit = (uint64_t)(text.start[i] - '0');
        if (digit > max || sum > (max - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return text.size > 0;
}

/* With a minus or without; -2^63 itself, which nobody uses, is refused. */
static bool parse_signed(text_t text, int64_t *value)
{
    const bool negative = text.size > 0 && text.start[0] == '-';
    const text_t digits = {text.start + negative, text.size - negative};
    uint64_t magnitude;
    if (!parse_unsigned(digits, INT64_MAX, &magnitude)) {
        return false;
    }
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

/*
 * Decimals to nanoseconds, 0 to 10^9. Files that went through floating point have a few more than
 * nine, like .088778456004: they are rounded, as the ninth is the last that was measured.
 */
static bool parse_fraction(text_t text, int64_t *fraction_ns)
{
    uint64_t value = 0;
    if (text.size > TIME_DECIMALS_MAX || !parse_unsigned(text, UINT64_MAX, &value)) {
        return false;
    }
    uint64_t unit = 1;
    for (size_t i = text.size; i < TIME_DECIMALS; i++) {
        value *= 10;
    }
    for (size_t i = TIME_DECIMALS; i < text.size; i++) {
        unit *= 10;
    }
    *fraction_ns = (int64_t)((value + unit / 2) / unit);
    return true;
}

/* "34200" or "34200.004241176" to nanoseconds. */
static bool parse_time(text_t text, int64_t *time_ns)
{
    const char *point = memchr(text.start, '.', text.size);
    const size_t whole_size = point == NULL ? text.size : (size_t)(point - text.start);
    uint64_t seconds;
    int64_t fraction_ns = 0;
    if (!parse_unsigned((text_t){text.start, whole_size}, INT64_MAX / NANOSECONDS - 1, &seconds)) {
        return false;
    }
    if (point != NULL &&
        !parse_fraction((text_t){point + 1, text.size - whole_size - 1}, &fraction_ns)) {
        return false;
    }
    *time_ns = (int64_t)seconds * NANOSECONDS + fraction_ns;
    return true;
}

static bool lobster_fail(flow_reader_t *reader, const text_t *fields, unsigned field)
{
    char found[LOBSTER_FOUND_MAX + 1];
    size_t size = 0;
    for (; size < fields[field].size && size < LOBSTER_FOUND_MAX; size++) {
        const char c = fields[field].start[size];
        found[size] = c >= ' ' && c <= '~' ? c : '?';
    }
    found[size] = '\0';
    const uint64_t column = (uint64_t)(fields[field].start - fields[0].start);
    return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader) + column,
                     "%s, expected; found '%s'%s", field_titles[field], found,
                     size < fields[field].size ? "..." : "");
}

/* Cuts at the commas; returns how many values there are, at most one more than fit. */
static size_t lobster_split(text_t line, text_t fields[LOBSTER_FIELDS])
{
    size_t count = 0;
    const char *start = line.start;
    const char *const end = line.start + line.size;
    for (;;) {
        const char *comma = memchr(start, ',', (size_t)(end - start));
        if (count == LOBSTER_FIELDS) {
            return count + 1;
        }
        fields[count++] = (text_t){start, (size_t)((comma == NULL ? end : comma) - start)};
        if (comma == NULL) {
            return count;
        }
        start = comma + 1;
    }
}

static flow_kind_t lobster_kind(uint64_t type)
{
    static const flow_kind_t kinds[] = {FLOW_SKIP,    FLOW_NEW,  FLOW_REDUCE, FLOW_CANCEL,
                                        FLOW_EXECUTE, FLOW_SKIP, FLOW_SKIP,   FLOW_SKIP};
    OC_ASSERT(type < sizeof kinds / sizeof kinds[0]);
    return kinds[type];
}

static bool lobster_parse(flow_reader_t *reader, const text_t *fields, flow_record_t *record)
{
    uint64_t type;
    uint64_t size;
    int64_t direction;
    if (!parse_time(fields[FIELD_TIME], &record->time_ns)) {
        return lobster_fail(reader, fields, FIELD_TIME);
    }
    if (!parse_unsigned(fields[FIELD_TYPE], 7, &type) || type == 0) {
        return lobster_fail(reader, fields, FIELD_TYPE);
    }
    if (!parse_unsigned(fields[FIELD_ORDER], UINT64_MAX, &record->order_id)) {
        return lobster_fail(reader, fields, FIELD_ORDER);
    }
    if (!parse_unsigned(fields[FIELD_SIZE], INT64_MAX, &size)) {
        return lobster_fail(reader, fields, FIELD_SIZE);
    }
    if (!parse_signed(fields[FIELD_PRICE], &record->price_raw)) {
        return lobster_fail(reader, fields, FIELD_PRICE);
    }
    if (!parse_signed(fields[FIELD_DIRECTION], &direction) || (direction != 1 && direction != -1)) {
        return lobster_fail(reader, fields, FIELD_DIRECTION);
    }
    record->kind = lobster_kind(type);
    record->side = direction == 1 ? OC_SIDE_BUY : OC_SIDE_SELL;
    record->quantity = (int64_t)size;
    return true;
}

/* Finds the next line without its end; *used counts that too. No bytes left: *used is 0. */
static bool lobster_line(flow_reader_t *reader, text_t *line, size_t *used)
{
    byte_view_t view;
    const uint8_t *newline = NULL;
    size_t shown;
    if (!flow_peek(reader, 1, &view)) {
        return false;
    }
    do {
        shown = view.size;
        newline = memchr(view.bytes, '\n', shown);
        if (newline == NULL && shown <= LOBSTER_LINE_MAX && !flow_peek(reader, shown + 1, &view)) {
            return false;
        }
    } while (newline == NULL && view.size > shown && shown <= LOBSTER_LINE_MAX);
    const size_t size = newline == NULL ? view.size : (size_t)(newline - view.bytes);
    if (size > LOBSTER_LINE_MAX) {
        return flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                         "a line of %d values expected, found none that ends within %d bytes",
                         LOBSTER_FIELDS, LOBSTER_LINE_MAX);
    }
    const bool carriage_return = size > 0 && view.bytes[size - 1] == '\r';
    *line = (text_t){(const char *)view.bytes, size - carriage_return};
    *used = size + (newline != NULL);
    return true;
}

static flow_status_t lobster_next(flow_reader_t *reader, flow_record_t *record)
{
    text_t line = {"", 0};
    text_t fields[LOBSTER_FIELDS];
    size_t used = 0;
    if (!lobster_line(reader, &line, &used)) {
        return FLOW_FAILED;
    }
    if (used == 0) {
        return FLOW_END;
    }
    const size_t count = lobster_split(line, fields);
    if (count != LOBSTER_FIELDS) {
        flow_fail(reader, OC_ERR_FORMAT, flow_offset(reader),
                  "%d values separated by commas expected, found %s%zu", LOBSTER_FIELDS,
                  count > LOBSTER_FIELDS ? "at least " : "", count);
        return FLOW_FAILED;
    }
    if (!lobster_parse(reader, fields, record)) {
        return FLOW_FAILED;
    }
    byte_source_advance(reader->source, used);
    return FLOW_RECORD;
}

/* There is no header. */
static bool lobster_open(flow_reader_t *reader)
{
    return reader->failure == OC_ERR_OK;
}

/* The first line looks like six numbers; whether they make sense is for the reader to say. */
static bool lobster_sniff(const uint8_t *bytes, size_t size)
{
    const uint8_t *newline = memchr(bytes, '\n', size);
    size_t length = newline == NULL ? size : (size_t)(newline - bytes);
    if (length > 0 && bytes[length - 1] == '\r') {
        length--;
    }
    if (length > LOBSTER_LINE_MAX) {
        return false;
    }
    text_t fields[LOBSTER_FIELDS];
    if (lobster_split((text_t){(const char *)bytes, length}, fields) != LOBSTER_FIELDS) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const char c = (char)bytes[i];
        if (!is_digit(c) && c != ',' && c != '.' && c != '-') {
            return false;
        }
    }
    return true;
}

const flow_format_ops_t lobster_reader_ops = {
    .format = FLOW_FORMAT_LOBSTER,
    .name = "lobster",
    .title = "lobster (message CSV)",
    .sniff = lobster_sniff,
    .open = lobster_open,
    .next = lobster_next,
};
