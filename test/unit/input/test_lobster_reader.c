/*
 * LOBSTER's CSV: every field, every garbled number, every cut, and the real file's counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "lib/data_path.h"
#include "lib/flow_run.h"

static flow_run_t run_text(const char *text)
{
    return flow_run_memory(text, strlen(text), FLOW_FORMAT_LOBSTER);
}

static const char small[] = "34200.004241176,1,16113575,18,5853300,1\n"
                            "34200.5,2,16113575,8,5853300,1\n"
                            "34201,3,16113575,10,5853300,-1\n"
                            "34202.000000001,4,7,3,5853400,-1\n"
                            "34203,5,0,100,5853500,1\n"
                            "34204,6,0,100,5853500,1\n"
                            "34205,7,0,0,-1,-1\n";

static void check_small(const flow_run_t *run)
{
    const flow_kind_t kinds[] = {FLOW_NEW,  FLOW_REDUCE, FLOW_CANCEL, FLOW_EXECUTE,
                                 FLOW_SKIP, FLOW_SKIP,   FLOW_SKIP};
    const int64_t times[] = {34200004241176, 34200500000000, 34201000000000, 34202000000001,
                             34203000000000, 34204000000000, 34205000000000};
    assert_int_equal(run->status, FLOW_END);
    assert_int_equal(run->format, FLOW_FORMAT_LOBSTER);
    assert_int_equal(run->records, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(run->kept[i].kind, kinds[i]);
        assert_int_equal(run->kept[i].time_ns, times[i]);
        assert_int_equal(run->kept[i].sequence, i);
        assert_true(run->kept[i].last_in_event);
    }
    assert_int_equal(run->kept[0].order_id, 16113575);
    assert_int_equal(run->kept[0].quantity, 18);
    assert_int_equal(run->kept[0].price_raw, 5853300);
    assert_int_equal(run->kept[0].side, OC_SIDE_BUY);
    assert_int_equal(run->kept[0].time_in_force, OC_TIF_GTC);
    assert_int_equal(run->kept[1].quantity, 8);
    assert_int_equal(run->kept[2].side, OC_SIDE_SELL);
    assert_int_equal(run->kept[3].order_id, 7);
    assert_int_equal(run->kept[3].quantity, 3);
}

static void test_every_field(void **state)
{
    (void)state;
    const flow_run_t run = flow_run_memory(small, sizeof small - 1, FLOW_FORMAT_AUTO);
    check_small(&run);
}

static void test_other_line_ends(void **state)
{
    (void)state;
    char text[2 * sizeof small];
    size_t size = 0;
    for (const char *c = small; *c != '\0'; c++) {
        if (*c == '\n') {
            text[size++] = '\r';
        }
        text[size++] = *c;
    }
    flow_run_t run = flow_run_memory(text, size, FLOW_FORMAT_AUTO);
    check_small(&run);
    run = flow_run_memory(text, size - 1, FLOW_FORMAT_AUTO);
    check_small(&run);
    run = flow_run_memory(small, sizeof small - 2, FLOW_FORMAT_AUTO);
    check_small(&run);
}

static void test_largest_numbers(void **state)
{
    (void)state;
    const flow_run_t run = run_text(
        "9223372035.999999999,1,18446744073709551615,9223372036854775807,-9223372036854775807,1\n");
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.kept[0].time_ns, INT64_C(9223372035999999999));
    assert_int_equal(run.kept[0].order_id, UINT64_MAX);
    assert_int_equal(run.kept[0].quantity, INT64_MAX);
    assert_int_equal(run.kept[0].price_raw, -INT64_MAX);
}

/* Files that went through floating point have decimals past the nanosecond. */
static void test_times_are_rounded(void **state)
{
    (void)state;
    const flow_run_t run = run_text("35821.088778456004,1,2,3,4,1\n"
                                    "35821.0887784559996,1,2,3,4,1\n"
                                    "1.9999999995,1,2,3,4,1\n"
                                    "1.999999999499999,1,2,3,4,1\n"
                                    "1.000000000000001,1,2,3,4,1\n");
    const int64_t times[] = {35821088778456, 35821088778456, 2000000000, 1999999999, 1000000000};
    assert_int_equal(run.records, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(run.kept[i].time_ns, times[i]);
    }
}

static void test_garbled_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *said;
    } cases[] = {
        {"x,1,2,3,4,1", "offset 12: field 1, time"},
        {",1,2,3,4,1", "offset 12: field 1, time"},
        {"-1,1,2,3,4,1", "field 1, time"},
        {"+1,1,2,3,4,1", "field 1, time"},
        {"1.,1,2,3,4,1", "field 1, time"},
        {".5,1,2,3,4,1", "field 1, time"},
        {"1.5.5,1,2,3,4,1", "field 1, time"},
        {"1.0000000000000001,1,2,3,4,1", "field 1, time"},
        {"3.42e4,1,2,3,4,1", "field 1, time"},
        {"9223372036,1,2,3,4,1", "field 1, time"},
        {"99999999999999999999,1,2,3,4,1", "field 1, time"},
        {"1,0,2,3,4,1", "offset 14: field 2, type: 1 to 7, expected; found '0'"},
        {"1,8,2,3,4,1", "field 2, type"},
        {"1,-1,2,3,4,1", "field 2, type"},
        {"1,1 ,2,3,4,1", "field 2, type"},
        {"1,1,18446744073709551616,3,4,1", "offset 16: field 3, order id"},
        {"1,1,-2,3,4,1", "field 3, order id"},
        {"1,1,,3,4,1", "field 3, order id: 0 to 2^64-1, expected; found ''"},
        {"1,1,2,9223372036854775808,4,1", "field 4, size"},
        {"1,1,2,-3,4,1", "field 4, size"},
        {"1,1,2,3.5,4,1", "field 4, size"},
        {"1,1,2,3,9223372036854775808,1", "field 5, price"},
        {"1,1,2,3,--4,1", "field 5, price"},
        {"1,1,2,3,-,1", "field 5, price"},
        {"1,1,2,3,0x10,1", "field 5, price"},
        {"1,1,2,3,4,0", "field 6, direction"},
        {"1,1,2,3,4,2", "field 6, direction"},
        {"1,1,2,3,4,-", "field 6, direction"},
        {"1,1,2,3,4,1\x01\x80", "found '1?"
                                "?'"},
        {"1,1,2,3,4,11111111111111111111111111111111111111111", "1'..."},
        {"1,1,2,3,4", "6 values separated by commas expected, found 5"},
        {"1,1,2,3,4,1,", "6 values separated by commas expected, found at least 7"},
        {"1,1,2,3,4,1,2,3,4,5", "found at least 7"},
        {"", "found 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        /* A good first line, so that line and offset are seen to count. */
        snprintf(text, sizeof text, "1,1,2,3,4,1\n%s\n1,1,2,3,4,1\n", cases[i].line);
        const flow_run_t run = run_text(text);
        assert_int_equal(run.status, FLOW_FAILED);
        assert_int_equal(run.records, 1);
        assert_non_null(strstr(run.context, "memory: line 2, offset "));
        assert_non_null(strstr(run.context, cases[i].said));
    }
}

static void test_endless_line(void **state)
{
    (void)state;
    char text[1000];
    memset(text, '1', sizeof text);
    flow_run_t run = flow_run_memory(text, sizeof text, FLOW_FORMAT_LOBSTER);
    assert_int_equal(run.status, FLOW_FAILED);
    assert_non_null(strstr(run.context, "line 1, offset 0: a line of 6 values expected"));
    text[500] = '\n';
    run = flow_run_memory(text, sizeof text, FLOW_FORMAT_LOBSTER);
    assert_int_equal(run.status, FLOW_FAILED);
}

static void test_not_recognised(void **state)
{
    (void)state;
    const char *const others[] = {"Time,Type,Id,Size,Price,Direction\n", "1,2,3,4,5\n",
                                  "1,2,3,4,5,6,7\n", "1;2;3;4;5;6\n"};
    for (size_t i = 0; i < 4; i++) {
        const flow_run_t run = flow_run_memory(others[i], strlen(others[i]), FLOW_FORMAT_AUTO);
        assert_int_equal(run.open_err, OC_ERR_FORMAT);
        assert_non_null(strstr(run.context, "the format is not recognised; known are: tape"));
    }
}

static void test_empty(void **state)
{
    (void)state;
    const flow_run_t run = run_text("");
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 0);
}

/* A file may end behind a complete last value, with its line end or a part of it. */
static bool line_is_whole(size_t size)
{
    return size == 0 || small[size - 1] == '\n' || small[size] == '\n';
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    flow_run_prefixes(small, sizeof small - 1, FLOW_FORMAT_LOBSTER, line_is_whole);
}

static void test_turned_bits(void **state)
{
    (void)state;
    assert_true(flow_run_flips(small, sizeof small - 1, FLOW_FORMAT_LOBSTER) < sizeof small * 8);
    flow_run_flips(small, sizeof small - 1, FLOW_FORMAT_AUTO);
}

static void test_real_file(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv")) {
        skip();
    }
    const flow_run_t run = flow_run_file(path, FLOW_FORMAT_AUTO);
    assert_int_equal(run.status, FLOW_END);
    assert_int_equal(run.records, 91997);
    assert_int_equal(run.kinds[FLOW_NEW], 44256);
    assert_int_equal(run.kinds[FLOW_REDUCE], 469);
    assert_int_equal(run.kinds[FLOW_CANCEL], 41004);
    assert_int_equal(run.kinds[FLOW_EXECUTE], 4067);
    assert_int_equal(run.kinds[FLOW_SKIP], 2201);
    assert_int_equal(run.kept[0].time_ns, 34200004241176);
}

static void test_zip_is_refused(void **state)
{
    (void)state;
    char path[512];
    if (!data_path(path, sizeof path, "lobster/LOBSTER_SampleFile_AAPL_2012-06-21_1.zip")) {
        skip();
    }
    assert_int_equal(flow_run_file(path, FLOW_FORMAT_AUTO).open_err, OC_ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),     cmocka_unit_test(test_other_line_ends),
        cmocka_unit_test(test_largest_numbers), cmocka_unit_test(test_times_are_rounded),
        cmocka_unit_test(test_garbled_numbers), cmocka_unit_test(test_endless_line),
        cmocka_unit_test(test_not_recognised),  cmocka_unit_test(test_empty),
        cmocka_unit_test(test_cut_anywhere),    cmocka_unit_test(test_turned_bits),
        cmocka_unit_test(test_real_file),       cmocka_unit_test(test_zip_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
