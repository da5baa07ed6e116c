/*
 * What a member's directory may be when it starts: all that a kill can leave of a first start, and
 * nothing that lost its log.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/remove_tree.h"
#include "cluster/member_check.h"
#include "lib/member_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static member_folder_t folder;
static member_config_t config;

static int setup(void **state)
{
    (void)state;
    member_folder_init(&folder);
    member_config_init(&config);
    (void)snprintf(config.node.dir, sizeof config.node.dir, "%s", folder.dir);
    config.cluster_id = 3;
    for (int i = 0; i < 3; i++)
        (void)snprintf(config.members[i], NODE_TEXT_MAX, "h:%d1,h:%d2,h:%d3,h:%d4,h:%d5", i, i, i,
                       i, i);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    member_folder_fini(&folder);
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[600];
    (void)snprintf(path, sizeof path, "%s/%s", folder.dir, name);
    return path;
}

static void assert_starts(void)
{
    if (member_check_directory(&config) != OC_ERR_OK)
        fail_msg("it does not start: %s", oc_err_context());
}

static void assert_refused(oc_err_t err, const char *part)
{
    assert_int_equal(member_check_directory(&config), err);
    assert_in_range(strlen(oc_err_context()), 1, 460); /* 511 fit, and other paths are longer */
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' does not say '%s'", oc_err_context(), part);
}

static void note_joined(bool expected)
{
    bool noted = !expected;
    assert_int_equal(member_check_note_joined(&config, &noted), OC_ERR_OK);
    assert_int_equal(noted, expected);
}

static void empty_file(const char *name)
{
    const int fd = open(path_of(name), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
}

static void alone(void)
{
    config.members[1][0] = '\0';
    config.members[2][0] = '\0';
}

static void a_directory_of_nothing(void **state)
{
    (void)state;
    assert_int_equal(remove_tree(folder.dir), OC_ERR_OK);
    assert_starts();
    assert_int_equal(mkdir(folder.dir, 0755), 0);
    assert_starts();
    note_joined(false);
}

static void a_log_that_is_listed(void **state)
{
    (void)state;
    assert_starts();
    note_joined(true);
    note_joined(true);
    assert_starts();
}

/* A loss, whoever is told of it: nothing is recorded before the list is made. */
static void a_list_that_is_missing(void **state)
{
    (void)state;
    assert_int_equal(unlink(path_of("cluster/recording.log")), 0);
    assert_refused(OC_ERR_DAMAGED, "is lost");
    note_joined(false);
    assert_int_equal(remove_tree(folder.cluster), OC_ERR_OK);
    assert_refused(OC_ERR_DAMAGED, "archive/0-0.rec with recorded data, but");
    made_recording_stop(&folder.log);
    assert_refused(OC_ERR_DAMAGED, "outcry cluster seed");
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    assert_starts();
}

static void a_list_that_became_empty(void **state)
{
    (void)state;
    note_joined(true);
    empty_file("cluster/recording.log");
    assert_refused(OC_ERR_DAMAGED, "is lost");
    empty_file(MEMBER_JOINED_FILE); /* torn, and yet there */
    assert_refused(OC_ERR_DAMAGED, "is lost");
}

/* Killed while it caught up from nothing: the others have what it recorded. */
static void a_follower_that_has_not_listed_its_log_yet(void **state)
{
    (void)state;
    empty_file("cluster/recording.log");
    assert_starts();
    note_joined(false);
}

static void an_empty_list_of_a_cluster_of_one(void **state)
{
    (void)state;
    alone();
    empty_file("cluster/recording.log");
    assert_refused(OC_ERR_DAMAGED, "is lost");
}

/* A leader was killed between its recording and the list of it; or its log was never used. */
static void a_recording_of_nothing(void **state)
{
    (void)state;
    archive_maker_t archive;
    made_recording_t recording;
    alone();
    empty_file("cluster/recording.log");
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    archive_maker_init(&archive, folder.archive);
    assert_starts();
    archive_maker_record(&archive, &recording, 0, MEMBER_FOLDER_TERM_BYTES,
                         MEMBER_FOLDER_SEGMENT_BYTES);
    assert_starts();
    made_recording_stop(&recording);
    assert_starts();
    (void)made_recording_append(&recording, "entry", 5);
    made_recording_stop(&recording);
    assert_refused(OC_ERR_DAMAGED, "is lost");
}

static void a_snapshot_alone_is_a_list(void **state)
{
    (void)state;
    const recording_log_entry_t entry = {.recording = 1,
                                         .log_position = 640,
                                         .service = RECORDING_LOG_MODULE,
                                         .type = RECORDING_LOG_SNAPSHOT,
                                         .valid = true};
    empty_file("cluster/recording.log");
    archive_maker_log(folder.cluster, &entry, 1);
    alone();
    assert_starts();
}

static void another_cluster(void **state)
{
    (void)state;
    note_joined(true);
    config.cluster_id = 4;
    assert_refused(OC_ERR_INVALID_CONFIG, "cluster_id = 3, the configuration says 4");
    assert_int_equal(unlink(path_of(MEMBER_JOINED_FILE)), 0);
    assert_starts();
}

static void a_list_that_is_torn(void **state)
{
    (void)state;
    struct stat info;
    assert_int_equal(stat(path_of("cluster/recording.log"), &info), 0);
    const off_t whole = info.st_size;
    char part[64];
    (void)snprintf(part, sizeof part, "truncate -s %lld", (long long)whole);
    assert_int_equal(truncate(path_of("cluster/recording.log"), whole + 17), 0);
    assert_refused(OC_ERR_DAMAGED, part);
    assert_int_equal(truncate(path_of("cluster/recording.log"), whole + 64), 0); /* zeros */
    assert_refused(OC_ERR_DAMAGED, part);
    assert_int_equal(truncate(path_of("cluster/recording.log"), whole), 0);
    assert_starts();
}

/* What is advised must help: nobody is told to make the list empty beside a log. */
static void a_list_that_is_torn_in_its_first_entry(void **state)
{
    (void)state;
    assert_int_equal(truncate(path_of("cluster/recording.log"), 17), 0);
    alone();
    assert_refused(OC_ERR_DAMAGED, "lists no log");
    assert_null(strstr(oc_err_context(), "truncate"));
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    assert_refused(OC_ERR_DAMAGED, "remove it");
    assert_int_equal(unlink(path_of("cluster/recording.log")), 0);
    assert_starts();
}

/* ---- What a log is known by, without its list ---- */

static void only_the_mark(void **state)
{
    (void)state;
    note_joined(true);
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    assert_int_equal(remove_tree(folder.cluster), OC_ERR_OK);
    assert_refused(OC_ERR_DAMAGED, "there is the mark joined, but cluster/recording.log is missing,"
                                   " and archive/archive.catalog is missing: put archive");
    alone();
    assert_refused(OC_ERR_DAMAGED, "move all but outcry.conf away and seed it");
    assert_int_equal(unlink(path_of(MEMBER_JOINED_FILE)), 0);
    assert_starts();
}

static void only_an_image(void **state)
{
    (void)state;
    (void)member_folder_image(&folder, folder.log.position, 0, MEMBER_FOLDER_LOG_ID);
    assert_starts();
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    assert_int_equal(remove_tree(folder.cluster), OC_ERR_OK);
    assert_refused(OC_ERR_DAMAGED, "there is an image in images, but");
    note_joined(false);
}

/* Neither of the two tells of the log then, and its bytes are still there. */
static void only_segments(void **state)
{
    (void)state;
    assert_int_equal(unlink(path_of("archive/archive.catalog")), 0);
    assert_refused(OC_ERR_DAMAGED, "lists this member's log, and archive/archive.catalog is "
                                   "missing");
    empty_file("cluster/recording.log");
    assert_refused(OC_ERR_DAMAGED, "lists no log, and archive/archive.catalog is missing");
    assert_int_equal(unlink(path_of("cluster/recording.log")), 0);
    assert_refused(OC_ERR_DAMAGED, "there is archive/0-0.rec with recorded data, but");
    alone();
    assert_refused(OC_ERR_DAMAGED, "archive/0-0.rec");
    empty_file("archive/0-0.rec");
    assert_int_equal(truncate(path_of("archive/0-0.rec"), 1 << 20), 0);
    assert_starts(); /* it was made, and nothing came */
}

/* Data in the middle: a log that begins there, or whose beginning is damaged. */
static void only_the_middle_of_a_segment(void **state)
{
    (void)state;
    const char byte = 1;
    assert_int_equal(remove_tree(folder.cluster), OC_ERR_OK);
    empty_file("archive/0-0.rec");
    assert_int_equal(truncate(path_of("archive/0-0.rec"), 4 << 20), 0);
    assert_starts();
    const int fd = open(path_of("archive/0-0.rec"), O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, &byte, 1, (3 << 20) + 5), 1);
    assert_int_equal(close(fd), 0);
    assert_refused(OC_ERR_DAMAGED, "archive/0-0.rec");
}

/* Lost, and made anew by a module since: what is still there does not belong to it. */
static void a_catalog_that_was_made_anew(void **state)
{
    (void)state;
    archive_maker_t archive;
    assert_int_equal(rename(folder.archive, path_of("aside")), 0);
    archive_maker_init(&archive, folder.archive);
    char from[700];
    (void)snprintf(from, sizeof from, "%s/aside/0-0.rec", folder.dir);
    assert_int_equal(rename(from, path_of("archive/0-0.rec")), 0);
    assert_refused(OC_ERR_DAMAGED, "has no such recording");
    empty_file("cluster/recording.log");
    assert_refused(OC_ERR_DAMAGED, "archive/0-0.rec");
}

/* ---- Killed while a file was made ---- */

static void clear(const char *name, bool stays)
{
    assert_starts();
    assert_int_equal(member_check_clear(&config), OC_ERR_OK);
    assert_int_equal(access(path_of(name), F_OK) == 0, stays);
    assert_starts();
}

static void put_file(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* As Aeron 1.44.1 makes it; behind this come zeros. */
static const uint8_t node_state[64] = {
    [1] = 3,     [8] = 0x18,  [10] = 0x2d, [11] = 1,    [12] = 0x70, [14] = 10,
    [16] = 0x28, [50] = 0x30, [51] = 1,    [52] = 0x70, [54] = 10,   [56] = 16,
};

static void a_node_state_that_was_not_made(void **state)
{
    (void)state;
    static const char name[] = "cluster/node-state.dat";
    clear(name, false);
    empty_file(name);
    clear(name, false);
    empty_file(name);
    assert_int_equal(truncate(path_of(name), 1 << 20), 0);
    clear(name, false);
    for (size_t count = 1; count <= 50; count++) { /* its parts are written one after the other */
        put_file(name, node_state, count);
        assert_int_equal(truncate(path_of(name), 1 << 20), 0);
        clear(name, false);
    }
    put_file(name, node_state, sizeof node_state);
    clear(name, true);
    put_file(name, "1234 and more", 13); /* of another version nothing is known */
    clear(name, true);
}

/* It may have held something. */
static void a_node_state_that_is_damaged(void **state)
{
    (void)state;
    static const char name[] = "cluster/node-state.dat";
    note_joined(true);
    put_file(name, node_state, sizeof node_state);
    clear(name, true);
    empty_file(name);
    assert_refused(OC_ERR_DAMAGED, "node-state.dat is empty");
    put_file(name, node_state, 40);
    assert_refused(OC_ERR_DAMAGED, "Remove it");
    assert_int_equal(unlink(path_of(name)), 0);
    assert_starts();
}

static void a_catalog_that_was_not_made(void **state)
{
    (void)state;
    static const char name[] = "archive/archive.catalog";
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    assert_int_equal(remove_tree(folder.cluster), OC_ERR_OK);
    assert_int_equal(mkdir(folder.archive, 0755), 0);
    for (int listed = 0; listed < 2; listed++) {
        empty_file(name);
        clear(name, false);
        empty_file(name);
        assert_int_equal(truncate(path_of(name), 1 << 20), 0);
        clear(name, false);
        assert_int_equal(listed ? 0 : mkdir(folder.cluster, 0755), 0);
        empty_file("cluster/recording.log");
    }
    archive_maker_t archive;
    archive_maker_init(&archive, folder.archive);
    clear(name, true);
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    const int32_t version = 9 << 16;
    empty_file("cluster/recording.log");
    const int fd = open(path_of("archive/archive.catalog"), O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, &version, sizeof version, 0), sizeof version);
    assert_int_equal(close(fd), 0);
    assert_refused(OC_ERR_FORMAT, "archive.catalog");
    alone();
    assert_refused(OC_ERR_DAMAGED, "lists no log:");
}

static void a_mark_that_cannot_be_written(void **state)
{
    (void)state;
    bool noted = true;
    assert_int_equal(mkdir(path_of(MEMBER_JOINED_FILE), 0755), 0);
    assert_int_equal(member_check_note_joined(&config, &noted), OC_ERR_OPEN);
    assert_false(noted);
}

static bool checksums(void)
{
    bool on;
    assert_int_equal(member_check_checksums(&config, &on), OC_ERR_OK);
    return on;
}

/* From the first entry on, or never: frames of both kinds cannot be told apart. */
static void checksums_from_the_first_entry_on(void **state)
{
    (void)state;
    assert_false(checksums()); /* a log that has none */
    assert_int_equal(remove_tree(folder.dir), OC_ERR_OK);
    assert_true(checksums());
    (void)snprintf(config.jvm_flags, sizeof config.jvm_flags,
                   "-Daeron.archive.record.checksum= -Xmx1g");
    assert_false(checksums());
}

/* A backup of the latest snapshot: its log may be empty. */
static void checksums_as_the_snapshots_have(void **state)
{
    (void)state;
    archive_maker_t archive;
    made_recording_t recordings[3];
    recording_log_entry_t entries[3];
    bool on;
    assert_int_equal(remove_tree(folder.archive), OC_ERR_OK);
    archive_maker_init(&archive, folder.archive);
    for (int i = 0; i < 3; i++) {
        archive_maker_record(&archive, &recordings[i], 0, MEMBER_FOLDER_TERM_BYTES,
                             MEMBER_FOLDER_SEGMENT_BYTES);
        recordings[i].checked = i == 1;
        if (i > 0)
            (void)made_recording_append(&recordings[i], "snapshot", 8);
        entries[i] =
            (recording_log_entry_t){.recording = recordings[i].id,
                                    .type = i > 0 ? RECORDING_LOG_SNAPSHOT : RECORDING_LOG_TERM,
                                    .log_position = i > 0 ? 640 * i : -1,
                                    .valid = true};
    }
    empty_file("cluster/recording.log");
    archive_maker_log(folder.cluster, entries, 2);
    assert_true(checksums());
    archive_maker_log(folder.cluster, entries + 2, 1);
    assert_false(checksums());
    made_recording_state(&recordings[2], 0);
    assert_true(checksums());
    assert_int_equal(truncate(path_of("archive/archive.catalog"), 40), 0);
    assert_int_equal(member_check_checksums(&config, &on), OC_ERR_DAMAGED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_directory_of_nothing),
        TEST(a_log_that_is_listed),
        TEST(a_list_that_is_missing),
        TEST(a_list_that_became_empty),
        TEST(a_follower_that_has_not_listed_its_log_yet),
        TEST(an_empty_list_of_a_cluster_of_one),
        TEST(a_recording_of_nothing),
        TEST(a_snapshot_alone_is_a_list),
        TEST(another_cluster),
        TEST(a_list_that_is_torn),
        TEST(a_list_that_is_torn_in_its_first_entry),
        TEST(only_the_mark),
        TEST(only_an_image),
        TEST(only_segments),
        TEST(only_the_middle_of_a_segment),
        TEST(a_catalog_that_was_made_anew),
        TEST(a_node_state_that_was_not_made),
        TEST(a_node_state_that_is_damaged),
        TEST(a_catalog_that_was_not_made),
        TEST(what_cannot_be_read),
        TEST(a_mark_that_cannot_be_written),
        TEST(checksums_from_the_first_entry_on),
        TEST(checksums_as_the_snapshots_have),
    };
    return cmocka_run_group_tests_name("member_check", tests, NULL, NULL);
}
