/*
 * The folder that a bench or a demo makes in the DIR that it was given, and removes at its end;
 * what those that were killed left in DIR, and in memory, goes when the next one begins there.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_BENCH_FOLDER_H
#define BENCH_BENCH_FOLDER_H

#include "outcry/error.h"

#include <stdbool.h>

#define BENCH_FOLDER_PATH (4096 + 64)
/* Locked by the bench as long as it lives; holds its process id, and those of its clients. */
#define BENCH_FOLDER_LOCK "outcry-bench.lock"

typedef struct bench_folder {
    char path[BENCH_FOLDER_PATH]; /* "": none */
    int lock;
    bool made_parent;
} bench_folder_t;

/* Makes a folder in `parent` (made if absent), named after `what`. OC_ERR_OPEN. Undo:
 * bench_folder_remove(), not needed after an error. */
OC_MUST_CHECK oc_err_t bench_folder_make(bench_folder_t *self, const char *parent,
                                         const char *what);

/* Notes a client of its own process, which may leave something in memory too. */
void bench_folder_note_client(const bench_folder_t *self, long pid);

/* Gives it up: from now on it is nobody's, and stays. */
void bench_folder_keep(bench_folder_t *self);

/* Removes it with all that is in it, and its parent if that was made here and is empty. A zeroed
 * struct is allowed. */
void bench_folder_remove(bench_folder_t *self);

#endif
