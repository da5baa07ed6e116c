/*
 * A session with the archive, over Aeron's archive client. Called by the cluster's host, and by the
 * tool that has an archive prune.
 *
 * Invariants: at each time there is an attempt to connect, a connection, or neither (until a step
 * begins anew, not at once after a failure: each attempt costs a publication and a subscription);
 * the context outlives both. Whatever waits steps the embedded client, and with it a driver without
 * threads: nothing would ever be answered otherwise. Must not wait for the archive in
 * archive_session_step().
 */
#define _GNU_SOURCE

#include "aeron/archive_session.h"

#include "base/assert.h"
#include "base/error.h"

#include <aeron_archive.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#define REQUEST_CHANNEL  "aeron:ipc?term-length=64k"
#define RESPONSE_CHANNEL "aeron:ipc?term-length=64k"
#define REQUEST_STREAM   10
#define REQUEST_NS       (INT64_C(5) * 1000 * 1000 * 1000)
#define IDLE_NS          (20 * 1000)
#define FAILED_NS        (INT64_C(100) * 1000 * 1000) /* between two attempts, if one failed */

/* Aeron's public header has no way to give up an attempt to connect; the library has this one. */
int aeron_archive_async_connect_delete(aeron_archive_async_connect_t *async);

struct archive_session {
    embedded_t *embedded; /* borrowed */
    aeron_archive_context_t *context;
    aeron_archive_async_connect_t *attempt; /* NULL: none is under way */
    aeron_archive_t *archive;               /* NULL: not connected */
    int64_t attempt_deadline_ns;
    int64_t begin_ns; /* no attempt before that */
    int32_t response_stream;
};

/* ---- Waiting ---- */

static void step_embedded(void *embedded)
{
    (void)embedded_do_work(embedded);
}

/* The archive is another process: it must get the processor, and soon. */
static void pause_between(void *state, int work_count)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = IDLE_NS};
    if (work_count == 0)
        nanosleep(&pause, NULL);
}

/* ---- Failing ---- */

static oc_err_t kind_of(int code)
{
    /* Aeron negates what is not of the system. */
    if (code == ETIMEDOUT)
        return OC_ERR_TIMEOUT;
    if (code == ENOTCONN || code == -AERON_ARCHIVE_CLIENT_ERROR_NOT_CONNECTED ||
        code == -AERON_ARCHIVE_CLIENT_ERROR_ILLEGAL_STATE)
        return OC_ERR_NOT_CONNECTED;
    if (code <= -AERON_ARCHIVE_ERROR_CODE_GENERIC &&
        code > -AERON_ARCHIVE_CLIENT_ERROR_REENTRANT_CALL)
        return OC_ERR_REFUSED;
    return OC_ERR_TRANSPORT;
}

static void drop(archive_session_t *self)
{
    if (self->attempt != NULL)
        (void)aeron_archive_async_connect_delete(self->attempt);
    if (self->archive != NULL)
        (void)aeron_archive_close(self->archive);
    self->attempt = NULL;
    self->archive = NULL;
}

/* What Aeron says of a request that failed. A lost connection is given up. */
static oc_err_t failed(archive_session_t *self, const char *request, int64_t recording)
{
    const oc_err_t err = kind_of(aeron_errcode());
    const char *line = embedded_error_line();
    oc_err_t told;
    if (recording == AERON_NULL_VALUE)
        told = error_set(err, "the archive, %s: %s", request, line);
    else
        told = error_set(err, "the archive, %s of recording %" PRId64 ": %s", request, recording,
                         line);
    if (err == OC_ERR_NOT_CONNECTED)
        drop(self);
    return told;
}

static oc_err_t not_connected(const char *request)
{
    return error_set(OC_ERR_NOT_CONNECTED, "the archive, %s: there is no connection yet", request);
}

/* ---- Connecting ---- */

static oc_err_t make_context(archive_session_t *self)
{
    int failed_calls = aeron_archive_context_init(&self->context);
    if (failed_calls == 0) {
        aeron_archive_context_t *context = self->context;
        failed_calls |= aeron_archive_context_set_aeron(context, embedded_aeron(self->embedded));
        failed_calls |= aeron_archive_context_set_control_request_channel(context, REQUEST_CHANNEL);
        failed_calls |=
            aeron_archive_context_set_control_request_stream_id(context, REQUEST_STREAM);
        failed_calls |=
            aeron_archive_context_set_control_response_channel(context, RESPONSE_CHANNEL);
        failed_calls |=
            aeron_archive_context_set_control_response_stream_id(context, self->response_stream);
        failed_calls |= aeron_archive_context_set_message_timeout_ns(context, REQUEST_NS);
        failed_calls |= aeron_archive_context_set_idle_strategy(context, pause_between, NULL);
        failed_calls |=
            aeron_archive_context_set_delegating_invoker(context, step_embedded, self->embedded);
    }
    return failed_calls == 0 ? OC_ERR_OK
                             : error_set(OC_ERR_TRANSPORT, "a session with the archive: %s",
                                         embedded_error_line());
}

/* A context can be used once: Aeron writes a session id into its channels. */
static oc_err_t begin(archive_session_t *self)
{
    OC_ASSERT(self->attempt == NULL);
    OC_ASSERT(self->archive == NULL);
    if (self->context != NULL)
        (void)aeron_archive_context_close(self->context);
    self->context = NULL;
    const oc_err_t err = make_context(self);
    if (err != OC_ERR_OK)
        return err;
    self->attempt_deadline_ns = aeron_nano_clock() + REQUEST_NS;
    if (aeron_archive_async_connect(&self->attempt, self->context) < 0) {
        self->attempt = NULL;
        return error_set(OC_ERR_TRANSPORT, "a session with the archive on the driver in %s: %s",
                         embedded_dir(self->embedded), embedded_error_line());
    }
    return OC_ERR_OK;
}

static oc_err_t no_answer(const archive_session_t *self, int64_t waited_ns)
{
    return error_set(OC_ERR_TIMEOUT,
                     "no answer of an archive on " REQUEST_CHANNEL
                     ", stream %d, of the driver in %s within %" PRId64 " ms: is it running there?",
                     REQUEST_STREAM, embedded_dir(self->embedded), waited_ns / (1000 * 1000));
}

static oc_err_t step_attempt(archive_session_t *self)
{
    /* Ours comes first, so that a failure below is another one. */
    if (aeron_nano_clock() >= self->attempt_deadline_ns) {
        drop(self);
        return no_answer(self, REQUEST_NS);
    }
    const int result = aeron_archive_async_connect_poll(&self->archive, self->attempt);
    if (result == 0)
        return OC_ERR_OK;
    self->attempt = NULL; /* gone either way */
    if (result > 0)
        return OC_ERR_OK;
    self->archive = NULL;
    if (aeron_nano_clock() >= self->attempt_deadline_ns)
        return no_answer(self, REQUEST_NS);
    return error_set(aeron_errcode() == EINVAL ? OC_ERR_REFUSED : OC_ERR_TRANSPORT,
                     "the archive on the driver in %s, connecting: %s",
                     embedded_dir(self->embedded), embedded_error_line());
}

oc_err_t archive_session_step(archive_session_t *self, bool *connected)
{
    oc_err_t err = OC_ERR_OK;
    if (self->archive != NULL) {
        /* It tells when recordings begin and end: nobody here wants to know, and an archive that
         * cannot get rid of it would end the session. */
        if (aeron_archive_poll_for_recording_signals(NULL, self->archive) < 0)
            err = failed(self, "listening to it", AERON_NULL_VALUE);
    } else if (self->attempt != NULL) {
        err = step_attempt(self);
    } else if (aeron_nano_clock() >= self->begin_ns) {
        err = begin(self);
    }
    if (err != OC_ERR_OK)
        self->begin_ns = aeron_nano_clock() + FAILED_NS;
    *connected = self->archive != NULL;
    return err;
}

oc_err_t archive_session_await(archive_session_t *self, int64_t timeout_ns)
{
    const int64_t deadline_ns = aeron_nano_clock() + timeout_ns;
    for (;;) {
        bool connected;
        const oc_err_t err = archive_session_step(self, &connected);
        if (connected)
            return OC_ERR_OK;
        if (err != OC_ERR_OK && err != OC_ERR_TIMEOUT && err != OC_ERR_NOT_CONNECTED)
            return err;
        if (aeron_nano_clock() >= deadline_ns)
            return no_answer(self, timeout_ns);
        pause_between(NULL, embedded_do_work(self->embedded));
    }
}

oc_err_t archive_session_open(archive_session_t **session, embedded_t *embedded,
                              int32_t response_stream)
{
    *session = NULL;
    archive_session_t *self = calloc(1, sizeof *self);
    if (self == NULL)
        return error_set(OC_ERR_NO_MEMORY, "a session with the archive: %zu bytes", sizeof *self);
    self->embedded = embedded;
    self->response_stream = response_stream;
    const oc_err_t err = begin(self);
    if (err != OC_ERR_OK) {
        archive_session_close(self);
        return err;
    }
    *session = self;
    return OC_ERR_OK;
}

void archive_session_close(archive_session_t *self)
{
    if (self == NULL)
        return;
    drop(self);
    if (self->context != NULL)
        (void)aeron_archive_context_close(self->context);
    free(self);
}

/* ---- Recording ---- */

oc_err_t archive_session_record(archive_session_t *self, const char *channel, int32_t stream)
{
    int64_t subscription;
    if (self->archive == NULL)
        return not_connected("recording");
    if (aeron_archive_start_recording(&subscription, self->archive, channel, stream,
                                      AERON_ARCHIVE_SOURCE_LOCATION_LOCAL, true) < 0)
        return failed(self, "recording", AERON_NULL_VALUE);
    return OC_ERR_OK;
}

bool archive_session_recording(const archive_session_t *self, int32_t session_id,
                               archive_recording_t *recording)
{
    if (self->archive == NULL)
        return false;
    aeron_counters_reader_t *reader = aeron_counters_reader(embedded_aeron(self->embedded));
    const int32_t id = aeron_archive_recording_pos_find_counter_id_by_session_id(
        reader, session_id, aeron_archive_get_archive_id(self->archive));
    if (id == AERON_NULL_COUNTER_ID)
        return false;
    recording->position.id = id;
    recording->position.value = aeron_counters_reader_addr(reader, id);
    if (aeron_counters_reader_counter_registration_id(reader, id,
                                                      &recording->position.registration) < 0)
        return false;
    /* Last, and again: the counter may have become another's meanwhile. */
    recording->id = aeron_archive_recording_pos_get_recording_id(reader, id);
    return recording->id != AERON_NULL_VALUE &&
           id == aeron_archive_recording_pos_find_counter_id_by_session_id(
                     reader, session_id, aeron_archive_get_archive_id(self->archive));
}

/* ---- What it has ---- */

oc_err_t archive_session_purge(archive_session_t *self, int64_t recording, int64_t position,
                               int64_t *segments)
{
    *segments = 0;
    if (self->archive == NULL)
        return not_connected("purging");
    if (aeron_archive_purge_segments(segments, self->archive, recording, position) < 0)
        return failed(self, "purging", recording);
    return OC_ERR_OK;
}
