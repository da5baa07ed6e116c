/*
 * Configuration files by a table of keys. Called by node_config.c.
 *
 * Invariants: a target is written only with a value that was checked; the first thing wrong is the
 * one that is told, with its line; a key may stand in a file once. It knows no key itself.
 */
#include "host/config_file.h"

#include "base/assert.h"
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEYS_MAX = 96,
    LINE_SIZE = 1024,  /* for looking at lines without inih */
    PRINTED_MAX = 150, /* of a value in one line: inih takes less than 200 characters */
    ALLOWED_MAX = 200,
    WORD_MAX = 40,     /* longest name that is compared for a suggestion */
    NEAR_DISTANCE = 3, /* edits beyond which a name is no suggestion */
};

typedef struct reading {
    const char *path;
    FILE *file;
    const node_config_key_t *keys;
    size_t count;
    unsigned line;
    bool line_too_long;
    bool indented; /* the line that inih works on begins with white space */
    bool part;     /* sections that no key belongs to are somebody else's business */
    const node_config_key_t *last; /* taken in this section, may be continued; NULL: none */
    bool seen[KEYS_MAX];
    oc_err_t err;
} reading_t;

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    const size_t end_length = strlen(end);
    return length >= end_length && !strcmp(text + length - end_length, end);
}

/* ---- The nearest name ---- */

static size_t smallest(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein distance, one row at a time; long words are far from everything. */
static size_t edit_distance(const char *left, const char *right)
{
    size_t row[WORD_MAX + 1];
    const size_t width = strlen(right);
    if (width > WORD_MAX)
        return WORD_MAX;
    for (size_t i = 0; i <= width; i++)
        row[i] = i;
    for (const char *c = left; *c; c++) {
        size_t diagonal = row[0];
        row[0] = (size_t)(c - left) + 1;
        for (size_t i = 1; i <= width; i++) {
            const size_t above = row[i];
            row[i] = smallest(above + 1, row[i - 1] + 1, diagonal + (*c != right[i - 1]));
            diagonal = above;
        }
    }
    return row[width];
}

/* The key whose name is nearest, in any section; NULL if none is near. */
static const node_config_key_t *nearest_key(const reading_t *self, const char *name)
{
    const node_config_key_t *nearest = NULL;
    size_t distance_min = NEAR_DISTANCE + 1;
    for (size_t i = 0; i < self->count; i++) {
        const size_t distance = edit_distance(name, self->keys[i].name);
        if (distance < distance_min && distance < strlen(self->keys[i].name)) {
            distance_min = distance;
            nearest = &self->keys[i];
        }
    }
    return nearest;
}

/* ---- Values ---- */

static uint64_t suffix_factor(const node_config_key_t *key, const char *suffix)
{
    static const struct {
        const char *unit;
        const char *suffix;
        uint64_t factor;
    } known[] = {
        {"_bytes", "K", UINT64_C(1) << 10},
        {"_bytes", "M", UINT64_C(1) << 20},
        {"_bytes", "G", UINT64_C(1) << 30},
        {"_us", "us", 1},
        {"_us", "ms", 1000},
        {"_us", "s", 1000000},
        {"_ms", "ms", 1},
        {"_ms", "s", 1000},
        {"_bytes_max", "K", UINT64_C(1) << 10},
        {"_bytes_max", "M", UINT64_C(1) << 20},
    };
    if (*suffix == '\0')
        return 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (ends_with(key->name, known[i].unit) && !strcmp(suffix, known[i].suffix))
            return known[i].factor;
    return 0;
}

static bool parse_number(const node_config_key_t *key, const char *value, uint64_t *number)
{
    char *end = NULL;
    if (value[0] < '0' || value[0] > '9')
        return false;
    errno = 0;
    *number = strtoull(value, &end, 10);
    const uint64_t factor = suffix_factor(key, end + strspn(end, " "));
    if (errno != 0 || factor == 0 || *number > UINT64_MAX / factor)
        return false;
    *number *= factor;
    return *number >= key->low && *number <= key->high;
}

/* What a value of this key may be, for a message. */
static void describe_allowed(const node_config_key_t *key, char text[ALLOWED_MAX])
{
    size_t used = 0;
    if (key->number) {
        (void)snprintf(text, ALLOWED_MAX, "a whole number from %" PRIu64 " to %" PRIu64, key->low,
                       key->high);
    } else if (key->processor) {
        (void)snprintf(text, ALLOWED_MAX, "any, or a processor from 0 to %" PRIu64, key->high);
    } else if (key->text && !key->choices) {
        (void)snprintf(text, ALLOWED_MAX, "at most %d characters", NODE_TEXT_MAX - 1);
    } else {
        for (int i = 0; key->choices[i] && used < ALLOWED_MAX; i++)
            used += (size_t)snprintf(text + used, ALLOWED_MAX - used, "%s%s", i ? ", " : "one of ",
                                     key->choices[i]);
    }
}

static bool store_choice(const node_config_key_t *key, const char *value)
{
    for (int i = 0; key->choices[i]; i++)
        if (!strcmp(key->choices[i], value)) {
            *key->choice = i;
            return true;
        }
    return false;
}

static bool is_choice(const node_config_key_t *key, const char *value)
{
    for (int i = 0; key->choices[i]; i++)
        if (!strcmp(key->choices[i], value))
            return true;
    return false;
}

static bool store_text(const node_config_key_t *key, const char *value)
{
    const size_t length = strlen(value);
    if (length >= NODE_TEXT_MAX || (key->choices && !is_choice(key, value)))
        return false;
    memcpy(key->text, value, length + 1);
    return true;
}

/* False: not allowed, and nothing is stored. */
static bool store(const node_config_key_t *key, const char *value)
{
    uint64_t number;
    if (key->choice)
        return store_choice(key, value);
    if (key->text)
        return store_text(key, value);
    if (key->processor && !strcmp(value, "any")) {
        *key->processor = -1;
        return true;
    }
    if (!parse_number(key, value, &number))
        return false;
    if (key->processor)
        *key->processor = (int)number;
    else
        *key->number = number;
    return true;
}

oc_err_t config_key_check(const node_config_key_t *key)
{
    char allowed[ALLOWED_MAX];
    describe_allowed(key, allowed);
    if (key->number && (*key->number < key->low || *key->number > key->high))
        return error_set(OC_ERR_INVALID_CONFIG, "[%s] %s = %" PRIu64 ": not %s", key->section,
                         key->name, *key->number, allowed);
    if (key->processor && (*key->processor < -1 || *key->processor > (int)key->high))
        return error_set(OC_ERR_INVALID_CONFIG, "[%s] %s = %d: not %s", key->section, key->name,
                         *key->processor, allowed);
    if (key->text && key->choices && !is_choice(key, key->text))
        return error_set(OC_ERR_INVALID_CONFIG, "[%s] %s = %s: not %s", key->section, key->name,
                         key->text, allowed);
    if (!key->choice)
        return OC_ERR_OK;
    for (int i = 0; key->choices[i]; i++)
        if (*key->choice == i)
            return OC_ERR_OK;
    return error_set(OC_ERR_INVALID_CONFIG, "[%s] %s = %d: not %s", key->section, key->name,
                     *key->choice, allowed);
}

/* ---- Reading ---- */

static bool section_known(const reading_t *self, const char *section)
{
    for (size_t i = 0; i < self->count; i++)
        if (!strcmp(self->keys[i].section, section))
            return true;
    return false;
}

static oc_err_t unknown_key(const reading_t *self, const char *section, const char *name)
{
    const char *what = section_known(self, section) ? "unknown key" : "unknown section for the key";
    const node_config_key_t *nearest = nearest_key(self, name);
    if (nearest)
        return error_set(OC_ERR_INVALID_CONFIG, "%s:%u: [%s] %s: %s; did you mean %s in [%s]?",
                         self->path, self->line, section, name, what, nearest->name,
                         nearest->section);
    return error_set(OC_ERR_INVALID_CONFIG,
                     "%s:%u: [%s] %s: %s; --print-config lists those that there are", self->path,
                     self->line, section, name, what);
}

static oc_err_t not_allowed(const reading_t *self, const node_config_key_t *key, const char *value)
{
    char allowed[ALLOWED_MAX];
    describe_allowed(key, allowed);
    return error_set(OC_ERR_INVALID_CONFIG, "%s:%u: [%s] %s = %s: not %s", self->path, self->line,
                     key->section, key->name, value, allowed);
}

/* Up to a remark, which inih leaves in these lines, and the white space before it. */
static int length_of_more(const char *value)
{
    size_t end = 0;
    for (size_t i = 0; value[i]; i++) {
        if (value[i] == ';' && (i == 0 || isspace((unsigned char)value[i - 1])))
            break;
        if (!isspace((unsigned char)value[i]))
            end = i + 1;
    }
    return (int)end;
}

/* Whether `line` is `NAME = ...` with a name of that section. */
static bool begins_key(const reading_t *self, const char *section, const char *line)
{
    size_t length = strcspn(line, "=");
    if (line[length] != '=')
        return false;
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    for (size_t i = 0; i < self->count; i++)
        if (!strcmp(self->keys[i].section, section) && strlen(self->keys[i].name) == length &&
            !strncmp(self->keys[i].name, line, length))
            return true;
    return false;
}

/* An indented line goes on with the text before it: behind a comma, or a space. */
static oc_err_t take_more(const reading_t *self, const char *value)
{
    char whole[2 * NODE_TEXT_MAX];
    const node_config_key_t *key = self->last;
    if (begins_key(self, key->section, value))
        return error_set(OC_ERR_INVALID_CONFIG,
                         "%s:%u: %s: an indented line would continue [%s] %s: a key must begin its "
                         "line",
                         self->path, self->line, value, key->section, key->name);
    if (!key->text)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "%s:%u: %s: an indented line continues [%s] %s, which is no text",
                         self->path, self->line, value, key->section, key->name);
    const size_t used = strlen(key->text);
    const char *space = used == 0 || key->text[used - 1] == ',' ? "" : " ";
    (void)snprintf(whole, sizeof whole, "%s%s%.*s", key->text, space, length_of_more(value), value);
    return store(key, whole) ? OC_ERR_OK : not_allowed(self, key, whole);
}

static oc_err_t take(reading_t *self, const char *section, const char *name, const char *value)
{
    for (size_t i = 0; i < self->count; i++) {
        const node_config_key_t *key = &self->keys[i];
        if (strcmp(key->section, section) != 0 || strcmp(key->name, name) != 0)
            continue;
        if (self->indented && self->last == key)
            return take_more(self, value);
        if (self->seen[i])
            return error_set(OC_ERR_INVALID_CONFIG, "%s:%u: [%s] %s: a second time, as '%s'",
                             self->path, self->line, section, name, value);
        self->seen[i] = true;
        self->last = key;
        return store(key, value) ? OC_ERR_OK : not_allowed(self, key, value);
    }
    if (self->part && !section_known(self, section))
        return OC_ERR_OK;
    return unknown_key(self, section, name);
}

/* inih goes on behind an error; the first one is kept. */
static int handle(void *user, const char *section, const char *name, const char *value)
{
    reading_t *self = user;
    if (self->err == OC_ERR_OK && !self->line_too_long)
        self->err = take(self, section, name, value);
    return self->err == OC_ERR_OK;
}

/* A line for inih, which does not tell its number to the handler: so it is counted here. */
static char *next_line(char *text, int size, void *stream)
{
    reading_t *self = stream;
    if (self->err != OC_ERR_OK || self->line_too_long || !fgets(text, size, self->file))
        return NULL;
    self->line++;
    self->indented = isspace((unsigned char)text[0]) != 0;
    if (text[0] == '[')
        self->last = NULL;
    if (!strchr(text, '\n') && !feof(self->file)) {
        self->line_too_long = true;
        return NULL;
    }
    return text;
}

static oc_err_t read_file(reading_t *self)
{
    OC_ASSERT(self->count <= KEYS_MAX);
    self->file = fopen(self->path, "re");
    if (!self->file)
        return error_set(OC_ERR_OPEN, "%s: %s", self->path, strerror(errno));
    const int bad_line = ini_parse_stream(next_line, self, handle, self);
    const bool unreadable = ferror(self->file) != 0;
    (void)fclose(self->file);
    if (self->err != OC_ERR_OK)
        return self->err;
    if (unreadable)
        return error_set(OC_ERR_READ, "%s: cannot be read", self->path);
    if (self->line_too_long)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "%s:%u: the line is too long; continue it in an indented one", self->path,
                         self->line);
    if (bad_line != 0)
        return error_set(OC_ERR_INVALID_CONFIG,
                         "%s:%d: neither `key = value` nor a [section] nor a comment", self->path,
                         bad_line);
    return OC_ERR_OK;
}

oc_err_t config_file_read(const char *file, const node_config_key_t *keys, size_t count)
{
    reading_t self = {.path = file, .keys = keys, .count = count};
    return read_file(&self);
}

oc_err_t config_file_read_part(const char *file, const node_config_key_t *keys, size_t count)
{
    reading_t self = {.path = file, .keys = keys, .count = count, .part = true};
    return read_file(&self);
}

/* The section's name, if that is what the line is. */
static const char *section_name(const char *line, size_t *length)
{
    while (isspace((unsigned char)*line))
        line++;
    *length = strcspn(line, "]");
    if (*line != '[' || line[*length] != ']')
        return NULL;
    *length -= 1;
    return line + 1;
}

bool config_file_has_section(const char *file, const char *section)
{
    char line[LINE_SIZE];
    FILE *stream = fopen(file, "re");
    bool found = false;
    if (!stream)
        return false;
    while (!found && fgets(line, sizeof line, stream)) {
        size_t length;
        const char *name = section_name(line, &length);
        found = name && length == strlen(section) && !strncmp(name, section, length);
    }
    (void)fclose(stream);
    return found;
}

/* ---- Printing ---- */

/* Where a text can be cut so that reading it puts it together again; its length: nowhere. */
static size_t cut_at(const char *text)
{
    size_t cut = strlen(text);
    for (size_t i = 1; text[i] && (i <= PRINTED_MAX || text[cut] == '\0'); i++) {
        const bool space = text[i] == ' ' && text[i - 1] != ' ' && text[i - 1] != ',';
        const bool comma = text[i - 1] == ',' && text[i] != ' ';
        const size_t next = space ? i + 1 : i;
        if ((space || comma) && text[next] && !strchr(" ;#", text[next]))
            cut = i;
    }
    return cut;
}

static void print_text(const node_config_key_t *key, FILE *file)
{
    const char *rest = key->text;
    (void)fprintf(file, "%s = ", key->name);
    while (strlen(rest) > PRINTED_MAX && rest[cut_at(rest)]) {
        const size_t cut = cut_at(rest);
        (void)fprintf(file, "%.*s\n    ", (int)cut, rest);
        rest += rest[cut] == ' ' ? cut + 1 : cut;
    }
    (void)fprintf(file, "%s\n", rest);
}

static void print_value(const node_config_key_t *key, FILE *file)
{
    if (key->number)
        (void)fprintf(file, "%s = %" PRIu64 "\n", key->name, *key->number);
    else if (key->text)
        print_text(key, file);
    else if (key->choice)
        (void)fprintf(file, "%s = %s\n", key->name, key->choices[*key->choice]);
    else if (*key->processor < 0)
        (void)fprintf(file, "%s = any\n", key->name);
    else
        (void)fprintf(file, "%s = %d\n", key->name, *key->processor);
}

static bool is_left_out(const node_config_key_t *key, const char *const *without)
{
    for (; without && *without; without++) {
        const char *dot = strchr(*without, '.');
        const size_t length = dot ? (size_t)(dot - *without) : strlen(*without);
        if (strlen(key->section) == length && !strncmp(key->section, *without, length) &&
            (!dot || !strcmp(key->name, dot + 1)))
            return true;
    }
    return false;
}

void config_file_print(const node_config_key_t *keys, size_t count, const char *const *without,
                       FILE *file)
{
    const char *section = "";
    for (size_t i = 0; i < count; i++) {
        char allowed[ALLOWED_MAX];
        if (is_left_out(&keys[i], without))
            continue;
        describe_allowed(&keys[i], allowed);
        if (strcmp(keys[i].section, section) != 0)
            (void)fprintf(file, "%s[%s]\n", *section ? "\n" : "", keys[i].section);
        section = keys[i].section;
        (void)fprintf(file, "# %s (%s)\n", keys[i].help, allowed);
        print_value(&keys[i], file);
    }
}
