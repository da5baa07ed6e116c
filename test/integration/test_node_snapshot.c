/*
 * Nodes that are restarted from images: clients trade while the images are made, and what comes
 * back is image and tail of the log, to the bit, whether the service lies in an arena or writes its
 * state. Sessions and timers are part of it. And a device that is gone at any step of all that
 * leaves a state that was one.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "host/image_keeper_internal.h"
#include "host/node_internal.h"
#include "lib/control_asking.h"
#include "lib/node_fixture.h"
#include "lib/raw_client.h"
#include "lib/storage_fake.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS     INT64_C(1000000)
#define SECOND (1000 * MS)

typedef struct fixture {
    node_fixture_t node;
    raw_client_t client;
    control_asking_t asking;
    int64_t sum; /* of what was added and answered */
} fixture_t;

static void start(fixture_t *f)
{
    if (node_fixture_start(&f->node) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void begin(fixture_t *f, node_fixture_images_t images)
{
    node_fixture_init(&f->node);
    f->node.images = images;
    f->node.config.snapshot_every_log_bytes = 0;
    f->node.config.snapshot_bytes_per_s_max = 0;
    f->sum = 0;
}

static void connect_client(fixture_t *f)
{
    raw_client_init(&f->client, node_fixture_step, &f->node);
    assert_true(raw_client_connect(&f->client, node_ingress(f->node.node), "anna"));
}

/* The next start listens where this one did, so that clients find it. */
static void keep_address(fixture_t *f)
{
    (void)snprintf(f->node.config.ingress, sizeof f->node.config.ingress, "%s",
                   node_ingress(f->node.node));
}

static void end(fixture_t *f)
{
    raw_client_fini(&f->client);
    node_fixture_fini(&f->node);
}

static void pump(void *context)
{
    fixture_t *f = context;
    node_fixture_step(&f->node);
    raw_client_poll(&f->client);
    assert_int_equal(f->node.err, OC_ERR_OK);
}

/* Adds ones and waits for the answers. */
static void trade(fixture_t *f, uint32_t count)
{
    const uint32_t before = f->client.answer_count;
    for (uint32_t i = 0; i < count; i++)
        assert_true(raw_client_request(&f->client, TALLY_ADD, 1, 0));
    assert_true(raw_client_answers(&f->client, before + count, 20));
    f->sum += count;
    assert_int_equal(f->node.tally.sum, f->sum);
}

static void take(fixture_t *f, const char *request)
{
    control_asking_begin(&f->asking, f->node.config.dir, request);
    if (control_asking_end(&f->asking, pump, f) != OC_ERR_OK)
        fail_msg("%s", f->asking.context);
}

/* Ends the node and starts it again; what it held must be what it holds. */
static void restart(fixture_t *f, node_report_t *report)
{
    node_report_t before;
    keep_address(f);
    node_fixture_run(&f->node, 0.01);
    const uint64_t hash = f->node.tally.hash;
    node_report(f->node.node, &before);
    assert_int_equal(node_fixture_stop(&f->node), OC_ERR_OK);
    start(f);
    node_report(f->node.node, report);
    assert_true(f->node.tally.hash == hash);
    assert_int_equal(f->node.tally.sum, f->sum);
    assert_true(report->entries >= before.entries);
    assert_true(report->position >= before.position);
    assert_true(report->term > before.term);
    assert_int_equal(report->sessions, before.sessions);
}

static void go_on(fixture_t *f)
{
    const uint64_t start_ns = clock_wall_ns();
    const uint32_t term = journal_term(f->node.node->journal);
    while (f->client.term != term) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(20000000000));
        pump(f);
    }
    assert_true(raw_client_attach(&f->client, f->node.config.ingress));
}

static void check_restart(node_fixture_images_t images)
{
    static fixture_t f;
    node_report_t report;
    begin(&f, images);
    start(&f);
    connect_client(&f);
    trade(&f, 300);
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 7, 3600 * SECOND));
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 8, 3600 * SECOND));
    /* Trading goes on between the request and its answer. */
    control_asking_begin(&f.asking, f.node.config.dir, "snapshot");
    while (!atomic_load(&f.asking.done))
        trade(&f, 20);
    assert_int_equal(control_asking_end(&f.asking, pump, &f), OC_ERR_OK);
    const uint64_t position = control_asking_told(&f.asking, "position=");
    trade(&f, 40);
    assert_true(raw_client_request(&f.client, TALLY_CANCEL, 8, 0));
    trade(&f, 1);

    restart(&f, &report);
    assert_int_equal(report.image_sequence, 1);
    assert_int_equal(report.image_position, position);
    assert_int_equal(f.node.tally.restores, 1);
    assert_true(report.replayed >= 42);
    assert_true(report.replayed < report.entries);
    assert_int_equal(f.node.node->replica.timers.state->count, 1);
    go_on(&f);
    trade(&f, 10);

    /* Images after it are of what changed since, and the next start is from all of them. */
    take(&f, "snapshot");
    trade(&f, 10);
    take(&f, "snapshot");
    assert_int_equal(control_asking_told(&f.asking, "sequence="), 3);
    assert_true(control_asking_told(&f.asking, "pages=") < TALLY_PAGES / 10);
    restart(&f, &report);
    assert_int_equal(report.image_sequence, 3);
    assert_int_equal(f.node.node->replica.timers.state->count, 1);
    go_on(&f);
    /* An id is never used again. */
    assert_int_equal(f.client.session, 1);
    assert_true(raw_client_connect(&f.client, f.node.config.ingress, "bert"));
    assert_int_equal(f.client.session, 2);
    end(&f);
}

static void from_an_arena(void **state)
{
    (void)state;
    check_restart(NODE_FIXTURE_ARENA);
}

static void from_a_stream(void **state)
{
    (void)state;
    check_restart(NODE_FIXTURE_STREAM);
}

/* A timer that was set before the image fires behind the restart. */
static void a_timer_outlives_its_entry(void **state)
{
    (void)state;
    static fixture_t f;
    node_report_t report;
    begin(&f, NODE_FIXTURE_ARENA);
    start(&f);
    connect_client(&f);
    assert_true(raw_client_request(&f.client, TALLY_TIMER, 9, 1500 * MS));
    trade(&f, 5);
    take(&f, "snapshot");
    restart(&f, &report);
    assert_int_equal(report.image_sequence, 1);
    const uint64_t start_ns = clock_wall_ns();
    while (f.node.tally.fired == 0) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(20000000000));
        pump(&f);
    }
    assert_int_equal(f.node.node->replica.timers.state->count, 0);
    end(&f);
}

static unsigned count_segments(const fixture_t *f)
{
    unsigned count = 0;
    DIR *dir = opendir(f->node.config.dir);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
        count += strstr(entry->d_name, ".journal") != NULL;
    assert_int_equal(closedir(dir), 0);
    return count;
}

/* Images by log bytes while clients trade, the log let go behind them, restarts in between. */
static void the_log_is_let_go(void **state)
{
    (void)state;
    static fixture_t f;
    node_report_t report;
    begin(&f, NODE_FIXTURE_ARENA);
    f.node.config.retain = NODE_RETAIN_IMAGES;
    f.node.config.snapshot_every_log_bytes = 1 << 18;
    f.node.config.snapshot_chain = 2;
    start(&f);
    connect_client(&f);
    for (int round = 0; round < 3; round++) {
        const uint64_t until = f.node.node->position + (3 << 20) / 2;
        while (f.node.node->position < until) {
            f.client.answer_count = 0; /* the oldest make room */
            trade(&f, 500);
        }
        take(&f, "snapshot full");
        trade(&f, 20);
        restart(&f, &report);
        assert_true(report.image_position >= control_asking_told(&f.asking, "position="));
        assert_true(report.replayed < report.entries / 2);
        go_on(&f);
    }
    assert_true(f.node.node->position > 4 << 20);
    const uint64_t start_ns = clock_wall_ns();
    while (journal_first(f.node.node->journal).value == 0) {
        assert_true(clock_wall_ns() - start_ns < UINT64_C(20000000000));
        pump(&f);
    }
    /* Of more than four, and those that are prepared. */
    assert_true(count_segments(&f) < 5 + f.node.config.ready_segments);
    end(&f);
}

/* Without an orderly end: the tail is cut where it was torn, the image is below it. */
static void after_an_end_without_order(void **state)
{
    (void)state;
    static fixture_t f;
    node_report_t report;
    begin(&f, NODE_FIXTURE_STREAM);
    start(&f);
    connect_client(&f);
    trade(&f, 50);
    take(&f, "snapshot full");
    trade(&f, 50);
    const uint64_t hash = f.node.tally.hash;
    assert_int_equal(node_destroy(f.node.node), OC_ERR_OK);
    f.node.node = NULL;
    start(&f);
    node_report(f.node.node, &report);
    assert_int_equal(report.image_sequence, 1);
    assert_true(f.node.tally.hash == hash);
    end(&f);
}

/* The newest image is of another build: a start says so, and does not go on from an older one. */
static void an_image_of_another_build(void **state)
{
    (void)state;
    static fixture_t f;
    char path[4500];
    char moved[4600];
    uint8_t version = 0;
    begin(&f, NODE_FIXTURE_ARENA);
    start(&f);
    connect_client(&f);
    trade(&f, 20);
    take(&f, "snapshot full");
    trade(&f, 20);
    take(&f, "snapshot full");
    keep_address(&f);
    assert_int_equal(node_fixture_stop(&f.node), OC_ERR_OK);
    (void)snprintf(path, sizeof path, "%s/images/0000000000000002.manifest", f.node.config.dir);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    version = 2;
    assert_int_equal(fseek(file, 8, SEEK_SET), 0);
    assert_int_equal(fwrite(&version, 1, 1, file), 1);
    assert_int_equal(fseek(file, 100, SEEK_SET), 0); /* its other fields are none of ours */
    assert_int_equal(fwrite("other", 1, 5, file), 5);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "image 2 is of a format version"));
    assert_int_equal(access(path, F_OK), 0);
    /* The way out that the message names. */
    (void)snprintf(moved, sizeof moved, "%s/moved", f.node.config.dir);
    assert_int_equal(rename(path, moved), 0);
    start(&f);
    assert_int_equal(f.node.tally.sum, f.sum);
    assert_int_equal(f.node.node->image_sequence, 1);
    end(&f);
}

/* ---- A device that fails at each step ---- */

/* What the state was behind each entry of the log. */
typedef struct history {
    uint64_t hashes[4096];
    uint64_t count;
} history_t;

typedef struct failing {
    node_fixture_t node;
    storage_fake_t *storage;
    history_t history;
    oc_session_id_t session;
} failing_t;

static void failing_begin(failing_t *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->storage = storage_fake_create(seed);
    node_fixture_init(&f->node);
    f->node.images = seed % 2 == 0 ? NODE_FIXTURE_ARENA : NODE_FIXTURE_STREAM;
    f->node.config.storage = storage_fake_table(f->storage);
    f->node.config.snapshot_every_log_bytes = 1 << 15;
    f->node.config.snapshot_bytes_per_s_max = 0;
    f->node.config.snapshot_chain = 1;
    f->node.config.snapshot_keep = 1;
    f->node.config.snapshot_sweeper = NODE_SWEEPER_CORE;
    f->node.config.retain = NODE_RETAIN_IMAGES;
    f->node.config.ready_segments = 1;
    /* The directory of the log is not on the disk, so no name can be made from it. */
    (void)snprintf(f->node.config.aeron_dir, NODE_TEXT_MAX, "/dev/shm/outcry-steps-%ld",
                   (long)getpid());
}

static void note_history(failing_t *f)
{
    const uint64_t entries = f->node.node->replica.entries;
    assert_true(entries < sizeof f->history.hashes / sizeof f->history.hashes[0]);
    if (entries == f->history.count)
        return;
    assert_int_equal(entries, f->history.count + 1);
    f->history.hashes[entries] = f->node.tally.hash;
    f->history.count = entries;
}

/* Until all is durable, and a snapshot that runs has ended. */
static void failing_settle(failing_t *f)
{
    const uint64_t start_ns = clock_wall_ns();
    do {
        node_fixture_step(&f->node);
        assert_true(clock_wall_ns() - start_ns < UINT64_C(20000000000));
    } while (f->node.err == OC_ERR_OK &&
             (node_waits(f->node.node) || f->node.node->snapshots.keeper->running));
}

/* Entries of a session, with pauses, until the node fails or there are enough. */
static void failing_trade(failing_t *f, uint64_t entries)
{
    const tally_request_t request = {.op = TALLY_BUSY}; /* not answered: nobody is there */
    gateway_open_t open = {.response_stream = 102};
    open.channel_length = (uint32_t)snprintf(open.response_channel, sizeof open.response_channel,
                                             "aeron:udp?endpoint=127.0.0.1:65123");
    node_t *node = f->node.node;
    note_history(f);
    if (f->session.value == 0) {
        f->session = node->sink.reserve_session(node);
        assert_true(node->sink.open(node, f->session, &open));
        note_history(f);
    }
    for (uint64_t i = 0; i < entries && f->node.err == OC_ERR_OK; i++) {
        while (f->node.err == OC_ERR_OK &&
               !node->sink.message(node, f->session, &request, sizeof request))
            node_fixture_step(&f->node);
        note_history(f);
        if (i % 40 == 0)
            failing_settle(f);
    }
}

/* The nth change of the device is its last: whatever was being done, the next start has a state
 * that was one, with everything that was durable. False: there were not so many changes. */
static bool survives_step(storage_fake_fault_t fault, uint64_t nth, unsigned *from_image)
{
    enum { ENTRIES = 1500 };
    static failing_t f;
    failing_begin(&f, nth);
    assert_int_equal(node_fixture_start(&f.node), OC_ERR_OK);
    storage_fake_fault(f.storage, fault, nth);
    failing_trade(&f, ENTRIES);
    failing_settle(&f);
    const bool hit = !storage_fake_fault_pending(f.storage);
    const uint64_t durable = journal_durable(f.node.node->journal).value;
    if (!storage_fake_is_off(f.storage))
        storage_fake_power_cut(f.storage);
    (void)node_destroy(f.node.node);
    f.node.node = NULL;
    storage_fake_restart(f.storage);
    if (node_fixture_start(&f.node) != OC_ERR_OK)
        fail_msg("fault %d at %d: %s", (int)fault, (int)nth, oc_err_context());
    node_report_t report;
    node_report(f.node.node, &report);
    assert_true(report.entries <= f.history.count);
    assert_true(report.position >= durable || report.verdict.end.value >= durable);
    assert_true(f.node.tally.hash == f.history.hashes[report.entries]);
    *from_image += report.image_sequence > 0;
    /* And it goes on. */
    f.history.count = report.entries;
    f.session.value *= report.sessions;
    failing_trade(&f, 10);
    assert_int_equal(f.node.err, OC_ERR_OK);
    assert_int_equal(node_destroy(f.node.node), OC_ERR_OK);
    f.node.node = NULL;
    storage_fake_destroy(f.storage);
    node_fixture_fini(&f.node);
    return hit;
}

static void each_step_is_the_last(void **state)
{
    (void)state;
    const bool all = getenv("OUTCRY_LONG") != NULL;
    unsigned steps = 0;
    unsigned from_image = 0;
    const uint64_t stride = all ? 1 : 4;
    for (uint64_t nth = 1;
         survives_step(nth % 3 == 0 ? STORAGE_FAKE_KILL : STORAGE_FAKE_POWER_CUT, nth, &from_image);
         nth += stride)
        steps++;
    print_message("%u steps, %u starts from an image\n", steps, from_image);
    assert_true(steps > 10);
    assert_true(from_image > steps / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_an_arena),
        cmocka_unit_test(from_a_stream),
        cmocka_unit_test(a_timer_outlives_its_entry),
        cmocka_unit_test(the_log_is_let_go),
        cmocka_unit_test(after_an_end_without_order),
        cmocka_unit_test(an_image_of_another_build),
        cmocka_unit_test(each_step_is_the_last),
    };
    return cmocka_run_group_tests_name("node snapshot", tests, NULL, NULL);
}
