/*
 * Files of a test's own. Called by tests that read and write real files; must leave nothing behind
 * when the test removes what it made.
 */
#define _GNU_SOURCE /* mkstemp() */
#include "lib/temp_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assert.h"

void temp_file_make(temp_file_t *file)
{
    const char *folder = getenv("TMPDIR");
    const int length = snprintf(file->path, sizeof file->path, "%s/outcry-test-XXXXXX",
                                folder != NULL ? folder : "/tmp");
    OC_ASSERT(length > 0 && (size_t)length < sizeof file->path);
    const int descriptor = mkstemp(file->path);
    OC_ASSERT(descriptor >= 0);
    close(descriptor);
}

void temp_file_write(const temp_file_t *file, const void *bytes, size_t size)
{
    FILE *stream = fopen(file->path, "wb");
    OC_ASSERT(stream != NULL);
    OC_ASSERT(fwrite(bytes, 1, size, stream) == size);
    OC_ASSERT(fclose(stream) == 0);
}

size_t temp_file_read(const temp_file_t *file, void *bytes, size_t capacity)
{
    FILE *stream = fopen(file->path, "rb");
    OC_ASSERT(stream != NULL);
    const size_t size = fread(bytes, 1, capacity, stream);
    OC_ASSERT(!ferror(stream));
    fclose(stream);
    return size;
}

void temp_file_remove(const temp_file_t *file)
{
    OC_ASSERT(remove(file->path) == 0);
}
