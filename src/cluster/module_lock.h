/*
 * The lock of a member's module: DIR/module.lock, held by the Java process as long as archive and
 * consensus module live in the directory (FileChannel.lock, a lock of fcntl).
 *
 * Threads: any.
 */
#ifndef CLUSTER_MODULE_LOCK_H
#define CLUSTER_MODULE_LOCK_H

#include "outcry/error.h"

#include <stdbool.h>

#define MODULE_LOCK_FILE "module.lock"

/* Whether a module runs in `dir`, and its pid (-1: not known, NULL is allowed). No lock file: none
 * runs. OC_ERR_OPEN. */
OC_MUST_CHECK oc_err_t module_lock_probe(const char *dir, bool *held, long *pid);

/* Takes it, so that no module starts until module_lock_give(). OC_ERR_LOCKED: one runs; its pid is
 * told. OC_ERR_OPEN. */
OC_MUST_CHECK oc_err_t module_lock_take(const char *dir, int *lock);
void module_lock_give(int lock); /* -1 is allowed */

#endif
