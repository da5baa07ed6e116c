/*
 * Unit tests of --run: options as they were in effect, figures, and what a failed run leaves. Run
 * by ctest.
 */
#define _GNU_SOURCE
#include "cli/bench_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "lib/capture.h"
#include "lib/temp_file.h"
#include "report/run_read.h"

static const char *const sync_names[] = {"always", "none", NULL};

static const char *text_of(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "(none)";
}

static json_t *read_run(const temp_file_t *file)
{
    json_t *root;
    if (run_read(file->path, &root) != OC_ERR_OK)
        fail_msg("%s", oc_err_context());
    return root;
}

static void test_options_and_figures(void **state)
{
    (void)state;
    bool flag = false;
    const char *dir = NULL;
    uint64_t number = 7;
    uint64_t cpu = UINT64_MAX;
    int sync = 1;
    int by = -1; /* how a choice is left out */
    const char *own = "run.json";
    const option_t table[] = {
        option_flag("keep", &flag, true),
        option_text("dir", &dir),
        option_number("seconds", &number, 1, 9),
        option_number("cpu", &cpu, 0, 1023),
        option_choice("sync", &sync, sync_names),
        option_choice("by", &by, sync_names),
        option_text("run", &own),
        option_text("hlog", &own),
    };
    const options_t parser = {.table = table, .count = sizeof table / sizeof table[0]};
    temp_file_t file;
    temp_file_make(&file);
    run_file_t *run = bench_run_begin(file.path, "journal", RUN_LOOP_CLOSED, &parser);
    assert_non_null(run);
    const wire_facts_t facts = {3,
                                {{.name = "so_rcvbuf", .value = "4096"},
                                 {.name = "cpu", .value = "none"},
                                 {.name = "aeron_dir", .value = "/dev/shm/outcry-7-0"}}};
    bench_run_wire(run, &facts);
    const bench_figure_t figures[] = {{"mean", 1.5, "us", 0}, {"tail", 9, "us", 99}};
    const run_qualifiers_t with = {.rate = 100, .arrivals = "even"};
    bench_run_figures(run, "W1 ", figures, 2, &with);
    assert_int_equal(bench_run_end(run, file.path, 0), 0);
    json_t *root = read_run(&file);
    json_t *configuration = json_object_get(json_object_get(root, "conditions"), "configuration");
    assert_string_equal(text_of(configuration, "keep"), "not given");
    assert_string_equal(text_of(configuration, "dir"), "not given");
    assert_string_equal(text_of(configuration, "seconds"), "7");
    assert_string_equal(text_of(configuration, "cpu"), "none");
    assert_string_equal(text_of(configuration, "so-rcvbuf"), "4096");
    assert_null(json_object_get(configuration, "aeron-dir"));
    assert_string_equal(text_of(configuration, "sync"), "none");
    assert_string_equal(text_of(configuration, "by"), "not given");
    assert_null(json_object_get(configuration, "run"));
    assert_null(json_object_get(configuration, "hlog"));
    json_t *tail = json_array_get(json_object_get(root, "figures"), 1);
    assert_string_equal(text_of(tail, "name"), "W1 tail");
    assert_true(json_number_value(json_object_get(tail, "percentile")) == 99);
    assert_int_equal(json_array_size(json_object_get(root, "marks")), 0);
    json_decref(root);
    temp_file_remove(&file);
}

static void test_a_failed_run_is_marked(void **state)
{
    (void)state;
    const options_t parser = {.count = 0};
    temp_file_t file;
    temp_file_make(&file);
    run_file_t *run = bench_run_begin(file.path, "book", RUN_LOOP_CLOSED, &parser);
    assert_int_equal(bench_run_end(run, file.path, EXIT_STATUS_FAILED), EXIT_STATUS_FAILED);
    json_t *root = read_run(&file);
    assert_string_equal(text_of(json_array_get(json_object_get(root, "marks"), 0), "name"),
                        "failed");
    json_decref(root);
    temp_file_remove(&file);
}

static void test_none_is_asked_for(void **state)
{
    (void)state;
    const options_t parser = {.count = 0};
    run_file_t *run = bench_run_begin(NULL, "book", RUN_LOOP_CLOSED, &parser);
    assert_null(run);
    bench_run_figures(run, "", &(bench_figure_t){"a", 1, "s", 0}, 1, NULL);
    assert_int_equal(bench_run_end(run, NULL, 0), 0);
    assert_int_equal(bench_run_end(run, NULL, EXIT_STATUS_FAILED), EXIT_STATUS_FAILED);
}

static void test_a_file_that_cannot_be_written(void **state)
{
    (void)state;
    const options_t parser = {.count = 0};
    const char *path = "/nonexistent/run.json";
    run_file_t *run = bench_run_begin(path, "book", RUN_LOOP_CLOSED, &parser);
    capture_t captured;
    output_capture_begin();
    const int status = bench_run_end(run, path, 0);
    output_capture_end(&captured);
    assert_int_equal(status, EXIT_STATUS_FAILED);
    capture_assert_err(&captured, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_and_figures),
        cmocka_unit_test(test_a_failed_run_is_marked),
        cmocka_unit_test(test_none_is_asked_for),
        cmocka_unit_test(test_a_file_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
