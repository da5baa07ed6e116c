/*
 * HMAC-SHA-256 for the authentication of sessions, by libcrypto. Called by the client and by the
 * gateway's authenticator.
 */
#include "aeron/challenge.h"

#include "base/assert.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

void challenge_answer(const void *secret, size_t secret_length, const void *challenge,
                      size_t challenge_length, uint8_t answer[CHALLENGE_ANSWER_BYTES])
{
    unsigned length = 0;
    OC_ASSERT(secret_length <= INT_MAX);
    const unsigned char *done = HMAC(EVP_sha256(), secret, (int)secret_length, challenge,
                                     challenge_length, answer, &length);
    OC_ASSERT(done != NULL);
    OC_ASSERT(length == CHALLENGE_ANSWER_BYTES);
}

bool challenge_equal(const uint8_t answer[CHALLENGE_ANSWER_BYTES], const void *response,
                     size_t length)
{
    return length == CHALLENGE_ANSWER_BYTES &&
           CRYPTO_memcmp(answer, response, CHALLENGE_ANSWER_BYTES) == 0;
}
