/*
 * The folder of its own in which a bench makes a log, inside one that the user named.
 *
 * Only files that a bench makes are ever removed: a folder of the same name that holds anything
 * else stays, with that in it.
 *
 * Threads: none may use a folder while it is cleaned.
 */
#ifndef BENCH_LOG_FOLDER_H
#define BENCH_LOG_FOLDER_H

#include "outcry/error.h"

#include <stdbool.h>

/* The user's directory itself: made if absent, as long as its own parent is there; *made: so it
 * was, and is to be removed at the end. OC_ERR_OPEN: it cannot be made or written to. */
OC_MUST_CHECK oc_err_t log_folder_parent(const char *dir, bool *made);

/* Makes the folder `dir`, and empties it of what an earlier bench left. Errors: the device's. */
OC_MUST_CHECK oc_err_t log_folder_make(const char *dir);

/* Removes the segments, the lock and the raw writer's file in it. Errors: the device's. */
OC_MUST_CHECK oc_err_t log_folder_clean(const char *dir);

/*
 * Cleans it and removes it. `err` is how the bench ended: it is returned, with its context, if it
 * is one; else what cleaning says.
 */
OC_MUST_CHECK oc_err_t log_folder_remove(const char *dir, oc_err_t err);

#endif
