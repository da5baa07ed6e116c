/*
 * A session with an archive: where there is none, one that says nothing, one that refuses, and one
 * that answers and goes away. The driver has no thread of its own, so nothing comes of waiting
 * without stepping it. The official archive is asked in test/integration/test_archive_session.c.
 */
#define _GNU_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/archive_session.h"
#include "lib/fake_archive.h"
#include "lib/stepped_driver.h"

#include <stdio.h>
#include <string.h>

#define MILLISECOND INT64_C(1000000)
#define PATIENCE    (30000 * MILLISECOND)

enum { RESPONSE_STREAM = 21, STEPS_MAX = 2000000 };

static int step_driver(void *context)
{
    return embedded_do_work(context);
}

static archive_session_t *open_session(embedded_t *embedded)
{
    archive_session_t *session = NULL;
    assert_int_equal(archive_session_open(&session, embedded, RESPONSE_STREAM), OC_ERR_OK);
    assert_non_null(session);
    return session;
}

static void assert_says(const char *expected)
{
    if (strstr(oc_err_context(), expected) == NULL)
        fail_msg("'%s' is not in: %s", expected, oc_err_context());
}

/* Without a connection every request says so, and nothing is known. */
static void assert_not_connected(archive_session_t *session)
{
    int64_t number = 1;
    archive_recording_t recording;
    assert_int_equal(archive_session_record(session, "aeron:ipc", 1), OC_ERR_NOT_CONNECTED);
    assert_int_equal(archive_session_purge(session, 1, 0, &number), OC_ERR_NOT_CONNECTED);
    assert_int_equal(number, 0);
    assert_says("no connection");
    assert_false(archive_session_recording(session, FAKE_ARCHIVE_SESSION_ID, &recording));
}

static void without_an_archive_it_gives_up_in_time(void **state)
{
    embedded_t *embedded = *state;
    archive_session_t *session = open_session(embedded);
    assert_not_connected(session);
    assert_int_equal(archive_session_await(session, 200 * MILLISECOND), OC_ERR_TIMEOUT);
    assert_says("no answer of an archive");
    assert_says("within 200 ms");
    assert_says(embedded_dir(embedded));
    assert_not_connected(session);
    archive_session_close(session);
    archive_session_close(NULL);
}

/* An attempt can be given up at every moment; a sanitizer sees what would be left of it. */
static void an_attempt_can_be_given_up_at_once(void **state)
{
    embedded_t *embedded = *state;
    for (int steps = 0; steps < 40; steps++) {
        archive_session_t *session = open_session(embedded);
        for (int i = 0; i < steps; i++) {
            bool connected = true;
            assert_int_equal(archive_session_step(session, &connected), OC_ERR_OK);
            assert_false(connected);
            embedded_do_work(embedded);
        }
        archive_session_close(session);
    }
}

static void a_silent_archive_is_given_up(void **state)
{
    embedded_t *embedded = *state;
    fake_archive_t *archive = fake_archive_start(embedded_dir(embedded), FAKE_ARCHIVE_SILENT);
    archive_session_t *session = open_session(embedded);
    for (int i = 0; i < STEPS_MAX && fake_archive_requests(archive) == 0; i++)
        assert_int_equal(archive_session_await(session, MILLISECOND), OC_ERR_TIMEOUT);
    assert_true(fake_archive_requests(archive) > 0);
    assert_int_equal(archive_session_await(session, 50 * MILLISECOND), OC_ERR_TIMEOUT);
    /* It has asked for a connection and waits for the answer. */
    assert_not_connected(session);
    archive_session_close(session);
    fake_archive_stop(archive, step_driver, embedded);
}

static void a_refusal_is_told(void **state)
{
    embedded_t *embedded = *state;
    fake_archive_t *archive = fake_archive_start(embedded_dir(embedded), FAKE_ARCHIVE_REFUSES);
    archive_session_t *session = open_session(embedded);
    assert_int_equal(archive_session_await(session, PATIENCE), OC_ERR_REFUSED);
    assert_says("nobody is let in");
    assert_not_connected(session);
    archive_session_close(session);
    fake_archive_stop(archive, step_driver, embedded);
}

static void assert_a_purge_is_answered(archive_session_t *session)
{
    int64_t number = 0;
    assert_int_equal(archive_session_purge(session, FAKE_ARCHIVE_RECORDING, 131072, &number),
                     OC_ERR_OK);
    assert_int_equal(number, 3);
}

static void assert_an_unknown_one_is_refused(archive_session_t *session)
{
    int64_t number;
    assert_int_equal(archive_session_purge(session, 6, 0, &number), OC_ERR_REFUSED);
    assert_says("purging of recording 6");
    assert_says("no such recording");
    /* The connection is as good as before. */
    bool connected = false;
    assert_int_equal(archive_session_step(session, &connected), OC_ERR_OK);
    assert_true(connected);
}

static void assert_records(archive_session_t *session, const fake_archive_t *archive)
{
    archive_recording_t recording;
    assert_false(archive_session_recording(session, FAKE_ARCHIVE_SESSION_ID, &recording));
    assert_int_equal(archive_session_record(session, "aeron:ipc", FAKE_ARCHIVE_STREAM), OC_ERR_OK);
    assert_int_equal(fake_archive_records(archive), 1);
    assert_false(archive_session_recording(session, FAKE_ARCHIVE_SESSION_ID + 1, &recording));
    assert_true(archive_session_recording(session, FAKE_ARCHIVE_SESSION_ID, &recording));
    assert_int_equal(recording.id, FAKE_ARCHIVE_RECORDING);
    assert_int_equal(counter_value(&recording.position), 4096);
}

static void an_archive_is_asked_and_seen_to_go(void **state)
{
    embedded_t *embedded = *state;
    archive_session_t *session = open_session(embedded);
    for (int round = 0; round < 2; round++) {
        fake_archive_t *archive = fake_archive_start(embedded_dir(embedded), FAKE_ARCHIVE_ANSWERS);
        if (archive_session_await(session, PATIENCE) != OC_ERR_OK)
            fail_msg("%s", oc_err_context());
        assert_a_purge_is_answered(session);
        assert_an_unknown_one_is_refused(session);
        assert_records(session, archive);
        fake_archive_stop(archive, step_driver, embedded);

        bool connected = true;
        oc_err_t err = OC_ERR_OK;
        for (int i = 0; i < STEPS_MAX && err == OC_ERR_OK; i++) {
            embedded_do_work(embedded);
            err = archive_session_step(session, &connected);
        }
        assert_int_equal(err, OC_ERR_NOT_CONNECTED);
        assert_false(connected);
        assert_not_connected(session);
        /* The next round connects anew. */
    }
    archive_session_close(session);
}

/* A request that finds the connection gone ends it as well. */
static void a_request_sees_the_archive_go(void **state)
{
    embedded_t *embedded = *state;
    archive_session_t *session = open_session(embedded);
    fake_archive_t *archive = fake_archive_start(embedded_dir(embedded), FAKE_ARCHIVE_ANSWERS);
    assert_int_equal(archive_session_await(session, PATIENCE), OC_ERR_OK);
    fake_archive_stop(archive, step_driver, embedded);
    int64_t segments;
    assert_int_equal(archive_session_purge(session, FAKE_ARCHIVE_RECORDING, 131072, &segments),
                     OC_ERR_NOT_CONNECTED);
    assert_not_connected(session);
    archive_session_close(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_archive_it_gives_up_in_time),
        cmocka_unit_test(an_attempt_can_be_given_up_at_once),
        cmocka_unit_test(a_silent_archive_is_given_up),
        cmocka_unit_test(a_refusal_is_told),
        cmocka_unit_test(an_archive_is_asked_and_seen_to_go),
        cmocka_unit_test(a_request_sees_the_archive_go),
    };
    return cmocka_run_group_tests(tests, stepped_driver_make, stepped_driver_end);
}
