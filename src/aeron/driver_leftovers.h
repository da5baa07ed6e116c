/*
 * What a process with an embedded driver leaves in memory when it is killed.
 */
#ifndef AERON_DRIVER_LEFTOVERS_H
#define AERON_DRIVER_LEFTOVERS_H

#include <stdint.h>

/* A driver that gave no sign of life for so long is no longer there. */
#define DRIVER_LEFTOVERS_SILENT_MS 60000

/* Removes the driver directories under /dev/shm that a process, which must be dead, made for
 * itself. */
void driver_leftovers_remove(long pid);

/*
 * Removes those of all processes of this user that are gone, if their drivers gave no sign of life
 * for DRIVER_LEFTOVERS_SILENT_MS before `now_ms` (of the system clock, since 1970). Any thread.
 */
void driver_leftovers_sweep(int64_t now_ms);

#endif
