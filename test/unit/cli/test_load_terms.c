/*
 * Unit tests of the options of a load: what they mean together, and what cannot be. Run by ctest.
 */
#include "cli/load_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static load_terms_t terms;

#define NOT_GIVEN LOAD_TERMS_NOT_GIVEN

/* Reads the words; returns what is wrong with them, NULL if nothing is. */
static const char *read_words(const char *const *words)
{
    static options_t parser;
    option_t table[LOAD_TERMS_OPTIONS];
    char *argv[16] = {NULL};
    int argc = 1;
    for (; *words; words++)
        argv[argc++] = (char *)(uintptr_t)*words;
    load_terms_init(&terms);
    load_terms_table(&terms, table);
    parser = (options_t){.table = table, .count = LOAD_TERMS_OPTIONS, .command = "load"};
    return options_parse(&parser, argc, argv) ? load_terms_check(&terms) : parser.error;
}

#define READ(...) read_words((const char *const[]){__VA_ARGS__, NULL})

static void assert_problem(const char *problem, const char *part)
{
    assert_non_null(problem);
    if (!strstr(problem, part))
        fail_msg("'%s' is not in '%s'", part, problem);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_null(READ("--rate", "7"));
    assert_true(terms.open);
    assert_int_equal(terms.shape.kind, ARRIVAL_STEADY);
    assert_int_equal(terms.shape.burst, 1);
    assert_int_equal(terms.seconds, 10);
    assert_int_equal(terms.warmup, 0);
    assert_int_equal(terms.clients, 1);
    assert_null(terms.run);
    assert_true(terms.cpu == NOT_GIVEN);
    assert_string_equal(load_terms_flow(&terms), "W1");
    assert_null(READ("--rate", "7", "--file", "some.csv", "--run", "run.json"));
    assert_string_equal(load_terms_flow(&terms), "some.csv");
    assert_string_equal(terms.run, "run.json");
    /* Each option is there once, with a name of its own. */
    option_t table[LOAD_TERMS_OPTIONS];
    load_terms_table(&terms, table);
    for (size_t i = 0; i < LOAD_TERMS_OPTIONS; i++) {
        if (strcmp(table[i].name, "ingress") != 0) /* each says that itself */
            assert_non_null(strstr(load_terms_help, table[i].name));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(table[i].name, table[k].name);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    assert_null(READ("--rate", "0"));
    assert_false(terms.open);
    assert_null(READ("--rate", "9", "--burst", "5"));
    assert_int_equal(terms.shape.burst, 5);
    assert_null(READ("--arrivals", "onoff:10:20"));
    assert_true(terms.open);
    assert_int_equal(terms.shape.idle_ms, 20);
    assert_null(READ("--arrivals", "trace:f.csv:4", "--window-ms", "5"));
    assert_true(terms.seconds == NOT_GIVEN);
    assert_int_equal(terms.shape.kind, ARRIVAL_TRACE);
}

static void test_impossible(void **state)
{
    (void)state;
    assert_problem(READ("--seconds", "1"), "--rate is missing");
    assert_problem(READ("--arrivals", "poisson"), "--rate is missing");
    assert_problem(READ("--arrivals", "poisson", "--rate", "0"), "closed loop");
    assert_problem(READ("--arrivals", "onoff:5:5", "--rate", "1"), "leave --rate out");
    assert_problem(READ("--arrivals", "steady:5", "--rate", "1", "--burst", "2"), "steady:BURST");
    assert_problem(READ("--arrivals", "sine"), "no such shape");
    assert_problem(READ("--rate", "1", "--window-by", "bytes"), "go with --arrivals trace:FILE");
    assert_problem(READ("--rate", "1", "--seconds", "5", "--warmup", "5"), "must be shorter");
    assert_problem(READ("--rate", "1", "--file", "f", "--clients", "2"), "one client");
    assert_problem(READ("--rate", "1", "--principal", "a-name-of-more-than-31-characters"),
                   "at most 31");
    assert_problem(READ("--rate", "fast"), "whole number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
