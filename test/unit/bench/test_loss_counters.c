/*
 * Unit tests of counters of loss: those of a real driver by their labels, a command's, differences,
 * and what is not known. Run by ctest.
 */
#include "bench/loss_counters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Aeron's own words for each of the driver's, in the order of loss_counter_t. */
static const char *const labels[] = {
    "NAKs sent",
    "NAKs received",
    "Retransmits sent",
    "Retransmit Pool Overflow",
    "Sender flow control limits",
    "over runs",
    "under runs",
    "Loss gap fills",
    "Short sends",
    "Invalid packets",
    "Errors",
};

static const int32_t numbers[] = {5, 6, 11, 37, 18, 13, 12, 23, 16, 14, 15};

/* That the numbers mean what their names say. */
static void test_labels(void **state)
{
    (void)state;
    embedded_config_t config;
    embedded_t *embedded;
    counter_table_t *table;
    loss_reading_t reading;
    embedded_config_init(&config);
    assert_int_equal(embedded_create(&embedded, &config), OC_ERR_OK);
    assert_int_equal(counter_table_of(&table, embedded), OC_ERR_OK);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        char label[200];
        counter_t counter;
        const counter_key_t key = {0, 0, sizeof(int32_t), numbers[i]};
        assert_true(counter_table_find(table, &key, &counter));
        counter_table_label(table, &counter, label, sizeof label);
        if (strstr(label, labels[i]) == NULL)
            fail_msg("%s: '%s' is not '%s'", loss_name((loss_counter_t)i), label, labels[i]);
    }
    const loss_source_t source = {.table = table};
    assert_int_equal(loss_read(&source, &reading), OC_ERR_OK);
    for (int i = 0; i <= LOSS_DRIVER_LAST; i++)
        assert_true(reading.known[i]);
    assert_false(reading.known[LOSS_QDISC_DROPS] || reading.known[LOSS_LINK_LOST]);
    counter_table_close(table);
    embedded_destroy(embedded);
}

static void test_command(void **state)
{
    (void)state;
    loss_reading_t reading;
    const loss_source_t source = {
        .qdisc_show = "echo a_to_b_dropped_packets: 8; echo a_to_b_lost_packets: 2"};
    const loss_source_t wrong = {.qdisc_show = "exit 4"};
    assert_int_equal(loss_read(&source, &reading), OC_ERR_OK);
    assert_true(reading.known[LOSS_QDISC_DROPS] && reading.values[LOSS_QDISC_DROPS] == 8);
    assert_true(reading.known[LOSS_LINK_LOST] && reading.values[LOSS_LINK_LOST] == 2);
    assert_false(reading.known[LOSS_NAKS_SENT]);
    const loss_source_t tc = {.qdisc_show = "echo '[{\"kind\":\"fq\",\"root\":true,\"drops\":3}]'"};
    assert_int_equal(loss_read(&tc, &reading), OC_ERR_OK);
    assert_true(reading.known[LOSS_QDISC_DROPS] && reading.values[LOSS_QDISC_DROPS] == 3);
    assert_false(reading.known[LOSS_LINK_LOST]); /* tc has no such number */
    assert_int_equal(loss_read(&wrong, &reading), OC_ERR_REFUSED);
}

static void test_difference(void **state)
{
    (void)state;
    loss_reading_t before = {.values = {10, 20, 30}, .known = {true, true, true}};
    loss_reading_t after = {.values = {15, 5, 90, 7}, .known = {true, true, false, true}};
    loss_reading_t difference;
    loss_difference(&before, &after, &difference);
    assert_true(difference.known[0] && difference.values[0] == 5);
    assert_true(difference.known[1] && difference.values[1] == 0); /* it began anew */
    assert_false(difference.known[2] || difference.known[3]);
    assert_int_equal(difference.values[2] + difference.values[3], 0);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < LOSS_COUNTERS; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(loss_name((loss_counter_t)i), loss_name((loss_counter_t)j));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
