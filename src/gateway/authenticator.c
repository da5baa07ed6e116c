/*
 * Who may open a session. Called by the gateway on connect requests and answers to challenges.
 *
 * Invariants: answers are compared in constant time, and what they are held against is wiped;
 * an unknown name is challenged like a known one, so that the final verdict is all that shows. Must
 * not log or keep credentials.
 */
#define _GNU_SOURCE

#include "gateway/authenticator.h"

#include "aeron/challenge.h"
#include "aeron/secret_file.h"
#include "base/assert.h"
#include "base/error.h"

#include <openssl/crypto.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define CHALLENGE_BYTES 32

_Static_assert(CHALLENGE_BYTES <= AUTHENTICATOR_CHALLENGE_MAX, "it must fit");

bool authenticator_is_keyed(const oc_principal_t *principal)
{
    static const char mark[] = AUTHENTICATOR_KEYED_MEMBER;
    return strncmp(principal->name, mark, sizeof mark - 1) == 0 &&
           strnlen(principal->name, OC_PRINCIPAL_SIZE) ==
               sizeof mark - 1 + AUTHENTICATOR_KEY_LETTERS;
}

static bool take_name(oc_principal_t *principal, const void *credentials, size_t length)
{
    memset(principal, 0, sizeof *principal);
    if (!secret_file_is_name(credentials, length))
        return false;
    memcpy(principal->name, credentials, length);
    return true;
}

static authenticator_answer_t believe(const authenticator_t *self, const void *credentials,
                                      size_t length, oc_principal_t *principal,
                                      authenticator_challenge_t *challenge)
{
    static const char anonymous[] = "anonymous";
    (void)self;
    (void)challenge;
    if (length == 0) {
        credentials = anonymous;
        length = sizeof anonymous - 1;
    }
    return take_name(principal, credentials, length) ? AUTHENTICATOR_ACCEPT : AUTHENTICATOR_REJECT;
}

static authenticator_answer_t refuse(const authenticator_t *self, const oc_principal_t *principal,
                                     const authenticator_challenge_t *challenge,
                                     const void *response, size_t length)
{
    (void)self;
    (void)principal;
    (void)challenge;
    (void)response;
    (void)length;
    return AUTHENTICATOR_REJECT; /* nobody was challenged */
}

const authenticator_t *authenticator_none(void)
{
    static const authenticator_t none = {.connect = believe, .respond = refuse};
    return &none;
}

static authenticator_answer_t challenge_name(const authenticator_t *self, const void *credentials,
                                             size_t length, oc_principal_t *principal,
                                             authenticator_challenge_t *challenge)
{
    (void)self;
    if (!take_name(principal, credentials, length))
        return AUTHENTICATOR_REJECT;
    memset(challenge, 0, sizeof *challenge);
    challenge->length = CHALLENGE_BYTES;
    /* As many bytes as this come whole, or not at all. */
    if (getrandom(challenge->bytes, CHALLENGE_BYTES, 0) != CHALLENGE_BYTES)
        return AUTHENTICATOR_REJECT;
    return AUTHENTICATOR_CHALLENGE;
}

static authenticator_answer_t check_response(const authenticator_t *self,
                                             const oc_principal_t *principal,
                                             const authenticator_challenge_t *challenge,
                                             const void *response, size_t length)
{
    /* For a name that is not known the work is the same, and the answer never right. */
    static const secret_file_secret_t nobody = {.length = SECRET_FILE_MIN};
    static const oc_principal_t member = {AUTHENTICATOR_MEMBER};
    const bool keyed = authenticator_is_keyed(principal);
    const secret_file_secret_t *known = secret_file_of(self->context, keyed ? &member : principal);
    const secret_file_secret_t *secret = known != NULL ? known : &nobody;
    uint8_t bound[CHALLENGE_ANSWER_BYTES];
    uint8_t expected[CHALLENGE_ANSWER_BYTES];
    challenge_answer(secret->bytes, secret->length, principal->name,
                     strnlen(principal->name, OC_PRINCIPAL_SIZE), bound);
    challenge_answer(keyed ? (const char *)bound : secret->bytes,
                     keyed ? sizeof bound : secret->length, challenge->bytes, challenge->length,
                     expected);
    const bool right = challenge_equal(expected, response, length);
    OPENSSL_cleanse(bound, sizeof bound);
    OPENSSL_cleanse(expected, sizeof expected);
    return right && known != NULL ? AUTHENTICATOR_ACCEPT : AUTHENTICATOR_REJECT;
}

oc_err_t authenticator_secrets_create(authenticator_t **authenticator, const char *file)
{
    *authenticator = NULL;
    authenticator_t *self = calloc(1, sizeof *self);
    secret_file_t *secrets = calloc(1, sizeof *secrets);
    if (self == NULL || secrets == NULL) {
        free(self);
        free(secrets);
        return error_set(OC_ERR_NO_MEMORY, "secrets: %s", file);
    }
    *self =
        (authenticator_t){.connect = challenge_name, .respond = check_response, .context = secrets};
    const oc_err_t err = secret_file_load(secrets, file);
    if (err != OC_ERR_OK) {
        authenticator_secrets_destroy(self);
        return err;
    }
    *authenticator = self;
    return OC_ERR_OK;
}

void authenticator_secrets_destroy(authenticator_t *self)
{
    if (self == NULL)
        return;
    secret_file_fini(self->context);
    free(self->context);
    free(self);
}
