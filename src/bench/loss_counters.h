/*
 * Everything that counts what was lost, repeated or held back on the way of a message: Aeron's
 * counters in a driver, the kernel's for UDP, and queues of interfaces. One reading before a run
 * and one after it, and their difference is the run's.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_LOSS_COUNTERS_H
#define BENCH_LOSS_COUNTERS_H

#include "aeron/counter_table.h"

#include <sys/types.h>

typedef enum loss_counter {
    /* Of the driver, all of its streams. */
    LOSS_NAKS_SENT,
    LOSS_NAKS_RECEIVED,
    LOSS_RETRANSMITS,
    LOSS_RETRANSMIT_OVERFLOWS,
    LOSS_FLOW_CONTROL_LIMITS, /* times a sender had something to send and no window for it */
    LOSS_FLOW_CONTROL_OVER_RUNS,
    LOSS_FLOW_CONTROL_UNDER_RUNS,
    LOSS_GAP_FILLS,
    LOSS_SHORT_SENDS,
    LOSS_INVALID_PACKETS,
    LOSS_DRIVER_ERRORS,
    LOSS_DRIVER_LAST = LOSS_DRIVER_ERRORS,
    /* Of UDP, in the driver's process and its network namespace. */
    LOSS_UDP_SOCKET_DROPS,
    LOSS_UDP_RCVBUF_ERRORS,
    LOSS_UDP_IN_ERRORS,
    /* Of queues, by a command. */
    LOSS_QDISC_DROPS,
    LOSS_LINK_LOST,
    LOSS_COUNTERS,
} loss_counter_t;

/* As reports have it, such as "naks_sent". */
const char *loss_name(loss_counter_t counter);

typedef struct loss_reading {
    uint64_t values[LOSS_COUNTERS]; /* 0 where it is not known */
    bool known[LOSS_COUNTERS];
} loss_reading_t;

typedef struct loss_source {
    const counter_table_t *table; /* NULL: no driver */
    pid_t driver;                 /* its process; 0: this one */
    const char *qdisc_show;       /* a command (bench/qdisc_drops.h); NULL: none */
} loss_source_t;

/* The values now. Errors: only those of the command. */
OC_MUST_CHECK oc_err_t loss_read(const loss_source_t *source, loss_reading_t *reading);

/* What came from `before` to `after`; known where both are. A counter that went back, because what
 * it belongs to began anew, gives 0. */
void loss_difference(const loss_reading_t *before, const loss_reading_t *after,
                     loss_reading_t *difference);

#endif
