/*
 * A whole file in memory.
 */
#ifndef LIB_READ_FILE_H
#define LIB_READ_FILE_H

#include <stddef.h>

/* The file's bytes and one zero after them; the caller frees. *size (may be NULL) is without the
 * zero. Fails the running test when it cannot be read. */
char *read_file(const char *path, size_t *size);

#endif
