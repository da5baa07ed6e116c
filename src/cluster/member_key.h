/*
 * What makes a member's messages its own: a key that is drawn when a member's client begins, whose
 * name is the principal of its sessions, and a signature behind each message (Seal of
 * schema/member.xml).
 *
 * The consensus module takes a session's message from whoever names the session, and sessions are
 * numbered. With a seal that helps nobody: without the key no message in the session counts.
 *
 * Threads: one for each key; the functions without one are free of state.
 */
#ifndef CLUSTER_MEMBER_KEY_H
#define CLUSTER_MEMBER_KEY_H

#include "codec/member_codec.h"
#include "outcry/error.h"
#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMBER_KEY_SECRET_BYTES 32

typedef struct member_key member_key_t;

/* Draws a key. OC_ERR_NO_MEMORY: also when libcrypto has no Ed25519. The caller owns *key:
 * member_key_destroy(), which wipes it. */
OC_MUST_CHECK oc_err_t member_key_create(member_key_t **key);
void member_key_destroy(member_key_t *self); /* NULL is allowed */

/* The name of the session that the key's messages are sent in; borrowed. */
const char *member_key_principal(const member_key_t *self);

/* What the session's challenge is answered with: the members' secret, bound to the key's name. */
void member_key_secret(const member_key_t *self, const void *secret, size_t secret_length,
                       uint8_t bound[MEMBER_KEY_SECRET_BYTES]);

/* Appends a seal to the `length` bytes of a message in MEMBER_MESSAGE_BYTES_MAX bytes of room;
 * returns the length of both. It holds in that session alone. */
size_t member_key_seal(const member_key_t *self, int64_t session, void *bytes, size_t length);

/* Whether what came in the session of a principal was said by who opened it, as far as can be told:
 * in a session whose principal names no key that is taken for granted. */
bool member_key_is_genuine(const oc_principal_t *principal, int64_t session, const void *bytes,
                           size_t length);

#endif
