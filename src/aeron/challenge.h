/*
 * The answer to an authentication challenge: HMAC-SHA-256 (RFC 2104, FIPS 180-4) of the challenge
 * under a shared secret. Who asks and who answers compute it alike.
 */
#ifndef AERON_CHALLENGE_H
#define AERON_CHALLENGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHALLENGE_ANSWER_BYTES 32

/* Fills in `answer`. Any lengths; the arguments are borrowed for the call. */
void challenge_answer(const void *secret, size_t secret_length, const void *challenge,
                      size_t challenge_length, uint8_t answer[CHALLENGE_ANSWER_BYTES]);

/* Whether a response of `length` bytes is `answer`; how long it takes tells nothing about it. */
bool challenge_equal(const uint8_t answer[CHALLENGE_ANSWER_BYTES], const void *response,
                     size_t length);

#endif
