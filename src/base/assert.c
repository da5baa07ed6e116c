/*
 * The end of a process that has found itself to be wrong.
 */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "outcry: assertion failed: %s (%s:%d). This is a bug; the process stops.\n",
            condition, file, line);
    abort();
}
