/*
 * Removes the buffers of killed processes. The sweep is called by embedded_create(), so that what
 * was left goes with the next start; the demos and tests, which know whom they killed, do not wait.
 *
 * Invariants: a directory is removed only if its name is as aeron/embedded.c names those of a
 * process; of nodes and members the names begin alike, with the user's number, and go on with
 * sixteen digits (host/driver_dir.h). The sweep believes neither sign alone: a process may be of
 * another pid namespace that shares the memory, and a driver may stand still with its process.
 */
#define _GNU_SOURCE
#include "aeron/driver_leftovers.h"

#include "base/assert.h"
#include "base/process_gone.h"
#include "base/remove_tree.h"

#include <aeronc.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMORY_DIR "/dev/shm"
#define PREFIX     "outcry-"

typedef struct leftover {
    char path[sizeof MEMORY_DIR + NAME_MAX + 1];
    long pid;
} leftover_t;

/* Digits, at most ten. */
static size_t count_digits(const char *text)
{
    const size_t length = strspn(text, "0123456789");
    return length <= 10 ? length : 0;
}

/* Whether the name is one of embedded.c's: the process, and how many it had made before. */
static bool is_named(const char *name, long *pid)
{
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0)
        return false;
    const char *process = name + sizeof PREFIX - 1;
    const size_t length = count_digits(process);
    if (length == 0 || process[length] != '-')
        return false;
    const char *number = process + length + 1;
    const size_t rest = count_digits(number);
    *pid = strtol(process, NULL, 10);
    return rest > 0 && number[rest] == '\0' && *pid > 0;
}

/* The next directory in /dev/shm with such a name. */
static bool next_leftover(DIR *dir, leftover_t *found)
{
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        if (!is_named(entry->d_name, &found->pid))
            continue;
        (void)snprintf(found->path, sizeof found->path, MEMORY_DIR "/%s", entry->d_name);
        return true;
    }
    return false;
}

void driver_leftovers_remove(long pid)
{
    leftover_t found;
    OC_ASSERT(pid > 0);
    DIR *dir = opendir(MEMORY_DIR);
    if (dir == NULL)
        return;
    while (next_leftover(dir, &found)) {
        if (found.pid == pid)
            (void)remove_tree(found.path);
    }
    (void)closedir(dir);
}

/* When the driver was last seen alive; of a directory that holds none (its process was killed in
 * the middle of making or removing it), when something last changed in it. */
static int64_t last_sign_ms(const char *path, const struct stat *info)
{
    aeron_cnc_t *cnc;
    if (aeron_cnc_init(&cnc, path, 0) < 0)
        return (int64_t)info->st_mtim.tv_sec * 1000;
    const int64_t heartbeat = aeron_cnc_to_driver_heartbeat(cnc);
    aeron_cnc_close(cnc);
    return heartbeat;
}

static bool is_abandoned(const leftover_t *found, int64_t now_ms)
{
    struct stat info;
    return lstat(found->path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           process_is_gone(found->pid) &&
           last_sign_ms(found->path, &info) < now_ms - DRIVER_LEFTOVERS_SILENT_MS;
}

void driver_leftovers_sweep(int64_t now_ms)
{
    leftover_t found;
    DIR *dir = opendir(MEMORY_DIR);
    if (dir == NULL)
        return;
    while (next_leftover(dir, &found)) {
        if (is_abandoned(&found, now_ms))
            (void)remove_tree(found.path);
    }
    (void)closedir(dir);
}
