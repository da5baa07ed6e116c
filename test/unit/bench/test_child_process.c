/*
 * Children of the benches: lines in order, ends and signals told apart, waiting bounded. The test
 * starts itself: with an argument it is the child.
 */
#define _GNU_SOURCE
#include "bench/child_process.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/process_signals.h"

#define SECOND_NS INT64_C(1000000000)

static void start(child_process_t *child, const char *what)
{
    const char *const argv[] = {"child", what, NULL};
    assert_int_equal(child_process_start(child, argv, -1), OC_ERR_OK);
}

static void test_lines_come_in_order(void **state)
{
    (void)state;
    child_process_t child;
    start(&child, "talk");
    char line[64];
    assert_int_equal(child_process_line(&child, line, sizeof line, 60 * SECOND_NS), OC_ERR_OK);
    assert_string_equal(line, "one");
    assert_int_equal(child_process_expect(&child, "three: ", line, sizeof line, 60 * SECOND_NS),
                     OC_ERR_OK);
    assert_string_equal(line, "3");
    assert_int_equal(child_process_line(&child, line, sizeof line, 60 * SECOND_NS), OC_ERR_CLOSED);
    int status = -1;
    assert_int_equal(child_process_wait(&child, &status, 60 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(status, 7);
    assert_false(child_process_running(&child));
    child_process_end(&child);
}

static void test_silence_times_out_and_a_kill_shows(void **state)
{
    (void)state;
    child_process_t child;
    start(&child, "sleep");
    char line[64];
    int status = -1;
    assert_int_equal(child_process_line(&child, line, sizeof line, SECOND_NS / 50), OC_ERR_TIMEOUT);
    assert_int_equal(child_process_wait(&child, &status, SECOND_NS / 50), OC_ERR_TIMEOUT);
    assert_true(child_process_running(&child));
    child_process_signal(&child, SIGKILL);
    assert_int_equal(child_process_wait(&child, &status, 60 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(status, 128 + SIGKILL);
    child_process_signal(&child, SIGTERM); /* nobody there any more */
    child_process_end(&child);
}

static void test_end_kills_what_runs(void **state)
{
    (void)state;
    child_process_t child;
    start(&child, "sleep");
    const pid_t pid = child.pid;
    child_process_end(&child);
    assert_int_equal(kill(pid, 0), -1);
    child_process_t none = {0};
    child_process_end(&none);
}

/* Once this process is to end, what is there is read, and ends are waited for; words are not. */
static void test_words_are_not_waited_for_by_who_is_to_end(void **state)
{
    (void)state;
    child_process_t child;
    char line[64];
    int status = -1;
    const char *const argv[] = {"/bin/sh", "-c", "trap 'exit 3' TERM; echo one; sleep 300 & wait",
                                NULL};
    assert_true(process_take_signals());
    assert_int_equal(child_process_start_group(&child, argv), OC_ERR_OK);
    assert_int_equal(child_process_line(&child, line, sizeof line, 60 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(child_process_line(&child, line, sizeof line, 3600 * SECOND_NS),
                     OC_ERR_INTERRUPTED);
    assert_string_equal(oc_err_context(), "interrupted");
    child_process_signal(&child, SIGTERM);
    assert_int_equal(child_process_wait(&child, &status, 60 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(status, 3);
    child_process_end(&child);
    start(&child, "talk");
    assert_int_equal(child_process_wait(&child, &status, 60 * SECOND_NS), OC_ERR_OK);
    assert_int_equal(child_process_line(&child, line, sizeof line, SECOND_NS), OC_ERR_OK);
    assert_string_equal(line, "one");
    child_process_end(&child);
    process_give_signals_back();
}

static int be_child(const char *what)
{
    if (strcmp(what, "talk") == 0) {
        puts("one\ntwo\nthree: 3");
        return 7;
    }
    sleep(60);
    return 0;
}

/* What it started goes with it, whether it is killed or has ended before. */
static void test_groups(void **state)
{
    (void)state;
    const char *const dies[] = {"/bin/sh", "-c", "sleep 300 & echo $!; exit 0", NULL};
    const char *const stays[] = {"/bin/sh", "-c", "sleep 300 & echo $!; wait", NULL};
    for (int i = 0; i < 2; i++) {
        child_process_t child;
        char line[64];
        int status = -1;
        assert_int_equal(child_process_start_group(&child, i == 0 ? dies : stays), OC_ERR_OK);
        assert_int_equal(child_process_line(&child, line, sizeof line, 60 * SECOND_NS), OC_ERR_OK);
        if (i == 0)
            assert_int_equal(child_process_wait(&child, &status, 60 * SECOND_NS), OC_ERR_OK);
        else
            child_process_signal(&child, SIGKILL);
        /* The pipe is closed when the last of them has gone. */
        assert_int_equal(child_process_line(&child, line, sizeof line, 60 * SECOND_NS),
                         OC_ERR_CLOSED);
        child_process_end(&child);
        assert_false(child_process_running(&child));
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return be_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_come_in_order),
        cmocka_unit_test(test_silence_times_out_and_a_kill_shows),
        cmocka_unit_test(test_end_kills_what_runs),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_words_are_not_waited_for_by_who_is_to_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
