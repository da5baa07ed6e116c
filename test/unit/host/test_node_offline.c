/*
 * A stopped node's state: images taken, loaded, exported, imported elsewhere, and what half an
 * import leaves. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "bench/offline_node.h"
#include "lib/offline_fixture.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 65536 };

typedef struct memory_file {
    uint8_t bytes[FILE_MAX];
    size_t length;
    size_t at;
} memory_file_t;

static oc_err_t put(void *context, const void *bytes, size_t length)
{
    memory_file_t *file = context;
    assert_true(length <= FILE_MAX - file->length);
    memcpy(file->bytes + file->length, bytes, length);
    file->length += length;
    return OC_ERR_OK;
}

static oc_err_t get(void *context, void *bytes, size_t length)
{
    memory_file_t *file = context;
    if (length > file->length - file->at)
        return error_set(OC_ERR_TRUNCATED, "the file ends");
    memcpy(bytes, file->bytes + file->at, length);
    file->at += length;
    return OC_ERR_OK;
}

static void takes(void **state)
{
    (void)state;
    offline_fixture_t f;
    tally_t tally;
    snapshot_status_t status;
    offline_fixture_init(&f, 2, true);
    offline_tally(&f, &tally);
    /* No log, then a log without an entry. */
    assert_int_equal(node_take(&f.config, &tally.service, false, &status), OC_ERR_INVALID_ARGUMENT);
    f.begun = true;
    offline_append(&f, 0);
    f.begun = false;
    offline_tally(&f, &tally);
    assert_int_equal(node_take(&f.config, &tally.service, false, &status), OC_ERR_INVALID_ARGUMENT);
    assert_int_equal(tally.stops, 1);
    offline_append(&f, 9);
    const uint64_t max_timers = f.config.max_timers;
    f.config.max_timers = 77; /* the log knows better */
    assert_int_equal(offline_take(&f, false), 1);
    f.config.max_timers = max_timers;
    offline_append(&f, 9);
    assert_int_equal(offline_take(&f, false), 2);
    assert_int_equal(offline_recover(&f, false), OC_ERR_OK);
    const uint64_t hash = f.hash;
    assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
    assert_true(f.hash == hash);
    assert_int_equal(f.recovery.image_sequence, 2);
    assert_int_equal(f.recovery.replayed, 0);
    tally_init(&tally); /* has no images */
    assert_int_equal(node_take(&f.config, &tally.service, false, &status), OC_ERR_INVALID_ARGUMENT);
    offline_fixture_fini(&f);
}

/* Whatever fails, and whenever: the directory starts with the same state. */
static void takes_survive(void **state)
{
    (void)state;
    static const storage_fake_fault_t faults[] = {STORAGE_FAKE_POWER_CUT, STORAGE_FAKE_WRITE_ERROR,
                                                  STORAGE_FAKE_SYNC_ERROR};
    for (size_t kind = 0; kind < sizeof faults / sizeof faults[0]; kind++) {
        bool over = false;
        for (uint64_t nth = 1; !over; nth += 3) {
            offline_fixture_t f;
            tally_t tally;
            snapshot_status_t status;
            offline_fixture_init(&f, nth, nth % 2 == 0);
            offline_append(&f, 20);
            (void)offline_take(&f, true);
            offline_append(&f, 20);
            assert_int_equal(offline_recover(&f, false), OC_ERR_OK);
            const uint64_t hash = f.hash;
            storage_fake_fault(f.device, faults[kind], nth);
            offline_tally(&f, &tally);
            const oc_err_t err = node_take(&f.config, &tally.service, false, &status);
            over = storage_fake_fault_pending(f.device);
            assert_true(!over || err == OC_ERR_OK);
            storage_fake_fault(f.device, STORAGE_FAKE_NO_FAULT, 1);
            storage_fake_power_cut(f.device);
            storage_fake_restart(f.device);
            assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
            assert_true(f.hash == hash);
            assert_true(f.recovery.image_sequence > 0);
            assert_int_equal(f.entries, 42);
            offline_fixture_fini(&f);
        }
    }
}

/* A directory of the real device, since load and export are tools'. */
static void on_disk(offline_fixture_t *f, temp_dir_t *dir, uint64_t seed, bool arena)
{
    temp_dir_make(dir);
    offline_fixture_init(f, seed, arena);
    f->config.storage = storage_device();
    (void)snprintf(f->config.dir, sizeof f->config.dir, "%s", dir->path);
}

static void loads(void **state)
{
    (void)state;
    offline_fixture_t f;
    temp_dir_t dir;
    tally_t tally;
    image_info_t info;
    on_disk(&f, &dir, 5, false);
    offline_append(&f, 30);
    (void)offline_take(&f, true);
    assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
    const uint64_t hash = f.hash;
    offline_append(&f, 30);
    (void)offline_take(&f, true);
    offline_tally(&f, &tally);
    assert_int_equal(node_load(dir.path, &tally.service, 1, 1, &info), OC_ERR_OK);
    assert_int_equal(info.sequence, 1);
    assert_true(tally.hash == hash);
    assert_int_equal(tally.stops, 0);
    offline_tally(&f, &tally);
    assert_int_equal(node_load(dir.path, &tally.service, 0, 0, &info), OC_ERR_OK);
    assert_int_equal(info.sequence, 2);
    offline_tally(&f, &tally);
    assert_int_equal(node_load(dir.path, &tally.service, 7, 0, &info), OC_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(oc_err_context(), "no complete image 7"));
    offline_tally(&f, &tally);
    tally.configuration = "tally 2";
    assert_int_equal(node_load(dir.path, &tally.service, 0, 0, &info), OC_ERR_INVALID_CONFIG);
    offline_fixture_fini(&f);
    temp_dir_remove(&dir);
}

static void exports_and_imports(void **state)
{
    (void)state;
    static memory_file_t file;
    static memory_file_t again;
    for (int arena = 0; arena < 2; arena++) {
        offline_fixture_t f;
        offline_fixture_t other;
        temp_dir_t dir;
        temp_dir_t other_dir;
        tally_t tally;
        image_info_t info;
        on_disk(&f, &dir, 5, arena);
        on_disk(&other, &other_dir, 5, !arena);
        offline_append(&f, 40);
        (void)offline_take(&f, true);
        assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
        assert_true(f.timers > 0);
        file = (memory_file_t){.length = 0};
        again = file;
        offline_tally(&f, &tally);
        assert_int_equal(node_export(dir.path, &tally.service, 0, put, &file, &info), OC_ERR_OK);
        oc_arena_fini(&tally.arena);
        const uint32_t term = info.place.term;
        offline_tally(&other, &tally);
        tally.configuration = "tally 2"; /* that is what it is for */
        assert_int_equal(node_import(&other.config, &tally.service, get, &file, &info), OC_ERR_OK);
        assert_int_equal(tally.stops, 1);
        assert_true(info.place.state_hash == f.hash);
        offline_tally(&other, &tally);
        tally.configuration = "tally 2";
        assert_int_equal(offline_recover_with(&other, &tally.service, true), OC_ERR_OK);
        assert_true(other.hash == f.hash);
        assert_int_equal(other.entries, f.entries);
        assert_int_equal(other.timers, f.timers);
        assert_int_equal(other.sessions, 1);
        assert_true(other.recovery.verdict.term > term);
        offline_tally(&other, &tally);
        tally.configuration = "tally 2";
        assert_int_equal(node_export(other_dir.path, &tally.service, 0, put, &again, &info),
                         OC_ERR_OK);
        oc_arena_fini(&tally.arena);
        assert_int_equal(again.length, file.length);
        assert_memory_equal(again.bytes, file.bytes, file.length);
        /* Into what is there already. */
        offline_tally(&other, &tally);
        file.at = 0;
        assert_int_equal(node_import(&other.config, &tally.service, get, &file, &info),
                         OC_ERR_INVALID_ARGUMENT);
        offline_fixture_fini(&other);
        offline_fixture_fini(&f);
        temp_dir_remove(&other_dir);
        temp_dir_remove(&dir);
    }
}

typedef struct name_count {
    const char *ending;
    unsigned count;
} name_count_t;

static bool count_name(void *context, const char *name)
{
    name_count_t *counted = context;
    const size_t length = strlen(name);
    const size_t tail = strlen(counted->ending);
    counted->count += length >= tail && !strcmp(name + length - tail, counted->ending);
    return true;
}

static unsigned count_names(const offline_fixture_t *f, const char *ending)
{
    name_count_t counted = {.ending = ending};
    const storage_t *storage = f->config.storage;
    assert_int_equal(storage->list(storage, OFFLINE_DIR, count_name, &counted), OC_ERR_OK);
    return counted.count;
}

/* A state in a file; returns its hash. */
static uint64_t export_some(memory_file_t *file)
{
    offline_fixture_t f;
    temp_dir_t dir;
    tally_t tally;
    image_info_t info;
    on_disk(&f, &dir, 5, true);
    offline_append(&f, 40);
    (void)offline_take(&f, true);
    *file = (memory_file_t){.length = 0};
    offline_tally(&f, &tally);
    assert_int_equal(node_export(dir.path, &tally.service, 0, put, file, &info), OC_ERR_OK);
    oc_arena_fini(&tally.arena);
    offline_fixture_fini(&f);
    temp_dir_remove(&dir);
    return info.place.state_hash;
}

/* The log without its image is no empty book, whatever happened to it. */
static void half_an_import(void **state)
{
    (void)state;
    static memory_file_t file;
    offline_fixture_t f;
    offline_fixture_t other;
    temp_dir_t dir;
    tally_t tally;
    image_info_t info;
    on_disk(&f, &dir, 5, true);
    offline_append(&f, 40);
    (void)offline_take(&f, true);
    assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
    file = (memory_file_t){.length = 0};
    offline_tally(&f, &tally);
    assert_int_equal(node_export(dir.path, &tally.service, 0, put, &file, &info), OC_ERR_OK);
    oc_arena_fini(&tally.arena);
    offline_fixture_init(&other, 9, true);
    offline_tally(&other, &tally);
    assert_int_equal(node_import(&other.config, &tally.service, get, &file, &info), OC_ERR_OK);
    other.begun = true;
    other.now_ns = f.now_ns;
    offline_append(&other, 3);
    assert_int_equal(offline_recover(&other, true), OC_ERR_OK);
    assert_int_equal(other.entries, f.entries + 3);
    assert_int_equal(other.recovery.replayed, 3);
    offline_remove(&other, true, ".manifest");
    assert_int_equal(offline_recover(&other, true), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "goes on from an import"));
    offline_fixture_fini(&other);
    /* A file that ends too early or is another one. */
    for (int i = 0; i < 3; i++) {
        offline_fixture_init(&other, 9, true);
        offline_tally(&other, &tally);
        file.at = i == 0 ? 8 : 0;
        if (i == 1)
            file.bytes[70] ^= 1;
        if (i == 2) {
            file.bytes[70] ^= 1;
            file.length--;
        }
        assert_int_equal(node_import(&other.config, &tally.service, get, &file, &info),
                         i == 2 ? OC_ERR_TRUNCATED : OC_ERR_DAMAGED);
        offline_fixture_fini(&other);
    }
    offline_fixture_fini(&f);
    temp_dir_remove(&dir);
}

/* A state with something behind it: nothing is made. */
static void more_than_a_state(void **state)
{
    (void)state;
    static memory_file_t file;
    offline_fixture_t other;
    tally_t tally;
    image_info_t info;
    export_some(&file);
    offline_fixture_init(&other, 9, true);
    offline_tally(&other, &tally);
    file.bytes[file.length++] = 0;
    assert_int_equal(node_import(&other.config, &tally.service, get, &file, &info), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "behind the end"));
    assert_int_equal(count_names(&other, ""), 0);
    offline_fixture_fini(&other);
}

/* The process or the power goes at any operation of an import. Afterwards a start is refused, or
 * has all of the state; or nothing at all was begun. */
static void killed_imports(void **state)
{
    (void)state;
    static memory_file_t file;
    static const storage_fake_fault_t faults[] = {STORAGE_FAKE_KILL, STORAGE_FAKE_POWER_CUT,
                                                  STORAGE_FAKE_SYNC_ERROR, STORAGE_FAKE_NO_SPACE};
    const uint64_t hash = export_some(&file);
    for (size_t kind = 0; kind < sizeof faults / sizeof faults[0]; kind++) {
        bool over = false;
        unsigned refused = 0;
        for (uint64_t nth = 1; !over; nth++) {
            offline_fixture_t f;
            tally_t tally;
            image_info_t info;
            snapshot_status_t status;
            offline_fixture_init(&f, nth, true);
            storage_fake_fault(f.device, faults[kind], nth);
            offline_tally(&f, &tally);
            file.at = 0;
            const oc_err_t err = node_import(&f.config, &tally.service, get, &file, &info);
            over = storage_fake_fault_pending(f.device);
            assert_true(!over || err == OC_ERR_OK);
            storage_fake_fault(f.device, STORAGE_FAKE_NO_FAULT, 1);
            storage_fake_kill(f.device);
            storage_fake_restart(f.device);
            offline_tally(&f, &tally);
            const oc_err_t start_err = node_take(&f.config, &tally.service, true, &status);
            if (start_err == OC_ERR_OK) {
                assert_int_equal(offline_recover(&f, true), OC_ERR_OK);
                assert_true(f.hash == hash);
            } else if (start_err == OC_ERR_DAMAGED) {
                assert_non_null(strstr(oc_err_context(), "half an import; remove "));
                refused++;
            } else {
                /* As if it had never been: the log is the start's own. */
                assert_int_equal(start_err, OC_ERR_INVALID_ARGUMENT);
                assert_true(nth <= 4);
                assert_int_equal(count_names(&f, ".manifest"), 0);
            }
            offline_fixture_fini(&f);
        }
        assert_true(refused > 3);
    }
}

/* ---- With the exchange ---- */

static exchange_config_t small_exchange(uint32_t max_orders)
{
    exchange_config_t config;
    exchange_config_init(&config);
    config.engine.max_orders = max_orders;
    config.engine.max_levels = 1000;
    config.engine.max_sources = 8;
    config.engine.max_sessions = 8;
    return config;
}

static void make_market(const char *dir, const exchange_config_t *config, uint64_t orders)
{
    journal_config_t journal;
    offline_node_t *node;
    oc_session_id_t trader;
    journal_config_init(&journal);
    journal.dir = dir;
    journal.segment_bytes = 1 << 20;
    journal.group_bytes = 64 << 10;
    journal.low_space_bytes = 0;
    assert_int_equal(offline_node_create(&node, &journal, config), OC_ERR_OK);
    assert_int_equal(offline_node_market(node, 1, 100, 50, &trader), OC_ERR_OK);
    oc_request_t request = {.type = OC_REQUEST_COMMAND};
    request.u.command.type = OC_COMMAND_NEW;
    request.u.command.order_type = OC_ORDER_LIMIT;
    request.u.command.instrument.value = 1;
    request.u.command.u.order.quantity_lots = 5;
    for (uint64_t i = 1; i <= orders; i++) {
        request.u.command.sequence = i;
        request.u.command.u.order.client_order_id.value = i;
        request.u.command.u.order.price_ticks = 1 + (int64_t)i % 90;
        assert_int_equal(offline_node_request(node, trader, &request), OC_ERR_OK);
    }
    assert_int_equal(offline_node_destroy(node), OC_ERR_OK);
}

static void replay(const char *dir, const exchange_config_t *config, node_replay_from_t from,
                   node_report_t *report)
{
    exchange_t *exchange;
    assert_int_equal(exchange_create(&exchange, config), OC_ERR_OK);
    const oc_err_t err = node_replay(dir, exchange_service(exchange), from, report);
    if (err != OC_ERR_OK)
        fail_msg("replay: %s", oc_err_context());
    exchange_destroy(exchange);
}

static void export_from(const char *dir, const exchange_config_t *config, memory_file_t *file)
{
    exchange_t *exchange;
    image_info_t info;
    *file = (memory_file_t){.length = 0};
    assert_int_equal(exchange_create(&exchange, config), OC_ERR_OK);
    const oc_err_t err = node_export(dir, exchange_service(exchange), 0, put, file, &info);
    if (err != OC_ERR_OK)
        fail_msg("export: %s", oc_err_context());
    exchange_destroy(exchange);
}

/* Takes an image, goes from it, and from the log alone when it is damaged; carries the book over to
 * an exchange of another size and back into a file. */
static void an_exchange(void **state)
{
    (void)state;
    static memory_file_t files[2];
    temp_dir_t dir;
    temp_dir_t other;
    exchange_t *exchange;
    node_report_t report;
    snapshot_status_t status;
    image_info_t info;
    node_config_t config;
    char path[600];
    const exchange_config_t small = small_exchange(1000);
    const exchange_config_t large = small_exchange(3000);
    temp_dir_make(&dir);
    temp_dir_make(&other);
    make_market(dir.path, &small, 200);
    replay(dir.path, &small, NODE_REPLAY_LOG, &report);
    const uint64_t hash = report.state_hash;
    const uint64_t entries = report.entries;
    node_config_init(&config);
    (void)snprintf(config.dir, sizeof config.dir, "%s", dir.path);
    config.group_bytes = 64 << 10;
    assert_int_equal(exchange_create(&exchange, &small), OC_ERR_OK);
    const oc_err_t err = node_take(&config, exchange_service(exchange), true, &status);
    if (err != OC_ERR_OK)
        fail_msg("take: %s", oc_err_context());
    exchange_destroy(exchange);
    replay(dir.path, &small, NODE_REPLAY_IMAGE, &report);
    assert_int_equal(report.image_sequence, status.sequence);
    assert_true(report.state_hash == hash);
    export_from(dir.path, &small, &files[0]);

    (void)snprintf(config.dir, sizeof config.dir, "%s", other.path);
    assert_int_equal(exchange_create(&exchange, &large), OC_ERR_OK);
    const oc_err_t import_err =
        node_import(&config, exchange_service(exchange), get, &files[0], &info);
    if (import_err != OC_ERR_OK)
        fail_msg("import: %s", oc_err_context());
    exchange_destroy(exchange);
    assert_true(info.place.state_hash == hash);
    replay(other.path, &large, NODE_REPLAY_IMAGE, &report);
    assert_true(report.state_hash == hash);
    assert_int_equal(report.entries, entries);
    export_from(other.path, &large, &files[1]);

    (void)snprintf(path, sizeof path, "%s/" IMAGE_DIR "/%016" PRIx64 ".pages", dir.path,
                   status.sequence);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -8192 - 50, SEEK_END), 0);
    assert_true(fputs("damaged", file) != EOF);
    assert_int_equal(fclose(file), 0);
    replay(dir.path, &small, NODE_REPLAY_IMAGE, &report);
    assert_int_equal(report.image_sequence, 0);
    assert_true(report.state_hash == hash);
    temp_dir_remove(&other);
    temp_dir_remove(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes),          cmocka_unit_test(takes_survive),
        cmocka_unit_test(loads),          cmocka_unit_test(exports_and_imports),
        cmocka_unit_test(half_an_import), cmocka_unit_test(more_than_a_state),
        cmocka_unit_test(killed_imports), cmocka_unit_test(an_exchange),
    };
    return cmocka_run_group_tests_name("node_offline", tests, NULL, NULL);
}
