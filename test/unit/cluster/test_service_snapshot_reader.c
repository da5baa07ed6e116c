/*
 * Reading a service's snapshot: what was written comes back whole, and nothing else is taken:
 * neither what is cut, swapped, missing, doubled or flipped, nor what another service wrote.
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
#include "lib/message_tape.h"
#include "lib/replica_rig.h"

#include <stdlib.h>
#include <string.h>

enum { SESSIONS = 8 };

/* What was written, and of what. */
typedef struct fixture {
    replica_rig_t rig;
    service_snapshot_place_t place;
    message_tape_t tape;
} fixture_t;

static void begin(fixture_t *f, service_snapshot_kind_t kind, uint32_t sessions)
{
    replica_rig_init(&f->rig);
    replica_rig_live(&f->rig, sessions);
    f->place = replica_rig_place(&f->rig);
    message_tape_init(&f->tape);
    assert_int_equal(
        service_snapshot_write(&f->rig.replica, kind, &f->place, message_tape_take, &f->tape),
        OC_ERR_OK);
}

static void end(fixture_t *f)
{
    message_tape_clear(&f->tape);
    replica_rig_fini(&f->rig);
}

static oc_err_t read_tape(const fixture_t *f, const message_tape_t *tape)
{
    oc_err_t err;
    service_snapshot_reader_t *reader =
        message_tape_read(tape, (int64_t)f->place.image.position, &err);
    assert_true((err == OC_ERR_OK) == service_snapshot_reader_complete(reader));
    service_snapshot_reader_destroy(reader);
    return err;
}

static void assert_refused(const fixture_t *f, const message_tape_t *tape)
{
    const oc_err_t err = read_tape(f, tape);
    assert_true(err == OC_ERR_DAMAGED || err == OC_ERR_FORMAT || err == OC_ERR_TRUNCATED);
    assert_true(oc_err_context()[0] != '\0');
}

/* ---- What was written ---- */

static void a_manifest_says_which_state(void **state)
{
    (void)state;
    fixture_t f;
    oc_err_t err;
    size_t length;
    begin(&f, SERVICE_SNAPSHOT_MANIFEST, SESSIONS);
    service_snapshot_reader_t *reader =
        message_tape_read(&f.tape, (int64_t)f.place.image.position, &err);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(service_snapshot_reader_kind(reader), SERVICE_SNAPSHOT_MANIFEST);
    const service_snapshot_place_t *place = service_snapshot_reader_place(reader);
    assert_memory_equal(&place->image, &f.place.image, sizeof place->image);
    assert_true(place->output_hash == f.place.output_hash);
    assert_true(place->leadership_term == f.place.leadership_term);
    assert_int_equal(place->app_version, f.place.app_version);
    const void *configuration = service_snapshot_reader_configuration(reader, &length);
    assert_int_equal(length, 7);
    assert_memory_equal(configuration, "tally 1", 7);
    assert_int_equal(service_snapshot_reader_max_timers(reader), REPLICA_RIG_TIMERS);
    service_snapshot_reader_destroy(reader);
    end(&f);
}

static void restore_equals(uint32_t sessions)
{
    fixture_t f;
    replica_rig_t other;
    message_tape_t again;
    oc_err_t err;
    begin(&f, SERVICE_SNAPSHOT_STREAM, sessions);
    replica_rig_init(&other);
    service_snapshot_reader_t *reader =
        message_tape_read(&f.tape, (int64_t)f.place.image.position, &err);
    assert_int_equal(err, OC_ERR_OK);
    assert_int_equal(service_snapshot_reader_kind(reader), SERVICE_SNAPSHOT_STREAM);
    if (service_snapshot_reader_restore(reader, &other.replica) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    service_snapshot_reader_destroy(reader);
    replica_rig_assert_equal(&f.rig.replica, &other.replica);
    assert_true(other.replica.entry.position == f.place.image.position);
    message_tape_init(&again);
    assert_int_equal(service_snapshot_write(&other.replica, SERVICE_SNAPSHOT_STREAM, &f.place,
                                            message_tape_take, &again),
                     OC_ERR_OK);
    message_tape_assert_equal(&f.tape, &again);
    /* Both go on alike. */
    other.position = f.rig.position = f.place.image.position;
    replica_rig_open(&f.rig, 100000, "late");
    replica_rig_open(&other, 100000, "late");
    replica_rig_request(&f.rig, 100000, TALLY_TIMER, 5, 2000);
    replica_rig_request(&other, 100000, TALLY_TIMER, 5, 2000);
    replica_rig_assert_equal(&f.rig.replica, &other.replica);
    message_tape_clear(&again);
    replica_rig_fini(&other);
    end(&f);
}

static void a_stream_gives_an_equal_replica(void **state)
{
    (void)state;
    restore_equals(0);
    restore_equals(1);
    restore_equals(SESSIONS);
    restore_equals(SNAPSHOT_SESSIONS_MAX + 1);
}

/* No entry of it has changed the state yet. */
static void a_term_may_have_just_begun(void **state)
{
    (void)state;
    replica_rig_t rig;
    replica_rig_t other;
    message_tape_t tape;
    oc_err_t err;
    replica_rig_init(&rig);
    replica_rig_live(&rig, SESSIONS);
    service_snapshot_place_t place = replica_rig_place(&rig);
    place.image.term = rig.replica.entry.term + 2;
    place.leadership_term = place.image.term - 1;
    message_tape_init(&tape);
    assert_int_equal(service_snapshot_write(&rig.replica, SERVICE_SNAPSHOT_STREAM, &place,
                                            message_tape_take, &tape),
                     OC_ERR_OK);
    service_snapshot_reader_t *reader =
        message_tape_read(&tape, (int64_t)place.image.position, &err);
    assert_int_equal(err, OC_ERR_OK);
    replica_rig_init(&other);
    assert_int_equal(service_snapshot_reader_restore(reader, &other.replica), OC_ERR_OK);
    assert_int_equal(other.replica.entry.term, place.image.term);
    service_snapshot_reader_destroy(reader);
    message_tape_clear(&tape);
    replica_rig_fini(&other);
    replica_rig_fini(&rig);
}

/* ---- What must not be taken ---- */

static void nothing_that_is_cut(service_snapshot_kind_t kind)
{
    fixture_t f;
    begin(&f, kind, SESSIONS);
    for (size_t kept = 0; kept < f.tape.count; kept++) { /* whole messages */
        const size_t count = f.tape.count;
        f.tape.count = kept;
        const oc_err_t err = read_tape(&f, &f.tape);
        assert_int_equal(err, kept == SESSIONS + 2 ? OC_ERR_FORMAT : OC_ERR_TRUNCATED);
        f.tape.count = count;
    }
    for (size_t at = 0; at < f.tape.count; at++) { /* inside of them */
        const size_t length = f.tape.messages[at].length;
        for (size_t kept = 0; kept < length; kept++) {
            f.tape.messages[at].length = kept;
            message_tape_seal(&f.tape);
            assert_refused(&f, &f.tape);
        }
        f.tape.messages[at].length = length;
        message_tape_seal(&f.tape);
        assert_int_equal(read_tape(&f, &f.tape), OC_ERR_OK);
    }
    end(&f);
}

static void no_truncation(void **state)
{
    (void)state;
    nothing_that_is_cut(SERVICE_SNAPSHOT_MANIFEST);
    nothing_that_is_cut(SERVICE_SNAPSHOT_STREAM);
}

static void swap(message_tape_t *tape, size_t a, size_t b)
{
    const tape_message_t message = tape->messages[a];
    tape->messages[a] = tape->messages[b];
    tape->messages[b] = message;
}

static void no_other_order(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    for (size_t a = 0; a < f.tape.count; a++)
        for (size_t b = a + 1; b < f.tape.count; b++) {
            swap(&f.tape, a, b);
            message_tape_seal(&f.tape);
            assert_refused(&f, &f.tape);
            swap(&f.tape, a, b);
        }
    message_tape_seal(&f.tape);
    assert_int_equal(read_tape(&f, &f.tape), OC_ERR_OK);
    end(&f);
}

static void no_message_missing_or_twice(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    for (size_t at = 0; at < f.tape.count; at++) {
        message_tape_t other;
        message_tape_copy(&other, &f.tape);
        message_tape_remove(&other, at);
        message_tape_seal(&other);
        assert_refused(&f, &other);
        message_tape_clear(&other);
        message_tape_copy(&other, &f.tape);
        message_tape_insert(&other, at, f.tape.messages[at].bytes, f.tape.messages[at].length);
        message_tape_seal(&other);
        assert_refused(&f, &other);
        message_tape_clear(&other);
    }
    end(&f);
}

static void no_bit_flipped(service_snapshot_kind_t kind)
{
    fixture_t f;
    begin(&f, kind, SESSIONS);
    for (size_t at = 0; at < f.tape.count; at++)
        for (size_t byte = 0; byte < f.tape.messages[at].length; byte++)
            for (unsigned bit = 0; bit < 8; bit++) {
                f.tape.messages[at].bytes[byte] ^= (uint8_t)(1u << bit);
                assert_refused(&f, &f.tape);
                f.tape.messages[at].bytes[byte] ^= (uint8_t)(1u << bit);
            }
    assert_int_equal(read_tape(&f, &f.tape), OC_ERR_OK);
    end(&f);
}

static void no_flipped_bit(void **state)
{
    (void)state;
    no_bit_flipped(SERVICE_SNAPSHOT_MANIFEST);
    no_bit_flipped(SERVICE_SNAPSHOT_STREAM);
}

/* With a checksum that fits: a wrong number leads to an error or to an equal state, never to a
 * replica that contradicts itself, and never to a crash. */
static void a_changed_byte_never_slips_through(void **state)
{
    (void)state;
    fixture_t f;
    uint32_t taken = 0;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    for (size_t at = 0; at < f.tape.count; at++)
        for (size_t byte = 0; byte < f.tape.messages[at].length; byte++) {
            oc_err_t err;
            replica_rig_t other;
            f.tape.messages[at].bytes[byte] ^= 0x41;
            message_tape_seal(&f.tape);
            service_snapshot_reader_t *reader =
                message_tape_read(&f.tape, (int64_t)f.place.image.position, &err);
            if (err == OC_ERR_OK &&
                service_snapshot_reader_kind(reader) == SERVICE_SNAPSHOT_STREAM) {
                replica_rig_init_sized(&other, 64, REPLICA_RIG_TIMERS);
                err = service_snapshot_reader_restore(reader, &other.replica);
                assert_true(err == OC_ERR_OK || oc_err_context()[0] != '\0');
                taken += err == OC_ERR_OK;
                if (err == OC_ERR_OK)
                    assert_true(replica_state_hash(&other.replica) ==
                                replica_state_hash(&f.rig.replica));
                replica_rig_fini(&other);
            }
            service_snapshot_reader_destroy(reader);
            f.tape.messages[at].bytes[byte] ^= 0x41;
        }
    assert_true(taken > 0); /* a channel's letter, for example */
    end(&f);
}

static void nothing_behind_the_end(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, SERVICE_SNAPSHOT_MANIFEST, SESSIONS);
    message_tape_insert(&f.tape, f.tape.count, f.tape.messages[0].bytes, f.tape.messages[0].length);
    assert_int_equal(read_tape(&f, &f.tape), OC_ERR_DAMAGED);
    end(&f);
}

static void nothing_after_an_error(void **state)
{
    (void)state;
    fixture_t f;
    service_snapshot_reader_t *reader;
    begin(&f, SERVICE_SNAPSHOT_MANIFEST, 0);
    assert_int_equal(service_snapshot_reader_create(&reader, (int64_t)f.place.image.position),
                     OC_ERR_OK);
    assert_int_equal(service_snapshot_reader_take(reader, "12345678", 8), OC_ERR_FORMAT);
    for (size_t i = 0; i < f.tape.count; i++)
        assert_int_equal(service_snapshot_reader_take(reader, f.tape.messages[i].bytes,
                                                      f.tape.messages[i].length),
                         OC_ERR_DAMAGED);
    assert_false(service_snapshot_reader_complete(reader));
    service_snapshot_reader_destroy(reader);
    service_snapshot_reader_destroy(NULL);
    end(&f);
}

/* ---- Other snapshots ---- */

static void insert_cluster(message_tape_t *tape, const cluster_snapshot_message_t *message)
{
    uint8_t bytes[1024];
    const size_t length = cluster_snapshot_encode(message, bytes, sizeof bytes);
    assert_true(length > 0);
    message_tape_insert(tape, tape->count, bytes, length);
}

static void add_markers(message_tape_t *tape, int64_t type_id, int64_t position)
{
    cluster_snapshot_message_t message = {.type = CLUSTER_SNAPSHOT_MARKER,
                                          .type_id = type_id,
                                          .log_position = position,
                                          .mark = CLUSTER_SNAPSHOT_BEGIN};
    insert_cluster(tape, &message);
    message.mark = CLUSTER_SNAPSHOT_END;
    insert_cluster(tape, &message);
}

static oc_err_t read_at(const message_tape_t *tape, int64_t position)
{
    oc_err_t err;
    service_snapshot_reader_destroy(message_tape_read(tape, position, &err));
    return err;
}

static void another_service_is_named_as_such(void **state)
{
    (void)state;
    message_tape_t tape;
    message_tape_init(&tape);
    add_markers(&tape, CLUSTER_SNAPSHOT_TYPE_SERVICE, 640);
    assert_int_equal(read_at(&tape, 640), OC_ERR_FORMAT); /* it keeps nothing */
    assert_non_null(strstr(oc_err_context(), "another clustered service"));
    message_tape_insert(&tape, 2, "a state of its own", 18);
    assert_int_equal(read_at(&tape, 640), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "another clustered service"));
    message_tape_clear(&tape);
    add_markers(&tape, 1, 640); /* the module's own */
    assert_int_equal(read_at(&tape, 640), OC_ERR_FORMAT);
    assert_non_null(strstr(oc_err_context(), "type 1"));
    message_tape_clear(&tape);
    add_markers(&tape, CLUSTER_SNAPSHOT_TYPE_SERVICE, 704);
    assert_int_equal(read_at(&tape, 640), OC_ERR_DAMAGED);
    message_tape_clear(&tape);
    message_tape_insert(&tape, 0, "something that is no message", 28);
    assert_int_equal(read_at(&tape, 640), OC_ERR_FORMAT);
    message_tape_clear(&tape);
    assert_int_equal(read_at(&tape, 640), OC_ERR_TRUNCATED);
}

static void a_newer_version_is_named_as_such(void **state)
{
    (void)state;
    fixture_t f;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    const uint32_t version = SERVICE_SNAPSHOT_VERSION + 1;
    for (size_t at = SESSIONS + 2; at < f.tape.count; at++) {
        memcpy(f.tape.messages[at].bytes + offsetof(snapshot_frame_t, version), &version,
               sizeof version);
        message_tape_seal(&f.tape);
        assert_int_equal(read_tape(&f, &f.tape), OC_ERR_FORMAT);
        assert_non_null(strstr(oc_err_context(), "version 2"));
        const uint32_t known = SERVICE_SNAPSHOT_VERSION;
        memcpy(f.tape.messages[at].bytes + offsetof(snapshot_frame_t, version), &known,
               sizeof known);
    }
    end(&f);
}

/* ---- What a restore checks ---- */

static oc_err_t restore_to(const fixture_t *f, replica_rig_t *other)
{
    oc_err_t err;
    service_snapshot_reader_t *reader =
        message_tape_read(&f->tape, (int64_t)f->place.image.position, &err);
    assert_int_equal(err, OC_ERR_OK);
    err = service_snapshot_reader_restore(reader, &other->replica);
    service_snapshot_reader_destroy(reader);
    return err;
}

/* The state is carried over to other tables, if all fits into them. */
static void the_tables_may_be_others(void **state)
{
    (void)state;
    fixture_t f;
    replica_rig_t other;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    replica_rig_init_sized(&other, 64, REPLICA_RIG_TIMERS * 2);
    other.tally.configuration = "tally 2";
    assert_int_equal(restore_to(&f, &other), OC_ERR_OK);
    assert_true(replica_state_hash(&other.replica) == f.place.image.state_hash);
    replica_rig_fini(&other);
    assert_true(f.rig.replica.timers.state->count > 1);
    replica_rig_init_sized(&other, 64, 1);
    assert_int_equal(restore_to(&f, &other), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "max_timers = 1: raise it"));
    replica_rig_fini(&other);
    replica_rig_init_sized(&other, SESSIONS - 1, REPLICA_RIG_TIMERS);
    assert_int_equal(restore_to(&f, &other), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "max_sessions"));
    replica_rig_fini(&other);
    replica_rig_init(&other);
    other.tally.service.restore = NULL;
    assert_int_equal(restore_to(&f, &other), OC_ERR_INVALID_CONFIG);
    replica_rig_fini(&other);
    end(&f);
}

static void the_state_hash_must_be_the_same(void **state)
{
    (void)state;
    fixture_t f;
    replica_rig_t other;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    replica_rig_init(&other);
    other.tally.restore_wrong = true;
    assert_int_equal(restore_to(&f, &other), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "hash"));
    replica_rig_fini(&other);
    end(&f);
}

static bool one_that_is_not_there(void *context, oc_session_id_t after, oc_session_id_t *next)
{
    (void)context;
    next->value = 11;
    return after.value < 11;
}

/* The module's snapshot has them as well: a service must not know of others. */
static void the_sessions_of_the_service_must_be_open(void **state)
{
    (void)state;
    fixture_t f;
    replica_rig_t other;
    begin(&f, SERVICE_SNAPSHOT_STREAM, SESSIONS);
    replica_rig_init(&other);
    other.tally.service.next_session = one_that_is_not_there;
    assert_int_equal(restore_to(&f, &other), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "session 11"));
    replica_rig_fini(&other);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_manifest_says_which_state),
        cmocka_unit_test(a_stream_gives_an_equal_replica),
        cmocka_unit_test(a_term_may_have_just_begun),
        cmocka_unit_test(no_truncation),
        cmocka_unit_test(no_other_order),
        cmocka_unit_test(no_message_missing_or_twice),
        cmocka_unit_test(no_flipped_bit),
        cmocka_unit_test(a_changed_byte_never_slips_through),
        cmocka_unit_test(nothing_behind_the_end),
        cmocka_unit_test(nothing_after_an_error),
        cmocka_unit_test(another_service_is_named_as_such),
        cmocka_unit_test(a_newer_version_is_named_as_such),
        cmocka_unit_test(the_tables_may_be_others),
        cmocka_unit_test(the_state_hash_must_be_the_same),
        cmocka_unit_test(the_sessions_of_the_service_must_be_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
