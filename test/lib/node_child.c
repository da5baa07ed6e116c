/*
 * Nodes for tests. Called by tests of the load generator.
 *
 * Invariant: whatever becomes of the node, its driver's directory in shared memory goes with
 * node_child_end().
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/node_child.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define READY_NS INT64_C(30000000000)

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void launch(node_child_t *self, const char *ingress)
{
    const char *const argv[] = {OUTCRY_PROGRAM, "node",      "--dir", self->log, "--config",
                                self->config,   "--ingress", ingress, NULL};
    char ready[sizeof self->ingress];
    assert_int_equal(child_process_start(&self->process, argv, -1), OC_ERR_OK);
    if (child_process_expect(&self->process, "ready: ", ready, sizeof ready, READY_NS) != OC_ERR_OK)
        fail_msg("the node does not start: %s", oc_err_context());
    memcpy(self->ingress, ready, sizeof ready);
}

void node_child_start(node_child_t *self, const char *config)
{
    static unsigned count;
    memset(self, 0, sizeof *self);
    temp_dir_make(&self->dir);
    (void)snprintf(self->config, sizeof self->config, "%s/config", self->dir.path);
    (void)snprintf(self->log, sizeof self->log, "%s/log", self->dir.path);
    (void)snprintf(self->aeron_dir, sizeof self->aeron_dir, "/dev/shm/outcry-test-%d-%u",
                   (int)getpid(), ++count);
    FILE *file = fopen(self->config, "we");
    assert_non_null(file);
    fprintf(file, "[node]\naeron_dir = %s\n%s", self->aeron_dir, config);
    assert_int_equal(fclose(file), 0);
    launch(self, "127.0.0.1:0");
}

void node_child_kill(node_child_t *self)
{
    child_process_signal(&self->process, SIGKILL);
    child_process_end(&self->process);
}

void node_child_restart(node_child_t *self)
{
    char ingress[sizeof self->ingress];
    memcpy(ingress, self->ingress, sizeof ingress);
    launch(self, ingress);
}

void node_child_end(node_child_t *self)
{
    int status;
    child_process_signal(&self->process, SIGTERM);
    if (self->process.pid && child_process_wait(&self->process, &status, READY_NS) != OC_ERR_OK)
        print_error("the node does not end\n");
    child_process_end(&self->process);
    (void)nftw(self->aeron_dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    temp_dir_remove(&self->dir);
}
