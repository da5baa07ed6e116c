/*
 * Unit tests of the program's dispatch. main() is not linked into tests, so the program itself is
 * run; SKIPs when the build has none. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/capture.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef OUTCRY_PROGRAM
#define OUTCRY_PROGRAM ""
#endif

extern char **environ;

static capture_t captured;

/* Runs the program with argv; it inherits the diverted streams. */
static int spawn_program(int argc, char **argv)
{
    (void)argc;
    pid_t child;
    int status = 0;
    if (posix_spawn(&child, OUTCRY_PROGRAM, NULL, NULL, argv, environ) != 0)
        return -1;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void skip_without_program(void)
{
    if (!OUTCRY_PROGRAM[0]) {
        print_message("SKIP: this build has no program\n");
        skip();
    }
}

#define OUTCRY(...)                                                                                \
    capture_main(spawn_program, (const char *const[]){"outcry", __VA_ARGS__, NULL}, &captured)

static void test_no_subcommand(void **state)
{
    (void)state;
    skip_without_program();
    const char *const alone[] = {"outcry", NULL};
    assert_int_equal(capture_main(spawn_program, alone, &captured), 2);
    assert_string_equal(captured.out, "");
    assert_memory_equal(captured.err, "usage: outcry", 13);
}

static void test_unknown_subcommand(void **state)
{
    (void)state;
    skip_without_program();
    assert_int_equal(OUTCRY("bnech"), 2);
    assert_string_equal(captured.out, "");
    assert_non_null(strstr(captured.err, "'bnech'; did you mean 'bench'?"));
    assert_non_null(strstr(captured.err, "usage: outcry"));
    assert_int_equal(OUTCRY("qqqqqqqq"), 2);
    assert_null(strstr(captured.err, "did you mean"));
}

static void test_help(void **state)
{
    (void)state;
    skip_without_program();
    assert_int_equal(OUTCRY("help"), 0);
    const char *const names[] = {"replay", "bench", "log", "version", "help"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(strstr(captured.out, names[i]));
    assert_string_equal(captured.err, "");
    assert_int_equal(OUTCRY("--help"), 0);
    assert_int_equal(OUTCRY("help", "help"), 0);
    assert_int_equal(OUTCRY("help", "log"), 0);
    assert_non_null(strstr(captured.out, "usage: outcry log"));
    assert_int_equal(OUTCRY("help", "nothing-known"), 2);
}

static void test_version(void **state)
{
    (void)state;
    skip_without_program();
    assert_int_equal(OUTCRY("version"), 0);
    assert_memory_equal(captured.out, "outcry ", 7);
    assert_int_equal(OUTCRY("--version"), 0);
    assert_memory_equal(captured.out, "outcry ", 7);
    assert_int_equal(OUTCRY("version", "1"), 2);
}

static void test_dispatch(void **state)
{
    (void)state;
    skip_without_program();
    assert_int_equal(OUTCRY("replay"), 2);
    assert_string_equal(captured.err,
                        "outcry: replay: FILE is missing; see outcry replay --help\n");
    assert_int_equal(OUTCRY("replay", "--help"), 0);
    assert_non_null(strstr(captured.out, "usage: outcry replay"));
}

/* What stdout did not take is told once, and is a failure. */
static void test_lost_output(void **state)
{
    (void)state;
    skip_without_program();
    FILE *full = fopen("/dev/full", "wb");
    if (!full) {
        print_message("SKIP: no /dev/full here\n");
        skip();
    }
    output_capture_begin();
    assert_int_not_equal(dup2(fileno(full), STDOUT_FILENO), -1);
    char name[] = "outcry";
    char word[] = "version";
    char *argv[] = {name, word, NULL};
    const int status = spawn_program(2, argv);
    output_capture_end(&captured);
    fclose(full);
    assert_int_equal(status, 1);
    assert_string_equal(captured.err, "outcry: cannot write to stdout: No space left on device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_subcommand), cmocka_unit_test(test_unknown_subcommand),
        cmocka_unit_test(test_help),          cmocka_unit_test(test_version),
        cmocka_unit_test(test_dispatch),      cmocka_unit_test(test_lost_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
