/*
 * Fixed-point numbers: what is read and refused, printed, multiplied without loss. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calc/fixed_point.h"

static void expect(const char *text, unsigned decimals, uint64_t expected)
{
    uint64_t value = 0;
    assert_true(fixed_parse(text, decimals, &value));
    assert_int_equal(value, expected);
}

static void test_parse(void **state)
{
    (void)state;
    expect("0", 0, 0);
    expect("12", 0, 12);
    expect("12", 3, 12000);
    expect("212.75", 3, 212750);
    expect("0.000001", 6, 1);
    expect("007.5", 1, 75);
    expect("18446744073709551615", 0, UINT64_MAX);
    expect("18446744073709551.615", 3, UINT64_MAX);
}

static void test_refuse(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",      "-1",  "+1",  " 1",     "1 ",
                                        "1e3",   "nan", "inf", ".5",     "1.",
                                        "1.2.3", "0x1", "1,5", "1.2345", "18446744073709551.616"};
    uint64_t value = 77;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(fixed_parse(wrong[i], 3, &value));
    assert_false(fixed_parse("1.0", 0, &value));
    assert_false(fixed_parse("18446744073709551616", 0, &value));
    assert_int_equal(value, 77);
}

static void test_print(void **state)
{
    (void)state;
    char text[32];
    fixed_print(text, sizeof text, 212750, 3);
    assert_string_equal(text, "212.75");
    fixed_print(text, sizeof text, 1, 6);
    assert_string_equal(text, "0.000001");
    fixed_print(text, sizeof text, 1000000, 6);
    assert_string_equal(text, "1");
    fixed_print(text, sizeof text, 0, 9);
    assert_string_equal(text, "0");
    fixed_print(text, sizeof text, UINT64_MAX, 0);
    assert_string_equal(text, "18446744073709551615");
}

static void test_products(void **state)
{
    (void)state;
    uint64_t result = 0;
    assert_true(fixed_mul_div(7, 3, 2, &result));
    assert_int_equal(result, 10);
    assert_true(fixed_mul_div_up(7, 3, 2, &result));
    assert_int_equal(result, 11);
    assert_true(fixed_mul_div_up(8, 3, 2, &result));
    assert_int_equal(result, 12);
    assert_true(fixed_mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX, &result));
    assert_int_equal(result, UINT64_MAX);
    assert_false(fixed_mul_div(UINT64_MAX, 2, 1, &result));
    assert_false(fixed_mul_div_up(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, &result));
}

static void test_div_up(void **state)
{
    (void)state;
    assert_int_equal(fixed_div_up(0, 3), 0);
    assert_int_equal(fixed_div_up(9, 3), 3);
    assert_int_equal(fixed_div_up(10, 3), 4);
    assert_int_equal(fixed_div_up((fixed_wide_t)UINT64_MAX * 5, 5), UINT64_MAX);
    assert_int_equal(fixed_div_up((fixed_wide_t)UINT64_MAX * 5, 1), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),  cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_print),  cmocka_unit_test(test_products),
        cmocka_unit_test(test_div_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
