/*
 * A session with the official Java Archive on an embedded driver: it is connected to, records, is
 * asked, refuses what it must, gives segments up, is killed and connected to again. Says SKIP where
 * there is no Java.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/archive_session.h"
#include "bench/child_process.h"
#include "cluster/recording.h"
#include "lib/java_tools.h"
#include "lib/temp_dir.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND   INT64_C(1000000000)
#define PATIENCE (120 * SECOND)
#define CHANNEL  "aeron:ipc?term-length=64k"

enum { STREAM = 106, RESPONSE_STREAM = 21, SEGMENT = 128 * 1024, CHUNK = 1024 };

typedef struct run {
    temp_dir_t dir;
    embedded_t *embedded;
    archive_session_t *session;
    child_process_t archive;
} run_t;

/* The archive's own main class; what it must know are properties of the virtual machine. */
static void start_archive(run_t *self)
{
    const char *const argv[] = {OUTCRY_SOURCE_DIR "/tools/java/run", "io.aeron.archive.Archive",
                                NULL};
    char options[1024];
    (void)snprintf(options, sizeof options,
                   "-Daeron.dir=%s -Daeron.archive.dir=%s/archive -Daeron.archive.threading.mode="
                   "SHARED -Daeron.archive.control.channel.enabled=false "
                   "-Daeron.archive.control.response.channel=aeron:ipc "
                   "-Daeron.archive.local.control.channel=" CHANNEL
                   " -Daeron.archive.replication.channel=aeron:udp?endpoint=localhost:0 "
                   "-Daeron.archive.segment.file.length=%d",
                   embedded_dir(self->embedded), self->dir.path, SEGMENT);
    assert_int_equal(setenv("JAVA_OPTIONS", options, 1), 0);
    assert_int_equal(child_process_start(&self->archive, argv, -1), OC_ERR_OK);
    const int64_t deadline_ns = aeron_nano_clock() + PATIENCE;
    while (archive_session_await(self->session, SECOND) != OC_ERR_OK) {
        if (!child_process_running(&self->archive) || aeron_nano_clock() > deadline_ns)
            fail_msg("%s", oc_err_context());
    }
}

static int begin(void **state)
{
    static run_t run;
    embedded_config_t config;
    *state = &run;
    embedded_config_init(&config);
    config.threading = EMBEDDED_SHARED;
    temp_dir_make(&run.dir);
    assert_int_equal(embedded_create(&run.embedded, &config), OC_ERR_OK);
    assert_int_equal(archive_session_open(&run.session, run.embedded, RESPONSE_STREAM), OC_ERR_OK);
    start_archive(&run);
    return 0;
}

static int finish(void **state)
{
    run_t *run = *state;
    archive_session_close(run->session);
    child_process_end(&run->archive);
    embedded_destroy(run->embedded);
    temp_dir_remove(&run->dir);
    return 0;
}

static aeron_exclusive_publication_t *publish(run_t *run, int32_t *session_id)
{
    aeron_async_add_exclusive_publication_t *async;
    aeron_exclusive_publication_t *publication = NULL;
    aeron_publication_constants_t constants;
    assert_int_equal(aeron_async_add_exclusive_publication(&async, embedded_aeron(run->embedded),
                                                           CHANNEL, STREAM),
                     0);
    while (publication == NULL) {
        embedded_do_work(run->embedded);
        assert_true(aeron_async_add_exclusive_publication_poll(&publication, async) >= 0);
    }
    assert_int_equal(aeron_exclusive_publication_constants(publication, &constants), 0);
    *session_id = constants.session_id;
    return publication;
}

/* Sends at least `bytes`; returns the position behind them. */
static int64_t fill(run_t *run, aeron_exclusive_publication_t *publication, int64_t bytes)
{
    static const uint8_t chunk[CHUNK];
    const int64_t deadline_ns = aeron_nano_clock() + PATIENCE;
    int64_t position = 0;
    while (position < bytes) {
        const int64_t result =
            aeron_exclusive_publication_offer(publication, chunk, sizeof chunk, NULL, NULL);
        if (result > 0)
            position = result;
        embedded_do_work(run->embedded);
        assert_true(aeron_nano_clock() < deadline_ns);
    }
    return position;
}

static void await_recorded(run_t *run, const archive_recording_t *recording, int64_t position)
{
    const int64_t deadline_ns = aeron_nano_clock() + PATIENCE;
    while (counter_value(&recording->position) < position) {
        bool connected;
        embedded_do_work(run->embedded);
        assert_int_equal(archive_session_step(run->session, &connected), OC_ERR_OK);
        assert_true(aeron_nano_clock() < deadline_ns);
    }
}

static void assert_refused(oc_err_t err, const char *expected)
{
    assert_int_equal(err, OC_ERR_REFUSED);
    if (strstr(oc_err_context(), expected) == NULL)
        fail_msg("'%s' is not in: %s", expected, oc_err_context());
}

/* What its catalog says; the archive writes a recording's end when that is known. */
static void await_stop(const run_t *run, int64_t recording, int64_t position)
{
    const int64_t deadline_ns = aeron_nano_clock() + PATIENCE;
    char archive[320];
    recording_descriptor_t found;
    (void)snprintf(archive, sizeof archive, "%s/archive", run->dir.path);
    do {
        assert_int_equal(recording_find(archive, recording, &found), OC_ERR_OK);
        assert_true(aeron_nano_clock() < deadline_ns);
    } while (found.stop_position < 0);
    assert_int_equal(found.start_position, SEGMENT);
    assert_int_equal(found.stop_position, position);
}

static void records_a_publication_and_gives_segments_up(void **state)
{
    run_t *run = *state;
    archive_recording_t recording;
    int32_t session_id;
    int64_t number = 0;
    assert_int_equal(archive_session_record(run->session, CHANNEL, STREAM), OC_ERR_OK);
    assert_refused(archive_session_record(run->session, CHANNEL, STREAM), "recording exists");
    aeron_exclusive_publication_t *publication = publish(run, &session_id);
    const int64_t deadline_ns = aeron_nano_clock() + PATIENCE;
    while (!archive_session_recording(run->session, session_id, &recording)) {
        embedded_do_work(run->embedded);
        assert_true(aeron_nano_clock() < deadline_ns);
    }
    const int64_t position = fill(run, publication, 3 * SEGMENT + CHUNK);
    await_recorded(run, &recording, position);
    assert_int_equal(counter_value(&recording.position), position);

    assert_refused(archive_session_purge(run->session, recording.id, 32, &number), "segment");
    assert_int_equal(archive_session_purge(run->session, recording.id, SEGMENT, &number),
                     OC_ERR_OK);
    assert_int_equal(number, 1);
    assert_refused(archive_session_purge(run->session, 99, SEGMENT, &number), "99");

    assert_int_equal(aeron_exclusive_publication_close(publication, NULL, NULL), 0);
    await_stop(run, recording.id, position);
}

static void an_archive_that_was_killed_is_connected_to_again(void **state)
{
    run_t *run = *state;
    const int64_t deadline_ns = aeron_nano_clock() + PATIENCE;
    oc_err_t err = OC_ERR_OK;
    bool connected = true;
    child_process_end(&run->archive);
    while (err == OC_ERR_OK) {
        embedded_do_work(run->embedded);
        err = archive_session_step(run->session, &connected);
        assert_true(aeron_nano_clock() < deadline_ns);
    }
    assert_int_equal(err, OC_ERR_NOT_CONNECTED);
    assert_false(connected);

    /* It does not start beside one that seems to be there still. */
    char path[320];
    (void)snprintf(path, sizeof path, "%s/archive/archive-mark.dat", run->dir.path);
    assert_int_equal(remove(path), 0);
    start_archive(run);
    int64_t segments;
    assert_int_equal(archive_session_purge(run->session, 0, 2 * SEGMENT, &segments), OC_ERR_OK);
    assert_int_equal(segments, 1);
}

int main(void)
{
    const int status = java_tools_status();
    if (status != 0)
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_a_publication_and_gives_segments_up),
        cmocka_unit_test(an_archive_that_was_killed_is_connected_to_again),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
