/*
 * Unit tests of `outcry log` in this process, on small journals. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/remove_tree.h"
#include "cli/subcommand.h"
#include "journal/journal.h"
#include "lib/capture.h"
#include "lib/temp_dir.h"
#include "snapshot/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static capture_t captured;
static char folder[64];
static uint64_t ends[100];

#define LOG(...) capture_main(log_main, (const char *const[]){"log", __VA_ARGS__, NULL}, &captured)

static journal_t *start_log(void)
{
    journal_config_t config;
    journal_config_init(&config);
    config.dir = folder;
    config.segment_bytes = 1 << 20;
    config.group_bytes = 64 << 10;
    config.ready_segments = 1;
    config.low_space_bytes = 0;
    journal_t *journal = NULL;
    journal_verdict_t verdict;
    assert_int_equal(journal_open(&journal, &config), OC_ERR_OK);
    assert_int_equal(journal_recover(journal, journal_first(journal), NULL, NULL, &verdict),
                     OC_ERR_OK);
    assert_int_equal(journal_start(journal), OC_ERR_OK);
    return journal;
}

/* Each entry in a group of its own. */
static void append(journal_t *journal, uint32_t count, uint32_t length)
{
    for (uint32_t i = 0; i < count; i++) {
        void *payload;
        while (!(payload = journal_claim(journal, 20, length, 1000 + i)))
            journal_flush(journal);
        memset(payload, (int)(0xA0 + i), length);
        ends[i % 100] = journal_commit(journal).value;
        while (journal_durable(journal).value < ends[i % 100])
            journal_flush(journal);
    }
}

static int make_log(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "log_test_XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    journal_t *journal = start_log();
    append(journal, 10, 5);
    return journal_close(journal) == OC_ERR_OK ? 0 : -1;
}

static bool remove_name(void *context, const char *name)
{
    (void)context;
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return unlink(path) == 0;
}

static int remove_log(void **state)
{
    (void)state;
    const storage_t *storage = storage_device();
    (void)storage->list(storage, folder, remove_name, NULL);
    return rmdir(folder);
}

static void flip(uint64_t offset)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/0000000000000000.journal", folder);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
    assert_int_not_equal(fputc(byte ^ 1, file), EOF);
    assert_int_equal(fclose(file), 0);
}

/* Nothing is looked at, and nothing is made there. */
static void test_no_log(void **state)
{
    (void)state;
    temp_dir_t dir;
    char path[400];
    temp_dir_make(&dir);
    const char *const names[] = {"verify", "dump", "stat", "cut", "purge"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(LOG(names[i], dir.path), 1);
        capture_assert_err(&captured, "there is no log of a node in it");
        assert_string_equal(captured.out, "");
    }
    (void)snprintf(path, sizeof path, "%s/lock", dir.path);
    assert_int_not_equal(access(path, F_OK), 0);
    temp_dir_remove(&dir);
}

static void test_usage(void **state)
{
    (void)state;
    const char *const alone[] = {"log", NULL};
    assert_int_equal(capture_main(log_main, alone, &captured), 2);
    assert_int_equal(LOG("look", folder), 2);
    capture_assert_err(&captured, "'look' is not one of");
    assert_int_equal(LOG("verify"), 2);
    assert_int_equal(LOG("verify", folder, "--at", "1"), 2);
    assert_int_equal(LOG("cut", folder, "--yes"), 2);
    assert_int_equal(LOG("purge", folder, "--without-image"), 2);
    capture_assert_err(&captured, "--below");
    assert_int_equal(LOG("--help"), 0);
    capture_assert_out(&captured, "dump DIR");
    assert_int_equal(LOG("dump", "--help"), 0);
    const char *const names[] = {"verify", "dump", "stat", "cut"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(LOG(names[i], "no_such_folder"), 1);
        capture_assert_err(&captured, "no_such_folder");
    }
    assert_int_not_equal(access("no_such_folder", F_OK), 0);
}

static void test_verify(void **state)
{
    (void)state;
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_out(&captured, "clean: 10 entries");
    flip(ends[3] - 32 + 1);
    assert_int_equal(LOG("verify", folder), 1);
    capture_assert_err(&captured, "0000000000000000.journal offset");
    assert_string_equal(captured.out, "");
    assert_int_equal(LOG("stat", folder), 1);
    assert_int_equal(LOG("cut", folder), 1);
}

static void test_dump(void **state)
{
    (void)state;
    char line[128];
    assert_int_equal(LOG("dump", folder), 0);
    (void)snprintf(line, sizeof line, "%" PRIu64 " 1 20 1003 5 a3a3a3a3a3\n", ends[3] - 64);
    capture_assert_out(&captured, line);
    assert_null(strstr(captured.out, "group"));
    assert_int_equal(LOG("dump", folder, "--own", "--limit", "2"), 0);
    capture_assert_out(&captured, "4096 1 group 0 16 ");
    capture_assert_out(&captured, "4160 1 term ");
    assert_null(strstr(captured.out, " 20 "));
    (void)snprintf(line, sizeof line, "%" PRIu64, ends[8]);
    assert_int_equal(LOG("dump", folder, "--from", line), 0);
    capture_assert_out(&captured, "a9a9a9a9a9");
    assert_null(strstr(captured.out, "a8a8"));
    assert_int_equal(LOG("dump", folder, "--from", "77"), 1);
}

static void test_stat(void **state)
{
    (void)state;
    assert_int_equal(LOG("stat", folder), 0);
    const char *const lines[] = {
        "verdict: clean\n",
        "closed: yes\n",
        "in_use: no\n",
        "entries: 10\n",
        "payload_bytes: 50\n",
        "term: 1\n",
        "cut_bytes: 0\n",
        "first_timestamp_ns: 1000\n",
        "last_timestamp_ns: 1009\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        capture_assert_out(&captured, lines[i]);
}

static void test_in_use(void **state)
{
    (void)state;
    journal_t *journal = start_log();
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_err(&captured, "a process uses");
    assert_int_equal(LOG("stat", folder), 0);
    capture_assert_out(&captured, "in_use: yes");
    assert_int_equal(LOG("cut", folder), 1);
    capture_assert_err(&captured, "another process holds");
    assert_int_equal(LOG("purge", folder, "--below", "1"), 1);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
}

/* While one reads, a node starts, and others read. */
static void test_reader_keeps_no_lock(void **state)
{
    (void)state;
    journal_config_t config;
    journal_config_init(&config);
    config.dir = folder;
    config.read_only = true;
    journal_t *reader = NULL;
    assert_int_equal(journal_open(&reader, &config), OC_ERR_OK);
    assert_false(journal_in_use(reader));
    assert_int_equal(LOG("stat", folder), 0);
    capture_assert_out(&captured, "in_use: no");
    assert_int_equal(journal_close(start_log()), OC_ERR_OK);
    assert_int_equal(journal_close(reader), OC_ERR_OK);
}

static void test_cut(void **state)
{
    (void)state;
    char at[32];
    char kept[64];
    assert_int_equal(LOG("cut", folder), 0);
    capture_assert_out(&captured, "not torn");
    (void)snprintf(at, sizeof at, "%" PRIu64, ends[4]);
    (void)snprintf(kept, sizeof kept, "kept: 5 entries up to position %s\n", at);
    assert_int_equal(LOG("cut", folder, "--at", at), 1);
    capture_assert_out(&captured, kept);
    capture_assert_out(&captured, "would be lost: position");
    capture_assert_err(&captured, "--yes");
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_out(&captured, "10 entries");
    assert_int_equal(LOG("cut", folder, "--at", at, "--yes"), 0);
    capture_assert_out(&captured, kept);
    capture_assert_out(&captured, "saved: 1 files");
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_out(&captured, "intact: 5 entries");
    assert_int_equal(LOG("cut", folder, "--at", "5"), 1);
    capture_assert_err(&captured, "no boundary");
}

static void test_torn(void **state)
{
    (void)state;
    /* Behind the mark, where the next group would be. */
    flip(ends[9] / 4096 * 4096 + 3 * 4096 + 5);
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_out(&captured, "torn: 10 entries");
    assert_int_equal(LOG("cut", folder), 0);
    capture_assert_out(&captured, "kept: 10 entries");
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_out(&captured, "clean: 10 entries");
}

static void test_purge(void **state)
{
    (void)state;
    journal_t *journal = start_log();
    append(journal, 90, 16000);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    assert_int_equal(LOG("purge", folder, "--below", "1500000", "--dry-run"), 0);
    capture_assert_out(&captured, "would_remove: 0000000000000000.journal\nfirst_position: 0\n");
    assert_int_equal(LOG("purge", folder, "--below", "1500000"), 1);
    capture_assert_out(&captured, "would_remove: 0000000000000000.journal\nfirst_position: 0\n");
    capture_assert_err(&captured, "--yes");
    assert_int_equal(LOG("purge", folder, "--below", "1500000", "--yes", "--dry-run"), 2);
    /* A node could not start from what is left, and nothing else holds it. */
    assert_int_equal(LOG("purge", folder), 1);
    capture_assert_err(&captured, "there is no image");
    assert_int_equal(LOG("purge", folder, "--below", "1500000", "--yes"), 1);
    capture_assert_err(&captured, "none can start from what is left");
    capture_assert_err(&captured, "--without-image");
    assert_string_equal(captured.out, "");
    assert_int_equal(LOG("purge", folder, "--below", "1500000", "--without-image"), 1);
    capture_assert_out(&captured, "would_remove: ");
    assert_int_equal(LOG("stat", folder), 0);
    capture_assert_out(&captured, "first_position: 0\n");
    assert_int_equal(LOG("purge", folder, "--below", "1500000", "--yes", "--without-image"), 0);
    capture_assert_out(&captured, "removed: 0000000000000000.journal\nfirst_position: 1048576\n");
    assert_int_equal(LOG("verify", folder), 0);
    capture_assert_out(&captured, "clean: ");
    assert_int_equal(LOG("dump", folder, "--limit", "1"), 0);
}

/* An image of the place where the log is; `log_id` 0: of this log. */
static void make_image(uint64_t sequence, uint64_t log_id, uint64_t position)
{
    image_store_t *images;
    image_writer_t *writer;
    const image_store_config_t config = {.dir = folder, .storage = storage_device(), .keep = 4};
    const image_writer_config_t writing = {
        .dir = folder, .storage = storage_device(), .block_bytes = 65536};
    image_info_t info = {.sequence = sequence, .section_count = 1};
    (void)snprintf(info.sections[0].name, OC_ARENA_NAME_MAX, "some");
    info.sections[0].kind = IMAGE_PAGES;
    info.sections[0].layout = 7;
    info.sections[0].size = 16 * OC_ARENA_PAGE_SIZE;
    const image_place_t place = {
        .log_id = log_id, .position = position, .group = position - 64, .entries = 5, .term = 1};
    assert_int_equal(image_store_open(&images, &config), OC_ERR_OK);
    assert_int_equal(image_writer_create(&writer, &writing), OC_ERR_OK);
    assert_int_equal(image_writer_begin(writer, &info, "c", 1), OC_ERR_OK);
    memset(image_writer_room(writer), (int)sequence, OC_ARENA_PAGE_SIZE);
    assert_int_equal(image_writer_put(writer, 0, 3), OC_ERR_OK);
    assert_int_equal(image_writer_finish(writer, &place, &info), OC_ERR_OK);
    assert_int_equal(image_store_commit(images, &info), OC_ERR_OK);
    image_writer_destroy(writer);
    image_store_close(images);
}

/* Flips bits of its page; twice is as before. */
static void damage_image(uint64_t sequence)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/" IMAGE_DIR "/%016" PRIx64 ".pages", folder, sequence);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 8192 + 7, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, 8192 + 7, SEEK_SET), 0);
    assert_true(fputc(byte ^ 0x55, file) != EOF);
    assert_int_equal(fclose(file), 0);
}

static void remove_images(void)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/" IMAGE_DIR, folder);
    assert_int_equal(remove_tree(path), OC_ERR_OK);
}

static void test_purge_with_images(void **state)
{
    (void)state;
    journal_t *journal = start_log();
    const uint64_t log_id = journal_log_id(journal);
    append(journal, 150, 16000);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    make_image(1, log_id, 1200000);
    make_image(2, log_id, 2200000);
    assert_int_equal(LOG("purge", folder), 0);
    capture_assert_out(&captured, "would_remove: 0000000000000000.journal\nfirst_position: 0\n");
    assert_int_equal(LOG("purge", folder, "--below", "2300000", "--yes"), 1);
    capture_assert_err(&captured, "the oldest image needs the log from position 1200000 on");
    assert_string_equal(captured.out, "");
    /* Without one that is whole nothing goes. */
    damage_image(1);
    damage_image(2);
    assert_int_equal(LOG("purge", folder, "--yes"), 1);
    capture_assert_err(&captured, "0000000000000002.pages");
    capture_assert_err(&captured, "no image is whole");
    assert_int_equal(LOG("stat", folder), 0);
    capture_assert_out(&captured, "first_position: 0\n");
    damage_image(1);
    assert_int_equal(LOG("purge", folder, "--yes"), 0);
    capture_assert_err(&captured, "0000000000000002.pages");
    capture_assert_out(&captured, "removed: 0000000000000000.journal\nfirst_position: 1048576\n");
    assert_int_equal(LOG("purge", folder, "--yes", "--below", "1200000"), 0);
    capture_assert_out(&captured, "first_position: 1048576\n");
    make_image(3, log_id ^ 1, 2200000);
    assert_int_equal(LOG("purge", folder, "--yes"), 1);
    capture_assert_err(&captured, "of another log");
    remove_images();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_log),
        cmocka_unit_test_setup_teardown(test_usage, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_verify, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_dump, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_stat, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_in_use, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_reader_keeps_no_lock, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_cut, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_torn, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_purge, make_log, remove_log),
        cmocka_unit_test_setup_teardown(test_purge_with_images, make_log, remove_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
