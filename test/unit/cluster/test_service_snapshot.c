/*
 * What is written of a service's state: which messages, in which order, how big; and what comes of
 * a sink or a service that fails.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/service_snapshot_internal.h"
#include "codec/cluster_service_codec.h"
#include "host/state_file.h"
#include "lib/message_tape.h"
#include "lib/replica_rig.h"

#include <stdlib.h>
#include <string.h>

static void write_tape(const replica_rig_t *rig, service_snapshot_kind_t kind, message_tape_t *tape)
{
    const service_snapshot_place_t place = replica_rig_place(rig);
    message_tape_init(tape);
    if (service_snapshot_write(&rig->replica, kind, &place, message_tape_take, tape) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
}

static cluster_snapshot_message_t decode(const message_tape_t *tape, size_t at)
{
    cluster_snapshot_message_t message;
    assert_true(at < tape->count);
    assert_int_equal(
        cluster_snapshot_decode(tape->messages[at].bytes, tape->messages[at].length, &message),
        OC_PROBLEM_NONE);
    return message;
}

static snapshot_part_t part_of(const message_tape_t *tape, size_t at)
{
    snapshot_frame_t frame;
    assert_true(at < tape->count);
    assert_true(tape->messages[at].length >= sizeof frame);
    memcpy(&frame, tape->messages[at].bytes, sizeof frame);
    assert_memory_equal(frame.magic, SERVICE_SNAPSHOT_MAGIC, sizeof frame.magic);
    assert_int_equal(frame.version, SERVICE_SNAPSHOT_VERSION);
    return (snapshot_part_t)frame.part;
}

static void check_mark(const message_tape_t *tape, size_t at, cluster_snapshot_mark_t mark,
                       const service_snapshot_place_t *place)
{
    const cluster_snapshot_message_t message = decode(tape, at);
    assert_int_equal(message.type, CLUSTER_SNAPSHOT_MARKER);
    assert_int_equal(message.type_id, CLUSTER_SNAPSHOT_TYPE_SERVICE);
    assert_int_equal(message.log_position, place->image.position);
    assert_int_equal(message.term, place->leadership_term);
    assert_int_equal(message.mark, mark);
    assert_int_equal(message.time_unit, CLUSTER_TIME_NANOS);
    assert_int_equal(message.app_version, place->app_version);
}

/* Markers and sessions are those that every reader of such snapshots knows. */
static void a_manifest_is_four_messages_and_the_sessions(void **state)
{
    (void)state;
    enum { SESSIONS = 12 };
    replica_rig_t rig;
    message_tape_t tape;
    replica_rig_init(&rig);
    replica_rig_live(&rig, SESSIONS);
    write_tape(&rig, SERVICE_SNAPSHOT_MANIFEST, &tape);
    const service_snapshot_place_t place = replica_rig_place(&rig);
    assert_int_equal(tape.count, 4 + SESSIONS);
    check_mark(&tape, 0, CLUSTER_SNAPSHOT_BEGIN, &place);
    for (size_t i = 0; i < SESSIONS; i++) {
        const cluster_snapshot_message_t message = decode(&tape, 1 + i);
        const ledger_session_t *session = session_ledger_at(&rig.replica.sessions, (uint32_t)i);
        assert_int_equal(message.type, CLUSTER_SNAPSHOT_SESSION);
        assert_int_equal(message.session, session->id.value);
        assert_int_equal(message.response_stream, session->open.response_stream);
        assert_int_equal(message.channel.length, session->open.channel_length);
        assert_memory_equal(message.channel.bytes, session->open.response_channel,
                            message.channel.length);
        assert_int_equal(message.principal.length, strlen(session->open.principal.name));
        assert_memory_equal(message.principal.bytes, session->open.principal.name,
                            message.principal.length);
    }
    check_mark(&tape, 1 + SESSIONS, CLUSTER_SNAPSHOT_END, &place);
    assert_int_equal(part_of(&tape, 2 + SESSIONS), SNAPSHOT_PART_HEADER);
    assert_int_equal(part_of(&tape, 3 + SESSIONS), SNAPSHOT_PART_END);
    /* Whoever decodes what is ours as a message of Aeron's sees that it is none. */
    assert_int_equal(decode(&tape, 2 + SESSIONS).type, CLUSTER_SNAPSHOT_OTHER);
    message_tape_clear(&tape);
    replica_rig_fini(&rig);
}

static void a_stream_follows_its_header(void **state)
{
    (void)state;
    enum { SESSIONS = 7 };
    replica_rig_t rig;
    message_tape_t tape;
    replica_rig_init(&rig);
    replica_rig_live(&rig, SESSIONS);
    write_tape(&rig, SERVICE_SNAPSHOT_STREAM, &tape);
    assert_int_equal(tape.count, SESSIONS + 6);
    assert_int_equal(part_of(&tape, SESSIONS + 2), SNAPSHOT_PART_HEADER);
    assert_int_equal(part_of(&tape, SESSIONS + 3), SNAPSHOT_PART_SESSIONS);
    assert_int_equal(part_of(&tape, SESSIONS + 4), SNAPSHOT_PART_STATE);
    assert_int_equal(part_of(&tape, SESSIONS + 5), SNAPSHOT_PART_END);
    message_tape_t again;
    write_tape(&rig, SERVICE_SNAPSHOT_STREAM, &again);
    message_tape_assert_equal(&tape, &again);
    message_tape_clear(&tape);
    message_tape_clear(&again);
    replica_rig_fini(&rig);
}

static void no_sessions_no_list_of_them(void **state)
{
    (void)state;
    replica_rig_t rig;
    message_tape_t tape;
    replica_rig_init(&rig);
    replica_rig_live(&rig, 0);
    write_tape(&rig, SERVICE_SNAPSHOT_STREAM, &tape);
    assert_int_equal(tape.count, 5);
    assert_int_equal(part_of(&tape, 2), SNAPSHOT_PART_HEADER);
    assert_int_equal(part_of(&tape, 3), SNAPSHOT_PART_STATE);
    assert_int_equal(part_of(&tape, 4), SNAPSHOT_PART_END);
    message_tape_clear(&tape);
    replica_rig_fini(&rig);
}

/* More than one message can hold. */
static void many_sessions_are_listed_in_parts(void **state)
{
    (void)state;
    enum { SESSIONS = SNAPSHOT_SESSIONS_MAX + 5 };
    replica_rig_t rig;
    message_tape_t tape;
    replica_rig_init(&rig);
    replica_rig_live(&rig, SESSIONS);
    write_tape(&rig, SERVICE_SNAPSHOT_STREAM, &tape);
    assert_int_equal(tape.count, SESSIONS + 7);
    assert_int_equal(part_of(&tape, SESSIONS + 3), SNAPSHOT_PART_SESSIONS);
    assert_int_equal(part_of(&tape, SESSIONS + 4), SNAPSHOT_PART_SESSIONS);
    assert_int_equal(part_of(&tape, SESSIONS + 5), SNAPSHOT_PART_STATE);
    message_tape_clear(&tape);
    replica_rig_fini(&rig);
}

/* ---- A service with a state of any size ---- */

typedef struct bulk {
    oc_service_t service;
    size_t bytes;
    size_t step; /* written at once */
    oc_err_t error;
} bulk_t;

static oc_err_t bulk_start(void *context, oc_host_t *host)
{
    (void)context;
    (void)host;
    return OC_ERR_OK;
}

static void bulk_open(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                      const void *principal, size_t length)
{
    (void)context, (void)entry, (void)session, (void)principal, (void)length;
}

static void bulk_close(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                       oc_close_reason_t reason)
{
    (void)context, (void)entry, (void)session, (void)reason;
}

static oc_err_t bulk_message(void *context, const oc_log_entry_t *entry, oc_session_id_t session,
                             const void *bytes, size_t length)
{
    (void)context, (void)entry, (void)session, (void)bytes, (void)length;
    return OC_ERR_OK;
}

static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at * 31 + at / 251);
}

static oc_err_t bulk_capture(void *context, oc_capture_sink_t sink, void *sink_context)
{
    const bulk_t *self = context;
    uint8_t *bytes = malloc(self->step);
    oc_err_t err = OC_ERR_OK;
    assert_non_null(bytes);
    for (size_t at = 0; err == OC_ERR_OK && at < self->bytes;) {
        const size_t length = self->bytes - at < self->step ? self->bytes - at : self->step;
        for (size_t i = 0; i < length; i++)
            bytes[i] = byte_at(at + i);
        err = sink(sink_context, bytes, length);
        at += length;
    }
    free(bytes);
    return err == OC_ERR_OK && self->error != OC_ERR_OK ? error_set(self->error, "as asked for")
                                                        : err;
}

static oc_err_t bulk_restore(void *context, oc_restore_source_t source, void *source_context)
{
    const bulk_t *self = context;
    uint8_t *bytes = malloc(self->step);
    oc_err_t err = OC_ERR_OK;
    assert_non_null(bytes);
    for (size_t at = 0; err == OC_ERR_OK && at < self->bytes;) {
        const size_t length = self->bytes - at < self->step ? self->bytes - at : self->step;
        err = source(source_context, bytes, length);
        for (size_t i = 0; err == OC_ERR_OK && i < length; i++)
            assert_int_equal(bytes[i], byte_at(at + i));
        at += length;
    }
    free(bytes);
    return err;
}

static void bulk_init(bulk_t *bulk, replica_t *replica, size_t bytes, size_t step)
{
    static const replica_config_t config = {4, 4, 1024};
    *bulk = (bulk_t){.bytes = bytes, .step = step};
    bulk->service = (oc_service_t){.context = bulk,
                                   .start = bulk_start,
                                   .session_open = bulk_open,
                                   .session_close = bulk_close,
                                   .message = bulk_message,
                                   .capture = bulk_capture,
                                   .restore = bulk_restore};
    assert_int_equal(replica_init(replica, &bulk->service, &config), OC_ERR_OK);
}

static void apply_configuration(replica_t *replica)
{
    const oc_log_entry_t entry = {.position = 96, .term = 1, .time_ns = 1000};
    log_record_t record;
    replica_configuration(replica, &record);
    assert_int_equal(replica_apply(replica, &entry, &record), OC_ERR_OK);
}

static service_snapshot_place_t place_of(const replica_t *replica)
{
    service_snapshot_place_t place = {.image = {.position = 192, .group = 0}};
    replica_place(replica, &place.image);
    return place;
}

/* What is written of a state of so many bytes; the service ends its capture with `error`. */
static oc_err_t write_bulk(size_t bytes, size_t step, oc_err_t error, message_tape_t *tape)
{
    bulk_t bulk;
    replica_t replica;
    bulk_init(&bulk, &replica, bytes, step);
    bulk.error = error;
    apply_configuration(&replica);
    const service_snapshot_place_t place = place_of(&replica);
    message_tape_init(tape);
    const oc_err_t err =
        service_snapshot_write(&replica, SERVICE_SNAPSHOT_STREAM, &place, message_tape_take, tape);
    replica_fini(&replica);
    return err;
}

/* Restores a service that reads so many bytes from it. */
static oc_err_t read_bulk(const message_tape_t *tape, size_t bytes, size_t step)
{
    bulk_t bulk;
    replica_t replica;
    oc_err_t err;
    bulk_init(&bulk, &replica, bytes, step);
    service_snapshot_reader_t *reader = message_tape_read(tape, 192, &err);
    assert_int_equal(err, OC_ERR_OK);
    err = service_snapshot_reader_restore(reader, &replica);
    service_snapshot_reader_destroy(reader);
    replica_fini(&replica);
    return err;
}

/* However big the state is and however the service hands it over. */
static void a_state_of_any_size(size_t bytes, size_t written, size_t read)
{
    const size_t room = SERVICE_SNAPSHOT_MESSAGE_MAX - sizeof(snapshot_state_t);
    const size_t whole = bytes + sizeof(state_file_header_t);
    message_tape_t tape;
    assert_int_equal(write_bulk(bytes, written, OC_ERR_OK, &tape), OC_ERR_OK);
    assert_int_equal(tape.count, 4 + (whole + room - 1) / room);
    assert_int_equal(read_bulk(&tape, bytes, read), OC_ERR_OK);
    message_tape_clear(&tape);
}

static void states_of_any_size(void **state)
{
    (void)state;
    const size_t room = SERVICE_SNAPSHOT_MESSAGE_MAX - sizeof(snapshot_state_t);
    const size_t exact = room - sizeof(state_file_header_t);
    const size_t sizes[] = {0, 1, exact - 1, exact, exact + 1, exact + room, 700001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        a_state_of_any_size(sizes[i], 777, 1000000);
        a_state_of_any_size(sizes[i], 1000000, 129);
        a_state_of_any_size(sizes[i], 65408, 65440);
    }
}

static void a_service_must_read_what_it_wrote(void **state)
{
    (void)state;
    message_tape_t tape;
    assert_int_equal(write_bulk(1000, 100, OC_ERR_OK, &tape), OC_ERR_OK);
    assert_int_equal(read_bulk(&tape, 999, 100), OC_ERR_DAMAGED);
    assert_int_equal(read_bulk(&tape, 1001, 100), OC_ERR_TRUNCATED);
    message_tape_clear(&tape);
}

/* ---- What fails ---- */

static void the_sink_may_fail_at_any_message(void **state)
{
    (void)state;
    replica_rig_t rig;
    message_tape_t tape;
    replica_rig_init(&rig);
    replica_rig_live(&rig, 6);
    const service_snapshot_place_t place = replica_rig_place(&rig);
    size_t at = 0;
    oc_err_t err;
    do {
        message_tape_init(&tape);
        tape.refuse_at = at++;
        err = service_snapshot_write(&rig.replica, SERVICE_SNAPSHOT_STREAM, &place,
                                     message_tape_take, &tape);
        assert_true(err == OC_ERR_OK || err == OC_ERR_TRANSPORT);
        assert_int_equal(tape.count, err == OC_ERR_OK ? at - 1 : tape.refuse_at);
        message_tape_clear(&tape);
    } while (err != OC_ERR_OK);
    assert_int_equal(at, 13);
    replica_rig_fini(&rig);
}

static void the_service_may_fail(void **state)
{
    (void)state;
    message_tape_t tape;
    assert_int_equal(write_bulk(1000, 100, OC_ERR_NO_SPACE, &tape), OC_ERR_NO_SPACE);
    message_tape_clear(&tape);
}

static void a_service_without_capture_has_no_stream(void **state)
{
    (void)state;
    replica_rig_t rig;
    message_tape_t tape;
    replica_rig_init(&rig);
    replica_rig_live(&rig, 2);
    rig.tally.service.capture = NULL;
    const service_snapshot_place_t place = replica_rig_place(&rig);
    message_tape_init(&tape);
    assert_int_equal(service_snapshot_write(&rig.replica, SERVICE_SNAPSHOT_STREAM, &place,
                                            message_tape_take, &tape),
                     OC_ERR_INVALID_ARGUMENT);
    assert_int_equal(tape.count, 0);
    assert_int_equal(service_snapshot_write(&rig.replica, SERVICE_SNAPSHOT_MANIFEST, &place,
                                            message_tape_take, &tape),
                     OC_ERR_OK);
    assert_int_equal(tape.count, 6);
    message_tape_clear(&tape);
    replica_rig_fini(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_manifest_is_four_messages_and_the_sessions),
        cmocka_unit_test(a_stream_follows_its_header),
        cmocka_unit_test(no_sessions_no_list_of_them),
        cmocka_unit_test(many_sessions_are_listed_in_parts),
        cmocka_unit_test(states_of_any_size),
        cmocka_unit_test(a_service_must_read_what_it_wrote),
        cmocka_unit_test(the_sink_may_fail_at_any_message),
        cmocka_unit_test(the_service_may_fail),
        cmocka_unit_test(a_service_without_capture_has_no_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
