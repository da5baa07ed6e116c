/*
 * Which directory a process's embedded Aeron driver uses, and what a dead process left in it.
 */
#ifndef HOST_DRIVER_DIR_H
#define HOST_DRIVER_DIR_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The default for a log's directory, which must exist: under /dev/shm, made from user and absolute
 * name. OC_ERR_OPEN. */
OC_MUST_CHECK oc_err_t driver_dir_of(const char *dir, char *aeron_dir, size_t size);

/* Removes what a dead driver left. `own_name`: it is by driver_dir_of(), and the caller holds the
 * lock of that log's directory. OC_ERR_LOCKED: a process uses it; those of remove_tree(). */
OC_MUST_CHECK oc_err_t driver_dir_remove_stale(const char *aeron_dir, bool own_name);

#endif
