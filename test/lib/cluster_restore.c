/*
 * Starts members on backups. Called by the test of what a cluster recovers from.
 */
#define _GNU_SOURCE
#include "lib/cluster_restore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define START_NS INT64_C(60000000000)
#define STOP_NS  INT64_C(30000000000)

enum { PATH_SIZE = 600 };

static void must(oc_err_t err)
{
    if (err != OC_ERR_OK)
        fail_msg("a restored member: %s", oc_err_context());
}

static void print_line(void *context, uint32_t member, const char *line)
{
    (void)context, (void)member;
    print_message("restored: %s\n", line);
}

static void move(const cluster_restore_t *self, const cluster_rig_t *rig, const char *name,
                 const char *part)
{
    char from[PATH_SIZE];
    char to[PATH_SIZE];
    (void)snprintf(from, sizeof from, "%s/%s/%s", rig->dir, name, part);
    (void)snprintf(to, sizeof to, "%s/%s", self->dir, part);
    assert_int_equal(rename(from, to), 0);
}

void cluster_restore_start(cluster_restore_t *self, const cluster_rig_t *rig, const char *name,
                           member_state_t *state)
{
    char base[PATH_SIZE];
    uint32_t leader;
    (void)snprintf(base, sizeof base, "%s/restored-%s", rig->dir, name);
    (void)snprintf(self->dir, sizeof self->dir, "%s/restored-%.100s/m0", rig->dir, name);
    const local_cluster_config_t config = {
        .folder = {.base = base, .members = 1, .lines = cluster_rig_lines()},
        .program = OUTCRY_PROGRAM,
        .line = print_line,
    };
    must(local_cluster_create(&self->cluster, &config));
    move(self, rig, name, "archive");
    move(self, rig, name, "cluster");
    must(local_cluster_start(self->cluster, 0));
    must(local_cluster_wait_leader(self->cluster, 0, &leader, START_NS));
    must(member_state_settle(local_cluster_folder(self->cluster), state, START_NS));
}

void cluster_restore_stop(cluster_restore_t *self)
{
    must(local_cluster_stop(self->cluster, STOP_NS));
}

void cluster_restore_remove(cluster_restore_t *self)
{
    local_cluster_destroy(self->cluster);
    memset(self, 0, sizeof *self);
}
