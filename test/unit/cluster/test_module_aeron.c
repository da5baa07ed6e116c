/*
 * The link over a real driver: another client plays the module with its counters, its control
 * streams and its log, and a made-up archive answers.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cluster/module_aeron.h"
#include "cluster/module_counters.h"
#include "codec/cluster_service_codec.h"
#include "lib/fake_archive.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    CLUSTER = 9,
    STEPS = 20000,
    TOGGLE = 202,
    COMMIT = 203,
    RECOVERY = 204,
    LOG_STREAM = 100,
    LOG_SESSION = 7001,
    LONG = 20000, /* bytes; several fragments */
};

#define LOG_CHANNEL "aeron:ipc?term-length=256k|session-id=7001"

static embedded_t *driver; /* with the member's client */
static embedded_t *other;  /* the module's client */
static module_aeron_t *module;
static module_link_t module_link;

static int pump(void *context)
{
    (void)context;
    const struct timespec pause = {.tv_nsec = 20000};
    const int count = embedded_do_work(other) + module_link.do_work(module_link.context);
    if (count == 0)
        (void)nanosleep(&pause, NULL);
    return count;
}

static int setup(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_config_init(&config);
    config.threading = EMBEDDED_SHARED;
    assert_int_equal(embedded_create(&driver, &config), OC_ERR_OK);
    config.threading = EMBEDDED_EXTERNAL;
    config.dir = embedded_dir(driver);
    assert_int_equal(embedded_create(&other, &config), OC_ERR_OK);
    assert_int_equal(module_aeron_create(&module, driver, CLUSTER), OC_ERR_OK);
    module_link = module_aeron_link(module);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    module_aeron_destroy(module);
    embedded_destroy(other);
    embedded_destroy(driver);
    return 0;
}

/* ---- The module's side ---- */

static aeron_counter_t *add_counter(int32_t type, const void *key, size_t length)
{
    aeron_async_add_counter_t *adding;
    aeron_counter_t *counter = NULL;
    assert_int_equal(
        aeron_async_add_counter(&adding, embedded_aeron(other), type, key, length, "test", 4), 0);
    for (int i = 0; i < STEPS && !counter; i++) {
        (void)pump(NULL);
        assert_true(aeron_async_add_counter_poll(&counter, adding) >= 0);
    }
    assert_non_null(counter);
    return counter;
}

static aeron_counter_t *add_commit(int32_t cluster)
{
    return add_counter(COMMIT, &cluster, sizeof cluster);
}

static void put(uint8_t *key, size_t offset, int64_t value, size_t width)
{
    memcpy(key + offset, &value, width);
}

static aeron_counter_t *add_recovery(int64_t term, int64_t position, int64_t snapshot)
{
    uint8_t key[40] = {0};
    put(key, 0, term, 8);
    put(key, 8, position, 8);
    put(key, 16, 12345, 8);
    put(key, 24, CLUSTER, 4);
    put(key, 28, snapshot >= 0, 4);
    put(key, 32, snapshot, 8);
    return add_counter(RECOVERY, key, sizeof key);
}

static aeron_exclusive_publication_t *add_log(const char *channel, int32_t stream)
{
    aeron_async_add_exclusive_publication_t *adding;
    aeron_exclusive_publication_t *log = NULL;
    assert_int_equal(
        aeron_async_add_exclusive_publication(&adding, embedded_aeron(other), channel, stream), 0);
    for (int i = 0; i < STEPS && !log; i++) {
        (void)pump(NULL);
        assert_true(aeron_async_add_exclusive_publication_poll(&log, adding) >= 0);
    }
    assert_non_null(log);
    return log;
}

static aeron_subscription_t *add_subscription(const char *channel, int32_t stream)
{
    aeron_async_add_subscription_t *adding;
    aeron_subscription_t *subscription = NULL;
    assert_int_equal(aeron_async_add_subscription(&adding, embedded_aeron(other), channel, stream,
                                                  NULL, NULL, NULL, NULL),
                     0);
    for (int i = 0; i < STEPS && !subscription; i++) {
        (void)pump(NULL);
        assert_true(aeron_async_add_subscription_poll(&subscription, adding) >= 0);
    }
    assert_non_null(subscription);
    return subscription;
}

static int64_t append(aeron_exclusive_publication_t *log, const void *bytes, size_t length)
{
    int64_t position = -1;
    for (int i = 0; i < STEPS && position < 0; i++) {
        position = aeron_exclusive_publication_offer(log, bytes, length, NULL, NULL);
        (void)pump(NULL);
    }
    assert_true(position > 0);
    return position;
}

/* ---- Finding ---- */

static void finds(bool expected, module_recovery_t *recovery)
{
    bool found = !expected;
    for (int i = 0; i < STEPS && found != expected; i++) {
        (void)pump(NULL);
        assert_int_equal(module_link.find(module_link.context, &found, recovery), OC_ERR_OK);
    }
    assert_int_equal(found, expected);
}

static void it_finds_its_module(void **state)
{
    (void)state;
    module_recovery_t recovery;
    finds(false, &recovery);
    aeron_counter_t *commit = add_commit(CLUSTER);
    finds(false, &recovery); /* it does not say yet where it begins */
    (void)add_recovery(3, 4096, 17);
    finds(true, &recovery);
    assert_int_equal(recovery.leadership_term, 3);
    assert_int_equal(recovery.position, 4096);
    assert_int_equal(recovery.timestamp, 12345);
    assert_int_equal(recovery.snapshot, 17);
    assert_true(module_link.alive(module_link.context));
    assert_int_equal(module_link.client_id(module_link.context),
                     aeron_client_id(embedded_aeron(driver)));
    assert_int_equal(aeron_counter_close(commit, NULL, NULL), 0);
    for (int i = 0; i < STEPS && module_link.alive(module_link.context); i++)
        (void)pump(NULL);
    assert_false(module_link.alive(module_link.context));
}

static void a_module_at_the_beginning_has_no_snapshot(void **state)
{
    (void)state;
    module_recovery_t recovery;
    (void)add_commit(CLUSTER);
    (void)add_recovery(CLUSTER_NULL_VALUE, 0, -1);
    finds(true, &recovery);
    assert_int_equal(recovery.leadership_term, CLUSTER_NULL_VALUE);
    assert_int_equal(recovery.snapshot, -1);
}

static void a_module_of_another_cluster_is_refused(void **state)
{
    (void)state;
    module_recovery_t recovery;
    bool found = true;
    oc_err_t err = OC_ERR_OK;
    (void)add_commit(CLUSTER + 1);
    for (int i = 0; i < STEPS && err == OC_ERR_OK; i++) {
        (void)pump(NULL);
        err = module_link.find(module_link.context, &found, &recovery);
    }
    assert_int_equal(err, OC_ERR_REFUSED);
    assert_false(found);
    assert_non_null(strstr(oc_err_context(), "is of cluster 10"));
}

/* ---- Control ---- */

typedef struct heard {
    uint8_t bytes[LONG];
    size_t length;
    uint32_t count;
} heard_t;

static void hear(void *context, const void *bytes, size_t length)
{
    heard_t *heard = context;
    assert_true(length <= sizeof heard->bytes);
    memcpy(heard->bytes, bytes, length);
    heard->length = length;
    heard->count++;
}

static void hear_fragment(void *context, const uint8_t *bytes, size_t length,
                          aeron_header_t *header)
{
    (void)header;
    hear(context, bytes, length);
}

static void both_hear_each_other(void **state)
{
    (void)state;
    static heard_t heard;
    uint8_t said[CLUSTER_REQUEST_BYTES_MAX];
    uint8_t words[12000];
    memset(words, 'w', sizeof words);
    memset(&heard, 0, sizeof heard);
    const size_t length = cluster_encode_close_session(77, said);
    assert_false(module_link.send(module_link.context, said, length)); /* nobody listens */
    aeron_subscription_t *ear = add_subscription(MODULE_CONTROL_CHANNEL, MODULE_FROM_SERVICE);
    bool sent = false;
    for (int i = 0; i < STEPS && heard.count == 0; i++) {
        if (!sent)
            sent = module_link.send(module_link.context, said, length);
        (void)pump(NULL);
        (void)aeron_subscription_poll(ear, hear_fragment, &heard, 10);
    }
    assert_int_equal(heard.length, length);
    assert_memory_equal(heard.bytes, said, length);
    /* The other way, in fragments, and one at a time. */
    aeron_exclusive_publication_t *mouth = add_log(MODULE_CONTROL_CHANNEL, MODULE_TO_SERVICE);
    (void)append(mouth, words, sizeof words);
    (void)append(mouth, words, 100);
    memset(&heard, 0, sizeof heard);
    for (int i = 0; i < STEPS && heard.count == 0; i++) {
        (void)pump(NULL);
        (void)module_link.poll_control(module_link.context, hear, &heard);
    }
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.length, sizeof words);
    assert_memory_equal(heard.bytes, words, sizeof words);
    for (int i = 0; i < STEPS && heard.count == 1; i++)
        (void)module_link.poll_control(module_link.context, hear, &heard);
    assert_int_equal(heard.length, 100);
}

static void the_toggle_is_taken_when_neutral(void **state)
{
    (void)state;
    const int32_t cluster = CLUSTER;
    assert_false(module_link.toggle(module_link.context, MODULE_TOGGLE_SNAPSHOT));
    aeron_counter_t *toggle = add_counter(TOGGLE, &cluster, sizeof cluster);
    int64_t *value = aeron_counter_addr(toggle);
    assert_false(module_link.toggle(module_link.context,
                                    MODULE_TOGGLE_SNAPSHOT)); /* 0: inactive, no leader */
    *value = MODULE_TOGGLE_NEUTRAL;
    assert_true(module_link.toggle(module_link.context, MODULE_TOGGLE_SNAPSHOT));
    assert_int_equal(*value, MODULE_TOGGLE_SNAPSHOT);
    assert_false(module_link.toggle(module_link.context, MODULE_TOGGLE_SHUTDOWN));
    assert_int_equal(*value, MODULE_TOGGLE_SNAPSHOT);
}

/* ---- The log ---- */

typedef struct taken {
    uint64_t positions[64];
    size_t lengths[64];
    uint32_t count;
    uint32_t break_at; /* so many are taken, then the poll is to end */
} taken_t;

static bool take(void *context, const void *bytes, size_t length, uint64_t position)
{
    taken_t *taken = context;
    assert_true(taken->count < 64);
    assert_int_equal(*(const uint8_t *)bytes, 'a' + (int)taken->count);
    taken->positions[taken->count] = position;
    taken->lengths[taken->count++] = length;
    return taken->count != taken->break_at;
}

static void found_with(aeron_counter_t **commit)
{
    module_recovery_t recovery;
    *commit = add_commit(CLUSTER);
    (void)add_recovery(CLUSTER_NULL_VALUE, 0, -1);
    finds(true, &recovery);
}

static void join_log(int32_t session)
{
    assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_NONE);
    assert_int_equal(module_link.join(module_link.context, "aeron:ipc", LOG_STREAM, session),
                     OC_ERR_OK);
    assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_JOINING);
    for (int i = 0; i < STEPS && module_link.log_state(module_link.context) == MODULE_LOG_JOINING;
         i++)
        (void)pump(NULL);
    assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_JOINED);
}

static void poll_until(taken_t *taken, uint32_t count)
{
    for (int i = 0; i < STEPS && taken->count < count; i++) {
        (void)pump(NULL);
        assert_true(module_link.poll_log(module_link.context, take, taken, 10) >= 0);
    }
    assert_int_equal(taken->count, count);
    (void)module_link.poll_log(module_link.context, take, taken, 10);
    assert_int_equal(taken->count, count); /* and nothing more */
}

static void the_log_is_polled_up_to_what_is_committed(void **state)
{
    (void)state;
    taken_t taken = {.break_at = 4};
    aeron_counter_t *commit;
    int64_t ends[6];
    uint8_t bytes[LONG];
    found_with(&commit);
    aeron_exclusive_publication_t *log = add_log(LOG_CHANNEL, LOG_STREAM);
    assert_int_equal(module_link.poll_log(module_link.context, take, &taken, 10),
                     0); /* none is joined */
    join_log(LOG_SESSION);
    assert_int_equal(module_link.join_position(module_link.context), 0);
    for (uint8_t i = 0; i < 6; i++) {
        memset(bytes, 'a' + i, sizeof bytes);
        ends[i] = append(log, bytes, i == 2 ? sizeof bytes : 100);
    }
    poll_until(&taken, 0); /* nothing is committed yet */
    *aeron_counter_addr(commit) = ends[1];
    poll_until(&taken, 2);
    assert_int_equal(module_link.log_position(module_link.context), ends[1]);
    *aeron_counter_addr(commit) = ends[1] + 8192; /* one fragment of the third */
    poll_until(&taken, 2);
    *aeron_counter_addr(commit) = ends[5];
    for (int i = 0; i < STEPS && taken.count < 4; i++)
        (void)module_link.poll_log(module_link.context, take, &taken, 10);
    assert_int_equal(taken.count, 4); /* there the poll was to end */
    assert_int_equal(module_link.log_position(module_link.context), ends[3]);
    poll_until(&taken, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(taken.positions[i], ends[i]);
        assert_int_equal(taken.lengths[i], i == 2 ? LONG : 100);
    }
}

static void a_log_ends_when_all_was_polled(void **state)
{
    (void)state;
    taken_t taken = {0};
    aeron_counter_t *commit;
    found_with(&commit);
    aeron_exclusive_publication_t *log = add_log(LOG_CHANNEL, LOG_STREAM);
    join_log(LOG_SESSION);
    const int64_t end = append(log, "a", 2);
    assert_int_equal(aeron_exclusive_publication_close(log, NULL, NULL), 0);
    for (int i = 0; i < 100; i++)
        (void)pump(NULL);
    assert_int_equal(module_link.log_state(module_link.context),
                     MODULE_LOG_JOINED); /* it is not committed */
    *aeron_counter_addr(commit) = end;
    poll_until(&taken, 1);
    for (int i = 0; i < STEPS && module_link.log_state(module_link.context) != MODULE_LOG_ENDED;
         i++)
        (void)pump(NULL);
    assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_ENDED);
    assert_int_equal(module_link.log_position(module_link.context), end);
    module_link.leave(module_link.context);
    assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_NONE);
    assert_int_equal(module_link.log_position(module_link.context), end);
    /* Another one, with the rest of a message that the first had begun, perhaps; from its start. */
    taken = (taken_t){0};
    log = add_log("aeron:ipc?term-length=256k|session-id=7002", LOG_STREAM);
    join_log(LOG_SESSION + 1);
    *aeron_counter_addr(commit) = append(log, "a", 2);
    poll_until(&taken, 1);
}

static void a_join_can_be_given_up(void **state)
{
    (void)state;
    taken_t taken = {0};
    aeron_counter_t *commit;
    found_with(&commit);
    /* Before the driver has answered, and before there is an image. */
    assert_int_equal(module_link.join(module_link.context, "aeron:ipc", LOG_STREAM, LOG_SESSION),
                     OC_ERR_OK);
    module_link.leave(module_link.context);
    assert_int_equal(module_link.join(module_link.context, "aeron:ipc", LOG_STREAM, LOG_SESSION),
                     OC_ERR_OK);
    for (int i = 0; i < 200; i++) {
        (void)pump(NULL);
        assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_JOINING);
    }
    module_link.leave(module_link.context);
    aeron_exclusive_publication_t *log = add_log(LOG_CHANNEL, LOG_STREAM);
    join_log(LOG_SESSION);
    *aeron_counter_addr(commit) = append(log, "a", 2);
    poll_until(&taken, 1);
}

static void a_channel_that_is_none(void **state)
{
    (void)state;
    aeron_counter_t *commit;
    found_with(&commit);
    const oc_err_t err =
        module_link.join(module_link.context, "aeron:nothing?x=y", LOG_STREAM, LOG_SESSION);
    for (int i = 0; i < STEPS && module_link.log_state(module_link.context) == MODULE_LOG_JOINING;
         i++)
        (void)pump(NULL);
    assert_int_equal(module_link.log_state(module_link.context), MODULE_LOG_NONE);
    assert_true(err == OC_ERR_OK || err == OC_ERR_TRANSPORT);
}

/* ---- The archive ---- */

/* What the archive would record is heard by an ear of the test. */
typedef struct archive_fixture {
    fake_archive_t *archive;
    aeron_subscription_t *ear;
    aeron_counter_t *commit;
} archive_fixture_t;

static void archive_start(archive_fixture_t *f)
{
    f->archive = fake_archive_start(embedded_dir(driver), FAKE_ARCHIVE_ANSWERS);
    f->ear = add_subscription("aeron:ipc", MODULE_SNAPSHOT_STREAM);
    found_with(&f->commit);
    assert_int_equal(module_link.snapshot_begin(module_link.context), OC_ERR_OK);
}

static void a_snapshot_goes_to_the_archive(void **state)
{
    (void)state;
    static heard_t heard;
    archive_fixture_t f;
    int64_t recording = -1;
    memset(&heard, 0, sizeof heard);
    archive_start(&f);
    assert_int_equal(fake_archive_records(f.archive), 1);
    assert_int_equal(module_link.snapshot_put(module_link.context, "state", 6), OC_ERR_OK);
    for (int i = 0; i < STEPS && heard.count == 0; i++) {
        (void)pump(NULL);
        (void)aeron_subscription_poll(f.ear, hear_fragment, &heard, 10);
    }
    assert_string_equal((const char *)heard.bytes, "state");
    assert_int_equal(module_link.snapshot_end(module_link.context, &recording), OC_ERR_OK);
    assert_int_equal(recording, FAKE_ARCHIVE_RECORDING);
    /* And anew. */
    assert_int_equal(module_link.snapshot_begin(module_link.context), OC_ERR_OK);
    module_link.snapshot_abandon(module_link.context);
    module_link.snapshot_abandon(module_link.context);
    fake_archive_stop(f.archive, pump, NULL);
}

/* Bytes that nobody takes, until the publication has no room for more. */
static oc_err_t put_until_it_fails(void)
{
    static const uint8_t bytes[60000];
    oc_err_t err = OC_ERR_OK;
    for (int i = 0; i < 1000 && err == OC_ERR_OK; i++)
        err = module_link.snapshot_put(module_link.context, bytes, sizeof bytes);
    return err;
}

static void assert_told(const char *part)
{
    if (!strstr(oc_err_context(), part))
        fail_msg("'%s' is not in: %s", part, oc_err_context());
}

/* Nobody waits for an archive that is as good as gone: the core has other things to do. */
static void a_snapshot_ends_with_its_archive(void **state)
{
    (void)state;
    archive_fixture_t f;
    int64_t recording = -1;
    archive_start(&f);
    assert_int_equal(module_link.snapshot_put(module_link.context, "state", 6), OC_ERR_OK);
    fake_archive_stop(f.archive, pump, NULL);
    for (int i = 0; i < 1000; i++) /* until the driver has taken its counter away */
        (void)pump(NULL);
    assert_int_equal(put_until_it_fails(), OC_ERR_NOT_CONNECTED);
    assert_told("has ended recording 5");
    assert_int_equal(module_link.snapshot_end(module_link.context, &recording),
                     OC_ERR_NOT_CONNECTED);
    assert_told("has ended recording 5");
    assert_int_equal(recording, -1);
    module_link.snapshot_abandon(module_link.context);
}

static void a_snapshot_ends_with_its_module(void **state)
{
    (void)state;
    archive_fixture_t f;
    int64_t recording = -1;
    archive_start(&f);
    assert_int_equal(aeron_counter_close(f.commit, NULL, NULL), 0);
    for (int i = 0; i < STEPS && module_link.alive(module_link.context); i++)
        (void)pump(NULL);
    assert_int_equal(put_until_it_fails(), OC_ERR_NOT_CONNECTED);
    assert_told("the module went");
    assert_int_equal(module_link.snapshot_end(module_link.context, &recording),
                     OC_ERR_NOT_CONNECTED);
    assert_told("the module went");
    fake_archive_stop(f.archive, pump, NULL);
}

static int32_t heard_session(aeron_subscription_t *ear)
{
    aeron_image_constants_t constants;
    aeron_image_t *image = aeron_subscription_image_at_index(ear, 0);
    assert_non_null(image);
    assert_int_equal(aeron_image_constants(image, &constants), 0);
    (void)aeron_subscription_image_release(ear, image);
    return constants.session_id;
}

/* The made-up archive goes on to say that it records what was the snapshot's session. */
static void what_is_recorded_is_known(void **state)
{
    (void)state;
    archive_fixture_t f;
    char channel[100];
    int64_t recording = -1;
    uint64_t position = 0;
    archive_start(&f);
    for (int i = 0; i < STEPS && aeron_subscription_image_count(f.ear) == 0; i++)
        (void)pump(NULL);
    const int32_t session = heard_session(f.ear);
    module_link.snapshot_abandon(module_link.context);
    (void)snprintf(channel, sizeof channel, "aeron:ipc?term-length=64k|session-id=%d", session);
    (void)add_log(channel, LOG_STREAM);
    assert_false(module_link.recorded(module_link.context, &recording, &position));
    join_log(session);
    for (int i = 0; i < STEPS && !module_link.recorded(module_link.context, &recording, &position);
         i++)
        (void)pump(NULL);
    assert_true(module_link.recorded(module_link.context, &recording, &position));
    assert_int_equal(recording, FAKE_ARCHIVE_RECORDING);
    assert_int_equal(position, 4096);
    module_link.leave(module_link.context);
    assert_false(module_link.recorded(module_link.context, &recording, &position));
    /* Of a log that nobody records, nothing is. */
    (void)add_log(LOG_CHANNEL, LOG_STREAM);
    join_log(LOG_SESSION);
    for (int i = 0; i < 100; i++)
        (void)pump(NULL);
    assert_false(module_link.recorded(module_link.context, &recording, &position));
    fake_archive_stop(f.archive, pump, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_finds_its_module),
        TEST(a_module_at_the_beginning_has_no_snapshot),
        TEST(a_module_of_another_cluster_is_refused),
        TEST(both_hear_each_other),
        TEST(the_toggle_is_taken_when_neutral),
        TEST(the_log_is_polled_up_to_what_is_committed),
        TEST(a_log_ends_when_all_was_polled),
        TEST(a_join_can_be_given_up),
        TEST(a_channel_that_is_none),
        TEST(a_snapshot_goes_to_the_archive),
        TEST(a_snapshot_ends_with_its_archive),
        TEST(a_snapshot_ends_with_its_module),
        TEST(what_is_recorded_is_known),
    };
    return cmocka_run_group_tests_name("module_aeron", tests, NULL, NULL);
}
