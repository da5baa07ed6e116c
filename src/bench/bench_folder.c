/*
 * Folders of the benches and demos that start nodes and members. Called by measured_node.c,
 * measured_cluster.c and cli/demo_scene.c.
 *
 * Invariants: a folder is one of ours only if it holds the lock file, which this user made, and is
 * left behind only if nobody has that lock. Who looks for those, and who makes one, holds the
 * parent's lock, so that none is seen before it is locked. Drivers have names that follow from the
 * folder's (host/driver_dir.h), so that whoever removes it can find them.
 */
#define _GNU_SOURCE
#include "bench/bench_folder.h"

#include "aeron/driver_leftovers.h"
#include "base/error.h"
#include "base/process_gone.h"
#include "base/remove_tree.h"
#include "bench/log_folder.h"
#include "cluster/member_config.h"
#include "host/driver_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a node in the folder, or of members in m0, m1, ... */
static void remove_drivers(const char *path)
{
    char aeron_dir[128];
    char member[BENCH_FOLDER_PATH + 16];
    if (driver_dir_of(path, aeron_dir, sizeof aeron_dir) == OC_ERR_OK)
        (void)remove_tree(aeron_dir);
    for (int i = 0; i < MEMBER_COUNT_MAX; i++) {
        (void)snprintf(member, sizeof member, "%s/m%d", path, i);
        if (driver_dir_of(member, aeron_dir, sizeof aeron_dir) == OC_ERR_OK)
            (void)remove_tree(aeron_dir);
    }
}

/* Of the bench itself, and of other processes that were clients; more than fit are none of ours. */
static void remove_clients(int lock)
{
    char text[256] = "";
    char *at = text;
    if (pread(lock, text, sizeof text - 1, 0) <= 0)
        return;
    for (long pid; (pid = strtol(at, &at, 10)) > 1;)
        if (process_is_gone(pid))
            driver_leftovers_remove(pid);
}

static bool is_own(int lock)
{
    struct stat info;
    return fstat(lock, &info) == 0 && info.st_uid == geteuid();
}

static void remove_if_stale(const char *path)
{
    char name[BENCH_FOLDER_PATH + 32];
    (void)snprintf(name, sizeof name, "%s/" BENCH_FOLDER_LOCK, path);
    const int lock = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
        return;
    if (is_own(lock) && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        remove_clients(lock);
        remove_drivers(path);
        (void)remove_tree(path);
    }
    (void)close(lock);
}

static void remove_stale(const char *parent)
{
    char path[BENCH_FOLDER_PATH];
    DIR *dir = opendir(parent);
    if (!dir)
        return;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const int length = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        if (strncmp(entry->d_name, "bench-", 6) == 0 && length > 0 && length < (int)sizeof path)
            remove_if_stale(path);
    }
    (void)closedir(dir);
}

static oc_err_t take(bench_folder_t *self)
{
    char name[BENCH_FOLDER_PATH + 32];
    (void)snprintf(name, sizeof name, "%s/" BENCH_FOLDER_LOCK, self->path);
    self->lock = open(name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (self->lock >= 0 && flock(self->lock, LOCK_EX | LOCK_NB) == 0 &&
        dprintf(self->lock, "%ld\n", (long)getpid()) > 0)
        return OC_ERR_OK;
    return error_set(OC_ERR_OPEN, "%s: %s", name, strerror(errno));
}

static oc_err_t make(bench_folder_t *self, const char *parent, const char *what)
{
    remove_stale(parent);
    const int length = snprintf(self->path, sizeof self->path, "%s/bench-%s-XXXXXX", parent, what);
    if (length < 0 || (size_t)length >= sizeof self->path) {
        self->path[0] = '\0';
        return error_set(OC_ERR_OPEN, "%.64s...: %s", parent, strerror(ENAMETOOLONG));
    }
    if (!mkdtemp(self->path)) {
        const int reason = errno;
        self->path[0] = '\0';
        return error_set(OC_ERR_OPEN, "%s: no folder can be made in it: %s", parent,
                         strerror(reason));
    }
    return take(self);
}

oc_err_t bench_folder_make(bench_folder_t *self, const char *parent, const char *what)
{
    *self = (bench_folder_t){.lock = -1};
    oc_err_t err = log_folder_parent(parent, &self->made_parent);
    if (err != OC_ERR_OK)
        return err;
    const int lock = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return error_set(OC_ERR_OPEN, "%s: %s", parent, strerror(errno));
    (void)flock(lock, LOCK_EX); /* without it, as well as can be */
    err = make(self, parent, what);
    (void)close(lock);
    if (err == OC_ERR_OK)
        return OC_ERR_OK;
    const bool made_parent = self->made_parent;
    bench_folder_remove(self);
    if (made_parent)
        (void)rmdir(parent);
    return err;
}

void bench_folder_note_client(const bench_folder_t *self, long pid)
{
    (void)dprintf(self->lock, "%ld\n", pid);
}

void bench_folder_keep(bench_folder_t *self)
{
    char name[BENCH_FOLDER_PATH + 32];
    if (self->path[0]) {
        (void)snprintf(name, sizeof name, "%s/" BENCH_FOLDER_LOCK, self->path);
        (void)unlink(name);
        (void)close(self->lock);
    }
    *self = (bench_folder_t){.lock = -1};
}

void bench_folder_remove(bench_folder_t *self)
{
    if (self->path[0]) {
        (void)remove_tree(self->path);
        (void)close(self->lock);
        *strrchr(self->path, '/') = '\0';
        if (self->made_parent)
            (void)rmdir(self->path); /* it stays if anything of somebody else's is in it */
    }
    *self = (bench_folder_t){.lock = -1};
}
