/*
 * Unit tests of the option parser: what is stored, and that each error names the option, the value
 * and what is allowed. Run by ctest.
 */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

typedef struct fixture {
    bool loud;
    const char *path;
    uint64_t size;
    int colour;
    option_t table[5];
    options_t parser;
} fixture_t;

static void fixture_init(fixture_t *f)
{
    memset(f, 0, sizeof *f);
    f->table[0] = option_flag("loud", &f->loud, true);
    f->table[1] = option_flag("no-loud", &f->loud, false);
    f->table[2] = option_text("path", &f->path);
    f->table[3] = option_number("size", &f->size, 10, 200);
    f->table[4] = option_choice("colour", &f->colour, colours);
    f->parser.table = f->table;
    f->parser.count = 5;
    f->parser.operand_low = 1;
    f->parser.operand_high = 2;
    f->parser.operand_name = "FILE";
    f->parser.command = "test";
}

#define ARGUMENTS_MAX 12

/* Parses the words, which end with NULL. */
static bool parse(fixture_t *f, const char *const *words)
{
    static char name[] = "test";
    char copies[ARGUMENTS_MAX][40];
    char *argv[ARGUMENTS_MAX + 2] = {name};
    int argc = 1;
    for (; words[argc - 1]; argc++) {
        assert_true(argc <= ARGUMENTS_MAX);
        const size_t size = strlen(words[argc - 1]) + 1;
        assert_true(size <= sizeof copies[0]);
        memcpy(copies[argc - 1], words[argc - 1], size);
        argv[argc] = copies[argc - 1];
    }
    const bool good = options_parse(&f->parser, argc, argv);
    assert_int_equal(good, f->parser.error[0] == '\0');
    /* Texts point into argv, which ends with this function. */
    if (f->path)
        f->path = strcmp(f->path, "-") ? "a path" : "-";
    return good;
}

#define PARSE(f, ...) parse(f, (const char *const[]){__VA_ARGS__, NULL})

static void assert_error(const fixture_t *f, const char *part)
{
    if (!strstr(f->parser.error, part))
        fail_msg("'%s' does not say '%s'", f->parser.error, part);
}

static void test_nothing_given(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    f.size = 77;
    f.colour = 2;
    assert_true(PARSE(&f, "file"));
    assert_int_equal(f.size, 77);
    assert_int_equal(f.colour, 2);
    assert_null(f.path);
    assert_false(f.loud);
    assert_int_equal(f.parser.operand_count, 1);
}

static void test_every_kind(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_true(
        PARSE(&f, "--loud", "--path", "here", "a", "--size", "10", "--colour", "blue", "b"));
    assert_true(f.loud);
    assert_string_equal(f.path, "a path");
    assert_int_equal(f.size, 10);
    assert_int_equal(f.colour, 2);
    assert_int_equal(f.parser.operand_count, 2);
}

static void test_equals_form(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_true(PARSE(&f, "--size=200", "--colour=green", "--path=-x", "a"));
    assert_int_equal(f.size, 200);
    assert_int_equal(f.colour, 1);
    assert_string_equal(f.path, "a path");
}

static void test_last_one_wins(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_true(PARSE(&f, "a", "--loud", "--no-loud", "--size", "11", "--size", "12"));
    assert_false(f.loud);
    assert_int_equal(f.size, 12);
}

static void test_dash_is_a_value_and_an_operand(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_true(PARSE(&f, "--path", "-", "-"));
    assert_string_equal(f.path, "-");
    assert_int_equal(f.parser.operand_count, 1);
}

static void test_double_dash_ends_options(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_true(PARSE(&f, "--", "--loud", "-h"));
    assert_false(f.loud);
    assert_false(f.parser.help);
    assert_int_equal(f.parser.operand_count, 2);
}

static void test_help_checks_nothing_else(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_true(PARSE(&f, "--nonsense", "--help"));
    assert_true(f.parser.help);
    assert_true(PARSE(&f, "-h"));
    assert_true(f.parser.help);
}

static void test_operands(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_false(PARSE(&f, "--loud"));
    assert_error(&f, "FILE is missing; see outcry test --help");
    assert_false(PARSE(&f, "a", "b", "third"));
    assert_error(&f, "unexpected operand 'third'");
    f.parser.operand_low = 0;
    f.parser.operand_high = 0;
    assert_false(PARSE(&f, "a"));
    assert_error(&f, "unexpected operand 'a'");
}

static void test_unknown_option(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_false(PARSE(&f, "a", "--color", "red"));
    assert_error(&f, "--color;");
    assert_error(&f, "did you mean --colour?");
    assert_false(PARSE(&f, "--siz=12"));
    assert_error(&f, "--siz;");
    assert_error(&f, "did you mean --size?");
    assert_false(PARSE(&f, "--something-else-entirely"));
    assert_error(&f, "--something-else-entirely; see --help");
    assert_false(PARSE(&f, "-q"));
    assert_error(&f, "-q");
}

static void test_numbers(void **state)
{
    (void)state;
    const char *const bad[] = {"9",   "201", "12x", "x",    "-5",
                               "+12", " 12", "1.5", "0x10", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fixture_t f;
        fixture_init(&f);
        assert_false(PARSE(&f, "--size", bad[i]));
        assert_error(&f, "--size");
        assert_error(&f, bad[i]);
        assert_error(&f, "10 to 200");
        assert_int_equal(f.size, 0);
    }
}

static void test_largest_number(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    f.table[3].high = UINT64_MAX;
    assert_true(PARSE(&f, "a", "--size", "18446744073709551615"));
    assert_true(f.size == UINT64_MAX);
    assert_false(PARSE(&f, "a", "--size", "18446744073709551616"));
}

static void test_choices(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_false(PARSE(&f, "--colour", "gren"));
    assert_error(&f, "--colour");
    assert_error(&f, "'gren'");
    assert_error(&f, "red, green, blue");
    assert_error(&f, "did you mean green?");
    assert_false(PARSE(&f, "--colour=Q"));
    assert_error(&f, "'Q' is not one of red, green, blue");
}

static void test_missing_and_superfluous_values(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    assert_false(PARSE(&f, "a", "--size"));
    assert_error(&f, "--size needs a whole number");
    assert_false(PARSE(&f, "--path", "--loud"));
    assert_error(&f, "--path needs a value");
    assert_false(PARSE(&f, "--loud=yes"));
    assert_error(&f, "--loud takes no value");
    assert_false(PARSE(&f, "--path="));
    assert_error(&f, "--path");
    assert_error(&f, "empty");
}

static void test_outputs(void **state)
{
    (void)state;
    fixture_t f;
    fixture_init(&f);
    f.table[2] = option_output("path", &f.path);
    assert_true(PARSE(&f, "file", "--path", "no-such-file.json"));
    assert_string_equal(f.path, "a path");
    f.path = NULL;
    assert_true(PARSE(&f, "file", "--path", "./no-such-file.json"));
    f.path = NULL;
    assert_false(PARSE(&f, "file", "--path", "/no/such/run.json"));
    assert_error(&f, "option --path: '/no/such/run.json' cannot be written: No such file");
    assert_false(PARSE(&f, "file", "--path", "."));
    assert_error(&f, "option --path: '.' cannot be written: Is a directory");
    assert_false(PARSE(&f, "file", "--path", "/dev/null/run"));
    assert_error(&f, "cannot be written: ");
    assert_null(f.path);
}

static void test_nearest(void **state)
{
    (void)state;
    const char *const names[] = {"replay", "bench", "demo", NULL};
    assert_string_equal(options_nearest("reply", names), "replay");
    assert_string_equal(options_nearest("benhc", names), "bench");
    assert_string_equal(options_nearest("rep", names), "replay");
    assert_null(options_nearest("xyzzyxyzzy", names));
    assert_null(options_nearest("", names));
}

static void test_very_long_words(void **state)
{
    (void)state;
    char word[4000];
    memset(word, 'a', sizeof word);
    word[0] = '-';
    word[1] = '-';
    word[sizeof word - 1] = '\0';
    char name[] = "test";
    char *argv[] = {name, word, NULL};
    fixture_t f;
    fixture_init(&f);
    assert_false(options_parse(&f.parser, 2, argv));
    assert_error(&f, "unknown option --aaaa");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_given),
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_equals_form),
        cmocka_unit_test(test_last_one_wins),
        cmocka_unit_test(test_dash_is_a_value_and_an_operand),
        cmocka_unit_test(test_double_dash_ends_options),
        cmocka_unit_test(test_help_checks_nothing_else),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_unknown_option),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_largest_number),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_missing_and_superfluous_values),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_very_long_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
