/*
 * The record stream over a real Aeron IPC publication, into an importer on the other side: records
 * of every size that a frame, a datagram or a term gives reason for, over terms so small that the
 * stream crosses their ends again and again.
 *
 * One thread plays everything: while the publisher waits, driver, client and subscriber are
 * stepped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/embedded.h"
#include "aeron/record_publisher.h"
#include "lib/records_fixture.h"

#include <stdio.h>
#include <string.h>

enum { STREAM = 106, STEPS_MAX = 1000000, FRAGMENTS = 4 };

typedef struct link {
    embedded_t *embedded;
    aeron_subscription_t *subscription;
    aeron_exclusive_publication_t *exclusive;
    aeron_publication_t *shared;
    aeron_fragment_assembler_t *assembler;
    records_import_t *import;
    oc_err_t failed; /* of the importer: kept by the handler, raised by the test */
    size_t records;
    size_t longest;
} link_t;

static void on_record(void *context, const uint8_t *bytes, size_t length, aeron_header_t *header)
{
    link_t *link = context;
    (void)header;
    link->records++;
    link->longest = length > link->longest ? length : link->longest;
    if (link->failed == OC_ERR_OK && link->import)
        link->failed = records_import_take(link->import, bytes, length);
}

static bool step(void *context)
{
    link_t *link = context;
    (void)embedded_do_work(link->embedded);
    if (link->subscription)
        (void)aeron_subscription_poll(link->subscription, aeron_fragment_assembler_handler,
                                      link->assembler, FRAGMENTS);
    return true;
}

static void add_subscription(link_t *link, const char *channel)
{
    aeron_async_add_subscription_t *adding = NULL;
    assert_int_equal(aeron_async_add_subscription(&adding, embedded_aeron(link->embedded), channel,
                                                  STREAM, NULL, NULL, NULL, NULL),
                     0);
    for (int i = 0; i < STEPS_MAX && !link->subscription; i++) {
        (void)embedded_do_work(link->embedded);
        assert_true(aeron_async_add_subscription_poll(&link->subscription, adding) >= 0);
    }
    assert_non_null(link->subscription);
    assert_int_equal(aeron_fragment_assembler_create(&link->assembler, on_record, link), 0);
}

static void add_exclusive(link_t *link, const char *channel)
{
    aeron_async_add_exclusive_publication_t *adding = NULL;
    assert_int_equal(aeron_async_add_exclusive_publication(&adding, embedded_aeron(link->embedded),
                                                           channel, STREAM),
                     0);
    for (int i = 0; i < STEPS_MAX && !link->exclusive; i++) {
        (void)embedded_do_work(link->embedded);
        assert_true(aeron_async_add_exclusive_publication_poll(&link->exclusive, adding) >= 0);
    }
    assert_non_null(link->exclusive);
    for (int i = 0; i < STEPS_MAX && !aeron_exclusive_publication_is_connected(link->exclusive);
         i++)
        step(link);
    assert_true(aeron_exclusive_publication_is_connected(link->exclusive));
}

static void add_shared(link_t *link, const char *channel)
{
    aeron_async_add_publication_t *adding = NULL;
    assert_int_equal(
        aeron_async_add_publication(&adding, embedded_aeron(link->embedded), channel, STREAM), 0);
    for (int i = 0; i < STEPS_MAX && !link->shared; i++) {
        (void)embedded_do_work(link->embedded);
        assert_true(aeron_async_add_publication_poll(&link->shared, adding) >= 0);
    }
    assert_non_null(link->shared);
    for (int i = 0; i < STEPS_MAX && !aeron_publication_is_connected(link->shared); i++)
        step(link);
    assert_true(aeron_publication_is_connected(link->shared));
}

static void open_link(link_t *link, const char *terms)
{
    embedded_config_t config;
    char channel[64];
    *link = (link_t){0};
    (void)snprintf(channel, sizeof channel, "aeron:ipc?term-length=%s", terms);
    embedded_config_init(&config);
    assert_int_equal(embedded_create(&link->embedded, &config), OC_ERR_OK);
    add_subscription(link, channel);
    add_exclusive(link, channel);
}

static void close_link(link_t *link)
{
    if (link->exclusive)
        (void)aeron_exclusive_publication_close(link->exclusive, NULL, NULL);
    if (link->shared)
        (void)aeron_publication_close(link->shared, NULL, NULL);
    if (link->subscription)
        (void)aeron_subscription_close(link->subscription, NULL, NULL);
    if (link->assembler)
        (void)aeron_fragment_assembler_delete(link->assembler);
    for (int i = 0; i < 20; i++)
        (void)embedded_do_work(link->embedded);
    embedded_destroy(link->embedded);
}

/* Exports an engine over the publication while the other end imports. */
static uint64_t stream_over(link_t *link, const record_publication_t *publication,
                            size_t record_bytes, uint32_t orders)
{
    oc_engine_t *from = records_fixture_book(OC_ENGINE_FAST, orders);
    oc_engine_t *into = records_fixture_empty(OC_ENGINE_FAST, orders);
    const records_export_config_t config = {.record_bytes = record_bytes, .threads = 2};
    records_world_t world;
    records_received_t received;
    records_receiver_t receiver;
    records_export_t *export = NULL;
    record_publisher_t publisher;
    records_world_make(&world, from, 700);
    records_receive(&received, into, &receiver);
    assert_int_equal(records_import_create(&link->import, into, &receiver), OC_ERR_OK);
    assert_int_equal(records_export_create(&export, &config), OC_ERR_OK);
    record_publisher_init(&publisher, publication, step, link);
    assert_int_equal(records_export(export, &world.state, record_publisher_take, &publisher),
                     OC_ERR_OK);
    for (int i = 0; i < STEPS_MAX && link->records < publisher.records; i++)
        step(link);
    assert_int_equal(link->records, publisher.records);
    if (link->failed != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    assert_int_equal(records_import_end(link->import), OC_ERR_OK);
    assert_int_equal(oc_engine_state_hash(into), oc_engine_state_hash(from));
    assert_true(link->longest <= record_bytes);
    assert_true(link->longest + 64 > record_bytes);
    records_import_destroy(link->import);
    link->import = NULL;
    records_export_destroy(export);
    records_world_free(&received.world);
    records_world_free(&world);
    oc_engine_destroy(into);
    oc_engine_destroy(from);
    return publisher.retries;
}

static void sizes_and_terms(void **state)
{
    (void)state;
    static const struct {
        const char *terms;
        size_t record_bytes;
        uint32_t orders; /* several terms of them, but for the last */
    } cases[] = {
        {"64k", 512, 8000},  {"64k", 1376, 8000},    {"64k", 1408, 8000},
        {"64k", 8192, 8000}, {"512k", 65504, 60000}, {"128m", 16 << 20, 600000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        link_t link;
        open_link(&link, cases[i].terms);
        const record_publication_t publication = record_publication_exclusive(link.exclusive);
        const uint64_t retries =
            stream_over(&link, &publication, cases[i].record_bytes, cases[i].orders);
        /* The end of a term alone is an ADMIN_ACTION; a full window is BACK_PRESSURED. */
        if (strcmp(cases[i].terms, "128m") != 0)
            assert_true(retries > 5);
        close_link(&link);
    }
}

static void shared_publication(void **state)
{
    (void)state;
    link_t link;
    open_link(&link, "64k");
    (void)aeron_exclusive_publication_close(link.exclusive, NULL, NULL);
    link.exclusive = NULL;
    add_shared(&link, "aeron:ipc?term-length=64k");
    const record_publication_t publication = record_publication_shared(link.shared);
    assert_true(stream_over(&link, &publication, 1408, 4000) > 5);
    close_link(&link);
}

/* A publication that is full most of the time: takes every record in the end. */
typedef struct slow_publication {
    records_stream_t stream;
    uint32_t refused; /* of this record */
    uint64_t refusals;
    uint64_t steps;
} slow_publication_t;

static int64_t slow_offer(void *context, const void *bytes, size_t length)
{
    enum { REFUSALS = 3000 };
    slow_publication_t *self = context;
    if (self->refused < REFUSALS) {
        self->refusals++;
        return self->refused++ % 7 == 6 ? AERON_PUBLICATION_ADMIN_ACTION
                                        : AERON_PUBLICATION_BACK_PRESSURED;
    }
    self->refused = 0;
    assert_int_equal(records_stream_take(&self->stream, bytes, length), OC_ERR_OK);
    return (int64_t)self->stream.length;
}

static bool slow_step(void *context)
{
    slow_publication_t *self = context;
    self->steps++;
    return true;
}

static void thousands_of_refusals_between_records(void **state)
{
    (void)state;
    static const records_export_config_t config = {.record_bytes = 1376, .threads = 2};
    oc_engine_t *engine = records_fixture_book(OC_ENGINE_FAST, 1000);
    records_world_t world;
    records_stream_t quick = {0};
    records_export_t *export = NULL;
    record_publisher_t publisher;
    slow_publication_t slow = {0};
    const record_publication_t publication = {.offer = slow_offer, .context = &slow};
    records_world_make(&world, engine, 100);
    records_fixture_export(&world, &config, &quick);
    assert_int_equal(records_export_create(&export, &config), OC_ERR_OK);
    record_publisher_init(&publisher, &publication, slow_step, &slow);
    assert_int_equal(records_export(export, &world.state, record_publisher_take, &publisher),
                     OC_ERR_OK);
    records_stream_assert_equal(&quick, &slow.stream);
    assert_int_equal(slow.refusals, 3000 * quick.count);
    assert_int_equal(slow.steps, slow.refusals);
    assert_int_equal(publisher.retries, slow.refusals);
    records_export_destroy(export);
    records_stream_free(&slow.stream);
    records_stream_free(&quick);
    records_world_free(&world);
    oc_engine_destroy(engine);
}

/* A record that can never be taken must not be retried for ever. */
static void too_long_for_the_terms(void **state)
{
    (void)state;
    static uint64_t record[RECORDS_SIZE_DEFAULT / 8];
    link_t link;
    record_publisher_t publisher;
    open_link(&link, "64k");
    const record_publication_t publication = record_publication_exclusive(link.exclusive);
    record_publisher_init(&publisher, &publication, step, &link);
    assert_int_equal(record_publisher_take(&publisher, record, 8192), OC_ERR_OK);
    assert_int_equal(record_publisher_take(&publisher, record, sizeof record), OC_ERR_TRANSPORT);
    assert_non_null(strstr(oc_err_context(), "record 1"));
    close_link(&link);
}

static void reader_gone(void **state)
{
    (void)state;
    static const uint64_t record[64];
    link_t link;
    record_publisher_t publisher;
    open_link(&link, "64k");
    const record_publication_t publication = record_publication_exclusive(link.exclusive);
    record_publisher_init(&publisher, &publication, record_publisher_step_embedded, link.embedded);
    assert_int_equal(record_publisher_take(&publisher, record, sizeof record), OC_ERR_OK);
    (void)aeron_subscription_close(link.subscription, NULL, NULL);
    link.subscription = NULL;
    oc_err_t err = OC_ERR_OK;
    for (int i = 0; i < STEPS_MAX && err == OC_ERR_OK; i++)
        err = record_publisher_take(&publisher, record, sizeof record);
    assert_int_equal(err, OC_ERR_NOT_CONNECTED);
    assert_non_null(strstr(oc_err_context(), "nobody listens"));
    close_link(&link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_terms),
        cmocka_unit_test(shared_publication),
        cmocka_unit_test(thousands_of_refusals_between_records),
        cmocka_unit_test(too_long_for_the_terms),
        cmocka_unit_test(reader_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
