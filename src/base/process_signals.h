/*
 * Signals and processor of a process in whose foreground a host or a bench runs.
 *
 * Threads: one, once at a time.
 */
#ifndef BASE_PROCESS_SIGNALS_H
#define BASE_PROCESS_SIGNALS_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

/* From here on SIGTERM, SIGINT and SIGHUP are noted, and SIGPIPE is ignored. False: that is so
 * already, and who did it first puts it back. A host that runs later ends at once if one came. */
bool process_take_signals(void);
void process_give_signals_back(void); /* and what was noted is forgotten */

/* For a process that has nothing to lose: one more signal, half a second or more behind the first,
 * kills it at once. Until they are given back. */
void process_let_second_signal_kill(void);

/* One of them came. */
bool process_end_requested(void);

/* OC_ERR_INTERRUPTED, context "interrupted", if one of them came, whatever `err` is; else `err`. */
OC_MUST_CHECK oc_err_t process_check_interrupted(oc_err_t err);

/* Sleeps for so long, or until one of them comes: OC_ERR_INTERRUPTED. */
OC_MUST_CHECK oc_err_t process_sleep(uint64_t ns);

/* Pins the calling thread, which is going to be the core. `cpu` -1: anywhere.
 * OC_ERR_INVALID_CONFIG. */
OC_MUST_CHECK oc_err_t process_pin_core(int cpu);

#endif
