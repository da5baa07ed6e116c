/*
 * A directory of the test's own, in the system's folder for such things.
 */
#ifndef LIB_TEMP_DIR_H
#define LIB_TEMP_DIR_H

typedef struct temp_dir {
    char path[256];
} temp_dir_t;

/* Makes an empty one under a new name; the test fails if that cannot be done. */
void temp_dir_make(temp_dir_t *dir);

/* Removes it with all that is in it. */
void temp_dir_remove(const temp_dir_t *dir);

#endif
