/*
 * Assertions: what they print, that they stop the process, and that they look once.
 */
#define _GNU_SOURCE /* pipe, dup2 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/assert.h"
#include "lib/expect_abort.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void fail_now(void *context)
{
    (void)context;
    OC_ASSERT(1 + 1 == 3);
}

static void hold(void *context)
{
    (void)context;
    OC_ASSERT(1 + 1 == 2);
}

static void test_a_false_one_aborts(void **state)
{
    (void)state;
    assert_true(child_aborts(fail_now, NULL));
    assert_false(child_aborts(hold, NULL));
}

static void fail_into_pipe(void *context)
{
    dup2(*(int *)context, STDERR_FILENO);
    assert_failed("pigs == fly", "farm.c", 42);
}

static void test_the_message_says_what_and_where(void **state)
{
    (void)state;
    int ends[2];
    char text[256] = "";
    assert_int_equal(pipe(ends), 0);
    assert_true(child_aborts(fail_into_pipe, &ends[1]));
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_non_null(strstr(text, "assertion failed: pigs == fly (farm.c:42)"));
    assert_int_equal(text[strlen(text) - 1], '\n');
}

static void test_the_condition_is_evaluated_once(void **state)
{
    (void)state;
    int count = 0;
    OC_ASSERT(++count == 1);
    assert_int_equal(count, 1);
    assert_int_equal(LIKELY(7), 1);
    assert_int_equal(UNLIKELY(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_false_one_aborts),
        cmocka_unit_test(test_the_message_says_what_and_where),
        cmocka_unit_test(test_the_condition_is_evaluated_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
