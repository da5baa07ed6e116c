/*
 * What a member refuses, and says why: another cluster's module, a second service for a module or
 * a directory, no Java, no jar, a port that is taken; what a cluster tells a client of another
 * protocol version; and that it goes on after messages that claim to be longer than memory.
 */
#define _GNU_SOURCE
#include "lib/cluster_rig.h"
#include "lib/raw_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SKIPPED = 77, PATH_SIZE = 600, SAID_SIZE = 8192, LOOKS = 600 };

#define TOOL_NS INT64_C(60000000000)

/* Of a client from the future; the cluster speaks 0.3.0. */
#define FOREIGN_VERSION (INT32_C(9) << 16)

static cluster_rig_t rig; /* apart: its first member's driver and module run, and its service */
static child_process_t lonely; /* a member whose others are nowhere */

/* The member would start a module of its own, where nobody has its ports. */
static const char starts_module[] = "[cluster]\nmodule = start\ndriver = embedded\n"
                                    "member0 = 127.0.0.9:20001,127.0.0.9:20002,127.0.0.9:20003,"
                                    "127.0.0.9:20004,127.0.0.9:20005\n";

/* What it says of errors comes among its lines. */
static void start_member(child_process_t *member, const char *dir)
{
    char command[3 * PATH_SIZE];
    (void)snprintf(command, sizeof command,
                   "exec " OUTCRY_PROGRAM " member --id 0 --config %s/outcry.conf --dir %s 2>&1",
                   dir, dir);
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    assert_int_equal(child_process_start(member, argv, -1), OC_ERR_OK);
}

/* Runs a member to its end, which must be a refusal that has `part` in its words. */
static void assert_refused(const char *dir, const char *part)
{
    char said[SAID_SIZE] = "";
    char line[CHILD_LINE_MAX];
    int status = -1;
    child_process_t member;
    start_member(&member, dir);
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

/* A first member on 127.0.0.HOST, where nobody has its ports, with more lines of [cluster]. */
static void make_bare_dir(const char *name, unsigned host, const char *lines, char dir[PATH_SIZE])
{
    char path[PATH_SIZE + 32];
    (void)snprintf(dir, PATH_SIZE, "%s/%s", rig.dir, name);
    (void)snprintf(path, sizeof path, "%s/outcry.conf", dir);
    assert_int_equal(mkdir(dir, 0755), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "[cluster]\nmember0 = ");
    for (unsigned n = 1; n <= MEMBER_ENDPOINTS; n++)
        (void)fprintf(file, "127.0.0.%u:2000%u%s", host, n, n < MEMBER_ENDPOINTS ? "," : "\n");
    (void)fprintf(file, "%s", lines);
    assert_int_equal(fclose(file), 0);
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

/* The rig's driver has the ports of the first member; only the consensus port from the start. */
static void test_port_that_is_taken(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    char lines[500];
    (void)snprintf(lines, sizeof lines,
                   "[cluster]\nmodule = start\ndriver = embedded\n[node]\naeron_dir = %s/aeron\n",
                   rig.dir);
    make_dir("port", lines, dir);
    assert_refused(dir, "another process has the port of its consensus endpoint 127.0.0.1:");
}

/* Its archive takes the device for full, and records nothing: an end that nobody asked for. */
static void test_module_that_gives_up(void **state)
{
    (void)state;
    char dir[PATH_SIZE];
    make_bare_dir("full", 9, "low_space_bytes = 1125899906842624\n", dir);
    assert_refused(dir, "are wanted (a quarter of [cluster] low_space_bytes): the module has ended "
                        "(status 1): ended by itself: response for correlationId=");
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

/* ---- Lengths ---- */

enum { CONSENSUS_STREAM = 108, ARCHIVE_STREAM = 10, LENGTH_TIMES = 6, CONNECTS = 6, CLIENTS = 20 };

/* A message with lengths in it that whoever takes it believes at first. */
typedef struct stranger_message {
    const char *name;
    uint32_t endpoint;
    int32_t stream;
    uint16_t schema;
    uint16_t template_id;
    uint16_t channel; /* characters of a response channel that come before; 0: there is none */
} stranger_message_t;

static const stranger_message_t stranger_messages[] = {
    {"SessionConnectRequest", 0, CLUSTER_INGRESS_STREAM, 111, 3, 24},
    {"ChallengeResponse", 0, CLUSTER_INGRESS_STREAM, 111, 8, 0},
    {"BackupQuery", 1, CONSENSUS_STREAM, 111, 77, 24},
    {"AuthConnectRequest", 4, ARCHIVE_STREAM, 101, 58, 24},
};

static size_t put_message(const stranger_message_t *self, uint32_t length, uint8_t bytes[256])
{
    const uint16_t header[4] = {16, self->template_id, self->schema, 0};
    const uint32_t channel = self->channel;
    size_t size = 8 + 16;
    memset(bytes, 0, 256);
    memcpy(bytes, header, sizeof header);
    if (channel > 0) {
        memcpy(bytes + size, &channel, sizeof channel);
        memcpy(bytes + size + 4, "aeron:udp?endpoint=x.y:1", channel);
        size += 4 + channel;
    }
    memcpy(bytes + size, &length, sizeof length);
    return size + 4;
}

static aeron_exclusive_publication_t *publish(raw_client_t *client, const char *address,
                                              int32_t stream)
{
    aeron_async_add_exclusive_publication_t *async;
    aeron_exclusive_publication_t *publication = NULL;
    char channel[128];
    (void)snprintf(channel, sizeof channel, "aeron:udp?endpoint=%s|term-length=64k", address);
    assert_int_equal(aeron_async_add_exclusive_publication(&async, embedded_aeron(client->embedded),
                                                           channel, stream),
                     0);
    for (int i = 0; i < LOOKS * 100 && publication == NULL; i++) {
        assert_true(aeron_async_add_exclusive_publication_poll(&publication, async) >= 0);
        raw_client_poll(client);
        cluster_rig_listen(&rig, 1);
    }
    assert_non_null(publication);
    return publication;
}

/* More often than the JVM has errors with a stack trace made beforehand. */
static void send_lengths(raw_client_t *client, const stranger_message_t *message, uint32_t member)
{
    static const uint32_t lengths[] = {0x7fffffff, 0x80000000, 0x10000000};
    aeron_exclusive_publication_t *publication =
        publish(client, cluster_rig_endpoint(&rig, member, message->endpoint), message->stream);
    print_message("%s to member %u\n", message->name, member);
    for (int i = 0; i < LENGTH_TIMES * 3; i++) {
        uint8_t bytes[256];
        const size_t size = put_message(message, lengths[i % 3], bytes);
        int looks = 0;
        while (aeron_exclusive_publication_offer(publication, bytes, size, NULL, NULL) < 0) {
            assert_true(looks++ < LOOKS * 100);
            raw_client_poll(client);
            cluster_rig_listen(&rig, 1);
        }
    }
    /* Taken, not only sent. */
    const int64_t end = aeron_exclusive_publication_position(publication);
    for (int i = 0; i < LOOKS; i++) {
        raw_client_poll(client);
        cluster_rig_listen(&rig, 1);
    }
    assert_true(end > 0);
    (void)aeron_exclusive_publication_close(publication, NULL, NULL);
}

static void test_lengths_beyond_memory(void **state)
{
    (void)state;
    static raw_client_t client;
    const uint32_t leader = cluster_rig_leader(&rig);
    raw_client_init(&client, listen_on, &rig);
    for (size_t i = 0; i < sizeof stranger_messages / sizeof stranger_messages[0]; i++)
        send_lengths(&client, &stranger_messages[i], leader);
    for (uint32_t i = 0; i < CLUSTER_RIG_MEMBERS; i++)
        assert_false(cluster_rig_said(&rig, i, "module: fatal:"));
    assert_true(cluster_rig_said(&rig, leader, "OutOfMemoryError: Requested array size"));
    /* Big allocations take time, so that another one may lead by now. */
    int tries = 0;
    while (!raw_client_connect(&client, cluster_rig_endpoint(&rig, cluster_rig_leader(&rig), 0),
                               "late"))
        if (++tries == CONNECTS)
            cluster_rig_fail(&rig, "nobody is let in any more: %s", client.detail);
    raw_client_fini(&client);
}

/* More than the ten that Aeron lets in unless it is told otherwise. */
static void test_many_clients(void **state)
{
    (void)state;
    static raw_client_t clients[CLIENTS];
    const uint32_t leader = cluster_rig_leader(&rig);
    for (int i = 0; i < CLIENTS; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "client%d", i);
        raw_client_init(&clients[i], listen_on, &rig);
        if (!raw_client_connect(&clients[i], cluster_rig_endpoint(&rig, leader, 0), name))
            fail_msg("client %d is not let in: %s", i, clients[i].detail);
    }
    for (int i = 0; i < CLIENTS; i++)
        raw_client_fini(&clients[i]);
}

/* Two others are not there; it was started long before, so that its limit passes meanwhile. */
static void begin_lonely(void)
{
    char dir[PATH_SIZE];
    make_bare_dir("lonely", 10,
                  "member1 = 127.0.0.10:20011,127.0.0.10:20012,127.0.0.10:20013,127.0.0.10:20014,"
                  "127.0.0.10:20015\n"
                  "member2 = nowhere.invalid:1,127.0.0.10:20022,127.0.0.10:20023,127.0.0.10:20024,"
                  "127.0.0.10:20025\n"
                  "heartbeat_timeout_ms = 500\ncanvass_timeout_ms = 1000\n",
                  dir);
    start_member(&lonely, dir);
}

static void test_member_that_joins_nothing(void **state)
{
    (void)state;
    char line[CHILD_LINE_MAX];
    bool told = false;
    while (!told && child_process_line(&lonely, line, sizeof line, TOOL_NS) == OC_ERR_OK) {
        print_message("%s\n", line);
        told = strstr(line, "member 0 has joined no log for 1") != NULL;
    }
    assert_true(told);
    assert_true(child_process_running(&lonely));
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
    begin_lonely();
    return 0;
}

static int end(void **state)
{
    (void)state;
    int status = -1;
    child_process_signal(&lonely, SIGTERM);
    assert_int_equal(child_process_wait(&lonely, &status, TOOL_NS), OC_ERR_OK);
    assert_int_equal(status, 0);
    child_process_end(&lonely);
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
        cmocka_unit_test(test_port_that_is_taken),
        cmocka_unit_test(test_module_that_gives_up),
        cmocka_unit_test(test_client_of_another_version),
        cmocka_unit_test(test_many_clients),
        cmocka_unit_test(test_lengths_beyond_memory),
        cmocka_unit_test(test_member_that_joins_nothing),
    };
    return cluster_rig_possible() ? cmocka_run_group_tests(tests, begin, end) : SKIPPED;
}
