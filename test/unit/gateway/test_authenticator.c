/*
 * Who may open a session: names, challenges and answers, and the file of secrets.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/challenge.h"
#include "gateway/authenticator.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static authenticator_answer_t connect_as(const authenticator_t *authenticator, const char *name,
                                         oc_principal_t *principal,
                                         authenticator_challenge_t *challenge)
{
    return authenticator->connect(authenticator, name, strlen(name), principal, challenge);
}

static void believes_everybody(void **state)
{
    (void)state;
    const authenticator_t *none = authenticator_none();
    oc_principal_t principal;
    authenticator_challenge_t challenge;
    oc_principal_t expected = {.name = "alice.desk-1@venue_x"};
    assert_int_equal(connect_as(none, expected.name, &principal, &challenge), AUTHENTICATOR_ACCEPT);
    assert_memory_equal(&principal, &expected, sizeof principal);
    expected = (oc_principal_t){.name = "anonymous"};
    assert_int_equal(none->connect(none, NULL, 0, &principal, &challenge), AUTHENTICATOR_ACCEPT);
    assert_memory_equal(&principal, &expected, sizeof principal);
    assert_int_equal(none->respond(none, &principal, &challenge, "x", 1), AUTHENTICATOR_REJECT);
}

static void takes_only_names(void **state)
{
    (void)state;
    const authenticator_t *none = authenticator_none();
    oc_principal_t principal;
    authenticator_challenge_t challenge;
    static const char *const names[] = {"a b", "a\n", "\xc3\xa9", "a/b",
                                        "abcdefghijklmnopqrstuvwxyz012345"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(connect_as(none, names[i], &principal, &challenge), AUTHENTICATOR_REJECT);
    assert_int_equal(none->connect(none, "a\0b", 3, &principal, &challenge), AUTHENTICATOR_REJECT);
    assert_int_equal(connect_as(none, "abcdefghijklmnopqrstuvwxyz01234", &principal, &challenge),
                     AUTHENTICATOR_ACCEPT);
}

static oc_err_t load(authenticator_t **authenticator, const char *text, unsigned mode)
{
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_int_equal(chmod(file.path, mode), 0);
    const oc_err_t err = authenticator_secrets_create(authenticator, file.path);
    temp_file_remove(&file);
    return err;
}

static const char two_secrets[] = "# who may trade\n"
                                  "\n"
                                  "  alice = 0123456789abcdef  \n"
                                  "bob=fedcba = 9876543210\n";

static void asks_for_the_secret(void **state)
{
    (void)state;
    authenticator_t *authenticator = NULL;
    assert_int_equal(load(&authenticator, two_secrets, 0600), OC_ERR_OK);
    oc_principal_t principal;
    authenticator_challenge_t first;
    authenticator_challenge_t challenge;
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    assert_int_equal(connect_as(authenticator, "alice", &principal, &first),
                     AUTHENTICATOR_CHALLENGE);
    assert_int_equal(connect_as(authenticator, "alice", &principal, &challenge),
                     AUTHENTICATOR_CHALLENGE);
    assert_int_equal(challenge.length, 32);
    assert_memory_not_equal(first.bytes, challenge.bytes, 32);

    challenge_answer("0123456789abcdef", 16, challenge.bytes, 32, answer);
    assert_int_equal(
        authenticator->respond(authenticator, &principal, &challenge, answer, sizeof answer),
        AUTHENTICATOR_ACCEPT);
    /* Another challenge, a part, a changed bit, another's secret. */
    assert_int_equal(authenticator->respond(authenticator, &principal, &first, answer, 32),
                     AUTHENTICATOR_REJECT);
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 31),
                     AUTHENTICATOR_REJECT);
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 0),
                     AUTHENTICATOR_REJECT);
    answer[31] ^= 1;
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 32),
                     AUTHENTICATOR_REJECT);
    challenge_answer("fedcba = 9876543210", 19, challenge.bytes, 32, answer);
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 32),
                     AUTHENTICATOR_REJECT);
    principal = (oc_principal_t){.name = "bob"};
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 32),
                     AUTHENTICATOR_ACCEPT);
    authenticator_secrets_destroy(authenticator);
}

/* Whoever is not known is challenged like the others, and fails whatever he answers. */
static void does_not_tell_who_is_known(void **state)
{
    (void)state;
    authenticator_t *authenticator = NULL;
    assert_int_equal(load(&authenticator, two_secrets, 0400), OC_ERR_OK);
    oc_principal_t principal;
    authenticator_challenge_t challenge;
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    assert_int_equal(connect_as(authenticator, "mallory", &principal, &challenge),
                     AUTHENTICATOR_CHALLENGE);
    static const char zeroes[16] = {0};
    challenge_answer(zeroes, sizeof zeroes, challenge.bytes, 32, answer);
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 32),
                     AUTHENTICATOR_REJECT);
    assert_int_equal(connect_as(authenticator, "", &principal, &challenge), AUTHENTICATOR_REJECT);
    authenticator_secrets_destroy(authenticator);
}

static void holds_many(void **state)
{
    (void)state;
    char text[64 * 100] = "";
    for (unsigned i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "user%u = secret-of-user-%04u\n",
                 i, i);
    authenticator_t *authenticator = NULL;
    assert_int_equal(load(&authenticator, text, 0600), OC_ERR_OK);
    const oc_principal_t principal = {.name = "user42"};
    const authenticator_challenge_t challenge = {.length = 32};
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    challenge_answer("secret-of-user-0042", 19, challenge.bytes, 32, answer);
    assert_int_equal(authenticator->respond(authenticator, &principal, &challenge, answer, 32),
                     AUTHENTICATOR_ACCEPT);
    authenticator_secrets_destroy(authenticator);
}

static void assert_refused(const char *text, unsigned mode, const char *why)
{
    authenticator_t *authenticator = NULL;
    assert_int_equal(load(&authenticator, text, mode), OC_ERR_FORMAT);
    assert_null(authenticator);
    if (strstr(oc_err_context(), why) == NULL)
        fail_msg("expected \"%s\" in: %s", why, oc_err_context());
    assert_null(strstr(oc_err_context(), "0123456789"));
}

static void names_what_is_wrong_with_the_file(void **state)
{
    (void)state;
    assert_refused(two_secrets, 0640, "chmod 600");
    assert_refused(two_secrets, 0604, "chmod 600");
    assert_refused("alice = 0123456789abcdef\nbob\n", 0600, "line 2");
    assert_refused("alice = 0123456789abcde\n", 0600, "15 characters");
    assert_refused("al ice = 0123456789abcdef\n", 0600, "line 1");
    assert_refused("= 0123456789abcdef\n", 0600, "line 1");
    assert_refused("a = 0123456789abcdef\n#\na = 0123456789abcdeg\n", 0600, "line 3");
    assert_refused("# nothing\n", 0600, "nobody could log on");
    char text[2048];
    memset(text, 'x', sizeof text);
    memcpy(text, "a = ", 4);
    text[4 + 257] = '\0';
    assert_refused(text, 0600, "257 characters");
    memset(text + 4, 'x', sizeof text - 4);
    text[sizeof text - 1] = '\0';
    assert_refused(text, 0600, "line 1");
    authenticator_t *authenticator = NULL;
    assert_int_equal(authenticator_secrets_create(&authenticator, "/nowhere/secrets"), OC_ERR_OPEN);
    assert_int_equal(authenticator_secrets_create(&authenticator, "/dev"), OC_ERR_FORMAT);
    authenticator_secrets_destroy(NULL);
}

/* The members' secret proves the key that is in the name, and no other. */
static void a_member_s_secret_is_bound_to_its_key(void **state)
{
    (void)state;
    static const char secret[] = "0123456789abcdef";
    static const char *const names[] = {"@member.abcdefghijklmnopqrstuv",
                                        "@member.bbcdefghijklmnopqrstuv", "@member.short",
                                        "@member"};
    authenticator_t *authenticator = NULL;
    oc_principal_t principal;
    authenticator_challenge_t challenge;
    uint8_t bound[CHALLENGE_ANSWER_BYTES];
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    assert_int_equal(load(&authenticator, "@member = 0123456789abcdef\n", 0600), OC_ERR_OK);
    challenge_answer(secret, strlen(secret), names[0], strlen(names[0]), bound);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(connect_as(authenticator, names[i], &principal, &challenge),
                         AUTHENTICATOR_CHALLENGE);
        assert_int_equal(authenticator_is_keyed(&principal), i < 2);
        challenge_answer(bound, sizeof bound, challenge.bytes, challenge.length, answer);
        assert_int_equal(
            authenticator->respond(authenticator, &principal, &challenge, answer, sizeof answer),
            i == 0 ? AUTHENTICATOR_ACCEPT : AUTHENTICATOR_REJECT);
        challenge_answer(secret, strlen(secret), challenge.bytes, challenge.length, answer);
        assert_int_equal(
            authenticator->respond(authenticator, &principal, &challenge, answer, sizeof answer),
            i == 3 ? AUTHENTICATOR_ACCEPT : AUTHENTICATOR_REJECT);
    }
    authenticator_secrets_destroy(authenticator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(believes_everybody),
        cmocka_unit_test(takes_only_names),
        cmocka_unit_test(asks_for_the_secret),
        cmocka_unit_test(does_not_tell_who_is_known),
        cmocka_unit_test(a_member_s_secret_is_bound_to_its_key),
        cmocka_unit_test(holds_many),
        cmocka_unit_test(names_what_is_wrong_with_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
