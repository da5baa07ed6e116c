/*
 * Unit tests of progress: which style prints what, on a stderr that is a file. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/progress.h"
#include "lib/capture.h"

#include <string.h>

/* Goes from 0 to 1 in `steps`. */
static void walk(progress_style_t style, unsigned steps, capture_t *captured)
{
    progress_t progress;
    output_capture_begin();
    progress_begin(&progress, style, "walk");
    for (unsigned i = 0; i <= steps; i++)
        progress_update(&progress, (double)i / steps);
    progress_end(&progress);
    output_capture_end(captured);
}

static void test_none(void **state)
{
    (void)state;
    static capture_t captured;
    walk(PROGRESS_NONE, 100, &captured);
    assert_string_equal(captured.err, "");
    assert_string_equal(captured.out, "");
}

static void test_lines(void **state)
{
    (void)state;
    static capture_t captured;
    const char *const ten = "walk 10 %\nwalk 20 %\nwalk 30 %\nwalk 40 %\nwalk 50 %\nwalk 60 %\n"
                            "walk 70 %\nwalk 80 %\nwalk 90 %\nwalk 100 %\n";
    walk(PROGRESS_LINES, 1000, &captured);
    assert_string_equal(captured.err, ten);
    walk(PROGRESS_LINES, 1, &captured); /* leaps over none of them */
    assert_string_equal(captured.err, ten);
    assert_string_equal(captured.out, "");
}

static void test_bar(void **state)
{
    (void)state;
    static capture_t captured;
    walk(PROGRESS_BAR, 10, &captured);
    const char *const first = "\rwalk [........................................]   0 %";
    assert_memory_equal(captured.err, first, strlen(first));
    /* Ends with the line blank and the cursor at its beginning. */
    const size_t size = strlen(captured.err);
    assert_int_equal(captured.err[size - 1], '\r');
    assert_int_equal(captured.err[size - 2], ' ');
    assert_null(strchr(captured.err, '\n'));
    assert_string_equal(captured.out, "");
}

static void test_out_of_range(void **state)
{
    (void)state;
    static capture_t captured;
    progress_t progress;
    output_capture_begin();
    progress_begin(&progress, PROGRESS_BAR, "odd");
    progress_update(&progress, 7.5);
    progress_end(&progress);
    progress_begin(&progress, PROGRESS_LINES, "odd");
    progress_update(&progress, -3.0);
    progress_end(&progress);
    output_capture_end(&captured);
    assert_non_null(strstr(captured.err, "[########################################] 100 %"));
    assert_null(strstr(captured.err, "odd 10 %"));
}

static void test_file_is_no_terminal(void **state)
{
    (void)state;
    static capture_t captured;
    output_capture_begin();
    const bool terminal = progress_on_terminal();
    output_capture_end(&captured);
    assert_false(terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_bar),
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_file_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
