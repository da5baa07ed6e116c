/*
 * Signals and processor of a process in whose foreground a host runs.
 *
 * Threads: one, once at a time.
 */
#ifndef HOST_PROCESS_SIGNALS_H
#define HOST_PROCESS_SIGNALS_H

#include "outcry/error.h"

#include <stdbool.h>

/* From here on SIGTERM and SIGINT are noted, and SIGPIPE is ignored. False: that is so already, and
 * who did it first puts it back. A host that runs later ends at once if one came. */
bool process_take_signals(void);
void process_give_signals_back(void);

/* One of them came. */
bool process_end_requested(void);

/* Pins the calling thread, which is going to be the core. `cpu` -1: anywhere.
 * OC_ERR_INVALID_CONFIG. */
OC_MUST_CHECK oc_err_t process_pin_core(int cpu);

#endif
