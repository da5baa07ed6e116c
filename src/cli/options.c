/*
 * Table-driven option parser. Called by every subcommand.
 *
 * Invariants: a target is written only with a value that was checked; self->error is "" exactly
 * when parsing succeeded. It prints nothing and exits nowhere: that is the subcommand's business.
 */
#define _GNU_SOURCE
#include "cli/options.h"

#include "base/assert.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_MAX_LENGTH = 32, /* longest name that is compared for a suggestion */
    NEAR_DISTANCE = 3,    /* edits beyond which a name is no suggestion */
};

static bool failed(options_t *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool failed(options_t *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(self->error, sizeof self->error, format, arguments);
    va_end(arguments);
    return false;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein distance, one row at a time; words longer than NAME_MAX_LENGTH are far. */
static size_t edit_distance(const char *left, const char *right)
{
    size_t row[NAME_MAX_LENGTH + 1];
    const size_t width = strlen(right);
    if (width > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
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

const char *options_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    size_t distance_min = NEAR_DISTANCE + 1;
    for (; *names; names++) {
        const size_t length = strlen(*names);
        const size_t typed = strlen(word);
        /* An unfinished word is near as well: --mod for --modify-priority. */
        const bool prefix = typed >= 3 && typed < length && !strncmp(word, *names, typed);
        const size_t distance = prefix ? 1 : edit_distance(word, *names);
        if (distance < distance_min && distance < length) {
            distance_min = distance;
            nearest = *names;
        }
    }
    return nearest;
}

static bool fail_unknown(options_t *self, const char *word)
{
    const char *names[64] = {"help"};
    OC_ASSERT(self->count + 2 <= sizeof names / sizeof names[0]);
    for (size_t i = 0; i < self->count; i++)
        names[i + 1] = self->table[i].name;
    char typed[NAME_MAX_LENGTH * 2];
    (void)snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = options_nearest(typed, names);
    if (nearest)
        return failed(self, "unknown option --%s; did you mean --%s?", typed, nearest);
    return failed(self, "unknown option --%s; see --help", typed);
}

static bool store_number(options_t *self, const option_t *option, const char *value)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 10);
    const bool digits = value[0] >= '0' && value[0] <= '9' && *end == '\0';
    if (!digits || errno == ERANGE || number < option->low || number > option->high)
        return failed(self, "option --%s: '%s' is not a whole number from %llu to %llu",
                      option->name, value, (unsigned long long)option->low,
                      (unsigned long long)option->high);
    *(uint64_t *)option->target = number;
    return true;
}

static bool store_choice(options_t *self, const option_t *option, const char *value)
{
    char allowed[160] = "";
    size_t used = 0;
    for (int i = 0; option->choices[i]; i++) {
        if (!strcmp(option->choices[i], value)) {
            *(int *)option->target = i;
            return true;
        }
        const int wrote = snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "",
                                   option->choices[i]);
        OC_ASSERT(wrote > 0);
        OC_ASSERT((size_t)wrote < sizeof allowed - used);
        used += (size_t)wrote;
    }
    const char *nearest = options_nearest(value, option->choices);
    if (nearest)
        return failed(self, "option --%s: '%s' is not one of %s; did you mean %s?", option->name,
                      value, allowed, nearest);
    return failed(self, "option --%s: '%s' is not one of %s", option->name, value, allowed);
}

/* What would keep a file from being made, or made anew, there; NULL: nothing that can be seen. */
static const char *output_problem(const char *path)
{
    struct stat info;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return strerror(EISDIR);
    if (snprintf(folder, sizeof folder, "%.*s", length, path) >= (int)sizeof folder)
        return strerror(ENAMETOOLONG);
    return access(length > 0 ? folder : ".", W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

static bool store_text(options_t *self, const option_t *option, const char *value)
{
    if (!*value)
        return failed(self, "option --%s: its value is empty", option->name);
    const char *problem = option->output ? output_problem(value) : NULL;
    if (problem)
        return failed(self, "option --%s: '%s' cannot be written: %s", option->name, value,
                      problem);
    *(const char **)option->target = value;
    return true;
}

static bool store(options_t *self, const option_t *option, const char *value)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->target = option->flag_value;
        return true;
    case OPTION_TEXT:
        return store_text(self, option, value);
    case OPTION_NUMBER:
        return store_number(self, option, value);
    case OPTION_CHOICE:
        return store_choice(self, option, value);
    }
    return false;
}

static const option_t *find(const options_t *self, const char *name, size_t length)
{
    for (size_t i = 0; i < self->count; i++) {
        const char *known = self->table[i].name;
        if (strlen(known) == length && !memcmp(known, name, length))
            return &self->table[i];
    }
    return NULL;
}

/* What a missing value would have had to be. */
static const char *value_wanted(const option_t *option)
{
    return option->kind == OPTION_NUMBER ? "a whole number"
           : option->kind == OPTION_TEXT ? "a value"
                                         : "a choice";
}

/* Takes the option at argv[*index], and its value from the next word if need be. */
static bool parse_option(options_t *self, int argc, char *const *argv, int *index)
{
    const char *word = argv[*index] + 2;
    const size_t length = strcspn(word, "=");
    const option_t *option = find(self, word, length);
    if (!option)
        return fail_unknown(self, word);

    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (option->kind == OPTION_FLAG) {
        if (value)
            return failed(self, "option --%s takes no value, '%s' was given", option->name, value);
        return store(self, option, "");
    }
    if (!value) {
        const bool missing = *index + 1 >= argc || !strncmp(argv[*index + 1], "--", 2);
        if (missing)
            return failed(self, "option --%s needs %s after it", option->name,
                          value_wanted(option));
        value = argv[++*index];
    }
    return store(self, option, value);
}

static bool add_operand(options_t *self, const char *word)
{
    if (self->operand_count == self->operand_high) {
        return failed(self, "unexpected operand '%s'", word);
    }
    self->operands[self->operand_count++] = word;
    return true;
}

static bool wants_help(int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

bool options_parse(options_t *self, int argc, char *const *argv)
{
    OC_ASSERT(self->operand_high <= OPTIONS_OPERANDS_MAX);
    self->operand_count = 0;
    self->error[0] = '\0';
    self->help = wants_help(argc, argv);
    if (self->help)
        return true;

    bool only_operands = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        bool good = true;
        if (only_operands || word[0] != '-' || !strcmp(word, "-"))
            good = add_operand(self, word);
        else if (!strcmp(word, "--"))
            only_operands = true;
        else if (word[1] != '-')
            good = failed(self, "unknown option %s; options are written in full, see --help", word);
        else
            good = parse_option(self, argc, argv, &i);
        if (!good)
            return false;
    }
    if (self->operand_count < self->operand_low)
        return failed(self, "%s is missing; see outcry %s --help", self->operand_name,
                      self->command);
    return true;
}
