/*
 * A file of the test's own, in the system's folder for such things.
 */
#ifndef LIB_TEMP_FILE_H
#define LIB_TEMP_FILE_H

#include <stddef.h>

typedef struct temp_file {
    char path[256];
} temp_file_t;

/* Makes an empty file under a new name; the test fails if that cannot be done. */
void temp_file_make(temp_file_t *file);

/* Replaces its content. */
void temp_file_write(const temp_file_t *file, const void *bytes, size_t size);

/* Reads it whole, up to `capacity` bytes; returns how many. */
size_t temp_file_read(const temp_file_t *file, void *bytes, size_t capacity);

void temp_file_remove(const temp_file_t *file);

#endif
