/*
 * Who may open a session: a table of functions that the gateway asks, and two of them: everybody is
 * who he says, or everybody proves that he knows a shared secret.
 *
 * The result is a principal's name; the secret never enters the log. What a principal may do is the
 * service's business.
 */
#ifndef GATEWAY_AUTHENTICATOR_H
#define GATEWAY_AUTHENTICATOR_H

#include "outcry/error.h"
#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUTHENTICATOR_CHALLENGE_MAX 64
#define GATEWAY_CHANNEL_MAX         256

/* What the log keeps of a session, so that its client can be reached again after a restart. */
typedef struct gateway_open {
    oc_principal_t principal;
    int64_t correlation_id; /* of the request that the answer names */
    int32_t response_stream;
    uint32_t channel_length;
    char response_channel[GATEWAY_CHANNEL_MAX]; /* terminated, the rest zero */
} gateway_open_t;

/* The members of a cluster are clients too: under this name, or under it, a point and the letters
 * of a key (cluster/member_key.h). */
#define AUTHENTICATOR_MEMBER       "@member"
#define AUTHENTICATOR_KEYED_MEMBER AUTHENTICATOR_MEMBER "."
#define AUTHENTICATOR_KEY_LETTERS  22

/* Whether it is a member's name that has a key in it. */
bool authenticator_is_keyed(const oc_principal_t *principal);

typedef enum authenticator_answer {
    AUTHENTICATOR_REJECT = 0,
    AUTHENTICATOR_ACCEPT = 1,
    AUTHENTICATOR_CHALLENGE = 2,
} authenticator_answer_t;

typedef struct authenticator_challenge {
    uint8_t bytes[AUTHENTICATOR_CHALLENGE_MAX];
    uint32_t length;
} authenticator_challenge_t;

typedef struct authenticator authenticator_t;
struct authenticator {
    /* On a connect request. ACCEPT and CHALLENGE fill in *principal, CHALLENGE also *challenge. */
    authenticator_answer_t (*connect)(const authenticator_t *self, const void *credentials,
                                      size_t length, oc_principal_t *principal,
                                      authenticator_challenge_t *challenge);
    /* On the answer to the challenge. */
    authenticator_answer_t (*respond)(const authenticator_t *self, const oc_principal_t *principal,
                                      const authenticator_challenge_t *challenge,
                                      const void *response, size_t length);
    void *context;
};

/* The credentials are the principal's name, "anonymous" if empty; everybody is believed. Static. */
const authenticator_t *authenticator_none(void);

/*
 * The credentials are the principal's name; the challenge is 32 random bytes; the answer must be
 * HMAC-SHA-256 of the challenge under the principal's secret; that of a member's name with a key is
 * HMAC-SHA-256 of the name under the secret of "@member", so that an answer is of use for no other
 * key. Secrets are lines `name = secret`
 * (16..256 characters; # begins a comment) of a file that only its owner can read.
 *
 * Errors: OC_ERR_OPEN, OC_ERR_FORMAT (line named), OC_ERR_NO_MEMORY. The caller owns
 * *authenticator: authenticator_secrets_destroy().
 */
OC_MUST_CHECK oc_err_t authenticator_secrets_create(authenticator_t **authenticator,
                                                    const char *file);
void authenticator_secrets_destroy(authenticator_t *self);

#endif
