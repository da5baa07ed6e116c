/*
 * What a process in whose foreground a host or a bench runs does with signals and its core's
 * processor. Called by node_run.c, member_run.c, the benches and programs that have more to do
 * before.
 *
 * Invariants: signals only set a flag, but for one that comes when its sender has lost patience;
 * what was set for the process is put back at the end. A hangup that the process was told to ignore
 * (nohup) stays ignored.
 */
#define _GNU_SOURCE
#include "base/process_signals.h"

#include "base/assert.h"
#include "base/cycle_clock.h"
#include "base/error.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* timeout(1) and terminals may send one signal twice at once. */
#define PATIENCE_NS UINT64_C(500000000)
#define STEP_NS     UINT64_C(20000000)

static volatile sig_atomic_t end_requested;
static volatile sig_atomic_t second_kills;
static _Atomic uint64_t first_ns; /* any thread's handler writes it, before `end_requested` */
static bool signals_taken;

static void request_end(int number)
{
    const int reason = errno;
    const uint64_t now_ns = clock_wall_ns();
    if (!end_requested) {
        atomic_store(&first_ns, now_ns);
        end_requested = 1;
    } else if (second_kills && now_ns - atomic_load(&first_ns) > PATIENCE_NS) {
        (void)signal(number, SIG_DFL);
        (void)raise(number); /* comes when this handler returns */
    }
    errno = reason;
}

/* What the signals did before, in the order of `numbers`. */
enum { SIGNALS = 4 };
static const int numbers[SIGNALS] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE};

static struct sigaction before[SIGNALS];

static void take(int number, struct sigaction *old)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_RESTART; /* reading a configuration or a log goes on */
    action.sa_handler = number == SIGPIPE ? SIG_IGN : request_end;
    (void)sigfillset(&action.sa_mask);
    (void)sigaction(number, NULL, old);
    if (number != SIGHUP || old->sa_handler != SIG_IGN)
        (void)sigaction(number, &action, NULL);
}

bool process_take_signals(void)
{
    if (signals_taken)
        return false;
    end_requested = 0;
    second_kills = 0;
    signals_taken = true;
    for (int i = 0; i < SIGNALS; i++)
        take(numbers[i], &before[i]);
    return true;
}

void process_let_second_signal_kill(void)
{
    OC_ASSERT(signals_taken);
    second_kills = 1;
}

void process_give_signals_back(void)
{
    OC_ASSERT(signals_taken);
    signals_taken = false;
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(numbers[i], &before[i], NULL);
    end_requested = 0;
}

bool process_end_requested(void)
{
    return end_requested != 0;
}

oc_err_t process_check_interrupted(oc_err_t err)
{
    return process_end_requested() ? error_set(OC_ERR_INTERRUPTED, "interrupted") : err;
}

oc_err_t process_sleep(uint64_t ns)
{
    const uint64_t until_ns = clock_wall_ns() + ns;
    for (;;) {
        const uint64_t now_ns = clock_wall_ns();
        if (process_end_requested() || now_ns >= until_ns)
            return process_check_interrupted(OC_ERR_OK);
        const uint64_t left_ns = until_ns - now_ns;
        const struct timespec step = {.tv_nsec = (long)(left_ns < STEP_NS ? left_ns : STEP_NS)};
        (void)nanosleep(&step, NULL);
    }
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
