/*
 * Removal of a directory with all that is in it.
 */
#ifndef BASE_REMOVE_TREE_H
#define BASE_REMOVE_TREE_H

#include "outcry/error.h"

/*
 * Removes a directory or a file, and everything below. Links are removed, not followed. Fine if it
 * is not there. OC_ERR_WRITE: which name, and why; what comes after it is still there. Whoever only
 * tidies up may leave the error. Any thread.
 */
oc_err_t remove_tree(const char *path);

#endif
