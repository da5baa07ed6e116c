/*
 * The answer to a challenge against published vectors (RFC 4231) and against lengths around the
 * block size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/challenge.h"

#include <stdio.h>
#include <string.h>

static void assert_answer(const void *secret, size_t secret_length, const char *challenge,
                          const char *expected)
{
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    char text[2 * CHALLENGE_ANSWER_BYTES + 1];
    challenge_answer(secret, secret_length, challenge, strlen(challenge), answer);
    for (size_t i = 0; i < sizeof answer; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", answer[i]);
    assert_string_equal(text, expected);
}

static void test_published(void **state)
{
    (void)state;
    uint8_t key[131];
    memset(key, 0x0b, sizeof key);
    assert_answer(key, 20, "Hi There",
                  "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assert_answer("Jefe", 4, "what do ya want for nothing?",
                  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    assert_answer(key, 131, "Test Using Larger Than Block-Size Key - Hash Key First",
                  "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    assert_answer(key, 131,
                  "This is a test using a larger than block-size key and a larger than block-size "
                  "data. The key needs to be hashed before being used by the HMAC algorithm.",
                  "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

/* No length reads past its end or writes past the digest; equal input gives equal answers. */
static void test_lengths(void **state)
{
    (void)state;
    uint8_t bytes[200];
    uint8_t before[CHALLENGE_ANSWER_BYTES] = {0};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        uint8_t answer[CHALLENGE_ANSWER_BYTES];
        challenge_answer(bytes, length, bytes, length, answer);
        assert_memory_not_equal(answer, before, sizeof answer);
        memcpy(before, answer, sizeof before);
        challenge_answer(bytes, length, bytes, length, answer);
        assert_memory_equal(answer, before, sizeof answer);
    }
}

static void test_equal(void **state)
{
    (void)state;
    uint8_t answer[CHALLENGE_ANSWER_BYTES];
    uint8_t response[CHALLENGE_ANSWER_BYTES + 1];
    challenge_answer("secret", 6, "challenge", 9, answer);
    memcpy(response, answer, sizeof answer);
    assert_true(challenge_equal(answer, response, sizeof answer));
    assert_false(challenge_equal(answer, response, sizeof answer - 1));
    assert_false(challenge_equal(answer, response, sizeof answer + 1));
    for (size_t i = 0; i < sizeof answer; i++) {
        response[i] ^= 0x80;
        assert_false(challenge_equal(answer, response, sizeof answer));
        response[i] ^= 0x80;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
