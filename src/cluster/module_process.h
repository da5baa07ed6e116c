/*
 * The Java process of a member, its archive and consensus module: started, watched, ended.
 *
 * It ends by itself when this process is gone, for it reads a pipe that only this process holds.
 * What it says goes to DIR/module.log. A module whose mark files are left by a dead predecessor is
 * started at once: the lock file shows that its owner is dead, and then they are removed.
 *
 * Threads: the owner's.
 */
#ifndef CLUSTER_MODULE_PROCESS_H
#define CLUSTER_MODULE_PROCESS_H

#include "cluster/member_config.h"
#include "outcry/error.h"

#include <stddef.h>

/* Bytes that its words may take, with the end. */
#define MODULE_WORDS_MAX 400

typedef struct module_process module_process_t;

/* Waits until no module of before runs in the member's directory: one whose member was killed needs
 * a moment. OC_ERR_REFUSED: one does, its pid is named; OC_ERR_OPEN. */
OC_MUST_CHECK oc_err_t module_process_await_end(const member_config_t *config);

/* Writes the properties, removes stale mark files, starts. `aeron_dir` is of the driver. Errors:
 * OC_ERR_OPEN (no java, no jar: where it was looked for and how to get it), OC_ERR_REFUSED (another
 * module runs in the directory: its pid is named), OC_ERR_WRITE. The caller owns *module:
 * module_process_destroy(). */
OC_MUST_CHECK oc_err_t module_process_start(module_process_t **module,
                                            const member_config_t *config, const char *aeron_dir);

/* NULL is allowed; asks it to end, and ends it when it does not within some seconds. */
void module_process_destroy(module_process_t *self);

/* OC_ERR_OK while it runs; OC_ERR_CLOSED when it has ended in order; else OC_ERR_TRANSPORT with its
 * words. Never waits. */
OC_MUST_CHECK oc_err_t module_process_check(module_process_t *self);

/* By its log: why it ended, or what it complained of last; cut to `size`. */
void module_process_words(const module_process_t *self, char *words, size_t size);

#endif
