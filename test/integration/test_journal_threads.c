/*
 * The journal with its threads, on a real device and in memory: what was acknowledged is there
 * after the process was killed; a disk that fills up and has space again. Run by ctest, also under
 * the thread sanitizer.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/expect_abort.h"
#include "lib/storage_fake.h"
#include "lib/temp_file.h"

#include "journal/journal.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct folder {
    char path[64];
} folder_t;

static void folder_make(folder_t *folder)
{
    (void)snprintf(folder->path, sizeof folder->path, "journal_test_XXXXXX");
    assert_non_null(mkdtemp(folder->path));
}

static bool remove_name(void *context, const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", (const char *)context, name);
    return unlink(path) == 0;
}

static void folder_remove(folder_t *folder)
{
    const storage_t *storage = storage_device();
    assert_int_equal(storage->list(storage, folder->path, remove_name, folder->path), OC_ERR_OK);
    assert_int_equal(rmdir(folder->path), 0);
}

static void small_config(journal_config_t *config, const char *dir)
{
    journal_config_init(config);
    config->dir = dir;
    config->segment_bytes = 1 << 20;
    config->group_bytes = 64 << 10;
    config->low_space_bytes = 0;
}

static oc_err_t check_number(void *context, const journal_entry_t *entry)
{
    uint64_t *next = context;
    uint64_t number;
    memcpy(&number, entry->payload, sizeof number);
    return number == (*next)++ ? OC_ERR_OK : OC_ERR_DAMAGED;
}

static journal_t *open_and_start(const journal_config_t *config, uint64_t *entries)
{
    journal_t *journal = NULL;
    journal_verdict_t verdict;
    *entries = 0;
    if (journal_open(&journal, config) != OC_ERR_OK ||
        journal_recover(journal, (log_position_t){0}, check_number, entries, &verdict) !=
            OC_ERR_OK ||
        journal_start(journal) != OC_ERR_OK)
        return NULL;
    return journal;
}

/* Appends entries of 8 bytes to 1 KiB until told to stop by the count. */
static log_position_t append(journal_t *journal, uint64_t number)
{
    const uint32_t length = 8 + (uint32_t)(number * 37 % 1016);
    uint8_t *payload;
    while (!(payload = journal_claim(journal, JOURNAL_TYPE_USER, length, 0))) {
        journal_flush(journal);
        if (journal_condition(journal) == JOURNAL_FAILED)
            return (log_position_t){0};
        (void)sched_yield();
    }
    memset(payload, (int)number, length);
    memcpy(payload, &number, sizeof number);
    const log_position_t position = journal_commit(journal);
    if (number % 7 == 0)
        journal_flush(journal);
    return position;
}

static void wait_durable(journal_t *journal, log_position_t position)
{
    while (journal_durable(journal).value < position.value) {
        journal_flush(journal);
        assert_int_not_equal(journal_condition(journal), JOURNAL_FAILED);
        (void)sched_yield();
    }
}

static void run_mode(journal_sync_t sync, uint32_t spin_us)
{
    folder_t folder;
    folder_make(&folder);
    journal_config_t config;
    small_config(&config, folder.path);
    config.sync = sync;
    config.sync_period_ms = 5;
    config.writer_spin_us = spin_us;
    uint64_t entries = 0;
    journal_t *journal = open_and_start(&config, &entries);
    assert_non_null(journal);
    log_position_t position = {0};
    for (uint64_t i = 0; i < 6000; i++)
        position = append(journal, i);
    wait_durable(journal, position);
    journal_stats_t stats;
    journal_stats(journal, &stats);
    assert_true(stats.entries >= 6000);
    assert_true(stats.groups > 40);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    journal = open_and_start(&config, &entries);
    assert_non_null(journal);
    assert_int_equal(entries, 6000);
    assert_int_equal(journal_term(journal), 2);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    folder_remove(&folder);
}

static void test_all_modes(void **state)
{
    (void)state;
    run_mode(JOURNAL_SYNC_ALWAYS, 0);
    run_mode(JOURNAL_SYNC_ALWAYS, 200);
    run_mode(JOURNAL_SYNC_PERIODIC, 0);
    run_mode(JOURNAL_SYNC_NONE, 0);
}

/* The child tells each number that is durable through the pipe. */
static void child_appends(const journal_config_t *config, int out)
{
    uint64_t next = 0;
    journal_t *journal = open_and_start(config, &next);
    if (!journal)
        _exit(3);
    for (;; next++) {
        const log_position_t position = append(journal, next);
        if (next % 50 != 0)
            continue;
        while (journal_durable(journal).value < position.value)
            journal_flush(journal);
        if (write(out, &next, sizeof next) != (ssize_t)sizeof next)
            _exit(4);
    }
}

static void kill_once(const journal_config_t *config, uint64_t least)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        child_appends(config, ends[1]);
    }
    (void)close(ends[1]);
    uint64_t told = 0;
    while (told < least)
        assert_int_equal(read(ends[0], &told, sizeof told), sizeof told);
    assert_int_equal(kill(child, SIGKILL), 0);
    uint64_t more;
    while (read(ends[0], &more, sizeof more) == (ssize_t)sizeof more)
        told = more;
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    uint64_t entries = 0;
    journal_t *journal = open_and_start(config, &entries);
    assert_non_null(journal);
    assert_true(entries > told);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
}

static void test_kill(void **state)
{
    (void)state;
    folder_t folder;
    folder_make(&folder);
    journal_config_t config;
    small_config(&config, folder.path);
    for (uint64_t round = 1; round <= 8; round++)
        kill_once(&config, round * 400);
    folder_remove(&folder);
}

static void open_again(void *context)
{
    journal_t *journal = NULL;
    _exit((int)journal_open(&journal, context));
}

static void test_lock(void **state)
{
    (void)state;
    folder_t folder;
    folder_make(&folder);
    journal_config_t config;
    small_config(&config, folder.path);
    journal_t *journal = NULL;
    journal_t *second = NULL;
    assert_int_equal(journal_open(&journal, &config), OC_ERR_OK);
    assert_int_equal(journal_open(&second, &config), OC_ERR_LOCKED);
    assert_null(second);
    assert_int_equal(child_status(open_again, &config), OC_ERR_LOCKED);
    config.read_only = true;
    assert_int_equal(journal_open(&second, &config), OC_ERR_OK);
    assert_true(journal_in_use(second));
    assert_int_equal(journal_close(second), OC_ERR_OK);
    config.read_only = false;
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    assert_int_equal(child_status(open_again, &config), OC_ERR_OK);
    folder_remove(&folder);
}

static void wait_condition(journal_t *journal, journal_condition_t wanted)
{
    for (int i = 0; i < 60000 && journal_condition(journal) != wanted; i++) {
        const struct timespec pause = {.tv_nsec = 1000000};
        (void)nanosleep(&pause, NULL);
        journal_flush(journal);
    }
    assert_int_equal(journal_condition(journal), wanted);
}

static void test_full_and_back(void **state)
{
    (void)state;
    storage_fake_t *device = storage_fake_create(1);
    journal_config_t config;
    small_config(&config, "log");
    config.storage = storage_fake_table(device);
    config.ready_segments = 1;
    storage_fake_set_capacity(device, 5 << 19);
    uint64_t entries = 0;
    journal_t *journal = open_and_start(&config, &entries);
    assert_non_null(journal);
    wait_condition(journal, JOURNAL_FINE);
    uint64_t number = 0;
    log_position_t position = {0};
    while (journal_condition(journal) != JOURNAL_FULL) {
        uint8_t *payload = journal_claim(journal, JOURNAL_TYPE_USER, 8, 0);
        if (payload) {
            memcpy(payload, &number, sizeof number);
            number++;
            position = journal_commit(journal);
        }
        journal_flush(journal);
        (void)sched_yield();
    }
    wait_durable(journal, position);
    storage_fake_set_capacity(device, 64 << 20);
    wait_condition(journal, JOURNAL_FINE);
    position = append(journal, number++);
    wait_durable(journal, position);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    journal = open_and_start(&config, &entries);
    assert_non_null(journal);
    assert_int_equal(entries, number);
    assert_int_equal(journal_close(journal), OC_ERR_OK);
    storage_fake_destroy(device);
}

static void test_failed_sync_is_final(void **state)
{
    (void)state;
    storage_fake_t *device = storage_fake_create(1);
    journal_config_t config;
    small_config(&config, "log");
    config.storage = storage_fake_table(device);
    uint64_t entries = 0;
    journal_t *journal = open_and_start(&config, &entries);
    assert_non_null(journal);
    wait_condition(journal, JOURNAL_FINE);
    wait_durable(journal, append(journal, 0));
    const uint64_t durable = journal_durable(journal).value;
    /* The preparer is done, so it is the writer's. */
    journal_stats_t stats;
    do {
        journal_stats(journal, &stats);
        (void)sched_yield();
    } while (stats.segments_ready < config.ready_segments);
    storage_fake_fault(device, STORAGE_FAKE_SYNC_ERROR, 1);
    (void)append(journal, 1);
    wait_condition(journal, JOURNAL_FAILED);
    assert_int_equal(journal_failure(journal), OC_ERR_SYNC);
    assert_non_null(strstr(oc_err_context(), "planted"));
    assert_int_equal(journal_durable(journal).value, durable);
    assert_int_equal(journal_close(journal), OC_ERR_SYNC);
    storage_fake_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_modes),
        cmocka_unit_test(test_kill),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_full_and_back),
        cmocka_unit_test(test_failed_sync_is_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
