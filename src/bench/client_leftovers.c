/*
 * Removes the buffers of killed clients. Called by the demos and by tests.
 *
 * Invariant: a directory is removed only if its name is as aeron/embedded.c names those of that
 * process; of nodes and members the names begin alike, with the user's number, and go on with
 * sixteen digits (host/driver_dir.h).
 */
#define _GNU_SOURCE
#include "bench/client_leftovers.h"

#include "base/assert.h"
#include "base/remove_tree.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MEMORY_DIR "/dev/shm"

/* How often the process made one before. */
static bool is_count(const char *text)
{
    const size_t length = strspn(text, "0123456789");
    return length >= 1 && length <= 10 && text[length] == '\0';
}

void client_leftovers_remove(long pid)
{
    char prefix[64];
    OC_ASSERT(pid > 0);
    DIR *dir = opendir(MEMORY_DIR);
    if (!dir)
        return;
    const size_t length = (size_t)snprintf(prefix, sizeof prefix, "outcry-%ld-", pid);
    const struct dirent *entry;
    while ((entry = readdir(dir))) {
        char path[sizeof MEMORY_DIR + sizeof entry->d_name + 1];
        if (strncmp(entry->d_name, prefix, length) != 0 || !is_count(entry->d_name + length))
            continue;
        (void)snprintf(path, sizeof path, MEMORY_DIR "/%s", entry->d_name);
        (void)remove_tree(path);
    }
    (void)closedir(dir);
}
