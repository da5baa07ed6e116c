/*
 * Kills parts of a cluster, in tests that differ in how often. Called by
 * test/integration/test_cluster_kills.c and its long form.
 *
 * One cluster serves all kills of a run: it is whole before each of them, and clients trade from
 * the first to the last. Order, members and moments come from a seed.
 */
#define _GNU_SOURCE
#include "lib/cluster_kill_run.h"

#include "base/cycle_clock.h"
#include "base/prng.h"
#include "host/control.h"
#include "lib/module_view.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define ASK_NS   INT64_C(5000000000)
#define ALONE_NS INT64_C(40000000000)

enum {
    SKIPPED = 77,
    RATE = 400,
    KILLS_MAX = 1024,
    QUIET_MS_MAX = 300,   /* between two kills */
    DOWN_MS = 1500,       /* of a follower, until it is started again */
    CATCH_UP_MS_MAX = 60, /* behind the recovery */
    IMAGE_LOOKS = 500,
    RECOVERY_LOOKS = 1000,
    SNAPSHOT_LOOKS = 20000,
    LOOK_NS = 100000,
    SNAPSHOT_NS_MAX = 5000000, /* from the first sight of it to the kill */
    ANSWERS = 8192,            /* bytes that clients get before the next kill */
};

/* Images all the time, and slowly, so that one is under way more often than not; the log keeps all,
 * since the proof reads it from its beginning. */
static const char lines[] = "[snapshot]\n"
                            "every_log_bytes = 65536\n"
                            "chain = 2\n"
                            "keep = 2\n"
                            "bytes_per_s_max = 2000000\n";

typedef struct kill_scene {
    cluster_kill_run_t *run;
    cluster_rig_t *rig;
    uint64_t random;
} kill_scene_t;

const char *cluster_kill_name(cluster_kill_t kind)
{
    static const char *const names[CLUSTER_KILL_KINDS] = {
        "member", "module", "image", "manifest", "catch-up", "service", "driver",
    };
    return names[kind];
}

static uint64_t below(kill_scene_t *self, uint64_t limit)
{
    return prng_next(&self->random) % limit;
}

static uint32_t follower(kill_scene_t *self)
{
    const uint32_t leader = cluster_rig_leader(self->rig);
    return (leader + 1 + (uint32_t)below(self, CLUSTER_RIG_MEMBERS - 1)) % CLUSTER_RIG_MEMBERS;
}

/* The leader every other time. */
static uint32_t victim(kill_scene_t *self, cluster_kill_t kind)
{
    return self->run->done[kind] % 2 == 0 ? cluster_rig_leader(self->rig) : follower(self);
}

/* ---- The kinds; each returns whether the moment was the right one ---- */

static bool kill_member(kill_scene_t *self)
{
    cluster_rig_kill(self->rig, victim(self, CLUSTER_KILL_MEMBER));
    return true;
}

/* The member must end by itself. */
static void await_end(kill_scene_t *self, uint32_t member)
{
    int status = 0;
    if (local_cluster_wait_end(self->rig->cluster, member, &status, ALONE_NS) != OC_ERR_OK)
        cluster_rig_fail(self->rig, "member %u goes on: %s", member, oc_err_context());
    if (status == 0)
        cluster_rig_fail(self->rig, "member %u ended as if all was well", member);
}

static bool kill_module(kill_scene_t *self)
{
    const uint32_t member = victim(self, CLUSTER_KILL_MODULE);
    cluster_rig_kill_module(self->rig, member);
    await_end(self, member);
    return true;
}

static bool captures(kill_scene_t *self, uint32_t member)
{
    char answer[2 * CONTROL_LINE_MAX];
    return control_request(cluster_rig_path(self->rig, member, NULL), "status", answer,
                           sizeof answer, ASK_NS) == OC_ERR_OK &&
           strstr(answer, "running=1") != NULL;
}

static bool kill_capturing(kill_scene_t *self)
{
    const uint32_t leader = cluster_rig_leader(self->rig);
    bool captured = false;
    for (int i = 0; i < IMAGE_LOOKS && !captured; i++) {
        captured = captures(self, leader);
        if (!captured)
            cluster_rig_listen(self->rig, 5);
    }
    cluster_rig_listen(self->rig, below(self, 20));
    captured = captured && captures(self, leader);
    cluster_rig_kill(self->rig, leader);
    return captured;
}

static bool kill_recording(kill_scene_t *self)
{
    const uint32_t leader = cluster_rig_leader(self->rig);
    module_view_t view;
    module_view_open(&view, self->rig, leader);
    if (!module_view_snapshot(&view))
        cluster_rig_fail(self->rig, "the leader's module takes no request for a snapshot");
    for (int i = 0; i < SNAPSHOT_LOOKS && !module_view_records(&view); i++)
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    (void)nanosleep(&(struct timespec){.tv_nsec = (long)below(self, SNAPSHOT_NS_MAX)}, NULL);
    const bool records = module_view_records(&view);
    cluster_rig_kill(self->rig, leader);
    module_view_close(&view);
    return records;
}

static local_member_state_t look(const kill_scene_t *self, uint32_t member)
{
    local_member_state_t state;
    local_cluster_state(self->rig->cluster, member, &state);
    return state;
}

/* It has the state that the module's replay goes on from. */
static bool has_recovered(const kill_scene_t *self, uint32_t member)
{
    const local_member_state_t state = look(self, member);
    return state.recovered_position > 0 || state.image > 0 || state.role != LOCAL_ROLE_NONE;
}

static bool kill_while_catching_up(kill_scene_t *self)
{
    const uint32_t late = follower(self);
    const uint32_t leader = cluster_rig_leader(self->rig);
    cluster_rig_put_down(self->rig, late);
    cluster_rig_listen(self->rig, DOWN_MS);
    cluster_rig_start_member(self->rig, late);
    for (int i = 0; i < RECOVERY_LOOKS && !has_recovered(self, late); i++)
        cluster_rig_listen(self->rig, 10);
    cluster_rig_listen(self->rig, below(self, CATCH_UP_MS_MAX));
    const bool catches_up = look(self, late).role == LOCAL_ROLE_NONE;
    cluster_rig_kill(self->rig, leader);
    return catches_up;
}

static bool kill_service(kill_scene_t *self)
{
    const uint32_t member = victim(self, CLUSTER_KILL_SERVICE);
    /* Half of those who watch over it wait until its module has noticed. */
    self->rig->members[member].patient = below(self, 2) == 0;
    cluster_rig_kill(self->rig, member);
    return true;
}

static bool kill_driver(kill_scene_t *self)
{
    const uint32_t member = victim(self, CLUSTER_KILL_DRIVER);
    cluster_rig_kill_driver(self->rig, member);
    await_end(self, member);
    return true;
}

static bool kill_one(kill_scene_t *self, cluster_kill_t kind)
{
    switch (kind) {
    case CLUSTER_KILL_MEMBER:
        return kill_member(self);
    case CLUSTER_KILL_MODULE:
        return kill_module(self);
    case CLUSTER_KILL_IMAGE:
        return kill_capturing(self);
    case CLUSTER_KILL_MANIFEST:
        return kill_recording(self);
    case CLUSTER_KILL_CATCH_UP:
        return kill_while_catching_up(self);
    case CLUSTER_KILL_SERVICE:
        return kill_service(self);
    case CLUSTER_KILL_DRIVER:
        return kill_driver(self);
    }
    return false;
}

/* ---- The run ---- */

bool cluster_kill_is_apart(cluster_kill_t kind)
{
    return kind == CLUSTER_KILL_SERVICE || kind == CLUSTER_KILL_DRIVER;
}

/* So many of each kind, in an order of the seed's. */
static size_t shuffle(kill_scene_t *self, cluster_kill_t kinds[KILLS_MAX])
{
    size_t count = 0;
    for (unsigned i = 0; i < self->run->kills; i++)
        for (int kind = 0; kind < CLUSTER_KILL_KINDS; kind++)
            if (self->run->apart == cluster_kill_is_apart((cluster_kill_t)kind)) {
                assert_true(count < KILLS_MAX);
                kinds[count++] = (cluster_kill_t)kind;
            }
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)below(self, i);
        const cluster_kill_t kind = kinds[i - 1];
        kinds[i - 1] = kinds[other];
        kinds[other] = kind;
    }
    return count;
}

static void kill_and_mend(kill_scene_t *self, cluster_kill_t kind)
{
    const uint64_t begin_ns = clock_wall_ns();
    cluster_rig_listen(self->rig, below(self, QUIET_MS_MAX));
    const bool hit = kill_one(self, kind);
    const uint64_t killed_ns = clock_wall_ns();
    self->run->done[kind]++;
    self->run->hits[kind] += hit;
    cluster_rig_whole(self->rig);
    const uint64_t whole_ns = clock_wall_ns();
    cluster_rig_trade_on(self->rig, ANSWERS);
    print_message("%7.2f s: %s%s after %.2f s, whole after %.2f s, trading after %.2f s\n",
                  (double)(begin_ns - self->rig->start_ns) / 1e9, cluster_kill_name(kind),
                  hit ? "" : " (missed)", (double)(killed_ns - begin_ns) / 1e9,
                  (double)(whole_ns - killed_ns) / 1e9,
                  (double)(clock_wall_ns() - killed_ns) / 1e9);
}

void cluster_kill_run(cluster_kill_run_t *self, cluster_rig_t *rig)
{
    cluster_kill_t kinds[KILLS_MAX];
    kill_scene_t scene = {.run = self, .rig = rig, .random = self->seed};
    const cluster_rig_config_t config = {.lines = lines, .apart = self->apart};
    const size_t count = shuffle(&scene, kinds);
    cluster_rig_make(rig, &config);
    cluster_rig_start(rig);
    cluster_rig_trade(rig, RATE);
    for (size_t i = 0; i < count; i++)
        kill_and_mend(&scene, kinds[i]);
    cluster_rig_end_trade(rig);
    cluster_rig_prove(rig, &self->proof);
    print_message("%.1f s in all\n", (double)(clock_wall_ns() - rig->start_ns) / 1e9);
}

/* ---- The tests ---- */

static cluster_kill_check_t *the_check;
static cluster_rig_t the_rig;

static void run_check(bool apart)
{
    const char *text = getenv("OUTCRY_SEED");
    the_check(&the_rig, text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL), apart);
}

static void test_together(void **state)
{
    (void)state;
    run_check(false);
}

static void test_apart(void **state)
{
    (void)state;
    run_check(true);
}

static int remove_rig(void **state)
{
    (void)state;
    cluster_rig_remove(&the_rig);
    return 0;
}

int cluster_kill_main(cluster_kill_check_t *check)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_together, remove_rig),
        cmocka_unit_test_teardown(test_apart, remove_rig),
    };
    the_check = check;
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
