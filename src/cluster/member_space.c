/*
 * Free space of a member's devices. Called by member_run.c for a member whose module has ended: a
 * full device ends it in many ways, few of which say so. A JVM dies of a page that a file which it
 * has mapped cannot get; an archive refuses what the module asks for, and the module gives up.
 *
 * It must not judge: that a device is full is said beside what the module says.
 */
#define _GNU_SOURCE
#include "cluster/member_space.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/statvfs.h>

static bool is_full(const char *path, uint64_t wanted, const char *why, char *words, size_t size)
{
    struct statvfs info;
    if (statvfs(path, &info) != 0)
        return false;
    const uint64_t left = (uint64_t)info.f_bavail * info.f_frsize;
    if (left >= wanted)
        return false;
    (void)snprintf(words, size,
                   "the device of %s is full: %" PRIu64 " bytes are free, and %" PRIu64
                   " are wanted%s",
                   path, left, wanted, why);
    return true;
}

bool member_space_full(const member_config_t *config, char *words, size_t size)
{
    static const char *const folders[] = {"archive", "cluster", "images", ""};
    const uint64_t quarter = config->low_space_bytes / 4;
    const bool low = quarter > MEMBER_SPACE_MIN;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[PATH_MAX];
        member_config_path(config, folders[i], path, sizeof path);
        if (is_full(path, low ? quarter : MEMBER_SPACE_MIN,
                    low ? " (a quarter of [cluster] low_space_bytes)" : "", words, size))
            return true;
    }
    return is_full(config->node.aeron_dir, MEMBER_SPACE_MIN, " (the driver's directory)", words,
                   size);
}
