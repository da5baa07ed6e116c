/*
 * Removes the buffers of killed clients. Called by the demos and by tests.
 *
 * Invariant: a directory is removed only if its name begins as aeron/embedded.c names those of that
 * process.
 */
#define _GNU_SOURCE
#include "bench/client_leftovers.h"

#include "base/assert.h"
#include "base/remove_tree.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define MEMORY_DIR "/dev/shm"

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
        if (strncmp(entry->d_name, prefix, length) != 0)
            continue;
        (void)snprintf(path, sizeof path, MEMORY_DIR "/%s", entry->d_name);
        (void)remove_tree(path);
    }
    (void)closedir(dir);
}
