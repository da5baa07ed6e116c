/*
 * Runs code that is to end in a failed assertion, in a child process, and says how it ended.
 */
#ifndef TEST_LIB_EXPECT_ABORT_H
#define TEST_LIB_EXPECT_ABORT_H

#include <stdbool.h>

typedef void (*child_function_t)(void *context);

/* True when the function ended in abort(); its stderr is thrown away. `context` is borrowed. */
bool child_aborts(child_function_t function, void *context);

/* Runs the function in a child and returns its exit status: 0 when it returned, -1 when a signal
 * ended it. */
int child_status(child_function_t function, void *context);

#endif
