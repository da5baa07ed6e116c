/*
 * Keys of members' sessions and signatures under them, by libcrypto (Ed25519, RFC 8032). Called by
 * the internal client, which signs, and by the applier of the log, which checks.
 *
 * Invariant: whether a message is genuine follows from the log alone, on every member, at every
 * replay and in every tool, for the log's own entry of the session names the key. That is why it is
 * no checksum under the members' secret, which would be quicker: what a Notice does is state, and
 * state must not depend on which secrets file is there when a log is read. The secret proves, once
 * for each session, that its key is a member's; whoever learns it later, or changes it, changes
 * nothing of what the log says.
 *
 * A signature takes a tenth of a millisecond to check. There is one for each member and second, and
 * for messages under another key than the session's it is not even begun.
 */
#define _GNU_SOURCE
#include "cluster/member_key.h"

#include "aeron/challenge.h"
#include "base/assert.h"
#include "base/error.h"
#include "gateway/authenticator.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define DOMAIN       "outcry member"
#define DOMAIN_BYTES (sizeof DOMAIN - 1)
#define PREFIX       AUTHENTICATOR_KEYED_MEMBER
#define PREFIX_BYTES (sizeof PREFIX - 1)

enum { NAMED_BYTES = 16, HASH_BYTES = 32 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a session's id is signed as it lies");
_Static_assert(PREFIX_BYTES + AUTHENTICATOR_KEY_LETTERS < OC_PRINCIPAL_SIZE, "a key has a name");
_Static_assert(MEMBER_KEY_SECRET_BYTES == CHALLENGE_ANSWER_BYTES,
               "bound as a challenge is answered");

struct member_key {
    EVP_PKEY *pair;
    uint8_t public_key[MEMBER_KEY_BYTES];
    oc_principal_t principal;
};

/* What is signed. */
typedef struct signed_text {
    size_t length;
    uint8_t bytes[DOMAIN_BYTES + sizeof(int64_t) + MEMBER_MESSAGE_BYTES_MAX];
} signed_text_t;

static void compose(signed_text_t *text, int64_t session, const void *bytes, size_t length)
{
    OC_ASSERT(length <= MEMBER_MESSAGE_BYTES_MAX);
    memcpy(text->bytes, DOMAIN, DOMAIN_BYTES);
    memcpy(text->bytes + DOMAIN_BYTES, &session, sizeof session);
    memcpy(text->bytes + DOMAIN_BYTES + sizeof session, bytes, length);
    text->length = DOMAIN_BYTES + sizeof session + length;
}

/* base64url (RFC 4648, section 5) without padding: letters that a name may have. */
static void name_key(const uint8_t public_key[MEMBER_KEY_BYTES], oc_principal_t *principal)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t hash[HASH_BYTES];
    const int hashed = EVP_Digest(public_key, MEMBER_KEY_BYTES, hash, NULL, EVP_sha256(), NULL);
    OC_ASSERT(hashed == 1);
    memset(principal, 0, sizeof *principal);
    memcpy(principal->name, PREFIX, PREFIX_BYTES);
    for (unsigned i = 0; i < AUTHENTICATOR_KEY_LETTERS; i++) {
        const unsigned bit = i * 6;
        const unsigned low = bit / 8 + 1 < NAMED_BYTES ? hash[bit / 8 + 1] : 0;
        const unsigned pair = (unsigned)hash[bit / 8] << 8 | low;
        principal->name[PREFIX_BYTES + i] = letters[pair >> (10 - bit % 8) & 63];
    }
}

/* ---- Signing ---- */

static EVP_PKEY *draw_pair(void)
{
    uint8_t seed[MEMBER_KEY_BYTES];
    EVP_PKEY *pair = NULL;
    /* As many bytes as this come whole, or not at all. */
    if (getrandom(seed, sizeof seed, 0) == (ssize_t)sizeof seed)
        pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, sizeof seed);
    explicit_bzero(seed, sizeof seed);
    return pair;
}

oc_err_t member_key_create(member_key_t **key)
{
    size_t length = MEMBER_KEY_BYTES;
    *key = NULL;
    member_key_t *self = calloc(1, sizeof *self);
    if (self != NULL)
        self->pair = draw_pair();
    if (self == NULL || self->pair == NULL ||
        EVP_PKEY_get_raw_public_key(self->pair, self->public_key, &length) != 1) {
        member_key_destroy(self);
        return error_set(OC_ERR_NO_MEMORY, "a key for this member's messages: no memory, or no "
                                           "Ed25519 in libcrypto");
    }
    OC_ASSERT(length == MEMBER_KEY_BYTES);
    name_key(self->public_key, &self->principal);
    *key = self;
    return OC_ERR_OK;
}

void member_key_destroy(member_key_t *self)
{
    if (self == NULL)
        return;
    EVP_PKEY_free(self->pair);
    free(self);
}

const char *member_key_principal(const member_key_t *self)
{
    return self->principal.name;
}

void member_key_secret(const member_key_t *self, const void *secret, size_t secret_length,
                       uint8_t bound[MEMBER_KEY_SECRET_BYTES])
{
    challenge_answer(secret, secret_length, self->principal.name, strlen(self->principal.name),
                     bound);
}

size_t member_key_seal(const member_key_t *self, int64_t session, void *bytes, size_t length)
{
    member_signature_t seal;
    signed_text_t text;
    size_t size = sizeof seal.signature;
    OC_ASSERT(length + MEMBER_SEAL_BYTES <= MEMBER_MESSAGE_BYTES_MAX);
    compose(&text, session, bytes, length);
    memcpy(seal.public_key, self->public_key, sizeof seal.public_key);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    OC_ASSERT(context != NULL);
    const int begun = EVP_DigestSignInit(context, NULL, NULL, NULL, self->pair);
    OC_ASSERT(begun == 1);
    const int done = EVP_DigestSign(context, seal.signature, &size, text.bytes, text.length);
    OC_ASSERT(done == 1);
    OC_ASSERT(size == sizeof seal.signature);
    EVP_MD_CTX_free(context);
    member_message_encode_seal(&seal, (uint8_t *)bytes + length);
    return length + MEMBER_SEAL_BYTES;
}

/* ---- Checking ---- */

/* Bytes that are no key at all are nobody's. */
static bool verify(const member_signature_t *seal, const signed_text_t *text)
{
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, seal->public_key,
                                                sizeof seal->public_key);
    if (key == NULL)
        return false;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    OC_ASSERT(context != NULL);
    const int begun = EVP_DigestVerifyInit(context, NULL, NULL, NULL, key);
    OC_ASSERT(begun == 1);
    const int right = EVP_DigestVerify(context, seal->signature, sizeof seal->signature,
                                       text->bytes, text->length);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return right == 1;
}

bool member_key_is_genuine(const oc_principal_t *principal, int64_t session, const void *bytes,
                           size_t length)
{
    member_signature_t seal;
    oc_principal_t named;
    signed_text_t text;
    if (!authenticator_is_keyed(principal))
        return true;
    if (length > MEMBER_MESSAGE_BYTES_MAX || !member_message_sealed(bytes, length, &seal))
        return false;
    name_key(seal.public_key, &named);
    if (memcmp(&named, principal, sizeof named) != 0)
        return false;
    compose(&text, session, bytes, length - MEMBER_SEAL_BYTES);
    return verify(&seal, &text);
}
