/*
 * Whether the figures of an echo can be believed: the reflector stands still once, on purpose, and
 * the stall must be in the figures at its full length and with all messages that it held up; a
 * closed loop must be called one; a sender that cannot keep its rate must fail.
 *
 * How many messages a stall holds up is arithmetic: whatever is intended between its begin and its
 * end comes back behind the end, so a message intended t before the end has at least t of latency.
 * What waited as long for other reasons, on a busy machine, is known from a plain list of all
 * messages that is kept beside the figures.
 *
 * Threads: one.
 */
#ifndef BENCH_BENCH_SELFTEST_H
#define BENCH_BENCH_SELFTEST_H

#include "bench/bench_echo.h"

typedef struct selftest_options {
    uint64_t rate_per_s;
    uint64_t stall_ns;
    uint64_t run_ns; /* at least four times the stall */
    uint32_t bytes;
    /* For tests of this test: changes an echo on its way into the figures; NULL: nothing does. */
    void (*spoil)(wire_message_t *echo);
} selftest_options_t;

/* What is compared. */
typedef struct selftest_stall {
    uint64_t injected_ns; /* as long as it was in the end */
    uint64_t seen_ns;     /* the maximum of the figures */
    uint64_t plain_ns;    /* that of the plain list */
    double seen_mean_ns;  /* and the means of both */
    double plain_mean_ns;
    uint64_t least_ns;  /* the latency from which a message counts as affected: a fifth */
    uint64_t expected;  /* affected by arithmetic */
    uint64_t otherwise; /* affected by something else, from the plain list */
    uint64_t seen;      /* in the figures */
    uint64_t lost;
} selftest_stall_t;

typedef struct selftest_result {
    selftest_stall_t stall;
    uint64_t held;           /* messages of the stall that the sender itself could not send */
    const char *stall_fault; /* NULL: the figures have the stall; static, as the next ones */
    const char *closed_mode; /* what a closed loop is called */
    const char *closed_fault;
    const char *overload_fault;
    double overload_intended_per_s;
    double overload_sent_per_s;
    double recording_ns; /* of a sample in a histogram */
} selftest_result_t;

/* NULL, or in which way the figures are not those of the stall. */
const char *selftest_judge(const selftest_stall_t *stall);

/* Over a pair whose ends are both here, which it watches meanwhile. Where its window holds less
 * than what is sent in a stall, the sender is held up too, and latency from the send would be found
 * out. */
OC_MUST_CHECK oc_err_t bench_selftest(echo_pair_t *pair, const selftest_options_t *options,
                                      selftest_result_t *result);

static inline bool selftest_ok(const selftest_result_t *result)
{
    return !result->stall_fault && !result->closed_fault && !result->overload_fault;
}

#endif
