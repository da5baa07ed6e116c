/*
 * The check of a state that was put in: it finds each thing that is wrong, and runs into none of
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/exchange_fixture.h"
#include "lib/reference_fixture.h"
#include "service/exchange_internal.h"

#include <string.h>

static exchange_fixture_t f;
static exchange_t *e;

/* Sources 1 to 5, three sessions, of which two speak; freed records of both kinds; outputs beyond
 * what a ring holds. */
static int setup(void **state)
{
    (void)state;
    exchange_config_t config = exchange_fixture_config();
    config.engine.verify_touch = false; /* what is planted is not announced */
    exchange_fixture_market(&f, &config);
    e = f.exchange;
    const oc_session_id_t two = exchange_fixture_trader(&f, 2);
    exchange_fixture_session(&f, "p3");
    service_host_close(f.host, exchange_fixture_session(&f, "p4"), OC_CLOSE_CLIENT);
    for (uint32_t source = 4; source <= 5; source++) {
        oc_command_t retire = fixture_add_source(source);
        retire.type = OC_COMMAND_SOURCE_RETIRE;
        exchange_fixture_do(&f, f.admin, retire);
    }
    for (uint64_t i = 0; i < EXCHANGE_FIXTURE_KEPT + 9; i++)
        exchange_fixture_do(&f, two, fixture_cancel(0, i));
    exchange_fixture_audit(e);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    service_host_destroy(f.host);
    exchange_destroy(e);
    return 0;
}

static seat_record_t *seat_of(uint32_t source)
{
    return &e->seats[seat_find(e, (oc_source_id_t){source})];
}

/* Changes a word, expects the check to say so, and puts it back. */
static void plant(uint32_t *word, uint32_t value, const char *expected)
{
    const uint32_t before = *word;
    char why[256];
    assert_int_not_equal(before, value);
    *word = value;
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    if (strstr(oc_err_context(), expected) == NULL)
        fail_msg("expected \"%s\", was: %s", expected, oc_err_context());
    assert_false(exchange_audit(e, why, sizeof why));
    assert_non_null(strstr(why, expected));
    *word = before;
    assert_int_equal(exchange_check(e), OC_ERR_OK);
}

static void plant_wide(uint64_t *word, uint64_t value, const char *expected)
{
    const uint64_t before = *word;
    *word = value;
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    if (strstr(oc_err_context(), expected) == NULL)
        fail_msg("expected \"%s\", was: %s", expected, oc_err_context());
    *word = before;
    assert_int_equal(exchange_check(e), OC_ERR_OK);
}

static void test_the_header(void **state)
{
    (void)state;
    plant(&e->header->session_top, 9, "more sessions");
    plant(&e->header->session_top, UINT32_MAX, "more sessions");
    plant(&e->header->seat_top, 17, "more seats");
    plant_wide(&e->header->item_sum, e->header->item_sum + 1, "hash items");
    plant_wide((uint64_t *)&e->header->time_ns, INT64_MAX, "time");
}

static void test_free_lists(void **state)
{
    (void)state;
    exchange_header_t *h = e->header;
    assert_true(h->session_free != 0);
    plant(&h->session_free, 0, "in no list");
    plant(&h->session_free, h->session_top + 1, "free sessions");
    plant(&h->session_free, 1, "free sessions"); /* a live one */
    plant(&e->sessions[h->session_free].free_link, h->session_free, "free sessions");
    const uint32_t seat = h->seat_free;
    assert_true(e->seats[seat].free_link != 0);
    plant(&h->seat_free, 0, "in no list");
    plant(&h->seat_free, UINT32_MAX, "free seats");
    plant(&e->seats[seat].free_link, seat, "free seats");
    plant(&e->seats[seat].free_link, 1, "free seats");
    plant(&e->seats[seat].live, 2, "neither");
    plant(&e->sessions[h->session_free].live, 7, "neither");
}

static void test_links(void **state)
{
    (void)state;
    const uint32_t two = seat_of(2)->session;
    assert_true(two != 0);
    plant(&e->sessions[two].seat, 0, "a seat whose session");
    plant(&e->sessions[two].seat, 1, "a session whose seat");
    plant(&e->sessions[two].seat, UINT32_MAX, "no seat");
    plant(&seat_of(2)->session, 0, "a session whose seat");
    plant(&seat_of(2)->live, 0, "a session whose seat"); /* it speaks for nobody */
    plant(&seat_of(3)->session, two, "a seat whose session");
    plant(&seat_of(3)->session, UINT32_MAX, "no session");
    plant(&seat_of(3)->session, e->header->session_free, "a seat whose session");
}

static void test_names(void **state)
{
    (void)state;
    seat_record_t *seat = seat_of(3);
    const oc_principal_t before = seat->principal;
    memset(&seat->principal, 'x', sizeof seat->principal);
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "principal"));
    seat->principal = before;
    plant(&seat->source, 0, "without source");
    plant(&seat->source, 99, "not found by its source");
    session_record_t *session = &e->sessions[seat_of(2)->session];
    plant_wide(&session->id, 0, "without id");
    plant_wide(&session->id, 12345, "not found by its id");
    memset(&session->principal, 'x', sizeof session->principal);
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
}

/* A map without a free slot would be searched for ever. */
static void test_the_id_map(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= e->ids.mask; i++) {
        if (e->ids.slots[i].value)
            plant(&e->ids.slots[i].value, 0, "id map");
        if (e->ids.slots[i].value)
            plant(&e->ids.slots[i].value, e->ids.slots[i].value + 1, "not found");
    }
    for (uint32_t i = 0; i <= e->ids.mask; i++) {
        if (!e->ids.slots[i].value)
            e->ids.slots[i] = (id_map_slot_t){UINT64_MAX, 3, 1};
    }
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "id map"));
}

static void test_rings(void **state)
{
    (void)state;
    seat_record_t *seat = seat_of(2);
    const uint32_t index = seat_find(e, (oc_source_id_t){2});
    assert_int_equal(outbox_first_kept(e, seat), 10);
    plant_wide(&seat->kept_from, 0, "beyond the last");
    plant_wide(&seat->kept_from, seat->outbound_sequence + 2, "beyond the last");
    for (uint64_t n = 10; n <= seat->outbound_sequence; n += 7) {
        oc_output_t *kept =
            &e->kept[index * EXCHANGE_FIXTURE_KEPT + n % EXCHANGE_FIXTURE_KEPT].output;
        assert_int_equal(kept->outbound_sequence, n);
        plant_wide(&kept->outbound_sequence, n + 64, "another one's");
        plant(&kept->event.source.value, 3, "another one's");
    }
    /* What nobody would be sent does not matter. */
    seat->kept_from = seat->outbound_sequence + 1;
    memset(&e->kept[index * EXCHANGE_FIXTURE_KEPT], 0, EXCHANGE_FIXTURE_KEPT * sizeof *e->kept);
    assert_int_equal(exchange_check(e), OC_ERR_OK);
}

/* What only the engine knows of, and what only the exchange does. */
static void test_the_engine(void **state)
{
    (void)state;
    seat_add(e, (oc_source_id_t){77});
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "number of sources"));
    seat_remove(e, seat_find(e, (oc_source_id_t){3}));
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "does not know"));
    seat_remove(e, seat_find(e, (oc_source_id_t){77}));
    seat_add(e, (oc_source_id_t){3});
    assert_int_equal(exchange_check(e), OC_ERR_OK);
    const uint32_t two = seat_of(2)->session;
    const uint32_t seat = seat_find(e, (oc_source_id_t){2});
    seat_leave(e, seat);
    assert_int_equal(exchange_check(e), OC_ERR_DAMAGED);
    assert_non_null(strstr(oc_err_context(), "another session"));
    seat_take(e, seat, two);
    assert_int_equal(exchange_check(e), OC_ERR_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_header), TEST(test_free_lists), TEST(test_links),      TEST(test_names),
        TEST(test_the_id_map), TEST(test_rings),      TEST(test_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
