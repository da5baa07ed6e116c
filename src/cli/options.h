/*
 * Command-line options from a table: long options only, `--name value` or `--name=value`, in any
 * order with the operands; `--` ends the options, a lone `-` is an operand or a value.
 *
 * A failure leaves one line in `error` that names the option, the value and what is allowed.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   /* no value; stores `flag_value` into a bool */
    OPTION_TEXT,   /* a non-empty string; stores a pointer into argv into a const char * */
    OPTION_NUMBER, /* a decimal number in low..high; stores into a uint64_t */
    OPTION_CHOICE, /* one of `choices`; stores its index into an int */
} option_kind_t;

typedef struct option {
    const char *name; /* without the dashes */
    option_kind_t kind;
    void *target; /* borrowed; left alone when the option is not given */
    bool flag_value;
    uint64_t low;
    uint64_t high;
    const char *const *choices; /* ends with NULL */
    bool output;                /* of a text: see option_output() */
} option_t;

/* Entries of a table, with the target's type checked. */
static inline option_t option_flag(const char *name, bool *target, bool value)
{
    return (option_t){.name = name, .kind = OPTION_FLAG, .target = target, .flag_value = value};
}

static inline option_t option_text(const char *name, const char **target)
{
    return (option_t){.name = name, .kind = OPTION_TEXT, .target = target};
}

/* A file that is written at the end of something long: whether it can be is looked at now. */
static inline option_t option_output(const char *name, const char **target)
{
    return (option_t){.name = name, .kind = OPTION_TEXT, .target = target, .output = true};
}

static inline option_t option_number(const char *name, uint64_t *target, uint64_t low,
                                     uint64_t high)
{
    return (option_t){
        .name = name, .kind = OPTION_NUMBER, .target = target, .low = low, .high = high};
}

static inline option_t option_choice(const char *name, int *target, const char *const *choices)
{
    return (option_t){.name = name, .kind = OPTION_CHOICE, .target = target, .choices = choices};
}

#define OPTIONS_OPERANDS_MAX 32

typedef struct options {
    const option_t *table; /* borrowed */
    size_t count;
    size_t operand_low; /* how many operands are allowed */
    size_t operand_high;
    const char *operand_name; /* for messages: "FILE" */
    const char *command;      /* for messages: "replay" */

    const char *operands[OPTIONS_OPERANDS_MAX]; /* found, borrowed from argv */
    size_t operand_count;
    bool help; /* --help or -h was given; nothing else is checked then */
    char error[320];
} options_t;

/*
 * Reads argv[1..argc-1]. Returns false, with self->error set, at the first thing wrong. The inputs
 * of *self are set by the caller, its outputs here.
 */
bool options_parse(options_t *self, int argc, char *const *argv);

/* The name in `names` (ends with NULL) that is nearest to `word`; NULL if none is near. */
const char *options_nearest(const char *word, const char *const *names);

#endif
