/*
 * Unit tests of `outcry replay` in this process: statuses, streams and files of a small recording.
 * The same from outside, and much more of it, is in test/system/test_replay.sh. Run by ctest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/subcommand.h"
#include "input/tape_writer.h"
#include "lib/capture.h"
#include "lib/temp_file.h"

#include <string.h>

static const char day[] = "34200.1,1,11,100,5000000,1\n"
                          "34200.2,1,12,50,5000000,1\n"
                          "34200.3,4,11,100,5000000,1\n"
                          "34200.4,1,13,30,5000100,-1\n";

typedef struct fixture {
    temp_file_t input;
    temp_file_t output;
    capture_t captured;
} fixture_t;

static int setup(void **state)
{
    static fixture_t fixture;
    temp_file_make(&fixture.input);
    temp_file_make(&fixture.output);
    temp_file_write(&fixture.input, day, sizeof day - 1);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_t *f = *state;
    temp_file_remove(&f->input);
    temp_file_remove(&f->output);
    return 0;
}

#define REPLAY(f, ...)                                                                             \
    capture_main(replay_main, (const char *const[]){"replay", __VA_ARGS__, NULL}, &(f)->captured)

static void test_summary_on_stdout(void **state)
{
    fixture_t *f = *state;
    assert_int_equal(REPLAY(f, f->input.path), 0);
    const char *const first = "commands: 6\naccepted: 6\nrejected: 0\ntrades: 1\n";
    assert_memory_equal(f->captured.out, first, strlen(first));
    assert_string_equal(f->captured.err, "");
}

static void test_dash_moves_the_summary(void **state)
{
    fixture_t *f = *state;
    assert_int_equal(REPLAY(f, f->input.path, "--book", "-", "--engine", "reference"), 0);
    assert_string_equal(f->captured.out, "1,0,5000000,12,50\n1,1,5000100,13,30\n");
    assert_non_null(strstr(f->captured.err, "resting_orders: 2\n"));
    assert_int_equal(REPLAY(f, f->input.path, "--reports", "-"), 0);
    assert_string_equal(f->captured.out, "0,0,0,11,5000000,100\n"
                                         "0,1,0,12,5000000,50\n"
                                         "0,2,1,9223372036854775810,5000000,100\n"
                                         "1,2,5000000,100,11,9223372036854775810\n"
                                         "0,3,1,13,5000100,30");
}

static void test_record_and_replay(void **state)
{
    fixture_t *f = *state;
    assert_int_equal(REPLAY(f, f->input.path, "--record", f->output.path), 0);
    const char *hash = strstr(f->captured.out, "state_hash: ");
    assert_non_null(hash);
    char line[40] = "";
    memcpy(line, hash, 28);
    assert_int_equal(REPLAY(f, f->output.path), 0);
    assert_non_null(strstr(f->captured.out, line));
    assert_int_equal(REPLAY(f, f->output.path, "--mirror"), 0);
    assert_non_null(strstr(f->captured.out, line));
    assert_non_null(strstr(f->captured.err, "brings its own configuration"));
}

static void test_usage(void **state)
{
    fixture_t *f = *state;
    assert_int_equal(REPLAY(f, "--book", "x"), 2);
    assert_string_equal(f->captured.err,
                        "outcry: replay: FILE is missing; see outcry replay --help\n");
    assert_int_equal(REPLAY(f, f->input.path, "--reports", "-", "--book=-"), 2);
    assert_int_equal(REPLAY(f, f->input.path, "--book", f->input.path), 2);
    assert_non_null(strstr(f->captured.err, "option --book would overwrite FILE "));
    assert_int_equal(REPLAY(f, f->input.path, "--record", "x", "--reports", "x"), 2);
    assert_string_equal(f->captured.err, "outcry: replay: options --reports and --record name the "
                                         "same file x; give each its own\n");
    assert_int_equal(REPLAY(f, "-"), 2);
    assert_string_equal(f->captured.out, "");
    assert_int_equal(REPLAY(f, "--help"), 0);
    assert_non_null(strstr(f->captured.out, "--tick-size"));
}

static void test_bad_file(void **state)
{
    fixture_t *f = *state;
    assert_int_equal(REPLAY(f, "/no/such/file"), 1);
    assert_memory_equal(f->captured.err, "outcry: ", 8);
    assert_string_equal(f->captured.out, "");
    temp_file_write(&f->input, "34200.1,1,11,100,5000000,1\nnonsense\n", 36);
    assert_int_equal(REPLAY(f, f->input.path, "--format", "lobster"), 1);
    assert_non_null(strstr(f->captured.err, f->input.path));
    assert_non_null(strstr(f->captured.out, "resting_orders: 1\n"));
    assert_int_equal(REPLAY(f, f->input.path, "--format", "itch"), 1);
}

static void test_bad_output(void **state)
{
    fixture_t *f = *state;
    assert_int_equal(REPLAY(f, f->input.path, "--reports", "/no/such/folder/r"), 1);
    assert_string_equal(f->captured.err, "outcry: option --reports: /no/such/folder/r: cannot open "
                                         "it: No such file or directory\n");
    assert_int_equal(REPLAY(f, f->input.path, "--record", "/no/such/folder/r"), 1);
    assert_string_equal(f->captured.err,
                        "outcry: option --record: /no/such/folder/r: cannot create "
                        "it: No such file or directory\n");
}

/* A tape of one command under `config`; its checksums are right. */
static void write_tape(const fixture_t *f, const oc_engine_config_t *config,
                       const oc_command_t *command)
{
    tape_writer_t *writer;
    oc_err_t err = tape_writer_open(&writer, f->input.path, config);
    assert_int_equal(err, OC_ERR_OK);
    err = tape_writer_append(writer, command);
    assert_int_equal(err, OC_ERR_OK);
    err = tape_writer_close(writer);
    assert_int_equal(err, OC_ERR_OK);
}

/* Refused with file and offset, counts printed, and no output touched. */
static void test_tape_of_impossible_limits(void **state)
{
    fixture_t *f = *state;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    const oc_command_t command = {.type = OC_COMMAND_TIME};
    uint32_t *const limits[] = {&config.max_orders, &config.max_levels, &config.event_capacity};
    temp_file_write(&f->output, "old", 3);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const uint32_t good = *limits[i];
        *limits[i] = 0;
        write_tape(f, &config, &command);
        *limits[i] = good;
        assert_int_equal(REPLAY(f, f->input.path, "--book", f->output.path), 1);
        assert_non_null(strstr(f->captured.err, f->input.path));
        assert_non_null(strstr(f->captured.err, ": offset 16: engine configuration: "));
        assert_non_null(strstr(f->captured.out, "commands: 0\n"));
        char old[8];
        assert_int_equal(temp_file_read(&f->output, old, sizeof old), 3);
    }
}

/* What the engine refuses to go on with is told with the file and the record. */
static void test_engine_error(void **state)
{
    fixture_t *f = *state;
    oc_engine_config_t config;
    oc_engine_config_init(&config);
    const oc_command_t command = {.type = OC_COMMAND_CONFIGURE,
                                  .u.configure.rules_version = OC_RULES_VERSION + 1};
    write_tape(f, &config, &command);
    assert_int_equal(REPLAY(f, f->input.path), 1);
    assert_non_null(strstr(f->captured.err, f->input.path));
    assert_non_null(strstr(f->captured.err, ": record 0: engine: "));
    assert_non_null(strstr(f->captured.err, "rules version 2"));
    assert_non_null(strstr(f->captured.out, "commands: 0\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_summary_on_stdout), TEST(test_dash_moves_the_summary),
        TEST(test_record_and_replay), TEST(test_usage),
        TEST(test_bad_file),          TEST(test_bad_output),
        TEST(test_engine_error),      TEST(test_tape_of_impossible_limits),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
