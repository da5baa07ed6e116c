/*
 * Figures as lines and as JSON.
 */
#define _GNU_SOURCE
#include "cli/figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static figures_t figures;

static int reset(void **state)
{
    (void)state;
    memset(&figures, 0, sizeof figures);
    return 0;
}

static void expect(size_t from, bool json, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (json)
        figures_print_json(&figures, stream);
    else
        figures_print(&figures, from, stream);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, expected);
    free(text);
}

static void test_lines(void **state)
{
    (void)state;
    figures_text(&figures, "what", "a bench");
    figures_whole(&figures, "orders", UINT64_MAX);
    figures_number(&figures, "stall_ms", 1.2345, 2);
    expect(0, false, "what: a bench\norders: 18446744073709551615\nstall_ms: 1.23\n");
    expect(2, false, "stall_ms: 1.23\n");
}

static void test_json(void **state)
{
    (void)state;
    figures_text(&figures, "what", "a \"b\\c\"\td");
    figures_whole(&figures, "orders", 7);
    figures_number(&figures, "ratio", 1.0 / 0.0, 3);
    expect(0, true, "{\"what\": \"a \\\"b\\\\c\\\"\\u0009d\", \"orders\": 7, \"ratio\": null}\n");
}

static void test_host(void **state)
{
    (void)state;
    figures_host(&figures);
    bool load = false;
    assert_true(figures.count >= 3);
    for (size_t i = 0; i < figures.count; i++)
        load |= !strcmp(figures.items[i].name, "load_average");
    assert_true(load);
}

static void test_long_values_are_cut(void **state)
{
    (void)state;
    char text[2 * FIGURES_VALUE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    figures_text(&figures, text, text);
    assert_int_equal(strlen(figures.items[0].name), FIGURES_NAME - 1);
    assert_int_equal(strlen(figures.items[0].value), FIGURES_VALUE - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_lines, reset),
        cmocka_unit_test_setup(test_json, reset),
        cmocka_unit_test_setup(test_host, reset),
        cmocka_unit_test_setup(test_long_values_are_cut, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
