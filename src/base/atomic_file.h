/*
 * A small file that is there as a whole or not at all, whatever ends the program meanwhile.
 */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include "outcry/error.h"

#include <stddef.h>

/*
 * Makes `path` a file of these bytes, in place of one that may be there: a new file beside it is
 * written, synced and renamed, then the directory is synced. What cannot be done leaves the old
 * file as it was and nothing beside it.
 *
 * Errors: OC_ERR_OPEN (no such directory, or there is something under that name that is no regular
 * file), OC_ERR_WRITE, OC_ERR_NO_SPACE, OC_ERR_SYNC.
 */
OC_MUST_CHECK oc_err_t atomic_file_write(const char *path, const void *bytes, size_t size);

#endif
