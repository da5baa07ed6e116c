/*
 * Finds the public test data. Called by tests that compare with real files; must not create or
 * change anything.
 */
#include "lib/data_path.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef OUTCRY_SOURCE_DIR
#define OUTCRY_SOURCE_DIR "."
#endif

bool data_path(char *out, size_t size, const char *relative)
{
    const char *folder = getenv("OUTCRY_DATA");
    const bool by_environment = folder != NULL && folder[0] != '\0';
    const int length =
        by_environment ? snprintf(out, size, "%s/%s", folder, relative)
                       : snprintf(out, size, "%s/../shared/data/%s", OUTCRY_SOURCE_DIR, relative);
    if (length < 0 || (size_t)length >= size) {
        printf("SKIP: the path of %s is too long\n", relative);
        return false;
    }
    FILE *file = fopen(out, "rb");
    if (file == NULL) {
        printf("SKIP: no %s (set OUTCRY_DATA to the data folder)\n", out);
        return false;
    }
    fclose(file);
    return true;
}
