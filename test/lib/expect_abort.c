/*
 * Death tests. A child is forked, without core file and with an alarm, so that neither a hang nor a
 * crash of the code under test can stop the test program.
 */
#define _GNU_SOURCE /* fork, alarm, setrlimit */
#include "lib/expect_abort.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 20 };

static int run_child(child_function_t function, void *context, bool quiet)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        const int null = quiet ? open("/dev/null", O_WRONLY) : -1;
        if (null >= 0)
            dup2(null, STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
        for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
            signal(deadly[i], SIG_DFL); /* not the handler of the test framework */
        alarm(CHILD_SECONDS);
        function(context);
        _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        abort();
    return status;
}

bool child_aborts(child_function_t function, void *context)
{
    const int status = run_child(function, context, true);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

int child_status(child_function_t function, void *context)
{
    const int status = run_child(function, context, false);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
