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

#include "base/remove_tree.h"
#include "lib/node_child.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define READY_NS INT64_C(30000000000)

static void launch(node_child_t *self, const char *ingress)
{
    const child_node_t node = {OUTCRY_PROGRAM, self->log, self->config, ingress};
    assert_int_equal(child_process_start_node(&self->process, &node), OC_ERR_OK);
    if (child_process_ready(&self->process, self->ingress, sizeof self->ingress, READY_NS) !=
        OC_ERR_OK)
        fail_msg("the node does not start: %s", oc_err_context());
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
    launch(self, self->ingress);
}

void node_child_end(node_child_t *self)
{
    int status;
    child_process_signal(&self->process, SIGTERM);
    if (self->process.pid && child_process_wait(&self->process, &status, READY_NS) != OC_ERR_OK)
        print_error("the node does not end\n");
    child_process_end(&self->process);
    (void)remove_tree(self->aeron_dir);
    temp_dir_remove(&self->dir);
}
