/*
 * Shared secrets as clients keep them: the same `name = secret` lines that the node reads.
 */
#ifndef CLI_SECRET_FILE_H
#define CLI_SECRET_FILE_H

#include "outcry/error.h"

#include <stddef.h>

#define SECRET_FILE_MIN 16
#define SECRET_FILE_MAX 256

typedef struct secret_file_secret {
    char bytes[SECRET_FILE_MAX + 1]; /* terminated */
    size_t length;                   /* 0: none */
} secret_file_secret_t;

/*
 * Finds the secret of `principal` in a file. A line that begins with # is a comment; spaces around
 * name and secret do not count. Errors: OC_ERR_OPEN; OC_ERR_FORMAT (no such name, or a secret
 * that is not 16 to 256 characters long: file, line).
 */
OC_MUST_CHECK oc_err_t secret_file_find(const char *file, const char *principal,
                                        secret_file_secret_t *secret);

#endif
