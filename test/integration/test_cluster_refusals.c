/*
 * What a member refuses, and says why: another cluster's module, a second service for a module or
 * a directory, no Java, no jar; and what a cluster tells a client of another protocol version.
 */
#define _GNU_SOURCE
#include "lib/cluster_rig.h"
#include "lib/raw_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SKIPPED = 77, PATH_SIZE = 600, SAID_SIZE = 8192, LOOKS = 600 };

#define TOOL_NS INT64_C(60000000000)

/* Of a client from the future; the cluster speaks 0.3.0. */
#define FOREIGN_VERSION (INT32_C(9) << 16)

static cluster_rig_t rig; /* apart: its first member's driver and module run, and its service */

/* Runs a member to its end, which must be a refusal that has `part` in its words. */
static void assert_refused(const char *dir, const char *part)
{
    char command[2 * PATH_SIZE];
    char said[SAID_SIZE] = "";
    char line[CHILD_LINE_MAX];
    int status = -1;
    child_process_t member;
    (void)snprintf(command, sizeof command,
                   "exec " OUTCRY_PROGRAM " member --id 0 --config %s/outcry.conf --dir %s 2>&1",
                   dir, dir);
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    assert_int_equal(child_process_start(&member, argv, -1), OC_ERR_OK);
    while (child_process_line(&member, line, sizeof line, TOOL_NS) == OC_ERR_OK)
        (void)snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
    const oc_err_t err = child_process_wait(&member, &status, TOOL_NS);
    child_process_end(&member);
    print_message("%s", said);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(status, 1);
    if (strstr(said, part) == NULL)
        fail_msg("it does not say: %s", part);
}

/* Whether `lines` give the key of a line a value. */
static bool gives(const char *lines, const char *line)
{
    char key[64];
    const size_t length = strcspn(line, "=");
    if (line[length] != '=' || length >= sizeof key - 2)
        return false;
    (void)snprintf(key, sizeof key, "\n%.*s=", (int)length, line);
    return strstr(lines, key) != NULL;
}

/* A directory beside the rig's, with the first member's configuration but for what `lines`, which
 * begin with a section, say anew. */
static void make_dir(const char *name, const char *lines, char dir[PATH_SIZE])
{
    char path[PATH_SIZE + 32];
    char line[1024];
    (void)snprintf(dir, PATH_SIZE, "%s/%s", rig.dir, name);
    assert_int_equal(mkdir(dir, 0755), 0);
    FILE *from = fopen(cluster_rig_path(&rig, 0, "outcry.conf"), "r");
    assert_non_null(from);
    (void)snprintf(path, sizeof path, "%s/outcry.conf", dir);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    while (fgets(line, sizeof line, from) != NULL)
        if (!gives(lines, line))
            (void)fprintf(to, "%s", line);
    (void)fprintf(to, "%s", lines);
    assert_int_equal(fclose(from), 0);
    assert_int_equal(fclose(to), 0);
}

static void test_second_in_directory(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    (void)snprintf(dir, sizeof dir, "%s/cluster/m0", rig.dir);
    assert_refused(dir, "another member runs in this directory");
}

static void test_second_service_of_module(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    make_dir("second", "", dir);
    assert_refused(dir, "has its service already");
}

static void test_other_cluster(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    make_dir("other", "[cluster]\ncluster_id = 7\n", dir);
    assert_refused(dir, "is of cluster 0, and this member is of cluster 7");
}

/* The member would start a module of its own. */
static const char starts_module[] = "[cluster]\nmodule = start\ndriver = embedded\n";

static void test_no_java(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    char lines[500];
    (void)snprintf(lines, sizeof lines,
                   "%sjava = /nonexistent/java\n[node]\naeron_dir = %s/aeron\n", starts_module,
                   rig.dir);
    make_dir("no-java", lines, dir);
    assert_refused(dir, "/nonexistent/java");
}

static void test_no_jar(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    char lines[500];
    (void)snprintf(lines, sizeof lines, "%sjar = /nonexistent.jar\n[node]\naeron_dir = %s/aeron\n",
                   starts_module, rig.dir);
    make_dir("no-jar", lines, dir);
    assert_refused(dir, "/nonexistent.jar");
}

static void listen_on(void *context)
{
    cluster_rig_listen(context, 1);
}

static void test_client_of_another_version(void **state)
{
    (void)state;
    static raw_client_t client;
    for (uint32_t i = 1; i < CLUSTER_RIG_MEMBERS; i++)
        cluster_rig_start_member(&rig, i);
    cluster_rig_whole(&rig);
    const uint32_t leader = cluster_rig_leader(&rig);
    raw_client_init(&client, listen_on, &rig);
    assert_true(raw_client_attach(&client, cluster_rig_endpoint(&rig, leader, 0)));
    const cluster_message_t message = {
        .type = CLUSTER_CONNECT_REQUEST,
        .correlation_id = ++client.correlation,
        .version = FOREIGN_VERSION,
        .response_stream = CLUSTER_EGRESS_STREAM,
        .text = {client.response_channel, (uint32_t)strlen(client.response_channel)},
    };
    assert_true(raw_client_send(&client, &message));
    assert_true(raw_client_until(&client, &client.events[CLUSTER_EVENT_ERROR], 1, 20));
    print_message("%s\n", client.detail);
    assert_non_null(strstr(client.detail, "invalid client version"));
    raw_client_fini(&client);
}

static int begin(void **state)
{
    (void)state;
    const cluster_rig_config_t config = {.apart = true};
    cluster_rig_make(&rig, &config);
    /* Nobody is killed here: a driver may take its usual time. */
    assert_int_equal(unsetenv("AERON_CLIENT_LIVENESS_TIMEOUT"), 0);
    assert_int_equal(unsetenv("AERON_DRIVER_TIMEOUT"), 0);
    cluster_rig_start_member(&rig, 0);
    for (int i = 0; i < LOOKS && !cluster_rig_said(&rig, 0, "recovered:"); i++)
        cluster_rig_listen(&rig, 100);
    assert_true(cluster_rig_said(&rig, 0, "recovered:")); /* it has its locks */
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
        cmocka_unit_test(test_second_in_directory),
        cmocka_unit_test(test_second_service_of_module),
        cmocka_unit_test(test_other_cluster),
        cmocka_unit_test(test_no_java),
        cmocka_unit_test(test_no_jar),
        cmocka_unit_test(test_client_of_another_version),
    };
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, begin, end) : SKIPPED;
}
