/*
 * Nodes for tests. Called by unit and integration tests of the host.
 */
#include "lib/node_fixture.h"

#include "base/cycle_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

void node_fixture_init(node_fixture_t *self)
{
    *self = (node_fixture_t){0};
    temp_dir_make(&self->dir);
    node_config_init(&self->config);
    (void)snprintf(self->config.dir, sizeof self->config.dir, "%s/log", self->dir.path);
    (void)snprintf(self->config.ingress, sizeof self->config.ingress, "127.0.0.1:0");
    self->config.segment_bytes = 1 << 20;
    self->config.group_bytes = 1 << 16;
    self->config.message_bytes_max = 4096;
    self->config.low_space_bytes = 0;
    self->config.max_sessions = 16;
    self->config.max_timers = 64;
    self->config.session_backlog_bytes = 1 << 16;
    self->config.backlog_bytes = 1 << 20;
}

oc_err_t node_fixture_start(node_fixture_t *self)
{
    assert_null(self->node);
    tally_init(&self->tally);
    if (self->images == NODE_FIXTURE_STREAM)
        tally_keep_stream(&self->tally);
    else if (self->images == NODE_FIXTURE_ARENA)
        tally_keep_arena(&self->tally);
    self->err = OC_ERR_OK;
    return node_create(&self->node, &self->config, &self->tally.service);
}

enum { STEPS_MIN = 100 };

void node_fixture_step(void *context)
{
    node_fixture_t *self = context;
    int work;
    if (self->node && self->err == OC_ERR_OK)
        self->err = node_do_work(self->node, &work);
}

void node_fixture_run(node_fixture_t *self, double seconds)
{
    const uint64_t start_ns = clock_wall_ns();
    for (int steps = 0; steps < STEPS_MIN || (double)(clock_wall_ns() - start_ns) < seconds * 1e9;
         steps++)
        node_fixture_step(self);
}

oc_err_t node_fixture_stop(node_fixture_t *self)
{
    const uint64_t start_ns = clock_wall_ns();
    node_stop(self->node);
    while (!node_stopped(self->node) && self->err == OC_ERR_OK) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(60000000000));
        node_fixture_step(self);
    }
    const oc_err_t err = node_destroy(self->node);
    self->node = NULL;
    return self->err != OC_ERR_OK ? self->err : err;
}

void node_fixture_fini(node_fixture_t *self)
{
    (void)node_destroy(self->node);
    temp_dir_remove(&self->dir);
}
