/*
 * Unit tests of escaping and of numbers. Run by ctest.
 */
#define _GNU_SOURCE
#include "report/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text;
static size_t size;

static void ends_as(FILE *out, const char *wanted)
{
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, wanted);
    free(text);
}

static FILE *begin(void)
{
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    return out;
}

static void test_text(void **state)
{
    (void)state;
    FILE *out = begin();
    html_text(out, "<a href=\"x\">&'\x01\n\x7f"
                   "µ</a>");
    ends_as(out, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;   µ&lt;/a&gt;");
}

static void test_time(void **state)
{
    (void)state;
    static const struct {
        double ns;
        const char *text;
    } cases[] = {{0, "0\u00a0ns"},        {7.4, "7\u00a0ns"},      {999, "999\u00a0ns"},
                 {999.6, "1.00\u00a0µs"}, {12345, "12.3\u00a0µs"}, {99960, "100\u00a0µs"},
                 {999499, "999\u00a0µs"}, {1.5e6, "1.50\u00a0ms"}, {2e9, "2.00\u00a0s"},
                 {5e12, "5,000\u00a0s"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *out = begin();
        html_time(out, cases[i].ns);
        ends_as(out, cases[i].text);
    }
}

static void test_number(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},          {12, "12"},          {1234567, "1,234,567"},
                 {-1234, "-1,234"}, {0.12345, "0.1235"}, {123456.7, "123,457"},
                 {1e20, "1e+20"},   {100000, "100,000"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *out = begin();
        html_number(out, cases[i].value);
        ends_as(out, cases[i].text);
    }
}

static void test_value(void **state)
{
    (void)state;
    json_t *list = json_pack("[i, i, s, [i]]", 1, 2000, "<", 3);
    FILE *out = begin();
    html_value(out, list);
    html_value(out, NULL);
    ends_as(out, "1, 2,000, &lt;, ...unknown");
    json_decref(list);
}

/* What stands in a script reads as the same value, and has nothing that could end it. */
static void test_json_in_a_script(void **state)
{
    (void)state;
    json_t *value = json_pack("{s:s}", "</script><!--&", "µ</ScRiPt>");
    FILE *out = begin();
    assert_int_equal(html_json(out, value), 0);
    assert_int_equal(fclose(out), 0);
    assert_null(strpbrk(text, "<>&"));
    json_t *again = json_loads(text, 0, NULL);
    assert_true(json_equal(value, again));
    json_decref(again);
    json_decref(value);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_json_in_a_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
