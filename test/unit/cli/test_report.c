/*
 * Unit tests of `outcry report`: its command line, its files, its errors of one line. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "bench/run_file.h"
#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/read_file.h"
#include "lib/run_maker.h"
#include "lib/temp_dir.h"

static temp_dir_t dir;
static char a[300];
static char b[300];
static char page[300];
static char json[300];
static capture_t captured;

static void write_run(const char *path, const char *bench)
{
    run_file_t *run = run_file_create(bench, RUN_LOOP_OPEN, "1.2.3");
    assert_non_null(run);
    run_maker_series(run, "a", 1000, 20000, 1);
    assert_int_equal(run_file_write(run, path), OC_ERR_OK);
    run_file_destroy(run);
}

static int setup(void **state)
{
    (void)state;
    temp_dir_make(&dir);
    (void)snprintf(a, sizeof a, "%s/a.json", dir.path);
    (void)snprintf(b, sizeof b, "%s/b.json", dir.path);
    (void)snprintf(page, sizeof page, "%s/page.html", dir.path);
    (void)snprintf(json, sizeof json, "%s/report.json", dir.path);
    write_run(a, "echo");
    write_run(b, "echo");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static bool file_has(const char *path, const char *part)
{
    char *text = read_file(path, NULL);
    const bool has = strstr(text, part) != NULL;
    free(text);
    return has;
}

static void test_page_and_json(void **state)
{
    (void)state;
    const char *words[] = {"report", a, "--output", page, "--json", json, NULL};
    assert_int_equal(capture_main(report_main, words, &captured), 0);
    capture_assert_out(&captured, "page: ");
    capture_assert_out(&captured, "json: ");
    assert_true(file_has(page, "1. echo"));
    assert_false(file_has(page, "Side by side"));
    assert_true(file_has(json, "\"outcry-report\""));
}

static void test_two_of_a_bench_are_compared(void **state)
{
    (void)state;
    const char *words[] = {"report", a, b, "--output", page, NULL};
    assert_int_equal(capture_main(report_main, words, &captured), 0);
    assert_true(file_has(page, "Side by side"));
    assert_true(file_has(page, "no band: needs repeats"));
}

static void test_two_benches_are_not(void **state)
{
    (void)state;
    write_run(b, "order");
    const char *words[] = {"report", a, b, "--output", page, NULL};
    assert_int_equal(capture_main(report_main, words, &captured), 0);
    assert_false(file_has(page, "Side by side"));
    const char *asked[] = {"report", "--compare", a, b, "--output", page, NULL};
    assert_int_equal(capture_main(report_main, asked, &captured), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "only two runs of one bench can be compared");
}

static void test_usage(void **state)
{
    (void)state;
    const char *none[] = {"report", NULL};
    const char *one[] = {"report", "--compare", a, NULL};
    const char *over[] = {"report", a, b, "--json", b, NULL};
    const char *same[] = {"report", a, "--json", page, "--output", page, NULL};
    assert_int_equal(capture_main(report_main, none, &captured), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "RUN is missing");
    assert_int_equal(capture_main(report_main, one, &captured), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "exactly two");
    assert_int_equal(capture_main(report_main, over, &captured), EXIT_STATUS_USAGE);
    capture_assert_err(&captured, "an output is one of the RUNs");
    assert_true(file_has(b, "outcry-run"));
    assert_int_equal(capture_main(report_main, same, &captured), EXIT_STATUS_USAGE);
    const char *help[] = {"report", "--help", NULL};
    assert_int_equal(capture_main(report_main, help, &captured), 0);
    capture_assert_out(&captured, "usage: outcry report");
}

/* One bad run of several: nothing is written. */
static void test_bad_run(void **state)
{
    (void)state;
    char missing[320];
    (void)snprintf(missing, sizeof missing, "%s.none", a);
    const char *words[] = {"report", a, missing, "--output", page, NULL};
    assert_int_equal(capture_main(report_main, words, &captured), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, "cannot open");
    assert_string_equal(captured.out, "");
    assert_int_equal(access(page, F_OK), -1);
}

static void test_no_place_for_the_page(void **state)
{
    (void)state;
    char nowhere[320];
    (void)snprintf(nowhere, sizeof nowhere, "%s/none/page.html", dir.path);
    const char *words[] = {"report", a, "--output", nowhere, NULL};
    assert_int_equal(capture_main(report_main, words, &captured), EXIT_STATUS_FAILED);
    capture_assert_err(&captured, nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page_and_json, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_of_a_bench_are_compared, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_benches_are_not, setup, teardown),
        cmocka_unit_test_setup_teardown(test_usage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_run, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_place_for_the_page, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
