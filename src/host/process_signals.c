/*
 * What a process in whose foreground a host runs does with signals and its core's processor. Called
 * by node_run.c, member_run.c and programs that have more to do before.
 *
 * Invariants: signals only set a flag; what was set for the process is put back at the end.
 */
#define _GNU_SOURCE
#include "host/process_signals.h"

#include "base/assert.h"
#include "base/error.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t end_requested;
static bool signals_taken;

static void request_end(int number)
{
    (void)number;
    end_requested = 1;
}

/* What the signals did before, in the order of `numbers`. */
enum { SIGNALS = 3 };
static const int numbers[SIGNALS] = {SIGTERM, SIGINT, SIGPIPE};

static struct sigaction before[SIGNALS];

bool process_take_signals(void)
{
    if (signals_taken)
        return false;
    end_requested = 0;
    signals_taken = true;
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_flags = SA_RESTART; /* reading a configuration or a log goes on */
        action.sa_handler = numbers[i] == SIGPIPE ? SIG_IGN : request_end;
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(numbers[i], &action, &before[i]);
    }
    return true;
}

void process_give_signals_back(void)
{
    OC_ASSERT(signals_taken);
    signals_taken = false;
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(numbers[i], &before[i], NULL);
}

bool process_end_requested(void)
{
    return end_requested != 0;
}

oc_err_t process_pin_core(int cpu)
{
    cpu_set_t set;
    if (cpu < 0)
        return OC_ERR_OK;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        return error_set(OC_ERR_INVALID_CONFIG, "core_cpu = %d: %s", cpu, strerror(errno));
    return OC_ERR_OK;
}
