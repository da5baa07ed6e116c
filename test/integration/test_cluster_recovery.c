/*
 * What a cluster of real members survives besides kills: images gone or damaged, a member wiped,
 * all of them killed at once, a follower that is slow, clients that are stuck or vanish, snapshots
 * asked for in the middle of an election, and the official ClusterBackup as what is left of it.
 *
 * One cluster and its clients go through all of it, test after test; each leaves it whole. At the
 * end nothing acknowledged was lost or doubled, and all members are in one state. Then clusters of
 * one are started from the backups.
 */
#define _GNU_SOURCE
#include "aeron/driver_leftovers.h"
#include "base/cycle_clock.h"
#include "base/storage.h"
#include "bench/cluster_proof.h"
#include "lib/cluster_place.h"
#include "lib/cluster_restore.h"
#include "lib/cluster_rig.h"
#include "lib/module_view.h"
#include "snapshot/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    RATE = 400,
    SKIPPED = 77,
    ANSWERS = 32768, /* bytes that clients get before it counts as trading on */
    BURSTS = 8,
    STOPPED_MS = 300,
    LOOKS = 500,
    PATH_SIZE = 4200,
};

#define TOOL_NS INT64_C(150000000000)

static const char lines[] = "[snapshot]\n"
                            "every_log_bytes = 128K\n"
                            "chain = 2\n"
                            "keep = 3\n";

static cluster_rig_t rig;
static cluster_restore_t restore;
static uint64_t backup_position;
static uint64_t end_position; /* where all members were at the end, and in which state */
static uint64_t end_state_hash;

static uint32_t a_follower(void)
{
    return (cluster_rig_leader(&rig) + 1) % CLUSTER_RIG_MEMBERS;
}

static void start_again(uint32_t member)
{
    cluster_rig_start_member(&rig, member);
    cluster_rig_whole(&rig);
    cluster_rig_trade_on(&rig, ANSWERS);
}

/* ---- Images ---- */

/* Sequence of the newest image; 0: there is none. */
static uint64_t newest_image(uint32_t member)
{
    image_store_t *store;
    const image_store_config_t config = {.dir = cluster_rig_path(&rig, member, NULL),
                                         .storage = storage_device(),
                                         .read_only = true,
                                         .keep = 1};
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    const uint64_t sequence = image_store_count(store) > 0 ? image_store_at(store, 0)->sequence : 0;
    image_store_close(store);
    return sequence;
}

static void image_path(uint32_t member, uint64_t sequence, const char *ending, char *path)
{
    (void)snprintf(path, PATH_SIZE, "%s/%016" PRIx64 "%s", cluster_rig_path(&rig, member, "images"),
                   sequence, ending);
}

/* A follower that has some images, and does not run. */
static uint32_t put_down_with_images(uint64_t *newest)
{
    const uint32_t member = a_follower();
    for (int i = 0; i < LOOKS && newest_image(member) < 3; i++)
        cluster_rig_listen(&rig, 50);
    cluster_rig_put_down(&rig, member);
    *newest = newest_image(member);
    assert_true(*newest >= 3);
    return member;
}

static void test_newest_image_deleted(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    uint64_t newest;
    const uint32_t member = put_down_with_images(&newest);
    image_path(member, newest, ".manifest", path);
    assert_int_equal(unlink(path), 0);
    image_path(member, newest, ".pages", path);
    assert_int_equal(unlink(path), 0);
    const uint64_t older = newest_image(member);
    start_again(member);
    assert_true(older > 0);
    assert_int_equal(cluster_rig_state(&rig, member).image, older);
}

static void test_newest_image_damaged(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    struct stat info;
    uint8_t byte;
    uint64_t newest;
    const uint32_t member = put_down_with_images(&newest);
    image_path(member, newest, ".pages", path);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &info), 0);
    assert_int_equal(pread(fd, &byte, 1, info.st_size / 2), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, info.st_size / 2), 1);
    assert_int_equal(close(fd), 0);
    start_again(member);
    const uint64_t image = cluster_rig_state(&rig, member).image;
    assert_true(image > 0);
    assert_true(image < newest);
}

/* ---- A member that has lost everything ---- */

static void test_wiped(void **state)
{
    (void)state;
    const uint32_t member = a_follower();
    cluster_rig_put_down(&rig, member);
    cluster_place_wipe(rig.cluster, member);
    start_again(member);
    assert_int_equal(cluster_rig_state(&rig, member).image, 0);
}

static void take_snapshot(void)
{
    const uint32_t leader = cluster_rig_leader(&rig);
    const uint64_t before = cluster_rig_state(&rig, leader).snapshots;
    const char *const argv[] = {
        OUTCRY_PROGRAM, "cluster", "snapshot", "--dir", cluster_rig_path(&rig, leader, NULL), NULL};
    cluster_rig_tool(&rig, argv, 0, TOOL_NS);
    assert_int_equal(cluster_rig_state(&rig, leader).snapshots, before + 1);
}

static void test_seeded(void **state)
{
    (void)state;
    char from[PATH_SIZE];
    char to[PATH_SIZE];
    take_snapshot();
    const uint32_t member = a_follower();
    cluster_rig_put_down(&rig, member);
    cluster_place_wipe(rig.cluster, member);
    (void)snprintf(from, sizeof from, "%s", cluster_rig_path(&rig, cluster_rig_leader(&rig), NULL));
    (void)snprintf(to, sizeof to, "%s", cluster_rig_path(&rig, member, NULL));
    const char *const argv[] = {OUTCRY_PROGRAM, "cluster", "seed", "--from",
                                from,           "--to",    to,     NULL};
    cluster_rig_tool(&rig, argv, 0, TOOL_NS);
    start_again(member);
    assert_true(cluster_rig_state(&rig, member).image > 0);
}

/* ---- Slow, stuck, vanished ---- */

static void test_slow_follower(void **state)
{
    (void)state;
    const uint32_t member = a_follower();
    const uint32_t leader = cluster_rig_leader(&rig);
    for (int i = 0; i < BURSTS; i++) {
        local_cluster_signal(rig.cluster, member, SIGSTOP);
        cluster_rig_listen(&rig, STOPPED_MS);
        local_cluster_signal(rig.cluster, member, SIGCONT);
        cluster_rig_listen(&rig, STOPPED_MS / 2);
    }
    cluster_rig_trade_on(&rig, ANSWERS);
    cluster_rig_whole(&rig);
    assert_int_equal(cluster_rig_leader(&rig), leader);
}

/* Another client, which trades with the others in their instrument. */
static void start_other(child_process_t *other, const char *source)
{
    char log[PATH_SIZE];
    struct stat info = {0};
    (void)snprintf(log, sizeof log, "%s/responses-%s", rig.dir, source);
    const char *const argv[] = {OUTCRY_PROGRAM,
                                "load",
                                "--ingress",
                                local_cluster_folder(rig.cluster)->ingress,
                                "--rate",
                                "200",
                                "--seconds",
                                "900",
                                "--resting",
                                "1000",
                                "--source",
                                source,
                                "--idle",
                                "sleep",
                                "--log",
                                log,
                                NULL};
    assert_int_equal(child_process_start(other, argv, -1), OC_ERR_OK);
    for (int i = 0; i < LOOKS && info.st_size < ANSWERS; i++) {
        cluster_rig_listen(&rig, 20);
        (void)stat(log, &info);
    }
    assert_true(info.st_size >= ANSWERS);
}

static void test_stuck_and_vanished_client(void **state)
{
    (void)state;
    child_process_t other;
    int status;
    start_other(&other, "201");
    const long pid = other.pid;
    child_process_signal(&other, SIGSTOP); /* fills of its orders go on coming */
    cluster_rig_trade_on(&rig, ANSWERS);
    cluster_rig_trade_on(&rig, ANSWERS);
    child_process_signal(&other, SIGKILL);
    cluster_rig_trade_on(&rig, ANSWERS);
    assert_int_equal(child_process_wait(&other, &status, TOOL_NS), OC_ERR_OK);
    child_process_end(&other);
    driver_leftovers_remove(pid);
    cluster_rig_whole(&rig);
}

/* ---- A snapshot in the middle of an election ---- */

/* Whoever leads next is asked as soon as it takes requests, again and again. */
static void test_snapshot_in_election(void **state)
{
    (void)state;
    const uint32_t leader = cluster_rig_leader(&rig);
    module_view_t views[CLUSTER_RIG_MEMBERS];
    unsigned asked = 0;
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
        if (i != leader)
            module_view_open(&views[i], &rig, i);
    cluster_rig_kill(&rig, leader);
    for (int n = 0; n < 2 * LOOKS; n++) {
        for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
            if (i != leader)
                asked += module_view_snapshot(&views[i]);
        cluster_rig_listen(&rig, 5);
    }
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
        if (i != leader)
            module_view_close(&views[i]);
    assert_true(asked > 0);
    cluster_rig_whole(&rig);
    cluster_rig_trade_on(&rig, ANSWERS);
}

/* ---- Backups ---- */

static void backup(const char *name, const char *replay_start, uint64_t position)
{
    char dir[PATH_SIZE];
    char endpoints[512];
    char number[32];
    size_t used = 0;
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
        used += (size_t)snprintf(endpoints + used, sizeof endpoints - used, "%s%s",
                                 i > 0 ? "," : "", cluster_rig_endpoint(&rig, i, 1));
    (void)snprintf(number, sizeof number, "%" PRIu64, position);
    (void)snprintf(dir, sizeof dir, "%s/%s", rig.dir, name);
    assert_int_equal(mkdir(dir, 0755), 0);
    const char *const argv[] = {OUTCRY_SOURCE_DIR "/tools/java/run",
                                "JavaClusterBackup",
                                dir,
                                endpoints,
                                number,
                                replay_start,
                                NULL};
    cluster_rig_tool(&rig, argv, 0, TOOL_NS);
}

/* The log from its beginning, and a manifest that says which state it leads to. */
static void test_backup_from_beginning(void **state)
{
    (void)state;
    take_snapshot();
    backup_position = cluster_rig_state(&rig, 0).position;
    backup("beginning", "BEGINNING", backup_position);
}

/* ---- All at once, and the end ---- */

static bool is_there(uint32_t member, const char *name)
{
    return access(cluster_rig_path(&rig, member, name), F_OK) == 0;
}

/* From here on official snapshots hold the state itself. */
static void test_all_killed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
        cluster_rig_kill(&rig, i);
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++) {
        FILE *file = fopen(cluster_rig_path(&rig, i, "outcry.conf"), "a");
        assert_non_null(file);
        (void)fprintf(file, "\n[cluster]\nsnapshot = archive\n");
        assert_int_equal(fclose(file), 0);
        /* What looks like a module that lives. */
        assert_true(is_there(i, "cluster/cluster-mark.dat"));
        assert_true(is_there(i, "archive/archive-mark.dat"));
    }
    cluster_rig_whole(&rig);
    cluster_rig_trade_on(&rig, ANSWERS);
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
        assert_true(cluster_rig_state(&rig, i).image > 0);
}

/* A session of a client that connected anew stays open until it times out, and that changes the
 * state: who restores the snapshot would close it later than the members here. */
static void wait_sessions_end(void)
{
    const uint64_t deadline = clock_wall_ns() + UINT64_C(60000000000);
    while (cluster_rig_state(&rig, 0).sessions > CLUSTER_RIG_MEMBERS) {
        assert_true(clock_wall_ns() < deadline);
        cluster_rig_listen(&rig, 50);
    }
}

static void test_nothing_was_lost(void **state)
{
    (void)state;
    member_state_t states[MEMBER_COUNT_MAX];
    recovery_proof_t proof;
    cluster_rig_end_trade(&rig);
    wait_sessions_end();
    take_snapshot();
    cluster_rig_settle(&rig, states);
    end_position = states[0].position;
    end_state_hash = states[0].state_hash;
    backup("latest", "LATEST_SNAPSHOT", end_position);
    cluster_rig_prove(&rig, &proof);
    assert_true(proof.acknowledged > 1000);
}

/* A cluster of one on what the backup has: the state is what the log leads to. */
static void test_restored_from_beginning(void **state)
{
    (void)state;
    member_state_t restored;
    recovery_log_end_t replayed;
    cluster_restore_start(&restore, &rig, "beginning", &restored);
    assert_true(restored.position > backup_position);
    assert_int_equal(cluster_proof_end(restore.dir, restored.position, &replayed), OC_ERR_OK);
    assert_int_equal(replayed.position, restored.position);
    assert_int_equal(replayed.state_hash, restored.state_hash);
    cluster_restore_stop(&restore);
}

/* Its clients had gone before, so that what a new leader closes is nobody's. */
static void test_restored_from_snapshot(void **state)
{
    (void)state;
    member_state_t restored;
    cluster_restore_start(&restore, &rig, "latest", &restored);
    assert_true(restored.position > end_position);
    assert_int_equal(restored.state_hash, end_state_hash);
    cluster_restore_stop(&restore);
}

static int end_restored(void **state)
{
    (void)state;
    cluster_restore_remove(&restore);
    return 0;
}

static int begin(void **state)
{
    (void)state;
    const cluster_rig_config_t config = {.lines = lines};
    cluster_rig_make(&rig, &config);
    cluster_rig_start(&rig);
    cluster_rig_trade(&rig, RATE);
    return 0;
}

static int end(void **state)
{
    (void)state;
    cluster_rig_remove(&rig);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest_image_deleted),
        cmocka_unit_test(test_newest_image_damaged),
        cmocka_unit_test(test_wiped),
        cmocka_unit_test(test_slow_follower),
        cmocka_unit_test(test_stuck_and_vanished_client),
        cmocka_unit_test(test_snapshot_in_election),
        cmocka_unit_test(test_seeded),
        cmocka_unit_test(test_backup_from_beginning),
        cmocka_unit_test(test_all_killed),
        cmocka_unit_test(test_nothing_was_lost),
        cmocka_unit_test_teardown(test_restored_from_beginning, end_restored),
        cmocka_unit_test_teardown(test_restored_from_snapshot, end_restored),
    };
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, begin, end) : SKIPPED;
}
