/*
 * The directory of an embedded Aeron driver. Called at the start of a node, of a member and of a
 * driver alone, and by tools that look for a member's.
 *
 * A process that was killed leaves the driver's directory behind, and for some seconds it looks
 * alive. Whoever holds the lock of the log's directory knows better: the name of the driver's
 * directory is made from the log's, so nobody else can be using it. A directory that the
 * configuration names is removed only if the process that made it is gone.
 */
#define _GNU_SOURCE
#include "host/driver_dir.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/remove_tree.h"

#include <aeronc.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEARTBEAT_MAX_MS = 10000 /* Aeron's own limit for a driver to be alive */ };

oc_err_t driver_dir_of(const char *dir, char *aeron_dir, size_t size)
{
    char absolute[PATH_MAX];
    if (!realpath(dir, absolute))
        return error_set(OC_ERR_OPEN, "%s: %s", dir, strerror(errno));
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *at = absolute; *at; at++)
        hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    const int length =
        snprintf(aeron_dir, size, "/dev/shm/outcry-%lu-%016" PRIx64, (unsigned long)getuid(), hash);
    OC_ASSERT(length > 0);
    OC_ASSERT((size_t)length < size);
    return OC_ERR_OK;
}

/* The process whose driver runs in a directory; 0 if none does, or it is this one's own number,
 * seen again after a restart of the machine or of a container. */
static long driver_process(const char *aeron_dir)
{
    aeron_cnc_t *cnc = NULL;
    aeron_cnc_constants_t constants;
    long process = 0;
    if (aeron_cnc_init(&cnc, aeron_dir, 100) < 0)
        return 0;
    const int64_t now_ms = clock_real_ns() / 1000000;
    const bool fresh = now_ms - aeron_cnc_to_driver_heartbeat(cnc) < HEARTBEAT_MAX_MS;
    if (fresh && aeron_cnc_constants(cnc, &constants) == 0)
        process = (long)constants.pid;
    aeron_cnc_close(cnc);
    if (process <= 0 || process == (long)getpid())
        return 0;
    return kill((pid_t)process, 0) == 0 || errno == EPERM ? process : 0;
}

oc_err_t driver_dir_remove_stale(const char *aeron_dir, bool own_name)
{
    struct stat info;
    char file[PATH_MAX];
    if (lstat(aeron_dir, &info) != 0)
        return OC_ERR_OK;
    if (!own_name) {
        (void)snprintf(file, sizeof file, "%s/cnc.dat", aeron_dir);
        if (access(file, F_OK) != 0)
            return OC_ERR_OK; /* no driver's: starting one there says what is wrong */
        const long process = driver_process(aeron_dir);
        if (process > 0)
            return error_set(
                OC_ERR_LOCKED,
                "the Aeron directory %s is in use by process %ld; give each process an "
                "aeron_dir of its own",
                aeron_dir, process);
    }
    return remove_tree(aeron_dir);
}
