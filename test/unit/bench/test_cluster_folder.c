/*
 * The directories of a local cluster: made once, kept as they are, what the user says counts more,
 * and a member's own is not the user's to say. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/cluster_folder.h"
#include "lib/read_file.h"
#include "lib/temp_dir.h"
#include "lib/temp_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture {
    temp_dir_t dir;
    char base[300];
    cluster_folder_t folder;
} fixture_t;

static void begin(fixture_t *f)
{
    temp_dir_make(&f->dir);
    (void)snprintf(f->base, sizeof f->base, "%s/base", f->dir.path);
}

static void end(fixture_t *f)
{
    temp_dir_remove(&f->dir);
}

static oc_err_t open_with(fixture_t *f, uint32_t members, const char *file, const char *lines)
{
    const cluster_folder_config_t config = {
        .base = f->base, .members = members, .file = file, .lines = lines};
    return cluster_folder_open(&f->folder, &config);
}

static void read_member(const fixture_t *f, uint32_t member, member_config_t *config)
{
    char path[CLUSTER_FOLDER_PATH];
    member_config_init(config);
    cluster_folder_file(&f->folder, member, "outcry.conf", path);
    assert_int_equal(member_config_read_part(config, path), OC_ERR_OK);
}

static uint64_t drawn_id(fixture_t *f, const char *file)
{
    const cluster_folder_config_t config = {
        .base = f->base, .members = 3, .file = file, .own_id = true};
    member_config_t members[3];
    assert_int_equal(cluster_folder_open(&f->folder, &config), OC_ERR_OK);
    for (uint32_t i = 0; i < 3; i++)
        read_member(f, i, &members[i]);
    assert_int_equal(members[0].cluster_id, members[1].cluster_id);
    assert_int_equal(members[0].cluster_id, members[2].cluster_id);
    return members[0].cluster_id;
}

/* Two clusters are told apart; one that is started again is the same; the user's word counts. */
static void ids_are_drawn(void **state)
{
    (void)state;
    fixture_t f;
    fixture_t other;
    fixture_t chosen;
    member_config_t config;
    begin(&f);
    begin(&other);
    begin(&chosen);
    const uint64_t id = drawn_id(&f, NULL);
    assert_in_range(id, 1, INT32_MAX);
    assert_int_equal(drawn_id(&f, NULL), id);
    assert_int_not_equal(drawn_id(&other, NULL), id);
    temp_file_t file;
    temp_file_make(&file);
    temp_file_write(&file, "[cluster]\ncluster_id = 7\n", 25);
    assert_int_equal(drawn_id(&chosen, file.path), 7);
    temp_file_remove(&file);
    end(&chosen);
    begin(&chosen);
    assert_int_equal(open_with(&chosen, 1, NULL, NULL), OC_ERR_OK);
    read_member(&chosen, 0, &config);
    assert_int_equal(config.cluster_id, 0); /* nobody asked for one */
    end(&f);
    end(&other);
    end(&chosen);
}

static void made_and_kept(void **state)
{
    (void)state;
    fixture_t f;
    member_config_t config;
    char ingress[sizeof f.folder.ingress];
    begin(&f);
    assert_int_equal(open_with(&f, 0, NULL, NULL), OC_ERR_OK);
    assert_true(f.folder.made);
    assert_int_equal(f.folder.members, 3);
    assert_int_equal(strncmp(f.folder.ingress, "0=127.0.0.1:", 12), 0);
    assert_non_null(strstr(f.folder.ingress, ",2=127.0.0.1:"));
    for (uint32_t i = 0; i < 3; i++) {
        read_member(&f, i, &config);
        assert_int_equal(config.id, i);
        assert_true(config.heartbeat_timeout_ms <= 3000);
        assert_non_null(strstr(config.jvm_flags, "-Xmx"));
        assert_string_equal(config.node.aeron_dir, "");
    }
    memcpy(ingress, f.folder.ingress, sizeof ingress);
    assert_int_equal(open_with(&f, 3, "/no such file", NULL), OC_ERR_OK); /* not looked at */
    assert_false(f.folder.made);
    assert_string_equal(f.folder.ingress, ingress);
    assert_int_equal(open_with(&f, 0, NULL, NULL), OC_ERR_OK);
    assert_int_equal(open_with(&f, 5, NULL, NULL), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), "a cluster of 3 members, not of 5"));
    end(&f);
}

static void two_clusters_differ(void **state)
{
    (void)state;
    fixture_t a;
    fixture_t b;
    begin(&a);
    begin(&b);
    assert_int_equal(open_with(&a, 9, NULL, NULL), OC_ERR_OK);
    assert_int_equal(open_with(&b, 1, NULL, NULL), OC_ERR_OK);
    assert_null(strstr(a.folder.ingress, b.folder.ingress));
    assert_int_equal(a.folder.members, 9);
    end(&a);
    end(&b);
}

static void users_lines_count_more(void **state)
{
    (void)state;
    static const char text[] = "[exchange]\nmax_orders = 5\n[cluster]\n heartbeat_timeout_ms=1s\n"
                               "log_channel = aeron:udp?term-length=1m\n#jvm_flags = x\n";
    fixture_t f;
    member_config_t config;
    temp_file_t file;
    char path[CLUSTER_FOLDER_PATH];
    begin(&f);
    temp_file_make(&file);
    temp_file_write(&file, text, strlen(text));
    assert_int_equal(open_with(&f, 2, file.path, "[session]\nmax_sessions = 7"), OC_ERR_OK);
    read_member(&f, 1, &config);
    assert_int_equal(config.heartbeat_timeout_ms, 1000);
    assert_int_equal(config.election_timeout_ms, 500);
    assert_int_equal(config.archive_segment_bytes, 128 << 20); /* goes with the channel */
    assert_string_equal(config.log_channel, "aeron:udp?term-length=1m");
    assert_non_null(strstr(config.jvm_flags, "-Xmx"));
    assert_int_equal(config.node.max_sessions, 7);
    cluster_folder_file(&f.folder, 0, "outcry.conf", path);
    size_t size;
    char *written = read_file(path, &size);
    assert_non_null(strstr(written, "max_orders = 5\n"));
    free(written);
    temp_file_remove(&file);
    end(&f);
}

static void refused(const char *lines, const char *word)
{
    fixture_t f;
    begin(&f);
    assert_int_equal(open_with(&f, 3, NULL, lines), OC_ERR_INVALID_CONFIG);
    if (!strstr(oc_err_context(), word))
        fail_msg("'%s' is not in: %s", word, oc_err_context());
    end(&f);
}

static void what_is_a_members_own(void **state)
{
    (void)state;
    refused("[cluster]\nid = 1\n", "[cluster] id");
    refused("[cluster]\nmember2 = a:1,a:2,a:3,a:4,a:5\n", "[cluster] member");
    refused("[node]\naeron_dir = x\n", "aeron_dir");
    refused("[cluster]\nheartbeat_timeout_ms = 1m\n", "heartbeat_timeout_ms");
    refused("[cluster]\ncanvass_timeout_ms = 3000\n", "less than twice");
    fixture_t f;
    begin(&f);
    assert_int_equal(open_with(&f, 1, "/no such file", NULL), OC_ERR_OPEN);
    assert_int_equal(open_with(&f, 1, NULL, NULL), OC_ERR_OK); /* nothing is half made */
    (void)snprintf(f.base, sizeof f.base, "%s/no/such", f.dir.path);
    assert_int_equal(open_with(&f, 1, NULL, NULL), OC_ERR_OPEN);
    end(&f);
}

static void external_drivers(void **state)
{
    (void)state;
    fixture_t f;
    member_config_t config[2];
    char aeron_dir[128];
    char path[CLUSTER_FOLDER_PATH];
    begin(&f);
    const cluster_folder_config_t how = {.base = f.base, .members = 2, .external_driver = true};
    assert_int_equal(cluster_folder_open(&f.folder, &how), OC_ERR_OK);
    for (uint32_t i = 0; i < 2; i++) {
        read_member(&f, i, &config[i]);
        assert_int_equal(config[i].driver, MEMBER_DRIVER_EXTERNAL);
        assert_int_equal(cluster_folder_aeron_dir(&f.folder, i, aeron_dir, sizeof aeron_dir),
                         OC_ERR_OK);
        assert_string_equal(config[i].node.aeron_dir, aeron_dir);
    }
    assert_string_not_equal(config[0].node.aeron_dir, config[1].node.aeron_dir);
    assert_int_equal(open_with(&f, 2, NULL, NULL), OC_ERR_OK);
    assert_true(f.folder.external_driver); /* as it was made */

    /* What dead drivers left is removed, and nothing else. */
    assert_int_equal(mkdir(aeron_dir, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/cnc.dat", aeron_dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    cluster_folder_clean(&f.folder);
    assert_int_not_equal(access(aeron_dir, F_OK), 0);
    cluster_folder_file(&f.folder, 1, "outcry.conf", path);
    assert_int_equal(access(path, F_OK), 0);
    end(&f);
}

/* Holds the lock as the module does, until the pipe is closed. */
static _Noreturn void hold(const char *path, const int *to_child, int from_child)
{
    const int fd = open(path, O_RDWR | O_CREAT, 0600);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char byte = fcntl(fd, F_SETLK, &lock) == 0 ? 'y' : 'n';
    (void)close(to_child[1]);
    if (write(from_child, &byte, 1) == 1)
        (void)!read(to_child[0], &byte, 1);
    _exit(0);
}

static void module_is_known_by_its_lock(void **state)
{
    (void)state;
    fixture_t f;
    char path[CLUSTER_FOLDER_PATH];
    int to_child[2];
    int from_child[2];
    char byte = 0;
    begin(&f);
    assert_int_equal(open_with(&f, 1, NULL, NULL), OC_ERR_OK);
    assert_int_equal(cluster_folder_module_pid(&f.folder, 0), 0);
    cluster_folder_file(&f.folder, 0, "module.lock", path);
    assert_int_equal(pipe(to_child), 0);
    assert_int_equal(pipe(from_child), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        hold(path, to_child, from_child[1]);
    assert_int_equal(read(from_child[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    assert_int_equal(cluster_folder_module_pid(&f.folder, 0), pid);
    (void)close(to_child[1]);
    (void)close(to_child[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(cluster_folder_module_pid(&f.folder, 0), 0);
    (void)close(from_child[0]);
    (void)close(from_child[1]);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_and_kept),
        cmocka_unit_test(two_clusters_differ),
        cmocka_unit_test(ids_are_drawn),
        cmocka_unit_test(users_lines_count_more),
        cmocka_unit_test(what_is_a_members_own),
        cmocka_unit_test(external_drivers),
        cmocka_unit_test(module_is_known_by_its_lock),
    };
    return cmocka_run_group_tests_name("cluster_folder", tests, NULL, NULL);
}
