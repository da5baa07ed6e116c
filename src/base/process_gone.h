/*
 * Whether another process has ended.
 */
#ifndef BASE_PROCESS_GONE_H
#define BASE_PROCESS_GONE_H

#include <stdbool.h>

/* There is no such process, or it has ended and nobody has asked for its status yet, which in a
 * container may take for ever. `pid` > 0. False when that cannot be known. Any thread. */
bool process_is_gone(long pid);

#endif
