/*
 * The table of errors and the context line of a thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"

#include <pthread.h>
#include <string.h>

#define LINE_MAX_CHARS 511

static void test_every_error_has_a_text_of_its_own(void **state)
{
    (void)state;
    static const oc_err_t errors[] = {
#define ERROR_VALUE(name, text) OC_ERR_##name,
        OC_ERROR_TABLE(ERROR_VALUE)
#undef ERROR_VALUE
    };
    const size_t count = sizeof errors / sizeof errors[0];
    assert_int_equal(OC_ERR_OK, 0);
    assert_int_equal(OC_ERR_TRUNCATED, 8); /* numbers are part of the ABI */
    assert_int_equal(OC_ERR_TRANSPORT, 20);
    assert_int_equal(OC_ERR_INTERRUPTED, 21);
    assert_string_equal(oc_err_text(OC_ERR_OK), "success");
    assert_string_equal(oc_err_text(OC_ERR_RULES_VERSION),
                        "the log asks for a rules version that this build does not know");
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(errors[i], i);
        assert_true(strlen(oc_err_text(errors[i])) > 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(oc_err_text(errors[i]), oc_err_text(errors[k]));
    }
    assert_string_equal(oc_err_text((oc_err_t)count), "unknown error");
    assert_string_equal(oc_err_text((oc_err_t)-1), "unknown error");
}

static void *look_from_another_thread(void *context)
{
    *(size_t *)context = strlen(oc_err_context());
    (void)error_set(OC_ERR_READ, "of the other thread");
    return NULL;
}

static void test_the_context_belongs_to_its_thread(void **state)
{
    (void)state;
    assert_string_equal(oc_err_context(), "");
    assert_int_equal(error_set(OC_ERR_OPEN, "%s: line %d", "orders.csv", 7), OC_ERR_OPEN);
    assert_string_equal(oc_err_context(), "orders.csv: line 7");
    pthread_t thread;
    size_t seen = 1;
    assert_int_equal(pthread_create(&thread, NULL, look_from_another_thread, &seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(seen, 0);
    assert_string_equal(oc_err_context(), "orders.csv: line 7");
    assert_int_equal(error_set(OC_ERR_WRITE, "next"), OC_ERR_WRITE);
    assert_string_equal(oc_err_context(), "next");
}

static void test_a_long_context_is_cut(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    (void)error_set(OC_ERR_FORMAT, "%s", text);
    assert_int_equal(strlen(oc_err_context()), LINE_MAX_CHARS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_error_has_a_text_of_its_own),
        cmocka_unit_test(test_the_context_belongs_to_its_thread),
        cmocka_unit_test(test_a_long_context_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
