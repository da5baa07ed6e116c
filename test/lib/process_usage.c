/*
 * Memory and file handles from /proc. Called by tests of long runs and of hostile clients.
 */
#define _GNU_SOURCE
#include "lib/process_usage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

process_usage_t process_usage(pid_t pid)
{
    static const char name[] = "VmRSS:";
    process_usage_t usage = {0};
    char path[64];
    char line[256];
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, sizeof name - 1) == 0)
            usage.rss_kib = strtoull(line + sizeof name - 1, NULL, 10);
    }
    assert_int_equal(fclose(file), 0);
    assert_true(usage.rss_kib > 0);

    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        usage.handles += entry->d_name[0] != '.';
    assert_int_equal(closedir(dir), 0);
    return usage;
}

long process_page_faults(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_minflt;
}
