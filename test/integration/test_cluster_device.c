/*
 * A follower whose device takes nothing any more, in a real cluster: the file size limit of its
 * module's process stands for it. The follower says so and ends; clients go on, and a start brings
 * it back.
 */
#define _GNU_SOURCE
#include "lib/cluster_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sys/resource.h>

enum { SKIPPED = 77, RATE = 400, LIMIT = 64 * 1024, LOOKS = 3000 };

static cluster_rig_t rig;

static uint32_t a_follower(void)
{
    return (cluster_rig_leader(&rig) + 1) % CLUSTER_RIG_MEMBERS;
}

/* Beyond the limit in its recording, and not yet in its module.log, which is to say why. */
static void await_position(uint32_t member)
{
    for (int i = 0; cluster_rig_state(&rig, member).position < 2 * LIMIT; i++) {
        if (i == LOOKS)
            cluster_rig_fail(&rig, "the log does not grow");
        cluster_rig_listen(&rig, 20);
    }
}

static void a_follower_that_cannot_record(void **state)
{
    (void)state;
    recovery_proof_t proof;
    struct rlimit limit;
    cluster_rig_start(&rig);
    cluster_rig_trade(&rig, RATE);
    const uint32_t follower = a_follower();
    await_position(follower);
    const pid_t module =
        (pid_t)cluster_folder_module_pid(local_cluster_folder(rig.cluster), follower);
    assert_true(module > 1);
    rig.members[follower].hurt = true;
    assert_int_equal(prlimit(module, RLIMIT_FSIZE, NULL, &limit), 0);
    limit.rlim_cur = LIMIT;
    assert_int_equal(prlimit(module, RLIMIT_FSIZE, &limit, NULL), 0);
    for (int i = 0; !cluster_rig_said(&rig, follower, "module: fatal: "); i++) {
        if (i == LOOKS)
            cluster_rig_fail(&rig, "the module goes on with a device that takes nothing");
        cluster_rig_listen(&rig, 20);
    }
    assert_true(cluster_rig_said(&rig, follower, "File too large"));
    cluster_rig_trade_on(&rig, 100000); /* no client waits for it */
    cluster_rig_whole(&rig);
    cluster_rig_end_trade(&rig);
    cluster_rig_prove(&rig, &proof);
}

static int begin(void **state)
{
    (void)state;
    const cluster_rig_config_t config = {0};
    cluster_rig_make(&rig, &config);
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
        cmocka_unit_test(a_follower_that_cannot_record),
    };
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, begin, end) : SKIPPED;
}
