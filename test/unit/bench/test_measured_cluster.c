/*
 * The folder and the configuration of a cluster to measure; nothing is started here
 * (test/system/test_bench_cluster.sh runs one).
 */
#define _GNU_SOURCE
#include "bench/measured_cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster/member_config.h"
#include "lib/temp_dir.h"

static cluster_terms_t some(const char *dir)
{
    return (cluster_terms_t){.dir = dir,
                             .members = 3,
                             .orders = 8000,
                             .rate_per_s = 100,
                             .rounds = 1,
                             .sync_level = 2,
                             .heartbeat_ms = 1500,
                             .election_ms = 400,
                             .heap_mb = 300,
                             .gc = "G1GC",
                             .idle = "yield"};
}

static void test_configuration(void **state)
{
    (void)state;
    temp_dir_t dir;
    measured_cluster_t cluster;
    member_config_t config;
    char path[CLUSTER_FOLDER_PATH];
    temp_dir_make(&dir);
    const cluster_terms_t terms = some(dir.path);
    if (measured_cluster_init(&cluster, &terms) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_int_equal(strncmp(measured_cluster_ingress(&cluster), "0=127.0.0.1:", 12), 0);
    for (uint32_t i = 0; i < terms.members; i++) {
        char aeron_dir[128];
        cluster_folder_file(local_cluster_folder(cluster.cluster), i, "outcry.conf", path);
        member_config_init(&config);
        assert_int_equal(member_config_read_part(&config, path), OC_ERR_OK);
        assert_int_equal(config.sync_level, 2);
        assert_int_equal(config.heartbeat_timeout_ms, 1500);
        assert_int_equal(config.election_timeout_ms, 400);
        assert_string_equal(config.idle, "yield");
        assert_int_equal(config.node.idle, NODE_IDLE_YIELD);
        assert_int_equal(config.snapshot, MEMBER_SNAPSHOT_MANIFEST);
        assert_non_null(strstr(config.jvm_flags, "-XX:+UseG1GC -Xms300m -Xmx300m "));
        assert_int_equal(measured_cluster_aeron_dir(&cluster, i, aeron_dir, sizeof aeron_dir),
                         OC_ERR_OK);
    }
    measured_cluster_fini(&cluster);
    assert_int_equal(rmdir(dir.path), 0); /* empty again */
}

static void test_flags(void **state)
{
    (void)state;
    const cluster_terms_t terms = some("d");
    char flags[512];
    cluster_terms_jvm_flags(&terms, flags, sizeof flags);
    assert_int_equal(strncmp(flags, "-XX:+UseG1GC -Xms300m -Xmx300m -XX:", 35), 0);
}

static void test_impossible(void **state)
{
    (void)state;
    measured_cluster_t cluster;
    const cluster_terms_t terms = some("/nowhere/folder");
    assert_int_equal(measured_cluster_init(&cluster, &terms), OC_ERR_OPEN);
    measured_cluster_fini(&cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
