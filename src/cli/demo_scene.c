/*
 * The scene of a demo. Called by demo.c and demo_cluster.c.
 *
 * Invariants: nothing waits for longer than a fraction of a second without listening, and without
 * seeing that it was interrupted. What is removed was made here, by a process that was started
 * here, or by a demo that was killed.
 */
#define _GNU_SOURCE
#include "cli/demo_scene.h"

#include "aeron/driver_leftovers.h"
#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define SECOND_NS     INT64_C(1000000000)
#define LOAD_GRACE_NS (60 * SECOND_NS)
#define LOAD_END_NS   (30 * SECOND_NS)
#define STEP_NS       (SECOND_NS / 20)

oc_err_t demo_scene_begin(demo_scene_t *self)
{
    const char *base = getenv("TMPDIR");
    (void)process_take_signals();
    process_let_second_signal_kill();
    self->load.output = -1;
    base = base != NULL && base[0] != '\0' ? base : P_tmpdir;
    self->dir[0] = '\0';
    const oc_err_t err = strlen(base) > DEMO_PATH_SIZE / 2
                             ? error_set(OC_ERR_OPEN, "%.64s...: the path is too long", base)
                             : bench_folder_make(&self->folder, base, "demo");
    if (err != OC_ERR_OK) {
        char why[300];
        (void)snprintf(why, sizeof why, "%s", oc_err_context());
        return error_set(err, "%s; set TMPDIR", why);
    }
    (void)snprintf(self->dir, DEMO_PATH_SIZE, "%.400s", self->folder.path);
    (void)snprintf(self->responses, DEMO_PATH_SIZE, "%.400s/responses", self->dir);
    return OC_ERR_OK;
}

void demo_scene_end(demo_scene_t *self)
{
    child_process_end(&self->load);
    if (self->load_pid != 0)
        driver_leftovers_remove(self->load_pid);
    if (self->keep && self->dir[0] != '\0') {
        (void)fprintf(stderr, "outcry: kept: %s\n", self->dir);
        bench_folder_keep(&self->folder);
    } else {
        bench_folder_remove(&self->folder);
    }
    process_give_signals_back();
}

oc_err_t demo_scene_start_load(demo_scene_t *self, const char *ingress)
{
    char rate[32];
    char seconds[32];
    (void)snprintf(rate, sizeof rate, "%" PRIu64, self->rate);
    (void)snprintf(seconds, sizeof seconds, "%" PRIu64, self->seconds);
    const char *const argv[] = {"outcry",
                                "load",
                                "--ingress",
                                ingress,
                                "--rate",
                                rate,
                                "--seconds",
                                seconds,
                                "--workload",
                                "W1",
                                "--log",
                                self->responses,
                                self->share ? "--idle" : NULL,
                                "sleep",
                                "--resting", /* a small book: trades come at once */
                                "1000",
                                NULL};
    const oc_err_t err = child_process_start(&self->load, argv, -1);
    self->load_pid = self->load.pid;
    if (err == OC_ERR_OK)
        bench_folder_note_client(&self->folder, self->load_pid);
    return err;
}

static oc_err_t check_interrupted(demo_scene_t *self)
{
    if (self->listen != NULL)
        self->listen(self->context);
    return process_check_interrupted(OC_ERR_OK);
}

oc_err_t demo_scene_wait(demo_scene_t *self, uint64_t ns)
{
    const uint64_t until_ns = clock_wall_ns() + ns;
    for (;;) {
        const oc_err_t err = check_interrupted(self);
        const uint64_t now_ns = clock_wall_ns();
        if (err != OC_ERR_OK || now_ns >= until_ns)
            return err;
        const uint64_t left_ns = until_ns - now_ns;
        const struct timespec step = {
            .tv_nsec = (long)(left_ns < (uint64_t)STEP_NS ? left_ns : (uint64_t)STEP_NS)};
        (void)nanosleep(&step, NULL);
    }
}

uint64_t demo_scene_moment_ns(const demo_scene_t *self)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = clock_wall_ns();
    const uint64_t total_ns = self->seconds * (uint64_t)SECOND_NS;
    return total_ns * 3 / 10 + number % (total_ns * 4 / 10);
}

static void show(demo_scene_t *self, const char *line)
{
    double longest_us;
    printf("  %s\n", line);
    if (sscanf(line, "rtt_max_us: %lf", &longest_us) == 1)
        self->longest_ms = longest_us / 1e3;
}

oc_err_t demo_scene_finish_load(demo_scene_t *self)
{
    const uint64_t until_ns =
        clock_wall_ns() + self->seconds * (uint64_t)SECOND_NS + (uint64_t)LOAD_GRACE_NS;
    char line[CHILD_LINE_MAX];
    int status;
    oc_err_t err = OC_ERR_OK;
    while (err == OC_ERR_OK || (err == OC_ERR_TIMEOUT && clock_wall_ns() < until_ns)) {
        err = check_interrupted(self);
        if (err != OC_ERR_OK)
            return err;
        err = child_process_line(&self->load, line, sizeof line, STEP_NS);
        if (err == OC_ERR_OK)
            show(self, line);
    }
    if (err != OC_ERR_CLOSED)
        return err;
    err = child_process_wait(&self->load, &status, LOAD_END_NS);
    if (err == OC_ERR_OK && status != 0)
        err = error_set(OC_ERR_REFUSED, "the load ended with status %d", status);
    return err;
}
