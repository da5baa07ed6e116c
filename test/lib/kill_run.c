/*
 * Kills nodes. Called by test/integration/test_node_kills.c and its long form.
 *
 * The moments come from a seed: in half of the lives some time after `ready`, in the others some
 * time after the start of the process, so that recovery itself is cut short too.
 */
#define _GNU_SOURCE
#include "lib/kill_run.h"

#include "base/cycle_clock.h"
#include "base/prng.h"
#include "base/remove_tree.h"
#include "bench/child_process.h"
#include "host/control.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND_NS INT64_C(1000000000)

enum {
    PATH_SIZE = 256,
    LIFE_MS_MAX = 500,
    LOAD_TAIL_S = 3,
    START_MS_MAX = 60000,
    RESPONSES_BYTES = 65536,
};

typedef struct scene {
    char dir[PATH_SIZE];
    char node_dir[PATH_SIZE];
    char config[PATH_SIZE];
    char responses[PATH_SIZE];
    char ingress[128];
    child_process_t node;
    child_process_t load;
} scene_t;

static void make_scene(scene_t *scene, const kill_run_t *run)
{
    memset(scene, 0, sizeof *scene);
    (void)snprintf(scene->dir, PATH_SIZE, "%s/outcry-kills-XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(scene->dir));
    (void)snprintf(scene->node_dir, PATH_SIZE, "%.200s/node", scene->dir);
    (void)snprintf(scene->config, PATH_SIZE, "%.200s/config", scene->dir);
    (void)snprintf(scene->responses, PATH_SIZE, "%.200s/responses", scene->dir);
    (void)snprintf(scene->ingress, sizeof scene->ingress, "127.0.0.1:0");
    /* What a client has under way when the machine is slow must fit what is kept for it. */
    FILE *file = fopen(scene->config, "w");
    assert_non_null(file);
    (void)fprintf(file,
                  "[journal]\nsync = %s\nsegment_bytes = 4M\n[exchange]\nmax_orders = 65536\n"
                  "max_sources = 64\nkept_outputs = 16384\n",
                  run->sync != NULL ? run->sync : "always");
    /* So many that a kill hits each step of making, folding and removing them. The log keeps all:
     * the proof reads it from its beginning. */
    if (run->snapshots)
        (void)fprintf(file, "[snapshot]\nevery_log_bytes = 64K\nchain = 2\nkeep = 1\n"
                            "bytes_per_s_max = 0\n");
    assert_int_equal(fclose(file), 0);
}

static void start_node(scene_t *scene)
{
    const child_node_t node = {OUTCRY_PROGRAM, scene->node_dir, scene->config, scene->ingress};
    assert_int_equal(child_process_start_node(&scene->node, &node), OC_ERR_OK);
}

static void wait_ready(scene_t *scene)
{
    const oc_err_t err =
        child_process_ready(&scene->node, scene->ingress, sizeof scene->ingress, 60 * SECOND_NS);
    if (err != OC_ERR_OK)
        fail_msg("the node is not ready: %s", oc_err_context());
}

/* A node that is ready is asked what it started from. */
static void note_start(const scene_t *scene, kill_run_t *run)
{
    char answer[CONTROL_LINE_MAX];
    if (!run->snapshots)
        return;
    if (control_request(scene->node_dir, "status", answer, sizeof answer, 20 * SECOND_NS) !=
        OC_ERR_OK)
        fail_msg("no status: %s", oc_err_context());
    const char *from = strstr(answer, "started_from=");
    assert_non_null(from);
    run->images = strtoull(from + strlen("started_from="), NULL, 10);
    run->image_starts += run->images > 0;
}

static void start_load(scene_t *scene, const kill_run_t *run)
{
    char rate[32];
    char seconds[32];
    char clients[32];
    const unsigned lives_s = run->kills * LIFE_MS_MAX / 1000;
    (void)snprintf(rate, sizeof rate, "%u", run->rate);
    (void)snprintf(seconds, sizeof seconds, "%u", lives_s + LOAD_TAIL_S);
    (void)snprintf(clients, sizeof clients, "%d", KILL_RUN_CLIENTS);
    const char *const argv[] = {
        OUTCRY_PROGRAM, "load",      "--ingress", scene->ingress,   "--rate",
        rate,           "--seconds", seconds,     "--clients",      clients,
        "--resting",    "1000",      "--log",     scene->responses, NULL};
    assert_int_equal(child_process_start(&scene->load, argv, -1), OC_ERR_OK);
}

static void wait_ms(uint64_t ms)
{
    struct timespec left = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0) {
    }
}

/* Until the clients trade: they wrote down what they were told. */
static void wait_trading(const scene_t *scene)
{
    struct stat status;
    for (int i = 0; i < START_MS_MAX; i++) {
        if (stat(scene->responses, &status) == 0 && status.st_size > RESPONSES_BYTES)
            return;
        wait_ms(1);
    }
    fail_msg("the clients do not trade");
}

static void kill_node(scene_t *scene)
{
    int status;
    child_process_signal(&scene->node, SIGKILL);
    assert_int_equal(child_process_wait(&scene->node, &status, 10 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(status, 128 + SIGKILL);
    child_process_end(&scene->node);
}

static void end_load(scene_t *scene)
{
    char line[CHILD_LINE_MAX];
    int status = -1;
    oc_err_t err;
    while ((err = child_process_line(&scene->load, line, sizeof line, 300 * SECOND_NS)) ==
           OC_ERR_OK)
        print_message("load: %s\n", line);
    assert_int_equal(err, OC_ERR_CLOSED);
    assert_int_equal(child_process_wait(&scene->load, &status, 10 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(status, 0);
    child_process_end(&scene->load);
}

static void end_node(scene_t *scene, uint64_t *hash)
{
    char text[64];
    int status = -1;
    child_process_signal(&scene->node, SIGTERM);
    assert_int_equal(
        child_process_expect(&scene->node, "state_hash: ", text, sizeof text, 30 * SECOND_NS),
        OC_ERR_OK);
    *hash = strtoull(text, NULL, 16);
    assert_int_equal(child_process_wait(&scene->node, &status, 30 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(status, 0);
    child_process_end(&scene->node);
}

void kill_run(kill_run_t *self)
{
    scene_t scene;
    uint64_t random = self->seed;
    make_scene(&scene, self);
    start_node(&scene);
    wait_ready(&scene);
    start_load(&scene, self);
    wait_trading(&scene);
    for (unsigned i = 0; i < self->kills; i++) {
        const uint64_t life_ms = prng_next(&random) % LIFE_MS_MAX;
        const bool after_ready = i == 0 || prng_next(&random) % 2 == 0;
        if (after_ready && i > 0) {
            wait_ready(&scene);
            note_start(&scene, self);
        }
        self->restarts += after_ready;
        wait_ms(life_ms);
        kill_node(&scene);
        start_node(&scene);
    }
    wait_ready(&scene);
    note_start(&scene, self);
    end_load(&scene);
    uint64_t hash;
    end_node(&scene, &hash);
    if (recovery_proof(scene.node_dir, scene.responses, &self->proof) != OC_ERR_OK)
        fail_msg("no proof: %s", oc_err_context());
    assert_int_equal(hash, self->proof.state_hash);
    assert_int_equal(remove_tree(scene.dir), OC_ERR_OK);
}
