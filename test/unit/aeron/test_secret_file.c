/*
 * Unit tests of the secrets' reader. Run by ctest.
 */
#include "aeron/secret_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "lib/temp_file.h"

static void find(const char *text, const char *principal, oc_err_t expected,
                 secret_file_secret_t *secret)
{
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_int_equal(chmod(file.path, 0600), 0);
    assert_int_equal(secret_file_find(file.path, principal, secret), expected);
    if (expected != OC_ERR_OK)
        assert_non_null(strstr(oc_err_context(), file.path));
    temp_file_remove(&file);
}

static void test_found(void **state)
{
    (void)state;
    const char text[] = "# load = a comment, no secret\n"
                        "\n"
                        "admin = 0123456789abcdef\n"
                        "  load=  with = and spaces inside  \n"
                        "last = without a newline";
    secret_file_secret_t secret;
    find(text, "admin", OC_ERR_OK, &secret);
    assert_string_equal(secret.bytes, "0123456789abcdef");
    assert_int_equal(secret.length, 16);
    find(text, "load", OC_ERR_OK, &secret);
    assert_string_equal(secret.bytes, "with = and spaces inside");
    find(text, "last", OC_ERR_OK, &secret);
    assert_string_equal(secret.bytes, "without a newline");
}

static void test_not_found(void **state)
{
    (void)state;
    secret_file_secret_t secret;
    find("adm = 0123456789abcdef\n", "admin", OC_ERR_FORMAT, &secret);
    find("", "admin", OC_ERR_FORMAT, &secret);
    assert_int_equal(secret.length, 0);
    assert_int_equal(secret_file_find("/nowhere/secrets", "admin", &secret), OC_ERR_OPEN);
}

static void test_length(void **state)
{
    (void)state;
    secret_file_secret_t secret;
    find("admin = fifteen_letters\nother = 0123456789abcdef\n", "admin", OC_ERR_FORMAT, &secret);
    assert_non_null(strstr(oc_err_context(), "line 1"));
    assert_null(strstr(oc_err_context(), "fifteen"));
    char line[300];
    memset(line, 'x', sizeof line);
    memcpy(line, "admin = ", 8);
    line[8 + SECRET_FILE_MAX] = '\0';
    find(line, "admin", OC_ERR_OK, &secret);
    assert_int_equal(secret.length, SECRET_FILE_MAX);
    line[8 + SECRET_FILE_MAX] = 'x';
    line[9 + SECRET_FILE_MAX] = '\0';
    find(line, "admin", OC_ERR_FORMAT, &secret);
}

/* As strict for a client as for a node: all of the file must be right. */
static void test_strict(void **state)
{
    (void)state;
    secret_file_secret_t secret;
    find("admin = 0123456789abcdef\nnonsense\n", "admin", OC_ERR_FORMAT, &secret);
    assert_non_null(strstr(oc_err_context(), "line 2"));
    assert_int_equal(secret.length, 0);
    find("admin = 0123456789abcdef\nadmin = 0123456789abcdeg\n", "admin", OC_ERR_FORMAT, &secret);
    assert_non_null(strstr(oc_err_context(), "already"));
    find("ad min = 0123456789abcdef\n", "ad min", OC_ERR_FORMAT, &secret);
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, "admin = 0123456789abcdef\n", 25);
    assert_int_equal(chmod(file.path, 0640), 0);
    assert_int_equal(secret_file_find(file.path, "admin", &secret), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "chmod 600"));
    temp_file_remove(&file);
}

static void test_all(void **state)
{
    (void)state;
    char text[64 * 100] = "";
    for (unsigned i = 0; i < 100; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "user%u = secret-of-user-%04u\n", i, i);
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_int_equal(chmod(file.path, 0400), 0);
    secret_file_t secrets;
    assert_int_equal(secret_file_load(&secrets, file.path), OC_ERR_OK);
    assert_int_equal(secrets.count, 100);
    const oc_principal_t known = {.name = "user42"};
    const oc_principal_t unknown = {.name = "user"};
    assert_string_equal(secret_file_of(&secrets, &known)->bytes, "secret-of-user-0042");
    assert_null(secret_file_of(&secrets, &unknown));
    secret_file_fini(&secrets);
    temp_file_remove(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),  cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_length), cmocka_unit_test(test_strict),
        cmocka_unit_test(test_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
