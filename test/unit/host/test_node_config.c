/*
 * The node's keys: defaults are valid, what is printed reads back the same, and values that do not
 * go together are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/node_config.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static node_config_t valid(void)
{
    node_config_t config;
    node_config_init(&config);
    memcpy(config.dir, "x", 2);
    return config;
}

/* Prints it, with a key of a service's own, and reads that into another one. */
static void pass(const node_config_t *from, node_config_t *to, uint64_t *more)
{
    static char text[16384];
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
    node_config_print(from, &extra, 1, out);
    assert_int_equal(fclose(out), 0);
    assert_true(temp_file_read(&file, text, sizeof text) > 1000);
    *more = 1;
    assert_int_equal(node_config_read(to, file.path, &extra, 1), OC_ERR_OK);
    assert_string_equal(to->file, file.path);
    memset(to->file, 0, sizeof to->file); /* the one thing that differs */
    temp_file_remove(&file);
}

static void print_reads_back(void **state)
{
    (void)state;
    node_config_t from;
    node_config_t to;
    uint64_t more = 77;
    node_config_init(&from);
    node_config_init(&to);
    pass(&from, &to, &more);
    assert_int_equal(more, 77);
    assert_memory_equal(&from, &to, sizeof from);

    memcpy(from.ingress, "10.1.2.3:44", 12);
    memcpy(from.advertised, "10.1.2.4:44", 12);
    memcpy(from.redirect, "[fe80::1]:45", 13);
    memcpy(from.aeron_dir, "/dev/shm/some where", 20);
    memcpy(from.secrets_file, "secrets", 8);
    from.driver = NODE_DRIVER_DEDICATED;
    from.idle = NODE_IDLE_SPIN;
    from.core_cpu = 1;
    from.recovery = NODE_RECOVERY_CANCEL_ONLY;
    from.time_interval_us = 50;
    from.max_timers = 9;
    from.sync = 2;
    from.sync_period_ms = 7;
    from.segment_bytes = 1 << 20;
    from.group_bytes = 1 << 17;
    from.ready_segments = 5;
    from.low_space_bytes = 12345;
    from.writer_spin_us = 11;
    from.writer_cpu = 0;
    from.retain = NODE_RETAIN_IMAGES;
    from.snapshot_every_log_bytes = 123456;
    from.snapshot_every_s = 60;
    from.snapshot_keep = 3;
    from.snapshot_chain = 4;
    from.snapshot_pool_percent = 5;
    from.snapshot_block_bytes = 65536;
    from.snapshot_bytes_per_s_max = 777;
    from.snapshot_sweeper = NODE_SWEEPER_CORE;
    from.snapshot_cpu = 1;
    from.restore_threads = 6;
    from.authentication = NODE_AUTH_SECRETS;
    from.max_sessions = 12;
    from.max_connecting = 13;
    from.session_timeout_ms = 1400;
    from.session_backlog_bytes = 15000;
    from.backlog_bytes = 160000;
    from.message_bytes_max = 1700;
    pass(&from, &to, &more);
    assert_memory_equal(&from, &to, sizeof from);
}

static void defaults(void **state)
{
    (void)state;
    node_config_t config = valid();
    assert_int_equal(node_config_check(&config), OC_ERR_OK);
    config.dir[0] = '\0';
    assert_int_equal(node_config_check(&config), OC_ERR_INVALID_CONFIG);
}

static void refused(const node_config_t *config, const char *word)
{
    assert_int_equal(node_config_check(config), OC_ERR_INVALID_CONFIG);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
}

static void what_does_not_go_together(void **state)
{
    (void)state;
    node_config_t config = valid();
    config.segment_bytes = 3 << 20;
    refused(&config, "segment_bytes = 3145728");
    config = valid();
    config.group_bytes = 100000;
    refused(&config, "group_bytes = 100000");
    config = valid();
    config.segment_bytes = 1 << 20;
    refused(&config, "group_bytes = 1048576");
    config.group_bytes = 1 << 19;
    config.message_bytes_max = (1 << 17) - 63;
    refused(&config, "message_bytes_max = 131009");
    config.message_bytes_max = (1 << 17) - 64;
    assert_int_equal(node_config_check(&config), OC_ERR_OK);
    config = valid();
    config.session_backlog_bytes = config.backlog_bytes + 1;
    refused(&config, "session_backlog_bytes");
    config = valid();
    config.authentication = NODE_AUTH_SECRETS;
    refused(&config, "secrets_file");
    config = valid();
    config.max_sessions = 0;
    refused(&config, "[session] max_sessions = 0");
    config = valid();
    config.sync = 3;
    refused(&config, "[journal] sync = 3");
    config = valid();
    config.core_cpu = -2;
    refused(&config, "core_cpu");
    config = valid();
    config.snapshot_block_bytes = 65536 + 512;
    refused(&config, "[snapshot] block_bytes = 66048: not a multiple of 4096");
    config = valid();
    config.snapshot_keep = 0;
    refused(&config, "[snapshot] keep = 0");
    config = valid();
    config.snapshot_chain = 31;
    refused(&config, "[snapshot] chain = 31: not a whole number from 0 to 30");
    config = valid();
    config.snapshot_pool_percent = 101;
    refused(&config, "[snapshot] pool_percent = 101");
}

static void errors_name_the_place(void **state)
{
    (void)state;
    node_config_t config;
    temp_file_t file;
    static const char text[] = "[journal]\nsync = sometimes\n";
    node_config_init(&config);
    temp_file_make(&file);
    temp_file_write(&file, text, sizeof text - 1);
    assert_int_equal(node_config_read(&config, file.path, NULL, 0), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), ":2: [journal] sync = sometimes"));
    assert_non_null(strstr(oc_err_context(), "always, periodic, none"));
    temp_file_remove(&file);
}

static node_config_t with_addresses(const char *ingress, const char *advertised,
                                    const char *redirect)
{
    node_config_t config = valid();
    (void)snprintf(config.ingress, sizeof config.ingress, "%s", ingress);
    (void)snprintf(config.advertised, sizeof config.advertised, "%s", advertised);
    (void)snprintf(config.redirect, sizeof config.redirect, "%s", redirect);
    return config;
}

static void addresses_that_nobody_can_go_to(void **state)
{
    (void)state;
    static const char *const wild[] = {"0.0.0.0:9010", "0:9010", "[::]:9010", "[0:0::0]:9010"};
    static const char *const bad[] = {"host",   "host:",       ":9010",     "host:0",
                                      "host:x", "host:65536",  "host:90x",  "a=b:9010",
                                      "a,b:1",  "0.0.0.0:901", "[::]:9010", "host:-1"};
    node_config_t config;
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        config = with_addresses(wild[i], "", "");
        refused(&config, "set advertised");
        config = with_addresses(wild[i], "venue.example:9010", "");
        assert_int_equal(node_config_check(&config), OC_ERR_OK);
        config = with_addresses(wild[i], "", "[::1]:9010");
        assert_int_equal(node_config_check(&config), OC_ERR_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        config = with_addresses("127.0.0.1:0", bad[i], "");
        refused(&config, "[node] advertised = ");
        config = with_addresses("127.0.0.1:0", "", bad[i]);
        refused(&config, "[node] redirect = ");
    }
    config = with_addresses("[::1]:0", "", "");
    assert_int_equal(node_config_check(&config), OC_ERR_OK);
}

/* By each of what a member has, alone: a copy may lack the rest. */
static void a_member_s_directory(void **state)
{
    (void)state;
    static const struct {
        const char *folder;
        const char *name;
        const char *text;
        bool member;
    } files[] = {{"", NODE_CONFIG_NAME, "[storage]\ndir = x\n", false},
                 {"archive", "archive/other", "", false},
                 {"", NODE_CONFIG_NAME, "[cluster]\nid = 1\n", true},
                 {"cluster", "cluster/recording.log", "", true},
                 {"archive", "archive/archive.catalog", "", true}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        temp_dir_t dir;
        char path[600];
        temp_dir_make(&dir);
        assert_false(node_config_is_member(dir.path));
        (void)snprintf(path, sizeof path, "%s/%s", dir.path, files[i].folder);
        (void)mkdir(path, 0700);
        (void)snprintf(path, sizeof path, "%s/%s", dir.path, files[i].name);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(files[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(node_config_is_member(dir.path), files[i].member);
        temp_dir_remove(&dir);
    }
    assert_false(node_config_is_member("/no/such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(print_reads_back),
        cmocka_unit_test(defaults),
        cmocka_unit_test(what_does_not_go_together),
        cmocka_unit_test(errors_name_the_place),
        cmocka_unit_test(addresses_that_nobody_can_go_to),
        cmocka_unit_test(a_member_s_directory),
    };
    return cmocka_run_group_tests_name("node_config", tests, NULL, NULL);
}
