/*
 * Unit tests of a sweep: lists as text, and every combination once. Run by ctest.
 */
#include "bench/burst_matrix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_lists(void **state)
{
    (void)state;
    burst_list_t list;
    assert_int_equal(burst_list_parse(&list, "sizes", "88,170,1400", 32, 1400), OC_ERR_OK);
    assert_int_equal(list.count, 3);
    assert_true(list.values[0] == 88 && list.values[2] == 1400);
    assert_int_equal(burst_list_parse(&list, "sizes", "18446744073709551615", 0, UINT64_MAX),
                     OC_ERR_OK);
    assert_true(list.count == 1 && list.values[0] == UINT64_MAX);
    assert_int_equal(
        burst_list_parse(&list, "sizes", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", 1, 16),
        OC_ERR_OK);
    assert_int_equal(list.count, BURST_LIST_MAX);

    static const char *const wrong[] = {"",
                                        ",",
                                        "88,",
                                        ",88",
                                        "88,,170",
                                        "88;170",
                                        "-1",
                                        "+8",
                                        " 8",
                                        "31",
                                        "1401",
                                        "8x",
                                        "18446744073709551616"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(burst_list_parse(&list, "sizes", wrong[i], 32, 1400),
                         OC_ERR_INVALID_ARGUMENT);
        assert_non_null(strstr(oc_err_context(), "--sizes: '"));
        assert_non_null(strstr(oc_err_context(), "from 32 to 1400"));
    }
    assert_int_equal(
        burst_list_parse(&list, "sizes", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", 1, 17),
        OC_ERR_INVALID_ARGUMENT);
}

static void test_rows(void **state)
{
    (void)state;
    burst_matrix_t matrix;
    uint64_t values[BURST_AXES];
    for (int axis = 0; axis < BURST_AXES; axis++)
        matrix.axes[axis] = (burst_list_t){1, {(uint64_t)axis}};
    matrix.axes[BURST_AXIS_SENDERS] = (burst_list_t){2, {1, 8}};
    matrix.axes[BURST_AXIS_SIZE] = (burst_list_t){3, {88, 170, 1400}};
    assert_int_equal(burst_matrix_rows(&matrix), 6);
    for (size_t row = 0; row < 6; row++) {
        burst_matrix_row(&matrix, row, values);
        assert_int_equal(values[BURST_AXIS_SENDERS], row < 3 ? 1 : 8);
        assert_int_equal(values[BURST_AXIS_SIZE], matrix.axes[BURST_AXIS_SIZE].values[row % 3]);
        assert_int_equal(values[BURST_AXIS_BURST_SIZE], BURST_AXIS_BURST_SIZE);
        assert_int_equal(values[BURST_AXIS_WINDOW], BURST_AXIS_WINDOW);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
