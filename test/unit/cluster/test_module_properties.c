/*
 * The module's properties: every key of the configuration arrives, signs that the format takes for
 * its own are escaped, and a file that cannot be written is told.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/module_properties.h"
#include "lib/read_file.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_line(const char *text, const char *line)
{
    char whole[1024];
    (void)snprintf(whole, sizeof whole, "\n%s\n", line);
    if (!strstr(text, whole))
        fail_msg("no line '%s' in: %s", line, text);
}

static void make_config(member_config_t *config, const temp_dir_t *dir)
{
    member_config_init(config);
    (void)snprintf(config->node.dir, sizeof config->node.dir, "%s", dir->path);
    for (int i = 0; i < 3; i++)
        (void)snprintf(config->members[i], sizeof config->members[i],
                       "h:%d1,h:%d2,h:%d3,h:%d4,h:%d5", i, i, i, i, i);
    config->id = 2;
    config->cluster_id = 7;
    config->sync_level = 1;
    config->archive_segment_bytes = 65536;
    config->node.session_timeout_ms = 11;
    config->heartbeat_timeout_ms = 12;
    config->election_timeout_ms = 13;
    config->canvass_timeout_ms = 14;
    config->low_space_bytes = 15;
    config->node.max_sessions = 16;
}

static void test_all_keys(void **state)
{
    (void)state;
    temp_dir_t dir;
    member_config_t config;
    char path[512];
    char line[600];
    temp_dir_make(&dir);
    make_config(&config, &dir);
    config.node.authentication = NODE_AUTH_SECRETS;
    (void)snprintf(config.node.secrets_file, sizeof config.node.secrets_file, " a\\b");
    (void)snprintf(config.log_channel, sizeof config.log_channel, "aeron:udp?mtu=8k");
    assert_int_equal(module_properties_write(&config, "/dev/shm/driver"), OC_ERR_OK);
    (void)snprintf(path, sizeof path, "%s/module.properties", dir.path);
    char *text = read_file(path, NULL);
    (void)snprintf(line, sizeof line, "outcry.dir=%s", dir.path);
    assert_line(text, line);
    (void)snprintf(line, sizeof line, "outcry.lock.file=%s/module.lock", dir.path);
    assert_line(text, line);
    (void)snprintf(line, sizeof line, "outcry.log.file=%s/module.log", dir.path);
    assert_line(text, line);
    static const char *const lines[] = {
        "outcry.aeron.dir=/dev/shm/driver",
        "outcry.cluster.id=7",
        "outcry.member.id=2",
        "outcry.sync.level=1",
        "outcry.segment.bytes=65536",
        "outcry.session.timeout.ms=11",
        "outcry.heartbeat.timeout.ms=12",
        "outcry.election.timeout.ms=13",
        "outcry.canvass.timeout.ms=14",
        "outcry.low.space.bytes=15",
        "outcry.max.sessions=16",
        "outcry.authentication=secrets",
        "outcry.secrets.file=\\ a\\\\b",
        "outcry.log.channel=aeron:udp?mtu=8k",
        "outcry.idle=backoff",
        "aeron.archive.record.checksum=io.aeron.archive.checksum.Crc32c",
        "aeron.archive.replay.checksum=io.aeron.archive.checksum.Crc32c",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_line(text, lines[i]);
    assert_non_null(strstr(text, "outcry.members=0,h:01,h:02,h:03,h:04,h:05|1,h:11,"));
    free(text);
    (void)snprintf(path, sizeof path, "%s/module.properties.new", dir.path);
    assert_int_equal(access(path, F_OK), -1);
    temp_dir_remove(&dir);
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    temp_dir_t dir;
    member_config_t config;
    temp_dir_make(&dir);
    make_config(&config, &dir);
    temp_dir_remove(&dir);
    assert_int_equal(module_properties_write(&config, "/dev/shm/driver"), OC_ERR_WRITE);
    assert_non_null(strstr(oc_err_context(), "module.properties"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keys),
        cmocka_unit_test(test_what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
