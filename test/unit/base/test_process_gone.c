/*
 * Unit tests of whether another process has ended. Run by ctest.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_gone.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_gone(void **state)
{
    (void)state;
    siginfo_t info;
    const pid_t pid = fork();
    if (pid == 0)
        for (;;)
            (void)pause();
    assert_false(process_is_gone(pid));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_true(process_is_gone(pid)); /* nobody has asked for its status yet */
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(process_is_gone(pid));
}

static void test_living(void **state)
{
    (void)state;
    assert_false(process_is_gone((long)getpid()));
    assert_false(process_is_gone(1)); /* somebody else's */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gone),
        cmocka_unit_test(test_living),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
