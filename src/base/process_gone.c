/*
 * Whether another process has ended. Called before something that it used is removed.
 */
#define _GNU_SOURCE
#include "base/process_gone.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* See proc(5): the state stands behind the name, in which anything may be. */
static bool has_ended(long pid)
{
    char path[64];
    char text[512] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const ssize_t got = read(fd, text, sizeof text - 1);
    (void)close(fd);
    const char *name_end = got > 0 ? strrchr(text, ')') : NULL;
    return name_end != NULL &&
           (strncmp(name_end, ") Z", 3) == 0 || strncmp(name_end, ") X", 3) == 0);
}

bool process_is_gone(long pid)
{
    OC_ASSERT(pid > 0);
    return kill((pid_t)pid, 0) != 0 ? errno == ESRCH : has_ended(pid);
}
