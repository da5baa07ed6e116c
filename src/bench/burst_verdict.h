/*
 * Whether bursts were absorbed: from the counters of loss, the latency and the messages' account to
 * pass or fail, each reason with its value.
 *
 * What one end of a path cannot know is not judged, and that is said: a pass of a sender alone is
 * no pass of the path.
 */
#ifndef BENCH_BURST_VERDICT_H
#define BENCH_BURST_VERDICT_H

#include "bench/loss_counters.h"

#include <stdbool.h>
#include <stdint.h>

#define BURST_REASON_SIZE  72
#define BURST_REASONS_MAX  24
#define BURST_UNJUDGED_MAX 8

typedef struct burst_facts {
    loss_reading_t loss;     /* of the run */
    bool ipc;                /* no sockets, and no flow control but the publication's */
    bool sends;              /* the senders were here */
    bool receives;           /* the receiver was here */
    uint64_t back_pressured; /* times a sender was refused for more than a moment */
    bool latency_known;
    uint64_t p99_ns;
    uint64_t p99_limit_ns;
    uint64_t lost;
    uint64_t doubled;
    uint64_t out_of_order;
    uint64_t unsent;
    bool no_goodbye; /* of a sender: how many messages it sent is not known */
} burst_facts_t;

typedef struct burst_verdict {
    bool pass;
    size_t reason_count;
    char reasons[BURST_REASONS_MAX][BURST_REASON_SIZE]; /* "name value" */
    size_t unjudged_count;
    const char *unjudged[BURST_UNJUDGED_MAX]; /* static */
} burst_verdict_t;

void burst_judge(burst_verdict_t *self, const burst_facts_t *facts);

/* The reasons, or what was not judged, with commas between; "none" without any. */
void burst_verdict_reasons(const burst_verdict_t *self, char *text, size_t size);
void burst_verdict_unjudged(const burst_verdict_t *self, char *text, size_t size);

#endif
