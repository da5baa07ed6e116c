/*
 * `outcry demo --cluster`: three members on this machine, and their leader killed while they trade.
 * Called by demo.c and by `make demo-cluster`.
 *
 * The killed member is started again and rejoins; then all must be in the same state, and
 * bench/cluster_proof.h judges from a survivor's recording of the log and the client's own log.
 * Any outcome but the promised one is exit status 1.
 *
 * Invariant: members are listened to all the time, so that none waits for somebody to read its
 * lines.
 */
#include "cli/demo_cluster.h"

#include "base/cycle_clock.h"
#include "base/error.h"
#include "base/process_signals.h"
#include "bench/cluster_proof.h"
#include "bench/local_cluster.h"
#include "bench/member_state.h"
#include "cli/subcommand.h"

#include <inttypes.h>
#include <stdio.h>

#define SECOND_NS INT64_C(1000000000)
#define START_NS  (60 * SECOND_NS)
#define SETTLE_NS (30 * SECOND_NS)
#define STOP_NS   (20 * SECOND_NS)

enum { MEMBERS = 3 };

/* Tables that three members of one machine have room for, and an image now and then, from which
 * the killed member starts. */
static const char lines[] = "[exchange]\n"
                            "max_orders = 262144\n"
                            "max_levels = 65536\n"
                            "max_sources = 16\n"
                            "kept_outputs = 16384\n"
                            "[snapshot]\n"
                            "every_log_bytes = 256K\n";

typedef struct demo_cluster {
    demo_scene_t *scene; /* borrowed */
    local_cluster_t *cluster;
    uint64_t start_ns;
    uint32_t killed;
    uint32_t survivor; /* that leads at the end */
    member_state_t states[MEMBERS];
} demo_cluster_t;

/* ---- What is shown ---- */

static void show_time(const demo_cluster_t *self)
{
    printf("  %5.1f s  ", (double)(clock_wall_ns() - self->start_ns) / 1e9);
}

static void on_line(void *context, uint32_t member, const char *line)
{
    (void)member;
    show_time(context);
    printf("%s\n", line);
    (void)subcommand_flush();
}

static void listen(void *context)
{
    const demo_cluster_t *self = context;
    (void)local_cluster_poll(self->cluster, 0);
}

/* ---- What happens ---- */

static oc_err_t start(demo_cluster_t *self)
{
    uint32_t leader;
    oc_err_t err = local_cluster_start_all(self->cluster);
    if (err == OC_ERR_OK)
        err = local_cluster_wait_leader(self->cluster, 0, &leader, START_NS);
    for (uint32_t i = 0; err == OC_ERR_OK && i < MEMBERS; i++)
        err = local_cluster_wait_joined(self->cluster, i, START_NS);
    return process_check_interrupted(err);
}

static oc_err_t kill_leader(demo_cluster_t *self)
{
    local_member_state_t before;
    oc_err_t err = demo_scene_wait(self->scene, demo_scene_moment_ns(self->scene) / 2);
    if (err != OC_ERR_OK)
        return err;
    if (!local_cluster_leader(self->cluster, &self->killed))
        return error_set(OC_ERR_CLOSED, "no member leads");
    if (!child_process_running(&self->scene->load))
        return error_set(OC_ERR_CLOSED, "the load ended before the crash");
    local_cluster_state(self->cluster, self->killed, &before);
    show_time(self);
    printf("member %" PRIu32 ", the leader, is killed (SIGKILL), orders keep coming\n",
           self->killed);
    (void)subcommand_flush();
    err = local_cluster_kill(self->cluster, self->killed);
    if (err == OC_ERR_OK)
        err = local_cluster_wait_leader(self->cluster, before.term, &self->survivor, START_NS);
    return process_check_interrupted(err);
}

static oc_err_t bring_back(demo_cluster_t *self)
{
    oc_err_t err = demo_scene_wait(self->scene, (uint64_t)SECOND_NS);
    if (err != OC_ERR_OK)
        return err;
    show_time(self);
    printf("member %" PRIu32 " is started again\n", self->killed);
    (void)subcommand_flush();
    err = local_cluster_start(self->cluster, self->killed);
    if (err == OC_ERR_OK)
        err = local_cluster_wait_joined(self->cluster, self->killed, START_NS);
    if (err == OC_ERR_OK)
        err = child_process_running(&self->scene->load)
                  ? OC_ERR_OK
                  : error_set(OC_ERR_CLOSED, "the load ended before the killed member was back; "
                                             "try again with more --seconds");
    return process_check_interrupted(err);
}

static oc_err_t finish(demo_cluster_t *self, recovery_proof_t *proof)
{
    char dir[CLUSTER_FOLDER_PATH];
    const cluster_folder_t *folder = local_cluster_folder(self->cluster);
    printf("\nWhat the client saw\n\n");
    oc_err_t err = demo_scene_finish_load(self->scene);
    if (err == OC_ERR_OK)
        err = member_state_settle(folder, self->states, SETTLE_NS);
    if (err != OC_ERR_OK)
        return process_check_interrupted(err);
    printf("\nThe end, in order\n\n");
    err = local_cluster_stop(self->cluster, STOP_NS);
    cluster_folder_dir(folder, self->survivor, dir);
    if (err == OC_ERR_OK)
        err = cluster_proof(dir, self->states[self->survivor].position, self->scene->responses,
                            proof);
    return process_check_interrupted(err);
}

/* ---- What comes of it ---- */

/* The last lines, for people and for scripts. */
static bool print_proof(const demo_cluster_t *self, const recovery_proof_t *proof)
{
    const member_state_t *state = &self->states[self->survivor];
    const bool equal =
        member_state_equal(self->states, MEMBERS) && proof->position == state->position &&
        proof->state_hash == state->state_hash && proof->state_hash == proof->fast_state_hash;
    printf("\nIs it true\n\n"
           "  The log that member %" PRIu32 " recorded, %" PRIu64 " entries, was applied again by\n"
           "  the reference engine, a naive second implementation, and compared with what the\n"
           "  client wrote down as it came: %" PRIu64 " messages, %" PRIu64 " of them fills;\n"
           "  %" PRIu64 " differ from the log.\n"
           "  At position %" PRIu64 " the state of the reference engine is %016" PRIx64 "\n",
           self->survivor, proof->entries, proof->outputs, proof->fills, proof->wrong,
           proof->position, proof->state_hash);
    for (uint32_t i = 0; i < MEMBERS; i++)
        printf("  at position %" PRIu64 " the state of member %" PRIu32 " was %016" PRIx64 "%s\n",
               self->states[i].position, i, self->states[i].state_hash,
               i == self->killed ? " (it was killed)" : "");
    printf("\nmembers: %d\n", MEMBERS);
    printf("acknowledged: %" PRIu64 "\n", proof->acknowledged);
    printf("lost: %" PRIu64 "\n", proof->lost);
    printf("doubled: %" PRIu64 "\n", proof->doubled);
    printf("state_hash: %s\n", equal ? "equal" : "DIFFERENT");
    printf("failover_ms: %.0f\n", self->scene->longest_ms);
    return equal && recovery_proof_holds(proof) && proof->acknowledged > 0;
}

static oc_err_t create(demo_cluster_t *self)
{
    const local_cluster_config_t config = {
        .folder = {.base = self->scene->dir, .members = MEMBERS, .lines = lines},
        .line = on_line,
        .context = self,
    };
    const oc_err_t err = local_cluster_create(&self->cluster, &config);
    if (err == OC_ERR_OK) {
        self->scene->listen = listen;
        self->scene->context = self;
    }
    return err;
}

static oc_err_t run(demo_cluster_t *self, bool *holds)
{
    recovery_proof_t proof;
    printf("A cluster of three members on this machine, and a client that sends it %" PRIu64
           " orders a\nsecond for %" PRIu64
           " seconds. Nothing is answered before most members have it.\n\n",
           self->scene->rate, self->scene->seconds);
    (void)subcommand_flush();
    oc_err_t err = start(self);
    if (err == OC_ERR_OK)
        err = demo_scene_start_load(self->scene, local_cluster_folder(self->cluster)->ingress);
    if (err == OC_ERR_OK)
        err = kill_leader(self);
    if (err == OC_ERR_OK)
        err = bring_back(self);
    if (err == OC_ERR_OK)
        err = finish(self, &proof);
    if (err == OC_ERR_OK)
        *holds = print_proof(self, &proof);
    return err;
}

int demo_cluster(demo_scene_t *scene)
{
    bool holds = false;
    demo_cluster_t self = {.scene = scene, .start_ns = clock_wall_ns()};
    scene->share = true;
    oc_err_t err = demo_scene_begin(scene);
    if (err == OC_ERR_OK)
        err = create(&self);
    if (err == OC_ERR_OK)
        err = run(&self, &holds);
    int status = holds ? 0 : EXIT_STATUS_FAILED;
    if (err != OC_ERR_OK)
        status = subcommand_failed();
    if (self.cluster && process_end_requested())
        local_cluster_interrupt(self.cluster, STOP_NS);
    local_cluster_destroy(self.cluster);
    demo_scene_end(scene);
    return status;
}
