/*
 * What queues of network interfaces dropped, as a command tells it: `tc -s -j qdisc show dev IF`,
 * or `tools/netpair show NAME [--json]`.
 *
 * Threads: one at a time.
 */
#ifndef BENCH_QDISC_DROPS_H
#define BENCH_QDISC_DROPS_H

#include "outcry/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct qdisc_drops {
    uint64_t dropped; /* what found a queue full, all directions together */
    uint64_t lost;    /* netpair: what vanished elsewhere on the way */
    bool lost_known;
} qdisc_drops_t;

/*
 * Runs `command` by /bin/sh and reads what it prints. OC_ERR_FORMAT: it prints something else;
 * OC_ERR_REFUSED: it fails; OC_ERR_TIMEOUT: after ten seconds; OC_ERR_INTERRUPTED. It and all
 * that it started have ended, or were killed, when this returns.
 */
OC_MUST_CHECK oc_err_t qdisc_drops_read(qdisc_drops_t *self, const char *command);

/*
 * The same of a text. A qdisc counts the drops of those below it as its own, so of tc's only the
 * roots count, where there are any. False: there are no drops in it.
 */
bool qdisc_drops_parse(qdisc_drops_t *self, const char *text);

#endif
