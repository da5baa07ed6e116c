/*
 * Unit tests of how subcommands end: messages, and output that nobody takes. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "cli/subcommand.h"
#include "lib/capture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static capture_t captured;

static void test_messages(void **state)
{
    (void)state;
    oc_err_t err = error_set(OC_ERR_WRITE, "disk: full");
    err = subcommand_error(err, "option --%s", "book");
    assert_int_equal(err, OC_ERR_WRITE);
    assert_string_equal(oc_err_context(), "option --book: disk: full");
    output_capture_begin();
    const int failed = subcommand_failed();
    const int usage = subcommand_usage("replay", "what?");
    output_capture_end(&captured);
    assert_int_equal(failed, EXIT_STATUS_FAILED);
    assert_int_equal(usage, EXIT_STATUS_USAGE);
    assert_string_equal(captured.out, "");
    assert_string_equal(captured.err, "outcry: option --book: disk: full\noutcry: replay: what?\n");
}

/* A long context is cut off, not run over. */
static void test_long_messages(void **state)
{
    (void)state;
    char text[600];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)error_set(OC_ERR_WRITE, "%s", text);
    assert_int_equal(subcommand_error(OC_ERR_READ, "%s", text), OC_ERR_READ);
    assert_int_equal(strlen(oc_err_context()), 511);
}

/* subcommand_finish(status) after a line to a stdout that is `fd`; closes fd. */
static int finish_on(int fd, int status, bool *gone)
{
    output_capture_begin();
    (void)dup2(fd, STDOUT_FILENO);
    close(fd);
    puts("result");
    const int ended = subcommand_finish(status);
    *gone = subcommand_reader_gone();
    const bool flushed = subcommand_flush();
    clearerr(stdout);
    output_capture_end(&captured);
    assert_int_equal(flushed, ended == 0);
    return ended;
}

static void test_output_taken(void **state)
{
    (void)state;
    bool gone;
    assert_int_equal(finish_on(open("/dev/null", O_WRONLY), 0, &gone), 0);
    assert_false(gone);
    assert_string_equal(captured.err, "");
}

static void test_full_disk(void **state)
{
    (void)state;
    bool gone;
    const int fd = open("/dev/full", O_WRONLY);
    if (fd < 0) {
        print_message("SKIP: no /dev/full here\n");
        skip();
    }
    const int again = dup(fd);
    assert_int_equal(finish_on(fd, 0, &gone), EXIT_STATUS_FAILED);
    assert_false(gone);
    assert_string_equal(captured.err, "outcry: cannot write to stdout: No space left on device\n");
    /* Another error was told already. */
    assert_int_equal(finish_on(again, EXIT_STATUS_USAGE, &gone), EXIT_STATUS_USAGE);
    assert_string_equal(captured.err, "");
}

static void test_reader_gone(void **state)
{
    (void)state;
    (void)signal(SIGPIPE, SIG_IGN);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    bool gone;
    assert_int_equal(finish_on(ends[1], 0, &gone), EXIT_STATUS_FAILED);
    assert_true(gone);
    assert_string_equal(captured.err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),     cmocka_unit_test(test_long_messages),
        cmocka_unit_test(test_output_taken), cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_reader_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
