/*
 * The keys of [cluster]: defaults, what is printed reads back, what does not go together is
 * refused, and the members as others want them listed. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/member_config.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>

#define ENDPOINTS(n)                                                                               \
    "10.0.0." n ":1,"                                                                              \
    "10.0.0." n ":2,"                                                                              \
    "10.0.0." n ":3,"                                                                              \
    "10.0.0." n ":4,"                                                                              \
    "10.0.0." n ":5"

static void set(char *target, const char *text)
{
    (void)snprintf(target, NODE_TEXT_MAX, "%s", text);
}

static member_config_t valid(void)
{
    member_config_t config;
    member_config_init(&config);
    set(config.node.dir, "x");
    set(config.members[0], ENDPOINTS("1"));
    set(config.members[1], ENDPOINTS("2"));
    set(config.members[2], ENDPOINTS("3"));
    config.id = 2;
    return config;
}

static void defaults(void **state)
{
    (void)state;
    member_config_t config = valid();
    assert_int_equal(member_config_check(&config), OC_ERR_OK);
    assert_int_equal(config.node.driver, NODE_DRIVER_SHARED);
    assert_int_equal(config.heartbeat_timeout_ms, 10000);
    assert_int_equal(config.snapshot, MEMBER_SNAPSHOT_MANIFEST);
    assert_int_equal(member_config_count(&config), 3);
    member_config_init(&config);
    assert_int_equal(member_config_count(&config), 0);
}

static char printed[32768];

/* Prints it, with a key of a service's own, and reads that into another one. */
static void pass(const member_config_t *from, member_config_t *to, uint64_t *more)
{
    const node_config_key_t extra = {.section = "exchange",
                                     .name = "max_orders",
                                     .number = more,
                                     .low = 1,
                                     .high = 1000,
                                     .help = "orders"};
    temp_file_t file;
    temp_file_make(&file);
    FILE *out = fopen(file.path, "w");
    assert_non_null(out);
    member_config_print(from, &extra, 1, out);
    assert_int_equal(fclose(out), 0);
    printed[temp_file_read(&file, printed, sizeof printed - 1)] = '\0';
    *more = 1;
    assert_int_equal(member_config_read(to, file.path, &extra, 1), OC_ERR_OK);
    assert_string_equal(to->node.file, file.path); /* is no key either */
    memset(to->node.file, 0, sizeof to->node.file);
    temp_file_remove(&file);
}

static void change_all(member_config_t *config)
{
    *config = valid();
    config->node.dir[0] = '\0'; /* is no key */
    config->node.idle = NODE_IDLE_SPIN;
    config->node.max_sessions = 9;
    config->node.snapshot_keep = 5;
    config->cluster_id = 77;
    set(config->members[8], "not:checked:by:reading");
    config->module = MEMBER_MODULE_ATTACH;
    config->driver = MEMBER_DRIVER_EXTERNAL;
    config->snapshot = MEMBER_SNAPSHOT_ARCHIVE;
    set(config->java, "/opt/java/bin/java");
    set(config->jar, "some.jar");
    for (size_t i = 0; i + 1 < sizeof config->jvm_flags; i++) /* as long as can be */
        config->jvm_flags[i] = "-XX:+Use "[i % 9];
    set(config->idle, "yield");
    config->sync_level = 2;
    config->archive_segment_bytes = 65536;
    config->heartbeat_timeout_ms = 101;
    config->election_timeout_ms = 102;
    config->canvass_timeout_ms = 203;
    config->low_space_bytes = 1;
    set(config->log_channel, "aeron:udp?term-length=64k");
    set(config->ingress_channel, "aeron:udp?mtu=1408");
}

static void print_reads_back(void **state)
{
    (void)state;
    member_config_t from;
    member_config_t to;
    uint64_t more = 77;
    member_config_init(&from);
    member_config_init(&to);
    pass(&from, &to, &more);
    assert_int_equal(more, 77);
    assert_memory_equal(&from, &to, sizeof from);
    change_all(&from);
    pass(&from, &to, &more);
    assert_memory_equal(&from, &to, sizeof from);
}

/* What only a node has is read, and not printed. */
static void sections(void **state)
{
    (void)state;
    static const char text[] = "[journal]\nsync = none\n[node]\ningress = 1.2.3.4:5\n[cluster]\n";
    member_config_t from = valid();
    member_config_t to;
    uint64_t more = 2;
    pass(&from, &to, &more);
    assert_null(strstr(printed, "[journal]"));
    assert_null(strstr(printed, "\ningress ="));
    assert_null(strstr(printed, "max_connecting"));
    for (const char *const *word =
             (const char *const[]){"[node]", "[snapshot]", "[session]", "[cluster]", "[exchange]",
                                   "\nmember2 = 10.0.0.3:1,", "\nidle = backoff", NULL};
         *word; word++)
        if (!strstr(printed, *word))
            fail_msg("'%s' is not printed", *word);
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_true(member_config_is_cluster(file.path));
    assert_int_equal(member_config_read(&to, file.path, NULL, 0), OC_ERR_OK);
    temp_file_write(&file, "[node]\n#[cluster]\n", 18);
    assert_false(member_config_is_cluster(file.path));
    temp_file_remove(&file);
    assert_false(member_config_is_cluster(file.path));
}

static void read_refused(const char *text, const char *word)
{
    member_config_t config;
    temp_file_t file;
    member_config_init(&config);
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_int_equal(member_config_read(&config, file.path, NULL, 0), OC_ERR_INVALID_CONFIG);
    temp_file_remove(&file);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
}

static void wrong_lines(void **state)
{
    (void)state;
    read_refused("[cluster]\nmembre1 = x\n", "did you mean member1 in [cluster]?");
    read_refused("[cluster]\nheartbeat_timeout = 3\n", "did you mean heartbeat_timeout_ms");
    read_refused("[cluster]\nid = 9\n", "from 0 to 8");
    read_refused("[cluster]\nsync_level = 3\n", "from 0 to 2");
    read_refused("[cluster]\nmodule = stop\n", "one of start, attach");
    read_refused("[cluster]\nidle = lazy\n", "one of backoff, yield, spin");
    read_refused("[clutser]\nid = 1\n", "unknown section");
}

/* A tool reads the file of a service that it does not know. */
static void read_in_part(void **state)
{
    (void)state;
    static const char text[] = "[counter]\nstep = 2\n[cluster]\nid = 1\n";
    member_config_t config;
    temp_file_t file;
    read_refused(text, "unknown section");
    read_refused("[cluster]\nie = 1\n", "did you mean id");
    member_config_init(&config);
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_int_equal(member_config_read_part(&config, file.path), OC_ERR_OK);
    assert_int_equal(config.id, 1);
    temp_file_write(&file, "[cluster]\nie = 1\n", 17);
    assert_int_equal(member_config_read_part(&config, file.path), OC_ERR_INVALID_CONFIG);
    temp_file_remove(&file);
}

static void refused(const member_config_t *config, const char *word)
{
    assert_int_equal(member_config_check(config), OC_ERR_INVALID_CONFIG);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
}

static void wrong_members(void **state)
{
    (void)state;
    member_config_t config;
    member_config_init(&config);
    set(config.node.dir, "x");
    refused(&config, "names no members");
    config = valid();
    config.id = 3;
    refused(&config, "id = 3: there are 3 members, with ids from 0 to 2");
    config = valid();
    config.members[1][0] = '\0';
    config.id = 0;
    refused(&config, "member2 is named and member1 is not");
    config = valid();
    set(config.members[1], "10.0.0.2:1,10.0.0.2:2,10.0.0.2:3,10.0.0.2:4");
    refused(&config, "member1 = 10.0.0.2:1,10.0.0.2:2,10.0.0.2:3,10.0.0.2:4: its archive");
    set(config.members[1], ENDPOINTS("2") ",10.0.0.2:6");
    refused(&config, "more than five");
    set(config.members[1], "10.0.0.2:1,,10.0.0.2:3,10.0.0.2:4,10.0.0.2:5");
    refused(&config, "its consensus endpoint is missing");
    set(config.members[1], ENDPOINTS("3"));
    refused(&config, "10.0.0.3:1 is the ingress endpoint of member1 and the ingress endpoint of "
                     "member2");
    set(config.members[1], "10.0.0.2:1,10.0.0.2:2,10.0.0.2:3,10.0.0.2:1,10.0.0.2:5");
    refused(&config, "10.0.0.2:1 is the ingress endpoint of member1 and the catchup endpoint");
    set(config.members[1], "127.0.0.1:1,a:2,a:3,a:4,Localhost:1");
    refused(&config, "127.0.0.1:1 is the ingress endpoint of member1 and the archive");
    set(config.members[1], "Host.Name:1,a:2,a:3,a:4,host.name:1");
    refused(&config, "all must differ");
}

static void wrong_endpoints(void **state)
{
    (void)state;
    static const char *const wrong[] = {"host",       "host:",     ":5",      "host:0",
                                        "host:65536", "host:x",    "host:5x", "a b:5",
                                        "a|b:5",      "fe80::1:5", "[::1]5",  "host:05"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        member_config_t config = valid();
        (void)snprintf(config.members[1], NODE_TEXT_MAX, "%s,a:1,a:2,a:3,a:4", wrong[i]);
        refused(&config, "ingress endpoint '");
    }
    member_config_t config = valid();
    set(config.members[1], "[fe80::1]:5,host.name:1,host-2:2,a:3,a:65535");
    assert_int_equal(member_config_check(&config), OC_ERR_OK);
}

static void what_does_not_go_together(void **state)
{
    (void)state;
    member_config_t config = valid();
    config.archive_segment_bytes = (128 << 20) + 1;
    refused(&config, "power of two");
    config = valid();
    config.archive_segment_bytes = 32 << 20;
    refused(&config, "less than a term of log_channel = aeron:udp?term-length=64m");
    config = valid();
    set(config.log_channel, "aeron:udp?term-length=1g|mtu=1408");
    refused(&config, "less than a term");
    config = valid();
    config.canvass_timeout_ms = 19999;
    refused(&config, "less than twice heartbeat_timeout_ms = 10000");
    config = valid();
    config.driver = MEMBER_DRIVER_EXTERNAL;
    refused(&config, "aeron_dir");
    set(config.node.aeron_dir, "somewhere");
    assert_int_equal(member_config_check(&config), OC_ERR_OK);
    config.java[0] = '\0';
    refused(&config, "java is empty");
    config = valid();
    set(config.log_channel, "aeron:ipc");
    refused(&config, "log_channel = aeron:ipc");
    config = valid();
    set(config.ingress_channel, "aeron:udp?endpoint=a:1");
    refused(&config, "endpoints are those of the members");
    config = valid();
    config.module = 7;
    refused(&config, "module");
}

static void what_a_channel_says(void **state)
{
    (void)state;
    static const char *const terms[] = {
        "1000", "3m", "32k", "2g", "", "x", "64k5", "-1", "99999999999999999999"};
    static const char *const mtus[] = {"70000", "32", "1400k", "1409", "65505", "8kb"};
    static const char *const good[] = {
        "aeron:udp",
        "aeron:udp?term-length=65536|mtu=65504",
        "aeron:udp?alias=mtu|mtu=8K|term-length=1M|so-sndbuf=2m",
        "aeron:udp?initial-term-length=5|rcv-mtu=7",
    };
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        member_config_t config = valid();
        (void)snprintf(config.log_channel, NODE_TEXT_MAX, "aeron:udp?mtu=8k|term-length=%s",
                       terms[i]);
        refused(&config, ": term-length is a power of two from 64k to 1g");
    }
    for (size_t i = 0; i < sizeof mtus / sizeof mtus[0]; i++) {
        member_config_t config = valid();
        (void)snprintf(config.ingress_channel, NODE_TEXT_MAX, "aeron:udp?mtu=%s|a=b", mtus[i]);
        refused(&config, ": mtu is a multiple of 32 from 64 to 65504");
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        member_config_t config = valid();
        set(config.log_channel, good[i]);
        assert_int_equal(member_config_check(&config), OC_ERR_OK);
    }
}

/* The node's values are held to the node's rules, but for what a member does not use. */
static void of_the_node(void **state)
{
    (void)state;
    member_config_t config = valid();
    config.node.session_backlog_bytes = config.node.backlog_bytes + 1;
    refused(&config, "session_backlog_bytes");
    config = valid();
    set(config.node.ingress, "0.0.0.0:1");
    config.node.group_bytes = 3 << 16;
    assert_int_equal(member_config_check(&config), OC_ERR_OK);
    config.node.dir[0] = '\0';
    refused(&config, "directory");
    memset(config.node.dir, 'd', MEMBER_DIR_MAX + 1);
    refused(&config, "longer than");
}

static void lists(void **state)
{
    (void)state;
    const member_config_t config = valid();
    char text[512];
    assert_true(member_config_aeron_members(&config, text, sizeof text));
    assert_string_equal(text, "0," ENDPOINTS("1") "|1," ENDPOINTS("2") "|2," ENDPOINTS("3"));
    assert_false(member_config_aeron_members(&config, text, strlen(text)));
    assert_true(member_config_endpoints(&config, text, sizeof text));
    assert_string_equal(text, "0=10.0.0.1:1,1=10.0.0.2:1,2=10.0.0.3:1");
    assert_false(member_config_endpoints(&config, text, strlen(text)));
    assert_true(member_config_endpoint(&config, 2, 4, text, sizeof text));
    assert_string_equal(text, "10.0.0.3:5");
    assert_false(member_config_endpoint(&config, 2, 4, text, 10));
    assert_false(member_config_endpoint(&config, 2, 5, text, sizeof text));
    assert_false(member_config_endpoint(&config, 3, 0, text, sizeof text));
    assert_false(member_config_endpoint(&config, MEMBER_COUNT_MAX, 0, text, sizeof text));
    member_config_path(&config, "control", text, sizeof text);
    assert_string_equal(text, "x/control");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(print_reads_back),
        cmocka_unit_test(sections),
        cmocka_unit_test(read_in_part),
        cmocka_unit_test(wrong_lines),
        cmocka_unit_test(wrong_members),
        cmocka_unit_test(wrong_endpoints),
        cmocka_unit_test(lists),
        cmocka_unit_test(what_does_not_go_together),
        cmocka_unit_test(what_a_channel_says),
        cmocka_unit_test(of_the_node),
    };
    return cmocka_run_group_tests_name("member_config", tests, NULL, NULL);
}
