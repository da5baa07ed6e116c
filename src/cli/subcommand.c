/*
 * How subcommands end: one line of error, and results that are known to be written. Called by main
 * and every subcommand.
 *
 * Invariant: a result that did not get out never ends with exit status 0.
 */
#define _GNU_SOURCE
#include "cli/subcommand.h"

#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int subcommand_failed(void)
{
    fprintf(stderr, "outcry: %s\n", oc_err_context());
    return EXIT_STATUS_FAILED;
}

int subcommand_usage(const char *name, const char *message)
{
    fprintf(stderr, "outcry: %s: %s\n", name, message);
    return EXIT_STATUS_USAGE;
}

oc_err_t subcommand_error(oc_err_t err, const char *format, ...)
{
    char before[320];
    char context[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(before, sizeof before, format, arguments);
    va_end(arguments);
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    return error_set(err, "%s: %s", before, context);
}

bool subcommand_reader_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return ferror(stdout) && poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP));
}

bool subcommand_flush(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}

int subcommand_finish(int status)
{
    errno = 0;
    if (subcommand_flush())
        return status;
    const char *why = errno ? strerror(errno) : "a write failed, is the disk full?";
    if (status != 0)
        return status;
    if (!subcommand_reader_gone())
        fprintf(stderr, "outcry: cannot write to stdout: %s\n", why);
    return EXIT_STATUS_FAILED;
}
