/*
 * The sink of records over a fake publication: it retries what may be retried, for as long as it
 * takes and with the client kept alive, or until it is told to stop; nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aeron/record_publisher.h"

#include <string.h>

/* Answers `refusals` offers of each record with `answers` in turn, then takes it. */
typedef struct fake {
    const int64_t *answers;
    size_t answer_count;
    uint64_t refusals;
    uint64_t refused; /* of this record */
    uint64_t offers;
    uint64_t taken;
    uint64_t next; /* the record that must come */
    uint64_t steps;
    uint64_t offers_at_step;
    uint64_t steps_max; /* with this one it is told to stop; 0: never */
} fake_t;

static int64_t fake_offer(void *context, const void *bytes, size_t length)
{
    fake_t *fake = context;
    uint64_t record;
    assert_int_equal(length, sizeof record);
    memcpy(&record, bytes, sizeof record);
    assert_int_equal(record, fake->next);
    fake->offers++;
    if (fake->refused < fake->refusals)
        return fake->answers[fake->refused++ % fake->answer_count];
    fake->refused = 0;
    fake->taken++;
    fake->next++;
    return (int64_t)fake->taken * 64;
}

static bool fake_step(void *context)
{
    fake_t *fake = context;
    fake->steps++;
    fake->offers_at_step = fake->offers;
    return fake->steps != fake->steps_max;
}

static void start(record_publisher_t *publisher, fake_t *fake)
{
    const record_publication_t publication = {.offer = fake_offer, .context = fake};
    record_publisher_init(publisher, &publication, fake_step, fake);
}

static void retries_for_ever(void **state)
{
    (void)state;
    static const int64_t answers[] = {AERON_PUBLICATION_BACK_PRESSURED,
                                      AERON_PUBLICATION_ADMIN_ACTION,
                                      AERON_PUBLICATION_BACK_PRESSURED};
    fake_t fake = {.answers = answers, .answer_count = 3, .refusals = 5000};
    record_publisher_t publisher;
    start(&publisher, &fake);
    for (uint64_t record = 0; record < 20; record++) {
        assert_int_equal(record_publisher_take(&publisher, &record, sizeof record), OC_ERR_OK);
        assert_int_equal(fake.taken, record + 1);
    }
    assert_int_equal(publisher.records, 20);
    assert_int_equal(publisher.retries, 20 * 5000);
    /* Alive between any two offers. */
    assert_int_equal(fake.steps, 20 * 5000);
}

static void steps_every_256_records(void **state)
{
    (void)state;
    fake_t fake = {0};
    record_publisher_t publisher;
    start(&publisher, &fake);
    for (uint64_t record = 0; record < 1024; record++) {
        assert_int_equal(record_publisher_take(&publisher, &record, sizeof record), OC_ERR_OK);
        assert_int_equal(fake.steps, (record + 1) / 256);
    }
    assert_int_equal(fake.offers_at_step, 1024);
    assert_int_equal(publisher.retries, 0);
    publisher.keep_alive = NULL;
    for (uint64_t record = 1024; record < 2048; record++)
        assert_int_equal(record_publisher_take(&publisher, &record, sizeof record), OC_ERR_OK);
}

static void it_stops_waiting_when_told(void **state)
{
    (void)state;
    static const int64_t answers[] = {AERON_PUBLICATION_BACK_PRESSURED};
    fake_t fake = {.answers = answers, .answer_count = 1, .refusals = 3, .steps_max = 5};
    record_publisher_t publisher;
    start(&publisher, &fake);
    uint64_t record = 0;
    assert_int_equal(record_publisher_take(&publisher, &record, sizeof record), OC_ERR_OK);
    record = 1;
    assert_int_equal(record_publisher_take(&publisher, &record, sizeof record), OC_ERR_TIMEOUT);
    assert_non_null(strstr(oc_err_context(), "behind 1 records"));
    assert_int_equal(fake.offers, 4 + 2);
    assert_int_equal(fake.taken, 1);
}

static void it_stops_between_records_when_told(void **state)
{
    (void)state;
    fake_t fake = {.steps_max = 2};
    record_publisher_t publisher;
    oc_err_t err = OC_ERR_OK;
    uint64_t record = 0;
    start(&publisher, &fake);
    for (; err == OC_ERR_OK && record < 1024; record++)
        err = record_publisher_take(&publisher, &record, sizeof record);
    assert_int_equal(err, OC_ERR_TIMEOUT);
    assert_int_equal(record, 512);
}

static void everything_else_is_an_error(void **state)
{
    (void)state;
    static const struct {
        int64_t answer;
        oc_err_t err;
        const char *text;
    } cases[] = {
        {AERON_PUBLICATION_NOT_CONNECTED, OC_ERR_NOT_CONNECTED, "nobody listens"},
        {AERON_PUBLICATION_CLOSED, OC_ERR_CLOSED, "closed"},
        {AERON_PUBLICATION_MAX_POSITION_EXCEEDED, OC_ERR_TOO_LONG, "last position"},
        {AERON_PUBLICATION_ERROR, OC_ERR_TRANSPORT, "-6"},
        {-77, OC_ERR_TRANSPORT, "-77"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t answers[] = {AERON_PUBLICATION_BACK_PRESSURED, cases[i].answer};
        fake_t fake = {.answers = answers, .answer_count = 2, .refusals = 2};
        record_publisher_t publisher;
        start(&publisher, &fake);
        const uint64_t record = 0;
        assert_int_equal(record_publisher_take(&publisher, &record, sizeof record), cases[i].err);
        assert_non_null(strstr(oc_err_context(), cases[i].text));
        assert_non_null(strstr(oc_err_context(), "record 0"));
        assert_int_equal(fake.offers, 2);
        assert_int_equal(fake.taken, 0);
        assert_int_equal(publisher.records, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(retries_for_ever),
        cmocka_unit_test(steps_every_256_records),
        cmocka_unit_test(it_stops_waiting_when_told),
        cmocka_unit_test(it_stops_between_records_when_told),
        cmocka_unit_test(everything_else_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
