/*
 * Inputs of the calculator: every kind of wrong command line has one line, exit status 2; a wrong
 * trace 1. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cli/calc_inputs.h"
#include "lib/capture.h"
#include "lib/temp_file.h"

#include <string.h>

enum { SIZE, WINDOW, RATE, SENDERS, MTU, ITEMS, WORDS_MAX = 16, WORD_SIZE = 300 };

static calc_input_t items[ITEMS];
static calc_inputs_t inputs;
static bool check;
static const char *limits_dir;
static capture_t captured;
static temp_file_t file;

/* Reads and leaves the inputs to be looked at; they point into the words. */
static int read_main(int argc, char **argv)
{
    static char words[WORDS_MAX][WORD_SIZE];
    static char *kept[WORDS_MAX + 1];
    assert_true(argc <= WORDS_MAX);
    for (int i = 0; i < argc; i++) {
        (void)snprintf(words[i], sizeof words[i], "%s", argv[i]);
        kept[i] = words[i];
    }
    kept[argc] = NULL;
    const calc_input_t fresh[ITEMS] = {
        [SIZE] = CALC_SIZE,
        [WINDOW] = CALC_MS("burst-ms", "burst_ms", CALC_WINDOW),
        [RATE] = {.option = "rate",
                  .figure = "rate_per_ms",
                  .decimals = 3,
                  .need = CALC_NEEDED,
                  .low = 1,
                  .high = 5000},
        [SENDERS] = CALC_SENDERS(CALC_NO_TRACE),
        [MTU] = CALC_MTU,
    };
    memcpy(items, fresh, sizeof items);
    check = false;
    limits_dir = "none";
    inputs = (calc_inputs_t){.command = "calc test",
                             .help = "the help\n",
                             .items = items,
                             .count = ITEMS,
                             .check = &check,
                             .limits_dir = &limits_dir};
    return calc_inputs_read(&inputs, argc, kept);
}

#define READ(...)                                                                                  \
    capture_main(read_main, (const char *const[]){"test", __VA_ARGS__, NULL}, &captured)

/* One line that says exactly this, and nothing on stdout. */
static void assert_error(const char *text)
{
    char line[600];
    (void)snprintf(line, sizeof line, "outcry: %s\n", text);
    assert_string_equal(captured.err, line);
    assert_string_equal(captured.out, "");
}

static int make_trace(void **state)
{
    (void)state;
    temp_file_make(&file);
    temp_file_write(&file, "1000,170\n3000,170\n", 18);
    return 0;
}

static int remove_trace(void **state)
{
    (void)state;
    calc_inputs_fini(&inputs);
    temp_file_remove(&file);
    return 0;
}

static void test_figures(void **state)
{
    (void)state;
    assert_int_equal(READ("--size", "170", "--burst-ms=0.5", "--rate", "1.25"), -1);
    assert_int_equal(items[SIZE].value, 170);
    assert_int_equal(items[WINDOW].value, 500000);
    assert_int_equal(items[RATE].value, 1250);
    assert_int_equal(items[SENDERS].value, 1);
    assert_int_equal(items[MTU].value, 1408);
    assert_false(inputs.json);
    assert_int_equal(
        READ("--size=1", "--burst-ms=1", "--rate=5", "--json", "--check", "--limits-dir", "x"), -1);
    assert_true(inputs.json);
    assert_true(check);
    assert_string_equal(limits_dir, "x");
    assert_int_equal(READ("--help"), 0);
    assert_string_equal(captured.out, "the help\n");
}

static void test_missing(void **state)
{
    (void)state;
    assert_int_equal(READ("--burst-ms=1", "--rate=1"), 2);
    assert_error("calc test: option --size is missing; see outcry calc test --help");
    assert_int_equal(READ("--size=1", "--rate=1"), 2);
    assert_error("calc test: option --burst-ms is missing; see outcry calc test --help");
    assert_int_equal(READ("--trace", file.path), 2);
    assert_error("calc test: option --rate is missing; see outcry calc test --help");
    assert_int_equal(READ("--rat=1"), 2);
    assert_error("calc test: unknown option --rat; did you mean --rate?");
}

static void test_wrong_numbers(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0",   "0.0001", "5.001", "-1", "nan",
                                        "inf", "1e1",    "x",     "0x1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[200];
        assert_int_equal(READ("--size=1", "--burst-ms=1", "--rate", wrong[i]), 2);
        (void)snprintf(
            line, sizeof line,
            "calc test: option --rate: '%s' is not a number from 0.001 to 5 with up to 3 "
            "decimals",
            wrong[i]);
        assert_error(line);
    }
    assert_int_equal(READ("--size=1.5", "--burst-ms=1", "--rate=1"), 2);
    assert_error("calc test: option --size: '1.5' is not a whole number from 1 to 16777216");
    assert_int_equal(READ("--size=1", "--burst-ms=99999999999999999999", "--rate=1"), 2);
    assert_error("calc test: option --burst-ms: '99999999999999999999' is not a number from "
                 "0.000001 to 86400000 with up to 6 decimals");
    assert_int_equal(READ("--size=1", "--burst-ms=1", "--rate=1", "--mtu=1400"), 2);
    assert_error("calc test: option --mtu: '1400' is not a multiple of 32; 1376 is");
    assert_int_equal(READ("--size=1", "--burst-ms=1", "--rate=1", "--mtu=65536"), 2);
    assert_error("calc test: option --mtu: '65536' is not a whole number from 64 to 65504");
}

static void test_trace(void **state)
{
    (void)state;
    assert_int_equal(READ("--trace", file.path, "--rate=1"), -1);
    assert_int_equal(inputs.trace.count, 2);
    calc_inputs_fini(&inputs);
    assert_int_equal(inputs.trace.count, 0);
    assert_int_equal(READ("--trace", file.path, "--rate=1", "--size=1"), 2);
    assert_error("calc test: options --trace and --size exclude each other; leave one out");
    assert_int_equal(READ("--trace", file.path, "--rate=1", "--senders=1"), 2);
    assert_error("calc test: options --trace and --senders exclude each other; leave one out");
    temp_file_write(&file, "1000,170\n3,170\n", 15);
    assert_int_equal(READ("--trace", file.path, "--rate=1"), 1);
    capture_assert_err(&captured, ": line 2: offset_ns of at least 1000");
    assert_int_equal(READ("--trace=/nowhere/at/all", "--rate=1"), 1);
    assert_error("/nowhere/at/all: cannot open it: No such file or directory");
}

static void test_report(void **state)
{
    (void)state;
    static figures_t figures;
    assert_int_equal(READ("--size=170", "--burst-ms=0.5", "--rate=1.25"), -1);
    items[SENDERS].value = 0; /* as an option without a default */
    calc_inputs_report(&inputs, &figures);
    output_capture_begin();
    const int status = calc_inputs_print(&inputs, &figures);
    output_capture_end(&captured);
    assert_int_equal(status, 0);
    assert_string_equal(captured.out, "calc: test\nsize_bytes: 170\nburst_ms: 0.500000\n"
                                      "rate_per_ms: 1.250\nmtu_bytes: 1408\n");
    assert_int_equal(READ("--trace", file.path, "--rate=1", "--json", "--burst-ms=1"), -1);
    calc_inputs_report(&inputs, &figures);
    output_capture_begin();
    (void)calc_inputs_print(&inputs, &figures);
    output_capture_end(&captured);
    capture_assert_out(&captured, "{\"calc\": \"test\", \"burst_ms\": 1.000000, ");
    capture_assert_out(&captured, "\"trace_messages\": 2, \"trace_length_ms\": 0.002000}\n");
}

static void test_refused(void **state)
{
    (void)state;
    assert_int_equal(READ("--size=170", "--burst-ms=1", "--rate=1"), -1);
    (void)error_set(OC_ERR_INVALID_ARGUMENT, "too much");
    output_capture_begin();
    int status = calc_inputs_refused(&inputs);
    output_capture_end(&captured);
    assert_int_equal(status, 2);
    assert_error("calc test: too much");
    assert_int_equal(READ("--trace", file.path, "--rate=1"), -1);
    (void)error_set(OC_ERR_INVALID_ARGUMENT, "too much");
    output_capture_begin();
    status = calc_inputs_refused(&inputs);
    output_capture_end(&captured);
    assert_int_equal(status, 1);
    assert_error("too much");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_figures, make_trace, remove_trace),
        cmocka_unit_test_setup_teardown(test_missing, make_trace, remove_trace),
        cmocka_unit_test_setup_teardown(test_wrong_numbers, make_trace, remove_trace),
        cmocka_unit_test_setup_teardown(test_trace, make_trace, remove_trace),
        cmocka_unit_test_setup_teardown(test_report, make_trace, remove_trace),
        cmocka_unit_test_setup_teardown(test_refused, make_trace, remove_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
