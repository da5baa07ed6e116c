/*
 * The error of an unknown rules version names the command, the version asked for and the known one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/rules_version.h"

#include <string.h>

static void test_error_names_command_and_versions(void **state)
{
    (void)state;
    assert_int_equal(rules_version_error(17, 9), OC_ERR_RULES_VERSION);
    assert_non_null(strstr(oc_err_context(), "command 17 asks for rules version 9"));
    assert_non_null(strstr(oc_err_context(), "knows version 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_error_names_command_and_versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
