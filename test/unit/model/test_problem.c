/*
 * Names of problems: every value has one of its own, others are "unknown".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "outcry/order_entry.h"

#include <string.h>

static void test_every_problem_has_a_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OC_PROBLEM_COUNT; i++) {
        assert_true(strlen(oc_problem_name(i)) > 0);
        assert_string_not_equal(oc_problem_name(i), "unknown");
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(oc_problem_name(i), oc_problem_name(k));
    }
    assert_string_equal(oc_problem_name(OC_PROBLEM_COUNT), "unknown");
    assert_string_equal(oc_problem_name((unsigned)-1), "unknown");
}

static void test_names_stand_at_their_values(void **state)
{
    (void)state;
    assert_string_equal(oc_problem_name(OC_PROBLEM_NONE), "none");
    assert_string_equal(oc_problem_name(OC_PROBLEM_SHORT), "short_message");
    assert_string_equal(oc_problem_name(OC_PROBLEM_NOT_LOGGED_ON), "not_logged_on");
    assert_string_equal(oc_problem_name(OC_PROBLEM_TOO_MANY), "too_many");
    assert_int_equal(OC_PROBLEM_NOT_LOGGED_ON, 6); /* numbers are on the wire */
    assert_int_equal(OC_PROBLEM_TOO_MANY, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_problem_has_a_name),
        cmocka_unit_test(test_names_stand_at_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
