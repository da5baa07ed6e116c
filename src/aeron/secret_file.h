/*
 * Shared secrets in a file: lines `name = secret`, the same for a node and for its clients.
 *
 * A name has 1 to 31 letters, digits or . _ - @, a secret 16 to 256 characters; spaces around them
 * do not count; a line that begins with # is a comment. The file must be its owner's alone.
 *
 * Threads: one at a time for each secret_file_t.
 */
#ifndef AERON_SECRET_FILE_H
#define AERON_SECRET_FILE_H

#include "outcry/error.h"
#include "outcry/order_entry.h"

#include <stdbool.h>
#include <stddef.h>

#define SECRET_FILE_MIN 16
#define SECRET_FILE_MAX 256

typedef struct secret_file_secret {
    oc_principal_t principal;
    size_t length;                   /* 0: none */
    char bytes[SECRET_FILE_MAX + 1]; /* terminated */
} secret_file_secret_t;

typedef struct secret_file {
    secret_file_secret_t *entries; /* owned; wiped before their memory is given back */
    size_t count;
    size_t capacity;
} secret_file_t;

/* True for what may be a principal's name; it need not be terminated. */
bool secret_file_is_name(const char *text, size_t length);

/*
 * Reads all of a file. Errors: OC_ERR_OPEN, OC_ERR_READ; OC_ERR_FORMAT (the line is named, no
 * secret is): no such line, a name twice, a file that others can use, or one without secrets;
 * OC_ERR_NO_MEMORY. On success the caller owns what is in *self: secret_file_fini().
 */
OC_MUST_CHECK oc_err_t secret_file_load(secret_file_t *self, const char *path);
void secret_file_fini(secret_file_t *self); /* a zeroed struct is allowed */

/* The secret of a principal, borrowed until secret_file_fini(); NULL: none. */
const secret_file_secret_t *secret_file_of(const secret_file_t *self,
                                           const oc_principal_t *principal);

/* Reads a file for the secret of one principal, which the caller wipes when it is done. Errors as
 * above; OC_ERR_FORMAT: it has none. */
OC_MUST_CHECK oc_err_t secret_file_find(const char *path, const char *principal,
                                        secret_file_secret_t *secret);

#endif
