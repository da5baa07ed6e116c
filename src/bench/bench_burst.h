/*
 * A run of bursts through Aeron: senders that start together, a receiver on a thread of its own,
 * the counters of loss around both, and the verdict. Either both ends in this process, or one of
 * them.
 *
 * The schedule is any of bench/arrival.h, so a trace is sent in the same way.
 *
 * Threads: the caller's, and those it starts and ends itself.
 */
#ifndef BENCH_BENCH_BURST_H
#define BENCH_BENCH_BURST_H

#include "base/histogram.h"
#include "bench/arrival.h"
#include "bench/burst_absorb.h"
#include "bench/burst_flow.h"
#include "bench/burst_verdict.h"

typedef enum burst_role {
    BURST_BOTH,
    BURST_SENDER,
    BURST_RECEIVER,
} burst_role_t;

typedef struct burst_options {
    wire_options_t wire; /* but publications, one_way and apart, which are set here */
    burst_role_t role;
    /* Of each sender; borrowed. Not for a receiver alone, nor the next four. */
    const arrival_t *arrivals;
    bool paced; /* the schedule has a pace that a sender can be late for, inside of bursts */
    uint32_t bursts;
    uint32_t size; /* messages of a burst, of each sender */
    uint32_t warmup;
    unsigned senders;
    uint64_t p99_limit_ns;
    uint64_t grace_ns;      /* waited for an end that does not come, or a message that is refused */
    const char *qdisc_show; /* NULL: none */
    int sender_cpu;         /* of the first sender, the others follow; BENCH_HOST_CPU_ANY: any */
    int receiver_cpu;
    /* Called when a receiver can be reached, and when one that is alone hears of its first sender;
     * NULL: nothing. */
    void (*ready)(const char *channel);
    void (*begun)(void);
} burst_options_t;

typedef struct burst_result {
    burst_role_t role;
    wire_plan_t plan;
    wire_facts_t wire;   /* the same for reports */
    burst_hello_t hello; /* as it was run; all 0 if a receiver never met a sender */
    unsigned senders;
    /* Of the senders. */
    uint64_t planned;
    uint64_t sent;
    uint64_t late;       /* with a pace; behind the warm-up */
    uint64_t overlapped; /* bursts that were due before the one before was sent */
    uint64_t back_pressured;
    uint64_t raised;
    uint64_t start_late_ns;
    /* Of the receiver. */
    uint64_t received;
    uint64_t strangers;
    burst_row_t *rows; /* owned: one for each burst, or NULL */
    size_t row_count;
    histogram_t *latency; /* owned: from the intended time; NULL: a sender's result */
    histogram_t *service; /* owned: from the send */
    burst_facts_t facts;  /* what was judged, with the counters and the accounts of loss */
    burst_verdict_t verdict;
} burst_result_t;

/* Errors: those of wire_open(); OC_ERR_TIMEOUT (nobody receives), OC_ERR_INTERRUPTED,
 * OC_ERR_INVALID_CONFIG (processors), those of loss_read(). On success the caller owns what is in
 * *result: burst_result_fini(). */
OC_MUST_CHECK oc_err_t bench_burst(const burst_options_t *options, burst_result_t *result);
void burst_result_fini(burst_result_t *result); /* a zeroed struct is allowed */

/* Over all bursts behind the warm-up: the longest absorption, the highest peak. */
uint64_t burst_result_absorb_ns_max(const burst_result_t *result);
uint64_t burst_result_peak_max(const burst_result_t *result);

#endif
