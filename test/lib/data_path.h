/*
 * Finds the public test data, which is never part of the project.
 */
#ifndef LIB_DATA_PATH_H
#define LIB_DATA_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes to `out` the path of a file of the data folder: $OUTCRY_DATA/relative, else
 * ../shared/data/relative seen from the source root. False if the file cannot be opened or the path
 * does not fit; then a line that begins with SKIP and says why has been printed, and the test is to
 * call skip().
 */
bool data_path(char *out, size_t size, const char *relative);

#endif
