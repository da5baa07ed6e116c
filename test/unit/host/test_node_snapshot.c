/*
 * When a node begins an image, what of, and whom it tells; that nothing that becomes of one stops
 * trading. The service is a stream in some tests and lies in an arena in others.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle_clock.h"
#include "base/error.h"
#include "host/image_keeper_internal.h"
#include "host/node_internal.h"
#include "lib/control_asking.h"
#include "lib/node_fixture.h"
#include "lib/storage_fake.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)
#define WAIT_NS   UINT64_C(20000000000)

/* ---- What a node is given to do ---- */

static oc_session_id_t open_session(node_t *node)
{
    gateway_open_t open = {.response_stream = 102,
                           .response_channel = "aeron:udp?endpoint=127.0.0.1:65123"};
    open.channel_length = (uint32_t)strlen(open.response_channel);
    memcpy(open.principal.name, "anna", 5);
    const oc_session_id_t session = node->sink.reserve_session(node);
    assert_true(node->sink.open(node, session, &open));
    return session;
}

static void cycle(node_fixture_t *f)
{
    node_fixture_step(f);
    assert_int_equal(f->err, OC_ERR_OK);
}

/* Entries worth `bytes` of the log at least, with a cycle now and then. */
static void trade(node_fixture_t *f, oc_session_id_t session, uint64_t bytes)
{
    const uint64_t until = f->node->position + bytes;
    const uint64_t start_ns = clock_wall_ns();
    for (int i = 0; f->node->position < until; i++) {
        const tally_request_t request = {.op = TALLY_BUSY, .argument = 0};
        while (!f->node->sink.message(f->node, session, &request, sizeof request)) {
            assert_true(clock_wall_ns() - start_ns < WAIT_NS);
            cycle(f);
        }
        if (i % 64 == 0)
            cycle(f);
    }
    cycle(f);
}

static snapshot_status_t status_of(const node_fixture_t *f)
{
    snapshot_status_t status;
    snapshot_status(f->node->snapshots.keeper->agent, &status);
    return status;
}

/* Until the snapshot that runs has ended. */
static snapshot_status_t settle(node_fixture_t *f)
{
    const uint64_t start_ns = clock_wall_ns();
    while (f->node->snapshots.keeper->running) {
        assert_true(clock_wall_ns() - start_ns < WAIT_NS);
        cycle(f);
    }
    return status_of(f);
}

static bool is_there(const node_fixture_t *f, const char *name)
{
    char path[4500];
    (void)snprintf(path, sizeof path, "%s/images/%s", f->config.dir, name);
    return access(path, F_OK) == 0;
}

/* ---- Asking ---- */

static void ask_begin(control_asking_t *asking, const node_fixture_t *f, const char *request)
{
    control_asking_begin(asking, f->config.dir, request);
}

static oc_err_t ask_end(control_asking_t *asking, node_fixture_t *f)
{
    return control_asking_end(asking, node_fixture_step, f);
}

static oc_err_t ask(node_fixture_t *f, const char *request, control_asking_t *asking)
{
    ask_begin(asking, f, request);
    return ask_end(asking, f);
}

/* ---- Tests ---- */

static void begin(node_fixture_t *f, node_fixture_images_t images)
{
    node_fixture_init(f);
    f->images = images;
    f->config.snapshot_every_log_bytes = 0;
    f->config.snapshot_bytes_per_s_max = 0;
}

static void start(node_fixture_t *f)
{
    const oc_err_t err = node_fixture_start(f);
    if (err != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static void check_asked_for(node_fixture_images_t images)
{
    static node_fixture_t f;
    static control_asking_t asking;
    begin(&f, images);
    start(&f);
    const oc_session_id_t session = open_session(f.node);
    trade(&f, session, 10000);
    const uint64_t position = f.node->position;
    if (ask(&f, "snapshot", &asking) != OC_ERR_OK)
        fail_msg("%s", asking.context);
    assert_int_equal(control_asking_told(&asking, "sequence="), 1);
    /* Behind the journal's own entries, too. */
    assert_true(control_asking_told(&asking, "position=") >= position);
    assert_true(control_asking_told(&asking, "pause_ns=") > 0);
    assert_true(control_asking_told(&asking, "commit_ns=") >=
                control_asking_told(&asking, "sweep_ns="));
    assert_true(control_asking_told(&asking, "bytes=") >=
                4096 * control_asking_told(&asking, "pages="));
    assert_true(is_there(&f, "0000000000000001.pages"));
    assert_true(is_there(&f, "0000000000000001.manifest"));

    trade(&f, session, 1000);
    assert_int_equal(ask(&f, "snapshot full", &asking), OC_ERR_OK);
    assert_int_equal(control_asking_told(&asking, "sequence="), 2);
    assert_int_equal(ask(&f, "status", &asking), OC_ERR_OK);
    assert_int_equal(control_asking_told(&asking, "enabled="), 1);
    assert_int_equal(control_asking_told(&asking, "completed="), 2);
    assert_int_equal(control_asking_told(&asking, "failed="), 0);
    assert_true(control_asking_told(&asking, "newest=") > control_asking_told(&asking, "oldest="));
    assert_int_equal(ask(&f, "snapshots", &asking), OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "not known; requests are"));
    node_report_t report;
    node_report(f.node, &report);
    assert_int_equal(report.images, 2);
    assert_int_equal(report.image_sequence, 0);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    node_fixture_fini(&f);
}

static void asked_for_as_stream(void **state)
{
    (void)state;
    check_asked_for(NODE_FIXTURE_STREAM);
}

static void asked_for_in_arena(void **state)
{
    (void)state;
    check_asked_for(NODE_FIXTURE_ARENA);
}

/* Asked for while one runs: begun when that has ended. One more has to come again. */
static void asked_for_twice(void **state)
{
    (void)state;
    static node_fixture_t f;
    static control_asking_t first, second, third;
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.snapshot_bytes_per_s_max = 2000000; /* takes a while */
    start(&f);
    trade(&f, open_session(f.node), 100000);
    ask_begin(&first, &f, "snapshot");
    while (!f.node->snapshots.keeper->running)
        cycle(&f);
    ask_begin(&second, &f, "snapshot");
    while (!f.node->snapshots.keeper->asked)
        cycle(&f);
    assert_true(f.node->snapshots.keeper->running);
    assert_int_equal(ask(&f, "snapshot", &third), OC_ERR_REFUSED);
    assert_int_equal(ask_end(&first, &f), OC_ERR_OK);
    assert_int_equal(ask_end(&second, &f), OC_ERR_OK);
    assert_int_equal(control_asking_told(&first, "sequence="), 1);
    assert_int_equal(control_asking_told(&second, "sequence="), 2);
    node_fixture_fini(&f);
}

static void by_log_bytes(void **state)
{
    (void)state;
    enum { EVERY = 1 << 16 };
    static node_fixture_t f;
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.snapshot_every_log_bytes = EVERY;
    start(&f);
    const oc_session_id_t session = open_session(f.node);
    trade(&f, session, EVERY / 2);
    assert_false(f.node->snapshots.keeper->running);
    for (uint64_t i = 1; i <= 3; i++) {
        const uint64_t from = f.node->snapshots.keeper->begun_position;
        while (f.node->snapshots.keeper->begun_position == from)
            trade(&f, session, 500);
        assert_true(f.node->snapshots.keeper->begun_position - from >= EVERY);
        assert_true(f.node->snapshots.keeper->begun_position - from < EVERY + 8192);
        assert_int_equal(settle(&f).completed, i);
    }
    node_fixture_run(&f, 0.05);
    assert_int_equal(status_of(&f).begun, 3);
    node_fixture_fini(&f);
}

/* Time alone is no reason: something must have happened. */
static void by_time(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f, NODE_FIXTURE_STREAM);
    f.config.snapshot_every_s = 3600;
    start(&f);
    cycle(&f);
    assert_false(f.node->snapshots.keeper->running);
    f.node->snapshots.keeper->begun_ns -= 3600 * SECOND_NS;
    cycle(&f);
    assert_true(f.node->snapshots.keeper->running);
    assert_int_equal(settle(&f).completed, 1);
    f.node->snapshots.keeper->begun_ns -= 3600 * SECOND_NS;
    node_fixture_run(&f, 0.02);
    assert_int_equal(status_of(&f).begun, 1);
    (void)open_session(f.node);
    cycle(&f);
    assert_int_equal(settle(&f).completed, 2);
    node_fixture_fini(&f);
}

/* The core is the sweeper too. */
static void stepped(void **state)
{
    (void)state;
    static node_fixture_t f;
    static control_asking_t asking;
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.snapshot_sweeper = NODE_SWEEPER_CORE;
    start(&f);
    trade(&f, open_session(f.node), 100000);
    assert_int_equal(ask(&f, "snapshot", &asking), OC_ERR_OK);
    assert_int_equal(control_asking_told(&asking, "sequence="), 1);
    assert_int_equal(status_of(&f).completed, 1);
    node_fixture_fini(&f);
}

/* What the service cannot write is told to who asked, and tried again at the next threshold. */
static void the_service_fails(void **state)
{
    (void)state;
    static node_fixture_t f;
    static control_asking_t asking;
    begin(&f, NODE_FIXTURE_STREAM);
    f.config.snapshot_every_log_bytes = 1 << 16;
    start(&f);
    const oc_session_id_t session = open_session(f.node);
    f.tally.capture_error = OC_ERR_FORMAT;
    assert_int_equal(ask(&f, "snapshot", &asking), OC_ERR_REFUSED);
    assert_string_equal(asking.context, "as asked for");
    trade(&f, session, 1 << 16);
    const uint64_t begun = f.node->snapshots.keeper->begun_position;
    assert_true(begun > 0);
    f.tally.capture_error = OC_ERR_OK;
    trade(&f, session, 1 << 15);
    assert_int_equal(status_of(&f).begun, 0);
    trade(&f, session, 1 << 15);
    assert_int_equal(settle(&f).completed, 1);
    node_fixture_fini(&f);
}

/* Until the journal can do without space for a while. */
static void wait_segments(node_fixture_t *f, uint64_t count)
{
    const uint64_t start_ns = clock_wall_ns();
    journal_stats_t stats;
    for (;;) {
        journal_stats(f->node->journal, &stats);
        if (stats.segments_ready >= count)
            return;
        assert_true(clock_wall_ns() - start_ns < WAIT_NS);
        cycle(f);
    }
}

/* No room for an image on the device: trading and the journal do not see it. */
static void a_full_device(void **state)
{
    (void)state;
    static node_fixture_t f;
    storage_fake_t *storage = storage_fake_create(1);
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.storage = storage_fake_table(storage);
    f.config.snapshot_every_log_bytes = 1 << 16;
    f.config.ready_segments = 4;
    (void)snprintf(f.config.aeron_dir, NODE_TEXT_MAX, "/dev/shm/outcry-full-%ld", (long)getpid());
    start(&f);
    const oc_session_id_t session = open_session(f.node);
    trade(&f, session, 1 << 15);
    wait_segments(&f, f.config.ready_segments);
    storage_fake_set_capacity(storage, 1 << 20);
    uint64_t failed = 0;
    while (failed < 2) {
        trade(&f, session, 1 << 13);
        const snapshot_status_t status = settle(&f);
        assert_int_equal(status.completed, 0);
        failed = status.failed;
    }
    assert_int_equal(status_of(&f).err, OC_ERR_NO_SPACE);
    assert_true(f.node->position < 4 * (1 << 16)); /* at thresholds, not again and again */
    storage_fake_set_capacity(storage, UINT64_C(1) << 40);
    while (status_of(&f).completed == 0) {
        trade(&f, session, 1 << 13);
        (void)settle(&f);
    }
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    storage_fake_destroy(storage);
    node_fixture_fini(&f);
}

/* A device that has room for the log but not for an image beside it: the image is given up, and
 * the log's space is never low, so that clients are not told to stop. */
static void an_image_leaves_the_log_its_space(void **state)
{
    (void)state;
    static node_fixture_t f;
    storage_fake_t *storage = storage_fake_create(1);
    const storage_t *table = storage_fake_table(storage);
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.storage = table;
    f.config.snapshot_every_log_bytes = 1 << 16;
    f.config.ready_segments = 4;
    f.config.low_space_bytes = 1 << 20;
    f.config.snapshot_bytes_per_s_max = 200000; /* so that the journal would see what it takes */
    (void)snprintf(f.config.aeron_dir, NODE_TEXT_MAX, "/dev/shm/outcry-space-%ld", (long)getpid());
    start(&f);
    const oc_session_id_t session = open_session(f.node);
    trade(&f, session, 1 << 15);
    wait_segments(&f, f.config.ready_segments);
    uint64_t free_bytes = 0;
    assert_int_equal(table->free_bytes(table, f.config.dir, &free_bytes), OC_ERR_OK);
    const uint64_t used = (UINT64_C(1) << 40) - free_bytes;
    storage_fake_set_capacity(storage, used + f.config.low_space_bytes + 8192);
    while (status_of(&f).failed == 0) {
        trade(&f, session, 1 << 12);
        assert_int_equal(settle(&f).completed, 0);
        assert_int_equal(f.node->condition, JOURNAL_FINE);
    }
    node_fixture_run(&f, 0.3); /* longer than the journal's look at the space */
    assert_int_equal(status_of(&f).err, OC_ERR_NO_SPACE);
    assert_int_equal(f.node->condition, JOURNAL_FINE);
    assert_int_equal(f.tally.notices[OC_NOTICE_STORAGE_LOW], 0);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    storage_fake_destroy(storage);
    node_fixture_fini(&f);
}

/* A service that says nothing of its state has none, and requests are told so. */
static void no_images(void **state)
{
    (void)state;
    static node_fixture_t f;
    static control_asking_t asking;
    begin(&f, NODE_FIXTURE_NO_IMAGES);
    f.config.snapshot_every_log_bytes = 1000;
    start(&f);
    assert_null(f.node->snapshots.keeper->agent);
    trade(&f, open_session(f.node), 10000);
    assert_int_equal(ask(&f, "snapshot", &asking), OC_ERR_REFUSED);
    assert_int_equal(ask(&f, "status", &asking), OC_ERR_OK);
    assert_int_equal(control_asking_told(&asking, "enabled="), 0);
    node_fixture_fini(&f);
}

/* The end does not wait for a snapshot; nothing of it is left, and who asked is told. */
static void the_node_ends(void **state)
{
    (void)state;
    static node_fixture_t f;
    static control_asking_t asking, late;
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.snapshot_bytes_per_s_max = 100000;
    start(&f);
    trade(&f, open_session(f.node), 1 << 19);
    ask_begin(&asking, &f, "snapshot");
    while (!f.node->snapshots.keeper->running)
        cycle(&f);
    node_stop(f.node);
    assert_int_equal(ask(&f, "snapshot", &late), OC_ERR_REFUSED);
    assert_string_equal(late.context, "the node ends");
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    assert_int_equal(pthread_join(asking.thread, NULL), 0);
    assert_int_equal(asking.err, OC_ERR_REFUSED);
    assert_non_null(strstr(asking.context, "given up"));
    assert_false(is_there(&f, "0000000000000001.pages"));
    assert_false(is_there(&f, "0000000000000001.manifest"));
    node_fixture_fini(&f);
}

/* With `retain = images` the log shrinks to what the oldest kept image needs. */
static void the_log_is_let_go(void **state)
{
    (void)state;
    static node_fixture_t f;
    begin(&f, NODE_FIXTURE_ARENA);
    f.config.retain = NODE_RETAIN_IMAGES;
    f.config.snapshot_every_log_bytes = 1 << 19;
    start(&f);
    const oc_session_id_t session = open_session(f.node);
    const uint64_t start_ns = clock_wall_ns();
    while (journal_first(f.node->journal).value == 0) {
        assert_true(clock_wall_ns() - start_ns < WAIT_NS);
        trade(&f, session, 1 << 12);
        (void)settle(&f);
    }
    assert_true(journal_first(f.node->journal).value <= status_of(&f).oldest);
    assert_int_equal(node_fixture_stop(&f), OC_ERR_OK);
    node_fixture_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_for_as_stream),
        cmocka_unit_test(asked_for_in_arena),
        cmocka_unit_test(asked_for_twice),
        cmocka_unit_test(by_log_bytes),
        cmocka_unit_test(by_time),
        cmocka_unit_test(stepped),
        cmocka_unit_test(the_service_fails),
        cmocka_unit_test(a_full_device),
        cmocka_unit_test(an_image_leaves_the_log_its_space),
        cmocka_unit_test(no_images),
        cmocka_unit_test(the_node_ends),
        cmocka_unit_test(the_log_is_let_go),
    };
    return cmocka_run_group_tests_name("node_snapshot", tests, NULL, NULL);
}
