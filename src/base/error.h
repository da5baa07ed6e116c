/*
 * Context of operating errors: a thread-local line that cold paths fill in before they return an
 * oc_err_t. The table of errors itself is public (outcry/error.h).
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "outcry/error.h"

/*
 * Replaces this thread's context line by the formatted text (what, which file, which value, what to
 * do) and returns `err`, so that a failing function can end with `return error_set(...)`.
 */
oc_err_t error_set(oc_err_t err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
