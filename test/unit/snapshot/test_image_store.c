/*
 * The image store: what it lists, what it leaves alone, and that at every point where a commit or a
 * removal can fail or end, images are there, whole, from which the state can be restored.
 */
#define _GNU_SOURCE /* strdup */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/image_maker.h"
#include "lib/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether some line has both texts in it. */
static bool tells(const image_maker_t *maker, const char *one, const char *other)
{
    const char *line;
    for (size_t i = 0; (line = image_store_line(maker->store, i)) != NULL; i++)
        if (strstr(line, one) && strstr(line, other))
            return true;
    return false;
}

static void test_nothing_is_there(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    assert_int_equal(image_store_count(maker.store), 0);
    assert_null(image_store_find(maker.store, 1));
    assert_null(image_store_line(maker.store, 0));
    assert_int_equal(image_store_oldest(maker.store), UINT64_MAX);
    image_maker_retain(&maker);
    assert_int_equal(image_store_next_sequence(maker.store), 1);
    assert_int_equal(image_store_next_sequence(maker.store), 2);
    image_maker_fini(&maker);
}

static void test_what_is_committed_is_listed(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    assert_int_equal(image_maker_make(&maker, 0), 1);
    assert_int_equal(image_maker_make(&maker, 1), 2);
    assert_int_equal(image_maker_make(&maker, 2), 3);
    assert_string_equal(image_maker_listed(&maker), "3 2 1");
    image_info_t before[3];
    uint64_t bytes = 0;
    for (size_t i = 3; i-- > 0;) {
        before[i] = *image_store_at(maker.store, i);
        bytes += before[i].bytes;
        assert_int_equal(before[i].chain_length, 3 - i);
        assert_int_equal(before[i].chain_bytes, bytes);
        assert_int_equal(before[i].place.position, (3 - i) * 1000);
        assert_int_equal(before[i].made_ns, (3 - i) * 1000);
        assert_int_equal(before[i].section_count, IMAGE_MAKER_SECTIONS);
        assert_string_equal(before[i].sections[1].name, "second");
    }
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "3 2 1");
    assert_null(image_store_line(maker.store, 0));
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(&before[i], image_store_at(maker.store, i), sizeof before[i]);
    assert_int_equal(image_store_find(maker.store, 2)->sequence, 2);
    assert_null(image_store_find(maker.store, 4));
    image_maker_check_all(&maker);
    image_maker_fini(&maker);
}

static void test_order_is_by_position(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    maker.position = 5000;
    assert_int_equal(image_maker_make(&maker, 0), 1);
    maker.position = 7000;
    assert_int_equal(image_maker_make(&maker, 0), 2);
    maker.position = 5000;
    assert_int_equal(image_maker_make(&maker, 0), 3);
    maker.position = 6000;
    assert_int_equal(image_maker_make(&maker, 0), 4);
    assert_string_equal(image_maker_listed(&maker), "2 4 3 1");
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "2 4 3 1");
    image_maker_fini(&maker);
}

static void test_leftovers_go_and_numbers_do_not_repeat(void **state)
{
    (void)state;
    static const char text[] = "left";
    image_maker_t maker;
    image_maker_start(&maker, 1);
    assert_int_equal(image_maker_make(&maker, 0), 1);
    storage_fake_put(maker.device, image_maker_path(9, ".pages"), text, sizeof text);
    storage_fake_put(maker.device, image_maker_path(10, ".manifest.new"), text, sizeof text);
    storage_fake_put(maker.device, image_maker_path(1, ".manifest.new"), text, sizeof text);
    storage_fake_put(maker.device, image_maker_path(12, ".other"), text, sizeof text);
    storage_fake_put(maker.device, IMAGE_MAKER_DIR "/images/notes", text, sizeof text);
    maker.read_only = true;
    image_maker_reopen(&maker);
    assert_int_equal(image_maker_files(&maker), 7);
    assert_string_equal(image_maker_listed(&maker), "1");
    maker.read_only = false;
    image_maker_reopen(&maker);
    assert_int_equal(image_maker_files(&maker), 4);
    assert_true(image_maker_there(&maker, 12, ".other"));
    assert_string_equal(image_maker_listed(&maker), "1");
    assert_null(image_store_line(maker.store, 0));
    assert_int_equal(image_maker_make(&maker, 1), 11);
    image_maker_fini(&maker);
}

static void test_read_only_changes_nothing(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    maker.read_only = true;
    const uint64_t before = storage_fake_operations(maker.device);
    image_maker_reopen(&maker);
    assert_int_equal(image_store_retain(maker.store, true, NULL, NULL), OC_ERR_OK);
    assert_string_equal(image_maker_listed(&maker), "3 2 1");
    assert_int_equal(storage_fake_operations(maker.device), before);
    image_maker_fini(&maker);
}

/* On a real device a directory can be absent. */
static void test_absent_directories(void **state)
{
    (void)state;
    temp_dir_t dir;
    char sub[300];
    temp_dir_make(&dir);
    (void)snprintf(sub, sizeof sub, "%s/log", dir.path);
    image_store_config_t config = {
        .dir = sub, .storage = storage_device(), .read_only = true, .keep = 2};
    image_store_t *store = NULL;
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OPEN);
    assert_non_null(strstr(oc_err_context(), sub));
    config.dir = dir.path;
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    assert_int_equal(image_store_count(store), 0);
    image_store_close(store);
    config.dir = sub;
    config.read_only = false;
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    assert_int_equal(image_store_count(store), 0);
    image_store_close(store);
    config.read_only = true;
    assert_int_equal(image_store_open(&store, &config), OC_ERR_OK);
    image_store_close(store);
    image_store_close(NULL);
    temp_dir_remove(&dir);
}

/* ---- What is not listed ---- */

static void test_each_byte_of_a_manifest_counts(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    image_maker_close(&maker);
    maker.read_only = true;
    for (uint64_t at = 0; at < STORAGE_BLOCK; at++) {
        const uint8_t mask = (uint8_t)(1 << at % 8);
        storage_fake_flip(maker.device, image_maker_path(2, ".manifest"), at, mask);
        assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
        assert_string_equal(image_maker_listed(&maker), "1");
        assert_true(tells(&maker, "image 2", image_maker_path(2, ".manifest")));
        image_maker_close(&maker);
        storage_fake_flip(maker.device, image_maker_path(2, ".manifest"), at, mask);
    }
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    assert_string_equal(image_maker_listed(&maker), "2 1");
    image_maker_fini(&maker);
}

/* Replaces a file by one with the first `size` bytes of another one. */
static void copy_file(image_maker_t *maker, const char *from, const char *to, size_t size)
{
    uint64_t there = 0;
    const uint8_t *bytes = storage_fake_bytes(maker->device, from, &there);
    assert_true(size <= there);
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    storage_fake_put(maker->device, to, copy, size);
    free(copy);
}

static char *path_copy(uint64_t sequence, const char *ending)
{
    return strdup(image_maker_path(sequence, ending));
}

static void test_files_that_do_not_fit(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    for (uint64_t i = 0; i < 5; i++)
        (void)image_maker_make(&maker, 0);
    const storage_t *storage = storage_fake_table(maker.device);
    char *pages[6] = {NULL};
    char *manifests[6] = {NULL};
    for (uint64_t i = 1; i <= 5; i++) {
        pages[i] = path_copy(i, ".pages");
        manifests[i] = path_copy(i, ".manifest");
    }
    copy_file(&maker, manifests[1], manifests[2], STORAGE_BLOCK); /* of another image */
    copy_file(&maker, manifests[3], manifests[3], 512);           /* cut off */
    copy_file(&maker, pages[4], pages[4], 20 * STORAGE_BLOCK);    /* cut off */
    assert_int_equal(storage->remove(storage, pages[5]), OC_ERR_OK);
    maker.keep = 64;
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "1");
    for (uint64_t i = 2; i <= 5; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "image %d", (int)i);
        assert_true(tells(&maker, name, i <= 3 ? manifests[i] : pages[i]));
    }
    /* Nothing of it was removed; nor is it while it is newer than what is complete. */
    image_maker_retain(&maker);
    assert_int_equal(image_maker_files(&maker), 9);
    for (uint64_t i = 1; i <= 5; i++) {
        free(pages[i]);
        free(manifests[i]);
    }
    image_maker_fini(&maker);
}

static void test_chains_without_their_base(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    maker.keep = 9;
    assert_int_equal(image_maker_make(&maker, 0), 1);
    assert_int_equal(image_maker_make(&maker, 0), 2);
    assert_int_equal(image_maker_make(&maker, 2), 3);
    assert_int_equal(image_maker_make(&maker, 3), 4);
    assert_int_equal(image_maker_make(&maker, 1), 5);
    storage_fake_flip(maker.device, image_maker_path(2, ".manifest"), 100, 1);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "5 1");
    assert_true(tells(&maker, "image 2", "damaged at offset 0"));
    assert_true(tells(&maker, "image 3", "image 2"));
    assert_true(tells(&maker, "image 4", "image 3"));
    assert_int_equal(image_maker_files(&maker), 10);
    image_maker_check_all(&maker);
    image_maker_fini(&maker);
}

/* Bases in which pages of the image would mean something else. */
static void test_bases_that_do_not_fit(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    assert_int_equal(image_maker_make(&maker, 0), 1);
    const char *const problems[] = {"another log", "later position", "other sections",
                                    "other sections", "missing"};
    for (int i = 0; i < 5; i++) {
        image_info_t info;
        maker.position = 5000;
        image_maker_info(&maker, i == 4 ? 77 : 1, &info);
        if (i == 4)
            info.sequence = 78;
        info.place.log_id += i == 0;
        info.place.position = i == 1 ? 999 : 5000;
        info.sections[0].layout += i == 2;
        info.sections[1].name[0] = i == 3 ? 'x' : 's';
        assert_int_equal(image_maker_write(&maker, &info), OC_ERR_OK);
        assert_int_equal(image_store_commit(maker.store, &info), OC_ERR_INVALID_ARGUMENT);
        assert_non_null(strstr(oc_err_context(), problems[i]));
        assert_string_equal(image_maker_listed(&maker), "1");
        assert_int_equal(image_maker_files(&maker), 2);
    }
    image_maker_fini(&maker);
}

static void test_chains_have_a_limit(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    uint64_t last = image_maker_make(&maker, 0);
    for (int i = 1; i < IMAGE_CHAIN_MAX; i++)
        last = image_maker_make(&maker, last);
    assert_int_equal(image_store_find(maker.store, last)->chain_length, IMAGE_CHAIN_MAX);
    uint64_t sequence;
    assert_int_equal(image_maker_take(&maker, last, &sequence), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), "longest chain"));
    image_maker_reopen(&maker);
    assert_int_equal(image_store_count(maker.store), IMAGE_CHAIN_MAX);
    image_maker_fini(&maker);
}

/* A file that was changed between finish and commit is no image. */
static void test_commit_looks_at_the_file(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    image_info_t info;
    image_maker_info(&maker, 0, &info);
    assert_int_equal(image_maker_write(&maker, &info), OC_ERR_OK);
    storage_fake_flip(maker.device, image_maker_path(1, ".pages"), 33, 4);
    assert_int_equal(image_store_commit(maker.store, &info), OC_ERR_DAMAGED);
    assert_int_equal(image_maker_files(&maker), 0);
    assert_int_equal(image_store_count(maker.store), 0);
    image_maker_fini(&maker);
}

/* ---- Faults ---- */

static const storage_fake_fault_t errors[] = {STORAGE_FAKE_WRITE_ERROR, STORAGE_FAKE_SHORT_WRITE,
                                              STORAGE_FAKE_NO_SPACE, STORAGE_FAKE_SYNC_ERROR,
                                              STORAGE_FAKE_READ_ERROR};
static const storage_fake_fault_t ends[] = {STORAGE_FAKE_POWER_CUT, STORAGE_FAKE_KILL,
                                            STORAGE_FAKE_TORN_WRITE};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The nth operation of writing and committing an image fails: nothing is left of it, what was there
 * is there, in this process and in the next, with and without a power cut; and the next image is
 * made as ever. */
static bool fail_commit(storage_fake_fault_t fault, uint64_t nth)
{
    image_maker_t maker;
    uint64_t sequence;
    image_maker_start(&maker, nth);
    maker.keep = 9;
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 1);
    storage_fake_fault(maker.device, fault, nth);
    const oc_err_t err = image_maker_take(&maker, 2, &sequence);
    const bool through = storage_fake_fault_pending(maker.device);
    storage_fake_fault(maker.device, STORAGE_FAKE_NO_FAULT, 1);
    assert_int_equal(err == OC_ERR_OK, through);
    assert_string_equal(image_maker_listed(&maker), through ? "3 2 1" : "2 1");
    assert_int_equal(image_maker_files(&maker), through ? 6 : 4);
    if (!through)
        assert_non_null(strstr(oc_err_context(), IMAGE_MAKER_DIR "/images"));
    if (nth % 2)
        storage_fake_power_cut(maker.device);
    image_maker_reopen(&maker);
    /* A manifest whose removal was not durable may be back. */
    if (strcmp(image_maker_listed(&maker), "3 2 1") != 0)
        assert_string_equal(image_maker_listed(&maker), "2 1");
    image_maker_check_all(&maker);
    const uint64_t next = image_maker_make(&maker, 2);
    assert_true(next >= 3);
    image_maker_check(&maker, next);
    image_maker_fini(&maker);
    return through;
}

static void test_commit_with_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(errors); i++) {
        uint64_t nth = 1;
        while (!fail_commit(errors[i], nth))
            nth++;
        assert_true(nth > 1);
    }
}

/* The same, but the process ends there. */
static bool end_commit(storage_fake_fault_t fault, uint64_t nth, uint64_t seed)
{
    image_maker_t maker;
    uint64_t sequence;
    image_maker_start(&maker, seed);
    maker.keep = 9;
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 1);
    storage_fake_fault(maker.device, fault, nth);
    const oc_err_t err = image_maker_take(&maker, 2, &sequence);
    const bool through = storage_fake_fault_pending(maker.device);
    assert_int_equal(err == OC_ERR_OK, through);
    if (through)
        storage_fake_power_cut(maker.device);
    image_maker_reopen(&maker);
    if (through || strcmp(image_maker_listed(&maker), "2 1") != 0)
        assert_string_equal(image_maker_listed(&maker), "3 2 1");
    assert_null(image_store_line(maker.store, 0));
    image_maker_check_all(&maker);
    /* What the start has shown is there for good. */
    char before[256];
    (void)snprintf(before, sizeof before, "%s", image_maker_listed(&maker));
    storage_fake_power_cut(maker.device);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), before);
    image_maker_check_all(&maker);
    image_maker_fini(&maker);
    return through;
}

static void test_commit_that_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            uint64_t nth = 1;
            while (!end_commit(ends[i], nth, seed))
                nth++;
            assert_true(nth > 3);
        }
    }
}

/* ---- Retention ---- */

static void test_what_is_kept(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_init(&maker, 1);
    maker.keep = 2;
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    (void)image_maker_make(&maker, 0); /* 1 <- 2 <- 3 */
    (void)image_maker_make(&maker, 1);
    (void)image_maker_make(&maker, 2);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "3 2 1"); /* 1 because the others need it */
    assert_int_equal(image_store_oldest(maker.store), 2000);
    (void)image_maker_make(&maker, 0); /* 4 <- 5 */
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "4 3 2 1");
    assert_int_equal(image_store_oldest(maker.store), 3000);
    (void)image_maker_make(&maker, 4);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "5 4 3 2 1"); /* 3 shares nothing with 5 */
    assert_int_equal(image_store_oldest(maker.store), 3000);
    (void)image_maker_make(&maker, 0); /* 6 */
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "6 5 4");
    assert_int_equal(image_store_oldest(maker.store), 5000);
    (void)image_maker_make(&maker, 0); /* 7 */
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "7 6");
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_check_all(&maker);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "7 6");
    image_maker_fini(&maker);
}

/* Folded: another image of the same place, full. The chain stays until there is another one. */
static void test_what_is_kept_of_a_folded_chain(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1); /* keeps 1 */
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 1);
    maker.position -= 1000;
    assert_int_equal(image_maker_make(&maker, 0), 3);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "3 2 1");
    assert_int_equal(image_store_oldest(maker.store), 2000);
    (void)image_maker_make(&maker, 3);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "4 3 2 1");
    maker.position -= 1000;
    (void)image_maker_make(&maker, 0);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "5 4 3");
    image_maker_fini(&maker);
}

typedef struct names {
    char text[512];
    size_t limit;
} names_t;

static bool note_name(void *context, const char *name)
{
    names_t *names = context;
    const size_t length = strlen(names->text);
    (void)snprintf(names->text + length, sizeof names->text - length, "%s ", name);
    return --names->limit > 0;
}

static void test_dry_run(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    for (int i = 0; i < 4; i++)
        (void)image_maker_make(&maker, 0);
    static const char expected[] = "0000000000000001.manifest 0000000000000001.pages "
                                   "0000000000000002.manifest 0000000000000002.pages ";
    names_t names = {.limit = 100};
    const uint64_t before = storage_fake_operations(maker.device);
    assert_int_equal(image_store_retain(maker.store, true, note_name, &names), OC_ERR_OK);
    assert_string_equal(names.text, expected);
    names = (names_t){.limit = 1};
    assert_int_equal(image_store_retain(maker.store, true, note_name, &names), OC_ERR_OK);
    assert_string_equal(names.text, "0000000000000001.manifest ");
    assert_int_equal(storage_fake_operations(maker.device), before);
    assert_string_equal(image_maker_listed(&maker), "4 3 2 1");
    names = (names_t){.limit = 100};
    assert_int_equal(image_store_retain(maker.store, false, note_name, &names), OC_ERR_OK);
    assert_string_equal(names.text, expected);
    assert_string_equal(image_maker_listed(&maker), "4 3");
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_fini(&maker);
}

/* What cannot be used goes when all that is kept is newer, and not before. */
static void test_useless_images_go_in_the_end(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 2);
    storage_fake_flip(maker.device, image_maker_path(2, ".manifest"), 9, 1);
    image_maker_reopen(&maker);
    const storage_t *storage = storage_fake_table(maker.device);
    assert_int_equal(storage->remove(storage, image_maker_path(2, ".pages")), OC_ERR_OK);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "1");
    (void)image_maker_make(&maker, 1);
    image_maker_retain(&maker); /* 1 and 4 are kept, and only 1 is older than 2 and 3 */
    assert_string_equal(image_maker_listed(&maker), "4 1");
    assert_int_equal(image_maker_files(&maker), 7);
    (void)image_maker_make(&maker, 0);
    image_maker_retain(&maker);
    assert_int_equal(image_maker_files(&maker), 9);
    (void)image_maker_make(&maker, 0);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "6 5");
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_fini(&maker);
}

static uint64_t root_of(const image_maker_t *maker, uint64_t sequence)
{
    const image_info_t *info = image_store_find(maker->store, sequence);
    assert_non_null(info);
    return info->base ? root_of(maker, info->base) : sequence;
}

/* Bad ones that recovery has found: they and what is built on them count no more. */
static void test_images_that_are_passed_over(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    (void)image_maker_make(&maker, 0); /* 1 <- 2 <- 4, 1 <- 5; 3 <- 6 */
    (void)image_maker_make(&maker, 1);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 2);
    (void)image_maker_make(&maker, 1);
    (void)image_maker_make(&maker, 3);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "6 5 4 3 2 1");
    image_store_pass_over(maker.store, 2);
    assert_string_equal(image_maker_listed(&maker), "6 5 3 1");
    assert_null(image_store_find(maker.store, 4));
    assert_null(image_store_manifest(maker.store, 2));
    image_store_pass_over(maker.store, 6);
    assert_string_equal(image_maker_listed(&maker), "5 3 1");
    assert_int_equal(image_store_oldest(maker.store), 3000);
    image_maker_retain(
        &maker); /* keeps 5 with 1, and 3; the bad ones would be listed again if they stayed */
    assert_string_equal(image_maker_listed(&maker), "5 3 1");
    assert_int_equal(image_maker_files(&maker), 6);
    image_maker_reopen(&maker);
    assert_string_equal(image_maker_listed(&maker), "5 3 1");
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    image_maker_retain(&maker);
    assert_string_equal(image_maker_listed(&maker), "7 6");
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_fini(&maker);
}

/* All of them, in any order. */
static void test_all_images_are_passed_over(void **state)
{
    (void)state;
    for (uint64_t first = 1; first <= 3; first++) {
        image_maker_t maker;
        image_maker_start(&maker, 1);
        (void)image_maker_make(&maker, 0);
        (void)image_maker_make(&maker, 1);
        (void)image_maker_make(&maker, 2);
        image_maker_reopen(&maker);
        image_store_pass_over(maker.store, first);
        assert_int_equal(image_store_count(maker.store), first - 1);
        while (image_store_count(maker.store) > 0)
            image_store_pass_over(maker.store, image_store_at(maker.store, 0)->sequence);
        assert_int_equal(image_store_oldest(maker.store), UINT64_MAX);
        image_maker_retain(&maker);
        assert_int_equal(image_maker_files(&maker), 6);
        assert_int_equal(image_maker_make(&maker, 0), 4);
        image_maker_retain(&maker);
        assert_string_equal(image_maker_listed(&maker), "4");
        assert_int_equal(image_maker_files(&maker), 2);
        image_maker_fini(&maker);
    }
}

/* Two chains, then a third one and its retention, with a fault at the nth operation. At the end:
 * what was acknowledged is there, all that is listed reads whole, and besides the newest there is
 * one that shares no file with it. */
static bool fault_retention(storage_fake_fault_t fault, uint64_t nth, uint64_t seed)
{
    image_maker_t maker;
    uint64_t acknowledged = 5;
    bool failed = false;
    image_maker_start(&maker, seed);
    (void)image_maker_make(&maker, 0); /* 1 <- 2 <- 3, 4 <- 5 */
    (void)image_maker_make(&maker, 1);
    (void)image_maker_make(&maker, 2);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 4);
    storage_fake_fault(maker.device, fault, nth);
    for (int i = 0; i < 2; i++) {
        uint64_t sequence;
        if (image_maker_take(&maker, i ? acknowledged : 0, &sequence) == OC_ERR_OK)
            acknowledged = sequence;
        else
            failed = true;
        failed |= image_store_retain(maker.store, false, NULL, NULL) != OC_ERR_OK;
    }
    const bool through = storage_fake_fault_pending(maker.device);
    assert_int_equal(failed, !through);
    if (!storage_fake_is_off(maker.device) && nth % 2)
        storage_fake_power_cut(maker.device);
    image_maker_reopen(&maker);
    /* No manifest has lost its data file or its base. */
    assert_null(image_store_line(maker.store, 0));
    assert_true(image_store_count(maker.store) >= 2);
    const image_info_t *newest = image_store_at(maker.store, 0);
    assert_true(newest->sequence >= acknowledged);
    image_maker_check_all(&maker);
    /* 3 and 5 are the heads of the older chains. */
    const uint64_t apart = root_of(&maker, newest->sequence) == 4 ? 3 : 5;
    assert_non_null(image_store_find(maker.store, apart));
    assert_int_equal(image_store_retain(maker.store, false, NULL, NULL), OC_ERR_OK);
    image_maker_check_all(&maker);
    assert_non_null(image_store_find(maker.store, apart));
    if (apart == 5)
        assert_null(image_store_find(maker.store, 3));
    image_maker_reopen(&maker);
    assert_int_equal(image_maker_files(&maker), 2 * image_store_count(maker.store));
    image_maker_fini(&maker);
    return through;
}

static void test_retention_with_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(errors) + COUNT(ends); i++) {
        const bool error = i < COUNT(errors);
        const storage_fake_fault_t fault = error ? errors[i] : ends[i - COUNT(errors)];
        for (uint64_t seed = 1; seed <= 4; seed++) {
            uint64_t nth = 1;
            while (!fault_retention(fault, nth, seed))
                nth++;
            assert_true(nth > 1);
        }
    }
}

/* A directory that cannot be read or synced is an error; one bad file is a line. */
static void test_open_with_faults(void **state)
{
    (void)state;
    image_maker_t maker;
    image_maker_start(&maker, 1);
    (void)image_maker_make(&maker, 0);
    (void)image_maker_make(&maker, 0);
    image_maker_close(&maker);
    storage_fake_fault(maker.device, STORAGE_FAKE_SYNC_ERROR, 1);
    assert_int_equal(image_maker_open(&maker), OC_ERR_SYNC);
    storage_fake_fault(maker.device, STORAGE_FAKE_READ_ERROR, 2);
    assert_int_equal(image_maker_open(&maker), OC_ERR_OK);
    assert_string_equal(image_maker_listed(&maker), "1");
    assert_true(tells(&maker, "image 2", "a planted fault"));
    assert_int_equal(image_maker_files(&maker), 4);
    image_maker_close(&maker);
    storage_fake_kill(maker.device);
    assert_int_equal(image_maker_open(&maker), OC_ERR_OPEN);
    image_maker_fini(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_there),
        cmocka_unit_test(test_what_is_committed_is_listed),
        cmocka_unit_test(test_order_is_by_position),
        cmocka_unit_test(test_leftovers_go_and_numbers_do_not_repeat),
        cmocka_unit_test(test_read_only_changes_nothing),
        cmocka_unit_test(test_absent_directories),
        cmocka_unit_test(test_each_byte_of_a_manifest_counts),
        cmocka_unit_test(test_files_that_do_not_fit),
        cmocka_unit_test(test_chains_without_their_base),
        cmocka_unit_test(test_bases_that_do_not_fit),
        cmocka_unit_test(test_chains_have_a_limit),
        cmocka_unit_test(test_commit_looks_at_the_file),
        cmocka_unit_test(test_commit_with_errors),
        cmocka_unit_test(test_commit_that_ends),
        cmocka_unit_test(test_what_is_kept),
        cmocka_unit_test(test_what_is_kept_of_a_folded_chain),
        cmocka_unit_test(test_dry_run),
        cmocka_unit_test(test_useless_images_go_in_the_end),
        cmocka_unit_test(test_images_that_are_passed_over),
        cmocka_unit_test(test_all_images_are_passed_over),
        cmocka_unit_test(test_retention_with_faults),
        cmocka_unit_test(test_open_with_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
