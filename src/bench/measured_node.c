/*
 * Nodes to measure. Called by the benches of the node, of snapshots and of restarts.
 *
 * Invariants: a node dies with the bench; the folder is removed whatever happened; what fails
 * behind a signal that is to end this process fails because of it, for a terminal sends that to the
 * node too. It must not measure: the benches do.
 */
#define _GNU_SOURCE
#include "bench/measured_node.h"

#include "base/error.h"
#include "base/process_signals.h"
#include "base/remove_tree.h"
#include "host/driver_dir.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_NS INT64_C(120000000000)
#define END_NS   INT64_C(10000000000)

oc_err_t measured_node_init(measured_node_t *self, const char *parent, const char *what,
                            const char *program)
{
    memset(self, 0, sizeof *self);
    self->child.output = -1;
    self->program = program;
    const oc_err_t err = bench_folder_make(&self->folder, parent, what);
    if (err != OC_ERR_OK)
        return err;
    (void)snprintf(self->config, sizeof self->config, "%s/config", self->folder.path);
    (void)snprintf(self->log, sizeof self->log, "%s/log", self->folder.path);
    return driver_dir_of(self->folder.path, self->aeron_dir, sizeof self->aeron_dir);
}

oc_err_t measured_node_fini(measured_node_t *self, oc_err_t err)
{
    char context[512];
    int status;
    (void)snprintf(context, sizeof context, "%s", oc_err_context());
    if (process_end_requested()) {
        child_process_signal(&self->child, SIGTERM);
        (void)(child_process_wait(&self->child, &status, END_NS) == OC_ERR_OK);
    }
    child_process_end(&self->child);
    if (self->aeron_dir[0])
        (void)remove_tree(self->aeron_dir);
    bench_folder_remove(&self->folder);
    return process_check_interrupted(err == OC_ERR_OK ? OC_ERR_OK : error_set(err, "%s", context));
}

void measured_node_cpu_line(char *line, size_t size, const char *key, int cpu)
{
    if (cpu < 0)
        (void)snprintf(line, size, "%s = any\n", key);
    else
        (void)snprintf(line, size, "%s = %d\n", key, cpu);
}

static oc_err_t write_config(const measured_node_t *self, const char *configuration)
{
    FILE *file = fopen(self->config, "we");
    if (!file)
        return error_set(OC_ERR_WRITE, "%s: %s", self->config, strerror(errno));
    const bool written = fputs(configuration, file) >= 0 &&
                         fprintf(file, "\n[node]\naeron_dir = %s\n", self->aeron_dir) >= 0;
    if (fclose(file) != 0 || !written)
        return error_set(OC_ERR_WRITE, "%s: %s", self->config, strerror(errno));
    return OC_ERR_OK;
}

oc_err_t measured_node_start(measured_node_t *self, const char *configuration)
{
    oc_err_t err = write_config(self, configuration);
    if (err != OC_ERR_OK)
        return err;
    const child_node_t how = {self->program, self->log, self->config, "127.0.0.1:0"};
    err = child_process_start_node(&self->child, &how);
    if (err == OC_ERR_OK)
        err = child_process_ready(&self->child, self->ingress, sizeof self->ingress, START_NS);
    return err;
}

oc_err_t measured_node_stop(measured_node_t *self)
{
    int status = 0;
    child_process_signal(&self->child, SIGTERM);
    const oc_err_t err = child_process_wait(&self->child, &status, START_NS);
    child_process_end(&self->child);
    if (err == OC_ERR_OK && status != 0)
        return error_set(OC_ERR_CLOSED, "the node ended with status %d", status);
    return err;
}

void measured_node_kill(measured_node_t *self)
{
    child_process_end(&self->child);
}

uint64_t measured_node_number(const char *answer, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = strstr(answer, key); at; at = strstr(at + 1, key))
        if (at[length] == '=' && (at == answer || at[-1] == ' ' || at[-1] == '\n'))
            return strtoull(at + length + 1, NULL, 10);
    return 0;
}
