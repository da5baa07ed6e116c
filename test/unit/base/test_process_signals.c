/*
 * Signals are noted and given back; the core's processor is the one that was asked for.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/process_signals.h"
#include "lib/expect_abort.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static volatile sig_atomic_t own_calls;

static void own(int number)
{
    (void)number;
    own_calls = own_calls + 1;
}

static void signals_are_noted(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        assert_true(process_take_signals());
        assert_false(process_end_requested());
        assert_int_equal(raise(SIGPIPE), 0); /* ignored */
        assert_false(process_end_requested());
        assert_int_equal(raise(numbers[i]), 0);
        assert_true(process_end_requested());
        process_give_signals_back();
        assert_false(process_end_requested());
    }
}

/* A program that takes them before its host does: what came meanwhile counts. */
static void who_took_them_first_gives_them_back(void **state)
{
    (void)state;
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    assert_false(process_take_signals());
    assert_true(process_end_requested());
    process_give_signals_back();
    assert_true(process_take_signals());
    assert_false(process_end_requested()); /* anew */
    process_give_signals_back();
}

static void what_was_before_comes_back(void **state)
{
    (void)state;
    struct sigaction mine;
    struct sigaction before;
    memset(&mine, 0, sizeof mine);
    mine.sa_handler = own;
    assert_int_equal(sigaction(SIGTERM, &mine, &before), 0);
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(own_calls, 0);
    process_give_signals_back();
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(own_calls, 1);
    assert_int_equal(sigaction(SIGTERM, &before, NULL), 0);
}

/* As nohup starts programs. */
static void an_ignored_hangup_stays_ignored(void **state)
{
    (void)state;
    struct sigaction mine;
    struct sigaction before;
    memset(&mine, 0, sizeof mine);
    mine.sa_handler = SIG_IGN;
    assert_int_equal(sigaction(SIGHUP, &mine, &before), 0);
    assert_true(process_take_signals());
    assert_int_equal(raise(SIGHUP), 0);
    assert_false(process_end_requested());
    process_give_signals_back();
    assert_int_equal(sigaction(SIGHUP, &before, NULL), 0);
}

static void what_was_interrupted_says_so(void **state)
{
    (void)state;
    assert_true(process_take_signals());
    assert_int_equal(process_check_interrupted(OC_ERR_OK), OC_ERR_OK);
    assert_int_equal(process_check_interrupted(OC_ERR_READ), OC_ERR_READ);
    assert_int_equal(process_sleep(1000000), OC_ERR_OK);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(process_check_interrupted(OC_ERR_OK), OC_ERR_INTERRUPTED);
    assert_string_equal(oc_err_context(), "interrupted");
    assert_int_equal(process_check_interrupted(OC_ERR_READ), OC_ERR_INTERRUPTED);
    assert_int_equal(process_sleep(UINT64_C(3600000000000)), OC_ERR_INTERRUPTED);
    process_give_signals_back();
}

/* Two at once, as timeout(1) sends them; then one more later, if `context` says so. */
static void be_signalled(void *context)
{
    if (!process_take_signals())
        _exit(1);
    if (context)
        process_let_second_signal_kill();
    if (raise(SIGTERM) != 0 || raise(SIGINT) != 0)
        _exit(2);
    (void)usleep(600000);
    (void)raise(SIGTERM);
}

static void the_second_signal_kills_who_wants_that(void **state)
{
    (void)state;
    int wanted = 1;
    assert_int_equal(child_status(be_signalled, NULL), 0);
    assert_int_equal(child_status(be_signalled, &wanted), -1); /* a signal */
}

static void give_back(void *context)
{
    (void)context;
    process_give_signals_back();
}

static void only_what_was_taken_is_given_back(void **state)
{
    (void)state;
    assert_true(child_aborts(give_back, NULL));
}

static void reading_goes_on(void *context)
{
    int ends[2];
    char byte = 0;
    (void)context;
    if (pipe(ends) != 0 || !process_take_signals())
        _exit(1);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        (void)kill(parent, SIGTERM);
        (void)usleep(20000); /* the reader is interrupted, most likely */
        _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    }
    if (read(ends[0], &byte, 1) != 1 || byte != 'x' || !process_end_requested())
        _exit(2);
}

static void a_call_that_waits_goes_on(void **state)
{
    (void)state;
    assert_int_equal(child_status(reading_goes_on, NULL), 0);
}

static void the_core_is_pinned(void **state)
{
    (void)state;
    cpu_set_t before;
    cpu_set_t after;
    int cpu = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET((size_t)cpu, &before))
        cpu++;
    assert_int_equal(process_pin_core(-1), OC_ERR_OK);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_int_equal(process_pin_core(cpu), OC_ERR_OK);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_int_equal(CPU_COUNT(&after), 1);
    assert_true(CPU_ISSET((size_t)cpu, &after));
    assert_int_equal(process_pin_core(CPU_SETSIZE - 1), OC_ERR_INVALID_CONFIG);
    assert_non_null(strstr(oc_err_context(), "core_cpu = 1023"));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_noted),
        cmocka_unit_test(who_took_them_first_gives_them_back),
        cmocka_unit_test(what_was_before_comes_back),
        cmocka_unit_test(an_ignored_hangup_stays_ignored),
        cmocka_unit_test(what_was_interrupted_says_so),
        cmocka_unit_test(the_second_signal_kills_who_wants_that),
        cmocka_unit_test(only_what_was_taken_is_given_back),
        cmocka_unit_test(a_call_that_waits_goes_on),
        cmocka_unit_test(the_core_is_pinned),
    };
    return cmocka_run_group_tests_name("process_signals", tests, NULL, NULL);
}
